"""The coach finds what was lost, by what the seat could know, and says the same every time."""

import json
import random

import pytest

import droptable
from droptable.bots.coach import analyse

POP = droptable.game("drop-or-pop")


def blunder():
    """Seat 0 has three in a row and could drop a fourth, but pops one of them."""
    state = POP.start(3)
    chance = random.Random(1)
    for colour in ("red", "blue", "yellow"):
        state.apply(-1, colour)
        state.apply(0, "drop")
        for seat in (1, 2):
            state.apply(-1, "green")
            state.apply(seat, "pop" if "pop" in state.legal(seat) else "drop")
    state.apply(-1, "blue")
    state.apply(0, "pop")
    while not state.over:
        if state.to_act == (-1,):
            state.deal(chance)
        else:
            state.apply(state.to_act[0], chance.choice(state.legal(state.to_act[0])))
    return state.record


def test_few_visits_mark_nothing():
    """Two simulated matches a decision are no proof of a mistake."""
    record = droptable.play(droptable.game("drop-or-pop"), 3, seed=2)
    judged = droptable.analyse(record, iterations=2)
    assert judged.decisions
    assert not any(decision.mark for decision in judged.decisions)


def test_a_thrown_win_is_a_blunder():
    """Popping an own counter instead of winning is marked, with the better move and its cost."""
    analysis = analyse(blunder(), iterations=600, seats=[0])
    worst = max(analysis.decisions, key=lambda d: d.loss)
    assert (worst.token, worst.best, worst.mark) == ("pop", "drop", "blunder")
    assert worst.before[0] == 1.0
    assert worst.loss == pytest.approx(worst.before[0] - worst.after[0])
    assert "blunder" in str(analysis)


def test_the_same_opinion_every_time():
    """Analysis by iterations is reproducible, and serialisable."""
    record = droptable.play(POP, 3, seed=4)
    first, second = (analyse(record, iterations=60, seed=2) for _ in range(2))
    assert first == second
    assert json.loads(json.dumps(first.to_dict()))["players"] == 3
    assert all(d.loss >= 0 and sum(d.after) == pytest.approx(1) for d in first.decisions)


def test_it_judges_by_the_view():
    """What others hold in secret does not change what a decision is said to be worth."""
    game = droptable.game("drop-site")
    record = droptable.play(game, 2, seed=4, round_limit=1)
    state = record.state_at(11)
    seat = state.to_act[0]
    assert state.view(seat).legal
    from droptable.bots.coach import _judge

    token = state.view(seat).legal[-1]
    limits = {"iterations": 60}
    twin = state.view(seat).determinize(7).view(seat)
    assert _judge(state.view(seat), 11, token, limits, 1) == _judge(twin, 11, token, limits, 1)


def test_the_plot_is_a_picture(tmp_path):
    """The chances over the match are drawn to a file."""
    analysis = analyse(droptable.play(POP, 3, seed=4), iterations=20)
    analysis.plot(tmp_path / "chances.png")
    assert (tmp_path / "chances.png").read_bytes().startswith(b"\x89PNG")
