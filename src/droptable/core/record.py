"""Records: a match as its game, player count, options and events; JSON that people can read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from droptable.core.contract import DEALER
from droptable.core.errors import DroptableError, IllegalMove, RecordError
from droptable.core.fair import Fairness
from droptable.core.files import replace_text
from droptable.core.language import _, counted, ngettext
from droptable.core.options import resolve
from droptable.core.plain_variant import described, plain_variant

if TYPE_CHECKING:
    from droptable.core.game import Game
    from droptable.core.state import Event, State

FORMAT = 1  # of the file; the rules of a game have a version of their own


@dataclass(frozen=True)
class Record:
    """A match, finished or not. Replaying its events rebuilds every state of it.

    `info` is free text about the match (names, date) that does not affect it; `fairness` is what
    its cards and dice were drawn from, if a host published that.
    """

    game: Game
    players: int
    options: dict[str, Any]
    events: tuple[Event, ...]
    info: dict[str, str] = field(default_factory=dict)
    fairness: Fairness | None = None

    def __repr__(self) -> str:
        players = counted("{count} player", "{count} players", self.players)
        events = counted("{count} event", "{count} events", len(self.events))
        return f"<Record of {self.game.title}, {players}, {events}>"

    def states(self) -> Iterator[State]:
        """Every state from the start to the last, each one the caller's own.

        An event that breaks a rule raises `RecordError`, which names the event and the rule.
        """
        state = self.game.start(self.players, **self.options)
        yield state.copy()
        for number in range(len(self.events)):
            self._replay(state, number)
            yield state.copy()

    def state_at(self, number: int) -> State:
        """The state after that many events."""
        if not 0 <= number <= len(self.events):
            message = ngettext(
                "there is no state after {number} event; this match has {count}",
                "there is no state after {number} events; this match has {count}",
                number,
            )
            raise RecordError(message.format(number=number, count=len(self.events)))
        state = self.game.start(self.players, **self.options)
        for i in range(number):
            self._replay(state, i)
        return state

    @cached_property
    def final(self) -> State:
        """The last state."""
        return self.state_at(len(self.events))

    def _replay(self, state: State, number: int) -> None:
        actor, token = self.events[number]
        try:
            state.apply(actor, token)
        except DroptableError as error:
            who = _("the dealer") if actor == DEALER else _("seat {number}").format(number=actor)
            rule = error.rule if isinstance(error, IllegalMove) else None
            message = _("event {number} ({who}: {token}): {error}")
            message = message.format(number=number, who=who, token=token, error=error)
            raise RecordError(message, event=number, rule=rule) from error

    # -- files ------------------------------------------------------------------------------------

    def to_json(self) -> str:
        """The record as JSON, one event per line, with the result at the end."""
        from droptable.core.registry import registered

        final, base = self.final, self.game.base
        varied = base is not None and not registered(self.game)
        head: dict[str, Any] = {
            "droptable": FORMAT,
            "game": base.name if base is not None and varied else self.game.name,
            **({"variant": described(self.game.constants)} if varied else {}),
            "rules": self.game.version,
            "players": self.players,
            "options": self.options,
        }
        if self.info:
            head["info"] = self.info
        if self.fairness is not None:
            head["fairness"] = msgspec.to_builtins(self.fairness)
        tail = {"over": final.over, "scores": final.scores, "winners": final.winners}
        lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
        lines.append('  "events": [')
        lines.append(",\n".join(f"    {json.dumps(event)}" for event in self.events))
        lines.append("  ],")
        lines.append(
            ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in tail.items())
        )
        return "{\n" + "\n".join(line for line in lines if line) + "\n}\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record; a file of that name is replaced whole or not at all."""
        target = Path(path)
        if not target.name or "\0" in target.name:
            message = _("{path} is not the name of a file")
            raise RecordError(message.format(path=repr(os.fspath(path))))
        replace_text(target, self.to_json())

    @classmethod
    def from_json(cls, text: str) -> Record:
        """The record in a JSON text, verified event by event; `RecordError` says what is wrong."""
        from droptable.core.registry import game

        try:
            document = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RecordError(_("this is not JSON: {error}").format(error=error)) from None
        if not isinstance(document, dict) or "droptable" not in document:
            raise RecordError(_('this is not a Droptable record: there is no "droptable" in it'))
        _expect(document, "droptable", FORMAT, "format")
        chosen = game(_entry(document, "game", str))
        if "variant" in document:
            chosen = plain_variant(chosen, document["variant"])
        _expect(document, "rules", chosen.version, f"{chosen.name} rules")
        options = resolve(chosen.name, chosen.options, _entry(document, "options", dict))
        with _fitting(chosen):
            record = chosen.start(_entry(document, "players", int), **options).record
        info = document.get("info", {})
        if not isinstance(info, dict) or not all(map(_is_text, [*info, *info.values()])):
            message = _("info is {value}; expected an object of strings")
            raise RecordError(message.format(value=repr(info)))
        events = _events(_entry(document, "events", list))
        fairness = _fairness(document.get("fairness"))
        record = cls(chosen, record.players, record.options, events, info, fairness)
        with _fitting(chosen):
            final = record.final
        for key, truth in (
            ("over", final.over),
            ("scores", list(final.scores)),
            ("winners", list(final.winners)),
        ):
            if key in document and document[key] != truth:
                message = _("{key} is {value}, but the events lead to {truth}")
                message = message.format(key=key, value=repr(document[key]), truth=repr(truth))
                raise RecordError(message)
        return record


