"""Games whose answers are known: a coin that may be rigged, and Nim, which has no luck."""

# ruff: noqa: ARG001

import numpy as np

from droptable.core.chance import below
from droptable.core.compile import kernel
from droptable.core.contract import DEALER_ACTS, Rules
from droptable.core.game import Game
from droptable.core.heuristics import Heuristics
from droptable.core.options import Number
from droptable.core.words import Words

WORDS = {
    "turn_rule": "T1",
    "end_rule": "T1",
    "why": lambda _view, _seat, _action: ("T1", "not now"),
    "label": lambda _view, _seat, action: f"move {action}",
    "tell": lambda *_: "",
    "verdict": lambda *_: "over",
    "draw": lambda _view, _viewer: "",
}

COIN = np.dtype(
    [
        ("players", np.int32),
        ("bias", np.int32),  # the chance of seat 0, in percent
        ("called", np.int32),  # how many seats have said something that does not matter
        ("won", np.int32),
    ]
)


@kernel
def coin_to_act(state):
    if state["won"]:
        return 0
    return DEALER_ACTS if state["called"] == 2 else 1 << int(state["called"])


@kernel
def coin_legal(state, seat, ids):
    ids[0], ids[1] = 0, 1
    return 2


@kernel
def coin_chance(state, ids, weights):
    ids[0], ids[1] = 0, 1
    weights[0], weights[1] = state["bias"], 100 - state["bias"]
    return 2


@kernel
def coin_apply(state, actor, action):
    if actor < 0:
        state["won"] = 1 << action
    else:
        state["called"] += 1


@kernel
def coin_winners(state):
    return int(state["won"])


@kernel
def coin_heuristic(state, seat, action):
    return float(action)


COIN_GAME = Game(
    "test-coin",
    title="Coin",
    summary="Call, and lose all the same.",
    players=(2,),
    options={"bias": Number(50, 1, 99, "The chance of seat 0, in percent.")},
    rules=Rules(
        COIN,
        to_act=coin_to_act,
        legal=coin_legal,
        chance=coin_chance,
        apply=coin_apply,
        winners=coin_winners,
    ),
    words=Words(
        actions=lambda _options: ("say heads", "call tails"),
        outcomes=lambda _options: ("seat-0", "seat-1"),
        why_not_dealt=lambda _state, _outcome: ("T1", "no"),
        **WORDS,
    ),
    bot=Heuristics(heuristic=coin_heuristic),
    text="A coin.\n\n## T1 The coin\nIt decides.",
)

NIM = np.dtype(
    [
        ("players", np.int32),
        ("taken", np.int32),  # of HEAP
        ("turn", np.int32),
    ]
)
HEAP = 21  # not a multiple of four: who begins can always win


@kernel
def nim_to_act(state):
    return 0 if state["taken"] == HEAP else 1 << (int(state["turn"]) & 1)


@kernel
def nim_legal(state, seat, ids):
    count = min(3, HEAP - int(state["taken"]))
    for k in range(count):
        ids[k] = k
    return count


@kernel
def nim_apply(state, actor, action):
    state["taken"] += action + 1
    state["turn"] += 1


@kernel
def nim_winners(state):
    if state["taken"] < HEAP:
        return 0
    return 1 << (int(state["turn"]) + 1 & 1)


@kernel
def nim_heuristic(state, seat, action):
    return 1.0 if (HEAP - int(state["taken"]) - action - 1) % 4 == 0 else 0.0


NIM_GAME = Game(
    "test-nim",
    title="Nim",
    summary="Who takes the last wins.",
    players=(2,),
    rules=Rules(NIM, to_act=nim_to_act, legal=nim_legal, apply=nim_apply, winners=nim_winners),
    words=Words(actions=lambda _options: ("take 1", "take 2", "take 3"), **WORDS),
    bot=Heuristics(heuristic=nim_heuristic),
    text="A heap.\n\n## T1 Nim\nTake one to three.",
)


def take_one(view):
    """A bot of Nim that thinks little."""
    return "take 1"


GUESS = np.dtype(
    [
        ("players", np.int32),
        ("coin", np.int32),  # 1 heads, 2 tails; 0 before it falls, and for whoever guesses
        ("won", np.int32),
    ]
)


@kernel
def guess_to_act(state):
    if state["won"]:
        return 0
    return 1 if state["coin"] else DEALER_ACTS


@kernel
def guess_legal(state, seat, ids):
    ids[0], ids[1] = 0, 1
    return 2


@kernel
def guess_chance(state, ids, weights):
    ids[0], ids[1] = 0, 1
    weights[0] = weights[1] = 1
    return 2


@kernel
def guess_apply(state, actor, action):
    if actor < 0:
        state["coin"] = 1 + action
    else:
        state["won"] = 1 if state["coin"] == 1 + action else 2


@kernel
def guess_winners(state):
    return int(state["won"])


@kernel
def guess_observe(state, seat):
    if not state["won"] and state["coin"]:
        state["coin"] = 3  # it has fallen


@kernel
def guess_determinize(state, seat, random):
    if state["coin"] == 3:
        state["coin"] = 1 + below(random, 2)


GUESS_GAME = Game(
    "test-guess",
    title="Guess",
    summary="Guess how the coin fell; nobody can know.",
    players=(2,),
    rules=Rules(
        GUESS,
        to_act=guess_to_act,
        legal=guess_legal,
        chance=guess_chance,
        apply=guess_apply,
        winners=guess_winners,
        observe=guess_observe,
        determinize=guess_determinize,
    ),
    words=Words(
        actions=lambda _options: ("heads", "tails"),
        outcomes=lambda _options: ("falls heads", "falls tails"),
        why_not_dealt=lambda _state, _outcome: ("T1", "no"),
        **WORDS,
    ),
    text="A coin.\n\n## T1 The coin\nIt decides.",
)
