"""The things in pictures of Drop Site: sites and slots, hands, plates, reserves and the plane."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from droptable.core.bits import members
from droptable.core.components import (
    CARD,
    LETTER,
    OFTEN,
    Motion,
    at,
    box,
    motion,
    plate,
    shape,
    text,
    touch,
)
from droptable.core.language import _, ngettext
from droptable.core.scene import Frame
from droptable.core.svg import Svg, el, join
from droptable.games.drop_site import rules
from droptable.games.drop_site.picture.cards import (
    back,
    canopy_of,
    face,
    parachute,
    small_back,
    small_face,
)
from droptable.games.drop_site.picture.ground import ground
from droptable.games.drop_site.picture.layout import Layout
from droptable.games.drop_site.words import cards, deck_size, round_number, worth

COPIES = "abcd"  # of a number in a hand
GOES = motion(leave="none")
DEALT = 0.09  # seconds between two cards of a deal
PLANE = (
    "M-1 .04C-1 -.16 -.8 -.26 -.58 -.26L.5 -.26L.76 -.7L1 -.7L.93 -.06"
    "C.88 .12 .5 .27 .2 .3L-.62 .3C-.86 .28 -1 .2 -1 .04Z"
)
WING = "M-.22 .06L.3 .06L.5 .46L.28 .46Z"
COCKPIT = "M-.86 -.1C-.8 -.18 -.72 -.19 -.66 -.19L-.66 -.03L-.9 -.03Z"
TARP = "M-1 .5C-.98 .1 -.86 -.28 -.66 -.42C-.3 -.56 .3 -.56 .66 -.42C.86 -.28 .98 .1 1 .5Z"
FOLDS = "M-.5 -.48C-.6 -.2 -.64 .2 -.62 .5L-.3 .5C-.4 .2 -.44 -.2 -.5 -.48Z"
FOLD = "M.46 -.49C.42 -.2 .4 .2 .44 .5L.74 .5C.66 .2 .56 -.2 .46 -.49Z"


@dataclass(frozen=True)
class Flight:
    """A card that is on its way, face down without a number."""

    key: str
    x: float
    y: float
    height: float
    number: int | None = None
    from_: str | None = None  # the id of the card that was played, where the key is another one


@dataclass(frozen=True)
class Landing:
    """A card that comes down on its site: its id there, and the one that it had in the air."""

    key: str
    from_: str


# -- cards ----------------------------------------------------------------------------------------


def card_face(view: Any, number: int, layout: Layout, height: float, tilt: float = 0,
              kind: str = "") -> Svg:  # fmt: skip
    return face(number, int(view["points"][number]), height, layout.small, tilt, kind)


def hand_key(seat: int, number: int, copy: int) -> str:
    """The id of a card in a hand that is seen."""
    return f"card-h{seat}-{number}-{COPIES[copy]}"


def site_key(site: int, number: int) -> str:
    """The id of a card on a site: a site has each number once."""
    return f"card-s{site + 1}-{number}"


def back_key(seat: int, index: int) -> str:
    """The id of a card in another's hand."""
    return f"back-{seat}-{index}"


def keyed_hand(view: Any, seat: int) -> list[tuple[int, str]]:
    """The cards of a hand, ascending, with their ids."""
    hand = cards(view["hands"][seat])
    return [(n, hand_key(seat, n, hand[:i].count(n))) for i, n in enumerate(hand)]


def fresh(view: Any) -> bool:
    """Whether a round has just been dealt."""
    dealt = 52 - rules.HAND * int(view["players"])
    return view["phase"] != rules.MOVE or deck_size(view) >= dealt - 1


def hand_picture(
    view: Any, layout: Layout, seat: int, *, covered: bool | str = False
) -> Iterable[Svg]:
    """The viewer's hand; `covered` cards (all of them, or one id) lie face down."""
    hand = keyed_hand(view, seat)
    for i, ((number, key), (x, y, tilt)) in enumerate(
        zip(hand, layout.hand(len(hand)), strict=True)
    ):
        down = covered is True or covered == key
        how = motion(
            enter="fly", from_="deck", face="back" if down else number,
            wait=DEALT * i if fresh(view) else None,
        )  # fmt: skip
        if down:
            yield at(x, y, back(layout.hand_card, tilt), key=key, kind="still", motion=how)
            continue
        printed = card_face(view, number, layout, layout.hand_card, tilt)
        yield _held(number, x, y, printed, key, how)


