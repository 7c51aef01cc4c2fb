"""A table: the fold over its events. The same events always make the same table."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from droptable.bots.characters import character_for
from droptable.core import fair
from droptable.core.contract import DEALER
from droptable.core.errors import UnknownGame
from droptable.core.game import Game
from droptable.core.language import _, spoken
from droptable.core.state import Event, State
from droptable.games import game
from droptable.tables import events as ev
from droptable.tables.clocks import Clocks
from droptable.tables.entries import Entry
from droptable.tables.events import Identity, Line
from droptable.tables.ledger import Ledger
from droptable.tables.obeyed import Obeyed
from droptable.tables.sealed import Sealed
from droptable.tables.seat import Help, Seat
from droptable.tables.secrecy import may_move_unseen
from droptable.tables.settings import Settings, game_and_players

Status = Literal["waiting", "playing", "over", "closed"]
_TELLTALES = (ev.TimedOut, ev.Resigned, ev.BotTookOver, ev.Returned, ev.Hinted)


@dataclass(frozen=True)
class UndoRequest:
    """A seat asks to go back to the first `to` moves; these seats have not answered yet."""

    seat: int
    to: int
    waiting: frozenset[int]


class Table:
    """A table after some of its events. Only the fold calls `apply`; everybody else reads."""

    def __init__(self, id_: str) -> None:
        self.id = id_
        self.seq = 0  # events so far; never sent to a client
        self.status: Status = "waiting"
        self.settings = Settings("")
        self.owner: Identity = ""
        self.seats: list[Seat] = []
        self.game: Game | None = None
        self._rules = 0  # version of the game's rules
        self._awaited: frozenset[Identity] = frozenset()
        self.state: State | None = None
        self.events = 0  # of the match, without those that were undone
        self.dealt = 0  # how many of them are the dealer's
        self.sealed: Sealed | None = None  # older tables have none
        self.ledgers: dict[int | None, Ledger] = {None: Ledger(None)}
        self.undo: UndoRequest | None = None
        self.muted: frozenset[int | None] = frozenset()  # seats; None: all
        self.winners: tuple[int, ...] = ()
        self.how: Literal["", "played", "resigned"] = ""
        self.daily = ""  # the day whose deal is played here
        self.previous = ""  # the table before this one, and the one after it
        self.next = ""
        self.places: dict[Identity, str] = {}  # from where people came, as far as that is known
        self.finished = 0.0  # when the match ended
        self.created = self.updated = 0.0  # updated: when a spectator last noticed something
        self.chats = 0  # messages so far
        self.rewritten = 0  # the number of the event after which earlier ones were others
        self.at = 0.0  # the time of the last event, noticed or not
        self.commands = Obeyed()
        # What follows from all this and is asked for again and again, until something but a move
        # happens: names of the seats by language, who holds which, what `viewer` makes of it.
        self._named: dict[str, list[str]] = {}
        self._held: tuple[list[Seat], dict[Identity, list[int]]] = ([], {})
        self.surroundings: dict[Any, dict[str, Any]] = {}
        self.columns: dict[str, Any] = {}  # its row in lists as of now, once that was asked for

    def fork(self) -> Table:
        """An independent copy, to fold further events into."""
        twin = object.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin.state = self.state and self.state.copy()
        twin.ledgers = {viewer: ledger.copy() for viewer, ledger in self.ledgers.items()}
        twin.commands = self.commands.copy()
        twin.columns = {}
        return twin

    # -- reading ----------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        return len(self.seats)

    def seat_of(self, identity: Identity) -> int | None:
        """The seat where somebody sits; of several on one device their own."""
        held = self.seats_of(identity)
        own = (seat for seat in held if self.seats[seat].here != identity)
        return next(own, held[0] if held else None)

    def seats_of(self, identity: Identity) -> list[int]:
        """All seats that somebody holds: several, where people play on one device."""
        if self._held[0] is not self.seats:
            held: dict[Identity, list[int]] = {}
            for number, seat in enumerate(self.seats):
                for one in seat.people:
                    held.setdefault(one, []).append(number)
            self._held = self.seats, held
        return self._held[1].get(identity, [])

    def shown_seat(self, identity: Identity, chosen: int | None = None) -> int | None:
        """The seat as which somebody sees the match. Who holds several sees as a spectator until
        one of them is chosen: nobody else at the device is to look into a hand."""
        held = self.seats_of(identity)
        if len(held) <= 1:
            return held[0] if held else None
        if self.status != "waiting":
            return chosen if chosen in held else None
        return self.seat_of(identity)

    def known_seat(self, viewer: int | None, seat: int) -> Seat:
        """A seat as a viewer may know it: without a time-out that is secret, and what followed."""
        return self.ledgers[viewer].outdated.get(seat, self.seats[seat])

    @property
    def frozen(self) -> str:
        """Why this program cannot continue the match; empty if it can."""
        if not self.seats:  # nothing has happened yet
            return ""
        if self.game is None:
            message = _("this table cannot be played here: there is no game {name}")
            return message.format(name=repr(self.settings.game))
        if self.game.version == self._rules:
            return ""
        message = _(
            "this table is played by version {version} of the rules of {game}; "
            "this program has version {own}"
        )
        return message.format(version=self._rules, game=self.game.title, own=self.game.version)

    @property
    def names(self) -> list[str]:
        """What the seats are called, in the current language: no name occurs twice."""
        language = spoken()
        if language not in self._named:
            plain = [self._name(seat) for seat in range(self.players)]
            self._named[language] = [
                name if plain.count(name) == 1 else f"{name} ({seat + 1})"
                for seat, name in enumerate(plain)
            ]
        return self._named[language]

    def _name(self, seat: int) -> str:
        taken = self.seats[seat]
        if taken.people:
            return " & ".join(taken.people.values())
        if taken.bot:
            return taken.character
        return _("Seat {number}").format(number=seat + 1)

    @property
    def faces(self) -> list[str]:
        """The characters of the seats' bots; empty for people."""
        return [seat.character if seat.bot else "" for seat in self.seats]

    def new_character(self) -> str:
        """A character for the next bot, whose name nobody at the table has."""
        people = [name for seat in self.seats for name in seat.people.values()]
        return character_for(self.id, [*people, *self.faces])

    @property
    def full(self) -> bool:
        return all(seat.taken for seat in self.seats)

    @property
    def awaited(self) -> list[int]:
        """The seats whose people have still to contribute before the match starts by itself."""
        waits = self.sealed is not None and self.status == "waiting"
        return self.sealed.awaited(self.seats) if self.sealed and waits else []

    @property
    def hints(self) -> bool:
        """Whether people may ask for hints: as the owner chose, else if nobody else plays."""
        if self.daily or self.rated:
            return False
        if self.settings.hints is not None:
            return self.settings.hints
        return sum(not seat.bot for seat in self.seats) <= 1

    @property
    def rated(self) -> bool:
        """Whether the result counts for the ratings of those who play (see `ratings`)."""
        return bool(self.settings.rated)

    @property
    def among_people(self) -> bool:
        """Whether people sit at several seats, or may still take them."""
        free = self.status == "waiting"
        return sum(bool(seat.people) or (free and not seat.bot) for seat in self.seats) > 1

    @property
    def bots_seed(self) -> bytes:
        """What the bots' choices follow from where everybody plays the same match; else empty."""
        if not self.daily or self.sealed is None:
            return b""
        return fair.seed(self.sealed.secret, [b"daily bots"])

    @property
    def has_high_scores(self) -> bool:
        """Whether the score of this match could be among the best of a solo game."""
        return self.players == 1 and self.game is not None and bool(self.game.printed_scores)

    @property
    def bots_to_act(self) -> list[int]:
        """The seats for which a bot has to move now."""
        if self.status != "playing" or self.state is None:
            return []
        return [s for s in self.state.to_act if s >= 0 and self.seats[s].played_by]

    def timeout_at(self, seat: int) -> float | None:
        """When a seat's time is up, if its clock runs."""
        clocks = self.ledgers[seat].clocks
        return None if clocks is None else clocks.timeout_at(seat)

    @property
    def next_timeout(self) -> float | None:
        """When the first running clock reaches zero."""
        if self.status != "playing" or self.settings.clock is None:
            return None
        zeros = [self.timeout_at(seat) for seat in range(self.players)]
        return min((zero for zero in zeros if zero is not None), default=None)

    # -- the fold ---------------------------------------------------------------------------------

    def apply(self, line: Line) -> None:
        """Fold the next event."""
        assert line.seq == self.seq + 1, f"event {line.seq} after {self.seq}"
        self.seq = line.seq
        self.at = line.at
        self.columns = {}
        if line.command:
            self.commands.add(line.command)
        noticed = self.ledgers[None].seq
        match line.event:
            case ev.Moved() as moved:
                self._move(moved, line.at)
            case ev.TakenBack() as undone:
                self._undo(undone, line.at)
            case ev.Sealed() as event:
                self.sealed = Sealed.of(event.secret, self._awaited)
                self._forget_derived()
            case event:
                self._announce(event, line.at)
        self._release_withheld(line.at)
        resume = isinstance(line.event, ev.TakenBack)
        self._run_clocks(line.at, resume=resume)
        if self.ledgers[None].seq > noticed:
            self.updated = line.at

    def _announce(self, event: ev.Event, at: float) -> None:
        """Fold an event that everybody learns of, if not at once."""
        unaware = self._unaware(event)
        if isinstance(event, _TELLTALES):
            for ledger in unaware:
                ledger.outdated.setdefault(event.seat, self.seats[event.seat].copy())
        self.seats = [seat.copy() for seat in self.seats]  # forks share them until now
        self._forget_derived()
        self._change(event, at)
        self._forget_derived()
        entry = Entry(at, event)
        for ledger in self.ledgers.values():
            if ledger in unaware and not _fits_outdated(event, ledger):
                ledger.withhold(entry)
            else:
                ledger.note(entry)

    def _forget_derived(self) -> None:
        self._named, self._held, self.surroundings = {}, ([], {}), {}

    def _unaware(self, event: ev.Event) -> list[Ledger]:
        """The ledgers of those who may not know yet that a clock ran out, and what followed, or
        that a hint was given: it would reveal that the seat, whose moves they cannot see now, had
        not finished."""
        if self.state is None or not isinstance(event, _TELLTALES):
            return []
        seat = event.seat
        if not (isinstance(event, ev.TimedOut | ev.Hinted) or self.seats[seat].timed_out):
            return [ledger for ledger in self.ledgers.values() if seat in ledger.outdated]
        return [
            ledger
            for ledger in self.ledgers.values()
            if seat in ledger.outdated or (ledger.view and may_move_unseen(ledger.view, seat))
        ]

    def _release_withheld(self, at: float) -> None:
        """Release withheld entries as soon as the viewer can see what those seats have done."""
        for ledger in self.ledgers.values():
            if ledger.withheld and (
                self.status != "playing" or ledger.view is None
                or not all(may_move_unseen(ledger.view, seat) for seat in ledger.outdated)
            ):  # fmt: skip
                ledger.release(at)

    def _change(self, event: ev.Event, at: float) -> None:
        """Fold an event that is not part of the match."""
        match event:
            case ev.Created():
                self._create(event, at)
            case ev.Joined():
                self.seats[event.seat].people[event.identity] = event.name
                if event.here:
                    self.seats[event.seat].here = event.identity
                self.places = self.places | {event.identity: event.place}
                self._contribute(event)
            case ev.Contributed():
                self._contribute(event)
            case ev.Left():
                del self.seats[event.seat].people[event.identity]
                if self.seats[event.seat].here == event.identity:
                    self.seats[event.seat].here = ""
                gone = not self.seats_of(event.identity)
                if gone and self.sealed is not None and self.status == "waiting":
                    self.sealed = self.sealed.without(event.identity)
            case ev.Renamed():
                self.seats[event.seat].people[event.identity] = event.name
            case ev.BotSeated():
                character = event.character or self.new_character()
                self.seats[event.seat].bot = event.bot
                self.seats[event.seat].character = character
            case ev.SeatOpened():
                self.seats[event.seat].bot = ""
            case ev.OwnerChanged():
                self.owner = event.identity
            case ev.Closed():
                self.status = "closed"
            case ev.Started():
                self._start(event)
            case ev.UndoAsked():
                asked = {*self.voters} - {event.seat, *self.seats_of(event.identity)}
                self.undo = UndoRequest(event.seat, event.to, frozenset(asked))
            case ev.UndoAnswered():
                self._answer_undo(event)
            case ev.Muted():
                self.muted = self.muted | {event.seat} if event.on else self.muted - {event.seat}
            case ev.Resigned():
                self.seats[event.seat].resigned = True
            case ev.TimedOut():
                self.seats[event.seat].timed_out = True
            case ev.Chatted():
                self.chats += 1
            case ev.ClocksHeld():
                for ledger in self.ledgers.values():
                    if ledger.clocks is not None:
                        ledger.clocks.hold(event.seconds, at)
            case ev.BotTookOver():
                self.seats[event.seat].stand_in = event.bot
            case ev.Returned():
                self.seats[event.seat].stand_in = ""
                self.seats[event.seat].timed_out = False
            case ev.Hinted():
                self._help(event.seat, "hint")
            case ev.Finished():
                self.status, self.winners, self.how = "over", event.winners, event.how
                self.finished = at
                self.undo = None
            case ev.Rematched():
                self.next = event.table
            case ev.Forgotten() | ev.Moderated():
                self.rewritten = self.seq

    def _create(self, event: ev.Created, at: float) -> None:
        self.settings = event.settings
        self.owner = event.owner
        self.previous = event.previous
        self.daily = event.daily
        self.created = at
        players = len(event.settings.seats)
        self.seats = [Seat() for _seat in range(players)]
        for seat, people in zip(self.seats, event.reserved, strict=False):
            seat.reserved = people
        self.ledgers |= {seat: Ledger(seat) for seat in range(players)}
        with suppress(UnknownGame):
            self.game = game(event.settings.game)
        self._rules = event.rules
        self._awaited = frozenset(event.awaited)

    def _contribute(self, event: ev.Joined | ev.Contributed) -> None:
        if self.sealed is not None and event.contribution:
            self.sealed = self.sealed.with_contribution(event.identity, event.contribution)

    def _start(self, event: ev.Started) -> None:
        self.status = "playing"
        self.seats = [self.seats[place] for place in event.order]
        if self.sealed is not None:
            order = event.order if self.settings.shuffled else None
            self.sealed = self.sealed.started(self.seats, order)
        if self.frozen:
            return
        game_, players = game_and_players(self.settings)
        self.state = game_.start(players, **self.settings.options)
        for viewer, ledger in self.ledgers.items():
            ledger.update_view(self.state.view(viewer))
            ledger.match_seq = ledger.seq + 1  # this very event
            if self.settings.clock is not None:
                ledger.clocks = Clocks.new(self.settings.clock, players)

    def _move(self, moved: ev.Moved, at: float) -> None:
        if self.state is None:
            return
        if moved.actor >= 0 and moved.by in ("bot", "stopgap"):
            self._help(moved.actor, "bot")
        number, self.events = self.events, self.events + 1
        self.dealt += moved.actor == DEALER
        witnesses = self.state.witnesses(moved.actor, moved.token)
        self.state.apply(moved.actor, moved.token)
        entry = None
        for viewer, ledger in self.ledgers.items():
            view = self.state.view(viewer)
            entry = ledger.add_match_event(number, moved, at, view, witnesses, entry) or entry

    def _help(self, seat: int, help_: Help) -> None:
        """Remember what a seat's people were helped by; bots are as they are."""
        if not self.seats[seat].bot and help_ not in self.seats[seat].assisted:
            self.seats = [other.copy() for other in self.seats]
            self.seats[seat].assisted |= {help_}

    def _undo(self, undone: ev.TakenBack, at: float) -> None:
        if self.state is None:
            return
        events = self.state.events
        kept = _renumbered(events, undone)
        if self.undo is not None and any(actor != undone.seat for actor, _t in events[undone.to :]):
            self._help(undone.seat, "undo")
        self.state = self.state.record.state_at(undone.to)
        for actor, token in undone.kept:
            self.state.apply(actor, token)
        self.events = undone.to + len(undone.kept)
        self.dealt = sum(actor == DEALER for actor, _token in self.state.events)
        self.undo = None
        entry = None
        for viewer, ledger in self.ledgers.items():
            ledger.rewind(undone.to, kept)
            view = self.state.view(viewer)
            entry = ledger.add_match_event(None, undone, at, view, (), entry) or entry

    @property
    def voters(self) -> list[int]:
        """The seats that vote on an undo: people who still play, in person."""
        return [
            s
            for s, seat in enumerate(self.seats)
            if seat.people and not seat.played_by and not seat.resigned
        ]

    def _answer_undo(self, event: ev.UndoAnswered) -> None:
        if self.undo is None:
            return
        if not event.agree:
            self.undo = None
            return
        left = self.undo.waiting.difference(self.seats_of(event.identity))
        self.undo = UndoRequest(self.undo.seat, self.undo.to, left)

    def _run_clocks(self, at: float, *, resume: bool) -> None:
        """Run the clocks of all people whose turn it is, as each viewer knows it."""
        if self.settings.clock is None or self.state is None:
            return
        for ledger in self.ledgers.values():
            assert ledger.clocks is not None
            known = [self.known_seat(ledger.viewer, s) for s in range(self.players)]
            assert ledger.view is not None
            acting = ledger.view.to_act if self.status == "playing" else ()
            running = {s for s in acting if s >= 0 and not known[s].played_by}
            ledger.clocks.run(running, at, resume=resume)
        for ledger in self.ledgers.values():
            self._learn_clocks(ledger)

    def _learn_clocks(self, ledger: Ledger) -> None:
        """Show how much time a seat has used once its viewer knows that the seat is done."""
        assert ledger.clocks is not None
        for seat, since in enumerate(ledger.clocks.since):
            true = self.ledgers[seat].clocks
            if since is None and seat != ledger.viewer and true is not None:
                ledger.clocks.left[seat] = true.left[seat]


def _fits_outdated(event: ev.Event, ledger: Ledger) -> bool:
    """Whether an event happens also to the seat as the viewer knows it; it is then folded there.

    People may let a bot play for somebody whose time is up in secret, and that person may return:
    it looks just as if the time were not up.
    """
    if isinstance(event, ev.BotTookOver) and event.why == "absent":
        stand_in = event.bot
    elif isinstance(event, ev.Returned) and ledger.outdated[event.seat].stand_in:
        stand_in = ""
    else:
        return False
    seat = ledger.outdated[event.seat] = ledger.outdated[event.seat].copy()
    seat.stand_in = stand_in
    return True


def _renumbered(events: Sequence[Event], undone: ev.TakenBack) -> dict[int, int]:
    """The numbers of the events that an undo keeps, and those they get."""
    left, numbers = list(undone.kept), dict[int, int]()
    for number in range(undone.to, len(events)):
        if left and events[number] == left[0]:
            numbers[number] = undone.to + len(numbers)
            del left[0]
    return numbers


def fold(id_: str, lines: Sequence[Line]) -> Table:
    """The table after these events."""
    table = Table(id_)
    for line in lines:
        table.apply(line)
    return table
