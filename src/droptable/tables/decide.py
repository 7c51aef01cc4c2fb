"""What a command leads to. Pure: the same table, command, time and chance, the same events."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from droptable.core.errors import DroptableError
from droptable.tables import commands as cmd
from droptable.tables import events as ev
from droptable.tables.back import check_open, last_turn, own_turn
from droptable.tables.draft import Draft
from droptable.tables.events import Identity
from droptable.tables.rejected import Rejected
from droptable.tables.settings import ME, OPEN, Settings, check, check_bot, start_of, tidy
from droptable.tables.table import Table

ABSENT = 60.0  # seconds that a seat's people are away until others may let a bot play
LONGEST_CHAT = 500


@dataclass(frozen=True)
class Who:
    """The person that asks."""

    identity: Identity
    name: str


@dataclass(frozen=True)
class Circumstances:
    """What a decision depends on besides the table and the command."""

    now: float
    chance: random.Random
    command: str = ""  # a key of the command, to know it again
    seq: int | None = None  # what the sender has seen, counted in its own ledger
    absent: Mapping[Identity, float] = field(default_factory=dict)  # seconds; who is not here
    new_table: str = ""  # the id of a rematch


def create(
    settings: Settings,
    who: Who,
    around: Circumstances,
    *,
    reserved: tuple[tuple[Identity, ...], ...] = (),
    previous: str = "",
) -> Draft:
    """The first events of a table, whose id is `around.new_table`."""
    settings = check(settings)
    found, _ = start_of(settings)
    draft = Draft(Table(around.new_table), around.now, around.chance, around.command)
    draft.add(
        ev.Created(around.new_table, found.version, settings, who.identity, reserved, previous)
    )
    for seat, taken in enumerate(settings.seats):
        if taken == ME:
            draft.add(ev.Joined(seat, who.identity, who.name))
        elif taken != OPEN:
            draft.add(ev.BotSeated(seat, taken))
    _start_if_full(draft)
    return draft


def rematch(table: Table, who: Who, around: Circumstances) -> Draft:
    """The first events of the table that goes on with the same people, one seat further."""
    before = [(s.bot or OPEN, tuple(s.people)) for s in table.seats]
    turned = [before[-1], *before[:-1]]
    seats = [ME if who.identity in people else bot for bot, people in turned]
    settings = Settings(
        game=table.settings.game, players=table.players, options=table.settings.options,
        seats=tuple(seats), public=table.settings.public, clock=table.settings.clock,
        title=table.settings.title, start_when_full=table.settings.start_when_full,
        stand_in=table.settings.stand_in,
    )  # fmt: skip
    reserved = tuple(people for _, people in turned)
    return create(settings, who, around, reserved=reserved, previous=table.id)


def decide(
    table: Table, command: cmd.Command | cmd.BotMove | cmd.Tick, who: Who, around: Circumstances
) -> Draft:
    """The events that a command leads to, and the table after them; or `Rejected`.

    No events at all mean that what was asked for is already so.
    """
    draft = Draft(table, around.now, around.chance, around.command)
    if isinstance(command, cmd.BotMove):
        _bot_move(draft, command)
    elif isinstance(command, cmd.Tick):
        _tick(draft, around.now)
    else:
        _obey(draft, command, who, around)
    return draft


def _obey(draft: Draft, command: cmd.Command, who: Who, around: Circumstances) -> None:
    table = draft.table
    if table.status == "closed":
        raise Rejected("gone", "this table is closed: everybody left before the start")
    if table.frozen and not isinstance(command, cmd.Chat):
        raise Rejected("gone", table.frozen)
    if isinstance(command, cmd.MATCH_COMMANDS):
        _check_seen(table, who, around.seq)
    match command:
        case cmd.Join():
            _join(draft, command.seat, who)
        case cmd.Leave():
            _leave(draft, who)
        case cmd.AddBot():
            _own(table, who, "seat bots")
            _before_start(table)
            if table.seats[_seat(table, command.seat)].taken:
                raise Rejected("illegal", f"{table.names[command.seat]} already sits there")
            draft.add(ev.BotSeated(command.seat, check_bot(command.bot)))
            _start_if_full(draft)
        case cmd.RemoveBot():
            _own(table, who, "send bots away")
            _before_start(table)
            if not table.seats[_seat(table, command.seat)].bot:
                raise Rejected("illegal", f"there is no bot at seat {command.seat}")
            draft.add(ev.SeatOpened(command.seat))
        case cmd.Start():
            _own(table, who, "start the match")
            _before_start(table)
            if not table.full:
                free = [str(s) for s, seat in enumerate(table.seats) if not seat.taken]
                raise Rejected(
                    "illegal", f"the match cannot start: nobody sits at {', '.join(free)} yet"
                )
            draft.start()
        case cmd.Move():
            _move(draft, command.token, who)
        case cmd.Undo():
            draft.add(own_turn(table, _playing(table, who)))
        case cmd.AskUndo():
            _ask_undo(draft, who)
        case cmd.AnswerUndo():
            _answer_undo(draft, who, agree=command.agree)
        case cmd.Resign():
            _resign(draft, who)
        case cmd.Chat():
            _chat(draft, command.text, who)
        case cmd.Mute():
            _own(table, who, "mute the chat")
            if command.seat is not None:
                _seat(table, command.seat)
            if (command.seat in table.muted) != command.on:
                draft.add(ev.Muted(command.on, command.seat))
        case cmd.TakeOver():
            _take_over(draft, command.seat, who, around)
        case cmd.Return():
            _return(draft, _playing(table, who), who)
        case cmd.Rematch():
            _seated(table, who)
            if table.status != "over":
                raise Rejected("illegal", "a rematch is possible when the match is over")
            if not table.next:
                draft.add(ev.Rematched(around.new_table))


# -- who may --------------------------------------------------------------------------------------


def _seat(table: Table, seat: int) -> int:
    if not 0 <= seat < table.players:
        raise Rejected("syntax", f"there is no seat {seat}; seats are 0 to {table.players - 1}")
    return seat


def _own(table: Table, who: Who, what: str) -> None:
    if who.identity != table.owner:
        raise Rejected("forbidden", f"only the owner of this table may {what}")


def _seated(table: Table, who: Who) -> int:
    seat = table.seat_of(who.identity)
    if seat is None:
        raise Rejected("forbidden", "you do not sit at this table")
    return seat


def _playing(table: Table, who: Who) -> int:
    seat = _seated(table, who)
    if table.status == "waiting":
        raise Rejected("illegal", "the match has not started yet")
    if table.status != "playing":
        raise Rejected("gone", "the match is over")
    if table.seats[seat].resigned:
        raise Rejected("illegal", "you have resigned")
    return seat


def _before_start(table: Table) -> None:
    if table.status != "waiting":
        raise Rejected("illegal", "that is possible before the match starts only")


def _check_seen(table: Table, who: Who, seq: int | None) -> None:
    """Refuse what was meant for another moment of the match, as its sender's viewer knows it."""
    ledger = table.ledgers[table.seat_of(who.identity)]
    if seq is None or ledger.match_seq <= seq <= ledger.seq:
        return
    raise Rejected(
        "stale",
        f"you have seen the table up to {seq}, but the match has changed at {ledger.match_seq}: "
        "look again" if seq < ledger.match_seq else
        f"there is no {seq} yet: this table is at {ledger.seq}",
    )  # fmt: skip


