"""Undo, resigning, clocks, and bots that take over."""

import pytest

from droptable.tables import commands as cmd
from droptable.tables import events as ev
from droptable.tables.decide import decide
from droptable.tables.settings import Clock
from droptable.tables.viewer import since, snapshot
from tests.tables.sitting import ANN, BOB, CID, DAN, Sitting, all_at_once

POP, SITE, DROP = "drop-or-pop", "drop-site", "drop"


def started(**settings):
    sitting = Sitting(DROP, **settings)
    sitting.do(BOB, cmd.Join())
    return sitting


def four():
    """Ann, Bob, Cid and a bot."""
    sitting = Sitting(SITE, ("me", "open", "open", "random"))
    sitting.do(BOB, cmd.Join())
    sitting.do(CID, cmd.Join())
    return sitting


# -- several moves at once ------------------------------------------------------------------------


def drop_of(sitting, seat):
    """The moves with which a seat that is to drop its shape does so, chosen anyhow."""
    state, tokens = sitting.table.state.copy(), []
    while seat in state.to_act and state.legal(seat)[0].startswith(("as", "at", "num")):
        tokens.append(state.legal(seat)[0])
        state.apply(seat, tokens[-1])
    return tuple(tokens)


def test_moves_are_made_together():
    """One command, one append; others notice what they would notice of single moves."""
    sitting, single = all_at_once(), all_at_once()
    tokens = drop_of(sitting, 0)
    assert len(tokens) > 4
    assert sitting.do(ANN, cmd.Moves(tokens)) == ["Moved"] * len(tokens)
    for token in tokens:
        single.do(ANN, cmd.Move(token))
    assert bytes(sitting.table.state) == bytes(single.table.state)
    assert sitting.table.ledgers[1].seq == single.table.ledgers[1].seq
    assert everything_alike(sitting)


def test_of_several_moves_the_first_bad_one_is_named():
    """All or nothing: its token, reason and rule are told, and nothing has changed."""
    sitting = all_at_once()
    good = drop_of(sitting, 0)
    for wrong, kind in (("skip", "illegal"), ("fly", "syntax")):
        refusal = sitting.refuse(ANN, cmd.Moves((*good[:2], wrong, *good[2:])))
        assert refusal.kind == kind and str(refusal).startswith(f"{wrong}: ")
        assert bool(refusal.rule) == (kind == "illegal")
    assert sitting.refuse(ANN, cmd.Moves(good), seq=0).kind == "stale"
    assert sitting.do(ANN, cmd.Moves(good[:2])) == ["Moved"] * 2


@pytest.mark.parametrize("bob_moves", [0, 1, 6])
def test_several_moves_are_no_look_into_the_future(bob_moves):
    """What follows a move that ends the turn or shows something is refused, always in one way."""
    sitting = all_at_once()
    for _ in range(bob_moves):
        if 1 in sitting.table.state.to_act:
            sitting.move(BOB)
    good = drop_of(sitting, 0)
    refusals = {str(sitting.refuse(ANN, cmd.Moves((*good, last)))) for last in ("skip", "draw")}
    assert {r.partition(" ")[2] for r in refusals} == {
        f"is not possible together with {good[-1]}: see first what that brings"
    }


def test_several_moves_end_with_the_turn():
    """Whose turn is over after one move cannot make another."""
    sitting = started()
    refusal = sitting.refuse(ANN, cmd.Moves(tuple(sitting.table.state.legal(0)[:2])))
    assert refusal.kind == "illegal" and "is not possible together with" in str(refusal)


# -- undo -----------------------------------------------------------------------------------------


def test_ones_own_move_goes_back_while_nothing_has_happened():
    """The match is where it was; the log still has what was taken back."""
    sitting = started()
    before = bytes(sitting.table.state)
    sitting.move(ANN)
    assert sitting.do(ANN, cmd.Undo()) == ["TakenBack"]
    assert bytes(sitting.table.state) == before
    assert "you have not moved yet" in str(sitting.refuse(ANN, cmd.Undo()))
    texts = [line["text"] for line in since(sitting.table, 1)]
    assert "Ann places" in texts[-2] and texts[-1] == "Ann undoes a move."


