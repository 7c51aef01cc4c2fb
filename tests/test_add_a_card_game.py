"""docs/add-a-card-game.md says only what is true: it builds the example, and every step works."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.tutorial import SETTINGS, Tutorial

PAGE = Tutorial("add-a-card-game.md", "little_whist.py")
EXAMPLE = Path(__file__).parents[1] / "examples" / "little_whist.py"
TYPED = "1\n1\nquit\n"  # where a command asks


def test_the_page_builds_the_example() -> None:
    """The blocks of the page, one below the other, are examples/little_whist.py to the letter."""
    assert EXAMPLE.read_text("utf-8") == PAGE.game


@pytest.mark.xdist_group("tutorials")
def test_every_command_works(tmp_path: Path) -> None:
    """Each command of the page succeeds, in order, in a folder with the page's files alone."""
    PAGE.write(tmp_path)
    answers = PAGE.run_commands(tmp_path, os.environ | SETTINGS | PAGE.exports, TYPED)
    assert "2 passed" in answers["python -m pytest test_little_whist.py"]
    assert "You are seat 0" in answers["droptable play little-whist --players 4 --bot easy"]