def _held(number: int, x: float, y: float, printed: Svg, key: str, how: Motion) -> Svg:
    label = _("{number} in your hand").format(number=number)
    return touch(f"hand-{number}", label, x, y, printed, key=key, kind="held", motion=how)


def open_hand(view: Any, layout: Layout, seat: int, viewer: int) -> Iterable[Svg]:
    """A hand in a seat's row, when everything is open."""
    x, y, _width, _height = layout.row(seat)
    hand = keyed_hand(view, seat)
    for (number, key), (dx, dy) in zip(hand, layout.open_hand(len(hand)), strict=True):
        printed = small_face(number, layout.open_card, layout.small)
        how = motion(enter="fly", from_="deck", face=number)
        if seat == viewer:
            yield _held(number, x + dx, y + dy, printed, key, how)
        else:
            yield at(x + dx, y + dy, printed, key=key, kind="still", motion=how)


def backs_picture(view: Any, layout: Layout, seat: int) -> Iterable[Svg]:
    """The cards in another's hand."""
    x, y, step = _backs(layout, seat)
    for i in range(int(view["hand_sizes"][seat])):
        wait = DEALT * (i + seat) if fresh(view) else None
        how = motion(enter="fly", from_="deck", face="back", wait=wait, leave="none")
        yield at(x + i * step, y, small_back(layout.back), key=back_key(seat, i), motion=how)


def _backs(layout: Layout, seat: int) -> tuple[float, float, float]:
    """Where the cards of another's hand begin, and how far apart they are."""
    x, y, width, height = layout.plate(seat)
    left = x - width / 2 + layout.text * 0.5 + layout.back * CARD / 2
    return left, y + height / 2 - layout.back / 2 - layout.gap * 0.6, layout.back * 0.42


def flight_picture(view: Any, layout: Layout, flight: Flight) -> Iterable[Svg]:
    """A card on its way, below a parachute if it is dropped on a site."""
    number, height = flight.number, flight.height
    if number is None:
        small = height <= layout.back * 2
        printed = small_back(height) if small else back(height)
    else:
        printed = card_face(view, number, layout, height)
    if number is not None:
        wide = height * 0.86
        yield at(flight.x, flight.y - height * 0.66,
                 parachute(wide, height * 0.17, canopy_of(number)), key="parachute",
                 kind="still", motion=motion(enter="grow", leave="shrink"))  # fmt: skip
    shown = "back" if number is None else number
    how = motion(enter="fly", from_=flight.from_, face=shown,
                 leave="shrink" if number is None else "none")  # fmt: skip
    yield at(flight.x, flight.y, printed, key=flight.key, kind="still", motion=how)


# -- sites ----------------------------------------------------------------------------------------


def map_picture(view: Any, layout: Layout) -> Svg:
    """The ground, and a sign with the round, the target and how many sites are missing."""
    x, y = layout.sign
    target = int(view["target"])
    goal = (
        _("to {count}")
        if layout.tall
        else ngettext("to {count} point", "to {count} points", target)
    )
    words = [
        _("Round {round}").format(round=round_number(view)),
        goal.format(count=target),
        _sites_left(view),
    ]
    size = layout.small
    last = rules.site_count(view) + 1 == rules.sites_to_end(view)
    alarm = " ds-alarm" if last and not rules.is_scored(view) else ""
    sign = " · ".join(word for word in words if word)
    wide = len(sign) * size * LETTER * 0.94 + size
    return join(
        ground(*layout.map),
        box(wide, size * 1.6, f"badge{alarm}", x=x + wide / 2 - size / 2, y=y, r=size * 0.4),
        text(sign, x, y, size=size, kind="left"),
    )


def _sites_left(view: Any) -> str:
    left = rules.sites_to_end(view) - rules.site_count(view)
    if rules.is_scored(view):
        return _("the round is over")
    if left <= 1:
        return _("the next site ends it") if left else ""
    return ngettext("{count} site to go", "{count} sites to go", left).format(count=left)


def sites_picture(
    view: Any, layout: Layout, *, lit: Sequence[int] = (), landing: Landing | None = None
) -> Iterable[Svg]:
    """The landing zones with their cards, oldest site first; those in `lit` are marked."""
    for site, bits in enumerate(view["sites"].tolist()[: layout.slots]):
        if bits:
            yield _pad(layout, site)
            yield from _stack(view, layout, site, members(bits)[::-1], site in lit, landing)


