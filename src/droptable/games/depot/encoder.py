"""What a learner sees of Depot: hand, Storage, table, piles, and what all know of the others."""

from __future__ import annotations

from typing import Any

from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.core.tensor import (
    OWN_FIRST,
    Encoder,
    Plane,
    Tensor,
    one_hot,
    seat_of,
    seats_of,
    squashed,
    steps_up_to,
)
from droptable.games.depot.rules import (
    CARDS,
    COPIES,
    EACH,
    HIGH,
    LOW,
    NO_PLAY,
    OVER,
    SIZE,
    largest_set,
    longest_run,
)
from droptable.games.depot.rules.memory import FIELDS
from droptable.games.depot.rules.piles import NUMBERS

MOST_COPIES = 13  # of the number 1
MOST_SUM = 56  # of the strongest plays, seven eights and eight sevens
GAMES = 3
USUAL = 10  # cards in a hand or in the Storage: a half, once squashed
PAST = frozenset(str(name) for name, *_ in FIELDS)  # remembered moves, which are left out


def planes(players: int, options: dict[str, Any]) -> list[Plane]:
    """The planes in the order of `encode`."""
    pile = (NUMBERS,)
    seats = (players,)
    steps = "the first n of 13 are 1 if there are n"
    return [
        Plane("hand", (NUMBERS, MOST_COPIES), f"own cards of each number: {steps}"),
        Plane("Storage", (NUMBERS, MOST_COPIES), f"the Storage's cards of each number: {steps}"),
        Plane("known", (players, NUMBERS), "cards of each number that all saw a seat take and it "
              f"still has, of all there are; {OWN_FIRST}"),
        Plane("discards", pile, "discarded cards of each number, of all there are"),
        Plane("deck", pile, "cards of each number in the deck, of all there are; 0 while unknown"),
        Plane("out", pile, "cards of each number that lie as lost points, of all there are"),
        Plane("unseen", pile, "cards of each number in places unknown, of all there are"),
        Plane("table", pile, "cards of each number in the play to beat, of 13"),
        Plane("to beat", (2,), "its size, of 13, and its sum, of 56"),
        Plane("limits", (2,), "the largest set, of 13, and the longest run, of 8, to be played"),
        Plane("taken", pile, "the number just taken from the Storage, one-hot"),
        Plane("hand sizes", seats, f"n cards in each hand as n / (n + 10); {OWN_FIRST}"),
        Plane("lost", seats, f"lost points, of 24; {OWN_FIRST}"),
        Plane("took", seats, f"the card each seat took after the last game, of 8; {OWN_FIRST}"),
        Plane("turn", seats, f"whose turn it is, or who is dealt to, one-hot; {OWN_FIRST}"),
        Plane("last", seats, f"who played last, or starts the game, one-hot; {OWN_FIRST}"),
        Plane("won", seats, f"1 for each winner, when the match is over; {OWN_FIRST}"),
        Plane("passes", seats, "passes in a row since the last play, one-hot from 0"),
        Plane("phase", (OVER + 1,), "dealing, filling, turn, giving or over, one-hot"),
        Plane("game", (GAMES,), "which game of the match it is, one-hot"),
        Plane("set size", (1,), "the Storage's set size n as n / (n + 10)"),
        Plane("deck size", (1,), "cards in the deck, of 80"),
        Plane("deck open", (1,), "1 once discards became the deck"),
        Plane("clock", (1,), "turns of this game that are finished, as a share of `turn_limit`"),
    ]  # fmt: skip


@kernel
def encode(view: State, seat: int, out: Tensor) -> int:
    at = _encode_piles(view, seat, out)
    at = _encode_table(view, out, at)
    at = _encode_seats(view, max(seat, 0), out, at)
    return _encode_course(view, out, at)


@kernel
def _encode_piles(view: State, seat: int, out: Tensor) -> int:
    players = int(view["players"])
    first = max(seat, 0)
    known = 2 * NUMBERS * MOST_COPIES
    piles = known + players * NUMBERS
    for number in range(NUMBERS):
        copies = int(COPIES[number])
        hand = int(view["hands"][first, number])
        stored = int(view["storage"][number])
        start = MOST_COPIES * number
        steps_up_to(out[start : start + MOST_COPIES], hand)
        start += NUMBERS * MOST_COPIES
        steps_up_to(out[start : start + MOST_COPIES], stored)
        unseen = copies - stored - hand
        for k in range(players):
            cards = int(view["known"][(first + k) % players, number])
            out[known + NUMBERS * k + number] = cards / copies
            if k > 0 or seat < 0:  # the viewer's own are in its hand
                unseen -= cards
        at = piles + number
        discards, deck, gone = view["discards"][number], view["deck"][number], view["out"][number]
        unseen -= int(discards) + int(deck) + int(gone)
        out[at] = discards / copies
        out[at + NUMBERS] = deck / copies
        out[at + 2 * NUMBERS] = gone / copies
        out[at + 3 * NUMBERS] = (unseen - _on_table(view, number)) / copies
        out[at + 4 * NUMBERS] = _on_table(view, number) / MOST_COPIES
    return piles + 5 * NUMBERS


@kernel
def _on_table(view: State, number: int) -> int:
    """Cards of a number in the play to beat."""
    play = int(view["table"])
    if play == NO_PLAY or number < LOW[play] or number > HIGH[play]:
        return 0
    return int(EACH[play])


@kernel
def _encode_table(view: State, out: Tensor, at: int) -> int:
    play = int(view["table"])
    if play != NO_PLAY:
        size = int(SIZE[play])
        out[at] = size / MOST_COPIES
        out[at + 1] = size * (int(LOW[play]) + int(HIGH[play]) + 2) / 2 / MOST_SUM
    out[at + 2] = largest_set(view) / MOST_COPIES
    out[at + 3] = longest_run(view) / NUMBERS
    at += 4
    one_hot(out[at : at + NUMBERS], int(view["taken"]))
    return at + NUMBERS


@kernel
def _encode_seats(view: State, first: int, out: Tensor, at: int) -> int:
    players = int(view["players"])
    for k in range(players):
        seat = (first + k) % players
        out[at + k] = squashed(int(view["hand_size"][seat]), USUAL)
        out[at + players + k] = int(view["lost"][seat]) / (GAMES * NUMBERS)
        out[at + 2 * players + k] = int(view["took"][seat]) / NUMBERS
    at += 3 * players
    seat_of(out[at : at + players], int(view["seat"]), first)
    at += players
    seat_of(out[at : at + players], int(view["last"]), first)
    at += players
    seats_of(out[at : at + players], int(view["won"]), first)
    at += players
    one_hot(out[at : at + players], int(view["passes"]))
    return at + players


@kernel
def _encode_course(view: State, out: Tensor, at: int) -> int:
    one_hot(out[at : at + OVER + 1], int(view["phase"]))
    at += OVER + 1
    one_hot(out[at : at + GAMES], int(view["game"]))
    at += GAMES
    out[at] = squashed(int(view["set_size"]), USUAL)
    out[at + 1] = int(view["deck_size"]) / CARDS
    out[at + 2] = view["deck_open"]
    out[at + 3] = int(view["turn"]) / int(view["turn_limit"])
    return at + 4


ENCODER = Encoder(planes=planes, encode=encode, past=PAST)
