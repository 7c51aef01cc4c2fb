"""Things on tables: well-formed, told apart without colour, and readable in light and dark."""

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from droptable.core import components
from droptable.core.scene import Picture, stylesheet
from droptable.core.svg import el, join
from droptable.games import games

GROUNDS = ("paper", "board", "card", *(f"wash-{seat}" for seat in range(6)))
READABLE = 4.5  # contrast of text, WCAG AA


def palettes():
    """The colours of the light and of the dark style."""
    colours = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", stylesheet())
    return [{name: pair[i] for name, *pair in colours} for i in (0, 1)]


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_text_is_readable_on_every_ground():
    """Ink and soft text have AA contrast on paper, boards, cards and washes, light and dark."""
    light, dark = palettes()
    for palette in (light, dark):
        for ground in GROUNDS:
            for text in ("ink", "soft"):
                found = contrast(palette[text], palette[ground])
                assert found >= READABLE, f"{text} on {ground}: {found:.2f}"


def test_symbols_of_seats_are_readable():
    """A seat's symbol stands out on its plate, lit or not, and on its counters."""
    for palette in palettes():
        for seat in range(6):
            for ground in ("board", "card", f"wash-{seat}"):
                found = contrast(palette[f"seat-{seat}"], palette[ground])
                assert found >= READABLE, f"seat {seat} on {ground}: {found:.2f}"


def test_seats_differ_without_colour():
    """No two seats have the same symbol, whatever its class."""
    drawn = [components.seat_symbol(seat, 10, "mark") for seat in range(6)]
    assert all(one != other for one, other in combinations(drawn, 2))


@pytest.mark.parametrize(
    "thing",
    [
        components.card(7, 80, note="+6"),
        components.covered_card(7, 80, 14, down=20),
        components.card_back(80),
        components.pile(0, 80, 14),
        components.pile(52, 80, 14),
        components.die("*", 40),
        components.counter(5, 20),
        components.arrow(0, 0, 0, 30),
        components.cross(10),
        components.sun(10, "mark"),
        components.touch("a", 'Tom & "Jo"', 1.234, -2, components.text("<b>")),
        components.plate(0, "A < B & C", 100, 40, 13, active=True, mine=True, note="7", badge="−3"),
    ],
)
def test_things_are_well_formed(thing):
    """Whatever words they bear, things are SVG."""
    assert list(ElementTree.fromstring(el("svg", thing)))


def test_numbers_are_short():
    """Positions have at most two decimals, and no needless ones."""
    moved = components.at(1 / 3, -2.0, el("circle", r=1.0))
    assert moved == '<g transform="translate(0.33 -2)"><circle r="1"/></g>'


def test_rows_close_up_when_they_are_full():
    """Things lie a step apart round the middle, closer where the room ends."""
    assert components.spread(3, 100, 20) == [-20, 0, 20]
    assert components.spread(3, 20, 20) == [-10, 0, 10]
    assert components.spread(1, 0, 20) == [0]
    assert components.spread(0, 0, 20) == []


def test_long_names_are_shortened():
    """A name that does not fit ends in an ellipsis; one that fits stays whole."""
    assert components.shortened("Bo", 100, 12) == "Bo"
    short = components.shortened("Bartholomew", 50, 12)
    assert short.endswith("…") and len(short) * 12 * components.LETTER <= 50


def test_a_standalone_picture_has_its_style():
    """A file needs nothing else; a page brings the style itself."""
    picture = Picture(360, 100, join(components.text("hello")), "A picture")
    assert "<style>" in picture.svg(standalone=True)
    assert "<style>" not in picture.svg()
    ElementTree.fromstring(picture.svg(standalone=True))


def test_each_game_has_an_accent_of_its_own():
    """A glance at a page's colour tells the game."""
    accents = [game.scene.accent for game in games() if game.scene is not None]
    assert len(accents) == len(set(accents)) == 5


def test_attributes_are_told_apart_by_type_and_escaped():
    """1, 1.0 and True are equal in Python, not in a picture; quotes and control codes are safe."""
    assert el("a", x=1, y=1.0, hidden=True, z="1") == '<a x="1" y="1" hidden="true" z="1"/>'
    assert el("a", hidden=True, x=1) == '<a hidden="true" x="1"/>'
    assert el("a", 'b"<\x01', t='"&\x02') == '<a t="&quot;&amp;">b"&lt;</a>'