def test_undo_is_refused_with_the_reason():
    """Before the first move, after another's, after the dealer's."""
    sitting = started()
    assert "you have not moved yet" in str(sitting.refuse(ANN, cmd.Undo()))
    sitting.move(ANN)
    sitting.move(BOB)
    assert "by yourself: Bob moved; you can ask the others" in str(sitting.refuse(ANN, cmd.Undo()))
    dealt = Sitting(SITE, ("me", "open"))
    dealt.do(BOB, cmd.Join())
    dealt.move(ANN)
    assert "the dealer has acted since" in str(dealt.refuse(ANN, cmd.Undo()))


def test_one_step_back_or_the_whole_turn():
    """A step undoes the last decision; steps lead to the start of the turn, as one undo does."""
    sitting = all_at_once()
    views = [snapshot(sitting.table, 0, 0)["view"]]
    for token in drop_of(sitting, 0)[:4]:
        sitting.do(ANN, cmd.Move(token))
        sitting.move(BOB) if len(views) < 3 else None
        views.append(snapshot(sitting.table, 0, 0)["view"])
    bob = snapshot(sitting.table, 1, 0)
    again = sitting.folded()
    for count in range(4, 0, -1):
        assert snapshot(sitting.table, 0, 0)["can"] == {"undo": count, "ask_undo": False}
        assert sitting.do(ANN, cmd.Undo(step=True)) == ["TakenBack"]
        assert snapshot(sitting.table, 0, 0)["view"] == views[count - 1]
    assert snapshot(sitting.table, 0, 0)["can"]["undo"] == 0
    assert sitting.refuse(ANN, cmd.Undo(step=True)).kind == "illegal"
    assert snapshot(sitting.table, 1, 0) == bob, "Bob has noticed nothing, and can undo as before"
    assert sitting.do(BOB, cmd.Undo()) == ["TakenBack"]
    sitting.table = again
    sitting.do(ANN, cmd.Undo())
    assert snapshot(sitting.table, 0, 0)["view"] == views[0]


@pytest.mark.parametrize("game", [POP, SITE, DROP, "depot", "number-drop"])
@pytest.mark.parametrize("seats", [("me", "open", "open"), ("me", "random", "random")])
def test_what_can_be_undone_is_told_as_it_is(game, seats):
    """Whoever is told that an undo is possible is not refused; whoever is not told is."""
    people = (ANN, BOB, CID)
    players = 2 if game == DROP else 3
    sitting = Sitting(game, seats[:players], seed=4)
    if "open" in seats:
        for who in people[1:players]:
            sitting.do(who, cmd.Join())
    sitting.do(ANN, cmd.Start()) if sitting.table.status == "waiting" else None
    told = set()
    for _ in range(80):
        sitting.let_bots_move()
        if sitting.table.status != "playing":
            break
        for seat, who in enumerate(people[:players]):
            if not sitting.table.seats[seat].people:
                continue
            can = snapshot(sitting.table, seat, 0)["can"]
            for command, possible in (
                (cmd.Undo(), can["undo"] > 0),
                (cmd.Undo(step=True), can["undo"] > 0),
                (cmd.AskUndo(), can["ask_undo"]),
            ):
                told.add((type(command), possible))
                if possible:
                    decide(sitting.table, command, who, sitting.around())
                else:
                    sitting.refuse(who, command)
        acting = [s for s in sitting.table.state.to_act if sitting.table.seats[s].people]
        sitting.move(people[sitting.chance.choice(acting)])
    assert {possible for command, possible in told if command is cmd.Undo} >= {False}


def test_a_move_before_one_that_was_taken_back():
    """When Bob has taken back, Ann may take back too."""
    sitting = started()
    sitting.move(ANN)
    sitting.move(BOB)
    sitting.do(BOB, cmd.Undo())
    assert sitting.do(ANN, cmd.Undo()) == ["TakenBack"]
    assert sitting.table.state.events == ()


def test_others_unseen_moves_are_kept():
    """While all act at once only one's own moves go back, and the others notice nothing."""
    sitting = all_at_once()
    start = snapshot(sitting.table, 0, 0)["view"]
    sitting.move(ANN)
    sitting.move(BOB)
    sitting.move(ANN)
    seen = sitting.table.ledgers[1].seq
    assert sitting.do(ANN, cmd.Undo()) == ["TakenBack"]
    assert snapshot(sitting.table, 0, 0)["view"] == start
    assert [actor for actor, _ in sitting.table.state.events[-2:]] == [-1, 1]
    assert sitting.table.ledgers[1].seq == seen


