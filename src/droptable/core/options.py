"""Options of a game: what a host may set, within which range, and how a record stores it.

Each kind of option has a default, a sentence of help, a `title` for players (else its name), may
be `advanced` (shown to those who ask for more) and has
- `range`: the accepted values, in words;
- `accepts(value)`: whether a value (of Python or JSON) is of the right type and in range;
- `parse(text)`: the value that a person typed, not yet checked; an error if it is not one;
- `encode(value)`, `decode(field)`: to and from the record's field of the option's name;
- `extremes()`: the values at the ends of its range, or all choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from droptable.core.errors import GameError, OptionError
from droptable.core.language import _, ngettext


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True)
class Number:
    """A whole number from low to high."""

    default: int
    low: int
    high: int
    help: str
    title: str = ""
    advanced: bool = False

    @property
    def range(self) -> str:
        return _("a whole number from {low} to {high}").format(low=self.low, high=self.high)

    def extremes(self) -> tuple[Any, ...]:
        return (self.low, self.high)

    def accepts(self, value: Any) -> bool:
        return _is_int(value) and self.low <= value <= self.high

    def parse(self, text: str) -> int:
        return int(text)

    def encode(self, value: int) -> int:
        return value

    def decode(self, field: Any) -> int:
        return int(field)


@dataclass(frozen=True)
class NumberList:
    """A fixed number of whole numbers, each from low to high."""

    default: tuple[int, ...]
    low: int
    high: int
    help: str
    title: str = ""
    advanced: bool = False

    @property
    def range(self) -> str:
        message = ngettext(
            "{count} whole number, each from {low} to {high}",
            "{count} whole numbers, each from {low} to {high}",
            len(self.default),
        )
        return message.format(count=len(self.default), low=self.low, high=self.high)

    def extremes(self) -> tuple[Any, ...]:
        return tuple((end,) * len(self.default) for end in (self.low, self.high))

    def accepts(self, value: Any) -> bool:
        return (
            isinstance(value, Sequence)
            and not isinstance(value, str | bytes)
            and len(value) == len(self.default)
            and all(_is_int(v) and self.low <= v <= self.high for v in value)
        )

    def parse(self, text: str) -> tuple[int, ...]:
        return tuple(int(part) for part in text.replace(",", " ").split())

    def encode(self, value: Sequence[int]) -> tuple[int, ...]:
        return tuple(value)

    def decode(self, field: Any) -> tuple[int, ...]:
        return tuple(int(v) for v in field)


@dataclass(frozen=True)
class Choice:
    """One of a few words or numbers. A state stores words by their index, numbers as they are."""

    default: Any
    choices: tuple[Any, ...]
    help: str
    title: str = ""
    labels: tuple[str, ...] = ()  # what players read for each choice; else the choices themselves
    advanced: bool = False

    def __post_init__(self) -> None:
        if self.labels and len(self.labels) != len(self.choices):
            raise GameError(f"Choice: {len(self.labels)} labels for the choices {self.range}")

    @property
    def range(self) -> str:
        return _(" or ").join(repr(choice) for choice in self.choices)

    def extremes(self) -> tuple[Any, ...]:
        return self.choices

    def accepts(self, value: Any) -> bool:
        return any(type(value) is type(choice) and value == choice for choice in self.choices)

    def parse(self, text: str) -> Any:
        return type(self.choices[0])(text)

    def encode(self, value: Any) -> int:
        return value if _is_int(value) else self.choices.index(value)

    def decode(self, field: Any) -> Any:
        return int(field) if _is_int(self.choices[0]) else self.choices[int(field)]


@dataclass(frozen=True)
class Flag:
    """True or false."""

    default: bool
    help: str
    title: str = ""
    advanced: bool = False

    @property
    def range(self) -> str:
        return _("True or False")

    def extremes(self) -> tuple[Any, ...]:
        return (False, True)

    def accepts(self, value: Any) -> bool:
        return isinstance(value, bool)

    def parse(self, text: str) -> bool:
        return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[
            text.lower()
        ]

    def encode(self, value: bool) -> int:
        return int(value)

    def decode(self, field: Any) -> bool:
        return bool(field)


Option: TypeAlias = Number | NumberList | Choice | Flag
Options = dict[str, Option]


def title_of(name: str, option: Option) -> str:
    """What players read instead of an option's name."""
    words = option.title or name.replace("_", " ")
    return _(words)


def resolve(game: str, options: Options, given: dict[str, Any]) -> dict[str, Any]:
    """The given values and the defaults of the rest; `OptionError` if one is bad."""
    for name in given:
        if name not in options:
            message = _("{game} has no option {name}; its options: {known}")
            known = ", ".join(options) or "none"
            raise OptionError(message.format(game=game, name=repr(name), known=known))
    values = {}
    for name, option in options.items():
        value = given.get(name, option.default)
        if not option.accepts(value):
            message = _("option {name} of {game} is {value}; expected {range}")
            message = message.format(name=name, game=game, value=repr(value), range=option.range)
            raise OptionError(message)
        values[name] = tuple(value) if isinstance(option, NumberList) else value
    return values


def parse(game: str, options: Options, words: Sequence[str]) -> dict[str, Any]:
    """Options from words like `target=50`, as typed on a command line."""
    values: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals:
            raise OptionError(f"option {word!r}: expected NAME=VALUE, for example target=50")
        if name not in options:
            resolve(game, options, {name: text})  # lists the options that there are
        try:
            values[name] = options[name].parse(text)
        except (ValueError, KeyError):
            raise OptionError(
                f"option {name} of {game} is {text!r}; expected {options[name].range}"
            ) from None
    return values
