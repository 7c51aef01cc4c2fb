"""The things in pictures of Drop Site: cards, sites and slots, plates and reserves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from droptable.core.bits import members
from droptable.core.components import at, box, card, card_back, pile, plate, text, touch
from droptable.core.language import _
from droptable.core.scene import Frame
from droptable.core.svg import Svg, join
from droptable.games.drop_site import rules
from droptable.games.drop_site.picture.layout import Layout
from droptable.games.drop_site.words import cards, deck_size, worth

# -- cards ----------------------------------------------------------------------------------------


def card_picture(view: Any, number: int, layout: Layout, height: float) -> Svg:
    points = f"+{int(view['points'][number])}"
    return card(number, height, note=points, note_size=layout.small)


def cards_picture(view: Any, layout: Layout, viewer: int) -> Iterable[Svg]:
    """The cards on sites, oldest site first and from the bottom up, then those of hands."""
    copies = [0] * rules.NUMBERS

    def key(number: int) -> str:
        copies[number] += 1
        return f"card-{number}-{'abcd'[copies[number] - 1]}"

    for site, bits in enumerate(view["sites"].tolist()):
        if bits:
            yield from _stack(view, layout, site, [(n, key(n)) for n in members(bits)[::-1]])
    if layout.open:
        for seat in range(layout.players):
            yield from _open_hand(view, layout, seat, viewer, key)
    elif viewer >= 0 and view["phase"] != rules.OVER:
        hand = cards(view["hands"][viewer])
        for number, (x, y) in zip(hand, layout.hand(len(hand)), strict=True):
            face = card_picture(view, number, layout, layout.hand_card)
            yield _held(number, x, y, face, key(number))


def _held(number: int, x: float, y: float, face: Svg, key: str) -> Svg:
    label = _("{number} of your hand").format(number=number)
    return touch(f"hand-{number}", label, x, y, face, key=key, kind="held")


def _open_hand(
    view: Any, layout: Layout, seat: int, viewer: int, key: Callable[[int], str]
) -> Iterable[Svg]:
    x, y, _width, _height = layout.row(seat)
    hand = cards(view["hands"][seat])
    for number, (dx, dy) in zip(hand, layout.open_hand(len(hand)), strict=True):
        face = card(number, layout.open_card, size=layout.small)
        if seat == viewer:
            yield _held(number, x + dx, y + dy, face, key(number))
        else:
            yield at(x + dx, y + dy, face, key=key(number), kind="still")


def _stack(view: Any, layout: Layout, site: int, keyed: list[tuple[int, str]]) -> Iterable[Svg]:
    """A site: its covered cards look out above the one that it shows."""
    x, y = layout.site(site)
    *covered, (top, top_key) = keyed
    step = min(layout.peek, layout.peeks / max(len(covered), 1))
    for under, (number, key) in zip(range(len(covered), 0, -1), covered, strict=True):
        face = card_picture(view, number, layout, layout.site_card)
        yield at(x, y - under * step, face, key=key, kind="still")
    label = _("Site {site} shows {number}").format(site=site + 1, number=top)
    if covered:
        below = " ".join(str(number) for number, _key in reversed(covered))
        label = _("{site}, on {cards}").format(site=label, cards=below)
    face = card_picture(view, top, layout, layout.site_card)
    yield touch(f"site-{site + 1}", label, x, y, face, key=top_key)


def slots(view: Any, layout: Layout) -> Iterable[Svg]:
    """Places for the sites that are still missing; the last one, with a flag, ends the round."""
    if view["phase"] == rules.OVER:
        return
    last = rules.sites_to_end(view) - 1
    new = rules.site_count(view)
    height = layout.site_card
    for site in range(new, last + 1):
        flag = _flag(height * 0.2) if site == last else None
        shape = box(height * 0.7, height, "slot rim", r=height * 0.09)
        if site > new:
            yield at(*layout.site(site), shape, flag, key=f"slot-{site + 1}", kind="quiet")
            continue
        label = _("New site, which ends the round") if site == last else _("New site")
        plus = text("+", 0, 0 if flag is None else height * 0.28, size=height * 0.36, kind="soft")
        inside = box(height * 0.7, height, "zone", r=height * 0.09)
        raised = at(0, -height * 0.12, flag) if flag else None
        yield touch("new-site", label, *layout.site(site), inside, shape, raised, plus,
                    key=f"slot-{site + 1}")  # fmt: skip


def _flag(size: float) -> Svg:
    """A chequered flag: here a round ends."""
    side = size / 2
    checks = [
        box(side, side, "soft" if (i + j) % 2 == 0 else "card", x=i * side, y=j * side, r=0)
        for i in range(3)
        for j in range(2)
    ]
    pole = box(size * 0.12, size * 2, "soft", x=-side * 0.6, y=size * 0.5, r=size * 0.06)
    return at(-side * 0.8, -size * 0.5, pole, *checks)


def deck_picture(view: Any, layout: Layout) -> Svg:
    face = pile(deck_size(view), layout.deck_card, layout.small)
    return at(*layout.deck, face, key="deck")


# -- seats ----------------------------------------------------------------------------------------


def seat_picture(view: Any, layout: Layout, seat: int, viewer: int, frame: Frame) -> Svg:
    """A seat's plate with its total, its hand and its reserve; the viewer's reserve is a pile."""
    active = seat == view["seat"] and view["phase"] in (rules.MOVE, rules.DRAW)
    x, y, width, height = layout.plate(seat)
    size = layout.text
    total = str(int(view["totals"][seat]))
    if seat == viewer:
        note = _("{total} of {target}").format(total=total, target=int(view["target"]))
        own = plate(
            seat,
            frame.names[seat],
            width,
            height,
            size,
            active=active,
            mine=True,
            note=note if layout.tall else "",
        )
        below = text(note, 0, height / 2 - size, size=size, kind="bold")
        return join(
            at(x, y, own, None if layout.tall else below, key=f"seat-{seat}"),
            _own_reserve(view, layout, seat),
        )
    line = height / 2 - size * 0.9
    left, right = -width / 2 + size * 0.95, width / 2 - size * 0.5
    held, hidden = int(view["hand_sizes"][seat]), int(view["reserve_sizes"][seat])
    return at(
        x,
        y,
        plate(seat, frame.names[seat], width, height, size, active=active),
        at(left, line, card("", size * 1.15, size=size)),
        text(held, left + size * 0.7, line, size=size, kind="left"),
        at(left + size * 2.1, line, card_back(size * 1.15)),
        text(hidden, left + size * 2.8, line, size=size, kind="left"),
        text(total, right, line, size=size, kind="right bold"),
        key=f"seat-{seat}",
    )


def _own_reserve(view: Any, layout: Layout, seat: int) -> Svg:
    hidden = int(view["reserve_sizes"][seat])
    height, size = layout.reserve_card, layout.small
    label = _("Your reserve: {count}").format(count=hidden)
    zone = box(layout.hand_card * 0.74, layout.hand_card + 6, "zone rim", y=size * 0.7)
    name = text(_("reserve"), 0, height / 2 + size * 0.75, size=size, kind="soft")
    return touch("reserve", label, *layout.reserve, zone, pile(hidden, height, layout.text), name,
                 key="reserve")  # fmt: skip


def open_row(view: Any, layout: Layout, seat: int, viewer: int, frame: Frame) -> Svg:
    """A seat's row when everything is open: its total, room for its hand, and its reserve."""
    x, y, width, height = layout.row(seat)
    over = view["phase"] == rules.OVER
    lit = rules.winners(view) >> seat & 1 if over else seat == view["seat"]
    total = str(int(view["totals"][seat]))
    face = plate(
        seat,
        frame.names[seat],
        width,
        height,
        layout.text,
        active=bool(lit),
        mine=seat == viewer,
        note=total,
        name_room=layout.name_room,
    )
    row = at(x, y, face, *_open_reserve(view, layout, seat), key=f"seat-{seat}")
    if seat != viewer or over:
        return row
    hidden = int(view["reserve_sizes"][seat])
    label = _("Your reserve: {count}").format(count=hidden)
    room = layout.open_reserve(rules.NUMBERS)
    wide, high = room[-1][0] - room[0][0] + layout.open_card, layout.open_card * 1.1
    zone = box(wide, high, "zone rim", x=(room[-1][0] + room[0][0]) / 2, y=room[0][1])
    return join(row, touch("reserve", label, x, y, zone, key="reserve"))


