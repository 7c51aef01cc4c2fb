"""Sequential halving shares out simulated matches among turns, all of which have the same luck."""

from __future__ import annotations

import numpy as np

from droptable.bots.turn_search import FIRST, HALVING, next_turn


def tried(goodness: list[int], matches: int) -> list[int]:
    """How often each turn is tried if the luck of the n-th matches is far greater than goodness."""
    count = len(goodness)
    halving, ranking = np.array([(FIRST, FIRST, count)], HALVING), np.arange(count)
    visits, sums = np.zeros(count, np.int64), np.zeros((count, matches + 1))
    for _ in range(matches):
        turn = next_turn(halving[0], ranking, visits, sums)
        match = visits[turn]
        sums[turn, match + 1] = sums[turn, match] + goodness[turn] + (-1000) ** (match % 3)
        visits[turn] += 1
    return visits.tolist()


def test_turns_are_compared_under_the_same_luck() -> None:
    """The better half of the turns is tried twice as often, whatever the luck that all share."""
    assert tried([1, 4, 2, 3], 4 * FIRST) == [FIRST] * 4
    assert tried([1, 4, 2, 3], 6 * FIRST) == [FIRST, 2 * FIRST, FIRST, 2 * FIRST]


def test_every_turn_gets_more_matches_in_the_next_bracket() -> None:
    """After the best two of a bracket, all turns are tried again, twice as often as before."""
    assert tried([1, 4, 2, 3], 8 * FIRST) == [2 * FIRST] * 4
    assert tried([1, 4, 2, 3], 12 * FIRST) == [2 * FIRST, 4 * FIRST, 2 * FIRST, 4 * FIRST]
    assert tried([7], 100) == [100]
