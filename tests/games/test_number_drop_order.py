"""ND14, the order of play: who acts when, what is hidden, and the moment at which it is shown."""

import hashlib
import random

import pytest

import droptable
from droptable.core.contract import DEALER
from droptable.core.undo import take_back
from droptable.games.number_drop import GAME, rules, words
from droptable.games.number_drop.rules import grid
from tests.golden.playthrough import HERE
from tests.reference.number_drop import Reference

from .test_number_drop import (
    NAMES,
    PLAIN,
    begin,
    circle,
    drop,
    letter_a,
    play,
    refusal,
    roll,
    sheet,
    table,
    told,
    values,
)

ORDERS = ("together", "clockwise", "rulebook")
FIVES = "5 5 2 5"


def moments():
    """Seat 0 has dropped; seats 1 and 2 are at very different points of their drops."""
    fresh = roll(begin(3, order="rulebook"), FIVES, "*")
    drop(play(fresh, 0, "as I"), 0, "0 1", FIVES)
    yield fresh
    yield play(fresh.copy(), 1, "as O")
    yield play(fresh.copy(), 2, "as T", "at 2 3", "num 5")
    one = drop(play(fresh.copy(), 1, "as O"), 1, "0 1", "5 5 5 2")
    yield one
    yield play(one.copy(), 2, "as S", "at 0 1", "num 2", "num 5", "num 5")


def test_the_rulebook_is_the_default():
    """A match that names no order is the rulebook's; stored words keep their numbers."""
    assert GAME.start(players=2).options == {"order": "rulebook"}
    assert Reference(2).order == "rulebook"
    for order, number in (("together", 0), ("clockwise", 1), ("rulebook", 2)):
        assert GAME.start(players=2, order=order).fields["order"] == number


def test_all_drop_before_anybody_circles():
    """Drops come in any order; then circling goes round from the active seat."""
    state = roll(table(".", ".", ".", order="rulebook", round=1), PLAIN, "I")
    assert state.to_act == (0, 1, 2)
    drop(state, 2, "0 1", "1 2 3 7")
    assert state.to_act == (0, 1) and state.legal(2) == []
    play(state, 0, "at 0 1")
    drop(state, 1, "0 1", "1 2 3 7")
    assert state.to_act == (0,)
    assert refusal(state, 1, "skip")[0] == "ND14"
    play(state, 0, "num 1", "num 2", "num 3", "num 7")
    for seat in (1, 2, 0):
        assert state.to_act == (seat,)
        assert refusal(state, (seat + 1) % 3, "skip")[0] == "ND14"
        if seat == 2:
            circle(state, 2, (1, 1), (2, 1), (3, 1))
        else:
            play(state, seat, "skip")
    assert state.to_act == (DEALER,)
    assert rules.active_seat(state.fields) == 2


def test_drops_are_hidden_until_all_have_dropped():
    """Whatever the others have dropped, and whether, a view is the same to the byte."""
    states = list(moments())
    assert len({bytes(state) for state in states}) == len(states) == 5
    for seat in (0, None):
        assert len({bytes(state.view(seat)) for state in states}) == 1
        assert len({str(state.view(seat)) for state in states}) == 1
    assert states[3].view(0).to_act == (1, 2)  # though seat 1 has dropped
    assert states[3].view(2).to_act == (0, 1, 2)
    assert states[3].view(1).to_act == (0, 2)
    assert states[3].witnesses(2, "as S") == (2,)
    assert "What the others drop is shown when all have dropped." in str(states[0].view(0))


def test_the_last_number_shows_all_drops():
    """The others' marks are in a view right after the last drop is complete, not before."""
    *_, state = moments()
    before = state.view(0)
    assert sheet(before, 1, 2) == "....... ......2" and sheet(before, 2, 2) == "....... ......3"
    assert state.witnesses(2, "num 5") == (2,)
    play(state, 2, "num 5")
    for seat in (0, 1, 2, None):
        assert bytes(state.view(seat)) == bytes(state)
    assert sheet(state.view(0), 1, 2) == "52..... 55....2"
    assert state.to_act == (0,)


