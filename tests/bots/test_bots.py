"""Bots of every kind play every game, see only what their seat may see, and repeat themselves."""

import random
from dataclasses import replace

import pytest

import droptable
from droptable.bots import make_bot, search
from droptable.core.contract import DEALER

TABLES = [(game, count) for game in droptable.games() for count in game.players]
tables = pytest.mark.parametrize(
    ("game", "players"), TABLES, ids=[f"{game.name}-{count}" for game, count in TABLES]
)


def middle(game, players, seed, moves=25):
    """A position in the middle of a random match where the seat to move has a choice."""
    chance = random.Random(seed)
    state = game.start(players)
    last = state.copy()
    for _ in range(3000):
        if state.over:
            return last
        actor = state.to_act[0]
        if actor == DEALER:
            state.deal(chance)
            continue
        if len(state.legal(actor)) > 1:
            last = state.copy()
            moves -= 1
            if moves <= 0:
                return last
        state.apply(actor, chance.choice(state.legal(actor)))
    return last


@tables
def test_every_bot_plays_every_table(game, players):
    """A table of greedy, search and random bots comes to an end."""
    names = (["greedy", "search:20", "random"] * 2)[:players]
    short = {"drop-site": {"round_limit": 1}, "depot": {"turn_limit": 100}}.get(game.name, {})
    record = droptable.play(game, players, bots=names, seed=3, **short)
    assert record.final.over


@tables
@pytest.mark.parametrize("name", ["greedy", "search:60"])
def test_bots_cannot_tell_worlds_apart_that_look_alike(game, players, name):
    """Two states that look the same to a seat get the same choice under the same seed."""
    for seed in range(3):
        state = middle(game, players, seed)
        seat = state.to_act[0]
        view = state.view(seat)
        twin = view.determinize(seed + 50).view(seat)
        choice = make_bot(name, seed=9, cores=2).choose(view)
        assert make_bot(name, seed=9, cores=2).choose(twin) == choice
        assert choice in view.legal


def test_search_is_reproducible_by_seed_and_iterations():
    """The same seed and iterations give the same findings, on one core and on two."""
    state = middle(droptable.game("drop-or-pop"), 3, 1)
    view = state.view(state.to_act[0])
    for cores in (1, 2):
        findings = search(view, iterations=500, seed=4, cores=cores)
        assert findings == search(view, iterations=500, seed=4, cores=cores)
        assert findings.iterations == 500
        assert sum(move.visits for move in findings.moves) == 500


def test_search_finds_the_winning_move():
    """With three in a row and the fourth column named, dropping wins at once."""
    state = droptable.game("drop-or-pop").start(3)
    counters = state.fields["counters"]
    counters[0] = 1 | 1 << 8 | 1 << 16
    state.apply(-1, "green")
    for bot in ("greedy", "search:200"):
        assert make_bot(bot, seed=1).choose(state.view(0)) == "drop"
    findings = search(state.view(0), iterations=2000, seed=1)
    assert findings.rating("drop").shares[0] == 1.0


def test_search_compares_only_what_it_is_asked_to():
    """`only` restricts the moves at the root; a move that is not legal is refused."""
    state = droptable.game("drop-or-pop").start(3)
    state.apply(-1, "green")
    findings = search(state.view(0), iterations=100, seed=1, only=["ignore"])
    assert [move.token for move in findings.moves] == ["ignore"]
    with pytest.raises(droptable.DroptableError, match="none of"):
        search(state.view(0), iterations=10, only=["pop"])
    with pytest.raises(droptable.DroptableError, match="not this view's turn"):
        search(state.view(1), iterations=10)


def test_a_full_tree_goes_on_without_growing(monkeypatch):
    """Memory is bounded: with room for few nodes the search still answers."""
    game = droptable.game("drop-or-pop")
    small = replace(game.bot, search=replace(game.bot.search, max_nodes=8))
    monkeypatch.setattr(game, "bot", small)
    state = game.start(3)
    state.apply(-1, "green")
    findings = search(state.view(0), iterations=500, seed=1, cores=1)
    assert findings.best.token in state.legal(0)
    assert findings.iterations == 500


@pytest.mark.parametrize("name", ["deep", "search:", "search:0", "search:-1s", "search:1m", ""])
def test_wrong_names_are_refused(name):
    """A bot that does not exist is named, with those that do."""
    with pytest.raises(droptable.OptionError, match="there is no bot"):
        make_bot(name)
