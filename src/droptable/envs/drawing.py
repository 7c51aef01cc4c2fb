"""Drawings of a match for people: text with everything open, pictures from the seat that acts."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np

from droptable.core.contract import NOBODY
from droptable.core.errors import OptionError
from droptable.core.extras import extra
from droptable.core.game import Game
from droptable.core.match import Match
from droptable.core.scene import Frame

PIXELS = 800  # the width of an `rgb_array`


def modes(game: Game) -> list[str]:
    """How a game can be rendered; pictures need a scene."""
    return ["human", "ansi"] + ([] if game.scene is None else ["svg", "rgb_array"])


def check_mode(game: Game, mode: str | None) -> str | None:
    """The mode, if the game has it."""
    if mode is not None and mode not in modes(game):
        raise OptionError(f"render_mode is {mode!r}; {game.name} has {', '.join(modes(game))}")
    return mode


def render(match: Match, names: list[str], mode: str | None) -> Any:
    """A drawing of a match in this mode: text with everything open, pictures from who acts."""
    eyes = match.to_act[0] if match.to_act else NOBODY
    if mode in ("human", "ansi"):
        eyes = NOBODY
    return draw(match.spec.game, match.states[0], eyes, names, mode)


def draw(game: Game, record: Any, eyes: int, names: list[str], mode: str | None) -> Any:
    """A drawing in this mode, for a viewer; `human` prints it."""
    if mode is None:
        raise OptionError("there is nothing to render: choose a render_mode when making the env")
    if mode in ("human", "ansi"):
        text = game.words.draw(record, eyes)
        if mode == "ansi":
            return text
        print(text)
        return None
    assert game.scene is not None
    svg = game.scene.draw(record, eyes, Frame(names)).svg(standalone=True)
    return svg if mode == "svg" else _pixels(svg)


def _pixels(svg: str) -> Any:
    from droptable.core.raster import png

    with extra("plot"):
        import PIL.Image

    return np.asarray(PIL.Image.open(BytesIO(png(svg, PIXELS))).convert("RGB"))
