"""Depot's value net sees only what a seat knows, changes nothing, and has learned."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import droptable
from droptable.bots.search import search
from droptable.core.contract import DEALER
from droptable.core.net import MOST_FEATURES, NOTES
from droptable.core.state import State
from droptable.games.depot.bot import value_net
from droptable.games.depot.bot.value_net import INPUTS, leaf_value, prior, write_inputs
from droptable.games.depot.rules import TAKE

GAME = droptable.game("depot")


def decisions(players: int, seed: int, **options: Any) -> list[State]:
    """The states of a random match in which a seat has a choice."""
    state, chance = GAME.start(players, **options), random.Random(seed)
    states = []
    while not state.over:
        if state.to_act[0] == DEALER:
            state.deal(chance)
        else:
            legal = state.legal(state.to_act[0])
            if len(legal) > 1:
                states.append(state.copy())
            state.apply(state.to_act[0], chance.choice(legal))
    return states


def priors(array: np.ndarray, seat: int, actions: list[int]) -> list[float]:
    """The priors of moves, each with fresh scratch."""
    twin = GAME.compiled.kernels.twin(prior)
    ratings = []
    for action in actions:
        states = np.repeat(array, 5)
        ids, scratch = np.zeros(256, np.int32), np.zeros(1, NOTES)
        ratings.append(twin(states, seat, action, ids, scratch[0]))
        assert states[1].tobytes() == array[0].tobytes(), "the state is looked at, not changed"
    return ratings


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_prior_knows_what_its_seat_knows(players):
    """Whatever the others hold, a seat's moves look the same to it, and are chances."""
    for number, state in enumerate(decisions(players, players)[::4]):
        seat = state.to_act[0]
        view = state.view(seat)
        ratings = priors(state.array, seat, view.legal_ids(seat))
        other = view.determinize(seed=number)
        assert ratings == priors(other.array, seat, view.legal_ids(seat))
        assert all(0.0 <= chance <= 1.0 for chance in ratings)


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("options", [{}, {"games": 3}, {"games": 3, "all_cards": True}])
def test_every_input_is_one_of_the_nets(players, options):
    """No state gives an input that the net does not have, an input twice, or too many inputs."""
    for state in decisions(players, 7 * players, **options)[::3]:
        for seat in range(players):
            scratch = np.zeros(1, NOTES)[0]
            write_inputs(state.array[0], seat, scratch)
            inputs = scratch["features"][: scratch["count"]].tolist()
            assert len(inputs) <= MOST_FEATURES
            assert len(set(inputs)) == len(inputs)
            assert min(inputs) >= 0 and max(inputs) < INPUTS


@pytest.mark.parametrize("games", [1, 3])
def test_going_out_is_a_victory(games):
    """The last card wins, and nothing looks better; also when another game follows."""
    state = decisions(3, 1, games=games)[0]
    seat = state.to_act[0]
    state.fields["hands"][seat] = [0, 0, 0, 0, 0, 0, 0, 1]
    state.fields["hand_size"][seat] = 1
    moves = state.view(seat).legal_ids(seat)
    ratings = dict(zip(state.legal(seat), priors(state.array, seat, moves), strict=True))
    assert ratings["play 8"] == 1.0 == max(ratings.values())


def test_a_game_that_its_limit_ends_is_no_victory():
    """The last turn of a game (DP10) only wins it by the last card."""
    state = decisions(3, 1, games=3)[0]
    seat = state.to_act[0]
    state.fields["turn"] = state.fields["turn_limit"] - 1
    plays = [a for a in state.view(seat).legal_ids(seat) if a < TAKE]
    assert plays and set(priors(state.array, seat, plays)) == {0.0}


def test_fewer_cards_are_better():
    """It has learned: with one card left instead of nine, a seat's chances are far better."""
    twin = GAME.compiled.kernels.twin(leaf_value)
    values, scratch = np.zeros(8), np.zeros(1, NOTES)
    chances = []
    for hand in ([0, 0, 0, 0, 0, 0, 0, 1], [3, 0, 2, 0, 2, 0, 2, 0]):
        state = decisions(3, 2)[0]
        state.fields["hands"][0] = hand
        state.fields["hand_size"][0] = sum(hand)
        assert twin(state.array[0], 0, scratch[0], values)
        assert values[:3].sum() == pytest.approx(1.0)
        chances.append(values[0])
    assert chances[0] > chances[1] + 0.1


@pytest.mark.parametrize("options", [{"games": 3}, {"turn_limit": 100}])
def test_there_is_no_leaf_value_where_more_counts_than_one_victory(options):
    """Lost points of three games, and a game's limit, are beyond what the net has learned."""
    twin = GAME.compiled.kernels.twin(leaf_value)
    for state in decisions(3, 3, **options):
        soon = state.fields["turn"] + value_net.SOON > state.fields["turn_limit"]
        if soon or "games" in options:
            assert not twin(state.array[0], 0, np.zeros(1, NOTES)[0], np.zeros(8))


def test_search_of_three_games_plays_on_to_their_end():
    """Where no leaf value is told, rollouts end by the rules: shares add up."""
    state = decisions(4, 5, games=3)[3]
    findings = search(state.view(state.to_act[0]), iterations=60, seed=1, cores=1)
    for move in findings.moves:
        if move.visits:
            assert sum(move.shares) == pytest.approx(1.0)
