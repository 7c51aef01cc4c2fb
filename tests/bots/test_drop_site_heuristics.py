"""What bots of Drop Site see at a glance."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest

from droptable.bots import make_bot
from droptable.core.chance import generators
from droptable.core.contract import DEALER
from droptable.core.state import State
from droptable.games.drop_site import GAME, rules, words
from droptable.games.drop_site.bot import beliefs, heuristics, value_net

VARIANTS: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {}),
    (4, {}),
    (2, {"target": 10, "round_limit": 1, "points": (1,) * 13}),
    (4, {"target": 500, "round_limit": 1000, "points": (50,) * 13}),
]
variants = pytest.mark.parametrize(("players", "options"), VARIANTS)


def bag(numbers: Iterable[int]) -> int:
    return sum(rules.one(number) for number in numbers)


def position(
    sites: Sequence[Sequence[int]],
    hands: Sequence[Sequence[int]],
    reserves: Sequence[Sequence[int]],
) -> State:
    """A round with these cards, all others in the deck; seat 0 is to move."""
    state = GAME.start(len(hands))
    fields = state.fields
    fields["phase"] = rules.MOVE
    rest = rules.FULL_DECK - bag(number for site in sites for number in site)
    for i, site in enumerate(sites):
        fields["sites"][i] = sum(1 << number for number in site)
    for seat, (hand, reserve) in enumerate(zip(hands, reserves, strict=True)):
        rest -= bag(hand) + bag(reserve)
        fields["hands"][seat], fields["hand_sizes"][seat] = bag(hand), len(hand)
        fields["reserves"][seat], fields["reserve_sizes"][seat] = bag(reserve), len(reserve)
    fields["deck"] = rest
    return GAME.load(bytes(state))


def positions(players: int, seed: int, count: int, **options: Any) -> list[State]:
    """Moments of random matches at which a seat is to move."""
    dice = random.Random(seed)
    states: list[State] = []
    while len(states) < count:
        state = GAME.start(players, **options)
        while not state.over and len(states) < count:
            actor = state.to_act[0]
            if actor == DEALER:
                state.deal(dice)
                continue
            if dice.random() < 0.2:
                states.append(state.copy())
            state.apply(actor, dice.choice(state.legal(actor)))
    return states


def greedy(state: State) -> str:
    return make_bot("greedy", seed=1).choose(state.view(0))


def shares(state: State, estimate: Any = heuristics.evaluate) -> list[float]:
    values = np.zeros(8)
    estimate(state.fields, np.zeros(8, np.int32), values)
    return [float(value) for value in values[: state.players]]


def test_greedy_ends_the_round_with_the_number_it_has_hidden() -> None:
    """The sixth site pays for three hidden twelves, and nobody can cover it any more."""
    state = position(
        [[0], [1], [2], [3], [4]], [[5, 7, 9, 10, 12], [5, 6, 6, 8, 9]], [[12, 12, 12], [8]]
    )
    assert greedy(state) == "create 12"


def test_greedy_hides_what_a_site_shows() -> None:
    """Of five cards it hides the twelve: a site shows it, and it pays most."""
    hands = [[3, 6, 9, 10, 12], [6, 6, 8, 8, 10]]
    state = position([[12], [0], [1]], hands, [[0], [1]])
    assert greedy(state) == "hide 12"


def test_greedy_does_not_cover_what_it_has_hidden() -> None:
    """Of its moves, placing a card on the site that pays for its reserve is the worst."""
    state = position([[11]], [[4, 5, 6, 7, 8], [0, 1, 2, 3, 9]], [[11, 11, 11], [0]])
    ratings = {
        token: heuristics.heuristic(state.fields, 0, action)
        for action, token in zip(state.legal_ids(0), state.legal(0), strict=True)
    }
    worst = sorted(ratings, key=ratings.__getitem__)[:5]
    assert {token.split()[0] for token in worst} == {"place"}


def test_greedy_does_not_end_a_round_that_costs_it_points() -> None:
    """With a reserve that matches nothing it goes on rather than create the last site."""
    state = position(
        [[0], [1], [2], [3], [4]], [[5, 6, 7, 8, 10], [5, 6, 7, 8, 9]], [[11, 11, 12], [0, 1]]
    )
    assert not greedy(state).startswith("create")


def test_a_bot_that_searches_ends_a_round_that_wins_the_match() -> None:
    """Search sees that creating the last site with its hidden number wins at once."""
    state = position(
        [[0], [1], [2], [3], [4]], [[5, 7, 9, 10, 12], [5, 6, 6, 8, 9]], [[12, 12, 12], [8]]
    )
    state.fields["totals"][:2] = 90
    assert make_bot("search:600", seed=2, cores=1).choose(state.view(0)) == "create 12"


@variants
def test_the_heuristic_needs_only_what_a_seat_knows(players: int, options: dict[str, Any]) -> None:
    """In its view, and in every world that looks the same to it, a seat rates its moves alike."""
    for state in positions(players, 1, 6, **options):
        seat = state.to_act[0]
        view = state.view(seat)
        for action in state.legal_ids(seat):
            rating = heuristics.heuristic(state.fields, seat, action)
            for other in (view, view.determinize(3), view.determinize(4)):
                assert heuristics.heuristic(other.fields, seat, action) == rating


@variants
def test_heuristic_and_evaluation_are_the_same_compiled_and_plain(
    players: int, options: dict[str, Any]
) -> None:
    """Both worlds rate alike (up to the last bits), and within reason."""
    twin = GAME.compiled.kernels.twin
    rate, judge = twin(heuristics.heuristic), twin(heuristics.evaluate)
    for state in positions(players, 2, 6, **options):
        seat = state.to_act[0]
        for action in state.legal_ids(seat):
            rating = heuristics.heuristic(state.fields, seat, action)
            assert abs(rating) < 100
            assert rate(state.fields, seat, action) == pytest.approx(rating, abs=1e-12)
        assert shares(state, judge) == pytest.approx(shares(state), abs=1e-12)


@variants
def test_rollout_moves_are_legal_and_the_same_compiled_and_plain(
    players: int, options: dict[str, Any]
) -> None:
    """The rollout policy chooses the same legal moves in both worlds."""
    plain = GAME.plain.kernels.twin(value_net.rollout_move)
    twin = GAME.compiled.kernels.twin(value_net.rollout_move)
    for state in positions(players, 3, 4, **options):
        seat = state.to_act[0]
        ids = np.array(state.legal_ids(seat), np.int32)
        move = plain(state.fields, seat, ids, len(ids), generators(1, 5))
        assert move in ids
        assert twin(state.fields, seat, ids, len(ids), generators(1, 5)) == move


def values_of_moves(state: Any) -> dict[int, float]:
    """What each legal move of the seat that is to act promises."""
    seat = state.to_act[0]
    shown = heuristics.shown_bag(state.fields)
    return {
        action: value_net.value_of_move(state.fields, seat, action, shown)
        for action in state.legal_ids(seat)
    }


@pytest.mark.parametrize("players", GAME.players)
def test_the_value_needs_only_what_a_seat_knows(players: int) -> None:
    """In its view, and in every world that looks the same to it, a seat expects the same; compiled
    it does, too, and whether the move is foreseen or made."""
    twin = GAME.compiled.kernels.twin(value_net.value_of_move)
    for state in positions(players, 8, 6):
        seat = state.to_act[0]
        values = values_of_moves(state)
        view = state.view(seat)
        assert values_of_moves(view.determinize(3)) == values
        assert values_of_moves(view.determinize(4)) == values
        shown = heuristics.shown_bag(state.fields)
        for action, token in zip(state.legal_ids(seat), state.legal(seat), strict=True):
            compiled = twin(view.array[0], seat, action, shown)
            assert compiled == pytest.approx(values[action], abs=1e-5)
            after = state.copy()
            after.apply(seat, token)
            if not rules.is_scored(after.fields):
                seen = value_net.seen_now(after.fields, seat)
                made = value_net.learned_value(after.fields, seen)
                assert made == pytest.approx(values[action], abs=1e-9)


@variants
def test_leaf_values_are_shares(players: int, options: dict[str, Any]) -> None:
    """After a turn, each seat's share is between 0 and 1, and all together are 1; there are none
    where cards have other points."""
    for state in positions(players, 10, 6, **options):
        seat = state.to_act[0]
        state.apply(seat, state.legal(seat)[-1])
        values = np.zeros(8)
        told = value_net.leaf_value(state.fields, seat, None, values)
        assert told == ("points" not in options and not rules.is_scored(state.fields))
        if told:
            assert all(0 <= share <= 1 for share in values)
            assert sum(values) == pytest.approx(1)


def test_a_good_reserve_promises_more_than_a_bad_one() -> None:
    """Of two seats, the one that has hidden what sites show expects more points."""
    hands = [[5, 6, 7, 8, 9], [5, 6, 7, 8, 9]]
    sites = [[0], [1], [12], [11]]
    good, bad = (position(sites, hands, [reserve, [3]]) for reserve in ([11, 12], [4, 10]))
    assert max(values_of_moves(good).values()) > max(values_of_moves(bad).values()) + 0.5


@variants
def test_estimates_are_shares_of_one_victory(players: int, options: dict[str, Any]) -> None:
    """Each seat's share is between 0 and 1, and all together are 1, whenever one looks."""
    dice = random.Random(4)
    state = GAME.start(players, **options | {"round_limit": min(options.get("round_limit", 3), 3)})
    while not state.over:
        actor = state.to_act[0]
        if actor == DEALER:
            state.deal(dice)
        else:
            state.apply(actor, dice.choice(state.legal(actor)))
        expected = shares(state)
        assert all(0 <= share <= 1 for share in expected)
        assert sum(expected) == pytest.approx(1)
    assert [seat for seat in range(players) if expected[seat]] == list(state.winners)


