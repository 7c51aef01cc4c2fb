"""The games in OpenSpiel: its own checks, what seats may know, and its algorithms on them."""

# ruff: noqa: ARG001, ARG005, E402
import random
from fractions import Fraction

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import rl_environment
from open_spiel.python.algorithms import (
    cfr,
    exploitability,
    generate_playthrough,
    ismcts,
    mcts,
    outcome_sampling_mccfr,
    tabular_qlearner,
)

import droptable
from droptable.core.compile import kernel
from droptable.core.contract import Rules
from droptable.core.errors import IllegalMove, OptionError
from droptable.core.game import Game
from droptable.core.words import Words
from droptable.envs import openspiel

SHORT = {  # variants whose matches are short
    "drop-site": "round_limit=1",
    "drop": "size=5,pieces=8",
    "depot": "turn_limit=100",
    "drop-or-pop": "turn_limit=50",
    "number-drop": "order=together",
}
TABLES = [(game.name, players) for game in droptable.games() for players in game.players]
QUICK = [table for table in TABLES if table[0] != "number-drop" or table[1] < 3]


def load(name, players):
    """A short variant of a game."""
    return pyspiel.load_game(f"python_{name.replace('-', '_')}(players={players},{SHORT[name]})")


def walk(game, seed):
    """All states of a random match, one after another."""
    chance = random.Random(seed)
    state = game.new_initial_state()
    yield state
    while not state.is_terminal():
        state.apply_action(one_of(state, chance))
        yield state


def one_of(state, chance):
    """A random action, or an outcome of the dealer with its probability."""
    if state.is_chance_node():
        outcomes, shares = zip(*state.chance_outcomes(), strict=True)
        return chance.choices(outcomes, shares)[0]
    return chance.choice(state.legal_actions())


def middle(game, seed, moves=6):
    """A state some moves into a match, where a seat has a choice."""
    for number, state in enumerate(walk(game, seed)):
        if number >= moves and state.is_player_node() and len(state.legal_actions()) > 1:
            return state.clone()
    raise AssertionError("a short match")


