"""A cell: one setting of an experiment. Which game, how many players, which options, who plays."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from droptable.bots.best_response import opponent_of
from droptable.bots.instincts import check_words, habit_of
from droptable.bots.registry import make_bot
from droptable.core.errors import DroptableError, OptionError, UnknownGame
from droptable.core.game import Game
from droptable.core.language import counted
from droptable.core.match import check_count
from droptable.core.options import resolve
from droptable.games import game as find_game


@dataclass(frozen=True)
class Cell:
    """One setting of an experiment: whatever is the same in all of its matches.

    It is checked when it is made, and equal to any other that says the same. `lineup` names one bot
    per seat; one name stands for all of them. `constants` make a variant (`Game.variant`).

    Matches have numbers from 0 up. With `rotate`, each deal is played once for every different
    rotation of the line-up (equal bots have one, so they never repeat a deal); `replays` plays it
    that many times more, with the same cards and dice but other choices of the bots.
    """

    game: str
    players: int | None = None  # the fewest by default
    options: Mapping[str, Any] = field(default_factory=dict)  # all of them, once it is made
    lineup: Sequence[str] = ("random",)
    constants: Mapping[str, Any] = field(default_factory=dict)
    rotate: bool = False
    replays: int = 1

    def __post_init__(self) -> None:
        def settle(name: str, value: Any) -> None:
            object.__setattr__(self, name, value)

        if not isinstance(self.game, str):
            raise OptionError(f"game is {self.game!r}; expected a game's name")
        settle("constants", {k: _tuples(v) for k, v in _mapping("constants", self.constants)})
        subject = self.subject
        settle("players", subject.check_players(self.players))
        options = {name: _tuples(value) for name, value in _mapping("options", self.options)}
        settle("options", resolve(self.game, subject.options, options))
        settle("lineup", self._checked_lineup())
        if not isinstance(self.rotate, bool):
            raise OptionError(f"rotate is {self.rotate!r}; expected True or False")
        check_count("replays", self.replays)

    def _checked_lineup(self) -> tuple[str, ...]:
        given = [self.lineup] if isinstance(self.lineup, str) else list(self.lineup)
        for bot in given:
            if not isinstance(bot, str):
                raise OptionError(f"bot is {bot!r}; expected a bot's name")
            if habit_of(bot) is None:
                make_bot(bot)  # a wrong name is an error before the first match
            check_words(self.subject, self.options, opponent_of(bot) or bot)
        if len(given) == 1:
            given *= self.seats
        if len(given) != self.seats:
            told = f"{len(given)} bots for {self.seats} players: {', '.join(given) or 'none'}"
            raise OptionError(f"{told}; expected one per seat")
        return tuple(given)

    def __hash__(self) -> int:
        return hash(self.to_json())

    @property
    def subject(self) -> Game:
        """The game that is played: a variant, if there are constants."""
        return _subject(self.game, json.dumps(dict(self.constants), sort_keys=True))

    @property
    def thinks(self) -> bool:
        """Whether some bot does more than follow a habit: its matches are not played compiled."""
        return any(habit_of(bot) is None for bot in self.lineup)

    @property
    def anywhere(self) -> bool:
        """Whether other processes find the game by its name."""
        return _subject(self.game, "{}").everywhere

    @property
    def seats(self) -> int:
        """How many seats there are."""
        assert self.players is not None
        return self.players

    @property
    def rotations(self) -> int:
        """In how many ways the line-up can sit down: 1 unless `rotate` is set."""
        lineup = tuple(self.lineup)
        turns = range(1, self.seats + 1)
        different = next(n for n in turns if lineup[n:] + lineup[:n] == lineup)
        return different if self.rotate else 1

    @property
    def plays_per_deal(self) -> int:
        """How many consecutive matches have the same deal: a group for intervals, never cut."""
        return self.rotations * self.replays

    def deal_of(self, match: int) -> int:
        """The number of the deal that a match plays."""
        return match // self.plays_per_deal

    def seated(self, match: int) -> tuple[str, ...]:
        """Who sits where in a match."""
        shift = match % self.rotations
        return tuple(self.lineup[shift:]) + tuple(self.lineup[:shift])

    # -- JSON -------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """For JSON; `from_dict` makes the same cell of it."""
        return {
            "game": self.game, "players": self.players, "options": dict(self.options),
            "lineup": list(self.lineup), "constants": dict(self.constants),
            "rotate": self.rotate, "replays": self.replays,
        }  # fmt: skip

    def to_json(self) -> str:
        """One line, the same for equal cells."""
        return json.dumps(self.to_dict(), sort_keys=True)

    @classmethod
    def from_dict(cls, document: Any) -> Cell:
        """The cell that a JSON object describes; whatever is left out has its default."""
        if not isinstance(document, dict):
            raise OptionError(f"cell is {document!r}; expected an object")
        known = list(cls.__dataclass_fields__)
        for name in document:
            if name not in known:
                raise OptionError(f"a cell has no {name!r}; expected some of {', '.join(known)}")
        if "game" not in document:
            raise OptionError(f"cell {document!r} names no game")
        return cls(**document)

    @property
    def digest(self) -> str:
        """A short name that tells cells apart."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:12]

    def __str__(self) -> str:
        changed = [
            f"{name}={value}"
            for name, value in self.options.items()
            if value != self.subject.options[name].default
        ] + [f"{name}={value}" for name, value in self.constants.items()]
        bots = ", ".join(dict.fromkeys(self.lineup))
        players = counted("{count} player", "{count} players", self.seats)
        return ", ".join([self.game, players, *changed, bots])


def _mapping(what: str, value: Any) -> list[tuple[str, Any]]:
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise OptionError(f"{what} is {value!r}; expected names and values")
    return list(value.items())


def _tuples(value: Any) -> Any:
    """Lists as tuples, so that a cell read from JSON equals the one that was written."""
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value


_lent: dict[str, Game] = {}  # games that this process alone knows, by name


def lend(game: Game) -> str:
    """The name by which cells of this process find a game, whether or not it is registered."""
    try:
        registered = find_game(game.name)
    except UnknownGame:
        registered = None
    if registered is not game and _lent.get(game.name) is not game:
        if registered is not None:
            raise OptionError(f"another game is called {game.name!r}; expected a name of its own")
        _lent[game.name] = game
        _subject.cache_clear()
    return game.name


@lru_cache(256)
def _subject(name: str, constants: str) -> Game:
    """The game, or the variant with these constants, made once."""
    base = _lent.get(name) or find_game(name)
    changes = {key: _tuples(value) for key, value in json.loads(constants).items()}
    if not changes:
        return base
    mark = hashlib.sha256(constants.encode()).hexdigest()[:8]
    try:
        return base.variant(f"{name}-{mark}", constants=changes)
    except DroptableError:
        raise
    except Exception as error:  # a value that the game's own modules cannot live with
        problem = f"{type(error).__name__}: {error}"
        raise OptionError(f"{name} cannot be played with {changes!r}: {problem}") from error
