"""The pictures of Number Drop: every move can be touched, sheets look like what is on them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from droptable.core.contract import DEALER, NOBODY
from droptable.core.scene import Frame
from droptable.core.state import State, View
from droptable.core.svg import Svg
from droptable.games.number_drop import GAME, rules
from droptable.games.number_drop.picture import scene
from droptable.games.number_drop.picture.circled_combos import circles, split
from droptable.games.number_drop.picture.layout import TALL, WIDE, Layout
from droptable.games.number_drop.rules import combos, grid
from droptable.games.number_drop.rules.shapes import ORIENTATIONS, SHAPES
from droptable.games.number_drop.words.notation import board, cells_of
from droptable.testing import check_scene, check_sheet

from .test_number_drop import PLAIN, begin, bits, circle, drop, letter_a, play, roll, table, values

NAMES = ["Ann", "Bob", "Cy", "Di", "Eve", "Flo"]
LAYOUTS = pytest.mark.parametrize("layout", [TALL, WIDE], ids=["tall", "wide"])


def played(
    players: int, seed: int, order: str = "together", *, low: bool = False
) -> Iterator[State]:
    """The states of a random match in which combos are circled whenever there is one.

    `low` drops shapes as deep as they can fall, so that the match is a long one.
    """
    state, chance = GAME.start(players, order=order), random.Random(seed)
    yield state
    while not state.over:
        actor = chance.choice(state.to_act)
        if actor == DEALER:
            state.deal(chance)
        else:
            moves = [move for move in state.legal_ids(actor) if move != rules.SKIP_ID]
            if low and moves and rules.DROP_ID <= moves[0] < rules.NUMBER_ID:
                move = min(moves, key=lambda move: depth(state, actor, move))
            else:
                move = chance.choice(moves or [rules.SKIP_ID])
            state.apply(actor, GAME.vocabulary(state.options).actions[move])
        yield state


def depth(state: State, seat: int, move: int) -> tuple[int, int]:
    """How high a shape would lie, as a number to compare."""
    shape = int(state.fields["shape"][seat])
    low, high = grid.landing(state.fields, seat, shape, move - rules.DROP_ID)
    return high, low


def body(view: View, *, tall: bool = True, focus: int | None = None) -> Svg:
    """A view's picture."""
    viewer = NOBODY if view.seat is None else view.seat
    return scene.draw(view.fields, viewer, Frame(NAMES, tall, focus)).body


def path(state: State, seat: int, token: str) -> Any:
    """What is touched for a move."""
    action = GAME.vocabulary(state.options).action_ids[token]
    return scene.path(state.view(seat).fields, seat, action)


def ghost(state: State, seat: int, token: str, *, tall: bool = True) -> Svg | None:
    """What a move would do, as a picture."""
    action = GAME.vocabulary(state.options).action_ids[token]
    return scene.ghost(state.view(seat).fields, seat, action, Frame(NAMES, tall))


def prompt(state: State, seat: int | None) -> str:
    """What a seat, or a spectator, is told."""
    viewer = NOBODY if seat is None else seat
    return scene.prompt(state.view(seat).fields, viewer, NAMES)


def places(drawn: Svg) -> set[tuple[float, float]]:
    """Where the groups of a drawing are."""
    found = re.findall(r'translate\(([\d.]+) ([\d.]+)\)"><rect', drawn)
    return {(float(x), float(y)) for x, y in found}


# -- every game -----------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["rulebook", "together", "clockwise"])
@pytest.mark.parametrize("players", GAME.players)
def test_every_move_can_be_touched(players: int, order: str) -> None:
    """At every player count and order pictures are sound, and the sheet is the score."""
    for number, state in enumerate(played(players, 4, order)):
        if number % 29 == 0 or state.over:
            for seat in (None, *range(players)):
                check_scene(state.view(seat))
    check_sheet(state)


@pytest.mark.parametrize("order", ["rulebook", "together"])
@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_picture_tells_no_secret(seat: int | None, order: str) -> None:
    """Worlds that look alike to a viewer are drawn alike, whatever others did this round (ND14)."""
    for number, state in enumerate(played(3, 5, order)):
        if number % 13 == 0:
            view = state.view(seat)
            world = view.determinize(number).view(seat)
            assert body(world) == body(view)
            assert prompt(state, seat) == scene.prompt(
                world.fields, NOBODY if seat is None else seat, NAMES
            )


