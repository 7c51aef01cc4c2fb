"""Routes of a solo turn: ways to slide tiles (ND16), with the blocks that drop from them (ND17).

A route is one slide or two, each with the place of its block if the tile reaches GO! The routes
that look best before the shape is dropped are noted, best first. `take_route` changes the record as
if the route had been played, `undo_route` puts it back.
"""

from __future__ import annotations

from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.core.net import Weights
from droptable.games.number_drop.bot.numbering import BEFORE, ROUTE, ROUTE_SIZE, ROUTES, Notes
from droptable.games.number_drop.bot.worth import rounds_left, worth
from droptable.games.number_drop.rules.dropping import fits, has_drop
from droptable.games.number_drop.rules.grid import X, landing, mark_cells, unmark
from droptable.games.number_drop.rules.record import DROP_ID, LETTERS, NONE_ID, SLIDE_ID
from droptable.games.number_drop.rules.rounds import any_star
from droptable.games.number_drop.rules.shapes import PLACE_COUNT, PLACES
from droptable.games.number_drop.rules.solo import can_slide, drops_block

NOTHING_FALLS = -1  # after a slide, in place of an action
CANNOT = -2

# Where in a route things stand; its letters are -1 where there is none.
VALUE, FIRST, FIRST_DROP, SECOND, SECOND_DROP, LOW, HIGH = range(7)


@kernel
def note_routes(state: State, seat: int, notes: Notes, weights: Weights) -> int:
    """Note the routes that look best, best first; return how many."""
    count = 0
    for first in range(LETTERS):
        if not can_slide(state, first):
            continue
        for i in range(_ways(state, seat, first)):
            drop = _way(state, seat, first, i)
            if drop == CANNOT:
                continue
            low, high = _slide(state, seat, first, drop)
            ended = True
            if state["slides"] == 1 and any_star(state):
                for second in range(LETTERS):
                    if not can_slide(state, second):
                        continue
                    ended = False
                    for j in range(_ways(state, seat, second)):
                        other = _way(state, seat, second, j)
                        if other == CANNOT:
                            continue
                        more = _slide(state, seat, second, other)
                        value = worth(state, seat, rounds_left(state), weights)
                        row = _make_room(value, count, notes)
                        if row >= 0:
                            _write(
                                row, value, first, drop, second, other,
                                low | more[0], high | more[1], notes,
                            )  # fmt: skip
                            count = min(count + 1, ROUTES)
                        _slide_back(state, seat, second, more[0], more[1])
            if ended:
                value = worth(state, seat, rounds_left(state), weights)
                row = _make_room(value, count, notes)
                if row >= 0:
                    _write(row, value, first, drop, -1, NOTHING_FALLS, low, high, notes)
                    count = min(count + 1, ROUTES)
            _slide_back(state, seat, first, low, high)
    return count


@kernel
def _ways(state: State, seat: int, letter: int) -> int:
    """How many ways there are to slide a tile: places of its block, or one."""
    shape = int(state["tiles"][letter])
    if drops_block(state, seat, letter) and has_drop(state, seat, shape):
        return int(PLACE_COUNT[shape])
    return 1


@kernel
def _way(state: State, seat: int, letter: int, i: int) -> int:
    """The action that follows a slide the i-th way: a drop, NOTHING_FALLS or CANNOT."""
    shape = int(state["tiles"][letter])
    if not drops_block(state, seat, letter):
        return NOTHING_FALLS
    if not has_drop(state, seat, shape):
        return NONE_ID
    return DROP_ID + int(PLACES[shape, i]) if fits(state, seat, shape, i) else CANNOT


@kernel
def _slide(state: State, seat: int, letter: int, drop: int) -> tuple[int, int]:
    """Slide a tile and mark what drops; return its cells."""
    state["notches"][letter] -= 1
    state["slides"] += 1
    if drop in (NOTHING_FALLS, NONE_ID):
        return 0, 0
    low, high = landing(state, seat, int(state["tiles"][letter]), drop - DROP_ID)
    mark_cells(state, seat, low, high, X)
    return low, high


@kernel
def _slide_back(state: State, seat: int, letter: int, low: int, high: int) -> None:
    unmark(state, seat, low, high)
    state["notches"][letter] += 1
    state["slides"] -= 1


@kernel
def _make_room(value: float, count: int, notes: Notes) -> int:
    """Make room for a route among those noted, best first; its place, -1 if it is too bad."""
    worst = ROUTE + ROUTE_SIZE * (ROUTES - 1)
    if count == ROUTES and int(1000.0 * value) <= notes[worst + VALUE]:
        return -1
    row = min(count, ROUTES - 1)
    while row > 0 and notes[ROUTE + ROUTE_SIZE * (row - 1) + VALUE] < int(1000.0 * value):
        for k in range(ROUTE_SIZE):
            at = ROUTE + ROUTE_SIZE * row + k
            notes[at] = notes[at - ROUTE_SIZE]
        row -= 1
    return row


@kernel
def _write(
    row: int,
    value: float,
    first: int,
    drop: int,
    second: int,
    other: int,
    low: int,
    high: int,
    notes: Notes,
) -> None:
    at = ROUTE + ROUTE_SIZE * row
    notes[at + VALUE] = int(1000.0 * value)
    notes[at + FIRST] = first
    notes[at + FIRST_DROP] = drop
    notes[at + SECOND] = second
    notes[at + SECOND_DROP] = other
    notes[at + LOW] = low
    notes[at + HIGH] = high


@kernel
def note_none(notes: Notes) -> int:
    """Note one route without a slide, for turns that are beyond them."""
    _write(0, 0.0, -1, NOTHING_FALLS, -1, NOTHING_FALLS, 0, 0, notes)
    return 1


@kernel
def has_block(route: int, notes: Notes) -> bool:
    """Whether a route drops anything."""
    at = ROUTE + ROUTE_SIZE * route
    return bool(notes[at + LOW] | notes[at + HIGH])


@kernel
def take_route(state: State, seat: int, route: int, notes: Notes) -> None:
    """Change the record as if a route was gone, and note its actions."""
    at = ROUTE + ROUTE_SIZE * route
    count = 0
    for k in (FIRST, SECOND):
        letter = int(notes[at + k])
        if letter >= 0:
            state["notches"][letter] -= 1
            notes[BEFORE + 1 + count] = SLIDE_ID + letter
            count += 1
            if notes[at + k + 1] != NOTHING_FALLS:
                notes[BEFORE + 1 + count] = notes[at + k + 1]
                count += 1
    notes[BEFORE] = count
    mark_cells(state, seat, int(notes[at + LOW]), int(notes[at + HIGH]), X)


@kernel
def undo_route(state: State, seat: int, route: int, notes: Notes) -> None:
    """Put the record back."""
    at = ROUTE + ROUTE_SIZE * route
    for k in (FIRST, SECOND):
        if notes[at + k] >= 0:
            state["notches"][int(notes[at + k])] += 1
    unmark(state, seat, int(notes[at + LOW]), int(notes[at + HIGH]))
