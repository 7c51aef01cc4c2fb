"""Number Drop, rule by rule."""

import random
from fractions import Fraction

import numpy as np
import pytest

import droptable
from droptable.games.number_drop import GAME, rules, words
from droptable.games.number_drop.rules import combos, grid, shapes

NAMES = ("Ann", "Bob", "Cy", "Di", "Eve", "Flo")
PLAIN = "1 2 3 7"  # a roll without a star: a path of three, and a number apart


# -- helpers -------------------------------------------------------------------------------------


def begin(players=2, tiles="I O T L S", order="together", columns="7777777"):
    """A match at its first roll; seat k has written into column `columns[k]`."""
    state = GAME.start(players=players, order=order)
    for tile in tiles.split():
        state.apply(-1, f"tile {tile}")
    for seat in range(players):
        state.apply(seat, f"write {columns[seat]}")
    return state


def table(*sheets, tiles="I O T L S", order="together", **fields):
    """A match before a roll with these sheets, drawn from the top: `.`, digits and X.

    `fields` sets fields of the record by seat (`combos`, `bonus`, `circled`) or whole.
    """
    state = begin(len(sheets), tiles, order)
    data = state.fields
    data["marks"] = 0
    for seat, sheet in enumerate(sheets):
        lines = sheet.split()
        for row, line in enumerate(reversed(lines)):
            for column, char in enumerate(line):
                mark = 0 if char == "." else grid.X if char == "X" else int(char) + 1
                for k in range(4):
                    bit = (mark >> k & 1) << (8 * (row % 7) + column)
                    data["marks"][seat, row // 7, k] |= bit
    for name, value in fields.items():
        data[name] = value
    return GAME.load(GAME.pack(data))


def values(*numbers):
    """The bits of circled values 3-7."""
    return sum(1 << (number - combos.SMALLEST) for number in numbers)


def bits(*cells):
    """A board, as (low, high), from (column, row) cells counted from 1."""
    halves = [0, 0]
    for column, row in cells:
        halves[(row - 1) // 7] |= 1 << (8 * ((row - 1) % 7) + column - 1)
    return halves


def roll(state, dice, shape):
    """Roll the four number dice and the shape die."""
    for face in dice.split():
        state.apply(-1, f"die {face}")
    state.apply(-1, f"shape {shape}")
    return state


def play(state, seat, *tokens):
    """Moves of one seat."""
    for token in tokens:
        state.apply(seat, token)
    return state


def drop(state, seat, place, numbers):
    """Drop the rolled shape and write its numbers."""
    return play(state, seat, f"at {place}", *(f"num {number}" for number in numbers.split()))


def circle(state, seat, *cells):
    """Circle the cells (column, row) as a combo."""
    return play(state, seat, *(f"cell {column} {row}" for column, row in cells), "done")


def sheet(state, seat=0, rows=4):
    """The lower rows of a sheet as `table` takes them."""
    chars = {0: ".", grid.X: "X"}
    return " ".join(
        "".join(
            chars.get(mark, str(mark - 1))
            for mark in (grid.mark_at(state.fields, seat, row, column) for column in range(7))
        )
        for row in reversed(range(rows))
    )


def cells(state, seat=0):
    """The legal `cell` moves as (column, row)."""
    return {
        tuple(map(int, token.split()[1:]))
        for token in state.legal(seat)
        if token.startswith("cell")
    }


def refusal(state, actor, token):
    """The rule and the reason by which a move is refused, as state and view give it."""
    image = bytes(state)
    with pytest.raises(droptable.IllegalMove) as caught:
        state.apply(actor, token)
    assert bytes(state) == image
    if actor in state.to_act and actor >= 0:
        assert state.view(actor).why(token) == str(caught.value)
    return caught.value.rule, caught.value.reason


def letter_a(players=2, order="together", tiles="L I O T S"):
    """Seat 0 has circled both combos of three, so that A is active; seat 1 is the active seat."""
    state = begin(players, tiles, order)
    for dice, numbers in (("4 4 4 1", "4 4 4 1"), (PLAIN, "1 2 3 7")):
        roll(state, dice, "I")
        row = 1 if dice != PLAIN else 2
        for seat in range(players) if order == "together" else clockwise(state):
            drop(state, seat, "0 1", numbers)
            if order == "together" and seat:
                play(state, seat, "skip")
            elif order == "together":
                circle(state, 0, (1, row), (2, row), (3, row))
        if order != "together":
            for seat in clockwise(state):
                if seat:
                    play(state, seat, "skip")
                else:
                    circle(state, 0, (1, row), (2, row), (3, row))
    return state


def clockwise(state):
    """The seats in turn from the active one."""
    first = int(state.fields["round"]) % state.players
    return [(first + step) % state.players for step in range(state.players)]


# -- the shapes ----------------------------------------------------------------------------------


def test_orientations_are_numbered_by_the_recipe():
    """Orientations are the sorted lists of cells; the L has eight of them."""
    assert shapes.ORIENTATIONS[shapes.SHAPES.index("L")] == (
        ((0, 0), (0, 1), (0, 2), (1, 0)),
        ((0, 0), (0, 1), (0, 2), (1, 2)),
        ((0, 0), (0, 1), (1, 0), (2, 0)),
        ((0, 0), (0, 1), (1, 1), (2, 1)),
        ((0, 0), (1, 0), (1, 1), (1, 2)),
        ((0, 0), (1, 0), (2, 0), (2, 1)),
        ((0, 1), (1, 1), (2, 0), (2, 1)),
        ((0, 2), (1, 0), (1, 1), (1, 2)),
    )
    counts = {name: len(o) for name, o in zip(shapes.SHAPES, shapes.ORIENTATIONS, strict=True)}
    assert counts == {
        "I": 2, "O": 1, "T": 4, "L": 8, "S": 4, "I3": 2, "L3": 4, "U5": 4, "X5": 1, "T5": 4,
    }  # fmt: skip


def test_shapes_have_their_sizes():
    """Five shapes of four cells, two of three, three of five; the T5 is a bar on a stem of two."""
    sizes = [len(orientations[0]) for orientations in shapes.ORIENTATIONS]
    assert sizes == [4, 4, 4, 4, 4, 3, 3, 5, 5, 5]
    assert ((0, 1), (1, 1), (2, 0), (2, 1), (2, 2)) in shapes.ORIENTATIONS[9]
    assert shapes.ORIENTATIONS[7][0] == ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2))
    assert shapes.ORIENTATIONS[8] == (((0, 1), (1, 0), (1, 1), (1, 2), (2, 1)),)


# -- set-up --------------------------------------------------------------------------------------


def test_nd1_five_of_ten_tiles_are_drawn():
    """With several players each of the ten tiles is equally likely, and none is drawn twice."""
    state = GAME.start(players=2)
    assert dict(state.chance()) == {f"tile {t}": Fraction(1, 10) for t in shapes.SHAPES}
    state.apply(-1, "tile U5")
    assert dict(state.chance()) == {f"tile {t}": Fraction(1, 9) for t in shapes.SHAPES if t != "U5"}
    assert refusal(state, -1, "tile U5") == ("ND1", "tile U5 is drawn already")
    assert refusal(state, -1, "die 1")[0] == "ND1"
    for tile in ["I", "O", "T", "L"]:
        state.apply(-1, f"tile {tile}")
    assert state.to_act == (0,)
    assert "A (U5)" in str(state) and "E (L)" in str(state)


def test_nd1_solo_draws_its_five_tiles():
    """Solo draws the five shapes of the die, and each starts four notches above GO!."""
    state = GAME.start(players=1)
    assert dict(state.chance()) == {f"tile {t}": Fraction(1, 5) for t in "IOTLS"}
    assert refusal(state, -1, "tile X5") == ("ND1", "solo is played with the tiles I O T L S only")
    state = begin(1, "S L T O I")
    assert state.fields["notches"].tolist() == [4, 4, 4, 4, 4]
    assert "A (S) 4 above GO!" in str(state)
    assert refusal(state, -1, "tile I")[0] == "ND1"


def test_nd2_seats_write_their_number_in_seat_order():
    """Seat k writes k + 1 into its bottom row, seat after seat, for all to see."""
    state = GAME.start(players=3)
    for tile in ["I", "O", "T", "L", "S"]:
        state.apply(-1, f"tile {tile}")
    for seat, column in enumerate((3, 3, 7)):
        assert state.to_act == (seat,)
        assert state.legal(seat) == [f"write {c}" for c in range(1, 8)]
        assert state.witnesses(seat, f"write {column}") == (0, 1, 2)
        if seat == 0:
            assert refusal(state, 1, "write 1")[0] == "ND14"
            assert refusal(state, 0, "skip") == (
                "ND2",
                "first write your starting number into the bottom row",
            )
        state.apply(seat, f"write {column}")
    assert sheet(state, 0, 1) == "..1...."
    assert sheet(state, 1, 1) == "..2...."
    assert sheet(state.view(0), 2, 1) == "......3"
    assert state.to_act == (-1,)
    assert rules.active_seat(state.fields) == 0


def test_nd2_the_number_is_written_once():
    """After the first roll there is nothing more to write; solo writes a 1 too."""
    state = roll(begin(1, columns="4"), PLAIN, "I")
    assert sheet(state, 0, 1) == "...1..."
    assert refusal(state, 0, "write 1") == (
        "ND2",
        "the starting number was written before the first roll",
    )


