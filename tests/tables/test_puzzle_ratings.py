"""Puzzle ratings: one try counts, and it moves the solver and the puzzle; which puzzle is next."""

from itertools import pairwise

from droptable.bots.puzzles import puzzles
from droptable.games import game, games
from droptable.tables import puzzle_ratings
from droptable.tables.daily import shifted
from droptable.tables.puzzle_book import add_puzzles, daily_puzzle, next_puzzle, own_puzzles
from droptable.tables.puzzle_ratings import PuzzleRating, rated
from tests.tables.club import meet

DEPOT = puzzles(game("depot"))


def test_a_try_counts_once(database):
    """The first try moves both ratings, in opposite directions; later ones change nothing, and
    whoever is deleted leaves none."""

    async def scenario(club):
        host = await club.host()
        puzzle = DEPOT[0]

        async def attempt(who, solved):
            return await host.store.write(
                lambda c: puzzle_ratings.note_try(c, who, puzzle, club.now, solved=solved)
            )

        async def known(who):
            return await host.store.query(
                lambda c: (
                    puzzle_ratings.rating_of(c, who),
                    puzzle_ratings.rating_of_puzzle(c, puzzle),
                    puzzle_ratings.tries(c, who),
                )
            )

        newcomer, before, none = await known("a")
        assert newcomer.tries == 0 and newcomer.provisional and none == {}
        assert await attempt("a", False)
        person, after, tried = await known("a")
        assert person.rating < newcomer.rating and after.rating > before.rating
        assert person.deviation < newcomer.deviation and after.deviation < before.deviation
        assert (person.tries, person.solved, tried) == (1, 0, {puzzle.id: False})
        assert not await attempt("a", True)
        assert await known("a") == (person, after, tried)
        assert await attempt("b", True)
        assert (await known("b"))[0].rating > newcomer.rating
        await host.forget("a")
        assert (await known("a"))[::2] == (newcomer, {})

    meet(database, scenario)


def test_ratings_settle():
    """Who solves every second puzzle of a strength comes to it, in ever smaller steps."""
    person = PuzzleRating(*puzzle_ratings.SOLVER)
    seen = [person.rating]
    for number in range(60):
        person, _task = rated(person, PuzzleRating(1700.0, 60.0), solved=number % 2 == 0)
        seen.append(person.rating)
    steps = [abs(after - before) for before, after in pairwise(seen)]
    assert abs(person.rating - 1700) < 80
    assert max(steps[-6:]) < min(steps[:2]) / 2
    assert (person.tries, person.solved) == (60, 30)


def test_the_next_puzzle():
    """It is of about one's strength and new; then a missed one; never the one just seen."""
    hard = next_puzzle(DEPOT, 3000.0, {})
    easy = next_puzzle(DEPOT, 0.0, {})
    assert hard.rating > easy.rating
    tried = {puzzle.id: True for puzzle in DEPOT}
    fresh, missed = DEPOT[3], DEPOT[5]
    del tried[fresh.id]
    assert next_puzzle(DEPOT, 1400.0, tried) == fresh
    tried |= {fresh.id: True, missed.id: False}
    assert next_puzzle(DEPOT, 1400.0, tried) == missed
    assert next_puzzle(DEPOT, 1400.0, tried | {missed.id: True}) in DEPOT
    assert next_puzzle(DEPOT[:2], 1400.0, {}, after=DEPOT[0].id) == DEPOT[1]
    assert next_puzzle([], 1400.0, {}) is None


def test_the_puzzle_of_the_day():
    """Games take turns, and none of a game's puzzles comes twice before all have come."""
    days = [shifted("2026-11-01", number) for number in range(5 * 40)]
    found = [daily_puzzle(day) for day in days]
    assert [puzzle.game for puzzle in found[:5]] == [subject.name for subject in games()]
    assert len({puzzle.id for puzzle in found}) == len(found)
    assert daily_puzzle(days[7]) == found[7]


def test_puzzles_of_the_server(database):
    """What was mined from the server's own matches is kept once, with its rating."""

    async def scenario(club):
        host = await club.host()
        for new in (2, 0):
            assert await host.store.write(lambda c: add_puzzles(c, DEPOT[:2])) == new
        assert {p.id for p in await host.store.query(own_puzzles)} == {p.id for p in DEPOT[:2]}

    meet(database, scenario)
