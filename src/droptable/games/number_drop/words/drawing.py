"""Number Drop as text: the viewer's sheet large, the others' small, what is to be done last."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from droptable.core.bits import members
from droptable.core.contract import DEALER_ACTS, NOBODY
from droptable.games.number_drop import rules
from droptable.games.number_drop.rules import combos, grid
from droptable.games.number_drop.rules.grid import ROWS
from droptable.games.number_drop.rules.scoring import ALL_VALUES
from droptable.games.number_drop.rules.shapes import (
    COLUMNS,
    DIE_SHAPES,
    ORIENTATIONS,
    SHAPES,
    Cells,
)
from droptable.games.number_drop.words.notation import (
    COLUMN_LETTERS,
    KINDS,
    LETTERS,
    board,
    cells_of,
    digits_left,
    face,
    shape_face,
    tile_of,
)

_GAP = 4  # columns between a sheet and its table
_HIDDEN = {
    rules.TOGETHER: "What the others do this round is shown when all are done.",
    rules.RULEBOOK: "What the others drop is shown when all have dropped.",
}


def draw(state: Any, viewer: int) -> str:
    """The table as a seat sees it, at most 100 columns wide; the last line says what to do."""
    large = 0 if state["players"] == 1 else viewer
    small = [seat for seat in range(state["players"]) if seat != large]
    lines = [_headline(state), ""]
    if large != NOBODY:
        lines += [*_large_sheet(state, large, viewer), ""]
    if small:
        lines += [*_small_sheets(state, small), ""]
        if large != NOBODY and rules.is_secret(state):
            lines += [_HIDDEN[int(state["order"])], ""]
        if large == NOBODY:
            lines += [_tiles(state), ""]
    lines.append(_prompt(state, viewer))
    return "\n".join(line.rstrip() for line in lines)


def _headline(state: Any) -> str:
    dice = " ".join(face(die) for die in state["dice"])
    rolled = f"dice {dice}, shape {shape_face(state)}"
    if state["block"] != rules.NO_LETTER:
        rolled += f"; letter {tile_of(state, int(state['block']))} is resolved"
    if state["players"] == 1:
        return f"Round {state['round'] + 1}: {rolled}"
    return f"Round {state['round'] + 1}, seat {rules.active_seat(state)} is active: {rolled}"


# -- sheets --------------------------------------------------------------------------------------


def _large_sheet(state: Any, seat: int, viewer: int) -> list[str]:
    """A grid with three characters per cell, beside it the combos and letters."""
    marks = _marks(state, seat)
    earned = grid.full_rows(state, seat)
    over = state["stage"] == rules.OVER
    lines = ["row" + "".join(f"{column:^3}" for column in range(1, COLUMNS + 1))]
    for row in reversed(range(ROWS)):
        if row < grid.SAFE_ROWS:
            points = "(+2)" if earned >> row & 1 else " +2"
        else:
            points = "(-5)" if over and any(mark != " . " for mark in marks[row]) else " -5"
        lines.append(f"{row + 1:>2} " + "".join(marks[row]) + f" {points}")
        if row == grid.SAFE_ROWS:
            lines.append("-- Game Over line -----------")
    lines.append("   " + "".join(f"{letter:^3}" for letter in COLUMN_LETTERS))
    width = max(map(len, lines)) + _GAP
    you = " (you)" if seat == viewer else ""
    title = f"Seat {seat}{you}: {rules.score(state, seat)} points"
    table = _combo_table(state, seat)
    return [
        title,
        *(f"{left:<{width}}{right}" for left, right in zip_longest(lines, table, fillvalue="")),
    ]


def _marks(state: Any, seat: int) -> list[list[str]]:
    """The cells of a sheet in three characters: `(5)` is circled, `[5]` chosen, `?` comes next."""
    marks = [[" . "] * COLUMNS for _ in range(ROWS)]
    for row, column in cells_of(grid.marked(state, seat)):
        mark = grid.mark_at(state, seat, row, column)
        marks[row][column] = " X " if mark == grid.X else f" {mark - 1} "
    if state["doing"][seat] == rules.NUMBER:
        for row, column in cells_of(board(state, "fallen", seat)):
            if marks[row][column] == " . ":
                marks[row][column] = " _ "
        ((row, column),) = cells_of(rules.next_to_number(state, seat))
        marks[row][column] = " ? "
    for row, column in cells_of(board(state, "chosen", seat)):
        marks[row][column] = f"[{marks[row][column][1]}]"
    for row, column in cells_of(board(state, "circled", seat)):
        marks[row][column] = f"({marks[row][column][1]})"
    return marks


def _combo_table(state: Any, seat: int) -> list[str]:
    lines = ["combo  identical  consecutive  letter"]
    circled = [int(bits) for bits in state["combos"][seat]]
    for letter, value in enumerate(range(combos.SMALLEST, combos.LARGEST + 1)):
        kinds = [f"({value})" if bits >> letter & 1 else "open" for bits in circled]
        lines.append(f"{value:^5}  {kinds[0]:^9}  {kinds[1]:^11}  {_letter(state, seat, letter)}")
    tens = ["(+10)" if bits == ALL_VALUES else "+10" for bits in circled]
    lines.append(f" all   {tens[0]:^9}  {tens[1]:^11}")
    lines.append(f"  8    {'(8) bonus' if state['bonus'][seat] else 'bonus: open'}")
    if state["players"] > 1:
        lines += ["", "A crossed-off letter's block has been dropped."]
    return [
        *lines,
        "",
        "(5) circled  [5] chosen  ? next number",
        "(+2) earned, -5 if the match ends",
    ]


def _letter(state: Any, seat: int, letter: int) -> str:
    """A letter, its tile and what has become of it on this sheet."""
    text = tile_of(state, letter)
    if state["players"] == 1:
        notches = int(state["notches"][letter])
        text += f" {notches} above GO!" if notches else " at GO!"
        return f"{text}, circled: safe" if rules.letters(state, seat) >> letter & 1 else text
    if int(state["crossed"]) >> letter & 1:
        return f"{text} crossed off"
    return f"{text} circled" if rules.letters(state, seat) >> letter & 1 else text


def _small_sheets(state: Any, seats: list[int]) -> list[str]:
    """Grids with two characters per cell side by side, then a line of results for each."""
    sheets = [_marks(state, seat) for seat in seats]
    lines = ["row " + " ".join(f"{f'seat {seat}':<14}" for seat in seats)]
    for row in reversed(range(ROWS)):
        cells = ["".join(map(_small, marks[row])) for marks in sheets]
        lines.append(f"{row + 1:>2}  " + " ".join(cells))
        if row == grid.SAFE_ROWS:
            lines.append("-- Game Over line " + "-" * (15 * len(seats) - 15))
    lines.append("5' is circled, 5+ chosen.")
    return lines + [_results(state, seat) for seat in seats]


def _small(mark: str) -> str:
    return mark[1] + {"(": "'", "[": "+"}.get(mark[0], " ")


def _results(state: Any, seat: int) -> str:
    """A sheet's combos and letters in one line."""
    parts = [f"Seat {seat}: {rules.score(state, seat)} points"]
    for kind, bits in zip(KINDS, state["combos"][seat], strict=True):
        values = " ".join(str(bit + combos.SMALLEST) for bit in members(int(bits)))
        parts.append(f"{kind} {values or '-'}")
    if state["bonus"][seat]:
        parts.append("bonus 8")
    letters = " ".join(LETTERS[letter] for letter in members(rules.letters(state, seat)))
    return ", ".join(parts) + (f", letters {letters}" if letters else "")


