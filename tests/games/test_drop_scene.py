"""The pictures of Drop.: every move can be touched, and what it does is shown before and after."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

from droptable.core.contract import NOBODY
from droptable.core.scene import Frame, Picture, Step
from droptable.core.state import State
from droptable.games.drop import GAME, rules
from droptable.games.drop.picture import scene
from droptable.games.drop.picture.board import Hexes, in_order, largest_groups
from droptable.games.drop.picture.stones import STEPS, names, pieces
from droptable.games.drop.words.notation import cell_name, cell_named
from droptable.testing import check_scene, check_sheet, variants
from droptable.testing.pictures import check_picture

from .test_drop import ROUND, WHITE_TO_PLACE_TWO, position

NAMES = ["Anna", "Ben"]
BLACK_TO_PLACE_TWO = (31, 30)  # stones left
PLATES_TALL = 100  # how far down the seats' plates reach
FRAMES = (Frame(NAMES, tall=True), Frame(NAMES, tall=False))


def played(seed: int, **options: Any) -> Iterator[State]:
    """The states of a random match."""
    state, chance = GAME.start(**options), random.Random(seed)
    yield state
    while not state.over:
        seat = state.to_act[0]
        state.apply(seat, chance.choice(state.legal(seat)))
        yield state


def action_of(state: State, token: str) -> int:
    """A token's id."""
    return GAME.vocabulary(state.options).actions.index(token)


def step_of(state: State, token: str) -> Step:
    """A placement of the seat to act, made in place, as everybody sees it."""
    before, seat, action = state.fields.copy(), state.to_act[0], action_of(state, token)
    state.apply(seat, token)
    return Step(before, state.fields.copy(), seat, action)


def steps_of(state: State, tokens: str) -> list[Step]:
    """Placements, one after the other."""
    return [step_of(state, token) for token in tokens.split()]


def random_steps(seed: int, **options: Any) -> list[Step]:
    """All steps of a random match."""
    state, chance = GAME.start(**options), random.Random(seed)
    steps = []
    while not state.over:
        steps.append(step_of(state, chance.choice(state.legal(state.to_act[0]))))
    return steps


def a_squeeze() -> tuple[Step, int]:
    """A placement that squeezes several stones, and how many."""
    for step in random_steps(7, size=5):
        lost = len(pieces(step.before)) + 1 - len(pieces(step.after))
        if lost > 1:
            return step, lost
    raise AssertionError("nothing is squeezed in this match")


def ghost(state: State, token: str, frame: Frame = FRAMES[0]) -> str:
    """What a move of the seat to act would do, as a picture."""
    drawn = scene.ghost(state.fields, state.to_act[0], action_of(state, token), frame)
    assert drawn is not None
    return drawn


def keyed(picture: Picture) -> dict[str, ElementTree.Element]:
    """The things of a picture by their ids."""
    return {e.get("id", ""): e for e in ElementTree.fromstring(picture.svg()).iter() if e.get("id")}


@pytest.mark.parametrize("options", list(variants(GAME)), ids=str)
def test_every_move_can_be_touched(options: dict[str, Any]) -> None:
    """At all sizes and openings pictures are sound, and the sheet is the score."""
    for number, state in enumerate(played(1, **options)):
        if number % 16 == 0 or state.over:
            for seat in (None, 0, 1):
                check_scene(state.view(seat))
    check_sheet(state)


@pytest.mark.parametrize("size", range(rules.SMALLEST, rules.LARGEST + 1))
@pytest.mark.parametrize("frame", FRAMES, ids=["tall", "wide"])
def test_the_board_lies_inside_the_picture(size: int, frame: Frame) -> None:
    """No corner of the wood is outside, or under a plate or a tray."""
    state = GAME.start(size=size)
    picture = scene.draw(state.fields, NOBODY, frame)
    hexes = scene._hexes(state.fields, frame)
    wood = hexes.side + hexes.frame
    far = size - 1
    for q, r in STEPS:
        x, y = hexes.at((q * far, r * far))
        assert wood - 2 <= x <= picture.width - wood + 2
        assert wood - 2 <= y <= picture.height - wood + 2
        if frame.tall:
            assert y - wood >= PLATES_TALL - 3


@pytest.mark.parametrize("size", range(rules.SMALLEST, rules.LARGEST + 1))
def test_cells_have_names_like_a_boards(size: int) -> None:
    """A name such as c4 is one cell's and leads back to it; a1 is the lower left corner."""
    said = [cell_name(size, cell) for cell in rules.cells(size)]
    assert len(set(said)) == len(said)
    assert [cell_named(size, name) for name in said] == list(rules.cells(size))
    assert cell_named(size, "a1") == (1 - size, size - 1)


