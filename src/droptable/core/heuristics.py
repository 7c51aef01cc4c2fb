"""Temporary: replaced by the typed object."""

from typing import Any


class Heuristics:
    def __init__(self, module: Any) -> None:
        self.module = module

    def kernels(self) -> dict[str, Any]:
        names = (
            "appeal",
            "outlook",
            "foresee",
            "playout_move",
            "believe",
            "pause",
            "estimate",
            "plan_turns",
            "play_turn",
        )
        return {n: getattr(self.module, n) for n in names if hasattr(self.module, n)}