@pytest.mark.parametrize("order", ["rulebook", "together"])
def test_what_others_do_now_is_not_drawn(order: str) -> None:
    """Another seat's drop changes nothing in a picture until all are done (ND14)."""
    state = roll(begin(3, order=order), PLAIN, "I")
    before = [body(state.view(seat), focus=focus) for seat in (1, 2, None) for focus in range(3)]
    drop(state, 0, "0 1", "1 2 3 7")
    after = [body(state.view(seat), focus=focus) for seat in (1, 2, None) for focus in range(3)]
    assert after == before
    assert body(state.view(0)) != body(roll(begin(3, order=order), PLAIN, "I").view(0))


# -- paths ----------------------------------------------------------------------------------------


def test_a_star_is_touched_before_its_number() -> None:
    """A number on a die is that die; any other one is a star first (ND7)."""
    state = play(roll(begin(2), "1 * 3 7", "I"), 0, "at 0 1")
    assert path(state, 0, "num 3") == ("die-2",)
    assert path(state, 0, "num 9") == ("die-1", "value-9")
    drawn = body(state.view(0))
    assert 'data-touch="die-1"' in drawn and 'data-touch="value-9"' in drawn
    play(state, 0, "num 9")
    assert "value-9" not in body(state.view(0)), "the star is used up"


def test_paths_of_all_kinds_of_moves() -> None:
    """Every kind of move has its own kind of path."""
    state = roll(begin(2), PLAIN, "*")
    assert path(state, 0, "as L") == ("shape-L",)
    play(state, 0, "as L")
    assert path(state, 0, "at 3 2") == ("piece-3", "column-2")
    drop(state, 0, "0 1", "1 2 3 7")
    assert path(state, 0, "cell 1 1") == ("cell-1-1",)
    assert path(state, 0, "skip") == ("do-skip",)
    assert path(state, 0, "done") == ("do-done",)
    assert path(state, 0, "none") == ("do-none",)
    assert path(state, 0, "write 7") == ("column-7",)
    assert path(state, 0, "slide C") == ("tile-C",)


def test_columns_are_touched_to_drop_and_cells_to_circle() -> None:
    """Strips and cells never lie over each other."""
    state = roll(begin(2), PLAIN, "I")
    dropping = body(state.view(0))
    assert dropping.count('data-touch="column-') == 7 and 'data-touch="cell-' not in dropping
    drop(state, 0, "0 1", "1 2 3 7")
    circling = body(state.view(0))
    assert circling.count('data-touch="cell-') == 5 and 'data-touch="column-' not in circling


def test_another_sheet_in_focus_offers_nothing_to_touch() -> None:
    """Somebody else's sheet is only looked at; one's own is then among the small ones."""
    state = roll(begin(3), PLAIN, "I")
    drawn = body(state.view(0), focus=1)
    assert "data-touch" not in drawn
    assert 'data-focus="0"' in drawn and 'data-focus="2"' in drawn
    assert 'data-focus="1"' not in drawn


# -- turning --------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [name for name in SHAPES if name not in ("O", "X5")])
def test_turning_and_flipping_come_round(shape: str) -> None:
    """Four turns, or two flips, end where they began, and reach every way to lie."""
    state = letter_a(tiles=f"{shape} {' '.join([n for n in SHAPES if n != shape][:4])}")
    roll(state, "* 1 2 3", "I")
    (seat,) = state.to_act
    switches = scene.switches(state.view(seat).fields, seat)
    turn = switches["turn"]
    flip = switches.get("flip", {piece: piece for piece in turn})
    reached = {"piece-0"}
    for piece in turn:
        turned = piece
        for _ in range(4):
            turned = turn[turned]
        assert turned == piece
        assert flip[flip[piece]] == piece
        reached |= {turn[piece], flip[piece]}
    assert reached == {f"piece-{n}" for n in range(len(ORIENTATIONS[SHAPES.index(shape)]))}


def test_a_turn_is_clockwise() -> None:
    """An L that stands with its foot at the right lies, turned, with its foot below left."""
    state = roll(begin(2), PLAIN, "L")
    ways = ORIENTATIONS[SHAPES.index("L")]
    stands = ways.index(((0, 0), (0, 1), (1, 0), (2, 0)))
    lies = ways.index(((0, 0), (1, 0), (1, 1), (1, 2)))
    turn = scene.switches(state.view(0).fields, 0)["turn"]
    assert turn[f"piece-{stands}"] == f"piece-{lies}"


