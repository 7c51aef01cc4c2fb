"""Information-set Monte Carlo tree search (IS-MCTS), compiled, for any number of seats.

One tree per seat's view. Every iteration determinizes the view, selects moves down the tree by UCB
among those that are legal in that world, expands the node it reaches, simulates the rest of the
match, and backpropagates each seat's share of the victory. What the dealer or another seat does in
the seat's sight branches the tree; what is hidden from it does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from droptable.bots.search_base import Turn, Work
from droptable.core.bits import lowest_bit
from droptable.core.chance import below, generators, sample_outcome
from droptable.core.compile import kernel
from droptable.core.contract import (
    DEALER_ACTS,
    MOST_SEATS,
    Ids,
    Random,
    State,
    apply,
    determinize,
    legal,
    to_act,
    witnesses,
)
from droptable.core.heuristics import (
    UNLIMITED,
    Heuristics,
    SearchSettings,
    cutoff,
    evaluate,
    leaf_value,
    noisy_greedy_move,
    prior,
    resample_belief,
    rollout_move,
)
from droptable.core.loops import dealer
from droptable.core.net import NOTES

if TYPE_CHECKING:
    from droptable.core.state import View

NODE = np.dtype(
    [
        ("total", np.float64),  # sum of the mover's shares of the victory through this node
        ("prior", np.float32),
        ("event", np.int32),  # the action; -1 - outcome of the dealer; HIDDEN
        ("child", np.int32),  # first child, NONE if it has none
        ("sibling", np.int32),  # next child of the same parent, in ascending order of events
        ("visits", np.int32),
        ("available", np.int32),  # availability count: how often it was legal at its parent
        ("mean", np.float32),  # total / visits
        ("inverse_root", np.float32),  # 1 / sqrt(visits)
    ]
)
ROOT, NONE = 0, -1
DEEPEST = 512  # nodes on one path
HIDDEN = -(1 << 31)  # the event of a seat's hidden move: that it moved is seen all the same
CERTAIN = 1024  # a probability of 1, in random draws
UNVISITED = 1e9  # beats every UCB score
NO_NOISE = -1.0  # a `rollout_noise` of None

SEARCH = np.dtype(
    [(f.name, np.int64 if f.type == "int" else np.float64) for f in fields(SearchSettings)]
    + [
        ("size", np.int64),  # nodes in the tree
        ("depth", np.int64),  # of the iteration's path
        ("path", np.int32, DEEPEST),  # its nodes, the root at 0 …
        ("movers", np.int32, DEEPEST),  # … and who moved to each of them, -1 for the dealer
        ("values", np.float64, MOST_SEATS),  # every seat's share of the victory at its end
        ("points", np.int32, MOST_SEATS),  # scratch
        ("net", NOTES),  # scratch
    ]
)

# Indices of a tree's states; those behind them are scratch for the game's prior.
VIEW, WORLD, CHAIN = range(3)  # the view; the iteration's world; the Markov chain of worlds
STATES = 5
# Indices of a tree's lists.
IDS, CHILDREN = range(2)  # the legal moves, or the dealer's outcomes; the nodes of these moves
CANDIDATES = 2  # by action: whether it may be tried at the root
WEIGHTS, PRIOR_IDS = range(3, 5)  # scratch
LISTS = 5


class Tree(NamedTuple):
    """All that a search works with. Few arrays, because every kernel call passes all of them."""

    search: Any  # [1]: a record of SEARCH
    states: Any  # [VIEW, WORLD, CHAIN, …]
    nodes: Any  # records of NODE
    lists: Any  # [IDS, CHILDREN, …]: as long as there are actions or outcomes
    shares: Any  # [action, seat]: sums of the shares of the victory after each move at the root
    random: Any


@kernel
def grow(tree: Tree, seat: int, iterations: int) -> None:
    """Run iterations; a tree that has grown before goes on growing."""
    for _ in range(iterations):
        sample_world(tree, seat)
        select(tree, seat)
        simulate(tree, seat)
        backpropagate(tree)


@kernel
def sample_world(tree: Tree, seat: int) -> None:
    """Determinize the view: deal what the seat cannot see.

    Without a burn-in every world is dealt independently and made more likely once. With one, worlds
    are the states of a Markov chain, so that each builds on the likelihood of the one before.
    """
    states = tree.states
    burn_in = tree.search[0]["burn_in"]
    if not burn_in:
        states[WORLD] = states[VIEW]
        determinize(states[WORLD], seat, tree.random)
        resample_belief(states[WORLD], seat, tree.random)
        return
    if tree.nodes[ROOT]["visits"] == 0:
        states[CHAIN] = states[VIEW]
        determinize(states[CHAIN], seat, tree.random)
        for _ in range(burn_in):
            resample_belief(states[CHAIN], seat, tree.random)
    resample_belief(states[CHAIN], seat, tree.random)
    states[WORLD] = states[CHAIN]


@kernel
def select(tree: Tree, seat: int) -> None:
    """Walk from the root to a node that was never visited, and write the path.

    The walk also ends with the match, at a cutoff, or where the tree is full. The seat moves by
    UCB; so do the others, except for the share of their moves that the rollout policy makes.
    """
    search = tree.search[0]
    state = tree.states[WORLD]
    ids = tree.lists[IDS]
    node = ROOT
    depth = 0
    search["path"][0] = ROOT
    unvisited = False
    while not unvisited and depth < DEEPEST - 1:
        actors = to_act(state)
        if actors == 0 or cutoff(state, tree.states[VIEW]):
            break
        mover = dealer()
        count = 0
        if actors != DEALER_ACTS:
            mover = seat if actors >> seat & 1 else lowest_bit(actors)
            count = legal(state, mover, ids)
            if node == ROOT:
                count = keep_candidates(ids, count, tree.lists[CANDIDATES])
            elif count == 1:  # a forced move needs no node
                apply(state, mover, int(np.int64(ids[0])))
                continue
        if mover == seat or (
            mover >= 0 and below(tree.random, CERTAIN) >= search["opponent_rollouts"] * CERTAIN
        ):
            expand(tree, node, mover, count)
            child = best_by_ucb(tree, node, count)
            if child != NONE:
                apply(state, mover, int(np.int64(tree.nodes[child]["event"])))
        else:
            child = sample_event(tree, seat, node, mover, count)
        if child == NONE:
            break
        if child != node:
            unvisited = tree.nodes[child]["visits"] == 0
            node = child
            depth += 1
            search["path"][depth] = node
            search["movers"][depth] = mover
    search["depth"] = depth


@kernel
def keep_candidates(ids: Ids, count: int, candidates: Any) -> int:
    """Drop the moves that are not to be tried at the root; return how many are left."""
    kept = 0
    for k in range(count):
        if candidates[ids[k]]:
            ids[kept] = ids[k]
            kept += 1
    return kept


@kernel
def sample_event(tree: Tree, seat: int, node: int, mover: int, count: int) -> int:
    """Make a move by the rollout policy, or deal; return the child that it leads to.

    Moves that are hidden from the seat share one child; a hidden outcome stays in the node.
    """
    state = tree.states[WORLD]
    ids = tree.lists[IDS]
    if mover >= 0:
        event = policy_move(state, mover, ids, count, tree.search[0]["rollout_noise"], tree.random)
    else:
        event = sample_outcome(state, ids, tree.lists[WEIGHTS], tree.random)
    seen = (witnesses(state, mover, event) >> seat) & 1
    apply(state, mover, event)
    if mover >= 0:
        return find_child(tree, node, event if seen else HIDDEN)
    if seen:
        return find_child(tree, node, -1 - event)
    return node


@kernel
def expand(tree: Tree, node: int, mover: int, count: int) -> None:
    """List the children of the legal moves; add those that are missing, if there is room.

    Moves that were added together lie in a row, so as long as the same ones are legal (always, in a
    game without secrets) no list has to be walked; from the first gap on, siblings are followed.
    """
    nodes = tree.nodes
    ids = tree.lists[IDS]
    children = tree.lists[CHILDREN]
    size = tree.search[0]["size"]
    first = int(nodes[node]["child"])
    before = NONE
    k = 0
    while (
        first != NONE
        and k < count
        and first + k < size
        and nodes[first + k]["event"] == ids[k]
        and (k == 0 or nodes[before]["sibling"] == first + k)
    ):
        before = first + k
        children[k] = before
        k += 1
    next_child = first if before == NONE else int(nodes[before]["sibling"])
    while k < count:
        action = int(np.int64(ids[k]))
        while next_child != NONE and nodes[next_child]["event"] < action:
            before = next_child
            next_child = int(nodes[next_child]["sibling"])
        if next_child != NONE and nodes[next_child]["event"] == action:
            child = next_child
            next_child = int(nodes[next_child]["sibling"])
        else:
            rating = prior(tree.states, mover, action, tree.lists[PRIOR_IDS], tree.search[0]["net"])
            child = add_node(tree, node, before, action, rating)
        children[k] = child
        if child != NONE:
            before = child
        k += 1


@kernel
def find_child(tree: Tree, node: int, event: int) -> int:
    """The child of a node for an event, added if it is missing and there is room."""
    nodes = tree.nodes
    before = NONE
    child = int(nodes[node]["child"])
    while child != NONE and nodes[child]["event"] < event:
        before = child
        child = int(nodes[child]["sibling"])
    if child != NONE and nodes[child]["event"] == event:
        return child
    return add_node(tree, node, before, event, 0.0)


@kernel
def add_node(tree: Tree, parent: int, before: int, event: int, rating: float) -> int:
    """Add a child behind a sibling (NONE: as the first); return it, or NONE if the tree is full."""
    size = int(tree.search[0]["size"])
    if size == len(tree.nodes):
        return NONE
    new = tree.nodes[size]
    new["total"] = 0.0
    new["prior"] = rating
    new["event"] = event
    new["child"] = NONE
    new["visits"] = 0
    new["available"] = 0
    if before == NONE:
        new["sibling"] = tree.nodes[parent]["child"]
        tree.nodes[parent]["child"] = size
    else:
        new["sibling"] = tree.nodes[before]["sibling"]
        tree.nodes[before]["sibling"] = size
    tree.search[0]["size"] = size + 1
    return size


@kernel
def best_by_ucb(tree: Tree, node: int, count: int) -> int:
    """The child of the legal move with the best score, NONE if the tree has none of them.

    The score of a visited move is its mean, plus UCB's exploration * sqrt(log(available) / visits),
    plus prior_weight * prior / (visits + 1). Unvisited moves come first, by their priors, but under
    progressive widening a node visited n times tries only 1 + widening * sqrt(n) of its moves.
    """
    nodes = tree.nodes
    children = tree.lists[CHILDREN]
    search = tree.search[0]
    exploration = search["exploration"]
    prior_weight = search["prior_weight"]
    untried = float(count)  # moves that may yet be tried
    if search["widening"] < UNLIMITED:
        untried = 1.0 + search["widening"] * np.sqrt(float(nodes[node]["visits"]))
        for k in range(count):
            if children[k] != NONE and nodes[children[k]]["visits"]:
                untried -= 1.0
    best = NONE
    best_score = -UNVISITED
    k = below(tree.random, count)  # ties go to a random move
    available = 0  # mostly the same for all moves of a node: one logarithm serves
    bonus = 0.0
    for _ in range(count):
        child = int(children[k])
        k = k + 1 if k + 1 < count else 0  # a remainder would take longer than the rest
        if child == NONE:
            continue
        move = nodes[child]
        move["available"] += 1
        rating = float(move["prior"])  # plain Python would go on in single precision
        if move["visits"] == 0:
            if untried <= 0.0:
                continue
            score = UNVISITED + rating
        else:
            if move["available"] != available:
                available = int(move["available"])
                bonus = exploration * np.sqrt(np.log(float(available)))
            score = float(move["mean"]) + bonus * float(move["inverse_root"])
            if rating != 0.0:
                score += prior_weight * rating / (float(move["visits"]) + 1.0)
        if score > best_score:
            best_score = score
            best = child
    return best


@kernel
def simulate(tree: Tree, seat: int) -> None:
    """Play the world on by the rollout policy and write every seat's share of the victory.

    A rollout ends with the match, at a cutoff or after `rollout_limit` moves, and is evaluated
    there. With a `lookahead`, the seat makes its own moves by their priors instead, and after so
    many of its turns the rollout ends with `leaf_value`, if the game can tell it.
    """
    search = tree.search[0]
    state = tree.states[WORLD]
    ids = tree.lists[IDS]
    lookahead = search["lookahead"]
    noise = search["rollout_noise"]
    moves = 0
    turns = 0
    actors = to_act(state)
    while actors and moves < search["rollout_limit"] and not cutoff(state, tree.states[VIEW]):
        if actors == DEALER_ACTS:
            apply(state, dealer(), sample_outcome(state, ids, tree.lists[WEIGHTS], tree.random))
        else:
            mover = lowest_bit(actors)
            count = legal(state, mover, ids)
            moves += 1
            if lookahead and mover == seat:
                apply(state, seat, best_by_prior(tree, seat, count))
                actors = to_act(state)
                turns += int(not actors >> seat & 1)
                due = turns >= lookahead and actors != 0
                if due and leaf_value(state, seat, search["net"], search["values"]):
                    return
            else:
                apply(state, mover, policy_move(state, mover, ids, count, noise, tree.random))
        actors = to_act(state)
    evaluate(state, search["points"], search["values"])


@kernel
def policy_move(
    state: State, mover: int, ids: Ids, count: int, noise: float, random: Random
) -> int:
    """The move of a seat by the rollout policy, one of the legal moves in `ids`."""
    if noise >= 0.0:
        return noisy_greedy_move(state, mover, ids, count, noise, random)
    return int(np.int64(rollout_move(state, mover, ids, count, random)))


@kernel
def best_by_prior(tree: Tree, seat: int, count: int) -> int:
    """The seat's legal move with the highest prior."""
    ids = tree.lists[IDS]
    best = int(np.int64(ids[0]))
    best_rating = -UNVISITED
    for k in range(count):
        action = int(np.int64(ids[k]))
        rating = prior(tree.states, seat, action, tree.lists[PRIOR_IDS], tree.search[0]["net"])
        if rating > best_rating:
            best, best_rating = action, rating
    return best


