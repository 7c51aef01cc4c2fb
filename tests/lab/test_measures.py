"""Measures give the known answers of little games, and work for a game that somebody adds."""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

from droptable.lab import experiment
from droptable.lab.cell import Cell, lend
from droptable.lab.experiment import run
from droptable.lab.fleet import Fleet
from droptable.lab.measures import ALL_CONTESTS, MEASURES
from droptable.lab.measures.deals import _partial_slope
from droptable.lab.plan import Plan, Planned
from droptable.lab.sentences import findings
from droptable.lab.statistics import bootstrap
from tests.lab.little_games import COIN_GAME, NIM_GAME, TIC_TAC_TOE_GAME

DOCS = Path(__file__).parents[2] / "docs/lab.md"


def played(cell, **settings):
    plan = Plan((Planned(cell),), **({"seed": 3, "matches": 2000, "traced": 60} | settings))
    with Fleet("local", 1) as fleet:
        return run(plan, fleet)[0]


def values(result, measure):
    return {figure.label: figure.interval for figure in result.of(measure)}


@pytest.fixture(scope="module")
def coin():
    cell = Cell(lend(COIN_GAME), lineup=["greedy"])
    return played(cell, contests=("luck", "restricted", "dominated"), measures=tuple(MEASURES))


@pytest.fixture(scope="module")
def nim():
    cell = Cell(lend(NIM_GAME), lineup=["greedy"])
    return played(cell, contests=("luck", "restricted", "dominated"))


def test_a_coin_has_no_skill(coin):
    """Skill explains nothing of a coin, its deal explains all, and both intervals say so."""
    found = values(coin, "luck")
    assert found["skill"].holds(0) and abs(found["skill"].value) < 0.02
    assert found["luck of the deal"].value == pytest.approx(1, abs=0.05)
    assert all(interval.holds(0.5) for interval in values(coin, "seats").values())
    assert values(coin, "restricted")["never call"].holds(0)
    assert "call" in values(coin, "dominated")
    assert any("No seat is clearly favoured" in line for line in findings(coin))


def test_nim_has_no_luck(nim):
    """Perfect play of a heap of 21 wins for who begins, always; nothing is owed to the deal."""
    assert values(nim, "seats")["seat 0"].value == 1
    found = values(nim, "luck")
    luck = found["luck of the deal"]  # a few victories of the weak bot are all that varies
    assert -0.01 < luck.low <= luck.value <= luck.high < 0.01
    assert found["skill"].low > 0.3
    assert values(nim, "restricted")["always the first legal move"].high < -0.1
    assert values(nim, "draws")["shared victories"].value == 0
    assert any("deciding first" in line or "Seat 0 wins" in line for line in findings(nim))


def test_matches_that_repeat_an_earlier_one_are_told():
    """The first legal move in Nim, always: 59 of 60 matches are the first one again."""
    same = played(Cell(lend(NIM_GAME), lineup=["first"]))
    assert values(same, "repeats")[""].value == pytest.approx(59 / 60)
    assert any("went exactly as an earlier one" in line for line in findings(same))
    varied = played(Cell("drop-or-pop", 3), traced=20)
    assert values(varied, "repeats")[""].value == 0
    assert not any("an earlier one" in line for line in findings(varied))


def test_perfect_players_draw_tic_tac_toe():
    """Between perfect players every match is a draw; who plays explains the rest, and no luck."""
    cell = Cell(lend(TIC_TAC_TOE_GAME), lineup=["greedy"])
    result = played(cell, matches=300, measures=("seats", "draws"), contests=("luck",))
    assert values(result, "draws")["shared victories"].value == 1
    [(_label, sample)] = result.contests["luck"]
    assert sample.shares_of("greedy").min() == 0.5  # the perfect bot never loses
    found = values(result, "luck")
    assert found["luck of the deal"].holds(0) and abs(found["luck of the deal"].value) < 0.03
    assert found["skill"].low > 0.5