def test_turning_skips_what_does_not_fit() -> None:
    """Under the upper edge a bar that cannot stand is not turned (ND9)."""
    high = " ".join(["1234567"] * 12)
    state = roll(table(high, "1234567"), PLAIN, "I")
    assert scene.switches(state.view(0).fields, 0) == {"piece-0": {"piece-0": "piece-0"}}
    assert set(scene.switches(state.view(1).fields, 1)) == {"turn", "piece-0", "piece-1"}


def test_a_piece_in_the_hand_can_be_changed_for_any_other() -> None:
    """Pieces are switches for each other, so that none has to be put back first."""
    state = roll(begin(2), PLAIN, "L")
    switches = scene.switches(state.view(0).fields, 0)
    for number in range(8):
        table_of = switches[f"piece-{number}"]
        assert set(table_of) == {f"piece-{other}" for other in range(8)}
        assert set(table_of.values()) == {f"piece-{number}"}
    assert scene.switches(state.view(None).fields, NOBODY) == {}


@pytest.mark.parametrize("seed", range(30))
def test_every_way_to_lie_is_reached(seed: int) -> None:
    """However full a sheet is, turn and flip lead from the first piece to all that fit (ND9)."""
    for state in played(2, seed, "together"):
        for seat in state.to_act:
            switches = scene.switches(state.view(seat).fields, seat) if seat >= 0 else {}
            pieces = {name for name in switches if name.startswith("piece-")}
            if pieces:
                reached = [min(pieces)]
                for piece in reached:  # grows as it is gone through
                    for name in ("turn", "flip"):
                        other = switches.get(name, {}).get(piece, piece)
                        if other not in reached:
                            reached.append(other)
                assert set(reached) == pieces


def test_keys_turn_flip_and_aim() -> None:
    """Turning has a key, the wheel and the right button; columns are aimed at, with numbers."""
    drawn = body(roll(begin(2), PLAIN, "L").view(0))
    assert 'data-touch="turn" data-key="r wheel rightclick"' in drawn
    assert 'data-touch="flip" data-key="f"' in drawn
    for column in range(1, 8):
        assert f'data-touch="column-{column}" data-key="{column}" data-aim="x"' in drawn
    assert 'data-touch="flip"' not in body(roll(begin(2), PLAIN, "T").view(0)), "turning is enough"


# -- filling ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_dice_may_be_written_in_any_order(seed: int) -> None:
    """Whatever die goes into whatever square, and a star as whatever number, is legal (ND7)."""
    chance = random.Random(seed)
    dice = " ".join(chance.choice(faces) for faces in ("13457*", "12456*", "23467*", "123567"))
    state = play(roll(begin(2), dice, chance.choice("IOTLS")), 0, "at 0 1")
    written = chance.randrange(3)
    for _ in range(written):
        play(state, 0, chance.choice(state.legal(0)))
    view = state.view(0)
    fill = GAME.scene.fill(view.fields, 0)
    drawn = body(view)
    assert fill is not None and len(fill.slots) == len(fill.pieces) == 4 - written
    assert all(f'data-touch="{name}"' in drawn for name in (*fill.slots, *fill.pieces))
    pieces = list(fill.pieces.values())
    chance.shuffle(pieces)
    values = [chance.choice(values) for values in pieces]
    squares = dict(re.findall(r'data-touch="(square-\d)".*?translate\(([\d. ]+)\)', drawn))
    for value in values:
        play(state, 0, fill.token.format(value))
    for slot, value in zip(fill.slots, values, strict=True):
        x, y = map(float, squares[slot].split())
        (cell,) = [
            (row, column)
            for row in range(14)
            for column in range(7)
            if TALL.at((row, column)) == pytest.approx((x, y), abs=0.1)
        ]
        assert grid.mark_at(state.fields, 0, *cell) == int(value) + 1


def test_what_means_nothing_is_explained() -> None:
    """A digit that no die shows, and a drag over numbers that are no combo."""
    state = play(roll(begin(2), PLAIN, "I"), 0, "at 0 1", "num 2")
    fields = state.view(0).fields
    assert scene.refusal(fields, 0, ()) == "No die that is left shows that number: 1 3 7."
    assert scene.refusal(fields, 0, ("column-1",)) == ""
    play(state, 0, "num 1", "num 3", "num 7")
    told = scene.refusal(state.view(0).fields, 0, ("cell-1-1", "cell-4-1"))
    assert told == "These numbers are no combo that is still open."


