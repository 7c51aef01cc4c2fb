"""What a command leads to. Pure: table, command, time and chance determine the events."""

from __future__ import annotations

from dataclasses import replace

from droptable.core.errors import DroptableError
from droptable.core.language import _, ngettext
from droptable.core.state import View
from droptable.core.undo import foreseen
from droptable.tables import commands as cmd
from droptable.tables import events as ev
from droptable.tables.draft import Draft
from droptable.tables.lobby import add_bot, create, join, leave, rematch, remove_bot, start
from droptable.tables.permissions import (
    Circumstances,
    Who,
    require_current,
    require_owner,
    require_playing,
    require_seat,
    require_seated,
)
from droptable.tables.rejected import Rejected
from droptable.tables.settings import tidy
from droptable.tables.table import Table
from droptable.tables.undo import refuse_past_secrets, start_of_last_turn, undo_own

__all__ = ["ABSENT", "LONGEST_CHAT", "Circumstances", "Who", "create", "decide", "rematch"]

ABSENT = 60.0  # seconds that people are away before others may let a bot play for them
LONGEST_CHAT = 500
MOST_CHATS = 2_000  # messages at one table
MOST_EVENTS = 20_000  # at one table; after them a match can only be finished
ENDING = (cmd.Move, cmd.Moves, cmd.Resign, cmd.Leave, cmd.Rematch)  # possible even then
LATE = 10.0  # seconds after a clock's zero when it is too late to notice: no server was there
SPARE = 60.0  # seconds that are then left, so that people can come back


def decide(
    table: Table,
    command: cmd.Command | cmd.BotMove | cmd.GiveHint | cmd.Tick,
    who: Who,
    around: Circumstances,
) -> Draft:
    """The events that a command leads to, and the table after them; or `Rejected`.

    A draft without events means that there is nothing to change.
    """
    draft = Draft(table, around.now, around.chance, around.command)
    _hold_clocks(draft, around.now)
    if isinstance(command, cmd.BotMove):
        _bot_move(draft, command)
    elif isinstance(command, cmd.GiveHint):
        _give_hint(draft, command.seat)
    elif isinstance(command, cmd.Tick):
        _tick(draft, around.now)
    else:
        _carry_out(draft, command, who, around)
    return draft


def _carry_out(draft: Draft, command: cmd.Command, who: Who, around: Circumstances) -> None:
    table = draft.table
    if table.status == "closed":
        raise Rejected("gone", _("this table is closed: everybody left before the start"))
    if table.frozen and not isinstance(command, cmd.Chat):
        raise Rejected("gone", table.frozen)
    if table.seq >= MOST_EVENTS and not isinstance(command, ENDING):
        message = _("too much has happened at this table: you can only finish the match")
        raise Rejected("limit", message)
    if isinstance(command, cmd.MATCH_COMMANDS):
        require_current(table, who, around.seq)
    match command:
        case cmd.Join():
            join(draft, command, who)
        case cmd.Leave():
            leave(draft, command, who)
        case cmd.AddBot():
            add_bot(draft, command.seat, command.bot, who, around.bots)
        case cmd.RemoveBot():
            remove_bot(draft, command.seat, who)
        case cmd.Start():
            start(draft, who)
        case cmd.Move():
            _move(draft, (command.token,), who)
        case cmd.Moves():
            _move(draft, command.tokens, who)
        case cmd.Undo():
            draft.add(undo_own(table, require_playing(table, who), step=command.step))
            draft.advance()
        case cmd.AskUndo():
            _ask_undo(draft, who)
        case cmd.AnswerUndo():
            _answer_undo(draft, who, agree=command.agree)
        case cmd.Resign():
            _resign(draft, who)
        case cmd.Chat():
            _chat(draft, command.text, who)
        case cmd.Mute():
            require_owner(table, who, _("mute the chat"))
            if command.seat is not None:
                require_seat(table, command.seat)
            if (command.seat in table.muted) != command.on:
                draft.add(ev.Muted(command.on, command.seat))
        case cmd.TakeOver():
            _take_over(draft, command.seat, who, around)
        case cmd.Return():
            _return(draft, require_playing(table, who), who)
        case cmd.Rematch():
            require_seated(table, who)
            if table.status != "over":
                raise Rejected("illegal", _("a rematch is possible once the match is over"))
            if not table.next:
                draft.add(ev.Rematched(around.new_table))


