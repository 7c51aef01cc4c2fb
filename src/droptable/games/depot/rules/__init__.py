"""Depot: be the first to play all cards of the hand, by sets and runs that the Storage allows.

A seat beats the last play with more cards, or equally many of a higher sum (DP3, DP4). Or it
passes: it takes a number out of the Storage and may give a card back (DP6). When all others have
passed, the round ends and the Storage grows (DP9). An empty hand ends the game (DP10); a match is
one game, or three with lost points (DP11-DP13).

Hands and piles are counts of the numbers 1-8, at index 0-7. Plays are numbered by strength, see
`plays`; a bit set of plays has two halves.
"""

from __future__ import annotations

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.chance import below
from droptable.core.compile import kernel
from droptable.core.contract import DEALER_ACTS, Bounds, Ids, Numbers, Random, Rules, State
from droptable.games.depot.rules.memory import FIELDS, forget, remember
from droptable.games.depot.rules.piles import NOTHING, NUMBERS, cards_in, nth_card, numbers_in
from droptable.games.depot.rules.plays import (
    BEATING,
    CARDS,
    COPIES,
    EACH,
    GIVE_CARD,
    HALF,
    HIGH,
    KEEP,
    LONGEST,
    LOW,
    NO_PLAY,
    PASS,
    PLAYS,
    RUNS,
    RUNS_UP_TO,
    SETS,
    SETS_UP_TO,
    SIZE,
    TAKE,
    Cards,
)
from droptable.games.depot.rules.ranking import (
    best_seats,
    hand_out_lost_points,
    players_of,
    rank_of,
)

DEAL, FILL, TURN, GIVE, OVER = range(5)  # phases; the dealer acts in DEAL and FILL
HAND_SIZE, HAND_SIZE_OF_FIVE = 9, 8  # DP1: cards in a hand, with 3 or 4 players and with 5
MATCHING_TRIES = 1000  # see determinize
STORE = NUMBERS  # + number index, as the dealer's outcome; the outcomes below it deal to a hand

STATE = np.dtype(
    [
        ("players", np.int32),
        ("games", np.int32),  # 1 or 3
        ("all_cards", np.int32),  # 1: taken cards go back into the deck
        ("turn_limit", np.int32),
        ("phase", np.int32),  # DEAL … OVER
        ("game", np.int32),  # 0-2, which game of the match
        ("turn", np.int32),  # turns of this game that are finished
        ("seat", np.int32),  # who gets cards in DEAL, whose turn it is or will be after it
        ("table", np.int32),  # the play to beat, or NO_PLAY when a round starts
        ("last", np.int32),  # the seat that made the last play
        ("passes", np.int32),  # in a row since that play
        ("taken", np.int32),  # 0-7, the number just taken in GIVE, else NOTHING
        ("set_size", np.int32),  # the Storage is filled up to so many cards
        ("deck_size", np.int32),  # cards
        ("deck_open", np.int32),  # 1 once discards became the deck: all know what it holds
        ("won", np.int32),  # bits of the winners; 0 while the match goes on
        ("lost", np.int16, 5),  # lost points of each seat, all games so far
        ("hands", np.int8, (5, NUMBERS)),  # cards of each number; only its seat sees it
        ("known", np.int8, (5, NUMBERS)),  # the part of each hand that everybody saw it take
        ("storage", np.int8, NUMBERS),
        ("discards", np.int8, NUMBERS),
        ("deck", np.int8, NUMBERS),  # nobody sees it unless deck_open
        ("out", np.int8, NUMBERS),  # cards that lie before seats as lost points
        ("hand_size", np.int8, 5),  # cards
        ("took", np.int8, 5),  # 1-8, the card each seat took after the last game; 0: none
        *FIELDS,
    ]
)


@kernel
def setup(state: State) -> None:
    _start_game(state)


@kernel
def to_act(state: State) -> int:
    phase = state["phase"]
    if phase <= FILL:
        return DEALER_ACTS
    if phase == OVER:
        return 0
    return 1 << int(state["seat"])


@kernel
def legal(state: State, seat: int, ids: Ids) -> int:
    if state["phase"] == GIVE:
        count = _list_gifts(state, seat, ids)
    else:
        count = _list_plays(state, seat, ids)
        if state["table"] != NO_PLAY:  # DP2
            count = _list_passes(state, ids, count)
    return count