def test_nd3_dice_are_rolled_in_order():
    """Each number die has its own six faces; the shape die comes last."""
    state = begin()
    faces = ["1 3 4 5 7 *", "1 2 4 5 6 *", "2 3 4 6 7 *", "1 2 3 5 6 7"]
    refused = ["2", "3", "1", "*"]
    for number, (line, bad) in enumerate(zip(faces, refused, strict=True), 1):
        assert dict(state.chance()) == {f"die {f}": Fraction(1, 6) for f in line.split()}
        assert refusal(state, -1, f"die {bad}") == (
            "ND3",
            f"number die {number} has only the faces {line}",
        )
        assert refusal(state, -1, "shape I")[0] == "ND3"
        state.apply(-1, f"die {line.split()[2]}")
    assert dict(state.chance()) == {f"shape {f}": Fraction(1, 6) for f in "IOTLS*"}
    assert refusal(state, -1, "die 1") == (
        "ND3",
        "the four number dice are rolled: the shape die is next",
    )
    state.apply(-1, "shape T")
    assert state.to_act == (0, 1)


# -- phase 2 -------------------------------------------------------------------------------------


def test_nd4_a_star_needs_an_active_letter():
    """Without an active letter a star only is a wild number."""
    state = roll(begin(), "* * * 1", "I")
    assert state.to_act == (0, 1)
    assert state.fields["block"] == rules.NO_LETTER
    assert "at 0 1" in state.legal(0)
    drop(state, 0, "0 1", "1 2 3 4")


def test_nd4_an_active_letter_needs_a_star():
    """Without a star the letter waits."""
    state = roll(letter_a(), PLAIN, "I")
    assert state.fields["block"] == rules.NO_LETTER
    assert state.to_act == (0, 1)


@pytest.mark.parametrize(("dice", "shape"), [("* 2 3 7", "I"), ("1 2 * 7", "O"), (PLAIN, "*")])
def test_nd4_any_of_the_five_stars_counts(dice, shape):
    """One star on any die resolves the letter."""
    state = roll(letter_a(), dice, shape)
    assert state.to_act == (1,)
    assert "letter A (L) is resolved" in str(state)


def test_nd4_only_the_first_active_letter_is_resolved():
    """Of several letters on several sheets the first in A-E goes, the next one at the next star."""
    both = [[values(5), values(5)], [values(4, 5), values(4, 5)], [0, 0]]
    state = table(".", ".", ".", combos=[*both, [0, 0], [0, 0], [0, 0]], tiles="I I3 U5 X5 T5")
    roll(state, "* 1 2 3", "I")
    assert state.to_act == (0, 2)  # seat 1 alone has circled B
    play(state, 0, "at 0 1")
    play(state, 2, "at 1 7")
    assert sheet(state, 0, 1) == "XXX...."
    assert sheet(state, 2, 3) == "......X ......X ......X"
    roll(state, "* 1 2 3", "I")
    assert state.to_act == (2,)  # C is circled by seats 0 and 1
    play(state, 2, "at 0 1")
    assert state.fields["crossed"] == 0b110


def test_nd5_a_block_drops_as_xs():
    """The seats without the letter drop its tile in any orientation; who has it does not."""
    state = roll(letter_a(3), "* 2 3 7", "S")
    assert state.to_act == (1, 2)
    assert state.legal(0) == []
    places = [len(range(8 - shapes.width(o))) for o in shapes.ORIENTATIONS[3]]
    assert len(state.legal(1)) == sum(places)
    assert state.view(1).label("at 3 6") == "Drop the L block, columns f-g"
    assert refusal(state, 1, "at 0 6") == (
        "ND8",
        "the L would stick out of the grid there: its left side can be in column e at most",
    )
    play(state, 1, "at 3 6")
    play(state, 2, "at 0 1")
    assert sheet(state, 1) == "......X ......X 1237.XX 4441..2"
    assert sheet(state, 2) == "X...... XXX.... 1237... 4441..3"
    assert sheet(state, 0, 3) == "....... 1237... 4441..1"


def test_nd5_a_block_has_its_own_orientations_only():
    """The plus looks the same from all sides."""
    state = roll(letter_a(tiles="X5 I O T S"), "* 2 3 7", "S")
    assert refusal(state, 1, "at 1 1") == ("ND5", "the X5 lies in 1 way only")
    state = roll(letter_a(tiles="U5 I O T S"), "* 2 3 7", "S")
    assert refusal(state, 1, "at 4 1") == ("ND5", "the U5 lies in 4 ways only")


def test_nd5_xs_fill_rows_but_never_belong_to_a_combo():
    """A row completed by Xs earns +2; an X cannot be chosen, and it separates numbers."""
    both = [[values(3), values(3)], [0, 0], *[[0, 0]] * 4]
    state = table(".", "555....", combos=both)
    play(roll(state, "* 1 2 3", "L"), 1, "at 0 4")
    assert sheet(state, 1, 1) == "555XXXX"
    assert state.scores == (6, 2)
    roll(state, "5 5 2 5", "I")
    drop(state, 0, "0 1", "5 5 2 5")
    drop(state, 1, "0 1", "5 5 2 5")
    assert cells(state, 1) == {(1, 1), (2, 1), (3, 1), (1, 2), (2, 2)}
    assert refusal(state, 1, "cell 4 1") == ("ND5", "an X never belongs to a combo")


def test_nd6_a_resolved_letter_is_crossed_off_and_the_round_ends():
    """After the blocks there are no numbers and no combos; the next seat rolls."""
    state = roll(letter_a(3), "* 2 3 7", "S")
    assert refusal(state, 1, "num 2") == (
        "ND6",
        "this round you only drop the block of letter A (L)",
    )
    assert refusal(state, 1, "skip")[0] == "ND6"
    assert refusal(state, 1, "as I")[0] == "ND6"
    assert rules.active_seat(state.fields) == 2
    play(state, 1, "at 0 1")
    assert state.to_act == (2,)
    play(state, 2, "at 0 1")
    assert state.to_act == (-1,)
    assert rules.active_seat(state.fields) == 0
    assert state.fields["crossed"] == 0b1
    assert "A (L) crossed off" in str(state.view(0))
    roll(state, "* 2 3 7", "S")
    assert state.to_act == (0, 1, 2)  # the star finds no active letter any more
    drop(state, 0, "0 1", "9 2 3 7")


def test_nd6_if_all_have_circled_the_letter_nobody_drops():
    """Then it is crossed off all the same, and the next round starts with its roll."""
    both = [[values(3), values(3)], [values(3), values(3)], *[[0, 0]] * 4]
    state = table(".", ".", combos=both)
    before = state.copy()
    roll(state, "* 1 2 3", "*")
    assert state.to_act == (-1,)
    assert state.fields["crossed"] == 0b1
    assert rules.active_seat(state.fields) == 1
    assert [face for face, _ in state.chance()][:2] == ["die 1", "die 3"]
    roll(before, "* 1 2 3", "*")
    assert before == state


# -- phase 3 -------------------------------------------------------------------------------------


def test_nd7_numbers_go_into_the_cells_from_the_bottom():
    """Each number goes into the next cell, the bottom row first, from left to right."""
    state = roll(begin(1, columns="1"), PLAIN, "L")
    play(state, 0, "slide A")
    play(state, 0, "at 7 3")
    assert state.view(0).label("num 7") == "Write 7 on e1"
    play(state, 0, "num 7")
    assert state.view(0).label("num 1") == "Write 1 on c2"
    play(state, 0, "num 1", "num 3", "num 2")
    assert sheet(state, 0, 2) == "..132.. 1...7.."
    assert state.legal(0) == ["skip"]  # phase 4


def test_nd7_every_die_is_used_once():
    """A number can be written as often as dice show it, and all four are used."""
    state = roll(begin(2), "1 1 3 1", "I")
    play(state, 0, "at 0 1")
    assert state.legal(0) == ["num 1", "num 3"]
    play(state, 0, "num 1", "num 1", "num 1")
    assert state.legal(0) == ["num 3"]
    assert refusal(state, 0, "num 1") == ("ND7", "no die that is left shows 1 (left: 3)")
    play(state, 0, "num 3")
    assert "skip" in state.legal(0)


def test_nd7_a_star_is_any_number_but_a_die_goes_first():
    """A number that a die shows uses the die; only another number uses the star."""
    state = roll(begin(2), "5 * 2 3", "I")
    play(state, 0, "at 0 1")
    assert state.legal(0) == [f"num {n}" for n in range(10)]
    play(state, 0, "num 5")
    assert state.legal(0) == [f"num {n}" for n in range(10)]  # the star is still there
    assert state.view(0).label("num 5") == "Write 5 on b1 (uses a star)"
    assert state.view(0).label("num 3") == "Write 3 on b1"
    play(state, 0, "num 5")
    assert state.legal(0) == ["num 2", "num 3"]
    assert refusal(state, 0, "num 0") == ("ND7", "no die that is left shows 0 (left: 2 3)")


def test_nd7_several_stars_are_used_one_by_one():
    """Each star stands for a number of its own."""
    state = roll(begin(2), "* * * 1", "I")
    play(state, 0, "at 0 1", "num 8", "num 8", "num 1")
    assert state.legal(0) == [f"num {n}" for n in range(10)]
    play(state, 0, "num 1")
    assert sheet(state, 0, 1) == "8811..1"


