"""Why a move of Drop or Pop! was worse than another, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from droptable.core.language import _
from droptable.games.drop_or_pop import rules


def explain(before: Any, made: Any, best: Any, seat: int, names: Sequence[str]) -> str:
    name = names[seat]
    if best["won"] >> seat & 1 and not made["won"] >> seat & 1:
        text = _("{name} could have won at once, with a group of {size}.")
        return text.format(name=name, size=_size(best, seat))
    for other in range(before["players"]):
        if other == seat:
            continue
        group, better = _size(made, other), _size(best, other)
        if group > better and group >= rules.TO_WIN - 1:
            text = _("It leaves {other} a group of {group}, not {better}.")
            if made["won"] >> other & 1:
                text = _("It gives {other} a group of {group}, and the victory.")
            return text.format(other=names[other], group=group, better=better)
    group, better = _size(made, seat), _size(best, seat)
    if better > group:
        text = _("{name}'s largest group would be {better}, not {group}.")
        return text.format(name=name, better=better, group=group)
    if best["ignored"]:
        return _("This colour had nothing good for {name}: another one may.").format(name=name)
    if made["ignored"]:
        return _("The first colour was worth taking: nobody can ignore the second.")
    rest, better = (_touching(after, seat) for after in (made, best))
    if better > rest:
        return _("It splits {name}'s counters, or leaves them apart.").format(name=name)
    return ""


def _size(state: Any, seat: int) -> int:
    return int(rules.group_size(int(state["counters"][seat])))


def _touching(state: Any, seat: int) -> int:
    """How many counters of a seat lie beside another one of its own."""
    cells = int(state["counters"][seat])
    return (rules.beside(cells) & cells).bit_count()
