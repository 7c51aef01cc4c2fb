"""How levels do in dailies: counted once, and gone on with where the last call stopped."""

import pytest

from droptable.bots.level_scores import level_values
from droptable.games import games
from droptable.lab.level_scores import main, play_chunk, read


def test_a_later_call_goes_on(tmp_path):
    """The results of two calls are those of one: each match has its number as a seed."""
    file = tmp_path / "scores.json"
    for matches in (10, 20):
        main(["drop-or-pop", "--levels", "easy", "--matches", str(matches), "--cores", "1",
              "--out", str(file)])  # fmt: skip
    both = play_chunk("drop-or-pop", "easy", 0) + play_chunk("drop-or-pop", "easy", 10)
    assert read(file) == {"easy": dict(both)} and sum(both.values()) == 20


@pytest.mark.parametrize("subject", games(), ids=lambda subject: subject.name)
def test_results_ship_with_each_game(subject):
    """The weak levels have played ten thousand matches; the stronger one of them did better."""
    values = level_values(subject)
    assert all(sum(values[level].values()) == 10_000 for level in ("easy", "normal"))
    means = [sum(value * count for value, count in values[level].items())
             for level in ("easy", "normal")]  # fmt: skip
    assert means[0] < means[1]
