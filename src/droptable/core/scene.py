"""Scenes: a view as a picture to play on. A game's `Scene` draws it; no client knows a game.

A picture is keyed SVG: every element that stays, moves, comes or goes has an `id` of its own, which
follows the *thing* (a card, a counter) and not its place, and stands in a group with a
`transform="translate(x y)"`; a client turns one picture into the next by these ids. What can be
touched has `data-touch="NAME"` and an `aria-label`; several elements may share a name (two equal
cards in a hand).

A move is the *path* of names that a person touches, one after the other: `("hand-6", "site-2")`. A
tuple inside a path is a group that is touched in any order: `(("hand-3", "hand-4"), "table")`.
A name that starts with `do-` is not in the picture: the client shows a button with the move's
label. No path begins with another one whole. `switches` replace the last thing touched by another
one (turning a shape): `{"turn": {"piece-0": "piece-1", "piece-1": "piece-0"}}`, where `turn` is
touched.

How things come, move and go stands in the picture, as attributes that `motion` writes. They speak
when a client goes from one picture to the next, so a replay moves as a live match does:

- `data-enter`: how a thing comes that the picture before did not have (`ENTRANCES`; else it fades);
  `data-from="ID"`: it flies in from that thing (of the picture before, or of this one).
- `data-leave`: how it goes if the next picture does not have it (`EXITS`; else it fades);
  `data-to="ID"`: it flies to that thing of the next picture.
- `data-way`: how it moves when its place has changed (`WAYS`; else it slides).
- `data-face`: what it shows, in a word. If that changes, it turns: `data-turn` says how (`TURNS`;
  else it flips); `count` counts a `text` from the number before to the new one.
- `data-wait`, `data-time`: seconds until its motion begins, and how long that takes.

*Beats* are the moments worth seeing between two views: `Scene.beats` makes them from one event as
one viewer saw it. A beat is a picture (or the one that follows), a duration, words and a sound.

What else a client can be given, without knowing a game: *chips*, short cuts that make one or more
moves at once (`Chip`), and a *fill*, pieces that go into slots in any order (`Fill`). A thing with
`data-key="r wheel"` is touched by that key or gesture as well (`r`, `7`, `wheel`, `rightclick`).
Things with `data-aim="x"` are aimed at: of the moves that they complete, the one is meant whose
ghost is nearest to the pointer.

Sizes: a *tall* picture is 360 units wide and at most 520 high, for phones; its text is at least 12
units high, what can be touched 44 where the board allows. A *wide* one is 1000 by at most 560, its
text at least 22. Colours come from classes and variables of `scene.css`, so that pictures follow
light and dark; nothing is conveyed by colour alone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from droptable.core.errors import GameError
from droptable.core.svg import Svg, el

Path_: TypeAlias = tuple["str | tuple[str, ...]", ...]
BUTTON = "do-"
T = TypeVar("T")
ACCENTS = ("red", "orange", "gold", "green", "teal", "blue", "violet", "pink")
ENTRANCES = ("fade", "fly", "fall", "grow", "flip", "tumble", "stroke", "slam", "rise")
EXITS = ("fade", "fly", "fall", "shrink", "burst", "none")
WAYS = ("slide", "fall", "hop", "none")  # `fall` ends with a bounce, `hop` goes in an arc
TURNS = ("flip", "tumble", "pulse", "count", "none")
LONGEST_BEAT = 12.0  # seconds
SOUNDS = (
    "turn", "move", "drop", "card", "flip", "shuffle", "dice", "write", "combo", "block", "push",
    "burst", "pop", "score", "round", "win", "loss", "draw", "chat", "error",
)  # fmt: skip


@dataclass(frozen=True)
class Frame:
    """How a picture is to be drawn."""

    names: Sequence[str]  # of the seats
    tall: bool = False  # for a portrait screen
    focus: int | None = None  # the seat that is drawn large, if a game does so; else the viewer
    open: bool = False  # all cards face up: a whole state, when there are no secrets any more
    faces: Sequence[str] = ()  # of the seats: a bot's character, or empty
    steps: Sequence[Step] = ()  # of the match as the viewer saw them, as far as they are known

    def face(self, seat: int) -> str:
        """The character of a seat's bot; empty for a person."""
        return self.faces[seat] if seat < len(self.faces) else ""


