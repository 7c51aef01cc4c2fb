"""The checker of fault runs finds every kind of violation in forged histories."""

import json
from pathlib import Path

import pytest

from benchmarks import fault_checker
from benchmarks.fault_checker import check, dump_of

SHOWN = {"what": "shown", "table": "T", "seat": None, "board": "b", "status": "over"}


def chat(seq, text):
    """A line of the log, as viewers are shown it."""
    return {"seq": seq, "to": seq, "kind": "chat", "text": text}


def move(seq, token):
    """A line about one move."""
    return {"seq": seq, "to": seq, "kind": "move", "tokens": [token], "text": token}


def truth():
    """A history of two people and a spectator, and the rows of its database."""
    rows = [
        ("T", 1, None, {"type": "Created"}),
        ("T", 2, "anna:A.1", {"type": "Chatted", "text": "A.1"}),
        ("T", 3, "ben:B.1", {"type": "Moved", "actor": 1, "token": "x"}),
    ]
    entries = [
        {"client": "A", "at": 1, "what": "sent", "table": "T", "id": "A.1", "kind": "chat"},
        {"client": "A", "at": 2, "what": "acknowledged", "table": "T", "id": "A.1"},
        {"client": "B", "at": 3, "what": "sent", "table": "T", "id": "B.1", "kind": "move"},
        {"client": "B", "at": 4, "what": "acknowledged", "table": "T", "id": "B.1"},
        SHOWN | {"client": "A", "at": 5, "seq": 3, "lines": [chat(2, "A.1"), move(3, "x")]},
        SHOWN | {"client": "S", "at": 6, "seq": 3, "lines": [chat(2, "A.1"), move(3, "x")]},
    ]
    return entries, rows


def kinds(entries, rows, last=None):
    """The kinds of violation that the checker finds."""
    dump = dump_of([(t, seq, key, json.dumps(body)) for t, seq, key, body in rows], last)
    return {violation.kind for violation in check({"T": entries}, dump)}


def test_a_true_history_is_accepted():
    """Nothing is found where nothing is wrong."""
    assert kinds(*truth()) == set()


def test_clocks_that_were_held_before_a_move_have_its_command():
    """The first event of a command has its id; a second move without one is still a violation."""
    entries, rows = truth()
    moved = rows.pop()
    rows += [("T", 3, "ben:B.1", {"type": "ClocksHeld", "seconds": 60}), ("T", 4, None, moved[3])]
    assert kinds(entries, rows) == set()
    rows.append(("T", 5, None, moved[3]))
    assert kinds(entries, rows) == {"doubled"}


def test_the_checker_knows_nothing_of_the_server():
    """Its program imports no part of Droptable."""
    assert "import droptable" not in Path(fault_checker.__file__).read_text(encoding="utf-8")
    assert "from droptable" not in Path(fault_checker.__file__).read_text(encoding="utf-8")


def lose_an_acknowledged_command(_entries, rows):
    """The last event is not there."""
    rows.pop()


def lose_the_table(_entries, rows):
    """The database has nothing of it."""
    rows.clear()


def show_what_is_not_stored(entries, _rows):
    """A spectator was told of a chat that the database does not have."""
    entries[-1]["lines"].append(chat(4, "never"))


def store_twice(_entries, rows):
    """A command is carried out again."""
    rows.append(("T", 4, "anna:A.1", rows[1][3]))


def repeat_a_chat_without_its_key(_entries, rows):
    """The same, but the row does not say so."""
    rows.append(("T", 4, None, rows[1][3]))


def repeat_a_move_without_its_key(_entries, rows):
    """A move that no command asked for."""
    rows.append(("T", 4, None, rows[2][3]))


def show_twice(entries, _rows):
    """A viewer reads the same chat twice."""
    entries[-1]["lines"].append(chat(4, "A.1"))


def swap(_entries, rows):
    """What was answered first is stored last."""
    rows[1], rows[2] = ("T", 2, *rows[2][2:]), ("T", 3, *rows[1][2:])


def leave_a_gap(_entries, rows):
    """A number is missing."""
    rows[2] = ("T", 7, *rows[2][2:])


def go_back(entries, _rows):
    """A viewer is shown an older table after a newer one."""
    entries.append(entries[-1] | {"at": 7, "seq": 2, "board": "older", "lines": []})


def show_another_board(entries, _rows):
    """The spectator sees another table than Anna at the same point."""
    entries[-1]["board"] = "other"


def show_another_line(entries, _rows):
    """The spectator reads another line."""
    entries[-1]["lines"][1] = move(3, "x") | {"text": "y"}


def end_differently(entries, _rows):
    """One viewer never learns that the match is over."""
    entries[-1]["status"] = "playing"


def do_what_was_refused(entries, _rows):
    """Ben was told no, and his move was made."""
    entries[3]["what"] = "refused"


def run_a_clock_out(_entries, rows):
    """Ben's clock is at zero."""
    rows.append(("T", 4, None, {"type": "TimedOut", "seat": 1}))


def stand_still(entries, _rows):
    """A bot never moves: its opponent is shown the same board for more than two minutes."""
    entries[4]["status"] = entries[5]["status"] = "playing"
    entries.append(entries[4] | {"at": 130, "seq": 4, "lines": []})


def go_on_late(entries, _rows):
    """The last move is made more than two minutes after the one before."""
    entries[5] |= {"at": 130, "seq": 4, "board": "c"}


@pytest.mark.parametrize(
    ("forge", "kind"),
    [
        (lose_an_acknowledged_command, "lost"),
        (lose_the_table, "lost"),
        (show_what_is_not_stored, "lost"),
        (store_twice, "doubled"),
        (repeat_a_chat_without_its_key, "doubled"),
        (repeat_a_move_without_its_key, "doubled"),
        (show_twice, "doubled"),
        (swap, "reordered"),
        (leave_a_gap, "reordered"),
        (go_back, "reordered"),
        (show_another_board, "disagreement"),
        (show_another_line, "disagreement"),
        (end_differently, "disagreement"),
        (do_what_was_refused, "refused"),
        (run_a_clock_out, "timed out"),
        (stand_still, "still"),
        (go_on_late, "still"),
    ],
)
def test_each_kind_of_violation_is_found(forge, kind):
    """A forged history is rejected, and for the right reason."""
    entries, rows = truth()
    forge(entries, rows)
    assert kind in kinds(entries, rows)
