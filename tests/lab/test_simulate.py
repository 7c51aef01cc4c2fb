"""Simulations: known answers, whatever the chunks, workers and interruptions."""

import json
from pathlib import Path

import numpy as np
import pytest

import droptable
from droptable.core.errors import DroptableError
from droptable.lab import simulate
from droptable.lab.cell import Cell, lend
from droptable.lab.matches import play_chunk
from droptable.lab.saved import Ranges
from droptable.lab.simulate import simulate_matches
from droptable.lab.tally import Tally
from tests.lab.luck import GAME, SHARES

POP = droptable.game("drop-or-pop")


def test_a_die_wins_as_often_as_its_faces_say():
    """Seats of a game of pure luck win 1/2, 1/3 and 1/6 of the matches, within their intervals."""
    outcome = simulate_matches(GAME, 3, 20_000, seed=5, bots=["greedy"])
    for seat, share in enumerate(SHARES):
        low, high = outcome.interval(seat)
        assert low <= share <= high and high - low < 0.02
    assert sum(outcome.wins) == outcome.matches == 20_000
    assert outcome.moves == 3 * 20_000 == outcome.tally.decisions
    assert "seat 0 is favoured; seat 2 is at a disadvantage" in str(outcome).replace(
        "seat 1 is at a disadvantage; ", ""
    )


def test_an_interrupted_simulation_goes_on_as_if_nothing_had_happened(tmp_path, monkeypatch):
    """Ctrl-C keeps what is done; the file is in the end that of an uninterrupted run."""
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    simulate_matches(GAME, 3, 3000, seed=7, resume=whole)
    real, calls = simulate.tally_of, []

    def interrupted(chunk):
        calls.append(chunk)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(chunk)

    monkeypatch.setattr(simulate, "tally_of", interrupted)
    first = simulate_matches(GAME, 3, 3000, seed=7, resume=parts)
    assert first.interrupted and 0 < first.matches < 3000
    monkeypatch.setattr(simulate, "tally_of", real)
    second = simulate_matches(GAME, 3, 3000, resume=parts)
    assert not second.interrupted and second.seed == 7
    assert parts.read_bytes() == whole.read_bytes()
    more = simulate_matches(GAME, 3, 4000, resume=parts)
    assert more.wins == simulate_matches(GAME, 3, 4000, seed=7).wins


def test_processes_count_the_same_as_one_core(tmp_path, monkeypatch):
    """Where chunks are played makes no difference to the file."""
    monkeypatch.setattr(simulate, "WARM", 0.0)  # the first matches, too, are played elsewhere
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for workers, file in enumerate(files, 1):
        simulate_matches(POP, 4, 1200, seed=3, bots=["greedy"], resume=file, workers=workers)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_file_of_another_simulation_is_refused(tmp_path):
    """The error says what the file has; damage is no simulation."""
    file = tmp_path / "kept.json"
    simulate_matches(GAME, 3, 10, seed=7, resume=file)
    with pytest.raises(DroptableError, match="has the seed 7, not 8"):
        simulate_matches(GAME, 3, 10, seed=8, resume=file)
    with pytest.raises(DroptableError, match="has the game 'pure-luck', not 'drop-or-pop'"):
        simulate_matches(POP, 3, 10, resume=file)
    with pytest.raises(DroptableError, match=r"has the lineup \['random', .*, not \['first'"):
        simulate_matches(GAME, 3, 10, bots=["first"], resume=file)
    with pytest.raises(DroptableError, match="no folder"):
        simulate_matches(POP, 3, 10, resume=tmp_path / "no" / "file.json")
    document = json.loads(file.read_text())
    document["matches"] = [[0, 9]]
    for text in ("", "[]", "{}", json.dumps(document)):
        file.write_text(text)
        with pytest.raises(DroptableError, match="not a simulation to go on with"):
            simulate_matches(GAME, 3, 10, seed=7, resume=file)


def test_draws_limits_and_shared_victories_are_told():
    """They are counted where the game has them, and printed."""
    outcome = simulate_matches(POP, 3, 300, seed=1, bots=["random"], turn_limit=50)
    chunk = play_chunk(outcome.cell, 1, 0, 300)
    assert outcome.tally.limits == outcome.tally.draws == chunk.limit.sum() > 0
    assert outcome.tally.shared == (chunk.winners > 1).sum() >= outcome.tally.draws
    for word in ("shared victories", "draws", "limits reached", "winners have"):
        assert word in str(outcome)


@pytest.mark.parametrize(
    ("game", "options"),
    [("drop-site", {"round_limit": 1, "target": 500}), ("depot", {"turn_limit": 100})],
)
def test_limits_of_games_are_seen(game, options):
    """A match that its limit ended says so: nobody has reached the end by themselves."""
    chunk = play_chunk(Cell(game, options=options), 1, 0, 60)
    if game == "drop-site":
        assert (chunk.limit == (chunk.score.max(axis=1) < 500)).all() and chunk.limit.any()
    else:
        assert (chunk.limit == (chunk.score.min(axis=1) > 0)).all() and chunk.limit.any()