@dataclass(frozen=True)
class Picture:
    """A drawn view: its size in units, and its elements."""

    width: int
    height: int
    body: Svg
    title: str  # alt text

    def svg(self, *, standalone: bool = False, dark: bool = False) -> str:
        """The picture as an SVG element; standalone, with its own style, for files."""
        if standalone:
            from droptable.core.raster import standalone as styled

            return styled(self.svg(), dark=dark)
        return el(
            "svg",
            el("title", self.title),
            self.body,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {self.width} {self.height}",
            class_="scene",
            role="group",
        )


@dataclass(frozen=True)
class Line:
    """One line of a score sheet: what it is for, its rule, and what each seat gets."""

    label: str
    rule: str
    points: tuple[int | str, ...]
    total: bool = False  # a sum of the lines above


@dataclass(frozen=True)
class Step:
    """An event of a match as one viewer saw it: its views before and after."""

    before: Record
    after: Record
    actor: int  # a seat, or the dealer
    action: int  # its id, or -1 for a viewer who did not witness it


class History(Sequence[Step]):
    """Steps that know by themselves which of them led to a view."""

    @abstractmethod
    def leading_to(self, wanted: bytes) -> list[Step]:
        """The steps that led to the view with these bytes, as `story` gives them."""

    @abstractmethod
    def last_to(self, wanted: bytes) -> Step | None:
        """The last of them."""

    @abstractmethod
    def followed(
        self, wanted: bytes, start: Callable[[Record], T | None], after: Callable[[T, Step], T]
    ) -> T | None:
        """What follows from them, as `followed` has it; remembered for the next picture."""


def followed(
    view: Record,
    steps: Sequence[Step],
    start: Callable[[Record], T | None],
    after: Callable[[T, Step], T],
) -> T | None:
    """What follows from the steps that led to a view: `start` makes it of the first view that is
    known (None: nothing follows), `after` of each step."""
    if isinstance(steps, History):
        return steps.followed(view.tobytes(), start, after)
    led = story(view, steps)
    now = start(led[0].before if led else view)
    for step in led:
        now = None if now is None else after(now, step)
    return now


def last_step(view: Record, steps: Sequence[Step]) -> Step | None:
    """The last step that led to a view."""
    if isinstance(steps, History):
        return steps.last_to(view.tobytes())
    led = story(view, steps)
    return led[-1] if led else None


def story(view: Record, steps: Sequence[Step]) -> list[Step]:
    """The steps that led to a view, first to last; those that were undone are left out."""
    if isinstance(steps, History):
        return steps.leading_to(view.tobytes())
    wanted, led = view.tobytes(), []
    for step in reversed(steps):
        if step.after.tobytes() == wanted:
            led.append(step)
            wanted = step.before.tobytes()
    return led[::-1]


@dataclass(frozen=True)
class Beat:
    """A moment worth seeing; without a picture, the one that follows is shown."""

    seconds: float = 0.6  # at normal speed, with the motion; 0 adds words or a sound only
    picture: Picture | None = None
    text: str = ""  # a sentence that is shown and read out meanwhile
    sound: str = ""  # one of `SOUNDS`

    def __post_init__(self) -> None:
        if self.sound and self.sound not in SOUNDS:
            raise GameError(f"Beat: sound is {self.sound!r}; expected one of {', '.join(SOUNDS)}")
        if not 0 <= self.seconds <= LONGEST_BEAT:
            raise GameError(f"Beat: seconds is {self.seconds!r}; expected 0 to {LONGEST_BEAT:.0f}")


@dataclass(frozen=True)
class Chip:
    """A short cut: moves that are made together, one after the other, by one click."""

    label: str  # empty: no button, it is traced only
    tokens: tuple[str, ...]
    trace: tuple[str, ...] = ()  # names; dragging over just these, in any order, means this chip
    ghost: Svg | None = None