def test_only_who_writes_has_something_to_fill() -> None:
    """Spectators, others, and other steps have no slots."""
    state = roll(begin(2), PLAIN, "I")
    assert GAME.scene.fill(state.view(0).fields, 0) is None
    play(state, 0, "at 0 1")
    assert GAME.scene.fill(state.view(1).fields, 1) is None
    assert GAME.scene.fill(state.view(None).fields, NOBODY) is None
    assert GAME.scene.fill(state.view(0).fields, 0) is not None


# -- chips -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 3])
@pytest.mark.parametrize("order", ["rulebook", "together", "clockwise"])
def test_chips_are_what_can_be_circled(players: int, order: str) -> None:
    """Their moves are legal one after the other, they gain what they say, and one is there if a
    combo is; what is dragged over is the combo's cells."""
    most = 0
    for number, state in enumerate(played(players, 8, order, low=True)):
        for seat in state.to_act:
            if seat < 0 or state.fields["doing"][seat] != rules.CIRCLE:
                continue
            fields = state.view(seat).fields
            chips = GAME.scene.chips(fields, seat, Frame(NAMES, bool(number % 2)))
            assert bool(chips) == (state.legal(seat) != ["skip"])
            drawn = body(state.view(seat))
            labels = [chip.label for chip in chips if chip.label]
            assert len(set(labels)) == len(labels) <= 6
            traces = {frozenset(chip.trace) for chip in chips}
            assert len(traces) == len(chips)
            for chip in chips:
                after = state.copy()
                before = int(rules.score(after.fields, seat))
                for token in chip.tokens[:-1]:
                    play(after, seat, token)
                chosen = cells_of(board(after.fields, "chosen", seat))
                assert {f"cell-{c + 1}-{r + 1}" for r, c in chosen} == set(chip.trace)
                play(after, seat, chip.tokens[-1])
                if players == 1 and not after.over:  # in the round's end rows may count, too
                    assert rules.score(after.fields, seat) >= before + len(chip.trace)
                assert all(f'data-touch="{name}"' in drawn for name in chip.trace)
                assert chip.ghost and "nd-choice" in chip.ghost
            most = max(most, len(chips))
    assert most >= 2


def test_the_best_combo_comes_first() -> None:
    """The largest value first; a chip tells which letter it circles."""
    sheet = table("12345.. 555....", combos=[[0, values(3)]] + [[0, 0]] * 5)
    sheet.fields["doing"][0] = rules.CIRCLE
    sheet.fields["stage"] = rules.PLAYING
    sheet.fields["pending"] = 1
    state = GAME.load(GAME.pack(sheet.fields))
    labels = [chip.label for chip in GAME.scene.chips(state.view(0).fields, 0, Frame(NAMES))]
    assert labels[0].startswith("1-2-3-4-5 → 5 points")
    assert "5·5·5 → 3 points, letter A" in labels


def test_a_begun_combo_has_chips_to_finish_it() -> None:
    """With cells chosen, chips are the combos that contain them."""
    state = drop(roll(begin(2), PLAIN, "I"), 0, "0 1", "1 2 3 7")
    play(state, 0, "cell 1 1")
    (chip,) = GAME.scene.chips(state.view(0).fields, 0, Frame(NAMES))
    assert chip.tokens == ("cell 2 1", "cell 3 1", "done")
    assert GAME.scene.chips(state.view(1).fields, 1, Frame(NAMES)) == ()


def test_the_table_plays_what_leaves_no_choice() -> None:
    """Skipping without a combo, passing without room, and the forced slide of solo."""
    assert {"skip", "none", "slide A", "slide E"} <= GAME.scene.automatic
    assert not {"done", "write 1", "as I"} & GAME.scene.automatic


# -- ghosts ---------------------------------------------------------------------------------------


