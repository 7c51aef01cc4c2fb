"""Records of variants: any constants of numbers, within bounds, and never compiled."""

from __future__ import annotations

import json
import pickle
import random
import re
import sys

import pytest

import droptable
from droptable.core import plain_variant as described
from droptable.core.contract import DEALER
from droptable.core.errors import GameError, RecordError
from droptable.core.plain_variant import plain_variant
from droptable.core.record import Record
from droptable.games import game, games

VARIANTS = {
    "depot": {"HAND_SIZE": 7, "COPIES": [7, 8, 9, 10, 10, 11, 12, 13]},
    "drop": {"SMALLEST": 4},
    "drop-or-pop": {"TO_WIN": 3},
    "drop-site": {"HAND": 4},
    "number-drop": {"COLUMN_BONUS": 15, "BONUS": 10},
}


def some_moves(variant, moves=40):
    """The record of a match, as far as so many random moves."""
    chance = random.Random(5)
    state = variant.start(variant.players[0])
    while not state.over and moves:
        if state.to_act == (DEALER,):
            state.deal(chance)
        else:
            seat = state.to_act[0]
            state.apply(seat, chance.choice(state.legal(seat)))
            moves -= 1
    return state.record


def refusal(constants, name="depot"):
    """Why a record of this variant is refused."""
    document = {"droptable": 1, "game": name, "variant": constants, "rules": game(name).version,
                "players": 3, "options": {}, "events": []}  # fmt: skip
    with pytest.raises(RecordError) as error:
        Record.from_json(json.dumps(document))
    return str(error.value)


@pytest.mark.parametrize("base", games(), ids=lambda base: base.name)
def test_a_record_carries_its_variant(base):
    """Written and read again it is the same match of the same variant, in any process."""
    record = some_moves(plain_variant(base, VARIANTS[base.name]))
    text = record.to_json()
    assert json.loads(text)["game"] == base.name
    assert json.loads(text)["variant"] == VARIANTS[base.name]
    for again in (Record.from_json(text), pickle.loads(pickle.dumps(record))):
        assert again.events == record.events and again.to_json() == text
        assert again.game.plain_only and again.game.title.startswith(f"{base.title}: ")
        assert bytes(again.final) == bytes(record.final)


def test_a_designers_variant_is_written_as_data():
    """A variant that somebody plays at full speed has the same record."""
    variant = game("depot").variant("depot-seven", constants={"HAND_SIZE": 7})
    with variant.running(variant.plain):
        record = some_moves(variant)
        text = record.to_json()
    assert json.loads(text)["variant"] == {"HAND_SIZE": 7}
    assert Record.from_json(text).events == record.events


def test_without_the_variant_the_match_is_another_one():
    """What the constants change is needed: Depot as it is deals other hands."""
    text = some_moves(plain_variant(game("depot"), {"HAND_SIZE": 7})).to_json()
    plain = {key: value for key, value in json.loads(text).items() if key != "variant"}
    with pytest.raises(RecordError, match="event"):
        Record.from_json(json.dumps(plain))


@pytest.mark.parametrize(("constants", "message"), [
    ([], "variant is []; expected 1 to 16 constants"),
    ({}, "variant is {}; expected 1 to 16 constants"),
    ({"HANDS": 7}, "depot has no constant 'HANDS'; it has"),
    ({"HAND_SIZE": "__import__('os')"}, "HAND_SIZE of depot is \"__import__('os')\""),
    ({"HAND_SIZE": [7]}, "HAND_SIZE of depot is [7] in this variant; expected 9"),
    ({"HAND_SIZE": True}, "HAND_SIZE of depot is True in this variant; expected 9"),
    ({"HAND_SIZE": None}, "HAND_SIZE of depot is None in this variant"),
    ({"HAND_SIZE": 10**9}, "HAND_SIZE of depot is 1000000000 in this variant; expected 0 … 36"),
    ({"HAND_SIZE": -1}, "expected 0 … 36"),
    ({"HAND_SIZE": 10**30}, "HAND_SIZE of depot is 1000000000000000000000000000000"),
    ({"HAND_SIZE": 7.5}, "depot cannot be played with HAND_SIZE = 7.5"),
    ({"COPIES": [1, 2, 3]}, "COPIES of depot is [1, 2, 3] in this variant"),
    ({"COPIES": [[1], [2, 3]]}, "COPIES of depot is [[1], [2, 3]] in this variant"),
    ({"COPIES": [1000] * 8}, "expected 0 … 52"),
    ({"NUMBERS": 7}, "depot cannot be played with NUMBERS = 7: "),
    ({"STATE": 3}, "STATE of depot is no number"),
    ({"RULES": 3}, "RULES of depot is no number"),
])  # fmt: skip
def test_bad_variants_are_refused(constants, message):
    """With the constant, its value and what was expected; nothing of a game can be unloaded."""
    assert message in refusal(constants)
    assert some_moves(game("depot"), 3).final is not None


def test_what_came_with_a_record_is_never_compiled():
    """Its rules run as plain Python, whoever asks: there a bad index is an error, not a crash."""
    variant = plain_variant(game("depot"), {"HAND_SIZE": 7})
    assert variant.engine is variant.at_full_speed is variant.plain
    with pytest.raises(GameError, match="is played as plain Python only"):
        _ = variant.compiled
    with pytest.raises(droptable.OptionError, match="the coach does not know variants"):
        droptable.analyse(some_moves(variant, 5), iterations=5)


def test_a_process_keeps_few_variants(monkeypatch):
    """Older ones are unloaded, and loaded again when they are asked for."""
    base = game("drop-or-pop")
    monkeypatch.setattr(described, "KEPT", 2)
    for limit in range(3, 7):
        plain_variant(base, {"EPIC": limit})
    copies = [name for name in sys.modules if re.fullmatch(r".*\.drop_or_pop__\w+_plain_\w+", name)]
    assert len(described._kept) == 2
    assert len(copies) == 2
    assert some_moves(plain_variant(base, {"EPIC": 3}), 5).final is not None
