"""Whole turns of Number Drop: what a seat can do until others have to act, best first.

A turn is a list of actions, ended by NO_MORE. A cheap heuristic scores every way to drop a shape
with its numbers (`_look_at_drops`); the best candidates are valued by `worth`, each with the combos
that could be circled after it. Where others act between drop and circle (ND14), a turn ends with
the drop, which is valued with its best combo. Alone, this is done for several ways to slide tiles
(`solo_slides`): which tile to slide depends on what can be dropped then. Turns can be planned from
any point: what is done already stays. The record is changed in place while planning and put back;
`notes` is scratch.
"""

from __future__ import annotations

from typing import Any

from droptable.core.bits import lowest_bit
from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.core.net import Weights
from droptable.games.number_drop.bot.combo_choices import (
    NO_KIND,
    first_combo,
    next_combo,
    worth_circled,
)
from droptable.games.number_drop.bot.numbering import (
    BEFORE,
    BEST,
    EACH,
    MOST_PLACES,
    PLACE,
    Notes,
    look_round,
    promise,
    take_notes,
    try_numbers,
)
from droptable.games.number_drop.bot.solo_slides import (
    has_block,
    note_none,
    note_routes,
    take_route,
    undo_route,
)
from droptable.games.number_drop.bot.worth import rounds_left, worth
from droptable.games.number_drop.rules import apply, to_act
from droptable.games.number_drop.rules.combos import CONSECUTIVE
from droptable.games.number_drop.rules.dropping import fits, has_drop
from droptable.games.number_drop.rules.grid import (
    X,
    around,
    landing,
    mark_cells,
    marked,
    showing,
    unmark,
)
from droptable.games.number_drop.rules.record import (
    BLOCK,
    CELL_ID,
    CIRCLE,
    DONE_ID,
    DROP,
    DROP_ID,
    NAME,
    NAME_ID,
    NO_SHAPE,
    NONE_ID,
    NUMBER,
    NUMBER_ID,
    SKIP_ID,
    SLIDE,
    WILD,
    WRITE,
    WRITE_ID,
)
from droptable.games.number_drop.rules.rounds import circles_at_once
from droptable.games.number_drop.rules.shapes import (
    COLUMNS,
    DIE_SHAPES,
    PLACE_COUNT,
    PLACES,
)

Plans = Any  # int32 [row, PLAN]: turns, actions ended by NO_MORE
Worths = Any  # float64 [row]

PLAN = 24  # longest turn, with its end
NO_MORE = -1
NOWHERE = -(1 << 40)  # how good a place looks where a shape cannot drop
ROWS_EACH, FEWEST = 8, 3  # one way to number a place is kept for so many rows; at least so many
PLACE_ROWS = 2  # one place is numbered for so many rows
AGAIN = 4  # drops that are judged again if only the tiles differ
NUMBERS = 0.2  # what the numbers count, against the place, when drops are looked at quickly


@kernel
def best_turns(
    state: State,
    seat: int,
    limit: int,
    plans: Plans,
    worths: Worths,
    notes: Notes,
    weights: Weights,
) -> int:
    """Write up to `limit` turns, best first, and what the sheet is worth after each.

    Returns how many. The rows of `plans` beyond `limit` hold the drops to be judged: the more, the
    better the plans.
    """
    doing = int(state["doing"][seat])
    if doing == WRITE:
        return _plan_number(state, seat, limit, plans, worths, weights)
    if doing == BLOCK:
        return _plan_block(state, seat, limit, plans, worths, weights)
    shape = int(state["shape"][seat])
    wild = state["shape_die"] == WILD
    routes = note_routes(state, seat, notes, weights) if doing == SLIDE else note_none(notes)
    count = 0
    drops = 0
    # Routes without a block leave the same sheet: its drops are looked at once, and for the later
    # ones of these routes only the best of them are judged again.
    for blocks in range(2):
        for i in range(routes):
            if has_block(i, notes) != (blocks == 1):
                continue
            take_route(state, seat, i, notes)
            if doing == SLIDE:
                state["doing"][seat] = NAME if wild else DROP
                state["shape"][seat] = NO_SHAPE if wild else state["shape_die"]
            left = rounds_left(state)
            if drops == 0 or blocks:
                drops = _look_at_drops(state, seat, left, limit, plans, worths, notes, weights)
            else:
                drops = _best_first(limit, drops, plans, worths)
            count = _judge_drops(
                state, seat, left, limit, plans, worths, count, drops, notes, weights
            )
            state["doing"][seat] = doing
            state["shape"][seat] = shape
            undo_route(state, seat, i, notes)
    return count