@LAYOUTS
def test_a_ghost_shows_where_a_shape_lands(layout: Layout) -> None:
    """Its squares are the cells that are filled then (ND8)."""
    state = roll(table("1......", "1......"), PLAIN, "T")
    for token in state.legal(0):
        drawn = ghost(state, 0, token, tall=layout.tall)
        after = play(state.copy(), 0, token)
        fallen = cells_of(board(after.fields, "fallen", 0))
        assert drawn is not None
        assert places(drawn) == {layout.at(cell) for cell in fallen}
        assert "nd-cross" not in drawn


def test_a_block_lands_as_xs() -> None:
    """The ghost of a letter's block has its Xs (ND5)."""
    state = roll(letter_a(), "* 1 2 3", "I")
    (seat,) = state.to_act
    drawn = ghost(state, seat, state.legal(seat)[0])
    assert drawn is not None and drawn.count("nd-cross") == 4


def test_ghosts_of_circles_and_slides() -> None:
    """A number is seen in its square, a combo circled, a tile on its way down."""
    state = play(roll(begin(2), PLAIN, "I"), 0, "at 0 1")
    number = ghost(state, 0, "num 7")
    assert number is not None and ">7<" in number
    play(state, 0, "num 1", "num 2", "num 3", "num 7", "cell 1 1", "cell 2 1", "cell 3 1")
    ring = ghost(state, 0, "done")
    assert ring is not None and "nd-choice" in ring
    assert ghost(state, 0, "skip") is None
    solo = roll(begin(1), PLAIN, "I")
    slide = ghost(solo, 0, "slide B")
    assert slide is not None and 'class="arrow"' in slide


def test_open_squares_wait_for_numbers() -> None:
    """While numbers are written, the squares without one can be touched, and no others (ND7)."""
    state = play(roll(begin(2), PLAIN, "I"), 0, "at 0 1", "num 1")
    drawn = body(state.view(0))
    assert re.findall(r'data-touch="(square-\d)"', drawn) == ["square-1", "square-2", "square-3"]
    x, y = TALL.at((0, 1))
    assert f"translate({x:g} {y:g})" in drawn.split('data-touch="square-1"')[1][:120]


def test_no_ghost_on_another_sheet() -> None:
    """A ghost belongs to the seat's own sheet."""
    state = roll(begin(2), PLAIN, "I")
    action = GAME.vocabulary(state.options).action_ids["at 0 1"]
    assert scene.ghost(state.view(0).fields, 0, action, Frame(NAMES, True, focus=1)) is None


# -- circles --------------------------------------------------------------------------------------


def test_neighbouring_combos_are_circled_apart() -> None:
    """Seven equal numbers in a row, circled as 3 and as 4, have two circles."""
    state = table(
        "2222222",
        combos=[[values(3, 4), 0]] + [[0, 0]] * 5,
        circled=[bits(*((column, 1) for column in range(1, 8)))] + [[0, 0]] * 5,
    )
    assert sorted(map(len, circles(state.fields, 0))) == [3, 4]


def test_circles_are_the_combos_that_count() -> None:
    """Over whole matches every circle is a combo, and together they are those of the table."""
    most = 0
    for seed in range(6):
        for state in played(2, seed, low=True):
            if state.to_act != (DEALER,) and not state.over:
                continue
            for seat in range(2):
                found = circles(state.fields, seat)
                circled = cells_of(board(state.fields, "circled", seat))
                assert sorted(cell for cells in found for cell in cells) == circled
                assert sorted(map(len, found)) == counted(state, seat)
                assert all(is_combo(state, seat, cells) for cells in found)
                most = max(most, len(found))
    assert most >= 4


def counted(state: State, seat: int) -> list[int]:
    """The sizes of a seat's combos by its table."""
    sizes = [
        value
        for kind in range(2)
        for value in range(combos.SMALLEST, combos.LARGEST + 1)
        if state.fields["combos"][seat, kind] & values(value)
    ]
    return sorted(sizes + [combos.BONUS] * int(state.fields["bonus"][seat]))


def is_combo(state: State, seat: int, cells: list[tuple[int, int]]) -> bool:
    """Whether cells are equal or consecutive numbers (ND10)."""
    digits = sorted(grid.mark_at(state.fields, seat, *cell) for cell in cells)
    return digits[0] == digits[-1] or digits == list(range(digits[0], digits[0] + len(digits)))


def test_what_cannot_be_split_stays_together() -> None:
    """Without a way to split them, touching numbers are one part each."""
    marks = (((0, 0), 3), ((0, 1), 3), ((0, 4), 9))
    assert split(marks, ()) == [[(0, 0), (0, 1)], [(0, 4)]]