# -- OpenSpiel's own checks -----------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), QUICK)
def test_openspiel_simulates_random_matches(name, players):
    """OpenSpiel's check of a whole API finds nothing wrong, at every node of a random match."""
    pyspiel.random_sim_test(load(name, players), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", SHORT)
def test_playthroughs_can_be_generated(name):
    """OpenSpiel can write down the whole API, node by node, of a match."""
    text = str(load(name, droptable.game(name).players[0]))
    text = generate_playthrough.playthrough(text, action_sequence=[], seed=3)
    assert "InformationStateString(0)" in text and "ObservationTensor(0)" in text
    assert "IsTerminal() = True" in text


def test_playthroughs_can_be_repeated():
    """The same actions give the same playthrough."""
    text = str(load("drop-site", 2))
    first, again = (
        generate_playthrough.playthrough(text, action_sequence=[], seed=3) for _ in range(2)
    )
    assert first == again


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_matches_are_those_of_the_rules(name, players):
    """Actors, legal moves, chances and results are those of `State`, the lowest seat first."""
    game = load(name, players)
    ours = game.variant.game.start(players, **game.variant.options)
    theirs = game.new_initial_state()
    chance = random.Random(players)
    while not theirs.is_terminal():
        actor = theirs.current_player()
        assert actor == ours.to_act[0]
        if actor < 0:
            shares = {theirs.action_to_string(a): p for a, p in theirs.chance_outcomes()}
            assert shares == {token: float(share) for token, share in ours.chance()}
        else:
            assert [theirs.action_to_string(a) for a in theirs.legal_actions()] == ours.legal(actor)
        action = one_of(theirs, chance)
        ours.apply(actor, theirs.action_to_string(action))
        theirs.apply_action(action)
    assert ours.over
    if players == 1:
        assert theirs.returns() == list(ours.scores)
    else:
        prize = Fraction(players, len(ours.winners))
        expected = [
            float(prize * (seat in ours.winners) - 1) / (players - 1) for seat in range(players)
        ]
        assert theirs.returns() == pytest.approx(expected)
        assert sum(theirs.returns()) == pytest.approx(0)


def test_options_are_parameters():
    """Numbers, words, flags and lists are given as OpenSpiel writes parameters, and read back."""
    points = " ".join(str(n) for n in range(1, 14))
    text = f"python_drop_site(players=3,points={points},target=50)"
    game = pyspiel.load_game(text)
    assert game.num_players() == 3
    assert game.variant.options["points"] == tuple(range(1, 14))
    assert game.variant.options["target"] == 50
    assert game.variant.options["round_limit"] == 100
    assert pyspiel.load_game(str(game)).variant is game.variant
    depot = pyspiel.load_game("python_depot(all_cards=True,games=3)")
    assert depot.variant.options["all_cards"] is True and depot.variant.options["games"] == 3
    ring = pyspiel.load_game("python_drop(opening=ring)")
    assert ring.variant.options["opening"] == "ring"


def test_bad_options_are_refused_with_a_reason():
    """A player count or an option out of range is refused as everywhere."""
    with pytest.raises(OptionError, match="2 to 4 players"):
        pyspiel.load_game("python_drop_site(players=7)")
    with pytest.raises(OptionError, match="target"):
        pyspiel.load_game("python_drop_site(target=5)")


def test_an_illegal_action_is_refused():
    """The kernels trust their caller, so the adapter checks."""
    state = middle(load("drop-or-pop", 3), 1)
    before = str(state)
    with pytest.raises(IllegalMove, match="action 99"):
        state.apply_action(99)
    assert str(state) == before


# -- what seats know ------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), [("drop-site", 3), ("depot", 3), ("number-drop", 3)])
def test_a_resampled_state_looks_the_same_to_its_seat(name, players):
    """Strings, tensors and whose turn it is stay, for every seat, all through a match."""
    game = load(name, players)
    sampler = np.random.RandomState(1)
    differ = 0
    for number, state in enumerate(walk(game, 2)):
        if number % 5:
            continue
        for seat in range(players):
            sample = state.resample_from_infostate(seat, sampler.uniform)
            assert sample.current_player() == state.current_player()
            assert sample.information_state_string(seat) == state.information_state_string(seat)
            assert sample.information_state_tensor(seat) == state.information_state_tensor(seat)
            assert sample.observation_string(seat) == state.observation_string(seat)
            assert sample.observation_tensor(seat) == state.observation_tensor(seat)
            if state.current_player() == seat:
                assert sample.legal_actions() == state.legal_actions()
            assert sample.history() == []
            differ += str(sample) != str(state)
    assert differ > 10


def test_a_resampled_state_can_be_played_to_its_end():
    """A sample is a state like any other; copies of it remember the same."""
    state = middle(load("depot", 4), 3, moves=50)
    seat = state.current_player()
    sample = state.resample_from_infostate(seat, random.Random(1).random)
    copy = sample.clone()
    chance = random.Random(1)
    while not sample.is_terminal():
        action = one_of(sample, chance)
        sample.apply_action(action)
        copy.apply_action(action)
    assert sample.returns() == copy.returns()
    for other in range(4):
        assert sample.information_state_string(other) == copy.information_state_string(other)


def test_seats_that_act_at_once_do_not_see_each_other():
    """In a simultaneous phase nothing of what lower seats do is in a later seat's memory."""
    game = load("number-drop", 2)
    seen = []
    for choice in (0, -1):
        state = game.new_initial_state()
        rolled = random.Random(4)
        while state.current_player() != 0 or len(state.history()) < 12:
            state.apply_action(one_of(state, rolled))
        first = state.information_state_string(0)
        while state.current_player() == 0:
            state.apply_action(state.legal_actions()[choice])
        assert state.current_player() == 1 and state.information_state_string(0) != first
        seen.append((state.information_state_string(1), tuple(state.information_state_tensor(1)),
                     state.observation_string(1), str(state)))  # fmt: skip
    assert seen[0][:3] == seen[1][:3]
    assert seen[0][3] != seen[1][3]


def test_memory_keeps_what_the_view_forgets():
    """Two orders of the same cards lead to one view, but to two information states."""
    game = load("drop-site", 2)
    states = []
    for cards in ("0 1", "1 0"):
        state = game.new_initial_state()
        for card in (*cards.split(), 2, 3, 4, 5, 6, 7, 8, 9):
            state.apply_action(state.string_to_action(f"deal {card}"))
        states.append(state)
    one, other = states
    assert one.observation_string(0) == other.observation_string(0)
    assert one.information_state_string(0) != other.information_state_string(0)
    assert one.information_state_tensor(0) != other.information_state_tensor(0)
    assert one.information_state_string(1) == other.information_state_string(1)
    assert one.information_state_tensor(1) == other.information_state_tensor(1)


def test_memory_does_not_depend_on_when_it_is_asked_for():
    """Asked at every node or only at the end, and through copies and bytes, it is the same."""
    game = load("depot", 3)
    often = [s.information_state_string(1) for s in walk(game, 5)][-1]
    *_, last = walk(game, 5)
    _, loaded = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, last))
    assert often == last.clone().information_state_string(1)
    assert often == loaded.information_state_string(1)
    assert often == last.information_state_string(1)


