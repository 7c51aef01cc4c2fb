"""The things in pictures of Depot: the loading bay, piles, the shelf, plates and hands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from droptable.core.components import (
    CARD,
    LETTER,
    Motion,
    at,
    box,
    motion,
    plate,
    seat_sign,
    shortened,
    spread,
    text,
    touch,
)
from droptable.core.language import _, counted, ngettext
from droptable.core.scene import Frame
from droptable.core.svg import Svg, el, join
from droptable.games.depot import rules
from droptable.games.depot.picture.layout import Layout, Point
from droptable.games.depot.picture.origins import is_fresh, just_given, just_taken
from droptable.games.depot.picture.parcels import parcel_back, parcel_card, small_card
from droptable.games.depot.rules.piles import NUMBERS, cards_in, numbers_in

DEALING = 0.05  # seconds from card to card

# -- the loading bay ------------------------------------------------------------------------------


def bay_picture(view: Any, layout: Layout, frame: Frame) -> Svg:
    """Where plays go: who made the last one, and how strong it is."""
    x, y, width, height = layout.table
    size = layout.small
    return touch(
        "table",
        _("The loading bay"),
        x,
        y,
        _dock(width, height, layout),
        box(width, height, "dp-frame frame rim"),
        _won(view, width, height) if view["table"] != rules.NO_PLAY else None,
        box(width, height, "zone"),
        *_bay_words(view, layout, frame, width, -height / 2 + size * 0.95),
        key="table",
    )


def _dock(width: float, height: float, layout: Layout) -> Svg:
    """A floor with lines, and the striped edge of the dock."""
    edge = layout.small * 0.62
    low, left = height / 2, -width / 2
    stripe = edge * 1.6
    count = int(width / stripe / 2)
    gap = width / (2 * count)
    stripes = "".join(
        f"M{left + gap * (2 * i + 0.5):.1f} {low:.1f}L{left + gap * (2 * i + 1):.1f} "
        f"{low - edge:.1f}L{left + gap * (2 * i + 2):.1f} {low - edge:.1f}"
        f"L{left + gap * (2 * i + 1.5):.1f} {low:.1f}Z"
        for i in range(count)
    )
    head = layout.small * 1.9
    return join(
        box(width, height, "dp-floor"),
        *(
            el("rect", x=left + 3, y=-low + head + (height - head - edge) * share, height=2,
               width=width - 6, class_="dp-floor-line")
            for share in (0.33, 0.66)
        ),
        el("rect", x=left + 1, y=low - edge, width=width - 2, height=edge, class_="dp-hazard"),
        el("path", d=stripes, class_="dp-hazard-dark"),
    )  # fmt: skip


def _bay_words(view: Any, layout: Layout, frame: Frame, width: float, top: float) -> list[Svg]:
    size, left, right = layout.small, -width / 2, width / 2
    if view["table"] == rules.NO_PLAY:
        words = [text(_("Loading bay"), left + size * 0.6, top, size=size, kind="left bold")]
        if view["phase"] == rules.TURN:
            name = shortened(frame.names[view["seat"]], width - size * 6, size)
            starts = _("{name} starts").format(name=name)
            starts = _("You start") if view["seat"] == layout.viewer else starts
            words.append(text(starts, 0, layout.small * 0.5, size=size, kind="soft"))
        return words
    play, last = rules.PLAYS[int(view["table"])], int(view["last"])
    strength = ngettext("{count} card, sum {sum}", "{count} cards, sum {sum}", len(play))
    strength = strength.format(count=len(play), sum=sum(play)) if len(play) > 1 else _("one card")
    room = width - size * 2.6 - len(strength) * LETTER * size
    name = shortened(frame.names[last], room, size)
    return [
        at(left + size * 0.95, top, seat_sign(last, size * 0.5, frame.face(last))),
        text(name, left + size * 1.7, top, size=size, kind="left bold"),
        text(strength, right - size * 0.5, top, size=size, kind="right"),
    ]


def bay_places(layout: Layout, count: int) -> tuple[list[float], list[float]]:
    """Where the cards of a play lie."""
    x, y, width, _height = layout.table
    step = layout.table_card * CARD
    places = spread(count, width - step - layout.margin * 2.4, step + layout.margin)
    return [x + place for place in places], [y + layout.small * 0.55] * count


def played(view: Any, layout: Layout) -> Iterable[Svg]:
    """The cards of the last play. The viewer's own ones go on with the numbers of its hand."""
    if view["table"] == rules.NO_PLAY:
        return
    numbers, last = rules.PLAYS[int(view["table"])], int(view["last"])
    own = last == layout.viewer and not layout.rows
    for i, (x, y) in enumerate(zip(*bay_places(layout, len(numbers)), strict=True)):
        number = numbers[i]
        nth = numbers[:i].count(number)
        key = f"played-{last}-{number}-{nth}"
        if own:
            key = f"card-{number}-{nth + int(view['hands'][last][number - 1])}"
        come = motion(
            enter="fly", from_=f"seat-{last}", leave="fly", to="discards", wait=round(0.08 * i, 2)
        )
        face = parcel_card(number, layout.table_card, layout.small, both=True)
        yield at(x, y, face, key=key, kind="still", motion=come)


