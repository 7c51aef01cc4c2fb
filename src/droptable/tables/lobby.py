"""Before the match: a table is created, people and bots sit down, the match starts."""

from __future__ import annotations

from droptable.core.language import _
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
from droptable.tables.settings import ME, OPEN, Settings, check, check_bot, game_and_players
from droptable.tables.table import Table


def create(
    settings: Settings,
    who: Who,
    around: Circumstances,
    *,
    reserved: tuple[tuple[Identity, ...], ...] = (),
    previous: str = "",
    characters: tuple[str, ...] = (),
) -> Draft:
    """The first events of a table, whose id is `around.new_table`."""
    settings = check(settings)
    game, _players = game_and_players(settings)
    draft = Draft(Table(around.new_table), around.now, around.chance, around.command)
    draft.add(
        ev.Created(around.new_table, game.version, settings, who.identity, reserved, previous)
    )
    for seat, taken in enumerate(settings.seats):
        if taken == ME:
            draft.add(ev.Joined(seat, who.identity, who.name))
        elif taken != OPEN:
            kept = characters[seat] if characters else ""
            draft.add(ev.BotSeated(seat, taken, kept or draft.table.new_character()))
    start_if_full(draft)
    return draft


def rematch(table: Table, who: Who, around: Circumstances) -> Draft:
    """The first events of a rematch: the same people, each one seat further."""
    before = [(s.bot or OPEN, tuple(s.people)) for s in table.seats]
    rotated = [before[-1], *before[:-1]]
    seats = [ME if who.identity in people else bot for bot, people in rotated]
    settings = Settings(
        game=table.settings.game, players=table.players, options=table.settings.options,
        seats=tuple(seats), public=table.settings.public, clock=table.settings.clock,
        title=table.settings.title, start_when_full=table.settings.start_when_full,
        stand_in=table.settings.stand_in, hints=table.settings.hints,
    )  # fmt: skip
    reserved = tuple(people for _bot, people in rotated)
    characters = (table.faces[-1], *table.faces[:-1])
    return create(
        settings, who, around, reserved=reserved, previous=table.id, characters=characters
    )


def join(draft: Draft, wanted: int | None, who: Who) -> None:
    """Take a seat: that one, or the first that is free. Who sits there takes their new name."""
    table = draft.table
    there = table.seat_of(who.identity)
    if there is not None and wanted in (None, there):
        before = table.seats[there].people[who.identity]
        if before != who.name and table.status in ("waiting", "playing"):
            draft.add(ev.Renamed(there, who.identity, who.name, before))
        return
    require_waiting(table)
    seat = _free_seat(table, who) if wanted is None else require_seat(table, wanted)
    if not _may_sit(table, seat, who):
        message = _("{name} already sits there")
        if _reserved_for_others(table, seat, who):
            message = _("{name} is reserved for somebody else")
        raise Rejected("forbidden", message.format(name=table.names[seat]))
    if there is not None:
        draft.add(ev.Left(there, who.identity, who.name))
    draft.add(ev.Joined(seat, who.identity, who.name))
    start_if_full(draft)


def open_seats(table: Table, who: Who | None) -> list[int]:
    """The seats that somebody (who may have no name yet) can take."""
    if table.status != "waiting" or (who and table.seat_of(who.identity) is not None):
        return []
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
    seats = open_seats(table, who)
    if not seats:
        raise Rejected("illegal", _("there is no free seat at this table; you can watch"))
    mine = [s for s in seats if who.identity in table.seats[s].reserved]
    empty = [s for s in seats if not table.seats[s].people]
    fewest = min(seats, key=lambda s: len(table.seats[s].people))
    return (mine + empty or [fewest])[0]


def start_if_full(draft: Draft) -> None:
    """Start the match when nobody else can join."""
    table = draft.table
    assert table.game is not None
    people = sum(len(seat.people) for seat in table.seats)
    if table.game.teams and people > 1:
        return  # others may share a seat: the owner decides when everybody is there
    if table.settings.start_when_full and table.full:
        draft.start()


def leave(draft: Draft, who: Who) -> None:
    """Leave a seat; before the start, an owner hands the table on, or closes it."""
    table = draft.table
    seat = require_seated(table, who)
    if table.status != "waiting" and len(table.seats[seat].people) == 1:
        if table.status == "over":
            return
        raise Rejected("illegal", _("the match has started: resign, or let a bot play for you"))
    draft.add(ev.Left(seat, who.identity, who.name))
    if table.status == "waiting" and who.identity == table.owner:
        heirs = [identity for seat in table.seats for identity in seat.people]
        draft.add(ev.OwnerChanged(heirs[0]) if heirs else ev.Closed())


def add_bot(draft: Draft, seat: int, bot: str, who: Who) -> None:
    """Seat a bot at an open seat."""
    table = draft.table
    require_owner(table, who, _("seat bots"))
    require_waiting(table)
    if table.seats[require_seat(table, seat)].taken:
        raise Rejected("illegal", _("{name} already sits there").format(name=table.names[seat]))
    draft.add(ev.BotSeated(seat, check_bot(bot), table.new_character()))
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