def _pad(layout: Layout, site: int) -> Svg:
    """A landing zone: a bright square with marked corners, as high as a full stack."""
    x, y = layout.site(site)
    width = min(layout.site_card * CARD + 2 * layout.pad, layout.site_step - 3)
    height = layout.site_card + layout.peeks * 0.6 + 2 * layout.pad
    return at(x, y - layout.peeks * 0.3, box(width, height, "ds-pad"),
              _corners(width, height), key=f"pad-{site + 1}", kind="still")  # fmt: skip


@lru_cache(OFTEN)
def _corners(width: float, height: float) -> Svg:
    x, y, arm = width / 2, height / 2, width * 0.14
    lines = "".join(
        f"M{sx * (x - arm):.1f} {sy * y:.1f}L{sx * x:.1f} {sy * y:.1f}L{sx * x:.1f} "
        f"{sy * (y - arm):.1f}"
        for sx in (-1, 1)
        for sy in (-1, 1)
    )
    return el("path", d=lines, class_="ds-pad-mark")


def _stack(view: Any, layout: Layout, site: int, numbers: Sequence[int], lit: bool,
           landing: Landing | None) -> Iterable[Svg]:  # fmt: skip
    """A site: its covered cards look out above the one that it shows."""
    x, y = layout.site(site)
    *covered, top = numbers
    step = layout.peeks / max(len(covered), 1)
    for under, number in zip(range(len(covered), 0, -1), covered, strict=True):
        printed = card_face(view, number, layout, layout.site_card)
        key = site_key(site, number)
        how = motion(enter="fall", face=number)
        yield at(x, y - under * step, printed, key=key, kind="still", motion=how)
    label = _("Site {site} shows {number}").format(site=site + 1, number=top)
    if covered:
        below = " ".join(str(number) for number in reversed(covered))
        label = _("{site}, on {cards}").format(site=label, cards=below)
    printed = card_face(view, top, layout, layout.site_card, 0, "ds-lit" if lit else "")
    key = site_key(site, top)
    comes = motion(enter="fall", face=top)
    if landing is not None and landing.key == key:
        comes = motion(enter="fly", from_=landing.from_, way="fall", face=top)
    yield touch(f"site-{site + 1}", label, x, y, printed, key=key, motion=comes)


def slots_picture(view: Any, layout: Layout) -> Iterable[Svg]:
    """Places for the sites that are still missing; the last one, with a flag, ends the round."""
    if rules.is_scored(view):
        return
    last = rules.sites_to_end(view) - 1
    new = rules.site_count(view)
    height = layout.site_card
    width = height * CARD
    for site in range(new, last + 1):
        flag = _flag(height * 0.19) if site == last else None
        shape_ = box(width, height, "ds-pad-edge rim", r=height * 0.09)
        if site > new or view["phase"] in (rules.DEAL, rules.SITE):
            inside = flag or _target(height * 0.2)
            yield at(
                *layout.site(site),
                shape_,
                inside,
                key=f"slot-{site + 1}",
                kind="quiet",
                motion=GOES,
            )
            continue
        label = _("New site, which ends the round") if site == last else _("New site")
        ground_ = box(width, height, "ds-pad", r=height * 0.09)
        zone = box(width, height, "zone", r=height * 0.09)
        plus = text("+", 0, 0 if flag is None else height * 0.29, size=height * 0.4, kind="soft")
        raised = at(0, -height * 0.1, flag) if flag else None
        yield touch("new-site", label, *layout.site(site), ground_, zone, shape_, raised, plus,
                    key=f"slot-{site + 1}", motion=GOES)  # fmt: skip


@lru_cache(OFTEN)
def _target(radius: float) -> Svg:
    """A cross in a ring: something may be dropped here."""
    r = f"{radius * 0.45:.1f}"
    return join(
        el("circle", r=radius, class_="ds-pad-mark"),
        el("path", d=f"M-{r} -{r}L{r} {r}M-{r} {r}L{r} -{r}", class_="ds-pad-mark"),
    )


@lru_cache(OFTEN)
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


def deck_picture(view: Any, layout: Layout, flying: int = 0) -> Svg:
    """The plane that carries the deck, with the cards that are left.

    Cards that are flying lie neither there nor anywhere else.
    """
    left = deck_size(view) - flying
    size = layout.small
    wide = max(size * 1.8, len(str(left)) * size * LETTER + size)
    r = layout.plane
    plane = join(
        _plane(r),
        box(wide, size * 1.3, "badge", y=r * 0.02, x=-r * 0.1, r=size * 0.5),
        text(left, -r * 0.1, r * 0.02, size=size, kind="bold"),
    )
    return at(*layout.deck, plane, key="deck")