def _tiles(state: Any) -> str:
    """All letters with their tiles, for those who have no sheet of their own."""
    crossed = int(state["crossed"])
    return "Tiles: " + ", ".join(
        tile_of(state, letter) + (" crossed off" if crossed >> letter & 1 else "")
        for letter in range(rules.LETTERS)
    )


# -- what is to be done --------------------------------------------------------------------------


def _prompt(state: Any, viewer: int) -> str:
    actors = rules.to_act(state)
    if actors == 0:
        points = ", ".join(
            f"seat {seat} {rules.score(state, seat)}" for seat in range(state["players"])
        )
        return f"The match is over: {points}"
    if actors == DEALER_ACTS:
        if state["stage"] == rules.DEALING_TILES:
            return "Waiting for the dealer to draw the tiles"
        die = rules.next_die(state)
        which = f"number die {die + 1}" if die < 4 else "the shape die"
        return f"Waiting for the dealer to roll {which}"
    if viewer != NOBODY and actors >> viewer & 1:
        return _task(state, viewer)
    waiting = members(actors)
    return f"Waiting for seat{'s' * (len(waiting) > 1)} {', '.join(map(str, waiting))}"


def _task(state: Any, seat: int) -> str:
    doing = state["doing"][seat]
    if doing == rules.WRITE:
        return f"Your move: write your {seat + 1} into the bottom row, `write COLUMN`"
    if doing == rules.SLIDE:
        can = [LETTERS[letter] for letter in range(rules.LETTERS) if rules.can_slide(state, letter)]
        return f"Your move: slide a tile down one notch, `slide {'|'.join(can)}`"
    if doing == rules.NAME:
        can = [
            name
            for shape, name in enumerate(SHAPES[:DIE_SHAPES])
            if rules.has_drop(state, seat, shape)
        ]
        return f"Your move: name your shape, `as {'|'.join(can)}`" if can else _NO_ROOM
    if doing == rules.NUMBER:
        left = " ".join(face(die) for die in digits_left(state, seat))
        return f"Your move: write a number where the ? is, `num NUMBER`; dice left: {left}"
    if doing == rules.CIRCLE:
        return _circle_task(state, seat)
    return _drop_task(state, seat)


