"""The rules of Drop., one by one, and what its words say."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

from droptable.core.errors import IllegalMove, OptionError, TokenError
from droptable.core.state import State
from droptable.games.drop import GAME, rules
from droptable.games.drop.words.notation import cell_name

Cell = tuple[int, int]

KINDS = "bwD"  # in the order of the bits of a cell
NAMES = ["Anna", "Ben"]
ROUND: list[Cell] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]  # neighbours, going round
WHITE_TO_PLACE_TWO = (31, 32)  # what both have left: black has placed the first piece


def position(
    black: Any = (),
    white: Any = (),
    dud: Cell | None = None,
    left: tuple[int, int] | None = None,
    **options: Any,
) -> State:
    """A match with just these pieces on the board, black to place unless `left` says otherwise.

    The dud stands out of the way, in the outer ring, unless the test is about it.
    """
    start = GAME.start(**options)
    size = start.options["size"]
    record = start.fields.copy()
    record["rows"] = 0
    for kind, cells in enumerate((black, white, [dud or (1, 1 - size)])):
        for q, r in cells:
            record["rows"][r + size] |= 1 << (q + size + kind * rules.PLANE)
    if left:
        record["left"] = left
    return GAME.load(GAME.pack(record))


def board(state: State) -> dict[Cell, str]:
    """What stands on the board: `b`, `w` or `D` by cell."""
    size = state.options["size"]
    found = {}
    for q, r in rules.cells(size):
        for kind, mark in enumerate(KINDS):
            if int(state.fields["rows"][r + size]) >> (q + size + kind * rules.PLANE) & 1:
                assert (q, r) not in found, "two pieces on one cell"
                found[q, r] = mark
    return found


def colours(state: State) -> dict[Cell, str]:
    """The board without the dud."""
    return {cell: mark for cell, mark in board(state).items() if mark != "D"}


def play(state: State, *tokens: str) -> State:
    """Place pieces, each by whoever is to act."""
    for token in tokens:
        state.apply(state.to_act[0], token)
    return state


def refusal(state: State, actor: int, token: str) -> IllegalMove:
    """The error that a move raises; the state is as before."""
    before = bytes(state)
    with pytest.raises(IllegalMove) as caught:
        state.apply(actor, token)
    assert bytes(state) == before
    return caught.value


def seats_in_order(pieces: int) -> list[int]:
    """Who places, placement by placement, in a match of random moves."""
    state, dice = GAME.start(pieces=pieces, size=9), random.Random(pieces)
    seats: list[int] = []
    while not state.over:
        seats += state.to_act
        play(state, dice.choice(state.legal(state.to_act[0])))
    return seats


# -- the start ------------------------------------------------------------------------------------


def test_start_is_the_dud_alone() -> None:
    """The rulebook's opening has one piece, the dud, in the centre."""
    state = GAME.start()
    assert board(state) == {(0, 0): "D"}
    assert state.to_act == (0,)
    assert state.chance() == []
    assert state.scores == (0, 0)
    assert state.winners == ()


@pytest.mark.parametrize("size", [5, 9])
def test_start_with_a_ring(size: int) -> None:
    """The opening `ring` adds six pieces by turns, black at 1,0, that are nobody's own."""
    state = GAME.start(opening="ring", size=size)
    ring = dict(zip(ROUND, "bwbwbw", strict=True))
    assert board(state) == {(0, 0): "D"} | ring
    assert state.fields["left"].tolist() == [32, 32]
    assert state.scores == (1, 1)


@pytest.mark.parametrize(
    "options",
    [
        {"size": 4},
        {"size": 10},
        {"pieces": 7},
        {"pieces": 61},
        {"opening": "star"},
        {"squeeze": "own"},
        {"squeeze": 1},
        {"colour": "red"},
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, Any]) -> None:
    """A bad option is named, with its value, when the match is created."""
    ((name, value),) = options.items()
    with pytest.raises(OptionError, match=name) as caught:
        GAME.start(**options)
    assert repr(value) in str(caught.value) or name == "colour"


