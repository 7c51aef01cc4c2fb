"""Drop Site at a glance: hide what the sites will show, and make them show what is hidden.

The constants were tuned in thousands of rounds of `greedy` against itself.
"""

from __future__ import annotations

import math

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.contract import Numbers, State
from droptable.games.drop_site.rules import (
    FULL_DECK,
    HIDE,
    NUMBERS,
    OVER,
    PLACE,
    UNMATCHED,
    bag_size,
    count_of,
    is_scored,
    on_sites,
    one,
    site_count,
    site_for,
    sites_to_end,
    top_number,
    winners,
)

# What a seat expects of the rest of a round.
TURNS_PER_SITE = 3.3  # turns of all seats until the next site is created
COVERING = 0.03  # probability that a turn covers a site, per number that would go on it
COMES = 0.03  # probability that a number will be shown later, per unseen card of it
COMES_EARLY = 0.18  # the same, in addition, at the beginning of a round
OWN = 0.25  # probability that a seat itself shows a number that it holds
KEEP = 0.08  # worth of a card in the hand, relative to the same card hidden
LIKED = 4.0  # how much more likely others hide a card that a site shows
SPITE = 0.6  # weight of the others' points against the seat's own
ENDING = 0.75  # points that ending the round is worth, as the others move no more
POINT = 0.02  # worth of a point in the heuristic

# In units of the mean points of a card.
ROUND = 2.9  # points of a seat per round
LUCK = 1.0  # how far one round may change the lead


@kernel
def heuristic(state: State, seat: int, action: int) -> float:
    """The points that a seat's reserve promises after the move, less those of the others."""
    number = int(action) % NUMBERS
    before = shown_bag(state)
    shown = before
    missing = sites_to_end(state) - site_count(state)
    hand = int(state["hands"][seat])
    reserve = int(state["reserves"][seat])
    unseen = FULL_DECK - on_sites(state) - hand - reserve
    hand -= one(number)
    if action >= HIDE:
        reserve += one(number)
    elif action >= PLACE:
        covered = top_number(int(state["sites"][site_for(state, number)]))
        shown += one(number) - one(covered)
    else:
        shown += one(number)
        missing -= 1
    turns = turns_left(deck_size(state, seat, unseen), missing)
    gain = ENDING if missing == 0 else 0.0
    gain += promise(state, hand, reserve, shown, unseen, turns)
    gain -= SPITE * threat(state, seat, before, shown, unseen, turns)
    return 0.5 + POINT * gain


@kernel
def cutoff(state: State, root: State) -> bool:
    """The end of the round: what comes after it favours no seat."""
    return bool(state["rounds"] != root["rounds"])


@kernel
def evaluate(state: State, points: Numbers, values: Numbers) -> None:
    """Shares by the expected totals; a lead counts more near the end of the match."""
    players = int(state["players"])
    if state["phase"] == OVER:
        won = winners(state)
        for seat in range(players):
            values[seat] = float((won >> seat) & 1) / count_bits(won)
        return
    for seat in range(players):
        values[seat] = float(state["totals"][seat])
    turns = 0.0
    if in_a_round(state):
        missing = sites_to_end(state) - site_count(state)
        turns = turns_left(bag_size(int(state["deck"])), missing)
        shown = shown_bag(state)
        off_sites = FULL_DECK - on_sites(state)
        for seat in range(players):
            hand = int(state["hands"][seat])
            reserve = int(state["reserves"][seat])
            unseen = off_sites - hand - reserve
            values[seat] += promise(state, hand, reserve, shown, unseen, turns)
    write_shares(state, turns, values)


@kernel
def write_shares(state: State, turns: float, values: Numbers) -> None:
    """Turn the expected totals into shares, so many turns before the end of the round."""
    players = int(state["players"])
    best = values[0]
    for seat in range(1, players):
        best = max(best, values[seat])
    scale = lead_scale(state, best, turns)
    together = 0.0
    for seat in range(players):
        values[seat] = math.exp((values[seat] - best) / scale)
        together += values[seat]
    for seat in range(players):
        values[seat] /= together


# -- parts of the kernels above -------------------------------------------------------------------


