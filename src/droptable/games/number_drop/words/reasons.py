"""Why a move or an outcome of Number Drop is refused: the rule, and a reason for people."""

from __future__ import annotations

from typing import Any

from droptable.core.language import _, ngettext
from droptable.games.number_drop import rules
from droptable.games.number_drop.rules import combos, grid
from droptable.games.number_drop.rules.grid import ROWS
from droptable.games.number_drop.rules.shapes import (
    COLUMNS,
    ORIENTATIONS,
    SHAPES,
    width,
)
from droptable.games.number_drop.words.notation import (
    COLUMN_LETTERS,
    LETTERS,
    board,
    cells_of,
    digits_left,
    dropped_shape,
    face,
    place_of,
    shape_face,
    shown_die,
    split_action,
    tile_of,
)

_JOBS = {  # what a seat has to be doing for each kind of move
    "write": (rules.WRITE,),
    "as": (rules.NAME,),
    "at": (rules.DROP, rules.BLOCK),
    "num": (rules.NUMBER,),
    "cell": (rules.CIRCLE,),
    "done": (rules.CIRCLE,),
    "skip": (rules.CIRCLE,),
    "none": (rules.NAME, rules.DROP, rules.BLOCK),
    "slide": (rules.SLIDE,),
}


def why(state: Any, seat: int, action: int) -> tuple[str, str]:
    kind, number = split_action(action)
    if state["doing"][seat] not in _JOBS[kind]:
        return _why_not_now(state, seat, kind)
    if kind == "as":
        return "ND9", _("there is no room left for the {shape}").format(shape=SHAPES[number])
    if kind == "at":
        return _why_not_there(state, seat, number)
    if kind == "num":
        left = " ".join(map(shown_die, digits_left(state, seat)))
        text = _("no die that is left shows {number} (left: {left})")
        return "ND7", text.format(number=number, left=left)
    if kind == "cell":
        return _why_not_cell(state, seat, *divmod(number, COLUMNS))
    if kind == "done":
        return _why_not_done(state, seat)
    if kind == "skip":
        return "ND10", _("you have begun a combo: go on until it can be circled")
    if kind == "none":
        return "ND9", _("there is still room, so you have to drop")
    if state["notches"][number] == 0:  # the kind is "slide"; any `write` is legal
        text = _("tile {letter} is at the bottom already")
        return "ND16", text.format(letter=LETTERS[number])
    text = _("the second slide is for the tile of the rolled shape, {shape}")
    return "ND16", text.format(shape=shape_face(state))


def _why_not_now(state: Any, seat: int, kind: str) -> tuple[str, str]:
    """The move would be for another moment: say which, or what comes first."""
    doing = state["doing"][seat]
    solo = state["players"] == 1
    if kind == "slide" and not solo:
        return "ND16", _("tiles slide in solo only")
    if doing == rules.WRITE:
        return "ND2", _("first write your starting number into the bottom row")
    if kind == "write":
        return "ND2", _("the starting number was written before the first roll")
    if doing == rules.SLIDE:
        return "ND16", _("first slide a tile down one notch")
    if doing == rules.BLOCK:
        if solo:
            text = _("first drop the {shape} block that reached GO!")
            return "ND17", text.format(shape=dropped_shape(state, seat))
        text = _("this round you only drop the block of letter {letter}")
        return "ND6", text.format(letter=tile_of(state, int(state["block"])))
    if kind == "slide":
        return "ND16", _("all slides of this round are made")
    if kind == "none":
        return "ND9", _("there is nothing to drop now")
    if doing == rules.NAME:
        return "ND7", _("first name a shape: the shape die shows a star")
    if kind == "as":
        if state["shape_die"] == rules.WILD:
            return "ND7", _("you have named your shape already")
        text = _("the shape die shows {shape}: there is no shape to name")
        return "ND7", text.format(shape=shape_face(state))
    if doing == rules.DROP:
        return "ND7", _("first drop the {shape}").format(shape=dropped_shape(state, seat))
    if doing == rules.NUMBER:
        return "ND7", _("first write the four numbers into the shape that you dropped")
    return "ND10", _("your drop is made: circle a combo, or skip")


def _why_not_there(state: Any, seat: int, place: int) -> tuple[str, str]:
    shape = int(state["shape"][seat])
    name = SHAPES[shape]
    orientation, column = divmod(place, COLUMNS)
    rule = "ND5" if state["doing"][seat] == rules.BLOCK else "ND7"
    last = len(ORIENTATIONS[shape]) - 1
    if orientation > last:
        text = ngettext(
            "the {shape} lies in {count} way only",
            "the {shape} lies in {count} ways only",
            last + 1,
        )
        return rule, text.format(shape=name, count=last + 1)
    wide = width(ORIENTATIONS[shape][orientation])
    if column + wide > COLUMNS:
        text = _(
            "the {shape} would stick out of the grid there: "
            "its left side can be in column {column} at most"
        )
        return "ND8", text.format(shape=name, column=COLUMN_LETTERS[COLUMNS - wide])
    high = grid.landing(state, seat, shape, place)[1]
    top = 7 + (high.bit_length() + 7) // 8
    text = _("the {shape} would reach up to row {top} there, and there are {rows}")
    return "ND9", text.format(shape=name, top=top, rows=ROWS)


