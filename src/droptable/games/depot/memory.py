"""What everybody saw the seats do: the last moves of each, and what it could choose from then.

Moves tell about hands. Cards come and go in the sight of all, so who guesses what a seat holds now
can work out what it held when it moved (`hand_then`), and ask whether it would have moved so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.games.depot.piles import packed

REMEMBERED = 8  # moves of a seat; older ones hardly tell anything more
ALL_CARDS = 0xFFFFFFFF  # every bit of a packed pile

FIELDS: list[tuple[Any, ...]] = [
    # Cards (packed) that left each hand since the deal, less those taken; wraps around.
    ("flow", np.uint32, 5),
    ("moves", np.int32, 5),  # that each seat has made in this game
    # A seat's move number n is at n % REMEMBERED, with what it saw when it made it:
    ("then_flow", np.uint32, (5, REMEMBERED)),
    ("then_storage", np.uint32, (5, REMEMBERED)),  # packed
    ("then_move", np.uint8, (5, REMEMBERED)),
    ("then_table", np.int8, (5, REMEMBERED)),
    ("then_taken", np.int8, (5, REMEMBERED)),
    ("then_passes", np.int8, (5, REMEMBERED)),
    ("then_fewest", np.int8, (5, REMEMBERED)),  # cards that another seat had
    ("then_most", np.int8, (5, REMEMBERED)),
]


@kernel
def forget(state: State) -> None:
    """A new game has nothing to do with the one before."""
    for seat in range(state["players"]):
        state["flow"][seat] = 0
        state["moves"][seat] = 0


@kernel
def remember(state: State, move: int) -> None:
    """Keep what the seat whose turn it is does, before it is done."""
    seat = int(state["seat"])
    k = int(state["moves"][seat]) % REMEMBERED
    fewest, most = other_hands(state, seat)
    state["moves"][seat] += 1
    state["then_flow"][seat, k] = state["flow"][seat]
    state["then_storage"][seat, k] = packed(state["storage"])
    state["then_move"][seat, k] = move
    state["then_table"][seat, k] = state["table"]
    state["then_taken"][seat, k] = state["taken"]
    state["then_passes"][seat, k] = state["passes"]
    state["then_fewest"][seat, k] = fewest
    state["then_most"][seat, k] = most


@kernel
def leave(state: State, seat: int, cards: int) -> None:
    """Cards (packed) have left a hand in the sight of all; fewer than none: it took some."""
    state["flow"][seat] = (int(np.int64(state["flow"][seat])) + cards) & ALL_CARDS


@kernel
def hand_then(state: State, seat: int, hand: int, k: int) -> int:
    """The hand that a seat had at its remembered move k, if this is its hand now (packed)."""
    left_since = np.int64(state["flow"][seat]) - np.int64(state["then_flow"][seat, k])
    return (hand + int(left_since)) & ALL_CARDS


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
