"""A game as the rest of the program sees it: names, options, tokens, and its kernels at work."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from droptable.core import loops, precompile
from droptable.core.compile import Kernels
from droptable.core.contract import DEALER, MOST_SEATS, scores
from droptable.core.errors import DroptableError, OptionError, TokenError
from droptable.core.language import _, add_catalogues, ngettext, spoken
from droptable.core.lessons import Lessons
from droptable.core.options import Options, resolve
from droptable.core.scene import Line, Scene
from droptable.core.tensor import Plane, bit_places, bit_planes
from droptable.core.words import Words

if TYPE_CHECKING:
    from droptable.core.batch import Batch
    from droptable.core.state import State


class Engine:
    """The generic kernels bound to one game, compiled or plain."""

    def __init__(self, kernels: Kernels) -> None:
        self.kernels = kernels
        self.compiled = kernels.compiled

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function: Callable[..., Any] = self.kernels.twin(getattr(loops, name))
        setattr(self, name, function)  # found without __getattr__ from now on
        return function


@dataclass(frozen=True)
class Vocabulary:
    """The tokens of one variant of a game: ids are indices into these tuples."""

    actions: tuple[str, ...]
    outcomes: tuple[str, ...]

    @cached_property
    def action_ids(self) -> dict[str, int]:
        return {token: i for i, token in enumerate(self.actions)}

    @cached_property
    def outcome_ids(self) -> dict[str, int]:
        return {token: i for i, token in enumerate(self.outcomes)}

    @property
    def width(self) -> int:
        """How long a list of legal moves, or of the dealer's outcomes, can get."""
        return max(len(self.actions), len(self.outcomes))

    def room(self) -> tuple[np.ndarray, np.ndarray]:
        """Scratch arrays for `legal` and `chance`: ids, and weights of outcomes."""
        return np.zeros(self.width, np.int32), np.zeros(len(self.outcomes), np.int32)

    def ids(self, actor: int) -> dict[str, int]:
        """The ids of all tokens that an actor can ever use: outcomes for the dealer, else moves."""
        return self.outcome_ids if actor == DEALER else self.action_ids


