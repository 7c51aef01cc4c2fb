"""What there is to do in Number Drop, in a sentence for the one who looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from droptable.core.bits import members
from droptable.core.contract import DEALER_ACTS, NOBODY
from droptable.core.language import _, ngettext
from droptable.games.number_drop import rules
from droptable.games.number_drop.rules import combos, grid
from droptable.games.number_drop.rules.shapes import DIE_SHAPES
from droptable.games.number_drop.words.notation import (
    board,
    digits_left,
    dropped_shape,
    shown_die,
    tile_of,
)


def prompt(view: Any, viewer: int, names: Sequence[str]) -> str:
    """The viewer's task, or who is awaited, or the result."""
    actors = rules.to_act(view)
    if actors == 0:
        return _result(view, names)
    if actors == DEALER_ACTS:
        if view["stage"] == rules.DEALING_TILES:
            return _("The blocks of A to E are drawn")
        return _("{name} rolls the dice").format(name=names[rules.active_seat(view)])
    if viewer != NOBODY and actors >> viewer & 1:
        return _task(view, viewer)
    waiting = members(actors)
    if len(waiting) == 1:
        return _("Waiting for {name}").format(name=names[waiting[0]])
    if view["order"] == rules.TOGETHER:
        if viewer == NOBODY:
            return _("Everybody plays at once; the sheets are shown when all are done")
        return _("Waiting for the others: the sheets are shown when all are done")
    if viewer == NOBODY:
        return _("Everybody drops at once; the drops are shown when all are done")
    return _("Waiting for the others: the drops are shown when all are done")


def _task(view: Any, seat: int) -> str:
    doing = view["doing"][seat]
    if doing == rules.WRITE:
        return _("Your turn: write your {number} into the bottom row").format(number=seat + 1)
    if doing == rules.SLIDE:
        if view["slides"]:
            return _("A star: slide one more tile down")
        return _("Your turn: slide a tile down one notch")
    if doing == rules.NUMBER:
        left = digits_left(view, seat)
        text = ngettext(
            "Write {numbers} into the square", "Write {numbers} into the squares", len(left)
        )
        return text.format(numbers=" ".join(map(shown_die, left)))
    if doing == rules.CIRCLE:
        return _circling(view, seat)
    if not _has_room(view, seat):
        return _("There is no room to drop: the match ends with this round")
    if doing == rules.NAME:
        return _("A star: choose your shape")
    if doing == rules.DROP:
        return _("Your turn: drop the {shape}").format(shape=dropped_shape(view, seat))
    if view["players"] == 1:
        return _("GO! Drop the {shape} block").format(shape=dropped_shape(view, seat))
    return _("Drop block {letter}").format(letter=tile_of(view, int(view["block"])))


def _has_room(view: Any, seat: int) -> bool:
    """Whether there is anything to drop, or to name, but `none` (ND9)."""
    shape = int(view["shape"][seat])
    shapes = range(DIE_SHAPES) if shape == rules.NO_SHAPE else (shape,)
    return any(rules.has_drop(view, seat, shape) for shape in shapes)


def _circling(view: Any, seat: int) -> str:
    chosen = board(view, "chosen", seat)
    size = grid.size_of(*chosen)
    if size == 0:
        if combos.first_cells(view, seat) == (0, 0):
            return _("There is no combo to circle")
        return _("Circle a combo?")
    if not combos.open_sizes(view, seat)[combos.kind_of_chosen(view, seat)] >> size & 1:
        return _("Choose the next number of the combo")
    if combos.next_cells(view, seat) == (0, 0):
        text = ngettext("Circle this {size} number", "Circle these {size} numbers", size)
        return text.format(size=size)
    text = ngettext(
        "Circle this {size} number, or choose one more",
        "Circle these {size} numbers, or choose one more",
        size,
    )
    return text.format(size=size)


def _result(view: Any, names: Sequence[str]) -> str:
    won = members(rules.winners(view))
    points = rules.score(view, won[0])
    winners = ", ".join(names[seat] for seat in won)
    if view["players"] == 1:
        text = ngettext("{name} scores {points} point.", "{name} scores {points} points.", points)
        return text.format(name=winners, points=points)
    if len(won) == 1:
        text = ngettext(
            "{name} wins with {points} point.", "{name} wins with {points} points.", points
        )
        return text.format(name=winners, points=points)
    text = ngettext(
        "{names} share the victory with {points} point each.",
        "{names} share the victory with {points} points each.",
        points,
    )
    return text.format(names=winners, points=points)
