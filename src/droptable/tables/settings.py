"""What the creator of a table chooses, and the checks of it."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from droptable.bots.levels import LEVELS
from droptable.core.errors import DroptableError
from droptable.core.game import Game
from droptable.core.language import N_, _, ngettext
from droptable.core.options import resolve
from droptable.games import game
from droptable.tables.rejected import Rejected

ME, OPEN = "me", "open"
BOTS = (*LEVELS, N_("greedy"), N_("random"))  # those with a short, bounded thinking time
LONGEST_TITLE = 60
SHORTEST_CLOCK, LONGEST_CLOCK = 5, 30 * 86400  # seconds


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """Time per turn or for the whole match; at zero a bot plays on, or the seat resigns."""

    per: Literal["turn", "match"]
    seconds: int
    at_zero: Literal["bot", "resign"] = "bot"


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table is created with. `seats` holds `me`, `open` or a bot's name for each seat."""

    game: str
    players: int | None = None  # by default the number of `seats`, else the fewest
    options: dict[str, Any] = {}
    seats: tuple[str, ...] = ()  # by default the creator's, then open ones
    shuffled: bool = False  # seats are shuffled when the match starts
    public: bool = False  # listed for everybody; else reached by its link only
    clock: Clock | None = None
    title: str = ""
    start_when_full: bool = True  # else the owner starts it, as always with teams
    stand_in: str = "normal"  # the bot that plays for absent people
    hints: bool | None = None  # whether people may ask for hints; None: if nobody else plays


def check(settings: Settings) -> Settings:
    """The settings with all defaults filled in; `Rejected` names the value that is wrong."""
    try:
        chosen = game(settings.game)
        players = chosen.check_players(settings.players or len(settings.seats) or None)
        options = resolve(chosen.name, chosen.options, settings.options)
    except DroptableError as error:
        raise Rejected("syntax", str(error)) from error
    options = {k: list(v) if isinstance(v, tuple) else v for k, v in options.items()}  # as in JSON
    seats = _seats(settings.seats, players)
    for bot in {*seats, settings.stand_in} - {ME, OPEN}:
        check_bot(bot)
    clock = settings.clock
    if clock is not None and not SHORTEST_CLOCK <= clock.seconds <= LONGEST_CLOCK:
        message = ngettext(
            "a clock of {seconds} second is not possible; expected {low} to {high}",
            "a clock of {seconds} seconds is not possible; expected {low} to {high}",
            clock.seconds,
        )
        message = message.format(seconds=clock.seconds, low=SHORTEST_CLOCK, high=LONGEST_CLOCK)
        raise Rejected("syntax", message)
    title = tidy(settings.title)
    if len(title) > LONGEST_TITLE:
        message = ngettext(
            "a title has at most {most} character, not {count}",
            "a title has at most {most} characters, not {count}",
            LONGEST_TITLE,
        )
        raise Rejected("limit", message.format(most=LONGEST_TITLE, count=len(title)))
    return replace(settings, players=players, options=options, seats=seats, title=title)


def check_bot(bot: str) -> str:
    """The bot's name, if it can be seated at tables."""
    if bot not in BOTS:
        message = _("there is no bot {bot} for tables; expected {known}")
        raise Rejected("syntax", message.format(bot=repr(bot), known=", ".join(BOTS)))
    return bot


def game_and_players(settings: Settings) -> tuple[Game, int]:
    """The game and the player count of checked settings."""
    assert settings.players is not None
    return game(settings.game), settings.players


def tidy(text: str) -> str:
    """One line of printable text."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _seats(seats: tuple[str, ...], players: int) -> tuple[str, ...]:
    if not seats:
        return (ME, *[OPEN] * (players - 1))
    if len(seats) != players:
        message = ngettext(
            "expected {players} seat, not {count}: {seats}",
            "expected {players} seats, not {count}: {seats}",
            players,
        )
        raise Rejected(
            "syntax", message.format(count=len(seats), players=players, seats=list(seats))
        )
    if seats.count(ME) > 1:
        message = _("you can take only one seat, not {count}")
        raise Rejected("syntax", message.format(count=seats.count(ME)))
    return seats
