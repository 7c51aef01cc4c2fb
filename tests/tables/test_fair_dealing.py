"""Fair dealing at tables: committed, contributed to, dealt, undone, and verified."""

import json
import random
from dataclasses import replace

import msgspec
import pytest

import droptable
from droptable.core.contract import DEALER
from droptable.core.record import Record
from droptable.core.verify import verify
from droptable.tables import commands as cmd
from droptable.tables import events as ev
from droptable.tables.archive import pack, record, unpack
from droptable.tables.decide import decide, rematch
from droptable.tables.table import fold
from droptable.tables.viewer import snapshot
from tests.core.naive_dealer import NaiveDealer
from tests.tables.club import meet
from tests.tables.sitting import ANN, BOB, CID, Sitting

SHORT = {"drop-site": {"target": 30}, "depot": {"games": 1}}
ONE, TWO = "0123456789abcdef", "FEDCBA9876543210"


def two_contribute(game="depot", **settings):
    """A match of Ann and Bob, both of whom have contributed, and bots if it needs more."""
    seats = ("me", "open", "easy")[: max(2, min(droptable.game(game).players))]
    sitting = Sitting(game, seats, options=SHORT.get(game, {}), contribute=True, **settings)
    sitting.do(BOB, cmd.Join(contribution=TWO))
    assert sitting.table.status == "waiting", "Ann has said that she will contribute"
    sitting.do(ANN, cmd.Join(contribution=ONE))
    if sitting.table.status == "waiting":  # teams
        sitting.do(ANN, cmd.Start())
    return sitting


def fairness(sitting, viewer=None):
    return snapshot(sitting.table, viewer, 0)["fairness"]


def secret_of(sitting):
    return next(line.event.secret for line in sitting.lines if isinstance(line.event, ev.Sealed))


@pytest.mark.parametrize("game", droptable.games(), ids=lambda game: game.name)
def test_every_match_can_be_verified(game):
    """A whole match of every game follows from secret and contributions, by either dealer, and its
    record says so after a round trip through JSON."""
    sitting = two_contribute(game.name, shuffled=True)
    promised = fairness(sitting)["commitment"]
    sitting.play_on(ANN, BOB)
    opened = Record.from_json(record(sitting.table).to_json())
    finding = verify(opened, commitment=promised, contribution=TWO)
    assert finding.fair, finding.message
    assert finding.dealt == sum(actor == DEALER for actor, _ in opened.events)
    published = opened.fairness
    assert {(c.name, c.value) for c in published.contributions} == {
        ("Ann", ONE), ("Bob", TWO.lower()),
    }  # fmt: skip
    for one in published.contributions:
        assert sitting.table.seat_of(one.name[0]) == one.seat
    dealer, k = NaiveDealer(published.secret, (ONE, TWO)), 0
    assert published.order == dealer.order(opened.players)
    for state, (actor, token) in zip(opened.states(), opened.events, strict=False):
        if actor == DEALER:
            assert token == dealer.deal(k, state.chance())
            k += 1


def test_whatever_is_changed_is_found():
    """A changed secret, commitment, contribution, order or card; the first wrong event is named."""
    sitting = two_contribute("drop-site", shuffled=True)
    sitting.play_on(ANN, BOB)
    good = record(sitting.table)
    published, other = good.fairness, "00" * 32
    first = next(n for n, (actor, _) in enumerate(good.events) if actor == DEALER)

    def changed(**what):
        return verify(replace(good, fairness=msgspec.structs.replace(published, **what)))

    assert "committed" in changed(secret=other).message
    assert "committed" in changed(commitment=other).message
    other_commitment = NaiveDealer(other).commitment
    assert not changed(secret=other, commitment=other_commitment).fair, "another host's secret"
    assert changed(contributions=(), order=None).event == first
    assert "seats" in changed(order=published.order[::-1]).message
    assert changed(generator="dice").fair is None
    assert "committed itself to 000000000000…" in verify(good, commitment=other).message
    assert "your contribution" in verify(good, contribution=other).message
    assert verify(replace(good, fairness=None)).fair is None
    assert verify(good).fair


