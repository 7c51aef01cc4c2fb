"""Measures of how matches go: lead changes, drama, killer moves, comebacks, suspense.

A value is a seat's expected share of the victory, estimated by rollouts after every turn. It is
noisy, so a lead counts only from `CLEAR` on.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from droptable.lab.measures.measure import Figure, Measure
from droptable.lab.measures.sample import Sample

CLEAR = 0.1  # shares by which a seat has to be ahead to lead
BEHIND = 0.5  # times a fair share: who had less, twice in a row, and wins, has come back


def lead_changes(sample: Sample) -> list[Figure]:
    """How often the lead changes hands in a match."""
    counts = []
    for values, _seats, _share in _matches(sample):
        leads = _leads(values)
        counts.append(int(np.count_nonzero(np.diff(leads[leads >= 0]))))
    return [Figure("lead-changes", "", sample.mean(counts), "")] if _told(sample) else []


def drama(sample: Sample) -> list[Figure]:
    """How far behind winners were while they were behind."""
    found = []
    for values, _seats, share in _matches(sample):
        winner = int(np.argmax(share))
        gap = values.max(axis=1) - values[:, winner]
        behind = gap[gap > CLEAR]
        found.append(float(np.sqrt(behind).mean()) if len(behind) else 0.0)
    return [Figure("drama", "", sample.mean(found), "")] if _told(sample) else []


def killer_moves(sample: Sample) -> list[Figure]:
    """The largest gain of a winner by one turn of their own."""
    found = []
    for values, seats, share in _matches(sample):
        winner = int(np.argmax(share))
        gains = np.diff(values[:, winner])[seats[1:] == winner]
        found.append(float(gains.max()) if len(gains) else 0.0)
    return [Figure("killer-moves", "", sample.mean(found), "share")] if _told(sample) else []


def comebacks(sample: Sample) -> list[Figure]:
    """How often somebody wins who was as good as lost."""
    found = []
    for values, _seats, share in _matches(sample):
        low = values[:, int(np.argmax(share))] < BEHIND * sample.fair
        found.append(bool(np.any(low[1:] & low[:-1])))
    return [Figure("comebacks", "", sample.share(found), "share")] if _told(sample) else []


def suspense(sample: Sample) -> list[Figure]:
    """After which part of a match its winner leads for good."""
    found = []
    for values, _seats, share in _matches(sample):
        behind = np.flatnonzero(np.argmax(values, axis=1) != int(np.argmax(share)))
        found.append((behind[-1] + 1) / len(values) if len(behind) else 0.0)
    return [Figure("suspense", "", sample.share(found), "share")] if _told(sample) else []


def _told(sample: Sample) -> bool:
    return sample.seats > 1


def _matches(sample: Sample) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Of each match: the values after every turn, who made it, and the shares at the end."""
    turns = sample.turns
    starts = np.searchsorted(turns.match, sample.chunk.match)
    ends = np.append(starts[1:], len(turns.match))
    for row, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        yield turns.values[start:end], turns.seat[start:end], sample.chunk.share[row]


def _leads(values: np.ndarray) -> np.ndarray:
    """Who leads clearly after each turn, -1 if nobody does."""
    ranked = np.sort(values, axis=1)
    clear = ranked[:, -1] - ranked[:, -2] >= CLEAR
    leads: np.ndarray = np.where(clear, np.argmax(values, axis=1), -1)
    return leads


STORY = (
    Measure(
        "lead-changes", "Lead changes",
        "How often the lead passes to another seat. Who has the highest value leads, if it is at "
        "least a tenth of the victory ahead of the next.",
        "Browne 2008 (lead change); Ludii (LeadChange)", "values", lead_changes,
    ),
    Measure(
        "drama", "Drama",
        "How far the eventual winner was behind: the root of the gap to the leading value, on "
        "average over the turns at which they were behind.",
        "Browne 2008 (drama); Ludii (Drama)", "values", drama,
    ),
    Measure(
        "killer-moves", "Killer moves",
        "The most that a winner gained by one turn of their own, in shares of the victory.",
        "Browne 2008 (killer moves)", "values", killer_moves,
    ),
    Measure(
        "comebacks", "Comebacks",
        "The share of matches won by a seat whose value was below half of a fair share after two "
        "turns in a row.",
        "Browne 2008 (drama); Ludii", "values", comebacks,
    ),
    Measure(
        "suspense", "Suspense",
        "After which part of its turns the winner leads for good.",
        "Browne 2008 (uncertainty, permanence)", "values", suspense,
    ),
)  # fmt: skip
