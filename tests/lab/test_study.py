"""Studies: files that say what to play, budgets, the same bytes again, frames, and refusals."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import droptable
from droptable import lab
from droptable.cli import app
from droptable.lab import experiment
from droptable.lab.experiment import Progress
from droptable.lab.fleet import Fleet
from droptable.lab.parts import Parts
from droptable.lab.plan import PlanError, read_plan
from droptable.lab.studies import play_into

FILE = """title = "Short or long?"
seed = 7
matches = 600
traced = 20
measures = ["seats", "first-mover", "length", "branching"]
contests = ["restricted"]
contest_matches = 30

[[cells]]
game = "drop-or-pop"
players = 3
bots = "random"
options = { turn_limit = "50..70/10" }

[[cells]]
game = "drop-or-pop"
players = "all"
bots = ["random", ["greedy", "random"]]
options.turn_limit = 60
"""
BAD = {
    "target = 3": ("matches = 600", "target = 3", 3, "a study has no 'target'"),
    "an option": ("turn_limit = 60", "turn_limt = 60", 19, "has no option 'turn_limt'"),
    "a value": ("turn_limit = 60", "turn_limit = 7", 19, "turn_limit of drop-or-pop is 7"),
    "a range": ('"50..70/10"', '"70..50"', 13, "turn_limit is '70..50', an empty range"),
    "a list": ('"50..70/10"', "[]", 13, "turn_limit is an empty list"),
    "a bot": ('bots = "random"', 'bots = "deep"', 12, "there is no bot 'deep'"),
    "a game": ('game = "drop-or-pop"', 'game = "chess"', 10, "there is no game 'chess'"),
    "players": ("players = 3", "players = 9", 11, "drop-or-pop is for 3 to 4 players, not 9"),
    "a key": ("players = 3", "player = 3", 11, "cells have no 'player'"),
    "a budget": ("matches = 600", "matches = 0", 3, "matches is 0; expected a whole number"),
    "a measure": ('"length"', '"beauty"', 5, "measures has 'beauty'; expected 'all' or some of"),
    "a seed": ("seed = 7", 'seed = "x"', 2, "seed is 'x'"),
    "no TOML": ("seed = 7", "seed = = 7", 2, "this is not TOML"),
    "a constant": (
        "options.turn_limit = 60", "constants.TO_WON = 3", 19, "has no constant 'TO_WON'",
    ),
}  # fmt: skip


def written(folder, text=FILE):
    file = folder / "study.toml"
    file.write_text(text, "utf-8")
    return file


def files_of(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


class Interrupted(Progress):
    """Presses Ctrl-C after some matches."""

    def __init__(self, after):
        self.left = after

    def advance(self, matches):
        self.left -= matches
        if self.left < 0:
            raise KeyboardInterrupt


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A study that was played in one go, its plan, and the folder of its files."""
    folder = tmp_path_factory.mktemp("whole")
    plan = read_plan(written(folder))
    with Fleet("local", 1) as fleet:
        play_into(plan, folder / "out", fleet, resume=False, progress=Progress())
    return plan, folder / "out"


def test_an_interrupted_study_goes_on_and_ends_in_the_same_bytes(whole, tmp_path):
    """Ctrl-C twice, then to the end: every file is that of the uninterrupted study."""
    plan, folder = whole
    for after in (300, 900):
        with pytest.raises(KeyboardInterrupt), Fleet("local", 1) as fleet:
            play_into(plan, tmp_path / "out", fleet, resume=True, progress=Interrupted(after))
    assert (tmp_path / "out" / "parts").is_dir()
    with Fleet("local", 1) as fleet:
        play_into(plan, tmp_path / "out", fleet, resume=True, progress=Progress())
    assert files_of(tmp_path / "out") == files_of(folder)
    assert not (tmp_path / "out" / "parts").exists()


def test_what_was_played_is_not_played_again(whole, tmp_path, monkeypatch):
    """A study whose parts are all there plays nothing; a damaged part is played again."""
    plan, folder = whole
    parts = Parts(tmp_path / "parts")
    with Fleet("local", 1) as fleet:
        experiment.run(plan, fleet, parts)
        known = sorted((tmp_path / "parts").iterdir())
        known[0].write_bytes(b"damaged")
        played = []
        play = experiment.play_part
        monkeypatch.setattr(
            experiment, "play_part", lambda part: (played.append(part), play(part))[1]
        )
        found = lab.studies.Study(plan, experiment.run(plan, fleet, parts))
    assert len(played) == 1
    found.write(tmp_path / "out")
    assert files_of(tmp_path / "out") == files_of(folder)


def test_the_files_of_a_study(whole):
    """A tidy table in two formats, all figures, a manifest with digests, and a page of its own."""
    import pyarrow.parquet as parquet

    plan, folder = whole
    assert {file.name for file in folder.iterdir()} == {
        "matches.parquet", "matches.csv", "figures.csv", "manifest.json", "report.html",
    }  # fmt: skip
    table = parquet.read_table(folder / "matches.parquet")
    own = [row for row in table.to_pylist() if row["cell"] == 0]
    assert len(own) == 600 * 3
    assert {row["option.turn_limit"] for row in own} == {50}
    assert sum(row["share"] for row in own) == pytest.approx(600)
    assert {row["seed"] for row in own} == {7}
    lines = (folder / "matches.csv").read_text("utf-8").splitlines()
    assert len(lines) == table.num_rows + 1
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["versions"]["rules of drop-or-pop"] == str(
        droptable.game("drop-or-pop").version
    )
    assert set(manifest["digests"]) == {file.name for file in folder.iterdir()} - {"manifest.json"}
    page = (folder / "report.html").read_text("utf-8")
    assert not re.findall(r"(?:src|href)=|@import|url\(", page)
    assert page.count("<svg") >= 6 and "Share of victories by turn_limit" in page
    assert page.index("What was found") < page.index("<svg")
    assert len(plan.cells) == 3 + 4 - 1  # 60 turns with three random players is there already