def test_it_is_for_two() -> None:
    """Other player counts are refused."""
    for players in (1, 3):
        with pytest.raises(OptionError, match="2 players"):
            GAME.start(players=players)


@pytest.mark.parametrize(("size", "cells"), [(5, 61), (6, 91), (7, 127), (8, 169), (9, 217)])
def test_tokens_are_the_cells_row_by_row(size: int, cells: int) -> None:
    """Every cell, the outer ring too, has a token; ids go by r, then by q."""
    tokens = GAME.vocabulary(GAME.start(size=size).options).actions
    places = [tuple(map(int, token.split(","))) for token in tokens]
    assert len(tokens) == len(set(tokens)) == cells
    assert places == sorted(places, key=lambda place: (place[1], place[0]))
    assert all(max(abs(q), abs(r), abs(q + r)) < size for q, r in places)


# -- DR1 ------------------------------------------------------------------------------------------


def test_dr1_black_places_one_then_both_place_two() -> None:
    """Black has a single first placement; after it turns have two."""
    assert seats_in_order(32)[:9] == [0, 1, 1, 0, 0, 1, 1, 0, 0]


def test_dr1_a_single_last_piece_is_a_turn() -> None:
    """An even number of pieces leaves black with one at the end, an odd number white."""
    assert seats_in_order(8)[-5:] == [0, 0, 1, 1, 0]
    assert seats_in_order(9)[-5:] == [1, 1, 0, 0, 1]
    assert seats_in_order(9).count(0) == seats_in_order(9).count(1) == 9


def test_dr1_is_cited_out_of_turn() -> None:
    """Each placement is a move of its own, and the other seat has to wait for both."""
    state = play(GAME.start(), "1,-2", "3,0")
    assert state.to_act == (1,)
    assert state.legal(0) == []
    error = refusal(state, 0, "2,2")
    assert error.rule == "DR1"
    assert "seat 1 is" in error.reason
    assert refusal(GAME.start(), 1, "2,2").rule == "DR1"


# -- DR2 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [5, 6, 7, 8, 9])
def test_dr2_any_empty_cell_but_the_outer_ring(size: int) -> None:
    """At the start, all cells are open but the centre and the outer ring; they come by id."""
    state = GAME.start(size=size)
    inner = [
        f"{q},{r}"
        for q, r in rules.cells(size)
        if max(abs(q), abs(r), abs(q + r)) < size - 1 and (q, r) != (0, 0)
    ]
    assert state.legal(0) == inner
    assert state.legal_ids(0) == sorted(state.legal_ids(0))


def test_dr2_taken_cells_are_closed() -> None:
    """What stands on a cell is named when someone wants to place there."""
    state = play(GAME.start(), "3,0", "-3,0")
    assert "3,0" not in state.legal(1)
    assert "-3,0" not in state.legal(1)
    for token, reason in {
        "3,0": "there is a black stone on i6 already",
        "-3,0": "there is a white stone on c6 already",
        "0,0": "the dud stands on f6 already",
    }.items():
        error = refusal(state, 1, token)
        assert (error.rule, error.reason) == ("DR2", reason)


def test_dr2_the_outer_ring_is_closed_empty_or_not() -> None:
    """The reason is the ring, whatever stands there."""
    state = position(black=[(5, 0)])
    for token in ("5,0", "5,-1", "0,5", "-5,5", "0,-5"):
        error = refusal(state, 0, token)
        assert error.rule == "DR2"
        q, r = (int(part) for part in token.split(","))
        assert error.reason == (
            f"{cell_name(6, (q, r))} is in the outer ring: stones get there only by being pushed"
        )


def test_dr2_a_cell_that_was_pushed_free_is_open() -> None:
    """The cell that the dud left can be placed on in the same turn."""
    state = play(GAME.start(), "3,-3", "-1,0")
    assert board(state)[1, 0] == "D"
    assert "0,0" in state.legal(1)