def test_a_card_that_was_chosen_is_found():
    """A host that deals something else than what had to come is found out at that event."""
    sitting = two_contribute("depot")
    sitting.play_on(ANN, BOB)
    good = record(sitting.table)
    number, token = next(
        (n, other)
        for n, (state, (actor, dealt)) in enumerate(zip(good.states(), good.events, strict=False))
        if actor == DEALER
        for other, _chance in state.chance()
        if other != dealt
    )
    events = (*good.events[:number], (DEALER, token))
    finding = verify(Record(good.game, good.players, good.options, events, {}, good.fairness))
    assert (finding.fair, finding.event) == (False, number)
    assert repr(token) in finding.message


@pytest.mark.parametrize("game", droptable.games(), ids=lambda game: game.name)
@pytest.mark.parametrize("bots", [False, True])
def test_undo_gives_no_other_roll(game, bots):
    """Undone and played again, by one's own undo or by asking, a match is dealt as before."""
    if bots:
        seats = ("me", *["easy"] * (max(2, min(game.players)) - 1))
        sitting = Sitting(game.name, seats, options=SHORT.get(game.name, {}))
    else:
        sitting = two_contribute(game.name)
    chance, compared = random.Random(5), 0
    while sitting.table.status == "playing" and sitting.table.events < 200:
        sitting.let_bots_move()
        if sitting.table.status != "playing":
            break
        seat = sitting.table.state.to_act[0]
        who = ANN if seat == sitting.table.seat_of("A") else BOB
        sitting.move(who)
        sitting.let_bots_move()
        if not snapshot(sitting.table, seat, 0)["can"]["ask_undo"] or chance.random() < 0.5:
            continue
        before = sitting.table.state.events
        sitting.do(who, cmd.AskUndo())
        if sitting.table.undo is not None:
            sitting.do(BOB if who == ANN else ANN, cmd.AnswerUndo(True))
        for actor, token in before[len(sitting.table.state.events) :]:
            compared += actor == DEALER
            if len(sitting.table.state.events) >= len(before) or actor == DEALER:
                continue
            if sitting.table.seats[actor].bot:
                seq = sitting.table.ledgers[actor].seq
                sitting.do(ANN, cmd.BotMove(actor, token, seq))
            else:
                sitting.do(ANN if actor == sitting.table.seat_of("A") else BOB, cmd.Move(token))
        assert sitting.table.state.events[: len(before)] == before
    if game.name == "drop-or-pop":
        assert compared, "no roll was undone"


def test_contributions_come_once_and_before_the_start():
    """The first one stays, also at another seat; who leaves takes it along; nothing comes later."""
    sitting = Sitting("depot", ("me", "open", "open"), start_when_full=False)
    assert fairness(sitting) == {
        "commitment": NaiveDealer(secret_of(sitting)).commitment, "contributions": [],
        "awaited": [],
    }  # fmt: skip
    assert sitting.do(BOB, cmd.Join(1, ONE)) == ["Joined"]
    assert sitting.do(BOB, cmd.Join(contribution=TWO)) == []
    assert sitting.do(BOB, cmd.Join(2, TWO)) == ["Left", "Joined"]
    assert fairness(sitting)["contributions"] == [ONE]
    assert sitting.do(CID, cmd.Join(1)) == ["Joined"]
    assert sitting.do(CID, cmd.Join(contribution=TWO)) == ["Contributed"]
    assert fairness(sitting, 1)["contributions"] == [ONE, TWO.lower()]
    sitting.do(BOB, cmd.Leave())
    assert fairness(sitting)["contributions"] == [TWO.lower()]
    sitting.do(BOB, cmd.Join())
    sitting.do(ANN, cmd.Start())
    assert sitting.refuse(BOB, cmd.Join(contribution=ONE)).kind == "illegal"
    assert fairness(sitting)["contributions"] == [TWO.lower()]
    assert sitting.folded().sealed == sitting.table.sealed


@pytest.mark.parametrize("wrong", ["", "12", "x" * 16, "012345678", "00" * 33])
def test_contributions_are_hexadecimal(wrong):
    """8 to 32 bytes; anything else is refused."""
    with pytest.raises(droptable.DroptableError, match="is not a command"):
        cmd.parse({"id": "1", "command": {"type": "join", "contribution": wrong}})


