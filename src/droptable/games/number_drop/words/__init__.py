"""Number Drop in words: tokens, reasons, sentences; the text drawing is in `drawing`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from droptable.core.bits import members
from droptable.core.language import _
from droptable.core.words import Words
from droptable.games.number_drop import rules
from droptable.games.number_drop.rules import combos, grid
from droptable.games.number_drop.rules.grid import ROWS
from droptable.games.number_drop.rules.shapes import (
    COLUMNS,
    DIE_SHAPES,
    ORIENTATIONS,
    SHAPES,
    width,
)
from droptable.games.number_drop.words.drawing import draw
from droptable.games.number_drop.words.notation import (
    LETTERS,
    Board,
    board,
    cells_of,
    digits_left,
    face,
    score_list,
    shape_face,
    span,
    tile_of,
)

__all__ = [
    "HIGH_SCORES",
    "actions",
    "draw",
    "label",
    "outcomes",
    "solo_rank",
    "tell",
    "verdict",
    "why",
    "why_not_dealt",
]

HIGH_SCORES = (  # printed, best first (ND18)
    ("CHE", 99),
    ("FLO", 92),
    ("MUM", 75),
    ("DAD", 61),
    ("LU6", 55),
    ("BRO", 46),
    ("NOO", 34),
    ("GUI", 27),
    ("BEN", 13),
)


def actions(options: dict[str, Any]) -> tuple[str, ...]:
    columns = range(1, COLUMNS + 1)
    return (
        *(f"write {column}" for column in columns),
        *(f"as {shape}" for shape in SHAPES[:DIE_SHAPES]),
        *(f"at {orientation} {column}" for orientation in range(8) for column in columns),
        *(f"num {digit}" for digit in range(10)),
        *(f"cell {column} {row}" for row in range(1, ROWS + 1) for column in columns),
        "done",
        "skip",
        "none",
        *(f"slide {letter}" for letter in LETTERS),
    )


def outcomes(options: dict[str, Any]) -> tuple[str, ...]:
    return (
        *(f"tile {tile}" for tile in SHAPES),
        *(f"die {number}" for number in range(1, 8)),
        "die *",
        *(f"shape {shape}" for shape in SHAPES[:DIE_SHAPES]),
        "shape *",
    )


def solo_rank(score: int) -> int:
    """Where a solo score would stand among the printed nine, from 1; 10 is not listed (ND18)."""
    return 1 + sum(score <= printed for _name, printed in HIGH_SCORES)


# -- reasons -------------------------------------------------------------------------------------

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
_STARTS = (
    (rules.SLIDE_ID, "slide"),
    (rules.NONE_ID, "none"),
    (rules.SKIP_ID, "skip"),
    (rules.DONE_ID, "done"),
    (rules.CELL_ID, "cell"),
    (rules.NUMBER_ID, "num"),
    (rules.DROP_ID, "at"),
    (rules.NAME_ID, "as"),
    (rules.WRITE_ID, "write"),
)


def _split(action: int) -> tuple[str, int]:
    """An action's kind and its number within the kind."""
    return next((kind, action - start) for start, kind in _STARTS if action >= start)


