"""One match for an environment: compiled steps on integer ids.

`states[0]` is the match; `states[1]` is room for a view of it. Every move is checked here, against
the rules themselves, so that nothing depends on arrays that were handed out.
"""

from __future__ import annotations

from typing import Any

from droptable.core.bits import lowest_bit
from droptable.core.compile import kernel
from droptable.core.contract import Ids, Numbers, Random, apply, legal, observe, to_act
from droptable.core.loops import States, deal
from droptable.core.tensor import encode_at

OVER = -1  # instead of a seat: the match has ended
REFUSED = -2  # instead of a seat: the move is not legal, and nothing has changed

Mask = Any  # an int8 array with a place for every action


@kernel
def begin(states: States, random: Random, ids: Ids, weights: Numbers, mask: Mask) -> int:
    """Deal up to the first decision and mark its moves; return the seat that has it."""
    return ask(states, deal(states, 0, random, ids, weights), ids, mask)


@kernel
def play(
    states: States,
    seat: int,
    action: int,
    random: Random,
    ids: Ids,
    weights: Numbers,
    mask: Mask,
) -> int:
    """Make a move, let the dealer go on, mark the next seat's moves; return that seat.

    Or `OVER`, or `REFUSED`. The mask is all zero before.
    """
    if not may(states, seat, action, ids):
        return REFUSED
    apply(states[0], seat, action)
    return ask(states, deal(states, 0, random, ids, weights), ids, mask)


@kernel
def ask(states: States, actors: int, ids: Ids, mask: Mask) -> int:
    """The lowest seat that is to act, its moves marked; `OVER` if there is none."""
    if actors == 0:
        return OVER
    seat = lowest_bit(actors)
    mark(states, seat, ids, mask)
    return seat


@kernel
def mark(states: States, seat: int, ids: Ids, mask: Mask) -> None:
    """Mark the legal moves of a seat that is to act."""
    for k in range(legal(states[0], seat, ids)):
        mask[ids[k]] = 1


@kernel
def may(states: States, seat: int, action: int, ids: Ids) -> bool:
    """Whether a seat is to act and this is one of its moves."""
    if to_act(states[0]) >> seat & 1:
        for k in range(legal(states[0], seat, ids)):
            if ids[k] == action:
                return True
    return False


@kernel
def join(states: States, seat: int, action: int, ids: Ids) -> bool:
    """Make a move if it is legal, but leave the dealer waiting for others' moves."""
    if not may(states, seat, action, ids):
        return False
    apply(states[0], seat, action)
    return True


@kernel
def look(states: States, raw: Any, places: Any, seat: int, tensor: Any) -> None:
    """Write what a seat sees as a tensor."""
    states[1] = states[0]
    observe(states[1], seat)
    encode_at(states, 1, raw, places, seat, tensor)
