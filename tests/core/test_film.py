"""Films: frames that are put together from pieces look like pictures that are drawn whole."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import PIL.Image
import pytest

import droptable
from droptable.core.components import at, box, text
from droptable.core.contract import NOBODY
from droptable.core.film import Film, parts
from droptable.core.game import Game
from droptable.core.raster import png
from droptable.core.scene import Frame, Picture
from droptable.core.svg import join
from droptable.games import games

WIDTH = 480


def pictures(found: Game, count: int) -> list[Picture]:
    """Some moments of a match of random moves, open."""
    players = found.players[-1]
    states = list(droptable.play(found, players, seed=5).states())
    names = [f"Seat {seat}" for seat in range(players)]
    step = max(len(states) // count, 1)
    assert found.scene is not None
    return [
        found.scene.draw(
            state.fields, max(state.to_act, default=NOBODY), Frame(names, True, 0, True)
        )
        for state in states[::step][:count]
    ]


@pytest.mark.parametrize("found", games(), ids=lambda found: found.name)
@pytest.mark.parametrize("dark", [False, True])
def test_frames_are_the_pictures(found: Game, dark: bool) -> None:
    """Every frame is like its picture: edges may differ by a little, no thing is elsewhere."""
    drawn = pictures(found, 4)
    frames = Film(WIDTH, dark=dark).frames(picture.svg() for picture in drawn)
    for picture, frame in zip(drawn, frames, strict=True):
        whole = png(picture.svg(standalone=True, dark=dark), WIDTH)
        wanted = PIL.Image.open(BytesIO(whole)).convert("RGB")
        spare = (frame.height - wanted.height) // 2
        shown = frame.crop((0, spare, WIDTH, spare + wanted.height))
        coarse = [np.asarray(image.reduce(4), np.int16) for image in (shown, wanted)]
        assert (np.abs(coarse[0] - coarse[1]).max(axis=2) > 64).mean() < 0.002


def test_equal_things_are_equal_parts() -> None:
    """A thing is told from its own place, so that it is drawn once wherever it lies."""
    card = box(20, 30, "card", x=3, y=4)
    svg = Picture(100, 100, join(at(20, 30, card), at(70, 60, at(1, 1, card))), "Cards").svg()
    (x, y, first), (x2, y2, second) = parts(svg)
    assert first == second
    assert (x2 - x, y2 - y) == (51, 31)


def test_groups_with_a_look_stay_whole() -> None:
    """A group whose class changes what is in it is one part; titles are none."""
    quiet = at(5, 5, box(4, 4, "card"), text("7"), kind="quiet")
    svg = Picture(50, 50, join(quiet, at(9, 9, text("8"), kind="still")), "Things").svg()
    found = [part for _x, _y, part in parts(svg)]
    assert len(found) == 2 and "quiet" in found[0] and found[1].startswith("<text")


def test_nothing_new_is_the_same_frame() -> None:
    """A picture in which nothing changed is not drawn again."""
    svg = Picture(50, 50, join(at(9, 9, text("8"))), "Eight").svg()
    first, second = Film(50).frames([svg, svg])
    assert first is second


def test_a_thing_may_be_larger_than_it_seems() -> None:
    """What reaches beyond the box that is drawn at first is drawn whole all the same."""
    svg = Picture(300, 60, join(at(150, 30, text("MMMMMMMMMM", size=40))), "Ms").svg()
    (frame,) = Film(300).frames([svg])
    dark = np.asarray(frame.convert("L")) < 128
    columns = np.flatnonzero(dark.any(axis=0))
    assert columns[0] <= 1 and columns[-1] >= 298
