"""Growth: no table takes chat or events without end."""

import pytest

from droptable.tables import commands as cmd
from droptable.tables import decide as deciding
from droptable.tables import events as ev
from droptable.tables.limits import ChatLimiter, Limits
from droptable.tables.rejected import Rejected
from tests.tables.sitting import ANN, BOB, Sitting


def test_chat_is_slow_in_the_long_run():
    """Somebody who floods is stopped after a burst, and may say more as time passes."""
    limiter = ChatLimiter(Limits(chats=0.5, chat_burst=10))
    for _message in range(10):
        limiter.count("t", "a", 0.0)
    with pytest.raises(Rejected, match="too fast") as refused:
        limiter.count("t", "a", 0.0)
    assert refused.value.kind == "limit"
    limiter.count("t", "b", 0.0)  # others may go on
    limiter.count("t", "a", 2.0)


def test_many_identities_do_not_flood_a_table():
    """A table takes as much chat as four people, however many there are; others are not hit."""
    limiter = ChatLimiter(Limits(chats=0.5, chat_burst=10))
    for number in range(40):
        limiter.count("t", f"{number}", 0.0)
    with pytest.raises(Rejected, match="at this table"):
        limiter.count("t", "x", 0.0)
    limiter.count("u", "y", 0.0)


def test_a_table_has_room_for_so_many_messages(monkeypatch):
    """The message after the last is refused, and the match goes on."""
    monkeypatch.setattr(deciding, "MOST_CHATS", 3)
    sitting = Sitting("drop")
    sitting.do(BOB, cmd.Join())
    for number in range(3):
        assert sitting.do(ANN, cmd.Chat(f"{number}")) == ["Chatted"]
    refused = sitting.refuse(BOB, cmd.Chat("more"))
    assert refused.kind == "limit" and "3 messages" in str(refused)


def test_a_table_that_has_seen_too_much_can_only_be_finished(monkeypatch):
    """Muting, undoing and asking for it stop at some number of events; moves do not."""
    monkeypatch.setattr(deciding, "MOST_EVENTS", 12)
    sitting = Sitting("drop")
    sitting.do(BOB, cmd.Join())
    on = True
    while sitting.table.seq < 12:
        sitting.do(ANN, cmd.Mute(on))
        on = not on
    for command in (
        cmd.Mute(on),
        cmd.Chat("x"),
        cmd.Undo(),
        cmd.AskUndo(),
        cmd.Join(),
        cmd.Return(),
    ):
        assert sitting.refuse(ANN, command).kind == "limit"
    seat = sitting.table.state.to_act[0]
    who = ANN if ANN.identity in sitting.table.seats[seat].people else BOB
    assert "Moved" in sitting.do(who, cmd.Move(sitting.table.state.legal(seat)[0]))
    assert any(isinstance(line.event, ev.Finished) for line in sitting.lines) or "Resigned" in (
        sitting.do(BOB, cmd.Resign())
    )