@dataclass(frozen=True)
class Fill:
    """Pieces (dice) that go into slots (squares) in any order; when all lie, the moves are made.

    A piece holds the values it can stand for; the moves are `token` with each slot's value, in the
    order of the slots. There are as many pieces as slots.
    """

    slots: tuple[str, ...]  # names of things in the picture
    pieces: Mapping[str, tuple[str, ...]]  # by name
    token: str  # "num {}"


Record = Any  # a view's `fields`
Names = Sequence[str]  # of the seats
Switches = Mapping[str, Mapping[str, str]]


def no_ghost(view: Record, seat: int, action: int, frame: Frame) -> Svg | None:  # noqa: ARG001
    """Nothing is drawn over the picture before a move."""
    return None


def no_switches(view: Record, seat: int) -> Switches:  # noqa: ARG001
    """Nothing is turned."""
    return {}


def no_chips(view: Record, seat: int, frame: Frame) -> Sequence[Chip]:  # noqa: ARG001
    """No short cuts."""
    return ()


def no_fill(view: Record, seat: int) -> Fill | None:  # noqa: ARG001
    """Nothing is filled in."""
    return None


def no_refusal(view: Record, seat: int, touched: Sequence[str]) -> str:  # noqa: ARG001
    """No reason beyond those of the moves."""
    return ""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A game as a picture to play on.

    - `accent`: the game's own colour, one of `ACCENTS`.
    - `draw(view, viewer, frame)`: the table as its viewer (a seat, or `NOBODY`) may see it.
    - `path(view, seat, action)`: what is touched to make a legal move.
    - `prompt(view, viewer, names)`: what the viewer is to do now, or for whom the table waits.
    - `ghost(view, seat, action, frame)`: what a legal move would do, drawn over the picture.
    - `switches(view, seat)`: things that change the last thing touched for another one.
    - `sheet(views, names)`: the score as a person would write it, from one viewer's views, first to
      last; without one, the scores.
    - `refusal(view, seat, touched)`: why these touches lead nowhere, where the reasons of the moves
      that begin so would not say it well; empty if they do.
    - `beats(step, viewer, frame)`: the moments of one event that are worth seeing, first to last;
      the last one usually has no picture: it shows what follows. No beats: the event is passed
      over, and what it changed is seen with the next. Without the function every event is one beat.
    - `chips(view, seat, frame)`: short cuts for a seat that is to act.
    - `fill(view, seat)`: slots that a seat that is to act fills in any order.
    - `automatic`: tokens of moves that the table makes for a seat that has no other (`skip`).
    - `style`: a CSS file with the game's own classes, as `scene.css` has them.
    """

    accent: str
    draw: Callable[[Record, int, Frame], Picture]
    path: Callable[[Record, int, int], Path_]
    prompt: Callable[[Record, int, Names], str]
    ghost: Callable[[Record, int, int, Frame], Svg | None] = no_ghost
    switches: Callable[[Record, int], Switches] = no_switches
    sheet: Callable[[Iterable[Record], Names], Sequence[Line]] | None = None
    refusal: Callable[[Record, int, Sequence[str]], str] = no_refusal
    beats: Callable[[Step, int, Frame], Sequence[Beat]] | None = None
    chips: Callable[[Record, int, Frame], Sequence[Chip]] = no_chips
    fill: Callable[[Record, int], Fill | None] = no_fill
    automatic: frozenset[str] = frozenset()
    style: Path | None = None

    def __post_init__(self) -> None:
        if self.accent not in ACCENTS:
            known = ", ".join(ACCENTS)
            raise GameError(f"Scene: accent is {self.accent!r}; expected one of {known}")


_styles: dict[Path, str] = {Path(__file__).with_name("scene.css"): ""}  # in this order


def add_style(file: Path) -> None:
    """Let all pictures know a game's own classes."""
    _styles.setdefault(file, "")


def stylesheet() -> str:
    """The style that all pictures share, and those of the games."""
    for file, text in _styles.items():
        _styles[file] = text or file.read_text("utf-8")
    return "\n".join(_styles.values())