def test_further_back_needs_everybody():
    """Everybody else has to agree; one refusal ends it."""
    sitting = started()
    before = bytes(sitting.table.state)
    sitting.move(ANN)
    sitting.move(BOB)
    assert sitting.refuse(BOB, cmd.AnswerUndo(True)).kind == "illegal"
    assert sitting.do(ANN, cmd.AskUndo()) == ["UndoAsked"]
    assert "not asked to agree" in str(sitting.refuse(ANN, cmd.AnswerUndo(True)))
    assert snapshot(sitting.table, 1, 0)["undo"] == {"seat": 0, "waiting": [1]}
    assert sitting.do(BOB, cmd.AnswerUndo(False)) == ["UndoAnswered"]
    assert sitting.table.undo is None
    sitting.do(ANN, cmd.AskUndo())
    assert sitting.do(BOB, cmd.AnswerUndo(True)) == ["UndoAnswered", "TakenBack"]
    assert bytes(sitting.table.state) == before
    assert sitting.table.undo is None


def test_who_asked_can_withdraw():
    """Refusing one's own request ends it."""
    sitting = started()
    sitting.move(ANN)
    sitting.move(BOB)
    sitting.do(ANN, cmd.AskUndo())
    assert sitting.do(ANN, cmd.AnswerUndo(False)) == ["UndoAnswered"]
    assert sitting.table.undo is None


def test_alone_with_bots_everybody_agrees():
    """No other person is there to be asked."""
    sitting = Sitting(DROP, ("me", "random"))
    sitting.move(ANN)
    sitting.let_bots_move()
    assert sitting.do(ANN, cmd.AskUndo()) == ["UndoAsked", "TakenBack"]
    assert sitting.table.state.events == ()


def test_no_agreement_goes_past_a_secret():
    """A card that one seat drew unseen by others stays drawn."""
    sitting = Sitting(SITE)
    sitting.do(BOB, cmd.Join())
    sitting.move(ANN)
    refusal = sitting.refuse(ANN, cmd.AskUndo())
    assert "cannot go back that far" in str(refusal) and "something secret" in str(refusal)


@pytest.mark.parametrize("bob_moves", [0, 1, 3])
def test_undo_does_not_tell_whether_others_have_moved(bob_moves):
    """Every refusal while all act at once is the same, whatever the others have done by then."""
    sitting = all_at_once()
    for _ in range(bob_moves):
        sitting.move(BOB)
    said = [str(sitting.refuse(ANN, command)) for command in (cmd.Undo(), cmd.AskUndo())]
    assert "the dealer has acted since" in said[0]
    assert "or may have" in said[1]


# -- resigning ------------------------------------------------------------------------------------


def test_of_two_the_other_wins_at_once():
    """The result says how."""
    sitting = started()
    assert sitting.do(ANN, cmd.Resign()) == ["Resigned", "Finished"]
    assert (sitting.table.winners, sitting.table.how) == ((1,), "resigned")
    assert snapshot(sitting.table, 0, 0)["result"]["verdict"] == "Bob wins: Ann resigned."


def test_alone_nobody_wins():
    """Who gives up a solo match has no score to be listed."""
    sitting = Sitting("number-drop", ("me",))
    assert sitting.do(ANN, cmd.Resign()) == ["Resigned", "Finished"]
    assert sitting.table.winners == ()
    assert snapshot(sitting.table, 0, 0)["result"]["verdict"] == "Ann resigned."


def test_of_many_a_bot_plays_on_and_cannot_win():
    """The match goes on; who resigned is left out of the winners, and the last one wins."""
    sitting = four()
    assert sitting.do(BOB, cmd.Resign()) == ["Resigned", "BotTookOver"]
    assert "you have resigned" in str(sitting.refuse(BOB, cmd.Move("draw")))
    assert "you have resigned" in str(sitting.refuse(BOB, cmd.Return()))
    sitting.do(CID, cmd.Resign())
    assert sitting.do(ANN, cmd.Resign()) == ["Resigned", "Finished"]
    assert sitting.table.winners == (3,)


def test_the_winners_are_those_who_have_not_resigned():
    """Were the best all to have resigned, the others share the victory."""
    results = set()
    for seed in range(12):
        sitting = Sitting(POP, ("me", "random", "random"), seed=seed)
        sitting.do(ANN, cmd.Resign())
        sitting.play_on()
        best = sitting.table.state.winners
        expected = tuple(s for s in best if s != 0) or (1, 2)
        assert sitting.table.winners == expected
        verdict = snapshot(sitting.table, 0, 0)["result"]["verdict"]
        assert ("As Ann resigned" in verdict) == (best != expected)
        results.add(best == (0,))
    assert results == {True, False}


