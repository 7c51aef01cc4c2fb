"""The coach finds what was lost, by what the seat could know, and says the same every time."""

import json
import math
import random
from dataclasses import replace

import pytest

import droptable
from droptable.bots.accuracy import level_loss, seat_accuracy, turn_accuracy
from droptable.bots.coach import Decision, _judge, analyse, analyse_within
from droptable.bots.explanations import explanation, turn_label
from droptable.bots.played_turns import after, played_turns
from droptable.bots.turn_values import Effort
from droptable.games import games

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
    """A few simulated matches are no proof of a mistake."""
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
    text = str(analysis)
    assert "blunder" in text and "Seat 0, accuracy" in text and "better: drop" in text
    assert "Seat 0 could have won at once, with a group of 4." in text
    judged = next(d for d in analysis.to_dict()["decisions"] if d["event"] == worst.event)
    assert judged["line"] == ("drop",) and "won at once" in judged["why"]


def test_the_same_opinion_every_time():
    """Analysis by iterations is reproducible, and serialisable."""
    record = droptable.play(POP, 3, seed=4)
    first, second = (analyse(record, iterations=60, seed=2) for _ in range(2))
    assert first == second
    assert json.loads(json.dumps(first.to_dict()))["players"] == 3
    assert all(d.loss >= 0 and sum(d.after) == pytest.approx(1) for d in first.decisions)


def test_it_judges_by_the_view():
    """What others hold in secret does not change what a turn is said to be worth."""
    game = droptable.game("drop-site")
    record = droptable.play(game, 2, seed=4, round_limit=1)
    turn = played_turns(record)[3]
    twin = replace(turn, view=turn.view.determinize(7).view(turn.seat))
    one, other = (_judge(seen, lambda: Effort(iterations=60), 1) for seen in (turn, twin))
    assert one == other


@pytest.mark.parametrize("tested", games(), ids=lambda tested: tested.name)
def test_turns_are_whole(tested):
    """A turn is the run of moves of a seat that has learned nothing new in between."""
    record = droptable.play(tested, min(3, tested.players[-1]), seed=1)
    turns, states = played_turns(record), list(record.states())
    taken = [event for turn in turns for event in turn.events]
    assert len(taken) == len(set(taken))
    for turn in turns:
        assert turn.tokens == tuple(record.events[i][1] for i in turn.events)
        assert {record.events[i][0] for i in turn.events} == {turn.seat}
        assert len(turn.view.legal) > 1
        between = [i for i in range(turn.events[0], turn.events[-1]) if i not in turn.events]
        for i in between:  # whatever happened meanwhile was out of its sight
            assert record.events[i][0] >= 0
            assert turn.seat not in states[i].witnesses(*record.events[i])
    choices = {
        i for i, (seat, _) in enumerate(record.events)
        if seat >= 0 and len(states[i].legal(seat)) > 1
    }  # fmt: skip
    assert choices <= set(taken)


def test_a_turn_of_number_drop_is_one_decision():
    """Shape, place and numbers are judged together; a combo too, where nothing is seen before."""
    game = droptable.game("number-drop")
    for order, longest in (("rulebook", 5), ("together", 6)):
        record = droptable.play(game, 2, ["greedy"] * 2, seed=1, order=order)
        turns = played_turns(record)
        assert max(len(turn.tokens) for turn in turns) >= longest
        drops = [turn for turn in turns if any(t.startswith("num") for t in turn.tokens)]
        assert all(sum(t.startswith("num") for t in turn.tokens) == 4 for turn in drops)
        circles = [turn for turn in drops if turn.tokens[-1] in ("skip", "done")]
        assert bool(circles) == (order == "together")


PLAYERS = {"depot": 3, "drop-or-pop": 3}


@pytest.mark.parametrize("tested", games(), ids=lambda tested: tested.name)
def test_random_play_is_told_as_what_it_is(tested):
    """Random play has many mistakes and a low accuracy; good play few, and a high one."""
    players = PLAYERS.get(tested.name, 2)
    options = {"round_limit": 2} if tested.name == "drop-site" else {}
    good = "greedy" if tested.name == "number-drop" else "search:1500"
    bots = [good] * (players - 1) + ["random"]
    marks, accuracies, turns = [0, 0], [0.0, 0.0], [0, 0]
    for seed in range(1, 3):
        record = droptable.play(tested, players, bots, seed=seed, **options)
        analysis = analyse(record, iterations=40 if tested.name == "number-drop" else 800)
        accuracy = analysis.accuracy()
        for random_, seats in enumerate((range(players - 1), [players - 1])):
            accuracies[random_] += sum(accuracy[seat] or 0 for seat in seats) / len(seats) / 2
            judged = [d for d in analysis.decisions if d.seat in seats]
            turns[random_] += len(judged)
            marks[random_] += sum(bool(d.mark) for d in judged)
    assert marks[1] / turns[1] > 0.15
    assert marks[1] / turns[1] > 2 * marks[0] / turns[0]
    assert accuracies[1] < 88
    assert accuracies[0] > accuracies[1] + 8


