"""Drop or Pop! as a picture: four tubes of glass in a frame, and everybody's counters.

Tubes and seats have the same four colours, which mean nothing to each other. A tube therefore has a
sign besides its colour (flame, drop, sun, leaf), a seat has its symbol.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from droptable.core.bits import count_bits, members
from droptable.core.components import Motion, arrow, at, box, cross, motion, touch
from droptable.core.language import _, ngettext
from droptable.core.scene import Beat, Chip, Frame, Line, Path_, Picture, Scene, Step, last_step
from droptable.core.svg import Svg, join
from droptable.games.drop_or_pop import rules
from droptable.games.drop_or_pop.picture.counters import (
    Counter,
    Counters,
    counters,
    filled_rows,
)
from droptable.games.drop_or_pop.picture.layout import Layout
from droptable.games.drop_or_pop.picture.pieces import (
    disc,
    frame_picture,
    marker_picture,
    tube_picture,
)
from droptable.games.drop_or_pop.picture.plates import place, plates
from droptable.games.drop_or_pop.words import tube_name, verdict

PATHS = {rules.DROP: "drop", rules.POP: "pop", rules.IGNORE: "do-ignore", rules.PASS: "do-pass"}
FALL = 0.55  # seconds that a counter falls and bounces
SUDDEN = motion(leave="none")  # of what is touched: it is no thing of the table
NEXT = 0.08  # from one falling counter to the one above it


def draw(view: Any, viewer: int, frame: Frame) -> Picture:
    return _picture(view, viewer, frame, counters(view, frame))


def path(view: Any, seat: int, action: int) -> Path_:
    return (PATHS[action],)


def ghost(view: Any, seat: int, action: int, frame: Frame) -> Svg | None:
    layout, column = _layout(view, frame), int(view["column"])
    filled = filled_rows(view, column)
    x = layout.x(column)
    if action == rules.DROP:
        here = at(x, layout.y(filled), disc(seat, layout.radius))
        start, end = layout.y(layout.rows) + layout.radius + 4, layout.y(filled) - layout.radius
        return join(here, arrow(x, start, x, end - 4) if end - start > layout.cell / 2 else None)
    if action == rules.POP:
        gone = at(x, layout.y(0), cross(layout.radius * 0.7))
        falls = [arrow(x, layout.y(row), x, layout.y(row - 0.7)) for row in range(1, filled)]
        return join(gone, *falls)
    return None


def chips(view: Any, seat: int, frame: Frame) -> Sequence[Chip]:
    column = int(view["column"])
    if column == rules.NO_COLUMN:
        return ()
    shown = []
    if rules.can_drop(view, seat):
        shown.append(Chip(_("Drop"), ("drop",), ghost=ghost(view, seat, rules.DROP, frame)))
    if rules.can_pop(view):
        shown.append(Chip(_("Pop"), ("pop",), ghost=ghost(view, seat, rules.POP, frame)))
    return shown


def refusal(view: Any, seat: int, touched: Sequence[str]) -> str:
    """Another tube than the one of this turn was touched."""
    if touched and touched[0].startswith("other-") and view["column"] != rules.NO_COLUMN:
        text = _("This turn is about the {tube} tube.")
        return text.format(tube=tube_name(int(view["column"])))
    return ""


def prompt(view: Any, viewer: int, names: Sequence[str]) -> str:
    if view["won"]:
        return _result(view, viewer, names)
    seat, column = int(view["seat"]), int(view["column"])
    if column == rules.NO_COLUMN:
        if seat == viewer:
            return _("Your turn: a colour is being drawn …")
        return _("{name}'s turn: a colour is being drawn …").format(name=names[seat])
    tube = tube_name(column)
    if seat != viewer:
        sentence = _("Waiting for {name}: drop or pop in the {tube} tube?")
        return sentence.format(name=names[seat], tube=tube)
    return _choice(view, viewer).format(tube=tube)


def sheet(views: Iterable[Any], names: Sequence[str]) -> Sequence[Line]:
    last = list(views)[-1]
    sizes = tuple(rules.group_size(int(cells)) for cells in last["counters"][: len(names)])
    won = members(int(last["won"]))
    epic = tuple(
        _("epic") if seat in won and size >= rules.EPIC else "" for seat, size in enumerate(sizes)
    )
    lines = [Line(_("Largest group"), "OP6", sizes, total=True)]
    if any(epic):
        lines.append(Line(_("Five or more"), "OP7", epic))
    return lines


def _choice(view: Any, seat: int) -> str:
    drop, pop = rules.can_drop(view, seat), rules.can_pop(view)
    first = not view["ignored"]
    if drop and pop:
        if first:
            return _("Your turn: drop into the {tube} tube, pop it, or ignore the colour")
        return _("Your turn: drop into the {tube} tube, or pop it")
    if drop:
        if first:
            return _("Your turn: drop into the {tube} tube, or ignore the colour")
        return _("Your turn: drop into the {tube} tube")
    if pop:
        if first:
            return _("Your turn: pop the {tube} tube, or ignore the colour")
        return _("Your turn: pop the {tube} tube")
    if first:
        return _("You can neither drop nor pop in the {tube} tube: ignore the colour")
    return _("You can neither drop nor pop in the {tube} tube: pass")


def _result(view: Any, viewer: int, names: Sequence[str]) -> str:
    size = max(rules.group_size(int(cells)) for cells in view["counters"])
    if members(int(view["won"])) != (viewer,):
        return verdict(view, names)
    if size >= rules.EPIC:  # OP7
        return _("You win with an epic group of {size}!").format(size=size)
    return _("You win with a group of {size}!").format(size=size)


# -- beats ----------------------------------------------------------------------------------------


def beats(step: Step, viewer: int, frame: Frame) -> Sequence[Beat]:
    """A colour comes; a counter falls, or leaves through the bottom and the others follow."""
    shown: list[Beat] = []
    if step.actor < 0:
        shown = [Beat(0.7, sound="dice")]
    elif step.action == rules.DROP:
        shown = _dropped(step, viewer, frame)
    elif step.action == rules.POP:
        shown = _popped(step, viewer, frame)
    elif step.action == rules.IGNORE:
        shown = [Beat(0.4, text=_forced(step, frame), sound="move")]
    else:
        text = _("{name} has to pass").format(name=frame.names[step.actor])
        shown = [Beat(0.8, text=text, sound="move")]
    if step.after["won"]:
        shown.append(Beat(1.6, text=verdict(step.after, frame.names), sound="score"))
    return shown


def _dropped(step: Step, viewer: int, frame: Frame) -> list[Beat]:
    before = counters(step.before, frame)
    if before.followed:
        return [Beat(FALL + 0.1, sound="drop")]
    landed = _picture(step.after, viewer, frame, before.after(step), step)
    return [Beat(FALL + 0.1, landed, sound="drop"), Beat(0)]


def _popped(step: Step, viewer: int, frame: Frame) -> list[Beat]:
    """The lowest counter leaves its tube; then it goes to its owner, and those above it fall."""
    before = counters(step.before, frame)
    column = int(step.before["column"])
    out = _picture(step.before, viewer, frame, before, out=before.tubes[column][0])
    seconds = FALL + NEXT * len(before.tubes[column])
    if before.followed:
        return [Beat(0.4, out, sound="pop"), Beat(seconds, sound="drop")]
    fallen = _picture(step.after, viewer, frame, before.after(step), step)
    return [Beat(0.4, out, sound="pop"), Beat(seconds, fallen, sound="drop"), Beat(0)]


def _forced(step: Step, frame: Frame) -> str:
    """What is said when a colour had to be ignored."""
    if rules.can_drop(step.before, step.actor) or rules.can_pop(step.before):
        return ""
    text = _("{name} can neither drop nor pop: a second colour")
    return text.format(name=frame.names[step.actor])


# -- drawing --------------------------------------------------------------------------------------


def _layout(view: Any, frame: Frame) -> Layout:
    return Layout(rules.rows(view), frame.tall)


def _picture(
    view: Any,
    viewer: int,
    frame: Frame,
    lie: Counters,
    step: Step | None = None,
    out: Counter | None = None,
) -> Picture:
    """The tubes and plates; `step` is what has just happened, `out` has just left its tube."""
    layout = _layout(view, frame)
    last = step or last_step(view, frame.steps)
    body = join(
        frame_picture(layout),
        *(tube_picture(view, layout, column) for column in range(rules.COLUMNS)),
        marker_picture(view, layout),
        *_touches(view, layout),
        plates(view, layout, viewer, frame),
        *_counters(view, layout, lie, last, out),
    )
    title = _("Drop or Pop!, turn {turn} of at most {limit}").format(
        turn=int(view["turn"]) + (not view["won"]), limit=int(view["turn_limit"])
    )
    return Picture(layout.width, round(layout.height), body, title)


def _counters(
    view: Any, layout: Layout, lie: Counters, last: Step | None, out: Counter | None
) -> Iterable[Svg]:
    """All counters: in hand, hovering above the tube of this turn, and in the tubes."""
    seat, column = int(view["seat"]), int(view["column"])
    lifts = column != rules.NO_COLUMN and not view["won"] and rules.can_drop(view, seat)
    still: Motion = {} if lie.followed else motion(leave="none", time=0)
    for owner, hand in enumerate(lie.hands):
        here = place(layout, int(view["players"]), owner)
        held = hand[:-1] if lifts and owner == seat else hand
        for number, one in enumerate(held):
            moves = motion(way="hop") if lie.followed else still
            small = disc(owner, here.radius(layout))
            yield at(*here.hand(layout, number), small, key=one.name, kind="still", motion=moves)
    if lifts and lie.hands[seat]:
        x, y, moves = layout.x(column), layout.y(layout.rows), motion(way="hop", wait=0.25)
        yield at(x, y, disc(seat, layout.radius), key=lie.hands[seat][-1].name, kind="still",
                 motion=moves if lie.followed else still)  # fmt: skip
    yield from _in_tubes(view, layout, lie, last, out)


def _in_tubes(
    view: Any, layout: Layout, lie: Counters, last: Step | None, out: Counter | None
) -> Iterable[Svg]:
    lit = _winning_cells(view)
    newest = _dropped_into(last)
    for where, tube in enumerate(lie.tubes):
        for row, one in enumerate(tube):
            moves: Motion = motion(way="fall", wait=NEXT * row, time=FALL)
            kind = "won" if lit >> (8 * where + row) & 1 else ""
            y = layout.y(row)
            if where == newest and row == len(tube) - 1:
                moves = motion(way="fall", enter="fall", time=FALL)
                kind = kind or "last"
            if one == out:
                y, moves = layout.exit, motion(way="fall", time=0.35)
            if not lie.followed and last is None:
                moves = motion(leave="none", time=0)
            yield at(layout.x(where), y, disc(one.seat, layout.radius, kind), key=one.name,
                     kind="still", motion=moves)  # fmt: skip


def _dropped_into(last: Step | None) -> int:
    """The tube that the last move dropped a counter into, or -1."""
    if last is None or last.actor < 0 or last.action != rules.DROP:
        return -1
    return int(last.before["column"])


def _touches(view: Any, layout: Layout) -> Iterable[Svg]:
    """What is touched to drop (the tube from above to where the counter lands) and to pop.

    Who tries what is not possible is told why.
    """
    now = int(view["column"])
    if now == rules.NO_COLUMN or view["won"]:
        return
    high = layout.rows * layout.cell
    for column in range(rules.COLUMNS):
        x, name, wide = layout.x(column), tube_name(column), layout.pitch - 4
        filled = filled_rows(view, column)
        held = ngettext("the {tube} tube, {count} counter", "the {tube} tube, {count} counters",
                        filled).format(tube=name, count=filled)  # fmt: skip
        if column != now:
            zone = box(layout.tube, high, "zone", r=8)
            yield touch(f"other-{column}", held, x, layout.top + high / 2, zone,
                        key=f"other-{column}", kind="tap", motion=SUDDEN)  # fmt: skip
            continue
        top = layout.y(layout.rows) - layout.cell / 2
        end = layout.y(min(filled, layout.rows - 1)) + layout.cell / 2
        label = _("Drop a counter into the {tube} tube").format(tube=name)
        zone = box(wide, end - top - 2, "zone rim", r=layout.cell * 0.3)
        yield touch("drop", label, x, (top + end) / 2, zone, key="drop", kind="tap", keys="d",
                    motion=SUDDEN)  # fmt: skip
        label = _("Pop the lowest counter out of the {tube} tube").format(tube=name)
        low = layout.top + high + layout.foot
        up = layout.top + high - (layout.cell if filled else 0)
        zone = box(wide, low - up - 4, "zone rim", r=layout.cell * 0.3)
        yield touch("pop", label, x, (up + low) / 2, zone, key="pop", kind="tap", keys="p",
                    motion=SUDDEN)  # fmt: skip


def _winning_cells(view: Any) -> int:
    """The cells of all groups of four or more, when the match is over."""
    lit = 0
    for seat in members(int(view["won"])):
        cells = int(view["counters"][seat])
        while cells:
            group = rules.group_of_lowest(cells)
            cells &= ~group
            if count_bits(group) >= rules.TO_WIN:
                lit |= group
    return lit


SCENE = Scene(
    accent="red",
    style=Path(__file__).with_name("style.css"),
    draw=draw,
    path=path,
    prompt=prompt,
    ghost=ghost,
    sheet=sheet,
    refusal=refusal,
    beats=beats,
    chips=chips,
    automatic=frozenset({"pass", "ignore"}),
)
