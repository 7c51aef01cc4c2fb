"""Training by self-play: it learns, sees no secrets, and goes on as if never interrupted."""

import json
import subprocess
import sys

import numpy as np
import pytest

import droptable
from droptable.bots import guided_tree
from droptable.bots.guided_search import new_guide
from droptable.bots.tree import VIEW
from droptable.core.errors import DroptableError
from droptable.lab.fleet import Fleet
from droptable.lab.training.folder import Folder, Settings
from droptable.lab.training.learner import Learner, new_layers
from droptable.lab.training.run import Training, train
from droptable.lab.training.self_play import Chunk, kept_of, play_chunk
from tests.lab.little_games import BARE_NIM_GAME, GUESS_GAME, HEAP, NIM_GAME, WALK_GAME

TINY = Settings(
    matches=6, iterations=6, hidden=(6,), window=2, batch=16, evaluate_every=2,
    evaluation_matches=6, lessons=6, seed=3,
)  # fmt: skip


def quiet(_line):
    """Tell nobody."""


def interrupt(_progress):
    """Ctrl-C, at the worst moment."""
    raise KeyboardInterrupt


def files_in(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_slopes():
    """A step goes down the slope that small changes of the weights show."""
    chance = np.random.default_rng(1)
    tensors = chance.random((7, 5))
    policies = np.where(chance.random((7, 4)) < 0.3, -1, chance.random((7, 4)))
    policies[:, 0] = 0.5
    policies = np.where(policies < 0, -1, policies / np.maximum(policies, 0).sum(1, keepdims=True))
    for players in (1, 3):
        values = chance.dirichlet(np.ones(players), 7) * 0.7 if players == 1 else (
            chance.dirichlet(np.ones(players), 7))  # fmt: skip

        def loss(layers, players=players, values=values):
            learner = Learner(layers, 4)
            policy, value = learner.learn(tensors, policies, values)
            return policy + (value / 2 if players == 1 else value), learner

        layers = new_layers([5, 6, 4 + players], 2)
        layers[-1] = chance.normal(size=layers[-1][0].shape).astype(np.float32), layers[-1][1]
        before, learner = loss(layers)
        slope = learner._means[2][1, 3] * 10  # Adam's first mean is a tenth of the slope
        moved = [(weight.copy(), bias.copy()) for weight, bias in layers]
        moved[1][0][1, 3] += 0.05
        up, _ = loss(moved)
        moved[1][0][1, 3] -= 0.1
        down, _ = loss(moved)
        assert down != up
        assert abs((up - down) / 0.1 - slope) < 0.02 * max(1, abs(slope))
        for _ in range(200):
            after = learner.learn(tensors, policies, values)
        assert sum(after) < before


def right_moves(game, layers, iterations):
    """Of the heaps from which one can win, how many the search of a net leaves right."""
    tree, guide = new_guide(game, 2, {}, [layers])
    decide = game.at_full_speed.kernels.twin(guided_tree.decide)
    right = []
    for heap in range(2, HEAP + 1):
        tree.states[VIEW] = game.template(2, {})[0]
        tree.states[VIEW]["taken"] = HEAP - heap
        if heap % 4:
            right.append(decide(tree, guide, 0, iterations, 0.0) == heap % 4 - 1)
    return np.mean(right)


def test_nim_is_solved(tmp_path):
    """From nothing to perfect play, in a game of which bots are told nothing but the rules."""
    settings = Settings(
        matches=200, iterations=32, hidden=(32,), evaluate_every=3, evaluation_matches=40,
        batch=128, teacher="",
    )  # fmt: skip
    training = train(BARE_NIM_GAME, None, tmp_path / "nim", 6, settings, tell=quiet)
    untrained = training.folder.read_layers(0)
    assert right_moves(BARE_NIM_GAME, untrained, 16) < 0.8
    assert right_moves(BARE_NIM_GAME, training.learner.layers, 16) == 1
    last = training.progress.evaluations[-1]
    assert last["against"]["random"][0] > 0.9
    assert training.progress.best > 0
    curve = (tmp_path / "nim" / "curve.svg").read_text()
    assert all(name in curve for name in ("random", "greedy", "best", "thousands of matches"))


def test_a_heuristic_is_heeded():
    """What a game knows of its moves helps from the first match on."""
    layers = new_layers([len(NIM_GAME.start().view(0).tensor()), 4, 5], 1)
    assert right_moves(NIM_GAME, layers, 4) == 1


def test_nobody_guesses_what_is_hidden(monkeypatch):
    """A coin that the seat does not see is guessed half of the time, however long one searches."""
    monkeypatch.setenv("DROPTABLE_COMPILE", "never")
    inputs = len(GUESS_GAME.start().view(0).tensor())
    net = new_layers([inputs, 4, 4], 1)
    played = play_chunk(Chunk(GUESS_GAME, 2, {}, [net], [0, 0], 5, 0, 300, 12, 1))
    # What is seen before the guess is always the same, and the guess is right as often as not.
    assert len(np.unique(played.tensors, axis=0)) == 1
    assert 0.4 < np.mean([played.shares[m, -m % 2] for m in range(300)]) < 0.6


def test_decisions_are_noted_from_the_seat(monkeypatch):
    """Values begin with the own share, and policies are about the legal moves."""
    monkeypatch.setenv("DROPTABLE_COMPILE", "never")
    inputs = len(NIM_GAME.start().view(0).tensor())
    net = new_layers([inputs, 4, 5], 1)
    played = play_chunk(Chunk(NIM_GAME, 2, {}, [net], [0, 0], 1, 0, 2, 40, 99))
    assert played.shares.sum(1).tolist() == [1, 1]
    last = len(played.values) - 1  # who decides last takes the last one, if that is found
    assert played.values[last, 0] + played.values[last, 1] == pytest.approx(1, abs=1e-3)
    legal = played.policies >= 0
    assert legal.sum(1).min() >= 2
    assert np.allclose(np.where(legal, played.policies, 0).sum(1), 1, atol=5e-3)


def test_a_teacher_is_learned_from(tmp_path):
    """After the lessons alone, the net plays as the teacher would, without search."""
    settings = Settings(lessons=300, hidden=(32,), evaluation_matches=2, batch=64, reuse=12.0)
    training = train(NIM_GAME, None, tmp_path / "t", 0, settings, tell=quiet)
    tensors, policies, values = training.window[0]
    assert set(np.unique(values)) == {0, 1}  # results, and nothing that search has found
    assert np.allclose(policies.max(1), 0.75 + 0.25 / (policies >= 0).sum(1), atol=1e-3)
    right = policies.argmax(1)
    for weight, bias in training.learner.layers[:-1]:
        tensors = np.maximum(tensors @ weight.T + bias, 0)
    weight, bias = training.learner.layers[-1]
    made = (tensors @ weight.T + bias)[:, :3].argmax(1)
    winning = values[:, 0] == 1  # who wins has mostly had a choice that mattered
    assert (made == right)[winning].mean() > 0.5


def test_some_decisions_of_long_matches(monkeypatch):
    """Of a long match, and of large tensors, only some are kept: memory has a limit."""
    monkeypatch.setenv("DROPTABLE_COMPILE", "never")
    net = new_layers([len(NIM_GAME.start().view(0).tensor()), 4, 5], 1)
    chunks = [Chunk(NIM_GAME, 2, {}, [net], [0, 0], 1, 0, 3, 4, kept) for kept in (99, 2)]
    every, some = (play_chunk(chunk) for chunk in chunks)
    assert len(every.tensors) > len(some.tensors) == 6
    rows = {row.tobytes() for row in every.tensors}
    assert all(row.tobytes() in rows for row in some.tensors)
    assert kept_of(300, 400) == 128 and kept_of(1 << 30, 400) == 1
    assert 400 * 4240 * kept_of(4240, 400) <= 1 << 24


def test_resumed_is_uninterrupted_and_no_fleet_matters(tmp_path):
    """Every byte is the same, wherever it is played, and however often it was interrupted."""
    game = droptable.game("drop-or-pop")
    train(game, 3, tmp_path / "whole", 4, TINY, workers=1, tell=quiet)
    train(game, 3, tmp_path / "parts", 1, TINY, workers=1, tell=quiet)
    with Fleet(workers=1) as fleet:  # the next generation ends before it is said to be done
        folder = Folder(tmp_path / "parts", game, 3, dict(game.start(3).options), TINY)
        folder.commit = interrupt
        with pytest.raises(KeyboardInterrupt):
            Training(folder, fleet).generation(quiet)
    train(game, None, tmp_path / "parts", 4, resume=True, workers=2, tell=quiet)
    whole = files_in(tmp_path / "whole")
    assert files_in(tmp_path / "parts") == whole
    assert sorted(whole) == [
        "best.npz", "curve.svg", "decisions-0003.npz", "decisions-0004.npz", "learner-0004.npz",
        *(f"net-{n:04}.npz" for n in range(5)), "progress.json", "training.json",
    ]  # fmt: skip


def test_alone_at_the_table(tmp_path, monkeypatch):
    """A solo game is measured by its scores, and learned as well."""
    monkeypatch.setenv("DROPTABLE_COMPILE", "never")
    settings = Settings(
        matches=40, iterations=6, hidden=(8,), batch=64, evaluate_every=2, evaluation_matches=12,
        reuse=12.0, teacher="",
    )  # fmt: skip
    training = train(WALK_GAME, None, tmp_path / "solo", 4, settings, tell=quiet)
    first, *_, last = (found["against"]["alone"][0] for found in training.progress.evaluations)
    assert first < 0.7 < last <= 1
    assert training.progress.best > 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"matches": 0}, "matches is 0; expected a whole number from 1 up"),
        ({"hidden": ()}, "hidden is empty; expected the units of one layer or more"),
        ({"hidden": (8, 0)}, "hidden is 0; expected a whole number from 1 up"),
        ({"reuse": 0}, "reuse is 0; expected a number above 0"),
        ({"against": ("search:5",)}, "--against is 'search:5'; expected a bot that does not"),
        ({"teacher": "master"}, "--teacher is 'master'; expected a bot that does not search"),
        ({"against": ("random:never-x",)}, "no move of test-nim begins with 'x'"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, change, message):
    """Each setting is named, with its value and what was expected."""
    with pytest.raises(DroptableError, match=message.replace("(", r"\(")):
        train(NIM_GAME, None, tmp_path / "t", 1, Settings(**change), tell=quiet)