def _why_not_cell(state: Any, seat: int, row: int, column: int) -> tuple[str, str]:
    mark = grid.mark_at(state, seat, row, column)
    place = {"number": mark - 1, "place": place_of((row, column))}
    here = (row, column)
    chosen = cells_of(board(state, "chosen", seat))
    if mark == 0:
        return "ND10", _("there is no number on {place}").format(**place)
    if mark == grid.X:
        return "ND5", _("an X never belongs to a combo")
    if here in cells_of(board(state, "circled", seat)):
        text = _("the {number} on {place} is circled already")
        return "ND10", text.format(**place)
    if here in chosen:
        text = _("the {number} on {place} is chosen already")
        return "ND10", text.format(**place)
    if len(chosen) == combos.BONUS:
        text = ngettext(
            "a combo has at most {most} number", "a combo has at most {most} numbers", combos.BONUS
        )
        return "ND10", text.format(most=combos.BONUS)
    if chosen:
        reason = _why_not_next(state, seat, mark, here)
        if reason:
            return "ND10", reason
    # It would fit: then no combo reaches an open size. Would one if all sizes were open?
    fresh = state.copy()
    fresh["combos"][seat] = 0
    fresh["bonus"][seat] = 0
    cells = combos.next_cells(fresh, seat) if chosen else combos.first_cells(fresh, seat)
    if here in cells_of(cells):
        return "ND11", _("all combos that this could become are circled already")
    text = _("the {number} on {place} cannot start a combo of three or more")
    if chosen:
        text = _("the {number} on {place} cannot lead to a combo of three or more")
    return "ND10", text.format(**place)


def _why_not_next(state: Any, seat: int, mark: int, here: tuple[int, int]) -> str:
    """What keeps a free number from joining the chosen ones, or nothing."""
    chosen = board(state, "chosen", seat)
    top_mark, *top = grid.highest(state, seat, *chosen)
    size = grid.size_of(*chosen)
    digit = top_mark - 1
    kind = combos.kind_of_chosen(state, seat)
    if size == 1:
        if mark not in (top_mark, top_mark + 1):
            text = _("next to the {number} you need another {number}")
            if digit < 9:
                text = _("next to the {number} you need another {number} or a {next}")
            return text.format(number=digit, next=digit + 1)
    elif kind == combos.IDENTICAL:
        if mark != top_mark:
            text = _("this combo is of identical numbers: you need another {number}")
            return text.format(number=digit)
    elif mark != top_mark + 1:
        if digit == 9:
            return _("this combo is of consecutive numbers, and nothing follows the 9")
        text = _("this combo is of consecutive numbers: after the {number} you need a {next}")
        return text.format(number=digit, next=digit + 1)
    if here not in cells_of(grid.around(top[0], top[1])):
        if kind == combos.IDENTICAL:
            return _("it has to be beside, above or below one of the chosen cells")
        return _("it has to be beside, above or below the {number}").format(number=digit)
    return ""


def _why_not_done(state: Any, seat: int) -> tuple[str, str]:
    size = grid.size_of(*board(state, "chosen", seat))
    if size == 0:
        return "ND10", _("no cell is chosen: choose the cells of a combo, or skip")
    if size < combos.SMALLEST:
        text = ngettext(
            "a combo has at least {least} number",
            "a combo has at least {least} numbers",
            combos.SMALLEST,
        )
        return "ND10", text.format(least=combos.SMALLEST)
    if size == combos.BONUS:
        return "ND11", _("your bonus of 8 is circled already")
    text = ngettext(
        "your {count} identical number is circled already",
        "your {count} identical numbers are circled already",
        size,
    )
    if combos.kind_of_chosen(state, seat) != combos.IDENTICAL:
        text = ngettext(
            "your {count} consecutive number is circled already",
            "your {count} consecutive numbers are circled already",
            size,
        )
    return "ND11", text.format(count=size)


def why_not_dealt(state: Any, outcome: int) -> tuple[str, str]:
    if state["stage"] == rules.DEALING_TILES:
        if outcome >= rules.DIE_ID:
            return "ND1", "the five tiles have to be drawn before the dice are rolled"
        if outcome in state["tiles"].tolist():
            return "ND1", f"tile {SHAPES[outcome]} is drawn already"
        return "ND1", "solo is played with the tiles I O T L S only"
    if outcome < rules.DIE_ID:
        return "ND1", "the five tiles are drawn already"
    die = rules.next_die(state)
    if outcome >= rules.SHAPE_ID:
        return "ND3", "the four number dice are rolled before the shape die"
    if die == 4:
        return "ND3", "the four number dice are rolled: the shape die is next"
    faces = " ".join(face(number) for number in rules.DICE[die])
    return "ND3", f"number die {die + 1} has only the faces {faces}"