_NO_ROOM = "Your move: there is no room to drop, `none`"


def _drop_task(state: Any, seat: int) -> str:
    """Dropping, with pictures of the shape's orientations."""
    shape = int(state["shape"][seat])
    if not rules.has_drop(state, seat, shape):
        return _NO_ROOM
    pictures = [
        [f"{number}:", *_picture(cells)] for number, cells in enumerate(ORIENTATIONS[shape])
    ]
    lines = [
        "  ".join(f"{part:<4}" for part in parts).rstrip()
        for parts in zip_longest(*pictures, fillvalue="")
    ]
    name = SHAPES[shape]
    what = f"the {name} block as Xs" if state["doing"][seat] == rules.BLOCK else f"the {name}"
    task = f"Your move: drop {what}, `at ORIENTATION COLUMN`; the column is its leftmost"
    return "\n".join([f"Orientations of the {name}:", *lines, task])


def _picture(cells: Cells) -> list[str]:
    """A shape's lines from the top, all shapes four lines high so that they stand on one floor."""
    lines = [
        "".join("#" if (row, column) in cells else " " for column in range(4)) for row in range(4)
    ]
    return lines[::-1]


def _circle_task(state: Any, seat: int) -> str:
    chosen = board(state, "chosen", seat)
    size = grid.size_of(*chosen)
    if size == 0:
        if combos.first_cells(state, seat) == (0, 0):
            return "Your move: there is no combo to circle, `skip`"
        return "Your move: choose the first number of a combo, `cell COLUMN ROW`, or `skip`"
    more = combos.next_cells(state, seat) != (0, 0)
    sizes = combos.open_sizes(state, seat)
    ways = ["choose the next number, `cell COLUMN ROW`"] if more else []
    if sizes[combos.kind_of_chosen(state, seat)] >> size & 1:
        ways.append(f"circle these {size}, `done`")
    return f"Your move: {', or '.join(ways)}"
