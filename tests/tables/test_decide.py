"""Every command, and every refusal with what it says."""

import pytest
from msgspec.structs import replace

import droptable
from droptable.bots.characters import CHARACTERS
from droptable.tables import commands as cmd
from droptable.tables import events as ev
from droptable.tables.commands import parse
from droptable.tables.rejected import Rejected
from droptable.tables.settings import Clock, Settings, check
from droptable.tables.table import fold
from droptable.tables.viewer import since
from tests.tables.sitting import ANN, BOB, CID, DAN, Sitting, all_at_once

POP, SITE, DROP = "drop-or-pop", "drop-site", "drop"


def started():
    sitting = Sitting(DROP)
    sitting.do(BOB, cmd.Join())
    return sitting


def refused(kind, message, action):
    with pytest.raises(Rejected) as caught:
        action()
    assert caught.value.kind == kind
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Settings("chess"), "chess"),
        (Settings(DROP, players=3), "drop is for 2 players, not 3"),
        (Settings(DROP, options={"size": 99}), "size of drop is 99; expected a whole number"),
        (Settings(DROP, options={"width": 3}), "no option 'width'"),
        (Settings(DROP, players=2, seats=("me",)), "expected 2 seats, not 1"),
        (Settings(DROP, seats=("me", "me")), "you can take only one seat, not 2"),
        (Settings(DROP, seats=("me", "search:99s")), "no bot 'search:99s' for tables; expected"),
        (Settings(DROP, stand_in="x"), "no bot 'x'"),
        (Settings(DROP, clock=Clock("turn", 1)), "a clock of 1 second is not possible; expected"),
        (Settings(DROP, title="x" * 61), "at most 60 characters, not 61"),
    ],
)
def test_settings_that_make_no_sense_are_named(settings, message):
    """A wrong value of a new table is named, with what was expected."""
    with pytest.raises(Rejected) as caught:
        check(settings)
    assert message in str(caught.value)


def test_settings_have_defaults_and_tidy_titles():
    """The fewest players, the rulebook's options, the creator and open seats."""
    settings = check(Settings(POP, title=" a\n b\x00"))
    assert settings.players == 3
    assert settings.seats == ("me", "open", "open")
    assert settings.options == {"turn_limit": 500}
    assert settings.title == "a b"


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[]", b"null", b"\xff", b'{"id": "a"}',
        b'{"id": "", "command": {"type": "undo"}}',
        b'{"id": "a", "command": {"type": "cheat"}}', b'{"id": "a", "command": {"type": "move"}}',
        b'{"id": "a", "command": {"type": "join", "seat": -1}}',
        b'{"id": "a", "command": {"type": "move", "token": 3}}', b"[" * 100_000,
        b'{"id": "a", "command": {"type": "moves", "tokens": []}}',
        b'{"id": "a", "command": {"type": "moves", "tokens": [%s"x"]}}' % (b'"x", ' * 64),
        b'{"id": "a", "command": {"type": "undo"}, "more": 1}', {"id": 3, "command": {}},
    ],
)  # fmt: skip
def test_what_is_no_command_is_refused(data):
    """Garbage is refused with a sentence that shows it, shortened, and an example."""
    with pytest.raises(Rejected) as caught:
        parse(data)
    assert caught.value.kind == "syntax"
    assert "is not a command" in str(caught.value) and '"type": "move"' in str(caught.value)
    assert len(str(caught.value)) < 500


def test_the_last_to_join_starts_the_match():
    """A table that is full starts, and the dealer deals in the same append."""
    sitting = Sitting(SITE)
    assert sitting.table.status == "waiting"
    happened = sitting.do(BOB, cmd.Join())
    assert happened[:2] == ["Joined", "Started"] and set(happened[2:]) == {"Moved"}
    assert sitting.table.status == "playing"
    assert sitting.table.state.to_act == (0,)


def test_joining_twice_changes_nothing():
    """Who sits already is where they wanted to be."""
    sitting = Sitting(DROP)
    assert sitting.do(ANN, cmd.Join()) == []


def test_a_seat_can_be_chosen_and_changed_before_the_start():
    """Sitting down elsewhere means getting up first."""
    sitting = Sitting(POP, ("me", "open", "open"))
    assert sitting.do(BOB, cmd.Join(2)) == ["Joined"]
    assert sitting.do(BOB, cmd.Join(1)) == ["Left", "Joined"]
    assert sitting.table.seat_of("B") == 1