def test_nd7_a_wild_shape_is_named_first():
    """With a star on the shape die each seat names its own shape."""
    state = roll(begin(2), PLAIN, "*")
    assert state.legal(0) == [f"as {shape}" for shape in "IOTLS"]
    assert refusal(state, 0, "at 0 1") == ("ND7", "first name a shape: the shape die shows a star")
    assert state.view(0).label("as T") == "Make it a T"
    assert state.view(0).label("as O") == "Make it an O"
    play(state, 0, "as O")
    assert refusal(state, 0, "as I") == ("ND7", "you have named your shape already")
    assert state.legal(0) == [f"at 0 {column}" for column in range(1, 7)]
    play(state, 1, "as I")
    assert len(state.legal(1)) == 4 + 7


def test_nd7_comes_step_by_step():
    """Before the drop no number, before the numbers no combo, and no second drop."""
    state = roll(begin(2), PLAIN, "O")
    assert refusal(state, 0, "as I") == (
        "ND7",
        "the shape die shows O: there is no shape to name",
    )
    assert refusal(state, 0, "num 1") == ("ND7", "first drop the O")
    assert refusal(state, 0, "skip") == ("ND7", "first drop the O")
    assert refusal(state, 0, "at 1 1") == ("ND7", "the O lies in 1 way only")
    play(state, 0, "at 0 1")
    reason = "first write the four numbers into the shape that you dropped"
    assert refusal(state, 0, "at 0 1") == ("ND7", reason)
    assert refusal(state, 0, "done") == ("ND7", reason)


def test_nd8_shapes_fall_straight_onto_the_first_mark():
    """A shape stops on the highest mark under any of its cells; holes stay."""
    state = table("1...... 2......", ".")
    roll(state, PLAIN, "I")
    drop(state, 0, "0 1", "1 2 3 7")
    assert sheet(state, 0, 3) == "1237... 1...... 2......"
    play(state, 0, "skip")
    drop(state, 1, "1 2", "1 2 3 7")
    assert sheet(state, 1, 4) == ".7..... .3..... .2..... .1....."


def test_nd8_nothing_slips_under_an_overhang():
    """What lies under a mark cannot be reached from above, not even from the side."""
    state = table("999.... 9......", ".")
    roll(state, PLAIN, "I")
    drop(state, 0, "0 3", "1 2 3 7")
    assert sheet(state, 0, 3) == "..1237. 999.... 9......"


def test_nd8_a_shape_hangs_on_its_lowest_cells():
    """The underside of a shape decides: an L can hook over an edge, a C-shaped U5 cannot."""
    state = table("..9.... ..9....", ".")
    roll(state, PLAIN, "L")
    drop(state, 0, "7 1", "1 2 3 7")  # its foot is at the right, on the 9s
    assert sheet(state, 0, 4) == "237.... ..1.... ..9.... ..9...."
    state = table("..9.... ..9....", ".")
    roll(state, PLAIN, "L")
    drop(state, 0, "6 2", "1 2 3 7")  # an arm over the empty column, a leg on the 9s
    assert sheet(state, 0, 5) == ".37.... ..2.... ..1.... ..9.... ..9...."
    both = [[values(3), values(3)], [0, 0], *[[0, 0]] * 4]
    state = table(".", "..9....", tiles="U5 I O T S", combos=both)
    opening_right = next(
        number
        for number, cells in enumerate(shapes.ORIENTATIONS[7])
        if cells == ((0, 0), (0, 1), (1, 0), (2, 0), (2, 1))
    )
    play(roll(state, "* 1 2 3", "L"), 1, f"at {opening_right} 2")
    assert sheet(state, 1) == ".XX.... .X..... .XX.... ..9...."


def test_nd8_landing_crosses_the_middle_of_the_grid():
    """Rows 7 and 8 are neighbours like any others."""
    tower = " ".join(["5......"] * 6)
    state = roll(table(tower, tower), PLAIN, "I")
    drop(state, 0, "1 1", "1 2 3 7")
    assert sheet(state, 0, 10).startswith("7...... 3...... 2...... 1...... 5......")
    drop(state, 1, "0 1", "1 2 3 7")
    assert sheet(state, 1, 7).startswith("1237... 5......")
    overhang = " ".join(["5555..."] + ["5......"] * 7)  # row 8 covers empty columns
    state = roll(table(overhang, "."), PLAIN, "I")
    drop(state, 0, "1 3", "1 2 3 7")
    assert sheet(state, 0, 12) == f"..7.... ..3.... ..2.... ..1.... {overhang}"


def test_nd9_a_drop_ends_inside_the_grid():
    """A drop that would stick out above row 14 is refused; row 14 itself is fine."""
    state = table(" ".join(["5......"] * 11), ".")
    roll(state, PLAIN, "I")
    assert refusal(state, 0, "at 1 1") == (
        "ND9",
        "the I would reach up to row 15 there, and there are 14",
    )
    assert "at 0 1" in state.legal(0) and "at 1 2" in state.legal(0)
    state = roll(table(" ".join(["5......"] * 10), "."), PLAIN, "I")
    assert "at 1 1" in state.legal(0)
    assert refusal(state, 0, "none") == ("ND9", "there is still room, so you have to drop")


def full_solo(shape, dice="* 1 2 3", tiles="I T O L S"):
    """A solo sheet that is 11 rows high all over, two tiles one notch above GO!, after a roll."""
    lines = " ".join(["5X5X5X5", "X5X5X5X"] * 5 + ["5X5X5X5"])
    return roll(table(lines, tiles=tiles, notches=[1, 1, 4, 4, 4]), dice, shape)


def test_nd9_without_room_the_round_goes_on_to_its_end():
    """After a GO! block: none, then the second slide, phase 3, phase 4, and the match is over."""
    state = full_solo("I")
    play(state, 0, "slide B")
    assert refusal(state, 0, "none")[0] == "ND9"
    vertical = shapes.ORIENTATIONS[2].index(((0, 0), (1, 0), (1, 1), (2, 0)))
    play(state, 0, f"at {vertical} 4")  # a tower in the middle: rows 12-14
    assert state.legal(0) == ["slide A"]
    play(state, 0, "slide A")
    assert state.legal(0) == ["none"]  # no four columns beside each other are left
    assert refusal(state, 0, "at 0 1")[0] == "ND9"
    assert state.view(0).label("none").startswith("No room")
    assert str(state.view(0)).endswith("Your move: there is no room to drop, `none`")
    play(state, 0, "none")
    assert state.legal(0) == ["none"]  # the rolled shape is the I as well
    play(state, 0, "none")
    assert state.legal(0) == ["skip"]
    assert not state.over
    play(state, 0, "skip")
    assert state.over and state.winners == (0,)


def test_nd9_none_after_the_first_block_leads_to_the_second_slide():
    """A first block without room does not end the round either."""
    lines = " ".join(["...5..."] * 3 + ["5X5X5X5", "X5X5X5X"] * 5 + ["5X5X5X5"])
    state = roll(table(lines, tiles="I T O L S", notches=[1, 1, 4, 4, 4]), "* 1 2 3", "T")
    play(state, 0, "slide A")
    assert state.legal(0) == ["none"]
    play(state, 0, "none")
    assert state.legal(0) == ["slide B"]
    play(state, 0, "slide B")
    assert "at 0 1" in state.legal(0)  # the T has room beside the tower
    play(state, 0, "at 0 1")
    assert state.fields["doing"][0] == rules.DROP
    drop(state, 0, "0 5", "1 2 3 9")
    play(state, 0, "skip")
    assert state.over


def test_nd9_a_shape_without_room_means_a_mark_above_the_line():
    """Every shape can lie flat enough for the three rows above the line: `none` ends the match."""
    for orientations in shapes.ORIENTATIONS:
        assert min(shapes.height(cells) for cells in orientations) <= 3


def test_nd9_only_shapes_with_room_can_be_named():
    """A shape that fits nowhere cannot be named; if none fits, none is the move."""
    state = full_solo("*", dice="1 1 2 3")
    play(state, 0, "slide B")
    vertical = shapes.ORIENTATIONS[2].index(((0, 0), (1, 0), (1, 1), (2, 0)))
    play(state, 0, f"at {vertical} 4", "slide C")
    assert state.legal(0) == ["as O", "as T", "as L", "as S"]
    assert refusal(state, 0, "as I") == ("ND9", "there is no room left for the I")
    play(state, 0, "as L")
    assert refusal(state, 0, "none")[0] == "ND9"
    everywhere = " ".join(["5X5X5X5"] * 14)
    state = roll(table(everywhere, notches=[4, 4, 4, 4, 4]), "1 1 2 3", "*")
    play(state, 0, "slide A", "slide A")
    assert state.legal(0) == ["none"]
    assert str(state.view(0)).endswith("`none`")
    play(state, 0, "none")
    assert "skip" in state.legal(0)


# -- phase 4 -------------------------------------------------------------------------------------


def after_drop(*sheets, **fields):
    """A match in which all have dropped `1 2 3 7` far right on top, so that phase 4 is on."""
    state = roll(table(*sheets, **fields), "1 2 3 7", "I")
    for seat in range(state.players):
        drop(state, seat, "1 7", "1 3 7 2")
    return state


def test_nd10_identical_numbers_are_any_connected_set():
    """The cells may be chosen in any order in which each touches a chosen one."""
    state = after_drop("5.5.... 555....", ".")
    assert cells(state) == {(1, 1), (2, 1), (3, 1), (1, 2), (3, 2)}
    play(state, 0, "cell 2 1")
    assert cells(state) == {(1, 1), (3, 1)}
    play(state, 0, "cell 3 1")
    assert cells(state) == {(1, 1), (3, 2)}
    play(state, 0, "cell 1 1")
    assert cells(state) == {(1, 2), (3, 2)}
    assert "done" in state.legal(0)
    assert state.view(0).label("done") == "Circle 5·5·5"
    play(state, 0, "cell 1 2", "done")
    assert state.scores[0] == 4


