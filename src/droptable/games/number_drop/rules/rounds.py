"""A round: whose turn it is, what each seat has to do, how it begins and ends (ND3-6, ND13-14)."""

from __future__ import annotations

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.games.number_drop.rules.combos import uncircle
from droptable.games.number_drop.rules.grid import ABOVE_LINE, marked
from droptable.games.number_drop.rules.record import (
    BLOCK,
    CIRCLE,
    CLOCKWISE,
    DROP,
    LETTERS,
    NAME,
    NO_LETTER,
    NO_SHAPE,
    NOTHING,
    OVER,
    PLAYING,
    ROLLING,
    RULEBOOK,
    SLIDE,
    STAR,
    TOGETHER,
    WILD,
)


@kernel
def everybody(state: State) -> int:
    """The bits of all seats."""
    return (1 << int(state["players"])) - 1


@kernel
def active_seat(state: State) -> int:
    """The seat that rolls this round (ND2, ND13)."""
    return int(state["round"]) % int(state["players"])


# -- order ----------------------------------------------------------------------------------------


@kernel
def in_turn(state: State) -> bool:
    """Whether seats act one after the other, in the open, in the round being played (ND14)."""
    if state["order"] == RULEBOOK:
        # Phase 4 begins for all at once: until then nobody who is pending has to circle.
        pending = int(state["pending"])
        return bool(state["doing"][count_bits((pending & -pending) - 1)] == CIRCLE)
    return bool(state["order"] == CLOCKWISE)


@kernel
def is_secret(state: State) -> bool:
    """Whether what a seat does now is hidden from the others (ND14)."""
    return state["stage"] == PLAYING and state["players"] > 1 and not in_turn(state)


@kernel
def circles_at_once(state: State) -> bool:
    """Whether a seat's phase 4 follows its own phase 3: nobody is waited for (ND14)."""
    return bool(state["order"] == TOGETHER or state["players"] == 1)


@kernel
def first_clockwise(state: State, seats: int) -> int:
    """The bit of the first of some seats, clockwise from the active one (ND14)."""
    from_active = seats >> active_seat(state) << active_seat(state)
    if from_active:
        return from_active & -from_active
    return seats & -seats


# -- the roll -------------------------------------------------------------------------------------


@kernel
def next_die(state: State) -> int:
    """The die to be rolled next: 0-3, or 4 for the shape die (ND3)."""
    die = 0
    while die < 4 and state["dice"][die]:
        die += 1
    return die


@kernel
def any_star(state: State) -> bool:
    """Whether one of the five dice shows a `*` (ND4, ND16)."""
    dice = state["dice"]
    return bool(
        state["shape_die"] == WILD
        or dice[0] == STAR
        or dice[1] == STAR
        or dice[2] == STAR
        or dice[3] == STAR
    )


@kernel
def letters(state: State, seat: int) -> int:
    """Bits of a seat's active letters: both combos of the value, not crossed off (ND12)."""
    combos = state["combos"]
    return int(combos[seat, 0]) & int(combos[seat, 1]) & ~int(state["crossed"])


# -- what seats have to do ------------------------------------------------------------------------


@kernel
def start_round(state: State) -> None:
    state["stage"] = PLAYING
    if state["players"] == 1:
        state["pending"] = 1
        state["doing"][0] = SLIDE  # ND16
        return
    if any_star(state):
        active = 0
        for seat in range(state["players"]):
            active |= letters(state, seat)
        if active:
            state["block"] = count_bits((active & -active) - 1)  # ND4: the first in order
    for seat in range(state["players"]):
        start_seat(state, seat)
    if state["pending"] == 0:
        end_round(state)  # ND6: nobody has to drop


@kernel
def start_seat(state: State, seat: int) -> None:
    """Give a seat its task of the round: phase 2 if there is one, else phase 3."""
    if state["block"] == NO_LETTER:
        start_shape(state, seat)
    elif (letters(state, seat) >> int(state["block"])) & 1:
        state["doing"][seat] = NOTHING  # ND5: it has circled the letter itself
        return
    else:
        state["shape"][seat] = state["tiles"][state["block"]]
        state["doing"][seat] = BLOCK
    state["pending"] |= 1 << seat


@kernel
def start_shape(state: State, seat: int) -> None:
    if state["shape_die"] == WILD:
        state["shape"][seat] = NO_SHAPE
        state["doing"][seat] = NAME
    else:
        state["shape"][seat] = state["shape_die"]
        state["doing"][seat] = DROP


@kernel
def after_shape(state: State, seat: int) -> None:
    """Phase 4 follows when all have dropped, or at once if seats do not wait (ND14)."""
    state["doing"][seat] = CIRCLE
    if not circles_at_once(state):
        finish(state, seat)


@kernel
def finish(state: State, seat: int) -> None:
    """A seat has done its part; the last one lets the round go on."""
    state["pending"] &= ~(1 << seat)
    if state["pending"]:
        return
    if state["doing"][seat] == CIRCLE:
        state["pending"] = everybody(state)  # ND14: phase 4 goes round
    else:
        end_round(state)


@kernel
def end_round(state: State) -> None:
    """Phase 5 (ND13); +2s need no note, see `full_rows`."""
    over = state["players"] == 1
    for letter in range(LETTERS):
        if state["notches"][letter]:
            over = False  # ND18
    for seat in range(state["players"]):
        # Every shape fits above the line while there is no mark, so this ends the match of a seat
        # that had no legal drop, too.
        if marked(state, seat)[1] >> ABOVE_LINE:
            over = True  # ND9, ND13
        _forget_round(state, seat)
    if state["block"] != NO_LETTER:
        state["crossed"] |= 1 << int(state["block"])  # ND6
        state["block"] = NO_LETTER
    state["slides"] = 0
    if over:
        state["stage"] = OVER
        return
    state["stage"] = ROLLING
    state["round"] += 1
    state["shape_die"] = NO_SHAPE
    for die in range(4):
        state["dice"][die] = 0


@kernel
def _forget_round(state: State, seat: int) -> None:
    state["doing"][seat] = NOTHING
    state["shape"][seat] = NO_SHAPE
    state["used"][seat] = 0
    for half in range(2):
        state["fallen"][seat, half] = 0
        state["chosen"][seat, half] = 0


@kernel
def take_back(state: State, seat: int) -> None:
    """Put a seat back to where it was right after the roll."""
    uncircle(state, seat)
    for half in range(2):
        for k in range(4):
            state["marks"][seat, half, k] &= ~state["fallen"][seat, half]
    _forget_round(state, seat)
    start_seat(state, seat)
