"""Nobody waits for a compiler: plain at once, machine code when it is ready, the same match."""

import os
import subprocess
import sys
import time

import pytest

from droptable.core.precompile import policy

pytestmark = pytest.mark.skipif(policy() == "never", reason="compilation is switched off here")


def run(script, folder, mode="background"):
    environment = os.environ | {"DROPTABLE_CACHE": str(folder), "DROPTABLE_COMPILE": mode}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True
    )
    return done.stdout.strip()


def test_a_cold_match_runs_at_once_and_a_later_one_compiled(tmp_path):
    """The first process plays plain Python, leaves a compiler at work, and its result serves."""
    script = (
        "import droptable as d; g = d.game('drop-or-pop'); r = d.play(g, 3, seed=1); "
        "print(g.engine.compiled, r.final.scores)"
    )
    cold = run(script, tmp_path)
    assert cold.startswith("False")
    for _ in range(600):
        if list(tmp_path.glob("ready/*")):
            break
        time.sleep(0.1)
    warm = run(script, tmp_path)
    assert warm.startswith("True")
    assert warm.split(" ", 1)[1] == cold.split(" ", 1)[1]


def test_never_means_never(tmp_path):
    """With compilation off, nothing is compiled and nothing is written."""
    script = (
        "import sys, droptable as d; d.play(d.game('drop-or-pop'), 3, seed=1); "
        "print('numba' in sys.modules)"
    )
    assert run(script, tmp_path, mode="never") == "False"
    assert not list(tmp_path.rglob("*.nbi"))


LOCAL = """
import time
import droptable
game = droptable.game("drop-or-pop").variant("drop-or-pop-local", constants={"TO_WIN": 3})
before = game.engine.compiled
for _ in range(600):
    if game.engine.compiled:
        break
    time.sleep(0.1)
print(before, game.engine.compiled, droptable.play(game, 3, seed=1).final.over)
"""


def test_a_game_that_no_other_process_knows_is_compiled_here(tmp_path):
    """A game of a notebook is played at once, and compiled by a thread of its own process."""
    assert run(LOCAL, tmp_path) == "False True True"
