"""What a notice says, in its reader's language. Nothing in it is secret to that reader."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from droptable.core.errors import UnknownGame
from droptable.core.language import _, ngettext, speaking
from droptable.games import game
from droptable.notices.what import Standing, id_of
from droptable.tables.calls import Call

MOST_LINES = 8  # of a digest; the rest is counted


class Part(Struct, frozen=True):
    """One thing to tell."""

    id: str
    kind: str
    title: str
    text: str
    url: str


class Message(Struct, frozen=True):
    """What is sent: one thing, or a digest with its parts. `at` is when it happened."""

    id: str
    kind: str
    title: str
    text: str
    url: str
    at: float
    language: str
    parts: tuple[Part, ...] = ()


def part_of(call: Call, standing: Standing | None, site: str) -> Part:
    """A notice in words, in the language spoken now."""
    body = msgspec.json.decode(call.body)
    url = f"{site}/t/{call.table}" if call.table else f"{site}{body.get('path', '/')}"
    if call.kind == "daily":
        text = _("The same deal for everybody, one try each.")
        return Part(call.id, call.kind, _("Today's deal is there"), text, url)
    if standing is None:
        text = _("This is what a notice looks like.")
        return Part(call.id, call.kind, _("Droptable can reach you"), text, url)
    name = _game_title(standing.game)
    where = f"{name}: {standing.title}" if standing.title else name
    title, text = _sentences(call, standing, body, where)
    return Part(call.id, call.kind, title, text, url)


def _sentences(call: Call, standing: Standing, body: dict[str, str], where: str) -> tuple[str, str]:
    others = [name for seat, name in enumerate(standing.names) if seat != standing.seat]
    company = _("{game}, with {names}").format(game=where, names=", ".join(others))
    company = company if others else where
    match call.kind:
        case "turn":
            return _("Your turn"), company
        case "reminder":
            return _("Your time is running out"), company
        case "invitation":
            name = body.get("name", "")
            if body.get("by") == "hand":
                return _("{name} invites you").format(name=name), where
            title = _("{name} wants a rematch") if name else _("A seat is reserved for you")
            return title.format(name=name), where
    return _("The match is over"), f"{where}: {_result(standing)}"


def _result(standing: Standing) -> str:
    if standing.winners == (standing.seat,):
        return _("you win!")
    winners = ", ".join(standing.names[seat] for seat in standing.winners)
    if standing.seat in standing.winners:
        return _("you share the victory ({names})").format(names=winners)
    if not winners:
        return _("nobody wins")
    return ngettext("{names} wins", "{names} win", len(standing.winners)).format(names=winners)


def message_of(parts: Sequence[tuple[Call, Part]], site: str, language: str) -> Message:
    """What is sent to one person now: several things make a digest."""
    at = max(call.at for call, _part in parts)
    if len(parts) == 1:
        part = parts[0][1]
        return Message(part.id, part.kind, part.title, part.text, part.url, at, language)
    with speaking(language):
        count = len(parts)
        title = ngettext("{count} thing waits for you", "{count} things wait for you", count)
        lines = [f"{part.title}: {part.text}" for _call, part in parts[:MOST_LINES]]
        if count > MOST_LINES:
            lines.append(_("… and {count} more").format(count=count - MOST_LINES))
    id_ = id_of("digest", *sorted(part.id for _call, part in parts))
    return Message(
        id_, "digest", title.format(count=count), "\n".join(lines), f"{site}/", at, language,
        tuple(part for _call, part in parts),
    )  # fmt: skip


def confirmation(id_: str, url: str, name: str, at: float, language: str) -> Message:
    """The mail that asks whether an address is right."""
    with speaking(language):
        title = _("Confirm your address for Droptable")
        text = _(
            "{name} wants to be called back at this address. If that is you, open the link; "
            "otherwise do nothing, and you will get no further e-mail."
        ).format(name=name)
    return Message(id_, "confirm", title, text, url, at, language)


def _game_title(name: str) -> str:
    try:
        return game(name).title
    except UnknownGame:
        return name