def test_circling_is_open():
    """Each cell that is chosen, and each combo, is seen by all at once."""
    *_, state = moments()
    play(state, 2, "num 5")
    play(state, 0, "skip")
    assert state.to_act == (1,)
    for token in ("cell 1 1", "cell 2 1", "cell 1 2", "done"):
        assert state.witnesses(1, token) == (0, 1, 2)
        play(state, 1, token)
        assert bytes(state.view(2)) == bytes(state.view(None)) == bytes(state)
    assert state.view(2).scores == (0, 3, 0)


def test_blocks_are_hidden_until_all_have_dropped():
    """Phase 2 is as secret as phase 3, for all orders but `clockwise`."""
    state = roll(letter_a(3, order="rulebook"), "* 2 3 7", "S")
    fresh = bytes(state.view(2))
    assert state.to_act == (1, 2)
    assert state.witnesses(1, "at 0 1") == (1,)
    play(state, 1, "at 0 1")
    assert bytes(state.view(2)) == fresh
    assert state.view(0).to_act == (1, 2)
    play(state, 2, "at 0 1")
    assert state.to_act == (DEALER,)
    assert bytes(state.view(0)) == bytes(state)


def test_a_letter_circled_before_ones_turn_can_be_answered():
    """A seat that circles later sees the letter, and may circle the same one in this round."""
    threes = [[values(3), 0], [values(3), 0], *[[0, 0]] * 4]
    state = table("123....", "123....", combos=threes, order="rulebook")
    roll(state, PLAIN, "I")
    for seat in (0, 1):
        drop(state, seat, "1 7", "1 3 7 2")
    circle(state, 0, (1, 1), (2, 1), (3, 1))
    assert rules.letters(state.view(1).fields, 0) == 0b1
    circle(state, 1, (1, 1), (2, 1), (3, 1))
    assert rules.letters(state.fields, 1) == 0b1
    for face in ("*", "1", "2", "3"):
        state.apply(DEALER, f"die {face}")
    state.apply(DEALER, "shape I")  # ND6: both have it, nobody drops
    assert state.to_act == (DEALER,) and state.fields["crossed"] == 0b1


def test_a_drop_is_taken_back_until_it_is_shown():
    """Own drops can be undone while they are hidden; the one that shows all of them stays."""
    start = roll(begin(2, order="rulebook"), PLAIN, "I")
    state = drop(start.copy(), 0, "0 1", "1 2 3 7")
    assert take_back(state, 0).view(0) == start.view(0)
    drop(state, 1, "0 1", "1 2 3 7")
    for seat in (0, 1):
        with pytest.raises(droptable.DroptableError, match=r"no longer undo|cannot undo"):
            take_back(state, seat)
    play(state, 0, "cell 1 1", "cell 2 1")
    assert take_back(state, 0).to_act == (0,)


def test_alone_all_orders_are_the_same():
    """The same moves of a solo match lead to the same record, step by step, in every order."""
    chance = random.Random(3)
    states = [GAME.start(1, order=order) for order in ORDERS]
    while not states[0].over:
        (actor,) = states[0].to_act
        token = states[0].draw(chance) if actor < 0 else chance.choice(states[0].legal(actor))
        for state in states:
            state.apply(actor, token)
            assert state.to_act == states[0].to_act
            assert bytes(state.view(0)) == bytes(state)
            for name in set(rules.STATE.names) - {"order"}:
                assert (state.fields[name] == states[0].fields[name]).all(), name


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("players", [2, 3, 6])
def test_views_are_what_the_oracle_lets_a_seat_know(players, order):
    """Sheets, circles and scores of every view are the oracle's, all along random matches."""
    state, oracle = GAME.start(players, order=order), Reference(players, order=order)
    chance = random.Random(f"{players} {order}")
    while not state.over:
        actor = chance.choice(state.to_act)
        token = state.draw(chance) if actor < 0 else chance.choice(state.legal(actor))
        state.apply(actor, token)
        oracle.apply(actor, token)
        for viewer in (*range(players), None):
            view = state.view(viewer)
            for seat in range(players):
                known = oracle.known(viewer, seat)
                assert marks(view.fields, seat) == known.grid
                assert circled(view.fields, seat) == known.used
                assert view.scores[seat] == known.score(oracle.over)


