"""Undo: one's own turn, or further back if everybody agrees; never past a secret.

What a seat can undo follows from its own ledger alone, so that it may be told: neither what is
offered nor what is refused reveals what others have done unseen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from droptable.core.contract import DEALER
from droptable.core.errors import DroptableError
from droptable.core.language import N_, _
from droptable.core.undo import foreseen
from droptable.tables import events as ev
from droptable.tables.entries import Entry
from droptable.tables.ledger import Ledger, Link
from droptable.tables.rejected import Rejected
from droptable.tables.secrecy import may_move_unseen
from droptable.tables.table import Table

SECRET = N_("the match cannot go back that far: something secret has happened since, or may have")


class Undoable(NamedTuple):
    """What a seat may do now: how many decisions of its turn it can undo by itself, and whether it
    may ask the others to go back to the start of its last turn."""

    decisions: int
    ask: bool


def undoable(table: Table, seat: int) -> Undoable:
    """What a seat that still plays can undo now."""
    ledger = table.ledgers[seat]
    if not ledger.numbers or table.status != "playing" or table.seats[seat].resigned:
        return Undoable(0, False)
    key = "undoable", seat, ledger.match_seq
    memo = ledger.entries[ledger.match_seq - 1].memo
    if key not in memo:  # it changes only with what the seat sees of the match
        memo[key] = Undoable(sum(1 for _back in _decisions(ledger)), _may_ask(table, ledger))
    found: Undoable = memo[key]
    return found


class _Back(NamedTuple):
    """A decision that its seat can undo: its number, and those of the events that go with it."""

    number: int
    events: tuple[int, ...]


def _decisions(ledger: Ledger) -> Iterator[_Back]:
    """The decisions that a seat can undo by itself, the last first."""
    events: tuple[int, ...] = ()
    for link in ledger.history():
        if not _foreseen(ledger, link.entry):
            return
        events += (link.number,)
        if _is_decision(ledger, link.entry):
            yield _Back(link.number, events)


def _moved(entry: Entry) -> ev.Moved:
    assert isinstance(entry.event, ev.Moved)
    return entry.event


def _foreseen(ledger: Ledger, entry: Entry) -> bool:
    """Whether an event of the match showed the viewer nothing that it could not foresee."""
    moved = _moved(entry)
    if moved.actor == DEALER or not entry.known:
        return False
    if moved.actor != ledger.viewer and moved.by != "table":
        return False
    key = "foreseen", ledger.viewer
    if key not in entry.memo:
        before, after = ledger.view_from(entry.before), ledger.view_from(entry.after)
        entry.memo[key] = foreseen(before, after, moved.actor, moved.token)
    return bool(entry.memo[key])


def _is_decision(ledger: Ledger, entry: Entry) -> bool:
    """Whether the viewer made this move, and not the table for it."""
    moved = _moved(entry)
    if moved.actor != ledger.viewer:
        return False
    if "decision" not in entry.memo:
        before = ledger.view_from(entry.before)
        entry.memo["decision"] = before.automatic(moved.actor) != moved.token
    return bool(entry.memo["decision"])


def undo_own(table: Table, seat: int, *, step: bool) -> ev.TakenBack:
    """Undo to the start of the seat's turn, or its last decision only, if nothing was drawn, shown
    or played since."""
    assert table.state is not None
    backs = list(_decisions(table.ledgers[seat]))
    if not backs:
        raise Rejected("illegal", _refusal(table, seat))
    back = backs[0 if step else -1]
    later = enumerate(table.state.events[back.number :], back.number)
    kept = tuple(event for number, event in later if number not in back.events)
    state = table.state.record.state_at(back.number)
    try:
        for actor, token in kept:
            if actor == DEALER:  # what was dealt would not follow from the state before it
                raise Rejected("illegal", _(SECRET))
            state.apply(actor, token)
    except DroptableError:  # it depends on what another seat was made to do
        raise Rejected("illegal", _(SECRET)) from None
    return ev.TakenBack(seat, back.number, kept)


def _refusal(table: Table, seat: int) -> str:
    """Why an undo is refused, from what the seat has noticed."""
    ledger = table.ledgers[seat]
    history = list(ledger.history())
    if not any(_is_decision(ledger, link.entry) for link in history):
        return _("there is nothing to undo: you have not moved yet")
    entries = (e.event for e in reversed(ledger.entries))
    last = next((e for e in entries if isinstance(e, ev.Moved | ev.TakenBack)), None)
    if isinstance(last, ev.TakenBack):
        return _("there is nothing to undo: a move was just undone")
    moved = next(_moved(link.entry) for link in history if not _foreseen(ledger, link.entry))
    if moved.actor == seat:
        message = _("you cannot undo {move} by yourself: it showed you something new")
        return message.format(move=moved.token)
    who = _("the dealer has acted since")
    if moved.actor != DEALER:
        who = _("{name} moved").format(name=table.names[moved.actor])
    message = _("you can no longer undo your move by yourself: {who}")
    if undoable(table, seat).ask:
        message = _("you can no longer undo your move by yourself: {who}; you can ask the others")
    return message.format(who=who)


def start_of_last_turn(table: Table, seat: int) -> int:
    """The number of events before the turn of the seat's last decision."""
    first = _last_turn(table.ledgers[seat])
    if first is None:
        raise Rejected("illegal", _("there is nothing to undo: you have not moved yet"))
    return first.number


def _last_turn(ledger: Ledger) -> Link | None:
    """The first event of the turn of the viewer's last decision."""
    history = ledger.history()
    first = next((link for link in history if _is_decision(ledger, link.entry)), None)
    for link in history:
        if first is None or _moved(link.entry).actor != ledger.viewer:
            break
        if link.number + 1 < first.number:
            break
        first = link
    return first


def _may_ask(table: Table, ledger: Ledger) -> bool:
    """Whether nothing secret has happened since the viewer's last turn, for all it can know."""
    after: int | None = None
    decided = False
    for number, entry in ledger.history():
        mine = _moved(entry).actor == ledger.viewer
        gap = after is not None and number + 1 < after
        if decided and (gap or not mine):
            break  # the turn began after this
        if gap or not entry.public:
            return False
        after, decided = number, decided or (mine and _is_decision(ledger, entry))
    return decided and not _may_have_moved(table, ledger)


def _may_have_moved(table: Table, ledger: Ledger) -> bool:
    """Whether some other seat may have moved unseen by this one."""
    assert ledger.view is not None
    others = (s for s in range(table.players) if s != ledger.viewer)
    return any(may_move_unseen(ledger.view, other) for other in others)


def refuse_past_secrets(table: Table, seat: int, to: int) -> None:
    """Refuse to undo anything that some seat did not witness, as far as `seat` can know.

    Whether others have moved unseen is itself a secret: where they could have, they count as having
    moved.
    """
    assert table.state is not None
    if _may_have_moved(table, table.ledgers[seat]) or to > table.events:
        raise Rejected("illegal", _(SECRET))
    state = table.state.record.state_at(to)
    for actor, token in table.state.events[to:]:
        if len(state.witnesses(actor, token)) < table.players:
            raise Rejected("illegal", _(SECRET))
        state.apply(actor, token)
