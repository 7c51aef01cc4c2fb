"""The puzzles that come with the games: enough of them, and each as it claims to be."""

import json

import pytest

from droptable.bots.puzzles import find_puzzle, puzzles, read_events, write_events
from droptable.games import games
from droptable.lab.puzzles import APART, SURE, lead
from droptable.web.pictures import moves, picture
from droptable.web.puzzle_board import PuzzleBoard

ENOUGH = 40


@pytest.mark.parametrize("subject", games(), ids=lambda subject: subject.name)
def test_each_puzzle_holds_what_it_says(subject):
    """At least forty per game, all different; each is a position of a match in which its seat has a
    choice, its solutions are legal, and the best one is clearly apart from the next."""
    all_ = puzzles(subject)
    assert len({puzzle.id for puzzle in all_}) == len(all_) >= ENOUGH
    assert len({puzzle.events for puzzle in all_}) == len(all_)
    assert len({puzzle.difficulty for puzzle in all_}) > 1
    for puzzle in all_:
        state = puzzle.state()
        assert write_events(read_events(puzzle.events)) == puzzle.events
        legal = state.legal(puzzle.seat)
        assert puzzle.seat in state.to_act and len(legal) > 2
        assert set(puzzle.best) <= set(legal) and puzzle.rival in legal
        assert puzzle.rival not in puzzle.best and puzzle.line[0] in puzzle.best
        assert lead(puzzle.share, puzzle.rival_share, puzzle.players) > APART - 1e-3
        assert puzzle.share - puzzle.rival_share > SURE * puzzle.error
        assert find_puzzle(puzzle.id) == puzzle


@pytest.mark.parametrize("subject", games(), ids=lambda subject: subject.name)
def test_only_the_view_of_the_seat_is_shown(subject):
    """What a solver is sent is the picture of the seat's view, and the same for every world that
    looks like it; its answer is not in it."""
    for puzzle in puzzles(subject)[::20]:
        board = PuzzleBoard(puzzle)
        about = board.about(tall=False)
        view, frame = board.view, board._frame(tall=False)
        assert view == puzzle.view() == view.determinize(seed=3).view(puzzle.seat)
        assert about["picture"]["svg"] == picture(view, frame)["svg"]
        assert about["legal"] == moves(view, frame)
        assert about.keys().isdisjoint(("best", "line", "events", "share", "rival"))
        assert puzzle.events not in json.dumps(about)


@pytest.mark.parametrize("subject", games(), ids=lambda subject: subject.name)
def test_every_reply_plays_the_best_line(subject):
    """A right answer and a wrong one get the moves of the best line as pictures; a wrong one is
    told the better move."""
    for puzzle in puzzles(subject)[::20]:
        board = PuzzleBoard(puzzle)
        right = board.reply(puzzle.best[:1], right=True, own=False, tall=True)
        wrong = board.reply((puzzle.rival,), right=False, own=False, tall=True)
        assert right["line"] == wrong["line"] and len(right["line"]) == len(puzzle.line)
        assert right["best"] == right["made"] != wrong["made"]
        assert wrong["best"] and str(round(100 * puzzle.share)) in wrong["worth"]
