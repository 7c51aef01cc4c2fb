"""A game of pure luck: a die decides, and seats can only look at it. Its shares are known."""

# ruff: noqa: ARG001, ARG005

import numpy as np

from droptable.core.compile import kernel
from droptable.core.contract import DEALER, DEALER_ACTS, Rules
from droptable.core.game import Game
from droptable.core.words import Words

STATE = np.dtype([("players", np.int8), ("face", np.int8), ("seen", np.int8)])
SHARES = (1 / 2, 1 / 3, 1 / 6)  # of the seats: faces 1 to 3, 4 to 5, and 6
SIDES = 6


@kernel
def to_act(state):
    if state["face"] == 0:
        return DEALER_ACTS
    return 0 if state["seen"] == 3 else 1 << int(state["seen"])


@kernel
def legal(state, seat, ids):
    ids[0], ids[1] = 0, 1
    return 2


@kernel
def chance(state, ids, weights):
    for side in range(SIDES):
        ids[side], weights[side] = side, 1
    return SIDES


@kernel
def apply(state, actor, action):
    if actor == DEALER:
        state["face"] = action + 1
    else:
        state["seen"] += 1


@kernel
def winners(state):
    if state["seen"] < 3:
        return 0
    return 1 if state["face"] <= 3 else 2 if state["face"] <= 5 else 4


GAME = Game(
    "pure-luck",
    title="Pure luck",
    summary="Look at the die.",
    players=(3,),
    rules=Rules(
        STATE, to_act=to_act, legal=legal, chance=chance, apply=apply, winners=winners
    ),
    words=Words(
        turn_rule="PL1",
        end_rule="PL2",
        actions=lambda options: ("nod", "smile"),
        outcomes=lambda options: tuple(f"roll {side + 1}" for side in range(SIDES)),
        why=lambda view, seat, action: ("PL1", "everything is allowed"),
        label=lambda view, seat, action: ("Nod", "Smile")[action],
        tell=lambda before, after, actor, action, names: "",
        verdict=lambda state, names: "It is over.",
        draw=lambda view, viewer: str(view["face"]),
    ),
    text="\n## PL1 Turns\nLook at the die.\n\n## PL2 The end\nThe die decides.\n",
)  # fmt: skip