@pytest.mark.parametrize("token", ["6,0", "3,-6", "1, 0", "01,0", "1", "place 1,0", "", "+1,0"])
def test_words_that_are_no_cells(token: str) -> None:
    """Off the board or misspelt is a matter of spelling, not of rules."""
    with pytest.raises(TokenError, match="not a move of Drop"):
        GAME.start().apply(0, token)


# -- DR3 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ROUND)
def test_dr3_a_neighbour_is_pushed(step: Cell) -> None:
    """One piece beside the placed one moves one cell away from it, in every direction."""
    q, r = step
    state = play(position(white=[step]), "0,0")
    assert colours(state) == {(0, 0): "b", (2 * q, 2 * r): "w"}


@pytest.mark.parametrize("step", ROUND)
def test_dr3_a_line_moves_as_a_whole(step: Cell) -> None:
    """Three in a line keep their order, and the last may come to stand in the outer ring."""
    q, r = step
    line = [(q, r), (2 * q, 2 * r), (3 * q, 3 * r)]
    state = play(position(black=line[1:2], white=line[::2], size=5), "0,0")
    moved = {(2 * q, 2 * r): "w", (3 * q, 3 * r): "b", (4 * q, 4 * r): "w"}
    assert colours(state) == {(0, 0): "b"} | moved


@pytest.mark.parametrize("step", ROUND)
def test_dr3_a_line_to_the_edge_does_not_move(step: Cell) -> None:
    """With no empty cell before the edge, all of the line stays."""
    q, r = step
    line = {(n * q, n * r): "bwbw"[n - 1] for n in range(1, 5)}
    black = [cell for cell, mark in line.items() if mark == "b"]
    white = [cell for cell, mark in line.items() if mark == "w"]
    state = play(position(black, white, size=5), "0,0")
    assert colours(state) == line | {(0, 0): "b"}


def test_dr3_only_the_unbroken_line_moves() -> None:
    """A gap ends the line: the pieces behind it stay."""
    state = play(position(white=[(1, 0), (2, 0), (4, 0), (5, 0)]), "0,0")
    assert colours(state) == dict.fromkeys([(2, 0), (3, 0), (4, 0), (5, 0)], "w") | {(0, 0): "b"}


def test_dr3_pieces_two_cells_away_stay() -> None:
    """A line has to start next to the placed piece."""
    state = play(position(white=[(2, 0), (1, 1), (-2, 1)]), "0,0")
    assert colours(state) == dict.fromkeys([(2, 0), (1, 1), (-2, 1)], "w") | {(0, 0): "b"}


def test_dr3_all_six_directions_at_once() -> None:
    """Six neighbours fly apart; a blocked line does not keep the others from moving."""
    to_the_edge = [(n, 0) for n in range(1, 6)]
    state = play(position(black=to_the_edge[::2], white=to_the_edge[1::2] + ROUND[1:]), "0,0")
    apart = dict.fromkeys([(2 * q, 2 * r) for q, r in ROUND[1:]], "w")
    blocked = dict(zip(to_the_edge, "bwbwb", strict=True))
    assert colours(state) == blocked | apart | {(0, 0): "b"}


def test_dr3_a_pushed_piece_does_not_push_sideways() -> None:
    """Only lines through the placed piece move, not what stands beside their new cells."""
    state = play(position(white=[(1, 0)], black=[(2, -1), (1, 1)]), "0,0")
    assert colours(state) == {(0, 0): "b", (2, 0): "w", (2, -1): "b", (1, 1): "b"}


@pytest.mark.parametrize("size", [5, 9])
def test_dr3_at_the_rim_of_the_board(size: int) -> None:
    """Next to the outer ring, what stands in the ring cannot be pushed off the board."""
    rim = size - 1
    state = play(position(white=[(rim, 0), (rim, -1), (rim - 1, 1)], size=size), f"{rim - 1},0")
    assert colours(state) == {
        (rim - 1, 0): "b",
        (rim, 0): "w",
        (rim, -1): "w",
        (rim - 1, 1): "w",
    }


# -- DR4 ------------------------------------------------------------------------------------------

# A piece placed at FAR has no neighbours in these positions: it only makes the board be checked.
FAR, FAR_CELL = "-4,4", (-4, 4)


