"""Drop. as a picture: a board of hexagons, the largest groups outlined, a plate for each seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from droptable.core.components import arrow, at, cross, plate, spread, text
from droptable.core.language import _, ngettext
from droptable.core.scene import Frame, Line, Path_, Picture, Scene
from droptable.core.svg import Svg, el, join
from droptable.games.drop import rules
from droptable.games.drop.picture.board import (
    STEPS,
    STONE,
    Cell,
    Hexes,
    largest_groups,
    pieces,
    stone,
)
from droptable.games.drop.words import plain_copy

WIDE, TALL = (1000, 560), (360, 500)


def draw(view: Any, viewer: int, frame: Frame) -> Picture:
    hexes = _hexes(view, frame)
    board = pieces(view)
    groups = [largest_groups(board, colour) for colour in range(rules.SEATS)]
    width, height = TALL if frame.tall else WIDE
    body = join(
        hexes.board(),
        *(hexes.cell(cell) for cell in rules.cells(hexes.size)),
        *(
            hexes.group(group, colour)
            for colour in range(rules.SEATS)
            for group in groups[colour]
            if len(group) > 1
        ),
        *(hexes.stone(kind, cell) for cell, kind in board.items()),
        *(_plate(view, seat, seat == viewer, frame, len(groups[seat][0]) if groups[seat] else 0)
          for seat in range(rules.SEATS)),
    )  # fmt: skip
    return Picture(width, height, body, _("The board of Drop."))


def path(view: Any, seat: int, action: int) -> Path_:
    q, r = _cell(view, action)
    return (f"cell-{q},{r}",)


def ghost(view: Any, seat: int, action: int, frame: Frame) -> Svg | None:
    hexes = _hexes(view, frame)
    cell = _cell(view, action)
    moves = _pushed(view, action)
    after = plain_copy(view)
    rules.place(after, seat, action)
    stands = pieces(after)
    rules.take_squeezed(after)
    squeezed = stands.keys() - pieces(after).keys()  # DR4, where they stand after the push
    radius = hexes.side * STONE
    left = {start for start, _end in moves} - {end for _start, end in moves}
    return el(
        "g",
        *(at(*hexes.at(start), hexes.hexagon(0.95, "cell")) for start in sorted(left)),
        *(at(*hexes.at(end), stone(stands[end], radius)) for _start, end in moves),
        at(*hexes.at(cell), stone(seat, radius), el("circle", r=radius * 1.1, class_="arrow")),
        *(_push(hexes, start, end) for start, end in moves),
        *(at(*hexes.at(gone), cross(radius * 0.9, "gone")) for gone in sorted(squeezed)),
        class_="still",
    )


def prompt(view: Any, viewer: int, names: Sequence[str]) -> str:
    if not rules.to_act(view):
        return _result(view, names)
    seat = rules.seat_to_place(view)
    last = _placements(view) == 1
    if seat != viewer:
        if last:
            return _("{name} is placing one piece.").format(name=names[seat])
        return _("{name} is placing two pieces.").format(name=names[seat])
    if last:
        return _("Place a piece on a free cell inside the outer ring.")
    return _("Place two pieces, one after the other, on free cells inside the outer ring.")


def sheet(views: Iterable[Any], names: Sequence[str]) -> Sequence[Line]:
    *_before, last = views
    left = tuple(int(count) for count in last["left"])
    sizes = tuple(rules.largest_group(last, seat) for seat in range(rules.SEATS))
    on_board = list(pieces(last).values())
    standing = tuple(on_board.count(seat) for seat in range(rules.SEATS))
    lines = [Line(_("Pieces on the board"), "DR4", standing)]
    if any(left):
        lines.append(Line(_("Pieces not placed"), "DR6", left))
    return [*lines, Line(_("Largest group"), "DR7", sizes, total=True)]


# -- reading --------------------------------------------------------------------------------------


def _cell(view: Any, action: int) -> Cell:
    return rules.cells(int(view["size"]))[action]


def _placements(view: Any) -> int:
    """How many pieces the seat to place has still to place in this turn (DR1)."""
    seat = rules.seat_to_place(view)
    after = view.copy()
    after["left"][seat] -= 1
    goes_on = after["left"].any() and rules.seat_to_place(after) == seat
    return 2 if goes_on else 1


def _pushed(view: Any, action: int) -> list[tuple[Cell, Cell]]:
    """Where the pieces that a placement pushes stand, and where they go (DR3)."""
    size = int(view["size"])
    q, r = _cell(view, action)
    moves = []
    for dq, dr in STEPS:
        for i in range(1, 1 + rules.length_to_push(view, r + size, q + size, dr, dq)):
            moves.append(((q + i * dq, r + i * dr), (q + (i + 1) * dq, r + (i + 1) * dr)))
    return moves


def _result(view: Any, names: Sequence[str]) -> str:
    sizes = [rules.largest_group(view, seat) for seat in range(rules.SEATS)]
    if sizes[0] == sizes[1]:
        return ngettext(
            "A draw: both largest groups have {size} piece.",
            "A draw: both largest groups have {size} pieces.",
            sizes[0],
        ).format(size=sizes[0])
    winner = sizes.index(max(sizes))
    return _("{name} wins with a largest group of {size} against {other}.").format(
        name=names[winner], size=max(sizes), other=min(sizes)
    )


# -- drawing --------------------------------------------------------------------------------------


def _hexes(view: Any, frame: Frame) -> Hexes:
    size = int(view["size"])
    if frame.tall:
        return Hexes.within(size, True, 180, 294, 352)
    return Hexes.within(size, False, 500, 280, 552)


def _push(hexes: Hexes, start: Cell, end: Cell) -> Svg:
    """A small arrow on the edge between two neighbours."""
    (x1, y1), (x2, y2) = hexes.at(start), hexes.at(end)
    dx, dy = (x2 - x1) / 4, (y2 - y1) / 4
    return arrow(x1 + dx, y1 + dy, x2 - dx, y2 - dy, head=hexes.side * 0.4)


def _plate(view: Any, seat: int, mine: bool, frame: Frame, group: int) -> Svg:
    """A seat's plate: what it places now, the pieces that it has left, and its largest group."""
    active = bool(rules.to_act(view) >> seat & 1)
    now = _placements(view) if active else 0
    later = int(view["left"][seat]) - now
    if frame.tall:
        width, height, size = 172, 76, 15
        x, y = (4 + width / 2, 356 - width / 2)[seat], 4 + height / 2
        inside = _low_plate(seat, now, later, group)
    else:
        width, height, size = 178, 300, 24
        x, y = (4 + width / 2, 996 - width / 2)[seat], 280.0
        inside = _high_plate(seat, now, later, group)
    drawn = plate(seat, frame.names[seat], width, height, size, inside, active=active, mine=mine)
    return at(x, y, drawn, key=f"seat-{seat}")


