"""Search guided by a net: any game, what a seat can know and no more, the same in both worlds."""

import random

import numpy as np
import pytest

import droptable
from droptable.bots.checkpoint import Misfit, Network, write_network
from droptable.bots.guided_search import GuidedBot, guided_name, joined, new_guide
from droptable.bots.guided_tree import decide, improve_policy
from droptable.bots.policy_net import packed, run_net, write_shares
from droptable.bots.registry import make_bot
from droptable.bots.tree import ROOT, VIEW
from droptable.core.contract import DEALER
from droptable.core.errors import OptionError
from droptable.lab.training.learner import new_layers
from tests.lab.little_games import NIM_GAME, TIC_TAC_TOE_GAME

GAMES = [game.name for game in droptable.games()]


def net_for(game, players, seed=1, hidden=(6,), loud=1.0):
    """Layers of a net that has opinions of its own, made at random."""
    view = game.start(players).view(0)
    sizes = [len(view.tensor()), *hidden, len(game.vocabulary(view.options).actions) + players]
    layers = new_layers(sizes, seed)
    chance = np.random.default_rng(seed)
    weight, bias = layers[-1]
    layers[-1] = chance.normal(0, loud, weight.shape).astype(np.float32), bias
    return layers


def written(path, game, players, **texts):
    """The file of such a net."""
    *hidden, (weight, bias) = net_for(game, players)
    actions = len(bias) - players
    last, value = (weight[:actions], bias[:actions]), (weight[actions:], bias[actions:])
    write_network(path, [*hidden, last], game, players, value=value, **texts)
    return path


def some_decision(game, players, moves, seed=1):
    """A state in which somebody has a choice, after some random moves."""
    state = game.start(players)
    chance = random.Random(seed)
    while not state.over:
        actor = state.to_act[0]
        if actor == DEALER:
            state.deal(chance)
            continue
        legal = state.legal(actor)
        if moves <= 0 and len(legal) > 1:
            return state
        state.apply(actor, chance.choice(legal))
        moves -= 1
    raise AssertionError("over")


def test_the_kernel_is_the_network():
    """It gives what NumPy gives for the same layers, whichever of the nets is asked."""
    game = droptable.game("drop-or-pop")
    nets = [net_for(game, 3, seed, (9, 5)) for seed in (1, 2)]
    net = packed(nets)
    tensor = some_decision(game, 3, 7).view(0).tensor() - np.float32(0.1)  # also below zero
    for which, layers in enumerate(nets):
        run_net(net, which, tensor)
        expected = Network(tuple(layers), game.name, 3, "relu")(tensor)
        assert np.allclose(net.units[-1, : len(expected)], expected, atol=1e-5)


def test_shares_are_told_from_the_viewer():
    """The first output is the viewer's own share, the next one that of the seat on its left."""
    net = packed([[(np.zeros((4, 2), np.float32), np.array([0, 3, 2, 1], np.float32))]])
    run_net(net, 0, np.zeros(2, np.float32))
    own, left, right = np.exp([3, 2, 1]) / np.exp([3, 2, 1]).sum()
    for seat, expected in (
        (0, [own, left, right]),
        (1, [right, own, left]),
        (2, [left, right, own]),
    ):
        shares = np.zeros(8)
        write_shares(net, seat, 3, shares)
        assert np.allclose(shares[:3], expected, atol=1e-6)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_and_every_number_of_players(name):
    """A legal move comes out, and the improved policy is one of the legal moves."""
    game = droptable.game(name)
    for players in game.players:
        state = some_decision(game, players, 5)
        seat = state.to_act[0]
        view = state.view(seat)
        tree, guide = new_guide(game, players, view.options, [net_for(game, players)])
        tree.states[VIEW] = view.array[0]
        twin = game.plain.kernels.twin
        best = twin(decide)(tree, guide, seat, 6, 1.0)
        count = len(view.legal)
        assert 0 <= best < count
        assert tree.nodes[1 : count + 1]["event"].tolist() == view.legal_ids(seat)
        assert tree.nodes[ROOT]["visits"] == tree.nodes[1 : count + 1]["visits"].sum() >= 6
        twin(improve_policy)(tree, guide, seat, count)
        assert np.isclose(guide.policy[:count].sum(), 1) and (guide.policy[:count] >= 0).all()


@pytest.mark.parametrize("name", ["drop-site", "depot"])
def test_only_what_the_seat_knows_decides(name):
    """In all worlds that look the same to the seat, the same search finds the same."""
    game = droptable.game(name)
    state = some_decision(game, 3, 9)
    seat = state.to_act[0]
    found = set()
    for seed in range(3):
        world = state.view(seat).determinize(seed)
        view = world.view(seat)
        tree, guide = new_guide(game, 3, view.options, [net_for(game, 3)])
        tree.states[VIEW] = view.array[0]
        game.plain.kernels.twin(decide)(tree, guide, seat, 8, 0.0)
        found.add(tree.nodes[1 : len(view.legal) + 1]["total"].tobytes())
    assert len(found) == 1


