"""Faces of characters are pictures of their own, of any size."""

from __future__ import annotations

import re

import pytest

from droptable.core.components import seat_sign, seat_symbol
from droptable.core.faces import FACES, face
from droptable.core.scene import stylesheet


@pytest.mark.parametrize("name", FACES)
def test_faces_are_drawn_with_known_colours(name: str) -> None:
    """Every class of a face has a rule in the style, and nothing is drawn outside its ground."""
    drawn = face(name, 100)
    used = set(re.findall(r'class="([^"]+)"', drawn))
    assert all(f".scene .{kind}" in stylesheet() for kind in used), used
    for x, y, r in re.findall(r'cx="([-\d.]+)" cy="([-\d.]+)" r="([\d.]+)"', drawn):
        assert abs(float(x)) + float(r) <= 101 and abs(float(y)) + float(r) <= 101
    ways = [
        float(n) for d in re.findall(r' d="([^"]+)"', drawn) for n in re.findall(r"-?[\d.]+", d)
    ]
    assert max(map(abs, ways), default=0) <= 100


def test_all_faces_are_different() -> None:
    """No two characters look the same, and a face of another size is another drawing."""
    assert len({face(name, 10) for name in FACES}) == len(FACES)
    assert face("Ada", 10) != face("Ada", 20)
    with pytest.raises(KeyError):
        face("nobody", 10)


def test_a_seat_with_a_face_keeps_its_colour_and_symbol() -> None:
    """The face stands in a ring of the seat's colour with its symbol; people have the symbol."""
    sign = seat_sign(2, 30, "Pip")
    assert 'class="seat-2"' in sign and face("Pip", 30 * 0.87) in sign
    assert seat_symbol(2, 30 * 0.4 * 0.68) in sign
    assert seat_sign(2, 30) == seat_sign(2, 30, "Anna") == seat_symbol(2, 30)
