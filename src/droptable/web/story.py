"""The story of a match in three figures: its length, the biggest gain, how often the lead changed.

Only of matches that are over: nothing in them is hidden any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from msgspec import Struct

from droptable.core.language import _, ngettext, speaking
from droptable.tables import events as ev
from droptable.tables.table import Table


class Figure(Struct, frozen=True):
    """A number worth telling, and what it is about."""

    label: str
    value: str
    detail: str = ""


@dataclass(frozen=True)
class Turn:
    """The moves that a seat made in a row, and everybody's scores after them."""

    seat: int
    scores: Sequence[int]


def story(table: Table, language: str) -> list[Figure]:
    """What there is to tell of a match that is over; nothing before."""
    if table.status != "over" or table.state is None:
        return []
    turns = _turns(table)
    with speaking(language):
        figures = [_length(table, turns)]
        if table.state.over:
            sign = _direction(table)
            figures.append(_biggest_gain(table, turns, sign))
            if table.players > 1:
                figures.append(_lead(table, turns, sign))
        return figures


def _turns(table: Table) -> list[Turn]:
    """The start, and all turns. What the dealer does belongs to the turn before it."""
    assert table.state is not None
    states = table.state.record.states()
    turns = [Turn(-1, next(states).scores)]
    for (actor, _token), state in zip(table.state.events, states, strict=True):
        seat = actor if actor >= 0 else turns[-1].seat
        if turns[-1].seat == seat and len(turns) > 1:
            turns.pop()
        turns.append(Turn(seat, state.scores))
    return turns


def _direction(table: Table) -> int:
    """1 where the most points win, -1 where the fewest do."""
    assert table.state is not None
    scores = table.state.scores
    best = [scores[seat] for seat in table.state.winners]
    return -1 if best and max(best) < max(scores) and min(best) == min(scores) else 1


def _length(table: Table, turns: Sequence[Turn]) -> Figure:
    times = [e.at for e in table.ledgers[None].entries if isinstance(e.event, ev.Moved)]
    minutes = round((times[-1] - times[0]) / 60) if times else 0
    detail = ngettext("in {count} minute", "in {count} minutes", max(1, minutes))
    count = sum(turn.seat >= 0 for turn in turns)
    return Figure(_("Turns"), str(count), detail.format(count=max(1, minutes)))


def _biggest_gain(table: Table, turns: Sequence[Turn], sign: int) -> Figure:
    """The most that a seat gained in one turn, its own or another's."""
    gains = [
        (sign * (after - before), -number, seat)
        for number, (earlier, later) in enumerate(pairwise(turns))
        for seat, (before, after) in enumerate(zip(earlier.scores, later.scores, strict=True))
    ]
    gain, _number, seat = max(gains, default=(0, 0, 0))
    if gain <= 0:
        return Figure(_("Biggest gain"), "0")
    return Figure(_("Biggest gain"), f"{sign * gain:+d}".replace("-", "−"), table.names[seat])


def _lead(table: Table, turns: Sequence[Turn], sign: int) -> Figure:
    """How often another seat took the lead; who never lost it is named."""
    leaders: list[int] = []
    for turn in turns:
        scores = [sign * score for score in turn.scores]
        ahead = [seat for seat, score in enumerate(scores) if score == max(scores)]
        if len(ahead) == 1 and ahead != leaders[-1:]:
            leaders += ahead
    changes = max(0, len(leaders) - 1)
    detail = ""
    if len(leaders) == 1:
        detail = _("{name} was never behind").format(name=table.names[leaders[0]])
    return Figure(_("Lead changes"), str(changes), detail)