@pytest.mark.parametrize("four", list(combinations(ROUND, 4)))
@pytest.mark.parametrize("colour", ["b", "w"])
def test_dr4_four_neighbours_squeeze(four: tuple[Cell, ...], colour: str) -> None:
    """Paw, cross and trapezium, any way round: four of one colour squeeze one of the other."""
    black, white = (four, [(0, 0)]) if colour == "b" else ([(0, 0)], four)
    state = play(position(black, white), FAR)
    assert colours(state) == dict.fromkeys(four, colour) | {FAR_CELL: "b"}


@pytest.mark.parametrize("three", list(combinations(ROUND, 3)))
def test_dr4_three_of_each_do_not_squeeze(three: tuple[Cell, ...]) -> None:
    """Six neighbours are harmless as long as no colour has four."""
    others = [cell for cell in ROUND if cell not in three]
    state = play(position([*three, (0, 0)], others), FAR)
    assert (0, 0) in board(state)


@pytest.mark.parametrize("count", [5, 6])
def test_dr4_more_than_four_squeeze_too(count: int) -> None:
    """Five or six neighbours of one colour are four or more."""
    state = play(position([(0, 0)], ROUND[:count]), FAR)
    assert (0, 0) not in board(state)


def test_dr4_own_colour_squeezes_unless_the_option_says_enemy() -> None:
    """Four black neighbours squeeze a black piece, too, by default."""
    for four in combinations(ROUND, 4):
        any_colour = play(position([(0, 0), *four]), FAR)
        assert (0, 0) not in board(any_colour)
        enemy_only = play(position([(0, 0), *four], squeeze="enemy"), FAR)
        assert board(enemy_only)[0, 0] == "b"
        by_enemy = play(position([(0, 0)], four, squeeze="enemy"), FAR)
        assert (0, 0) not in board(by_enemy)
        white_by_enemy = play(position(four, [(0, 0)], squeeze="enemy"), FAR)
        assert (0, 0) not in board(white_by_enemy)
        white_own = play(position([], [(0, 0), *four], squeeze="enemy"), FAR)
        assert board(white_own)[0, 0] == "w"


def test_dr4_all_squeezed_leave_together() -> None:
    """Two pieces that each need the other to be squeezed are both gone."""
    black = [(0, 0), (1, 0), (0, -1), (-1, 0), (0, 1), (2, -1), (2, 0), (1, 1)]
    state = play(position(black), FAR)
    assert (0, 0) not in board(state)
    assert (1, 0) not in board(state)
    left = {(0, -1), (-1, 0), (0, 1), (2, -1), (2, 0), (1, 1)}
    assert set(colours(state)) == left | {FAR_CELL}


def test_dr4_a_leaving_piece_still_counts_for_the_row_below() -> None:
    """A piece that leaves from one row still counts for the pieces in the row below it."""
    upper, lower = (0, 0), (0, 1)
    black = [upper, lower, (-1, 0), (1, 0), (0, -1), (-1, 1), (1, 1), (0, 2)]
    state = play(position(black), FAR)
    assert upper not in board(state)
    assert lower not in board(state)


def test_dr4_the_check_follows_the_push() -> None:
    """What is pushed apart is not squeezed; what is pushed together is."""
    apart = play(position(white=ROUND), "0,0")
    assert colours(apart) == dict.fromkeys([(2 * q, 2 * r) for q, r in ROUND], "w") | {(0, 0): "b"}
    # The black piece at 1,0 is pushed to 2,0 and is the fourth round the white one at 3,0.
    together = play(position([(1, 0), (4, -1), (4, 0), (3, 1)], [(3, 0)]), "0,0")
    assert colours(together) == dict.fromkeys([(0, 0), (2, 0), (4, -1), (4, 0), (3, 1)], "b")
    # The white piece at 1,0 is pushed out of reach of three of its four black neighbours.
    rescued = play(position([(1, -1), (0, 1), (2, -1), (1, 1)], [(1, 0)]), "0,0")
    assert board(rescued)[2, 0] == "w"


