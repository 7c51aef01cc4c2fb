"""Drop Site: deliver cards to sites, hide cards that will match them when the round ends.

A round deals five cards to every hand and one to the first site (DS1). A turn creates a site,
places a card on the lowest site above it, or hides a card in the own reserve (DS2-DS5), then draws
(DS6). Enough sites or an empty deck end the round (DS7, DS8); hidden cards score by the sites that
show their number (DS9). Rounds go on until a total reaches the target (DS10). What lay on the table
when a round ended stays there, reserves face up, until the first card of the next one is dealt.

A *bag* of cards is one integer: its hexadecimal digit N counts the cards of number N, so moving a
card is one addition and one subtraction. A site is the set of its cards, bit N for number N; cards
only ever go on higher ones, so the lowest bit is the top card.
"""

from __future__ import annotations

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.chance import below
from droptable.core.compile import kernel
from droptable.core.contract import DEALER_ACTS, Bounds, Ids, Numbers, Random, Rules, State

NUMBERS = 13  # 0-12
HAND = 5
MOST_SITES = 8
MOST_NOTED = 5  # of `hid_while`, so that the bags of three seats can be added up
FULL_DECK = 0x4_4444_4444_4444  # four cards of every number
EVERY_NUMBER = 0x1_1111_1111_1111
UNMATCHED = -2  # points of a hidden card whose number no site shows
CREATE, PLACE, HIDE = 0, NUMBERS, 2 * NUMBERS  # a seat's action is one of these plus the number
DEAL, SITE, DRAW, MOVE, OVER = 0, 1, 2, 3, 4  # phases; the dealer's outcome is 13 phase + number

STATE = np.dtype(
    [
        ("deck", np.int64),  # bag; blank in views
        ("hands", np.int64, 4),  # bag of each seat; the others' are blank in views
        ("reserves", np.int64, 4),  # bag of each seat; the others' are blank until a round ends
        # What everybody saw each seat do in this round, as bags:
        ("hid_while", np.int64, 4),  # how often it hid while a site showed the number, at most 5
        ("showed", np.int64, 4),  # cards that it created sites with or placed
        ("covered", np.int64, 4),  # top cards that it covered
        ("totals", np.int32, 4),  # points of the finished rounds, may be negative
        ("players", np.int32),
        ("target", np.int32),
        ("round_limit", np.int32),
        ("rounds", np.int32),  # finished rounds
        ("phase", np.int32),  # DEAL, SITE, DRAW, MOVE or OVER
        ("seat", np.int32),  # who is dealt to, moves or draws
        ("sites", np.int16, 8),  # set of the numbers on each site, oldest site first; 0: no site
        ("points", np.int8, 13),  # of a matched card, by its number
        ("hand_sizes", np.int8, 4),  # public, unlike the hands
        ("reserve_sizes", np.int8, 4),  # public, unlike the reserves
    ]
)


@kernel
def setup(state: State) -> None:
    _start_round(state)


@kernel
def to_act(state: State) -> int:
    phase = state["phase"]
    if phase == MOVE:
        return 1 << int(state["seat"])
    return 0 if phase == OVER else DEALER_ACTS


@kernel
def legal(state: State, seat: int, ids: Ids) -> int:
    left = held(int(state["hands"][seat]))
    numbers = count_bits(left)
    shown = tops(state)
    places = 0
    for i in range(numbers):  # DS2: three ways to play every number in the hand
        number = lowest_number(left)
        left &= left - 1
        ids[i] = CREATE + number
        ids[numbers + i] = PLACE + number
        if 2 << number <= shown:  # DS3, DS5: true for the lower ones, which come first
            places += 1
    for i in range(numbers):
        ids[numbers + places + i] = HIDE + ids[i]
    return 2 * numbers + places


@kernel
def chance(state: State, ids: Ids, weights: Numbers) -> int:
    deck = cards_to_deal(state)
    outcome = NUMBERS * int(state["phase"])
    count = 0
    while deck:
        ids[count] = outcome
        weights[count] = deck & 15
        count += 1 if deck & 15 else 0
        outcome += 1
        deck >>= 4
    return count


