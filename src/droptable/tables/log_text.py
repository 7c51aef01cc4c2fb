"""The log of a table in sentences, for one viewer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from droptable.core.language import _, ngettext, spoken
from droptable.core.scene import Step
from droptable.core.words import told
from droptable.tables import events as ev
from droptable.tables.entries import Entry
from droptable.tables.table import Table


def sentence(table: Table, run: Sequence[Entry]) -> str:
    """Entries of a viewer's ledger in words: the moves of one actor in a row, or anything else by
    itself; empty if there is nothing to say about them."""
    *earlier, last = run
    if not isinstance(last.event, ev.Moved):
        return _about_table(table, last.event)
    key = spoken(), *table.names, *earlier  # entries are equal if they are the same
    if key not in last.memo:  # the log is sent many times
        last.memo[key] = _about_moves(table, run)
    said: str = last.memo[key]
    return said


def _about_moves(table: Table, run: Sequence[Entry]) -> str:
    if table.game is None or table.state is None:
        return ""
    names = table.names
    text = told(table.game, [step_of(table, entry) for entry in run], names)
    last = run[-1].event
    assert isinstance(last, ev.Moved)
    if any(isinstance(entry.event, ev.Moved) and entry.event.by == "stopgap" for entry in run):
        return text and text + " " + _("(The bot failed: this move was made instead.)")
    if not text and last.by == "table" and run[-1].known:
        return _("{name} has no other move.").format(name=names[last.actor])
    return text


def step_of(table: Table, entry: Entry) -> Step:
    """A move as its viewer saw it."""
    moved = entry.event
    assert isinstance(moved, ev.Moved) and table.game is not None and table.state is not None
    ids = table.game.vocabulary(table.state.options).ids(moved.actor)
    record = table.game.rules.dtype
    before, after = (np.frombuffer(bytearray(b), record)[0] for b in (entry.before, entry.after))
    return Step(before, after, moved.actor, ids[moved.token] if entry.known else -1)


def _about_table(table: Table, event: ev.Event) -> str:
    names = table.names
    match event:
        case ev.Created():
            return ""
        case ev.Joined():
            return _("{name} sits down.").format(name=event.name)
        case ev.Left():
            if event.name:
                return _("{name} leaves.").format(name=event.name)
            return _("Somebody leaves seat {seat}.").format(seat=event.seat + 1)
        case ev.BotSeated():
            if not event.character:  # an older table
                return _("A bot ({bot}) sits down.").format(bot=_(event.bot))
            return _("{name} ({bot}) sits down.").format(name=event.character, bot=_(event.bot))
        case ev.SeatOpened():
            return _("{name} leaves.").format(name=event.character or _("A bot"))
        case ev.Renamed():
            return _("{before} is called {name} now.").format(before=event.before, name=event.name)
        case ev.OwnerChanged():
            return _("The table has a new owner.")
        case ev.Closed():
            return _("The table is closed: everybody left.")
        case ev.Started():
            text = _("The match begins: {names}.").format(names=", ".join(names))
            if table.among_people and table.hints:
                text += " " + _("Hints are allowed.")
            return text
        case ev.Hinted():
            if not table.among_people:
                return ""  # nobody else is to be told
            return _("{name} asked for a hint.").format(name=names[event.seat])
        case ev.TakenBack():
            return _("{name} undoes a move.").format(name=names[event.seat])
        case ev.UndoAsked():
            return _("{name} asks to undo their last turn.").format(name=names[event.seat])
        case ev.UndoAnswered():
            seat = table.seat_of(event.identity)
            who = _("Somebody") if seat is None else names[seat]
            said = (
                _("{name} agrees to the undo.") if event.agree else _("{name} declines the undo.")
            )
            return said.format(name=who)
        case ev.Muted():
            who = _("the whole table") if event.seat is None else names[event.seat]
            said = _("Chat off: {name}.") if event.on else _("Chat on: {name}.")
            return said.format(name=who)
        case ev.Resigned():
            return _("{name} resigns.").format(name=names[event.seat])
        case ev.TimedOut():
            return _("{name}'s time is up.").format(name=names[event.seat])
        case ev.ClocksHeld():
            return _("The server was away: the clocks did not run.")
        case ev.BotTookOver():
            return _("A bot ({bot}) plays for {name}.").format(
                bot=_(event.bot), name=names[event.seat]
            )
        case ev.Returned():
            return _("{name} is back.").format(name=names[event.seat])
        case ev.Finished():
            return verdict(table)
        case ev.Forgotten():
            return _("Somebody's data was deleted.")
        case ev.Moderated():
            return _("The host changed earlier lines.")
        case ev.Rematched():
            return _("There is a rematch at another table.")
        case _:
            return ""


def verdict(table: Table) -> str:
    """The result of a match that is over, as everybody may know it."""
    names = table.names
    winners = _(" and ").join(names[seat] for seat in table.winners)
    given_up = _(" and ").join(name for s, name in enumerate(names) if table.seats[s].resigned)
    if table.how == "resigned" or table.state is None or table.game is None:
        if not winners:
            return _("{names} resigned.").format(names=given_up)
        text = ngettext(
            "{winners} wins: {names} resigned.",
            "{winners} win: {names} resigned.",
            len(table.winners),
        )
        return text.format(winners=winners, names=given_up)
    said = table.game.words.verdict(table.state.view(None).fields, names)
    if table.has_high_scores and table.seats[0].assisted:
        said += " " + _("Reached with help, so it does not count for the high scores.")
    if tuple(table.state.winners) == tuple(table.winners):
        return said
    return (
        said
        + " "
        + _("As {names} resigned, the victory goes to {winners}.").format(
            names=given_up, winners=winners
        )
    )