@kernel
def chance(state: State, ids: Ids, weights: Numbers) -> int:
    first = 0 if state["phase"] == DEAL else STORE
    pile = state["deck"] if state["deck_size"] else state["discards"]  # DP7
    count = 0
    for number in range(NUMBERS):  # no branch: what is not there is overwritten by the next
        ids[count] = first + number
        weights[count] = pile[number]
        count += int(pile[number] > 0)
    return count


@kernel
def sample_outcome(state: State, ids: Ids, weights: Numbers, random: Random) -> int:
    """One outcome as `chance` has it, straight from the pile: counted without a branch."""
    pile = state["deck"] if state["deck_size"] else state["discards"]  # DP7
    card = below(random, cards_in(pile))
    number = 0
    for n in range(NUMBERS - 1):
        card -= int(pile[n])
        number += int(card >= 0)
    return number if state["phase"] == DEAL else STORE + number


@kernel
def apply(state: State, actor: int, action: int) -> None:
    if actor < 0:
        _deal_card(state, int(np.int64(action)))  # one width of integers: one compilation
    else:
        _move(state, int(np.int64(action)))


@kernel
def scores(state: State, points: Numbers) -> None:
    for seat in range(state["players"]):
        points[seat] = state["hand_size"][seat] if state["games"] == 1 else state["lost"][seat]


@kernel
def winners(state: State) -> int:
    return int(state["won"])


@kernel
def witnesses(state: State, actor: int, action: int) -> int:
    if state["phase"] == DEAL:
        return 1 << int(state["seat"])
    return (1 << int(state["players"])) - 1


@kernel
def observe(state: State, seat: int) -> None:
    for other in range(players_of(state)):
        if other != seat:
            for number in range(NUMBERS):
                state["hands"][other, number] = 0
    if not state["deck_open"]:
        for number in range(NUMBERS):
            state["deck"][number] = 0


@kernel
def determinize(state: State, seat: int, random: Random) -> None:
    """Deal the cards that the seat has not seen.

    Hands stay hidden after the match, but its result tells something about them. A deal that does
    not fit the result is dealt anew, as far as patience goes: no move depends on it any more.
    """
    for _ in range(MATCHING_TRIES):
        _deal_unseen(state, seat, random)
        if state["phase"] != OVER or _fits_result(state):
            return


@kernel
def hand_cards(state: State) -> int:
    """DP1: how many cards a hand gets."""
    return HAND_SIZE_OF_FIVE if state["players"] == 5 else HAND_SIZE


@kernel
def largest_set(state: State) -> int:
    """DP3: the most cards of one number that may be played."""
    most = 1
    for number in range(NUMBERS):
        most = max(most, int(state["storage"][number]))
    return most


@kernel
def longest_run(state: State) -> int:
    """DP3: the longest run that may be played; below 2 there is none."""
    return int(LONGEST[numbers_in(state["storage"])])


@kernel
def _list_plays(state: State, seat: int, ids: Ids) -> int:
    hand = state["hands"][seat]
    numbers = numbers_in(hand)
    set_limit = largest_set(state)
    run_limit = longest_run(state)
    table = state["table"] + 1
    count = 0
    for half in range(2 if max(set_limit, run_limit) > 5 else 1):
        sets = 0
        for number in range(NUMBERS):
            sets |= int(SETS[number, hand[number], half])
        sets &= int(SETS_UP_TO[set_limit, half])  # DP3
        runs = int(RUNS[numbers, half] & RUNS_UP_TO[run_limit, half])  # DP3
        plays = (sets | runs) & int(BEATING[table, half])  # DP4
        while plays:
            ids[count] = half * HALF + count_bits((plays & -plays) - 1)
            count += 1
            plays &= plays - 1
    return count


@kernel
def _list_passes(state: State, ids: Ids, count: int) -> int:
    plays = count
    for number in range(NUMBERS):
        ids[count] = TAKE + number  # DP6
        count += int(state["storage"][number] > 0)
    ids[count] = PASS  # DP7
    return count + int(count == plays)


@kernel
def _list_gifts(state: State, seat: int, ids: Ids) -> int:
    count = 0
    for number in range(NUMBERS):
        ids[count] = GIVE_CARD + number
        count += int(state["hands"][seat, number] > 0) & int(number != state["taken"])  # DP6
    ids[count] = KEEP
    return count + 1