@pytest.mark.parametrize("frame", FRAMES, ids=["tall", "wide"])
def test_names_of_cells_can_be_read_at_the_edge(frame: Frame) -> None:
    """Every letter and number stands once on the frame, in line with the cells that have it."""
    drawn = scene.draw(GAME.start().fields, 0, frame)
    labels = [
        e for e in ElementTree.fromstring(drawn.svg()).iter() if e.get("class") == "coordinate"
    ]
    assert sorted(e.text or "" for e in labels) == sorted([*"abcdefghijk", *map(str, range(1, 12))])
    hexes = scene._hexes(GAME.start().fields, frame)
    for label in labels:
        x, y = float(label.get("x", 0)), float(label.get("y", 0))
        cell = cell_named(6, "a1" if label.text == "a" else f"{label.text}6")
        if label.text in "abcdefghijk" and frame.tall:
            assert x == pytest.approx(hexes.at(cell)[0], abs=0.1)
        if label.text not in "abcdefghijk" and not frame.tall:
            assert y == pytest.approx(hexes.at((0, 6 - int(label.text or 0)))[1], abs=0.1)


def test_every_cell_can_be_marked() -> None:
    """A hint, a hover and an armed cell show on the `rim`, which is a direct child of the cell."""
    things = keyed(scene.draw(GAME.start().fields, 0, FRAMES[0]))
    cells = [thing for name, thing in things.items() if name.startswith("cell-")]
    assert len(cells) == 91
    assert all(any("rim" in (c.get("class") or "").split() for c in cell) for cell in cells)


def test_labels_say_where_and_what() -> None:
    """Who cannot see the board hears the name of a cell and what stands there."""
    state = position(black=[(1, 0)])
    things = keyed(scene.draw(state.fields, 0, FRAMES[0]))
    assert things["cell-1,0"].get("aria-label") == "g6, black stone"
    assert things["cell-0,0"].get("aria-label") in ("f6", "f6, the dud")
    assert things["cell-5,0"].get("aria-label") == "k6, outer ring"


def test_the_outer_ring_looks_different_and_answers() -> None:
    """All cells can be tried; no legal move begins on the outer ring (DR2)."""
    body = scene.draw(GAME.start().fields, 0, FRAMES[0]).body
    touchable = set(re.findall(r'data-touch="cell-([^"]*)"', body))
    assert touchable == {f"{q},{r}" for q, r in rules.cells(6)}
    assert len(re.findall('class="outer-cell rim"', body)) == 30


def test_a_ghost_shows_what_is_pushed() -> None:
    """Every piece of a pushed line has an arrow, those of a blocked one have none (DR3)."""
    state = position(black=[(1, 0), (2, 0)], white=[(-1, 0)])
    assert ghost(state, "0,0").count('class="arrow"') == 3 + 1  # and the ring round the new one
    blocked = position(black=[(q, 0) for q in range(1, 6)])
    assert ghost(blocked, "0,0").count('class="arrow"') == 0 + 1


@pytest.mark.parametrize("frame", FRAMES, ids=["tall", "wide"])
def test_a_ghost_shows_what_is_squeezed(frame: Frame) -> None:
    """A squeezed piece is crossed out where it stands after the push (DR4)."""
    around = [(2 * q, 2 * r) for q, r in ROUND[:4]]
    state = position(white=around, left=WHITE_TO_PLACE_TWO)
    after = state.copy()
    after.apply(1, "0,0")
    lost = len(pieces(state.fields)) + 1 - len(pieces(after.fields))
    assert ghost(state, "0,0", frame).count('class="gone"') == lost


def test_a_ghost_crosses_out_exactly_the_squeezed() -> None:
    """Over a whole match crosses and arrows agree with what happens then."""
    crosses = 0
    for state in played(7):
        if state.over:
            break
        seat, before = state.to_act[0], len(pieces(state.fields))
        for token in state.legal(seat)[::9]:
            after = state.copy()
            after.apply(seat, token)
            gone = before + 1 - len(pieces(after.fields))
            assert ghost(state, token).count('class="gone"') == gone
            crosses += gone
    assert crosses > 0


def test_largest_groups_are_those_of_the_score() -> None:
    """What is outlined has the size that counts (DR7)."""
    for state in played(3):
        for seat in range(2):
            groups = largest_groups(pieces(state.fields), seat)
            assert {len(group) for group in groups} <= {state.scores[seat]}
            assert bool(groups) == bool(state.scores[seat])
            assert all(sorted(in_order(group)) == group for group in groups)


