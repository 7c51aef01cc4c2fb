"""What happened in a match of Number Drop, in sentences: a move, a turn, a roll, a round's end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from droptable.core.bits import members
from droptable.core.language import _
from droptable.core.scene import Step
from droptable.games.number_drop import rules
from droptable.games.number_drop.rules import combos, grid
from droptable.games.number_drop.rules.scoring import combo_points
from droptable.games.number_drop.rules.shapes import (
    COLUMNS,
    DIE_SHAPES,
    SHAPES,
)
from droptable.games.number_drop.words.notation import (
    COLUMN_LETTERS,
    LETTERS,
    STAR,
    Board,
    board,
    cells_of,
    columns_of,
    combo_text,
    dropped_shape,
    landing_place,
    listed,
    place_of,
    score_list,
    shown_die,
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
    return " ".join(filter(None, [said, *_tell_after(before, after, actor, action, names)]))


def tell_turn(steps: Sequence[Step], names: Sequence[str]) -> str:
    """One line for a run of events of one actor: a roll, a drop with its numbers, a combo."""
    dealt = steps[0].actor < 0
    said = [_tell_dealing(steps, names) if dealt else _tell_moves(steps, names)]
    for step in steps:
        said += _tell_after(step.before, step.after, step.actor, step.action, names)
    return " ".join(filter(None, said))


def _tell_after(before: Any, after: Any, actor: int, action: int,
                names: Sequence[str]) -> list[str]:  # fmt: skip
    """What an event showed, and whether it ended a round."""
    parts = []
    if rules.is_secret(before) and not rules.is_secret(after):
        parts += _tell_shown(before, after, actor, action, names)
    if before["stage"] == rules.PLAYING and after["stage"] != rules.PLAYING:
        parts.append(_tell_end(before, after, names))
    return parts


# -- the dealer -----------------------------------------------------------------------------------


def _tell_dealing(steps: Sequence[Step], names: Sequence[str]) -> str:
    """The tiles, or a roll, or both, as far as they lie."""
    parts = []
    last = steps[-1]
    if steps[0].action < rules.DIE_ID:
        tiles = [step for step in steps if step.action < rules.DIE_ID]
        parts.append(tell_tiles(tiles[-1].after))
    if last.action >= rules.SHAPE_ID:
        parts.append(_tell_dealt(last.before, last.after, last.action, names))
    elif last.action >= rules.DIE_ID:
        name = names[rules.active_seat(last.before)]
        shown = " ".join(shown_die(int(die)) for die in last.after["dice"] if die)
        parts.append(_("{name} rolls {dice}.").format(name=name, dice=shown))
    return " ".join(parts)


def _tell_dealt(before: Any, after: Any, outcome: int, names: Sequence[str]) -> str:
    if outcome < rules.DIE_ID:
        letter = before["tiles"].tolist().index(rules.NO_SHAPE)
        text = _("Letter {letter} gets the tile {shape}.")
        return text.format(letter=LETTERS[letter], shape=SHAPES[outcome])
    if outcome < rules.SHAPE_ID:
        number = outcome - rules.DIE_ID + 1
        name = names[rules.active_seat(before)]
        shown = str(number) if number < 8 else STAR
        return _("{name} rolls {dice}.").format(name=name, dice=shown)
    said = tell_roll(before, outcome, names)
    if after["block"] != rules.NO_LETTER:
        return f"{said} {tell_block(after, names)}"
    if after["crossed"] != before["crossed"]:
        (letter,) = members(int(after["crossed"]) & ~int(before["crossed"]))
        text = _("All have circled letter {letter}: nobody drops, it is crossed off.")
        said += f" {text.format(letter=LETTERS[letter])} {_tell_end(before, after, names)}"
    return said


def tell_tiles(after: Any) -> str:
    """`The blocks: A I3, B T, C X5, D O, E S.`"""
    drawn = [
        f"{letter} {SHAPES[tile]}"
        for letter, tile in zip(LETTERS, after["tiles"], strict=True)
        if tile != rules.NO_SHAPE
    ]
    return _("The blocks: {tiles}.").format(tiles=", ".join(drawn))


def tell_roll(before: Any, outcome: int, names: Sequence[str]) -> str:
    """`Anna rolls 4 1 2 6, T.`, with the shape die's outcome."""
    name = names[rules.active_seat(before)]
    numbers = " ".join(shown_die(int(die)) for die in before["dice"])
    shape = (*SHAPES[:DIE_SHAPES], STAR)[outcome - rules.SHAPE_ID]
    return _("{name} rolls {dice}, {shape}.").format(name=name, dice=numbers, shape=shape)


def tell_block(after: Any, names: Sequence[str]) -> str:
    """Whose letter is resolved, and on whom its block falls (ND5)."""
    block = tile_of(after, int(after["block"]))
    droppers = listed(_droppers(after), names)
    return _("Block {letter} falls for {names}.").format(letter=block, names=droppers)