@kernel
def sample_outcome(state: State, ids: Ids, weights: Numbers, random: Random) -> int:
    return NUMBERS * int(state["phase"]) + random_card(cards_to_deal(state), random)


@kernel
def apply(state: State, actor: int, action: int) -> None:
    if actor < 0:
        _deal(state, int(action) - NUMBERS * int(state["phase"]))
    elif action < PLACE:
        _create(state, actor, int(action) - CREATE)
    elif action < HIDE:
        _place(state, actor, int(action) - PLACE)
    else:
        _hide(state, actor, int(action) - HIDE)


@kernel
def scores(state: State, points: Numbers) -> None:
    for seat in range(state["players"]):
        points[seat] = state["totals"][seat]


@kernel
def winners(state: State) -> int:
    if state["phase"] != OVER:
        return 0
    best = highest_total(state)
    won = 0
    for seat in range(state["players"]):  # DS10: equal totals share the victory
        if state["totals"][seat] == best:
            won |= 1 << seat
    return won


@kernel
def witnesses(state: State, actor: int, action: int) -> int:
    if actor < 0 and state["phase"] != SITE:
        return 1 << int(state["seat"])  # a card for the hand
    if actor >= 0 and action >= HIDE:
        return 1 << actor
    return (1 << int(state["players"])) - 1


@kernel
def observe(state: State, seat: int) -> None:
    state["deck"] = 0
    for other in range(state["players"]):
        if other != seat:
            state["hands"][other] = 0
            if not is_scored(state):  # DS9: scoring reveals the reserves, never the hands
                state["reserves"][other] = 0


@kernel
def determinize(state: State, seat: int, random: Random) -> None:
    unseen = FULL_DECK - on_sites(state)
    for other in range(state["players"]):
        unseen -= int(state["hands"][other]) + int(state["reserves"][other])
    for other in range(state["players"]):
        if other != seat:
            hand = random_cards(unseen, int(state["hand_sizes"][other]), random)
            state["hands"][other] = hand
            unseen -= hand
            if not is_scored(state):
                reserve = random_cards(unseen, int(state["reserve_sizes"][other]), random)
                state["reserves"][other] = reserve
                unseen -= reserve
    state["deck"] = unseen


# -- bags of cards --------------------------------------------------------------------------------


@kernel
def one(number: int) -> int:
    """The bag with one card of this number."""
    return 1 << (4 * number)


@kernel
def count_of(bag: int, number: int) -> int:
    """How many cards of this number lie in a bag."""
    return (bag >> (4 * number)) & 15


@kernel
def one_of_each(numbers: int) -> int:
    """A set of numbers as a bag: its bits move apart, in four steps."""
    numbers = (numbers | numbers << 24) & 0xFF_0000_00FF
    numbers = (numbers | numbers << 12) & 0xF_000F_000F_000F
    numbers = (numbers | numbers << 6) & 0x303_0303_0303_0303
    return (numbers | numbers << 3) & EVERY_NUMBER


@kernel
def steps_of(bag: int) -> int:
    """The first n of each number's four bits, if there are n cards of it in a bag."""
    twos, fours = bag >> 1, bag >> 2
    three = (bag & twos | fours) & EVERY_NUMBER
    return (
        held(bag) | ((twos | fours) & EVERY_NUMBER) << 1 | three << 2 | (fours & EVERY_NUMBER) << 3
    )


@kernel
def held(bag: int) -> int:
    """The numbers in a bag, once each: a bag too. (A digit is at most 4, so three bits matter.)"""
    return (bag | (bag >> 1) | (bag >> 2)) & EVERY_NUMBER


@kernel
def lowest_number(bag: int) -> int:
    """The lowest number in a bag that is not empty."""
    return count_bits((bag & -bag) - 1) >> 2  # the zeros below the lowest one, 4 to a number


