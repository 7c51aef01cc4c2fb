"""Little Whist, a trick-taking game with hidden hands, outside the package.

`DROPTABLE_GAMES=examples/little_whist.py droptable play little-whist`; docs/add-a-card-game.md
builds this file step by step.
"""

import numpy as np

from droptable.core.bits import count_bits, members
from droptable.core.cards import deal_hidden, list_cards
from droptable.core.compile import kernel
from droptable.core.components import at, card_back, plate, playing_card, spread, text, touch
from droptable.core.contract import DEALER_ACTS, NOBODY, Rules
from droptable.core.game import Game
from droptable.core.scene import Picture, Scene
from droptable.core.svg import join
from droptable.core.words import Words

RANKS = ("9", "10", "J", "Q", "K", "A")
SUITS = ("clubs", "diamonds", "hearts", "spades")
TRUMP = 3  # spades
CARDS = len(SUITS) * len(RANKS)
ALL = (1 << CARDS) - 1
SUIT = (1 << len(RANKS)) - 1  # the cards of the first suit
NONE = -1
STATE = np.dtype(
    [
        ("players", np.int32),
        ("dealt", np.int32),  # cards that the dealer has dealt
        ("lead", np.int32),  # the seat that led to this trick
        ("played", np.int64),  # bits of the cards that were played
        ("hands", np.int64, 4),  # bits; only its seat sees it
        ("barred", np.int64, 4),  # bits of the cards that a seat has shown not to hold
        ("sizes", np.int8, 4),  # cards in each hand
        ("trick", np.int8, 4),  # the card that each seat has played to this trick, or NONE
        ("tricks", np.int8, 4),  # that each seat has won
    ]
)


@kernel
def setup(state):
    for seat in range(state["players"]):
        state["trick"][seat] = NONE


@kernel
def to_act(state):
    if state["dealt"] < CARDS:
        return DEALER_ACTS
    if state["played"] == ALL:
        return 0
    return 1 << next_seat(state)


@kernel
def next_seat(state):
    """The seat to act: the lead, then clockwise (LW2)."""
    return (int(state["lead"]) + cards_on_table(state)) % int(state["players"])


@kernel
def cards_on_table(state):
    """How many cards this trick has."""
    count = 0
    for seat in range(state["players"]):
        count += int(state["trick"][seat] != NONE)
    return count


@kernel
def chance(state, ids, weights):
    gone = 0
    for seat in range(state["players"]):
        gone |= int(state["hands"][seat])
    return list_cards(ALL & ~gone, ids, weights)  # LW1


@kernel
def legal(state, seat, ids):
    hand = int(state["hands"][seat])
    led = led_suit(state)
    if led != NONE and hand & SUIT << len(RANKS) * led:
        hand &= SUIT << len(RANKS) * led  # LW3
    count = 0
    for card in range(CARDS):
        if hand >> card & 1:
            ids[count] = card
            count += 1
    return count


@kernel
def led_suit(state):
    """The suit that has to be followed, or NONE before the first card of a trick."""
    card = int(state["trick"][state["lead"]])
    return NONE if card == NONE else card // len(RANKS)


@kernel
def apply(state, actor, card):
    if actor < 0:
        seat = int(state["dealt"]) % int(state["players"])
        state["hands"][seat] |= 1 << card
        state["sizes"][seat] += 1
        state["dealt"] += 1
        return
    led = led_suit(state)
    if led != NONE and card // len(RANKS) != led:
        state["barred"][actor] |= SUIT << len(RANKS) * led  # it has none, as everybody sees
    state["hands"][actor] = int(state["hands"][actor]) & ~(1 << card)
    state["sizes"][actor] -= 1
    state["played"] |= 1 << card
    state["trick"][actor] = card
    if cards_on_table(state) == state["players"]:
        take_trick(state)


