"""My mistakes: what the coach marked comes back, after 1, 3, 7 and 21 days, until it is solved."""

from functools import partial

from droptable.bots.coach import analyse
from droptable.tables import exercises
from droptable.tables.daily import shifted
from tests.bots.test_coach import blunder
from tests.tables.club import meet

TODAY = "2026-11-18"


def found():
    record = blunder()
    analysis = analyse(record, iterations=300)
    return list(exercises.mistakes_of(record, analysis.decisions, 0, "T", TODAY)), analysis


def test_marked_turns_become_exercises():
    """Each turn that the coach marked of a seat, and no other, is a position of that seat with the
    better move and what was done instead."""
    mistakes, analysis = found()
    marked = [d for d in analysis.decisions if d.seat == 0 and d.mark]
    assert [one.event for one in mistakes] == [d.event for d in marked]
    thrown = mistakes[0]
    assert (thrown.mark, thrown.made, thrown.puzzle.best[0]) == ("blunder", ("pop",), "drop")
    assert thrown.puzzle.view() == analysis.record.state_at(thrown.event).view(0)
    assert (thrown.step, thrown.due) == (0, shifted(TODAY, 1))


def test_the_spacing(database):
    """A right answer on the day waits longer each time, the last one solves it, a wrong one begins
    anew, and an answer before the day changes nothing; nobody has another's exercises."""

    async def scenario(club):
        host = await club.host()
        mistake = found()[0][0]
        await host.store.write(partial(exercises.add, who="a", match="m", found=[mistake]))
        await host.store.write(partial(exercises.add, who="a", match="m", found=[mistake]))

        async def answer(day, right, who="a"):
            return await host.store.write(
                lambda c: exercises.note_answer(c, who, mistake.id, day, right=right)
            )

        assert (await answer(TODAY, True)) == mistake
        assert await answer(TODAY, True, who="b") is None
        day = mistake.due
        for step, days in ((1, 3), (2, 7)):
            moved = await answer(day, True)
            assert (moved.step, moved.due) == (step, shifted(day, days))
            assert await answer(day, True) == moved
            day = moved.due
        late = shifted(day, 5)
        again = await answer(late, False)
        assert (again.step, again.due) == (0, shifted(late, 1))
        day = again.due
        for _ in range(4):
            last = await answer(day, True)
            day = last.due
        assert last.solved and last.due == ""
        assert await answer("2030-01-01", False) == last
        assert await host.store.query(lambda c: exercises.mistakes(c, "b")) == []
        await host.forget("a")
        assert await host.store.query(lambda c: exercises.mistakes(c, "a")) == []

    meet(database, scenario)
