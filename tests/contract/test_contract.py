"""Every game keeps the contract, at every player count and option."""

import random
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import droptable
from droptable.core.contract import DEALER
from droptable.core.precompile import policy
from droptable.testing import check_game, random_match, variants

EVERY = 19 if policy() == "now" else 101  # plain Python looks at fewer states
TABLES = [(game, count) for game in droptable.games() for count in game.players]
tables = pytest.mark.parametrize(
    ("game", "players"), TABLES, ids=[f"{game.name}-{count}" for game, count in TABLES]
)
all_games = pytest.mark.parametrize("game", droptable.games(), ids=lambda game: game.name)


@tables
def test_random_matches_keep_the_contract(game, players):
    """Random matches of every variant hold all promises of the contract."""
    check_game(game, players, every=EVERY)


@tables
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), garbage=st.text(max_size=12), stop=st.integers(0, 60))
def test_garbage_changes_nothing(game, players, seed, garbage, stop):
    """Words that are no move, from any actor at any moment, are refused and change nothing."""
    *_, state = islice(random_match(game.start(players), random.Random(seed)), stop + 1)
    image = bytes(state)
    for actor in (-2, *range(DEALER, players + 1)):
        allowed = {token for token, _ in state.chance()} if actor == DEALER else state.legal(actor)
        if garbage not in allowed:
            with pytest.raises(droptable.DroptableError):
                state.apply(actor, garbage)
    assert bytes(state) == image


@all_games
def test_compiled_and_plain_rules_are_the_same(game):
    """The same events lead to the same bytes compiled and as plain Python."""
    if policy() == "never":
        pytest.skip("compilation is switched off in this run")
    for players in game.players:
        for options in variants(game):
            record = droptable.play(game, players, seed=players, **options)
            states = game.start(players, **options).array.copy()
            vocabulary = game.vocabulary(record.options)
            for actor, token in record.events[:300]:
                ids = vocabulary.outcome_ids if actor == DEALER else vocabulary.action_ids
                game.plain.apply_at(states, 0, actor, ids[token])
            after = record.state_at(min(300, len(record.events)))
            assert states.tobytes() == after.array.tobytes()


@all_games
def test_a_state_is_small(game):
    """A state fits in 512 bytes; Number Drop for six in 1 KiB."""
    assert game.rules.dtype.itemsize <= (1024 if game.name == "number-drop" else 512)


@all_games
def test_every_rule_has_a_text_and_a_test(game):
    """Each rule number has a section in the rules text, and a named test."""
    from pathlib import Path

    tests = Path(__file__).parents[1] / "games" / f"test_{game.name.replace('-', '_')}.py"
    source = tests.read_text()
    assert game.rule_sections
    for number in game.rule_sections:
        assert f"def test_{number.lower()}_" in source, f"no test is named for {number}"


@all_games
def test_batches_play_like_states(game):
    """A batch offers the moves that the state of the same match has, and refuses others whole."""
    import numpy as np

    generator = np.random.default_rng(5)
    for players in game.players:
        batch = game.batch(8, players, seed=3)
        finished = 0
        for _ in range(200):
            for row in range(2):
                state = game.load(game.pack(batch.states[row : row + 1]))
                seat = int(batch.seats[row])
                assert seat == state.to_act[0]
                assert batch.moves[row, : batch.counts[row]].tolist() == state.legal_ids(seat)
            actions = batch.random_actions(generator)
            before = batch.states.copy()
            wrong = actions.copy()
            wrong[-1] = len(batch.tokens)
            with pytest.raises(droptable.OptionError, match="match 7"):
                batch.step(wrong)
            assert (before == batch.states).all()
            batch.step(actions)
            finished += int(batch.done.sum())
            assert all(won > 0 for won in batch.won[batch.done])
        assert len(batch) == 8 and finished >= 0
