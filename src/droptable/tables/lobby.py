"""Before the match: a table is created, people and bots sit down, the match starts."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from droptable.core.fair import SECRET_BYTES
from droptable.core.language import _
from droptable.tables import commands as cmd
from droptable.tables import events as ev
from droptable.tables.draft import Draft
from droptable.tables.events import Identity
from droptable.tables.permissions import (
    Circumstances,
    Who,
    require_owner,
    require_seat,
    require_seated,
    require_waiting,
)
from droptable.tables.rejected import Rejected
from droptable.tables.settings import (
    HERE,
    ME,
    OPEN,
    Settings,
    check,
    check_bot,
    check_name,
    game_and_players,
    unmeasured,
)
from droptable.tables.table import Table


def create(
    settings: Settings,
    who: Who,
    around: Circumstances,
    *,
    reserved: tuple[tuple[Identity, ...], ...] = (),
    previous: str = "",
    characters: tuple[str, ...] = (),
    awaited: tuple[Identity, ...] = (),
    daily: str = "",
    secret: bytes = b"",
) -> Draft:
    """The first events of a table, whose id is `around.new_table`; a `daily` one has the secret of
    its day."""
    settings = check(settings, around.bots)
    game, _players = game_and_players(settings)
    draft = Draft(Table(around.new_table), around.now, around.chance, around.command)
    awaited = (who.identity,) if settings.contribute else awaited
    draft.add(
        ev.Created(
            around.new_table,
            game.version,
            replace(settings, here=()),  # names stand where somebody sits down
            who.identity,
            reserved,
            previous,
            awaited,
            daily,
        )
    )
    draft.add(ev.Sealed((secret or around.chance.randbytes(SECRET_BYTES)).hex()))
    names = iter(settings.here)
    for seat, taken in enumerate(settings.seats):
        if taken == ME:
            place = who.place_at(around.new_table)
            draft.add(ev.Joined(seat, who.identity, who.name, place=place))
        elif taken == HERE:
            draft.add(ev.Joined(seat, who.identity, next(names), here=True))
        elif taken != OPEN:
            kept = characters[seat] if characters else ""
            draft.add(ev.BotSeated(seat, taken, kept or draft.table.new_character()))
    start_if_full(draft)
    return draft


def rematch(table: Table, who: Who, around: Circumstances) -> Draft:
    """The first events of a rematch: the same people, each one seat further. It waits for those
    who contributed to the match before: they can only do so when they see its commitment."""
    rotated = [table.seats[-1], *table.seats[:-1]]
    mine = [who.identity in seat.people for seat in rotated]
    here = [seat.here == who.identity for seat in rotated]
    seats = [
        (HERE if other else ME) if own else seat.bot or OPEN
        for seat, own, other in zip(rotated, mine, here, strict=True)
    ]
    names = [seat.people[who.identity] for seat, other in zip(rotated, here, strict=True) if other]
    settings = Settings(
        game=table.settings.game, players=table.players, options=table.settings.options,
        seats=tuple(seats), here=tuple(names), public=table.settings.public,
        clock=table.settings.clock, title=table.settings.title,
        start_when_full=table.settings.start_when_full, stand_in=table.settings.stand_in,
        hints=table.settings.hints, rated=table.rated,
    )  # fmt: skip
    reserved = tuple(tuple(seat.people) for seat in rotated)
    characters = (table.faces[-1], *table.faces[:-1])
    awaited = () if table.sealed is None else tuple(table.sealed.given)
    return create(
        settings, who, around, reserved=reserved, previous=table.id, characters=characters,
        awaited=awaited,
    )  # fmt: skip


def seats_again(before: Table, who: Who) -> list[cmd.Join]:
    """How somebody sits down at the rematch of a table, with those on the same device."""
    joins = []
    for number in before.seats_of(who.identity):
        seat = before.seats[number]
        name = seat.people[who.identity] if seat.here == who.identity else None
        joins.append(cmd.Join((number + 1) % before.players, name=name))
    return joins


def is_seated(table: Table, wanted: cmd.Join, who: Who) -> bool:
    """Whether somebody sits already as a command wants it."""
    held = table.seats_of(who.identity)
    if wanted.name is not None:
        return wanted.seat in held
    return any(table.seats[seat].here != who.identity for seat in held)


def join(draft: Draft, command: cmd.Join, who: Who) -> None:
    """Take a seat: that one, or the first that is free. Who sits there already takes their new
    name, and may still contribute."""
    if command.name is not None:
        _join_here(draft, command, command.name, who)
        return
    table, wanted = draft.table, command.seat
    there = table.seat_of(who.identity)
    if there is not None and table.seats[there].here == who.identity:
        there = None  # only others play on this device so far
    contribution = (command.contribution or "").lower()
    held = table.seats_of(who.identity)
    if held and there is None and wanted is None:
        if contribution:
            _contribute(draft, held[0], contribution, who)
        return
    if there is not None and wanted in (None, there):
        before = table.seats[there].people[who.identity]
        if before != who.name and table.status in ("waiting", "playing"):
            draft.add(ev.Renamed(there, who.identity, who.name, before))
        if contribution:
            _contribute(draft, there, contribution, who)
        return
    require_waiting(table)
    seat = _free_seat(table, who) if wanted is None else require_seat(table, wanted)
    if not _may_sit(table, seat, who):
        message = _("{name} already sits there")
        if _reserved_for_others(table, seat, who):
            message = _("{name} is reserved for somebody else")
        raise Rejected("forbidden", message.format(name=table.names[seat]))
    if table.sealed is not None:
        contribution = table.sealed.given.get(who.identity, contribution)
    if there is not None:
        draft.add(ev.Left(there, who.identity, who.name))
    place = who.place_at(table.id)
    draft.add(ev.Joined(seat, who.identity, who.name, contribution, place))
    start_if_full(draft)


def _join_here(draft: Draft, command: cmd.Join, name: str, who: Who) -> None:
    """Seat somebody else on a person's own device, or give them another name."""
    table, name = draft.table, check_name(name)
    require_waiting(table)
    if table.rated:
        raise Rejected("illegal", _("a match of people on one device cannot be rated"))
    if table.settings.public:  # there strangers could take all seats
        require_owner(table, who, _("seat somebody else on their device at a public table"))
    seat = _free_seat(table, who) if command.seat is None else require_seat(table, command.seat)
    taken = table.seats[seat]
    if taken.here == who.identity:
        if taken.people[who.identity] != name:
            draft.add(ev.Renamed(seat, who.identity, name, taken.people[who.identity]))
        return
    if who.identity in taken.people or taken.here or not _may_sit(table, seat, who):
        message = _("{name} already sits there")
        raise Rejected("forbidden", message.format(name=table.names[seat]))
    draft.add(ev.Joined(seat, who.identity, name, here=True))
    start_if_full(draft)