def test_a_lead_counts_more_when_the_target_is_near() -> None:
    """Ten points ahead are worth more at 95 than at 10, and a good reserve more than a bad one."""
    state = GAME.start(2)
    state.fields["totals"][:2] = 10, 0
    early = shares(state)[0]
    state.fields["totals"][:2] = 95, 85
    assert 0.5 < early < shares(state)[0] < 1
    hands = [[5, 6, 7, 8, 9], [5, 6, 7, 8, 9]]
    good, bad = shares(position([[0], [1], [2], [3], [4]], hands, [[0, 1, 2], [10, 11, 12]]))
    assert good > 0.5 > bad


@variants
def test_belief_keeps_the_view_and_all_cards(players: int, options: dict[str, Any]) -> None:
    """A likely world looks to the seat like the possible one; compiled and plain make the same."""
    twin = GAME.compiled.kernels.twin(beliefs.resample_belief)
    for state in positions(players, 6, 8, **options):
        seat = state.to_act[0]
        view = state.view(seat)
        world = view.determinize(7)
        copy = world.copy()
        beliefs.resample_belief(world.fields, seat, generators(1, 8))
        twin(copy.fields, seat, generators(1, 8))
        assert world == copy
        assert world.view(seat) == view
        fields = world.fields
        cards = int(fields["deck"]) + rules.on_sites(fields)
        cards += int(fields["hands"].sum()) + int(fields["reserves"].sum())
        assert cards == rules.FULL_DECK


