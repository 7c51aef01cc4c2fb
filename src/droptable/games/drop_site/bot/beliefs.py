"""What the others' reserves probably hold, by what everybody saw them do in this round.

Who hid while a site showed a 12 may have hidden a 12; who covers a 7 has hardly hidden one. Cards
of a reserve are drawn one after the other, each with a probability in proportion to how many of
them are unseen, times exp of a sum of weights: by what the seat did while the number was shown, and
by what has been drawn so far. `benchmarks/tune_drop_site.py` fits the weights to self-play.
"""

from __future__ import annotations

from math import exp
from pathlib import Path

from droptable.core.chance import below
from droptable.core.compile import kernel
from droptable.core.contract import Random, State
from droptable.core.net import Weights, read_weights
from droptable.games.drop_site.bot.heuristics import shown_bag
from droptable.games.drop_site.rules import NUMBERS, count_of, is_scored, one, random_cards

TABLES = (2, 3, 4)  # players, each with weights of their own:
WHILE = 0  # [number, hid while it was shown, size of the reserve]
DONE = WHILE + NUMBERS * 6 * 8  # [showed, covered, shown now, hid while it was shown]
AGAIN = DONE + 3 * 3 * 3 * 4  # [number, cards of it in the reserve]
COUNT = AGAIN + NUMBERS * 4
FINE = 1 << 30  # of a probability

PATH = Path(__file__).with_suffix(".npy")
WEIGHTS = read_weights(PATH, COUNT * len(TABLES))


@kernel
def resample_belief(state: State, seat: int, random: Random) -> None:
    """Deal the others' reserves and hands again, as they probably are."""
    if is_scored(state):
        return
    shown = shown_bag(state)
    at = COUNT * (int(state["players"]) - TABLES[0])
    for other in range(state["players"]):
        if other != seat:
            unseen = int(state["deck"])
            unseen += int(state["hands"][other]) + int(state["reserves"][other])
            reserve = deal_reserve(state, other, unseen, shown, WEIGHTS, at, random)
            unseen -= reserve
            hand = random_cards(unseen, int(state["hand_sizes"][other]), random)
            state["reserves"][other] = reserve
            state["hands"][other] = hand
            state["deck"] = unseen - hand


@kernel
def belief_features(
    state: State, other: int, shown: int, n: int, cards: int
) -> tuple[int, int, int]:
    """The weights that belong to a number, if so many cards of it are in the reserve."""
    hid = count_of(int(state["hid_while"][other]), n)
    size = min(int(state["reserve_sizes"][other]), 7)
    showed = min(count_of(int(state["showed"][other]), n), 2)
    covered = min(count_of(int(state["covered"][other]), n), 2)
    sites = min(count_of(shown, n), 2)
    return (
        WHILE + (n * 6 + hid) * 8 + size,
        DONE + ((showed * 3 + covered) * 3 + sites) * 4 + min(hid, 3),
        AGAIN + n * 4 + min(cards, 3),
    )


@kernel
def liking(
    state: State, other: int, shown: int, n: int, cards: int, weights: Weights, at: int
) -> float:
    """How likely a card of a number is, in relation to others."""
    a, b, c = belief_features(state, other, shown, n, cards)
    return exp(weights[at + a] + weights[at + b] + weights[at + c])


@kernel
def deal_reserve(
    state: State, other: int, unseen: int, shown: int, weights: Weights, at: int, random: Random
) -> int:
    """A reserve of another seat, from unseen cards."""
    reserve = 0
    for _ in range(state["reserve_sizes"][other]):
        total = 0.0
        for n in range(NUMBERS):
            left = count_of(unseen, n)
            if left:
                total += left * liking(state, other, shown, n, count_of(reserve, n), weights, at)
        point = total * below(random, FINE) / FINE
        card = -1
        for n in range(NUMBERS):
            left = count_of(unseen, n)
            if left and point >= 0.0:
                point -= left * liking(state, other, shown, n, count_of(reserve, n), weights, at)
                card = n
        reserve += one(card)
        unseen -= one(card)
    return reserve
