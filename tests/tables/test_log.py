"""The log: one line for what one actor does in a row."""

from dataclasses import replace
from itertools import pairwise

import pytest

import droptable
from droptable.core.scene import Step
from droptable.core.words import runs, told
from droptable.tables import commands as cmd
from droptable.tables.decide import Who
from droptable.tables.rejected import Rejected
from droptable.tables.viewer import line_at, since, view_at
from tests.tables.sitting import ANN, BOB, Sitting, all_at_once, automatic
from tests.tables.test_match import drop_of, everything_alike
from tests.tables.test_secrets import full_table

DROP = droptable.game("number-drop")


@pytest.fixture
def counting(monkeypatch):
    """Lines that say how many events they are about, and of which action the last was."""

    def tell_turn(steps, names):
        who = names[steps[0].actor] if steps[0].actor >= 0 else "The dealer"
        return f"{who}: {len(steps)}, {steps[-1].action}"

    monkeypatch.setattr(DROP, "words", replace(DROP.words, tell_turn=tell_turn))


def moves(table, viewer, seq=0):
    return [line for line in since(table, viewer, seq) if line["kind"] == "move"]


@pytest.mark.usefixtures("counting")
def test_a_turn_is_one_line_that_grows():
    """It keeps its number, and is sent whole again to whoever has seen a part of it."""
    sitting = all_at_once()
    before = moves(sitting.table, 0)
    assert [line["text"].partition(":")[0] for line in before] == [
        "The dealer", "Ann", "Bob", "The dealer"
    ]  # fmt: skip
    tokens = drop_of(sitting, 0)
    first = sitting.table.ledgers[0].seq + 1
    for count, token in enumerate(tokens[:-1], 1):
        seen = sitting.table.ledgers[0].seq
        sitting.do(ANN, cmd.Move(token))
        (line,) = moves(sitting.table, 0, seen)
        assert (line["seq"], line["to"], line["seat"]) == (first, first + count - 1, 0)
        assert line["tokens"] == list(tokens[:count])
        assert line["text"].startswith(f"Ann: {count}, ")
    assert moves(sitting.table, 0) == [*before, line]
    assert since(sitting.table, 0, sitting.table.ledgers[0].seq) == []
    assert everything_alike(sitting)


@pytest.mark.usefixtures("counting")
def test_chat_and_undo_end_a_line():
    """What follows them is another line, though the same seat acts."""
    sitting = all_at_once()
    tokens = drop_of(sitting, 0)
    sitting.do(ANN, cmd.Moves(tokens[:2]))
    sitting.do(BOB, cmd.Chat("hm"))
    sitting.do(ANN, cmd.Move(tokens[2]))
    sitting.do(ANN, cmd.Undo(step=True))
    sitting.do(ANN, cmd.Move(tokens[2]))
    kinds = [(line["kind"], line["to"] - line["seq"] + 1) for line in since(sitting.table, 0)]
    assert kinds[-5:] == [("move", 2), ("chat", 1), ("move", 1), ("undo", 1), ("move", 1)]


@pytest.mark.usefixtures("counting")
def test_a_line_holds_what_its_viewer_noticed():
    """Others read nothing of hidden moves, and their lines do not depend on them."""
    sitting = all_at_once()
    before = since(sitting.table, 1), since(sitting.table, None)
    sitting.do(ANN, cmd.Moves(drop_of(sitting, 0)[:-1]))
    assert (since(sitting.table, 1), since(sitting.table, None)) == before


@pytest.fixture
def plain_words(monkeypatch):
    """Drop. without words for a whole turn."""
    game = droptable.game("drop")
    monkeypatch.setattr(game, "words", replace(game.words, tell_turn=None))


@pytest.mark.usefixtures("plain_words")
def test_without_words_for_a_turn_the_sentences_follow_each_other():
    """The sentences of `tell` that are not empty, in one line."""
    sitting = Sitting("drop")
    sitting.do(BOB, cmd.Join())
    sitting.move(ANN)
    sitting.move(BOB)
    if sitting.table.state.to_act == (1,):
        sitting.move(BOB)
    line = moves(sitting.table, 0)[-1]
    assert line["text"].count("Bob places") == len(line["tokens"]) == 2


@pytest.mark.usefixtures("plain_words")
def test_runs_and_told_need_no_table():
    """A record's steps make the same lines."""
    record = droptable.play(droptable.game("drop"), 2, seed=3)
    states = list(record.states())
    steps = [
        Step(states[i].fields, states[i + 1].fields, actor,
             record.game.vocabulary(record.options).ids(actor)[token])
        for i, (actor, token) in enumerate(record.events)
    ]  # fmt: skip
    lines = list(runs(steps))
    assert [step for run in lines for step in run] == steps
    assert all(run[-1].actor != other[0].actor for run, other in pairwise(lines))
    assert told(record.game, lines[1], ("A", "B")).count("B places") == len(lines[1])


def test_the_table_gives_a_reason_where_the_game_has_no_words(monkeypatch):
    """A forced move of which the game tells nothing is not passed over in silence."""
    quiet = replace(DROP.words, tell=lambda *_: "", tell_turn=lambda *_: "")
    monkeypatch.setattr(DROP, "words", quiet)
    with automatic("number-drop", "skip"):
        sitting = Sitting("number-drop", ("me", "random"), seed=2)
        for _ in range(40):
            sitting.let_bots_move()
            sitting.move(ANN) if sitting.table.status == "playing" else None
    texts = {line["text"] for line in moves(sitting.table, None)}
    assert texts == {f"{name} has no other move." for name in sitting.table.names}


@pytest.mark.parametrize("game", droptable.games(), ids=lambda game: game.name)
def test_looking_back_shows_what_was_seen_then(game):
    """To each viewer every entry of its log shows the view it had, no byte more, also later."""
    sitting = full_table(game, game.players[-1], seed=5)
    start = sitting.table
    seen = {}
    for _ in range(30):
        for viewer, ledger in sitting.table.ledgers.items():
            seen[viewer, ledger.seq] = bytes(sitting.table.state.view(viewer))
        if sitting.table.status != "playing":
            break
        state = sitting.table.state
        seat = sitting.chance.choice(state.to_act)
        sitting.do(Who(f"p{seat}", ""), cmd.Move(sitting.chance.choice(state.legal(seat))))
    assert len(seen) > 20
    for (viewer, seq), view in seen.items():
        assert bytes(view_at(sitting.table, viewer, seq)) == view
        line = line_at(sitting.table, viewer, seq)
        assert line["seq"] <= seq <= line["to"]
    with pytest.raises(Rejected, match="no match yet"):
        view_at(start, None, 1)
    with pytest.raises(Rejected, match="there is no entry 9999 in your log; expected 1 to"):
        view_at(start, None, 9999)
