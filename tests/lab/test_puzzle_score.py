"""Bots try the shipped puzzles: what they solve is counted, with an interval."""

import json

import pytest

import droptable
from droptable.bots.puzzles import puzzles
from droptable.core.errors import OptionError
from droptable.lab.puzzle_score import solve_puzzles


class Knows:
    """Has the solution of every puzzle of a game, by what its seat sees."""

    def __init__(self, game):
        self.answers = {bytes(p.view()): p.best[-1] for p in puzzles(game)}

    def choose(self, view):
        return self.answers[bytes(view)]


def test_who_knows_the_solutions_solves_all():
    """Any of the equally good moves counts; the interval says how sure that is."""
    game = droptable.game("drop-or-pop")
    score = solve_puzzles([game], Knows(game))
    total = score.rows["all"]
    assert total.solved == total.puzzles == len(puzzles(game)) >= 40
    assert total.interval[0] > 0.9 and total.interval[1] == 1.0
    assert sum(score.rows[d].puzzles for d in ("easy", "medium", "hard")) == total.puzzles
    assert 0 < total.by_chance < total.solved
    assert json.loads(json.dumps(score.to_dict()))["rows"]["all"]["share"] == 1.0


def test_what_is_not_legal_solves_nothing():
    """A move that was made instead of a wrong answer is not the bot's."""
    score = solve_puzzles([droptable.game("drop")], lambda _view: "fly to the moon")
    assert score.rows["all"].solved == 0
    assert score.wrong_answers == score.rows["all"].puzzles
    assert "were no legal moves" in str(score)


def test_greedy_finds_what_puzzles_say_that_it_finds(monkeypatch):
    """Each puzzle tells whether greedy solves it; a game without puzzles is refused."""
    game = droptable.game("drop-site")
    score = solve_puzzles([game], "greedy", seed=3)
    for puzzle, token in score.results:
        if len(puzzle.best) == 1 and puzzle.difficulty == "easy":
            assert puzzle.solved_by(token) == puzzle.greedy
    monkeypatch.setattr("droptable.lab.puzzle_score.puzzles", lambda _game: ())
    with pytest.raises(OptionError, match="there are no puzzles of drop-site"):
        solve_puzzles([game], "greedy")