@lru_cache(OFTEN)
def _plane(radius: float) -> Svg:
    return join(
        shape(PLANE, radius, "ds-plane"),
        shape(COCKPIT, radius, "ds-gore"),
        shape(WING, radius, "ds-plane-wing"),
    )


# -- seats ----------------------------------------------------------------------------------------


def total_picture(seat: int, total: int, x: float, y: float, size: float, kind: str) -> Svg:
    """A seat's points, which are counted up when they change."""
    how = motion(face=total, turn="count")
    return at(x, y, text(total, size=size, kind=f"{kind} bold"), key=f"total-{seat}", motion=how)


def seat_picture(view: Any, layout: Layout, seat: int, viewer: int, frame: Frame) -> Iterable[Svg]:
    """A seat's plate with its total, its hand and its reserve."""
    active = bool(seat == view["seat"] and view["phase"] in (rules.MOVE, rules.DRAW))
    x, y, width, height = layout.plate(seat)
    size = layout.text
    name, look = frame.names[seat], frame.face(seat)
    own = seat == viewer
    body = plate(seat, name, width, height, size, active=active, mine=own, face=look)
    yield at(x, y, body, key=f"seat-{seat}")
    total = int(view["totals"][seat])
    if own:
        yield from _own_total(view, layout, seat, total)
        yield _own_reserve(view, layout, seat)
        return
    low = y + height / 2 - layout.back / 2 - layout.gap * 0.6
    right = x + width / 2 - size * 0.6
    yield total_picture(seat, total, right, low, size * 1.2, "right")
    yield from backs_picture(view, layout, seat)
    hidden = int(view["reserve_sizes"][seat])
    tx, ty = other_reserve(layout, seat)
    wide = layout.back * 1.75
    yield at(tx, ty, _tarpaulin(wide, layout.back * 1.1), _on_tarp(hidden, 0, size),
             key=f"reserve-{seat}", motion=motion(face=hidden, turn="pulse"))  # fmt: skip


def other_reserve(layout: Layout, seat: int) -> tuple[float, float]:
    """Where another's reserve lies on its plate."""
    x, y, step = _backs(layout, seat)
    return x + (rules.HAND - 1) * step + layout.back * 1.4, y


def _own_total(view: Any, layout: Layout, seat: int, total: int) -> Iterable[Svg]:
    x, y, width, height = layout.plate(seat)
    target = int(view["target"])
    goal = ngettext("of {count} point", "of {count} points", target).format(count=target)
    size = layout.small
    if layout.tall:
        line = y + height / 2 - size * 0.95
        left = x - width / 2 + 8
        yield total_picture(seat, total, left, line, size * 1.4, "left")
        room = (len(str(total)) + 0.7) * size * 1.4 * LETTER
        yield at(left + room, line, text(goal, size=size, kind="left soft"), key="goal")
        return
    yield total_picture(seat, total, x, y + 4, size * 2, "middle")
    yield at(x, y + height / 2 - size, text(goal, size=size, kind="soft"), key="goal")


def _own_reserve(view: Any, layout: Layout, seat: int) -> Svg:
    """The viewer's reserve: cards below a tarpaulin, and how many."""
    hidden = int(view["reserve_sizes"][seat])
    x, y, width, height = layout.reserve
    size = layout.small
    name = text(_("Your reserve"), 0, height / 2 - size * 0.85, size=size)
    wide, high = width * 0.86, height - size * 1.9
    if layout.tall:
        name = text(_("Your reserve"), width * 0.17, 0, size=size)
        wide, high = width * 0.3, height * 0.66
    mound = join(*_peeking(hidden, wide, high), _tarpaulin(wide, high))
    painted = _on_tarp(hidden, high * 0.08, layout.text * (1.1 if layout.tall else 1.7))
    mx, my = (-width * 0.31, 2.0) if layout.tall else (0.0, -size * 0.6)
    return touch(
        "reserve",
        ngettext("Your reserve: {count} card", "Your reserve: {count} cards", hidden).format(
            count=hidden
        ),
        x,
        y,
        box(width, height, "plate", r=10),
        box(width, height, "zone rim", r=10),
        at(mx, my, mound),
        at(mx, my, painted, key="reserve-count", motion=motion(face=hidden, turn="pulse")),
        name,
        key="reserve",
    )


