"""Drop. as a picture: turned stones on a wooden board, and a plate for each seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from droptable.core.components import Motion, arrow, at, cross, motion, text
from droptable.core.language import _, counted, ngettext
from droptable.core.scene import Beat, Frame, Line, Path_, Picture, Scene, Step, story
from droptable.core.svg import Svg, el, join
from droptable.games.drop import rules
from droptable.games.drop.picture.board import STONE, Hexes, in_order, largest_groups, stone
from droptable.games.drop.picture.plates import seat_plate
from droptable.games.drop.picture.stones import (
    Cell,
    Names,
    names,
    names_after,
    pieces,
    pushed,
    stone_name,
)
from droptable.games.drop.words import placements_left, plain_copy

WIDE, TALL = (1000, 560), (360, 508)
LANDS = 0.42  # seconds until a stone has come down
RIPPLE = 0.07  # and from each stone of a pushed line to the next
SLIDES = 0.28
COUNTS = 0.11  # from one stone of a group to the next


@dataclass(frozen=True)
class Moment:
    """What is special about a picture: what has just moved, and what is being counted."""

    named: Names
    placed: Mapping[str, Cell] = field(default_factory=dict)  # stones of the last turn, by name
    moves: Mapping[Cell, Motion] = field(default_factory=dict)
    rest: Motion = field(default_factory=dict)  # of all other stones
    counted: tuple[int, ...] = ()  # seats whose largest group is counted
    told: bool = True  # whether it may be seen who has won


def draw(view: Any, viewer: int, frame: Frame) -> Picture:
    return _drawn(view, viewer, frame, told=True)


def path(view: Any, seat: int, action: int) -> Path_:
    q, r = _cell(view, action)
    return (f"cell-{q},{r}",)


def ghost(view: Any, seat: int, action: int, frame: Frame) -> Svg | None:
    hexes = _hexes(view, frame)
    cell = _cell(view, action)
    moves = pushed(view, action)
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
        return _result(view, viewer, names)
    seat, left = rules.seat_to_place(view), placements_left(view)
    if seat != viewer:
        return ngettext(
            "Waiting for {name} to place {count} stone.",
            "Waiting for {name} to place {count} stones.",
            left,
        ).format(name=names[seat], count=left)
    if left == 1 and rules.placed(view) and rules.placed(view) % 2 == 0:
        return _("Your turn: place your second stone")
    return counted("Your turn: place {count} stone", "Your turn: place {count} stones", left)


def sheet(views: Iterable[Any], names: Sequence[str]) -> Sequence[Line]:
    *_before, last = views
    left = tuple(int(count) for count in last["left"])
    sizes = tuple(rules.largest_group(last, seat) for seat in range(rules.SEATS))
    on_board = list(pieces(last).values())
    standing = tuple(on_board.count(seat) for seat in range(rules.SEATS))
    lines = [Line(_("Stones on the board"), "DR4", standing)]
    if any(left):
        lines.append(Line(_("Stones not placed"), "DR6", left))
    return [*lines, Line(_("Largest group"), "DR7", sizes, total=True)]


# -- beats ----------------------------------------------------------------------------------------


def beats(step: Step, viewer: int, frame: Frame) -> Sequence[Beat]:
    """A stone comes down, lines ripple outward, squeezed stones burst; the end is counted."""
    there, left = names_after(names(step.before, frame), step)
    moves = pushed(step.before, step.action)
    squeezed = there.keys() - left.keys()
    seconds = LANDS + (SLIDES + RIPPLE * max(map(_distance(step), moves)) if moves else 0.1)
    sound = "push" if moves else "drop"
    if squeezed or names(step.after, frame) != left:
        stands = step.before.copy()
        stands["left"][step.actor] -= 1
        rules.place(stands, step.actor, step.action)
        shown = [Beat(seconds, _pushed_picture(stands, viewer, frame, step), sound=sound)]
        if squeezed:
            count = len(squeezed)
            text = counted("{count} stone is squeezed", "{count} stones are squeezed", count)
            shown.append(Beat(0.9, text=text, sound="burst"))
    else:
        shown = [Beat(seconds, sound=sound)]
    if rules.to_act(step.after):
        return shown
    untold = _drawn(step.after, viewer, frame, told=False)
    shown[-1] = replace(shown[-1], picture=shown[-1].picture or untold)
    return [*shown, *_ending(step.after, viewer, frame)]


def _pushed_picture(stands: Any, viewer: int, frame: Frame, step: Step) -> Picture:
    """The board after the push, before any stone is squeezed."""
    there, left = names_after(names(step.before, frame), step)
    goes = {cell: motion(leave="burst") for cell in there.keys() - left.keys()}
    moves = {cell: {**goes.get(cell, {}), **how} for cell, how in _motions(step).items()}
    led = [*story(step.before, frame.steps), step]
    known = names(step.after, frame) == left
    rest = motion(leave="burst" if known else "none")
    return _picture(stands, viewer, frame, Moment(there, _last_placed(led), goes | moves, rest))


def _ending(view: Any, viewer: int, frame: Frame) -> Sequence[Beat]:
    """The largest groups, counted stone by stone, one seat after the other (DR7)."""
    led, named = story(view, frame.steps), names(view, frame)
    shown = []
    for seat in range(rules.SEATS):
        size = rules.largest_group(view, seat)
        counted = tuple(range(seat + 1))
        moment = Moment(named, _last_placed(led), counted=counted, told=False)
        said = _("{name}'s largest group: {size}").format(name=frame.names[seat], size=size)
        picture = _picture(view, viewer, frame, moment)
        shown.append(Beat(1.2 + COUNTS * size, picture, said, "score"))
    return [*shown, Beat(0.4)]


def _motions(step: Step) -> dict[Cell, Motion]:
    """How the stones come to their places: the one that is placed, and those it pushes."""
    distance = _distance(step)
    moved = {
        move[1]: motion(
            way="slide", wait=LANDS + RIPPLE * (distance(move) - 1), time=SLIDES, leave="burst"
        )
        for move in pushed(step.before, step.action)
    }
    here = _cell(step.before, step.action)
    return moved | {here: motion(enter="slam", way="hop", time=LANDS, leave="burst")}


def _distance(step: Step) -> Any:
    """How far from the placed stone a pushed one stood."""
    q, r = _cell(step.before, step.action)

    def distance(move: tuple[Cell, Cell]) -> int:
        dq, dr = move[0][0] - q, move[0][1] - r
        return max(abs(dq), abs(dr), abs(dq + dr))

    return distance


def _last_placed(led: Sequence[Step]) -> dict[str, Cell]:
    """The stones of the last turn, and where they were placed."""
    placed: dict[str, Cell] = {}
    for step in reversed(led):
        if step.actor != led[-1].actor:
            break
        placed[stone_name(step.before)] = _cell(step.before, step.action)
    return placed


# -- reading --------------------------------------------------------------------------------------


def _cell(view: Any, action: int) -> Cell:
    return rules.cells(int(view["size"]))[action]


def _result(view: Any, viewer: int, names: Sequence[str]) -> str:
    sizes = [rules.largest_group(view, seat) for seat in range(rules.SEATS)]
    if sizes[0] == sizes[1]:
        return ngettext(
            "A draw: both largest groups have {size} stone.",
            "A draw: both largest groups have {size} stones.",
            sizes[0],
        ).format(size=sizes[0])
    winner = sizes.index(max(sizes))
    text = _("{name} wins with a largest group of {size} against {other}.")
    if winner == viewer:
        text = _("You win with a largest group of {size} against {other}!")
    return text.format(name=names[winner], size=max(sizes), other=min(sizes))


# -- drawing --------------------------------------------------------------------------------------


def _drawn(view: Any, viewer: int, frame: Frame, *, told: bool) -> Picture:
    led = story(view, frame.steps)
    known = len(led) >= rules.placed(view)
    moves = _motions(led[-1]) if led and known else {}
    # Stones that are named by their cells get other names when they are pushed: nothing is to move.
    rest = motion(leave="burst") if known else motion(leave="none", time=0)
    moment = Moment(names(view, frame), _last_placed(led), moves, rest, told=told)
    return _picture(view, viewer, frame, moment)


def _picture(view: Any, viewer: int, frame: Frame, moment: Moment) -> Picture:
    hexes = _hexes(view, frame)
    board = pieces(view)
    groups = [largest_groups(board, colour) for colour in range(rules.SEATS)]
    sizes = [len(group[0]) if group else 0 for group in groups]
    over = not rules.to_act(view) and moment.told
    won = {
        cell
        for seat in range(rules.SEATS)
        if over and sizes[seat] == max(sizes)
        for group in groups[seat]
        for cell in group
    }
    width, height = TALL if frame.tall else WIDE
    gone = moment.placed.keys() - moment.named.values()  # squeezed at once: their cells are marked
    body = join(
        hexes.board(),
        *(hexes.cell(cell, board.get(cell, -1)) for cell in rules.cells(hexes.size)),
        hexes.grain(),
        *(
            hexes.group(group, colour, "strong" if group[0] in won else "")
            for colour in range(rules.SEATS)
            for group in groups[colour]
            if len(group) > 1
        ),
        *(at(*hexes.at(moment.placed[name]), _last(hexes), kind="still") for name in sorted(gone)),
        *(seat_plate(view, seat, seat == viewer, frame, hexes, sizes[seat])
          for seat in range(rules.SEATS)),
        *(_stone(hexes, board[cell], cell, moment, cell in won)
          for cell in sorted(board, key=lambda cell: cell in moment.moves)),
        *(_tally(hexes, seat, groups[seat]) for seat in moment.counted),
    )  # fmt: skip
    return Picture(width, height, body, _("The board of Drop."))


def _hexes(view: Any, frame: Frame) -> Hexes:
    size = int(view["size"])
    if frame.tall:
        return Hexes.within(size, True, 180, 302, 356)
    return Hexes.within(size, False, 500, 280, 554)


def _stone(hexes: Hexes, kind: int, cell: Cell, moment: Moment, won: bool) -> Svg:
    radius = hexes.side * STONE
    marked = _last(hexes) if moment.named[cell] in moment.placed else None
    return at(
        *hexes.at(cell),
        stone(kind, radius, "won" if won else ""),
        marked,
        key=moment.named[cell],
        kind="still stone",
        motion=moment.moves.get(cell, moment.rest),
    )


def _last(hexes: Hexes) -> Svg:
    """The ring round what was placed in the last turn."""
    return el("circle", r=hexes.side * STONE * 1.08, class_="last", stroke_width=hexes.side * 0.12)


def _tally(hexes: Hexes, seat: int, groups: Sequence[Sequence[Cell]]) -> Svg:
    """Numbers on the stones of a largest group, one after the other."""
    size = 12 if hexes.tall else 22
    return join(
        *(
            at(
                *hexes.at(cell),
                el("circle", r=size * 0.74, class_="tally", stroke_width=size / 12),
                text(number, size=size, kind="bold"),
                key=f"tally-{seat}-{number}",
                kind="still",
                motion=motion(enter="grow", wait=COUNTS * number, time=0.2),
            )
            for number, cell in enumerate(in_order(groups[0]) if groups else (), 1)
        )
    )


def _push(hexes: Hexes, start: Cell, end: Cell) -> Svg:
    """A small arrow on the edge between two neighbours."""
    (x1, y1), (x2, y2) = hexes.at(start), hexes.at(end)
    dx, dy = (x2 - x1) / 4, (y2 - y1) / 4
    return arrow(x1 + dx, y1 + dy, x2 - dx, y2 - dy, head=hexes.side * 0.4)


SCENE = Scene(
    accent="teal",
    style=Path(__file__).with_name("style.css"),
    draw=draw,
    path=path,
    prompt=prompt,
    ghost=ghost,
    sheet=sheet,
    beats=beats,
)
