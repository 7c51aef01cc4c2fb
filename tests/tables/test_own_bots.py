"""Bots that the host brings to tables: only by name, in processes of their own, with limits."""

import os
import pickle
import random
import sys
import time

import pytest

import droptable
from droptable.core.contract import DEALER
from droptable.core.errors import OptionError
from droptable.tables import commands as cmd
from droptable.tables import own_bots
from droptable.tables.bot_pool import BotPool
from droptable.tables.own_bots import OwnBots, parse
from droptable.tables.permissions import Circumstances
from droptable.tables.ratings import match_of
from droptable.tables.rejected import Rejected
from droptable.tables.settings import BOTS, Clock
from tests.tables.sitting import ANN, Sitting

HERE = "tests.tables.badbots"


class OwnSitting(Sitting):
    """A table of a host who brings a bot called mine."""

    def around(self, seq=None, command=""):
        return Circumstances(
            self.now, self.chance, command, seq, self.absent, "next", bots=("mine",)
        )


@pytest.fixture
def view(monkeypatch):
    monkeypatch.setenv("DROPTABLE_COMPILE", "never")
    return droptable.game("drop").start(2).view(0)


@pytest.fixture
def pool():
    made = []

    def make(seconds=20.0, **bots):
        made.append(BotPool(1, own=OwnBots(bots, seconds, seconds)))
        return made[-1]

    yield make
    for each in made:
        each.close()


def program(tmp_path, source):
    """A bot that is a program in Python; it has `json` and `sys`."""
    file = tmp_path / "bot.py"
    file.write_text("import json, os, sys, time\n" + source)
    return f"program:{sys.executable} -S {file}"


def test_bots_are_named_by_the_host():
    """A list names each bot once; names may not be taken, and nothing is loaded to find out."""
    spec = "mine=nowhere.bots:Mine; Rusty 2=program:./my-bot --fast --limit=3;third=bots/x.py:best"
    assert parse(spec) == {
        "mine": "nowhere.bots:Mine",
        "Rusty 2": "program:./my-bot --fast --limit=3",
        "third": "bots/x.py:best",
    }
    assert parse(" ; ") == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nowhere.bots:Mine", "expected NAME=SPEC"),
        ("mine=", "expected NAME=SPEC"),
        ("mine=greedy", "expected NAME=SPEC"),
        ("../mine=a.b:C", "expected NAME=SPEC"),
        ("<b>=a.b:C", "expected NAME=SPEC"),
        (f"{'x' * 31}=a.b:C", "expected NAME=SPEC"),
        ("Normal=a.b:C", "the name 'Normal' is taken"),
        ("open=a.b:C", "the name 'open' is taken"),
        ("adviser=a.b:C", "the name 'adviser' is taken"),
        ("mine=a.b:C; MINE=a.b:D", "the name 'MINE' is taken"),
    ],
)
def test_a_list_that_makes_no_sense_is_refused(text, message):
    """What cannot be a bot, or a name, is refused with what was expected."""
    with pytest.raises(OptionError, match=message):
        parse(text)


@pytest.mark.parametrize(
    "wanted",
    ["tests.tables.badbots:make", "program:sh -c true", "../../bot.py:Bot", "Mine", "mine ", ""],
)
def test_people_only_choose_names(wanted):
    """Who asks for code, or for a bot that is not there, is refused and told which there are."""
    with pytest.raises(Rejected, match=r"expected beginner.*, mine$") as refused:
        OwnSitting("drop", ["me", wanted])
    assert refused.value.kind == "syntax"
    sitting = OwnSitting("drop", ["me", "open"])
    assert sitting.refuse(ANN, cmd.AddBot(1, wanted)).kind == "syntax"
    sitting.do(ANN, cmd.AddBot(1, "mine"))
    assert sitting.table.seats[1].bot == "mine"
    with pytest.raises(Rejected, match="there is no bot 'mine'"):
        Sitting("drop", ["me", "mine"])  # at a host without it
    with pytest.raises(Rejected, match="there is no bot 'mine'"):
        OwnSitting("drop", ["me", "open"], stand_in="mine")


def test_matches_with_them_are_not_rated():
    """Nobody has measured them: a rated table takes none, and a public one is not rated."""
    clock = Clock("turn", 300)
    with pytest.raises(Rejected, match="a match with mine cannot be rated"):
        OwnSitting("drop", ["me", "mine"], rated=True)
    rated = OwnSitting("drop", ["me", "open"], rated=True)
    assert "cannot be rated" in str(rated.refuse(ANN, cmd.AddBot(1, "mine")))
    public = OwnSitting("drop", ["me", "mine"], public=True, clock=clock)
    assert not public.table.rated and match_of(public.table) is None
    assert OwnSitting("drop", ["me", "normal"], public=True, clock=clock).table.rated


def test_an_own_bot_plays(view, pool, tmp_path):
    """Objects remember their seat, programs serve all tables; answers come from another process."""
    file = tmp_path / "mine.py"
    file.write_text(
        "import os\n"
        "class Mine:\n"
        "    asked = 0\n"
        "    def choose(self, view):\n"
        "        assert 'DROPTABLE_DATABASE' not in os.environ\n"
        "        self.asked += 1\n"
        "        return view.legal[-self.asked]\n"
    )
    source = "for line in sys.stdin: print(json.loads(line)['legal'][2], flush=True)"
    os.environ["DROPTABLE_DATABASE"] = "postgresql://user:secret@host/db"
    try:
        bots = pool(mine=f"{file}:Mine", rusty=program(tmp_path, source))
        asked = [bots.choose(("T", seat), "mine", view) for seat in (0, 1, 0)]
    finally:
        del os.environ["DROPTABLE_DATABASE"]
    asked += [bots.choose((table, 0), "rusty", view) for table in "TU"]
    choices = [one.result(60) for one in asked]
    assert [choice.failure for choice in choices] == [""] * 5
    legal = view.legal
    assert [choice.token for choice in choices] == [
        legal[-1],
        legal[-1],
        legal[-2],
        *legal[2:3] * 2,
    ]