def _droppers(after: Any) -> int:
    """The seats that drop this round's block, whether they have done so or not."""
    letter = int(after["block"])
    return sum(
        1 << seat
        for seat in range(after["players"])
        if not rules.letters(after, seat) >> letter & 1
    )


# -- moves ----------------------------------------------------------------------------------------


def _tell_moves(steps: Sequence[Step], names: Sequence[str]) -> str:
    """A seat's moves in one sentence where they belong together."""
    said: list[str] = []
    doing: list[str] = []  # of one sentence about the seat
    name = names[steps[0].actor]
    for step in steps:
        if step.action < 0:
            continue
        kind, number = split_action(step.action)
        before, after, seat = step.before, step.after, step.actor
        if kind == "at":
            doing.append(_dropping(before, seat, number))
        elif kind == "done":
            doing.append(_circling(before, after, seat))
        elif kind not in ("as", "num", "cell"):
            said += [_sentence(name, doing), _tell_move(before, after, seat, step.action, names)]
            doing = []
    said.append(_sentence(name, doing))
    return " ".join(filter(None, said))


def _sentence(name: str, parts: Sequence[str]) -> str:
    return f"{name} {_(' and ').join(parts)}." if parts else ""


def _dropping(before: Any, seat: int, place: int) -> str:
    text = _("drops the {shape} into {place}")
    if before["doing"][seat] == rules.BLOCK:
        text = _("drops the {shape} block into {place}")
    return text.format(shape=dropped_shape(before, seat), place=landing_place(before, seat, place))


def _circling(before: Any, after: Any, seat: int) -> str:
    """`circles 2-3-4 (+3)`, with the letter that this circles."""
    old, new = board(before, "circled", seat), board(after, "circled", seat)
    combo = combo_text(after, seat, (new[0] & ~old[0], new[1] & ~old[1]))
    points = combo_points(after, seat) - combo_points(before, seat)
    gained = rules.letters(after, seat) & ~rules.letters(before, seat)
    text = _("circles {combo} (+{points})")
    if gained:
        text = _("circles {combo} (+{points}) and letter {letter}")
    letter = "".join(LETTERS[letter] for letter in members(gained))
    return text.format(combo=combo, points=points, letter=letter)


def tell_circle(before: Any, after: Any, seat: int, names: Sequence[str]) -> str:
    return _sentence(names[seat], [_circling(before, after, seat)])


def _tell_move(before: Any, after: Any, seat: int, action: int, names: Sequence[str]) -> str:
    name = names[seat]
    kind, number = split_action(action)
    if kind == "write":
        text = _("{name} starts with a {number} on {place}.")
        return text.format(name=name, number=seat + 1, place=f"{COLUMN_LETTERS[number]}1")
    if kind == "as":
        return _("{name} chooses the {shape}.").format(name=name, shape=SHAPES[number])
    if kind == "at":
        return _sentence(name, [_dropping(before, seat, number)])
    if kind == "num":
        return _("{name} writes {number}.").format(name=name, number=number)
    if kind == "cell":
        row, column = divmod(number, COLUMNS)
        digit = grid.mark_at(before, seat, row, column) - 1
        text = _("{name} chooses the {number} on {place}.")
        return text.format(name=name, number=digit, place=place_of((row, column)))
    if kind == "done":
        return tell_circle(before, after, seat, names)
    if kind == "skip":
        if combos.first_cells(before, seat) == (0, 0):
            return _("{name} has no combo to circle.").format(name=name)
        return _("{name} circles nothing.").format(name=name)
    if kind == "none":
        return _("{name} has no room to drop: this is the last round.").format(name=name)
    left = int(after["notches"][number])
    text = _("{name} slides tile {letter} to {left} above GO!.")
    if not left:
        text = _("{name} slides tile {letter} to GO!.")
    return text.format(name=name, letter=tile_of(before, number), left=left)


# -- what was hidden ------------------------------------------------------------------------------


def _tell_shown(
    before: Any, after: Any, actor: int, action: int, names: Sequence[str]
) -> list[str]:
    """What was hidden until now, seat by seat."""
    return [
        tell_hidden(before, after, seat, names[seat])
        for seat in range(before["players"])
        if action < 0 or seat != actor  # whoever knows this move knew the seat's others, too
    ]


def tell_hidden(before: Any, after: Any, seat: int, name: str) -> str:
    """What a seat did as the difference of two sheets; nothing if the viewer knew it already."""
    parts = []
    marked = _new(grid.marked(before, seat), grid.marked(after, seat))
    if marked:
        marks = [grid.mark_at(after, seat, row, column) for row, column in marked]
        what = _("Xs") if marks[0] == grid.X else " ".join(str(mark - 1) for mark in marks)
        parts.append(_("drops {marks} into {place}").format(marks=what, place=columns_of(marked)))
    if board(after, "circled", seat) != board(before, "circled", seat):
        parts.append(_circling(before, after, seat))
    return _sentence(name, parts)


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