def test_both_worlds_find_the_same():
    """Machine code and plain Python visit the same nodes as often."""
    game = NIM_GAME
    visits = []
    for engine in (game.plain, game.compiled):
        view = game.start(2).view(0)
        tree, guide = new_guide(game, 2, view.options, [net_for(game, 2)])
        tree.states[VIEW] = view.array[0]
        best = engine.kernels.twin(decide)(tree, guide, 0, 40, 1.0)
        nodes = tree.nodes[: int(tree.search[0]["size"])]
        visits.append((best, nodes["visits"].tolist(), np.round(nodes["total"], 4).tolist()))
    assert visits[0] == visits[1]


def test_search_finds_what_the_net_does_not_know():
    """Next to the end, results count, however wrong the net is."""
    state = TIC_TAC_TOE_GAME.start(2)
    for actor, cell in ((0, 1), (1, 4), (0, 2), (1, 5)):  # both have two in a row
        state.apply(actor, f"mark {cell}")
    view = state.view(0)
    tree, guide = new_guide(TIC_TAC_TOE_GAME, 2, {}, [net_for(TIC_TAC_TOE_GAME, 2, loud=0.3)])
    tree.states[VIEW] = view.array[0]
    best = TIC_TAC_TOE_GAME.plain.kernels.twin(decide)(tree, guide, 0, 60, 0.0)
    assert view.legal[best] == "mark 3"


def test_names():
    """A search's limit and a file make the name; what else looks like it is no such bot."""
    assert guided_name("search:500@a/net.npz").groups() == (None, "500", "a/net.npz")
    assert guided_name("search:0.5s@net.safetensors").groups() == ("0.5", None, "net.safetensors")
    for name in ("search:500", "net.npz", "search:0@net.npz", "search:5@net.txt"):
        assert guided_name(name) is None


def test_a_file_is_a_bot(tmp_path):
    """It plays by iterations and by time, values its moves, and fits its game only."""
    game = droptable.game("drop-or-pop")
    file = written(tmp_path / "net.npz", game, 3)
    view = some_decision(game, 3, 4).view
    state = some_decision(game, 3, 4)
    view = state.view(state.to_act[0])
    bot = make_bot(f"search:40@{file}", seed=1)
    assert bot.ask(view) == make_bot(f"search:40@{file}", seed=1).ask(view)
    assert make_bot(f"search:0.05s@{file}").ask(view) in view.legal
    assert set(bot.values(view)) == set(view.legal)
    assert make_bot(str(file)).ask(view) in view.legal  # without search
    with pytest.raises(Misfit, match="is a network for 3 players, not for 4"):
        make_bot(f"search:40@{file}").choose(game.start(4).view(0))
    with pytest.raises(Misfit, match="is a network for drop-or-pop, not for drop"):
        make_bot(f"search:40@{file}").choose(droptable.game("drop").start().view(0))


def test_a_net_without_value_cannot_guide(tmp_path):
    """It is told what is missing, as are other activations and shares of other seats."""
    game = droptable.game("drop-or-pop")
    *hidden, (weight, bias) = net_for(game, 3)
    write_network(tmp_path / "policy.npz", [*hidden, (weight[:-3], bias[:-3])], game, 3)
    with pytest.raises(OptionError, match=r"has no value.weight and value.bias"):
        make_bot(f"search:5@{tmp_path}/policy.npz")
    with pytest.raises(OptionError, match="has the activation 'tanh'; search needs 'relu'"):
        make_bot(f"search:5@{written(tmp_path / 'tanh.npz', game, 3, activation='tanh')}")
    write_network(
        tmp_path / "two.npz", [*hidden, (weight[:-3], bias[:-3])], game, 3,
        value=(weight[-2:], bias[-2:]),
    )  # fmt: skip
    with pytest.raises(OptionError, match="tells the shares of 2 seats; expected 3"):
        GuidedBot(tmp_path / "two.npz", iterations=5).choose(some_decision(game, 3, 4).view(0))
    write_network(
        tmp_path / "odd.npz", [*hidden, (weight[:-3], bias[:-3])], game, 3,
        value=(weight[-3:, :2], bias[-3:]),
    )  # fmt: skip
    with pytest.raises(OptionError, match="layer value takes 2 numbers; it is given 6"):
        make_bot(f"search:5@{tmp_path}/odd.npz")


def test_joined_is_one_layer():
    """The last layer gives the actions' logits and then the seats'."""
    parts = (np.ones((2, 4), np.float32), np.ones(2, np.float32))
    value = (np.zeros((3, 4), np.float32), np.zeros(3, np.float32))
    weight, bias = joined(Network((parts,), "drop", 3, "relu", value), "net.npz")[-1]
    assert weight.sum(axis=1).tolist() == [4, 4, 0, 0, 0] and bias.tolist() == [1, 1, 0, 0, 0]
