"""What a learner sees of Drop Site: own cards, the sites, and of the others what is public."""

from __future__ import annotations

from typing import Any

from droptable.core.compile import kernel
from droptable.core.contract import State
from droptable.core.tensor import (
    OWN_FIRST,
    Encoder,
    Plane,
    Tensor,
    members_of,
    one_hot,
    seat_of,
    squashed,
    steps_up_to,
)
from droptable.games.drop_site.rules import (
    FULL_DECK,
    HAND,
    NUMBERS,
    OVER,
    bag_size,
    count_of,
    on_sites,
    sites_to_end,
    top_bit,
)

COPIES = 4  # of every number
CARDS = COPIES * NUMBERS


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
    at = 0
    unseen = FULL_DECK - on_sites(view) - int(view["hands"][first])
    for number in range(NUMBERS):
        steps_up_to(out[at : at + COPIES], count_of(int(view["hands"][first]), number))
        at += COPIES
    for k in range(players):
        reserve = int(view["reserves"][(first + k) % players])
        unseen -= reserve
        at = _encode_bag(reserve, out, at)
    return _encode_bag(unseen, out, at)


@kernel
def _encode_bag(bag: int, out: Tensor, at: int) -> int:
    for number in range(NUMBERS):
        out[at + number] = count_of(bag, number) / COPIES
    return at + NUMBERS


@kernel
def _encode_sites(view: State, out: Tensor, at: int) -> int:
    sites = sites_to_end(view)
    for i in range(sites):
        members_of(out[at : at + NUMBERS], int(view["sites"][i]))
        at += NUMBERS
    for i in range(sites):
        members_of(out[at : at + NUMBERS], top_bit(int(view["sites"][i])))
        at += NUMBERS
    return at


@kernel
def _encode_seats(view: State, first: int, out: Tensor, at: int) -> int:
    players = int(view["players"])
    left = CARDS - bag_size(on_sites(view))
    for k in range(players):
        seat = (first + k) % players
        hand = int(view["hand_sizes"][seat])
        reserve = int(view["reserve_sizes"][seat])
        left -= hand + reserve
        out[at + k] = hand / HAND
        out[at + players + k] = reserve / CARDS
        out[at + 2 * players + k] = squashed(int(view["totals"][seat]), int(view["target"]))
    at += 3 * players
    seat_of(out[at : at + players], int(view["seat"]), first)
    at += players
    seat_of(out[at : at + players], int(view["rounds"]), first)  # DS11
    at += players
    one_hot(out[at : at + OVER + 1], int(view["phase"]))
    at += OVER + 1
    out[at] = left / CARDS
    out[at + 1] = int(view["rounds"]) / int(view["round_limit"])
    return at + 2


ENCODER = Encoder(planes=planes, encode=encode)