@kernel
def _plan_number(
    state: State, seat: int, limit: int, plans: Plans, worths: Worths, weights: Weights
) -> int:
    """Turns that write the first number (ND2)."""
    left = rounds_left(state)
    count = 0
    for column in range(COLUMNS):
        mark_cells(state, seat, 1 << column, 0, seat + 2)
        row = _insert(plans, worths, count, limit, worth(state, seat, left, weights))
        unmark(state, seat, 1 << column, 0)
        if row >= 0:
            plans[row, 0] = WRITE_ID + column
            plans[row, 1] = NO_MORE
            count = min(count + 1, limit)
    return count


@kernel
def _plan_block(
    state: State, seat: int, limit: int, plans: Plans, worths: Worths, weights: Weights
) -> int:
    """Turns that drop the seat's block."""
    left = rounds_left(state)
    shape = int(state["shape"][seat])
    if not has_drop(state, seat, shape):
        worths[0] = worth(state, seat, left, weights)
        plans[0, 0] = NONE_ID
        plans[0, 1] = NO_MORE
        return 1
    count = 0
    for i in range(PLACE_COUNT[shape]):
        if fits(state, seat, shape, i):
            place = int(PLACES[shape, i])
            low, high = landing(state, seat, shape, place)
            mark_cells(state, seat, low, high, X)
            row = _insert(plans, worths, count, limit, worth(state, seat, left, weights))
            unmark(state, seat, low, high)
            if row >= 0:
                plans[row, 0] = DROP_ID + place
                plans[row, 1] = NO_MORE
                count = min(count + 1, limit)
    return count


@kernel
def _insert(plans: Plans, worths: Worths, count: int, limit: int, value: float) -> int:
    """Make room for a turn among those found, best first; return its row, -1 if it is too bad."""
    if count == limit and value <= worths[limit - 1]:
        return -1
    row = min(count, limit - 1)
    while row > 0 and worths[row - 1] < value:
        worths[row] = worths[row - 1]
        for i in range(PLAN):
            plans[row, i] = plans[row - 1, i]
        row -= 1
    worths[row] = value
    return row


# -- shapes and their numbers ---------------------------------------------------------------------


@kernel
def _judge_drops(
    state: State,
    seat: int,
    left: float,
    limit: int,
    plans: Plans,
    worths: Worths,
    count: int,
    drops: int,
    notes: Notes,
    weights: Weights,
) -> int:
    """Add the turns that do what one of the noted drops says, each with a combo or without.

    The drops' rows get the worth of their best turns.
    """
    circles = state["doing"][seat] == CIRCLE or circles_at_once(state)
    fallen_low = int(state["fallen"][seat, 0])
    fallen_high = int(state["fallen"][seat, 1])
    before = marked(state, seat)
    shape_before = int(state["shape"][seat])
    for drop in range(limit, limit + drops):
        # Do what the row says, then judge, then undo it.
        shape = shape_before
        low = fallen_low & ~before[0]
        high = fallen_high & ~before[1]
        step = 0
        if NAME_ID <= plans[drop, step] < DROP_ID:
            shape = int(plans[drop, step]) - NAME_ID
            step += 1
        if DROP_ID <= plans[drop, step] < NUMBER_ID:
            low, high = landing(state, seat, shape, int(plans[drop, step]) - DROP_ID)
            step += 1
        cells_low = low
        cells_high = high
        while NUMBER_ID <= plans[drop, step] < CELL_ID:
            cell_low = low & -low
            cell_high = 0 if low else high & -high
            mark_cells(state, seat, cell_low, cell_high, int(plans[drop, step]) - NUMBER_ID + 1)
            low &= ~cell_low
            high &= ~cell_high
            step += 1
        count = _judge(
            state, seat, left, limit, plans, worths, count, drop, circles, notes, weights
        )
        unmark(state, seat, cells_low, cells_high)
    return count


