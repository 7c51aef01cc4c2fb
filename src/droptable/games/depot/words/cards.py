"""Cards and plays in words: `8 8`, `3-4-5`, `an 8`, `both 4s`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from droptable.core.language import N_, _, counted, ngettext

TAKES = (
    N_("no {number}s"),
    N_("the {number}"),
    N_("both {number}s"),
    N_("all three {number}s"),
    N_("all four {number}s"),
    N_("all five {number}s"),
    N_("all six {number}s"),
    N_("all seven {number}s"),
    N_("all eight {number}s"),
    N_("all nine {number}s"),
    N_("all ten {number}s"),
    N_("all eleven {number}s"),
    N_("all twelve {number}s"),
    N_("all thirteen {number}s"),
)


def cards_of_play(play: Sequence[int]) -> str:
    """`8`, `8 8`, and a run as `3-4-5`."""
    return ("-" if len(set(play)) > 1 else " ").join(map(str, play))


def spaced(numbers: Iterable[int]) -> str:
    """Cards that are no play: `3 5 8`."""
    return " ".join(str(number) for number in numbers)


def strength(play: Sequence[int]) -> str:
    """`4-5 (2 cards, sum 9)`; a single card speaks for itself."""
    if len(play) == 1:
        return f"{play[0]}"
    text = ngettext(
        "{cards} ({count} card, sum {sum})", "{cards} ({count} cards, sum {sum})", len(play)
    )
    return text.format(cards=cards_of_play(play), count=len(play), sum=sum(play))


def cards(count: int) -> str:
    return counted("{count} card", "{count} cards", count)


def lost_points(count: int) -> str:
    return counted("{count} lost point", "{count} lost points", count)


def a_card(number: int) -> str:
    """A card of a number, with its article."""
    return (_("an {number}") if number == 8 else _("a {number}")).format(number=number)


def taken_cards(state: Any, number: int) -> str:
    """What `take` of this number index means: `the 5`, `both 5s`, `all three 5s`."""
    return _(TAKES[int(state["storage"][number])]).format(number=number + 1)


def and_(names: Sequence[str]) -> str:
    """Names as a list: `Ann, Bob and Cy`."""
    return _(" and ").join(part for part in (", ".join(names[:-1]), names[-1]) if part)
