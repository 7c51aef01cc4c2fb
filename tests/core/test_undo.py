"""Undo is fair: back to the start of one's own turn, if nothing was learnt since."""

import pytest

import droptable
from droptable.core.undo import take_back

POP = droptable.game("drop-or-pop")


def test_nothing_to_undo_before_the_first_move():
    """Who has not moved is told so."""
    with pytest.raises(droptable.DroptableError, match="you have not moved yet"):
        take_back(POP.start(), 0)


def test_a_move_can_be_taken_back_until_the_dealer_goes_on():
    """After `drop` the next colour has not been drawn yet: the turn can start again."""
    state = POP.start()
    state.apply(-1, "red")
    before = bytes(state)
    state.apply(0, "drop")
    assert bytes(take_back(state, 0)) == before
    state.apply(-1, "blue")
    with pytest.raises(droptable.DroptableError, match="the dealer has gone on"):
        take_back(state, 0)


def test_another_seat_cannot_undo_my_move():
    """Undo only ever takes back one's own moves."""
    state = POP.start()
    state.apply(-1, "red")
    state.apply(0, "drop")
    with pytest.raises(droptable.DroptableError, match="you have not moved yet"):
        take_back(state, 1)
