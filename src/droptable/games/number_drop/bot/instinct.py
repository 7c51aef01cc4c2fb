"""What bots use of Number Drop: whole turns, valued by the sheets that they lead to."""

from __future__ import annotations

from math import exp

from droptable.core.compile import kernel
from droptable.core.contract import Numbers, State
from droptable.core.heuristics import Heuristics, LevelShares, TurnPlanner
from droptable.games.number_drop.bot.combo_choices import best_circled, worth_circled
from droptable.games.number_drop.bot.numbering import NOTES, Notes
from droptable.games.number_drop.bot.turns import (
    PLAN,
    Plans,
    Worths,
    best_turns,
    make_best_turn,
)
from droptable.games.number_drop.bot.weights import WEIGHTS
from droptable.games.number_drop.bot.worth import rounds_left, worth
from droptable.games.number_drop.rules import winners
from droptable.games.number_drop.rules.combos import kind_of_chosen
from droptable.games.number_drop.rules.dropping import die_among, die_for, fits, next_to_number
from droptable.games.number_drop.rules.grid import X, landing, mark_cells, marked, size_of, unmark
from droptable.games.number_drop.rules.record import (
    BLOCK,
    CELL_ID,
    CIRCLE,
    DONE_ID,
    DROP_ID,
    NAME_ID,
    NUMBER_ID,
    ROLLING,
    SLIDE_ID,
    WRITE_ID,
)
from droptable.games.number_drop.rules.scoring import score
from droptable.games.number_drop.rules.shapes import COLUMNS, PLACE_COUNT, PLACES
from droptable.games.number_drop.rules.solo import drops_block

HORIZON = 4  # rounds of a rollout, the present one included
ALONE = 2  # the same alone: the value network is as good as longer rollouts, with less variance
SOFT = 2.0  # temperature of the softmax over expected scores when the match is about to end
SOFTER = 0.4  # more of it for each round that is left


@kernel
def plan_turns(
    state: State, seat: int, limit: int, plans: Plans, worths: Worths, notes: Notes
) -> int:
    return best_turns(state, seat, limit, plans, worths, notes, WEIGHTS)


@kernel
def play_turn(state: State, seat: int, plans: Plans, worths: Worths, notes: Notes) -> None:
    make_best_turn(state, seat, plans, worths, notes, WEIGHTS)


@kernel
def pause(state: State, root: State) -> bool:
    """A round's end, some rounds later: all sheets can be judged then."""
    rounds = ALONE if state["players"] == 1 else HORIZON
    return bool(state["stage"] == ROLLING and state["round"] >= root["round"] + rounds)


@kernel
def estimate(state: State, points: Numbers, values: Numbers) -> None:
    """Who is expected to be ahead, and how surely; alone at the table, the expected score."""
    players = int(state["players"])
    won = winners(state)
    left = rounds_left(state)
    if players == 1:
        if won:
            values[0] = score(state, 0) / 100.0
        else:
            values[0] = min(max(worth(state, 0, left, WEIGHTS) / 100.0, 0.0), 1.0)
        return
    total = 0.0
    for seat in range(players):
        if won:
            values[seat] = float((won >> seat) & 1)
        else:
            if state["doing"][seat] == CIRCLE:  # it will circle what it has dropped for (ND14)
                expected = best_circled(state, seat, left, WEIGHTS)
            else:
                expected = worth(state, seat, left, WEIGHTS)
            values[seat] = exp(expected / (SOFT + SOFTER * left))
        total += values[seat]
    for seat in range(players):
        values[seat] /= total


# -- small steps ----------------------------------------------------------------------------------