def test_an_outline_goes_round_a_group_only() -> None:
    """Three cells in a triangle have twelve outer edges."""
    drawn = Hexes(5, False, 0, 0, 10).group([(0, 0), (1, 0), (0, 1)], 0)
    assert drawn.count("L") == 12


# -- which stone is which -------------------------------------------------------------------------


def test_a_stone_keeps_its_id_when_it_is_pushed() -> None:
    """With the steps of the match, an id follows its stone; also the dud's, and the ring's."""
    state = GAME.start(opening="ring")
    steps = steps_of(state, "2,0")
    frame = Frame(NAMES, steps=steps)
    before, after = (names(view, frame) for view in (steps[0].before, steps[0].after))
    assert before[1, 0] == after[0, 0] or before[1, 0] == after[1, 0]
    hexes = scene._hexes(state.fields, frame)
    things = keyed(scene.draw(state.fields, 0, frame))
    for cell, name in after.items():
        x, y = map(float, (things[name].get("transform") or "")[10:-1].split())
        assert (x, y) == pytest.approx(hexes.at(cell), abs=0.1)


def test_ids_follow_all_stones_of_a_match() -> None:
    """No stone changes its colour or jumps: it stays, moves to a neighbouring cell, or is gone."""
    steps = random_steps(5, size=5)
    frame = Frame(NAMES, steps=steps)
    moved = 0
    for step in steps:
        was, now = names(step.before, frame), names(step.after, frame)
        kinds = {name: pieces(step.before)[cell] for cell, name in was.items()}
        places = {name: cell for cell, name in was.items()}
        assert len(set(now.values())) == len(now) == len(pieces(step.after))
        for (q, r), name in now.items():
            if name in places:
                assert pieces(step.after)[q, r] == kinds[name]
                dq, dr = q - places[name][0], r - places[name][1]
                assert (dq, dr) in ((0, 0), *STEPS)
                moved += (dq, dr) != (0, 0)
            else:
                assert name == f"stone-{rules.placed(step.before)}"
    assert moved > 20


def test_the_stone_in_hand_is_the_one_that_lands() -> None:
    """The stones of a turn lie on the plate and have the ids that they keep on the board."""
    state = GAME.start()
    things = keyed(scene.draw(state.fields, 0, FRAMES[0]))
    steps = steps_of(state, "0,2")
    after = keyed(scene.draw(state.fields, 0, Frame(NAMES, True, steps=steps)))
    assert "stone-0" in things and "stone-1" not in things
    assert after["stone-0"].get("data-way") == "hop"
    assert "stone-1" in after and "stone-2" in after  # white places two


def test_undone_placements_are_forgotten() -> None:
    """Ids and the mark of the last turn come from the steps that led to the view."""
    state = GAME.start()
    undone = steps_of(state.copy(), "0,2 3,0 -3,0")
    steps = steps_of(state, "0,3")
    frame = Frame(NAMES, steps=[*undone, *steps])
    assert names(state.fields, frame)[0, 3] == "stone-0"
    assert str(scene.draw(state.fields, 0, frame).body).count('class="last"') == 1


def test_without_steps_stones_are_named_by_their_cells() -> None:
    """A picture of a single position needs no history; nothing in it moves by a wrong name."""
    state = position(black=[(0, 1)], white=[(3, 0)], left=BLACK_TO_PLACE_TWO)
    things = keyed(scene.draw(state.fields, 0, FRAMES[0]))
    assert things["white-3,0"].get("data-time") == "0"
    assert things["black-0,1"].get("data-leave") == "none"


# -- beats ----------------------------------------------------------------------------------------


def test_both_placements_of_a_turn_are_marked() -> None:
    """The last turn's stones have a ring, whatever is drawn when: it survives a reload."""
    state = GAME.start()
    steps = steps_of(state, "0,2 2,-3 -3,1")
    body = str(scene.draw(state.fields, 0, Frame(NAMES, steps=steps)).body)
    assert body.count('class="last"') == 2


def test_the_mark_of_a_turn_follows_its_stones() -> None:
    """White's second stone pushes the first one: both are marked where they stand now."""
    state = GAME.start()
    steps = steps_of(state, "0,3 2,-3 1,-3")
    things = keyed(scene.draw(state.fields, 0, Frame(NAMES, steps=steps)))
    marked = {
        name for name, thing in things.items() if any(e.get("class") == "last" for e in thing)
    }
    assert marked == {"stone-1", "stone-2"}


def test_pushes_ripple_outward() -> None:
    """Of a pushed line the nearest stone moves first; nothing bursts that stays."""
    state = position(black=[(1, 0), (2, 0)], white=[(-1, 0)], left=BLACK_TO_PLACE_TWO)
    step = step_of(state, "0,0")
    first, *_rest = scene.beats(step, 0, FRAMES[0])
    assert first.picture is not None and first.sound == "push"
    things = keyed(first.picture)
    near, far = (float(things[f"black-{q},0"].get("data-wait", 0)) for q in (1, 2))
    assert 0 < near < far
    assert {thing.get("data-leave") for thing in things.values()} <= {None, "none", "burst"}


