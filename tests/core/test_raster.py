"""Pictures as files: every program shows them, and text is there without any font of the system."""

from __future__ import annotations

import random
import re
from io import BytesIO
from xml.etree import ElementTree

import PIL.Image
import pytest

from droptable.core import raster
from droptable.core.components import at, box, text
from droptable.core.contract import DEALER
from droptable.core.film import Film, gif
from droptable.core.game import Game
from droptable.core.raster import png, size_of, standalone
from droptable.core.scene import Frame, Picture
from droptable.core.state import State
from droptable.core.svg import el, join
from droptable.games import game, games

NEEDS_A_BROWSER = re.compile(r"var\(|light-dark\(|color-mix\(|@media|:hover|:focus|--[a-z]")
SHADOW = Picture(100, 50, join(box(40, 20, "shadow", x=50, y=25)), "A shadow")


def middle(found: Game) -> State:
    """A state after some random moves."""
    state, chance = found.start(), random.Random(5)
    for _ in range(40):
        if state.to_act == (DEALER,):
            state.deal(chance)
        elif state.to_act:
            state.apply(state.to_act[0], chance.choice(state.legal(state.to_act[0])))
    return state


def drawn(found: Game, *, tall: bool = True) -> str:
    """A picture of it."""
    assert found.scene is not None
    state = middle(found)
    names = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Fay"]
    return found.scene.draw(state.fields, 0, Frame(names, tall)).svg()


def pixels(data: bytes) -> PIL.Image.Image:
    return PIL.Image.open(BytesIO(data)).convert("RGB")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("found", games(), ids=lambda found: found.name)
def test_files_have_plain_values(found: Game, dark: bool) -> None:
    """A file of any game needs nothing that only browsers know, and is well-formed."""
    svg = standalone(drawn(found), dark=dark)
    assert not NEEDS_A_BROWSER.search(svg)
    root = ElementTree.fromstring(svg)
    assert (root.get("width"), root.get("height")) == tuple(map(str, size_of(svg)))
    assert root[0].tag.endswith("title")


@pytest.mark.parametrize("found", games(), ids=lambda found: found.name)
def test_png_has_the_wanted_width(found: Game) -> None:
    """A PNG is as wide as asked for, in proportion, and shows many colours."""
    svg = standalone(drawn(found))
    width, height = size_of(svg)
    picture = pixels(png(svg, 300))
    assert picture.width == 300
    assert picture.height == pytest.approx(300 * height / width, abs=1)
    assert len(picture.getcolors(maxcolors=1 << 20) or []) > 20


def test_light_and_dark() -> None:
    """The ground is paper by day and dark by night."""
    light, dark = (pixels(png(SHADOW.svg(standalone=True, dark=d), 100)) for d in (False, True))
    assert light.getpixel((0, 0)) == (0xFA, 0xF5, 0xEA)
    assert dark.getpixel((0, 0)) == (0x1E, 0x1A, 0x17)


def test_alpha_is_an_opacity() -> None:
    """A colour with alpha becomes a colour and an opacity, which all programs know."""
    styled = SHADOW.svg(standalone=True)
    assert re.search(r"\.shadow\{fill:#2d2620;fill-opacity:0\.18\}", styled)


def test_only_the_style_that_is_needed() -> None:
    """Rules for classes that are not in a picture are not in its file."""
    styled = SHADOW.svg(standalone=True)
    assert ".shadow{" in styled and ".pencil{" not in styled


@pytest.mark.parametrize(
    ("value", "dark", "plain"),
    [
        ("light-dark(#111, #222)", False, "#111"),
        ("light-dark(#111, #222)", True, "#222"),
        ("color-mix(in srgb, var(--a) 50%, transparent)", False, "#11223380"),
        ("var(--b)", False, "#112233"),
    ],
)
def test_functions_of_colours(value: str, dark: bool, plain: str) -> None:
    """Variables of variables, light-dark() and color-mix() become colours."""
    assert raster._resolve(value, {"a": "#123", "b": "var(--a)"}, dark) in (
        plain,
        plain.replace("#112233", "#123"),
    )


def test_text_needs_no_fonts_of_the_system() -> None:
    """Words are drawn with the fonts that come along."""
    with_words = Picture(100, 50, join(at(50, 25, text("Drop"))), "Words")
    without = Picture(100, 50, join(el("g")), "Words")
    drawn = [pixels(png(p.svg(standalone=True), 200)) for p in (with_words, without)]
    dark = [sum(sum(p.getpixel((x, 50))) < 300 for x in range(200)) for p in drawn]  # type: ignore[arg-type]
    assert dark[0] > 10 and dark[1] == 0


def test_texts_with_control_characters_are_drawn() -> None:
    """What XML has no word for is left out; the rest of a text is drawn."""
    odd, plain = (
        standalone(Picture(90, 50, join(text(name, x=5, y=20)), name).svg())
        for name in ("A\0n\x1bn\uffff", "Ann")
    )
    assert odd == plain
    assert png(odd, 90) == png(plain.replace("Ann", "A\x02nn"), 90)


def test_gif_shows_every_frame() -> None:
    """An animation has all frames, each for its time, on sheets of one size."""
    pictures = [
        Picture(100, height, join(box(20, 20, "card", x=20 * i, y=25)), "A card")
        for i, height in enumerate((50, 60, 50), 1)
    ]
    frames = Film(100).frames(picture.svg() for picture in pictures)
    animation = PIL.Image.open(BytesIO(gif(frames, [100, 200, 300])))
    assert animation.n_frames == 3 and animation.size == (100, 60)  # type: ignore[attr-defined]
    times = []
    for frame in range(3):
        animation.seek(frame)
        times.append(animation.info["duration"])
    assert times == [100, 200, 300]


def test_what_is_no_scene_is_refused() -> None:
    """An SVG without a size is not guessed at."""
    with pytest.raises(ValueError, match="viewBox"):
        standalone("<svg></svg>")


@pytest.mark.parametrize("found", games(), ids=lambda found: found.name)
def test_notebooks_show_pictures(found: Game) -> None:
    """States and views are pictures in notebooks."""
    state = middle(found)
    for shown in (state, state.view(0), state.view(None)):
        picture = shown._repr_svg_()
        assert picture is not None and ElementTree.fromstring(picture).tag.endswith("svg")


def test_notebooks_keep_secrets() -> None:
    """A view's picture shows the hand of its seat, and a spectator's shows none."""
    state = middle(game("drop-site"))
    assert 'data-touch="hand-' in str(state.view(0)._repr_svg_())
    assert 'data-touch="hand-' not in str(state.view(None)._repr_svg_())
