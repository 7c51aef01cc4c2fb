"""The command line: every command, its JSON, and one clear line on failure."""

import json
import subprocess
import sys

import pytest

import droptable
from droptable import cli


def run(*words, stdin=""):
    script = "from droptable.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", script, *words],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


def test_games_lists_all_with_their_options():
    """People get text, programs JSON."""
    assert "drop-or-pop: Drop or Pop!, 3 to 4 players" in run("games").stdout
    listed = json.loads(run("games", "--json").stdout)
    assert [game["name"] for game in listed] == [game.name for game in droptable.games()]


@pytest.mark.parametrize("game", droptable.games(), ids=lambda game: game.name)
def test_rules_and_one_rule(game):
    """All rules, or one by its number in any case."""
    number = list(game.rule_sections)[-1]
    done = run("rules", game.name, number.lower())
    assert done.stdout.startswith(number)
    assert done.returncode == 0
    assert list(json.loads(run("rules", game.name, "--json").stdout)) == list(game.rule_sections)


def test_play_replay_round_trip(tmp_path):
    """A match that was saved in line mode is told again by replay, also as one seat saw it."""
    path = tmp_path / "match.json"
    done = run("play", "drop-or-pop", "--seed", "4", stdin=f"1\n1\nsave {path}\nquit\n")
    assert done.returncode == 0
    story = run("replay", str(path)).stdout
    assert "Seat 0 drops a counter" in story
    assert json.loads(run("replay", str(path), "--json").stdout)["players"] == 3
    assert "row 6" in run("replay", str(path), "--at", "2", "--seat", "1").stdout
    went_on = run("play", "drop-or-pop", "--load", str(path), stdin="quit\n")
    assert went_on.returncode == 0


def test_simulate_counts_wins():
    """Shares of wins add up to the matches."""
    done = run("simulate", "drop-or-pop", "--matches", "50", "--seed", "1", "--json")
    outcome = json.loads(done.stdout)
    assert sum(outcome["wins"]) == pytest.approx(50)
    text = run("simulate", "drop-or-pop", "--matches", "50", "--seed", "1").stdout
    assert "a fair share is 33.3%" in text


def test_bench_reports_every_rate():
    """The table has a row for each player count; numbers are positive."""
    done = run("bench", "drop-or-pop", "--seconds", "0.05", "--no-compile-times", "--json")
    rows = json.loads(done.stdout)["rows"]
    assert [row["players"] for row in rows] == [3, 4]
    assert all(row["moves_per_second"] > 0 and row["apply_per_second"] > 0 for row in rows)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["play", "chess"], "there is no game 'chess'; games: "),
        (["play", "drop-or-pop", "--players", "7"], "drop-or-pop is for 3 to 4 players, not 7"),
        (["play", "drop-or-pop", "-o", "turn_limit=1"], "turn_limit of drop-or-pop is 1; expected"),
        (["play", "drop-or-pop", "-o", "turn_limit=x"], "turn_limit of drop-or-pop is 'x'"),
        (["play", "drop-or-pop", "-o", "size=3"], "no option 'size'"),
        (["play", "drop-or-pop", "-o", "size"], "expected NAME=VALUE"),
        (["play", "drop-or-pop", "--seat", "9"], "there is no seat 9"),
        (["play", "drop-or-pop", "--bot", "deep"], "there is no bot 'deep'"),
        (["rules", "drop-or-pop", "DS1"], "no rule 'DS1'"),
        (["replay", "/nowhere.json"], "cannot read '/nowhere.json': No such file"),
        (["play", "drop-or-pop", "-o", "players=3"], "no option 'players'"),
        (["simulate", "drop", "-o", "matches=3"], "no option 'matches'"),
        (["simulate", "drop", "--seed", "-1"], "seed is -1; expected"),
        (["arena", "drop", "--plot", "x.foo"], "--plot is 'x.foo'; expected"),
        (["arena", "drop", "--plot", "/nowhere/x.png"], "there is no folder '/nowhere'"),
        (["tables", "export", "--database", "/nowhere.db"], "there is no database '/nowhere.db'"),
        (["tables", "export", "--database", "sqlite:////no.db"], "there is no database '/no.db'"),
        (["tables", "export", "--database", "my://a:b@c"], "there is no kind of database 'my'"),
        (["tables", "import", "/nowhere"], "cannot read '/nowhere': No such file or directory"),
        (["tables", "frob"], "no such command 'frob' (see droptable tables --help)"),
        (["serve", "--port", "x"], "--port is 'x'; expected a whole number from 0 to 65535"),
        (["serve", "--port", "65536"], "--port is '65536'; expected a whole number from 0 to"),
        (["serve", "--processes", "0"], "--processes is '0'; expected a whole number, at least 1"),
        (["serve", "--processes", "2"], "2 processes need a database of postgresql://…"),
        (["serve", "--database", "mysql://a:b@c"], "expected a file, sqlite:///… or postgresql"),
        (["play", "drop", "--players", "two"], "--players is 'two'; expected a whole number"),
        (["play", "drop", "--seat", "1.5"], "--seat is '1.5'; expected a whole number"),
        (["play", "drop", "--option"], "'--option' requires an argument"),
        (["simulate", "drop", "--matches", "0"], "--matches is '0'; expected a whole number, at"),
        (["simulate"], "missing argument 'GAME' (see droptable simulate --help)"),
        (["simulate", "drop", "--seed", "x"], "--seed is 'x'; expected a whole number"),
        (["bench", "drop", "--seconds", "nan"], "expected a number of seconds, at least 0.05"),
        (["arena", "drop", "--workers", "0"], "--workers is '0'; expected a whole number, at"),
        (["arena", "drop"], "no bots are named; expected at least one"),
        (["coach", "/nowhere.json"], "cannot read '/nowhere.json': No such file"),
        (["coach", "/nowhere.json", "--seat", "x"], "--seat is 'x'; expected a whole number"),
        (["replay"], "expected either a FILE or --table ID"),
        (["games", "x"], "unexpected extra argument"),
        (["frobnicate"], "no such command 'frobnicate' (see droptable --help)"),
        (["--nope"], "no such option: --nope (see droptable --help)"),
    ],
)
def test_failures_are_one_clear_line(words, message):
    """What is wrong is named on stderr, and the exit code is not zero."""
    done = run(*words)
    assert done.returncode != 0
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_replay_by_a_seat_keeps_secrets(tmp_path):
    """The scores are those that the seat knew (ND14), in JSON too."""
    record = droptable.play(droptable.game("number-drop"), 2, seed=0, order="together")
    file = tmp_path / "match.json"
    record.save(file)
    differ = 0
    for at, state in enumerate(record.states()):
        if not state.over and state.scores != state.view(1).scores:
            differ += 1
            if differ <= 2:
                seen = run("replay", str(file), "--at", str(at), "--seat", "1", "--json").stdout
                assert tuple(json.loads(seen)["scores"]) == state.view(1).scores
    assert differ > 2