def test_refused_joins():
    """No such seat, a taken one, a full table, a match that goes on."""
    sitting = Sitting(DROP, ("me", "open"), start_when_full=False)
    assert "no seat 7; seats are 0 to 1" in str(sitting.refuse(BOB, cmd.Join(7)))
    assert "Ann already sits there" in str(sitting.refuse(BOB, cmd.Join(0)))
    sitting.do(BOB, cmd.Join())
    assert "there is no free seat" in str(sitting.refuse(CID, cmd.Join()))
    sitting.do(ANN, cmd.Start())
    assert "only possible before the match starts" in str(sitting.refuse(CID, cmd.Join()))


def test_several_people_share_a_seat_where_the_game_has_teams():
    """Teams: two people at one seat, each may move; the owner starts."""
    sitting = Sitting(POP, ("me", "open", "open"))
    for who, seat in ((BOB, 1), (CID, 2), (DAN, 2)):
        assert sitting.do(who, cmd.Join(seat)) == ["Joined"]
    assert sitting.table.names == ["Ann", "Bob", "Cid & Dan"]
    sitting.do(ANN, cmd.Start())
    for who in (ANN, BOB, DAN):
        seat = sitting.table.seat_of(who.identity)
        while sitting.table.state.to_act == (seat,):
            sitting.do(who, cmd.Move(sitting.table.state.legal(seat)[0]))
    assert len([a for a, _ in sitting.table.state.events if a >= 0]) >= 3


def test_a_member_of_a_team_gets_up_without_ending_anything():
    """To leave or resign from a shared seat leaves the seat to the others."""
    sitting = Sitting(POP, ("me", "open", "easy"), start_when_full=False)
    for who in (BOB, CID, DAN):
        sitting.do(who, cmd.Join(1))
    sitting.do(ANN, cmd.Start())
    assert sitting.do(BOB, cmd.Leave()) == ["Left"]
    assert sitting.do(CID, cmd.Resign()) == ["Left"]
    assert sitting.do(DAN, cmd.Resign()) == ["Resigned", "BotTookOver"]


def test_who_sits_can_take_another_name():
    """Joining again under a new name renames the seat and says so; without one nothing happens."""
    sitting = Sitting(DROP, ("me", "easy"))
    assert sitting.do(ANN, cmd.Join()) == []
    assert sitting.do(replace_name(ANN, "Anja"), cmd.Join()) == ["Renamed"]
    assert sitting.table.names[0] == sitting.folded().names[0] == "Anja"
    assert since(sitting.table, None)[-1]["text"] == "Ann is called Anja now."


def test_bots_are_characters():
    """Every bot of a table has a name and a face of its own, the same ones for good."""
    sitting = Sitting("number-drop", ("me", *["easy"] * 5))
    names = sitting.table.names
    assert sitting.table.faces == ["", *names[1:]] and len(set(names)) == 6
    assert set(names[1:]) <= set(CHARACTERS)
    assert sitting.folded().faces == sitting.table.faces


def test_bots_of_older_tables_have_characters():
    """Events from before there were characters still lead to names, always the same."""
    sitting = Sitting(POP, ("me", "easy", "easy"))
    old = [
        replace(line, event=replace(line.event, character=""))
        if isinstance(line.event, ev.BotSeated)
        else line
        for line in sitting.lines
    ]
    assert fold("next", old).faces == fold("next", old).faces == sitting.table.faces


def test_names_that_are_equal_are_told_apart():
    """Two Anns are Ann (1) and Ann (2)."""
    sitting = Sitting(DROP)
    sitting.do(replace_name(BOB, "Ann"), cmd.Join())
    assert sitting.table.names == ["Ann (1)", "Ann (2)"]


def replace_name(who, name):
    return type(who)(who.identity, name)


def test_bots_are_seated_and_sent_away_by_the_owner():
    """Only before the start, only at open seats, only bots that exist."""
    sitting = Sitting(POP, ("me", "open", "open"))
    assert sitting.do(ANN, cmd.AddBot(1, "hard")) == ["BotSeated"]
    bot = sitting.table.names[1]
    assert f"{bot} already sits there" in str(sitting.refuse(ANN, cmd.AddBot(1, "easy")))
    assert "there is no bot 'god'" in str(sitting.refuse(ANN, cmd.AddBot(2, "god")))
    assert "no bot to remove at this seat: Ann" in str(sitting.refuse(ANN, cmd.RemoveBot(0)))
    assert sitting.refuse(BOB, cmd.AddBot(2, "easy")).kind == "forbidden"
    assert "only the owner" in str(sitting.refuse(BOB, cmd.RemoveBot(1)))
    assert sitting.do(ANN, cmd.RemoveBot(1)) == ["SeatOpened"]
    sitting.do(ANN, cmd.AddBot(1, "easy"))
    assert "Started" in sitting.do(ANN, cmd.AddBot(2, "easy"))
    assert sitting.refuse(ANN, cmd.RemoveBot(1)).kind == "illegal"


