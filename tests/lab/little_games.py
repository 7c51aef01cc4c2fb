"""Games whose answers are known: a coin that may be rigged, a guess, and Nim and Tic-tac-toe, which
have no luck."""

# ruff: noqa: ARG001

from functools import cache

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

BARE_NIM_GAME = Game(
    "test-bare-nim",
    title="Nim",
    summary="The same, and bots know nothing of it.",
    players=(2,),
    rules=Rules(NIM, to_act=nim_to_act, legal=nim_legal, apply=nim_apply, winners=nim_winners),
    words=Words(actions=lambda _options: ("take 1", "take 2", "take 3"), **WORDS),
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


TIC_TAC_TOE = np.dtype(
    [
        ("players", np.int32),
        ("turn", np.int32),
        ("marks", np.int32, 2),  # bits of the nine cells, by seat
    ]
)
LINES = np.array([0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124])
FULL = 0o777


@cache
def prospect(own, other):
    """What who has just moved can reach: 1 wins, 0 draws, -1 loses."""
    if any(own & line == line for line in LINES.tolist()):
        return 1
    if own | other == FULL:
        return 0
    replies = [1 << cell for cell in range(9) if not (own | other) >> cell & 1]
    return -max(prospect(other | reply, own) for reply in replies)


def all_prospects():
    """Of every position that there can be, by the marks of who moved and of the other one."""
    table = np.zeros((FULL + 1, FULL + 1), np.int8)
    todo, seen = [(0, 0)], set()
    while todo:
        other, own = todo.pop()
        for cell in range(9):
            made = own | 1 << cell
            if not (own | other) >> cell & 1 and (made, other) not in seen:
                seen.add((made, other))
                table[made, other] = prospect(made, other)
                if not any(made & line == line for line in LINES.tolist()):
                    todo.append((made, other))
    return table


PROSPECTS = all_prospects()


@kernel
def tic_tac_toe_winners(state):
    for seat in range(2):
        for line in LINES:
            if int(state["marks"][seat]) & line == line:
                return 1 << seat
    return 3 if int(state["marks"][0]) | int(state["marks"][1]) == FULL else 0


@kernel
def tic_tac_toe_to_act(state):
    return 0 if tic_tac_toe_winners(state) else 1 << (int(state["turn"]) & 1)


@kernel
def tic_tac_toe_legal(state, seat, ids):
    count = 0
    for cell in range(9):
        if not (int(state["marks"][0]) | int(state["marks"][1])) >> cell & 1:
            ids[count] = cell
            count += 1
    return count


@kernel
def tic_tac_toe_apply(state, actor, action):
    state["marks"][actor] = int(state["marks"][actor]) | 1 << action
    state["turn"] += 1


@kernel
def tic_tac_toe_heuristic(state, seat, action):
    own = int(state["marks"][seat]) | 1 << action
    return float(PROSPECTS[own, int(state["marks"][1 - seat])])


TIC_TAC_TOE_GAME = Game(
    "test-tic-tac-toe",
    title="Tic-tac-toe",
    summary="Three in a row.",
    players=(2,),
    rules=Rules(
        TIC_TAC_TOE,
        to_act=tic_tac_toe_to_act,
        legal=tic_tac_toe_legal,
        apply=tic_tac_toe_apply,
        winners=tic_tac_toe_winners,
    ),
    words=Words(
        actions=lambda _options: tuple(f"mark {cell + 1}" for cell in range(9)),
        sides=("noughts", "crosses"),
        **WORDS,
    ),
    bot=Heuristics(heuristic=tic_tac_toe_heuristic),
    text="A grid.\n\n## T1 Tic-tac-toe\nThree in a row.",
)


WALK = np.dtype(
    [
        ("players", np.int32),
        ("steps", np.int32),  # taken, of STEPS
        ("points", np.int32),
    ]
)
STEPS = 5


@kernel
def walk_to_act(state):
    return 1 if state["steps"] < STEPS else 0


@kernel
def walk_legal(state, seat, ids):
    ids[0], ids[1], ids[2] = 0, 1, 2
    return 3


@kernel
def walk_apply(state, actor, action):
    if action == int(state["steps"]) % 3:
        state["points"] += 20
    state["steps"] += 1


@kernel
def walk_scores(state, points):
    points[0] = state["points"]


@kernel
def walk_winners(state):
    return 1 if state["steps"] == STEPS else 0


WALK_GAME = Game(
    "test-walk",
    title="Walk",
    summary="Left, straight on, right, left, straight on: 100 points for who knows the way.",
    players=(1,),
    rules=Rules(
        WALK,
        to_act=walk_to_act,
        legal=walk_legal,
        apply=walk_apply,
        scores=walk_scores,
        winners=walk_winners,
    ),
    words=Words(actions=lambda _options: ("left", "straight on", "right"), **WORDS),
    text="A walk.\n\n## T1 The walk\nTwenty points for each step on the way.",
)
