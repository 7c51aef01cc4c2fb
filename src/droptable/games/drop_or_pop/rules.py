"""Drop or Pop!: drop own counters into columns, pop what lies at the bottom, join four.

A turn starts with a random column (OP1). The seat drops one of its six counters there (OP2), pops
the column's lowest counter (OP3) or, once, ignores the colour for another (OP4). A connected group
of four wins (OP6); every cell is a bit, so that moves and groups are a few operations on integers.
"""

from __future__ import annotations

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.contract import DEALER_ACTS, Bounds, Ids, Numbers, Rules, State

COLUMNS = 4
COUNTERS = 6  # of each seat
TO_WIN = 4
EPIC = 5
DROP, POP, IGNORE, PASS = 0, 1, 2, 3
NO_COLUMN = -1

# Bit 8 * column + row, row 0 at the bottom:   7  15  23  31
#                                             ..  ..  ..  ..
#                                              0   8  16  24
STATE = np.dtype(
    [
        ("counters", np.int64, 4),  # bits of the cells where each seat has a counter
        ("players", np.int32),
        ("turn_limit", np.int32),
        ("turn", np.int32),  # turns that are finished
        ("seat", np.int32),  # whose turn it is
        ("column", np.int32),  # 0-3, or NO_COLUMN before the dealer has named one
        ("ignored", np.int32),  # 1 once this turn's first colour was ignored
        ("won", np.int32),  # bits of the winners; 0 while the match goes on
    ]
)

BOTTOM_ROW = 0x01010101
ROW_ABOVE = 0xFEFEFEFE  # every cell but the bottom row: where a step up can lead
ROW_BELOW = 0x7F7F7F7F
ALL_CELLS = 0xFFFFFFFF


@kernel
def setup(state: State) -> None:
    state["column"] = NO_COLUMN


@kernel
def to_act(state: State) -> int:
    if state["won"]:
        return 0
    if state["column"] == NO_COLUMN:
        return DEALER_ACTS
    return 1 << int(state["seat"])


@kernel
def legal(state: State, seat: int, ids: Ids) -> int:
    count = 0
    if can_drop(state, seat):
        ids[count] = DROP
        count += 1
    if can_pop(state):
        ids[count] = POP
        count += 1
    if not state["ignored"]:
        ids[count] = IGNORE  # OP4
        count += 1
    elif count == 0:
        ids[count] = PASS  # OP5
        count += 1
    return count


@kernel
def chance(state: State, ids: Ids, weights: Numbers) -> int:
    for column in range(COLUMNS):  # OP1
        ids[column] = column
        weights[column] = 1
    return COLUMNS


@kernel
def apply(state: State, actor: int, action: int) -> None:
    if actor < 0:
        state["column"] = action
        return
    if action == IGNORE:
        state["ignored"] = 1
        state["column"] = NO_COLUMN
        return
    if action == DROP:
        shift = 8 * int(state["column"])
        filled = (occupied(state) >> shift) & 0xFF
        state["counters"][actor] |= (filled + 1) << shift
        largest = group_size(int(state["counters"][actor]))
        if largest >= TO_WIN:  # OP6: only the one who dropped can have a new group
            state["won"] = 1 << actor
    elif action == POP:
        _pop(state)
        state["won"] = _winners_after_pop(state)
    _end_turn(state)


@kernel
def scores(state: State, points: Numbers) -> None:
    for seat in range(state["players"]):
        points[seat] = group_size(int(state["counters"][seat]))


@kernel
def winners(state: State) -> int:
    return int(state["won"])


@kernel
def rows(state: State) -> int:
    """6 rows with 3 players, 8 with 4."""
    return 2 * int(state["players"])


@kernel
def occupied(state: State) -> int:
    """The bits of all cells that hold a counter."""
    counters = state["counters"]
    return int(counters[0]) | int(counters[1]) | int(counters[2]) | int(counters[3])


@kernel
def column_is_full(state: State) -> bool:
    filled = (occupied(state) >> (8 * int(state["column"]))) & 0xFF
    return filled == (1 << rows(state)) - 1


@kernel
def can_drop(state: State, seat: int) -> bool:
    """OP2: there is room in the column, and a counter of one's own left."""
    return count_bits(int(state["counters"][seat])) < COUNTERS and not column_is_full(state)


@kernel
def can_pop(state: State) -> bool:
    """OP3: the column is not empty."""
    return (occupied(state) >> (8 * int(state["column"]))) & 1 == 1


@kernel
def _pop(state: State) -> None:
    for seat in range(state["players"]):
        state["counters"][seat] = popped(int(state["counters"][seat]), int(state["column"]))


@kernel
def _winners_after_pop(state: State) -> int:
    """OP6: the largest new group wins, equally large ones draw."""
    best = TO_WIN
    won = 0
    for seat in range(state["players"]):
        size = group_size(int(state["counters"][seat]))
        if size > best:
            best = size
            won = 1 << seat
        elif size == best:
            won |= 1 << seat
    return won


@kernel
def group_size(cells: int) -> int:
    """The size of the largest orthogonally connected group."""
    best = 0
    while count_bits(cells) > best:
        group = group_of_lowest(cells)
        best = max(best, count_bits(group))
        cells &= ~group
    return best


@kernel
def group_of_lowest(cells: int) -> int:
    """The connected group that the lowest of these cells belongs to."""
    group = cells & -cells
    grown = 0
    while group != grown:
        grown = group
        group |= beside(grown) & cells
    return group


@kernel
def beside(cells: int) -> int:
    """All cells that touch one of these side by side (some of these among them)."""
    across = ((cells << 8) & ALL_CELLS) | (cells >> 8)
    return across | ((cells << 1) & ROW_ABOVE) | ((cells >> 1) & ROW_BELOW)


@kernel
def popped(cells: int, column: int) -> int:
    """The cells after the lowest one of a column was taken out and the rest fell."""
    tower = 0xFF << (8 * column)
    return (cells & ~tower) | (((cells & tower) >> 1) & tower)


@kernel
def _end_turn(state: State) -> None:
    state["turn"] += 1
    state["ignored"] = 0
    state["column"] = NO_COLUMN
    state["seat"] = (state["seat"] + 1) % state["players"]
    if state["won"] == 0 and state["turn"] == state["turn_limit"]:
        state["won"] = (1 << int(state["players"])) - 1  # OP8


@kernel
def ended_by_limit(state: State) -> bool:
    """OP8: whether nobody had won when the last turn was over."""
    everybody = (1 << int(state["players"])) - 1
    return state["turn"] == state["turn_limit"] and state["won"] == everybody


# -- bounds, for whoever has to know before a match how long it can get ---------------------------


def most_moves(players: int, options: dict[str, int]) -> int:
    return 2 * options["turn_limit"]  # ignoring a colour is a second move (OP4)


def most_deals(players: int, options: dict[str, int]) -> int:
    return 2 * options["turn_limit"]


RULES = Rules(
    STATE,
    setup=setup,
    to_act=to_act,
    legal=legal,
    chance=chance,
    apply=apply,
    scores=scores,
    winners=winners,
    ended_by_limit=ended_by_limit,
    bounds=Bounds(moves=most_moves, deals=most_deals),
)