def test_a_table_with_bots_only_starts_at_once():
    """One person and bots need nobody else."""
    assert Sitting(SITE, ("me", "easy", "hard")).table.status == "playing"


def test_starting_needs_the_owner_and_all_seats():
    """The refusal says who is missing."""
    sitting = Sitting(POP, ("me", "open", "open"))
    assert "only the owner of this table may start" in str(sitting.refuse(BOB, cmd.Start()))
    assert "nobody sits at Seat 2, Seat 3 yet" in str(sitting.refuse(ANN, cmd.Start()))


def test_shuffled_seats_are_drawn_at_the_start():
    """Everybody has one seat still, not always the same."""
    orders = set()
    for seed in range(20):
        sitting = Sitting(POP, ("me", "open", "easy"), seed=seed, shuffled=True)
        sitting.do(BOB, cmd.Join())
        sitting.do(ANN, cmd.Start())
        assert sorted(sitting.table.names)[0] == "Ann"
        orders.add((sitting.table.seat_of("A"), sitting.table.seat_of("B")))
    assert len(orders) == 6


def test_the_owner_who_leaves_hands_the_table_on():
    """The next person owns it; the last one closes it."""
    sitting = Sitting(POP, ("me", "open", "open"))
    sitting.do(BOB, cmd.Join())
    assert sitting.do(ANN, cmd.Leave()) == ["Left", "OwnerChanged"]
    assert sitting.table.owner == "B"
    assert sitting.do(BOB, cmd.Leave()) == ["Left", "Closed"]
    refusal = sitting.refuse(CID, cmd.Join())
    assert refusal.kind == "gone" and "closed" in str(refusal)


def test_leaving_a_match_needs_to_resign():
    """During a match one resigns, or lets a bot play; afterwards nothing is needed."""
    sitting = started()
    assert "resign, or let a bot play" in str(sitting.refuse(BOB, cmd.Leave()))
    assert sitting.refuse(CID, cmd.Leave()).kind == "forbidden"
    sitting.do(BOB, cmd.Resign())
    assert sitting.do(BOB, cmd.Leave()) == []


def test_moves_are_made_by_their_seats_owner_only():
    """Who does not sit, or is not to act, is told so; the rule is named."""
    sitting = started()
    token = sitting.table.state.legal(0)[0]
    assert "you have no seat at this table" in str(sitting.refuse(CID, cmd.Move(token)))
    refusal = sitting.refuse(BOB, cmd.Move(token))
    assert refusal.kind == "illegal" and refusal.rule in droptable.game(DROP).rule_sections
    assert "seat 1 is not to act now: seat 0 is" in str(refusal)
    assert sitting.do(ANN, cmd.Move(token)) == ["Moved"]
    assert sitting.refuse(BOB, cmd.Move(token)).rule


def test_words_that_are_no_move_are_a_matter_of_syntax():
    """The word is shown, with moves that are possible."""
    refusal = started().refuse(ANN, cmd.Move("fly"))
    assert refusal.kind == "syntax"
    assert "'fly' is not a move of Drop." in str(refusal) and "possible now" in str(refusal)


def test_nothing_can_be_played_before_the_start_or_after_the_end():
    """Each says when it would be possible."""
    sitting = Sitting(DROP)
    for command in (cmd.Move("0,0"), cmd.Undo(), cmd.Resign(), cmd.Return()):
        assert "has not started yet" in str(sitting.refuse(ANN, command))
    assert "only while a match is being played" in str(sitting.refuse(ANN, cmd.TakeOver(1)))
    sitting.do(BOB, cmd.Join())
    sitting.do(BOB, cmd.Resign())
    for command in (cmd.Move("0,0"), cmd.Undo(), cmd.Resign(), cmd.AnswerUndo(True)):
        refusal = sitting.refuse(ANN, command)
        assert refusal.kind == "gone" and "the match is over" in str(refusal)


def test_a_match_is_played_to_its_end():
    """The last move's append has the result; the winners are the match's."""
    sitting = Sitting(SITE, ("me", "random"), options={"target": 10})
    sitting.play_on(ANN)
    assert sitting.table.state.over
    assert sitting.table.winners == sitting.table.state.winners
    assert type(sitting.lines[-1].event).__name__ == "Finished"


