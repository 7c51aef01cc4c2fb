"""docs/add-a-game.md says only what is true: it builds the example, and every step works."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import httpx
import pytest

from droptable.core import registry
from droptable.core.errors import OptionError
from tests.tutorial import PATIENCE, SETTINGS, Tutorial

ROOT = Path(__file__).parents[1]
PAGE = Tutorial("add-a-game.md", "connect_four.py")
COMMANDS = PAGE.commands
TYPED = "drop 4\nquit\n"  # where a command asks
MATCH: dict[str, Any] = {
    "droptable": 1, "game": "connect-four", "rules": 1, "players": 2, "options": {},
    "events": [[turn % 2, f"drop {turn % 2 + 1}"] for turn in range(7)],
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stranger's folder, with the files of the page."""
    folder = tmp_path_factory.mktemp("stranger")
    PAGE.write(folder)
    return folder


@pytest.fixture
def settings() -> dict[str, str]:
    """The environment after the page's `export` lines."""
    return os.environ | SETTINGS | PAGE.exports


@pytest.fixture
def server(folder: Path, settings: dict[str, str]) -> Iterator[str]:
    """The address of the page's `droptable serve`."""
    command = next(line for line in COMMANDS if line.startswith("droptable serve"))
    with subprocess.Popen(
        command.split(), cwd=folder, env=settings, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    ) as running:  # fmt: skip
        assert running.stdout is not None
        try:
            yield running.stdout.readline().split()[3].rstrip("/")
        finally:
            running.terminate()


def test_the_page_builds_the_example() -> None:
    """The blocks of the page, one below the other, are examples/connect_four.py to the letter."""
    assert (ROOT / "examples" / "connect_four.py").read_text("utf-8") == PAGE.game


def test_what_a_game_leaves_out_has_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """All see every move, winners score 1, the sheet is the score; nothing is dealt or turned."""
    monkeypatch.syspath_prepend(ROOT / "examples")
    game = importlib.import_module("connect_four").GAME
    assert game.rules.scores is None and game.rules.witnesses is None
    state = game.start()
    for actor, token in MATCH["events"]:
        assert state.scores == (0, 0)
        assert state.witnesses(actor, token) == (0, 1)
        view = state.view(actor).fields
        assert game.scene.ghost(view, actor, 0, None) is None
        assert game.scene.switches(view, actor) == {}
        state.apply(actor, token)
    assert state.scores == (1, 0)
    (line,) = game.sheet([moment.fields for moment in state.record.states()], "XO")
    assert (line.rule, line.points, line.total) == ("CF3", (1, 0), True)
    assert game.options == {} and game.vocabulary({}).outcomes == ()


def test_every_command_works(folder: Path, settings: dict[str, str]) -> None:
    """Each command of the page succeeds, in order, in a folder with the page's files alone."""
    answers = PAGE.run_commands(folder, settings, typed=TYPED)
    assert len(answers) > 6
    assert "connect-four: Connect Four, 2 players" in answers["droptable games"]
    assert "2 passed" in answers["python -m pytest test_connect_four.py"]
    assert "has four in a line" in answers["droptable replay match.json"]


@pytest.mark.parametrize("name", ["connect-four", "connect-four-low"])
def test_tables_and_replays(server: str, name: str) -> None:
    """A match is played at a table of `droptable serve`, of a variant too; pages are there."""
    client = [sys.executable, str(ROOT / "examples" / "client.py"), server, name]
    done = subprocess.run(client, capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert "refused" not in done.stdout
    assert re.search(r"four in a line|draw", done.stdout.splitlines()[-1])
    with httpx.Client(base_url=server, timeout=PATIENCE) as http:
        key = (
            http.post("/api/replays", json=MATCH | {"game": name}).raise_for_status().json()["key"]
        )
        for path in (
            f"/learn/{name}",
            f"/api/games/{name}/rules",
            f"/api/games/{name}/lessons",
            f"/api/games/{name}/picture.svg",
            f"/api/replays/{key}/scene?at=7&scene=tall",
            f"/api/replays/{key}/picture.png",
        ):
            assert http.get(path).status_code == 200, path


@pytest.mark.parametrize(
    ("library", "program"),
    [
        (
            "pettingzoo",
            "from droptable.envs.pettingzoo import env\n"
            "match = env('connect-four')\n"
            "match.reset(seed=1)\n"
            "match.step(3)\n"
            "assert match.observe('seat_1')['action_mask'].sum() == 7",
        ),
        (
            "pyspiel",
            "import pyspiel, droptable.envs.openspiel\n"
            "match = pyspiel.load_game('python_connect_four').new_initial_state()\n"
            "match.apply_action(3)\n"
            "assert match.current_player() == 1 and len(match.legal_actions()) == 7",
        ),
    ],
)
def test_environments(folder: Path, settings: dict[str, str], library: str, program: str) -> None:
    """Other libraries' environments know the game by its name alone."""
    pytest.importorskip(library)
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=folder, env=settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_entry_point(folder: Path, settings: dict[str, str], tmp_path: Path) -> None:
    """A package with the page's entry point is found where it is installed."""
    project = tomllib.loads(PAGE.files["pyproject.toml"])["project"]
    installed = tmp_path / "connect_four-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    (group,) = project["entry-points"]
    lines = [f"{name} = {value}" for name, value in project["entry-points"][group].items()]
    (installed / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]))
    path = os.pathsep.join([str(tmp_path), str(folder)])
    done = subprocess.run(
        ["droptable", "games"], env=settings | {"PYTHONPATH": path, "DROPTABLE_GAMES": ""},
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "connect-four: Connect Four" in done.stdout


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("none.py", "", "GAME is None; expected a droptable Game"),
        ("broken.py", "GAME = 1 / 0", "which fails: ZeroDivisionError"),
        ("random.py", "GAME = 1", "another module is called 'random'"),
        ("missing.py", None, "expected a Python file"),
    ],
)
def test_bad_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str | None, told: str
) -> None:
    """A file that holds no game is refused in one clear line that names it."""
    file = tmp_path / name
    if text is not None:
        file.write_text(text)
    monkeypatch.setenv("DROPTABLE_GAMES", str(file))
    monkeypatch.delitem(sys.modules, "none", raising=False)
    with pytest.raises(OptionError, match=re.escape(told)) as refused:
        registry._register_added.__wrapped__()
    assert name in str(refused.value)


def test_bad_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point that cannot be loaded is named, too."""
    point = EntryPoint("gone", "no_such_module:GAME", "droptable.games")
    monkeypatch.setattr(registry, "entry_points", lambda **_: [point])
    with pytest.raises(OptionError, match="'no_such_module:GAME' fails: ModuleNotFoundError"):
        registry._register_added.__wrapped__()
