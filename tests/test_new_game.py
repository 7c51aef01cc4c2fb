"""`droptable new` writes a game that passes the contract suite and runs at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from droptable.core.errors import OptionError
from droptable.scaffold import write_game

SETTINGS = {"DROPTABLE_COMPILE": "now"}


def run(folder: Path, *command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=os.environ | SETTINGS | settings,
        input="1\nquit\n", capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


def test_a_new_game_passes_its_test_and_plays(tmp_path: Path) -> None:
    """The command says what to do next, and both things work."""
    made = run(tmp_path, "-m", "droptable", "new", "falling-stars")
    assert made.returncode == 0, made.stderr
    assert "python -m pytest test_falling_stars.py" in made.stdout
    tested = run(tmp_path, "-m", "pytest", "-q", "test_falling_stars.py")
    assert tested.returncode == 0, tested.stdout
    played = run(
        tmp_path, "-m", "droptable", "play", "falling-stars", DROPTABLE_GAMES="falling_stars.py"
    )
    assert "Take one, two or three." in played.stdout, played.stderr


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Falling Stars", "the name is 'Falling Stars'; expected lower-case words like my-game"),
        ("depot", "there is a game 'depot' already"),
        ("../up", "expected lower-case words"),
    ],
)
def test_names_that_cannot_be_are_refused(tmp_path: Path, name: str, message: str) -> None:
    """Nothing is written, and the message names the value and what was expected."""
    with pytest.raises(OptionError, match=message):
        write_game(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A file that is there stays as it is."""
    (tmp_path / "test_my_game.py").write_text("mine")
    with pytest.raises(OptionError, match="exists already; nothing was written"):
        write_game("my-game", tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["test_my_game.py"]
