"""Our matches, replayed move for move by an independent implementation of the rules."""

import importlib
import random

import pytest

import droptable
from droptable.core.contract import DEALER
from droptable.core.precompile import policy
from droptable.testing import variants

TABLES = [(game, count) for game in droptable.games() for count in game.players]
MOST_EVENTS = 4000 if policy() == "now" else 400


@pytest.mark.parametrize(
    ("game", "players"), TABLES, ids=[f"{game.name}-{count}" for game, count in TABLES]
)
def test_both_implementations_agree_at_every_event(game, players):
    """Actors, legal moves, exact chances, scores and winners agree all along random matches."""
    module = importlib.import_module(f"tests.reference.{game.name.replace('-', '_')}")
    for options in variants(game):
        for seed in range(2):
            lockstep(game.start(players, **options), module.Reference(players, **options), seed)


def lockstep(state, oracle, seed):
    """Play one random match on both."""
    chance = random.Random(seed)
    for _ in range(MOST_EVENTS):
        assert state.to_act == oracle.to_act
        assert dict(state.chance()) == oracle.chance()
        assert state.scores == oracle.scores
        assert state.winners == oracle.winners
        for seat in range(state.players):
            assert set(state.legal(seat)) == oracle.legal(seat)
        if state.over:
            break
        actor = chance.choice(state.to_act)
        if actor == DEALER:
            token = state.deal(chance)
        else:
            token = chance.choice(state.legal(actor))
            state.apply(actor, token)
        oracle.apply(actor, token)