@kernel
def _start_game(state: State) -> None:
    """DP1, DP13: all cards but those that stay out are the deck; nothing else is left of before."""
    size = 0
    for number in range(NUMBERS):
        if state["all_cards"]:
            state["out"][number] = 0  # DP13
        cards = int(COPIES[number]) - int(state["out"][number])
        state["deck"][number] = cards
        state["storage"][number] = 0
        state["discards"][number] = 0
        size += cards
    for seat in range(state["players"]):
        state["hand_size"][seat] = 0
        for number in range(NUMBERS):
            state["hands"][seat, number] = 0
            state["known"][seat, number] = 0
    forget(state)
    state["deck_size"] = size
    state["deck_open"] = 0
    state["set_size"] = 3 if state["players"] == 3 else 4  # DP1
    state["turn"] = 0
    state["passes"] = 0
    state["table"] = NO_PLAY
    state["taken"] = NOTHING
    state["last"] = state["game"]
    state["seat"] = 0
    state["phase"] = DEAL


@kernel
def _deal_card(state: State, outcome: int) -> None:
    """DP1: the hands get their cards seat by seat, then the Storage."""
    number = outcome % STORE
    _draw(state, number)
    if outcome >= STORE:
        state["storage"][number] += 1
        _fill(state)
        return
    seat = state["seat"]
    state["hands"][seat, number] += 1
    state["hand_size"][seat] += 1
    if state["hand_size"][seat] == hand_cards(state):
        state["seat"] += 1
        if state["seat"] == state["players"]:
            state["seat"] = state["game"]  # DP2, DP13: seat k starts game k
            state["phase"] = FILL


@kernel
def _draw(state: State, number: int) -> None:
    """Take a card out of the deck, which the discards become when it is empty (DP7)."""
    if state["deck_size"] == 0:
        for n in range(NUMBERS):
            state["deck_size"] += state["discards"][n]
            state["deck"][n] = state["discards"][n]
            state["discards"][n] = 0
        state["deck_open"] = 1
    state["deck"][number] -= 1
    state["deck_size"] -= 1


@kernel
def _fill(state: State) -> None:
    """DP6, DP9: let the dealer fill the Storage; when it is full, end the round or start a turn."""
    if not _needs_card(state) and state["passes"] == state["players"] - 1:
        _discard_table(state)  # DP9
        state["table"] = NO_PLAY
        state["passes"] = 0
        state["set_size"] += 1  # the next seat in turn is the one that played last
    if _needs_card(state):
        state["phase"] = FILL
    else:
        _start_turn(state)


@kernel
def _needs_card(state: State) -> bool:
    """Whether the Storage is short of its set size and there is a card to fill it with (DP7)."""
    if cards_in(state["storage"]) >= state["set_size"]:
        return False
    return state["deck_size"] > 0 or numbers_in(state["discards"]) > 0


@kernel
def _start_turn(state: State) -> None:
    if state["turn"] == state["turn_limit"]:
        _end_game(state)  # DP10
    else:
        state["phase"] = TURN


@kernel
def _move(state: State, action: int) -> None:
    if action != PASS:  # too rare to be worth it
        remember(state, action)
    if action < TAKE:
        _play(state, action)
    elif action < GIVE_CARD:
        _take(state, action - TAKE)
    else:
        if action < KEEP:
            number = action - GIVE_CARD
            _leave_hand(state, number)  # the play of a single card has its number
            state["storage"][number] += 1
        _end_pass(state)


@kernel
def _play(state: State, play: int) -> None:
    _discard_table(state)  # DP5
    _leave_hand(state, play)
    state["table"] = play
    state["last"] = state["seat"]
    state["passes"] = 0
    state["turn"] += 1
    if state["hand_size"][state["seat"]] == 0:
        _end_game(state)  # DP10
    else:
        state["seat"] = _next_seat(state)
        _start_turn(state)


@kernel
def _discard_table(state: State) -> None:
    play = state["table"]
    if play != NO_PLAY:
        for number in range(LOW[play], HIGH[play] + 1):
            state["discards"][number] += EACH[play]


@kernel
def _leave_hand(state: State, play: int) -> None:
    """Cards leave a hand in the sight of all: as far as possible, those that all know it has."""
    seat = state["seat"]
    cards = int(EACH[play])
    for number in range(LOW[play], HIGH[play] + 1):
        state["hands"][seat, number] -= cards
        state["known"][seat, number] = max(int(state["known"][seat, number]) - cards, 0)
    state["hand_size"][seat] -= SIZE[play]


