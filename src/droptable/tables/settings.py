"""What the creator of a table chooses, and the checks of it."""

from __future__ import annotations

from collections.abc import Collection
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

ME, OPEN, HERE = "me", "open", "here"
BOTS = (*LEVELS, N_("greedy"), N_("random"))  # those with a short, bounded thinking time
LONGEST_TITLE = 60
LONGEST_NAME = 30
SHORTEST_CLOCK, LONGEST_CLOCK = 5, 30 * 86400  # seconds


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """Time per turn or for the whole match; at zero a bot plays on, or the seat resigns."""

    per: Literal["turn", "match"]
    seconds: int
    at_zero: Literal["bot", "resign"] = "bot"


RATED_CLOCK = Clock("turn", 86400, "resign")  # of a rated match where none was chosen


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table is created with. `seats` holds `me`, `open`, `here` (somebody else on this
    device) or a bot's name for each seat."""

    game: str
    players: int | None = None  # by default the number of `seats`, else the fewest
    options: dict[str, Any] = {}
    seats: tuple[str, ...] = ()  # by default the creator's, then open ones
    here: tuple[str, ...] = ()  # the names of those at the seats `here`, in their order
    shuffled: bool = False  # seats are shuffled when the match starts
    public: bool = False  # listed for everybody; else reached by its link only
    clock: Clock | None = None
    title: str = ""
    start_when_full: bool = True  # else the owner starts it, as always with teams
    stand_in: str = "normal"  # the bot that plays for absent people
    hints: bool | None = None  # whether people may ask for hints; None: if nobody else plays
    rated: bool | None = None  # whether it counts for ratings; None: if public, with a clock
    contribute: bool = False  # the creator adds randomness before it starts (docs/fairness.md)


def check(settings: Settings, own: Collection[str] = ()) -> Settings:
    """The settings with all defaults filled in; `Rejected` names the value that is wrong. `own` are
    the bots that the host brings: they sit at seats, but stand in for nobody."""
    try:
        chosen = game(settings.game)
        players = chosen.check_players(settings.players or len(settings.seats) or None)
        options = resolve(chosen.name, chosen.options, settings.options)
    except DroptableError as error:
        raise Rejected("syntax", str(error)) from error
    options = {k: list(v) if isinstance(v, tuple) else v for k, v in options.items()}  # as in JSON
    seats = _seats(settings.seats, players)
    for bot in sorted({*seats} - {ME, OPEN, HERE}):
        check_bot(bot, own)
    check_bot(settings.stand_in)
    here = _names(settings.here, seats.count(HERE))
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
    settings = replace(
        settings, players=players, options=options, seats=seats, here=here, title=title
    )
    return _with_rating(settings, own, options == _standard(chosen))


def _standard(chosen: Game) -> dict[str, Any]:
    """A game's options, as in JSON, where nobody has chosen any."""
    options = resolve(chosen.name, chosen.options, {})
    return {k: list(v) if isinstance(v, tuple) else v for k, v in options.items()}


def _with_rating(settings: Settings, own: Collection[str], standard: bool) -> Settings:
    """The settings with whether the match is rated, and its clock; `Rejected` if it cannot be."""
    refusal = ""
    if settings.players == 1:
        refusal = _("a match alone cannot be rated: there are high scores")
    elif not standard:
        refusal = _("a rated match has the standard options of its game")
    elif HERE in settings.seats:
        refusal = _("a match of people on one device cannot be rated")
    elif unrated := sorted({*settings.seats}.intersection(own)):
        refusal = unmeasured(unrated[0])
    elif settings.hints:
        refusal = _("there are no hints in a rated match")
    if settings.rated and refusal:
        raise Rejected("syntax", refusal)
    if settings.rated is None:
        agreed = settings.public and settings.clock is not None and not refusal
        return replace(settings, rated=agreed)
    if settings.rated and settings.clock is None:
        return replace(settings, clock=RATED_CLOCK)
    return settings


def check_bot(bot: str, own: Collection[str] = ()) -> str:
    """The bot's name, if it can be seated at tables: one of ours, or of the host's `own`."""
    if bot not in BOTS and bot not in own:
        message = _("there is no bot {bot} for tables; expected {known}")
        known = ", ".join((*BOTS, *own))
        raise Rejected("syntax", message.format(bot=f"{bot!r:.80}", known=known))
    return bot


def unmeasured(bot: str) -> str:
    """Why a match with a bot that the host brings is not rated."""
    return _("a match with {bot} cannot be rated: nobody has measured how strong it is").format(
        bot=bot
    )


def check_name(name: str) -> str:
    """A person's name as people will see it."""
    name = tidy(name)
    if not name:
        raise Rejected("syntax", _("Please enter a name."))
    if len(name) > LONGEST_NAME:
        message = ngettext(
            "Please enter a shorter name: at most {most} character, not {count}.",
            "Please enter a shorter name: at most {most} characters, not {count}.",
            LONGEST_NAME,
        )
        raise Rejected("syntax", message.format(most=LONGEST_NAME, count=len(name)))
    return name


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


def _names(names: tuple[str, ...], seats: int) -> tuple[str, ...]:
    """A name for everybody who plays on the creator's device."""
    if len(names) != seats:
        message = ngettext(
            "expected {seats} name in here, one for each seat that is here; not {count}: {names}",
            "expected {seats} names in here, one for each seat that is here; not {count}: {names}",
            seats,
        )
        raise Rejected("syntax", message.format(seats=seats, count=len(names), names=list(names)))
    return tuple(map(check_name, names))