@kernel
def take_trick(state):
    """LW4: the highest trump wins a trick, or the highest card of the suit that was led."""
    best = int(state["lead"])
    for seat in range(state["players"]):
        if strength(state, seat) > strength(state, best):
            best = seat
    state["tricks"][best] += 1
    state["lead"] = best
    for seat in range(state["players"]):
        state["trick"][seat] = NONE


@kernel
def strength(state, seat):
    """How high a seat's card in this trick is."""
    card = int(state["trick"][seat])
    suit = card // len(RANKS)
    if suit == TRUMP:
        return CARDS + card
    return card % len(RANKS) if suit == led_suit(state) else NONE


@kernel
def scores(state, points):
    for seat in range(state["players"]):
        points[seat] = state["tricks"][seat]


@kernel
def winners(state):
    if to_act(state):
        return 0
    most = won = 0
    for seat in range(state["players"]):
        if state["tricks"][seat] > most:
            most, won = int(state["tricks"][seat]), 0
        won |= int(state["tricks"][seat] == most) << seat  # LW5
    return won


@kernel
def witnesses(state, actor, card):
    if actor < 0:
        return 1 << int(state["dealt"]) % int(state["players"])
    return (1 << int(state["players"])) - 1


@kernel
def observe(state, seat):
    for other in range(state["players"]):
        if other != seat:
            state["hands"][other] = 0


@kernel
def determinize(state, seat, random):
    unseen = ALL & ~int(state["played"])
    if seat != NOBODY:
        unseen &= ~int(state["hands"][seat])
    hands, sizes, barred = state["hands"], state["sizes"], state["barred"]
    deal_hidden(hands, sizes, barred, unseen, seat, int(state["players"]), random)


def invariant(state):
    """Every card is in one hand, or was played, or is still to be dealt."""
    held = [int(hand) for hand in state["hands"][: state["players"]]]
    once = sum(map(count_bits, held)) == count_bits(sum(held) & ALL & ~int(state["played"]))
    sizes = [count_bits(hand) for hand in held] == state["sizes"][: state["players"]].tolist()
    fits = not any(hand & int(bars) for hand, bars in zip(held, state["barred"], strict=False))
    return once and sizes and fits and sum(map(count_bits, held)) <= int(state["dealt"])


RULES = Rules(
    STATE,
    setup=setup,
    to_act=to_act,
    legal=legal,
    chance=chance,
    apply=apply,
    scores=scores,
    winners=winners,
    witnesses=witnesses,
    observe=observe,
    determinize=determinize,
    invariant=invariant,
)


TEXT = """Take the most tricks. Spades are trump.

## LW1 The deal
24 cards, 9 to ace in four suits, are dealt one by one, beginning with seat 0.

## LW2 Turns
Seat 0 leads to the first trick, the winner of a trick to the next. Then the others play one card
each, clockwise.

## LW3 Following suit
Who holds a card of the suit that was led has to play one. Who has none may play any card.

## LW4 Tricks
The highest spade wins a trick; without one, the highest card of the suit that was led.

## LW5 The end
When all cards are played the most tricks win. Seats with equally many share the victory.
"""
NAMES = tuple(f"{rank}{suit[0]}" for suit in SUITS for rank in RANKS)  # 9c … As


def actions(options):
    return tuple(f"play {name}" for name in NAMES)


def outcomes(options):
    return tuple(f"deal {name}" for name in NAMES)


def name_of(card):
    """A card in words."""
    return f"{RANKS[card % len(RANKS)]} of {SUITS[card // len(RANKS)]}"


def why(view, seat, card):
    if not int(view["hands"][seat]) >> card & 1:
        return "LW3", f"the {name_of(card)} is not in your hand"
    return "LW3", f"you have to follow suit: {SUITS[led_suit(view)]}"


def why_not_dealt(state, card):
    return "LW1", f"the {name_of(card)} was dealt already"


def label(view, seat, card):
    return f"Play the {name_of(card)}"


