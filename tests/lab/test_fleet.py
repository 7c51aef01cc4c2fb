"""The fleet: results in any order, errors, dead workers, and chunks that are decided late."""

import os
import signal

import pytest

from droptable.core.errors import DroptableError, OptionError
from droptable.lab.fleet import Fleet


def square(number):
    """A chunk's work."""
    return number * number


def die_once(chunk):
    """A worker that is killed the first time it does chunk 3."""
    number, marker = chunk
    if number == 3 and not os.path.exists(marker):
        with open(marker, "w"):
            os.kill(os.getpid(), signal.SIGKILL)
    return number


def die(_chunk):
    """A chunk that kills every worker."""
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(number):
    """A chunk that fails."""
    raise OptionError(f"number is {number}")


@pytest.mark.parametrize("workers", [1, 2])
def test_every_chunk_is_done_once(workers):
    """Results come with their indices, here as on others; the fleet can be used again."""
    with Fleet(workers=workers) as fleet:
        assert dict(fleet.map(square, range(7))) == {n: n * n for n in range(7)}
        assert dict(fleet.map(square, [])) == {}
        with pytest.raises(OptionError, match="number is 4"):
            list(fleet.map(refuse, [4]))
        assert dict(fleet.map(square, [5])) == {0: 25}


def test_a_dead_worker_costs_only_its_chunk(tmp_path):
    """A killed process is replaced, and what it was doing is done again."""
    with Fleet(workers=2) as fleet:
        chunks = [(number, str(tmp_path / "died")) for number in range(6)]
        assert dict(fleet.map(die_once, chunks)) == dict(enumerate(range(6)))
        assert 1 <= fleet.repeated <= 2


def test_a_chunk_that_kills_every_worker_is_named():
    """After some tries it is not tried any more."""
    with Fleet(workers=2) as fleet, pytest.raises(DroptableError, match=r"workers died .*chunk 0"):
        list(fleet.map(die, ["deadly"]))


def test_chunks_can_depend_on_results():
    """Chunks are asked for late, so results decide how many there are."""
    seen = []

    def chunks():
        while sum(seen) < 10:
            yield 2

    with Fleet(workers=1) as fleet:
        for _, result in fleet.map(square, chunks()):
            seen.append(result)
    assert 3 <= len(seen) <= 5


@pytest.mark.parametrize(
    ("given", "error"),
    [({"on": "moon"}, "on is 'moon'; expected 'local', 'ray'"), ({"workers": 0}, "workers is 0")],
)
def test_wrong_fleets_are_refused(given, error):
    """The value is named, and what was expected."""
    with pytest.raises(OptionError, match=error):
        Fleet(**given)


def test_no_cluster_is_said_clearly():
    """An address where nobody listens is an error in one line."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'droptable[ray]'")
    with pytest.raises(DroptableError, match=r"no Ray cluster at ray://127\.0\.0\.1:9"):
        list(Fleet("ray://127.0.0.1:9").map(square, [1]))
