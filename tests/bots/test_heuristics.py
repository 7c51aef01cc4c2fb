"""A game's heuristics are checked when they are made, by mypy and by Python."""

# ruff: noqa: ARG001

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import droptable
from droptable.core.chance import generators
from droptable.core.compile import PLAIN, SLOTS, Kernels, kernel
from droptable.core.heuristics import (
    Heuristics,
    SearchSettings,
    TurnPlanner,
    final_shares,
    greedy_move,
    noisy_greedy_move,
    rollout_move,
)


@kernel
def flat(state: Any, seat: int, action: int) -> float:
    return 0.5


@kernel
def plan(state: Any, seat: int, limit: int, plans: Any, worths: Any, scratch: Any) -> int:
    return 0


@kernel
def play(state: Any, seat: int, plans: Any, worths: Any, scratch: Any) -> None:
    pass


@kernel
def first(state: Any, seat: int, ids: Any, count: int, random: Any) -> int:
    return int(ids[0])


def unmarked(state: Any, seat: int, action: int) -> float:
    return 0.5


def test_kernels_are_named_by_their_slots() -> None:
    """Only what is given fills a slot, whatever the function's own name; a planner fills two."""
    planner = TurnPlanner(plan, play, length=3, scratch=1)
    assert Heuristics().kernels() == {}
    assert Heuristics(heuristic=flat).kernels() == {"heuristic": flat}
    assert Heuristics(turn_planner=planner).kernels() == {"plan_turns": plan, "play_turn": play}


def test_every_slot_has_a_field() -> None:
    """No slot can be filled but by a field of its name, and no kernel field lacks a slot."""
    given = {f.name for kind in (Heuristics, TurnPlanner) for f in fields(kind)}
    others = {"search", "levels", "turn_planner", "length", "scratch"}
    slots = {name for name, slot in SLOTS.items() if slot.__module__ == Heuristics.__module__}
    assert given - others == slots


@pytest.mark.parametrize("wrong", [unmarked, rollout_move, 3])
def test_what_is_no_kernel_is_refused(wrong: Any) -> None:
    """A function without @kernel, a slot itself or a number is named in one sentence."""
    with pytest.raises(droptable.DroptableError, match=r"^Heuristics: heuristic is .*kernel$"):
        Heuristics(heuristic=wrong)
    with pytest.raises(droptable.DroptableError, match=r"^TurnPlanner: play_turn is .*kernel$"):
        TurnPlanner(plan, wrong, length=3, scratch=1)


def test_unknown_names_are_refused() -> None:
    """A misspelt kernel or setting is an error at once, not a silent default."""
    with pytest.raises(TypeError, match="heuristics"):
        Heuristics(heuristics=flat)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="explorations"):
        SearchSettings(explorations=1.0)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("exploration", -0.1),
        ("prior_weight", float("nan")),
        ("widening", -1.0),
        ("opponent_rollouts", 1.5),
        ("rollout_noise", -1.0),
        ("rollout_limit", -1),
        ("lookahead", -1),
        ("burn_in", -1),
        ("max_nodes", 1),
    ],
)
def test_impossible_settings_are_refused(name: str, value: float) -> None:
    """A value out of range is refused with its name and what was expected."""
    with pytest.raises(droptable.DroptableError, match=rf"^{name} is .*expected"):
        SearchSettings(**{name: value})  # type: ignore[arg-type]


def test_two_rollout_policies_are_refused() -> None:
    """Rollouts follow a kernel or the heuristic with noise, not both."""
    with pytest.raises(droptable.DroptableError, match="rollout_move and rollout_noise"):
        Heuristics(rollout_move=first, search=SearchSettings(rollout_noise=0.1))


WRONG = """
from typing import Any
from droptable.core.heuristics import Heuristics

def cutoff(state: Any) -> bool: return False
def heuristic(state: Any, seat: int, action: int) -> str: return ""
Heuristics(cutoff=cutoff)
Heuristics(heuristic=heuristic)
Heuristics(outlook=heuristic)
"""


def test_mypy_sees_wrong_signatures(tmp_path: Path) -> None:
    """Too few parameters, another return type and an unknown name are type errors."""
    script = tmp_path / "wrong.py"
    script.write_text(WRONG)
    source = Path(droptable.__file__).parents[1]
    command = [sys.executable, "-m", "mypy", "--follow-imports=silent", "--config-file=",
               "--cache-dir", str(tmp_path), str(script)]  # fmt: skip
    done = subprocess.run(
        command, capture_output=True, text=True, env={"MYPYPATH": str(source)}, check=False
    )
    errors = [line for line in done.stdout.splitlines() if "error" in line and "wrong.py" in line]
    assert [line.rsplit("[", 1)[1] for line in errors] == ["arg-type]", "arg-type]", "call-arg]"]


def test_noise_decides_only_between_moves_that_are_rated_alike() -> None:
    """Up to the noise, worse moves are made too; a much better one always."""
    game = droptable.game("drop-or-pop")
    state = game.start(3)
    state.fields["counters"][0] = 1 | 1 << 8 | 1 << 16
    state.apply(-1, "green")
    ids = np.array(state.legal_ids(0), np.int32)
    twin = game.plain.kernels.twin(noisy_greedy_move)
    random = generators(1, 3)
    winning = state.game.vocabulary(state.options).action_ids["drop"]
    chosen = {twin(state.fields, 0, ids, len(ids), 0.3, random) for _ in range(30)}
    assert chosen == {winning}
    chosen = {twin(state.fields, 0, ids, len(ids), 100.0, random) for _ in range(30)}
    assert chosen == set(ids.tolist())


def test_greedy_makes_the_best_move_and_any_of_equals() -> None:
    """The winning move always; where the game rates none, each of the legal ones now and then."""
    game = droptable.game("drop-or-pop")
    state = game.start(3)
    state.fields["counters"][0] = 1 | 1 << 8 | 1 << 16
    state.apply(-1, "green")
    ids = np.array(state.legal_ids(0), np.int32)
    winning = game.vocabulary(state.options).action_ids["drop"]
    unrated = {name: body for name, body in game.slots.items() if name != "heuristic"}
    for slots, best in ((game.slots, {winning}), (unrated, set(ids.tolist()))):
        twin = Kernels("greedy", slots, PLAIN).twin(greedy_move)
        random = generators(1, 3)
        chosen = {twin(state.fields, 0, ids, len(ids), random) for _ in range(40)}
        assert chosen == best


def test_the_default_value_is_the_result() -> None:
    """Before the end all seats share alike; after it the winners do; alone, score / 100 counts."""
    values, points = np.zeros(8), np.zeros(8, np.int32)
    for name, players in (("drop-or-pop", 3), ("number-drop", 1)):
        game = droptable.game(name)
        twin = game.plain.kernels.twin(final_shares)
        twin(game.start(players).fields, points, values)
        assert values[:players].tolist() == [1 / players] * players
        final = droptable.play(game, players, seed=1).final
        twin(final.fields, points, values)
        if players == 1:
            assert values[0] == final.scores[0] / 100
        else:
            shares = [(seat in final.winners) / len(final.winners) for seat in range(players)]
            assert values[:players].tolist() == shares
