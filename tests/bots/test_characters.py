"""Bots have names that nobody else at the table has."""

from __future__ import annotations

from droptable.bots.characters import CHARACTERS, character_for


def test_a_table_always_meets_the_same_characters() -> None:
    """Who comes next depends on the table and on who is there, and on nothing else."""
    first = character_for("table")
    assert character_for("table") == first
    assert character_for("table", [first]) != first
    assert len({character_for(str(number)) for number in range(200)}) == len(CHARACTERS)


def test_nobody_is_called_like_a_person_at_the_table() -> None:
    """Names in use are left out, however they are written, as long as there are others."""
    assert character_for("t", [name.upper() for name in CHARACTERS if name != "Pip"]) == "Pip"
    assert character_for("t", CHARACTERS) in CHARACTERS
