"""What everybody saw the seats do: the last moves of each, and what it could choose from then.

Moves tell about hands. Cards come and go in the sight of all, so who guesses what a seat holds now
can work out, move by move, what it held before (`hand_before`), and ask whether it would have moved
so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.games.depot.rules.piles import packed

REMEMBERED = 7  # moves of a seat; older ones hardly tell anything more
MOST_COUNTED = 15  # cards of another hand

FIELDS: list[tuple[Any, ...]] = [
    ("moves", np.int16, 5),  # that each seat has made in this game
    # A seat's move number n is at n % REMEMBERED, with what it saw when it made it:
    ("then_storage", np.uint32, (5, REMEMBERED)),  # packed
    ("then_move", np.uint8, (5, REMEMBERED)),
    ("then_table", np.int8, (5, REMEMBERED)),
    ("then_passes", np.int8, (5, REMEMBERED)),
    ("then_others", np.uint8, (5, REMEMBERED)),  # fewest and most cards of another, 4 bits each
]


@kernel
def forget(state: State) -> None:
    """A new game has nothing to do with the one before."""
    for seat in range(state["players"]):
        state["moves"][seat] = 0


@kernel
def remember(state: State, move: int) -> None:
    """Keep what the seat whose turn it is does, before it is done."""
    seat = int(state["seat"])
    k = int(state["moves"][seat]) % REMEMBERED
    fewest, most = other_hands(state, seat)
    state["moves"][seat] += 1
    state["then_storage"][seat, k] = packed(state["storage"])
    state["then_move"][seat, k] = move
    state["then_table"][seat, k] = state["table"]
    state["then_passes"][seat, k] = state["passes"]
    state["then_others"][seat, k] = min(fewest, MOST_COUNTED) | min(most, MOST_COUNTED) << 4


@kernel
def other_hands(state: State, seat: int) -> tuple[int, int]:
    """The fewest and the most cards that another seat holds."""
    fewest = 99
    most = 0
    for other in range(state["players"]):
        if other != seat:
            size = int(state["hand_size"][other])
            fewest = min(fewest, size)
            most = max(most, size)
    return max(fewest, 1), most