def test_sides_and_units_are_those_of_the_game():
    """A finding names black and the pieces, and says who plays."""
    cell = Cell("drop", options={"size": 7, "squeeze": "enemy"}, lineup=["greedy"])
    result = played(cell, matches=300, traced=0, measures=("seats", "first-mover"))
    told = r"Black wins [\d.]+ ± [\d.]+ % between good players \(greedy\): the first move is worth "
    assert re.match(told + r"[\d.]+ ± [\d.]+ pieces; white ", findings(result)[0])


def test_a_rigged_coin_shows():
    """A chance of 60 % is found, and told as an advantage."""
    result = played(Cell(lend(COIN_GAME), options={"bias": 60}))
    assert values(result, "seats")["seat 0"].holds(0.6)
    assert values(result, "seats")["seat 0"].low > 0.5
    assert values(result, "first-mover")["win share above fair"].holds(0.1)


def test_a_precise_study_stops_early_and_says_so_honestly():
    """Its interval is as narrow as asked for, holds the truth, and not all matches were played."""
    cell = Cell(lend(COIN_GAME), options={"bias": 60})
    result = played(cell, matches=100_000, precision=0.02, measures=("seats",))
    share = values(result, "seats")["seat 0"]
    assert share.margin <= 0.02 and share.holds(0.6)
    assert 2000 < len(result.sample) < 20_000


def test_what_lies_open_has_no_seat(coin):
    """What a coin shows is seen by all: its effect is on the mean score, and there is none."""
    found = values(coin, "dealt")
    assert list(found) == ["seat-0 (open)", "seat-1 (open)"]
    assert all(interval.holds(0) for interval in found.values())


def test_deals_alone_are_not_traced(monkeypatch):
    """A study that asks for results and deals plays its matches once, and no move is written."""
    played_parts = []
    play = experiment.play_part
    monkeypatch.setattr(
        experiment, "play_part", lambda part: (played_parts.append(part), play(part))[1]
    )
    cell = Cell(lend(COIN_GAME), lineup=["greedy"])
    result = played(cell, matches=100, traced=60, measures=("seats", "dealt"))
    assert sum(part.count for part in played_parts) == 100
    assert not any(part.traces for part in played_parts)
    assert len(values(result, "dealt")) == 2


def test_long_matches_do_not_make_a_tile_look_good():
    """One of two tiles is worth a point more; the length of a match, five for each tile."""
    rng = np.random.default_rng(4)
    total = rng.integers(5, 30, 4000)
    good = rng.binomial(total, 0.3)
    score = 5 * total + good + rng.normal(0, 3, len(total))
    columns = good, score, total, good * good, total * total, good * score, total * score
    slope = bootstrap(_partial_slope, *columns, good * total)
    assert slope.holds(1) and slope.margin < 0.1


def test_an_added_game_needs_no_code_of_its_own():
    """All measures and contests take Connect Four, as docs/add-a-game.md makes it."""
    file = Path(__file__).parents[2] / "examples/connect_four.py"
    spec = importlib.util.spec_from_file_location("connect_four", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    contests = tuple(name for name, contest in ALL_CONTESTS.items() if not contest.search)
    cell = Cell(lend(module.GAME))
    result = played(cell, matches=400, contests=contests, contest_matches=40)
    measured = {figure.measure for figure in result.figures}
    assert measured >= set(MEASURES) - {"strength", "dealt"}
    first = values(result, "seats")["seat 0"]
    assert first.low > 0.5  # who begins a random match has the better half
    assert values(result, "branching")[""].value == pytest.approx(6.7, abs=0.4)
    assert "never" not in " ".join(values(result, "restricted"))  # one kind of move only


def test_every_measure_is_defined_in_the_docs():
    """docs/lab.md has a line for each measure and contest, with its source."""
    text = " ".join(DOCS.read_text("utf-8").split())
    for measure in (*MEASURES.values(), *ALL_CONTESTS.values()):
        assert f"| {measure.title} |" in text, measure.name
        if measure.source:
            assert measure.source in text, measure.name
    assert len(MEASURES) + len(ALL_CONTESTS) >= 15
