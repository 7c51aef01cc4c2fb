"""The things in pictures of Depot: table and piles, the Storage, plates and hands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from droptable.core.components import (
    CARD,
    LETTER,
    at,
    box,
    card,
    card_back,
    covered_card,
    pile,
    plate,
    seat_symbol,
    spread,
    text,
    touch,
)
from droptable.core.language import _, counted, ngettext
from droptable.core.scene import Frame
from droptable.core.svg import Svg, el, join
from droptable.games.depot import rules
from droptable.games.depot.picture.layout import Layout, Point
from droptable.games.depot.rules.piles import NUMBERS, cards_in, numbers_in

# -- table and piles ------------------------------------------------------------------------------


def table_picture(view: Any, layout: Layout) -> Svg:
    """Where plays go: how strong the last one is, who made it, and who has passed since."""
    x, y, width, height = layout.table
    size = layout.small
    top, left, right = -height / 2 + size, -width / 2 + size * 0.7, width / 2 - size * 0.7
    parts: list[Svg | None] = []
    if view["table"] == rules.NO_PLAY:
        frame = box(layout.table_card * CARD, layout.table_card, "slot", y=size * 0.7)
        parts.append(frame)
    else:
        play = rules.PLAYS[int(view["table"])]
        last, passes = int(view["last"]), int(view["passes"])
        label = _("one card")
        if len(play) > 1:
            label = ngettext("{count} card, sum {sum}", "{count} cards, sum {sum}", len(play))
        label = label.format(count=len(play), sum=sum(play))
        parts += [
            at(left + size * 0.3, top, seat_symbol(last, size * 0.5)),
            text(label, left + size * 1.1, top, size=size, kind="left"),
        ]
        passed = [(last + 1 + i) % int(view["players"]) for i in range(passes)]
        marks = [
            at(right - size * (0.4 + 1.2 * i), top, seat_symbol(seat, size * 0.45))
            for i, seat in enumerate(reversed(passed))
        ]
        edge = right - size * 1.2 * passes - size * 0.2
        room = edge - left - size * (1.3 + LETTER * len(label))
        word = _("passed")
        if passes and room > len(word) * LETTER * size:  # else the symbols stand for themselves
            marks.append(text(word, edge, top, size=size, kind="right soft"))
        parts += marks
    return touch(
        "table",
        _("The table"),
        x,
        y,
        box(width, height, "board rim"),
        box(width, height, "zone"),
        *parts,
        key="table",
    )


def table_places(layout: Layout, count: int) -> tuple[list[float], list[float]]:
    """Where the cards of a play lie."""
    x, y, width, _height = layout.table
    step = layout.table_card * CARD
    places = spread(count, width - step - layout.margin * 2, step + layout.margin / 2)
    return [x + place for place in places], [y + layout.small * 0.7] * count


def played(view: Any, layout: Layout) -> Iterable[Svg]:
    """The cards of the last play. The viewer's own ones go on with the numbers of its hand."""
    if view["table"] == rules.NO_PLAY:
        return
    numbers = rules.PLAYS[int(view["table"])]
    own = view["last"] == layout.viewer
    for i, (x, y) in enumerate(zip(*table_places(layout, len(numbers)), strict=True)):
        number = numbers[i]
        nth = numbers[:i].count(number)
        if own:
            nth += int(view["hands"][layout.viewer][number - 1])
        key = f"card-{number}-{nth}" if own else f"played-{number}-{nth}"
        yield at(x, y, card(number, layout.table_card), key=key, kind="still")


def piles(view: Any, layout: Layout) -> Svg:
    """Deck and discards, and which game this is where there are several."""
    discards = cards_in(view["discards"])
    games = None
    if view["games"] > 1:
        label = _("game {game} of {games}")
        words = label.format(game=int(view["game"]) + 1, games=int(view["games"]))
        games = text(words, *layout.games, size=layout.small, kind="soft")
    known = view["deck"] if view["deck_open"] or layout.open else None
    return join(
        _pile(_("deck"), layout, layout.deck, int(view["deck_size"]), known, "deck"),
        _pile(_("discards"), layout, layout.discards, discards, view["discards"], "discards"),
        games,
    )


def _pile(name: str, layout: Layout, where: Point, count: int, known: Any, key: str) -> Svg:
    """Cards face down with their name; who points at them is told what everybody has seen."""
    below = layout.pile_card / 2 + layout.small * 0.9
    label = None if known is None else " ".join(str(number) for number in _numbers(known))
    return at(
        *where,
        el("title", f"{name}: {label}") if label else None,
        pile(count, layout.pile_card, layout.small),
        text(name, 0, below, size=layout.small, kind="soft"),
        key=key,
    )


# -- Storage --------------------------------------------------------------------------------------


def storage_picture(view: Any, layout: Layout) -> Svg:
    """The shelf: a bay for each number, and what it allows."""
    x, y, width, height = layout.storage
    size = layout.small
    most, longest = rules.largest_set(view), rules.longest_run(view)
    sets = _("sets up to {most}") if most > 1 else _("no sets")
    runs = _("runs up to {most}") if longest > 1 else _("no runs")
    allowed = f"{sets.format(most=most)} · {runs.format(most=longest)}"
    top = -height / 2 + size
    return touch(
        "storage",
        _("The Storage"),
        x,
        y,
        box(width, height, "board rim"),
        box(width, height, "zone"),
        text(_("Storage"), -width / 2 + size * 0.8, top, size=size, kind="left bold"),
        text(allowed, width / 2 - size * 0.8, top, size=size, kind="right"),
        *(_bay(view, layout, number) for number in range(NUMBERS)),
        _bracket(view, layout),
        key="storage",
    )


