"""A game as the rest of the program sees it: names, options, tokens, and its kernels at work."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from droptable.core import precompile
from droptable.core.compile import CHECKED, COMPILED, PLAIN, Kernels
from droptable.core.contract import DEALER, MOST_SEATS, Rules, scores
from droptable.core.engine import Engine
from droptable.core.errors import DroptableError, GameError, OptionError, TokenError
from droptable.core.heuristics import Heuristics
from droptable.core.language import _, add_catalogues, ngettext, spoken
from droptable.core.lessons import Lessons
from droptable.core.options import Options, resolve
from droptable.core.parts import check_parts
from droptable.core.scene import Line, Scene, add_style
from droptable.core.tensor import Encoder, Plane, bit_places, bit_planes
from droptable.core.variant import load_variant
from droptable.core.words import Words

if TYPE_CHECKING:
    from droptable.core.batch import Batch
    from droptable.core.state import State


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

    def event(self, actor: int, action: int) -> tuple[int, str]:
        """An actor with a token by its id: always the same object, since histories are long."""
        key = actor, action
        if key not in self._events:
            self._events[key] = actor, (self.outcomes if actor == DEALER else self.actions)[action]
        return self._events[key]

    @cached_property
    def _events(self) -> dict[tuple[int, int], tuple[int, str]]:
        return {}


class Game:
    """One game: its rules, words, picture, bot and encoder, each an object that says what it needs.

    What does not fit together is refused here, in one sentence (`GameError`). `version` moves only
    when the same events lead to another state, never for speed or wording.
    """

    def __init__(
        self,
        name: str,
        *,
        title: str,
        summary: str,
        players: tuple[int, ...],
        rules: Rules,
        words: Words,
        text: str | Path,
        options: Options | None = None,
        bot: Heuristics | None = None,
        encoder: Encoder | None = None,
        scene: Scene | None = None,
        lessons: Lessons | None = None,
        teams: bool = False,
        minutes: int = 0,
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
        self.bot = bot
        self.encoder = encoder
        self.scene = scene
        self.lessons = lessons
        self.teams = teams  # several people may share a seat
        self.minutes = minutes  # that a match of people usually takes; 0 if nobody knows
        self.printed_scores = tuple(printed_scores)  # what a rulebook's solo players have reached
        self.showcase = showcase  # the record of a match, up to a moment worth seeing
        self.locale = locale  # the folder of its translations: `de.po`
        if locale is not None:
            add_catalogues(locale)
        self.version = version
        self.everywhere = False  # known by name in every process, see `registry.register`
        self.variant_of: str | None = None  # the game that this one varies, and how
        self.base: Game | None = None  # that game itself …
        self.constants: dict[str, Any] = {}  # … and the values that differ
        self.plain_only = False  # never compiled: somebody else's variant, see `plain_variant`
        self._running: Engine | None = None  # what runs its matches, once that is settled
        self._text = text
        self._texts: dict[str, str] = {}  # by language
        self._vocabularies: dict[tuple[Any, ...], Vocabulary] = {}
        self._templates: dict[tuple[Any, ...], Any] = {}
        self._planes: dict[tuple[Any, ...], tuple[Plane, ...]] = {}
        self._places: dict[int, Any] = {}
        check_parts(self)
        if scene is not None and scene.style is not None:
            add_style(scene.style)

    def sheet(self, views: Iterable[Any], names: Sequence[str]) -> Sequence[Line]:
        """The score as a person would write it, from one viewer's views, first to last."""
        if self.scene is not None and self.scene.sheet is not None:
            return self.scene.sheet(views, names)
        *_earlier, last = views
        points = np.zeros(MOST_SEATS, np.int32)
        self.plain.kernels.twin(scores)(last, points)
        return [Line(_("Total"), self.words.end_rule, tuple(points[: len(names)].tolist()), True)]

    def __repr__(self) -> str:
        return f"droptable.game({self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        from droptable.core.plain_variant import described, plain_variant
        from droptable.core.registry import game

        if self.plain_only:
            return plain_variant, (self.base, described(self.constants))
        return game, (self.name,)

    def variant(
        self,
        name: str,
        *,
        constants: Mapping[str, Any] | None = None,
        rules: Mapping[str, Callable[..., Any]] | None = None,
        title: str | None = None,
        summary: str | None = None,
    ) -> Game:
        """This game with some constants and kernels replaced: a game like any other.

        Names are those of the game's source, `HAND` or `rules.HAND`; what follows from them
        follows. `GameError` says which names there are, and what does not fit.
        """
        changed = load_variant(self, name, constants or {}, rules or {})
        changes = [f"{key} = {value!r}" for key, value in (constants or {}).items()]
        changes += [f"another {key}" for key in rules or {}]
        variant = Game(
            name,
            title=title or f"{self.title} ({name})",
            summary=summary or changed.summary,
            players=changed.players,
            rules=changed.rules,
            words=changed.words,
            text=changed._text,
            options=changed.options,
            bot=changed.bot,
            encoder=changed.encoder,
            scene=changed.scene,
            teams=changed.teams,
            minutes=changed.minutes,
            version=changed.version,
        )
        variant.variant_of = f"{self.title}: {', '.join(changes)}"
        if not rules:  # all that differs are values, so a record can tell it
            variant.base, variant.constants = self, dict(constants or {})
        return variant

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
            message = _("{game} is for {players}, not {count}")
            known = self.players_text
            raise OptionError(message.format(game=self.name, players=known, count=repr(players)))
        return players

    @property
    def hides(self) -> bool:
        """Whether seats may know different things."""
        return self.rules.observe is not None

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
            states = self.blank(players, values)
            self.engine.start_at(states, 0)
            self._templates[key] = states
        return self._templates[key]

    def blank(self, players: int, values: dict[str, Any]) -> Any:
        """An array of one record that is zero but for the players and the options."""
        states = np.zeros(1, self.rules.dtype)
        states[0]["players"] = players
        for name, option in self.options.items():
            states[0][name] = option.encode(values[name])
        return states

    # -- tensors ----------------------------------------------------------------------------------

    def planes(self, players: int | None = None, **options: Any) -> tuple[Plane, ...]:
        """What a view's tensor consists of, in order, at this player count and these options."""
        values = resolve(self.name, self.options, options)
        return self.planes_of(self.check_players(players), values)

    def planes_of(self, players: int, values: dict[str, Any]) -> tuple[Plane, ...]:
        """The same for options that are resolved."""
        key = (players, *values.values())
        if key not in self._planes:
            if self.encoder is None:
                planes = bit_planes(self.rules.dtype, self._constant, players, self.players[-1])
            else:
                planes = self.encoder.planes(players, values)
            self._planes[key] = tuple(planes)
        return self._planes[key]

    def bit_places(self, players: int) -> Any:
        """Which bytes of the record a tensor is made of; none if the game has its own encoder."""
        if players not in self._places:
            self._places[players] = (
                bit_places(self.rules.dtype, self._constant, players, self.players[-1])
                if self.encoder is None
                else np.zeros((0, 0), np.int64)
            )
        return self._places[players]

    @property
    def revises(self) -> bool:
        """Whether a tensor can be made from an older one quicker than anew."""
        return self.encoder is not None and self.encoder.revise is not None

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
        size = self.rules.dtype.itemsize + 5
        if len(data) != size:
            raise DroptableError(f"a state of {self.name} has {size} bytes, not {len(data)}")
        if data[0] != self.version:
            raise DroptableError(
                f"these bytes are of {self.name} rules version {data[0]}; this is {self.version}"
            )
        if zlib.crc32(data[5:]).to_bytes(4, "big") != data[1:5]:
            raise DroptableError(f"these bytes are damaged: not a state of {self.name}")
        return np.frombuffer(data[5:], self.rules.dtype).copy()

    # -- words ------------------------------------------------------------------------------------

    def vocabulary(self, values: dict[str, Any]) -> Vocabulary:
        """The tokens of this variant."""
        key = tuple(values.values())
        if key not in self._vocabularies:
            tokens = self.words.actions(values), self.words.outcomes(values)
            self._vocabularies[key] = Vocabulary(*tokens)
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
            chosen = file if file.is_file() else self._text
            self._texts[language] = chosen.read_text("utf-8")
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
        sections = {}
        for part in self.text.split("\n## ")[1:]:
            heading, _, body = part.partition("\n")
            number, _, title = heading.partition(" ")
            if number.isupper() and number[-1].isdigit():
                sections[number] = f"{number} {title}\n{body.strip()}"
        return sections

    # -- kernels ----------------------------------------------------------------------------------

    @property
    def slots(self) -> dict[str, Callable[..., Any]]:
        """The game's own kernels, by the slot they fill."""
        filled = self.rules.kernels()
        if self.bot is not None:
            filled |= self.bot.kernels()
        if self.encoder is not None:
            filled |= self.encoder.kernels()
        return filled

    @cached_property
    def plain(self) -> Engine:
        """The rules as ordinary Python: slow, but there at once."""
        return Engine(Kernels(self.name, self.slots, PLAIN))

    @cached_property
    def compiled(self) -> Engine:
        """The rules as machine code; the first call of each function may take seconds when cold."""
        if self.plain_only:
            raise GameError(f"{self.name} came with a record: it is played as plain Python only")
        return Engine(Kernels(self.name, self.slots, COMPILED))

    @cached_property
    def checked(self) -> Engine:
        """Machine code that raises `IndexError` where it would leave an array."""
        return Engine(Kernels(self.name, self.slots, CHECKED))

    @contextmanager
    def running(self, engine: Engine) -> Iterator[None]:
        """Run this game's matches by one engine inside the block, whatever is ready; for tests."""
        before, self._running = self._running, engine
        try:
            yield
        finally:
            self._running = before

    @property
    def engine(self) -> Engine:
        """What runs a match now: machine code when it is ready, plain Python until then."""
        if self.plain_only:
            return self.plain
        if self._running is None:
            if not precompile.ready(self):
                return self.plain
            self._running = self.compiled  # from now on without asking again
        return self._running

    @property
    def at_full_speed(self) -> Engine:
        """Machine code, waited for if it has to be made; plain where nothing may be compiled."""
        if self.plain_only or precompile.policy() == "never":
            return self.plain
        precompile.rehearse(self)
        return self.compiled
