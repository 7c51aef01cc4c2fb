"""The story of a match in three figures: its length, the best turn, how often the lead changed.

Only of matches that are over: nothing in them is hidden any more.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from msgspec import Struct

from droptable.core.contract import DEALER
from droptable.core.language import _, ngettext, speaking
from droptable.core.record import Record
from droptable.tables import events as ev
from droptable.tables.table import Table

MOST_KEPT = 200  # courses of matches


class Figure(Struct, frozen=True):
    """A number worth telling, and what it is about."""

    label: str
    value: str
    detail: str = ""


@dataclass(frozen=True)
class Course:
    """The scores at the start and after each turn, or after each round where all act at once."""

    scores: Sequence[Sequence[int]]
    rounds: bool
    sign: int  # 1 where the most points win, -1 where the fewest do


def story(table: Table, language: str) -> list[Figure]:
    """What there is to tell of a match that is over; nothing before."""
    if table.status != "over" or table.state is None:
        return []
    course = _kept_course(table)
    with speaking(language):
        figures = [_length(table, course)]
        if table.state.over:
            figures.append(_biggest_gain(course, table.names))
            if table.players > 1:
                figures.append(_lead(course, table.names))
        return figures


_courses: OrderedDict[tuple[str, int], Course] = OrderedDict()


def _kept_course(table: Table) -> Course:
    """The course of a match, which is the same for everybody and replayed only once."""
    assert table.state is not None
    key = (table.id, len(table.state.record.events))
    course = _courses.pop(key, None) or course_of(table.state.record)
    _courses[key] = course
    while len(_courses) > MOST_KEPT:
        _courses.popitem(last=False)
    return course


def course_of(record: Record) -> Course:
    """How the scores went. A round begins when something is dealt, a turn with another seat."""
    states = list(record.states())
    rounds = record.players == 1 or any(len(state.to_act) > 1 for state in states)
    after = {0: states[0].scores}
    number, last, seat = 0, None, None
    for (actor, _token), state in zip(record.events, states[1:], strict=True):
        dealt = actor == DEALER
        number += (dealt and last != DEALER) if rounds else (not dealt and actor != seat)
        last, seat = actor, seat if dealt else actor
        after[number] = state.scores
    scores = states[-1].scores
    best = [scores[winner] for winner in states[-1].winners]
    low = bool(best) and max(best) < max(scores) and min(best) == min(scores)
    return Course(tuple(after.values()), rounds, -1 if low else 1)


def _length(table: Table, course: Course) -> Figure:
    times = [e.at for e in table.ledgers[None].entries if isinstance(e.event, ev.Moved)]
    minutes = max(1, round((times[-1] - times[0]) / 60)) if times else 1
    detail = ngettext("in {count} minute", "in {count} minutes", minutes).format(count=minutes)
    return Figure(_("Rounds") if course.rounds else _("Turns"), str(len(course.scores) - 1), detail)


def _biggest_gain(course: Course, names: Sequence[str]) -> Figure:
    """The most that a seat gained in one turn or round; the first time counts."""
    gains = [
        (course.sign * (now - before), -number, seat)
        for number, (earlier, later) in enumerate(pairwise(course.scores))
        for seat, (before, now) in enumerate(zip(earlier, later, strict=True))
    ]
    label = _("Best round") if course.rounds else _("Best turn")
    gain, _number, seat = max(gains, default=(0, 0, 0))
    if gain <= 0:
        return Figure(label, "0")
    return Figure(label, f"{course.sign * gain:+d}".replace("-", "−"), names[seat])


def _lead(course: Course, names: Sequence[str]) -> Figure:
    """How often another seat took the lead; who never lost it is named."""
    leaders: list[int] = []
    for scores in course.scores:
        best = max(scores) if course.sign > 0 else min(scores)
        ahead = [seat for seat, score in enumerate(scores) if score == best]
        if len(ahead) == 1 and ahead != leaders[-1:]:
            leaders += ahead
    detail = ""
    if len(leaders) == 1:
        detail = _("{name} was never behind").format(name=names[leaders[0]])
    return Figure(_("Lead changes"), str(max(0, len(leaders) - 1)), detail)
