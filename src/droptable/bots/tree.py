"""Information-set Monte Carlo tree search, compiled, for any number of seats.

One tree for one seat's view. Every iteration fills the view with a likely world, walks down the
tree by the moves that are legal in it (a move's exploration counts how often it was *available*),
adds what it meets, plays on by instinct until the game's instinct pauses or foresees, or the match
ends, and adds the seats' shares of the victory to the nodes on its way. What others do in the
seat's sight branches the tree; what they hide from it does not. The dealer's outcomes are drawn by
chance; other seats move by instinct or, in a game with few secrets, as the tree thinks best for
them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from droptable.bots.instinct import believe, estimate, foresee, outlook, pause, playout_move
from droptable.bots.search_base import ALL_AT_ONCE, Settings, Turn, Work
from droptable.core.bits import lowest_bit
from droptable.core.chance import below, generators, sample_outcome
from droptable.core.compile import kernel
from droptable.core.contract import (
    DEALER_ACTS,
    MOST_SEATS,
    Ids,
    Numbers,
    Random,
    apply,
    determinize,
    legal,
    to_act,
    witnesses,
)
from droptable.core.loops import dealer
from droptable.core.net import NOTES

if TYPE_CHECKING:
    from droptable.core.state import View

NODE = np.dtype(
    [
        ("total", np.float64),  # sum of the mover's shares of the victory through this node
        ("prior", np.float32),  # the move's appeal
        ("event", np.int32),  # the action; -1 - outcome of the dealer; UNSEEN
        ("child", np.int32),  # first child, NONE if it has none
        ("sibling", np.int32),  # next child of the same parent, by rising events
        ("visits", np.int32),
        ("available", np.int32),  # how often the move was legal when its parent was left
        ("mean", np.float32),  # total / visits
        ("doubt", np.float32),  # 1 / sqrt(visits)
    ]
)
ROOT, NONE = 0, -1
DEEPEST = 512  # nodes on one path
UNSEEN = -(1 << 31)  # the event of a seat's hidden move: that it moved is seen all the same
CERTAIN = 1024  # a share of one, in draws
UNTRIED = 1e9  # beats every score of a move that was tried


@kernel
def grow(
    states: Any,
    seat: int,
    nodes: Any,
    size: int,
    iterations: int,
    exploration: float,
    trust: float,
    longest: int,
    widening: float,
    rivals: float,
    ahead: int,
    linked: int,
    random: Random,
    ids: Ids,
    weights: Numbers,
    where: Any,
    path: Any,
    movers: Any,
    points: Numbers,
    values: Any,
    candidates: Any,
    spare: Ids,
    notes: Any,
    shares: Any,
) -> int:
    """Run iterations from the view in states[0]; return how many nodes the tree has then.

    Only moves whose id is set in `candidates` are tried at the root; `shares[move]` collects every
    seat's shares of the victory after it. The rest is scratch, except that a tree of a former call
    goes on growing. `exploration` and `trust` weigh what is uncertain and what looks appealing;
    `longest` is the most moves a match is simulated before it is estimated; `widening` says how
    many moves of a node are tried, see `_select`; `rivals` is the share of the other seats' moves
    that they make by instinct; for `ahead` see `_play_on`, for `linked` see `_imagine`.
    """
    for _ in range(iterations):
        _imagine(states, seat, linked, nodes[ROOT]["visits"] == 0, random)
        state = states[1]
        node = ROOT
        depth = 0
        path[0] = ROOT
        fresh = False
        while not fresh and depth < DEEPEST - 1:
            actors = to_act(state)
            if actors == 0 or pause(state, states[0]):
                break
            mover = dealer()
            if actors != DEALER_ACTS:
                mover = seat if actors >> seat & 1 else lowest_bit(actors)
                count = legal(state, mover, ids)
                if node == ROOT:
                    count = _keep(ids, count, candidates)
                elif count == 1:  # a move without a choice needs no node
                    apply(state, mover, int(np.int64(ids[0])))
                    continue
            child = node
            if mover == seat or (mover >= 0 and below(random, CERTAIN) >= rivals * CERTAIN):
                child, size = _select(
                    states, nodes, size, node, mover, ids, count, where,
                    exploration, trust, widening, random, spare, notes[0],
                )  # fmt: skip
                if child != NONE:
                    apply(state, mover, int(np.int64(nodes[child]["event"])))
            else:
                if mover >= 0:
                    event = int(np.int64(playout_move(state, mover, ids, count, random)))
                else:
                    event = sample_outcome(state, ids, weights, random)
                shown = (witnesses(state, mover, event) >> seat) & 1
                apply(state, mover, event)
                if mover >= 0:
                    child, size = _find(nodes, size, node, event if shown else UNSEEN)
                elif shown:
                    child, size = _find(nodes, size, node, -1 - event)
            if child == NONE:
                break  # the tree is full: play on from here
            if child != node:
                fresh = nodes[child]["visits"] == 0
                node = child
                depth += 1
                path[depth] = node
                movers[depth] = mover
        if not _play_on(
            states, seat, longest, ahead, random, ids, weights, spare, notes[0], values
        ):
            estimate(state, points, values)
        for i in range(depth + 1):
            passed = nodes[path[i]]
            passed["visits"] += 1
            if i > 0 and movers[i] >= 0:
                visits = float(passed["visits"])
                passed["total"] += values[movers[i]]
                passed["mean"] = passed["total"] / visits
                passed["doubt"] = 1.0 / np.sqrt(visits)
        if depth:
            move = nodes[path[1]]["event"]
            for s in range(int(state["players"])):
                shares[move, s] += values[s]
    return size


@kernel
def _imagine(states: Any, seat: int, linked: int, first: bool, random: Random) -> None:
    """Fill the view into states[1]: anew, or (`linked`) by a step on from the last world.

    The first of linked worlds is so many steps away from one that was dealt at random.
    """
    if not linked:
        states[1] = states[0]
        determinize(states[1], seat, random)
        believe(states[1], seat, random)
        return
    if first:
        states[2] = states[0]
        determinize(states[2], seat, random)
        for _ in range(linked):
            believe(states[2], seat, random)
    believe(states[2], seat, random)
    states[1] = states[2]


@kernel
def _keep(ids: Ids, count: int, candidates: Any) -> int:
    """Leave only the candidates in a list of moves; return how many they are."""
    kept = 0
    for k in range(count):
        if candidates[ids[k]]:
            ids[kept] = ids[k]
            kept += 1
    return kept


@kernel
def _play_on(
    states: Any,
    seat: int,
    longest: int,
    ahead: int,
    random: Random,
    ids: Ids,
    weights: Numbers,
    spare: Ids,
    notes: Any,
    values: Any,
) -> bool:
    """Play states[1] on by instinct until it ends, pauses or has gone on for long.

    With `ahead`, the seat goes on by its outlook; after so many of its turns the match is over if
    it can be foreseen: then `values` are every seat's shares, and the answer is true.
    """
    state = states[1]
    moves = 0
    turns = 0
    actors = to_act(state)
    while actors and moves < longest and not pause(state, states[0]):
        if actors == DEALER_ACTS:
            apply(state, dealer(), sample_outcome(state, ids, weights, random))
        else:
            mover = lowest_bit(actors)
            count = legal(state, mover, ids)
            moves += 1
            if ahead and mover == seat:
                apply(state, seat, _best_outlook(states, seat, ids, count, spare, notes))
                actors = to_act(state)
                turns += int(not actors >> seat & 1)
                if turns >= ahead and actors and foresee(state, seat, notes, values):
                    return True
            else:
                apply(state, mover, int(np.int64(playout_move(state, mover, ids, count, random))))
        actors = to_act(state)
    return False


@kernel
def _best_outlook(states: Any, seat: int, ids: Ids, count: int, spare: Ids, notes: Any) -> int:
    """The move of a seat in states[1] that promises most."""
    best = int(np.int64(ids[0]))
    best_outlook = -UNTRIED
    for k in range(count):
        action = int(np.int64(ids[k]))
        promised = outlook(states, seat, action, spare, notes)
        if promised > best_outlook:
            best, best_outlook = action, promised
    return best


@kernel
def _find(nodes: Any, size: int, node: int, event: int) -> tuple[int, int]:
    """The child of a node for what another did, made if there is room; and the tree's size."""
    before = NONE
    child = int(nodes[node]["child"])
    while child != NONE and nodes[child]["event"] < event:
        before = child
        child = int(nodes[child]["sibling"])
    if child != NONE and nodes[child]["event"] == event:
        return child, size
    return _add(nodes, size, node, before, event, 0.0)


