"""Matches against another revision: both sides fold the same events, and results decide."""

import sys
from pathlib import Path

import pytest

from benchmarks import versus
from benchmarks.versus import Match, Table, standing, told

SITE = Match("drop-site", 2, 0.6, {"target": 20})


@pytest.fixture(scope="module")
def table():
    """Two sides of the same revision: a match needs no other one."""
    python = Path(sys.executable)
    table = Table(python, python, ("greedy", "random"), cpu=True)
    yield table
    table.end()


def test_both_sides_play_the_same_match(table):
    """Each deal is played from each seat; a side that had folded other events would have been
    refused its moves. The greedy side wins."""
    results = [table.play(SITE, number) for number in range(4)]
    assert [(r["deal"], r["seat"]) for r in results] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert all(r["share"] in (0.0, 0.5, 1.0) and len(r["scores"]) == 2 for r in results)
    assert sum(r["share"] for r in results) >= 3
    assert all(len(r["seconds"]) == 2 and min(r["seconds"]) >= 0 for r in results)
    assert [table.play(SITE, 1)["scores"]] == [results[1]["scores"]]  # under the same seeds


def results_of(shares, players=2):
    """Results of the first matches."""
    return [
        {"deal": k // players, "seat": k % players, "share": share, "seconds": [0.1, 0.2]}
        for k, share in enumerate(shares)
    ]


@pytest.mark.parametrize(
    ("shares", "verdict"),
    [([1.0] * 100, "met"), ([0.0] * 100, "MISSED"), ([1.0, 0.0] * 20, "open"), ([1.0] * 4, "open")],
)
def test_a_target_is_met_or_missed_when_that_is_sure(shares, verdict):
    """Many clear results decide; few do not, nor do those near the target."""
    line = told(SITE, results_of(shares), most=100)
    assert f": {verdict};" in line and "0.10 and 0.20 s per move" in line


def test_only_whole_deals_count():
    """A match whose rotation is missing does not count yet."""
    whole = standing(SITE, results_of([1.0, 0.0, 1.0, 1.0]), 100)
    assert standing(SITE, results_of([1.0, 0.0, 1.0, 1.0, 0.0]), 100) == whole


def test_alone_scores_are_compared():
    """With one player, the mean score is what counts, and how far it is above theirs."""
    alone = Match("number-drop", 1, 66.0, {})
    results = [
        {"deal": k, "seat": 0, "score": 60 + k % 3, "theirs": 58 + k % 3, "seconds": [1.0, 1.0]}
        for k in range(30)
    ]
    line = told(alone, results, most=30)
    assert "61.0 (" in line and "2.0 ± 0.0 above theirs (59.0)" in line and ": MISSED;" in line


def test_a_revision_is_named_by_its_commit():
    """The folder of another revision is that of its commit, so nothing is built twice."""
    assert len(versus.git("rev-parse", "--short=12", "HEAD")) == 12