# -- piles ----------------------------------------------------------------------------------------


def piles(view: Any, layout: Layout) -> Svg:
    """The deck, and the discards on their lorry."""
    size = int(view["deck_size"])
    gone = cards_in(view["discards"])
    known = view["deck"] if view["deck_open"] or layout.rows else None
    pulse = motion(face=gone, turn="pulse")
    return join(
        _pile(_("Deck"), layout, layout.deck, _stack(size, layout), known, "deck"),
        _pile(
            _("Discards"), layout, layout.discards, _lorry(gone, layout), view["discards"],
            "discards", pulse,
        ),
    )  # fmt: skip


def _pile(name: str, layout: Layout, where: Point, face: Svg, known: Any, key: str,
          moved: Motion | None = None) -> Svg:  # fmt: skip
    """A pile with its name; who points at it is told what everybody has seen."""
    below = layout.pile_card / 2 + layout.small * 0.75
    label = "" if known is None else " ".join(str(number) for number in cards_of(known))
    return at(
        *where,
        el("title", f"{name}: {label}") if label else None,
        face,
        text(name, 0, below, size=layout.small, kind="soft"),
        key=key,
        motion=moved or {},
    )


def _stack(count: int, layout: Layout) -> Svg:
    """Cards face down, higher the more there are, with their count."""
    height, size = layout.pile_card, layout.small
    edges = min(count, 2 + count // 12, 6)
    if not count:
        return join(box(height * CARD, height, "slot", r=height * 0.08), text("0", size=size))
    step = height * 0.028
    backs = [at(0, step * (edges - 1) / 2 - step * i, parcel_back(height, plain=i > 0))
             for i in range(edges)]  # fmt: skip
    return join(*backs, _count(count, size))


def _lorry(count: int, layout: Layout) -> Svg:
    """A lorry that takes away what was beaten."""
    unit = layout.pile_card / 88 * (1.12 if not layout.tall else 0.86)
    low = 34 * unit

    def part(x: float, y: float, width: float, height: float, kind: str) -> Svg:
        return el("rect", x=x * unit, y=y * unit, width=width * unit, height=height * unit,
                  rx=3 * unit, class_=kind)  # fmt: skip

    wheels = [
        join(
            el("circle", cx=x * unit, cy=low, r=9 * unit, class_="dp-hazard-dark"),
            el("circle", cx=x * unit, cy=low, r=4 * unit, class_="dp-lorry-lit"),
        )
        for x in (-28, 30)
    ]
    return join(
        part(-44, 32, 88, 8, "shadow"),
        part(-46, -32, 62, 62, "dp-lorry"),
        part(-46, -32, 62, 9, "dp-lit"),
        part(18, -8, 28, 38, "dp-lorry"),
        part(25, -3, 17, 15, "dp-lorry-lit"),
        part(-46, 24, 92, 6, "dp-hazard-dark"),
        *wheels,
        at(-15 * unit, -2 * unit, _count(count, layout.small)),
    )


def _count(count: int, size: float) -> Svg:
    width = max(size * 1.7, len(str(count)) * size * LETTER + size)
    return join(
        box(width, size * 1.45, "badge", r=size * 0.72), text(count, size=size, kind="bold")
    )


# -- the shelf ------------------------------------------------------------------------------------


def shelf(view: Any, layout: Layout, below: str) -> Svg:
    """The Storage: a place for each number, how many cards it is to have, and words below it."""
    x, y, width, height = layout.storage
    size = layout.small
    top, low = -height / 2 + layout.sign * 0.5, height / 2 - layout.sign * 0.5
    room = counted("room for {count} card", "room for {count} cards", int(view["set_size"]))
    if view["games"] > 1:
        game = _("game {game} of {games}")
        game = game.format(game=int(view["game"]) + 1, games=int(view["games"]))
        room = f"{game} · {room}"
    plank = low - layout.sign * 0.5 - layout.plank
    return touch(
        "storage",
        _("The Storage"),
        x,
        y,
        box(width, height, "dp-wall"),
        el("rect", x=-width / 2, y=plank, width=width, height=layout.plank, class_="dp-wood"),
        el("rect", x=-width / 2, y=plank, width=width, height=2, class_="dp-wood-lit"),
        *(_cell(layout, number) for number in range(NUMBERS)),
        _run(view, layout),
        box(width, height, "dp-frame rim"),
        box(width, height, "zone"),
        text(_("Storage"), -width / 2 + size * 0.7, top, size=size, kind="left bold"),
        text(room, width / 2 - size * 0.7, top, size=size, kind="right soft"),
        text(below, 0, low, size=size, kind="bold"),
        key="storage",
    )


def limits(view: Any) -> str:
    """What the Storage allows (DP3), in a few words."""
    most, longest = rules.largest_set(view), rules.longest_run(view)
    if most > 1 and longest > 1:
        words = _("At most {most} equal or a run of {longest}")
    elif most > 1:
        words = _("At most {most} equal, no runs")
    elif longest > 1:
        words = _("At most a run of {longest}, no equal cards")
    else:
        words = _("Single cards only")
    return words.format(most=most, longest=longest)


def _cell(layout: Layout, number: int) -> Svg:
    x, y = layout.bay_centre(number)
    width, height = layout.bay
    label = y + height / 2 + layout.plank / 2 + 1
    gap = 2 if layout.tall else 4
    return join(
        box(width - gap, height, "dp-cell", x=x, y=y, r=3),
        text(number + 1, x, label, size=layout.small, kind="bold dp-wood-ink"),
    )


def places(view: Any, layout: Layout) -> Iterable[Svg]:
    """What can be touched to take a number."""
    x, y, _width, _height = layout.storage
    width, height = layout.bay
    for number in range(NUMBERS):
        dx, dy = layout.bay_centre(number)
        zone = box(width - 3, height + layout.plank, "zone rim", y=layout.plank / 2, r=4)
        count, key = int(view["storage"][number]), f"store-{number + 1}"
        if count:
            label = _("{count} × {number} in the Storage").format(count=count, number=number + 1)
            yield touch(key, label, x + dx, y + dy, zone, key=key)
        else:
            yield at(x + dx, y + dy, box(width - 3, height, "zone still"), key=key, kind="still")


def stored(view: Any, layout: Layout) -> Iterable[Svg]:
    """The cards on the shelf: equal ones stand on top of each other."""
    x, y, _width, _height = layout.storage
    given = just_given(view)
    for number in range(1, NUMBERS + 1):
        count = int(view["storage"][number - 1])
        dx, dy = layout.bay_centre(number - 1)
        heights = layout.stored(count)
        for nth, rise in reversed(list(enumerate(heights))):
            face = stored_face(number, layout)
            moved = _way_of_stored(view, layout, number, nth, given)
            key = f"stored-{number}-{nth}"
            yield at(x + dx, y + dy + rise, face, key=key, kind="still", motion=moved)
        if count > 1 and heights[0] - heights[1] < layout.small:
            times = _times(count, layout.small)
            yield at(x + dx, y + dy + layout.bay[1] / 2 - layout.small, times, kind="still")


def stored_face(number: int, layout: Layout) -> Svg:
    """A card on the shelf."""
    return parcel_card(number, layout.stored_card, layout.small)


def _times(count: int, size: float) -> Svg:
    words = f"×{count}"
    return join(
        box(len(words) * size * LETTER + size * 0.5, size * 1.3, "badge", r=size * 0.4),
        text(words, size=size, kind="bold"),
    )


def _way_of_stored(view: Any, layout: Layout, number: int, nth: int,
                   given: tuple[int, int, int] | None) -> Motion:  # fmt: skip
    """A card comes from the deck, or from the seat that gave it; it goes to who takes it."""
    seat = int(view["seat"])
    leave = to = None
    if view["phase"] == rules.TURN:
        own = seat == layout.viewer and not layout.rows  # then it appears in the hand
        leave, to = ("none", None) if own else ("fly", f"seat-{seat}")
    if given is not None and given[1:] == (number, nth):
        source = f"seat-{given[0]}"
        if given[0] == layout.viewer and not layout.rows:
            source = f"card-{number}-{int(view['hands'][layout.viewer][number - 1])}"
        return motion(enter="fly", from_=source, leave=leave, to=to)
    wait = round(DEALING * 3 * number, 2) if is_fresh(view) else None
    return motion(enter="flip", from_="deck", leave=leave, to=to, wait=wait)


def _run(view: Any, layout: Layout) -> Svg | None:
    """A line below the numbers of the first of the longest runs."""
    there, longest = numbers_in(view["storage"]), rules.longest_run(view)
    if longest < 2:
        return None
    run = (1 << longest) - 1
    first = next(n for n in range(NUMBERS) if there >> n & run == run)
    half, tick = layout.bay[0] * 0.36, layout.small * 0.25
    left, y = layout.bay_centre(first)
    right, _y = layout.bay_centre(first + longest - 1)
    y += layout.bay[1] / 2 + layout.plank + layout.small * 0.06
    line = f"M{left - half:.1f} {y - tick:.1f}V{y:.1f}H{right + half:.1f}V{y - tick:.1f}"
    return el("path", d=line, class_="bracket")


# -- seats ----------------------------------------------------------------------------------------


def standing(view: Any, seat: int) -> str:
    """How a seat stands in this round: it leads, or it has passed since the last play."""
    if view["table"] == rules.NO_PLAY or view["phase"] == rules.OVER:
        return ""
    last, players = int(view["last"]), int(view["players"])
    if seat == last:
        return _("leads")
    return _("passed") if (seat - last - 1) % players < view["passes"] else ""


def seat_picture(view: Any, layout: Layout, seat: int, frame: Frame) -> Svg:
    """A seat's plate: how many cards it has, its lost points, and how it stands in the round."""
    x, y, width, height = layout.plate(seat)
    size, lost = int(view["hand_size"][seat]), int(view["lost"][seat])
    own = seat == layout.viewer and not layout.rows
    over = view["phase"] == rules.OVER
    lit = view["won"] >> seat & 1 if over else seat == view["seat"] and view["phase"] >= rules.TURN
    face = plate(
        seat,
        frame.names[seat],
        width,
        height,
        layout.text,
        active=bool(lit),
        mine=seat == layout.viewer,
        note=_own_note(view, seat) if own else str(size),
        badge=f"−{lost}" if lost and not own else "",
        name_room=layout.name_room if layout.rows else None,
        face=frame.face(seat),
    )
    how = None if own or layout.rows else _standing(view, layout, seat, width / 2, height / 2)
    won = _won(view, width, height) if over and view["won"] >> seat & 1 else None
    return at(x, y, face, won, how, key=f"seat-{seat}")


def _own_note(view: Any, seat: int) -> str:
    """The viewer's lost points, how it stands, and how many cards it has."""
    yours = {_("leads"): _("you lead"), _("passed"): _("you passed")}
    parts = [
        counted("{count} point lost", "{count} points lost", int(view["lost"][seat]))
        if view["games"] > 1
        else "",
        yours.get(standing(view, seat), ""),
        counted("{count} card", "{count} cards", int(view["hand_size"][seat])),
    ]
    return " · ".join(part for part in parts if part)


def _won(view: Any, width: float, height: float) -> Svg | None:
    return box(width, height, "dp-frame won") if view["phase"] == rules.OVER else None


def _standing(view: Any, layout: Layout, seat: int, right: float, low: float) -> Svg | None:
    """At the lower right of a plate."""
    words = standing(view, seat)
    if not words:
        return None
    size = layout.small
    y = low - layout.tiny_card / 2 - layout.margin * 0.7
    return text(words, right - size * 0.5, y, size=size, kind="right bold")


def others_hand(view: Any, layout: Layout, seat: int) -> Svg | None:
    """Cards that all saw a seat take lie open, the others face down."""
    size = int(view["hand_size"][seat])
    if seat == layout.viewer or not size:
        return None
    x, y, width, height = layout.plate(seat)
    how = standing(view, seat)
    told = (len(how) + 1.6) * LETTER * 1.1 * layout.small if how else 0
    room = width - layout.margin * 2 - told
    row = small_hand(view, layout, seat, room, layout.tiny_card)
    y += height / 2 - layout.tiny_card / 2 - layout.margin * 0.7
    moved = motion(enter="fly", from_="deck", wait=round(DEALING * 4 * seat, 2))
    return at(x - width / 2 + layout.margin, y, row, key=f"row-{seat}", kind="still", motion=moved)


def small_hand(view: Any, layout: Layout, seat: int, room: float, height: float) -> Svg:
    """A hand as a row of small cards that begins at 0, as far as the viewer knows it."""
    count = int(view["hand_size"][seat])
    seen = cards_in(view["hands"][seat]) == count  # the viewer's own, or everything is open
    open_ = cards_of(view["hands"][seat] if seen else view["known"][seat])
    wide, hidden = height * CARD, count - len(open_)
    room = max(room - wide, 1)
    step = min(wide + 2, room / max(count - 1, 1))
    shown = min(wide + 2, room * 0.75 / max(len(open_), 1)) if hidden else step
    shown = max(shown, step)  # numbers can be read, backs may lie closer
    near = min(wide + 2, (room - shown * len(open_)) / max(hidden - 1, 1))
    faces = [small_card(n, height, layout.small, across=min(shown, wide)) for n in open_]
    faces += [parcel_back(height, plain=True)] * hidden
    xs = [wide / 2 + shown * i for i in range(len(open_))]
    xs += [wide / 2 + shown * len(open_) + near * i for i in range(hidden)]
    return join(*(at(x, 0, face) for x, face in zip(xs, faces, strict=True)))


def hand(view: Any, layout: Layout) -> Iterable[Svg]:
    """The viewer's hand."""
    if layout.viewer < 0:
        return
    if view["phase"] == rules.OVER and not sum(layout.hand):
        x, y, _width, _height = layout.fan
        won = text(_("No cards left!"), size=layout.text * 1.6, kind="soft bold")
        yield at(x, y - layout.text, won, key="empty", motion=motion(enter="grow"))
    number_taken, taken = just_taken(view) if view["seat"] == layout.viewer else (0, 0)
    fresh, giving = is_fresh(view), view["phase"] == rules.GIVE
    leave = "none" if giving else None
    for i, card in enumerate(layout.held()):
        label = _("{number} of your hand").format(number=card.number)
        face = parcel_card(card.number, layout.hand_card, layout.small, tilt=card.tilt, both=True)
        moved = motion(leave=leave)
        if card.number == number_taken and card.nth >= layout.hand[card.number - 1] - taken:
            moved = motion(enter="fly", from_=f"store-{card.number}", leave=leave)
        elif fresh:
            moved = motion(enter="fly", from_="deck", wait=round(DEALING * i, 2), leave=leave)
        key = f"card-{card.number}-{card.nth}"
        yield touch(f"hand-{card.number}", label, card.x, card.y, face, key=key, kind="held",
                    motion=moved)  # fmt: skip
    yield from _counts(layout)


def _counts(layout: Layout) -> Iterable[Svg]:
    """How many equal cards there are, where they hide each other's numbers."""
    shown = layout.held()
    for i, count in enumerate(layout.hand, 1):
        equal = [card for card in shown if card.number == i]
        if count > 1:
            first, second, last = equal[0], equal[1], equal[-1]
            if max(second.y - first.y, second.x - first.x) < layout.small:
                down = layout.hand_card * (0.1 if layout.tall else 0.32)
                shift = -8 if layout.tall else -layout.hand_card * 0.12
                yield at(last.x + shift, last.y + down, _times(count, layout.small), kind="still")


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
            face = small_card(number, layout.open_card, layout.small * 1.1)
            face = join(face, note if count > 1 else None)
            key = f"held-{seat}-{number}"
            if seat == layout.viewer:
                label = _("{number} of your hand").format(number=number)
                yield touch(f"hand-{number}", label, x + dx, y + dy, face, key=key, kind="held")
            else:
                yield at(x + dx, y + dy, face, key=key, kind="still")


def cards_of(pile: Any) -> Sequence[int]:
    """The cards of a pile, ascending."""
    return [number for number, count in enumerate(pile.tolist(), 1) for _copy in range(count)]
