"""Beside the large sheet of a solo match: the sliding tiles, at its end the printed scores."""

from __future__ import annotations

from typing import Any

from droptable.core.components import at, box, motion, text, touch
from droptable.core.language import _
from droptable.core.svg import Svg, el, join
from droptable.games.number_drop import rules
from droptable.games.number_drop.picture.layout import Layout
from droptable.games.number_drop.picture.shape_blocks import blocks, fitted, printed
from droptable.games.number_drop.words.high_scores import HIGH_SCORES, solo_rank
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
    rail = join(box(lane - 4, high - 2, "nd-plate rim", r=6), _notches(letter, x, y, layout))
    if state["tiles"][letter] == rules.NO_SHAPE:
        return at(x, y, rail)
    safe = rules.letters(state, 0) >> letter & 1
    tile = at(
        -lane * 0.1,
        tile_y(int(state["notches"][letter]), layout) - y,
        _tile(LETTERS[letter], int(state["tiles"][letter]), lane * 0.72, bool(safe), layout),
        key=name,
        motion=motion(way="fall", enter="flip", wait=0.12 * letter if not state["round"] else None),
    )
    if sliding:
        label = _("Tile {letter}").format(letter=LETTERS[letter])
        return touch(name, label, x, y, rail, tile, keys=LETTERS[letter].lower())
    return at(x, y, rail, tile)


def _notches(letter: int, x: float, y: float, layout: Layout) -> Svg:
    """The marks at the right of a track, whose last one is `GO!`."""
    mark = layout.small * 0.35
    ticks = "".join(
        f"M{tile_x(letter, layout) - x - mark:.2f} {tile_y(notch, layout) - y:.2f}h{2 * mark:.2f}"
        for notch in range(rules.NOTCHES + 1)
    )
    size = layout.small
    go = tile_y(0, layout) - y + tile_height(layout) / 2 + size * 0.75
    return join(
        el("path", d=ticks, class_="nd-lines"),
        text("GO!", 0, go, size=size, kind="bold nd-go"),
    )


def _tile(letter: str, shape: int, width: float, safe: bool, layout: Layout) -> Svg:
    """Letter and shape; green when its letter is circled, so that no block falls (ND17)."""
    high = tile_height(layout)
    cells = printed(shape)
    if layout.tall:
        sign, place = text(letter, -width * 0.34, -1, size=layout.small, kind="bold"), width * 0.14
        inside = at(place, -1, blocks(cells, fitted(cells, width * 0.55, high * 0.7, 9), "nd-tile"))
    else:
        sign = text(letter, 0, -high * 0.24, size=layout.small, kind="bold")
        unit = fitted(cells, width * 0.8, high * 0.42, 13)
        inside = at(0, high * 0.18, blocks(cells, unit, "nd-tile"))
    return join(
        box(width, high, "nd-key-edge", r=5),
        box(width, high - 3, "nd-safe" if safe else "nd-key", y=-1.5, r=5),
        sign,
        inside,
    )


def tile_height(layout: Layout) -> float:
    return 24 if layout.tall else 70


def tile_x(letter: int, layout: Layout) -> float:
    """The middle of the marks beside a tile."""
    left, _top, wide, _high = layout.others
    return left + (letter + 0.87) * wide / rules.LETTERS


def tile_y(notches: int, layout: Layout) -> float:
    """Where a tile is that has so many notches below it."""
    _left, top, _wide, high = layout.others
    room = 8 + layout.small * 1.4  # for the margins, and for GO! below
    way = high - tile_height(layout) - room
    return top + 5 + tile_height(layout) / 2 + way * (1 - notches / rules.NOTCHES)


# -- the end --------------------------------------------------------------------------------------


def high_scores(points: int, name: str, layout: Layout) -> Svg:
    """The printed scores with this one among them, as a machine shows them (ND18)."""
    rank = solo_rank(points)
    rows = [(*entry, False) for entry in HIGH_SCORES]
    rows.insert(rank - 1, (name, points, True))
    left, top, wide, high = layout.others
    columns = 2 if layout.tall else 1
    lines = -(-len(rows) // columns)
    step, across, size = high / lines, wide / columns, layout.small * (1 if layout.tall else 1.1)
    drawn = []
    for i, (who, score, own) in enumerate(rows):
        x, y = left + (i // lines + 0.5) * across, top + (i % lines + 0.5) * step
        tone = "bold nd-counted-text" if own else "soft"
        drawn.append(
            at(
                x, y,
                box(across - 4, step - 3, "nd-counted won" if own else "nd-plate", r=size * 0.4),
                text(i + 1, -across / 2 + size * 1.7, 0, size=size, kind=f"right {tone}"),
                text(who[:8], -across / 2 + size * 2.3, 0, size=size, kind=f"left {tone}"),
                text(score, across / 2 - size * 0.6, 0, size=size, kind=f"right {tone}"),
                key="own-rank" if own else f"rank-{who}",
                motion=motion(enter="rise", wait=0.08 * (len(rows) - i), time=0.3),
            )
        )  # fmt: skip
    return join(*drawn)
