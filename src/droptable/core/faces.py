"""Faces of the bots' characters, drawn from flat shapes around 0, 0.

A drawing is written for a radius of 1 and scaled by its numbers. Paths have absolute coordinates
and no arcs. Colours are classes of `scene.css`, the same in light and dark: a face brings its own
ground.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from droptable.core.svg import Svg, el, join

Stroke = Callable[[float], Svg]  # a shape, for a radius
_NUMBER = re.compile(r"-?[\d.]+")


def face(name: str, radius: float) -> Svg:
    """The face of a character on a round ground; `KeyError` if there is no such character."""
    return _drawn(name, round(radius, 2))


@lru_cache(256)
def _drawn(name: str, radius: float) -> Svg:
    return join(*(stroke(radius) for stroke in FACES[name]))


# -- strokes --------------------------------------------------------------------------------------


def _dot(x: float, y: float, r: float, tint: str) -> Stroke:
    return lambda unit: el("circle", cx=x * unit, cy=y * unit, r=r * unit, class_=f"tint-{tint}")


def _oval(x: float, y: float, rx: float, ry: float, tint: str) -> Stroke:
    return lambda unit: el(
        "ellipse", cx=x * unit, cy=y * unit, rx=rx * unit, ry=ry * unit, class_=f"tint-{tint}"
    )


def _shape(path: str, tint: str) -> Stroke:
    return lambda unit: el("path", d=_scaled(path, unit), class_=f"tint-{tint}")


def _line(path: str, width: float, kind: str = "face-line") -> Stroke:
    return lambda unit: el(
        "path", d=_scaled(path, unit), stroke_width=max(width * unit, 0.6), class_=kind
    )


def _pair(x: float, y: float, r: float, tint: str) -> tuple[Stroke, Stroke]:
    """The same on the left and on the right."""
    return _dot(-x, y, r, tint), _dot(x, y, r, tint)


def _ovals(x: float, y: float, rx: float, ry: float, tint: str) -> tuple[Stroke, Stroke]:
    return _oval(-x, y, rx, ry, tint), _oval(x, y, rx, ry, tint)


def _mirrored(points: Sequence[tuple[float, float]], tint: str) -> tuple[Stroke, Stroke]:
    """A polygon on the left and on the right."""
    left, right = (
        "M" + "L".join(f"{side * x:.3g} {y:.3g}" for x, y in points) + "Z" for side in (-1, 1)
    )
    return _shape(left, tint), _shape(right, tint)


def _eyes(x: float, y: float, r: float = 0.1) -> tuple[Stroke, ...]:
    """Dark eyes with a glint."""
    glint = r * 0.4
    glints = (_dot(side * x + glint, y - glint, glint, "white") for side in (-1, 1))
    return (*_pair(x, y, r, "night"), *glints)


def _smile(y: float, width: float, depth: float) -> Stroke:
    bow = f"M-{width} {y}C-{width / 2} {y + depth:.3g} {width / 2} {y + depth:.3g} {width} {y}"
    return _line(bow, 0.075)


def _scaled(path: str, unit: float) -> str:
    def short(number: re.Match[str]) -> str:
        return f"{float(number[0]) * unit:.2f}".rstrip("0").rstrip(".")

    return _NUMBER.sub(short, path)


# -- characters -----------------------------------------------------------------------------------

_OWL = (
    _dot(0, 0, 1, "sand"),
    *_mirrored([(0.74, 0.05), (0.68, -0.84), (0.06, -0.46)], "violet"),
    _oval(0, 0.14, 0.76, 0.74, "violet"),
    _oval(0, 0.62, 0.44, 0.24, "lilac"),
    *_pair(0.32, -0.02, 0.35, "cream"),
    *_eyes(0.28, 0, 0.18),
    _shape("M-.13 .2L.13 .2L0 .5Z", "orange"),
)
_BEAR = (
    _dot(0, 0, 1, "mint"),
    *_pair(0.53, -0.5, 0.28, "brown"),
    *_pair(0.53, -0.48, 0.14, "tan"),
    _oval(0, 0.1, 0.74, 0.7, "brown"),
    _oval(0, 0.38, 0.38, 0.3, "tan"),
    _oval(0, 0.26, 0.16, 0.11, "night"),
    *_eyes(0.29, -0.06, 0.1),
    _smile(0.46, 0.16, 0.14),
)
_ROBOT = (
    _dot(0, 0, 1, "sky"),
    _line("M0 -.5L0 -.78", 0.09, "face-wire"),
    _dot(0, -0.8, 0.13, "red"),
    _shape("M-.84 -.1L-.62 -.1L-.62 .34L-.84 .34Z", "navy"),
    _shape("M.84 -.1L.62 -.1L.62 .34L.84 .34Z", "navy"),
    _shape(
        "M-.5 -.52L.5 -.52C.62 -.52 .7 -.44 .7 -.32L.7 .5C.7 .62 .62 .7 .5 .7L-.5 .7"
        "C-.62 .7 -.7 .62 -.7 .5L-.7 -.32C-.7 -.44 -.62 -.52 -.5 -.52Z",
        "steel",
    ),
    _shape(
        "M-.42 -.32L.42 -.32C.5 -.32 .54 -.28 .54 -.2L.54 .38C.54 .46 .5 .5 .42 .5L-.42 .5"
        "C-.5 .5 -.54 .46 -.54 .38L-.54 -.2C-.54 -.28 -.5 -.32 -.42 -.32Z",
        "night",
    ),
    *_pair(0.24, -0.02, 0.14, "lime"),
    _line("M-.2 .28C-.1 .38 .1 .38 .2 .28", 0.09, "face-light"),
)
_CHICK = (
    _dot(0, 0, 1, "sky"),
    _shape("M-.2 -.5C-.3 -.8 -.14 -.94 -.02 -.72C.06 -.98 .34 -.9 .2 -.5Z", "orange"),
    _dot(0, 0.1, 0.72, "yellow"),
    *_pair(0.46, 0.26, 0.14, "peach"),
    *_eyes(0.28, 0, 0.11),
    _shape("M-.2 .2L0 .08L.2 .2L0 .42Z", "orange"),
)
_FOX = (
    _dot(0, 0, 1, "mint"),
    *_mirrored([(0.76, 0), (0.72, -0.86), (0.12, -0.42)], "orange"),
    *_mirrored([(0.66, -0.34), (0.64, -0.68), (0.36, -0.46)], "night"),
    _shape(
        "M-.8 -.1C-.62 -.56 .62 -.56 .8 -.1C.8 .3 .34 .66 0 .9C-.34 .66 -.8 .3 -.8 -.1Z", "orange"
    ),
    _shape("M-.79 .02C-.4 -.04 -.16 .3 0 .9C-.36 .66 -.76 .36 -.79 .02Z", "white"),
    _shape("M.79 .02C.4 -.04 .16 .3 0 .9C.36 .66 .76 .36 .79 .02Z", "white"),
    *_eyes(0.32, 0.06, 0.1),
    _oval(0, 0.74, 0.14, 0.11, "night"),
)
_FROG = (
    _dot(0, 0, 1, "lilac"),
    *_pair(0.44, -0.4, 0.32, "green"),
    _oval(0, 0.18, 0.82, 0.62, "green"),
    *_pair(0.44, -0.42, 0.21, "white"),
    *_eyes(0.42, -0.4, 0.12),
    *_pair(0.56, 0.3, 0.13, "lime"),
    _smile(0.28, 0.46, 0.36),
)
_CAT = (
    _dot(0, 0, 1, "peach"),
    *_mirrored([(0.74, 0.1), (0.72, -0.86), (0.1, -0.42)], "coal"),
    *_mirrored([(0.6, -0.22), (0.62, -0.64), (0.3, -0.42)], "rose"),
    _oval(0, 0.14, 0.76, 0.66, "coal"),
    *_ovals(0.32, 0.02, 0.19, 0.17, "lime"),
    *_ovals(0.32, 0.02, 0.06, 0.15, "night"),
    _shape("M-.1 .28L.1 .28L0 .4Z", "rose"),
    _line("M-.34 .44L-.86 .36M-.34 .52L-.82 .6M.34 .44L.86 .36M.34 .52L.82 .6", 0.05, "face-hair"),
    _line("M-.18 .46C-.12 .56 0 .54 0 .42C0 .54 .12 .56 .18 .46", 0.06, "face-hair"),
)
_LION = (
    _dot(0, 0, 1, "sky"),
    *(
        _dot(x, y, 0.3, "rust")
        for x, y in ((0, -0.62), (0.42, -0.5), (0.66, -0.14), (0.62, 0.28), (0.36, 0.6),
                     (0, 0.68), (-0.36, 0.6), (-0.62, 0.28), (-0.66, -0.14), (-0.42, -0.5))
    ),
    _dot(0, 0.04, 0.66, "rust"),
    *_pair(0.44, -0.36, 0.17, "yellow"),
    _dot(0, 0.08, 0.56, "yellow"),
    _oval(0, 0.34, 0.3, 0.22, "cream"),
    _shape("M-.14 .14L.14 .14L0 .32Z", "brown"),
    *_eyes(0.24, -0.04, 0.09),
    _smile(0.4, 0.14, 0.14),
)  # fmt: skip
_RABBIT = (
    _dot(0, 0, 1, "dusk"),
    *_ovals(0.28, -0.5, 0.19, 0.46, "white"),
    *_ovals(0.28, -0.5, 0.09, 0.34, "rose"),
    _oval(0, 0.3, 0.62, 0.56, "white"),
    *_pair(0.4, 0.44, 0.11, "peach"),
    *_eyes(0.25, 0.2, 0.1),
    _oval(0, 0.38, 0.1, 0.07, "rose"),
    _shape("M-.09 .56L.09 .56L.08 .74L-.08 .74Z", "cream"),
    _smile(0.48, 0.16, 0.14),
)
_PANDA = (
    _dot(0, 0, 1, "green"),
    *_pair(0.54, -0.52, 0.27, "night"),
    _oval(0, 0.1, 0.76, 0.7, "white"),
    *_ovals(0.31, 0.02, 0.2, 0.26, "night"),
    *_pair(0.29, 0, 0.09, "white"),
    _oval(0, 0.32, 0.14, 0.1, "night"),
    _smile(0.44, 0.18, 0.16),
)
_MONKEY = (
    _dot(0, 0, 1, "yellow"),
    *_pair(0.72, 0.06, 0.24, "rust"),
    *_pair(0.72, 0.06, 0.13, "tan"),
    _oval(0, 0.02, 0.7, 0.72, "rust"),
    *_pair(0.23, -0.08, 0.31, "tan"),
    _oval(0, 0.34, 0.48, 0.34, "tan"),
    *_eyes(0.22, -0.06, 0.1),
    *_pair(0.07, 0.2, 0.04, "night"),
    _smile(0.36, 0.26, 0.22),
)
_OCTOPUS = (
    _dot(0, 0, 1, "navy"),
    *_pair(0.6, 0.5, 0.2, "red"),
    *_pair(0.22, 0.64, 0.2, "red"),
    _oval(0, -0.08, 0.68, 0.7, "red"),
    *_pair(0.44, 0.24, 0.11, "peach"),
    *_pair(0.27, -0.06, 0.21, "white"),
    *_eyes(0.24, -0.04, 0.12),
    _smile(0.28, 0.16, 0.16),
)
_PENGUIN = (
    _dot(0, 0, 1, "ice"),
    _oval(0, 0.08, 0.76, 0.8, "navy"),
    *_pair(0.27, 0, 0.33, "white"),
    _oval(0, 0.42, 0.5, 0.42, "white"),
    *_eyes(0.25, -0.02, 0.11),
    _shape("M-.2 .16C-.1 .06 .1 .06 .2 .16L0 .42Z", "orange"),
)
_PIG = (
    _dot(0, 0, 1, "teal"),
    *_mirrored([(0.74, -0.1), (0.7, -0.74), (0.16, -0.5)], "rose"),
    _oval(0, 0.1, 0.74, 0.7, "pink"),
    *_eyes(0.34, -0.08, 0.1),
    _oval(0, 0.26, 0.34, 0.25, "rose"),
    *_ovals(0.12, 0.26, 0.06, 0.1, "night"),
    _smile(0.58, 0.14, 0.1),
)
_KOALA = (
    _dot(0, 0, 1, "lime"),
    *_pair(0.64, -0.28, 0.36, "steel"),
    *_pair(0.62, -0.26, 0.2, "pink"),
    _oval(0, 0.14, 0.66, 0.66, "steel"),
    *_eyes(0.32, 0, 0.1),
    _oval(0, 0.22, 0.17, 0.27, "night"),
    _smile(0.58, 0.14, 0.1),
)
_ALIEN = (
    _dot(0, 0, 1, "violet"),
    _line("M-.3 -.4L-.46 -.74M.3 -.4L.46 -.74", 0.08, "face-light"),
    *_pair(0.47, -0.76, 0.12, "yellow"),
    _shape("M-.66 -.02C-.66 -.7 .66 -.7 .66 -.02C.66 .46 .34 .8 0 .8C-.34 .8 -.66 .46 -.66 -.02Z",
           "lime"),
    _dot(0, -0.06, 0.36, "white"),
    *(_dot(0, -0.04, r, tint) for r, tint in ((0.22, "violet"), (0.11, "night"))),
    _dot(0.08, -0.12, 0.06, "white"),
    _smile(0.46, 0.22, 0.16),
)  # fmt: skip

FACES: dict[str, tuple[Stroke, ...]] = {
    "Ada": _OWL, "Bruno": _BEAR, "Chip": _ROBOT, "Coco": _CHICK, "Finn": _FOX, "Gus": _FROG,
    "Iris": _CAT, "Leo": _LION, "Luna": _RABBIT, "Mika": _PANDA, "Momo": _MONKEY, "Otto": _OCTOPUS,
    "Pip": _PENGUIN, "Rosa": _PIG, "Uma": _KOALA, "Zed": _ALIEN,
}  # fmt: skip
