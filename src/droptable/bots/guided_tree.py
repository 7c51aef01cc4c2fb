"""IS-MCTS guided by a net: it replaces priors, rollouts and values, and decides how a root is left.

At the root, some moves are drawn by the net's policy with Gumbel noise and compared by sequential
halving (Danihelka et al. 2022, "Policy improvement by planning with Gumbel"); all that are left
meet the same worlds and the same luck. Further down, the seat moves by PUCT. So do the others,
except for the share of their moves (`opponent_rollouts`) that is drawn from the policy instead, by
what they see in the iteration's world. A leaf is worth what the net says of the next decision.

The policy is partly the net's, partly the best move by the game's heuristic, if it has one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from droptable.bots.policy_net import Net, run_net, softmax, write_shares
from droptable.bots.tree import (
    CERTAIN,
    CHILDREN,
    DEEPEST,
    HIDDEN,
    IDS,
    NONE,
    ROOT,
    VIEW,
    WEIGHTS,
    WORLD,
    Tree,
    add_node,
    backpropagate,
    find_child,
    sample_world,
)
from droptable.core.bits import lowest_bit
from droptable.core.chance import below, sample_outcome
from droptable.core.compile import kernel
from droptable.core.contract import (
    DEALER_ACTS,
    Ids,
    Random,
    State,
    apply,
    legal,
    observe,
    to_act,
    witnesses,
)
from droptable.core.heuristics import final_shares, heuristic
from droptable.core.loops import dealer
from droptable.core.tensor import Bytes, Places, Tensor, encode_at

EYE, DEALT = 3, 4  # rows of a tree's states: what a seat sees of the world; the world of a pass
CONSIDERED = 16  # most moves that are compared at the root
PUCT = 1.0  # for shares between 0 and 1
# How much more a move's worth counts than its logit: TRUST * (FIRM + visits of the most visited).
TRUST, FIRM = 0.5, 50.0
HEEDED = 0.5  # probability of the best move by the heuristic; the rest is the net's
UNLIKELY = 1e-9  # the least probability that has a logit
STEPS = 1 << 30  # of a random number between 0 and 1
LONGEST = 10_000  # forced moves and deals in a row
QUIET, NOISY = np.array([0.0, 1.0])  # how much Gumbel noise

# Rows of what is known of the moves at the root, by their place in the list of legal moves.
LOGITS, NOISE, POLICY = range(3)


class Guide(NamedTuple):
    """What a tree asks besides the game."""

    net: Net
    which: Any  # int64 [1]: which of the nets
    raw: Bytes  # the tree's states
    places: Places
    tensor: Tensor
    seen: Tensor  # the root's
    policy: Any  # float64: the policy's probabilities of the legal moves that were listed last
    root: Any  # float64 [LOGITS …, legal move]
    order: Any  # int32: legal moves of the root, by their place, the best first
    value: Any  # float64 [seat]: what the net says of the root


@kernel
def decide(tree: Tree, guide: Guide, seat: int, iterations: int, noise: float) -> int:
    """Search `states[VIEW]`; return which of its legal moves is best, by its place in their list.

    With noise, that is a draw from the improved policy.
    """
    count = plant(tree, guide, seat, noise)
    return halve(tree, guide, seat, count, iterations)


@kernel
def plant(tree: Tree, guide: Guide, seat: int, noise: float) -> int:
    """Begin a tree: its root and the root's children, in a row; return how many these are."""
    nodes, search, ids = tree.nodes, tree.search[0], tree.lists[IDS]
    nodes[ROOT]["child"] = NONE
    nodes[ROOT]["visits"] = 0
    search["size"] = 1
    count = legal(tree.states[VIEW], seat, ids)
    look(tree, guide, VIEW, seat)
    write_shares(guide.net, seat, int(tree.states[VIEW]["players"]), guide.value)
    write_policy(tree, guide, seat, count)
    for k in range(len(guide.seen)):
        guide.seen[k] = guide.tensor[k]
    before = NONE
    for k in range(count):
        action = int(np.int64(ids[k]))
        guide.root[LOGITS, k] = np.log(max(float(guide.policy[k]), UNLIKELY))
        guide.root[POLICY, k] = guide.policy[k]
        guide.root[NOISE, k] = noise * gumbel(tree.random) if noise > 0.0 else 0.0
        before = add_node(tree, ROOT, before, action, guide.policy[k])
        for s in range(int(tree.states[VIEW]["players"])):
            tree.shares[action, s] = 0.0
    return count


@kernel
def gumbel(random: Random) -> float:
    """A draw from the standard Gumbel distribution."""
    return -float(np.log(-np.log((below(random, STEPS) + 0.5) / STEPS)))


