"""What a round of Drop Site promises to a seat right after its move, learned from self-play.

The value is the seat's points in this round, less the mean of the others', as far as the seat can
tell. It is the sum of a linear part and of a small network (`droptable.core.net`), both over
patterns of one number: how often the seat hid it and holds it, how many sites show it, how many
cards of it are unseen, and what may cover it. `benchmarks/tune_drop_site.py` learns the weights.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from droptable.core.compile import kernel
from droptable.core.contract import Ids, Random, State
from droptable.core.heuristics import NetScratch, Values
from droptable.core.loops import States
from droptable.core.net import EMPTY, HIDDEN, Weights, add_feature, output, read_weights
from droptable.games.drop_site.bot.heuristics import (
    heuristic,
    shown_bag,
    turns_left,
    write_shares,
)
from droptable.games.drop_site.rules import (
    FULL_DECK,
    HIDE,
    NUMBERS,
    PLACE,
    bag_size,
    count_of,
    held,
    is_scored,
    lowest_number,
    on_sites,
    one,
    site_count,
    site_for,
    sites_to_end,
    top_number,
)

TABLES = (2, 3, 4)  # players, each with weights of their own
LEARNED_POINTS = (3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7)  # of the cards
POINTS = 10.0  # in a unit of the value
SHARE = 0.2  # of the victory, in a unit of the value

# The features, each with HIDDEN weights; those of a number first.
KNOWN = 0  # [number, hidden by the seat, shown, unseen]
HELD = KNOWN + NUMBERS * 4 * 3 * 5  # [number, in the hand, shown, hidden by the seat]
EXPOSED = HELD + NUMBERS * 3 * 3 * 3  # [number, numbers that would cover it, hidden by the seat]
COVERS = EXPOSED + NUMBERS * 14 * 3  # [numbers up to what a held card covers, hidden, by others]
THEIRS = COVERS + NUMBERS * 3 * 3  # [number, others hid while it was shown, showed, covered, shown]
TABLE = THEIRS + NUMBERS * 4 * 3 * 2 * 3
MISSING = TABLE  # sites to the end of the round
DECK = MISSING + 9  # cards, by threes
OWN = DECK + 14  # size of the own reserve
OTHERS = OWN + 16  # [others clockwise, size of the reserve]
FEATURES = OTHERS + 3 * 16
# Linear weights, by sites to the end: [missing, number, hidden by the seat, shown, unseen]
MOST_MISSING = 7
LINEAR = FEATURES * HIDDEN
LINEAR_COUNT = (MOST_MISSING + 1) * NUMBERS * 4 * 3 * 5
OUT = LINEAR + LINEAR_COUNT
COUNT = OUT + HIDDEN  # weights for one number of players

Seen = tuple[int, int, int, int, int, int, int, int, int, int]

PATH = Path(__file__).with_suffix(".npy")
WEIGHTS = read_weights(PATH, COUNT * len(TABLES)).astype(np.float32)


@kernel
def rollout_move(state: State, seat: int, ids: Ids, count: int, random: Random) -> int:
    """The move that promises most."""
    shown = shown_bag(state)
    best = -1e9
    move = int(np.int64(ids[0]))
    for k in range(count):
        action = int(np.int64(ids[k]))
        value = value_of_move(state, seat, action, shown)
        if value > best:
            best = value
            move = action
    return move


@kernel
def prior(states: States, seat: int, action: int, ids: Ids, scratch: NetScratch) -> float:
    """The share of the victory that a move promises."""
    state = states[1]
    if has_other_points(state):
        return heuristic(state, seat, action)
    return 0.5 + SHARE * value_of_move(state, seat, action, shown_bag(state))


@kernel
def leaf_value(state: State, seat: int, scratch: NetScratch, values: Values) -> bool:
    """Shares by what the round promises to the seat right after its move."""
    if is_scored(state) or has_other_points(state):
        return False
    for other in range(int(state["players"])):
        values[other] = float(state["totals"][other])
    values[seat] += POINTS * learned_value(state, seen_now(state, seat))
    missing = sites_to_end(state) - site_count(state)
    write_shares(state, turns_left(bag_size(int(state["deck"])), missing), values)
    return True


@kernel
def value_of_move(state: State, seat: int, action: int, shown: int) -> float:
    """What a move promises; where cards have other points, what it does at a glance."""
    if has_other_points(state):
        return heuristic(state, seat, action)
    return learned_value(state, seen_after(state, seat, action, shown))


@kernel
def learned_value(state: State, sight: Seen) -> float:
    """The value by the weights for so many players."""
    return value_of(sight, WEIGHTS, COUNT * (int(state["players"]) - TABLES[0]))


@kernel
def has_other_points(state: State) -> bool:
    """Whether cards have other points than those of the matches that the value was learned in."""
    other = False
    for number in range(NUMBERS):
        other |= bool(state["points"][number] != LEARNED_POINTS[number])
    return other


@kernel
def seen_after(state: State, seat: int, action: int, shown: int) -> Seen:
    """What the seat will see after its move."""
    number = int(action) % NUMBERS
    hand = int(state["hands"][seat])
    reserve = int(state["reserves"][seat])
    unseen = FULL_DECK - on_sites(state) - hand - reserve
    missing = sites_to_end(state) - site_count(state)
    hand -= one(number)
    if action >= HIDE:
        reserve += one(number)
    elif action >= PLACE:
        shown += one(number) - one(top_number(int(state["sites"][site_for(state, number)])))
    else:
        shown += one(number)
        missing -= 1
    return seen(state, seat, hand, reserve, shown, unseen, missing)


@kernel
def seen_now(state: State, seat: int) -> Seen:
    """What the seat sees."""
    hand = int(state["hands"][seat])
    reserve = int(state["reserves"][seat])
    unseen = FULL_DECK - on_sites(state) - hand - reserve
    missing = sites_to_end(state) - site_count(state)
    return seen(state, seat, hand, reserve, shown_bag(state), unseen, missing)


@kernel
def seen(
    state: State, seat: int, hand: int, reserve: int, shown: int, unseen: int, missing: int
) -> Seen:
    """Hand, reserve, what sites show, unseen cards, sites to the end, size of the deck, sizes of
    the others' reserves, eight bits each, and what the others did."""
    players = int(state["players"])
    deck = bag_size(unseen)
    sizes = hid = showed = covered = 0
    other = seat
    for k in range(players - 1):
        other = other + 1 if other + 1 < players else 0
        size = int(state["reserve_sizes"][other])
        deck -= size + int(state["hand_sizes"][other])
        sizes |= min(size, 15) << 8 * k
        hid += int(state["hid_while"][other])
        showed += int(state["showed"][other])
        covered += int(state["covered"][other])
    return hand, reserve, shown, unseen, missing, deck, sizes, hid, showed, covered


