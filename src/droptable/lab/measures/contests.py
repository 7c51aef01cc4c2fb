"""Measures that need matches of their own: between strong and weak, free and restricted bots.

A contest says which cells it wants played for a cell, and makes figures of their matches.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from droptable.bots.instincts import NEVER, habit_of, word_of
from droptable.core.game import Game
from droptable.lab.cell import Cell
from droptable.lab.measures.measure import Figure
from droptable.lab.measures.sample import Sample
from droptable.lab.statistics import bootstrap

MOST_WORDS = 8  # a game with more kinds of moves is restricted in none of them
HARMLESS = 0.005  # of a share that a ban may cost for a kind of move to count as dominated
FIRST_SEARCH = 25  # iterations of the lowest search in the ladder

Contestants = dict[str, Cell]  # cells by their labels


@dataclass(frozen=True)
class Contest:
    """A way to find something out about a cell by matches between other bots."""

    name: str
    title: str
    tells: str
    source: str
    cells: Callable[[Cell], Contestants]
    take: Callable[[Sequence[tuple[str, Sample]]], list[Figure]]
    search: bool = False  # whether its bots search, so that few matches have to do


# -- skill ladder ---------------------------------------------------------------------------------


def rungs(game: Game, doublings: int = 4) -> list[str]:
    """Bots from weak to strong, each thinking twice as long as the one below."""
    instincts = ["random"]
    if game.bot is not None and (game.bot.heuristic or game.bot.prior):
        instincts.append("greedy")
    return [*instincts, *(f"search:{FIRST_SEARCH << k}" for k in range(doublings + 1))]


def ladder_cells(cell: Cell) -> Contestants:
    """Each rung alone against the one below."""
    steps = rungs(cell.subject)
    if cell.seats == 1:
        return {rung: _lineup(cell, rung) for rung in steps}
    return {
        f"{upper} over {lower}": _lineup(cell, upper, lower)
        for lower, upper in itertools.pairwise(steps)
    }


def ladder(samples: Sequence[tuple[str, Sample]]) -> list[Figure]:
    """The win share of the stronger bot in its seat; alone at the table, the score."""
    found = []
    for label, sample in samples:
        if sample.seats == 1:
            mean = sample.mean(sample.chunk.score[:, 0])
            found.append(Figure("ladder", label, mean, "points"))
        else:
            share = sample.share(sample.shares_of(sample.cell.lineup[0]))
            found.append(Figure("ladder", label, share, "share"))
    return found


# -- luck and skill -------------------------------------------------------------------------------


def luck_cells(cell: Cell) -> Contestants:
    """A strong bot against weak ones: all rotations of each deal, twice."""
    if cell.seats == 1:
        return {}
    *weaker, weak, strong = rungs(cell.subject, 0)
    bot = cell.lineup[0]
    if habit_of(bot) is None:
        strong = bot
    elif weaker:
        weak, strong = *weaker, weak
    return {f"{strong} and {weak}": replace(_lineup(cell, strong, weak), replays=2)}


def luck(samples: Sequence[tuple[str, Sample]]) -> list[Figure]:
    """The shares of the variance of results that bots, seats and deals explain."""
    return [figure for _, sample in samples for figure in variance_shares(sample)]


def variance_shares(sample: Sample) -> list[Figure]:
    """Variance components of shares, from deals played by all rotations, each time twice.

    Skill is what the bot explains: the product of its means in even and in odd deals, so that
    nothing is found where nothing is. Luck is what two plays of the same deal by the same bots at
    the same seats have in common beyond that. The rest are the bots' own dice and their choices.
    """
    chunk, seats, bots = sample.chunk, sample.seats, sample.chunk.bots
    per = sample.cell.plays_per_deal
    deals = len(sample) // per // 2 * 2
    shape = (deals, sample.cell.replays, sample.cell.rotations, seats)
    rows = slice(deals * per)  # by deal, then by replay, then by rotation
    share = chunk.share[rows].reshape(shape)
    bot = chunk.bot[rows].reshape(shape)
    variance = np.square(share).mean() - sample.fair**2
    if deals < 4 or variance <= 0:
        return []
    again = (share[:, 0] * share[:, 1]).mean(axis=(1, 2))
    square = np.square(share).mean(axis=(1, 2, 3))
    even = np.arange(deals) % 2 == 0
    columns, places = [again, square], []
    for b in range(len(bots)):
        for seat in range(seats):
            own = bot[..., seat] == b
            weight = float(own.mean()) / seats
            if weight:
                mean = (share[..., seat] * own).mean(axis=(1, 2)) / (weight * seats)
                columns += [2 * mean * even, 2 * mean * ~even]
                places.append((b, weight))
    weights = np.array([weight for _, weight in places])
    owner = np.array([b for b, _ in places])

    def parts(means: np.ndarray) -> tuple[np.ndarray, ...]:
        first, second = means[2::2], means[3::2]
        total = means[1] - sample.fair**2
        cells = np.tensordot(weights, first * second, 1)
        skill = np.zeros_like(total)
        for b in range(len(bots)):
            own = weights * (owner == b)
            whole = own.sum()
            skill += np.tensordot(own, first, 1) * np.tensordot(own, second, 1) / whole
        fair = sample.fair**2
        known = (skill - fair) / total, (cells - skill) / total, (means[0] - cells) / total
        return (*known, 1 - sum(known))

    def one_of(k: int, means: np.ndarray) -> np.ndarray:
        return parts(means)[k]

    labels = ("skill", "seat", "luck of the deal", "the rest")
    return [
        Figure("luck", label, bootstrap(partial(one_of, k), *columns), "share")
        for k, label in enumerate(labels)
    ]


# -- restricted play ------------------------------------------------------------------------------


def restricted_cells(cell: Cell) -> Contestants:
    """A bot that never makes one kind of move, or always the first one, against free ones."""
    if cell.seats == 1:
        return {}
    free = cell.lineup[0]
    if free not in ("random", "greedy"):
        free = rungs(cell.subject, 0)[-2]
    tokens = cell.subject.vocabulary(dict(cell.options)).actions
    words = list(dict.fromkeys(word_of(token) for token in tokens))
    found = {"always the first legal move": _lineup(cell, "first", free)}
    if 1 < len(words) <= MOST_WORDS:
        for word in words:
            found[f"never {word}"] = _lineup(cell, f"{free}{NEVER}{word}", free)
    return found


def restricted(samples: Sequence[tuple[str, Sample]]) -> list[Figure]:
    """How far the win share of the restricted bot is from a fair one."""
    return [
        Figure(
            "restricted", label,
            sample.mean(sample.shares_of(sample.cell.lineup[0]) - sample.fair), "share",
        )
        for label, sample in samples
    ]  # fmt: skip


def dominated(samples: Sequence[tuple[str, Sample]]) -> list[Figure]:
    """The kinds of moves that can be left out at no cost."""
    return [
        Figure("dominated", figure.label.removeprefix("never "), figure.interval, figure.unit)
        for figure in restricted(samples)
        if figure.label.startswith("never ") and figure.interval.low > -HARMLESS
    ]


# -- exploitability -------------------------------------------------------------------------------


def exploitability_cells(cell: Cell) -> Contestants:
    """Somebody who has learned to beat the bot, against copies of it."""
    if cell.seats == 1:
        return {}
    bot = cell.lineup[0]
    return {f"a response to {bot}": _lineup(cell, f"response:{bot}", bot)}


def exploitability(samples: Sequence[tuple[str, Sample]]) -> list[Figure]:
    """How far the win share of the response is above a fair one."""
    return [Figure("exploitability", "", f.interval, f.unit) for f in restricted(samples)]


def _lineup(cell: Cell, one: str, others: str | None = None) -> Cell:
    """The same cell with one bot in turn at every seat against others."""
    lineup = (one,) + (others or one,) * (cell.seats - 1)
    return replace(cell, lineup=lineup, rotate=True, replays=1)


CONTESTS = (
    Contest(
        "ladder", "Skill ladder",
        "The win share of one seat that thinks twice as long as all others, per doubling; alone at "
        "the table, the mean score.",
        "Browne 2008 (depth, clarity); Ludii; Lanctot et al. 2019 (skill trace)",
        ladder_cells, ladder, search=True,
    ),
    Contest(
        "luck", "Luck against skill",
        "Each deal is played by all rotations of a strong bot and weak ones, twice. Skill is the "
        "share of the variance of results that the bot explains; luck, what two plays of the same "
        "cards and dice at the same seats have in common beyond bot and seat.",
        "variance components; Duersch, Lambrecht and Oechssler 2020 for the question",
        luck_cells, luck,
    ),
    Contest(
        "restricted", "Restricted play",
        "What a bot wins or loses, in shares of the victory, against free ones if it never makes "
        "one kind of move, or always makes the first legal one.",
        "Jaffe et al. 2012 (restricted play)", restricted_cells, restricted,
    ),
    Contest(
        "dominated", "Dominated options",
        "Kinds of moves that a bot may leave out without losing more than half a percent.",
        "Jaffe et al. 2012; Browne 2008", restricted_cells, dominated,
    ),
    Contest(
        "exploitability", "Exploitability",
        "What a learned best response wins above a fair share of the victory from all seats, on "
        "deals it has never seen, against copies of the bot: the best response wins at least that.",
        "Timbers et al. 2022 (approximate exploitability); Lisý and Bowling 2017 (local best "
        "response)", exploitability_cells, exploitability, search=True,
    ),
)  # fmt: skip
