"""Drop or Pop!, rule by rule."""

from fractions import Fraction

import pytest

import droptable

GAME = droptable.game("drop-or-pop")


def start(players=3, **options):
    return GAME.start(players=players, **options)


def turns(state, script):
    """Play `colour move` pairs, one turn or ignore each, for whoever is to act."""
    for line in script.split(","):
        colour, move = line.split()
        state.apply(-1, colour)
        state.apply(state.to_act[0], move)
    return state


def refused(state, token, actor=None):
    image = bytes(state)
    with pytest.raises(droptable.IllegalMove) as caught:
        state.apply(state.to_act[0] if actor is None else actor, token)
    assert bytes(state) == image
    return caught.value


def cells(state, seat):
    """(column, row) of a seat's counters, from 0."""
    bits = int(state.fields["counters"][seat])
    return {(i // 8, i % 8) for i in range(32) if bits >> i & 1}


def test_op1_a_turn_starts_with_a_colour_each_one_in_four():
    """The dealer names the column, each colour with probability 1/4."""
    state = start()
    assert state.to_act == (-1,)
    assert state.chance() == [(c, Fraction(1, 4)) for c in ("red", "blue", "yellow", "green")]
    state.apply(-1, "blue")
    assert state.to_act == (0,)
    assert state.chance() == []


def test_op2_drop_falls_to_the_lowest_free_cell():
    """Counters pile up in a column in the order they were dropped."""
    state = turns(start(), "blue drop, blue drop, blue drop")
    assert [cells(state, seat) for seat in range(3)] == [{(1, 0)}, {(1, 1)}, {(1, 2)}]


def test_op2_a_full_column_takes_no_more():
    """Six rows with 3 players, eight with 4; the reason names the column."""
    state = turns(start(), ", ".join(["red drop"] * 6))
    state.apply(-1, "red")
    assert state.legal(0) == ["pop", "ignore"]
    assert str(refused(state, "drop")) == "the red tube is full (OP2)"
    four = turns(start(4), ", ".join(["red drop"] * 7))
    four.apply(-1, "red")
    assert "drop" in four.legal(3)


def test_op2_six_counters_are_all_there_are():
    """With all six counters on the board there is nothing to drop until one is popped."""
    state = no_move_position()
    state.apply(-1, "red")
    assert state.legal(0) == ["pop", "ignore"]
    assert str(refused(state, "drop")) == "all 6 of your counters are on the board (OP2)"
    state.apply(0, "pop")
    turns(state, "green drop, green drop, green drop")
    state.apply(-1, "green")
    assert "drop" in state.legal(0)


def test_op3_pop_takes_the_lowest_and_the_rest_falls():
    """Anybody may pop anybody's lowest counter; those above fall by one."""
    state = turns(start(), "red drop, red drop, red pop")
    assert cells(state, 0) == set()
    assert cells(state, 1) == {(0, 0)}
    state.apply(-1, "green")
    assert str(refused(state, "pop")) == "the green tube is empty: there is nothing to pop (OP3)"


def test_op4_ignore_draws_a_second_colour_which_stands():
    """Only the first colour of a turn can be ignored; the same seat goes on."""
    state = start()
    state.apply(-1, "red")
    state.apply(0, "ignore")
    assert state.to_act == (-1,)
    state.apply(-1, "red")  # the same colour may come again
    assert state.to_act == (0,)
    assert state.legal(0) == ["drop"]
    assert refused(state, "ignore").rule == "OP4"


def no_move_position():
    """Seat 0 has all six counters in two columns, and the green column is empty."""
    state = start(4)
    image = state.copy()
    bits = image.fields["counters"]
    bits[0] = sum(1 << b for b in (0, 2, 4, 16, 18, 20))
    bits[1] = sum(1 << b for b in (1, 3, 17, 19))
    return image


def test_op5_pass_only_when_nothing_is_possible_on_the_second_colour():
    """On the first colour ignore is then the only move, on the second pass."""
    state = no_move_position()
    state.apply(-1, "green")
    assert state.legal(0) == ["ignore"]
    assert refused(state, "pass").rule == "OP5"
    assert "all 6 of your counters" in refused(state, "drop").reason
    state.apply(0, "ignore")
    state.apply(-1, "green")
    assert state.legal(0) == ["pass"]
    state.apply(0, "pass")
    state.apply(-1, "green")
    state.apply(1, "ignore")
    state.apply(-1, "green")
    assert state.legal(1) == ["drop"]
    assert "drop or pop while one of them is possible" in refused(state, "pass").reason


def test_op6_four_connected_counters_win():
    """A group of any shape wins, side by side, not by corners."""
    state = start()
    for colours in (("red", "green", "green"), ("blue", "green", "green")):
        turns(state, ", ".join(f"{c} drop" for c in colours))
    turns(state, "red drop, yellow drop, yellow drop")
    assert state.scores == (3, 2, 2)
    assert not state.over
    turns(state, "blue drop")
    assert state.winners == (0,)
    assert state.scores == (4, 2, 2)
    assert state.to_act == ()
    assert refused(state, "drop", actor=1).rule == "OP6"


def position(players, *rows):
    """A state with columns given from the bottom up as seat digits: `0012`."""
    state = start(players)
    counters = state.fields["counters"]
    for column, text in enumerate(rows):
        for row, seat in enumerate(text):
            counters[int(seat)] |= 1 << (8 * column + row)
    return state


def test_op6_the_largest_of_several_groups_wins_and_equal_ones_draw():
    """One pop can complete groups of several seats at once."""
    draw = position(3, "201", "01", "01", "01")
    assert draw.scores == (3, 3, 1)
    turns(draw, "red pop")
    assert draw.winners == (0, 1)
    assert draw.scores[:2] == (4, 4)
    larger = position(3, "2011", "01", "01", "01")
    turns(larger, "red pop")
    assert larger.winners == (1,)
    assert larger.scores == (4, 5, 0)


def test_op7_five_or_six_is_epic_and_the_result_says_so():
    """A win with five is epic, a win with four is not."""
    names = ["Ann", "Bob", "Cy"]
    epic = turns(position(3, "2011", "01", "01", "01"), "red pop")
    assert GAME.words.verdict(epic.fields, names) == "Bob wins with an epic group of 5."
    plain = turns(position(3, "0", "0", "0", ""), "green drop")
    assert GAME.words.verdict(plain.fields, names) == "Ann wins with a group of 4."
    both = turns(position(3, "201", "01", "01", "01"), "red pop")
    assert GAME.words.verdict(both.fields, names) == "Ann and Bob draw with a group of 4 each."


def test_op8_the_turn_limit_is_a_draw_of_all():
    """Turns of all seats count together, and an ignore is part of its turn."""
    state = start(turn_limit=50)
    for turn in range(50):
        assert not state.over
        state.apply(-1, "blue")
        if turn % 7 == 0:
            state.apply(state.to_act[0], "ignore")
            state.apply(-1, "red")
        seat = state.to_act[0]
        state.apply(seat, "pop" if "pop" in state.legal(seat) else "drop")
    assert state.winners == (0, 1, 2)
    said = GAME.words.verdict(state.fields, ["a", "b", "c"])
    assert said == "A draw of all: no group of four in 50 turns."


def test_a_win_on_the_last_turn_is_a_win():
    """OP6 comes before OP8."""
    state = position(3, "0", "0", "0", "")
    state.fields["turn"] = 499
    turns(state, "green drop")
    assert state.winners == (0,)


def test_counters_are_conserved():
    """No seat ever has more than six counters on the board, and they never float."""
    for players in (3, 4):
        record = droptable.play(GAME, players, seed=players)
        for state in record.states():
            everything = set()
            for seat in range(players):
                mine = cells(state, seat)
                assert len(mine) <= 6
                assert not mine & everything
                everything |= mine
            assert all((column, row - 1) in everything for column, row in everything if row)
