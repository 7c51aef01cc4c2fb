"""A whole game tree in arrays: exact best responses and counterfactual regret, in machine code.

For variants that are small enough to be listed. Histories that nobody can tell apart, and that lead
to the same record, are one node; where nothing is hidden, nodes are records, so that a game with
many orders of moves stays small. A policy is one array: for each information set, a probability
for each of its legal actions. NashConv is what all seats together could gain by best responses,
each alone (Lanctot et al. 2017); it is 0 in a Nash equilibrium and only there.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np

from droptable.core.compile import kernel
from droptable.core.contract import DEALER
from droptable.core.errors import GameError
from droptable.core.state import View
from droptable.envs.openspiel.match import OVER, Match
from droptable.envs.openspiel.variant import Variant

Policy = np.ndarray  # float64, the actions of all information sets one after another
Values = np.ndarray  # float64 [seat]
Key = tuple[Any, ...]


class Nodes(NamedTuple):
    """The tree as kernels take it; children stand before their parents, the root is last."""

    actor: Any  # int32: a seat, DEALER or OVER
    about: Any  # int32: the information set of a seat's node, the row of `returns` of a leaf
    first: Any  # int64: the node's first edge; one more than there are nodes
    child: Any  # int64, by edge
    chance: Any  # float64, by edge: of what the dealer does
    returns: Any  # float64 [leaf, seat]
    start: Any  # int64: an information set's first action in a policy; one more than there are sets
    level: Any  # int32: how many decisions the seat has made before an information set
    alone: bool  # nothing is hidden: every information set is one node


# -- kernels --------------------------------------------------------------------------------------


@kernel
def evaluate_node(nodes: Nodes, policy: Any, node: int, values: Any) -> None:
    """The value of a node to every seat if its mover follows the policy."""
    actor, about, first, child, chance, returns, start, _, _ = nodes
    over = actor[node] == OVER
    for seat in range(values.shape[1]):
        values[node, seat] = returns[about[node], seat] if over else 0.0
    for edge in range(first[node], first[node + 1]):
        share = chance[edge]
        if actor[node] != DEALER:
            share = policy[start[about[node]] + edge - first[node]]
        for seat in range(values.shape[1]):
            values[node, seat] += share * values[child[edge], seat]


@kernel
def evaluate(nodes: Nodes, policy: Any, values: Any) -> None:
    """The value of every node to every seat if all follow the policy."""
    for node in range(len(nodes.actor)):
        evaluate_node(nodes, policy, node, values)


@kernel
def spread(nodes: Nodes, policy: Any, seat: int, others: Any, own: Any) -> None:
    """How likely the others (and chance) let each node happen, and how likely the seat itself."""
    actor, about, first, child, chance, _, start, _, _ = nodes
    for node in range(len(actor)):
        others[node] = own[node] = 0.0
    root = len(actor) - 1
    others[root] = own[root] = 1.0
    for back in range(len(actor)):
        node = root - back
        for edge in range(first[node], first[node + 1]):
            share = chance[edge]
            if actor[node] != DEALER:
                share = policy[start[about[node]] + edge - first[node]]
            if actor[node] == seat:
                others[child[edge]] += others[node]
                own[child[edge]] = max(own[child[edge]], own[node] * share)
            else:
                others[child[edge]] += others[node] * share
                own[child[edge]] = max(own[child[edge]], own[node])


@kernel
def respond(
    nodes: Nodes, policy: Any, seat: int, others: Any, worth: Any, sums: Any, best: Any
) -> float:
    """The value of the best response of one seat; `best` tells its action in each set.

    The deepest decisions come first. One that has been made stays.
    """
    actor, about, first, child, chance, returns, start, level, alone = nodes
    deepest = 0
    for node in range(len(actor)):
        if actor[node] == seat:
            deepest = max(deepest, int(level[about[node]]))
    for k in range(len(sums)):
        sums[k] = 0.0
    for known in range(len(best)):
        best[known] = -1
    for rank in range(-1, deepest + 1):
        now = deepest - 1 - rank  # the decisions that are looked at; at -1 all have been made
        if alone and now >= 0:
            continue
        for node in range(len(actor)):
            worth[node] = 0.0
            if actor[node] == OVER:
                worth[node] = returns[about[node], seat]
            elif actor[node] != seat:
                for edge in range(first[node], first[node + 1]):
                    share = chance[edge]
                    if actor[node] != DEALER:
                        share = policy[start[about[node]] + edge - first[node]]
                    worth[node] += share * worth[child[edge]]
            else:
                known = about[node]
                if alone:
                    best[known] = 0
                    for edge in range(first[node], first[node + 1]):
                        if worth[child[edge]] > worth[child[first[node] + best[known]]]:
                            best[known] = edge - first[node]
                elif level[known] == now:
                    for edge in range(first[node], first[node + 1]):
                        gain = others[node] * worth[child[edge]]
                        sums[start[known] + edge - first[node]] += gain
                if best[known] >= 0:
                    worth[node] = worth[child[first[node] + best[known]]]
        for known in range(len(level)):
            if level[known] == now and best[known] < 0:
                best[known] = 0
                for k in range(start[known], start[known + 1]):
                    if sums[k] > sums[start[known] + best[known]]:
                        best[known] = k - start[known]
    value: float = worth[len(actor) - 1]
    return value


@kernel
def regret(
    nodes: Nodes, policy: Any, seat: int, others: Any, own: Any, values: Any, weight: float,
    regrets: Any, total: Any, seen: Any,
) -> None:  # fmt: skip
    """Add a seat's counterfactual regrets, none of them below 0, and its share of the mean."""
    actor, about, first, child, _, _, start, _, _ = nodes
    for node in range(len(actor)):
        if actor[node] == seat:
            at = start[about[node]]
            for edge in range(first[node], first[node + 1]):
                gain = values[child[edge], seat] - values[node, seat]
                regrets[at + edge - first[node]] += others[node] * gain
    for known in range(len(seen)):
        seen[known] = 0
    for back in range(len(actor)):
        node = len(actor) - 1 - back
        if actor[node] == seat and seen[about[node]] == 0:
            known = about[node]
            seen[known] = 1
            positive = 0.0
            for k in range(start[known], start[known + 1]):
                regrets[k] = max(regrets[k], 0.0)
                positive += regrets[k]
                total[k] += weight * own[node] * policy[k]
            for k in range(start[known], start[known + 1]):
                even = 1.0 / (start[known + 1] - start[known])
                policy[k] = regrets[k] / positive if positive > 0.0 else even


