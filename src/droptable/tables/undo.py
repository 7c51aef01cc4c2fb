"""Undo: one's own turn, or further back if everybody agrees; never past a secret."""

from __future__ import annotations

from droptable.core.contract import DEALER
from droptable.core.errors import DroptableError
from droptable.core.language import N_, _
from droptable.core.undo import take_back
from droptable.tables import events as ev
from droptable.tables.rejected import Rejected
from droptable.tables.secrecy import may_move_unseen
from droptable.tables.table import Table

SECRET = N_("the match cannot go back that far: something secret has happened since, or may have")


def undo_own_turn(table: Table, seat: int) -> ev.TakenBack:
    """Undo to the start of the seat's turn, if nothing was drawn, shown or played since."""
    assert table.state is not None
    last = _last_noticed(table, seat)
    if last is None or (isinstance(last, ev.Moved) and last.actor != seat):  # certainly refused
        raise Rejected("illegal", _refusal(table, seat, last))
    try:
        result = take_back(table.state, seat).events
    except DroptableError:  # its message may reveal what others did in secret
        raise Rejected("illegal", _refusal(table, seat, last)) from None
    now = table.state.events
    to = next((i for i, event in enumerate(result) if event != now[i]), len(result))
    return ev.TakenBack(seat, to, tuple(result[to:]))


def _last_noticed(table: Table, seat: int) -> ev.Event | None:
    """The last event of the match that the seat knows of: others may have moved in secret."""
    entries = reversed(table.ledgers[seat].entries)
    return next((e.event for e in entries if isinstance(e.event, ev.Moved | ev.TakenBack)), None)


def _refusal(table: Table, seat: int, last: ev.Event | None) -> str:
    """Why an undo is refused, from what the seat has noticed."""
    assert table.state is not None
    if not any(actor == seat for actor, _token in table.state.events):
        return _("there is nothing to undo: you have not moved yet")
    if isinstance(last, ev.TakenBack):
        return _("there is nothing to undo: a move was just undone")
    assert isinstance(last, ev.Moved)
    if last.actor == seat:
        message = _("you cannot undo {move} by yourself: it showed you something new")
        return message.format(move=last.token)
    who = _("the dealer has acted since")
    if last.actor != DEALER:
        who = _("{name} moved").format(name=table.names[last.actor])
    message = _("you can no longer undo your move by yourself: {who}; you can ask the others")
    return message.format(who=who)


def start_of_last_turn(table: Table, seat: int) -> int:
    """The number of events before the seat's last turn."""
    assert table.state is not None
    events = table.state.events
    last = next((i for i in reversed(range(len(events))) if events[i][0] == seat), None)
    if last is None:
        raise Rejected("illegal", _("there is nothing to undo: you have not moved yet"))
    while last and events[last - 1][0] == seat:
        last -= 1
    return last


def refuse_past_secrets(table: Table, seat: int, to: int) -> None:
    """Refuse to undo anything that some seat did not witness, as far as `seat` can know.

    Whether others have moved unseen is itself a secret: where they could have, they count as having
    moved.
    """
    assert table.state is not None
    others = (s for s in range(table.players) if s != seat)
    unseen = any(may_move_unseen(table.state, seat, other) for other in others)
    if unseen or to > len(table.state.events):
        raise Rejected("illegal", _(SECRET))
    state = table.state.record.state_at(to)
    for actor, token in table.state.events[to:]:
        if len(state.witnesses(actor, token)) < table.players:
            raise Rejected("illegal", _(SECRET))
        state.apply(actor, token)