@kernel
def number_features(sight: Seen, n: int, lower: int) -> tuple[int, int, int, int, int, int]:
    """The features of a number: known, held, theirs, exposed and covers (or -1), and the linear
    one."""
    own = min(count_of(sight[1], n), 3)
    sites = min(count_of(sight[2], n), 2)
    held_cards = min(count_of(sight[0], n), 2)
    known = ((n * 4 + own) * 3 + sites) * 5 + count_of(sight[3], n)
    exposed = covers = -1
    if sites:
        exposed = EXPOSED + (n * 14 + n - lower) * 3 + min(own, 2)
    if held_cards:
        higher = held(sight[2]) & -(16 << 4 * n)
        if higher:
            top = lowest_number(higher)
            theirs = min(count_of(sight[7], top), 2)
            covers = COVERS + ((top - n) * 3 + min(count_of(sight[1], top), 2)) * 3 + theirs
    linear = LINEAR + min(sight[4], MOST_MISSING) * (NUMBERS * 60) + known
    theirs = (n * 4 + min(count_of(sight[7], n), 3)) * 3 + min(count_of(sight[8], n), 2)
    theirs = THEIRS + (theirs * 2 + min(count_of(sight[9], n), 1)) * 3 + sites
    held_at = HELD + ((n * 3 + held_cards) * 3 + sites) * 3 + min(own, 2)
    return KNOWN + known, held_at, theirs, exposed, covers, linear


@kernel
def table_features(sight: Seen) -> tuple[int, int, int, int, int, int]:
    """The features that belong to no number; those of seats that are not there count as empty."""
    return (
        MISSING + sight[4],
        DECK + min(max(sight[5], 0) // 3, 13),
        OWN + min(bag_size(sight[1]), 15),
        OTHERS + (sight[6] & 255),
        OTHERS + 16 + (sight[6] >> 8 & 255),
        OTHERS + 32 + (sight[6] >> 16 & 255),
    )


@kernel
def value_of(sight: Seen, weights: Weights, at: int) -> float:
    """The value by the weights from `at` on."""
    hidden = EMPTY
    total = 0.0
    lower = 0
    rows = at // HIDDEN
    for n in range(NUMBERS):
        known, held_at, theirs, exposed, covers, linear = number_features(sight, n, lower)
        hidden = add_feature(hidden, weights, rows + known, 1.0)
        hidden = add_feature(hidden, weights, rows + held_at, 1.0)
        hidden = add_feature(hidden, weights, rows + theirs, 1.0)
        if exposed >= 0:
            hidden = add_feature(hidden, weights, rows + exposed, 1.0)
            lower = n
        if covers >= 0:
            hidden = add_feature(hidden, weights, rows + covers, 1.0)
        total += weights[at + linear]
    a, b, c, d, e, f = table_features(sight)
    hidden = add_feature(hidden, weights, rows + a, 1.0)
    hidden = add_feature(hidden, weights, rows + b, 1.0)
    hidden = add_feature(hidden, weights, rows + c, 1.0)
    hidden = add_feature(hidden, weights, rows + d, 1.0)
    hidden = add_feature(hidden, weights, rows + e, 1.0)
    hidden = add_feature(hidden, weights, rows + f, 1.0)
    return total + output(hidden, weights, at + OUT)