def test_a_table_full_of_bots_waits_for_its_creator():
    """The creator contributes after the commitment is known; the owner may also just start."""
    for command in (cmd.Join(contribution=ONE), cmd.Start()):
        sitting = Sitting("drop-site", ("me", "easy"), contribute=True)
        assert sitting.table.status == "waiting" and fairness(sitting)["awaited"] == [0]
        sitting.do(ANN, command)
        assert sitting.table.status == "playing" and fairness(sitting)["awaited"] == []
    assert Sitting("drop-site", ("me", "easy")).table.status == "playing"
    assert Sitting("drop-site", ("easy", "easy"), contribute=True).table.status == "playing"


def test_a_rematch_has_a_secret_of_its_own_and_waits_for_contributors():
    """Those who contributed are awaited again, at the new commitment; others are not."""
    sitting = Sitting("drop", hints=True)
    sitting.do(BOB, cmd.Join(contribution=TWO))
    sitting.do(ANN, cmd.Resign())
    again = rematch(sitting.table, ANN, sitting.around())
    assert again.table.sealed.commitment != sitting.table.sealed.commitment
    joined = decide(again.table, cmd.Join(), BOB, sitting.around()).table
    assert joined.status == "waiting" and joined.awaited == [joined.seat_of("B")]
    started = decide(joined, cmd.Join(contribution=ONE), BOB, sitting.around()).table
    assert started.status == "playing"
    assert [given.name for given in started.sealed.contributors] == ["Bob"]


def test_nobody_contributed():
    """The record says so, honestly; and a match that was resigned is published as well."""
    sitting = Sitting("drop-site", ("me", "easy"))
    sitting.move(ANN)
    with pytest.raises(droptable.DroptableError, match="not over yet"):
        record(sitting.table)
    sitting.do(ANN, cmd.Resign())
    finding = verify(record(sitting.table))
    assert finding.fair and "nobody contributed" in finding.message


def test_tables_of_earlier_versions_go_on():
    """Without a secret they are dealt as before, and their records say nothing of fairness."""
    sitting = two_contribute("drop-site")
    old = [line for line in sitting.lines if not isinstance(line.event, ev.Sealed | ev.Contributed)]
    text = pack("next", old)
    document = json.loads(text)
    for _at, _command, event in document["events"]:
        event.pop("contribution", None)
        event.pop("awaited", None)
    sitting.table, sitting.lines = unpack(json.dumps(document))
    assert fairness(sitting) is None
    sitting.play_on(ANN, BOB)
    finding = verify(record(sitting.table))
    assert finding.fair is None
    assert sitting.do(ANN, cmd.Rematch()) == ["Rematched"]
    assert rematch(sitting.table, ANN, sitting.around()).table.sealed is not None


def test_the_same_card_comes_whoever_serves(database):
    """Exported in the middle, imported elsewhere, decided on twice: the next draw is the same."""
    sitting = two_contribute("drop-site")
    table, lines = unpack(pack("next", sitting.lines))
    assert fold("next", lines).sealed == table.sealed == sitting.table.sealed
    for _move in range(40):
        seat = sitting.table.state.to_act[0]
        who = (ANN, BOB)[seat]
        move = cmd.Move(sitting.table.state.legal(seat)[0])
        drafts = [decide(sitting.table, move, who, sitting.around()) for _ in range(2)]
        assert drafts[0].events == drafts[1].events
        sitting.do(who, move)
        table = decide(table, move, who, sitting.around()).table
        assert table.state.events == sitting.table.state.events

    async def scenario(club):
        first, second = await club.host(), await club.host()
        table = await club.two(first, "drop-site")
        for number in range(20):
            current = await second.refreshed(table)
            who = "ab"[current.state.to_act[0]]
            host = (first, second)[number % 2]
            await host.refreshed(table)
            assert (await club.move(host, table, who)).ok
        await first.refreshed(table)
        assert (await club.send(first, table, "a", cmd.Resign())).ok
        assert verify(record(await first.table(table))).fair

    meet(database, scenario)
