"""Number Drop in words: tokens, labels of moves, results; more is in the modules beside this."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from droptable.core.bits import members
from droptable.core.language import _, ngettext
from droptable.core.words import Words
from droptable.games.number_drop import rules
from droptable.games.number_drop.rules import grid
from droptable.games.number_drop.rules.grid import ROWS
from droptable.games.number_drop.rules.shapes import (
    COLUMNS,
    DIE_SHAPES,
    SHAPES,
)
from droptable.games.number_drop.words.drawing import draw
from droptable.games.number_drop.words.explain import explain
from droptable.games.number_drop.words.high_scores import HIGH_SCORES, solo_rank
from droptable.games.number_drop.words.log import tell, tell_turn
from droptable.games.number_drop.words.notation import (
    COLUMN_LETTERS,
    LETTERS,
    board,
    cells_of,
    combo_text,
    dropped_shape,
    landing_place,
    listed,
    place_of,
    score_list,
    split_action,
    tile_of,
)
from droptable.games.number_drop.words.reasons import why, why_not_dealt

__all__ = [
    "HIGH_SCORES",
    "actions",
    "draw",
    "label",
    "outcomes",
    "solo_rank",
    "tell",
    "tell_turn",
    "verdict",
    "why",
    "why_not_dealt",
]


def actions(options: dict[str, Any]) -> tuple[str, ...]:
    columns = range(1, COLUMNS + 1)
    return (
        *(f"write {column}" for column in columns),
        *(f"as {shape}" for shape in SHAPES[:DIE_SHAPES]),
        *(f"at {orientation} {column}" for orientation in range(8) for column in columns),
        *(f"num {digit}" for digit in range(10)),
        *(f"cell {column} {row}" for row in range(1, ROWS + 1) for column in columns),
        "done",
        "skip",
        "none",
        *(f"slide {letter}" for letter in LETTERS),
    )


def outcomes(options: dict[str, Any]) -> tuple[str, ...]:
    return (
        *(f"tile {tile}" for tile in SHAPES),
        *(f"die {number}" for number in range(1, 8)),
        "die *",
        *(f"shape {shape}" for shape in SHAPES[:DIE_SHAPES]),
        "shape *",
    )


def label(state: Any, seat: int, action: int) -> str:
    kind, number = split_action(action)
    if kind == "write":
        text = _("Write your {number} on {place}")
        return text.format(number=seat + 1, place=f"{COLUMN_LETTERS[number]}1")
    if kind == "as":
        text = _("Make it a {shape}") if SHAPES[number] == "T" else _("Make it an {shape}")
        return text.format(shape=SHAPES[number])
    if kind == "at":
        text = _("Drop the {shape}, {place}")
        if state["doing"][seat] == rules.BLOCK:
            text = _("Drop the {shape} block, {place}")
        place = landing_place(state, seat, number)
        return text.format(shape=dropped_shape(state, seat), place=place)
    if kind == "num":
        (cell,) = cells_of(rules.next_to_number(state, seat))
        die = rules.die_for(state, seat, number)
        text = _("Write {number} on {place}")
        if state["dice"][die] == rules.STAR:
            text = _("Write {number} on {place} (uses a star)")
        return text.format(number=number, place=place_of(cell))
    if kind == "cell":
        cell = divmod(number, COLUMNS)
        text = _("Choose the {number} on {place}")
        return text.format(number=grid.mark_at(state, seat, *cell) - 1, place=place_of(cell))
    if kind == "done":
        combo = combo_text(state, seat, board(state, "chosen", seat))
        return _("Circle {combo}").format(combo=combo)
    if kind == "skip":
        return _("Circle nothing")
    if kind == "none":
        return _("No room to drop: the match ends with this round")
    left = int(state["notches"][number]) - 1
    text = _("Slide tile {letter} down to {left} above GO!")
    if not left:
        text = _("Slide tile {letter} down to GO!")
    return text.format(letter=tile_of(state, number), left=left)


def verdict(state: Any, names: Sequence[str]) -> str:
    points = score_list(state)
    if state["players"] == 1:
        return _solo_verdict(points[0], names[0])
    best = max(points)
    won = rules.winners(state)
    if len(members(won)) > 1:
        text = ngettext(
            "{names} share the victory with {points} point each.",
            "{names} share the victory with {points} points each.",
            best,
        )
        return text.format(names=listed(won, names), points=best)
    text = ngettext("{name} wins with {points} point.", "{name} wins with {points} points.", best)
    return text.format(name=listed(won, names), points=best)


def _solo_verdict(score: int, name: str) -> str:
    rank = solo_rank(score)
    above = "{} ({})".format(*HIGH_SCORES[rank - 2]) if rank > 1 else ""
    text = ngettext(
        "{name} scores {points} point: rank {rank} of the high scores, above {beaten}.",
        "{name} scores {points} points: rank {rank} of the high scores, above {beaten}.",
        score,
    )
    below = ""
    if rank > len(HIGH_SCORES):
        text = ngettext(
            "{name} scores {points} point: not listed, {above} is the lowest high score.",
            "{name} scores {points} points: not listed, {above} is the lowest high score.",
            score,
        )
    else:
        below = "{} ({})".format(*HIGH_SCORES[rank - 1])
        if above:
            text = ngettext(
                "{name} scores {points} point: "
                "rank {rank} of the high scores, above {beaten} and below {above}.",
                "{name} scores {points} points: "
                "rank {rank} of the high scores, above {beaten} and below {above}.",
                score,
            )
    return text.format(name=name, points=score, rank=rank, beaten=below, above=above)


WORDS = Words(
    turn_rule="ND14",
    end_rule="ND13",
    actions=actions,
    outcomes=outcomes,
    why=why,
    why_not_dealt=why_not_dealt,
    label=label,
    tell=tell,
    tell_turn=tell_turn,
    explain=explain,
    verdict=verdict,
    draw=draw,
)