def blocked_corner() -> State:
    """White to place; at 3,0 four black neighbours wait that cannot be pushed."""
    line = [(2, 1), (1, 2), (0, 3), (-1, 4)]
    black = [(4, 0), (4, -1), (3, 1), *line[::2]]
    return position(black, line[1::2], size=5, left=WHITE_TO_PLACE_TWO)


def test_dr4_the_placed_piece_can_be_squeezed() -> None:
    """It is legal to place where the piece is squeezed at once, and it is spent."""
    state = blocked_corner()
    before = board(state)
    play(state, "3,0")
    assert board(state) == before
    assert state.fields["left"].tolist() == [31, 31]
    assert state.to_act == (1,)


def test_dr4_squeezed_pieces_never_come_back() -> None:
    """Nobody gets a squeezed piece back to place."""
    state = play(position([(0, 0)], ROUND[:4]), FAR)
    assert state.fields["left"].tolist() == [31, 32]


def test_dr4_in_the_outer_ring() -> None:
    """A piece in the ring has four neighbours on the board: all four squeeze it, three do not."""
    around = [(5, -3), (5, -1), (4, -2), (4, -1)]
    assert (5, -2) not in board(play(position(around, [(5, -2)]), FAR))
    for three in combinations(around, 3):
        assert board(play(position(three, [(5, -2)]), FAR))[5, -2] == "w"


@pytest.mark.parametrize("size", [5, 6, 7, 8, 9])
def test_dr4_holds_all_over_the_board(size: int) -> None:
    """A piece is squeezed on each cell that has four neighbours, on every size of board."""
    for q, r in rules.cells(size):
        around = [(q + x, r + y) for x, y in ROUND]
        around = [cell for cell in around if cell in rules.cells(size)]
        taken = {(q, r), *around}
        dud = next(cell for cell in rules.cells(size) if cell not in taken)
        state = position(around, [(q, r)], dud=dud, size=size)
        rules.take_squeezed(state.fields)
        assert ((q, r) in board(state)) == (len(around) < 4)


# -- DR5 ------------------------------------------------------------------------------------------


def test_dr5_the_dud_does_not_count_as_a_neighbour() -> None:
    """Three of a colour and the dud are not four."""
    for dud, *three in combinations(ROUND, 4):
        for own in ("any", "enemy"):
            state = play(position(three, [(0, 0)], dud=dud, squeeze=own), FAR)
            assert board(state)[0, 0] == "w"


def test_dr5_the_dud_is_never_squeezed() -> None:
    """Six neighbours of one colour do nothing to it."""
    for black, white in ((ROUND, []), ([], ROUND)):
        state = play(position(black, white, dud=(0, 0), squeeze="enemy"), FAR)
        assert board(state)[0, 0] == "D"
        assert len(colours(state)) == 7


def test_dr5_the_dud_is_pushed() -> None:
    """It moves like any piece, alone or in a line, and the centre is free then."""
    assert board(play(GAME.start(), "-1,0")) == {(-1, 0): "b", (1, 0): "D"}
    state = play(position(white=[(1, 0), (3, 0)], dud=(2, 0)), "0,0")
    assert board(state) == {(0, 0): "b", (2, 0): "w", (3, 0): "D", (4, 0): "w"}


def test_dr5_the_dud_blocks() -> None:
    """A line that ends with the dud at the edge does not move."""
    state = play(position(white=[(2, 0), (3, 0), (4, 0)], dud=(5, 0)), "1,0")
    assert board(state) == {(1, 0): "b", (5, 0): "D"} | dict.fromkeys([(2, 0), (3, 0), (4, 0)], "w")


def test_dr5_the_dud_joins_no_group() -> None:
    """Two pieces with the dud between them are two groups."""
    assert position([(-1, 0), (1, 0)], dud=(0, 0)).scores == (1, 0)


# -- DR6 ------------------------------------------------------------------------------------------