def _high_plate(seat: int, now: int, later: int, group: int) -> Svg:
    stock = [at(16 * (i % 10) - 72, 16 * (i // 10) - 30, stone(seat, 7)) for i in range(later)]
    hand = [at(x, -72, stone(seat, 20)) for x in spread(now, 100, 50)]
    return join(
        *hand,
        *stock,
        at(-66, 112, stone(seat, 13)),
        text(now + later, -46, 112, size=26, kind="left bold"),
        at(30, 112, _group_sign(seat, 10)),
        text(group, 52, 112, size=26, kind="left bold"),
    )


def _low_plate(seat: int, now: int, later: int, group: int) -> Svg:
    return join(
        *(at(x - 4, 15, stone(seat, 11)) for x in spread(now, 26, 26)),
        at(-70, 15, stone(seat, 8)),
        text(now + later, -56, 15, size=18, kind="left bold"),
        at(42, 15, _group_sign(seat, 7)),
        text(group, 58, 15, size=18, kind="left bold"),
    )


def _group_sign(seat: int, side: float) -> Svg:
    """Three cells in an outline: the sign for a largest group."""
    hexes = Hexes(2, False, -side * 0.87, side * 0.5, side)
    return hexes.group([(0, 0), (1, 0), (1, -1)], seat)


SCENE = Scene(
    accent="teal",
    style=Path(__file__).with_name("style.css"),
    draw=draw,
    path=path,
    prompt=prompt,
    ghost=ghost,
    sheet=sheet,
)
