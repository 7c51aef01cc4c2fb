"""The same events make the same table, whatever people try."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import droptable
from droptable.tables import commands as cmd
from droptable.tables.decide import decide
from droptable.tables.events import Line, decode, encode
from droptable.tables.rejected import Rejected
from droptable.tables.settings import Clock
from droptable.tables.table import fold
from droptable.tables.viewer import since, snapshot
from tests.tables.sitting import ANN, BOB, CID, Sitting

GAMES = droptable.games()
PEOPLE = (ANN, BOB, CID)
COMMANDS = st.one_of(
    st.just("move"),
    st.just("bots"),
    st.just("tick"),
    st.sampled_from(
        [
            cmd.Undo(), cmd.Undo(step=True), cmd.AskUndo(), cmd.AnswerUndo(True), cmd.GiveHint(0),
            cmd.AnswerUndo(False), cmd.Leave(), cmd.Moves(("nonsense",)),
            cmd.Join(), cmd.Join(1), cmd.Start(), cmd.TakeOver(0), cmd.TakeOver(1), cmd.Return(),
            cmd.Resign(), cmd.Chat("hi"), cmd.Mute(True), cmd.Mute(False, 1), cmd.AddBot(1, "easy"),
            cmd.RemoveBot(1), cmd.Rematch(), cmd.Move("nonsense"),
        ]
    ),
)  # fmt: skip


def everything(table, now):
    """All that is sent to anybody."""
    viewers = (None, *range(table.players))
    sent = [(snapshot(table, v, now, ("A",)), since(table, v)) for v in viewers]
    return json.dumps(sent)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@settings(max_examples=8, deadline=None)
@given(
    players=st.integers(0, 9),
    clock=st.sampled_from([None, Clock("turn", 30), Clock("match", 90, "resign")]),
    steps=st.lists(
        st.tuples(st.sampled_from(PEOPLE), COMMANDS, st.integers(0, 20)), min_size=4, max_size=30
    ),
)
def test_any_commands_fold_to_the_same_table(game, players, clock, steps):
    """Accepted commands replay from JSON to the same bytes for all; refused ones change nothing."""
    count = game.players[players % len(game.players)]
    seats = ("me", "open", "random", "random", "open", "random")[:count]
    sitting = Sitting(game.name, seats, clock=clock)
    sitting.do(BOB, cmd.Join()) if count > 1 else None
    for who, command, seconds in steps:
        sitting.now += seconds
        sitting.absent = {"B": 100.0}
        before = everything(sitting.table, sitting.now)
        image = sitting.table
        try:
            obey(sitting, who, command)
        except Rejected as refused:
            assert str(refused) and sitting.table is image
        assert everything(image, sitting.now) == before, "deciding changed the table"
    again = [Line(x.seq, x.at, decode(encode(x.event)), x.command) for x in sitting.lines]
    assert again == sitting.lines
    before = everything(sitting.table, sitting.now)
    assert everything(fold(sitting.table.id, again), sitting.now) == before


def obey(sitting, who, command):
    """Do it; moves are any that are legal for the person, and bots make theirs."""
    if command == "bots":
        if bots := sitting.table.bots_to_act:
            token = sitting.chance.choice(sitting.table.state.legal(bots[0]))
            sitting.do(ANN, cmd.BotMove(bots[0], token, sitting.table.ledgers[bots[0]].seq))
        return
    if command == "tick":
        command = cmd.Tick()
    if command == "move":
        seat = sitting.table.seat_of(who.identity)
        state = sitting.table.state
        legal = state.legal(seat) if state is not None and seat is not None else []
        command = cmd.Move(sitting.chance.choice(legal or ["none"]))
    sitting.do(who, command)


def test_deciding_is_pure():
    """The same table, command, time and chance lead to the same events."""
    first, second = (Sitting("drop-site", seed=5) for _ in range(2))
    for sitting in (first, second):
        sitting.do(BOB, cmd.Join())
        sitting.move(ANN, 1)
    assert first.lines == second.lines
    with pytest.raises(Rejected):
        decide(first.table, cmd.Move("draw 1"), ANN, first.around())
    assert everything(first.table, 0) == everything(second.table, 0)
