"""Measures of the moves that were made: how many there were to choose from, and which ones win."""

from __future__ import annotations

import numpy as np

from droptable.lab.measures.measure import Figure, Measure
from droptable.lab.measures.sample import Sample
from droptable.lab.statistics import bootstrap, ratio_of

SECONDS_PER_MOVE = 3.0  # to carry a move out
SECONDS_PER_BIT = 4.0  # … and to choose it, by Hick's law
MOST_TOKENS = 120  # a game with more is told by the first words of its tokens
SHOWN = 8  # moves with the largest effect
RARE = 0.02  # what fewer seats do, or fewer leave out, tells little


def branching(sample: Sample) -> list[Figure]:
    """Legal moves of a decision."""
    choices, rows = _real(sample)
    mean = ratio_of(choices, np.ones(len(choices)), rows)
    return [Figure("branching", "", mean, "choices")] if len(rows) else []


def entropy(sample: Sample) -> list[Figure]:
    """Bits per decision, and of a whole match."""
    choices, rows = _real(sample)
    if not len(rows):
        return []
    bits = np.log2(choices)
    each = ratio_of(bits, np.ones(len(bits)), rows)
    whole = np.bincount(rows, bits, len(sample))
    return [
        Figure("entropy", "per decision", each, "bits"),
        Figure("entropy", "per match", sample.mean(whole), "bits"),
    ]


def table_time(sample: Sample) -> list[Figure]:
    """Minutes at the table, by the number of moves and the choice in each of them."""
    decisions = sample.decisions
    seconds = SECONDS_PER_MOVE + SECONDS_PER_BIT * np.log2(decisions.choices)
    seconds[decisions.choices < 2] = SECONDS_PER_MOVE
    minutes = np.bincount(sample.rows(decisions.match), seconds, len(sample)) / 60
    return [Figure("table-time", "", sample.mean(minutes), "minutes")]


def carries(sample: Sample) -> list[Figure]:
    """What one more move of a kind goes with, in win share; the largest effects first."""
    if sample.seats == 1:
        return []
    decisions = sample.decisions
    names, kinds = _kinds(sample)
    place = sample.rows(decisions.match) * sample.seats + decisions.seat
    return strongest(sample, "carries", names, place, kinds)


def variety(sample: Sample) -> list[Figure]:
    """The share of each kind of move among real decisions, the most frequent first."""
    names, kinds = _kinds(sample)
    real = sample.decisions.choices > 1
    rows = sample.rows(sample.decisions.match)[real]
    kinds = kinds[real]
    order = np.argsort(-np.bincount(kinds, minlength=len(names)), kind="stable")[:SHOWN]
    return [
        Figure("variety", names[k], ratio_of(kinds == k, np.ones(len(kinds)), rows), "share")
        for k in order.tolist()
        if np.any(kinds == k)
    ]


def repeats(sample: Sample) -> list[Figure]:
    """The share of matches whose moves are all those of an earlier one."""
    rows = sample.rows(sample.decisions.match)
    ends = np.bincount(rows, minlength=len(sample)).cumsum()
    earlier = set[bytes]()
    again = np.zeros(len(sample))
    for row, actions in enumerate(np.split(sample.decisions.action, ends[:-1])):
        again[row] = actions.tobytes() in earlier
        earlier.add(actions.tobytes())
    return [Figure("repeats", "", sample.share(again), "share")]


def strongest(
    sample: Sample, measure: str, names: list[str], place: np.ndarray, kinds: np.ndarray
) -> list[Figure]:
    """The slopes of win share on counts. `place` is row * seats + seat, `kinds` counts by it.

    Intervals are widened for the number of kinds that were tried (Bonferroni).
    """
    shares = sample.chunk.share.reshape(-1)
    rows = np.repeat(np.arange(len(sample)), sample.seats)
    if sample.groups is not None:
        rows = np.repeat(sample.groups, sample.seats)
    table = np.zeros((len(names), len(shares)))
    np.add.at(table, (kinds, place), 1)
    used = (table > 0).mean(axis=1)
    told = [k for k in range(len(names)) if used[k] > RARE and np.ptp(table[k]) > 0]
    level = 1 - 0.05 / max(1, len(told))
    found = []
    for k in told:
        count = table[k]
        slope = bootstrap(
            _slope, count, shares, count * count, count * shares, groups=rows, level=level
        )
        found.append(Figure(measure, names[k], slope, "share"))
    found.sort(key=lambda figure: -abs(figure.interval.value))
    return found[:SHOWN]


def _slope(means: np.ndarray) -> np.ndarray:
    x, y, xx, xy = means
    slope: np.ndarray = (xy - x * y) / np.maximum(xx - x * x, 1e-12)
    return slope


def _real(sample: Sample) -> tuple[np.ndarray, np.ndarray]:
    """The choices of real decisions, and the rows of their matches."""
    decisions = sample.decisions
    real = decisions.choices > 1
    return decisions.choices[real].astype(float), sample.rows(decisions.match)[real]


def _kinds(sample: Sample) -> tuple[list[str], np.ndarray]:
    """Kinds of moves: tokens, or their first words where there are many; and each move's kind."""
    decisions = sample.decisions
    if len(decisions.tokens) <= MOST_TOKENS:
        return list(decisions.tokens), decisions.action
    words = decisions.words
    names = sorted(set(words.tolist()))
    return names, np.searchsorted(names, words)


CHOICES = (
    Measure(
        "branching", "Branching",
        "How many moves are legal in a real decision, on average.",
        "Ludii (BranchingFactor); Allis 1994", "decisions", branching,
    ),
    Measure(
        "entropy", "Decision entropy",
        "Bits of choice: the base-2 logarithm of the number of legal moves, per real decision, and "
        "summed over a match (the logarithm of its game tree).",
        "Shannon 1950; Allis 1994 (game-tree complexity)", "decisions", entropy,
    ),
    Measure(
        "table-time", "Minutes at the table",
        "Three seconds for each move, and four for each bit of choice in it.",
        "Hick 1952 (time to choose grows with the logarithm of the choices)",
        "decisions", table_time,
    ),
    Measure(
        "carries", "What carries the win",
        "How much higher the win share is per further move of a kind that a seat made: a slope, so "
        "it goes along with winning, and need not be its cause. The strongest ones, with intervals "
        "that are widened for how many were tried.",
        "", "decisions", carries,
    ),
    Measure(
        "variety", "Variety of moves",
        "The share of each kind of move among the real decisions.",
        "TAG (action distribution)", "decisions", variety,
    ),
    Measure(
        "repeats", "Repeated matches",
        "The share of matches in which every move is that of an earlier one. Where it is high, "
        "these bots leave little to chance, and intervals tell how such a match would end again, "
        "not how the game is between players as good as they.",
        "", "decisions", repeats,
    ),
)  # fmt: skip