def full_but(
    hole: Cell, size: int, left: tuple[int, int] = WHITE_TO_PLACE_TWO, **options: Any
) -> State:
    """Black pieces everywhere but on one cell, and the dud in a corner."""
    corner = (0, 1 - size)
    black = [cell for cell in rules.cells(size) if cell not in (hole, corner)]
    return position(black, dud=corner, size=size, left=left, **options)


def test_dr6_ends_when_all_pieces_are_placed() -> None:
    """The match is over after the last placement, and nobody may act."""
    state, dice = GAME.start(pieces=8), random.Random(8)
    for _ in range(16):
        assert not state.over
        play(state, dice.choice(state.legal(state.to_act[0])))
    assert state.over
    assert state.to_act == ()
    assert state.legal(0) == state.legal(1) == []
    assert state.fields["left"].tolist() == [0, 0]
    error = refusal(state, 0, "0,1")
    assert (error.rule, error.reason) == ("DR6", "the match is over")


@pytest.mark.parametrize("size", [5, 6, 9])
def test_dr6_ends_at_once_when_there_is_no_room(size: int) -> None:
    """Black's first piece of 32 takes the last open cell: nobody can place the others."""
    state = full_but((1, 1), size, left=(32, 32), squeeze="enemy")
    assert state.legal(0) == ["1,1"]
    play(state, "1,1")
    assert len(board(state)) == len(rules.cells(size))
    assert state.to_act == ()
    assert state.winners == (0,)
    assert state.fields["left"].tolist() == [31, 32]


def test_dr6_ends_between_two_placements() -> None:
    """One open cell and a turn of two: there is no second placement."""
    state = full_but((1, 1), 5, left=(31, 30), squeeze="enemy")
    assert "Seat 0, black, has 2 placements left" in str(state)
    play(state, "1,1")
    assert state.over
    assert state.fields["left"].tolist() == [30, 30]


def test_dr6_is_tested_after_squeezing() -> None:
    """A full board goes on if squeezing makes room at once."""
    state = play(full_but((1, 1), 5, squeeze="enemy"), "1,1")
    assert (1, 1) not in board(state)  # the white piece, squeezed by six
    assert state.to_act == (1,)
    assert state.legal(1) == ["1,1"]
    state = play(full_but((1, 1), 5), "1,1")
    assert board(state)[0, -4] == "D"
    corners = {(4, 0), (4, -4), (0, 4), (-4, 4), (-4, 0)}  # they have three neighbours
    beside_the_dud = {(1, -4), (-1, -3)}  # in the ring, they have three and the dud
    assert set(colours(state)) == corners | beside_the_dud
    assert state.to_act == (1,)


@pytest.mark.parametrize("size", [5, 6, 7, 8, 9])
def test_dr6_one_open_cell_is_room(size: int) -> None:
    """Wherever the last open cell is, the match goes on and that is the one legal move."""
    for q, r in rules.cells(size - 1):
        state = full_but((q, r), size)
        assert state.to_act == (1,)
        assert state.legal(1) == [f"{q},{r}"]


def test_dr6_room_in_the_outer_ring_is_no_room() -> None:
    """Empty cells of the ring do not keep a match going."""
    inner = [cell for cell in rules.cells(4) if cell != (0, 0)]
    state = position(inner, dud=(0, 0), size=5, squeeze="enemy")
    assert state.over
    assert len(board(state)) == 37


# -- DR7 ------------------------------------------------------------------------------------------


def test_dr7_the_largest_group_counts() -> None:
    """Not all pieces, and not the sum of groups: the largest one."""
    black = [(0, 0), (1, 0), (1, 1), (-3, 0), (-3, 1)]
    white = [(3, -1), (3, 0), (0, 3), (-1, 4)]
    assert position(black, white).scores == (3, 2)


@pytest.mark.parametrize("step", ROUND)
def test_dr7_neighbours_in_every_direction_connect(step: Cell) -> None:
    """A piece and any of its six neighbours are one group; the next cells round it are not."""
    assert position([(0, 0), step]).scores == (2, 0)
    q, r = step
    assert position([(0, 0), (2 * q, 2 * r)]).scores == (1, 0)