def test_a_search_without_end_is_given_up() -> None:
    """A chessboard of numbers that no such combos cover comes back whole."""
    marks = tuple(
        ((row, column), 3 + (row + column) % 2) for row in range(6) for column in range(7)
    )
    sets = tuple((combos.IDENTICAL, size) for size in range(3, 9))
    assert split(marks, sets) == [[cell for cell, _ in marks]]


def test_this_rounds_circle_is_drawn_at_once() -> None:
    """A combo that was just circled has an outline of its own."""
    state = drop(roll(begin(2), PLAIN, "I"), 0, "0 1", "1 2 3 7")
    assert 'class="nd-ring"' not in body(state.view(0))
    circle(state, 0, (1, 1), (2, 1), (3, 1))
    assert body(state.view(0)).count('class="nd-ring"') == 1


# -- the table round the sheet --------------------------------------------------------------------


@LAYOUTS
def test_nothing_in_the_tray_lies_over_another_thing(layout: Layout) -> None:
    """Shapes and numbers to choose from have places of their own, large enough."""
    for count in (5, 10):
        spaces = layout.key_places(count)
        assert len(spaces) == count
        for x, y, wide, high in spaces:
            assert wide >= (30 if layout.tall else 44) and high >= (44 if layout.tall else 56)
            assert wide / 2 <= x <= layout.width - wide / 2 and high / 2 <= y
        for (x, y, wide, high), (x2, y2, wide2, high2) in combinations(spaces, 2):
            apart_x = abs(x - x2) >= (wide + wide2) / 2
            assert apart_x or abs(y - y2) >= (high + high2) / 2


@LAYOUTS
@pytest.mark.parametrize("count", range(1, 6))
def test_the_others_have_room(layout: Layout, count: int) -> None:
    """Small sheets lie beside each other inside the picture, with numbers as large as can be."""
    for rows in (9, 14):
        places, dot, _below = layout.other_places(count, rows)
        assert len(set(places)) == count and dot >= (6 if layout.tall else 12)
        for x, y, wide, high in places:
            assert dot * 7 <= wide and dot * rows <= high
            assert x + wide / 2 <= layout.width and y + high / 2 <= layout.height


@LAYOUTS
def test_solo_tiles_slide_down_to_go(layout: Layout) -> None:
    """A slide moves the tile's group one step down, by the same id (ND16)."""
    state = roll(begin(1), PLAIN, "I")
    heights = []
    for after in (state, play(state.copy(), 0, "slide B")):
        drawn = body(after.view(0), tall=layout.tall)
        (height,) = re.findall(r'id="tile-B" transform="translate\([-\d.]+ ([-\d.]+)\)"', drawn)
        heights.append(float(height))
    assert heights[1] > heights[0]


def test_a_crossed_off_letter_is_struck_through() -> None:
    """The table shows letters that were resolved, for all (ND6)."""
    state = roll(letter_a(), "* 1 2 3", "I")
    (seat,) = state.to_act
    assert 'class="nd-falling"' in body(state.view(seat))
    assert 'class="nd-strike"' not in body(state.view(seat))
    play(state, seat, state.legal(seat)[0])
    assert int(state.fields["crossed"]) == 1
    assert body(state.view(seat)).count('class="nd-strike"') == 1


@pytest.mark.parametrize("order", ["rulebook", "together", "clockwise"])
def test_whose_name_is_lit(order: str) -> None:
    """The one who rolls; then who plays, but not others of whom one cannot know (ND14)."""
    state = begin(3, order=order)
    assert lit(state, 1) == {0}
    roll(state, PLAIN, "I")
    assert lit(state, 1) == ({0} if order == "clockwise" else {1})
    assert lit(state, None) == ({0} if order == "clockwise" else set())
    if order == "rulebook":
        for seat in range(3):
            drop(state, seat, "0 1", "1 2 3 7")
        assert lit(state, 1) == lit(state, None) == {0}


def lit(state: State, seat: int | None) -> set[int]:
    """The seats whose plates are coloured."""
    return {int(found) for found in re.findall(r"nd-lit-(\d)", body(state.view(seat)))}


# -- words ----------------------------------------------------------------------------------------


