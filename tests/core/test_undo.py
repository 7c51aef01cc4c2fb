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
    with pytest.raises(droptable.DroptableError, match="the dealer has acted since"):
        take_back(state, 0)


def test_another_seat_cannot_undo_my_move():
    """Undo only ever takes back one's own moves."""
    state = POP.start()
    state.apply(-1, "red")
    state.apply(0, "drop")
    with pytest.raises(droptable.DroptableError, match="you have not moved yet"):
        take_back(state, 1)


def simultaneous():
    """Number Drop for two after the roll 1 2 3 4 and a square: both seats are to drop it."""
    state = droptable.game("number-drop").start(2, order="together")
    for tile in ("I", "O", "T", "L", "S"):
        state.apply(-1, f"tile {tile}")
    for seat in range(2):
        state.apply(seat, "write 1")
    for die in ("die 1", "die 2", "die 3", "die 5", "shape O"):
        state.apply(-1, die)
    return state


def test_what_others_did_unseen_is_kept():
    """In a simultaneous phase only one's own moves go back, as far as the roll."""
    state = simultaneous()
    state.apply(0, "at 0 3")
    state.apply(1, "at 0 5")
    state.apply(0, "num 1")
    again = take_back(state, 0)
    assert again.view(0) == simultaneous().view(0)
    assert again.events[-1] == (1, "at 0 5")
    assert again.legal(1) == state.legal(1)


def test_one_step_back():
    """With `step` only the last decision goes back."""
    state = simultaneous()
    for token in ("at 0 3", "num 1", "num 2"):
        state.apply(0, token)
    state.apply(1, "at 0 5")
    again = take_back(state, 0, step=True)
    assert again.events[-2:] == ((0, "num 1"), (1, "at 0 5"))
    assert take_back(again, 0, step=True).events[-2:] == ((0, "at 0 3"), (1, "at 0 5"))


def test_nothing_goes_back_once_the_sheets_were_shown():
    """The move that ends a simultaneous round shows the others' marks: it stays."""
    state = simultaneous()
    for seat in range(2):
        for token in ("at 0 3", "num 1", "num 2", "num 3", "num 5"):
            state.apply(seat, token)
        state.apply(seat, "skip")
    assert state.to_act == (-1,)
    for seat in range(2):
        with pytest.raises(droptable.DroptableError, match="undo"):
            take_back(state, seat)


def test_a_move_that_reveals_reserves_stays():
    """Creating the last site ends the round and shows what was hidden; hiding shows nothing."""
    state = droptable.game("drop-site").start(2)
    for number in (12, 11, 10, 9, 8, 7, 6, 5, 4, 3):
        state.apply(-1, f"deal {number}")
    state.apply(-1, "site 0")
    state.apply(0, "hide 12")
    assert take_back(state, 0).legal(0)
    for seat, token, drawn in (
        (None, None, 1), (1, "hide 7", 1), (0, "create 11", 1), (1, "create 6", 1),
        (0, "create 10", 2), (1, "create 5", 2),
    ):  # fmt: skip
        if token:
            state.apply(seat, token)
        state.apply(-1, f"draw {drawn}")
    state.apply(0, "create 9")
    assert state.scores == (-2, -2)
    with pytest.raises(droptable.DroptableError, match="showed you something"):
        take_back(state, 0)