@pytest.mark.parametrize(("before", "after", "line", "message"), BAD.values(), ids=BAD)
def test_bad_files_are_refused_with_their_line(tmp_path, before, after, line, message):
    """Before the first match, with the file, the line, the value and what was expected."""
    head, found, tail = FILE.partition(before)
    if before in ("turn_limit = 60", "options.turn_limit = 60"):
        head, found, tail = FILE.rpartition(before)
    assert found
    file = written(tmp_path, head + after + tail)
    with pytest.raises(PlanError, match=re.escape(message)) as error:
        read_plan(file)
    assert str(error.value).startswith(f"{file}:{line}: ")


def test_variants_that_cannot_be_dealt_are_refused_with_their_line(tmp_path):
    """Constants may be more than the rules can live with, if only at some number of players."""
    cells = 'matches = 20\n\n[[cells]]\ngame = "depot"\nplayers = "all"\n'
    read_plan(written(tmp_path, cells + "constants = { HAND_SIZE = 9 }\n"))
    why = r"study.toml:6: depot cannot be dealt to 3 players with HAND_SIZE=70: "
    with pytest.raises(PlanError, match=why):
        read_plan(written(tmp_path, cells + "constants = { HAND_SIZE = [9, 70] }\n"))
    with pytest.raises(PlanError, match=r"toml:7: .* to 4 players with HAND_SIZE=20: "):
        read_plan(written(tmp_path, cells + "[cells.constants]\nHAND_SIZE = 20\n"))


def test_cells_that_are_no_tables_are_refused_with_their_line(tmp_path):
    """`cells` in the head is not a group of cells."""
    with pytest.raises(PlanError, match=r"study.toml:2: there is no \[\[cells\]\]"):
        read_plan(written(tmp_path, "matches = 20\ncells = 5\n"))


def test_a_bot_that_fails_is_refused(tmp_path):
    """Somebody's own bot makes a move before the study begins."""
    (tmp_path / "bad.py").write_text("def choose(view):\n    return 1 / 0\n")
    file = written(tmp_path, FILE.replace('bots = "random"', f'bots = "{tmp_path}/bad.py:choose"'))
    with pytest.raises(PlanError, match=r":12: bot '.*bad.py:choose' fails at its first move"):
        read_plan(file)


def test_frames_are_arrow_and_records_can_be_pulled_out(tmp_path):
    """pandas and Polars take the frame; the longest match is played again, to be saved."""
    pandas = pytest.importorskip("pandas")
    found = lab.study(
        "drop-or-pop", players=3, vary=["turn_limit=50,80"], matches=200, traced=0, seed=2,
        workers=1,
    )  # fmt: skip
    table = found.frame
    longest = max(table.to_pylist(), key=lambda row: row["moves"])
    record = found.record(longest["cell"], longest["match"])
    assert sum(actor >= 0 for actor, _ in record.events) == longest["moves"]
    record.save(tmp_path / "match.json")
    assert droptable.open_record(tmp_path / "match.json").final.over
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 200 * 2 * 3
    assert hasattr(found, "__arrow_c_stream__")
    if polars := pytest.importorskip("polars"):
        assert polars.DataFrame(found).height == len(frame)
    assert found.plots[0]._repr_svg_().startswith("<svg")
    found.plots[0].save(tmp_path / "seats.svg")
    assert (tmp_path / "seats.svg").read_text("utf-8").startswith("<svg")


def test_on_the_command_line(tmp_path, monkeypatch):
    """`--vary` and `--bots` make cells; a folder that is in use needs `--resume`."""
    monkeypatch.chdir(tmp_path)
    words = ["study", "drop-or-pop", "--players", "3", "--vary", "turn_limit=50..70/20",
             "--vary", "bots=random,greedy", "--matches", "60", "--workers", "1"]  # fmt: skip
    done = CliRunner().invoke(app, [*words, "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert [cell["lineup"][0] for cell in told["cells"]] == ["random", "greedy"] * 2
    assert Path("study-drop-or-pop/report.html").is_file()
    again = CliRunner().invoke(app, words)
    assert "is not empty: add --resume" in str(again.exception)
    for wrong, message in (
        (["--vary", "turn_limit=5..6"], "turn_limit of drop-or-pop is 5"),
        (["--vary", "turn_limit"], "expected NAME=VALUES"),
        (["--precision", "7"], "precision is 7.0; expected a share"),
        (["--contest", "luk"], "contests has 'luk'"),
        (["--for", "draws"], "--for needs --tune NAME=VALUES"),
        (["--tune", "turn_limit=50,80", "--vary", "players=3"], "--vary does not go with --tune"),
        (["--tune", "turn_limit=50,80", "--resume"], "--resume does not go with --tune"),
    ):
        refused = CliRunner().invoke(app, ["study", "drop-or-pop", *wrong])
        assert message in str(refused.exception), wrong


def test_ctrl_c_says_how_to_go_on(tmp_path, monkeypatch):
    """The folder has what was played, and the command tells how it goes on."""

    def interrupted(*_given, **_more):
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("droptable.lab.studies.run", interrupted)
    done = CliRunner().invoke(app, ["study", "drop-or-pop", "--workers", "1"])
    assert done.exit_code == 130
    assert "kept in study-drop-or-pop; the same command with --resume goes on" in done.stderr
