"""Bots think in other processes, and whatever they do a legal move comes back."""

import pytest

import droptable
from droptable.tables.bot_pool import BotPool


@pytest.fixture
def view():
    return droptable.game("drop").start(2).view(0)


@pytest.fixture
def bad_pool(monkeypatch):
    monkeypatch.setenv("DROPTABLE_COMPILE", "never")  # in the process of bots: no time is lost
    bots = BotPool(1, seconds=3.0, first_seconds=3.0, make="tests.tables.badbots:make")
    yield bots
    bots.close()


def test_a_bot_chooses(view, monkeypatch):
    """Bots answer from their processes, again and again."""
    monkeypatch.setenv("DROPTABLE_COMPILE", "never")
    bots = BotPool(2)
    try:
        for seat in range(3):
            choice = bots.choose(("T", seat), "random", view).result(60)
            assert choice.token in view.legal and not choice.failure
    finally:
        bots.close()


@pytest.mark.parametrize(
    ("bot", "failure"),
    [
        ("greedy", "greedy: ZeroDivisionError: oh no"),
        ("random", "random chose 'fly to the moon', which is not legal"),
        ("easy", "easy: no answer after 3 seconds"),
        ("normal", "normal: its process died"),
    ],
)
def test_a_bot_that_fails_is_replaced_by_a_legal_move(view, bad_pool, bot, failure):
    """It raises, cheats, hangs or dies: the reason is told, and the next bot is not harmed."""
    choice = bad_pool.choose(("T", 0), bot, view).result(60)
    assert choice.failure == failure
    assert choice.token in view.legal
    after = bad_pool.choose(("U", 0), "master", view).result(60)
    assert (after.token, after.failure) == (view.legal[-1], "")


def test_a_bot_remembers_what_it_planned(view, monkeypatch):
    """The same bot of the same seat is asked again; another seat has its own."""
    monkeypatch.setenv("DROPTABLE_COMPILE", "never")
    bots = BotPool(2, make="tests.tables.badbots:make")
    try:
        chosen = [
            bots.choose(("T", seat), "master", view).result(60).token for seat in (0, 1, 0, 0, 1)
        ]
    finally:
        bots.close()
    assert chosen == [view.legal[-n] for n in (1, 1, 2, 3, 2)]


def test_what_a_bot_prints_is_no_answer(view, bad_pool):
    """The standard output of a process of bots is not what the answers go by."""
    choice = bad_pool.choose(("T", 0), "hard", view).result(60)
    assert (choice.token, choice.failure) == (view.legal[-1], "")


def test_closing_waits_for_no_bot(view, bad_pool):
    """A bot that thinks for ever does not hold up the end: any legal move is its answer."""
    asked = bad_pool.choose(("T", 0), "easy", view)
    later = bad_pool.choose(("T", 1), "easy", view)
    bad_pool.close()
    assert asked.result(5).token in view.legal
    assert later.result(5).failure == "the server is closing"
