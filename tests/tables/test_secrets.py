"""Nothing that is hidden from a viewer changes a byte of what the viewer is sent."""

import json
import random
from dataclasses import replace

import pytest

import droptable
from droptable.core.contract import DEALER
from droptable.tables import commands as cmd
from droptable.tables import events as ev
from droptable.tables.archive import record
from droptable.tables.decide import Circumstances, Who, decide
from droptable.tables.rejected import Rejected
from droptable.tables.settings import Clock
from droptable.tables.summary import summary
from droptable.tables.viewer import fingerprint, since, snapshot
from tests.tables.sitting import ANN, BOB, Sitting, all_at_once

TABLES = [(game, count) for game in droptable.games() for count in game.players]
MOST_EVENTS = 110
TRIES = 6  # other moves that are tried for one that the viewer cannot see
OUTSIDER = Who("Z", "Zoe")


class Twin:
    """A table that looks the same to one viewer, where what is hidden from it is different."""

    def __init__(self, viewer, chance):
        self.viewer = viewer
        self.chance = chance
        self.table = None
        self.different = 0  # moments at which something hidden was different

    def start(self, table):
        """Begin with another world that the viewer thinks possible."""
        self.table = table.fork()
        self.table.state = table.state.view(self.viewer).determinize(self.chance.getrandbits(32))
        self.table.sealed = replace(table.sealed, secret=self.chance.randbytes(32))

    def follow(self, before, after, moved, at):
        """Do what the viewer saw; what it did not see may be something else, or nothing."""
        if self.table is None:
            return
        entry = after.ledgers[self.viewer].entries
        noticed = len(entry) > before.ledgers[self.viewer].seq
        if not noticed and self.chance.random() < 0.5:
            return  # in this world nothing happened
        known = noticed and entry[-1].known
        for token in [moved.token] if known else self.others(moved):
            trial = self.table.fork()
            try:
                trial.apply(ev.Line(trial.seq + 1, at, ev.Moved(moved.actor, token, moved.by)))
            except droptable.DroptableError:
                continue
            if bytes(trial.state.view(self.viewer)) == bytes(after.state.view(self.viewer)):
                self.table = trial
                return
        self.table = None  # what happened is not possible in this world

    def others(self, moved):
        state = self.table.state
        dealt = moved.actor == DEALER
        tokens = [t for t, _ in state.chance()] if dealt else state.legal(moved.actor)
        return [*self.chance.sample(tokens, min(TRIES, len(tokens))), moved.token]

    def compare(self, table, now, since_seq):
        """Every byte for the viewer is the same, and so is every answer to its commands."""
        if self.table is None:
            self.start(table)
        self.different += bytes(self.table.state) != bytes(table.state)
        ours, theirs = (sent(t, self.viewer, now, since_seq) for t in (table, self.table))
        assert ours == theirs
        ours, theirs = (refusals(t, self.viewer, now) for t in (table, self.table))
        assert ours == theirs


def sent(table, viewer, now, since_seq):
    return json.dumps([snapshot(table, viewer, now), since(table, viewer, since_seq)]).encode()


