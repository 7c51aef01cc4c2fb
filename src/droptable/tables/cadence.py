"""When seats act at once and in secret, what ends the secret is told at a steady beat.

Nobody is sent anything while others act unseen. What shows their moves in the end goes out at a
tick of a grid that begins with the phase, which everybody saw: so its time does not tell when the
last seat acted. The whole commit waits for the tick, and with it all that follows: frames, answers
to requests, lists of tables, other servers.
"""

from __future__ import annotations

from dataclasses import dataclass

from droptable.tables import events as ev
from droptable.tables.draft import Draft
from droptable.tables.table import Table

TICK = 0.25  # seconds
MARGIN = 0.05  # seconds before a clock runs out: a move that came in time still counts


@dataclass(frozen=True)
class Hold:
    """A commit that has to wait for so many seconds, in the phase that began at that time."""

    phase: float
    seconds: float


def hold(before: Table, draft: Draft, now: float) -> Hold | None:
    """What a draft that shows secret moves has to wait for; None if it can be told now."""
    spectators = before.ledgers[None]
    if before.status != "playing" or spectators.view is None or len(spectators.view.to_act) < 2:
        return None
    actors = {line.event.actor for line in draft.lines if isinstance(line.event, ev.Moved)}
    others = [ledger for viewer, ledger in before.ledgers.items() if viewer not in actors]
    if all(draft.table.ledgers[one.viewer].match_seq == one.match_seq for one in others):
        return None
    phase = spectators.entries[spectators.match_seq - 1].at
    zeros = [zero for seat in actors if seat >= 0 and (zero := before.timeout_at(seat)) is not None]
    seconds = min([(phase - now) % TICK, *(zero - MARGIN - now for zero in zeros)])
    return Hold(phase, seconds) if seconds > 0 else None