def test_names_of_a_file_are_only_shown(tmp_path):
    """What a terminal would obey is not sent to it; a mark at the file's beginning is no matter."""
    record = droptable.play(droptable.game("drop-or-pop"), 3, seed=1)
    record.info["seat 0"] = "Anna\x1b[2J"
    file = tmp_path / "match.json"
    file.write_text("\ufeff" + record.to_json(), encoding="utf-8")
    text = run("replay", str(file)).stdout
    assert "Anna?[2J" in text and "\x1b" not in text


def test_a_saved_match_needs_no_game(tmp_path):
    """It goes on with its own game and players, and nothing else is silently ignored."""
    file = tmp_path / "match.json"
    droptable.game("drop-or-pop").start(4).record.save(file)
    assert "4 players" in run("play", "--load", str(file), stdin="quit\n").stdout
    refused = run("play", "--load", str(file), "--players", "3")
    assert "a saved match has its own players" in refused.stderr


@pytest.mark.parametrize(
    "words",
    [
        [], ["serve"], ["play"], ["games"], ["rules"], ["replay"], ["simulate"], ["bench"],
        ["arena"], ["coach"], ["tables"], ["tables", "export"], ["tables", "import"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_help_everywhere(words):
    """Every command explains itself, and each of its parameters."""
    done = run(*words, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(f"Usage: {' '.join(['droptable', *words])} ")
    assert "[[" not in done.stdout


def test_tables_alone_explains_itself():
    """A command that needs another one prints its help, and fails."""
    done = run("tables")
    assert done.returncode == 2
    assert "export" in done.stdout + done.stderr and "import" in done.stdout + done.stderr


def test_a_moment_that_a_match_does_not_have(tmp_path):
    """The number of events is named, and a file is written only into a folder that exists."""
    file = tmp_path / "match.json"
    droptable.game("drop").start().record.save(file)
    assert "--at is 9; expected 0 to 0" in run("replay", str(file), "--at", "9").stderr
    done = run("play", "drop", stdin=f"save {tmp_path}/none/match.json\nquit\n")
    assert "there is no such folder" in done.stdout


def test_tables_are_exported_from_any_spelling_of_a_file(tmp_path):
    """A database file that is given by its URL is found, as by its path."""
    file = tmp_path / "tables.db"
    assert run("tables", "import", "--database", str(file)).returncode == 0
    for database in (str(file), f"sqlite:///{file}"):
        done = run("tables", "export", "--database", database)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_interrupted_in_one_line(monkeypatch, capsys):
    """Ctrl-C ends a command in one line, without a traceback."""
    monkeypatch.setattr(sys, "argv", ["droptable", "games"])
    monkeypatch.setattr(droptable, "games", interrupt)
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 130
    assert capsys.readouterr().err == "droptable: interrupted\n"


def interrupt():
    raise KeyboardInterrupt
