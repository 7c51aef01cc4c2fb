"""When a viewer has to be sent something."""

import json
import random
from contextlib import suppress

import pytest

import droptable
from droptable.tables import commands as cmd
from droptable.tables.rejected import Rejected
from droptable.tables.settings import Clock
from droptable.tables.viewer import PAGE, fingerprint, page_before, since, snapshot
from tests.tables.sitting import ANN, BOB, Sitting, all_at_once
from tests.tables.test_fold import obey

COMMANDS = (
    *("move",) * 12, "bots", "bots", "tick", cmd.Undo(), cmd.Undo(step=True), cmd.AskUndo(),
    cmd.AnswerUndo(True), cmd.AnswerUndo(False), cmd.TakeOver(0), cmd.Return(), cmd.Chat("hi"),
    cmd.Mute(True), cmd.Mute(False), cmd.GiveHint(0), cmd.GiveHint(1), cmd.Rematch(),
)  # fmt: skip


def told(table, viewer, present, now=0.0):
    """All that a viewer is told, at a time that does not matter."""
    return json.dumps([snapshot(table, viewer, now, present), since(table, viewer)])


@pytest.mark.parametrize("clock", [None, Clock("turn", 40), Clock("match", 300, "resign")])
@pytest.mark.parametrize("game", droptable.games(), ids=lambda game: game.name)
def test_nothing_is_told_without_another_fingerprint(game, clock):
    """Whatever happens: where a viewer's fingerprint stays the same, so does all it is told."""
    chance = random.Random(len(game.name))
    players = 3 if 3 in game.players else 2
    sitting = Sitting(game.name, ("me", "open", "random")[:players], clock=clock, hints=True)
    sitting.do(BOB, cmd.Join())
    if sitting.table.status == "waiting":
        sitting.do(ANN, cmd.Start())
    same, present = 0, ("A",)
    for _ in range(60):
        table, was = sitting.table, present
        present = ("A", "B", "Z")[: chance.randrange(4)] if chance.random() < 0.1 else present
        sitting.now += chance.randrange(5)
        sitting.absent = {"A": 100.0}
        with suppress(Rejected):
            obey(sitting, chance.choice((ANN, BOB)), chance.choice(COMMANDS))
        for viewer in (None, *range(players)):
            prints = fingerprint(table, viewer, was), fingerprint(sitting.table, viewer, present)
            if prints[0] == prints[1]:
                same += 1
                before = told(table, viewer, was, sitting.now)
                assert told(sitting.table, viewer, present, sitting.now) == before
    assert same > 10


def test_hidden_moves_leave_the_fingerprint_as_it_is():
    """What others do unseen needs no message; what one does oneself does."""
    sitting = all_at_once(clock=Clock("match", 1000))
    before = [fingerprint(sitting.table, viewer) for viewer in (None, 0, 1)]
    while sitting.table.state.to_act == (0, 1):
        sitting.now += 1
        sitting.move(ANN)
    after = [fingerprint(sitting.table, viewer) for viewer in (None, 0, 1)]
    assert [x == y for x, y in zip(before, after, strict=True)] == [True, False, True]


def test_presence_counts_only_for_those_who_play():
    """A spectator who comes changes nothing; Bob does."""
    sitting = Sitting("drop")
    sitting.do(BOB, cmd.Join())
    alone = fingerprint(sitting.table, 0, ("A",))
    assert fingerprint(sitting.table, 0, ("A", "Zoe")) == alone
    assert fingerprint(sitting.table, 0, ("A", "B")) != alone


def test_a_long_log_comes_in_pages():
    """A newcomer gets the last page; page by page, every line is there once and whole."""
    sitting = Sitting("depot", ("me", "random", "random"))
    for number in range(2 * PAGE):
        sitting.do(ANN, cmd.Chat(f"line {number}"))
    whole = since(sitting.table, None)
    lines, earlier = page_before(sitting.table, None)
    assert len(lines) <= PAGE and earlier > 0
    while earlier:
        before, earlier = page_before(sitting.table, None, earlier)
        assert before[-1]["to"] < lines[0]["seq"]
        lines = before + lines
    assert lines == whole