def test_squeezed_stones_burst() -> None:
    """They are pushed first, then burst, and a sentence says how many."""
    step, lost = a_squeeze()
    pushed, burst = scene.beats(step, 0, FRAMES[0])
    assert pushed.picture is not None and not pushed.text
    assert (burst.picture, burst.sound) == (None, "burst")
    assert burst.text == ("1 stone is squeezed" if lost == 1 else f"{lost} stones are squeezed")
    goes = [t for t in keyed(pushed.picture).values() if t.get("data-leave") == "burst"]
    assert len(goes) >= lost


@pytest.mark.parametrize("frame", FRAMES, ids=["tall", "wide"])
def test_beats_are_sound_pictures(frame: Frame) -> None:
    """All pictures of a match's beats keep to the limits, and the end is counted seat by seat."""
    steps = random_steps(2, size=5, pieces=12)
    known = Frame(NAMES, frame.tall, steps=steps)
    for step in steps:
        shown = scene.beats(step, 0, known)
        for beat in shown:
            if beat.picture:
                check_picture(beat.picture, frame.tall)
    texts = [beat.text for beat in shown if "largest group" in beat.text]
    sizes = [rules.largest_group(steps[-1].after, seat) for seat in range(2)]
    assert texts == [f"Anna's largest group: {sizes[0]}", f"Ben's largest group: {sizes[1]}"]
    counted = [str(beat.picture.body).count('id="tally-') for beat in shown if beat.picture]
    assert counted[-2:] == [sizes[0], sum(sizes)]
    assert all('won"' not in str(beat.picture.body) for beat in shown if beat.picture)


def test_with_all_steps_a_push_needs_no_picture_of_its_own() -> None:
    """Ids follow the stones, so that the next state itself moves: fewer bytes for phones."""
    state = GAME.start()
    steps = steps_of(state, "-1,0")
    (beat,) = scene.beats(steps[0], 0, Frame(NAMES, steps=steps))
    assert beat.picture is None
    assert beat.sound == "push"  # the dud


def test_the_winning_group_is_lit_at_the_end() -> None:
    """The stones of the largest group have the class that pulses, all others have not."""
    won = position(black=[(0, 0), (1, 0)], white=[(3, 0)], left=(0, 0))
    body = str(scene.draw(won.fields, 0, FRAMES[0]).body)
    assert body.count('class="black won"') == 2
    assert body.count("won") == 2


def test_prompts() -> None:
    """The one to place is told how much, the other one for whom they wait."""
    state = GAME.start()
    assert scene.prompt(state.fields, 0, NAMES) == "Your turn: place 1 stone"
    state.apply(0, "0,2")
    assert scene.prompt(state.fields, 1, NAMES) == "Your turn: place 2 stones"
    assert scene.prompt(state.fields, 0, NAMES) == "Waiting for Ben to place 2 stones."
    state.apply(1, "2,0")
    assert scene.prompt(state.fields, 1, NAMES) == "Your turn: place your second stone"
    assert scene.prompt(state.fields, 0, NAMES) == "Waiting for Ben to place 1 stone."


def test_the_result() -> None:
    """The last prompt names the winner, congratulates them, or says that it is a draw (DR7)."""
    won = position(black=[(0, 0), (1, 0)], white=[(3, 0)], left=(0, 0))
    assert scene.prompt(won.fields, 1, NAMES) == "Anna wins with a largest group of 2 against 1."
    assert scene.prompt(won.fields, 0, NAMES) == "You win with a largest group of 2 against 1!"
    drawn = position(black=[(0, 0)], white=[(3, 0)], left=(0, 0))
    assert scene.prompt(drawn.fields, 1, NAMES).startswith("A draw")


def test_a_turn_is_one_line() -> None:
    """Both placements and what they squeeze, in names that the board shows."""
    state = GAME.start()
    first = steps_of(state, "0,2")
    assert GAME.words.tell_turn is not None
    assert GAME.words.tell_turn(first, NAMES) == "Anna places f4."
    second = steps_of(state, "3,0 -3,0")
    assert GAME.words.tell_turn(second, NAMES) == "Ben places i6 and c6."
    step, lost = a_squeeze()
    told = GAME.words.tell_turn([step], NAMES)
    counts = re.findall(r"; (\d+) (?:black|white) stones? (?:is|are) squeezed", told)
    assert sum(map(int, counts)) == lost
