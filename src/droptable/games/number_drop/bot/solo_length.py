"""The expected number of rounds left in a solo match whose tiles are slid to prolong it (ND16)."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np

from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.games.number_drop.rules.record import DICE, LETTERS, NOTCHES, STAR, WILD
from droptable.games.number_drop.rules.shapes import DIE_SHAPES

Notches = tuple[int, ...]  # by tile, in any order

FACES = DIE_SHAPES + 1
NO_STAR = float(np.prod([np.mean(die != STAR) for die in DICE]))  # on any number die


def slid(notches: Notches, tile: int) -> Notches:
    """The notches after a tile has slid."""
    return (*notches[:tile], notches[tile] - 1, *notches[tile + 1 :])


@cache
def expected_rounds(notches: Notches) -> float:
    """The mean number of rounds from a roll on; notches in ascending order."""
    if not any(notches):
        return 0.0
    return 1.0 + sum(
        (chance * _best_slides(notches, face, star)) / FACES
        for face in range(FACES)
        for star, chance in ((False, NO_STAR), (True, 1.0 - NO_STAR))
    )


def _best_slides(notches: Notches, face: int, star: bool) -> float:
    """The rounds after the best slide or slides that a roll allows."""
    results = []
    for first in _can_slide(notches):
        after = slid(notches, first)
        second = _can_slide(after) if face == WILD else [face] if star and after[face] else []
        results += [slid(after, tile) for tile in second] or [after]
    return max(expected_rounds(tuple(sorted(result))) for result in results)


def _can_slide(notches: Notches) -> list[int]:
    return [tile for tile, notch in enumerate(notches) if notch]


# By the tiles' notches as the digits of a number.
ROUNDS = np.array(
    [
        expected_rounds(tuple(sorted(notches)))
        for notches in product(range(NOTCHES + 1), repeat=LETTERS)
    ]
)


@kernel
def solo_rounds(state: State) -> float:
    """The rounds that a solo match is expected to last, the present one not counted."""
    place = 0
    for letter in range(LETTERS):
        place = (NOTCHES + 1) * place + int(state["notches"][letter])
    return float(ROUNDS[place])