@contextmanager
def _fitting(game: Game) -> Iterator[None]:
    """Refuse a variant whose rules fail, whatever they raise: its constants do not fit together."""
    try:
        yield
    except DroptableError:
        raise
    except Exception as error:
        if not game.plain_only:
            raise
        message = _("{game} cannot be played with {changes}: {error}")
        told = ", ".join(f"{key} = {value}" for key, value in described(game.constants).items())
        problem = f"{type(error).__name__}: {error}"
        name = game.base.name if game.base else game.name
        raise RecordError(
            message.format(game=name, changes=f"{told:.80}", error=problem)
        ) from error


def open_record(path: str | os.PathLike[str]) -> Record:
    """Read and verify a record that `Record.save` wrote."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")  # some editors write a byte order mark
    except UnicodeDecodeError as error:
        raise RecordError(f"{os.fspath(path)!r} is not a text file: {error}") from None
    except OSError as error:
        raise RecordError(f"cannot read {os.fspath(path)!r}: {error.strerror}") from None
    return Record.from_json(text)


def _is_text(value: Any) -> bool:
    """Whether a value is a string that can be encoded (JSON allows half a surrogate pair)."""
    return isinstance(value, str) and not any("\ud800" <= c <= "\udfff" for c in value)


def _entry(document: dict[str, Any], key: str, kind: type) -> Any:
    value = document.get(key)
    if not isinstance(value, kind) or isinstance(value, bool):
        names = {str: _("a string"), int: _("a number"), list: _("a list"), dict: _("an object")}
        message = _("{key} is {value}; expected {kind}")
        raise RecordError(message.format(key=key, value=repr(value), kind=names[kind]))
    return value


def _expect(document: dict[str, Any], key: str, version: int, what: str) -> None:
    given = document.get(key)
    if given != version or isinstance(given, bool):
        message = _("this record has {what} version {found}; this program knows {version}")
        raise RecordError(message.format(what=what, found=repr(given), version=version))


def _fairness(document: Any) -> Fairness | None:
    if document is None:
        return None
    try:
        fairness = msgspec.convert(document, Fairness)
        if not all(_is_text(given.name) for given in fairness.contributions):
            raise msgspec.ValidationError("a name is not text")
    except msgspec.ValidationError as error:
        message = _("fairness is not what a host publishes: {error}")
        raise RecordError(message.format(error=error)) from None
    return fairness


def _events(entries: Sequence[Any]) -> tuple[Event, ...]:
    for number, entry in enumerate(entries):
        match entry:
            case [int(actor), str()] if not isinstance(actor, bool):
                continue
        message = _("event {number} is {value}; expected [actor, token], for example {example}")
        message = message.format(number=number, value=repr(entry), example='[0, "drop"]')
        raise RecordError(message, event=number)
    return tuple((actor, token) for actor, token in entries)