@kernel
def decide_backward(nodes: Nodes, policy: Any, values: Any) -> None:
    """Where nothing is hidden: each node's mover takes what is best for it, the first of equals."""
    actor, about, first, child, _, _, start, _, _ = nodes
    for node in range(len(actor)):
        if actor[node] >= 0:
            best = first[node]
            for edge in range(first[node], first[node + 1]):
                policy[start[about[node]] + edge - first[node]] = 0.0
                if values[child[edge], actor[node]] > values[child[best], actor[node]]:
                    best = edge
            policy[start[about[node]] + best - first[node]] = 1.0
        evaluate_node(nodes, policy, node, values)


# -- the tree -------------------------------------------------------------------------------------


class Tree:
    """All that can happen in a small variant."""

    def __init__(self, variant: Variant, most: int = 2_000_000) -> None:
        self.variant = variant
        self.views: list[View] = []  # what the seat sees, by information set
        self.actions: list[list[int]] = []  # its legal actions
        self._sets: dict[Key, int] = {}
        self._known: dict[Key, int] = {}
        self._rows: list[tuple[int, int, list[int], list[float]]] = []
        self._returns: list[list[float]] = []
        self._levels: list[int] = []
        self._most = most
        self._grow(Match(variant), (0,) * variant.players)
        self.nodes = self._in_arrays()
        self._twin: Callable[..., Any] = variant.game.at_full_speed.kernels.twin
        count = len(self._rows)
        self._values = np.zeros((count, variant.players))
        self._others, self._own, self._worth = np.zeros((3, count))
        del self._known, self._rows, self._returns

    def __len__(self) -> int:
        return len(self.nodes.actor)

    def _key(self, match: Match, decided: tuple[int, ...]) -> Key:
        if not self.variant.hides:
            return (match.data.tobytes(),)
        seats = range(self.variant.players)
        return match.data.tobytes(), decided, *(match.memory(seat).fingerprint for seat in seats)

    def set_of(self, match: Match) -> int:
        """The information set of whoever is to act."""
        return self._sets[self._set_key(match)]

    def _set_key(self, match: Match) -> Key:
        if not self.variant.hides:
            return (match.data.tobytes(),)
        memory = match.memory(match.actor)
        return match.actor, memory.text, memory.fingerprint

    def _grow(self, match: Match, decided: tuple[int, ...]) -> int:
        """Add a node after all that may follow it; return its number."""
        key = self._key(match, decided)
        if key in self._known:
            return self._known[key]
        actor, about = match.actor, 0
        children: list[int] = []
        chances: list[float] = []
        after = decided
        if actor == OVER:
            about = len(self._returns)
            self._returns.append(self.variant.rewards(match.data))
        elif actor != DEALER:
            about = self._enter(match, decided[actor])
            after = tuple(n + (seat == actor) for seat, n in enumerate(decided))
        weighted = match.chance() if actor == DEALER else [(a, 0.0) for a in match.legal()]
        for action, chance in weighted:
            following = deepcopy(match)
            following.apply(action)
            children.append(self._grow(following, after))
            chances.append(chance)
        if len(self._rows) == self._most:
            raise GameError(
                f"{self.variant.game.name}: more than {self._most:,} nodes; expected a smaller game"
            )
        self._known[key] = len(self._rows)
        self._rows.append((actor, about, children, chances))
        return self._known[key]

    def _enter(self, match: Match, level: int) -> int:
        """The information set of the seat that is to act, a new one if need be."""
        key = self._set_key(match)
        if key not in self._sets:
            self._sets[key] = len(self.views)
            self.views.append(self.variant.view(match.data, match.actor))
            self.actions.append(match.legal())
            self._levels.append(level if self.variant.hides else 0)
        return self._sets[key]

    def _in_arrays(self) -> Nodes:
        actor, about, children, chances = zip(*self._rows, strict=True)
        sizes = [len(actions) for actions in self.actions]
        return Nodes(
            actor=np.array(actor, np.int32),
            about=np.array(about, np.int32),
            first=np.cumsum([0, *map(len, children)]),
            child=np.array([child for row in children for child in row], np.int64),
            chance=np.array([chance for row in chances for chance in row]),
            returns=np.array(self._returns, np.float64),
            start=np.cumsum([0, *sizes]),
            level=np.array(self._levels, np.int32),
            alone=not self.variant.hides,
        )

    # -- policies ---------------------------------------------------------------------------------

    def policy_of(self, chances: Callable[[View, list[int]], np.ndarray]) -> Policy:
        """A policy by its probabilities in each view."""
        each = map(chances, self.views, self.actions)
        policy: Policy = np.concatenate(list(each)).astype(np.float64)
        return policy

    def uniform(self) -> Policy:
        """All legal actions are equally likely."""
        return self.policy_of(lambda _, actions: np.full(len(actions), 1 / len(actions)))

    def part(self, policy: Policy, known: int) -> np.ndarray:
        """What a policy does in an information set."""
        part: np.ndarray = policy[self.nodes.start[known] : self.nodes.start[known + 1]]
        return part

    def values(self, policy: Policy) -> Values:
        """What the game is worth to each seat if all follow the policy."""
        self._twin(evaluate)(self.nodes, policy, self._values)
        values: Values = self._values[-1].copy()
        return values

    def best_responses(self, policy: Policy) -> Values:
        """What each seat wins by its best response, if the others follow the policy."""
        players = self.variant.players
        sums, best = np.zeros(len(policy)), np.zeros(len(self.views), np.int64)
        found = np.zeros(players)
        for seat in range(players):
            self._twin(spread)(self.nodes, policy, seat, self._others, self._own)
            found[seat] = self._twin(respond)(
                self.nodes, policy, seat, self._others, self._worth, sums, best
            )
        return found

    def nash_conv(self, policy: Policy) -> float:
        """What all seats together could gain by best responses, each alone."""
        return float((self.best_responses(policy) - self.values(policy)).sum())

    def solved(self, iterations: int) -> Policy:
        """Backward induction where nothing is hidden, else the mean policy of CFR+."""
        policy = self.uniform()
        if self.nodes.alone:
            self._twin(decide_backward)(self.nodes, policy, self._values)
            return policy
        regrets, total = np.zeros((2, len(policy)))
        seen = np.zeros(len(self.views), np.int8)
        for number in range(1, iterations + 1):
            for seat in range(self.variant.players):
                self._twin(spread)(self.nodes, policy, seat, self._others, self._own)
                self._twin(evaluate)(self.nodes, policy, self._values)
                self._twin(regret)(
                    self.nodes, policy, seat, self._others, self._own, self._values,
                    float(number), regrets, total, seen,
                )  # fmt: skip
        for known in range(len(self.views)):
            part = self.part(total, known)
            part[:] = part / part.sum() if part.sum() > 0 else 1 / len(part)
        return total