@kernel
def _add(
    nodes: Any, size: int, node: int, before: int, event: int, prior: float
) -> tuple[int, int]:
    """A new child of a node behind another one, if there is room; and the tree's size."""
    if size == len(nodes):
        return NONE, size
    new = nodes[size]
    new["total"] = 0.0
    new["prior"] = prior
    new["event"] = event
    new["child"] = NONE
    new["visits"] = 0
    new["available"] = 0
    if before == NONE:
        new["sibling"] = nodes[node]["child"]
        nodes[node]["child"] = size
    else:
        new["sibling"] = nodes[before]["sibling"]
        nodes[before]["sibling"] = size
    return size, size + 1


@kernel
def _locate(
    states: Any,
    nodes: Any,
    size: int,
    node: int,
    mover: int,
    ids: Ids,
    count: int,
    where: Any,
    spare: Ids,
    notes: Any,
) -> int:
    """Write where the nodes of legal moves are, made if there is room; return the tree's size.

    Moves that were made together lie in a row, so as long as the same ones are legal (always, in a
    game without secrets) all are found at a glance; from the first gap on, by their links.
    """
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
        where[k] = before
        k += 1
    child = first if before == NONE else int(nodes[before]["sibling"])
    while k < count:
        action = int(np.int64(ids[k]))
        while child != NONE and nodes[child]["event"] < action:
            before = child
            child = int(nodes[child]["sibling"])
        if child != NONE and nodes[child]["event"] == action:
            found = child
            child = int(nodes[child]["sibling"])
        else:
            prior = outlook(states, mover, action, spare, notes)
            found, size = _add(nodes, size, node, before, action, prior)
        where[k] = found
        if found != NONE:
            before = found
        k += 1
    return size