def test_nd10_the_order_of_identical_cells_does_not_matter():
    """The same set chosen in another order is the same state."""
    one = circle(after_drop("55..... 55.....", "."), 0, (1, 1), (2, 1), (2, 2))
    two = circle(after_drop("55..... 55.....", "."), 0, (2, 2), (2, 1), (1, 1))
    assert one == two


def test_nd10_consecutive_numbers_are_a_path_upward():
    """From the last cell always to a neighbour one higher; turning is fine, branching is not."""
    state = after_drop("345.... 234.... .......", ".")
    assert (2, 2) in cells(state)  # 3 4 5
    play(state, 0, "cell 1 2")
    assert cells(state) == {(1, 3), (2, 2)}
    play(state, 0, "cell 2 2")
    assert cells(state) == {(2, 3), (3, 2)}
    assert refusal(state, 0, "cell 1 3") == (
        "ND10",
        "this combo is of consecutive numbers: after the 3 you need a 4",
    )
    play(state, 0, "cell 3 2")
    assert state.legal(0) == ["cell 3 3", "done"]
    assert state.view(0).label("done") == "Circle 2-3-4"
    assert refusal(state, 0, "cell 2 3") == (
        "ND10",
        "this combo is of consecutive numbers: after the 4 you need a 5",
    )


def test_nd10_a_path_cannot_start_at_its_top():
    """Only cells that some combo can start from are legal: 6 5 4 is chosen from the 4."""
    state = after_drop("654....", ".")
    assert cells(state) == {(3, 1)}
    assert refusal(state, 0, "cell 1 1") == (
        "ND10",
        "the 6 on a1 cannot start a combo of three or more",
    )


@pytest.mark.parametrize("base", [0, 5, 6, 9])
@pytest.mark.parametrize(
    ("picture", "path"),
    [
        ("567....", [(1, 1), (2, 1), (3, 1)]),
        ("....765", [(7, 1), (6, 1), (5, 1)]),
        ("...7... ...6... ...5...", [(4, 1), (4, 2), (4, 3)]),
        ("...5... ...6... ...7...", [(4, 3), (4, 2), (4, 1)]),
    ],
)
def test_nd10_paths_lead_to_all_four_sides(base, picture, path):
    """Right, left, up and down, at every height."""
    state = table(f"{picture} {'XXXXXXX ' * base}", ".", stage=rules.PLAYING, pending=0b11)
    state.fields["doing"][:2] = rules.CIRCLE
    path = [(column, row + base) for column, row in path]
    assert cells(state) == {path[0]}
    circle(state, 0, *path)
    assert state.scores[0] == 3 + 2 * base


def test_nd10_the_second_cell_decides_the_kind():
    """After 5 5 only 5s can follow, after 5 6 only a 7."""
    state = after_drop("557.... 567....", ".")
    play(state, 0, "cell 1 1")
    assert cells(state) == {(1, 2), (2, 1)}
    assert refusal(state, 0, "cell 3 1") == ("ND10", "next to the 5 you need another 5 or a 6")
    same = play(state.copy(), 0, "cell 1 2")
    assert cells(same) == {(2, 2)}
    assert refusal(same, 0, "cell 2 1") == (
        "ND10",
        "this combo is of identical numbers: you need another 5",
    )
    path = play(state, 0, "cell 2 1")
    assert cells(path) == {(3, 1)}


def test_nd10_nothing_follows_a_nine():
    """Consecutive numbers end at 9."""
    state = after_drop("789.... 0......", ".")
    play(state, 0, "cell 1 2", "cell 2 2", "cell 3 2")
    assert state.legal(0) == ["done"]
    assert refusal(state, 0, "cell 1 1") == (
        "ND10",
        "this combo is of consecutive numbers, and nothing follows the 9",
    )
    state = after_drop("999.... .......", ".")
    play(state, 0, "cell 1 2")
    assert refusal(state, 0, "cell 7 1") == ("ND10", "next to the 9 you need another 9")


def test_nd10_cells_touch_by_sides_only():
    """Diagonal neighbours are not connected, and neither are the ends of rows."""
    state = after_drop(".5..... 5.5.... .5.....", ".")
    assert cells(state) == set()
    assert state.legal(0) == ["skip"]
    assert str(state.view(0)).endswith("Your move: there is no combo to circle, `skip`")
    state = after_drop("55..... .....55", ".")
    assert cells(state) == set()


def test_nd10_combos_cross_the_middle_of_the_grid():
    """Groups and paths go on from row 7 to row 8."""
    up, down, same = "4 8 7 6 4 4 4 0 3 0", "0 6 7 8 0 1 0 3 0 1", "4 4 8 8 8 4 4 0 3 0"
    state = after_drop(" ".join(f"{digit}......" for digit in up.split()), ".")
    assert cells(state) == {(1, 7), (1, 4), (1, 5), (1, 6)}
    circle(state, 0, (1, 7), (1, 8), (1, 9))
    state = after_drop(" ".join(f"{digit}......" for digit in down.split()), ".")
    assert cells(state) == {(1, 9)}
    circle(state, 0, (1, 9), (1, 8), (1, 7))
    state = after_drop(" ".join(f"{digit}......" for digit in same.split()), ".")
    assert cells(state) == {(1, 6), (1, 7), (1, 8)}
    circle(state, 0, (1, 7), (1, 6), (1, 8))
    assert state.scores[0] == 3


def test_nd10_circled_numbers_are_used_up():
    """A number belongs to one combo only."""
    state = after_drop("5555...", ".")
    circle(state, 0, (1, 1), (2, 1), (3, 1))
    play(state, 1, "skip")
    roll(state, "5 5 2 5", "I")
    drop(state, 0, "0 1", "5 5 2 5")
    assert cells(state) == set()
    assert refusal(state, 0, "cell 1 1") == ("ND10", "the 5 on a1 is circled already")
    assert "(5)(5)(5) 5" in str(state.view(0))


def test_nd10_every_wrong_cell_has_its_reason():
    """Empty, chosen and distant cells are refused with what is wrong about them."""
    state = after_drop("555.5.. 5.6.... .......", ".")
    assert refusal(state, 0, "cell 4 1") == ("ND10", "there is no number on d1")
    assert refusal(state, 0, "done") == (
        "ND10",
        "no cell is chosen: choose the cells of a combo, or skip",
    )
    play(state, 0, "cell 1 3")
    assert refusal(state, 0, "cell 1 3") == ("ND10", "the 5 on a3 is chosen already")
    assert refusal(state, 0, "cell 5 3") == (
        "ND10",
        "it has to be beside, above or below one of the chosen cells",
    )
    assert refusal(state, 0, "skip") == (
        "ND10",
        "you have begun a combo: go on until it can be circled",
    )
    play(state, 0, "cell 2 3")
    assert refusal(state, 0, "done") == ("ND10", "a combo has at least 3 numbers")
    assert refusal(state, 0, "none") == ("ND9", "there is nothing to drop now")
    assert refusal(state, 0, "num 1") == ("ND10", "your drop is made: circle a combo, or skip")


def test_nd10_a_step_that_leads_nowhere_is_refused():
    """A fitting neighbour is refused when no combo of three comes of it."""
    state = after_drop("56..... 5...... 5......", ".")
    play(state, 0, "cell 1 3")
    assert cells(state) == {(1, 2)}
    assert refusal(state, 0, "cell 2 3") == (
        "ND10",
        "the 6 on b3 cannot lead to a combo of three or more",
    )
    far = after_drop("345.... .4.....", ".")
    play(far, 0, "cell 1 2", "cell 2 2")
    assert refusal(far, 0, "cell 2 1") == (
        "ND10",
        "this combo is of consecutive numbers: after the 4 you need a 5",
    )
    far = after_drop("345.5..", ".")
    play(far, 0, "cell 1 1", "cell 2 1")
    assert refusal(far, 0, "cell 5 1") == ("ND10", "it has to be beside, above or below the 4")


def all_combos(numbers, opens):
    """Every open combo by brute force: sets of identical cells and upward paths."""

    def beside(cell):
        column, row = cell
        near = ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1))
        return [other for other in near if other in numbers]

    groups, paths = {frozenset([cell]) for cell in numbers}, {(cell,) for cell in numbers}
    found = set(), set()
    for size in range(1, 9):
        found[0].update(groups if size in opens[0] else ())
        found[1].update(paths if size in opens[1] else ())
        groups = {
            group | {other}
            for group in groups
            for cell in group
            for other in beside(cell)
            if numbers[other] == numbers[cell] and other not in group
        }
        paths = {
            (*path, other)
            for path in paths
            for other in beside(path[-1])
            if numbers[other] == numbers[path[-1]] + 1
        }
    return found


def expected_moves(numbers, opens, chosen):
    """The legal tokens of phase 4 by the definition: what some open combo starts with."""
    groups, paths = all_combos(numbers, opens)
    kind = None if len(chosen) < 2 else int(numbers[chosen[0]] != numbers[chosen[1]])
    moves = set() if chosen else {"skip"}
    if kind != 1:
        for group in groups:
            if group >= set(chosen):
                rest = group - set(chosen)
                moves |= {f"cell {c} {r}" for c, r in rest if not chosen or touches((c, r), chosen)}
                moves |= set() if rest else {"done"}
    if kind != 0:
        for path in paths:
            if list(path[: len(chosen)]) == chosen:
                rest = path[len(chosen) :]
                moves.add("cell {} {}".format(*rest[0]) if rest else "done")
    return moves