class Game:
    """One game. Rules, words, scene, instinct and tensor are modules; the rest follows from them.

    `version` moves only when the same events lead to another state, never for speed or wording.
    """

    def __init__(
        self,
        name: str,
        *,
        title: str,
        summary: str,
        players: tuple[int, ...],
        rules: ModuleType,
        words: Words,
        text: str | Path,
        options: Options | None = None,
        instinct: ModuleType | None = None,
        tensor: ModuleType | None = None,
        scene: Scene | None = None,
        lessons: Lessons | None = None,
        teams: bool = False,
        printed_scores: Sequence[tuple[str, int]] = (),
        showcase: Path | None = None,
        locale: Path | None = None,
        version: int = 1,
    ) -> None:
        self.name = name
        self.title = title
        self.summary = summary
        self.players = players
        self.options = options or {}
        self.rules = rules
        self.words = words
        self.instinct = instinct
        self.tensor = tensor
        self.scene = scene
        if scene is not None:
            self._complete(scene)
        self.lessons = lessons
        self.teams = teams  # several people may share a seat
        self.printed_scores = tuple(printed_scores)  # what a rulebook's solo players have reached
        self.showcase = showcase  # the record of a match, up to a moment worth seeing
        self.locale = locale  # the folder of its translations: `de.po`
        if locale is not None:
            add_catalogues(locale)
        self.version = version
        self._text = text
        self._texts: dict[str, str] = {}  # by language
        self._vocabularies: dict[tuple[Any, ...], Vocabulary] = {}
        self._templates: dict[tuple[Any, ...], Any] = {}
        self._planes: dict[tuple[Any, ...], tuple[Plane, ...]] = {}
        self._places: dict[int, Any] = {}

    def _complete(self, scene: Scene) -> None:
        """Give a scene what a small game can do without."""
        usual = {
            "ghost": lambda *_asked: None,
            "switches": lambda *_asked: {},
            "sheet": self._only_scores,
        }
        for name, function in usual.items():
            if not hasattr(scene, name):
                setattr(scene, name, function)

    def _only_scores(self, views: Iterable[Any], names: Sequence[str]) -> list[Line]:
        """The score sheet of a game without one."""
        *_earlier, last = views
        points = np.zeros(MOST_SEATS, np.int32)
        self.plain.kernels.twin(scores)(last, points)
        return [Line(_("Total"), self.words.END_RULE, tuple(points[: len(names)].tolist()), True)]

    def __repr__(self) -> str:
        return f"droptable.game({self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        from droptable.games import game

        return game, (self.name,)

    # -- matches ----------------------------------------------------------------------------------

    def start(self, players: int | None = None, **options: Any) -> State:
        """The first state of a match; the fewest players and the rulebook's options by default."""
        from droptable.core.state import State

        players = self.check_players(players)
        values = resolve(self.name, self.options, options)
        return State(self, players, values, self.template(players, values).copy())

    def load(self, data: bytes) -> State:
        """The state that `bytes(state)` was made from, without its history.

        The checksum finds damage, not malice: exchange records, not bytes, with strangers.
        """
        from droptable.core.state import State

        record = self._unpack(data)
        players = int(record[0]["players"])
        values = {name: option.decode(record[0][name]) for name, option in self.options.items()}
        return State(self, players, values, record, history=None)

    def batch(self, matches: int, players: int | None = None, seed: int | None = None,
              **options: Any) -> Batch:  # fmt: skip
        """Many matches stepped together, by integer ids, for learning and measuring."""
        from droptable.core.batch import Batch

        return Batch(self, matches, self.check_players(players), seed, options)

    def check_players(self, players: int | None) -> int:
        """The player count, the smallest by default; `OptionError` if it is not possible."""
        if players is None:
            return self.players[0]
        if isinstance(players, bool) or not isinstance(players, int) or players not in self.players:
            told = _("{game} is for {players}, not {count}")
            known = self.players_text
            raise OptionError(told.format(game=self.name, players=known, count=repr(players)))
        return players

    @property
    def seats_text(self) -> str:
        """The player counts in words: `2 to 4`, or `2`."""
        first, last = self.players[0], self.players[-1]
        return (
            f"{first}" if first == last else _("{first} to {last}").format(first=first, last=last)
        )

    @property
    def players_text(self) -> str:
        """The player counts with their noun: `2 to 4 players`."""
        seats = self.seats_text
        return ngettext("{seats} player", "{seats} players", self.players[-1]).format(seats=seats)

    def template(self, players: int, values: dict[str, Any]) -> Any:
        """A set-up array of one record, not to be changed."""
        key = (players, *values.values())
        if key not in self._templates:
            states = np.zeros(1, self.rules.STATE)
            states[0]["players"] = players
            for name, option in self.options.items():
                states[0][name] = option.encode(values[name])
            self.engine.start_at(states, 0)
            self._templates[key] = states
        return self._templates[key]

    # -- tensors ----------------------------------------------------------------------------------

    def planes(self, players: int | None = None, **options: Any) -> tuple[Plane, ...]:
        """What a view's tensor consists of, in order, at this player count and these options."""
        values = resolve(self.name, self.options, options)
        return self.planes_of(self.check_players(players), values)

    def planes_of(self, players: int, values: dict[str, Any]) -> tuple[Plane, ...]:
        """The same for options that are resolved."""
        key = (players, *values.values())
        if key not in self._planes:
            if self.tensor is None:
                planes = bit_planes(self.rules.STATE, self._constant, players, self.players[-1])
            else:
                planes = self.tensor.planes(players, values)
            self._planes[key] = tuple(planes)
        return self._planes[key]

    def bit_places(self, players: int) -> Any:
        """Which bytes of the record a tensor is made of; none if the game has its own encoder."""
        if players not in self._places:
            self._places[players] = (
                bit_places(self.rules.STATE, self._constant, players, self.players[-1])
                if self.tensor is None
                else np.zeros((0, 0), np.int64)
            )
        return self._places[players]

    @property
    def _constant(self) -> set[str]:
        """The fields that never change in a match."""
        return {"players", *self.options}

    # -- bytes ------------------------------------------------------------------------------------

    def pack(self, record: Any) -> bytes:
        """One record as bytes: rules version, checksum, record."""
        body: bytes = record.tobytes()
        return bytes([self.version]) + zlib.crc32(body).to_bytes(4, "big") + body

    def _unpack(self, data: bytes) -> Any:
        size = self.rules.STATE.itemsize + 5
        if len(data) != size:
            raise DroptableError(f"a state of {self.name} has {size} bytes, not {len(data)}")
        if data[0] != self.version:
            raise DroptableError(
                f"these bytes are of {self.name} rules version {data[0]}; this is {self.version}"
            )
        if zlib.crc32(data[5:]).to_bytes(4, "big") != data[1:5]:
            raise DroptableError(f"these bytes are damaged: not a state of {self.name}")
        return np.frombuffer(data[5:], self.rules.STATE).copy()

    # -- words ------------------------------------------------------------------------------------

    def vocabulary(self, values: dict[str, Any]) -> Vocabulary:
        """The tokens of this variant."""
        key = tuple(values.values())
        if key not in self._vocabularies:
            dealt = self.words.outcomes(values) if hasattr(self.words, "outcomes") else ()
            self._vocabularies[key] = Vocabulary(self.words.actions(values), dealt)
        return self._vocabularies[key]

    @property
    def text(self) -> str:
        """The rules in our own words, as Markdown with one `## RULE …` section a rule.

        In the language that is spoken, if there is a file `rules.de.md` beside `rules.md`.
        """
        if isinstance(self._text, str):
            return self._text
        language = spoken()
        if language not in self._texts:
            file = self._text.with_suffix(f".{language}.md")
            found = file if file.is_file() else self._text
            self._texts[language] = found.read_text("utf-8")
        return self._texts[language]

    def rule(self, number: str) -> str:
        """One rule's section, by its number, whatever its case."""
        sections = self.rule_sections
        wanted = number.upper()
        if wanted not in sections:
            raise TokenError(
                f"{self.name} has no rule {number!r}; its rules: {', '.join(sections)}"
            )
        return sections[wanted]

    @property
    def rule_sections(self) -> dict[str, str]:
        """The sections of the text by rule number, in order."""
        found = {}
        for part in self.text.split("\n## ")[1:]:
            heading, _, body = part.partition("\n")
            number, _, title = heading.partition(" ")
            if number.isupper() and number[-1].isdigit():
                found[number] = f"{number} {title}\n{body.strip()}"
        return found

    # -- kernels ----------------------------------------------------------------------------------

    @property
    def _modules(self) -> tuple[ModuleType, ...]:
        return tuple(m for m in (self.rules, self.instinct, self.tensor) if m is not None)

    @cached_property
    def plain(self) -> Engine:
        """The rules as ordinary Python: slow, but there at once."""
        return Engine(Kernels(self.name, *self._modules, compiled=False))

    @cached_property
    def compiled(self) -> Engine:
        """The rules as machine code; the first call of each function may take seconds when cold."""
        return Engine(Kernels(self.name, *self._modules, compiled=True))

    @property
    def engine(self) -> Engine:
        """What runs a match now: machine code when it is ready, plain Python until then."""
        return self.compiled if precompile.ready(self) else self.plain

    @property
    def at_full_speed(self) -> Engine:
        """Machine code, waited for if it has to be made; plain where nothing may be compiled."""
        return self.plain if precompile.policy() == "never" else self.compiled
