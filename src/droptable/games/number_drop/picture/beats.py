"""The moments of Number Drop that are worth seeing, from one viewer's own views.

What others do in secret changes nothing in a viewer's views, so there is nothing to show of it;
when it is shown, the sheets speak one after the other, whoever came last. One's own small steps
take no time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from droptable.core.bits import count_bits, members
from droptable.core.contract import NOBODY
from droptable.core.language import _, ngettext
from droptable.core.scene import Beat, Frame, Step
from droptable.games.number_drop import rules
from droptable.games.number_drop.picture.moment import Gain
from droptable.games.number_drop.picture.table import drawn, moment_of
from droptable.games.number_drop.rules import grid
from droptable.games.number_drop.rules.scoring import combo_points
from droptable.games.number_drop.words import log
from droptable.games.number_drop.words.high_scores import HIGH_SCORES, solo_rank
from droptable.games.number_drop.words.notation import Board, board, cells_of, listed, split_action

LOOK, LEAST_LOOK = 1.8, 0.4  # seconds for the others' sheets together, and for each
SHEET = ("marks", "circled", "combos", "bonus")  # what others see of a sheet


def beats(step: Step, viewer: int, frame: Frame) -> Sequence[Beat]:
    before, after = step.before, step.after
    if step.actor < 0:
        first = _dealt(before, after, step.action, frame)
    elif step.action >= 0:
        first = _moved(step, viewer, frame)
    else:
        first = []
    shown: list[Beat] = []
    known = before
    if rules.is_secret(before) and not rules.is_secret(after):
        own = step.actor if step.action >= 0 else None
        known, shown = _shown(before, after, own, viewer, frame)
    return [*first, *shown, *_ended(known, before, after, viewer, frame)]


# -- the dealer -----------------------------------------------------------------------------------


def _dealt(before: Any, after: Any, outcome: int, frame: Frame) -> list[Beat]:
    """The tiles together, and the dice together: one beat for the last of them."""
    if outcome < rules.DIE_ID:
        if after["stage"] == rules.DEALING_TILES:
            return []
        return [Beat(1.0, None, log.tell_tiles(after), "flip")]
    if outcome < rules.SHAPE_ID:
        return []
    rolled = Beat(1.1, None, log.tell_roll(before, outcome, frame.names), "dice")
    if after["block"] == rules.NO_LETTER:
        return [rolled]
    return [rolled, Beat(1.0, None, log.tell_block(after, frame.names), "turn")]


# -- moves ----------------------------------------------------------------------------------------


def _moved(step: Step, viewer: int, frame: Frame) -> list[Beat]:
    before, after, seat = step.before, step.after, step.actor
    kind, _number = split_action(step.action)
    own = seat == viewer
    if kind == "write":
        return [Beat(0.2 if own else 0.4, None, "", "write")]
    if kind == "at":
        block = before["doing"][seat] == rules.BLOCK
        fell = _standing(before, after, seat)
        moment = moment_of(fell, viewer, frame)
        picture = None if fell is after else drawn(fell, viewer, frame, moment, still=True)
        return [Beat(0.45 if own else 0.6, picture, "", "block" if block else "drop")]
    if kind == "num":
        last = after["used"][seat] in (0, 0b1111)
        return [Beat(0 if own else 0.4, None, "", "write")] if last else []
    if kind == "done":
        return _circled(step, viewer, frame)
    if kind == "slide":
        return [Beat(0.45, None, "", "move")]
    return []


def _standing(before: Any, after: Any, seat: int) -> Any:
    """After a drop that ended a round, the sheet as it was when the drop lay."""
    if after["round"] == before["round"] and after["stage"] == before["stage"]:
        return after
    return _with_sheets(before, after, (seat,))


def _circled(step: Step, viewer: int, frame: Frame) -> list[Beat]:
    """A line is drawn round a combo, and its points fly to the sheet."""
    before, after, seat = step.before, step.after, step.actor
    cells = tuple(cells_of(board(before, "chosen", seat)))
    points = combo_points(after, seat) - combo_points(before, seat)
    now = before.copy()
    for field in ("circled", "combos", "bonus"):
        now[field][seat] = after[field][seat]
    now["doing"][seat] = rules.NOTHING
    moment = replace(moment_of(before, viewer, frame), gain=Gain(seat, points, cells), news=(seat,))
    picture = drawn(now, viewer, frame, moment, still=True)
    said = log.tell_circle(before, after, seat, frame.names)
    time = 0.7 if seat == viewer else 0.9
    return [Beat(time, picture, said, "combo"), Beat(0.4, None, "", "score")]


# -- what was hidden ------------------------------------------------------------------------------


def _shown(before: Any, after: Any, own: int | None, viewer: int,
           frame: Frame) -> tuple[Any, list[Beat]]:  # fmt: skip
    """All sheets that changed unseen, one after the other, with the dice still on the table."""
    known, shown = before, list[Beat]()
    seats = [seat for seat in range(before["players"]) if _changed(before, after, seat)]
    others = [seat for seat in seats if seat not in (own, viewer)]
    for seat in seats:
        known = _with_sheets(known, after, (seat,))
        if seat not in others:
            continue
        moment = replace(moment_of(before, viewer, frame), lit=(), done=(), news=(seat,))
        said = log.tell_hidden(before, after, seat, frame.names[seat])
        sound = "block" if before["block"] != rules.NO_LETTER else "drop"
        time = max(LOOK / (1 + len(others)), LEAST_LOOK)
        picture = drawn(known, viewer, frame, moment, still=True)
        shown.append(Beat(time, picture, said, sound))
    return known, shown


def _changed(before: Any, after: Any, seat: int) -> bool:
    return any((before[field][seat] != after[field][seat]).any() for field in ("marks", "circled"))


def _with_sheets(known: Any, after: Any, seats: Sequence[int]) -> Any:
    """A record with some seats' sheets as they are later; what came is this round's."""
    record = known.copy()
    for seat in seats:
        new = _new(grid.marked(known, seat), grid.marked(after, seat))
        for field in SHEET:
            record[field][seat] = after[field][seat]
        for half in range(2):
            record["fallen"][seat, half] = int(known["fallen"][seat, half]) | new[half]
        record["doing"][seat] = rules.NOTHING
        record["used"][seat] = 0b1111  # nobody is to choose dice any more
    return record


def _new(before: Board, after: Board) -> Board:
    return after[0] & ~before[0], after[1] & ~before[1]


# -- ends -----------------------------------------------------------------------------------------


def _ended(known: Any, before: Any, after: Any, viewer: int, frame: Frame) -> list[Beat]:
    """A round's end: rows that are full now; and that of the match."""
    if before["stage"] != rules.PLAYING or after["stage"] == rules.PLAYING:
        return []
    told = []
    seats = range(after["players"])
    rows = [
        seat for seat in seats if grid.full_rows(after, seat) & ~grid.full_rows(known, seat)
    ]  # fmt: skip
    if rows:
        counted = [count_bits(grid.full_rows(after, s) & ~grid.full_rows(known, s)) for s in rows]
        said = [
            _("{name}: +{points} for full rows.").format(name=frame.names[seat], points=2 * count)
            for seat, count in zip(rows, counted, strict=True)
        ]
        moment = replace(moment_of(after, viewer, frame), won=(), news=tuple(rows), lost_rows=0)
        picture = None
        if after["stage"] == rules.OVER:
            picture = drawn(_without_end(after), viewer, frame, moment, still=True)
        told.append(Beat(0.9, picture, " ".join(said), "score"))
    if after["stage"] == rules.OVER:
        told += _over(after, viewer, frame)
    return told


