"""What the creator of a table chooses, and whether it makes sense."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from droptable.bots.levels import LEVELS
from droptable.core.errors import DroptableError
from droptable.core.game import Game
from droptable.core.options import resolve
from droptable.games import game
from droptable.tables.rejected import Rejected

ME, OPEN = "me", "open"
BOTS = (*LEVELS, "greedy", "random")  # those that think for a known, short time
LONGEST_TITLE = 60
SHORTEST_CLOCK, LONGEST_CLOCK = 5, 30 * 86400  # seconds


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """Time for each turn or for the whole match; at zero a bot plays on, or the seat resigns."""

    per: Literal["turn", "match"]
    seconds: int
    at_zero: Literal["bot", "resign"] = "bot"


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table is created with. `seats` has for each seat `me`, `open` or a bot's name."""

    game: str
    players: int | None = None  # as many as `seats` has, or the fewest
    options: dict[str, Any] = {}
    seats: tuple[str, ...] = ()  # by default the creator, then open ones
    shuffled: bool = False  # seats are drawn when the match starts
    public: bool = False  # listed for everybody; else only who has the link finds it
    clock: Clock | None = None
    title: str = ""
    start_when_full: bool = True  # else the owner starts; teams always wait for the owner
    stand_in: str = "normal"  # the bot that plays for absent people


def check(settings: Settings) -> Settings:
    """The settings with all defaults filled in; `Rejected` names a value that is not possible."""
    try:
        found = game(settings.game)
        players = found.check_players(settings.players or len(settings.seats) or None)
        options = resolve(found.name, found.options, settings.options)
    except DroptableError as error:
        raise Rejected("syntax", str(error)) from error
    options = {k: list(v) if isinstance(v, tuple) else v for k, v in options.items()}  # as in JSON
    seats = _seats(settings.seats, players)
    for bot in {*seats, settings.stand_in} - {ME, OPEN}:
        check_bot(bot)
    clock = settings.clock
    if clock is not None and not SHORTEST_CLOCK <= clock.seconds <= LONGEST_CLOCK:
        raise Rejected(
            "syntax",
            f"a clock of {clock.seconds} seconds is not possible; expected "
            f"{SHORTEST_CLOCK} to {LONGEST_CLOCK}",
        )
    title = tidy(settings.title)
    if len(title) > LONGEST_TITLE:
        raise Rejected("limit", f"a title has at most {LONGEST_TITLE} characters, not {len(title)}")
    return replace(settings, players=players, options=options, seats=seats, title=title)


def check_bot(bot: str) -> str:
    """The bot's name, if it may sit at a table."""
    if bot not in BOTS:
        raise Rejected("syntax", f"there is no bot {bot!r} for tables; expected {', '.join(BOTS)}")
    return bot


def start_of(settings: Settings) -> tuple[Game, int]:
    """The game and the player count of settings that were checked."""
    assert settings.players is not None
    return game(settings.game), settings.players


def tidy(text: str) -> str:
    """One line of printable text."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _seats(seats: tuple[str, ...], players: int) -> tuple[str, ...]:
    if not seats:
        return (ME, *[OPEN] * (players - 1))
    if len(seats) != players:
        raise Rejected("syntax", f"{len(seats)} seats for {players} players: {list(seats)!r}")
    if seats.count(ME) > 1:
        raise Rejected("syntax", f"you can sit at one seat only, not {seats.count(ME)}")
    return seats