@kernel
def halve(tree: Tree, guide: Guide, seat: int, count: int, iterations: int) -> int:
    """Spend the iterations by sequential halving; return the place of the best move."""
    order = guide.order
    for k in range(count):
        order[k] = k
    sort_moves(tree, guide, count, 0.0)
    left = min(count, CONSIDERED, max(1, iterations))
    rounds = 1
    while 1 << rounds < left:
        rounds += 1
    used = 0
    while used < iterations:
        for _ in range(max(1, iterations // (rounds * left))):
            used += compare(tree, guide, seat, left)
        sort_moves(tree, guide, left, firmness(tree, count))
        left = max(min(left, 2), (left + 1) // 2)
    return int(np.int64(order[0]))


@kernel
def compare(tree: Tree, guide: Guide, seat: int, left: int) -> int:
    """One iteration for each of the moves that are left, in the same world, with the same luck."""
    random = tree.random
    sample_world(tree, seat)
    tree.states[DEALT] = tree.states[WORLD]
    luck = random[0]
    for k in range(left):
        random[0] = luck
        tree.states[WORLD] = tree.states[DEALT]
        descend(tree, guide, seat, 1 + int(np.int64(guide.order[k])))
        judge(tree, guide, seat)
        backpropagate(tree)
    return left


@kernel
def firmness(tree: Tree, count: int) -> float:
    """How much a share of the victory counts, in logits."""
    most = 0.0
    for k in range(count):
        most = max(most, float(tree.nodes[1 + k]["visits"]))
    return TRUST * (FIRM + most)


@kernel
def sort_moves(tree: Tree, guide: Guide, count: int, firm: float) -> None:
    """Sort the first moves of the order by noise, logit and worth, best first."""
    order = guide.order
    for k in range(1, count):
        move = order[k]
        score = score_of(tree, guide, move, firm)
        at = k
        while at > 0 and score_of(tree, guide, order[at - 1], firm) < score:
            order[at] = order[at - 1]
            at -= 1
        order[at] = move


@kernel
def score_of(tree: Tree, guide: Guide, move: Any, firm: float) -> float:
    """What decides at the root."""
    score = float(guide.root[NOISE, move] + guide.root[LOGITS, move])
    return score + firm * float(tree.nodes[1 + move]["mean"]) if firm > 0.0 else score


@kernel
def improve_policy(tree: Tree, guide: Guide, seat: int, count: int) -> None:
    """Write the improved policy of a searched root over its legal moves into `guide.policy`.

    Moves that were not tried are worth the mean of the net's value and of those that were, these
    weighted by the policy.
    """
    visits = tried = worth = 0.0
    for k in range(count):
        node = tree.nodes[1 + k]
        if node["visits"]:
            visits += float(node["visits"])
            tried += guide.root[POLICY, k]
            worth += guide.root[POLICY, k] * float(node["mean"])
    untried = float(guide.value[seat])
    if tried > 0.0:
        untried = (untried + visits * worth / tried) / (1.0 + visits)
    firm = firmness(tree, count)
    for k in range(count):
        node = tree.nodes[1 + k]
        mean = float(node["mean"]) if node["visits"] else untried
        guide.policy[k] = guide.root[LOGITS, k] + firm * mean
    softmax(guide.policy, count)


# -- an iteration ---------------------------------------------------------------------------------


@kernel
def descend(tree: Tree, guide: Guide, seat: int, first: int) -> None:
    """Walk from a child of the root to a node that was never visited, and write the path.

    The walk also ends with the match, or where the tree is full.
    """
    search = tree.search[0]
    state = tree.states[WORLD]
    ids = tree.lists[IDS]
    node = first
    apply(state, seat, int(np.int64(tree.nodes[node]["event"])))
    depth = 1
    search["path"][0], search["path"][1] = ROOT, node
    search["movers"][1] = seat
    unvisited = tree.nodes[node]["visits"] == 0
    while not unvisited and depth < DEEPEST - 1:
        actors = to_act(state)
        if actors == 0:
            break
        mover = dealer()
        count = 0
        if actors != DEALER_ACTS:
            mover = seat if actors >> seat & 1 else lowest_bit(actors)
            count = legal(state, mover, ids)
            if count == 1:  # a forced move needs no node
                apply(state, mover, int(np.int64(ids[0])))
                continue
        if mover == seat or (
            mover >= 0 and below(tree.random, CERTAIN) >= search["opponent_rollouts"] * CERTAIN
        ):
            list_children(tree, guide, node, mover, count)
            child = best_by_puct(tree, count)
            if child != NONE:
                apply(state, mover, int(np.int64(tree.nodes[child]["event"])))
        else:
            child = draw_event(tree, guide, seat, node, mover, count)
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
def list_children(tree: Tree, guide: Guide, node: int, mover: int, count: int) -> None:
    """List the children of the legal moves; add those that are missing, if there is room."""
    nodes, ids, children = tree.nodes, tree.lists[IDS], tree.lists[CHILDREN]
    before = NONE
    child = int(nodes[node]["child"])
    looked = False
    for k in range(count):
        action = int(np.int64(ids[k]))
        while child != NONE and nodes[child]["event"] < action:
            before = child
            child = int(nodes[child]["sibling"])
        if child != NONE and nodes[child]["event"] == action:
            children[k] = before = child
            child = int(nodes[child]["sibling"])
            continue
        if not looked:
            look(tree, guide, WORLD, mover)
            write_policy(tree, guide, mover, count)
            looked = True
        children[k] = add_node(tree, node, before, action, guide.policy[k])
        if children[k] != NONE:
            before = int(np.int64(children[k]))


@kernel
def best_by_puct(tree: Tree, count: int) -> int:
    """The child of the legal move with the best score, NONE if the tree has none of them.

    The score is a move's mean, or that of all its siblings if it was never visited, plus
    PUCT * prior * sqrt(visits of all) / (1 + visits).
    """
    nodes, children = tree.nodes, tree.lists[CHILDREN]
    visits = total = 0.0
    for k in range(count):
        if children[k] != NONE:
            visits += float(nodes[children[k]]["visits"])
            total += float(nodes[children[k]]["total"])
    mean = total / visits if visits > 0.0 else 0.0
    bonus = PUCT * np.sqrt(visits + 1.0)
    best = NONE
    best_score = -1.0
    for k in range(count):
        child = int(np.int64(children[k]))
        if child == NONE:
            continue
        move = nodes[child]
        tried = float(move["visits"])
        score = float(move["mean"]) if tried > 0.0 else mean
        score += bonus * float(move["prior"]) / (1.0 + tried)
        if best == NONE or score > best_score:
            best, best_score = child, score
    return best


@kernel
def draw_event(tree: Tree, guide: Guide, seat: int, node: int, mover: int, count: int) -> int:
    """Draw a move from the policy, or deal; return the child that it leads to.

    Moves that are hidden from the seat share one child; a hidden outcome stays in the node.
    """
    state = tree.states[WORLD]
    ids = tree.lists[IDS]
    if mover >= 0:
        event = draw_move(tree, guide, mover, count)
    else:
        event = sample_outcome(state, ids, tree.lists[WEIGHTS], tree.random)
    seen = (witnesses(state, mover, event) >> seat) & 1
    apply(state, mover, event)
    if mover >= 0:
        return find_child(tree, node, event if seen else HIDDEN)
    return find_child(tree, node, -1 - event) if seen else node


@kernel
def draw_move(tree: Tree, guide: Guide, mover: int, count: int) -> int:
    """A draw from a seat's policy in the iteration's world, one of the legal moves listed."""
    ids = tree.lists[IDS]
    look(tree, guide, WORLD, mover)
    write_policy(tree, guide, mover, count)
    left = below(tree.random, STEPS) / STEPS
    for k in range(count):
        left -= guide.policy[k]
        if left < 0.0:
            return int(np.int64(ids[k]))
    return int(np.int64(ids[count - 1]))


@kernel
def judge(tree: Tree, guide: Guide, seat: int) -> None:
    """Write every seat's share of the victory, by the result or by the next decision's net.

    Until there is a decision, the dealer deals and forced moves are made.
    """
    search = tree.search[0]
    state = tree.states[WORLD]
    mover = to_decision(tree, state, seat)
    if mover < 0:
        final_shares(state, search["points"], search["values"])
        return
    look(tree, guide, WORLD, mover)
    write_shares(guide.net, mover, int(state["players"]), search["values"])


@kernel
def to_decision(tree: Tree, state: State, seat: int) -> int:
    """Let the dealer deal and make forced moves; return who has a choice, -1 at the end."""
    ids = tree.lists[IDS]
    for _ in range(LONGEST):
        actors = to_act(state)
        if actors == 0:
            return -1
        if actors == DEALER_ACTS:
            apply(state, dealer(), sample_outcome(state, ids, tree.lists[WEIGHTS], tree.random))
            continue
        mover = seat if actors >> seat & 1 else lowest_bit(actors)
        if legal(state, mover, ids) > 1:
            return mover
        apply(state, mover, int(np.int64(ids[0])))
    return -1


@kernel
def look(tree: Tree, guide: Guide, row: int, seat: int) -> None:
    """Ask the net about what a seat sees of one of the tree's states."""
    states = tree.states
    states[EYE] = states[row]
    observe(states[EYE], seat)
    encode_at(states, EYE, guide.raw, guide.places, seat, guide.tensor)
    run_net(guide.net, int(guide.which[0]), guide.tensor)


@kernel
def write_policy(tree: Tree, guide: Guide, seat: int, count: int) -> None:
    """Write the probabilities of the legal moves that are listed, by what was just looked at."""
    ids = tree.lists[IDS]
    outputs = guide.net.units[-1]
    for k in range(count):
        guide.policy[k] = outputs[ids[k]]
    softmax(guide.policy, count)
    best = best_by_heuristic(tree.states[EYE], seat, ids, count)
    if best != NONE:
        for k in range(count):
            guide.policy[k] *= 1.0 - HEEDED
        guide.policy[best] += HEEDED


@kernel
def best_by_heuristic(state: State, seat: int, ids: Ids, count: int) -> int:
    """The place of the best move by the game's heuristic, NONE if it takes all for equals."""
    best = 0
    most = least = heuristic(state, seat, int(np.int64(ids[0])))
    for k in range(1, count):
        rating = heuristic(state, seat, int(np.int64(ids[k])))
        if rating > most:
            best, most = k, rating
        least = min(least, rating)
    return best if most > least else NONE