@kernel
def _best_first(limit: int, drops: int, plans: Plans, worths: Worths) -> int:
    """Bring the AGAIN best of the judged drops to the front of their rows; return how many."""
    few = min(drops, AGAIN)
    for row in range(limit, limit + few):
        best = row
        for other in range(row + 1, limit + drops):
            if worths[other] > worths[best]:
                best = other
        worths[row], worths[best] = worths[best], worths[row]
        for i in range(PLAN):
            action = plans[row, i]
            plans[row, i] = plans[best, i]
            plans[best, i] = action
    return few


@kernel
def _look_at_drops(
    state: State,
    seat: int,
    left: float,
    limit: int,
    plans: Plans,
    worths: Worths,
    notes: Notes,
    weights: Weights,
) -> int:
    """Write the drops that look best into the rows from `limit` on; return how many."""
    doing = int(state["doing"][seat])
    if doing == CIRCLE:
        plans[limit, 0] = NO_MORE  # nothing is dropped any more
        return 1
    take_notes(state, seat, notes)
    if doing == NUMBER:
        low, high = marked(state, seat)
        low = int(state["fallen"][seat, 0]) & ~low
        high = int(state["fallen"][seat, 1]) & ~high
        cells = look_round(low, high, notes)
        return _fill(cells, 0.0, NO_MORE, NO_MORE, limit, plans, worths, 0, notes)
    for shape in range(DIE_SHAPES):
        for i in range(PLACE_COUNT[shape]):
            look = NOWHERE
            if (doing == NAME or shape == state["shape"][seat]) and fits(state, seat, shape, i):
                low, high = landing(state, seat, shape, int(PLACES[shape, i]))
                mark_cells(state, seat, low, high, X)
                look = int(100.0 * worth(state, seat, left, weights))
                unmark(state, seat, low, high)
                look += int(NUMBERS * promise(look_round(low, high, notes), notes))
            notes[PLACE + MOST_PLACES * shape + i] = look
    drops = 0
    for _ in range(max((len(plans) - limit) // PLACE_ROWS, 1)):
        best = NOWHERE
        shape = 0
        at = 0
        for other in range(DIE_SHAPES):
            for i in range(PLACE_COUNT[other]):
                if notes[PLACE + MOST_PLACES * other + i] > best:
                    best = int(notes[PLACE + MOST_PLACES * other + i])
                    shape = other
                    at = i
        if best == NOWHERE:
            break
        notes[PLACE + MOST_PLACES * shape + at] = NOWHERE
        place = int(PLACES[shape, at])
        low, high = landing(state, seat, shape, place)
        cells = look_round(low, high, notes)
        value = 0.01 * best - NUMBERS * 0.01 * promise(cells, notes)
        name = NAME_ID + shape if doing == NAME else NO_MORE
        drops = _fill(cells, value, name, DROP_ID + place, limit, plans, worths, drops, notes)
    if drops == 0:
        plans[limit, 0] = NONE_ID  # ND9
        plans[limit, 1] = NO_MORE
        return 1
    return drops


@kernel
def _fill(
    cells: int,
    value: float,
    name: int,
    place: int,
    limit: int,
    plans: Plans,
    worths: Worths,
    drops: int,
    notes: Notes,
) -> int:
    """Keep the best ways to number the noted cells of a place among the drops; return how many."""
    each = min(max((len(plans) - limit) // ROWS_EACH, FEWEST), EACH)
    for i in range(each):
        notes[BEST + 2 * i] = -1
    try_numbers(cells, each, notes)
    for i in range(each):
        if notes[BEST + 2 * i] < 0:
            break
        quick = value + NUMBERS * 0.01 * notes[BEST + 2 * i]
        row = limit + drops
        if row == len(plans):
            row = limit  # the worst one makes room
            for other in range(limit + 1, len(plans)):
                if worths[other] < worths[row]:
                    row = other
            if quick <= worths[row]:
                break
        else:
            drops += 1
        worths[row] = quick
        step = 0
        if name != NO_MORE:
            plans[row, step] = name
            step += 1
        if place != NO_MORE:
            plans[row, step] = place
            step += 1
        numbers = int(notes[BEST + 2 * i + 1])
        for cell in range(cells):
            plans[row, step + cell] = NUMBER_ID + ((numbers >> (4 * cell)) & 15)
        plans[row, step + cells] = NO_MORE
    return drops


# -- combos ---------------------------------------------------------------------------------------


@kernel
def _judge(
    state: State,
    seat: int,
    left: float,
    limit: int,
    plans: Plans,
    worths: Worths,
    count: int,
    drop: int,
    circles: bool,
    notes: Notes,
    weights: Weights,
) -> int:
    """Add the turns that begin with a drop (a row of the plans) and circle a combo, or none.

    If circling comes later (`circles` is false), the drop is one turn, as good as its best combo.
    """
    best = -1000.0
    kind, mark, size, rest_low, rest_high, low, high = first_combo(state, seat)
    while kind != NO_KIND:
        value = worth_circled(state, seat, left, kind, size, low, high, weights)
        best = max(best, value)
        if circles:
            row = _insert(plans, worths, count, limit, value)
            if row >= 0:
                _write_turn(state, seat, plans, drop, row, low, high, kind, notes)
                count = min(count + 1, limit)
        kind, mark, size, rest_low, rest_high, low, high = next_combo(
            state, seat, kind, mark, size, rest_low, rest_high
        )
    if not circles:
        row = _insert(plans, worths, count, limit, best)
        if row >= 0:
            _write_drop(plans, drop, row, notes)
            count = min(count + 1, limit)
    worths[drop] = best
    return count


@kernel
def _write_drop(plans: Plans, drop: int, row: int, notes: Notes) -> int:
    """Write what a turn does before its drop, and the drop; return how many actions that is."""
    step = int(notes[BEFORE])
    for i in range(step):
        plans[row, i] = notes[BEFORE + 1 + i]
    i = 0
    while plans[drop, i] != NO_MORE:
        plans[row, step] = plans[drop, i]
        step += 1
        i += 1
    plans[row, step] = NO_MORE
    return step


@kernel
def _write_turn(
    state: State,
    seat: int,
    plans: Plans,
    drop: int,
    row: int,
    low: int,
    high: int,
    kind: int,
    notes: Notes,
) -> None:
    """Write a drop and the cells of a combo, in an order that the rules allow."""
    step = _write_drop(plans, drop, row, notes)
    if low | high == 0:
        plans[row, step] = SKIP_ID
        plans[row, step + 1] = NO_MORE
        return
    done_low = int(state["chosen"][seat, 0])
    done_high = int(state["chosen"][seat, 1])
    mark = 1
    while (done_low ^ low) | (done_high ^ high):
        if kind == CONSECUTIVE:
            same = showing(state, seat, mark)
            next_low = same[0] & low & ~done_low
            next_high = same[1] & high & ~done_high
            mark += 1
        elif done_low | done_high == 0:
            next_low = low
            next_high = high
        else:
            near = around(done_low, done_high)
            next_low = near[0] & low & ~done_low
            next_high = near[1] & high & ~done_high
        if next_low | next_high == 0:
            continue
        next_low &= -next_low
        next_high = 0 if next_low else next_high & -next_high
        bit = lowest_bit(next_low) if next_low else 56 + lowest_bit(next_high)
        plans[row, step] = CELL_ID + bit - (bit >> 3)
        step += 1
        done_low |= next_low
        done_high |= next_high
    plans[row, step] = DONE_ID
    plans[row, step + 1] = NO_MORE


@kernel
def make_best_turn(
    state: State, seat: int, plans: Plans, worths: Worths, notes: Notes, weights: Weights
) -> None:
    """Make the best turn of a seat that is to act, until others or the dealer are to act."""
    actors = to_act(state)
    stage = int(state["stage"])
    while stage == state["stage"] and actors == to_act(state):
        best_turns(state, seat, 1, plans, worths, notes, weights)
        step = 0
        while plans[0, step] != NO_MORE:
            apply(state, seat, int(plans[0, step]))
            step += 1
