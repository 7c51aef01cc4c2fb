"""The table at the side of a sheet: which combos are circled, and the letters with their tiles."""

from __future__ import annotations

from typing import Any

from droptable.core.components import at, box, text
from droptable.core.svg import Svg, el, join
from droptable.games.number_drop import rules
from droptable.games.number_drop.picture.layout import Layout
from droptable.games.number_drop.picture.shape_blocks import blocks, printed
from droptable.games.number_drop.rules.combos import BONUS, LARGEST, SMALLEST
from droptable.games.number_drop.rules.scoring import ALL_VALUES
from droptable.games.number_drop.words.notation import LETTERS

EXAMPLES = ("555", "345")  # of both kinds, in place of words


def combo_table(state: Any, seat: int, layout: Layout) -> Svg:
    """Combos by value and kind, then what a whole column and the bonus give (ND11, ND15)."""
    circled = [int(bits) for bits in state["combos"][seat]]
    rows = LARGEST - SMALLEST + 1
    parts = [_head(layout)]
    for kind in range(2):
        for letter in range(rows):
            done = bool(circled[kind] >> letter & 1)
            parts.append(_entry(letter + SMALLEST, kind, letter + 1, done, layout))
        parts.append(_entry("+10", kind, rows + 1, circled[kind] == ALL_VALUES, layout))
    parts += [_letter(state, seat, letter, layout) for letter in range(rows)]
    parts.append(_bonus(bool(state["bonus"][seat]), layout))
    return el("g", *parts, id="table")


def entry_place(kind: int, size: int, layout: Layout) -> tuple[float, float]:
    """Where a combo is entered; a bonus stands between both kinds."""
    first, second, *_rest = layout.table
    if size == BONUS:
        return (first + second) / 2, _y(LARGEST - SMALLEST + 3, layout)
    return (first, second)[kind], _y(size - SMALLEST + 1, layout)


def _y(row: float, layout: Layout) -> float:
    return layout.table_top + layout.table_row * (row - 0.1)


def _head(layout: Layout) -> Svg:
    return join(
        *(
            text(example, layout.table[kind], _y(0.1, layout), size=layout.small, kind="soft")
            for kind, example in enumerate(EXAMPLES)
        )
    )


def _entry(words: object, kind: int, row: int, done: bool, layout: Layout) -> Svg:
    """A value that is open, or circled."""
    size = layout.table_row * 0.46
    wide = layout.table_row * (0.8 if len(str(words)) == 1 else 1.02)
    return at(
        layout.table[kind],
        _y(row, layout),
        box(wide, layout.table_row * 0.8, "counted" if done else "open", r=layout.table_row * 0.4),
        text(words, size=max(size * (1 if len(str(words)) == 1 else 0.82), layout.small),
             kind="bold" if done else "soft"),
    )  # fmt: skip


def _bonus(done: bool, layout: Layout) -> Svg:
    """The combo of 8, one for both kinds."""
    first, second, *_rest = layout.table
    high = layout.table_row * 0.8
    return at(
        *entry_place(0, BONUS, layout),
        box(second - first + high, high, "counted" if done else "open", r=high / 2),
        text(BONUS, size=layout.table_row * 0.46, kind="bold" if done else "soft"),
    )


def _letter(state: Any, seat: int, letter: int, layout: Layout) -> Svg:
    """A letter: circled by this seat, or crossed off for all; and its tile (ND6, ND12)."""
    crossed = int(state["crossed"]) >> letter & 1
    circled = rules.letters(state, seat) >> letter & 1
    high = layout.table_row * 0.8
    x, y = layout.table[2], _y(letter + 1, layout)
    falling = letter == state["block"]
    return join(
        at(
            x,
            y,
            box(high, high, "counted" if circled else "falling" if falling else "open", r=high / 2),
            text(LETTERS[letter], size=layout.table_row * 0.46, kind="soft" if crossed else "bold"),
            el("path", d=_slash(high * 0.4), class_="pencil-x") if crossed else None,
        ),
        _tile(state, letter, layout, bool(crossed)),
    )


def _slash(r: float) -> str:
    """A stroke through what is crossed off."""
    return f"M{-r:.2f} {r:.2f}L{r:.2f} {-r:.2f}"


def _tile(state: Any, letter: int, layout: Layout, spent: bool) -> Svg | None:
    tile = int(state["tiles"][letter])
    if tile == rules.NO_SHAPE:
        return None
    return at(
        layout.table[3],
        _y(letter + 1, layout),
        blocks(printed(tile), layout.table_row * 0.22),
        key=f"print-{LETTERS[letter]}",
        kind="quiet" if spent else None,
    )
