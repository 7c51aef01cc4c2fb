"""What happened in a match of Number Drop, in sentences: a move, what it showed, a round's end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from droptable.core.bits import members
from droptable.core.language import _
from droptable.games.number_drop import rules
from droptable.games.number_drop.rules import grid
from droptable.games.number_drop.rules.shapes import (
    COLUMNS,
    DIE_SHAPES,
    SHAPES,
)
from droptable.games.number_drop.words.notation import (
    LETTERS,
    Board,
    board,
    cells_of,
    combo_text,
    dropped_shape,
    landing_place,
    listed,
    score_list,
    span,
    split_action,
    tile_of,
)


def tell(before: Any, after: Any, actor: int, action: int, names: Sequence[str]) -> str:
    """A log line; none for what others do in secret, which nobody may notice yet (ND14)."""
    if actor < 0:
        said = _tell_dealt(before, after, action, names)
    elif action < 0:
        said = ""
    else:
        said = _tell_move(before, after, actor, action, names)
    parts = [said]
    if rules.is_secret(before) and not rules.is_secret(after):
        parts += _tell_shown(before, after, actor, action, names)
    if before["stage"] == rules.PLAYING and after["stage"] != rules.PLAYING:
        parts.append(_tell_end(before, after, names))
    return " ".join(filter(None, parts))


def _tell_dealt(before: Any, after: Any, outcome: int, names: Sequence[str]) -> str:
    if outcome < rules.DIE_ID:
        letter = before["tiles"].tolist().index(rules.NO_SHAPE)
        text = _("Letter {letter} gets the tile {shape}.")
        return text.format(letter=LETTERS[letter], shape=SHAPES[outcome])
    name = names[rules.active_seat(before)]
    if outcome < rules.SHAPE_ID:
        number = outcome - rules.DIE_ID + 1
        shown = str(number) if number < 8 else "*"
        return _("{name} rolls {number}.").format(name=name, number=shown)
    shapes = (*SHAPES[:DIE_SHAPES], "*")
    rolled = shapes[outcome - rules.SHAPE_ID]
    said = _("{name} rolls the shape {shape}.").format(name=name, shape=rolled)
    if after["block"] != rules.NO_LETTER:
        block = tile_of(after, int(after["block"]))
        droppers = listed(int(after["pending"]), names)
        text = _("Letter {letter} is resolved: its block falls for {names}.")
        return f"{said} {text.format(letter=block, names=droppers)}"
    if after["crossed"] != before["crossed"]:
        (letter,) = members(int(after["crossed"]) & ~int(before["crossed"]))
        text = _("All have circled letter {letter}: nobody drops, it is crossed off.")
        said += f" {text.format(letter=LETTERS[letter])} {_tell_end(before, after, names)}"
    return said


def _tell_move(before: Any, after: Any, seat: int, action: int, names: Sequence[str]) -> str:
    name = names[seat]
    kind, number = split_action(action)
    if kind == "write":
        text = _("{name} starts with a {number} in column {column}.")
        return text.format(name=name, number=seat + 1, column=number + 1)
    if kind == "as":
        return _("{name} chooses the {shape}.").format(name=name, shape=SHAPES[number])
    if kind == "at":
        text = _("{name} drops the {shape} into {place}.")
        if before["doing"][seat] == rules.BLOCK:
            text = _("{name} drops the {shape} block into {place}.")
        place = landing_place(before, seat, number)
        return text.format(name=name, shape=dropped_shape(before, seat), place=place)
    if kind == "num":
        return _("{name} writes {number}.").format(name=name, number=number)
    if kind == "cell":
        row, column = divmod(number, COLUMNS)
        digit = grid.mark_at(before, seat, row, column) - 1
        text = _("{name} chooses the {number} in column {column}, row {row}.")
        return text.format(name=name, number=digit, column=column + 1, row=row + 1)
    if kind == "done":
        combo = combo_text(before, seat, board(before, "chosen", seat))
        said = [_("{name} circles {combo}.").format(name=name, combo=combo)]
        gained = rules.letters(after, seat) & ~rules.letters(before, seat)
        for letter in members(gained):
            said.append(_("Letter {letter} is circled.").format(letter=LETTERS[letter]))
        return " ".join(said)
    if kind == "skip":
        return _("{name} circles nothing.").format(name=name)
    if kind == "none":
        return _("{name} has no room to drop: this is the last round.").format(name=name)
    left = int(after["notches"][number])
    text = _("{name} slides tile {letter} to {left} above GO!.")
    if not left:
        text = _("{name} slides tile {letter} to GO!.")
    return text.format(name=name, letter=tile_of(before, number), left=left)


def _tell_shown(
    before: Any, after: Any, actor: int, action: int, names: Sequence[str]
) -> list[str]:
    """What was hidden until now, seat by seat."""
    return [
        _tell_hidden(before, after, seat, names[seat])
        for seat in range(before["players"])
        if action < 0 or seat != actor  # whoever knows this move knew the seat's others, too
    ]


def _tell_hidden(before: Any, after: Any, seat: int, name: str) -> str:
    """What a seat did as the difference of two sheets; nothing if the viewer knew it already."""
    parts = []
    marked = _new(grid.marked(before, seat), grid.marked(after, seat))
    if marked:
        marks = [grid.mark_at(after, seat, row, column) for row, column in marked]
        what = _("Xs") if marks[0] == grid.X else " ".join(str(mark - 1) for mark in marks)
        parts.append(_("drops {marks} into {place}").format(marks=what, place=span(marked)))
    circled = board(after, "circled", seat)
    old = board(before, "circled", seat)
    gained = (circled[0] & ~old[0], circled[1] & ~old[1])
    if gained != (0, 0):
        parts.append(_("circles {combo}").format(combo=combo_text(after, seat, gained)))
    return f"{name} {_(' and ').join(parts)}." if parts else ""


def _new(before: Board, after: Board) -> list[tuple[int, int]]:
    return cells_of((after[0] & ~before[0], after[1] & ~before[1]))


def _tell_end(before: Any, after: Any, names: Sequence[str]) -> str:
    points = ", ".join(
        f"{name} {score}" for name, score in zip(names, score_list(after), strict=False)
    )
    if after["stage"] == rules.OVER:
        return _("The match ends: {points}.").format(points=points)
    text = _("Round {round} ends: {points}.")
    return text.format(round=int(before["round"]) + 1, points=points)
