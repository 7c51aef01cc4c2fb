"""Variants: a game with some constants or kernels replaced is a game like any other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import droptable
from droptable.core import registry
from droptable.core.compile import kernel
from droptable.core.errors import GameError
from droptable.games.depot.rules import COPIES
from droptable.games.drop_or_pop.rules import COUNTERS, count_bits, occupied
from droptable.lab.simulate import Simulation
from droptable.testing import check_game

DEPOT = droptable.game("depot")
DROP_OR_POP = droptable.game("drop-or-pop")


@kernel
def four_cards(_state):
    return 4


def moves(game, players=3, matches=200):
    return Simulation(game, players, game.start(players).options, seed=1).play(matches)


def test_a_constant_changes_what_follows_from_it():
    """With three to win Drop or Pop! is shorter; the game itself stays as it was."""
    before = moves(DROP_OR_POP)
    short = DROP_OR_POP.variant("drop-or-pop-three", constants={"TO_WIN": 3})
    assert moves(short) < 0.8 * before
    assert moves(DROP_OR_POP) == before
    assert "TO_WIN = 3" in str(short.variant_of)


def test_tables_that_are_worked_out_on_import_follow_too():
    """Another deck of Depot has other plays, tokens and hands, by one replaced array."""
    copies = COPIES[::-1].copy()
    variant = DEPOT.variant("depot-heavy", constants={"COPIES": copies})
    tokens = set(variant.vocabulary(variant.start(3).options).actions)
    assert tokens - set(DEPOT.vocabulary(DEPOT.start(3).options).actions)
    assert COPIES[0] == 13


def test_a_kernel_is_replaced_everywhere():
    """Hands of four cards are dealt, drawn, told and searched."""
    variant = DEPOT.variant("depot-short", rules={"hand_cards": four_cards}, title="Short Depot")
    record = droptable.play(variant, 3, bots=["greedy", "random", "search:10"], seed=1)
    dealt = [token for actor, token in record.events if actor == -1 and "deal" in token]
    assert len(dealt) < len(
        [token for actor, token in droptable.play(DEPOT, 3, seed=1).events if "deal" in token]
    )
    assert record.game.title == "Short Depot" and record.final.over


@pytest.mark.parametrize("base", droptable.games(), ids=lambda game: game.name)
def test_a_variant_without_changes_plays_the_same(base):
    """Every game can be varied; where nothing changes, the same events lead to the same bytes."""
    twin = base.variant(f"{base.name}-again")
    players = base.players[-1]
    first = droptable.play(base, players, seed=4)
    second = droptable.play(twin, players, seed=4)
    assert first.events == second.events
    assert bytes(first.final) == bytes(second.final)
    assert twin.rules.to_act is not base.rules.to_act


def test_a_variant_keeps_the_contract():
    """The contract suite holds for a variant as for its game."""
    check_game(DROP_OR_POP.variant("drop-or-pop-two", constants={"TO_WIN": 2}), 3, every=31)


def test_a_registered_variant_has_records(tmp_path, monkeypatch):
    """Records name the variant where it is known; anywhere else they say what differs."""
    variant = DROP_OR_POP.variant("drop-or-pop-record", constants={"COUNTERS": 5})
    record = droptable.play(variant, 3, seed=2)
    record.save(tmp_path / "match.json")
    again = droptable.open_record(tmp_path / "match.json")
    assert again.events == record.events and again.game.constants == {"COUNTERS": 5}
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    registry.register(variant)
    record.save(tmp_path / "match.json")
    assert '"drop-or-pop-record"' in (tmp_path / "match.json").read_text("utf-8")
    assert droptable.open_record(tmp_path / "match.json") == record


@kernel
def pop_when_many(state):
    return count_bits(occupied(state)) > COUNTERS


def test_a_kernel_from_outside_uses_what_the_variant_has():
    """It may call the game's kernels and use its constants: those of the variant."""
    changes = {"constants": {"COUNTERS": 3}, "rules": {"can_pop": pop_when_many}}
    variant = DROP_OR_POP.variant("drop-or-pop-late", **changes)
    state = variant.start(3)
    for turn in range(4):
        state.apply(-1, ("red", "blue", "yellow", "green")[turn])
        assert "pop" not in state.legal(turn % 3)
        state.apply(turn % 3, "drop")
    state.apply(-1, "red")
    assert "pop" in state.legal(1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"constants": {"HANDS": 3}}, "depot has no constant 'HANDS'; it has "),
        ({"constants": {"NO_PLAY": "x"}}, "depot: NO_PLAY is 'x'; expected int, as -1 is"),
        (
            {"constants": {"CARDS": 3}},
            r"several constants CARDS; name bot\.\w+\.CARDS or rules\.plays\.CARDS",
        ),
        ({"constants": {"COPIES": [1, 2]}}, r"COPIES has the shape \(2,\); expected \(8,\)"),
        ({"rules": {"hands": four_cards}}, "depot has no kernel 'hands'; it has "),
        ({"rules": {"hand_cards": len}}, "hand_cards is .*len.*; expected a kernel"),
    ],
)
def test_what_a_game_does_not_have_is_refused_by_name(changes, message):
    """The message names what was given, and what there is."""
    with pytest.raises(GameError, match=message):
        DEPOT.variant("depot-wrong", **changes)


def test_a_name_like_no_game_is_refused():
    """Variants are named like games."""
    with pytest.raises(GameError, match="lower-case words"):
        DEPOT.variant("Depot short")


VARIANT = """
import droptable
from droptable.core.compile import kernel

@kernel
def five(state):
    return 5

GAME = droptable.game("depot").variant("depot-five", rules={"hand_cards": five})
"""


def test_a_variant_in_a_file_is_known_to_every_command(tmp_path: Path):
    """`$DROPTABLE_GAMES` names a file with a variant: it is listed, simulated and played."""
    (tmp_path / "depot_five.py").write_text(VARIANT)
    environment = os.environ | {"DROPTABLE_GAMES": str(tmp_path / "depot_five.py")}
    command = [sys.executable, "-m", "droptable", "games"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "depot-five: Depot (depot-five), 3 to 5 players" in done.stdout, done.stderr
