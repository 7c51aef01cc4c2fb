"""The leaderboard of language models: scripted players, rated from nothing but their records."""

import json
import re

import numpy as np
import pytest

import droptable
from benchmarks import llm_leaderboard as board
from droptable.tables.rating_model import model_of


def listed(messages):
    told = messages[-1]["content"].partition("Your legal moves\n")[2].partition("\n\n")[0]
    return re.findall(r"^- (.+?): ", told, re.MULTILINE)


def first(messages):
    return f"I choose <answer>{listed(messages)[0]}</answer>"


def silent(_messages):
    return "I would rather not say."


def broken(_messages):
    raise ConnectionError("no model here")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A few matches of scripted players."""
    folder = tmp_path_factory.mktemp("board")
    models = {"first": first, "silent": silent, "broken": broken}
    failed = board.play(folder, models, ["drop-or-pop"], ["random", "normal"], deals=1)
    assert failed == 6  # of the model that raised, which is no defeat
    return folder


def test_matches_are_records_and_are_not_played_again(folder, monkeypatch):
    """Each deal is played from every seat against every bot; what is there stays."""
    files = sorted(folder.glob("*.json"))
    assert len(files) == 2 * 2 * 3 and not list(folder.glob("*.part"))
    record = droptable.open_record(files[0])
    assert record.info["model"] == "first" and record.final.over
    seats = [record.info[f"seat {seat}"] for seat in range(3)]
    assert sorted(seats) == ["first", "normal", "normal"]
    monkeypatch.setattr(board, "play_one", lambda *_: pytest.fail("it was played before"))
    assert board.play(folder, {"first": first}, ["drop-or-pop"], ["random"], deals=1) == 0


def test_the_table_follows_from_the_records(folder):
    """Who never says a legal move plays at random; the same records give the same table."""
    played = board.read_folder(folder)
    lines = {line.model: line for line in board.leaderboard(played)}
    assert set(lines) == {"first", "silent"}  # bots are anchors, not in the table
    assert lines["first"].refused == 0 and lines["silent"].refused == 1.0
    assert lines["silent"].replaced > 0
    for line in lines.values():
        assert line.low < line.elo < line.high and line.matches == 6
    assert board.leaderboard(played) == board.leaderboard(board.read_folder(folder))
    assert "first" in board.printed(list(lines.values()))


def test_a_record_that_was_changed_is_noticed(folder, tmp_path):
    """The result is made from the moves: another winner cannot be written into a file."""
    data = json.loads(sorted(folder.glob("*.json"))[0].read_text())
    data["events"] = data["events"][:-1]
    (tmp_path / "x.json").write_text(json.dumps(data))
    with pytest.raises(SystemExit, match="over is True, but the events lead to False"):
        board.read_folder(tmp_path)


def games_between(strength, bot, matches, chance):
    """Results as the model of ratings predicts them for a player of that strength."""
    model = model_of("drop")
    skill = model.bot(bot, 2)
    scale = model.calibration / (model.library(2).beta * np.sqrt(2))
    share = 1 / (1 + np.exp(scale * (skill.mu - strength)))
    for deal in range(matches):
        won = float(chance.random() < share)
        yield board.Played("drop", 2, str(deal), ("model", bot), (won, 1 - won), board.Counter())


@pytest.mark.parametrize("elo", [1200, 1500, 1800])
def test_strengths_are_found_again(elo):
    """Results of a known strength lead to it, and to an interval that is narrow with many."""
    chance, strength = np.random.default_rng(elo), (elo - 1500) / board.ELO
    played = [m for bot in ("easy", "normal") for m in games_between(strength, bot, 150, chance)]
    (line,) = board.leaderboard(played)
    width = line.high - line.low
    assert abs(line.elo - elo) < width and 20 < width < 200


def test_a_player_who_always_loses_has_no_certain_strength():
    """Bots of known strength bound it from above; below, the interval stays wide."""
    lost = [board.Played("drop", 2, str(deal), ("model", "easy"), (0.0, 1.0), board.Counter())
            for deal in range(6)]  # fmt: skip
    (line,) = board.leaderboard(lost)
    assert line.elo < 1345 and line.high - line.low > 300


def test_two_models_in_one_match_and_overall():
    """Who beats a player that beats the bots is stronger; overall is the mean of the games."""
    won, lost = (1.0, 0.0), (0.0, 1.0)
    results = [(("a", "b"), won)] * 6 + [(("b", "normal"), won)] * 4 + [(("b", "normal"), lost)] * 4
    played = [
        board.Played(game, 2, str(k), names, shares, board.Counter())
        for game in ("drop", "drop-site")
        for k, (names, shares) in enumerate(results)
    ]
    lines = {(line.game, line.model): line.elo for line in board.leaderboard(played)}
    for game in ("drop", "drop-site", "overall"):
        assert lines[game, "a"] > lines[game, "b"]
    mean = (lines["drop", "a"] + lines["drop-site", "a"]) / 2
    assert abs(lines["overall", "a"] - mean) <= 1


def test_names_and_places_that_make_no_sense_are_refused():
    """A name goes into a file's: it cannot leave the folder."""
    for word in ("../x=a.py:f", "x", "x=normal", "=a.py:f", "x/y=a.py:f"):
        with pytest.raises(SystemExit, match="expected NAME="):
            board.load_models([word])
