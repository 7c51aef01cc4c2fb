"""A game with up to 108 different cards, for tests of everything that asks a dealer.

Each seat in turn is dealt a card that all see, then keeps it or throws it away; the deck runs out,
and the highest sum of kept cards wins. The dealer's outcomes shrink from the whole deck to one.
"""

# ruff: noqa: ARG001, ARG005
import numpy as np

from droptable.core.compile import kernel
from droptable.core.contract import DEALER, DEALER_ACTS, Rules
from droptable.core.game import Game
from droptable.core.options import Number
from droptable.core.words import Words

MOST = 108  # cards
STATE = np.dtype(
    [
        ("players", np.int8),
        ("cards", np.int16),  # an option: how many the deck has at the start
        ("dealt", np.uint8, MOST),
        ("gone", np.int16),  # how many cards were dealt
        ("held", np.int16),  # the card that waits for a decision, counted from 1; 0 without one
        ("sums", np.int32, 2),
    ]
)


@kernel
def to_act(state):
    if state["held"]:
        return 1 << ((int(state["gone"]) - 1) % 2)
    return DEALER_ACTS if state["gone"] < state["cards"] else 0


@kernel
def legal(state, seat, ids):
    ids[0] = 0
    ids[1] = 1
    return 2


@kernel
def chance(state, ids, weights):
    count = 0
    for card in range(state["cards"]):
        if not state["dealt"][card]:
            ids[count] = card
            weights[count] = 1 + card % 3
            count += 1
    return count


@kernel
def apply(state, actor, action):
    if actor == DEALER:
        state["dealt"][action] = 1
        state["gone"] += 1
        state["held"] = action + 1
    else:
        if action == 1:
            state["sums"][actor] += state["held"]
        state["held"] = 0


@kernel
def scores(state, points):
    points[0] = state["sums"][0]
    points[1] = state["sums"][1]


@kernel
def winners(state):
    if to_act(state):
        return 0
    if state["sums"][0] == state["sums"][1]:
        return 3
    return 1 if state["sums"][0] > state["sums"][1] else 2


WORDS = Words(
    turn_rule="M1",
    end_rule="M2",
    actions=lambda options: ("throw", "keep"),
    outcomes=lambda options: tuple(f"card {card}" for card in range(options["cards"])),
    draw=lambda view, viewer: str(view["sums"].tolist()),
    why=lambda view, seat, action: ("M1", "there are only two moves"),
    label=lambda view, seat, action: ("Throw it", "Keep it")[action],
    tell=lambda before, after, actor, action, names: "Something happens.",
    verdict=lambda state, names: "It is over.",
)
GAME = Game(
    "many-cards",
    title="Many cards",
    summary="Keep or throw the card that you are dealt.",
    players=(2,),
    options={"cards": Number(52, 2, MOST, "cards in the deck")},
    rules=Rules(
        STATE,
        to_act=to_act,
        legal=legal,
        chance=chance,
        apply=apply,
        scores=scores,
        winners=winners,
    ),
    words=WORDS,
    text="\n## M1 Turns\nSeats take turns.\n\n## M2 The end\nThe deck is empty.\n",
)
