"""The sheets of the others, small, beside the large one of Number Drop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from droptable.core.components import at, box, motion, seat_sign, shortened, text
from droptable.core.language import ngettext
from droptable.core.scene import Frame
from droptable.core.svg import Svg, el, join
from droptable.games.number_drop import rules
from droptable.games.number_drop.picture.circled_combos import circles
from droptable.games.number_drop.picture.large_sheet import gain_sign
from droptable.games.number_drop.picture.layout import Layout, Space
from droptable.games.number_drop.picture.moment import Moment
from droptable.games.number_drop.picture.outlines import outline_path
from droptable.games.number_drop.picture.small_digits import strokes
from droptable.games.number_drop.rules import grid
from droptable.games.number_drop.rules.grid import ROWS, SAFE_ROWS
from droptable.games.number_drop.rules.shapes import COLUMNS
from droptable.games.number_drop.words.notation import LETTERS, Cell, board, cells_of

FEWEST_ROWS = 9  # that are shown of a sheet, if no higher one is marked


def small_sheets(state: Any, seats: Sequence[int], frame: Frame, moment: Moment,
                 layout: Layout) -> Svg:  # fmt: skip
    """Some seats' sheets side by side; a client may make one large by its `data-focus`."""
    rows = _rows(state, seats) if layout.tall or len(seats) > 2 else ROWS
    places, dot, lines = layout.other_places(len(seats), rows)
    return join(
        *(
            _small_sheet(state, seat, frame, moment, place, layout, (rows, dot, lines))
            for seat, place in zip(seats, places, strict=True)
        )
    )


def _rows(state: Any, seats: Sequence[int]) -> int:
    """How many rows are shown where there is little room: all that are marked, and one more."""
    marked = [row for seat in seats for row, _column in cells_of(grid.marked(state, seat))]
    return min(max(max(marked, default=0) + 2, FEWEST_ROWS), ROWS)


def _small_sheet(state: Any, seat: int, frame: Frame, moment: Moment, space: Space,
                 layout: Layout, size: tuple[int, float, int]) -> Svg:  # fmt: skip
    """A name above, then the grid; points and letters stand at its right, or above and below it."""
    x, y, wide, high = space
    rows, dot, lines = size
    kind = "nd-plate"
    if seat in moment.lit:
        kind += f" nd-lit-{seat}"
    if seat in moment.won:
        kind += " won"
    if seat in moment.news:
        kind += " nd-news"
    points = moment.score(state, seat)
    label = ngettext("{name}, {points} point", "{name}, {points} points", points)
    return el(
        "g",
        box(wide - 4, high - 4, kind, r=layout.small * 0.5),
        _below(state, seat, frame, moment, wide - 4, high - 4, layout, rows, dot, lines)
        if lines
        else _beside(state, seat, frame, moment, wide - 4, high - 4, layout, rows, dot),
        id=f"small-{seat}",
        data_focus=str(seat),
        aria_label=label.format(name=frame.names[seat], points=points),
        transform=f"translate({x:.2f} {y:.2f})",
    )


def _head(seat: int, frame: Frame, moment: Moment, left: float, y: float, room: float,
          size: float) -> Svg:  # fmt: skip
    return join(
        at(left + size * 0.55, y, seat_sign(seat, size * 0.5, frame.face(seat))),
        text(shortened(frame.names[seat], room - size * 1.4, size), left + size * 1.3, y,
             size=size, kind="left bold" if seat in moment.lit else "left"),
    )  # fmt: skip


def _points(state: Any, seat: int, moment: Moment, x: float, y: float, size: float,
            kind: str = "bold") -> Svg:  # fmt: skip
    points = moment.score(state, seat)
    return at(x, y, text(points, size=size, kind=kind), key=f"points-{seat}",
              motion=motion(face=points, turn="count"))  # fmt: skip


def _beside(state: Any, seat: int, frame: Frame, moment: Moment, wide: float, high: float,
            layout: Layout, rows: int, dot: float) -> Svg:  # fmt: skip
    size, head, side = layout.small, layout.head, layout.side
    used = COLUMNS * dot + side
    left, top = -used / 2, head - high / 2
    top += max(high - head - rows * dot - 5, 0) / 2
    x = left + COLUMNS * dot + side * 0.55
    step = min((rows * dot - size * 2.4) / rules.LETTERS, size * 1.5)
    return join(
        _head(seat, frame, moment, 3 - wide / 2, head * 0.52 - high / 2, wide - 6, size),
        at(left, top, _grid(state, seat, dot, rows, layout)),
        _points(state, seat, moment, x, top + size * 0.6, size * 1.1),
        *(
            _letter(state, seat, letter, x, top + size * 1.5 + (letter + 0.5) * step, size)
            for letter in range(rules.LETTERS)
        ),
        _done(x, top + rows * dot - size * 0.4, size) if seat in moment.done else None,
        _gain(moment, seat, left + COLUMNS * dot / 2, top + rows * dot / 2, layout),
    )