def test_a_wrong_answer_is_replaced_and_the_bot_asked_again(view, pool):
    """It raises or cheats: the reason is told, a legal move is made, and no time is lost."""
    bots = pool(bad=f"{HERE}:raises", cheat=f"{HERE}:cheats")
    for name, reason in (("bad", "ZeroDivisionError: oh no"), ("cheat", "it chose 'fly to the")):
        for _ in range(2):
            choice = bots.choose(("T", 0), name, view).result(60)
            assert reason in choice.failure and choice.token in view.legal


def test_a_bot_whose_process_dies_rests_longer_and_longer(view, pool):
    """Meanwhile `normal` plays, and says for whom; after a success all is forgotten."""
    bots = pool(dies=f"{HERE}:dies")
    choice = bots.choose(("T", 0), "dies", view).result(60)
    assert choice.failure == "dies: its process died" and choice.token in view.legal
    choice = bots.choose(("T", 0), "dies", view).result(60)
    assert "dies is not asked for" in choice.failure and "normal plays" in choice.failure
    now = [0.0]
    resting = OwnBots({"x": "a.b:C"}, clock=lambda: now[0])
    rests = []
    for _ in range(8):
        resting._learn("x", own_bots.WorkFailed("its process died"))
        rests.append(resting.rest("x"))
        now[0] += rests[-1]
        assert resting.rest("x") == 0.0
    assert rests == [1, 2, 4, 8, 16, 32, 60, 60]
    resting._learn("x", None)
    resting._learn("x", own_bots.ProgramFailed("it did not answer"))
    assert resting.rest("x") == 1.0


def test_a_server_without_the_bot_lets_normal_play(view, pool):
    """A table may have been opened at another server, or before its host took the bot away."""
    choice = pool().choose(("T", 0), "mine", view).result(60)
    assert choice.failure == "this server has no bot 'mine': normal plays"
    assert choice.token in view.legal
    assert pool().choose(("T", 0), f"{HERE}:dies", view).result(60).failure.startswith("this serv")


@pytest.mark.parametrize(
    ("source", "failure"),
    [
        ("while True: print('garbage')", "without being asked"),
        ("time.sleep(600)", "did not answer within"),
        ("os.close(1); time.sleep(600)", "it ended with exit code"),
        ("x = [bytearray(10**8) for _ in range(99)]", "it ended with exit code"),
        ("print(os.fork() and 'x', flush=True); time.sleep(600)", "it chose '"),
    ],
)
def test_a_program_that_misbehaves_harms_nobody(view, pool, tmp_path, source, failure):
    """It prints without end, is silent, closes its output, takes memory or forks: it is replaced
    by a legal move, and when the server stops nothing of it is left."""
    note = f"open({str(tmp_path / 'pids')!r}, 'a').write(f'{{os.getpid()}} ')\n"
    bad = program(tmp_path, note + source)
    bots = pool(1.0 if "sleep" in source else 60.0, bad=bad)
    failures = []
    while not any(failure in said for said in failures) and len(failures) < 5:
        time.sleep(len(failures))  # for so long it may rest
        choice = bots.choose(("T", 0), "bad", view).result(150)
        assert choice.token in view.legal
        failures.append(choice.failure)
    assert any(failure in said for said in failures), failures
    bots.close()
    for pid in (tmp_path / "pids").read_text().split():
        deadline = time.monotonic() + 30
        while _alive_group(int(pid)) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not _alive_group(int(pid))


def _alive_group(pid):
    try:
        os.killpg(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("name", [game.name for game in droptable.games()])
def test_a_bot_is_sent_what_its_seat_may_know(name):
    """What goes to the process of a bot is the same, byte by byte, whatever is hidden from it."""
    game, chance = droptable.game(name), random.Random(3)
    bots = OwnBots({"mine": "a.b:C"})
    sent = []
    bots._crews["mine"].submit = lambda job: sent.append(pickle.dumps((job.arguments, job.topic)))
    for players in game.players:
        state = game.start(players)
        before = len(sent)
        while not state.over and len(sent) < before + 30:
            actor = state.to_act[0]
            if actor == DEALER:
                state.deal(chance)
                continue
            view = state.view(actor)
            other = view.determinize(seed=chance.randrange(99))
            for one in (state, other):
                bots.ask("mine", ("T", actor), one.view(actor), "owner")
            state.apply(actor, chance.choice(view.legal))
            assert sent[-1] == sent[-2]
        assert len(sent) > before


def test_no_name_of_ours_leads_to_code():
    """What is asked in the processes of our own bots is never a place where code is."""
    from droptable.bots.registry import named_bot

    for name in (f"{HERE}:make", "program:true", "x.py:X"):
        with pytest.raises(OptionError, match="there is no bot"):
            named_bot(name)
    assert all(named_bot(name) for name in BOTS)
