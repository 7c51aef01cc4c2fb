"""Pictures of cards, drawn in a process of the studio's crew: a board in the middle of a sheet of
the size that other programs ask for."""

from __future__ import annotations

import ast

import numpy as np

from droptable.core.contract import NOBODY
from droptable.core.language import speaking
from droptable.core.raster import ground, png, size_of
from droptable.core.scene import Frame
from droptable.core.state import View
from droptable.core.svg import Svg, el
from droptable.games import game as game_of
from droptable.web.pictures import middle_of_a_match

WIDTH, HEIGHT = 1200, 630
MARGIN = 20


def framed(svg: str) -> str:
    """A standalone picture on a sheet of that size, as large as it fits."""
    width, height = size_of(svg)
    place = f'x="{MARGIN}" y="{MARGIN}" width="{WIDTH - 2 * MARGIN}" height="{HEIGHT - 2 * MARGIN}"'
    inner = svg.replace(f'width="{width}" height="{height}"', place, 1)
    return el(
        "svg",
        el("rect", width=WIDTH, height=HEIGHT, fill=ground(dark=False)),
        Svg(inner),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
    )


def draw_game(name: str, language: str) -> bytes:
    """A match of a game."""
    with speaking(language):
        svg = middle_of_a_match(game_of(name))
    assert svg is not None
    return png(framed(svg), WIDTH)


def draw_position(
    name: str, players: int, options: str, view: bytes, names: tuple[str, ...],
    faces: tuple[str, ...], language: str,
) -> bytes:  # fmt: skip
    """A position as spectators see it: from the bytes of their view, and nothing else."""
    game = game_of(name)
    assert game.scene is not None
    data = np.frombuffer(bytearray(view), game.rules.dtype)
    shown = View(game, players, dict(ast.literal_eval(options)), data, None)
    with speaking(language):
        drawn = game.scene.draw(shown.fields, NOBODY, Frame(names, faces=faces))
        return png(framed(drawn.svg(standalone=True)), WIDTH)
