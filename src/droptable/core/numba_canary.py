"""What we rely on in Numba beyond its promises, each with a check and what would break.

`python -m droptable.core.numba_canary` runs all checks and names those that fail: run it first when
a new version of Numba is to be allowed in pyproject.toml.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from droptable.core.numba_probe import PRIVATE, understands

Check = Callable[[], None]
STATE = np.dtype([("turn", "i1"), ("hands", "i2", (2, 3))])
# A twin is a function with other globals. This program compiles one into the folder that it is
# given and prints how often machine code was loaded from there instead of being made.
TWIN = """
import sys, numba
from droptable.core.numba_canary import compiled_twin
numba.config.CACHE_DIR = sys.argv[1]
twin = compiled_twin(sys.argv[2], cache=True)
assert twin(1) == 42
print(sum(twin.stats.cache_hits.values()))
"""
OUTSIDE = """
import numba, numpy
from droptable.core.numba_canary import _look
try:
    numba.njit(_look)(numpy.zeros(3), 3)
except IndexError as error:
    print(type(error).__name__)
"""


@dataclass(frozen=True)
class Reliance:
    """Something of Numba's, who depends on it, and a check that raises if it is not so."""

    name: str
    dependents: str
    check: Check


def failures(reliances: tuple[Reliance, ...] | None = None) -> list[str]:
    """A sentence for everything that does not work: what it is, who depends on it, and why."""
    sentences = []
    for reliance in RELIANCES if reliances is None else reliances:
        try:
            reliance.check()
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".strip().partition("\n")[0]
            sentences.append(f"{reliance.name} failed ({reason}); {reliance.dependents}")
    return sentences


def compiled_twin(file: str = __file__, **options: Any) -> Any:
    """`_borrowing` with a global of its own, as if it stood in that file: how kernels are made."""
    names = {**globals(), "_borrowed": _njit(_answer)}
    code = _borrowing.__code__.replace(co_filename=file, co_firstlineno=1)
    twin = FunctionType(code, names, _borrowing.__name__)
    twin.__module__, twin.__qualname__ = _borrowing.__module__, "twin_of_borrowing"
    return _njit(twin, **options)


# -- functions to be compiled ---------------------------------------------------------------------


def _answer(number: int) -> int:
    return number + 41


def _borrowed(number: int) -> int:
    return -number


def _borrowing(number: int) -> int:
    return _borrowed(number)


def _halve(number: float, parts: int) -> float:
    return number / parts + 7 // parts


def _look(cells: Any, i: int) -> float:
    return float(cells[i])


def _move(states: Any, i: int) -> int:
    states[i]["hands"][1, 2] += 5
    return int(states[i]["hands"][1, 2])


def _pass_turn(state: Any) -> int:
    state["turn"] = 1 - state["turn"]
    state["hands"][1, 2] += 5
    return int(state["hands"].sum())


def _pass_turns(states: Any, i: int) -> int:
    return _pass_turn(states[i])


# -- checks ---------------------------------------------------------------------------------------


def _without_counts() -> None:
    assert understands(**PRIVATE), "the option is not known"
    counted, plain = _njit(_move), _njit(_move, **PRIVATE)
    states = np.zeros(2, STATE)
    assert counted(states, 0) == plain(states, 1) == 5
    assert "NRT_" not in _assembly(plain), "reference counts are still there"


def _known_options() -> None:
    assert understands(nogil=True, error_model="numpy", boundscheck=None, cache=False)


def _errors_as_in_numpy() -> None:
    halve = _njit(_halve, error_model="numpy")
    with np.errstate(all="ignore"):
        assert halve(1.0, 2) == 3.5
        assert halve(1.0, 0) == np.inf


def _without_gil() -> None:
    released, held = _njit(_answer, nogil=True), _njit(_answer)
    assert released(1) == held(1) == 42
    assert "PyEval_SaveThread" in _assembly(released), "compiled code keeps the GIL"
    assert "PyEval_SaveThread" not in _assembly(held), "PyEval_SaveThread no longer tells"


