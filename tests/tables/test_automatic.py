"""Moves that the table makes for a seat that has no other."""

import pytest

from droptable.core.undo import take_back
from droptable.tables import commands as cmd
from droptable.tables import events as ev
from droptable.tables.settings import Clock
from droptable.tables.viewer import since, snapshot
from tests.tables.sitting import ANN, BOB, CID, Sitting, all_at_once, automatic
from tests.tables.test_match import everything_alike

DROP = "number-drop"


@pytest.fixture(autouse=True)
def skipping():
    """Who can circle nothing is not asked."""
    with automatic(DROP, "skip"):
        yield


def together(**settings):
    """Ann and Bob are to drop; all is hidden until both have circled."""
    return all_at_once(options={"order": "together"}, seed=2, **settings)


def dull_drop(sitting):
    """Moves of Ann's after which she has nothing to circle."""
    for _ in range(100):
        state, tokens = sitting.table.state.copy(), []
        while state.legal(0)[0].startswith(("as", "at", "num")):
            tokens.append(sitting.chance.choice(state.legal(0)))
            state.apply(0, tokens[-1])
        if state.legal(0) == ["skip"]:
            return tuple(tokens)
    raise AssertionError("there is none")


def made_by_the_table(sitting):
    moves = [line.event for line in sitting.lines if isinstance(line.event, ev.Moved)]
    return [(moved.actor, moved.token) for moved in moves if moved.by == "table"]


def test_who_has_no_choice_is_not_asked():
    """The forced skip is made in the same append as the move before it, and the match goes on."""
    sitting = Sitting(DROP, ("me",), seed=2)
    sitting.do(ANN, cmd.Move("write 1"))
    while sitting.table.state.legal(0)[0].startswith("slide"):
        sitting.move(ANN)
    happened = sitting.do(ANN, cmd.Moves(dull_drop(sitting)))
    assert made_by_the_table(sitting) == [(0, "skip")]
    assert len(happened) > 6, "the next roll follows"
    assert sitting.table.state.to_act == (0,)
    assert everything_alike(sitting)


def test_nobody_notices_more_than_before():
    """Where all act at once, others cannot tell that the table made a move for a seat."""
    sitting = together()
    seen = snapshot(sitting.table, 1, 0), since(sitting.table, 1)
    sitting.do(ANN, cmd.Moves(dull_drop(sitting)))
    assert made_by_the_table(sitting) == [(0, "skip")]
    assert sitting.table.state.to_act == (1,)
    assert (snapshot(sitting.table, 1, 0), since(sitting.table, 1)) == seen


@pytest.mark.parametrize("bots", ["easy", "random"])
def test_no_bot_is_asked_for_such_a_move(bots):
    """At every moment at which a seat is to act, it has a choice."""
    sitting = Sitting(DROP, ("me", bots))
    for _ in range(60):
        sitting.let_bots_move()
        if sitting.table.status != "playing":
            break
        assert sitting.table.state.automatic(0) is None
        sitting.move(ANN)
    assert {seat for seat, _ in made_by_the_table(sitting)} == {0, 1}
    assert everything_alike(sitting)


def test_undo_goes_back_to_a_decision():
    """The skip goes back with the move before it: not only to be made again."""
    sitting = together()
    start = snapshot(sitting.table, 0, 0)
    tokens = dull_drop(sitting)
    sitting.do(ANN, cmd.Moves(tokens[:-1]))
    almost = snapshot(sitting.table, 0, 0)
    sitting.do(ANN, cmd.Move(tokens[-1]))
    assert snapshot(sitting.table, 0, 0)["can"]["undo"] == len(tokens)
    assert sitting.do(ANN, cmd.Undo(step=True)) == ["TakenBack"]
    assert snapshot(sitting.table, 0, 0)["view"] == almost["view"]
    sitting.do(ANN, cmd.Move(tokens[-1]))
    assert sitting.do(ANN, cmd.Undo()) == ["TakenBack"]
    assert snapshot(sitting.table, 0, 0)["view"] == start["view"]
    assert everything_alike(sitting)


def test_the_same_in_a_match_without_a_table():
    """`take_back` takes the forced move for none, and goes one decision back or to the start."""
    sitting = together()
    tokens = dull_drop(sitting)
    sitting.do(ANN, cmd.Moves(tokens))
    state = sitting.table.state
    assert take_back(state, 0, step=True).legal(0) == [tokens[-1]]
    assert tokens[0] in take_back(state, 0).legal(0)


def a_skip_of_another():
    """A match in which somebody moved and the table skipped for the next, and how it was before."""
    people = (ANN, BOB, CID)
    for seed in range(50):
        sitting = Sitting(DROP, ("me", "open", "open"), seed=seed)
        for who in (BOB, CID):
            sitting.do(who, cmd.Join())
        while sitting.table.status == "playing":
            who = people[sitting.table.state.to_act[0]]
            before, count = bytes(sitting.table.state), len(sitting.lines)
            sitting.move(who)
            first, *rest = [line.event for line in sitting.lines[count:]]
            skipped = [getattr(event, "by", "") for event in rest] == ["table"]
            if skipped and first.actor != rest[0].actor and not first.token.startswith("num"):
                return sitting, who, before
    raise AssertionError("there is none")


def test_anothers_forced_move_goes_back_too():
    """A skip that everybody could foresee is undone with the move before it."""
    sitting, who, before = a_skip_of_another()
    seat = sitting.table.seat_of(who.identity)
    assert snapshot(sitting.table, seat, 0)["can"]["undo"] >= 1
    assert sitting.do(who, cmd.Undo(step=True)) == ["TakenBack"]
    assert bytes(sitting.table.state) == before
    assert sitting.lines[-1].event.kept == ()
    assert everything_alike(sitting)


def test_clocks_stop_for_a_forced_move():
    """The time of a seat that has no choice does not run."""
    sitting = together(clock=Clock("turn", 60))
    sitting.now += 20
    sitting.do(ANN, cmd.Moves(dull_drop(sitting)))
    assert sitting.table.timeout_at(0) is None
    sitting.do(ANN, cmd.Undo(step=True))
    assert sitting.table.timeout_at(0) == sitting.now + 40


def test_tables_of_before_go_on():
    """Where a forced move was not made by the table, anybody may still make it."""
    with automatic(DROP):
        sitting = together()
        sitting.do(ANN, cmd.Moves(dull_drop(sitting)))
        assert sitting.table.state.legal(0) == ["skip"]
    assert everything_alike(sitting)
    assert sitting.do(ANN, cmd.Move("skip")) == ["Moved"]
    assert sitting.do(ANN, cmd.Undo(step=True)) == ["TakenBack"]
    assert sitting.table.state.legal(0) != ["skip"]