def test_stale_is_what_was_meant_for_another_moment_of_the_match():
    """A move needs the latest of the match; chat since then does not matter."""
    sitting = started()
    seen = sitting.table.ledgers[0].seq
    token = sitting.table.state.legal(0)[0]
    sitting.do(BOB, cmd.Chat("hello"))
    sitting.do(ANN, cmd.Move(token), seq=seen)
    refusal = sitting.refuse(BOB, cmd.Move(sitting.table.state.legal(1)[0]), seq=seen)
    assert refusal.kind == "stale"
    assert f"you have seen the table up to {seen}, but the match changed" in str(refusal)
    now = sitting.table.ledgers[1].seq
    assert sitting.refuse(BOB, cmd.Move("0,1"), seq=now + 1).kind == "stale"
    assert sitting.do(BOB, cmd.Move(sitting.table.state.legal(1)[0]), seq=now) == ["Moved"]


def test_what_others_do_unseen_makes_nothing_stale():
    """While all act at once, another seat's moves do not change what this one has seen."""
    sitting = all_at_once()
    seen = sitting.table.ledgers[0].seq
    count = len(sitting.table.state.events)
    sitting.move(BOB, 2)
    assert len(sitting.table.state.events) == count + 2
    assert sitting.do(ANN, cmd.Move(sitting.table.state.legal(0)[0]), seq=seen)[0] == "Moved"


def test_chat_is_for_those_at_the_table_and_can_be_muted():
    """Text is tidied; empty, too long and muted is refused with the reason."""
    sitting = started()
    sitting.do(BOB, cmd.Chat("  hi\n\x07there "))
    assert sitting.lines[-1].event.text == "hi there"
    assert sitting.refuse(CID, cmd.Chat("hi")).kind == "forbidden"
    assert "is empty" in str(sitting.refuse(BOB, cmd.Chat(" \n")))
    assert "at most 500 characters, not 501" in str(sitting.refuse(BOB, cmd.Chat("x" * 501)))
    assert "only the owner" in str(sitting.refuse(BOB, cmd.Mute(True)))
    assert "there is no seat 9" in str(sitting.refuse(ANN, cmd.Mute(True, 9)))
    for seat in (None, 1):
        assert sitting.do(ANN, cmd.Mute(True, seat)) == ["Muted"]
        assert sitting.do(ANN, cmd.Mute(True, seat)) == []
        assert "has muted you" in str(sitting.refuse(BOB, cmd.Chat("hi")))
        assert sitting.do(ANN, cmd.Chat("hush")) == ["Chatted"]
        sitting.do(ANN, cmd.Mute(False, seat))
        assert sitting.do(BOB, cmd.Chat("thanks")) == ["Chatted"]


def test_another_version_of_the_rules_is_not_played_on():
    """Such a table says which version it needs, and can be looked at and talked at only."""
    sitting = started()
    other = [replace(sitting.lines[0], event=replace(sitting.lines[0].event, rules=99))]
    sitting.lines = other + sitting.lines[1:]
    sitting.table = sitting.folded()
    refusal = sitting.refuse(ANN, cmd.Move("0,0"))
    assert refusal.kind == "gone"
    assert "version 99 of the rules of Drop.; this program has version 1" in str(refusal)
    assert sitting.do(ANN, cmd.Chat("oh")) == ["Chatted"]


def test_a_rematch_has_the_same_settings_and_rotated_seats():
    """Everybody's seat moves on by one and is kept for them; asking twice is the same rematch."""
    from droptable.tables.decide import rematch

    sitting = Sitting(POP, ("me", "open", "easy"), title="again", clock=Clock("turn", 60))
    sitting.do(BOB, cmd.Join())
    sitting.do(ANN, cmd.Start())
    assert "once the match is over" in str(sitting.refuse(ANN, cmd.Rematch()))
    sitting.do(ANN, cmd.Resign())
    sitting.do(BOB, cmd.Resign())
    assert sitting.refuse(CID, cmd.Rematch()).kind == "forbidden"
    assert sitting.do(BOB, cmd.Rematch()) == ["Rematched"]
    assert sitting.do(ANN, cmd.Rematch()) == []
    new = rematch(sitting.table, BOB, sitting.around()).table
    assert new.id == sitting.table.next and new.previous == sitting.table.id
    assert new.settings.title == "again" and new.settings.clock == Clock("turn", 60)
    assert new.names == [sitting.table.names[2], "Seat 2", "Bob"]  # the bot keeps its character
    again = Sitting(POP, ("me", "open", "easy"))
    again.table = new
    assert "Seat 2 is reserved for somebody else" in str(again.refuse(CID, cmd.Join(1)))
    assert "no free seat" in str(again.refuse(CID, cmd.Join()))
    assert again.do(ANN, cmd.Join())[0] == "Joined"
    assert again.table.seat_of("A") == 1
