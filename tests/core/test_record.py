"""Records: saved, read back, verified, refused."""

import json
import pickle
import random

import numpy as np
import pytest

import droptable

GAME = droptable.game("drop-or-pop")


@pytest.fixture
def record():
    """A finished match."""
    return droptable.play(GAME, players=3, seed=7)


@pytest.mark.parametrize("game", droptable.games(), ids=lambda game: game.name)
def test_a_match_survives_its_file(game, tmp_path):
    """Saving and opening gives the same events, options and final state."""
    for players in game.players:
        record = droptable.play(game, players, seed=players)
        record.save(tmp_path / "match.json")
        again = droptable.open_record(tmp_path / "match.json")
        assert again == record
        assert again.final == record.final
        assert not list(tmp_path.glob("*.part"))


def test_states_run_from_the_start_to_the_end(record):
    """There is one state before every event and one after the last, each the caller's own."""
    states = list(record.states())
    assert len(states) == len(record.events) + 1
    assert states[0] == GAME.start(players=3)
    assert states[-1].over
    states[0].apply(-1, "red")
    assert next(record.states()) == GAME.start(players=3)


def test_the_partial_record_of_a_running_match(tmp_path):
    """A match that is not over can be saved and goes on where it was."""
    state = GAME.start(players=4)
    state.apply(-1, "red")
    state.record.save(tmp_path / "part.json")
    again = droptable.open_record(tmp_path / "part.json").final
    assert again == state
    assert again.legal(0) == state.legal(0)


def test_a_person_can_read_the_file(record):
    """One event a line, the game and the options by name."""
    lines = record.to_json().split("\n")
    assert '  "game": "drop-or-pop",' in lines
    assert lines[7].strip().startswith("[-1, ")


def test_an_event_that_breaks_a_rule_is_named(record):
    """The error says which event, what was wrong and by which rule."""
    document = json.loads(record.to_json())
    document["events"][1] = [0, "pop"]
    with pytest.raises(
        droptable.RecordError, match=r"event 1 \(seat 0: pop\): .*\(OP3\)"
    ) as caught:
        droptable.Record.from_json(json.dumps(document))
    assert (caught.value.event, caught.value.rule) == (1, "OP3")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"droptable": 99}, "format version 99"),
        ({"rules": 0}, "rules version 0"),
        ({"game": "chess"}, "no game 'chess'"),
        ({"game": 4}, "game is 4"),
        ({"players": 9}, "3 to 4 players, not 9"),
        ({"players": True}, "players is True"),
        ({"options": {"turn_limit": 7}}, "turn_limit of drop-or-pop is 7"),
        ({"options": []}, "options is \\[\\]"),
        ({"events": [["0", "drop"]]}, "event 0 is"),
        ({"events": [[True, "drop"]]}, "event 0 is"),
        ({"events": [[5, "drop"]]}, "there is no actor 5"),
        ({"events": "none"}, "events is 'none'"),
        ({"scores": [1, 2, 3]}, "but the events lead to"),
        ({"info": {"name": 3}}, "info is"),
        ({"info": {"name": "\ud800x"}}, "info is"),
        ({"options": {"players": 3}}, "no option 'players'"),
        ({"options": {"self": 3}}, "no option 'self'"),
    ],
)
def test_a_wrong_file_is_refused_with_the_reason(record, change, message):
    """Whatever is wrong in a record, the error names the value and what was expected."""
    document = json.loads(record.to_json()) | change
    with pytest.raises(droptable.DroptableError, match=message):
        droptable.Record.from_json(json.dumps(document))


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"a": 1}', "[" * 100_000])
def test_what_is_no_record_is_refused(text):
    """Garbage is told apart from records."""
    with pytest.raises(droptable.RecordError):
        droptable.Record.from_json(text)


def test_files_that_cannot_be_read(tmp_path):
    """A missing, binary or unreadable file is one clear error."""
    with pytest.raises(droptable.RecordError, match="No such file"):
        droptable.open_record(tmp_path / "none.json")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(droptable.RecordError, match="not a text file"):
        droptable.open_record(tmp_path / "binary")


def test_a_state_from_bytes_has_no_history(record):
    """A loaded state plays on, but says that it does not know how it came about."""
    loaded = GAME.load(bytes(record.final))
    with pytest.raises(droptable.DroptableError, match="loaded from bytes"):
        _ = loaded.record


