"""Solo: tiles that slide down, and what follows (ND16, ND17)."""

from __future__ import annotations

from droptable.core.compile import kernel
from droptable.core.contract import Ids, State
from droptable.games.number_drop.rules.record import BLOCK, LETTERS, SLIDE, SLIDE_ID, WILD
from droptable.games.number_drop.rules.rounds import any_star, letters, start_shape


@kernel
def can_slide(state: State, letter: int) -> bool:
    """ND16: any tile that is not at the bottom; the second time the rolled one if there is one."""
    if state["notches"][letter] == 0:
        return False
    if state["slides"] == 0 or state["shape_die"] == WILD:
        return True
    return bool(state["shape_die"] == state["tiles"][letter])


@kernel
def legal_slides(state: State, ids: Ids) -> int:
    count = 0
    for letter in range(LETTERS):
        if can_slide(state, letter):
            ids[count] = SLIDE_ID + letter
            count += 1
    return count


@kernel
def drops_block(state: State, seat: int, letter: int) -> bool:
    """Whether a tile's next slide brings it to GO! and drops its block (ND17)."""
    return state["notches"][letter] == 1 and not (letters(state, seat) >> letter) & 1


@kernel
def slide(state: State, seat: int, letter: int) -> None:
    block = drops_block(state, seat, letter)
    state["notches"][letter] -= 1
    state["slides"] += 1
    if block:
        state["shape"][seat] = state["tiles"][letter]  # ND17
        state["doing"][seat] = BLOCK
    else:
        after_slide(state, seat)


@kernel
def after_slide(state: State, seat: int) -> None:
    """ND16: the second slide if there is one to make, then phase 3."""
    if state["slides"] == 1 and any_star(state):
        for letter in range(LETTERS):
            if can_slide(state, letter):
                state["doing"][seat] = SLIDE
                return
    start_shape(state, seat)