def touches(cell, others):
    return any(abs(cell[0] - c) + abs(cell[1] - r) == 1 for c, r in others)


@pytest.mark.parametrize("seed", range(12))
def test_nd10_agrees_with_brute_force(seed):
    """On random sheets with random open sizes exactly the moves towards an open combo are legal."""
    chance = random.Random(seed)
    low, span = chance.randint(0, 6), chance.choice((2, 3, 4))
    first = chance.randint(1, 9)  # rows below are Xs, so that sheets lie anywhere in the grid
    numbers = {
        (column, row): min(9, low + chance.randrange(span))
        for row in range(first, first + 3)
        for column in range(1, 7)
        if chance.random() < 0.8
    }
    circled = [[v for v in range(3, 8) if chance.random() < 0.6] for _ in range(2)]
    bonus = chance.random() < 0.5
    opens = [{*range(3, 8)} - set(kind) | (set() if bonus else {8}) for kind in circled]
    lines = [
        "".join(
            str(numbers[column, row]) if (column, row) in numbers else "X" if row < first else "."
            for column in range(1, 8)
        )
        for row in range(first + 2, 0, -1)
    ]
    state = table(
        " ".join(lines),
        ".",
        combos=[[values(*kind) for kind in circled], *[[0, 0]] * 5],
        bonus=[int(bonus), 0, 0, 0, 0, 0],
        stage=rules.PLAYING,
        pending=0b11,
        doing=[rules.CIRCLE, rules.CIRCLE, 0, 0, 0, 0],
    )
    for _ in range(4):
        walk, chosen = state.copy(), []
        while True:
            moves = set(walk.legal(0))
            assert moves == expected_moves(numbers, opens, chosen)
            further = sorted(cells(walk))
            if not further or ("done" in moves and chance.random() < 0.3):
                break
            chosen.append(chance.choice(further))
            walk.apply(0, "cell {} {}".format(*chosen[-1]))


def test_nd11_each_kind_and_value_once():
    """A second combo of the same kind and size is not open, one of the other kind is."""
    mine = [[values(3), 0], *[[0, 0]] * 5]
    state = after_drop("345.... .......", ".", combos=mine)
    assert cells(state) == {(1, 2)}
    circle(state, 0, (1, 2), (2, 2), (3, 2))
    assert state.scores[0] == 6
    state = after_drop("555....", ".", combos=mine)
    assert cells(state) == set()
    assert refusal(state, 0, "cell 1 1") == (
        "ND11",
        "all combos that this could become are circled already",
    )


def test_nd11_a_closed_size_can_only_be_passed_through():
    """With 3 identical circled a group of five can be circled as 4 or 5, not as 3."""
    mine = [[values(3), values(3)], *[[0, 0]] * 5]
    state = after_drop("5556... 55.....", ".", combos=mine)
    play(state, 0, "cell 1 1", "cell 2 1")
    play(state, 0, "cell 1 2")
    assert "done" not in state.legal(0)
    assert refusal(state, 0, "done") == ("ND11", "your 3 identical numbers are circled already")
    play(state, 0, "cell 2 2")
    assert "done" in state.legal(0)
    mine = [[0, values(3)], *[[0, 0]] * 5]
    state = after_drop("5678... ", ".", combos=mine)
    play(state, 0, "cell 1 1", "cell 2 1", "cell 3 1")
    assert state.legal(0) == ["cell 4 1"]
    assert refusal(state, 0, "done") == ("ND11", "your 3 consecutive numbers are circled already")
    state = after_drop("567.... 6......", ".", combos=mine)
    assert refusal(state, 0, "cell 1 2")[0] == "ND11"


def test_nd11_eight_is_a_bonus_of_either_kind_once():
    """Eight identical or eight consecutive numbers, once in all; nine are never a combo."""
    full = [[values(3, 4, 5, 6, 7), values(3, 4, 5, 6, 7)], *[[0, 0]] * 5]
    path = [(c, 1) for c in range(1, 7)] + [(6, 2), (5, 2)]
    state = after_drop("..9876. 012345.", ".", combos=full)
    circle(state, 0, *path)
    assert state.fields["bonus"][0] == 1
    assert state.scores[0] == 35 + 35 + 8
    state = after_drop("555.... 555.... 555....", ".", combos=full)
    play(state, 0, *(f"cell {c} {r}" for r in (1, 2) for c in (1, 2, 3)), "cell 1 3", "cell 2 3")
    assert state.legal(0) == ["done"]
    assert refusal(state, 0, "cell 3 3") == ("ND10", "a combo has at most 8 numbers")
    assert state.view(0).label("done") == "Circle 5·5·5·5·5·5·5·5"
    state = after_drop("..9876. 012345.", ".", combos=full, bonus=[1, 0, 0, 0, 0, 0])
    assert state.legal(0) == ["skip"]
    assert refusal(state, 0, "cell 1 1")[0] == "ND11"


def test_nd11_without_the_bonus_a_group_ends_at_seven():
    """With the bonus circled no eighth number can be chosen."""
    state = after_drop("5555... 5555...", ".", bonus=[1, 0, 0, 0, 0, 0])
    order = [(1, 1), (2, 1), (3, 1), (4, 1), (4, 2), (3, 2), (2, 2)]
    play(state, 0, *(f"cell {c} {r}" for c, r in order))
    assert state.legal(0) == ["done"]
    assert refusal(state, 0, "cell 1 2") == (
        "ND11",
        "all combos that this could become are circled already",
    )


def test_nd12_both_combos_of_a_value_circle_its_letter():
    """One of the two is not enough."""
    state = begin(2, "L I O T S")
    roll(state, "4 4 4 1", "I")
    for seat in (0, 1):
        drop(state, seat, "0 1", "4 4 4 1")
    circle(state, 0, (1, 1), (2, 1), (3, 1))
    play(state, 1, "skip")
    assert rules.letters(state.fields, 0) == 0
    roll(state, PLAIN, "I")
    for seat in (0, 1):
        drop(state, seat, "0 1", "1 2 3 7")
    circle(state, 0, (1, 2), (2, 2), (3, 2))
    assert rules.letters(state.fields, 0) == 0b1
    play(state, 1, "skip")
    assert "A (L) circled" in str(state.view(0))
    assert "letters A" in str(state.view(1))


def test_nd12_a_crossed_off_letter_is_not_circled_again():
    """The combos still count, but no block will drop."""
    state = table("123....", ".", combos=[[values(3), 0], *[[0, 0]] * 5], crossed=0b1)
    roll(state, PLAIN, "I")
    for seat in (0, 1):
        drop(state, seat, "1 7", "1 3 7 2")
    circle(state, 0, (1, 1), (2, 1), (3, 1))
    play(state, 1, "skip")
    assert state.scores[0] == 6
    assert rules.letters(state.fields, 0) == 0
    roll(state, "* 1 2 3", "I")
    assert state.to_act == (0, 1)


# -- phase 5 -------------------------------------------------------------------------------------


def test_nd13_full_rows_earn_two_at_the_rounds_end():
    """A row counts once, when the round is over, and not while others are still at work."""
    state = table("999....", ".")
    roll(state, PLAIN, "I")
    drop(state, 0, "0 4", "1 2 3 7")
    assert state.scores == (0, 0)
    play(state, 0, "skip")
    drop(state, 1, "0 1", "1 2 3 7")
    assert state.scores == (0, 0)
    play(state, 1, "skip")
    assert state.scores == (2, 0)
    assert "(+2)" in str(state.view(0))
    roll(state, PLAIN, "I")
    for seat in (0, 1):
        drop(state, seat, "0 1", "1 2 3 7")
        play(state, seat, "skip")
    assert state.scores == (2, 0)


def test_nd13_a_row_with_a_hole_earns_nothing():
    """Only full rows count, wherever they are."""
    state = table("9999999 999.999 9999999", ".")
    assert state.scores == (4, 0)
    assert grid.full_rows(state.fields, 0) == 0b101


def test_nd13_a_mark_above_the_line_ends_the_match_for_all():
    """Everybody finishes the round; each row above the line with a mark costs its seat 5."""
    tower = " ".join(["5......"] * 11)
    state = roll(table(tower, tower, "."), "1 4 3 6", "O")
    drop(state, 0, "0 1", "6 1 4 3")  # the rulebook's example: two -5s
    play(state, 0, "skip")
    assert not state.over and state.scores[0] == 0
    for seat in (1, 2):
        drop(state, seat, "0 6", "6 1 4 3")
        play(state, seat, "skip")
    assert state.over and state.to_act == ()
    assert state.scores == (-10, 0, 0)
    assert state.winners == (1, 2)
    assert str(state.view(0)).count("(-5)") == 2
    assert refusal(state, 0, "skip") == ("ND13", "the match is over")


def test_nd13_row_eleven_is_under_the_line():
    """A tower of 11 rows is safe; the next seat clockwise is active."""
    state = roll(table(" ".join(["5......"] * 7), "."), PLAIN, "I")
    drop(state, 0, "1 1", "1 2 3 7")
    drop(state, 1, "1 1", "1 2 3 7")
    play(state, 0, "skip")
    play(state, 1, "skip")
    assert not state.over
    assert rules.active_seat(state.fields) == 1
    assert state.fields["dice"].tolist() == [0, 0, 0, 0]