def _on_tarp(hidden: int, y: float, size: float) -> Svg:
    """How many cards lie under a tarpaulin, painted on it."""
    return text(hidden, 0, y, size=size, kind="bold ds-painted")


def _peeking(hidden: int, wide: float, high: float) -> Iterable[Svg]:
    """Cards that look out below a tarpaulin."""
    height = high * 0.62
    for i, x in list(enumerate((0.0, -0.24, 0.24)))[: min(hidden, 3)]:
        yield at(x * wide, -high * 0.3 + (i > 0) * high * 0.06, small_back(height))


@lru_cache(OFTEN)
def _tarpaulin(width: float, height: float) -> Svg:
    """Cloth over something hidden, tied down with a rope."""

    def part(path: str, kind: str) -> Svg:
        return _stretched(path, width / 2, height, kind)

    rope = f"M{-width * 0.47:.1f} {height * 0.3:.1f}C{-width * 0.2:.1f} {height * 0.2:.1f} "
    rope += f"{width * 0.2:.1f} {height * 0.2:.1f} {width * 0.47:.1f} {height * 0.3:.1f}"
    return join(
        box(width * 1.04, height * 0.1, "shadow", y=height * 0.5, r=height * 0.05),
        part(TARP, "ds-tarp"),
        part(FOLDS, "ds-tarp-fold"),
        part(FOLD, "ds-tarp-fold"),
        el("path", d=rope, class_="ds-tarp-rope", stroke_width=max(height * 0.035, 1)),
    )


def _stretched(path: str, x: float, y: float, kind: str) -> Svg:
    """A path that is written for a width of 2 and a height of 1."""
    out, across = [], True
    for word in path.replace("C", " C ").replace("L", " L ").replace("M", " M ").replace(
        "Z", " Z "
    ).split():  # fmt: skip
        if word in "MCLZ":
            out.append(word)
            across = True
        else:
            out.append(f"{float(word) * (x if across else y):.1f}")
            across = not across
    return el("path", d=" ".join(out), class_=kind)


# -- rows -----------------------------------------------------------------------------------------


def open_row(view: Any, layout: Layout, seat: int, viewer: int, frame: Frame) -> Iterable[Svg]:
    """A seat's row when everything is open: its total, its hand, and its reserve."""
    x, y, width, height = layout.row(seat)
    scored = rules.is_scored(view)
    active = bool(not scored and seat == view["seat"])
    row = plate(seat, frame.names[seat], width, height, layout.text, active=active,
                mine=seat == viewer, name_room=layout.name_room, face=frame.face(seat))  # fmt: skip
    yield at(x, y, row, *_open_reserve(view, layout, seat), key=f"seat-{seat}")
    top = y - height / 2 + layout.text * 0.95
    yield total_picture(
        seat,
        int(view["totals"][seat]),
        x + width / 2 - layout.text * 0.5,
        top,
        layout.text,
        "right",
    )
    if rules.winners(view) >> seat & 1:
        yield at(x, y, box(width, height, "ds-wreath won"), key=f"won-{seat}", kind="still")
    if seat == viewer and not scored:
        hidden = int(view["reserve_sizes"][seat])
        label = ngettext("Your reserve: {count} card", "Your reserve: {count} cards", hidden)
        room = layout.open_reserve(rules.NUMBERS)
        wide, high = room[-1][0] - room[0][0] + layout.open_card, layout.open_card * 1.1
        zone = box(wide, high, "zone rim", x=(room[-1][0] + room[0][0]) / 2, y=room[0][1])
        yield touch("reserve", label.format(count=hidden), x, y, zone, key="reserve")
    yield from open_hand(view, layout, seat, viewer)


def _open_reserve(view: Any, layout: Layout, seat: int) -> Iterable[Svg]:
    """Every number of a reserve: how often it is there, or what it gave in the end (DS9)."""
    reserve = cards(view["reserves"][seat])
    numbers = sorted(set(reserve))
    for number, (x, y) in zip(numbers, layout.open_reserve(len(numbers)), strict=True):
        count = reserve.count(number)
        note = f"×{count}" if count > 1 else ""
        if rules.is_scored(view):
            note = f"{count * worth(view, number):+d}"
        below = y + layout.open_card / 2 + layout.small * 0.75
        yield at(x, y, small_face(number, layout.open_card, layout.small))
        if note:
            yield text(note, x, below, size=layout.small, kind="soft")