def refusals(table, viewer, now):
    """What a person of the viewer's is told to some commands that are mostly not possible."""
    who = OUTSIDER if viewer is None else Who(f"p{viewer}", "")
    tokens = table.game.vocabulary(table.state.options).actions
    said = []
    for number, token in enumerate((tokens[0], tokens[len(tokens) // 2], tokens[-1], "nonsense")):
        seq = table.ledgers[viewer].seq - number % 2
        around = Circumstances(now, random.Random(0), seq=seq)
        try:
            decide(table, cmd.Move(token), who, around)
            said.append("fine")
        except Rejected as refused:
            said.append((refused.kind, str(refused), refused.rule))
    return said


def full_table(game, players, seed):
    """People at all seats, and clocks."""
    sitting = Sitting(game.name, ("open",) * players, clock=Clock("match", 10_000), seed=seed)
    for seat in range(players):
        sitting.do(Who(f"p{seat}", f"Person {seat}"), cmd.Join(seat))
    if sitting.table.status == "waiting":
        sitting.do(ANN, cmd.Start())
    return sitting


@pytest.mark.parametrize(
    ("game", "players"), TABLES, ids=[f"{game.name}-{count}" for game, count in TABLES]
)
def test_hidden_things_change_no_byte(game, players):
    """Every viewer's messages, refusals, numbers and clocks are the same in all possible worlds."""
    chance = random.Random(players)
    sitting = full_table(game, players, seed=players)
    twins = [Twin(viewer, chance) for viewer in (None, *range(players))]
    while sitting.table.status == "playing" and sitting.table.seq < MOST_EVENTS:
        sitting.now += chance.randrange(3)
        table, count = sitting.table, len(sitting.lines)
        seen = [table.ledgers[twin.viewer].seq for twin in twins]
        seat = chance.choice(table.state.to_act)
        sitting.do(Who(f"p{seat}", ""), cmd.Move(chance.choice(table.state.legal(seat))))
        for line in sitting.lines[count:]:
            if isinstance(line.event, ev.Moved):
                before, table = table, table.fork()
                table.apply(line)
                for twin in twins:
                    twin.follow(before, table, line.event, line.at)
        if sitting.table.status == "playing":
            for twin, seq in zip(twins, seen, strict=True):
                twin.compare(sitting.table, sitting.now + 1, max(0, seq - 3))
    if has_secrets(sitting.table):
        assert all(twin.different for twin in twins), "nothing was compared"


def test_the_secret_of_the_deal_stays_at_home():
    """Until the match is over it is in nothing that is sent, listed, logged or shown to a bot; then
    it is in the record."""
    sitting = full_table(droptable.game("depot"), 3, seed=1)
    sealed = sitting.table.sealed
    assert len(sealed.secret) == 32
    for _move in range(30):
        table = sitting.table
        texts = [str(line) for line in sitting.lines] + [repr(table.sealed), repr(summary(table))]
        texts += [sent(table, viewer, 0, 0).decode() for viewer in (None, 0, 1, 2)]
        texts += [str(table.state.view(seat).to_dict()) for seat in range(3)]
        entries = [str(e.event) for ledger in table.ledgers.values() for e in ledger.entries]
        for secret in (sealed.secret, sealed.seed):
            for written in (secret.hex(), repr(secret), str(list(secret))):
                assert not any(written in text for text in texts + entries)
        seat = table.state.to_act[0]
        sitting.do(Who(f"p{seat}", ""), cmd.Move(table.state.legal(seat)[0]))
    for seat in range(3):
        if sitting.table.status == "playing":
            sitting.do(Who(f"p{seat}", ""), cmd.Resign())
    assert sealed.secret.hex() in record(sitting.table).to_json()


def has_secrets(table):
    """Whether something happened that not everybody may know."""
    ledgers = table.ledgers.values()
    unequal = len({ledger.seq for ledger in ledgers}) > 1
    return unequal or any(not entry.known for ledger in ledgers for entry in ledger.entries)


def test_numbers_fit_into_javascript():
    """Fields of 64 bits are texts, always; all other numbers are small."""
    for game, players in TABLES:
        table = full_table(game, players, seed=1).table
        small(snapshot(table, 0, 0.0))
        fields = table.state.fields.dtype
        for field in fields.names:
            wide = fields[field].base.itemsize == 8
            value = snapshot(table, 0, 0.0)["view"][field]
            while isinstance(value, list):
                value = value[0]
            assert isinstance(value, str) == wide


def small(value):
    if isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            small(part)
    elif isinstance(value, int | float):
        assert abs(value) < 2**53


def taken_over(*, late):
    """Number Drop, both to drop in secret; Bob is away, his time perhaps up; Ann calls a bot."""
    sitting = all_at_once(clock=Clock("turn", 100), stand_in="random")
    sitting.absent = {"B": 200.0}
    sitting.now += 90
    sitting.move(ANN)  # her own clock stops when she is done
    while 0 in sitting.table.state.to_act:
        sitting.move(ANN)
    if late:
        sitting.now += 11
        assert sitting.do(ANN, cmd.Tick()) == ["TimedOut", "BotTookOver"]
    else:
        sitting.now += 11
    return sitting


def test_letting_a_bot_take_over_does_not_tell_a_secret_time_out():
    """Whether somebody's time is up, unseen: the answer, the log and all the rest are the same."""
    early, late = taken_over(late=False), taken_over(late=True)
    for command in (cmd.TakeOver(1), cmd.TakeOver(1)):
        said = []
        for sitting in (early, late):
            try:
                said.append(sitting.do(ANN, command))
            except Rejected as refused:
                said.append((refused.kind, str(refused)))
        assert said[0] == said[1]
        for viewer in (None, 0):
            now = early.now
            assert sent(early.table, viewer, now, 0) == sent(late.table, viewer, now, 0)
            assert fingerprint(early.table, viewer) == fingerprint(late.table, viewer)
    for sitting in (early, late):
        assert sitting.do(BOB, cmd.Return()) == ["Returned"]
    for viewer in (None, 0):
        assert sent(early.table, viewer, early.now, 0) == sent(late.table, viewer, late.now, 0)
    assert early.table.ledgers[1].seq != late.table.ledgers[1].seq, "Bob himself knows"


def test_when_a_withheld_entry_was_made_stays_a_secret():
    """What is told late is told as of now."""
    sitting = taken_over(late=True)
    sitting.now += 7
    sitting.let_bots_move()
    told = {type(e.event): e.at for e in sitting.table.ledgers[0].entries}
    assert told[ev.TimedOut] == sitting.now
