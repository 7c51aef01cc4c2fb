"""What a study is to play: cells, budgets and measures, from a small TOML file or from words.

Everything is checked before the first match; what is wrong in a file is named with its line.
"""

from __future__ import annotations

import itertools
import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from droptable.bots.best_response import opponent_of
from droptable.bots.own import own_bot
from droptable.core.contract import DEALER
from droptable.core.errors import DroptableError, OptionError
from droptable.core.game import Game
from droptable.core.match import check_count
from droptable.core.options import NumberList, parse
from droptable.games import game as find_game
from droptable.lab.cell import Cell
from droptable.lab.measures import ALL_CONTESTS, MEASURES, USUAL

RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:/(\d+))?")
MOST_CELLS = 10_000


@dataclass(frozen=True)
class Planned:
    """A cell and what differs from the rest of the plan; None and None: nothing."""

    cell: Cell
    matches: int | None = None
    contests: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Plan:
    """A whole study: the same plan and seed make the same files, byte for byte."""

    planned: tuple[Planned, ...]
    title: str = "A study"
    seed: int = 1
    matches: int = 10_000  # of each cell, or the most if there is a precision
    precision: float | None = None  # stops a cell when every seat's share is known so closely
    traced: int = 200  # matches of each cell whose every move and turn is looked at
    measures: tuple[str, ...] = USUAL
    contests: tuple[str, ...] = ()
    contest_matches: int = 2000  # of each pairing; a tenth of that where bots search

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells, in order."""
        return tuple(planned.cell for planned in self.planned)

    def matches_of(self, planned: Planned) -> int:
        """How many matches a cell has at most."""
        return self.matches if planned.matches is None else planned.matches

    def contests_of(self, planned: Planned) -> tuple[str, ...]:
        """Which contests are held for a cell."""
        return self.contests if planned.contests is None else planned.contests

    def to_dict(self) -> dict[str, Any]:
        """For the manifest."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        cells = [
            one.cell.to_dict()
            | {"matches": self.matches_of(one), "contests": self.contests_of(one)}
            for one in self.planned
        ]
        return {name: value for name, value in plain.items() if name != "planned"} | {
            "cells": cells
        }