def _records() -> None:
    names = {**globals(), "_pass_turn": _njit(_pass_turn)}
    by_index = _njit(FunctionType(_pass_turns.__code__, names))
    states = np.zeros(2, STATE)
    assert names["_pass_turn"](states[1]) == 5
    assert by_index(states, 1) == 10
    assert states["turn"].tolist() == [0, 0]
    assert states["hands"][:, 1, 2].tolist() == [0, 10]


def _twins() -> None:
    assert compiled_twin()(1) == 42, "a function with other globals calls the old ones"
    assert _borrowing(1) == -1


def _cache_folder() -> None:
    with tempfile.TemporaryDirectory(prefix="droptable-canary-") as folder:
        file = Path(folder) / "twin.py"
        file.write_text("# stands for a kernel that is in no file\n", "utf-8")
        hits = [_python(TWIN, folder, str(file)) for _process in range(2)]
        assert any(Path(folder).rglob("*.nbi")), "nothing was written to numba.config.CACHE_DIR"
    assert [int(text) for text in hits] == [0, 1], f"machine code was loaded {hits} times"


def _bounds_checks() -> None:
    look = _njit(_look, boundscheck=True)
    assert look(np.zeros(3), 2) == 0
    try:
        look(np.zeros(3), 3)
    except IndexError:
        pass
    else:
        raise AssertionError("the option finds nothing")
    assert _python(OUTSIDE, NUMBA_BOUNDSCHECK="1") == "IndexError", "the variable finds nothing"


def _njit(function: Callable[..., Any], **options: Any) -> Any:
    import numba

    return numba.njit(function, **options)


def _assembly(compiled: Any) -> str:
    return "\n".join(compiled.inspect_asm().values())


def _python(program: str, *arguments: str, **variables: str) -> str:
    """What a program prints in a process of its own; its last words if it fails."""
    switched_off = {"NUMBA_DISABLE_JIT": "0", "NUMBA_BOUNDSCHECK": "0"}
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True, text=True, check=False,
        env={**os.environ, **switched_off, **variables},
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(done.stderr.strip().rpartition("\n")[2])
    return done.stdout.strip()


RELIANCES = (
    Reliance(
        "public options of njit (nogil, error_model, boundscheck, cache)",
        "core/compile.py passes them to every kernel",
        _known_options,
    ),
    Reliance(
        "njit's private option _nrt",
        "kernels work without it, but calls get slower (core/numba_probe.py)",
        _without_counts,
    ),
    Reliance(
        "error_model='numpy'",
        "a division by zero in a kernel would raise instead of giving inf",
        _errors_as_in_numpy,
    ),
    Reliance(
        "nogil",
        "batches, vector environments and searches would use one core (core/batch.py, envs, bots)",
        _without_gil,
    ),
    Reliance(
        "records as arguments",
        "every rule takes its state as a NumPy record (games/*/rules, core/loops.py)",
        _records,
    ),
    Reliance(
        "functions with replaced globals",
        "twins would call plain Python or another game's rules (core/compile.py)",
        _twins,
    ),
    Reliance(
        "numba.config.CACHE_DIR and the cache on disk",
        "every process would compile again, or load the wrong kernels (core/compile.py)",
        _cache_folder,
    ),
    Reliance(
        "bounds checks, by option and by $NUMBA_BOUNDSCHECK",
        "`make checked` and check_game would miss kernels that write outside an array",
        _bounds_checks,
    ),
)


def main() -> None:
    """Run every check; exit with a sentence for each that failed."""
    import numba

    broken = failures()
    if broken:
        sys.exit("\n".join(f"Numba {numba.__version__}: {sentence}" for sentence in broken))
    print(f"Numba {numba.__version__} does all {len(RELIANCES)} things that we rely on.")


if __name__ == "__main__":
    main()