# -- before the match -----------------------------------------------------------------------------


def _join(draft: Draft, wanted: int | None, who: Who) -> None:
    table = draft.table
    there = table.seat_of(who.identity)
    if there is not None and wanted in (None, there):
        return
    _before_start(table)
    seat = _free_seat(table, who) if wanted is None else _seat(table, wanted)
    if not _may_sit(table, seat, who):
        reason = "is reserved" if _reserved_for_others(table, seat, who) else "is taken"
        raise Rejected("forbidden", f"seat {seat} {reason}: {table.names[seat]}")
    if there is not None:
        draft.add(ev.Left(there, who.identity))
    draft.add(ev.Joined(seat, who.identity, who.name))
    _start_if_full(draft)


def _reserved_for_others(table: Table, seat: int, who: Who) -> bool:
    reserved = table.seats[seat].reserved
    return bool(reserved) and who.identity not in reserved


def _may_sit(table: Table, seat: int, who: Who) -> bool:
    if _reserved_for_others(table, seat, who) or table.seats[seat].bot:
        return False
    shared = table.game is not None and table.game.teams
    return shared or not table.seats[seat].people


def _free_seat(table: Table, who: Who) -> int:
    """One's reserved seat, else the first empty one, else one to share."""
    seats = [s for s in range(table.players) if _may_sit(table, s, who)]
    if not seats:
        raise Rejected("illegal", "there is no free seat at this table; you can watch")
    mine = [s for s in seats if who.identity in table.seats[s].reserved]
    empty = [s for s in seats if not table.seats[s].people]
    fewest = min(seats, key=lambda s: len(table.seats[s].people))
    return (mine + empty or [fewest])[0]


def _start_if_full(draft: Draft) -> None:
    table = draft.table
    assert table.game is not None
    people = sum(len(seat.people) for seat in table.seats)
    if table.game.teams and people > 1:
        return  # more people may come to a seat: the owner knows when all are there
    if table.settings.start_when_full and table.full:
        draft.start()


def _leave(draft: Draft, who: Who) -> None:
    table = draft.table
    seat = _seated(table, who)
    if table.status != "waiting" and len(table.seats[seat].people) == 1:
        if table.status == "over":
            return
        raise Rejected("illegal", "the match has started: resign, or let a bot play for you")
    draft.add(ev.Left(seat, who.identity))
    if table.status == "waiting" and who.identity == table.owner:
        heirs = [identity for seat in table.seats for identity in seat.people]
        draft.add(ev.OwnerChanged(heirs[0]) if heirs else ev.Closed())