class PlanError(OptionError):
    """A study that cannot be played; `line` is where its file says so."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


# -- files ----------------------------------------------------------------------------------------


@dataclass
class _Source:
    """The text of a study file: where its keys are, for those who have to mend it."""

    path: Path
    text: str = field(repr=False)

    def line_of(self, key: str, group: int | None) -> int:
        """The line of a key in the head, or in the group of cells of that number."""
        at, started = -1, 1
        for number, line in enumerate(self.text.splitlines(), 1):
            bare = line.strip()
            if bare.startswith("[["):
                at += 1
                started = number if at == group else started
            inside = at == -1 if group is None else at == group
            named = rf"(\[?cells\.\w+\.|\[?cells\.|[\w.]*\.)?[\"']?{re.escape(key)}[\"']?\s*[\].=]"
            if inside and (
                re.match(named, bare) or re.search(rf"[{{,]\s*{re.escape(key)}\s*=", bare)
            ):
                return number
        return started

    def refusal(self, error: Exception, key: str, group: int | None = None) -> PlanError:
        """What is wrong, with its place."""
        line = self.line_of(key, group)
        return PlanError(f"{self.path}:{line}: {error}", line)


HEAD = (
    "title", "seed", "matches", "precision", "traced", "measures", "contests", "contest_matches",
    "cells",
)  # fmt: skip
GROUP = (
    "game", "players", "bots", "options", "constants", "rotate", "replays", "matches", "contests",
)  # fmt: skip
OWN = ("matches", "contests")  # of a group, instead of the plan's


def read_plan(path: str | Path) -> Plan:
    """The plan in a TOML file."""
    file = Path(path)
    try:
        text = file.read_text("utf-8")
        document = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise PlanError(f"{file}: {error}") from None
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"line (\d+)", str(error))
        line = int(at[1]) if at else 1
        raise PlanError(f"{file}:{line}: this is not TOML: {error}", line) from None
    source = _Source(file, text)
    for key in document:
        if key not in HEAD:
            problem = OptionError(f"a study has no {key!r}; expected some of {', '.join(HEAD)}")
            raise source.refusal(problem, key)
    plan = Plan((), **_checked_head(source, document))
    groups = document.get("cells")
    if not isinstance(groups, list) or not groups:
        problem = OptionError("there is no [[cells]]; expected at least one, with a game")
        raise source.refusal(problem, "cells")
    cells = [one for k, group in enumerate(groups) for one in _cells_of(source, group, k)]
    return checked(replace(plan, planned=tuple(dict.fromkeys(cells))))


def _checked_head(source: _Source, document: Mapping[str, Any]) -> dict[str, Any]:
    given = {key: value for key, value in document.items() if key != "cells"}
    for key, value in given.items():
        try:
            given[key] = _head_value(key, value)
        except OptionError as error:
            raise source.refusal(error, key) from None
    return given


def _head_value(key: str, value: Any) -> Any:
    """A setting of the whole study, checked."""
    if key == "title":
        if not isinstance(value, str):
            raise OptionError(f"title is {value!r}; expected a text")
        return value
    if key == "seed":
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise OptionError(f"seed is {value!r}; expected a whole number from 0 up")
        return value
    if key == "precision":
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 0.5:
            raise OptionError(f"precision is {value!r}; expected a share between 0 and 0.5")
        return float(value)
    if key == "traced" and value == 0 and not isinstance(value, bool):
        return 0
    if key in ("measures", "contests"):
        known = MEASURES if key == "measures" else ALL_CONTESTS
        names = list(known) if value == "all" else value
        for name in names if isinstance(names, list) else [names]:
            if name not in known:
                raise OptionError(
                    f"{key} has {name!r}; expected 'all' or some of {', '.join(known)}"
                )
        return tuple(names)
    return check_count(key, value)


def _cells_of(source: _Source, group: Any, number: int) -> Iterator[Planned]:
    """All combinations of one group's values."""
    if not isinstance(group, dict):
        raise PlanError(f"{source.path}:1: cells is {group!r}; expected tables [[cells]]", 1)
    for key in group:
        if key not in GROUP:
            problem = OptionError(f"cells have no {key!r}; expected some of {', '.join(GROUP)}")
            raise source.refusal(problem, key, number)
    if not isinstance(group.get("game"), str):
        raise source.refusal(OptionError("the cells name no game"), "game", number)
    try:
        subject = find_game(group["game"])
    except DroptableError as error:
        raise source.refusal(error, "game", number) from None
    axes: dict[str, list[Any]] = {}
    own: dict[str, Any] = {}
    for key, value in group.items():
        if key in OWN:
            try:
                own[key] = _head_value(key, value)
            except OptionError as error:
                raise source.refusal(error, key, number) from None
            continue
        nested = value if key in ("options", "constants") and isinstance(value, dict) else None
        for name, given in (nested or {key: value}).items():
            try:
                axes[f"{key}.{name}" if nested else key] = _values(subject, key, name, given)
                if nested or key in ("players", "bots"):
                    _try_each(subject, key, name, axes[f"{key}.{name}" if nested else key])
            except DroptableError as error:
                raise source.refusal(error, name, number) from None
    try:
        cells = list(combinations(axes))
    except DroptableError as error:
        raise source.refusal(error, "game", number) from None
    try:
        _try_to_deal(cells)
    except OptionError as error:
        changed = [name.rpartition(".")[2] for name in axes if name.startswith("constants.")]
        raise source.refusal(error, changed[-1], number) from None
    for cell in cells:
        yield Planned(cell, **own)


# -- values and their combinations ----------------------------------------------------------------


def _values(subject: Game, key: str, name: str, given: Any) -> list[Any]:
    """The values of one thing that may vary: a list, a range `50..150/10`, or a single one."""
    if key == "players" and given == "all":
        return list(subject.players)
    if key == "options":
        option = subject.options.get(name)
        if isinstance(option, NumberList) and option.accepts(given):
            return [given]
    if isinstance(given, str) and (span := RANGE.fullmatch(given)):
        low, high, step = int(span[1]), int(span[2]), int(span[3] or 1)
        values = list(range(low, high + 1, step)) if step else []
        if not values:
            raise OptionError(f"{name} is {given!r}, an empty range; expected LOW..HIGH or /STEP")
        return values
    if not isinstance(given, list):
        return [given]
    if not given:
        raise OptionError(f"{name} is an empty list; expected at least one value")
    return given


def _try_each(subject: Game, key: str, name: str, values: Sequence[Any]) -> None:
    """Refuse a value that no cell could have."""
    for value in values:
        if key == "players":
            subject.check_players(value)
        elif key == "options":
            Cell(subject.name, options={name: value})
        elif key == "constants":
            Cell(subject.name, constants={name: value})
        else:
            names = [value] if isinstance(value, str) else value
            for bot in names if isinstance(names, list) else [names]:
                Cell(subject.name, lineup=[bot])
                _try_own(subject, bot)