@kernel
def _select(
    states: Any,
    nodes: Any,
    size: int,
    node: int,
    mover: int,
    ids: Ids,
    count: int,
    where: Any,
    exploration: float,
    trust: float,
    widening: float,
    random: Random,
    spare: Ids,
    notes: Any,
) -> tuple[int, int]:
    """The most promising legal move's node, made if there is room; and the tree's size.

    A node that was visited n times has tried no more than 1 + widening * sqrt(n) of its legal
    moves, the most appealing ones first: where there are many, time is better spent on these.
    """
    size = _locate(states, nodes, size, node, mover, ids, count, where, spare, notes)
    untried = float(count)  # moves that may yet be tried
    if widening < ALL_AT_ONCE:
        untried = 1.0 + widening * np.sqrt(float(nodes[node]["visits"]))
        for k in range(count):
            if where[k] != NONE and nodes[where[k]]["visits"]:
                untried -= 1.0
    best = NONE
    best_score = -UNTRIED
    at = below(random, count)  # ties go to a random move
    counted = 0  # moves of one node have mostly been available equally often: one logarithm serves
    curiosity = 0.0
    for _ in range(count):
        found = int(where[at])
        at = at + 1 if at + 1 < count else 0  # a remainder would take longer than the rest
        if found == NONE:
            continue
        move = nodes[found]
        move["available"] += 1
        prior = float(move["prior"])  # plain Python would go on in single precision
        if move["visits"] == 0:
            if untried <= 0.0:
                continue
            score = UNTRIED + prior
        else:
            if move["available"] != counted:
                counted = int(move["available"])
                curiosity = exploration * np.sqrt(np.log(float(counted)))
            score = float(move["mean"]) + curiosity * float(move["doubt"])
            if prior != 0.0:
                score += trust * prior / (float(move["visits"]) + 1.0)
        if score > best_score:
            best_score = score
            best = found
    return best, size


class Tree(Work):
    """One growing tree for one view."""

    def __init__(self, view: View, seed: int, candidates: Sequence[int]) -> None:
        assert view.seat is not None
        self._settings = Settings.of(view.game)
        self._grow = view.game.at_full_speed.kernels.twin(grow)
        self._seat = view.seat
        self._candidates = candidates
        self._states = np.repeat(view.array, 5)  # the view, a world, the last one, and scratch
        self._nodes = np.empty(self._settings.nodes, NODE)  # written as they are added
        self._nodes[ROOT] = np.zeros((), NODE)
        self._nodes[ROOT]["child"] = NONE
        self._size = 1
        vocabulary = view.game.vocabulary(view.options)
        actions = len(vocabulary.actions)
        self._shares = np.zeros((actions, MOST_SEATS))
        allowed = np.zeros(actions, np.int8)
        allowed[list(candidates)] = 1
        self._scratch = (
            generators(1, seed),
            *vocabulary.room(),
            np.full(actions, NONE, np.int32),
            np.zeros(DEEPEST, np.int32),
            np.zeros(DEEPEST, np.int32),
            np.zeros(MOST_SEATS, np.int32),
            np.zeros(MOST_SEATS),
            allowed,
            np.zeros(actions, np.int32),
            np.zeros(1, NOTES),
        )

    def run(self, iterations: int) -> None:
        s = self._settings
        self._size = self._grow(
            self._states, self._seat, self._nodes, self._size, iterations,
            s.exploration, s.trust, s.longest, s.widening, s.rivals, s.ahead, s.linked,
            *self._scratch, self._shares,
        )  # fmt: skip
        self.iterations += iterations

    def tally(self) -> Mapping[Turn, tuple[float, np.ndarray]]:
        found: dict[Turn, tuple[float, np.ndarray]] = {
            (action,): (0.0, self._shares[action]) for action in self._candidates
        }
        child = int(self._nodes[ROOT]["child"])
        while child != NONE:
            node = self._nodes[child]
            action = int(node["event"])
            found[action,] = float(node["visits"]), self._shares[action]
            child = int(node["sibling"])
        return found
