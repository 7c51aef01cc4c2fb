"""People at a table, without any store: what they do is decided and kept as lines."""

import random
from contextlib import contextmanager
from dataclasses import replace

import droptable
from droptable.tables.commands import BotMove, Join, Move
from droptable.tables.decide import Circumstances, Who, create, decide
from droptable.tables.rejected import Rejected
from droptable.tables.settings import Settings
from droptable.tables.table import fold

ANN, BOB, CID, DAN = (Who(name[0], name) for name in ("Ann", "Bob", "Cid", "Dan"))


class Sitting:
    """A table whose creator is Ann; `now` is its time, which only the test moves."""

    def __init__(self, game, seats=("me", "open"), *, seed=1, who=ANN, **settings):
        self.chance = random.Random(seed)
        self.now = 1000.0
        self.absent = {}
        wanted = Settings(game, players=len(seats), seats=tuple(seats), **settings)
        draft = create(wanted, who, self.around())
        self.table, self.lines = draft.table, list(draft.lines)

    def around(self, seq=None, command=""):
        return Circumstances(self.now, self.chance, command, seq, self.absent, "next")

    def do(self, who, command, seq=None):
        """Obey a command; the types of the events it led to."""
        draft = decide(self.table, command, who, self.around(seq))
        self.table = draft.table
        self.lines += draft.lines
        return [type(line.event).__name__ for line in draft.lines]

    def refuse(self, who, command, seq=None):
        """The refusal of a command, which changes nothing."""
        try:
            decide(self.table, command, who, self.around(seq))
        except Rejected as refused:
            return refused
        raise AssertionError(f"{command} was not refused")

    def let_bots_move(self):
        """Let the bots that are to act make any moves, as long as they are."""
        while bots := self.table.bots_to_act:
            token = self.chance.choice(self.table.state.legal(bots[0]))
            seq = self.table.ledgers[bots[0]].seq
            self.do(ANN, BotMove(bots[0], token, seq))

    def move(self, who, times=1):
        """Let somebody make any moves."""
        seat = self.table.seat_of(who.identity)
        for _ in range(times):
            self.do(who, Move(self.chance.choice(self.table.state.legal(seat))))

    def play_on(self, *people):
        """Let these people, and the bots, make any moves until the match is over."""
        while self.table.status == "playing":
            self.let_bots_move()
            for who in people:
                if self.table.seat_of(who.identity) in self.table.state.to_act:
                    self.move(who)

    def folded(self):
        """The same table, made from its lines."""
        return fold(self.table.id, self.lines)


@contextmanager
def automatic(game, *tokens):
    """Let tables make these moves for seats of a game that have no other."""
    game = droptable.game(game)
    scene, game.scene = game.scene, replace(game.scene, automatic=frozenset(tokens))
    try:
        yield
    finally:
        game.scene = scene


def all_at_once(**settings):
    """Number Drop for Ann and Bob after the roll: both are to drop their shapes, unseen."""
    sitting = Sitting("number-drop", **settings)
    sitting.do(BOB, Join())
    for who in (ANN, BOB):
        sitting.do(who, Move("write 1"))
    assert sitting.table.state.to_act == (0, 1)
    return sitting
