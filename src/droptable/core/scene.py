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

Sizes: a *tall* picture is 360 units wide and at most 520 high, for phones; its text is at least 12
units high, what can be touched 44 where the board allows. A *wide* one is 1000 by at most 560, its
text at least 22. Colours come from classes and variables of `scene.css`, so that pictures follow
light and dark; nothing is conveyed by colour alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from droptable.core.errors import GameError
from droptable.core.svg import Svg, el

Path_: TypeAlias = tuple["str | tuple[str, ...]", ...]
BUTTON = "do-"
ACCENTS = ("red", "orange", "gold", "green", "teal", "blue", "violet", "pink")


@dataclass(frozen=True)
class Frame:
    """How a picture is to be drawn."""

    names: Sequence[str]  # of the seats
    tall: bool = False  # for a portrait screen
    focus: int | None = None  # the seat that is drawn large, if a game does so; else the viewer
    open: bool = False  # all cards face up: a whole state, when there are no secrets any more


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


Record = Any  # a view's `fields`
Names = Sequence[str]  # of the seats
Switches = Mapping[str, Mapping[str, str]]


def no_ghost(view: Record, seat: int, action: int, frame: Frame) -> Svg | None:  # noqa: ARG001
    """Nothing is drawn over the picture before a move."""
    return None


def no_switches(view: Record, seat: int) -> Switches:  # noqa: ARG001
    """Nothing is turned."""
    return {}


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
