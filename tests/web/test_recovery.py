"""The recovery key: eight words that bring a person back, and nobody else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from droptable.web.recovery import secret_of, words_of
from tests.web.conftest import Running
from tests.web.people import Person

Make = Callable[..., Person]


def key(person: Person) -> str:
    made = person.http.post("/api/me/key")
    assert made.status_code == 201
    return str(made.json()["words"])


def recover(person: Person, words: str) -> tuple[int, dict[str, str]]:
    answer = person.http.post("/api/me/recover", json={"words": words})
    return answer.status_code, answer.json()


@given(st.binary(min_size=16, max_size=16))
def test_words_stand_for_their_secret(secret: bytes) -> None:
    """Every secret is eight words of five letters, which lead back to it."""
    words = words_of(secret)
    assert [len(word) for word in words.split()] == [5] * 8
    assert secret_of(words) == secret


@pytest.mark.parametrize("spoilt", ["upper", "lines", "dashes"])
def test_words_are_read_as_people_type_them(person: Make, spoilt: str) -> None:
    """Case, line breaks and dashes do not matter; the key goes on working."""
    ann = person("Ann")
    table = ann.create("drop")
    words = key(ann)
    typed = {"upper": words.upper(), "lines": f"\n{words} \n".replace(" ", "\r\n"),
             "dashes": words.replace(" ", "-")}[spoilt]  # fmt: skip
    for device in (person(), person()):
        status, me = recover(device, typed)
        assert status == 200 and me["name"] == "Ann"
        assert device.look(table)["seat"] == 0


def test_a_new_key_voids_the_old_one(person: Make) -> None:
    """There is one key per person."""
    ann = person("Ann")
    old, new = key(ann), key(ann)
    status, problem = recover(person(), old)
    assert status == 404 and "nobody here has this recovery key" in problem["message"]
    assert recover(person(), new)[0] == 200


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "8 words, not 0"),
        ("lusab " * 7, "8 words, not 7"),
        ("lusab " * 7 + "hello", "'hello' is not a word"),
        ("lusab " * 7 + "lusàb", "'lusàb' is not a word"),
    ],
)
def test_what_is_no_key_is_named(person: Make, words: str, reason: str) -> None:
    """A wrong word or a missing one is said."""
    status, problem = recover(person(), words)
    assert status == 422 and reason in problem["message"]


def test_a_key_is_no_link_and_is_not_stored(person: Make, server: Running) -> None:
    """It cannot be used up by claiming it, and the database has only its hash."""
    ann = person("Ann")
    words = key(ann)
    secret = secret_of(words).hex()
    assert person().http.post("/api/me/claim", json={"secret": secret}).status_code == 404
    assert recover(person(), words)[0] == 200
    stored = str(server._ask("SELECT * FROM links"))
    assert secret not in stored and words not in stored


def test_nobody_has_no_key(person: Make) -> None:
    """Who has no name yet has nothing to bring back."""
    assert person().http.post("/api/me/key").status_code == 403


def test_the_link_to_another_device_has_a_qr_code(person: Make) -> None:
    """It comes as a picture of the very link."""
    link = person("Ann").http.post("/api/me/links").json()
    assert link["qr"].startswith("<?xml") and "<path" in link["qr"]