def _try_own(subject: Game, name: str) -> None:
    """Let somebody's own bot make one move, so that it does not fail after hours."""
    bot = None if opponent_of(name) else own_bot(name, seed=0)
    if bot is None:
        return
    state, dealer = subject.start(), random.Random(0)
    while state.to_act == (DEALER,):
        state.deal(dealer)
    if not state.over:
        bot.choose(state.view(state.to_act[0]))
    if bot.mistakes:
        raise OptionError(f"bot {name!r} fails at its first move of {subject.name}")


def _try_to_deal(cells: Sequence[Cell]) -> None:
    """Refuse constants with which no match can begin, before hours are spent on the others."""
    tried = {(cell.game, cell.seats, str(cell.constants)): cell for cell in cells if cell.constants}
    for cell in tried.values():
        try:
            state, dealer = cell.subject.start(cell.seats, **cell.options), random.Random(0)
            while state.to_act == (DEALER,):
                state.deal(dealer)
        except DroptableError as error:
            told = ", ".join(f"{name}={value}" for name, value in cell.constants.items())
            raise OptionError(
                f"{cell.game} cannot be dealt to {cell.seats} players with {told}: {error}"
            ) from error


def combinations(axes: Mapping[str, Sequence[Any]]) -> Iterator[Cell]:
    """The cells of all combinations; keys as in a file, `options.target` for an option."""
    count = 1
    for values in axes.values():
        count *= len(values)
    if count > MOST_CELLS:
        raise OptionError(f"these are {count} cells; expected at most {MOST_CELLS}")
    for chosen in itertools.product(*axes.values()):
        named = dict(zip(axes, chosen, strict=True))
        parts: dict[str, dict[str, Any]] = {"options": {}, "constants": {}}
        for key, value in named.items():
            kind, dot, name = key.partition(".")
            if dot:
                parts[kind][name] = value
        bots = named.get("bots", "random")
        lineup = [bots] if isinstance(bots, str) else list(bots)
        seats = find_game(named["game"]).check_players(named.get("players"))
        lineup += lineup[-1:] * (seats - len(lineup))  # the last one fills the table
        yield Cell(
            named["game"], named.get("players"), parts["options"], lineup, parts["constants"],
            rotate=named.get("rotate", len(set(lineup)) > 1), replays=named.get("replays", 1),
        )  # fmt: skip


def from_words(
    name: str, vary: Sequence[str], players: int | None, bots: Sequence[str], **settings: Any
) -> Plan:
    """The plan of a command line: a game, and what varies, like `target=50..150/10`."""
    subject = find_game(name)
    axes: dict[str, list[Any]] = {"game": [name]}
    axes["players"] = [subject.check_players(players)]
    if bots:
        axes["bots"] = [list(bots)]
    for word in vary:
        key, equals, text = word.partition("=")
        if not equals or not text:
            raise OptionError(f"--vary {word!r}: expected NAME=VALUES, as target=50..150/10")
        place, values = typed_values(subject, key, text)
        axes[place] = values
    cells = list(dict.fromkeys(combinations(axes)))
    _try_to_deal(cells)
    planned = tuple(map(Planned, cells))
    given = {key: _head_value(key, value) for key, value in settings.items() if value is not None}
    return checked(Plan(planned, **{"title": f"A study of {subject.title}"} | given))


def typed_values(subject: Game, key: str, text: str) -> tuple[str, list[Any]]:
    """What a person typed behind `--vary NAME=`."""
    if key == "players":
        values = _values(subject, "players", key, text)
        if values == [text]:
            values = [_number(key, part) for part in text.split(",")]
        for value in values:
            subject.check_players(value)
        return key, values
    if key == "bots":
        return key, [part.split("+") if "+" in part else part for part in text.split(",")]
    if key.rpartition(".")[2].isupper():
        values = _values(subject, "constants", key, text)
        if values == [text]:
            values = [_number(key, part) for part in text.split(",")]
        return f"constants.{key}", values
    if RANGE.fullmatch(text):
        return f"options.{key}", _values(subject, "options", key, text)
    parts = [text] if isinstance(subject.options.get(key), NumberList) else text.split(",")
    return f"options.{key}", [
        parse(subject.name, subject.options, [f"{key}={part}"])[key] for part in parts
    ]


def _number(key: str, text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    raise OptionError(f"{key} is {text!r}; expected numbers, as 5,7 or 5..9/2")


def checked(plan: Plan) -> Plan:
    """The plan, if its budget and its bots fit together."""
    if not plan.planned:
        raise PlanError("there is nothing to play: no cells")
    for planned in plan.planned:
        cell, matches = planned.cell, plan.matches_of(planned)
        if matches < cell.plays_per_deal:
            raise PlanError(
                f"matches is {matches}, but each deal of {cell} is played "
                f"{cell.plays_per_deal} times"
            )
    return plan