def why(state: Any, seat: int, action: int) -> tuple[str, str]:
    kind, number = _split(action)
    if state["doing"][seat] not in _JOBS[kind]:
        return _why_not_now(state, seat, kind)
    if kind == "as":
        return "ND9", _("there is no room left for the {shape}").format(shape=SHAPES[number])
    if kind == "at":
        return _why_not_there(state, seat, number)
    if kind == "num":
        left = " ".join(face(die) for die in digits_left(state, seat))
        told = _("no die that is left shows {number} (left: {left})")
        return "ND7", told.format(number=number, left=left)
    if kind == "cell":
        return _why_not_cell(state, seat, *divmod(number, COLUMNS))
    if kind == "done":
        return _why_not_done(state, seat)
    if kind == "skip":
        return "ND10", _("you have begun a combo: go on until it can be circled")
    if kind == "none":
        return "ND9", _("there is still room, so you have to drop")
    if state["notches"][number] == 0:  # the kind is "slide"; any `write` is legal
        told = _("tile {letter} is at the bottom already")
        return "ND16", told.format(letter=LETTERS[number])
    told = _("the second slide is for the tile of the rolled shape, {shape}")
    return "ND16", told.format(shape=shape_face(state))


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
            told = _("first drop the {shape} block that reached GO!")
            return "ND17", told.format(shape=_dropped(state, seat))
        told = _("this round you only drop the block of letter {letter}")
        return "ND6", told.format(letter=tile_of(state, int(state["block"])))
    if kind == "slide":
        return "ND16", _("all slides of this round are made")
    if kind == "none":
        return "ND9", _("there is nothing to drop now")
    if doing == rules.NAME:
        return "ND7", _("first name a shape: the shape die shows *")
    if kind == "as":
        if state["shape_die"] == rules.WILD:
            return "ND7", _("you have named your shape already")
        told = _("the shape die shows {shape}: there is no shape to name")
        return "ND7", told.format(shape=shape_face(state))
    if doing == rules.DROP:
        return "ND7", _("first drop the {shape}").format(shape=_dropped(state, seat))
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
        told = _("the {shape} has orientations 0 to {last} only")
        if not last:
            told = _("the {shape} has orientation 0 only")
        return rule, told.format(shape=name, last=last)
    wide = width(ORIENTATIONS[shape][orientation])
    if column + wide > COLUMNS:
        told = _(
            "the {shape} would stick out of the grid there: "
            "its leftmost column can be {column} at most"
        )
        return "ND8", told.format(shape=name, column=COLUMNS + 1 - wide)
    high = grid.landing(state, seat, shape, place)[1]
    top = 7 + (high.bit_length() + 7) // 8
    told = _("the {shape} would reach up to row {top} there, and there are {rows}")
    return "ND9", told.format(shape=name, top=top, rows=ROWS)


def _why_not_cell(state: Any, seat: int, row: int, column: int) -> tuple[str, str]:
    mark = grid.mark_at(state, seat, row, column)
    place = {"number": mark - 1, "column": column + 1, "row": row + 1}
    here = (row, column)
    chosen = cells_of(board(state, "chosen", seat))
    if mark == 0:
        return "ND10", _("there is no number in column {column}, row {row}").format(**place)
    if mark == grid.X:
        return "ND5", _("an X never belongs to a combo")
    if here in cells_of(board(state, "circled", seat)):
        told = _("the {number} in column {column}, row {row} is circled already")
        return "ND10", told.format(**place)
    if here in chosen:
        told = _("the {number} in column {column}, row {row} is chosen already")
        return "ND10", told.format(**place)
    if len(chosen) == combos.BONUS:
        return "ND10", _("a combo has at most {most} numbers").format(most=combos.BONUS)
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
    told = _("the {number} in column {column}, row {row} cannot start a combo of three or more")
    if chosen:
        told = _(
            "the {number} in column {column}, row {row} cannot lead to a combo of three or more"
        )
    return "ND10", told.format(**place)


def _why_not_next(state: Any, seat: int, mark: int, here: tuple[int, int]) -> str:
    """What keeps a free number from joining the chosen ones, or nothing."""
    chosen = board(state, "chosen", seat)
    top_mark, *top = grid.highest(state, seat, *chosen)
    size = grid.size_of(*chosen)
    digit = top_mark - 1
    kind = combos.kind_of_chosen(state, seat)
    if size == 1:
        if mark not in (top_mark, top_mark + 1):
            told = _("next to the {number} you need another {number}")
            if digit < 9:
                told = _("next to the {number} you need another {number} or a {next}")
            return told.format(number=digit, next=digit + 1)
    elif kind == combos.IDENTICAL:
        if mark != top_mark:
            told = _("this combo is of identical numbers: you need another {number}")
            return told.format(number=digit)
    elif mark != top_mark + 1:
        if digit == 9:
            return _("this combo is of consecutive numbers, and nothing follows the 9")
        told = _("this combo is of consecutive numbers: after the {number} you need a {next}")
        return told.format(number=digit, next=digit + 1)
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
        return "ND10", _("a combo has at least {least} numbers").format(least=combos.SMALLEST)
    if size == combos.BONUS:
        return "ND11", _("your bonus of 8 is circled already")
    told = _("your {count} identical numbers are circled already")
    if combos.kind_of_chosen(state, seat) != combos.IDENTICAL:
        told = _("your {count} consecutive numbers are circled already")
    return "ND11", told.format(count=size)


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