# -- clocks ---------------------------------------------------------------------------------------


def test_a_turn_has_its_time_and_a_bot_plays_on():
    """At zero, not before, a bot plays for the seat; its person can return with a full clock."""
    sitting = started(clock=Clock("turn", 60))
    sitting.now += 59
    assert sitting.do(ANN, cmd.Tick()) == []
    assert snapshot(sitting.table, 1, sitting.now)["clocks"]["left"] == [1.0, 60.0]
    assert snapshot(sitting.table, 1, sitting.now)["clocks"]["running"] == [True, False]
    sitting.now += 1
    assert sitting.do(ANN, cmd.Tick()) == ["TimedOut", "BotTookOver"]
    assert sitting.table.bots_to_act == [0]
    sitting.let_bots_move()
    sitting.now += 30
    sitting.move(BOB, 2)
    assert sitting.do(ANN, cmd.Return()) == ["Returned"]
    assert sitting.table.timeout_at(0) == sitting.now + 60


def test_a_match_clock_goes_on_counting():
    """Time that was used stays used; who has none left cannot return."""
    sitting = started(clock=Clock("match", 100))
    sitting.now += 70
    sitting.move(ANN)
    sitting.now += 10
    sitting.move(BOB, 2)
    assert sitting.table.timeout_at(0) == sitting.now + 30
    assert snapshot(sitting.table, None, sitting.now)["clocks"]["left"] == [30.0, 90.0]
    sitting.now += 30
    sitting.do(ANN, cmd.Tick())
    assert "your time for this match is used up" in str(sitting.refuse(ANN, cmd.Return()))
    assert "used up" in str(sitting.refuse(ANN, cmd.Move(sitting.table.state.legal(0)[0])))


def test_at_zero_a_seat_can_resign():
    """An option of the table."""
    sitting = started(clock=Clock("turn", 60, "resign"))
    sitting.now += 61
    assert sitting.do(ANN, cmd.Tick()) == ["TimedOut", "Resigned", "Finished"]
    assert sitting.table.winners == (1,)


def test_undo_gives_no_new_time():
    """A turn that is resumed goes on with what was left."""
    sitting = started(clock=Clock("turn", 60))
    sitting.now += 40
    sitting.move(ANN)
    sitting.now += 5
    sitting.do(ANN, cmd.Undo())
    assert sitting.table.timeout_at(0) == sitting.now + 20


def test_clocks_do_not_tell_who_is_done():
    """While all act at once, another's clock seems to run until it is known that all are done."""
    sitting = all_at_once(clock=Clock("match", 1000))
    sitting.now += 10
    while 1 in sitting.table.state.to_act:
        sitting.move(BOB)
    sitting.now += 10
    seen = snapshot(sitting.table, 0, sitting.now)["clocks"]
    assert seen["left"] == [980.0, 980.0] and seen["running"] == [True, True]
    own = snapshot(sitting.table, 1, sitting.now)["clocks"]
    assert own["left"] == [980.0, 990.0] and own["running"] == [True, False]
    while 0 in sitting.table.state.to_act and "skip" not in sitting.table.state.legal(0):
        sitting.move(ANN)
    seen = snapshot(sitting.table, 0, sitting.now)["clocks"]
    assert seen["left"] == [980.0, 990.0]


def test_bots_have_no_clock():
    """Only people can run out of time."""
    sitting = Sitting(DROP, ("random", "me"), clock=Clock("turn", 60))
    assert sitting.table.next_timeout is None
    sitting.let_bots_move()
    assert sitting.table.next_timeout == sitting.now + 60


# -- bots that stand in ----------------------------------------------------------------------------


def test_a_bot_plays_for_who_is_away():
    """Others may ask for it after a while; the person takes the seat back by moving."""
    sitting = started()
    sitting.move(ANN)
    sitting.absent = {"B": 12.0}
    refusal = sitting.refuse(ANN, cmd.TakeOver(1))
    assert refusal.kind == "forbidden"
    assert "Bob has been away for 12 seconds; a bot may take over after 60" in str(refusal)
    assert sitting.refuse(CID, cmd.TakeOver(1)).kind == "forbidden"
    assert "there is no seat 5" in str(sitting.refuse(ANN, cmd.TakeOver(5)))
    sitting.absent = {"B": 61.0}
    assert sitting.do(ANN, cmd.TakeOver(1)) == ["BotTookOver"]
    assert "a bot (normal) already plays for Bob" in str(sitting.refuse(ANN, cmd.TakeOver(1)))
    assert sitting.table.bots_to_act == [1]
    token = sitting.table.state.legal(1)[0]
    assert sitting.do(BOB, cmd.Move(token)) == ["Returned", "Moved"]
    assert sitting.table.bots_to_act == []
    assert sitting.do(BOB, cmd.Return()) == []


