"""Matches of nets that search, wholly in machine code, and what is learned from each decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from droptable.bots.guided_search import Layers, new_guide
from droptable.bots.guided_tree import Guide, decide, improve_policy, look
from droptable.bots.instincts import Avoided, Habits, Ratings, bots_of, choose
from droptable.bots.tree import IDS, VIEW, WEIGHTS, Tree
from droptable.core.bits import lowest_bit
from droptable.core.chance import below
from droptable.core.compile import kernel
from droptable.core.contract import Ids, Random, apply, legal, observe
from droptable.core.game import Game
from droptable.core.heuristics import final_shares
from droptable.core.loops import States, deal
from droptable.lab.seeds import generators_of

START, MATCH = range(2)  # rows of the states
MOST_MOVES = 100_000  # a match that goes on for longer is everybody's
MOST_ROWS = 2048  # decisions of a match that are noted: the first ones …
MOST_KEPT = 128  # … and so many of them at most, chosen at random, are learned from
GENERATION = 1 << 24  # numbers of all tensors of a generation, about
ILLEGAL = -1.0  # instead of a probability, in a policy
BY_HABIT = -1  # instead of a net, in roles
ROOT_SHARE = 0.5  # of a decision's value, what search has found; the rest is the result
SURE = 0.75  # of a teacher's choice: what it adds to the probability that all legal moves share
STRAY = 5  # one of so many moves of a teacher is made at random, for more to be seen


class Notes(NamedTuple):
    """What is noted of each decision; no rows: nothing is."""

    tensors: Any  # float32 [row, number]: what the seat saw
    policies: Any  # float32 [row, action]: the improved policy, or `ILLEGAL`
    values: Any  # float32 [row, seat]: shares of the victory, the own first, then clockwise
    seats: Any  # int64 [row]


@kernel
def play_match(
    states: States, tree: Tree, guide: Guide, roles: Any, bots: tuple[Habits, Avoided],
    ratings: Ratings, random: Random, iterations: int, noise: float, notes: Notes, shares: Any,
) -> int:  # fmt: skip
    """Play a match and write each seat's share; return how many decisions have been noted.

    `random` deals; all choices are drawn from the tree's generator. `roles`: each seat's net. If
    there is room for notes, seats without a net are teachers.
    """
    ids, weights = tree.lists[IDS], tree.lists[WEIGHTS]
    states[MATCH] = states[START]
    rows = moves = 0
    actors = deal(states, MATCH, random, ids, weights)
    while actors and moves < MOST_MOVES:
        seat = lowest_bit(actors)
        tree.states[VIEW] = states[MATCH]
        observe(tree.states[VIEW], seat)
        count = legal(tree.states[VIEW], seat, ids)
        action = int(np.int64(ids[0]))
        role = int(np.int64(roles[seat]))
        if count > 1 and role < 0:
            made = choose(
                tree.states, VIEW, seat, ids, ratings, seat, bots[0], bots[1], tree.random
            )
            action = made & 0xFFFFFFFF
            if rows < len(notes.seats):
                count = legal(tree.states[VIEW], seat, ids)
                note_example(tree, guide, seat, ids, count, action, notes, rows)
                rows += 1
                if below(tree.random, STRAY) == 0:
                    action = int(np.int64(ids[below(tree.random, count)]))
        elif count > 1:
            guide.which[0] = role
            best = decide(tree, guide, seat, iterations, noise)
            count = legal(tree.states[VIEW], seat, ids)  # search has used the list
            action = int(np.int64(ids[best]))
            if rows < len(notes.seats):
                note(tree, guide, seat, ids, count, best, notes, rows)
                rows += 1
        apply(states[MATCH], seat, action)
        moves += 1
        actors = deal(states, MATCH, random, ids, weights)
    final_shares(states[MATCH], tree.search[0]["points"], shares)
    players = int(states[MATCH]["players"])
    for row in range(rows):
        seat = int(notes.seats[row])
        searched = ROOT_SHARE if roles[seat] >= 0 else 0.0
        for k in range(players):
            result = float(shares[(seat + k) % players])
            found = float(notes.values[row, k])
            notes.values[row, k] = result + searched * (found - result)
    return rows


@kernel
def note(
    tree: Tree, guide: Guide, seat: int, ids: Ids, count: int, best: int, notes: Notes, row: int
) -> None:
    """Note a decision: what was seen, the improved policy, and what the best move is worth."""
    improve_policy(tree, guide, seat, count)
    policy = notes.policies[row]
    for action in range(len(policy)):
        policy[action] = ILLEGAL
    for k in range(count):
        policy[ids[k]] = guide.policy[k]
    tensor = notes.tensors[row]
    for k in range(len(tensor)):
        tensor[k] = guide.seen[k]
    players = int(tree.states[VIEW]["players"])
    visits = float(tree.nodes[1 + best]["visits"])
    for k in range(players):
        notes.values[row, k] = tree.shares[ids[best], (seat + k) % players] / visits
    notes.seats[row] = seat


@kernel
def note_example(
    tree: Tree, guide: Guide, seat: int, ids: Ids, count: int, action: int, notes: Notes, row: int
) -> None:
    """Note a teacher's decision: what was seen, and what was chosen."""
    look(tree, guide, VIEW, seat)
    policy = notes.policies[row]
    for other in range(len(policy)):
        policy[other] = ILLEGAL
    for k in range(count):
        policy[ids[k]] = (1.0 - SURE) / count
    policy[action] += SURE
    tensor = notes.tensors[row]
    for k in range(len(tensor)):
        tensor[k] = guide.tensor[k]
    for k in range(notes.values.shape[1]):
        notes.values[row, k] = 0.0
    notes.seats[row] = seat