# -- the match ------------------------------------------------------------------------------------


def _move(draft: Draft, tokens: tuple[str, ...], who: Who) -> None:
    table = draft.table
    seat = require_playing(table, who)
    if table.seats[seat].stand_in:
        _return(draft, seat, who)
    for number, token in enumerate(tokens):
        _check_move(table, seat, token, named=len(tokens) > 1)
        before = table.ledgers[seat].view
        draft.add(ev.Moved(seat, token))
        if number + 1 < len(tokens):
            assert before is not None
            _check_next(table, seat, before, tokens[number : number + 2])
    draft.advance()


def _check_move(table: Table, seat: int, token: str, *, named: bool = False) -> None:
    assert table.state is not None
    try:
        table.state.witnesses(seat, token)  # checks, and changes nothing
    except DroptableError as error:
        refused = Rejected.from_error(error)
        if named:
            message = f"{token}: {refused}"
            refused = Rejected(refused.kind, message, refused.rule)
        raise refused from error


def _check_next(table: Table, seat: int, before: View, tokens: tuple[str, ...]) -> None:
    """Refuse to go on after a move that ended the turn, or that showed something new: to be told
    what follows from it, and then to have changed nothing, would be a look into the future."""
    assert table.state is not None
    after = table.state.view(seat)
    if seat not in after.to_act or not foreseen(before, after, seat, tokens[0]):
        message = _("{token} is not possible together with {before}: see first what that brings")
        raise Rejected("illegal", message.format(token=tokens[1], before=tokens[0]))


def _bot_move(draft: Draft, command: cmd.BotMove) -> None:
    table = draft.table
    if command.seat not in table.bots_to_act or command.seq < table.ledgers[command.seat].match_seq:
        message = _("no bot moves for seat {seat} at {seq} any more")
        raise Rejected("stale", message.format(seat=command.seat, seq=command.seq))
    _check_move(table, command.seat, command.token)
    draft.add(ev.Moved(command.seat, command.token, "stopgap" if command.stopgap else "bot"))
    draft.advance()


def _give_hint(draft: Draft, seat: int) -> None:
    """Make it known that a seat is given a hint, once for each decision."""
    table = draft.table
    if table.status != "playing":
        return
    ledger = table.ledgers[seat]
    hints = (entry.event for entry in ledger.entries[ledger.match_seq :])
    if not any(isinstance(event, ev.Hinted) and event.seat == seat for event in hints):
        draft.add(ev.Hinted(seat))


def _ask_undo(draft: Draft, who: Who) -> None:
    table = draft.table
    seat = require_playing(table, who)
    _refuse_help(table)
    to = start_of_last_turn(table, seat)
    refuse_past_secrets(table, seat, to)
    draft.add(ev.UndoAsked(seat, who.identity, to))
    _undo_if_agreed(draft)


def _refuse_help(table: Table) -> None:
    """Daily and rated matches are played without help."""
    if table.daily:
        raise Rejected("forbidden", _("nobody helps in a daily match: there is one try"))
    if table.rated:
        raise Rejected("forbidden", _("nobody helps in a rated match"))


def _answer_undo(draft: Draft, who: Who, *, agree: bool) -> None:
    table = draft.table
    if table.undo is None:
        require_playing(table, who)
        raise Rejected("illegal", _("nobody has asked for an undo"))
    waiting = table.undo.waiting.intersection(table.seats_of(who.identity))
    seat = require_playing(table, replace(who, seat=min(waiting, default=table.undo.seat)))
    if agree:
        if not waiting:
            raise Rejected("illegal", _("you are not asked to agree to this undo"))
        refuse_past_secrets(table, seat, table.undo.to)
    draft.add(ev.UndoAnswered(who.identity, agree))
    _undo_if_agreed(draft)