def test_a_spectator_sees_less_than_a_seat():
    """OpenSpiel's public observation is the spectator's view; what nobody has is not offered."""
    game = load("drop-site", 2)
    kind = pyspiel.IIGObservationType
    public = game.make_py_observer(
        kind(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    )
    state = middle(game, 1, moves=11)
    assert public.string_from(state, 0) == public.string_from(state, 1)
    assert public.string_from(state, 0) != state.observation_string(0)
    public.set_from(state, 0)
    assert len(public.tensor) == game.observation_tensor_size()
    private = game.make_py_observer(kind(public_info=False, perfect_recall=False))
    assert private.string_from(state, 0).startswith("hands ")
    assert (
        game.make_py_observer(
            kind(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
        )
        is None
    )


# -- OpenSpiel's algorithms -----------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), [("drop", 2), ("drop-or-pop", 3)])
def test_mcts_plays(name, players):
    """OpenSpiel's tree search chooses a legal move in the games that hide nothing."""
    game = load(name, players)
    state = middle(game, 1)
    bot = mcts.MCTSBot(game, 2.0, 20, mcts.RandomRolloutEvaluator(1))
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize(("name", "players"), [("drop-site", 2), ("depot", 3), ("number-drop", 2)])
def test_information_set_mcts_plays(name, players):
    """ISMCTS resamples worlds at every simulation and finds the same information states there."""
    game = load(name, players)
    state = middle(game, 2, moves=20)
    numbers = np.random.RandomState(5)
    rolled = mcts.RandomRolloutEvaluator(1, numbers)
    bot = ismcts.ISMCTSBot(game, rolled, 2.0, 30, random_state=numbers)
    assert bot.step(state) in state.legal_actions()


def test_outcome_sampling_finds_a_policy():
    """Monte Carlo regret minimisation runs on a whole round of Drop Site."""
    game = load("drop-site", 2)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(5):
        solver.iteration()
    state = middle(game, 3, moves=11)
    shares = solver.average_policy().action_probabilities(state)
    assert sum(shares.values()) == pytest.approx(1)


def test_a_learner_learns_a_step():
    """OpenSpiel's reinforcement learning environment runs a match with its Q-learners."""
    environment = rl_environment.Environment(load("drop-or-pop", 3))
    environment.seed(1)
    learners = [
        tabular_qlearner.QLearner(seat, environment.action_spec()["num_actions"])
        for seat in range(3)
    ]
    step = environment.reset()
    while not step.last():
        seat = step.observations["current_player"]
        step = environment.step([learners[seat].step(step).action])
    for learner in learners:
        learner.step(step)
    assert sum(step.rewards) == pytest.approx(0)


# A game of two seats that act at once: each hides a coin, seat 0 wins if they are alike. Its only
# equilibrium is to hide either side half the time; a seat that saw the other's coin would win.

STATE = np.dtype([("players", np.int32), ("coins", np.int32, 2)])  # 0 not yet, 1 heads, 2 tails


@kernel
def to_act(state):
    return int(state["coins"][0] == 0) | int(state["coins"][1] == 0) << 1


@kernel
def legal(state, seat, ids):
    ids[0], ids[1] = 0, 1
    return 2


@kernel
def apply(state, actor, action):
    state["coins"][actor] = action + 1


@kernel
def scores(state, points):
    points[0] = int(state["coins"][0] == state["coins"][1])
    points[1] = 1 - points[0]


@kernel
def winners(state):
    if to_act(state):
        return 0
    return 1 if state["coins"][0] == state["coins"][1] else 2


@kernel
def witnesses(state, actor, action):
    return 1 << actor


@kernel
def observe(state, seat):
    if to_act(state):
        state["coins"][1 - seat] = 0


class PlainGame(Game):
    """A game too small to be worth compiling."""

    engine = at_full_speed = property(lambda self: self.plain)


@kernel
def determinize(state, seat, random):
    """That the other has not chosen yet is a possible world."""


def pennies():
    """The game of two coins, known to OpenSpiel."""
    rules = Rules(
        STATE, to_act=to_act, legal=legal, apply=apply, scores=scores, winners=winners,
        witnesses=witnesses, observe=observe, determinize=determinize,
    )  # fmt: skip
    words = Words(
        turn_rule="P1",
        end_rule="P1",
        actions=lambda options: ("heads", "tails"),
        why=lambda view, seat, action: ("P1", ""),
        label=lambda view, seat, action: "",
        tell=lambda before, after, actor, action, names: "",
        verdict=lambda state, names: "",
        draw=lambda view, viewer: str(view["coins"].tolist()),
    )
    game = PlainGame("pennies", title="Pennies", summary="", players=(2,), rules=rules,
                     words=words, text="\n## P1 All at once\nBoth show a coin.\n")  # fmt: skip
    return pyspiel.load_game(openspiel.register(game))


def test_regret_minimisation_solves_a_simultaneous_game_from_outside():
    """A game that is none of ours is registered, and CFR finds the equilibrium of hidden moves."""
    game = pennies()
    assert game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    solver = cfr.CFRSolver(game)
    for _ in range(50):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability.nash_conv(game, policy) == pytest.approx(0, abs=0.05)
    assert len(policy.action_probability_array) == 2  # one information state per seat