def _below(state: Any, seat: int, frame: Frame, moment: Moment, wide: float, high: float,
           layout: Layout, rows: int, dot: float, lines: int) -> Svg:  # fmt: skip
    size, head = layout.small, layout.head
    left, top = -COLUMNS * dot / 2, head - high / 2
    top += max(high - head - rows * dot - lines * size * 1.4 - 6, 0) / 2
    line = top + rows * dot + size * 0.8
    step = min((wide - 6) / rules.LETTERS, size * 1.6)
    digits = size * 0.6 * len(str(moment.score(state, seat)))
    if lines == 1:
        x, y = wide / 2 - 5, head * 0.52 - high / 2
        room = wide - 8 - digits - size * (0.9 if seat in moment.done else 0.3)
    else:
        x, y, room = digits / 2, line + size * 1.4, wide - 6
    return join(
        _head(seat, frame, moment, 3 - wide / 2, head * 0.52 - high / 2, room, size),
        _points(state, seat, moment, x, y, size, "right bold"),
        _done(x - digits - size * 0.5, y, size) if seat in moment.done else None,
        at(left, top, _grid(state, seat, dot, rows, layout)),
        *(
            _letter(state, seat, letter, (letter - 2) * step, line, size)
            for letter in range(rules.LETTERS)
        ),
        _gain(moment, seat, 0, top + rows * dot / 2, layout),
    )


def _gain(moment: Moment, seat: int, x: float, y: float, layout: Layout) -> Svg | None:
    """Points that have just been won; they fly to the sum."""
    gain = moment.gain
    if gain is None or gain.seat != seat:
        return None
    return at(x, y, gain_sign(gain.points, layout.small * 1.3), key="gain",
              motion=motion(enter="grow", leave="fly", to=f"points-{seat}"))  # fmt: skip


def _letter(state: Any, seat: int, letter: int, x: float, y: float, size: float) -> Svg | None:
    """A letter of a sheet: circled it threatens the others; half done it has a ring of dashes."""
    if int(state["crossed"]) >> letter & 1:
        return None
    kinds = sum(int(bits) >> letter & 1 for bits in state["combos"][seat])
    return at(
        x, y,
        el("circle", r=size * 0.62, class_=("nd-none", "nd-half", "nd-threat")[kinds]),
        text(LETTERS[letter], size=size, kind="bold nd-on-threat" if kinds == 2 else "soft"),
        key=f"letter-{seat}-{LETTERS[letter]}",
        motion=motion(face=kinds, turn="pulse"),
    )  # fmt: skip


def _done(x: float, y: float, size: float) -> Svg:
    """A check mark: this seat has done its part."""
    r = size * 0.36
    return at(x, y, el("path", d=f"M{-r:.1f} 0l{r * 0.7:.1f} {r * 0.7:.1f}L{r:.1f} {-r * 0.8:.1f}",
                       class_="nd-check"))  # fmt: skip


def _grid(state: Any, seat: int, dot: float, rows: int, layout: Layout) -> Svg:
    """Numbers on their colours, circled combos, and Xs; what is new falls in."""
    marks = {cell: grid.mark_at(state, seat, *cell) for cell in cells_of(grid.marked(state, seat))}
    circled = set(cells_of(board(state, "circled", seat)))
    fresh = {cell for cell in cells_of(board(state, "fallen", seat)) if cell in marks}
    width, line = COLUMNS * dot, max(rows - SAFE_ROWS, 0) * dot
    rings = "".join(outline_path(cells, dot, 0, rows * dot) for cells in circles(state, seat))
    new = "".join(_square(cell, dot, rows) for cell in fresh)
    return join(
        el("rect", width=width, height=rows * dot, class_="nd-screen"),
        el("rect", width=width, height=line, class_="nd-danger") if line else None,
        el("path", d=f"M0 {line:.2f}h{width:.2f}", class_="nd-over") if line else None,
        _grounds({cell: marks[cell] for cell in marks if cell not in circled | fresh}, dot, rows),
        at(
            0, 0,
            _grounds({cell: marks[cell] for cell in fresh - circled}, dot, rows),
            el("path", d=new, class_="nd-new"),
            key=f"fresh-{seat}",
            motion=motion(enter="fall", leave="none"),
        ) if fresh else None,
        at(0, 0, el("path", d=rings, class_="nd-ring", stroke_width=dot * 0.12),
           key=f"rings-{seat}") if rings else None,
        _digits(marks, dot, rows, layout),
    )  # fmt: skip


def _grounds(marks: dict[Cell, int], dot: float, rows: int) -> Svg:
    """The colours of some cells, one path for each."""
    ways: dict[int, str] = {}
    for cell, mark in marks.items():
        ways[mark] = ways.get(mark, "") + _square(cell, dot, rows)
    return join(
        *(
            el("path", d=way, class_="nd-x" if mark == grid.X else f"nd-{mark - 1}")
            for mark, way in sorted(ways.items())
        )
    )


def _digits(marks: dict[Cell, int], dot: float, rows: int, layout: Layout) -> Svg | None:
    """The numbers and Xs: as text if there is room for it, else in a few strokes."""
    places = {
        (row, column): ((column + 0.5) * dot, (rows - row - 0.5) * dot) for row, column in marks
    }
    words, lines = "", ""
    for cell, mark in marks.items():
        x, y = places[cell]
        if dot * 0.72 >= layout.small and mark != grid.X:
            words += text(mark - 1, x, y, size=dot * 0.72, kind="nd-digit")
        else:
            lines += strokes(mark, x, y, dot * 0.6)
    width = max(dot * 0.11, 1)
    return join(
        el("path", d=lines, class_="nd-strokes", stroke_width=width) if lines else None, Svg(words)
    )


def _square(cell: Cell, dot: float, rows: int) -> str:
    row, column = cell
    x, y, side = column * dot + 0.4, (rows - 1 - row) * dot + 0.4, dot - 0.8
    return f"M{x:.1f} {y:.1f}h{side:.1f}v{side:.1f}h{-side:.1f}z"