@kernel
def _take(state: State, number: int) -> None:
    """DP6: all cards of the number go to the hand, and everybody knows that they are there."""
    seat = state["seat"]
    cards = state["storage"][number]
    state["storage"][number] = 0
    state["hands"][seat, number] += cards
    state["known"][seat, number] += cards
    state["hand_size"][seat] += cards
    state["taken"] = number
    state["phase"] = GIVE


@kernel
def _end_pass(state: State) -> None:
    state["taken"] = NOTHING
    state["passes"] += 1
    state["turn"] += 1
    state["seat"] = _next_seat(state)  # DP8: nobody drops out
    _fill(state)


@kernel
def _next_seat(state: State) -> int:
    after = int(state["seat"]) + 1
    return after if after < state["players"] else 0


@kernel
def _end_game(state: State) -> None:
    if state["games"] > 1:
        hand_out_lost_points(state)
        if state["game"] + 1 < state["games"]:
            state["game"] += 1
            _start_game(state)
            return
    state["won"] = best_seats(state)
    state["phase"] = OVER


@kernel
def _deal_unseen(state: State, seat: int, random: Random) -> None:
    """Known cards stay where they are; the rest of the other hands is drawn from what is unseen."""
    players = players_of(state)
    for other in range(players):
        if other != seat:
            for number in range(NUMBERS):
                state["hands"][other, number] = state["known"][other, number]
    unseen = _unseen(state)
    left = 0
    for number in range(NUMBERS):
        left += unseen >> 4 * number & 15
    for other in range(players):
        for _ in range(state["hand_size"][other] - cards_in(state["hands"][other])):
            number = nth_card(unseen, below(random, left))
            unseen -= 1 << 4 * number
            left -= 1
            state["hands"][other, number] += 1
    if not state["deck_open"]:
        for number in range(NUMBERS):
            state["deck"][number] = unseen >> 4 * number & 15


@kernel
def _unseen(state: State) -> int:
    """The cards of each number that are in none of the hands and open piles, four bits a number."""
    unseen = 0
    for number in range(NUMBERS):
        cards = int(COPIES[number]) - int(state["out"][number])
        cards -= int(state["storage"][number]) + int(state["discards"][number])
        cards -= int(state["deck"][number]) * int(state["deck_open"])
        for seat in range(state["players"]):
            cards -= int(state["hands"][seat, number])
        unseen |= cards << 4 * number
    play = state["table"]
    if play != NO_PLAY:
        for number in range(LOW[play], HIGH[play] + 1):
            unseen -= int(EACH[play]) << 4 * number
    return unseen


@kernel
def _fits_result(state: State) -> bool:
    """Whether these hands lead to the result that everybody knows."""
    if state["games"] == 1:
        return best_seats(state) == state["won"]
    players = players_of(state)
    for seat in range(players):  # DP12: nobody took a higher card than a worse rank
        for other in range(players):
            if state["took"][seat] > state["took"][other] and (
                rank_of(state, seat) < rank_of(state, other)
            ):
                return False
    return True


@kernel
def ended_by_limit(state: State) -> bool:
    """DP10: whether the last game was over before anybody had played their last card."""
    smallest = int(state["hand_size"][0])
    for seat in range(1, players_of(state)):
        smallest = min(smallest, int(state["hand_size"][seat]))
    return state["phase"] == OVER and state["turn"] == state["turn_limit"] and smallest > 0


# -- bounds, for whoever has to know before a match how long it can get ---------------------------


def most_moves(players: int, options: dict[str, int]) -> int:
    return 2 * options["turn_limit"] * options["games"]  # take, give (DP6)


def most_deals(players: int, options: dict[str, int]) -> int:
    return 80 * (options["turn_limit"] + 1) * options["games"]


def invariant(state: State) -> bool:
    """Deck, discards, hands, Storage, table and lost cards are the whole deck."""
    counts = state["hands"].sum(axis=0) + state["storage"] + state["deck"] + state["discards"]
    if not state["all_cards"] or state["phase"] == OVER:  # else they went back into the deck
        counts = counts + state["out"]
    if state["table"] != NO_PLAY:
        for number in PLAYS[state["table"]]:
            counts[number - 1] += 1
    sizes = state["hands"].sum(axis=1)
    return bool((counts == COPIES).all() and (sizes == state["hand_size"]).all())


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