def _bay(view: Any, layout: Layout, number: int) -> Svg:
    x, y = layout.bay_centre(number)
    width, height = layout.bay
    count = int(view["storage"][number])
    if not count:
        empty = text(number + 1, size=layout.small, kind="soft")
        return at(x, y, empty, key=f"store-{number + 1}")
    places = layout.stored(count)
    faces = _stack(layout, number + 1, layout.stored_card, places)
    stack = [at(0, dy, face) for dy, face in zip(places, faces, strict=True)]
    label = _("{count} × {number} in the Storage").format(count=count, number=number + 1)
    zone = box(width - 3, height, "zone rim")
    return touch(f"store-{number + 1}", label, x, y, zone, *stack, key=f"store-{number + 1}")


def _stack(layout: Layout, number: int, height: float, places: Sequence[float]) -> Iterable[Svg]:
    """Equal cards over each other: the front one shows all, the others their upper edges."""
    for lower, higher in zip(places[1:], places, strict=False):
        yield covered_card(number, height, layout.small + 1, down=lower - higher)
    note = f"×{len(places)}" if len(places) > 1 else ""
    yield card(number, height, note=note, note_size=layout.small)


def _bracket(view: Any, layout: Layout) -> Svg | None:
    """A line below the first of the longest runs."""
    there, longest = numbers_in(view["storage"]), rules.longest_run(view)
    if longest < 2:
        return None
    run = (1 << longest) - 1
    first = next(n for n in range(NUMBERS) if there >> n & run == run)
    half, tick = layout.bay[0] * 0.4, layout.small * 0.3
    left, y = layout.bay_centre(first)
    right, _y = layout.bay_centre(first + longest - 1)
    y += layout.bay[1] / 2 + layout.small * 0.1
    line = f"M{left - half} {y - tick}V{y}H{right + half}V{y - tick}"
    return el("path", d=line, class_="bracket")


# -- seats ----------------------------------------------------------------------------------------


def seat_picture(view: Any, layout: Layout, seat: int, frame: Frame) -> Svg:
    """A seat's plate: how many cards it has, and its lost points; the others' cards as a row."""
    x, y, width, height = layout.plate(seat)
    size = int(view["hand_size"][seat])
    own = seat == layout.viewer
    lost = int(view["lost"][seat])
    note = str(size)
    if own and layout.tall and not layout.open:
        note = counted("{count} card", "{count} cards", size)
    over = view["phase"] == rules.OVER
    lit = view["won"] >> seat & 1 if over else seat == view["seat"] and view["phase"] >= rules.TURN
    face = plate(
        seat,
        frame.names[seat],
        width,
        height,
        layout.text,
        active=bool(lit),
        mine=own,
        note=note,
        badge=f"−{lost}" if lost else "",
        name_room=layout.name_room if layout.open else None,
    )
    row = None if own or layout.open else _others_hand(view, layout, seat, width, height)
    return at(x, y, face, row, key=f"seat-{seat}")


def _others_hand(view: Any, layout: Layout, seat: int, width: float, height: float) -> Svg:
    """Cards that all saw a seat take lie open, the others face down."""
    known = _numbers(view["known"][seat])
    hidden = int(view["hand_size"][seat]) - len(known)
    tall = layout.tiny_card
    room, step = width - tall * CARD - 12, tall * CARD + 2
    places = spread(len(known) + hidden, room, step)
    if len(places) > 1:
        step = places[1] - places[0]
    free = min(step, tall * CARD)
    faces = [covered_card(number, tall, layout.small, across=free) for number in known]
    faces += [card_back(tall)] * hidden
    shift = -room / 2 - places[0] if places else 0
    y = height / 2 - tall / 2 - layout.margin / 2
    return join(*(at(x + shift, y, face) for x, face in zip(places, faces, strict=True)))


def hand(view: Any, layout: Layout) -> Iterable[Svg]:
    """The viewer's hand: a stack for each number."""
    if layout.viewer < 0:
        return
    counts = view["hands"][layout.viewer].tolist()
    held = [number for number, count in enumerate(counts, 1) if count]
    stacks = layout.hand([counts[number - 1] for number in held])
    for number, places in zip(held, stacks, strict=True):
        label = _("{number} of your hand").format(number=number)
        faces = _stack(layout, number, layout.hand_card, [y for _x, y in places])
        for i, ((x, y), face) in enumerate(zip(places, faces, strict=True)):
            key = f"card-{number}-{i}"
            yield touch(f"hand-{number}", label, x, y, face, key=key, kind="held")


def open_hands(view: Any, layout: Layout) -> Iterable[Svg]:
    """Everybody's hand, number by number; the viewer's can be touched."""
    for seat in range(view["players"]):
        x, y, _width, _height = layout.plate(seat)
        for number, count in enumerate(view["hands"][seat].tolist(), 1):
            if not count:
                continue
            dx, dy = layout.open_hand(number)
            wide = layout.open_card * CARD
            times = f"×{count}" if count < 10 else count  # as wide as the place is
            note = text(times, wide / 2 + 2, 0, size=layout.small, kind="left soft")
            face = card(number, layout.open_card, size=layout.small)
            face = join(face, note if count > 1 else None)
            if seat == layout.viewer:
                label = _("{number} of your hand").format(number=number)
                yield touch(f"hand-{number}", label, x + dx, y + dy, face,
                            key=f"held-{seat}-{number}", kind="held")  # fmt: skip
            else:
                yield at(x + dx, y + dy, face, key=f"held-{seat}-{number}", kind="still")


def _numbers(pile_: Any) -> list[int]:
    """The cards of a pile, ascending."""
    return [number for number, count in enumerate(pile_.tolist(), 1) for _copy in range(count)]