@kernel
def promise(state: State, hand: int, reserve: int, shown: int, unseen: int, turns: float) -> float:
    """The points a seat can expect from the cards in its reserve and, slightly, in its hand."""
    gain = 0.0
    lower = 0  # the next lower number that a site shows: cards below it go there
    for n in range(NUMBERS):
        cards = count_of(reserve, n)
        held = count_of(hand, n)
        sites = count_of(shown, n)
        if cards or held:
            comes = coming(state, turns) * count_of(unseen, n)
            if held and turns > 0.0:
                comes += OWN
            stays = 1.0 / (1.0 + COVERING * (n - lower) * turns)
            points = worth(float(state["points"][n]), sites, stays, min(comes, 1.0))
            gain += cards * points
            if turns > 0.0:
                gain += KEEP * held * max(points, 0.0)
        if sites:
            lower = n
    return gain


@kernel
def threat(state: State, seat: int, before: int, shown: int, unseen: int, turns: float) -> float:
    """The points another seat can expect from its reserve, as far as this seat can tell."""
    hidden = 0
    for other in range(state["players"]):
        if other != seat:
            hidden += int(state["reserve_sizes"][other])
    if hidden == 0:
        return 0.0
    gain = 0.0
    cards = 0.0
    lower = 0
    for n in range(NUMBERS):
        likely = count_of(unseen, n) * (LIKED if count_of(before, n) else 1.0)
        cards += likely
        sites = count_of(shown, n)
        stays = 1.0 / (1.0 + COVERING * (n - lower) * turns)
        comes = min(coming(state, turns) * count_of(unseen, n), 1.0)
        gain += likely * worth(float(state["points"][n]), sites, stays, comes)
        if sites:
            lower = n
    return gain / cards * hidden / (float(state["players"]) - 1.0)


@kernel
def coming(state: State, turns: float) -> float:
    """The probability that an unseen card will be shown at the end of the round."""
    if turns <= 0.0:
        return 0.0
    return COMES + COMES_EARLY / TURNS_PER_SITE * turns / sites_to_end(state)


@kernel
def deck_size(state: State, seat: int, unseen: int) -> int:
    """How many of the cards that a seat does not see are in the deck."""
    size = bag_size(unseen)
    for other in range(state["players"]):
        if other != seat:
            size -= int(state["hand_sizes"][other]) + int(state["reserve_sizes"][other])
    return size


@kernel
def in_a_round(state: State) -> bool:
    """Whether there are sites that are played on."""
    return bool(state["sites"][0] and not is_scored(state))


@kernel
def turns_left(deck: int, missing: int) -> float:
    """About how many turns follow this one, by the cards and sites that are left (DS7, DS8)."""
    return max(min(TURNS_PER_SITE * missing, deck - 1.0), 0.0)


@kernel
def lead_scale(state: State, best: float, turns: float) -> float:
    """The lead that makes a seat e times as likely to win: small when few rounds will follow."""
    mean = 0.0
    for number in range(NUMBERS):
        mean += float(state["points"][number]) / NUMBERS
    rounds = (float(state["target"]) - best) / (ROUND * mean)
    allowed = float(state["round_limit"]) - float(state["rounds"])
    if in_a_round(state):
        allowed -= 1.0
    else:
        rounds = max(rounds, 1.0)
    rounds = max(min(rounds, allowed), 0.0) + turns / (TURNS_PER_SITE * sites_to_end(state))
    return LUCK * mean * math.sqrt(max(rounds, 0.05))


@kernel
def worth(points: float, sites: int, stays: float, comes: float) -> float:
    """The expected points of a hidden card (DS9); only one site is covered at a time."""
    expected = comes
    unmatched = 1.0 - comes
    if sites:
        expected += stays + (sites - 1) * (1.0 + stays) * 0.5
        unmatched *= 1.0 - stays
        if sites > 1:
            unmatched *= (1.0 - stays) * 0.5
    return points * expected + UNMATCHED * unmatched


@kernel
def shown_bag(state: State) -> int:
    """The bag of the cards that sites show."""
    bag = 0
    for i in range(site_count(state)):
        bag += one(top_number(int(state["sites"][i])))
    return bag