def test_accuracy_is_that_of_lichess():
    """The formula, for a seat that is not behind; who is behind is judged as if it were even."""
    assert turn_accuracy(0) == pytest.approx(100, abs=0.001)
    assert turn_accuracy(0.1) == pytest.approx(103.1668 * math.exp(-0.4354) - 3.1669)
    assert turn_accuracy(1) == 0
    assert level_loss(0.9, 0.7, 0.01, 2) == (pytest.approx(0.2), 0.01)
    behind, error = level_loss(0.02, 0.01, 0.001, 2)
    assert behind == pytest.approx(level_loss(0.5, 0.331, 0.0, 2)[0], abs=0.002)
    assert error > 0.001
    assert level_loss(0.3, 0.2, 0.01, 1)[0] == pytest.approx(0.1)
    assert level_loss(0.0, 0.0, 0.0, 2) == (0, 0)
    assert seat_accuracy([100, 100, 50]) == pytest.approx((250 / 3 + 75) / 2)
    assert seat_accuracy([None, 80.0]) == pytest.approx(80)
    assert seat_accuracy([None]) is None


def test_a_quick_look_then_a_long_one(monkeypatch):
    """Within a time limit all turns are judged soon, and the doubtful ones again, worst first."""
    monkeypatch.setattr("droptable.bots.coach.QUICK", 0.004)
    monkeypatch.setattr("droptable.bots.coach.LONGEST", 0.01)
    monkeypatch.setattr("droptable.bots.coach.usable_cores", lambda: 1)
    record = blunder()
    opinions = list(analyse_within(record, 600, first=2))
    turns = played_turns(record)
    quick, longer = opinions[: len(turns)], opinions[len(turns) :]
    seats = [decision.seat for _, decision in quick]
    assert {decision.event for _, decision in quick} == {turn.start for turn in turns}
    assert seats == sorted(seats, key=lambda seat: seat != 2)
    doubtful = sorted((d for _, d in quick if d.level_loss >= 0.02), key=lambda d: -d.level_loss)
    assert [decision.event for _, decision in longer] == [d.event for d in doubtful]
    progress = [done for done, _ in opinions]
    assert progress == sorted(progress) and progress[-1] == pytest.approx(1)


def test_no_time_at_all():
    """However little time there is, every turn is judged, in enough matches to know how surely."""
    record = droptable.play(droptable.game("number-drop"), 2, ["greedy", "random"], seed=1)
    opinions = {d.event: d for _, d in analyse_within(record, 0.0)}
    assert opinions.keys() == {turn.start for turn in played_turns(record)}
    assert any(d.mark for d in opinions.values() if d.seat == 1)


@pytest.mark.parametrize("tested", games(), ids=lambda tested: tested.name)
def test_every_mistake_can_be_said(tested):
    """Turns have a label and mistakes a reason, or none, in every game and for every seat."""
    players = PLAYERS.get(tested.name, 2)
    options = {"round_limit": 1} if tested.name == "drop-site" else {}
    record = droptable.play(tested, players, seed=5, **options)
    names = ["Ann", "Bob", "Cleo"][:players]
    said = 0
    for turn in played_turns(record):
        assert turn_label(turn.view, turn.tokens, names)
        for other in turn.view.legal:
            if other == turn.tokens[0] or turn.view.seat in after(turn.view, (other,)).to_act:
                continue
            decision = Decision(
                turn.start, turn.seat, turn.tokens[0], other, (), (), 0, "mistake", turn.events,
                turn.tokens, (other,), 0.1, 50,
            )  # fmt: skip
            why = explanation(turn.view, decision, names)
            said += bool(why)
            assert not why or why[-1] in ".!"
    assert said


def test_the_plot_is_a_picture(tmp_path):
    """The chances over the match are drawn to a file."""
    analysis = analyse(droptable.play(POP, 3, seed=4), iterations=20)
    analysis.plot(tmp_path / "chances.png")
    assert (tmp_path / "chances.png").read_bytes().startswith(b"\x89PNG")
