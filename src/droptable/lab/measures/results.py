"""Measures of results alone: seats, first mover, draws, limits, scores, length."""

from __future__ import annotations

import numpy as np

from droptable.lab.measures.measure import Figure, Measure
from droptable.lab.measures.sample import Sample
from droptable.lab.statistics import ratio_of


def seats(sample: Sample) -> list[Figure]:
    """Each seat's share of the victories."""
    shares = sample.chunk.share
    return [
        Figure("seats", f"seat {seat}", sample.share(shares[:, seat]), "share")
        for seat in range(sample.seats)
    ]


def strength(sample: Sample) -> list[Figure]:
    """Each bot's share of the victories, if they differ."""
    bots = sample.chunk.bots
    if len(bots) == 1:
        return []
    return [Figure("strength", bot, sample.share(sample.shares_of(bot)), "share") for bot in bots]


def first_mover(sample: Sample) -> list[Figure]:
    """Win share and lead in points of whoever decides first, above a fair share."""
    chunk = sample.chunk
    rows = np.flatnonzero(chunk.first >= 0)
    if sample.seats == 1 or not len(rows):
        return []
    first = chunk.first[rows]
    above = np.zeros(len(sample))
    above[rows] = chunk.share[rows, first] - sample.fair
    own = chunk.score[rows, first].astype(float)
    others = (chunk.score[rows].sum(axis=1) - own) / (sample.seats - 1)
    lead = np.zeros(len(sample))
    lead[rows] = (own - others) * (1 if sample.high_scores_win else -1)
    return [
        Figure("first-mover", "win share above fair", sample.mean(above), "share"),
        Figure("first-mover", "lead over the others", sample.mean(lead), "points"),
    ]


def draws(sample: Sample) -> list[Figure]:
    """How often a victory is shared."""
    if sample.seats == 1:
        return []
    winners = sample.chunk.winners
    found = [Figure("draws", "shared victories", sample.share(winners > 1), "share")]
    if sample.seats > 2:
        found.append(Figure("draws", "shared by all", sample.share(sample.chunk.draw), "share"))
    return found


def limits(sample: Sample) -> list[Figure]:
    """How often a limit ends a match."""
    return [Figure("limits", "", sample.share(sample.chunk.limit), "share")]


def spread(sample: Sample) -> list[Figure]:
    """How far apart scores are: winner to next, first to last, and the mean of all."""
    score = sample.chunk.score
    mean = Figure("spread", "mean score", sample.mean(score.mean(axis=1)), "points")
    if sample.seats == 1:
        return [mean]
    ranked = np.sort(score, axis=1)
    best, following = (-1, -2) if sample.high_scores_win else (0, 1)
    margin = np.abs(ranked[:, best] - ranked[:, following])
    return [
        Figure("spread", "winner to next", sample.mean(margin), "points"),
        Figure("spread", "first to last", sample.mean(ranked[:, -1] - ranked[:, 0]), "points"),
        mean,
    ]


def length(sample: Sample) -> list[Figure]:
    """Moves, turns and decisions per match."""
    chunk = sample.chunk
    return [
        Figure("length", "moves", sample.mean(chunk.moves), "moves"),
        Figure("length", "turns", sample.mean(chunk.turns), "turns"),
        Figure("length", "decisions", sample.mean(chunk.decisions), "decisions"),
    ]


def real_decisions(sample: Sample) -> list[Figure]:
    """The share of moves that had an alternative."""
    chunk = sample.chunk
    share = ratio_of(chunk.decisions, chunk.moves, sample.groups)
    return [Figure("real-decisions", "", share, "share")]


RESULTS = (
    Measure(
        "seats", "Seat advantage",
        "Each seat's share of the victories; a victory that k seats share counts 1/k for each.",
        "Browne 2008 (advantage); Ludii (AdvantageP1)", "results", seats,
    ),
    Measure(
        "strength", "Strength",
        "Each bot's share of the victories per seat that it has, over all rotations of a deal.",
        "TAG (win rates of a tournament)", "results", strength,
    ),
    Measure(
        "first-mover", "First-mover advantage",
        "What deciding first is worth: the win share above a fair one, and the lead in points over "
        "the mean of the others at the end, counted so that ahead is positive.",
        "Browne 2008 (advantage)", "results", first_mover,
    ),
    Measure(
        "draws", "Draws",
        "The share of matches whose victory is shared, and shared by all.",
        "Browne 2008 (drawishness); Ludii (Drawishness)", "results", draws,
    ),
    Measure(
        "limits", "Limits reached",
        "The share of matches that a limit ended (of turns or rounds), not their own goal.",
        "Ludii (Timeouts)", "results", limits,
    ),
    Measure(
        "spread", "Score spread",
        "The points between the winner and the next seat, between first and last, and the mean.",
        "TAG (score spread)", "results", spread,
    ),
    Measure(
        "length", "Length",
        "Moves (every touch that the rules know), turns (until another seat moves), and decisions "
        "(moves that had an alternative) per match.",
        "Browne 2008 (duration); Ludii (DurationMoves, DurationTurns)", "results", length,
    ),
    Measure(
        "real-decisions", "Real decisions",
        "The share of moves that had an alternative.",
        "Ludii (DecisionMoves)", "results", real_decisions,
    ),
)  # fmt: skip