def test_prompts_follow_the_round() -> None:
    """Every step has its own sentence, for the one who acts and for those who wait."""
    state = GAME.start(players=2, order="together")
    assert prompt(state, 0) == "The blocks of A to E are drawn"
    for tile in "IOTLS":
        state.apply(DEALER, f"tile {tile}")
    assert prompt(state, 0) == "Your turn: write your 1 into the bottom row"
    assert prompt(state, 1) == "Waiting for Ann"
    play(state, 0, "write 7")
    play(state, 1, "write 7")
    assert prompt(state, 1) == "Ann rolls the dice"
    roll(state, "1 2 3 7", "*")
    assert prompt(state, 0) == "A star: choose your shape"
    assert prompt(state, None).startswith("Everybody plays at once")
    play(state, 0, "as I")
    assert prompt(state, 0) == "Your turn: drop the I"
    play(state, 0, "at 0 1")
    assert prompt(state, 0) == "Write 1 2 3 7 into the squares"
    play(state, 0, "num 1", "num 2", "num 3")
    assert prompt(state, 0) == "Write 7 into the square"
    play(state, 0, "num 7")
    assert prompt(state, 0) == "Circle a combo?"
    play(state, 0, "cell 1 1")
    assert prompt(state, 0) == "Choose the next number of the combo"
    play(state, 0, "cell 2 1", "cell 3 1")
    assert prompt(state, 0) == "Circle these 3 numbers"
    play(state, 0, "done")
    assert prompt(state, 0) == "Waiting for Bob"


def test_prompts_of_the_rulebooks_order() -> None:
    """Whoever has dropped is told to wait for the others; then they circle one by one."""
    state = roll(begin(3, order="rulebook"), PLAIN, "I")
    assert prompt(state, None).startswith("Everybody drops at once; the drops are shown")
    drop(state, 0, "0 1", "1 2 3 7")
    assert prompt(state, 0).startswith("Waiting for the others: the drops are shown when")
    for seat in (1, 2):
        assert prompt(state, seat) == "Your turn: drop the I"
        drop(state, seat, "0 1", "1 2 3 7")
    assert prompt(state, 0) == "Circle a combo?"
    assert prompt(state, 1) == prompt(state, None) == "Waiting for Ann"


def test_prompts_of_solo() -> None:
    """Solo asks for slides first, and for one more if there is a star (ND16)."""
    state = roll(begin(1), "* 1 2 3", "I")
    assert prompt(state, 0) == "Your turn: slide a tile down one notch"
    play(state, 0, "slide B")
    assert prompt(state, 0) == "A star: slide one more tile down"


def test_prompts_of_blocks() -> None:
    """The letter of a block is named."""
    state = roll(letter_a(), "* 1 2 3", "I")
    (seat,) = state.to_act
    assert prompt(state, seat) == "Drop block A (L)"


def test_results() -> None:
    """The last prompt names who has won, or all who share the victory."""
    sheets = (" ".join(["1......"] * 12),) * 2
    state = table(*sheets, stage=rules.OVER, bonus=[1, 0, 0, 0, 0, 0])
    assert prompt(state, 1) == "Ann wins with 3 points."
    both = table(*sheets, stage=rules.OVER)
    assert prompt(both, 1) == "Ann, Bob share the victory with -5 points each."


def test_a_score_sheet_line_by_line() -> None:
    """Rows, combos, whole columns and the bonus, with their rules (ND15)."""
    state = table(
        "1......",
        "12......",
        combos=[[values(3, 4, 5, 6, 7), values(3)], [0, 0]] + [[0, 0]] * 4,
        bonus=[1, 0, 0, 0, 0, 0],
    )
    lines = scene.sheet([state.fields], NAMES[:2])
    assert [line.points[0] for line in lines] == [0, 0, 25, 3, 10, 0, 8, 46]
    assert lines[-1].total and lines[-1].points == state.scores


@pytest.mark.parametrize(
    ("identical", "rank"), [((), 10), ((6, 7), 10), ((7, 5, 3), 9), ((7, 6, 5, 4, 3), 7)]
)
def test_solo_is_compared_with_the_printed_scores(identical: tuple[int, ...], rank: int) -> None:
    """The sheet says where the score stands among the printed ones, below an equal one (ND18)."""
    state = table("1......", combos=[[values(*identical), 0]] + [[0, 0]] * 5)
    assert scene.sheet([state.fields], ["Ann"])[-1].points == (rank,)
