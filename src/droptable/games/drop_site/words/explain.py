"""Why a move of Drop Site was worse than another, in a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from droptable.core.language import _, ngettext
from droptable.games.drop_site import rules


def explain(before: Any, made: Any, best: Any, seat: int, names: Sequence[str]) -> str:
    name = names[seat]
    if made["rounds"] != best["rounds"]:
        return _ended(before, made, best, seat, name)
    reserve, shown = _bag(before["reserves"][seat]), _shown(before)
    for number in _bag(made["reserves"][seat]) - reserve:
        if not shown[number]:
            text = _(
                "No site shows the {number} that {name} hid: as things are, it costs 2 points."
            )
            return text.format(name=name, number=number)
    new = _shown(made) - shown
    for number in shown - _shown(made):
        if reserve[number]:
            text = _(
                "The {card} covers the {number}, and another {number} lies in {name}'s reserve."
            )
            return text.format(card=min(new), number=number, name=name)
    opened = rules.site_count(made) > rules.site_count(best)
    if opened and not any(reserve[number] for number in new):
        text = _("The new site matches nothing in {name}'s reserve, and the end comes nearer.")
        return text.format(name=name)
    text = _worths(made, best, seat, name)
    if opened and not text:
        return _("A new site brings the end of the round nearer.")
    return text


def _ended(before: Any, made: Any, best: Any, seat: int, name: str) -> str:
    """One of the two moves ends the round."""
    ended = made if made["rounds"] > before["rounds"] else best
    leads = [int(ended["totals"][s]) - int(before["totals"][s]) for s in range(before["players"])]
    others = max(points for other, points in enumerate(leads) if other != seat)
    if ended is made:
        text = ngettext(
            "This ends the round with {points} point for {name}: there was more to come.",
            "This ends the round with {points} points for {name}: there was more to come.",
            leads[seat],
        )
        return text.format(points=leads[seat], name=name)
    if leads[seat] < others:
        return _("The round should end here, before it gets worse.")
    text = ngettext(
        "Ending the round here gives {name} {points} point, and the others no more turns.",
        "Ending the round here gives {name} {points} points, and the others no more turns.",
        leads[seat],
    )
    return text.format(points=leads[seat], name=name)


def _worths(made: Any, best: Any, seat: int, name: str) -> str:
    now, better = (_worth(state, seat) for state in (made, best))
    if better <= now:
        return ""
    text = ngettext(
        "As the sites are, {name}'s reserve would be worth {better} point, not {now}.",
        "As the sites are, {name}'s reserve would be worth {better} points, not {now}.",
        better,
    )
    return text.format(name=name, better=better, now=now)


def _worth(state: Any, seat: int) -> int:
    """What a reserve would score now (DS9)."""
    shown = _shown(state)
    return sum(
        count * (shown[number] * int(state["points"][number]) or rules.UNMATCHED)
        for number, count in _bag(state["reserves"][seat]).items()
    )


def _bag(bag: int) -> Counter[int]:
    counts = {n: rules.count_of(int(bag), n) for n in range(rules.NUMBERS)}
    return +Counter(counts)


def _shown(state: Any) -> Counter[int]:
    """The numbers on top of the sites."""
    return Counter(rules.top_number(int(site)) for site in state["sites"] if site)
