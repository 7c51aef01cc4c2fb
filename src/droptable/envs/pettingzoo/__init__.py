"""Every game as a PettingZoo environment: `drop_site_v0.env(players=3)`, or `env(game, …)`.

Each registered game has a name here, those of other packages too: `drop_site_v0` … with `env`,
`raw_env` and `parallel_env`, like PettingZoo's own modules; where PettingZoo has a registry,
`pettingzoo.make("aec", "droptable/drop_site_v0", players=3)` finds them too. docs/environments.md
describes observations, rewards and simultaneous phases.
"""

from __future__ import annotations

from typing import Any

try:
    import pettingzoo
    from pettingzoo.utils.conversions import parallel_to_aec
except ModuleNotFoundError as missing:
    raise ImportError(
        f"this needs {missing.name}, which is not installed: pip install 'droptable[envs]'"
    ) from missing

from droptable.core.game import Game
from droptable.envs.pettingzoo.aec import TableEnv, version_name
from droptable.envs.pettingzoo.parallel import ParallelTableEnv
from droptable.games import games

__all__ = ["ParallelTableEnv", "TableEnv", "Versioned", "env", "parallel_env", "raw_env"]

raw_env = TableEnv
parallel_env = ParallelTableEnv


def env(
    game: Game | str,
    players: int | None = None,
    *,
    max_cycles: int | None = None,
    **settings: Any,
) -> Any:
    """An AEC environment of a game. It checks actions itself and needs no wrappers.

    A cycle, in PettingZoo's words, asks every agent once. So with `max_cycles` all seats are asked
    in turn, as in `parallel_env`, and those without a decision have to `wait`.
    """
    if max_cycles is None:
        return TableEnv(game, players, **settings)
    return parallel_to_aec(ParallelTableEnv(game, players, max_cycles=max_cycles, **settings))


class Versioned:
    """One game's environments, like a module of PettingZoo."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.__name__ = version_name(game)

    def __repr__(self) -> str:
        return f"<environments {self.__name__}>"

    def env(self, players: int | None = None, **settings: Any) -> Any:
        """The AEC environment; see `droptable.envs.pettingzoo.env`."""
        return env(self.game, players, **settings)

    def raw_env(self, players: int | None = None, **settings: Any) -> TableEnv:
        """The AEC environment itself, which never has wrappers."""
        return TableEnv(self.game, players, **settings)

    def parallel_env(self, players: int | None = None, **settings: Any) -> ParallelTableEnv:
        """The parallel environment."""
        return ParallelTableEnv(self.game, players, **settings)


def register_all() -> None:
    """Enter all games into PettingZoo's registry; older versions have none."""
    if not hasattr(pettingzoo, "register"):
        return
    for game in games():
        name = f"droptable/{version_name(game)}"
        pettingzoo.register("aec", name, Versioned(game).env)
        pettingzoo.register("parallel", name, Versioned(game).parallel_env)


def __getattr__(name: str) -> Versioned:
    for game in games():
        if version_name(game) == name:
            versioned = globals()[name] = Versioned(game)
            return versioned
    names = ", ".join(version_name(game) for game in games())
    raise AttributeError(f"there is no environment {name!r}; environments: {names}")


def __dir__() -> list[str]:
    return [*globals(), *(version_name(game) for game in games())]


register_all()