def marks(record, seat):
    """A sheet of the engine as the oracle writes it."""
    texts = {grid.X: "X"}
    cells = {
        (row + 1, column + 1): grid.mark_at(record, seat, row, column)
        for row in range(grid.ROWS)
        for column in range(7)
    }
    return {cell: texts.get(mark, str(mark - 1)) for cell, mark in cells.items() if mark}


def circled(record, seat):
    """The circled cells of a sheet as the oracle numbers them."""
    low, high = (int(half) for half in record["circled"][seat])
    return {
        (row + 1, column + 1)
        for row in range(grid.ROWS)
        for column in range(7)
        if (high if row >= 7 else low) >> (8 * (row % 7) + column) & 1
    }


# -- words ----------------------------------------------------------------------------------------


def test_the_log_tells_drops_when_they_are_shown():
    """Nothing of others before the last drop; then all drops; then each circle as it is made."""
    state = roll(begin(3, order="rulebook"), PLAIN, "I")
    heard = {told(state, 1, token) for token in ("at 0 1", "num 1", "num 2", "num 3", "num 7")}
    assert heard == {""}
    drop(state, 0, "0 2", "1 2 3 7")
    play(state, 2, "at 0 3", "num 1", "num 2", "num 3")
    assert told(state.copy(), 2, "num 7", seat=2) == (
        "Cy writes 7. Ann drops 1 2 3 7 into columns b-e. Bob drops 1 2 3 7 into columns a-d."
    )
    assert told(state.copy(), 2, "num 7", seat=None) == (
        "Ann drops 1 2 3 7 into columns b-e. Bob drops 1 2 3 7 into columns a-d. "
        "Cy drops 1 2 3 7 into columns c-f."
    )
    assert told(state, 2, "num 7") == (
        "Bob drops 1 2 3 7 into columns a-d. Cy drops 1 2 3 7 into columns c-f."
    )
    assert told(state, 0, "skip") == "Ann circles nothing."
    assert told(state, 1, "cell 1 1") == "Bob chooses the 1 on a1."
    play(state, 1, "cell 2 1", "cell 3 1")
    assert told(state, 1, "done") == "Bob circles 1-2-3 (+3)."
    assert told(state, 2, "skip") == (
        "Cy circles nothing. Round 1 ends: Ann 0, Bob 3, Cy 0."
    )  # fmt: skip


def test_the_log_tells_blocks_when_they_are_shown():
    """The last block shows all of them and ends the round."""
    state = roll(letter_a(3, order="rulebook"), "* 2 3 7", "S")
    play(state, 1, "at 0 1")
    assert told(state, 2, "at 0 2") == (
        "Bob drops Xs into columns a-c. Cy drops Xs into columns b-d. "
        "Round 3 ends: Ann 6, Bob 0, Cy 0."
    )


# -- records of version 0.1 -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "digest"), [("together", "95e4c0124808e144"), ("clockwise", "e7bf8a26191fbaf3")]
)
def test_a_record_of_the_first_version_opens_as_before(order, digest):
    """It names its order; every state on the way has the bytes that version 0.1 gave it."""
    record = droptable.open_record(HERE / f"number-drop_0.1_{order}.json")
    assert record.options == {"order": order}
    assert record.final.over and record.final.scores == (58, 41)
    states = hashlib.sha256()
    for state in record.states():
        states.update(bytes(state))
    assert states.hexdigest().startswith(digest)
    assert words.verdict(record.final.fields, NAMES) == "Ann wins with 58 points."
