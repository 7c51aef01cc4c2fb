"""The table at the side of a sheet: which combos are circled, and the letters with their tiles."""

from __future__ import annotations

from typing import Any

from droptable.core.components import at, box, motion, text
from droptable.core.svg import Svg, el, join
from droptable.games.number_drop import rules
from droptable.games.number_drop.picture.layout import Layout, Place
from droptable.games.number_drop.picture.shape_blocks import blocks, fitted, printed
from droptable.games.number_drop.rules.combos import BONUS, LARGEST, SMALLEST
from droptable.games.number_drop.rules.scoring import ALL_VALUES
from droptable.games.number_drop.words.notation import LETTERS

EXAMPLES = ("555", "345")  # of both kinds, in place of words
VALUES = LARGEST - SMALLEST + 1


def combo_table(state: Any, seat: int, layout: Layout) -> Svg:
    """Combos by value and kind, then what a whole column and the bonus give (ND11, ND15)."""
    circled = [int(bits) for bits in state["combos"][seat]]
    (left, wide), row = layout.panel, layout.table_row
    panel = box(wide, row * (VALUES + 2.9), "nd-plate", x=left + wide / 2,
                y=_y((VALUES + 2) / 2, layout), r=row * 0.25)  # fmt: skip
    parts = [panel, _head(layout)]
    for kind in range(2):
        for value in range(VALUES):
            done = bool(circled[kind] >> value & 1)
            parts.append(_entry(seat, value + SMALLEST, kind, value + 1, done, layout))
        full = circled[kind] == ALL_VALUES
        parts.append(_entry(seat, "+10", kind, VALUES + 1, full, layout))
    parts += [_letter(state, seat, letter, layout) for letter in range(rules.LETTERS)]
    parts.append(_bonus(seat, bool(state["bonus"][seat]), layout))
    return el("g", *parts, id="table")


def entry_key(seat: int, kind: int, size: int) -> str:
    """The id of a combo's entry."""
    return f"entry-{seat}-{BONUS}" if size == BONUS else f"entry-{seat}-{kind}-{size}"


def entry_place(kind: int, size: int, layout: Layout) -> Place:
    """Where a combo is entered; a bonus stands between both kinds."""
    first, second, *_rest = layout.table
    if size == BONUS:
        return (first + second) / 2, _y(VALUES + 2, layout)
    return (first, second)[kind], _y(size - SMALLEST + 1, layout)


def _y(row: float, layout: Layout) -> float:
    return layout.table_top + layout.table_row * row


def _head(layout: Layout) -> Svg:
    return join(
        *(
            text(example, layout.table[kind], _y(0, layout), size=layout.small, kind="soft")
            for kind, example in enumerate(EXAMPLES)
        )
    )


def _entry(seat: int, words: object, kind: int, row: int, done: bool, layout: Layout) -> Svg:
    """A value that is open, or circled."""
    ten = isinstance(words, str)
    size = max(layout.small, layout.table_row * (0.5 if ten else 0.62))
    high = layout.table_row * 0.86
    return at(
        layout.table[kind],
        _y(row, layout),
        box(high * (1.12 if layout.tall else 1.7) if ten else high, high,
            "nd-counted" if done else "nd-socket", r=high / 2),
        text(words, size=layout.small if ten else size,
             kind="bold nd-counted-text" if done else "soft"),
        key=f"entry-{seat}-{kind}-{'ten' if ten else words}",
        motion=motion(face=done, turn="pulse"),
    )  # fmt: skip


def _bonus(seat: int, done: bool, layout: Layout) -> Svg:
    """The combo of 8, one for both kinds."""
    first, second, *_rest = layout.table
    high = layout.table_row * 0.86
    return at(
        *entry_place(0, BONUS, layout),
        box(second - first + high, high, "nd-counted" if done else "nd-socket", r=high / 2),
        text(BONUS, size=layout.table_row * 0.62, kind="bold nd-counted-text" if done else "soft"),
        key=entry_key(seat, 0, BONUS),
        motion=motion(face=done, turn="pulse"),
    )


def _letter(state: Any, seat: int, letter: int, layout: Layout) -> Svg:
    """A letter: circled by this seat, or crossed off for all; and its tile (ND6, ND12)."""
    crossed = int(state["crossed"]) >> letter & 1
    circled = rules.letters(state, seat) >> letter & 1
    high = layout.table_row * 0.86
    falling = letter == state["block"]
    look = "counted" if circled else "falling" if falling else "socket"
    tone = {"counted": "bold nd-counted-text", "falling": "bold nd-falling-text"}
    return join(
        at(
            layout.table[2],
            _y(letter + 1, layout),
            box(high, high, f"nd-{look}", r=high / 2),
            text(LETTERS[letter], size=max(layout.table_row * 0.6, layout.small),
                 kind=tone.get(look, "soft" if crossed else "bold")),
            el("path", d=_slash(high * 0.5), class_="nd-strike") if crossed else None,
            key=f"letter-{seat}-{LETTERS[letter]}",
            motion=motion(face=f"{look} {crossed}", turn="pulse"),
        ),
        _tile(state, letter, layout, bool(crossed)),
    )  # fmt: skip


def _slash(r: float) -> str:
    """A stroke through what is crossed off."""
    return f"M{-r:.2f} {r:.2f}L{r:.2f} {-r:.2f}"


def _tile(state: Any, letter: int, layout: Layout, spent: bool) -> Svg | None:
    tile = int(state["tiles"][letter])
    if tile == rules.NO_SHAPE:
        return None
    row = layout.table_row
    unit = fitted(printed(tile), row * 1.35, row * 0.86, row * 0.34)
    return at(
        layout.table[3],
        _y(letter + 1, layout),
        blocks(printed(tile), unit, "nd-tile"),
        key=f"print-{LETTERS[letter]}",
        kind="quiet" if spent else None,
        motion=motion(enter="flip", wait=0.12 * letter),
    )