def test_belief_remembers_what_sites_showed_when_a_card_was_hidden() -> None:
    """A seat that hid three cards while a site showed a 12 has probably hidden one; one that
    covered a 12 has hardly."""
    resample = GAME.engine.kernels.twin(beliefs.resample_belief)
    hands, reserves = [[1, 2, 4, 5, 8], [3, 3, 7, 9, 10]], [[0], [6, 8, 12]]
    hid, covered = (
        position([[12], [7]], hands, reserves),
        position([[11, 12], [7]], hands, reserves),
    )
    hid.fields["hid_while"][1] = bag([12, 12, 12, 7, 7, 7])
    covered.fields["covered"][1] = bag([12])
    found = []
    for state in (hid, covered):
        twelves = 0
        for seed in range(200):
            world = state.view(0).determinize(seed)
            resample(world.fields, 0, generators(1, seed))
            twelves += rules.count_of(int(world.fields["reserves"][1]), 12)
        found.append(twelves)
    assert found[0] > 2 * found[1]


@pytest.mark.parametrize("players", GAME.players)
def test_belief_prefers_what_sites_show(players: int) -> None:
    """In likely worlds the others have hidden many more such cards than in possible ones."""
    resample = GAME.engine.kernels.twin(beliefs.resample_belief)
    possible = likely = 0
    for state in positions(players, 9, 10):
        seat = state.to_act[0]
        for seed in range(15):
            world = state.view(seat).determinize(seed)
            possible += hidden_and_shown(world, seat)
            resample(world.fields, seat, generators(1, seed))
            likely += hidden_and_shown(world, seat)
    assert likely > 1.4 * possible


def hidden_and_shown(state: State, seat: int) -> int:
    """How many cards in the others' reserves have a number that a site shows."""
    shown = rules.tops(state.fields)
    return sum(
        (shown >> number) & 1
        for other in range(state.players)
        if other != seat
        for number in words.cards(state.fields["reserves"][other])
    )
