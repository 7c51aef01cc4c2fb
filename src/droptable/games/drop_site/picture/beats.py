"""The moments of Drop Site that are worth seeing: deals, drops, cards that are hidden, round ends.

All of them are drawn from one viewer's views before and after an event.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from droptable.core.language import _, ngettext
from droptable.core.scene import Beat, Frame, Step
from droptable.games.drop_site import rules
from droptable.games.drop_site.picture.drawing import draw_scoring, draw_table
from droptable.games.drop_site.picture.layout import Layout
from droptable.games.drop_site.picture.pieces import (
    Flight,
    Landing,
    back_key,
    hand_key,
    keyed_hand,
    other_reserve,
    site_key,
)
from droptable.games.drop_site.picture.scoring import TURNED, Stage, finished, gain, groups
from droptable.games.drop_site.words import ORDINALS, signed, tell, tell_turn


def beats(step: Step, viewer: int, frame: Frame) -> Sequence[Beat]:
    if frame.open:
        return _in_the_open(step, frame)
    if step.actor < 0:
        moments = list(_dealt(step, viewer, frame))
    else:
        moments = list(_played(step, viewer, frame))
    if step.after["rounds"] != step.before["rounds"]:
        moments += _round_end(step, viewer, frame)
    return moments


def _changed(view: Any, **fields: Any) -> Any:
    """A copy of a view with other fields."""
    copy = view.copy()
    for name, value in fields.items():
        copy[name] = value
    return copy


def _in_the_open(step: Step, frame: Frame) -> Sequence[Beat]:
    """When everything is seen, a deal and a turn are one moment each."""
    if step.after["rounds"] != step.before["rounds"]:
        return [Beat(2.5, None, _totals_in_words(step.after, frame), "round")]
    if step.actor >= 0:
        return [Beat(0.6, None, "", "drop")]
    return [Beat(1.0, None, "", "shuffle")] if step.before["phase"] == rules.SITE else []


# -- the dealer -----------------------------------------------------------------------------------


def _dealt(step: Step, viewer: int, frame: Frame) -> Iterator[Beat]:
    """A deal is one moment, when its first site is opened; of what is drawn, the own card."""
    if step.before["phase"] == rules.SITE:
        words = tell_turn([step], frame.names)
        dealt = draw_table(step.before, viewer, frame, covered=True)
        yield Beat(1.3, dealt, words, "shuffle")
        site = site_key(0, step.action % rules.NUMBERS)
        opened = draw_table(step.after, viewer, frame, landing=Landing(site, "deck"))
        yield Beat(1.1, opened, words, "flip")
    elif step.before["phase"] == rules.DRAW and step.before["seat"] == viewer:
        table = _still_played(step)
        before = dict.fromkeys(key for _number, key in keyed_hand(step.before, viewer))
        drawn = [key for _number, key in keyed_hand(table, viewer) if key not in before]
        yield Beat(0.4, draw_table(table, viewer, frame, covered=drawn[0]), "", "card")


def _still_played(step: Step) -> Any:
    """The table after an event, before a round that it ends is scored."""
    after = step.after
    if after["rounds"] == step.before["rounds"]:
        return after
    table = _changed(after, phase=rules.DRAW, seat=step.before["seat"])
    table["rounds"], table["totals"] = step.before["rounds"], step.before["totals"]
    table["reserves"] = step.before["reserves"]
    return table


# -- seats ----------------------------------------------------------------------------------------


def _played(step: Step, viewer: int, frame: Frame) -> Iterator[Beat]:
    """A card is dropped on a site, or slides under a tarpaulin."""
    words = tell(step.before, step.before, step.actor, step.action, frame.names)
    after = _still_played(step)
    if step.after["reserve_sizes"][step.actor] != step.before["reserve_sizes"][step.actor]:
        lifted = _changed(after, reserve_sizes=step.before["reserve_sizes"])
        flight = _hidden(step, viewer, frame)
        yield Beat(0.6, draw_table(lifted, viewer, frame, flight=flight), words, "card")
        yield Beat(0.25, draw_table(after, viewer, frame), words)
        return
    lifted = _changed(after, sites=step.before["sites"])
    flight, landing = _dropped(step, viewer, frame)
    yield Beat(0.55, draw_table(lifted, viewer, frame, flight=flight), words, "move")
    yield Beat(0.55, draw_table(after, viewer, frame, landing=landing), words, "drop")


def _played_key(step: Step, viewer: int) -> str:
    """The id that the card had in its hand."""
    seat = step.actor
    if seat != viewer:
        return back_key(seat, int(step.before["hand_sizes"][seat]) - 1)
    number = step.action % rules.NUMBERS
    copies = rules.count_of(int(step.before["hands"][seat]), number)
    return hand_key(seat, number, int(copies) - 1)


def _dropped(step: Step, viewer: int, frame: Frame) -> tuple[Flight, Landing]:
    """The card in the air above its site, and on it."""
    layout = Layout.at_table(step.before, viewer, frame)
    number = step.action % rules.NUMBERS
    created = step.action < rules.PLACE
    site = rules.site_count(step.before) if created else rules.site_for(step.before, number)
    x, y = layout.site(int(site))
    above = y - layout.site_card * 0.3
    held, there = _played_key(step, viewer), site_key(int(site), number)
    if step.actor == viewer:
        return Flight(held, x, above, layout.site_card, number), Landing(there, held)
    return Flight(there, x, above, layout.site_card, number, held), Landing(there, there)


def _hidden(step: Step, viewer: int, frame: Frame) -> Flight:
    """The card face down at the tarpaulin of its seat."""
    layout = Layout.at_table(step.before, viewer, frame)
    key = _played_key(step, viewer)
    if step.actor != viewer:
        return Flight(key, *other_reserve(layout, step.actor), layout.back * 1.5)
    x, y, _width, height = layout.reserve
    return Flight(key, x, y - height * 0.1, min(height * 0.8, layout.hand_card))


# -- the end of a round ---------------------------------------------------------------------------


def _round_end(step: Step, viewer: int, frame: Frame) -> Iterator[Beat]:
    """Reserves are turned up seat by seat, sites pay for them, and totals are counted."""
    after, players = step.after, int(step.after["players"])
    before = tuple(step.before["totals"][:players].tolist())

    def shown(seats: int, paid: int) -> Any:
        return draw_scoring(after, viewer, frame, Stage(seats, paid, before))

    yield Beat(1.3, shown(0, 0), _why_it_ended(step), "round")
    for seat in range(players):
        numbers = len(groups(after, seat))
        words = _reserve_in_words(after, seat, frame)
        yield Beat(min(1.0 + TURNED * numbers, 2.2), shown(seat + 1, seat), words, "flip")
        points = gain(after, seat)
        yield Beat(0.7, shown(seat + 1, seat + 1), words, "score" if points > 0 else "")
    counted = replace(finished(after), final=False)  # who has won is seen with the result
    words = _totals_in_words(after, frame)
    yield Beat(2.2, draw_scoring(after, viewer, frame, counted), words, "score")


def _why_it_ended(step: Step) -> str:
    number = int(step.after["rounds"])
    if step.actor < 0:
        return _("The deck is empty: round {round} ends.").format(round=number)
    nth = _(ORDINALS[rules.sites_to_end(step.before) - 1])
    return _("The {nth} site is open: round {round} ends.").format(nth=nth, round=number)


def _reserve_in_words(view: Any, seat: int, frame: Frame) -> str:
    name, points = frame.names[seat], gain(view, seat)
    if not groups(view, seat):
        return _("{name} has hidden nothing.").format(name=name)
    text = ngettext("{name} scores {points} point", "{name} scores {points} points", abs(points))
    return text.format(name=name, points=signed(points))


def _totals_in_words(view: Any, frame: Frame) -> str:
    names = frame.names
    order = sorted(range(view["players"]), key=lambda seat: -int(view["totals"][seat]))
    totals = ", ".join(f"{names[seat]} {int(view['totals'][seat])}" for seat in order)
    return _("After round {round}: {totals}").format(round=int(view["rounds"]), totals=totals)
