"""What a learner sees of Number Drop: the sheets as grids, the dice, and what each seat does."""

from __future__ import annotations

from typing import Any

from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.core.tensor import (
    OWN_FIRST,
    Encoder,
    Plane,
    Tensor,
    members_of,
    one_hot,
    seat_of,
    seats_of,
    squashed,
)
from droptable.games.number_drop.rules.combos import LARGEST, SMALLEST
from droptable.games.number_drop.rules.grid import MOST_MARK, ROWS, X
from droptable.games.number_drop.rules.record import (
    CIRCLE,
    LETTERS,
    NOTCHES,
    OVER,
    STAR,
    TOGETHER,
    WILD,
)
from droptable.games.number_drop.rules.rounds import active_seat
from droptable.games.number_drop.rules.shapes import COLUMNS, SHAPES

CELLS = ROWS * COLUMNS
FACES = 8  # 1-7 and the star
DICE = 4
VALUES = LARGEST - SMALLEST + 1
TILES = len(SHAPES)
USUAL = 20  # rounds: a half, once squashed


def planes(players: int, options: dict[str, Any]) -> list[Plane]:
    """The planes in the order of `encode`."""
    grids = (players, ROWS, COLUMNS)
    together = options["order"] == "together"
    acting = 1 if together else players
    seen = "the viewer's own" if together else OWN_FIRST
    live = (acting, ROWS, COLUMNS)
    return [
        Plane("numbers", (10, ROWS, COLUMNS), "own numbers, one-hot: plane d is 1 where d stands"),
        Plane("sheets", grids, "the number d in each cell as (d + 1) / 10, 0 without one; "
              f"{OWN_FIRST}"),
        Plane("Xs", grids, f"1 where an X stands; {OWN_FIRST}"),
        Plane("circled", grids, f"1 for the cells of circled combos; {OWN_FIRST}"),
        Plane("fallen", live, f"1 for the cells of what dropped this round; {seen}"),
        Plane("chosen", live, f"1 for the cells of this round's combo; {seen}"),
        Plane("used", (acting, DICE), f"1 for each number die used this round; {seen}"),
        Plane("combos", (players, 2, VALUES), "1 for each circled combo: identical 3-7, "
              f"consecutive 3-7; {OWN_FIRST}"),
        Plane("bonus", (players,), f"1 once the combo of 8 is circled; {OWN_FIRST}"),
        Plane("doing", (players, CIRCLE + 1), "nothing, write, slide, block, name, drop, number or "
              f"circle, one-hot; {OWN_FIRST}"),
        Plane("shape", (players, TILES), f"what each seat drops now, one-hot; {OWN_FIRST}"),
        Plane("pending", (players,), "1 for each seat that, as far as the viewer knows, has not "
              f"done what all are to do; {OWN_FIRST}"),
        Plane("active", (players,), f"the active seat, one-hot; {OWN_FIRST}"),
        Plane("dice", (DICE, FACES), "the face of each number die, 1-7 and *, one-hot"),
        Plane("shape die", (WILD + 1,), "I O T L S or *, one-hot"),
        Plane("tiles", (LETTERS, TILES), "the tile of each letter A-E, one-hot"),
        Plane("crossed", (LETTERS,), "1 for each letter that is crossed off"),
        Plane("block", (LETTERS,), "the letter that phase 2 resolves, one-hot"),
        Plane("notches", (LETTERS,), "solo: how far each tile is above GO!, of 4"),
        Plane("stage", (OVER + 1,), "tiles, writing, rolling, playing or over, one-hot"),
        Plane("slides", (1,), "solo: tiles slid this round, of 2"),
        Plane("rounds", (1,), "n finished rounds as n / (n + 20)"),
    ]  # fmt: skip


@kernel
def encode(view: State, seat: int, out: Tensor) -> int:
    first = max(seat, 0)
    acting = 1 if view["order"] == TOGETHER else int(view["players"])
    at = _encode_sheets(view, first, out)
    at = _encode_round(view, first, acting, out, at)
    at = _encode_seats(view, first, out, at)
    at = _encode_dice(view, out, at)
    return _encode_letters(view, out, at)


