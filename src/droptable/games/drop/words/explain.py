"""Why a turn of Drop. was worse than another, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from droptable.core.language import _, ngettext
from droptable.games.drop import rules


def explain(before: Any, made: Any, best: Any, seat: int, names: Sequence[str]) -> str:
    other = 1 - seat
    own = {"name": names[seat], "other": names[other]}
    lost, better = (_lost(before, after, seat) for after in (made, best))
    if lost > better:
        text = ngettext(
            "It costs {name} {count} stone of their own.",
            "It costs {name} {count} stones of their own.",
            lost - better,
        )
        return text.format(count=lost - better, **own)
    taken, better = (_lost(before, after, other) for after in (made, best))
    if better > taken:
        text = ngettext(
            "The better turn squeezes {count} more stone of {other}.",
            "The better turn squeezes {count} more stones of {other}.",
            better - taken,
        )
        return text.format(count=better - taken, **own)
    group, better = (rules.largest_group(after, seat) for after in (made, best))
    if better > group:
        text = _("{name}'s largest group would be {better}, not {group}.")
        return text.format(better=better, group=group, **own)
    group, better = (rules.largest_group(after, other) for after in (made, best))
    if group > better:
        text = _("It leaves {other} a group of {group}, not {better}.")
        return text.format(better=better, group=group, **own)
    rim, better = (_on_rim(after, seat) for after in (made, best))
    if better > rim:
        text = _("The better turn brings more of {name}'s stones to the edge, where they last.")
        return text.format(**own)
    return ""


def _lost(before: Any, after: Any, seat: int) -> int:
    """How many stones of a seat have left the board."""
    placed = int(before["left"][seat]) - int(after["left"][seat])
    return _stones(before, seat) + placed - _stones(after, seat)


def _stones(state: Any, seat: int) -> int:
    return sum(_row(row, seat).bit_count() for row in state["rows"])


def _on_rim(state: Any, seat: int) -> int:
    """The stones in the outer ring, where nobody can place."""
    size = int(state["size"])
    count = 0
    for r in range(1 - size, size):
        cells = _row(state["rows"][r + size], seat)
        for q in range(1 - size, size):
            outer = max(abs(q), abs(r), abs(q + r)) == size - 1
            count += outer and cells >> (q + size) & 1
    return count


def _row(row: int, seat: int) -> int:
    return int(row) >> (seat * rules.PLANE) & rules.ONE_PLANE