@kernel
def backpropagate(tree: Tree) -> None:
    """Add the iteration's values to the nodes on its path, each for the seat that moved there."""
    search = tree.search[0]
    values = search["values"]
    depth = search["depth"]
    for i in range(depth + 1):
        node = tree.nodes[search["path"][i]]
        mover = search["movers"][i]
        node["visits"] += 1
        if i > 0 and mover >= 0:
            visits = float(node["visits"])
            node["total"] += values[mover]
            node["mean"] = node["total"] / visits
            node["inverse_root"] = 1.0 / np.sqrt(visits)
    if depth:
        move = tree.nodes[search["path"][1]]["event"]
        for s in range(int(tree.states[WORLD]["players"])):
            tree.shares[move, s] += values[s]


def new_tree(view: View, seed: int, candidates: Sequence[int], settings: SearchSettings) -> Tree:
    """A tree that has only its root."""
    vocabulary = view.game.vocabulary(view.options)
    search = np.zeros(1, SEARCH)
    for name, value in asdict(settings).items():
        search[name] = NO_NOISE if value is None else value
    search["size"] = 1
    nodes = np.empty(settings.max_nodes, NODE)  # written as they are added
    nodes[ROOT] = np.zeros((), NODE)
    nodes[ROOT]["child"] = NONE
    lists = np.zeros((LISTS, vocabulary.width), np.int32)
    lists[CANDIDATES, list(candidates)] = 1
    return Tree(
        search=search,
        states=np.repeat(view.array, STATES),
        nodes=nodes,
        lists=lists,
        shares=np.zeros((len(vocabulary.actions), MOST_SEATS)),
        random=generators(1, seed),
    )


class TreeSearch(Work):
    """One growing tree for one view: the work of one core."""

    kernels = (grow,)

    def __init__(
        self,
        view: View,
        seed: int,
        candidates: Sequence[int],
        settings: SearchSettings | None = None,
    ) -> None:
        assert view.seat is not None
        self._seat = view.seat
        self._candidates = candidates
        self._grow = view.game.at_full_speed.kernels.twin(grow)
        usual = (view.game.bot or Heuristics()).search
        self.tree = new_tree(view, seed, candidates, settings or usual)

    def run(self, iterations: int) -> None:
        self._grow(self.tree, self._seat, iterations)
        self.iterations += iterations

    def tally(self) -> Mapping[Turn, tuple[float, np.ndarray]]:
        tree = self.tree
        results: dict[Turn, tuple[float, np.ndarray]] = {
            (action,): (0.0, tree.shares[action]) for action in self._candidates
        }
        child = int(tree.nodes[ROOT]["child"])
        while child != NONE:
            node = tree.nodes[child]
            action = int(node["event"])
            results[action,] = float(node["visits"]), tree.shares[action]
            child = int(node["sibling"])
        return results