@kernel
def appeal(state: State, seat: int, action: int) -> float:
    """What the sheet is worth after a turn that begins like this, in hundreds of points."""
    left = rounds_left(state)
    if action < NAME_ID:
        bit = 1 << (action - WRITE_ID)
        mark_cells(state, seat, bit, 0, seat + 2)
        value = worth(state, seat, left, WEIGHTS)
        unmark(state, seat, bit, 0)
    elif action < DROP_ID:
        value = _block_worth(state, seat, action - NAME_ID, left)
    elif action < NUMBER_ID:
        low, high = landing(state, seat, int(state["shape"][seat]), action - DROP_ID)
        if state["doing"][seat] == BLOCK:
            mark_cells(state, seat, low, high, X)
            value = worth(state, seat, left, WEIGHTS)
            unmark(state, seat, low, high)
        else:
            value = _numbered_worth(state, seat, low, high, 0, left)
    elif action < CELL_ID:
        digit = action - NUMBER_ID
        cell = next_to_number(state, seat)
        used = int(state["used"][seat]) | 1 << die_for(state, seat, digit)
        mark_cells(state, seat, cell[0], cell[1], digit + 1)
        filled = marked(state, seat)
        low = int(state["fallen"][seat, 0]) & ~filled[0]
        high = int(state["fallen"][seat, 1]) & ~filled[1]
        value = _numbered_worth(state, seat, low, high, used, left)
        unmark(state, seat, cell[0], cell[1])
    elif action < DONE_ID:
        bit = action - CELL_ID
        bit += bit // COLUMNS  # 7 ids per row, 8 bits per row
        half = bit // 56
        before = int(state["chosen"][seat, half])
        state["chosen"][seat, half] = before | 1 << (bit - 56 * half)
        value = best_circled(state, seat, left, WEIGHTS)
        state["chosen"][seat, half] = before
    elif action == DONE_ID:
        low = int(state["chosen"][seat, 0])
        high = int(state["chosen"][seat, 1])
        kind = kind_of_chosen(state, seat)
        value = worth_circled(state, seat, left, kind, size_of(low, high), low, high, WEIGHTS)
    elif action < SLIDE_ID:
        value = worth(state, seat, left, WEIGHTS)
    else:
        letter = action - SLIDE_ID
        block = drops_block(state, seat, letter)
        state["notches"][letter] -= 1
        if block:
            value = _block_worth(state, seat, int(state["tiles"][letter]), rounds_left(state))
        else:
            value = worth(state, seat, rounds_left(state), WEIGHTS)
        state["notches"][letter] += 1
    return value / 100.0


@kernel
def _block_worth(state: State, seat: int, shape: int, left: float) -> float:
    """The best that a shape can do to the skyline, without numbers."""
    best = -100.0
    for i in range(PLACE_COUNT[shape]):
        if fits(state, seat, shape, i):
            low, high = landing(state, seat, shape, int(PLACES[shape, i]))
            mark_cells(state, seat, low, high, X)
            best = max(best, worth(state, seat, left, WEIGHTS))
            unmark(state, seat, low, high)
    return best


@kernel
def _numbered_worth(state: State, seat: int, low: int, high: int, used: int, left: float) -> float:
    """Number some cells, each as well as it can be done at once, and circle the best combo."""
    rest_low = low
    rest_high = high
    while rest_low | rest_high:
        cell_low = rest_low & -rest_low
        cell_high = 0 if rest_low else rest_high & -rest_high
        best = -1000.0
        best_digit = 0
        for digit in range(10):
            if die_among(state, used, digit) >= 0:
                mark_cells(state, seat, cell_low, cell_high, digit + 1)
                value = worth(state, seat, left, WEIGHTS)
                unmark(state, seat, cell_low, cell_high)
                if value > best:
                    best = value
                    best_digit = digit
        mark_cells(state, seat, cell_low, cell_high, best_digit + 1)
        used |= 1 << die_among(state, used, best_digit)
        rest_low &= ~cell_low
        rest_high &= ~cell_high
    value = best_circled(state, seat, left, WEIGHTS)
    unmark(state, seat, low, high)
    return value


HEURISTICS = Heuristics(
    levels=LevelShares(beginner=0.17, easy=0.065, hard=0.65, steady=40),
    heuristic=appeal,
    cutoff=pause,
    evaluate=estimate,
    turn_planner=TurnPlanner(plan_turns, play_turn, length=PLAN, scratch=NOTES),
)