# -- the match ------------------------------------------------------------------------------------


def _move(draft: Draft, token: str, who: Who) -> None:
    table = draft.table
    seat = _playing(table, who)
    _try(table, seat, token)
    if table.seats[seat].stand_in:
        _return(draft, seat, who)
    draft.add(ev.Moved(seat, token))
    draft.go_on()


def _try(table: Table, seat: int, token: str) -> None:
    assert table.state is not None
    try:
        table.state.witnesses(seat, token)  # checks, and changes nothing
    except DroptableError as error:
        raise Rejected.from_error(error) from error


def _bot_move(draft: Draft, command: cmd.BotMove) -> None:
    table = draft.table
    if command.seat not in table.bots_to_act or command.seq < table.ledgers[command.seat].match_seq:
        raise Rejected("stale", f"no bot moves for seat {command.seat} at {command.seq} any more")
    _try(table, command.seat, command.token)
    draft.add(ev.Moved(command.seat, command.token, "stopgap" if command.stopgap else "bot"))
    draft.go_on()


def _ask_undo(draft: Draft, who: Who) -> None:
    table = draft.table
    seat = _playing(table, who)
    to = last_turn(table, seat)
    check_open(table, seat, to)
    draft.add(ev.UndoAsked(seat, who.identity, to))
    _undo_if_agreed(draft)


def _answer_undo(draft: Draft, who: Who, *, agree: bool) -> None:
    table = draft.table
    seat = _playing(table, who)
    if table.undo is None:
        raise Rejected("illegal", "nobody asks for an undo now")
    if agree:
        if seat not in table.undo.waiting:
            raise Rejected("illegal", "you are not asked to agree to this undo")
        check_open(table, seat, table.undo.to)
    draft.add(ev.UndoAnswered(who.identity, agree))
    _undo_if_agreed(draft)


def _undo_if_agreed(draft: Draft) -> None:
    undo = draft.table.undo
    if undo is not None and not undo.waiting:
        draft.add(ev.TakenBack(undo.seat, undo.to))


def _resign(draft: Draft, who: Who) -> None:
    seat = _playing(draft.table, who)
    if len(draft.table.seats[seat].people) > 1:
        draft.add(ev.Left(seat, who.identity))  # the others of the team play on
    else:
        draft.give_up(seat)


# -- people and bots ------------------------------------------------------------------------------


def _take_over(draft: Draft, seat: int, who: Who, around: Circumstances) -> None:
    table = draft.table
    mine = _seated(table, who)
    if table.status != "playing":
        raise Rejected("illegal", "a bot can take over while a match is played only")
    taken = table.seats[_seat(table, seat)]
    if taken.played_by:
        raise Rejected(
            "illegal", f"a bot ({taken.played_by}) already plays for {table.names[seat]}"
        )
    if seat != mine:
        away = min(around.absent.get(identity, 0.0) for identity in taken.people)
        if away < ABSENT:
            raise Rejected(
                "forbidden",
                f"{table.names[seat]} has been away for {away:.0f} seconds; "
                f"a bot may take over after {ABSENT:.0f}",
            )
    draft.add(ev.BotTookOver(seat, table.settings.stand_in, "absent"))


def _return(draft: Draft, seat: int, who: Who) -> None:
    table = draft.table
    if not table.seats[seat].stand_in:
        return
    clock = table.settings.clock
    if clock is not None and clock.per == "match" and table.seats[seat].timed_out:
        raise Rejected("illegal", "your time for this match is used up: the bot plays on")
    draft.add(ev.Returned(seat, who.identity))


def _tick(draft: Draft, now: float) -> None:
    table = draft.table
    clock = table.settings.clock
    for seat in range(table.players):
        zero = table.zero_at(seat) if clock is not None and table.status == "playing" else None
        if clock is None or zero is None or zero > now:
            continue
        draft.add(ev.TimedOut(seat))
        if clock.at_zero == "resign":
            draft.give_up(seat)
        else:
            draft.add(ev.BotTookOver(seat, table.settings.stand_in, "clock"))


def _chat(draft: Draft, text: str, who: Who) -> None:
    table = draft.table
    seat = table.seat_of(who.identity)
    if seat is None and who.identity != table.owner:
        raise Rejected("forbidden", "only people who sit at the table can chat")
    if who.identity != table.owner and {None, seat} & table.muted:
        raise Rejected("forbidden", "the owner of this table has muted you")
    text = tidy(text)
    if not text:
        raise Rejected("syntax", "a message of '' says nothing; expected some text")
    if len(text) > LONGEST_CHAT:
        raise Rejected("limit", f"a message has at most {LONGEST_CHAT} characters, not {len(text)}")
    draft.add(ev.Chatted(who.identity, who.name, text, seat))
