"""The sliding tiles of a solo match, beside the large sheet of Number Drop (ND16)."""

from __future__ import annotations

from typing import Any

from droptable.core.components import at, box, text, touch
from droptable.core.language import _
from droptable.core.svg import Svg, el, join
from droptable.games.number_drop import rules
from droptable.games.number_drop.picture.layout import Layout
from droptable.games.number_drop.picture.shape_blocks import blocks, printed
from droptable.games.number_drop.words.notation import LETTERS


def tracks(state: Any, acting: bool, layout: Layout) -> Svg:
    """The tiles of solo above their `GO!`: one notch down is one step of the track (ND16)."""
    sliding = acting and state["doing"][0] == rules.SLIDE
    return join(*(_track(state, letter, sliding, layout) for letter in range(rules.LETTERS)))


def _track(state: Any, letter: int, sliding: bool, layout: Layout) -> Svg:
    """The whole track can be touched: a tile may be small."""
    left, top, wide, high = layout.others
    lane = wide / rules.LETTERS
    x, y = left + (letter + 0.5) * lane, top + high / 2
    name = f"tile-{LETTERS[letter]}"
    rail = join(box(lane - 4, high - 2, "plate rim", r=6), _notches(letter, x, y, layout))
    if state["tiles"][letter] == rules.NO_SHAPE:
        return at(x, y, rail)
    tile = at(
        -lane * 0.18,
        tile_y(int(state["notches"][letter]), layout) - y,
        _tile(LETTERS[letter], int(state["tiles"][letter]), lane * 0.58, layout),
        key=name,
    )
    if sliding:
        return touch(name, _("Tile {letter}").format(letter=LETTERS[letter]), x, y, rail, tile)
    return at(x, y, rail, tile)


def _notches(letter: int, x: float, y: float, layout: Layout) -> Svg:
    """The marks at the right of a track, whose last one is `GO!`."""
    mark = layout.small * 0.35
    ticks = "".join(
        f"M{tile_x(letter, layout) - x - mark:.2f} {tile_y(notch, layout) - y:.2f}h{2 * mark:.2f}"
        for notch in range(1, rules.NOTCHES + 1)
    )
    size = layout.small
    go_x, go_y = tile_x(letter, layout) - x, tile_y(0, layout) - y
    if layout.tall:
        go_y += 5  # clear of the marks
    else:
        go_x, go_y = 0, go_y + tile_height(layout) / 2 + size * 0.8
    return join(el("path", d=ticks, class_="line"), text("GO!", go_x, go_y, size=size, kind="soft"))


def _tile(letter: str, shape: int, width: float, layout: Layout) -> Svg:
    """Letter and shape, beside or below each other."""
    high = tile_height(layout)
    unit = width * 0.15
    if layout.tall:
        parts = text(letter, -width * 0.33, size=layout.small, kind="bold"), (width * 0.15, 0.0)
    else:
        parts = text(letter, 0, -high * 0.2, size=layout.small, kind="bold"), (0.0, high * 0.25)
    return join(
        box(width, high, "card", r=5), parts[0], at(*parts[1], blocks(printed(shape), unit))
    )


def tile_height(layout: Layout) -> float:
    return 20 if layout.tall else 58


def tile_x(letter: int, layout: Layout) -> float:
    """The middle of the marks beside a tile."""
    left, _top, wide, _high = layout.others
    return left + (letter + 0.8) * wide / rules.LETTERS


def tile_y(notches: int, layout: Layout) -> float:
    """Where a tile is that has so many notches below it."""
    _left, top, _wide, high = layout.others
    room = 8 if layout.tall else 8 + layout.small * 1.5  # for the margins, and for GO! below
    way = high - tile_height(layout) - room
    return top + 4 + tile_height(layout) / 2 + way * (1 - notches / rules.NOTCHES)
