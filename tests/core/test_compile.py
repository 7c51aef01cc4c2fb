"""Machine code follows what is compiled: kernels, constants, dtypes, with or without a file."""

import os
import subprocess
import sys

import numpy as np
import pytest

import droptable
from droptable.core.compile import CHECKED, COMPILED, PLAIN, Kernels, kernel, slot
from droptable.core.errors import GameError
from droptable.core.precompile import policy

compiled_only = pytest.mark.skipif(policy() == "never", reason="compilation is switched off here")
STEP = 1
WEIGHTS = np.array([1.0, 2.0])


@slot
def chosen_by_the_game(x: int) -> int:
    """A slot of this test."""
    return x


@kernel
def helper(x):
    return x + STEP


@kernel
def caller(x):
    return 2 * helper(x) + chosen_by_the_game(x)


@kernel
def weighted(i):
    return WEIGHTS[i]


@kernel
def countdown(n):
    return 0 if n == 0 else countdown(n - 1)


def digest(function, slots=None, world=COMPILED):
    return Kernels("test", slots or {}, world).digest(function)


def run(script, folder, **environment):
    done = subprocess.run(
        [sys.executable, "-"], input=script, capture_output=True, text=True, check=False,
        env=os.environ | {"DROPTABLE_CACHE": str(folder), "DROPTABLE_COMPILE": "now"} | environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_same_code_has_the_same_digest():
    """A digest says what is compiled, not when or by whom."""
    assert digest(caller) == digest(caller)
    assert digest(countdown) == digest(countdown)


def test_a_constant_changes_the_digest_of_all_who_reach_it(monkeypatch):
    """Machine code holds constants, so another value needs other code."""
    before = digest(caller)
    monkeypatch.setitem(globals(), "STEP", 3)
    assert digest(caller) != before


def test_an_array_counts_by_its_numbers(monkeypatch):
    """Weights that were learned anew are other weights, whatever file they come from."""
    before = digest(weighted)
    monkeypatch.setitem(globals(), "WEIGHTS", np.array([1.0, 2.0]))
    assert digest(weighted) == before
    monkeypatch.setitem(globals(), "WEIGHTS", np.array([1.0, 2.5]))
    assert digest(weighted) != before


def test_a_replaced_kernel_changes_the_digest(monkeypatch):
    """Another function of the same name in the same place is not the same code."""
    before = digest(caller)

    @kernel
    def other(x):
        return x - STEP

    monkeypatch.setitem(globals(), "helper", other)
    assert digest(caller) != before


def test_a_slot_counts_as_what_fills_it():
    """Generic loops have machine code of their own for each game."""
    assert digest(caller, {"chosen_by_the_game": helper}) != digest(caller)


def test_worlds_do_not_share_machine_code():
    """Code with bounds checks is never found by who wants none."""
    assert len({digest(caller, world=world) for world in (PLAIN, COMPILED, CHECKED)}) == 3


@compiled_only
def test_bounds_are_checked_where_that_is_wanted():
    """The checked world raises where a kernel leaves its array."""
    with pytest.raises(IndexError):
        Kernels("test", {}, CHECKED).twin(weighted)(7)


@compiled_only
def test_a_kernel_in_a_closure_is_compiled_with_what_it_caught():
    """A factory may make kernels; each has the numbers and kernels that it was made with."""

    def scaled(factor, inner):
        @kernel
        def product(x):
            return factor * inner(x)

        return product

    twin = Kernels("test", {}, COMPILED).twin
    assert twin(scaled(2, helper))(5) == 12
    assert twin(scaled(3, helper))(5) == 18


def not_marked(x):
    return x


@kernel
def calls_plain_python(x):
    return not_marked(x)


@kernel
def uses_a_module(x):
    return os.EX_OK + x


TABLE = {1: 2}


@kernel
def uses_a_dict(x):
    return TABLE[x]


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (calls_plain_python, "calls not_marked, which is not marked @kernel"),
        (uses_a_module, "uses the module os; import the kernels and constants it needs by name"),
        (uses_a_dict, "uses TABLE, a dict; expected numbers, arrays"),
        (not_marked, "is not marked @kernel"),
    ],
)
def test_what_cannot_be_compiled_is_refused_by_name(function, reason):
    """The message names the kernel, its place and what it may not use."""
    with pytest.raises(GameError, match=rf"test: .*{function.__name__}.* {reason}"):
        Kernels("test", {}, COMPILED).twin(function)


HANDS = """
import sys
import droptable
from droptable.core.compile import kernel
from droptable.games.depot import rules
from droptable.lab.simulate import Simulation
if {replace}:
    @kernel
    def hand_cards(state):
        return 3
    rules.{name} = hand_cards
game = droptable.game("depot")
print(Simulation(game, 3, game.start(3).options, seed=1).play(50))
"""


@compiled_only
def test_a_replaced_kernel_does_not_leak_into_other_processes(tmp_path):
    """Who replaces a rule of Depot in one process changes no other process by the cache."""
    untouched = HANDS.format(replace=False, name="hand_cards")
    replaced = HANDS.format(replace=True, name="hand_cards")
    first = run(untouched, tmp_path)
    other = run(replaced, tmp_path)
    assert other != first
    assert run(untouched, tmp_path) == first
    assert run(replaced, tmp_path) == other


FROM_ENVIRONMENT = """
import os
from droptable.core.compile import COMPILED, Kernels, kernel
SIZE = int(os.environ["SIZE"])

@kernel
def size():
    return SIZE

print(Kernels("environment", {}, COMPILED).twin(size)())
"""


@compiled_only
def test_kernels_without_a_file_work_and_constants_are_never_stale(tmp_path):
    """What comes from standard input, as from a notebook, is compiled and kept by its values."""
    assert [run(FROM_ENVIRONMENT, tmp_path, SIZE=size) for size in "575"] == ["5", "7", "5"]


NOTEBOOK = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell('''
from droptable.core.compile import COMPILED, Kernels, kernel
@kernel
def twice(x):
    return 2 * x
print(Kernels("notebook", {}, COMPILED).twin(twice)(21))
''').raise_error()
"""


@compiled_only
def test_kernels_of_a_notebook_cell_work(tmp_path):
    """A cell of IPython defines a kernel, and it runs compiled."""
    pytest.importorskip("IPython")
    assert run(NOTEBOOK, tmp_path) == "42"


@compiled_only
def test_machine_code_is_found_again(tmp_path):
    """A second process compiles nothing: it finds what the first one left."""
    script = (
        "import droptable as d\ng = d.game('drop-or-pop')\nd.play(g, 3, seed=1)\n"
        "apply = g.compiled.apply_at\nprint(sum(apply.stats.cache_misses.values()))"
    )
    assert run(script, tmp_path) == "1"
    assert run(script, tmp_path) == "0"


def test_every_kernel_of_every_game_can_be_linked():
    """No kernel of ours refers to anything that is no constant or kernel."""
    for game in droptable.games():
        for function in game.slots.values():
            assert digest(function, game.slots)
