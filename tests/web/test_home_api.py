"""What the start page and the waiting room ask for: moments of matches, faces, options in words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from droptable.bots.characters import CHARACTERS
from droptable.core.errors import GameError
from droptable.core.options import Choice, Number, title_of
from droptable.games import OWN
from droptable.web.pictures import MOMENTS
from tests.web.people import Person

People = Callable[..., Person]


@pytest.mark.parametrize("game", OWN, ids=lambda game: game.name)
def test_moments_of_a_match(person: People, game: object) -> None:
    """A game's picture has earlier moments of the same match, each a different one."""
    address = f"/api/games/{game.name}/picture.svg"  # type: ignore[attr-defined]
    http = person().http
    pictures = {http.get(address, params={"moment": n}).text for n in range(MOMENTS)}
    assert len(pictures) == MOMENTS
    assert http.get(address, params={"moment": MOMENTS}).status_code == 422


def test_faces(person: People) -> None:
    """Every character has a face as a picture, and nobody else has one."""
    http = person().http
    for name in CHARACTERS:
        answer = http.get(f"/api/faces/{name}.svg")
        assert answer.headers["content-type"] == "image/svg+xml"
        assert "var(" not in answer.text and f"<title>{name}</title>" in answer.text
    assert http.get("/api/faces/Nobody.svg").status_code == 404


def test_options_are_named_in_words(person: People) -> None:
    """No option of ours shows its name in code, and every choice has a label."""
    for game in person().http.get("/api/games").json():
        assert game["minutes"] > 0
        for name, option in game["options"].items():
            assert option["title"] and option["title"] != name and "_" not in option["title"]
            assert option["help"].endswith(".")
            if option["kind"] == "choice":
                assert len(option["labels"]) == len(option["choices"])


def test_options_without_words() -> None:
    """An option without a title is called by its name; labels must be as many as choices."""
    assert title_of("turn_limit", Number(5, 1, 9, "")) == "turn limit"
    with pytest.raises(GameError, match="1 labels for the choices"):
        Choice("a", ("a", "b"), "", labels=("A",))
