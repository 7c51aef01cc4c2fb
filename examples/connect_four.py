"""Connect Four as a sixth game, outside the package: rules, words and scene in one file.

`DROPTABLE_GAMES=examples/connect_four.py droptable play connect-four`; docs/add-a-game.md explains
every step. The board is one integer a seat: column c has the bits 7c to 7c + 5, bottom first.
"""

import sys
from types import SimpleNamespace

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.game import Game
from droptable.core.scene import Line, Picture
from droptable.core.svg import join
from droptable.core.things import at, box, counter, text, touch

COLUMNS, ROWS = 7, 6
BOTTOM = sum(1 << 7 * c for c in range(COLUMNS))
TOP = BOTTOM << ROWS - 1
FULL = BOTTOM * ((1 << ROWS) - 1)
STATE = np.dtype([("stones", np.int64, 2), ("players", np.int32), ("won", np.int32)])

# -- rules ----------------------------------------------------------------------------------------


@kernel
def setup(state):
    """An empty board is all zero, as it comes."""


@kernel
def to_act(state):
    return 0 if state["won"] else 1 << seat_to_drop(state)


@kernel
def legal(state, seat, ids):
    stones = int(state["stones"][0] | state["stones"][1])
    count = 0
    for column in range(COLUMNS):
        if not stones >> (7 * column + ROWS - 1) & 1:  # CF2
            ids[count] = column
            count += 1
    return count


@kernel
def apply(state, actor, column):
    stones = int(state["stones"][0] | state["stones"][1])
    own = int(state["stones"][actor]) | (stones + (1 << 7 * column) & 63 << 7 * column) & ~stones
    state["stones"][actor] = own
    if four_in_line(own):  # CF3
        state["won"] = 1 << actor
    elif (stones | own) == FULL:
        state["won"] = 3


@kernel
def scores(state, points):
    for seat in range(2):
        points[seat] = 1 if state["won"] >> seat & 1 else 0


@kernel
def winners(state):
    return int(state["won"])


@kernel
def witnesses(state, actor, action):
    return 3


@kernel
def seat_to_drop(state):
    return count_bits(int(state["stones"][0] | state["stones"][1])) & 1  # CF1


@kernel
def four_in_line(stones):
    for step in (1, 7, 6, 8):  # up, right, and the two diagonals
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


# -- words ----------------------------------------------------------------------------------------

TEXT = """Four in a line, before the other.

## CF1 Turns
The seats drop one stone each by turns; seat 0 begins.

## CF2 Dropping
A stone falls to the lowest free cell of a column that is not full.

## CF3 The end
Four own stones in a line, in any direction, win. A full board without one is a draw.
"""
words = SimpleNamespace(
    TURN_RULE="CF1",
    END_RULE="CF3",
    actions=lambda options: tuple(f"drop {column + 1}" for column in range(COLUMNS)),
    outcomes=lambda options: (),
    why=lambda view, seat, action: ("CF2", f"column {action + 1} is full"),
    label=lambda view, seat, action: f"Drop a stone into column {action + 1}",
    tell=lambda before, after, actor, action, names: (
        f"{names[actor]} drops a stone into column {action + 1}."
    ),
    verdict=lambda state, names: (
        "A draw." if state["won"] == 3 else f"{names[int(state['won']) - 1]} has four in a line."
    ),
    draw=lambda view, viewer: "\n".join(
        " ".join(".XO"[owner(view, column, row) + 1] for column in range(COLUMNS))
        for row in reversed(range(ROWS))
    ) + "\n1 2 3 4 5 6 7",
)  # fmt: skip


def owner(state, column, row):
    """The seat whose stone lies there, or -1."""
    bits = [int(stones) >> (7 * column + row) & 1 for stones in state["stones"]]
    return 0 if bits[0] else 1 if bits[1] else -1


# -- scene ----------------------------------------------------------------------------------------


def draw(view, viewer, frame):
    """Seven columns to touch, and the stones in them."""
    width, size = (360, 48) if frame.tall else (1000, 78)

    def place(column, row):
        return width / 2 + (column - 3) * size, (ROWS - row - 0.5) * size + 4

    columns = [
        touch(f"column-{c + 1}", f"column {c + 1}", place(c, 2.5)[0], place(c, 2.5)[1],
              box(size - 2, ROWS * size, "board rim"), key=f"column-{c}")
        for c in range(COLUMNS)
    ]  # fmt: skip
    stones = [
        at(*place(c, r), counter(owner(view, c, r), size * 0.42), key=f"stone-{c}-{r}")
        for c in range(COLUMNS) for r in range(ROWS) if owner(view, c, r) >= 0
    ]  # fmt: skip
    names = text(" – ".join(frame.names), width / 2, ROWS * size + size / 2, size=size / 3)
    return Picture(width, round((ROWS + 1) * size), join(*columns, *stones, names), "Connect Four")


def prompt(view, viewer, names):
    """Whose turn it is."""
    if view["won"]:
        return words.verdict(view, names)
    seat = seat_to_drop(view)
    return "Choose a column." if seat == viewer else f"{names[seat]} is choosing a column."


scene = SimpleNamespace(
    ACCENT="gold",
    draw=draw,
    path=lambda view, seat, action: (f"column-{action + 1}",),
    ghost=lambda view, seat, action, frame: None,
    switches=lambda view, seat: {},
    prompt=prompt,
    sheet=lambda views, names: [Line("Four in a line", "CF3", _points(list(views)[-1]), True)],
)


def _points(view):
    return tuple(int(view["won"]) >> seat & 1 for seat in range(2))


GAME = Game(
    "connect-four",
    title="Connect Four",
    summary="Drop stones into columns; four in a line win.",
    players=(2,),
    options={},
    rules=sys.modules[__name__],
    words=words,
    scene=scene,
    text=TEXT,
)
