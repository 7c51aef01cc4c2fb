"""Connect Four as a sixth game, outside the package: rules, words and scene in one file.

`DROPTABLE_GAMES=examples/connect_four.py droptable play connect-four`; docs/add-a-game.md builds
this file step by step.
"""

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.components import at, box, counter, motion, touch
from droptable.core.contract import Rules
from droptable.core.game import Game
from droptable.core.scene import Picture, Scene
from droptable.core.svg import join
from droptable.core.words import Words

COLUMNS, ROWS = 7, 6
FULL = sum((1 << ROWS) - 1 << 7 * column for column in range(COLUMNS))
STATE = np.dtype(
    [
        ("stones", np.int64, 2),  # of each seat: bit 7 * column + row, the bottom row is 0
        ("players", np.int32),
        ("won", np.int32),  # bits of the winners, both for a draw; 0 while the match goes on
    ]
)


@kernel
def to_act(state):
    return 0 if state["won"] else 1 << seat_to_drop(state)


@kernel
def legal(state, seat, ids):
    filled, count = taken(state), 0
    for column in range(COLUMNS):
        if not filled >> (7 * column + ROWS - 1) & 1:  # CF2
            ids[count] = column
            count += 1
    return count


@kernel
def apply(state, actor, column):
    filled = taken(state)
    own = int(state["stones"][actor]) | (filled + (1 << 7 * column)) & ~filled  # the first gap
    state["stones"][actor] = own
    if four_in_line(own):  # CF3
        state["won"] = 1 << actor
    elif (filled | own) == FULL:
        state["won"] = 3


@kernel
def winners(state):
    return int(state["won"])


@kernel
def taken(state):
    return int(state["stones"][0] | state["stones"][1])


@kernel
def seat_to_drop(state):
    return count_bits(taken(state)) & 1  # CF1


@kernel
def four_in_line(stones):
    for step in (1, 7, 6, 8):  # up, across, and the two diagonals
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


RULES = Rules(STATE, to_act=to_act, legal=legal, apply=apply, winners=winners)


TEXT = """Four in a line, before the other.

## CF1 Turns
The seats take turns dropping one stone; seat 0 begins.

## CF2 Dropping
A stone falls to the lowest free cell of a column that is not full.

## CF3 The end
Four stones of your own in a line, in any direction, win. A full board without one is a draw.
"""


def owner(view, column, row):
    """The seat whose stone lies there, or -1."""
    first, second = (int(stones) >> (7 * column + row) & 1 for stones in view["stones"])
    return first - 1 + 2 * second


def actions(options):
    return tuple(f"drop {column + 1}" for column in range(COLUMNS))


def why(view, seat, action):
    return "CF2", f"column {action + 1} is full"


def label(view, seat, action):
    return f"Drop a stone into column {action + 1}"


def tell(before, after, actor, action, names):
    return f"{names[actor]} drops a stone into column {action + 1}."


def verdict(state, names):
    return "A draw." if state["won"] == 3 else f"{names[state['won'] - 1]} has four in a line."


def prompt(view, viewer, names):
    if view["won"]:
        return verdict(view, names)
    seat = seat_to_drop(view)
    return "Choose a column." if seat == viewer else f"{names[seat]} is choosing a column."


def board(view, viewer):
    rows = [[".XO"[owner(view, c, r) + 1] for c in range(COLUMNS)] for r in range(ROWS)]
    lines = [" ".join(row) for row in reversed(rows)]
    return "\n".join([*lines, "1 2 3 4 5 6 7", prompt(view, viewer, "XO")])


WORDS = Words(
    turn_rule="CF1",  # cited when somebody acts out of turn
    end_rule="CF3",  # … and after the end
    actions=actions,
    why=why,
    label=label,
    tell=tell,
    verdict=verdict,
    draw=board,
)


def picture(view, viewer, frame):
    """Seven columns to touch, and the stones in them."""
    width, size = (360, 48) if frame.tall else (1000, 78)
    parts = []
    for column in range(COLUMNS):
        x, name = width / 2 + (column - 3) * size, f"column-{column + 1}"
        tower = box(size - 2, ROWS * size, "board rim")
        parts.append(touch(name, f"column {column + 1}", x, ROWS * size / 2 + 4, tower, key=name))
        for row in range(ROWS):
            y, seat = (ROWS - row - 0.5) * size + 4, owner(view, column, row)
            if seat >= 0:
                stone = counter(seat, size * 0.42)
                key = f"stone-{column}-{row}"
                parts.append(at(x, y, stone, key=key, motion=motion(enter="fall")))
    return Picture(width, ROWS * size + 8, join(*parts), "Connect Four")


def path(view, seat, action):
    return (f"column-{action + 1}",)


SCENE = Scene(accent="gold", draw=picture, path=path, prompt=prompt)


GAME = Game(
    "connect-four",
    title="Connect Four",
    summary="Drop stones into columns; four in a line win.",
    players=(2,),
    rules=RULES,
    words=WORDS,
    scene=SCENE,
    text=TEXT,
)
