"""What a game's rules are: kernels on one record, written down once.

`Rules` holds a game's kernels. Generic code (loops, search, environments) imports the *slots* of
the same names from here; `droptable.core.compile` fills them with the game's own functions, and
where a game has none, the slot's body serves.

The record of every game has a field `players` and one for each option, under the option's name;
they are filled in before `setup` runs. Actions and outcomes of the dealer are small integers whose
tokens are listed in the game's words. Kernels trust their caller, never raise and never allocate;
only `State.apply`, which checks first, is public.
"""

# ruff: noqa: ARG001
from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any

import numpy as np

from droptable.core.compile import SLOTS, slot
from droptable.core.errors import GameError

DEALER = -1  # the actor that rolls dice and deals cards
NOBODY = -1  # the seat of a spectator, in `observe`
DEALER_ACTS = 1 << 8  # the dealer's bit in what `to_act` returns; seat s has bit s
MOST_SEATS = 8
MOST_ACTIONS = 1 << 16  # a list's length has to fit beside a seat, see `loops.step`

State = Any  # a record (np.void) of the game's dtype
Ids = Any  # an int32 array with room for every action or outcome
Numbers = Any  # an int32 array with room for every seat or outcome
Random = Any  # a uint64 array of generator states, see droptable.core.chance


@slot
def setup(state: State) -> None:
    """Turn a record that is zero but for `players` and the options into the start of a match.

    Default: that is the start already.
    """


@slot
def to_act(state: State) -> int:
    """Who may act now, as bits: 1 << seat, or `DEALER_ACTS` alone; 0 when the match is over."""
    return 0


@slot
def legal(state: State, seat: int, ids: Ids) -> int:
    """Write the legal actions of a seat that is to act, ascending; return how many (at least 1)."""
    return 0


@slot
def chance(state: State, ids: Ids, weights: Numbers) -> int:
    """Write the dealer's possible outcomes, ascending, and their weights (> 0); return how many.

    Default: there is no dealer.
    """
    return 0


@slot
def apply(state: State, actor: int, action: int) -> None:
    """Make a move that is legal, or let a possible outcome of the dealer happen."""


@slot
def scores(state: State, points: Numbers) -> None:
    """Write what a person would write down for each seat, at any moment of the match.

    Default: 1 for each winner.
    """
    won = winners(state)
    for seat in range(int(state["players"])):
        points[seat] = won >> seat & 1


@slot
def winners(state: State) -> int:
    """The winners as bits, 1 << seat; 0 while the match goes on."""
    return 0


@slot
def ended_by_limit(state: State) -> bool:
    """Whether a match that is over was ended by a limit (of turns, of rounds), not by a player.

    Default: there is no such limit.
    """
    return False


@slot
def witnesses(state: State, actor: int, action: int) -> int:
    """The seats, as bits, that may know the token of this event at the moment it happens.

    Default: all of them.
    """
    return (1 << int(state["players"])) - 1


@slot
def observe(state: State, seat: int) -> None:
    """Blank in place all that a seat (or a spectator, `NOBODY`) may not know.

    Default: nothing is hidden.
    """


@slot
def determinize(state: State, seat: int, random: Random) -> None:
    """Fill what `observe` blanked for this seat with one uniformly random possibility."""


@dataclass(frozen=True)
class Bounds:
    """What can be said before a match: how long it gets, and what a solo player can score."""

    moves: Callable[[int, dict[str, Any]], int] | None = None  # of seats, by players and options
    deals: Callable[[int, dict[str, Any]], int] | None = None  # events of the dealer
    solo_scores: tuple[int, int] | None = None  # the lowest and the highest


@dataclass(frozen=True)
class Rules:
    """A game's rules: the dtype of its record, and its kernels by the slots they fill.

    `sample_outcome` (see `droptable.core.chance`) draws an outcome faster than by listing all.
    `invariant` says what holds in every state, whatever happened: that no card is lost or doubled,
    for instance. `check_game` asks it of real states and of determinized ones.
    """

    dtype: np.dtype[Any]
    _: KW_ONLY
    to_act: Callable[[State], int]
    legal: Callable[[State, int, Ids], int]
    apply: Callable[[State, int, int], None]
    winners: Callable[[State], int]
    setup: Callable[[State], None] | None = None
    chance: Callable[[State, Ids, Numbers], int] | None = None
    scores: Callable[[State, Numbers], None] | None = None
    ended_by_limit: Callable[[State], bool] | None = None
    witnesses: Callable[[State, int, int], int] | None = None
    observe: Callable[[State, int], None] | None = None
    determinize: Callable[[State, int, Random], None] | None = None
    sample_outcome: Callable[[State, Ids, Numbers, Random], int] | None = None
    invariant: Callable[[State], bool] | None = None
    bounds: Bounds = Bounds()

    def __post_init__(self) -> None:
        if not isinstance(self.dtype, np.dtype) or self.dtype.names is None:
            raise GameError(f"Rules: dtype is {self.dtype!r}; expected the dtype of a record")
        if "players" not in self.dtype.names:
            raise GameError("Rules: the record has no field 'players'")
        if self.dtype.hasobject:
            raise GameError("Rules: the record holds Python objects; expected numbers only")
        if self.dtype["players"].kind not in "iu" or self.dtype["players"].shape:
            kind = self.dtype["players"]
            raise GameError(f"Rules: the field 'players' is {kind}; expected a whole number")
        check_kernels("Rules", self.kernels())
        if (self.observe is None) != (self.determinize is None):
            has, lacks = "observe", "determinize"
            if self.observe is None:
                has, lacks = lacks, has
            raise GameError(f"Rules: there is {has}, but no {lacks}: what is hidden needs both")
        if self.sample_outcome is not None and self.chance is None:
            raise GameError("Rules: there is sample_outcome, but no chance")

    def kernels(self) -> dict[str, Callable[..., Any]]:
        """The game's own functions, by the slot they fill."""
        return set_kernels(self, without=("dtype", "bounds", "invariant"))


def set_kernels(parts: Any, without: tuple[str, ...] = ()) -> dict[str, Callable[..., Any]]:
    """The fields of a dataclass that hold a function, by name."""
    named = ((field.name, getattr(parts, field.name)) for field in fields(parts))
    return {name: value for name, value in named if name not in without and value is not None}


def check_kernels(where: str, kernels: Mapping[str, Callable[..., Any]]) -> None:
    """Refuse what is no kernel, or takes another number of arguments than its slot."""
    for name, function in kernels.items():
        if not callable(function):
            raise GameError(f"{where}: {name} is {function!r}; expected a kernel")
        if getattr(function, "__kernel__", None) != "kernel":  # a slot is no kernel of a game's own
            raise GameError(f"{where}: {name} is not marked @kernel")
        expected, given = _parameters(SLOTS[name]), _parameters(function)
        if len(given) != len(expected):
            raise GameError(
                f"{where}: {name} takes ({', '.join(given)}); expected ({', '.join(expected)})"
            )


def _parameters(function: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(function).parameters)