def test_damaged_bytes_are_refused(record):
    """Wrong length, wrong version and flipped bits are found."""
    data = bytearray(bytes(record.final))
    with pytest.raises(droptable.DroptableError, match=f"has {len(data)} bytes, not 3"):
        GAME.load(b"abc")
    with pytest.raises(droptable.DroptableError, match="version 200"):
        GAME.load(bytes([200]) + bytes(data[1:]))
    data[10] ^= 1
    with pytest.raises(droptable.DroptableError, match="damaged"):
        GAME.load(bytes(data))


def test_options_are_checked_when_a_match_is_made():
    """Unknown names, wrong types, values out of range and player counts are named."""
    for bad in (49, 5001, "50", True, 50.0, None):
        with pytest.raises(droptable.OptionError, match=r"turn_limit .* from 50 to 5000"):
            GAME.start(3, turn_limit=bad)
    with pytest.raises(droptable.OptionError, match="no option 'size'; its options: turn_limit"):
        GAME.start(3, size=3)
    for players in (2, 5, "3", 3.0, True):
        with pytest.raises(droptable.OptionError, match="3 to 4 players"):
            GAME.start(players)
    with pytest.raises(droptable.UnknownGame, match="'ludo'"):
        droptable.game("ludo")
    with pytest.raises(droptable.OptionError, match="no bot 'deep'"):
        droptable.play(GAME, 3, bots=["deep"] * 3)
    with pytest.raises(droptable.OptionError, match="2 bots for 3 players"):
        droptable.play(GAME, 3, bots=["random"] * 2)
    with pytest.raises(droptable.OptionError, match="no seat 3"):
        GAME.start(3).view(3)


def test_actors_may_be_numbers_of_any_kind():
    """NumPy's whole numbers are as good as Python's; what is no whole number is refused."""
    state = GAME.start(3)
    state.apply(np.int64(-1), "red")
    state.apply(np.int8(0), "drop")
    assert droptable.Record.from_json(state.record.to_json()).final == state
    for actor in (0.0, "0", None):
        with pytest.raises(droptable.OptionError, match="there is no actor"):
            state.apply(actor, "drop")


def test_the_dealer_deals_in_turn_only(record):
    """Asked at another moment, the dealer says who is to act; other moments have no state."""
    state = GAME.start(3)
    state.apply(-1, "red")
    with pytest.raises(droptable.IllegalMove, match="seat 0 is"):
        state.deal(random.Random(1))
    for number in (-1, len(record.events) + 1):
        with pytest.raises(droptable.RecordError, match=f"no state after {number} event"):
            record.state_at(number)


@pytest.mark.parametrize("game", droptable.games(), ids=lambda game: game.name)
def test_every_move_has_a_label_or_a_reason(game):
    """Legal moves have words; for others it is said why not, where words would make no sense."""
    state, chance = game.start(), random.Random(1)
    for _ in range(40):
        while -1 in state.to_act:
            state.deal(chance)
        if state.over:
            break
        view = state.view(state.to_act[0])
        for token in game.vocabulary(state.options).actions:
            try:
                assert view.label(token)
            except droptable.TokenError as refused:
                assert token not in view.legal
                assert str(refused) == f"{token} is not legal: {view.why(token)}"
        state.apply(view.seat, chance.choice(view.legal))
    with pytest.raises(droptable.TokenError, match=f"'fly' is not a move of {game.title}"):
        state.view(0).label("fly")


@pytest.mark.parametrize("game", droptable.games(), ids=lambda game: game.name)
def test_a_view_says_whose_it_is(game):
    """As plain data too, beside the fields of the record."""
    state = game.start()
    for viewer in (None, *range(state.players)):
        assert state.view(viewer).to_dict()["viewer"] == viewer


def test_refusals_travel_between_processes():
    """An illegal move is the same error after pickling."""
    state = GAME.start(3)
    with pytest.raises(droptable.IllegalMove) as refused:
        state.apply(0, "drop")
    copy = pickle.loads(pickle.dumps(refused.value))
    assert (str(copy), copy.rule) == (str(refused.value), refused.value.rule)


def test_the_same_seed_gives_the_same_match():
    """Matches of bots are reproducible."""
    assert droptable.play(GAME, 3, seed=5) == droptable.play(GAME, 3, seed=5)
    assert droptable.play(GAME, 3, seed=5) != droptable.play(GAME, 3, seed=6)
