"""What a learner sees of Depot: hand, Storage, table, piles, and what all know of the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.core.tensor import (
    OWN_FIRST,
    Encoder,
    Plane,
    Tensor,
    clockwise,
    members_of,
    one_hot,
    squashed,
    turned,
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
# [number, cards] of all there are of it, which are most of the first number
SHARES = (np.arange(MOST_COPIES + 1) / COPIES[:, None]).astype(np.float32)
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
    first = max(seat, 0)
    at = _encode_steps(view["hands"][first], out, 0)
    at = _encode_steps(view["storage"], out, at)
    at = _encode_piles(view, seat, out, at)
    at = _encode_table(view, out, at)
    at = _encode_seats(view, first, out, at)
    return _encode_course(view, out, at)


@kernel
def _encode_steps(pile: Any, out: Tensor, at: int) -> int:
    """The first n of 13 for each number, of which there are n; four numbers at a time."""
    for start in range(0, NUMBERS, 4):
        bits = 0
        for number in range(4):
            bits |= ((1 << int(pile[start + number])) - 1) << MOST_COPIES * number
        members_of(out[at : at + 4 * MOST_COPIES], bits)
        at += 4 * MOST_COPIES
    return at


@kernel
def _encode_piles(view: State, seat: int, out: Tensor, at: int) -> int:
    players = int(view["players"])
    first = max(seat, 0)
    for k in range(players):
        _encode_shares(view["known"][clockwise(first, k, players)], out[at : at + NUMBERS])
        at += NUMBERS
    _encode_shares(view["discards"], out[at : at + NUMBERS])
    _encode_shares(view["deck"], out[at + NUMBERS : at + 2 * NUMBERS])
    _encode_shares(view["out"], out[at + 2 * NUMBERS : at + 3 * NUMBERS])
    at += 3 * NUMBERS
    play = int(view["table"])
    low, high, each = NUMBERS, -1, 0  # of the play to beat
    if play != NO_PLAY:
        low, high, each = int(LOW[play]), int(HIGH[play]), int(EACH[play])
    rest, table = out[at : at + NUMBERS], out[at + NUMBERS : at + 2 * NUMBERS]
    for number in range(NUMBERS):
        on_table = each if low <= number <= high else 0
        table[number] = SHARES[0, on_table]
        unseen = int(COPIES[number]) - on_table
        unseen -= int(view["storage"][number]) + int(view["hands"][first, number])
        unseen -= int(view["discards"][number]) + int(view["deck"][number])
        unseen -= int(view["out"][number])
        for k in range(1 if seat >= 0 else 0, players):  # the viewer's own are in its hand
            unseen -= int(view["known"][clockwise(first, k, players), number])
        rest[number] = SHARES[number, unseen]
    return at + 2 * NUMBERS


@kernel
def _encode_shares(pile: Any, part: Tensor) -> None:
    for number in range(NUMBERS):
        part[number] = SHARES[number, pile[number]]


@kernel
def _encode_table(view: State, out: Tensor, at: int) -> int:
    play = int(view["table"])
    out[at] = out[at + 1] = 0.0
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
        seat = clockwise(first, k, players)
        out[at + k] = squashed(int(view["hand_size"][seat]), USUAL)
        out[at + players + k] = int(view["lost"][seat]) / (GAMES * NUMBERS)
        out[at + 2 * players + k] = int(view["took"][seat]) / NUMBERS
    at += 3 * players
    course = turned(1 << int(view["seat"]), first, players)
    course |= turned(1 << int(view["last"]), first, players) << players
    course |= turned(int(view["won"]), first, players) << 2 * players
    course |= 1 << (3 * players + int(view["passes"]))
    members_of(out[at : at + 4 * players], course)
    return at + 4 * players


@kernel
def _encode_course(view: State, out: Tensor, at: int) -> int:
    course = 1 << int(view["phase"]) | 1 << (OVER + 1 + int(view["game"]))
    members_of(out[at : at + OVER + 1 + GAMES], course)
    at += OVER + 1 + GAMES
    out[at] = squashed(int(view["set_size"]), USUAL)
    out[at + 1] = int(view["deck_size"]) / CARDS
    out[at + 2] = view["deck_open"]
    out[at + 3] = int(view["turn"]) / int(view["turn_limit"])
    return at + 4


ENCODER = Encoder(planes=planes, encode=encode, past=PAST)
