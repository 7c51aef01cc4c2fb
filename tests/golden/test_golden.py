"""The public API says today what it said when each golden playthrough was reviewed."""

import pytest

from tests.golden.playthrough import HERE, playthrough, tables

TABLES = list(tables())


@pytest.mark.parametrize(
    ("name", "game", "players", "options"), TABLES, ids=[name for name, *_ in TABLES]
)
def test_playthrough_is_unchanged(name, game, players, options):
    """The match, replayed, gives the file to the letter."""
    assert playthrough(game, players, options) == (HERE / name).read_text(encoding="utf-8")


def test_no_file_is_left_over():
    """Every golden file belongs to a game, player count and variant."""
    assert {path.name for path in HERE.glob("*.txt")} == {name for name, *_ in TABLES}
