"""What the dealer deals, and what it goes with: cards that only one seat sees, tiles for all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from droptable.bots.instincts import word_of
from droptable.core.contract import DEALER
from droptable.lab.matches import record_of
from droptable.lab.measures.choices import RARE, SHOWN, strongest
from droptable.lab.measures.measure import Figure, Measure
from droptable.lab.measures.sample import Sample
from droptable.lab.parts import Part
from droptable.lab.statistics import bootstrap

FOR_ALL = -1  # the seat of what more than one has seen


@dataclass(frozen=True)
class Deals:
    """Every outcome of the dealer in some matches."""

    match: np.ndarray
    outcome: np.ndarray  # its id
    seat: np.ndarray  # the only one that saw it, or FOR_ALL


def deals_of(part: Part) -> Deals:
    """What was dealt in the matches of a part, by playing them again."""
    rows = []
    for match in range(part.first, part.first + part.count):
        record = record_of(part.cell, part.seed, match)
        state = record.game.start(record.players, **record.options)
        ids = record.game.vocabulary(record.options).outcome_ids
        for actor, token in record.events:
            if actor == DEALER:
                seen = state.witnesses(DEALER, token)
                seat = seen[0] if len(seen) == 1 < record.players else FOR_ALL
                rows.append((match, ids[token], seat))
            state.apply(actor, token)
    columns = np.array(rows, np.int64).reshape(-1, 3)
    return Deals(columns[:, 0], columns[:, 1], columns[:, 2])


def dealt(sample: Sample, deals: Deals) -> list[Figure]:
    """What one more of a card means for the seat that gets it; what lies open, for all scores."""
    names = list(sample.cell.subject.vocabulary(dict(sample.cell.options)).outcomes)
    rows = sample.rows(deals.match)
    own = deals.seat != FOR_ALL
    found: list[Figure] = []
    if np.any(own) and sample.seats > 1:
        place = rows[own] * sample.seats + deals.seat[own]
        found += strongest(sample, "dealt", names, place, deals.outcome[own])
    return found + _for_all(sample, names, rows[~own], deals.outcome[~own])


def _for_all(
    sample: Sample, names: list[str], rows: np.ndarray, outcomes: np.ndarray
) -> list[Figure]:
    """The slope of the mean score on how often something was dealt in the open.

    Long matches deal more of everything, so it is a slope among matches that deal as much of its
    kind (dice, tiles): what one more is worth in place of another one.
    """
    counts = np.zeros((len(names), len(sample)))
    np.add.at(counts, (outcomes, rows), 1)
    kinds: dict[str, list[int]] = {}
    for k, name in enumerate(names):
        if (counts[k] > 0).mean() > RARE and np.ptp(counts[k]):
            kinds.setdefault(word_of(name), []).append(k)
    score = sample.chunk.score.mean(axis=1)
    level = 1 - 0.05 / max(1, sum(map(len, kinds.values())))
    found: list[Figure] = []
    for alike in kinds.values():
        total = counts[alike].sum(axis=0) * (len(alike) > 1)
        slopes = []
        for k in alike:
            x = counts[k]
            slope = bootstrap(
                _partial_slope, x, score, total, x * x, total * total, x * score, total * score,
                x * total, groups=sample.groups, level=level,
            )  # fmt: skip
            slopes.append(Figure("dealt", f"{names[k]} (open)", slope, "points"))
        slopes.sort(key=lambda figure: -abs(figure.interval.value))
        found += slopes[:SHOWN]
    return found


def _partial_slope(means: np.ndarray) -> np.ndarray:
    """The slope of a score on a count at an equal total, by the means of all their products."""
    x, score, total, xx, tt, xs, ts, xt = means
    count, whole, both = xx - x * x, tt - total * total, xt - x * total
    by_count, by_whole = xs - x * score, ts - total * score
    constant = whole < 1e-9  # always as much in all
    slope = (by_count * whole - both * by_whole) / np.maximum(count * whole - both**2, 1e-12)
    plain = by_count / np.maximum(count, 1e-12)
    return np.asarray(np.where(constant, plain, slope))


def joined_deals(parts: list[Deals]) -> Deals:
    """Deals one after the other."""
    return Deals(*(np.concatenate([getattr(p, n) for p in parts]) for n in Deals.__annotations__))


DEALS = (
    Measure(
        "dealt", "What is dealt",
        "How much higher the win share of a seat is per card (or whatever) that only it was dealt; "
        "of what is dealt in the open, how much higher the mean score is if it comes in place of "
        "another one of its kind. Its matches are played again move by move, so a study has to ask "
        "for it.",
        "", "deals", lambda _sample: [],
    ),
)  # fmt: skip