def test_ranks_follow_the_winners():
    """Winners are first; a low score is good where winners have low ones."""
    chunk = play_chunk(Cell("depot", 4, lineup=["greedy"]), 1, 0, 50)
    assert ((chunk.rank == 1) == (chunk.share > 0)).all()
    for ranks, scores in zip(chunk.rank, chunk.score, strict=True):
        assert np.array_equal(np.argsort(ranks, kind="stable"), np.argsort(scores, kind="stable"))


def test_chunks_can_be_cut_anywhere():
    """Matches, tallies and traces are the same for one chunk as for many."""
    cell = Cell(lend(GAME), lineup=["random"])
    traces = ("decisions", "turns", "values")
    whole = play_chunk(cell, 1, 0, 30, traces)
    total = Tally.empty(3)
    scores, actions, values = [], [], []
    for first, count in ((0, 1), (1, 17), (18, 12)):
        part = play_chunk(cell, 1, first, count, traces)
        total.add(Tally.of(part))
        scores.append(part.score)
        actions.append(part.traced_decisions.action)
        values.append(part.traced_turns.values)
    assert np.array_equal(np.concatenate(scores), whole.score)
    assert np.array_equal(np.concatenate(actions), whole.traced_decisions.action)
    assert np.array_equal(np.concatenate(values), whole.traced_turns.values)
    assert total.to_dict() == Tally.of(whole).to_dict()
    last = whole.traced_turns.values[whole.traced_turns.turn == 3]
    assert np.array_equal(last > 0.99, whole.share == 1)


def test_missing_ranges():
    """What is missing is what no range has."""
    done = Ranges()
    for first, stop in ((5, 8), (0, 2), (8, 10)):
        done.add(first, stop)
    assert done.ranges == [(0, 2), (5, 10)]
    assert done.missing(12) == [(2, 5), (10, 12)]
    assert done.missing(4) == [(2, 4)]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"game": "chess"}, "no game 'chess'"),
        ({"game": 7}, "game is 7"),
        ({"game": "drop", "players": 3}, "drop is for 2 players, not 3"),
        ({"game": "drop", "options": {"size": 99}}, "option size of drop is 99"),
        ({"game": "drop", "options": [1]}, r"options is \[1\]"),
        ({"game": "drop", "lineup": ["deep"]}, "no bot 'deep'"),
        ({"game": "drop", "lineup": [3]}, "bot is 3"),
        ({"game": "drop", "lineup": ["random"] * 3}, "3 bots for 2 players"),
        ({"game": "drop", "constants": {"NO": 1}}, "drop has no constant 'NO'"),
        ({"game": "depot", "lineup": ["greedy:never-fly"]}, "begins with 'fly'; there are"),
        ({"game": "depot", "lineup": ["greedy:never-"]}, "no bot 'greedy:never-'"),
        ({"game": "drop", "rotate": 1}, "rotate is 1"),
        ({"game": "drop", "replays": 0}, "replays is 0"),
        ({"game": "drop", "speed": 1}, "a cell has no 'speed'"),
    ],
)
def test_wrong_cells_are_refused_with_the_value(given, error):
    """Whatever is unknown or out of range is named before a match is played."""
    with pytest.raises(DroptableError, match=error):
        Cell.from_dict(given)


def test_cells_survive_json():
    """A cell that is read equals the one that was written, also as a key."""
    cell = Cell("drop-site", 3, {"target": 20}, ["greedy", "random", "random"], {}, True, 2)
    again = Cell.from_dict(json.loads(cell.to_json()))
    assert again == cell and hash(again) == hash(cell) and again.digest == cell.digest
    assert cell.plays_per_deal == 6 and cell.seated(1) == ("random", "random", "greedy")


def test_bots_can_avoid_what_they_never_do():
    """`greedy:never-ignore` makes other moves wherever there are some."""
    cell = Cell("drop-or-pop", lineup=["greedy:never-ignore", "greedy", "first"])
    decisions = play_chunk(cell, 1, 0, 40, ["decisions"]).traced_decisions
    ignored = (decisions.words == "ignore") & (decisions.choices > 1)
    assert not ignored[decisions.seat == 0].any() and ignored[decisions.seat == 1].any()


def test_the_command_tells_what_it_did(tmp_path):
    """`simulate --bots` names its bots and its seed, which repeats it."""
    from tests.test_cli import run

    file = Path(tmp_path, "kept.json")
    told = run("simulate", "drop-or-pop", "--bots", "greedy", "random", "--matches", "20",
               "--resume", str(file)).stdout  # fmt: skip
    assert "seat 0 (greedy)" in told and "seat 2 (random)" in told
    seed = told.partition("seed ")[2].split()[0]
    again = run("simulate", "drop-or-pop", "--bots", "greedy", "random", "--matches", "20",
                "--seed", seed, "--json")  # fmt: skip
    outcome = json.loads(again.stdout)
    assert outcome["bots"] == ["greedy", "random", "random"]
    kept = json.loads(file.read_text())
    assert sum(row[0] for row in kept["counts"]["wins"]) <= outcome["matches"] == 20