@kernel
def _encode_sheets(view: State, first: int, out: Tensor) -> int:
    players = int(view["players"])
    sheets = 10 * CELLS
    xs = sheets + players * CELLS
    circled = xs + players * CELLS
    for k in range(players):
        seat = (first + k) % players
        cell = k * CELLS
        for row in range(ROWS):
            marks = view["marks"][seat, row // 7]
            shift = 8 * (row % 7)
            ones, twos = int(marks[0]) >> shift, int(marks[1]) >> shift
            fours, eights = int(marks[2]) >> shift, int(marks[3]) >> shift
            for column in range(COLUMNS):
                mark = (
                    (ones >> column & 1)
                    + 2 * (twos >> column & 1)
                    + 4 * (fours >> column & 1)
                    + 8 * (eights >> column & 1)
                )
                if mark == X:
                    out[xs + cell] = 1.0
                elif mark:
                    out[sheets + cell] = mark / MOST_MARK
                    if k == 0:
                        out[(mark - 1) * CELLS + cell] = 1.0
                cell += 1
        _encode_cells(view["circled"][seat], out[circled + k * CELLS : circled + (k + 1) * CELLS])
    return circled + players * CELLS


@kernel
def _encode_cells(board: Any, part: Tensor) -> None:
    """A board's two halves of seven rows, each 8 bits wide."""
    for row in range(ROWS):
        bits = int(board[row // 7]) >> 8 * (row % 7)
        members_of(part[row * COLUMNS : (row + 1) * COLUMNS], bits)


@kernel
def _encode_round(view: State, first: int, acting: int, out: Tensor, at: int) -> int:
    """What seats did since the roll; with `together` the viewer sees only its own."""
    players = int(view["players"])
    chosen = at + acting * CELLS
    used = chosen + acting * CELLS
    for k in range(acting):
        seat = (first + k) % players
        _encode_cells(view["fallen"][seat], out[at + k * CELLS : at + (k + 1) * CELLS])
        _encode_cells(view["chosen"][seat], out[chosen + k * CELLS : chosen + (k + 1) * CELLS])
        members_of(out[used + k * DICE : used + (k + 1) * DICE], int(view["used"][seat]))
    return used + acting * DICE


@kernel
def _encode_seats(view: State, first: int, out: Tensor, at: int) -> int:
    players = int(view["players"])
    bonus = at + players * 2 * VALUES
    doing = bonus + players
    shape = doing + players * (CIRCLE + 1)
    for k in range(players):
        seat = (first + k) % players
        for kind in range(2):
            members_of(out[at : at + VALUES], int(view["combos"][seat, kind]))
            at += VALUES
        out[bonus + k] = view["bonus"][seat]
        one_hot(out[doing : doing + CIRCLE + 1], int(view["doing"][seat]))
        doing += CIRCLE + 1
        one_hot(out[shape : shape + TILES], int(view["shape"][seat]))
        shape += TILES
    seats_of(out[shape : shape + players], int(view["pending"]), first)
    shape += players
    seat_of(out[shape : shape + players], active_seat(view), first)
    return shape + players


@kernel
def _encode_dice(view: State, out: Tensor, at: int) -> int:
    for die in range(DICE):
        face = int(view["dice"][die])
        one_hot(out[at : at + FACES], FACES - 1 if face == STAR else face - 1)
        at += FACES
    one_hot(out[at : at + WILD + 1], int(view["shape_die"]))
    return at + WILD + 1


@kernel
def _encode_letters(view: State, out: Tensor, at: int) -> int:
    for letter in range(LETTERS):
        one_hot(out[at : at + TILES], int(view["tiles"][letter]))
        at += TILES
    members_of(out[at : at + LETTERS], int(view["crossed"]))
    at += LETTERS
    one_hot(out[at : at + LETTERS], int(view["block"]))
    at += LETTERS
    for letter in range(LETTERS):
        out[at + letter] = int(view["notches"][letter]) / NOTCHES
    at += LETTERS
    one_hot(out[at : at + OVER + 1], int(view["stage"]))
    at += OVER + 1
    out[at] = int(view["slides"]) / 2
    out[at + 1] = squashed(int(view["round"]), USUAL)
    return at + 2


ENCODER = Encoder(planes=planes, encode=encode)
