"""Studying the games: many matches at once, what can be measured of them, how fast they run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from droptable.lab.studies import study

__all__ = ["study"]


def __getattr__(name: str) -> Any:
    """`droptable.lab.study`, which is loaded when it is first asked for."""
    if name == "study":
        from droptable.lab.studies import study

        return study
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
