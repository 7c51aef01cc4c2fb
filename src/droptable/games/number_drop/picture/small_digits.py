"""Digits of a few strokes, as an arcade machine shows them: for sheets too small for text."""

from __future__ import annotations

from functools import lru_cache

from droptable.games.number_drop.rules import grid

# The bars of a digit: where each begins, in halves of its height and in widths, and its way.
_BARS = {
    "top": (0, 0, "h"), "middle": (0, 1, "h"), "bottom": (0, 2, "h"),
    "upper left": (0, 0, "v"), "upper right": (1, 0, "v"),
    "lower left": (0, 1, "v"), "lower right": (1, 1, "v"),
}  # fmt: skip
_ALL = frozenset(_BARS)
_DIGITS = (
    _ALL - {"middle"},
    {"upper right", "lower right"},
    _ALL - {"upper left", "lower right"},
    _ALL - {"upper left", "lower left"},
    {"upper left", "middle", "upper right", "lower right"},
    _ALL - {"upper right", "lower left"},
    _ALL - {"upper right"},
    {"top", "upper right", "lower right"},
    _ALL,
    _ALL - {"lower left"},
)


@lru_cache(4096)
def strokes(mark: int, x: float, y: float, high: float) -> str:
    """A number or an X round a centre, as a path to be stroked."""
    if mark == grid.X:
        r = high * 0.36
        return (
            f"M{x - r:.1f} {y - r:.1f}l{2 * r:.1f} {2 * r:.1f}"
            f"m0 {-2 * r:.1f}l{-2 * r:.1f} {2 * r:.1f}"
        )
    wide, half = high * 0.5, high / 2
    left = x - wide if mark == 2 else x - wide / 2  # a 1 stands in the middle
    return "".join(
        f"M{left + across * wide:.1f} {y + (down - 1) * half:.1f}"
        f"{way}{wide if way == 'h' else half:.1f}"
        for name, (across, down, way) in _BARS.items()
        if name in _DIGITS[mark - 1]
    )
