"""Options of Numba's that are not promised are used only where they are understood."""

from __future__ import annotations

import numba
import pytest

from droptable.core import numba_canary, numba_probe


@pytest.fixture
def njit_without(monkeypatch):
    """A Numba that no longer knows an option: it raises, or (as a version may) ignores it."""
    njit = numba.njit

    def without(option, error=None):
        def other_njit(function, **options):
            if error is not None and option in options:
                raise error
            options.pop(option, None)
            return njit(function, **options)

        monkeypatch.setattr(numba, "njit", other_njit)

    numba_probe.supported_options.cache_clear()
    yield without
    numba_probe.supported_options.cache_clear()


def test_private_options_are_used_where_they_are_understood():
    """The Numba that is installed compiles kernels without reference counts."""
    assert numba_probe.supported_options() == {"_nrt": False}


@pytest.mark.parametrize("error", [KeyError("Unrecognized options"), TypeError("unexpected")])
def test_a_numba_without_private_options_still_compiles(njit_without, error):
    """Where Numba refuses the private option, kernels are compiled without it."""
    njit_without("_nrt", error)
    options = numba_probe.supported_options()
    assert options == {}
    assert numba.njit(numba_canary._answer, nogil=True, **options)(1) == 42


def test_options_are_read_when_something_is_compiled():
    """The probe compiles: merely decorating a function accepts any option."""
    assert not numba_probe.understands(no_such_option=True)


@pytest.mark.parametrize("reliance", numba_canary.RELIANCES, ids=lambda r: r.name)
def test_canary(reliance):
    """The Numba that is installed does what we rely on."""
    assert numba_canary.failures((reliance,)) == []


@pytest.mark.parametrize(
    ("option", "error", "name", "dependents"),
    [
        ("_nrt", KeyError("Unrecognized options: _nrt"), "_nrt", "calls get slower"),
        ("_nrt", None, "_nrt", "calls get slower"),
        ("error_model", None, "error_model", "division by zero"),
        ("nogil", None, "nogil", "one core"),
        ("boundscheck", None, "bounds checks", "outside an array"),
    ],
)
def test_the_canary_names_what_broke(njit_without, option, error, name, dependents):
    """A Numba that refuses or ignores an option is told apart, with who depends on it."""
    njit_without(option, error)
    quick = tuple(r for r in numba_canary.RELIANCES if "CACHE_DIR" not in r.name)
    (sentence,) = numba_canary.failures(quick)
    assert name in sentence.partition(" failed ")[0]
    assert dependents in sentence


def test_the_canary_speaks_on_the_command_line(monkeypatch, capsys):
    """The command exits with a sentence for each failure, and says so if there is none."""
    monkeypatch.setattr(numba_canary, "RELIANCES", ())
    numba_canary.main()
    assert numba.__version__ in capsys.readouterr().out

    def broken():
        raise RuntimeError("no such thing")

    thing = numba_canary.Reliance("a thing", "nothing would work", broken)
    monkeypatch.setattr(numba_canary, "RELIANCES", (thing,))
    with pytest.raises(SystemExit, match=r"a thing failed.*no such thing.*nothing would work"):
        numba_canary.main()
