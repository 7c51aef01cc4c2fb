"""Crews do long work in other processes: by turns, within bounds, and without harm to others."""

import os
import threading
import time

import pytest

import droptable
from droptable.tables.bot_pool import BotPool
from droptable.tables.crew import Bounds, Closing, Crew, Job, Turns, WorkFailed
from droptable.tables.rejected import Rejected


@pytest.fixture
def crew():
    """Makes crews, and closes them."""
    made = []

    def make(*arguments, **options):
        made.append(Crew(*arguments, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()


def job(name, owner, **fields):
    return Job(str, (name,), owner, **fields)


def order(turns):
    taken = []
    while turns:
        taken.append(turns.take().arguments[0])
    return taken


def test_owners_take_turns():
    """Whoever asks for much waits: others, who came later, have their turns in between."""
    turns = Turns()
    for name in ("a1", "a2", "a3", "b1", "c1", "c2"):
        turns.put(job(name, ()), (name[0],))
    assert order(turns) == ["a1", "b1", "c1", "a2", "c2", "a3"]


def test_people_at_one_address_share_its_turns():
    """Many identities at one address get no more turns than one person at another."""
    turns = Turns()
    for person in "pqr":
        for number in "12":
            turns.put(job(f"flat {person}{number}", ()), ("flat", person))
    turns.put(job("home 1", ()), ("home", "x"))
    turns.put(job("home 2", ()), ("home", "x"))
    expected = ["flat p1", "home 1", "flat q1", "home 2", "flat r1", "flat p2"]
    assert order(turns)[:6] == expected


def test_one_owners_bound_is_nobody_elses(crew):
    """An address and a person may have so many jobs; others are not refused because of them."""
    hands = crew(0, Bounds(jobs=7, owned=(4, 3)))
    for _ in range(3):
        hands.submit(job("x", ("flat", "ann")))
    with pytest.raises(Rejected, match="3 unfinished jobs") as refused:
        hands.submit(job("x", ("flat", "ann")))
    assert (refused.value.kind, refused.value.wait) == ("limit", 5)
    hands.submit(job("x", ("flat", "bob")))
    with pytest.raises(Rejected, match="4 unfinished jobs"):
        hands.submit(job("x", ("flat", "bob")))
    for _ in range(3):
        hands.submit(job("x", ("home", "cleo")))
    with pytest.raises(Rejected, match="the server is busy: 7 jobs"):
        hands.submit(job("x", ("away", "dan")))
    assert len(list(hands.withdraw(lambda each: each.owner[0] == "home"))) == 3
    hands.submit(job("x", ("away", "dan")))


def counting(most):
    yield from range(most)


def refusing(text):
    raise Rejected("illegal", text, "DS4")


def test_what_comes_back(crew):
    """Results, items as they come, refusals as they are, and failures with their reason."""
    hands = crew(1, niceness=7)
    items = []
    hands.submit(Job(counting, (4,), receive=items.append)).result(60)
    assert items == [0, 1, 2, 3]
    with pytest.raises(Rejected, match="not so") as refused:
        hands.submit(Job(refusing, ("not so",))).result(60)
    assert (refused.value.kind, refused.value.rule) == ("illegal", "DS4")
    with pytest.raises(WorkFailed, match="ZeroDivisionError"):
        hands.submit(Job(divmod, (1, 0))).result(60)
    with pytest.raises(WorkFailed, match="its process died"):
        hands.submit(Job(os._exit, (3,))).result(60)
    with pytest.raises(WorkFailed, match="no answer after 0 seconds"):
        hands.submit(Job(time.sleep, (60,), seconds=0.1, first_seconds=0.1)).result(60)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert hands.submit(Job(os.getpriority, (os.PRIO_PROCESS, 0))).result(60) == min(19, own + 7)


def test_a_process_that_grew_is_replaced(crew):
    """One that uses too much memory after a job ends, and one job cannot take without bounds."""
    hands = crew(1, Bounds(megabytes=1))
    first = hands.submit(Job(os.getpid, ())).result(60)
    assert hands.submit(Job(os.getpid, ())).result(60) != first
    hands = crew(1, Bounds(megabytes=400))
    with pytest.raises(WorkFailed, match="MemoryError"):
        hands.submit(Job(bytearray, (2 << 30,))).result(60)


def test_one_owner_leaves_a_process_to_others(crew):
    """Of two processes an owner may have one: somebody else's job is done beside it."""
    hands = crew(2, Bounds(running=1))
    begun = threading.Event()
    hands.submit(Job(endless, (), ("ann",), receive=lambda _item: begun.set()))
    waiting = hands.submit(Job(str, ("ann's second",), ("ann",)))
    assert begun.wait(60)
    assert hands.submit(Job(str, ("bob's",), ("bob",))).result(60) == "bob's"
    assert not waiting.done()
    hands.close()
    with pytest.raises(Closing):
        waiting.result(60)


def endless():
    yield "begun"
    time.sleep(600)


def test_nobody_waits_for_a_search_elsewhere(monkeypatch):
    """While strong bots of one owner, or of tables where nobody is, think for ever, others answer;
    and when somebody comes to such a table, its bot does."""
    monkeypatch.setenv("DROPTABLE_COMPILE", "never")
    view = droptable.game("drop").start(2).view(0)
    bots = BotPool(2, seconds=600.0, first_seconds=600.0, make="tests.tables.badbots:make_slow")
    try:
        for table in range(5):
            bots.choose((f"A{table}", 0), "hard", view, "attacker")
            bots.choose((f"U{table}", 0), "hard", view, "attacker", attended=False)
        late = bots.choose(("mine", 0), "master", view, "me", attended=False)
        assert bots.choose(("T", 0), "easy", view, "person").result(60).failure == ""
        assert bots.choose(("T", 1), "master", view, "person").result(60).failure == ""
        assert not late.done()
        bots.attend("mine")
        assert late.result(60).failure == ""
    finally:
        bots.close()
