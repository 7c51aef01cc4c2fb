"""The pictures of Drop.: every move can be touched, and what it does is shown before."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from droptable.core.contract import NOBODY
from droptable.core.scene import Frame
from droptable.core.state import State
from droptable.games.drop import GAME, rules
from droptable.games.drop.picture import scene
from droptable.games.drop.picture.board import Hexes, largest_groups, pieces
from droptable.testing import check_scene, check_sheet, variants

from .test_drop import ROUND, WHITE_TO_PLACE_TWO, position

NAMES = ["Anna", "Ben"]
PLATES_TALL, PLATES_WIDE = 80, 182  # how far the seats' plates reach
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


def ghost(state: State, token: str, frame: Frame = FRAMES[0]) -> str:
    """What a move of the seat to act would do, as a picture."""
    drawn = scene.ghost(state.fields, state.to_act[0], action_of(state, token), frame)
    assert drawn is not None
    return drawn


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
    """No corner of a cell is outside, or under the plates."""
    state = GAME.start(size=size)
    picture = scene.draw(state.fields, NOBODY, frame)
    hexes = scene._hexes(state.fields, frame)
    for cell in rules.cells(size):
        x, y = hexes.at(cell)
        wood = hexes.side * 1.15
        assert wood <= x <= picture.width - wood
        assert wood <= y <= picture.height - wood
        if frame.tall:
            assert y - wood >= PLATES_TALL
        else:
            assert PLATES_WIDE + wood <= x <= picture.width - PLATES_WIDE - wood


def test_the_outer_ring_looks_different_and_answers() -> None:
    """All cells can be tried; no legal move begins on the outer ring (DR2)."""
    body = scene.draw(GAME.start().fields, 0, FRAMES[0]).body
    touchable = set(re.findall(r'data-touch="cell-([^"]*)"', body))
    assert touchable == {f"{q},{r}" for q, r in rules.cells(6)}
    assert len(re.findall('class="outer-cell"', body)) == 30


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


def test_an_outline_goes_round_a_group_only() -> None:
    """Three cells in a triangle have twelve outer edges."""
    drawn = Hexes(5, False, 0, 0, 10).group([(0, 0), (1, 0), (0, 1)], 0)
    assert drawn.count("L") == 12


def test_a_piece_that_stays_keeps_its_id() -> None:
    """Clients know a thing by its id: the piece of another cell does not get it."""
    before = position(black=[(0, 0)], white=[(3, 0)])
    after = before.copy()
    after.apply(0, "1,0")
    pictures = [scene.draw(s.fields, 0, FRAMES[0]).body for s in (before, after)]
    for name in ('id="white-3,0"', 'id="black-0,0"', 'id="dud-'):
        assert (name in pictures[0], name in pictures[1]) in ((True, True), (True, False))
    assert 'id="white-3,0"' in pictures[1]
    assert 'id="black--1,0"' in pictures[1]  # pushed


def test_prompts() -> None:
    """The one to place is told how much, the other one who, and all the result."""
    state = GAME.start()
    assert scene.prompt(state.fields, 0, NAMES) == (
        "Place a piece on a free cell inside the outer ring."
    )
    state.apply(0, "0,2")
    assert "two pieces" in scene.prompt(state.fields, 1, NAMES)
    assert scene.prompt(state.fields, 0, NAMES) == "Ben is placing two pieces."
    state.apply(1, "2,0")
    assert scene.prompt(state.fields, 0, NAMES) == "Ben is placing one piece."


def test_the_result() -> None:
    """The last prompt names the winner, or a draw (DR7)."""
    won = position(black=[(0, 0), (1, 0)], white=[(3, 0)], left=(0, 0))
    assert scene.prompt(won.fields, 1, NAMES) == "Anna wins with a largest group of 2 against 1."
    drawn = position(black=[(0, 0)], white=[(3, 0)], left=(0, 0))
    assert scene.prompt(drawn.fields, 1, NAMES).startswith("A draw")