def test_dr7_cells_that_only_look_close_do_not_connect() -> None:
    """1,1 and -1,-1 are no neighbours of 0,0."""
    assert position([(0, 0), (1, 1), (-1, -1)]).scores == (1, 0)


@pytest.mark.parametrize("size", [5, 6, 7, 8, 9])
def test_dr7_winding_groups(size: int) -> None:
    """A group that winds through the whole board is one; the rows that it leaves free are not."""
    dud = (1 - size if size % 2 else 0, size - 1)  # where the snake ends, in the last row
    snake, rows = [], []
    for r in range(1 - size, size):
        row = [cell for cell in rules.cells(size) if cell[1] == r and cell != dud]
        if (r + size) % 2:
            snake += row
        else:  # the snake goes on to the next row at the right end, then at the left one, …
            snake.append(row.pop(-1 if (r + size) % 4 == 0 else 0))
            rows.append(row)
    others = [cell for row in rows for cell in row]
    longest = max(len(row) for row in rows)
    assert position(snake, others, dud, size=size).scores == (len(snake), longest)
    assert position(others, snake, dud, size=size).scores == (longest, len(snake))


def test_dr7_the_larger_group_wins_and_equal_ones_draw() -> None:
    """More wins; a draw has both seats as winners."""
    more, less = [(0, 0), (1, 0)], [(-3, 0)]
    ended = {"left": (0, 0)}
    assert position(more, less, **ended).winners == (0,)
    assert position(less, more, **ended).winners == (1,)
    assert position(less, more[:1], **ended).winners == (0, 1)
    assert position(**ended).winners == (0, 1)
    assert position(more, less, left=(1, 0)).winners == ()


# -- what everybody knows -------------------------------------------------------------------------


def test_everything_is_known_to_all() -> None:
    """All views are the state itself, and so is what a view stands for."""
    state = play(GAME.start(opening="ring"), "2,-2", "-3,2", "2,1")
    for seat in (0, 1, None):
        view = state.view(seat)
        assert bytes(view) == bytes(state)
        assert bytes(view.determinize(seed=5)) == bytes(state)
    assert state.witnesses(0, "1,-4") == (0, 1)


# -- words ----------------------------------------------------------------------------------------


def label(state: State, token: str) -> str:
    """What a move is called for whoever is to act."""
    return state.view(state.to_act[0]).label(token)


def test_labels_say_what_a_placement_does() -> None:
    """How many pieces it pushes, and how many of each colour it squeezes."""
    assert label(GAME.start(), "1,-2") == "Place a stone on g8"
    assert label(GAME.start(opening="ring"), "2,-1") == "Place a stone on h7: pushes 4"
    assert label(blocked_corner(), "3,0") == "Place a stone on h5: squeezes 1 white"
    state = position([(1, 0), (4, -1), (4, 0), (3, 1)], [(3, 0)])
    assert label(state, "0,0") == "Place a stone on f6: pushes 1, squeezes 1 white"
    crowd = full_but((1, 1), 5)
    assert label(crowd, "1,1") == "Place a stone on f4: squeezes 52 black and 1 white"


def test_labels_change_nothing() -> None:
    """Asking what a move would do leaves the state as it is."""
    state = GAME.start(opening="ring")
    before = bytes(state)
    view = state.view(0)
    assert len({view.label(token) for token in view.legal}) == len(view.legal)
    assert bytes(state) == bytes(view) == before


def tell(state: State, token: str) -> str:
    """The log sentence for a move."""
    before, actor = state.copy(), state.to_act[0]
    state.apply(actor, token)
    action = GAME.vocabulary(state.options).action_ids[token]
    return str(GAME.words.tell(before.fields, state.fields, actor, action, NAMES))


def test_the_log_tells_pushes_and_squeezes() -> None:
    """One sentence for the placement, another for what is squeezed."""
    assert tell(GAME.start(), "1,-2") == "Anna places a stone on g8."
    assert tell(GAME.start(), "1,0") == "Anna places a stone on g6 and pushes 1."
    told = tell(blocked_corner(), "3,0")
    assert told == "Ben places a stone on h5. 1 white stone is squeezed."