# -- moves in words ------------------------------------------------------------------------------


def label(state: Any, seat: int, action: int) -> str:
    kind, number = _split(action)
    if kind == "write":
        told = _("Write your {number} into column {column} of the bottom row")
        return told.format(number=seat + 1, column=number + 1)
    if kind == "as":
        told = _("Make it a {shape}") if SHAPES[number] == "T" else _("Make it an {shape}")
        return told.format(shape=SHAPES[number])
    if kind == "at":
        told = _("Drop {shape} turned {turned} into {place}")
        if state["doing"][seat] == rules.BLOCK:
            told = _("Drop {shape} block turned {turned} into {place}")
        place = _landing(state, seat, number)
        return told.format(shape=_dropped(state, seat), turned=number // COLUMNS, place=place)
    if kind == "num":
        ((row, column),) = cells_of(rules.next_to_number(state, seat))
        die = rules.die_for(state, seat, number)
        told = _("Write {number} into column {column}, row {row}")
        if state["dice"][die] == rules.STAR:
            told = _("Write {number} into column {column}, row {row} (uses a *)")
        return told.format(number=number, column=column + 1, row=row + 1)
    if kind == "cell":
        row, column = divmod(number, COLUMNS)
        digit = grid.mark_at(state, seat, row, column) - 1
        told = _("Choose the {number} in column {column}, row {row}")
        return told.format(number=digit, column=column + 1, row=row + 1)
    if kind == "done":
        combo = _combo(state, seat, board(state, "chosen", seat))
        return _("Circle {combo}").format(combo=combo)
    if kind == "skip":
        return _("Circle nothing this round")
    if kind == "none":
        return _("There is no room to drop: go on, the match ends with this round")
    left = int(state["notches"][number]) - 1
    told = _("Slide tile {letter} down to {left} above GO!")
    if not left:
        told = _("Slide tile {letter} down to GO!")
    return told.format(letter=tile_of(state, number), left=left)


def _dropped(state: Any, seat: int) -> str:
    return SHAPES[int(state["shape"][seat])]


def _landing(state: Any, seat: int, place: int) -> str:
    return span(cells_of(grid.landing(state, seat, int(state["shape"][seat]), place)))


def _combo(state: Any, seat: int, cells: Board) -> str:
    """`3 identical 6s`, or `5 consecutive numbers, 2 to 6`, for the cells of one combo."""
    digits = sorted(grid.mark_at(state, seat, row, column) - 1 for row, column in cells_of(cells))
    if digits[0] == digits[-1]:
        return _("{count} identical {number}s").format(count=len(digits), number=digits[0])
    told = _("{count} consecutive numbers, {first} to {last}")
    return told.format(count=len(digits), first=digits[0], last=digits[-1])


# -- the log -------------------------------------------------------------------------------------


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
        told = _("Letter {letter} gets the tile {shape}.")
        return told.format(letter=LETTERS[letter], shape=SHAPES[outcome])
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
        droppers = _names(int(after["pending"]), names)
        told = _("Letter {letter} is resolved: its block falls for {names}.")
        return f"{said} {told.format(letter=block, names=droppers)}"
    if after["crossed"] != before["crossed"]:
        (letter,) = members(int(after["crossed"]) & ~int(before["crossed"]))
        told = _("All have circled letter {letter}: nobody drops, it is crossed off.")
        said += f" {told.format(letter=LETTERS[letter])} {_tell_end(before, after, names)}"
    return said


def _tell_move(before: Any, after: Any, seat: int, action: int, names: Sequence[str]) -> str:
    name = names[seat]
    kind, number = _split(action)
    if kind == "write":
        told = _("{name} starts with a {number} in column {column}.")
        return told.format(name=name, number=seat + 1, column=number + 1)
    if kind == "as":
        return _("{name} chooses the {shape}.").format(name=name, shape=SHAPES[number])
    if kind == "at":
        told = _("{name} drops the {shape} into {place}.")
        if before["doing"][seat] == rules.BLOCK:
            told = _("{name} drops the {shape} block into {place}.")
        place = _landing(before, seat, number)
        return told.format(name=name, shape=_dropped(before, seat), place=place)
    if kind == "num":
        return _("{name} writes {number}.").format(name=name, number=number)
    if kind == "cell":
        row, column = divmod(number, COLUMNS)
        digit = grid.mark_at(before, seat, row, column) - 1
        told = _("{name} chooses the {number} in column {column}, row {row}.")
        return told.format(name=name, number=digit, column=column + 1, row=row + 1)
    if kind == "done":
        combo = _combo(before, seat, board(before, "chosen", seat))
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
    told = _("{name} slides tile {letter} to {left} above GO!.")
    if not left:
        told = _("{name} slides tile {letter} to GO!.")
    return told.format(name=name, letter=tile_of(before, number), left=left)


def _tell_shown(
    before: Any, after: Any, actor: int, action: int, names: Sequence[str]
) -> list[str]:
    """What was hidden until now, seat by seat."""
    return [
        _tell_hidden(before, after, seat, names[seat])
        for seat in range(before["players"])
        if action < 0 or seat != actor  # who may know this move was told the seat's others too
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
        parts.append(_("circles {combo}").format(combo=_combo(after, seat, gained)))
    return f"{name} {_(' and ').join(parts)}." if parts else ""


def _new(before: Board, after: Board) -> list[tuple[int, int]]:
    return cells_of((after[0] & ~before[0], after[1] & ~before[1]))


def _tell_end(before: Any, after: Any, names: Sequence[str]) -> str:
    points = ", ".join(
        f"{name} {score}" for name, score in zip(names, score_list(after), strict=False)
    )
    if after["stage"] == rules.OVER:
        return _("The match ends: {points}.").format(points=points)
    told = _("Round {round} ends: {points}.")
    return told.format(round=int(before["round"]) + 1, points=points)


def verdict(state: Any, names: Sequence[str]) -> str:
    points = score_list(state)
    if state["players"] == 1:
        return _solo_verdict(points[0], names[0])
    best = max(points)
    won = rules.winners(state)
    if len(members(won)) > 1:
        told = _("{names} share the victory with {points} points each.")
        return told.format(names=_names(won, names), points=best)
    return _("{name} wins with {points} points.").format(name=_names(won, names), points=best)


def _solo_verdict(score: int, name: str) -> str:
    rank = solo_rank(score)
    above = "{} ({})".format(*HIGH_SCORES[rank - 2]) if rank > 1 else ""
    told = _("{name} scores {points} points: rank {rank} of the high scores, above {beaten}.")
    below = ""
    if rank > len(HIGH_SCORES):
        told = _("{name} scores {points} points: not listed, {above} is the lowest high score.")
    else:
        below = "{} ({})".format(*HIGH_SCORES[rank - 1])
        if above:
            told = _(
                "{name} scores {points} points: "
                "rank {rank} of the high scores, above {beaten} and below {above}."
            )
    return told.format(name=name, points=score, rank=rank, beaten=below, above=above)


def _names(seats: int, names: Sequence[str]) -> str:
    listed = [names[seat] for seat in members(seats)]
    return _(" and ").join(filter(None, [", ".join(listed[:-1]), listed[-1]]))


WORDS = Words(
    turn_rule="ND14",
    end_rule="ND13",
    actions=actions,
    outcomes=outcomes,
    why=why,
    why_not_dealt=why_not_dealt,
    label=label,
    tell=tell,
    verdict=verdict,
    draw=draw,
)