@dataclass(frozen=True)
class Chunk:
    """Matches to be played by one worker."""

    game: Game
    players: int
    options: dict[str, Any]
    nets: Sequence[Layers]
    lineup: Sequence[int | str]  # by seat, before it rotates: a net's number, or a habit
    seed: int
    first: int  # match number
    count: int
    iterations: int
    kept: int = 0  # decisions of a match that are learned from, at most; 0: moves have no noise


@dataclass
class Played:
    """What came of a chunk."""

    first: int
    shares: np.ndarray  # [match, place of the line-up]
    tensors: np.ndarray
    policies: np.ndarray
    values: np.ndarray


def kept_of(numbers: int, matches: int) -> int:
    """How many decisions of a match are learned from, for tensors of so many numbers."""
    return max(1, min(MOST_KEPT, GENERATION // (numbers * matches)))


def play_chunk(chunk: Chunk) -> Played:
    """Play the matches of a chunk; every deal is played once with each seat first."""
    game, players = chunk.game, chunk.players
    tree, guide = new_guide(game, players, chunk.options, chunk.nets)
    states = np.repeat(game.template(players, chunk.options), 2)
    rows = MOST_ROWS if chunk.kept else 0
    actions = len(game.vocabulary(chunk.options).actions)
    notes = Notes(
        np.zeros((rows, len(guide.tensor)), np.float32), np.zeros((rows, actions), np.float32),
        np.zeros((rows, players), np.float32), np.zeros(rows, np.int64),
    )  # fmt: skip
    play = game.at_full_speed.kernels.twin(play_match)
    numbers = np.arange(chunk.first, chunk.first + chunk.count)
    streams = generators_of(chunk.seed, numbers // players, numbers, players)
    ratings = np.zeros(len(tree.lists[IDS]))
    shares, kept = np.zeros((chunk.count, players)), []
    by_seat = np.zeros(players)
    for k, match in enumerate(numbers.tolist()):
        lineup = [chunk.lineup[(seat - match) % players] for seat in range(players)]
        roles = np.array([bot if isinstance(bot, int) else BY_HABIT for bot in lineup])
        bots = bots_of(game, chunk.options, [b if isinstance(b, str) else "random" for b in lineup])
        tree.random[0] = streams[k, 1]
        used = play(
            states, tree, guide, roles, bots, ratings, streams[k, :1], chunk.iterations,
            float(chunk.kept > 0), notes, by_seat,
        )  # fmt: skip
        shares[k] = [by_seat[(place + match) % players] for place in range(players)]
        some = np.arange(used)
        if used > chunk.kept:
            choice = np.random.default_rng((chunk.seed, match))
            some = np.sort(choice.choice(used, chunk.kept, replace=False))
        kept.append([part[some].astype(np.float16) for part in notes[:3]])
    tensors, policies, values = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    return Played(chunk.first, shares, tensors, policies, values)