def test_the_verdict_names_winner_and_groups() -> None:
    """A win, a draw, and why the match ended early."""
    more, less = [(0, 0), (1, 0)], [(-3, 0)]
    for state, sentence in (
        (position(less, more, left=(0, 0)), "Ben wins with a largest group of 2 against 1."),
        (position(more, less, left=(0, 0)), "Anna wins with a largest group of 2 against 1."),
        (position(left=(0, 0)), "Anna and Ben draw with a largest group of 0 each."),
    ):
        assert GAME.words.verdict(state.fields, NAMES) == sentence
    inner = [cell for cell in rules.cells(4) if cell != (0, 0)]
    early = position(inner, dud=(0, 0), size=5, squeeze="enemy")
    assert GAME.words.verdict(early.fields, NAMES) == (
        "Anna wins with a largest group of 36 against 0. There was no cell left to place on."
    )


def test_the_drawing_shows_board_and_turn() -> None:
    """Rows have their r and the range of q, lines of one q their number at an end."""
    state = play(GAME.start(size=5, opening="ring"), "2,-2")
    assert str(state.view(1)) == "\n".join(
        [
            "q, slanting                0   1   2   3   4",
            "                            \\   \\   \\   \\   \\",
            "r -4, q 0 to 4:              -   -   -   -   -",
            "r -3, q -1 to 4:           -   .   .   .   .   -",
            "r -2, q -2 to 4:         -   .   .   .   b   .   -",
            "r -1, q -3 to 4:       -   .   .   b   .   .   .   -",
            "r 0, q -4 to 4:      -   .   .   w   w   b   .   .   -",
            "r 1, q -4 to 3:        -   .   .   D   w   .   .   -",
            "r 2, q -4 to 2:          -   .   b   .   .   .   -",
            "r 3, q -4 to 1:            -   .   .   .   .   -",
            "r 4, q -4 to 0:              -   -   -   -   -",
            "                              \\   \\   \\   \\   \\",
            "q, slanting                   -4  -3  -2  -1   0",
            "b black, w white, D dud, . free cell, - free cell of the outer ring (DR2)",
            "In sentences 0,0 is called e5, 1,0 f5 and 0,1 e4",
            "Largest groups: black 1, white 3",
            "Seat 1 (you), white, has 2 placements left in this turn; "
            "pieces left: black 31, white 32",
        ]
    )


def test_the_drawing_says_how_many_placements_are_left() -> None:
    """One at first, two, one, and one when there is one piece left; nobody's once it is over."""
    state = GAME.start(pieces=8)
    assert "Seat 0, black, has 1 placement left in this turn" in str(state)
    play(state, "3,0")
    assert "Seat 1, white, has 2 placements left in this turn" in str(state)
    play(state, "-3,0")
    assert "Seat 1, white, has 1 placement left in this turn" in str(state)
    last = position(left=(1, 0), pieces=8)
    assert "Seat 0, black, has 1 placement left" in str(last)
    assert str(position(left=(0, 0))).endswith("The match is over; pieces left: black 0, white 0")


def test_the_drawing_fits_and_names_every_legal_cell() -> None:
    """At most 100 columns on the largest board, and a token read off it is the right cell."""
    state = position([(3, -5)], [(-7, 2)], size=9, pieces=60, left=(60, 60))
    lines = str(state.view(0)).splitlines()
    assert max(map(len, lines)) <= 100
    row = next(line for line in lines if line.startswith("r -5,"))
    cells = row.partition(":")[2].split()
    first = int(row.split()[3])
    assert cells[3 - first] == "b"
    row = next(line for line in lines if line.startswith("r 2,"))
    assert row.partition(":")[2].split()[-7 - int(row.split()[3])] == "w"


def test_the_rules_text_has_every_rule() -> None:
    """DR1 to DR7, in order."""
    assert list(GAME.rule_sections) == [f"DR{n}" for n in range(1, 8)]
    assert "reconstructed" in GAME.text