def tell(before, after, actor, card, names):
    if actor >= 0:
        won = [seat for seat in range(before["players"]) if takes(before, after, seat)]
        wins = "".join(f" {names[seat]} wins the trick." for seat in won)
        return f"{names[actor]} plays the {name_of(card)}.{wins}"
    name = names[before["dealt"] % before["players"]]
    return f"{name} is dealt a card." if card < 0 else f"{name} is dealt the {name_of(card)}."


def takes(before, after, seat):
    """Whether a seat has won a trick between two views."""
    return after["tricks"][seat] > before["tricks"][seat]


def verdict(state, names):
    most = max(state["tricks"])
    who = " and ".join(names[seat] for seat in members(winners(state)))
    return f"{who}: most tricks, {most}."


def prompt(view, viewer, names):
    if view["played"] == ALL:
        return verdict(view, names)
    if view["dealt"] < CARDS:
        return "The cards are dealt."
    seat = next_seat(view)
    if seat != viewer:
        return f"{names[seat]} is choosing a card."
    led = led_suit(view)
    return "Lead any card." if led == NONE else f"Play a card; follow {SUITS[led]} if you can."


def drawing(view, viewer):
    lines = []
    for seat in range(view["players"]):
        card, hand = int(view["trick"][seat]), members(int(view["hands"][seat]))
        shown = " ".join(NAMES[c] for c in hand) or f"{view['sizes'][seat]} cards"
        played = "" if card == NONE else f", plays {NAMES[card]}"
        lines.append(f"Seat {seat}: {view['tricks'][seat]} tricks{played}; {shown}")
    seats = [f"seat {seat}" for seat in range(view["players"])]
    return "\n".join([*lines, prompt(view, viewer, seats)])


WORDS = Words(
    turn_rule="LW2",
    end_rule="LW5",
    actions=actions,
    outcomes=outcomes,
    why=why,
    why_not_dealt=why_not_dealt,
    label=label,
    tell=tell,
    verdict=verdict,
    draw=drawing,
)


def picture(view, viewer, frame):
    """The trick in the middle, a plate for each seat, the viewer's hand below."""
    wide, high = (360, 430) if frame.tall else (1000, 520)
    height, size = (96, 13) if frame.tall else (150, 23)
    players = int(view["players"])
    parts = []
    for seat, x in enumerate(spread(players, wide, wide / players)):
        note = f"{view['tricks'][seat]}"
        here = [plate(seat, frame.names[seat], wide / players - 8, 2.2 * size, size, note=note,
                      active=turn_of(view) == seat, mine=seat == viewer)]  # fmt: skip
        parts.append(at(wide / 2 + x, 1.4 * size, *here))
        card = int(view["trick"][seat])
        if card != NONE:
            played = at(wide / 2 + x, high * 0.37, face(card, height), key=f"card-{card}")
            parts.append(played)
    whose = viewer if viewer != NOBODY else 0
    hand = members(int(view["hands"][whose]))
    if not hand:
        backs = spread(int(view["sizes"][whose]), wide * 0.7, height * 0.5)
        parts += [at(wide / 2 + x, high * 0.78, card_back(height)) for x in backs]
    for card, x in zip(hand, spread(len(hand), wide - height, height * 0.75), strict=True):
        parts.append(touch(f"card-{card}", name_of(card), wide / 2 + x, high * 0.78,
                           face(card, height), key=f"card-{card}"))  # fmt: skip
    parts.append(text("Spades are trump", wide / 2, high - size, size=size, kind="soft"))
    return Picture(wide, high, join(*parts), "Little Whist")


def face(card, height):
    return playing_card(RANKS[card % len(RANKS)], SUITS[card // len(RANKS)], height)


def turn_of(view):
    return next_seat(view) if to_act(view) not in (0, DEALER_ACTS) else NONE


def path(view, seat, card):
    return (f"card-{card}",)


SCENE = Scene(accent="green", draw=picture, path=path, prompt=prompt)


GAME = Game(
    "little-whist",
    title="Little Whist",
    summary="Follow suit, trump when you can, take the most tricks.",
    players=(3, 4),
    rules=RULES,
    words=WORDS,
    scene=SCENE,
    text=TEXT,
)