def test_nd13_rows_above_the_line_earn_nothing():
    """A full row 12 is no +2."""
    rows = " ".join(["9999..."] + ["9.9.9.9"] * 11)
    state = roll(table(rows, "."), PLAIN, "O")
    drop(state, 0, "0 5", "1 2 3 7")
    play(state, 0, "skip")
    drop(state, 1, "0 1", "1 2 3 7")
    play(state, 1, "skip")
    assert state.over
    assert state.scores[0] == -10


# -- order ---------------------------------------------------------------------------------------


def test_nd14_together_everybody_acts_in_any_order():
    """A seat circles as soon as it has dropped, whatever the others have done."""
    state = roll(begin(3), PLAIN, "I")
    assert state.to_act == (0, 1, 2)
    drop(state, 2, "0 1", "1 2 3 7")
    assert "skip" in state.legal(2)
    circle(state, 2, (1, 1), (2, 1), (3, 1))
    assert state.to_act == (0, 1)
    play(state, 0, "at 0 1")
    drop(state, 1, "0 1", "1 2 3 7")
    play(state, 1, "skip")
    assert state.to_act == (0,)
    play(state, 0, "num 1", "num 2", "num 3", "num 7", "skip")
    assert state.to_act == (-1,)


def test_nd14_clockwise_phases_go_round_from_the_active_seat():
    """First all drop, then all circle, in turn from the active seat, in the open."""
    state = table(".", ".", ".", order="clockwise", round=1)
    roll(state, PLAIN, "I")
    for seat in (1, 2, 0):
        assert state.to_act == (seat,)
        assert refusal(state, (seat + 1) % 3, "at 0 1")[0] == "ND14"
        assert state.witnesses(seat, "at 0 1") == (0, 1, 2)
        drop(state, seat, "0 1", "1 2 3 7")
        assert bytes(state.view((seat + 1) % 3)) == bytes(state)
    for seat in (1, 2, 0):
        assert state.to_act == (seat,)
        if seat == 1:
            circle(state, 1, (1, 1), (2, 1), (3, 1))
        else:
            play(state, seat, "skip")
    assert state.to_act == (-1,)
    assert rules.active_seat(state.fields) == 2


def test_nd14_clockwise_phase_two_skips_who_has_the_letter():
    """Blocks are dropped in turn from the active seat too."""
    state = roll(letter_a(3, order="clockwise"), "* 2 3 7", "S")
    assert rules.active_seat(state.fields) == 2
    assert state.to_act == (2,)
    play(state, 2, "at 0 1")
    assert state.to_act == (1,)
    play(state, 1, "at 0 1")
    assert state.to_act == (-1,)


def worlds():
    """One moment of a round for seat 0, with seats 1 and 2 at very different points of it."""
    start = letter_a(3)
    roll(start, PLAIN, "*")
    play(start, 1, "at 0 1")
    play(start, 2, "at 0 1")
    fresh = roll(start, "5 5 2 5", "*")  # nothing is active any more
    drop(play(fresh, 0, "as I"), 0, "0 1", "5 5 2 5")
    yield fresh.copy()
    one = drop(play(fresh.copy(), 1, "as O"), 1, "0 1", "5 5 5 2")
    yield one.copy()
    yield play(one.copy(), 1, "cell {} {}".format(*min(cells(one, 1))))
    yield play(one.copy(), 1, "skip")
    two = play(fresh.copy(), 2, "as T", "at 2 3", "num 5")
    yield two
    yield play(one.copy(), 2, "as S", "at 0 1")
    three = drop(play(fresh.copy(), 2, "as I"), 2, "0 1", "5 5 5 2")
    yield three
    yield circle(three.copy(), 2, (1, 5), (2, 5), (3, 5))


def test_nd14_nobody_sees_the_others_marks_of_this_round():
    """Whatever the others have done since the roll, and whether, a view's bytes are the same."""
    states = list(worlds())
    assert len({bytes(state) for state in states}) == len(states) == 8
    for seat in (0, None):
        assert len({bytes(state.view(seat)) for state in states}) == 1
        assert len({str(state.view(seat)) for state in states}) == 1
        assert len({state.view(seat).scores for state in states}) == 1
        assert states[3].view(seat).to_act == (0, 1, 2)  # though seat 1 is done
    assert bytes(states[0].view(1)) != bytes(states[1].view(1))


def test_nd14_a_view_takes_back_a_circled_combo_and_its_letter():
    """Combo, bonus, letter and score of another seat are as they were at the roll."""
    both = [[values(4), values(3, 4)], [values(3), 0], *[[0, 0]] * 4]
    state = table("..9876. 012345.", "123....", combos=both, tiles="L I O T S")
    after_roll = roll(state, PLAIN, "I").copy()
    drop(state, 0, "1 7", "1 3 7 2")
    circle(state, 0, *[(c, 1) for c in range(1, 7)], (6, 2), (5, 2))
    assert state.fields["bonus"][0] == 1 and state.scores[0] == 11 + 8
    drop(after_roll, 1, "0 4", "1 2 3 7")
    circle(after_roll, 1, (1, 1), (2, 1), (3, 1))
    drop(state, 1, "0 4", "1 2 3 7")
    play(state, 1, "cell 1 1", "cell 2 1", "cell 3 1")
    hidden = state.copy()
    play(hidden, 1, "done")  # this ends the round: all is open
    assert bytes(hidden.view(0)) == bytes(hidden.view(None)) == bytes(hidden)
    assert rules.letters(hidden.fields, 1) == 0b1
    view = state.view(1)
    assert view.scores == (11, 3)
    assert view.fields["bonus"][0] == 0 and view.to_act == (0, 1)
    assert after_roll.view(0).scores == (11, 3)
    assert rules.letters(after_roll.view(0).fields, 1) == 0
    assert rules.letters(after_roll.view(1).fields, 1) == 0b1


def test_nd14_blocks_are_hidden_until_all_have_dropped():
    """Phase 2 is as secret as the others; who has to drop is known."""
    state = roll(letter_a(3), "* 2 3 7", "S")
    fresh = bytes(state.view(2))
    play(state, 1, "at 0 1")
    assert bytes(state.view(2)) == fresh
    assert state.view(2).to_act == (1, 2)
    assert state.view(0).to_act == (1, 2)
    assert state.view(1).to_act == (2,)
    assert sheet(state.view(1), 1, 4) == "X...... XXX.... 1237... 4441..2"


def test_nd14_a_move_is_known_to_its_seat_only():
    """Nobody else is a witness while the round is secret; the dealer's events are public."""
    state = begin(3)
    assert state.witnesses(-1, "die 1") == (0, 1, 2)
    roll(state, PLAIN, "I")
    assert state.witnesses(1, "at 0 1") == (1,)
    drop(state, 1, "0 1", "1 2 3 7")
    assert state.witnesses(1, "skip") == (1,)
    solo = roll(begin(1), PLAIN, "I")
    assert solo.witnesses(0, "slide A") == (0,)


def test_nd14_hidden_fields_are_not_in_a_view():
    """Any edit of what another seat did this round leaves the bytes of a view as they are."""
    state = list(worlds())[-2]
    image = {seat: bytes(state.view(seat)) for seat in (0, 1, None)}
    data = state.fields
    hidden = state.copy()
    free_cells = np.int64(bits((1, 12), (2, 12))[1])
    hidden.fields["fallen"][2, 1] |= free_cells
    for k in range(4):
        hidden.fields["marks"][2, 1, k] |= free_cells
    hidden.fields["used"][2] = 0b101
    hidden.fields["doing"][2] = rules.NUMBER
    hidden.fields["shape"][2] = 3
    hidden.fields["chosen"][2] = data["fallen"][2]
    hidden.fields["pending"] &= ~0b100
    assert bytes(hidden) != bytes(state)
    for seat, expected in image.items():
        assert bytes(hidden.view(seat)) == expected


def test_nd14_a_world_made_from_a_view_looks_the_same():
    """Determinized worlds give the seat the same bytes, and can be played to the end."""
    for state in worlds():
        for seat in (0, 1, 2, None):
            view = state.view(seat)
            world = view.determinize(seed=3)
            assert bytes(world.view(seat)) == bytes(view)
            assert world.to_act == view.to_act
    chance = random.Random(1)
    while not world.over:
        actor = chance.choice(world.to_act)
        if actor < 0:
            world.deal(chance)
        else:
            world.apply(actor, chance.choice(world.legal(actor)))
    assert world.winners


# -- results -------------------------------------------------------------------------------------


def test_nd15_the_rulebooks_final_score():
    """7 full rows, one -5, a complete identical column, 4 and 6 consecutive: 54 points."""
    rows = ["5......", "X......", "X......", "X......", "X......"] + ["5X5X5X5"] * 7
    mine = [[values(3, 4, 5, 6, 7), values(4, 6)], *[[0, 0]] * 5]
    state = table(" ".join(rows), ".", combos=mine, stage=rules.OVER)
    assert state.scores == (54, 0)
    assert state.winners == (0,)
    assert "(+10)" in str(state.view(0))


def test_nd15_all_there_is():
    """Both columns complete and the bonus: 25 + 10 + 25 + 10 + 8."""
    full = [[values(3, 4, 5, 6, 7)] * 2, *[[0, 0]] * 5]
    state = table(".", ".", combos=full, bonus=[1, 0, 0, 0, 0, 0])
    assert state.scores == (78, 0)