@kernel
def bag_size(bag: int) -> int:
    """How many cards lie in a bag."""
    ones, twos, fours = bag & EVERY_NUMBER, bag & 2 * EVERY_NUMBER, bag & 4 * EVERY_NUMBER
    return count_bits(ones) + 2 * count_bits(twos) + 4 * count_bits(fours)


@kernel
def random_card(bag: int, random: Random) -> int:
    """The number of a random card of a bag that is not empty, every card as likely as any other."""
    while True:
        card = below(random, 52)  # copy 0-3 of number 0-12: is it in the bag?
        if count_of(bag, card >> 2) > card & 3:
            return card >> 2


@kernel
def random_cards(bag: int, count: int, random: Random) -> int:
    """The bag of so many random cards of a bag."""
    drawn = 0
    for _ in range(count):
        drawn += one(random_card(bag - drawn, random))
    return drawn


# -- sites ----------------------------------------------------------------------------------------


@kernel
def site_count(state: State) -> int:
    """How many sites there are."""
    count = 0
    while count < MOST_SITES and state["sites"][count]:
        count += 1
    return count


@kernel
def sites_to_end(state: State) -> int:
    """DS7: this many sites end the round; 6 with 2 players, 7 with 3, 8 with 4."""
    return int(state["players"]) + 4


@kernel
def top_bit(site: int) -> int:
    """The bit of a site's top card; 0 where there is no site."""
    return site & -site


@kernel
def top_number(site: int) -> int:
    """The number that a site shows."""
    return count_bits(top_bit(site) - 1)


@kernel
def tops(state: State) -> int:
    """The set of the numbers that sites show."""
    shown = 0
    for i in range(MOST_SITES):
        shown |= top_bit(int(state["sites"][i]))
    return shown


@kernel
def site_for(state: State, number: int) -> int:
    """DS4: the lowest site above this number, the oldest of equal ones; there has to be one."""
    higher = tops(state) & -(2 << number)
    site = 0
    while top_bit(int(state["sites"][site])) != top_bit(higher):
        site += 1
    return site


@kernel
def on_sites(state: State) -> int:
    """The bag of all cards on sites, covered ones too."""
    bag = 0
    for i in range(MOST_SITES):
        bag += one_of_each(int(state["sites"][i]))
    return bag


# -- the course of a round ------------------------------------------------------------------------


@kernel
def is_scored(state: State) -> bool:
    """Whether a round has been scored and still lies on the table: sites, reserves and hands."""
    return bool(state["phase"] == OVER or _between_rounds(state))


@kernel
def _between_rounds(state: State) -> bool:
    """Whether the next card that is dealt begins a round after another one."""
    return bool(state["phase"] == DEAL and state["sites"][0] != 0)


@kernel
def cards_to_deal(state: State) -> int:
    """The bag that the dealer takes the next card from: between rounds all cards (DS10)."""
    return FULL_DECK if _between_rounds(state) else int(state["deck"])


@kernel
def _start_round(state: State) -> None:
    state["deck"] = FULL_DECK
    state["phase"] = DEAL
    state["seat"] = 0  # DS1: dealing begins with seat 0, whoever starts
    for seat in range(4):
        state["hands"][seat] = 0
        state["reserves"][seat] = 0
        state["hand_sizes"][seat] = 0
        state["reserve_sizes"][seat] = 0
        state["hid_while"][seat] = 0
        state["showed"][seat] = 0
        state["covered"][seat] = 0
    for i in range(MOST_SITES):
        state["sites"][i] = 0


@kernel
def _deal(state: State, number: int) -> None:
    if _between_rounds(state):
        _start_round(state)
    state["deck"] -= one(number)
    if state["phase"] == SITE:
        state["sites"][0] = 1 << number
        state["phase"] = MOVE
        return
    seat = int(state["seat"])
    state["hands"][seat] += one(number)
    state["hand_sizes"][seat] += 1
    if state["phase"] == DRAW:
        _end_turn(state, seat)
    elif state["hand_sizes"][seat] == HAND:
        _deal_next_hand(state, seat)


@kernel
def _deal_next_hand(state: State, seat: int) -> None:
    if seat + 1 < state["players"]:  # DS1
        state["seat"] = seat + 1
    else:
        state["phase"] = SITE
        state["seat"] = state["rounds"] % state["players"]  # DS11