def _without_end(after: Any) -> Any:
    """The last round without the match's end."""
    record = after.copy()
    record["stage"] = rules.ROLLING
    return record


def _over(after: Any, viewer: int, frame: Frame) -> list[Beat]:
    """Rows above the line cost 5 points, one after the other; then the result."""
    seats = range(after["players"])
    most = max(grid.rows_above_line(after, seat) for seat in seats)
    told = []
    for lost in range(1, most + 1):
        payers = tuple(seat for seat in seats if grid.rows_above_line(after, seat) >= lost)
        names = listed(sum(1 << seat for seat in payers), frame.names)
        moment = replace(moment_of(after, viewer, frame), won=(), news=payers, lost_rows=lost)
        said = _("Above the Game Over line: −5 for {names}.").format(names=names)
        told.append(Beat(0.9, drawn(after, viewer, frame, moment, still=True), said, "burst"))
    won = viewer == NOBODY or viewer in members(rules.winners(after))
    if after["players"] == 1:
        won = solo_rank(rules.score(after, 0)) <= len(HIGH_SCORES)
    sound = "win" if won else "loss"
    return [*told, Beat(2.0, None, _result(after, frame), sound)]


def _result(after: Any, frame: Frame) -> str:
    won = rules.winners(after)
    points = rules.score(after, members(won)[0])
    if after["players"] == 1:
        rank = solo_rank(points)
        if rank > len(HIGH_SCORES):
            return _("Game over: {points}.").format(points=points)
        return _("Game over: {points}, rank {rank} of the high scores!").format(
            points=points, rank=rank
        )
    text = ngettext("{names} wins with {points}!", "{names} win with {points}!", len(members(won)))
    return text.format(names=listed(won, frame.names), points=points)
