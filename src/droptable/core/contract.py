"""What a game's rules are: ten kernels on one record, written down once.

A rules module defines `STATE` (the NumPy dtype of its record) and a `@kernel` function for each
name below. Generic code (loops, search, batches) imports the names from here; they are *slots* that
`droptable.core.compile` fills with the game's own function; where a game has none, the body below
serves.

The record of every game begins with `players` and has one field for each option, under the
option's name; they are filled in before `setup` runs. Actions and dealer's outcomes are small
integers whose tokens are listed in the game's words. Kernels trust their caller, never raise and
never allocate; only `State.apply`, which checks first, is public.
"""

# ruff: noqa: ARG001
from __future__ import annotations

from typing import Any

from droptable.core.compile import slot

DEALER = -1  # the actor that rolls dice and deals cards
NOBODY = -1  # the seat of a spectator, in `observe`
DEALER_ACTS = 1 << 8  # the dealer's bit in what `to_act` returns; seat s has bit s
MOST_SEATS = 8

State = Any  # a record (np.void) of the game's STATE dtype
Ids = Any  # an int32 array with room for every action or outcome
Numbers = Any  # an int32 array with room for every seat or outcome
Random = Any  # a uint64 array of generator states, see droptable.core.chance


@slot
def setup(state: State) -> None:
    """Turn a record that is zero but for `players` and the options into the start of a match."""


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
    """Write the dealer's possible outcomes, ascending, and their weights (> 0); return how many."""
    return 0


@slot
def apply(state: State, actor: int, action: int) -> None:
    """Make a move that is legal, or let a possible outcome of the dealer happen."""


@slot
def scores(state: State, points: Numbers) -> None:
    """Write what a person would write down for each seat, at any moment of the match.

    In a game that has none: 1 for each winner.
    """
    won = winners(state)
    for seat in range(int(state["players"])):
        points[seat] = won >> seat & 1


@slot
def winners(state: State) -> int:
    """The winners as bits, 1 << seat; 0 while the match goes on."""
    return 0


@slot
def witnesses(state: State, actor: int, action: int) -> int:
    """The seats, as bits, that may know the token of this event at the moment it happens.

    In a game that has none: all of them.
    """
    return (1 << int(state["players"])) - 1


@slot
def observe(state: State, seat: int) -> None:
    """Blank in place all that a seat (or a spectator, `NOBODY`) may not know.

    In a game that has none: nothing is hidden, and `determinize` has nothing to fill.
    """


@slot
def determinize(state: State, seat: int, random: Random) -> None:
    """Fill what `observe` blanked for this seat with one uniformly random possibility."""


SLOTS = (
    setup, to_act, legal, chance, apply, scores, winners, witnesses, observe, determinize,
)  # fmt: skip