@kernel
def _end_turn(state: State, seat: int) -> None:
    if state["deck"] == 0:
        _end_round(state)  # DS8
    else:
        state["phase"] = MOVE
        state["seat"] = seat + 1 if seat + 1 < state["players"] else 0


@kernel
def _create(state: State, seat: int, number: int) -> None:
    _play(state, seat, number)
    state["showed"][seat] += one(number)
    site = site_count(state)
    state["sites"][site] = 1 << number
    if site + 1 == sites_to_end(state):
        _end_round(state)  # DS7: at once, nothing is drawn


@kernel
def _place(state: State, seat: int, number: int) -> None:
    _play(state, seat, number)
    site = site_for(state, number)
    state["showed"][seat] += one(number)
    state["covered"][seat] += one(top_number(int(state["sites"][site])))
    state["sites"][site] |= 1 << number


@kernel
def _hide(state: State, seat: int, number: int) -> None:
    _play(state, seat, number)
    state["reserves"][seat] += one(number)
    state["reserve_sizes"][seat] += 1
    noted = int(state["hid_while"][seat])
    full = noted & noted >> 2  # a digit of MOST_NOTED has its first and its third bit
    state["hid_while"][seat] = noted + (one_of_each(tops(state)) & ~full)


@kernel
def _play(state: State, seat: int, number: int) -> None:
    """Take a card out of the hand; the next one is to be drawn (DS6)."""
    state["hands"][seat] -= one(number)
    state["hand_sizes"][seat] -= 1
    state["phase"] = DRAW


@kernel
def _end_round(state: State) -> None:
    _score(state)
    state["rounds"] += 1
    if highest_total(state) >= state["target"] or state["rounds"] == state["round_limit"]:
        state["phase"] = OVER  # DS10, DS12
    else:
        state["phase"] = DEAL
        state["seat"] = 0  # sites and reserves stay to be seen until the first card is dealt


@kernel
def _score(state: State) -> None:
    """DS9: every site pays for the hidden cards of its number; cards that no site shows cost."""
    matched = 0
    for i in range(site_count(state)):
        number = top_number(int(state["sites"][i]))
        matched |= 15 << (4 * number)
        for seat in range(state["players"]):
            cards = count_of(int(state["reserves"][seat]), number)
            state["totals"][seat] += cards * int(state["points"][number])
    for seat in range(state["players"]):
        state["totals"][seat] += UNMATCHED * bag_size(int(state["reserves"][seat]) & ~matched)


@kernel
def highest_total(state: State) -> int:
    """The best total of all seats."""
    best = int(state["totals"][0])
    for seat in range(1, state["players"]):
        best = max(best, int(state["totals"][seat]))
    return best


@kernel
def ended_by_limit(state: State) -> bool:
    """DS12: whether the last round was over before anybody had reached the target."""
    return state["phase"] == OVER and highest_total(state) < state["target"]


# -- bounds, for whoever has to know before a match how long it can get ---------------------------


def most_moves(players: int, options: dict[str, int]) -> int:
    return 51 * options["round_limit"]  # each move plays a card (DS2, DS12)


def most_deals(players: int, options: dict[str, int]) -> int:
    return 52 * options["round_limit"]


def invariant(state: State) -> bool:
    """Deck, hands, reserves and sites together hold four cards of every number."""
    piles = [int(state["deck"]), *state["hands"].tolist(), *state["reserves"].tolist()]
    return bool(sum(piles) + on_sites(state) == FULL_DECK)


RULES = Rules(
    STATE,
    setup=setup,
    to_act=to_act,
    legal=legal,
    chance=chance,
    apply=apply,
    scores=scores,
    winners=winners,
    ended_by_limit=ended_by_limit,
    witnesses=witnesses,
    observe=observe,
    determinize=determinize,
    sample_outcome=sample_outcome,
    invariant=invariant,
    bounds=Bounds(moves=most_moves, deals=most_deals),
)
