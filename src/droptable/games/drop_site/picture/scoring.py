"""The end of a round: reserves are turned up seat by seat, sites pay, and totals are counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from droptable.core.components import at, box, motion, plate, text
from droptable.core.language import _
from droptable.core.scene import Frame
from droptable.core.svg import Svg, join
from droptable.games.drop_site import rules
from droptable.games.drop_site.picture.cards import back, small_back, small_face
from droptable.games.drop_site.picture.layout import Layout
from droptable.games.drop_site.picture.pieces import total_picture
from droptable.games.drop_site.words import cards, signed, worth

TURNED = 0.12  # seconds between two cards that are turned up


@dataclass(frozen=True)
class Stage:
    """How far a scoring has been shown."""

    open: int  # seats whose reserves are turned up, from seat 0
    paid: int  # seats whose points have been added up
    totals: tuple[int, ...]
    final: bool = False  # the match is over and everything has been shown

    @property
    def now(self) -> int:
        """The seat whose reserve is being counted, or -1."""
        return self.open - 1 if self.open > self.paid else -1


def finished(view: Any) -> Stage:
    """All of it: how the end of a round stays to be seen."""
    players = int(view["players"])
    totals = tuple(view["totals"][:players].tolist())
    return Stage(players, players, totals, final=bool(view["phase"] == rules.OVER))


def groups(view: Any, seat: int) -> list[tuple[int, int]]:
    """The numbers in a reserve, ascending, and how often each is there."""
    reserve = cards(view["reserves"][seat])
    return [(number, reserve.count(number)) for number in sorted(set(reserve))]


def gain(view: Any, seat: int) -> int:
    """What a seat's reserve scores (DS9)."""
    return sum(count * worth(view, number) for number, count in groups(view, seat))


def paying_sites(view: Any, seat: int) -> dict[int, int]:
    """The sites that show a number of this reserve, and what each of them pays."""
    hidden = dict(groups(view, seat))
    pays = {}
    for site in range(rules.site_count(view)):
        top = rules.top_number(int(view["sites"][site]))
        if top in hidden:
            pays[site] = hidden[top] * int(view["points"][top])
    return pays


def scored_row(view: Any, layout: Layout, seat: int, viewer: int, frame: Frame,
               stage: Stage) -> Iterable[Svg]:  # fmt: skip
    """A seat's reserve, face down or turned up with its points, and the seat's total."""
    x, y, width, height = layout.row(seat)
    size = layout.text
    won = bool(stage.final and rules.winners(view) >> seat & 1)
    lit = won or seat == stage.now
    row = plate(seat, frame.names[seat], width, height, size, active=lit, mine=seat == viewer,
                name_room=150 if layout.tall else 178, face=frame.face(seat))  # fmt: skip
    yield at(x, y, row, key=f"seat-{seat}")
    if won:
        yield at(x, y, box(width, height, "ds-wreath won"), key=f"won-{seat}", kind="still")
    top = y - height / 2 + size * 0.95
    right = x + width / 2 - size * 0.6
    total = stage.totals[seat]
    if layout.tall:
        yield total_picture(seat, total, right, top, size * 1.2, "right")
    else:
        yield total_picture(seat, total, right, y, size * 1.5, "right")
    yield from _reserve(view, layout, seat, stage)
    if seat < stage.paid:
        points = gain(view, seat)
        kind = "ds-gain" if points > 0 else "ds-cost" if points < 0 else "soft"
        place = (right - 44, top) if layout.tall else (right - 84, y)
        how = motion(enter="grow", face=points)
        yield at(*place, text(signed(points), size=size, kind=f"right bold {kind}"),
                 key=f"gain-{seat}", motion=how)  # fmt: skip


def _reserve(view: Any, layout: Layout, seat: int, stage: Stage) -> Iterable[Svg]:
    x, y, _width, _height = layout.row(seat)
    hidden = groups(view, seat)
    height, size = layout.scored_card, layout.small
    is_open = seat < stage.open
    if not hidden:
        (dx, dy), *_more = layout.scored_cards(1)
        nothing = text(_("Nothing hidden"), size=size, kind="left soft")
        yield at(x + dx - height * 0.3, y + dy, nothing, key=f"nothing-{seat}")
    for i, ((number, count), (dx, dy)) in enumerate(
        zip(hidden, layout.scored_cards(len(hidden)), strict=True)
    ):
        wait = TURNED * i if seat == stage.now else None
        step = height * 0.07
        fan = [
            at((copy - (count - 1) / 2) * step, -(copy - (count - 1) / 2) * step * 0.4,
               small_face(number, height, size) if is_open else _back(height))
            for copy in range(count)
        ]  # fmt: skip
        how = motion(enter="fly", from_=_home(layout, seat), face=number if is_open else "back",
                     wait=wait)  # fmt: skip
        yield at(x + dx, y + dy, *fan, key=f"hidden-{seat}-{i}", kind="still", motion=how)
        if not is_open:
            continue
        points = count * worth(view, number)
        note = text(signed(points), size=size, kind="ds-gain" if points > 0 else "ds-cost")
        below = y + dy + height / 2 + size * 0.6
        later = None if wait is None else wait + 0.3
        yield at(x + dx, below, note, key=f"note-{seat}-{i}", kind="still",
                 motion=motion(enter="grow", wait=later))  # fmt: skip


def _home(layout: Layout, seat: int) -> str:
    """The id of the tarpaulin that a reserve lay under."""
    return "reserve" if seat == layout.viewer else f"reserve-{seat}"


def _back(height: float) -> Svg:
    return back(height) if height > 40 else small_back(height)


def pays_picture(view: Any, layout: Layout, stage: Stage) -> Iterable[Svg]:
    """What each site pays to the seat whose reserve is counted; it flies to the seat's points."""
    if stage.now < 0:
        return
    size = layout.text
    for site, points in paying_sites(view, stage.now).items():
        x, y = layout.site(site)
        words = signed(points)
        wide = (len(words) + 1.2) * size * 0.6
        chip = join(box(wide, size * 1.6, "badge", r=size * 0.8),
                    text(words, size=size, kind="bold ds-gain"))  # fmt: skip
        how = motion(enter="grow", wait=0.5, leave="fly", to=f"gain-{stage.now}")
        yield at(x, y + layout.site_card * 0.4, chip, key=f"pay-{site + 1}", kind="still",
                 motion=how)  # fmt: skip
