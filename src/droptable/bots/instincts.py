"""Bots that play by instinct, in machine code: any move, the best at a glance, the first one.

An instinct is a `Habit`: how often a move is made at random (`random` always, `easy` in some of
its decisions, `greedy` never), and moves that it avoids. A match in which everybody plays by
instinct runs wholly compiled, for any game; `greedy` chooses here what `GreedyBot` chooses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from droptable.bots.levels import LEVELS, level_of
from droptable.core.chance import below, sample_outcome
from droptable.core.compile import kernel
from droptable.core.contract import Ids, Numbers, Random, legal, observe
from droptable.core.errors import OptionError
from droptable.core.game import Game
from droptable.core.heuristics import heuristic
from droptable.core.loops import States

STEPS = 1 << 20  # a habit's share of random moves is a multiple of 1 / STEPS
FIRST = -1.0  # instead of such a share: always the first legal move
NEVER = ":never-"  # `greedy:never-hide` avoids the moves whose first word is `hide`

Habits = Any  # float64, a share of random moves for each bot of the line-up
Avoided = Any  # bool [bot, action]: moves that a bot makes only if there is no other
Ratings = Any  # float64 scratch: one number per legal move


@dataclass(frozen=True)
class Habit:
    """How a bot plays by instinct."""

    random: float  # share of its moves that are made at random, or `FIRST`
    never: str = ""  # the first word of the moves that it avoids


def habit_of(bot: str, game: Game | None = None) -> Habit | None:
    """The habit of a bot, in some game; None for one that thinks."""
    base, avoids, never = bot.partition(NEVER)
    if avoids and not never:
        return None
    if base == "random":
        return Habit(1.0, never)
    if base == "greedy":
        return Habit(0.0, never)
    if base == "first":
        return Habit(FIRST, never)
    if bot in LEVELS and LEVELS[bot].greedy == 1.0:
        return Habit((LEVELS[bot] if game is None else level_of(bot, game)).random)
    return None


def check_words(game: Game, options: Mapping[str, Any], bot: str) -> None:
    """Refuse a bot that avoids moves which the game does not have."""
    habit = habit_of(bot)
    if habit is None or not habit.never:
        return
    words = sorted({word_of(token) for token in game.vocabulary(dict(options)).actions})
    if habit.never not in words:
        told = ", ".join(words[:12]) + (" …" if len(words) > 12 else "")
        raise OptionError(
            f"bot {bot!r}: no move of {game.name} begins with {habit.never!r}; there are {told}"
        )


def word_of(token: str) -> str:
    """The first word of a token, which says what kind of move it is."""
    return token.partition(" ")[0]


def bots_of(
    game: Game, options: dict[str, Any], lineup: Sequence[str]
) -> tuple[np.ndarray, np.ndarray]:
    """A line-up as the kernels take it: shares of random moves, and the moves each bot avoids."""
    habits = [habit_of(bot, game) or Habit(0.0) for bot in lineup]
    tokens = game.vocabulary(options).actions
    avoided = np.zeros((len(lineup), 0), np.bool_)
    if any(habit.never for habit in habits):
        words = [word_of(token) for token in tokens]
        avoided = np.array([[word == habit.never for word in words] for habit in habits])
    return np.array([habit.random for habit in habits]), avoided


# -- kernels --------------------------------------------------------------------------------------


@kernel
def choose(
    states: States, seen: int, seat: int, ids: Ids, ratings: Ratings,
    bot: int, habits: Habits, avoided: Avoided, random: Random,
) -> int:  # fmt: skip
    """The move that a bot makes for a seat, as `legal count << 32 | action`.

    `states[seen]` is what the seat can see. A choice from one move draws no random number.
    """
    state = states[seen]
    count = total = legal(state, seat, ids)
    if avoided.shape[1]:
        count = 0
        for k in range(total):
            if not avoided[bot, ids[k]]:
                ids[count] = ids[k]
                count += 1
        if count == 0:  # nothing else can be done
            count = legal(state, seat, ids)
    share = habits[bot]
    if count > 1 and share >= 0.0:
        if share >= 1.0 or (share > 0.0 and below(random, STEPS) < share * STEPS):
            return total << 32 | int(np.int64(ids[below(random, count)]))
        return total << 32 | best_at_a_glance(states, seen, seat, ids, count, ratings, random)
    return total << 32 | int(np.int64(ids[0]))


@kernel
def best_at_a_glance(
    states: States, seen: int, seat: int, ids: Ids, count: int, ratings: Ratings, random: Random
) -> int:
    """The best of some moves by the game's heuristic, one of equals at random."""
    state = states[seen]
    best = heuristic(state, seat, int(np.int64(ids[0])))
    ratings[0] = best
    equals = 1
    for k in range(1, count):
        rating = heuristic(state, seat, int(np.int64(ids[k])))
        ratings[k] = rating
        if rating > best:
            best = rating
            equals = 1
        elif rating == best:
            equals += 1
    left = below(random, equals) if equals > 1 else 0
    for k in range(count):
        if ratings[k] == best:
            if left == 0:
                return int(np.int64(ids[k]))
            left -= 1
    return int(np.int64(ids[0]))


@kernel
def glance(
    states: States, i: int, scratch: int, seat: int, ids: Ids, ratings: Ratings,
    bot: int, habits: Habits, avoided: Avoided, random: Random,
) -> int:  # fmt: skip
    """`choose` from what a seat can see of states[i]; `scratch` is a row for that view, or i."""
    if scratch != i:  # something is hidden
        states[scratch] = states[i]
        observe(states[scratch], seat)
    return choose(states, scratch, seat, ids, ratings, bot, habits, avoided, random)


@kernel
def outcome_at(states: States, i: int, ids: Ids, weights: Numbers, random: Random) -> int:
    """An outcome of the dealer, who is to act in states[i]."""
    return sample_outcome(states[i], ids, weights, random)