def test_nd15_equal_totals_share_the_victory():
    """The highest total wins, ties share; nobody wins before the end."""
    some = [[values(3), 0], [0, values(3)], [values(4), 0], [0, 0], [0, 0], [0, 0]]
    state = table(".", ".", ".", combos=some)
    assert state.winners == ()
    state = table(".", ".", ".", combos=some, stage=rules.OVER)
    assert state.winners == (2,)
    assert words.verdict(state.fields, NAMES) == "Cy wins with 4 points."
    some[2] = [0, 0]
    state = table(".", ".", ".", combos=some, stage=rules.OVER)
    assert state.winners == (0, 1)
    assert words.verdict(state.fields, NAMES) == "Ann and Bob share the victory with 3 points each."


def test_the_rulebooks_example_round():
    """The roll 1 5 6 * and a square, as three players use it."""
    state = table("4...... 4...... 3451...", "65.....", "23..... 123....")
    roll(state, "* 5 6 1", "O")
    drop(state, 0, "0 2", "4 1 5 6")
    assert sheet(state, 0, 3) == "456.... 441.... 3451..."
    play(state, 0, "skip")
    drop(state, 1, "0 1", "6 1 6 5")
    assert sheet(state, 1, 3) == "65..... 61..... 65....."
    circle(state, 1, (1, 1), (1, 2), (1, 3))
    drop(state, 2, "0 3", "4 1 5 6")
    assert sheet(state, 2, 3) == "..56... 2341... 123...."
    circle(state, 2, (1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (4, 3))
    assert state.scores == (0, 3, 6)


# -- solo ----------------------------------------------------------------------------------------


def test_nd16_a_tile_slides_after_every_roll():
    """One tile of choice that is not at the bottom; without a star there is no second slide."""
    state = table(".", notches=[4, 0, 1, 2, 3])
    roll(state, PLAIN, "I")
    assert state.legal(0) == ["slide A", "slide C", "slide D", "slide E"]
    assert refusal(state, 0, "slide B") == ("ND16", "tile B is at the bottom already")
    assert refusal(state, 0, "at 0 1") == ("ND16", "first slide a tile down one notch")
    assert state.view(0).label("slide A") == "Slide tile A (I) down to 3 above GO!"
    assert state.view(0).label("slide C") == "Slide tile C (T) down to GO!"
    play(state, 0, "slide D")
    assert state.fields["notches"].tolist() == [4, 0, 1, 1, 3]
    assert "at 0 1" in state.legal(0)
    assert refusal(state, 0, "slide A") == ("ND16", "all slides of this round are made")


def test_nd16_a_star_slides_the_rolled_shapes_tile_too():
    """The forced slide is a move with one choice; it is the tile's shape that counts."""
    state = roll(begin(1, "S L T O I"), "* 2 3 7", "T")
    play(state, 0, "slide C")
    assert state.legal(0) == ["slide C"]
    assert refusal(state, 0, "slide A") == (
        "ND16",
        "the second slide is for the tile of the rolled shape, T",
    )
    play(state, 0, "slide C")
    assert state.fields["notches"].tolist() == [4, 4, 2, 4, 4]
    assert "at 0 1" in state.legal(0)


def test_nd16_a_tile_at_the_bottom_is_not_slid_again():
    """If the rolled shape's tile is down, there is no second slide."""
    state = roll(table(".", notches=[0, 4, 4, 4, 4]), "* 2 3 7", "I")
    play(state, 0, "slide B")
    assert "at 0 1" in state.legal(0)
    state = roll(table(".", notches=[1, 4, 4, 4, 4]), "* 2 3 7", "I")
    play(state, 0, "slide A", "at 0 1")  # the first slide brought it down
    assert "at 0 1" in state.legal(0) and state.fields["doing"][0] == rules.DROP


def test_nd16_a_star_on_the_shape_die_slides_any_second_tile():
    """One of choice, also the same again, if any can."""
    state = roll(begin(1), PLAIN, "*")
    play(state, 0, "slide A")
    assert state.legal(0) == [f"slide {letter}" for letter in "ABCDE"]
    play(state, 0, "slide A")
    assert state.fields["notches"].tolist() == [2, 4, 4, 4, 4]
    assert state.legal(0) == [f"as {shape}" for shape in "IOTLS"]
    state = roll(table(".", notches=[0, 1, 0, 0, 0]), PLAIN, "*")
    play(state, 0, "slide B", "at 0 1")
    assert state.legal(0) == [f"as {shape}" for shape in "IOTLS"]


def test_nd16_tiles_slide_in_solo_only():
    """With several players there is nothing to slide."""
    state = roll(begin(2), "* 2 3 7", "I")
    assert refusal(state, 0, "slide A") == ("ND16", "tiles slide in solo only")


def test_nd17_go_drops_the_tiles_shape_at_once():
    """Xs fall before the second slide; then the round goes on with all its phases."""
    state = roll(table(".", notches=[1, 4, 4, 4, 4]), "* 2 3 7", "O")
    play(state, 0, "slide A")
    assert state.legal(0)[0] == "at 0 1" and len(state.legal(0)) == 11  # the I
    assert refusal(state, 0, "slide B") == ("ND17", "first drop the I block that reached GO!")
    assert state.view(0).label("at 1 7") == "Drop the I block, column g"
    play(state, 0, "at 1 7")
    assert sheet(state, 0, 4) == "......X ......X ......X ......X"
    assert state.legal(0) == ["slide B"]
    play(state, 0, "slide B")
    drop(state, 0, "0 1", "9 2 3 7")
    assert "skip" in state.legal(0)
    play(state, 0, "skip")
    assert state.to_act == (-1,)


def test_nd17_a_circled_letter_protects():
    """No block drops, but the tile is down; nor is there ever a phase 2 in solo."""
    both = [[values(3), values(3)], *[[0, 0]] * 5]
    state = roll(table(".", notches=[1, 4, 4, 4, 4], combos=both), "* 2 3 7", "I")
    play(state, 0, "slide A")
    assert state.fields["notches"][0] == 0
    assert "at 1 7" in state.legal(0) and state.fields["doing"][0] == rules.DROP
    assert "circled: safe" in str(state)
    drop(state, 0, "0 1", "1 2 3 7")
    play(state, 0, "skip")
    assert state.fields["crossed"] == 0


def test_nd17_two_blocks_in_one_round():
    """Both slides can reach GO!; the numbers go into the last shape only."""
    state = roll(table(".", notches=[1, 1, 4, 4, 4]), "* 2 3 7", "O")
    play(state, 0, "slide A", "at 0 1", "slide B", "at 0 5", "at 0 1")
    play(state, 0, "num 2", "num 3", "num 7", "num 0")
    assert sheet(state, 0, 3) == "70..... 23..XX. XXXXXX."


def test_nd18_solo_ends_when_all_tiles_are_down():
    """The round is completed first; its rows count."""
    state = roll(table("999....", notches=[0, 0, 0, 0, 1]), PLAIN, "I")
    play(state, 0, "slide E")
    assert state.legal(0)[0] == "at 0 1"
    play(state, 0, "at 0 1")  # the S, on top
    assert not state.over
    drop(state, 0, "0 4", "1 2 3 7")
    assert not state.over
    play(state, 0, "skip")
    assert state.over and state.winners == (0,)
    assert state.scores == (2,)


def test_nd18_solo_ends_with_a_mark_above_the_line():
    """As with several players, with its -5s."""
    state = roll(table(" ".join(["5......"] * 11), notches=[4] * 5), PLAIN, "O")
    play(state, 0, "slide A")
    drop(state, 0, "0 1", "1 2 3 7")
    play(state, 0, "skip")
    assert state.over and state.scores == (-10,) and state.winners == (0,)


@pytest.mark.parametrize(
    ("score", "rank"),
    [(100, 1), (99, 2), (93, 2), (92, 3), (75, 4), (28, 8), (27, 9), (23, 9), (14, 9), (13, 10),
     (0, 10), (-15, 10)],
)  # fmt: skip
def test_nd18_the_rank_among_the_printed_scores(score, rank):
    """A score ranks above those it beats; an equal one does not beat."""
    assert words.solo_rank(score) == rank


def test_nd18_the_verdict_names_the_rank():
    """The result says between whom the score stands."""

    def verdict(score_rows, **fields):
        state = table(score_rows, stage=rules.OVER, **fields)
        return words.verdict(state.fields, NAMES)

    assert verdict("X......") == (
        "Ann scores 0 points: not listed, BEN (13) is the lowest high score."
    )
    mine = [[values(3, 4, 5, 6, 7), 0], *[[0, 0]] * 5]
    assert verdict(".", combos=mine) == (
        "Ann scores 35 points: rank 7 of the high scores, above NOO (34) and below BRO (46)."
    )
    mine[0][1] = values(3, 4, 5, 6, 7)
    rows = " ".join(["9999999"] * 11)
    assert verdict(rows, combos=mine, bonus=[1, 0, 0, 0, 0, 0]) == (
        "Ann scores 100 points: rank 1 of the high scores, above CHE (99)."
    )


# -- words ---------------------------------------------------------------------------------------


def told(state, actor, token, seat=0):
    """The log line that a seat gets for this event, which happens."""
    before = state.view(seat)
    known = seat in state.witnesses(actor, token)
    vocabulary = GAME.vocabulary(state.options)
    ids = vocabulary.outcome_ids if actor < 0 else vocabulary.action_ids
    state.apply(actor, token)
    action = ids[token] if known else -1
    return words.tell(before.fields, state.view(seat).fields, actor, action, NAMES)


def test_the_log_tells_own_moves_and_the_rounds_result():
    """A seat is told what it does, and what the others did once all are done."""
    state = GAME.start(players=2, order="together")
    assert told(state, -1, "tile L") == "Letter A gets the tile L."
    for tile in ["I", "O", "T", "S"]:
        state.apply(-1, f"tile {tile}")
    assert told(state, 0, "write 7") == "Ann starts with a 1 on g1."
    assert told(state, 1, "write 7") == "Bob starts with a 2 on g1."
    assert told(state, -1, "die *") == "Ann rolls ★."
    for face in ["4", "4", "1"]:
        state.apply(-1, f"die {face}")
    assert told(state, -1, "shape *") == "Ann rolls ★ 4 4 1, ★."
    assert told(state, 0, "as I") == "Ann chooses the I."
    assert told(state, 0, "at 0 1") == "Ann drops the I into columns a-d."
    assert told(state, 0, "num 4") == "Ann writes 4."
    play(state, 0, "num 4", "num 4", "num 1")
    assert told(state, 0, "cell 1 1") == "Ann chooses the 4 on a1."
    play(state, 0, "cell 2 1", "cell 3 1")
    assert told(state, 0, "done") == "Ann circles 4·4·4 (+3)."
    assert told(state, 1, "as O") == ""
    play(state, 1, "at 0 1", "num 1", "num 4", "num 4", "num 4", "cell 2 1", "cell 2 2", "cell 1 2")
    assert told(state.copy(), 1, "done", seat=1) == (
        "Bob circles 4·4·4 (+3). "
        "Ann drops 4 4 4 1 into columns a-d and circles 4·4·4 (+3). "
        "Round 1 ends: Ann 3, Bob 3."
    )
    assert told(state, 1, "done") == (
        "Bob drops 1 4 4 4 into columns a-b and circles 4·4·4 (+3). Round 1 ends: Ann 3, Bob 3."
    )


def test_the_log_of_others_is_always_the_same_until_the_end():
    """What a seat hears of others during a secret round depends on nothing."""
    state = roll(begin(3), PLAIN, "*")
    heard = {
        told(state, 1, token)
        for token in ("as I", "at 0 1", "num 1", "num 2", "num 3", "num 7", "cell 1 1", "cell 2 1")
    }
    assert heard == {""}


def test_the_log_tells_blocks_letters_and_skips():
    """Letters that are circled, resolved and crossed off are told, in the open too."""
    state = letter_a(3, order="clockwise")
    for face in ["*", "2", "3", "7"]:
        state.apply(-1, f"die {face}")
    assert told(state, -1, "shape S") == ("Cy rolls ★ 2 3 7, S. Block A (L) falls for Bob and Cy.")
    assert told(state, 2, "at 0 1") == "Cy drops the L block into columns a-c."
    assert told(state, 1, "at 0 1") == (
        "Bob drops the L block into columns a-c. Round 3 ends: Ann 6, Bob 0, Cy 0."
    )
    state = table("123....", ".", combos=[[values(3), 0], *[[0, 0]] * 5], order="clockwise")
    roll(state, PLAIN, "I")
    for seat in (0, 1):
        drop(state, seat, "1 7", "1 3 7 2")
    play(state, 0, "cell 1 1", "cell 2 1", "cell 3 1")
    assert told(state, 0, "done") == ("Ann circles 1-2-3 (+3) and letter A.")
    assert told(state, 1, "skip") == "Bob has no combo to circle. Round 1 ends: Ann 6, Bob 0."
    together = roll(letter_a(3), "* 2 3 7", "S")
    play(together, 1, "at 0 1")
    assert told(together, 2, "at 0 2") == (
        "Bob drops Xs into columns a-c. Cy drops Xs into columns b-d. "
        "Round 3 ends: Ann 6, Bob 0, Cy 0."
    )


def test_the_log_tells_a_letter_that_all_have():
    """Then the roll itself ends the round."""
    both = [[values(3), values(3)], [values(3), values(3)], *[[0, 0]] * 4]
    state = table(".", ".", combos=both)
    for face in ["*", "1", "2", "3"]:
        state.apply(-1, f"die {face}")
    assert told(state, -1, "shape I") == (
        "Ann rolls ★ 1 2 3, I. All have circled letter A: nobody drops, it is crossed off. "
        "Round 1 ends: Ann 6, Bob 6."
    )


def test_the_log_of_a_solo_match():
    """Slides, blocks without room and the end are told."""
    state = full_solo("I")
    assert told(state, 0, "slide C") == "Ann slides tile C (O) to 3 above GO!."
    assert told(state, 0, "slide A") == "Ann slides tile A (I) to GO!."
    state = full_solo("I")
    vertical = shapes.ORIENTATIONS[2].index(((0, 0), (1, 0), (1, 1), (2, 0)))
    play(state, 0, "slide B", f"at {vertical} 4", "slide A")
    assert told(state, 0, "none") == "Ann has no room to drop: this is the last round."
    play(state, 0, "none")
    assert told(state, 0, "skip").startswith("Ann has no combo to circle. The match ends: Ann ")


def test_every_illegal_move_has_a_reason_everywhere():
    """At every moment of random matches each action is legal or refused with a rule of the text."""
    for players, order in ((1, "rulebook"), (2, "together"), (2, "rulebook"), (3, "clockwise")):
        chance = random.Random(players)
        state = GAME.start(players=players, order=order)
        tokens = GAME.vocabulary(state.options).actions
        step = 0
        while not state.over:
            step += 1
            actor = chance.choice(state.to_act)
            if actor < 0:
                state.deal(chance)
                continue
            legal = state.legal(actor)
            if step % 9 == 0:
                for action, token in enumerate(tokens):
                    if token in legal:
                        assert words.label(state.fields, actor, action)
                        continue
                    rule, reason = words.why(state.view(actor).fields, actor, action)
                    assert rule in GAME.rule_sections
                    assert reason and not reason.endswith(".")
            state.apply(actor, chance.choice(legal))


def test_the_drawing_fits_and_says_what_to_do():
    """At most 100 columns for six seats; the last line is the task."""
    state = roll(begin(6), PLAIN, "L")
    for viewer in (0, 5, None):
        lines = str(state.view(viewer)).split("\n")
        assert max(map(len, lines)) <= 100
    assert lines[-1] == "Waiting for seats 0, 1, 2, 3, 4, 5"
    text = str(state.view(0))
    assert "Orientations of the L:" in text
    assert text.endswith("`at ORIENTATION COLUMN`; the column is its leftmost")
    play(state, 0, "at 0 1", "num 1")
    text = str(state.view(0))
    assert text.endswith("Your move: write a number where the ? is, `num NUMBER`; dice left: 2 3 7")
    assert " 1  ?  _ " in text
    play(state, 0, "num 2", "num 3", "num 7")
    assert str(state.view(0)).endswith("`cell COLUMN ROW`, or `skip`")
    play(state, 0, "cell 1 1", "cell 2 1", "cell 3 1")
    assert "[1][2][3]" in str(state.view(0))
    assert str(state.view(0)).endswith("Your move: circle these 3, `done`")
    play(state, 0, "done")
    assert str(state.view(0)).endswith("Waiting for seats 1, 2, 3, 4, 5")
    assert "What the others do this round is shown when all are done." in str(state.view(0))
    assert "1'2'3'" in str(state)
    assert "1'2'3'" not in str(state.view(1))
    assert "Waiting for the dealer" in str(begin(2)) and "Waiting" in str(GAME.start(players=2))


def test_drawings_of_tasks():
    """Each task has its own line."""
    state = GAME.start(players=1)
    for tile in "IOTLS":
        state.apply(-1, f"tile {tile}")
    assert str(state.view(0)).endswith(
        "Your move: write your 1 into the bottom row, `write COLUMN`"
    )
    state.apply(0, "write 1")
    for face in PLAIN.split():
        state.apply(-1, f"die {face}")
    assert str(state.view(0)).endswith("Waiting for the dealer to roll the shape die")
    state.apply(-1, "shape *")
    assert str(state.view(0)).endswith("`slide A|B|C|D|E`")
    play(state, 0, "slide A", "slide A")
    assert str(state.view(0)).endswith("Your move: name your shape, `as I|O|T|L|S`")
    over = table(".", ".", stage=rules.OVER)
    assert str(over.view(0)).endswith("The match is over: seat 0 0, seat 1 0")
    bonus = table(".", ".", bonus=[1, 1, 0, 0, 0, 0])
    assert "(8) bonus" in str(bonus.view(0)) and "bonus 8" in str(bonus.view(0))


def test_options():
    """One to six players; the order is one of three words."""
    with pytest.raises(droptable.OptionError, match="1 to 6"):
        GAME.start(players=7)
    with pytest.raises(droptable.OptionError, match="'together' or 'clockwise' or 'rulebook'"):
        GAME.start(players=2, order="random")


def test_the_vocabulary_is_dense():
    """184 actions and 24 outcomes, each with the id that the rules give it."""
    vocabulary = GAME.vocabulary({"order": "together"})
    assert len(vocabulary.actions) == 184 and len(vocabulary.outcomes) == 24
    ids = vocabulary.action_ids
    assert ids["as S"] == rules.NAME_ID + 4
    assert ids["at 7 7"] == rules.NUMBER_ID - 1
    assert ids["cell 3 2"] == rules.CELL_ID + 7 + 2
    assert ids["slide E"] == 183
    assert vocabulary.outcome_ids["die *"] == rules.SHAPE_ID - 1
