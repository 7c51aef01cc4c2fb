"""What a learner sees of Drop Site: own cards, the sites, and of the others what is public."""

from __future__ import annotations

from typing import Any

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.core.tensor import (
    OWN_FIRST,
    Encoder,
    Plane,
    Tensor,
    clockwise,
    members_of,
    squashed,
    turned,
)
from droptable.games.drop_site.rules import (
    FULL_DECK,
    HAND,
    MOST_SITES,
    NUMBERS,
    OVER,
    count_of,
    on_sites,
    sites_to_end,
    steps_of,
    top_bit,
)

COPIES = 4  # of every number
CARDS = COPIES * NUMBERS
OF_HAND = (np.arange(HAND + 1) / HAND).astype(np.float32)
PAST = frozenset({"hid_while", "showed", "covered"})  # what seats did, which is left out
OF_DECK = (np.arange(CARDS + 1) / CARDS).astype(np.float32)


def planes(players: int, options: dict[str, Any]) -> list[Plane]:
    """The planes in the order of `encode`."""
    sites = (players + 4, NUMBERS)
    seats = (players,)
    return [
        Plane("hand", (NUMBERS, COPIES), "own cards: the first n of four are 1 if there are n"),
        Plane("reserves", (players, NUMBERS), "own hidden cards of each number, of 4, then the "
              "others', which are 0 until the round is over"),
        Plane("unseen", (NUMBERS,), "cards of each number that may be anywhere, of 4"),
        Plane("sites", sites, "1 for each number on a site, covered ones too; oldest site first"),
        Plane("tops", sites, "the number that a site shows, one-hot"),
        Plane("hand sizes", seats, f"cards in each hand, of 5; {OWN_FIRST}"),
        Plane("reserve sizes", seats, f"cards in each reserve, of 52; {OWN_FIRST}"),
        Plane("totals", seats, f"total t as t / (abs t + `target`); {OWN_FIRST}"),
        Plane("turn", seats, f"who moves, draws or is dealt to, one-hot; {OWN_FIRST}"),
        Plane("starter", seats, f"who starts this round, one-hot; {OWN_FIRST}"),
        Plane("phase", (OVER + 1,), "dealing, first site, drawing, moving or over, one-hot"),
        Plane("deck", (1,), "cards left in the deck, of 52"),
        Plane("rounds", (1,), "finished rounds, as a share of `round_limit`"),
    ]  # fmt: skip


@kernel
def encode(view: State, seat: int, out: Tensor) -> int:
    at = _encode_cards(view, max(seat, 0), out)
    at = _encode_sites(view, out, at)
    return _encode_seats(view, max(seat, 0), out, at)


@kernel
def _encode_cards(view: State, first: int, out: Tensor) -> int:
    players = int(view["players"])
    hand = int(view["hands"][first])
    members_of(out[:CARDS], steps_of(hand))
    at = CARDS
    unseen = FULL_DECK - on_sites(view) - hand
    for k in range(players):
        reserve = int(view["reserves"][clockwise(first, k, players)])
        unseen -= reserve
        _encode_bag(reserve, out[at : at + NUMBERS])
        at += NUMBERS
    _encode_bag(unseen, out[at : at + NUMBERS])
    return at + NUMBERS


@kernel
def _encode_bag(bag: int, part: Tensor) -> None:
    for number in range(NUMBERS):
        part[number] = count_of(bag, number) / COPIES


@kernel
def _encode_sites(view: State, out: Tensor, at: int) -> int:
    """The numbers on each site, then what each shows; four sites at a time."""
    size = sites_to_end(view) * NUMBERS
    for first in range(0, MOST_SITES, 4):
        numbers = tops = 0
        for i in range(4):
            site = int(view["sites"][first + i])
            numbers |= site << NUMBERS * i
            tops |= top_bit(site) << NUMBERS * i
        start, stop = at + first * NUMBERS, at + min((first + 4) * NUMBERS, size)
        members_of(out[start:stop], numbers)
        members_of(out[start + size : stop + size], tops)
    return at + 2 * size


@kernel
def _encode_seats(view: State, first: int, out: Tensor, at: int) -> int:
    players = int(view["players"])
    left = CARDS
    for i in range(sites_to_end(view)):
        left -= count_bits(int(view["sites"][i]))
    for k in range(players):
        seat = clockwise(first, k, players)
        hand = int(view["hand_sizes"][seat])
        reserve = int(view["reserve_sizes"][seat])
        left -= hand + reserve
        out[at + k] = OF_HAND[hand]
        out[at + players + k] = OF_DECK[reserve]
        out[at + 2 * players + k] = squashed(int(view["totals"][seat]), int(view["target"]))
    at += 3 * players
    course = turned(1 << int(view["seat"]), first, players)
    starter = int(view["rounds"]) % players  # DS11
    course |= turned(1 << starter, first, players) << players
    course |= 1 << (2 * players + int(view["phase"]))
    end = at + 2 * players + OVER + 1
    members_of(out[at:end], course)
    out[end] = OF_DECK[left]
    out[end + 1] = int(view["rounds"]) / int(view["round_limit"])
    return end + 2


ENCODER = Encoder(planes=planes, encode=encode, past=PAST)