def _open_reserve(view: Any, layout: Layout, seat: int) -> Iterable[Svg]:
    """Every number of a reserve: how often it is there, or what it gave in the end (DS9)."""
    reserve = cards(view["reserves"][seat])
    numbers = sorted(set(reserve))
    for number, (x, y) in zip(numbers, layout.open_reserve(len(numbers)), strict=True):
        count = reserve.count(number)
        note = f"×{count}" if count > 1 else ""
        if view["phase"] == rules.OVER:
            note = f"{count * worth(view, number):+d}"
        below = y + layout.open_card / 2 + layout.small * 0.75
        yield at(x, y, card(number, layout.open_card, size=layout.small))
        if note:
            yield text(note, x, below, size=layout.small, kind="soft")


def scored_row(view: Any, layout: Layout, seat: int, viewer: int, frame: Frame) -> Svg:
    """A seat's last reserve when the match is over: every number with its points (DS9)."""
    x, y, width, height = layout.row(seat)
    reserve = cards(view["reserves"][seat])
    numbers = sorted(set(reserve))
    won = bool(rules.winners(view) >> seat & 1)
    parts = []
    for number, (dx, dy) in zip(numbers, layout.scored(len(numbers)), strict=True):
        count = reserve.count(number)
        points = f"{count * worth(view, number):+d}"
        step = layout.small * 0.2
        fan = [
            at(dx + (i - (count - 1) / 2) * step, dy,
               card(number if i == count - 1 else "", layout.scored_card, size=layout.small + 1))
            for i in range(count)
        ]  # fmt: skip
        below = dy + layout.scored_card / 2 + layout.small * 0.8
        parts += [*fan, text(points, dx, below, size=layout.small)]
    return at(
        x,
        y,
        plate(
            seat,
            frame.names[seat],
            width,
            height,
            layout.text,
            active=won,
            mine=seat == viewer,
            note=str(int(view["totals"][seat])),
        ),
        *parts,
        key=f"seat-{seat}",
    )