def _contribute(draft: Draft, seat: int, contribution: str, who: Who) -> None:
    """Add randomness; what somebody has contributed before stays."""
    table = draft.table
    require_waiting(table)
    if table.sealed is not None and who.identity not in table.sealed.given:
        draft.add(ev.Contributed(seat, who.identity, contribution))
        start_if_full(draft)


def open_seats(table: Table, who: Who | None) -> list[int]:
    """The seats that somebody (who may have no name yet) can take."""
    if table.status != "waiting" or (who and table.seats_of(who.identity)):
        return []
    return _free_seats(table, who)


def _free_seats(table: Table, who: Who | None) -> list[int]:
    return [seat for seat in range(table.players) if _may_sit(table, seat, who)]


def _reserved_for_others(table: Table, seat: int, who: Who | None) -> bool:
    reserved = table.seats[seat].reserved
    return bool(reserved) and (who is None or who.identity not in reserved)


def _may_sit(table: Table, seat: int, who: Who | None) -> bool:
    if _reserved_for_others(table, seat, who) or table.seats[seat].bot:
        return False
    shared = table.game is not None and table.game.teams
    return shared or not table.seats[seat].people


def _free_seat(table: Table, who: Who) -> int:
    """The seat reserved for this person, else the first empty one, else one to share."""
    seats = _free_seats(table, who)
    if not seats:
        raise Rejected("illegal", _("there is no free seat at this table; you can watch"))
    mine = [s for s in seats if who.identity in table.seats[s].reserved]
    empty = [s for s in seats if not table.seats[s].people]
    fewest = min(seats, key=lambda s: len(table.seats[s].people))
    return (mine + empty or [fewest])[0]


def start_if_full(draft: Draft) -> None:
    """Start the match when nobody else can join, and everybody has contributed who wanted to."""
    table = draft.table
    assert table.game is not None
    people = sum(len(seat.people) for seat in table.seats)
    if table.game.teams and people > 1:
        return  # others may share a seat: the owner decides when everybody is there
    if table.settings.start_when_full and table.full and not table.awaited:
        draft.start()


def leave(draft: Draft, command: cmd.Leave, who: Who) -> None:
    """Leave a seat, with those on the same device; before the start, an owner hands the table on,
    or closes it."""
    table = draft.table
    seat = require_seated(table, who)
    held = table.seats_of(who.identity)
    if command.seat is not None:
        if command.seat not in held:
            raise Rejected("forbidden", _("you do not hold seat {seat}").format(seat=command.seat))
        seat = command.seat
    if table.status != "waiting" and len(table.seats[seat].people) == 1:
        if table.status == "over":
            return
        raise Rejected("illegal", _("the match has started: resign, or let a bot play for you"))
    going = [seat] if command.seat is not None or table.status != "waiting" else held
    for left in going:
        draft.add(ev.Left(left, who.identity, table.seats[left].people[who.identity]))
    if table.seats_of(who.identity):
        return
    if table.status == "waiting" and who.identity == table.owner:
        heirs = [identity for seat in table.seats for identity in seat.people]
        draft.add(ev.OwnerChanged(heirs[0]) if heirs else ev.Closed())


def add_bot(draft: Draft, seat: int, bot: str, who: Who, own: Collection[str] = ()) -> None:
    """Seat a bot, one of ours or of the host's `own`, at an open seat."""
    table = draft.table
    require_owner(table, who, _("seat bots"))
    require_waiting(table)
    if table.seats[require_seat(table, seat)].taken:
        raise Rejected("illegal", _("{name} already sits there").format(name=table.names[seat]))
    if check_bot(bot, own) in own and table.rated:
        raise Rejected("illegal", unmeasured(bot))
    draft.add(ev.BotSeated(seat, bot, table.new_character()))
    start_if_full(draft)


def remove_bot(draft: Draft, seat: int, who: Who) -> None:
    """Remove a bot, which opens its seat again."""
    table = draft.table
    require_owner(table, who, _("remove bots"))
    require_waiting(table)
    if not table.seats[require_seat(table, seat)].bot:
        message = _("there is no bot to remove at this seat: {name}")
        raise Rejected("illegal", message.format(name=table.names[seat]))
    draft.add(ev.SeatOpened(seat, table.seats[seat].character))


def start(draft: Draft, who: Who) -> None:
    """Start the match when all seats are taken."""
    table = draft.table
    require_owner(table, who, _("start the match"))
    require_waiting(table)
    if not table.full:
        free = [name for name, seat in zip(table.names, table.seats, strict=True) if not seat.taken]
        message = _("the match cannot start: nobody sits at {seats} yet")
        raise Rejected("illegal", message.format(seats=", ".join(free)))
    draft.start()