def command(*words):
    done = subprocess.run(
        [sys.executable, "-m", "droptable", "train", *words], capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_the_command(tmp_path):
    """It says how it goes, and what plays now; what is typed wrong is one clear line."""
    out = str(tmp_path / "t")
    small = ("--matches", "4", "--iterations", "4", "--hidden", "4", "--workers", "1")
    code, told, errors = command("drop-or-pop", *small, "--out", out, "--generations", "1")
    assert code == 0, errors
    assert "generation 1: 4 matches" in told and f"search:4@{out}/best.npz" in told
    assert json.loads((tmp_path / "t" / "training.json").read_text())["players"] == 3
    for words, message in [
        (("drop-or-pop", "--out", out), "holds a training; --resume goes on with it"),
        (("drop-or-pop", "--out", out, "--resume", "--seed", "1"), "leave out --seed"),
        (("drop-or-pop", "--out", out, "--resume", "--players", "4"), "with players 3, not 4"),
        (("drop", "--out", out, "--resume"), "is a training of drop-or-pop, not of drop"),
        (("drop", "--out", str(tmp_path), "--resume"), "holds no training to go on with"),
        (("drop", "--hidden", "8,x"), "--hidden is '8,x'; expected units of each layer"),
        (("drop", "--minutes", "soon"), "--minutes is 'soon'; expected a number of minutes"),
    ]:
        code, _, errors = command(*words)
        assert code != 0 and message in errors