def _undo_if_agreed(draft: Draft) -> None:
    undo = draft.table.undo
    if undo is not None and not undo.waiting:
        draft.add(ev.TakenBack(undo.seat, undo.to))
        draft.advance()


def _resign(draft: Draft, who: Who) -> None:
    seat = require_playing(draft.table, who)
    if len(draft.table.seats[seat].people) > 1:
        draft.add(ev.Left(seat, who.identity, who.name))  # the others of the team play on
    else:
        draft.resign(seat)


# -- people and bots ------------------------------------------------------------------------------


def _take_over(draft: Draft, seat: int, who: Who, around: Circumstances) -> None:
    table = draft.table
    mine = require_seated(table, who)
    _refuse_help(table)
    if table.status != "playing":
        raise Rejected("illegal", _("a bot can take over only while a match is being played"))
    taken = table.known_seat(mine, require_seat(table, seat))
    if taken.played_by:
        message = _("a bot ({bot}) already plays for {name}")
        raise Rejected("illegal", message.format(bot=_(taken.played_by), name=table.names[seat]))
    if seat != mine and seat not in table.seats_of(who.identity):
        away = min(around.absent.get(identity, 0.0) for identity in taken.people)
        if away < ABSENT:
            message = ngettext(
                "{name} has been away for {away} second; a bot may take over after {enough}",
                "{name} has been away for {away} seconds; a bot may take over after {enough}",
                round(away),
            )
            enough = f"{ABSENT:.0f}"
            message = message.format(name=table.names[seat], away=round(away), enough=enough)
            raise Rejected("forbidden", message)
    draft.add(ev.BotTookOver(seat, table.settings.stand_in, "absent"))


def _return(draft: Draft, seat: int, who: Who) -> None:
    table = draft.table
    if not table.seats[seat].stand_in:
        return
    clock = table.settings.clock
    if clock is not None and clock.per == "match" and table.seats[seat].timed_out:
        raise Rejected("illegal", _("your time for this match is used up: the bot plays on"))
    draft.add(ev.Returned(seat, who.identity))


def _hold_clocks(draft: Draft, now: float) -> None:
    """Spare people whose time ran out unnoticed: no server was up, or a clock has jumped."""
    zero = draft.table.next_timeout
    clock = draft.table.settings.clock
    if zero is not None and clock is not None and now - zero > LATE:
        draft.add(ev.ClocksHeld(min(SPARE, float(clock.seconds))))


def _tick(draft: Draft, now: float) -> None:
    table = draft.table
    clock = table.settings.clock
    for seat in range(table.players):
        zero = table.timeout_at(seat) if clock is not None and table.status == "playing" else None
        if clock is None or zero is None or zero > now:
            continue
        draft.add(ev.TimedOut(seat))
        if clock.at_zero == "resign":
            draft.resign(seat)
        else:
            draft.add(ev.BotTookOver(seat, table.settings.stand_in, "clock"))


def _chat(draft: Draft, text: str, who: Who) -> None:
    table = draft.table
    held = table.seats_of(who.identity)
    seat = who.seat if who.seat in held else table.seat_of(who.identity)
    if seat is None and who.identity != table.owner:
        raise Rejected("forbidden", _("only people who sit at the table can chat"))
    if who.identity != table.owner and {None, seat} & table.muted:
        raise Rejected("forbidden", _("the owner of this table has muted you"))
    text = tidy(text)
    if not text:
        raise Rejected("syntax", _("the message is empty; expected some text"))
    if len(text) > LONGEST_CHAT:
        message = ngettext(
            "a message has at most {most} character, not {count}",
            "a message has at most {most} characters, not {count}",
            LONGEST_CHAT,
        )
        raise Rejected("limit", message.format(most=LONGEST_CHAT, count=len(text)))
    if table.chats >= MOST_CHATS:
        message = ngettext(
            "this table has no room for more than {most} message",
            "this table has no room for more than {most} messages",
            MOST_CHATS,
        )
        raise Rejected("limit", message.format(most=MOST_CHATS))
    here = seat is not None and table.seats[seat].here == who.identity
    name = table.names[seat] if here and seat is not None else who.name
    draft.add(ev.Chatted(who.identity, name, text, seat))