def test_anybody_can_let_a_bot_play_for_themselves():
    """Leaving for a while needs nobody's leave."""
    sitting = started()
    assert sitting.do(ANN, cmd.TakeOver(0)) == ["BotTookOver"]
    assert sitting.do(ANN, cmd.Return()) == ["Returned"]


def test_a_team_is_away_when_all_of_it_are():
    """One of two people is enough to keep their seat."""
    sitting = Sitting(POP, ("me", "open", "easy"), start_when_full=False)
    for who in (BOB, DAN):
        sitting.do(who, cmd.Join(1))
    sitting.do(ANN, cmd.Start())
    sitting.absent = {"B": 500.0}
    assert sitting.refuse(ANN, cmd.TakeOver(1)).kind == "forbidden"
    sitting.absent = {"B": 500.0, "D": 100.0}
    assert sitting.do(ANN, cmd.TakeOver(1)) == ["BotTookOver"]


def test_a_bots_move_is_stale_when_the_match_has_gone_on():
    """A bot that thought about another moment, or whose person is back, does not move."""
    sitting = Sitting(DROP, ("random", "me"))
    seq = sitting.table.ledgers[0].seq
    token = sitting.table.state.legal(0)[0]
    sitting.do(ANN, cmd.Chat("hm"))
    sitting.do(ANN, cmd.BotMove(0, token, seq))
    assert sitting.refuse(ANN, cmd.BotMove(0, token, seq)).kind == "stale"
    assert sitting.refuse(ANN, cmd.BotMove(1, token, seq)).kind == "stale"


def test_a_move_instead_of_a_failed_bots_is_told():
    """The log says that the bot failed."""
    sitting = Sitting(DROP, ("random", "me"))
    token = sitting.table.state.legal(0)[0]
    sitting.do(ANN, cmd.BotMove(0, token, sitting.table.ledgers[0].seq, stopgap=True))
    assert sitting.lines[-1].event == ev.Moved(0, token, "stopgap")
    assert since(sitting.table, 1)[-1]["text"].endswith("this move was made instead.)")


@pytest.mark.parametrize("at_zero", ["bot", "resign"])
def test_a_clock_at_zero_does_not_tell_who_is_done(at_zero):
    """While all act at once nobody learns whose time is up, until all can see what was done."""
    sent = []
    for done, late in ((BOB, CID), (CID, BOB)):
        sitting = Sitting("number-drop", ("me", "open", "open"), clock=Clock("turn", 60, at_zero))
        for who in (BOB, CID):
            sitting.do(who, cmd.Join())
        for who in (ANN, BOB, CID):
            sitting.do(who, cmd.Move("write 1"))
        for who in (ANN, done):
            while sitting.table.seat_of(who.identity) in sitting.table.state.to_act:
                sitting.do(
                    who, cmd.Move(sitting.table.state.legal(sitting.table.seat_of(who.identity))[0])
                )
        sitting.now += 61
        assert sitting.do(ANN, cmd.Tick())[0] == "TimedOut"
        assert sitting.table.seats[sitting.table.seat_of(late.identity)].played_by
        sent.append(
            [(snapshot(sitting.table, v, sitting.now), since(sitting.table, v)) for v in (0, None)]
        )
        own = since(sitting.table, sitting.table.seat_of(late.identity))
        assert any("is up" in line["text"] for line in own)
        sitting.let_bots_move()
        for viewer in (0, None):
            log = [line["text"] for line in since(sitting.table, viewer)]
            assert f"{late.name}'s time is up." in log
        assert everything_alike(sitting)
    assert sent[0] == sent[1]


def everything_alike(sitting):
    """The fold from the lines sends the same."""
    again = sitting.folded()
    return all(
        snapshot(again, v, 0) == snapshot(sitting.table, v, 0)
        and since(again, v) == since(sitting.table, v)
        for v in (None, *range(again.players))
    )
