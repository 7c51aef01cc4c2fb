"""Work by the clock stops in time, however much its iterations differ."""

from types import SimpleNamespace

import pytest

from droptable.bots import search_base


class Uneven(search_base.Work):
    """Iterations that take these seconds one after the other, the last one for ever."""

    def __init__(self, clock, seconds):
        self.clock, self.seconds = clock, seconds

    def run(self, iterations):
        for _ in range(iterations):
            self.clock.now += self.seconds[min(self.iterations, len(self.seconds) - 1)]
            self.iterations += 1

    def tally(self):
        return {}


@pytest.fixture
def clock(monkeypatch):
    """A clock that only iterations move."""
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(search_base, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


@pytest.mark.parametrize("fast", [0, 4, 8, 30])
def test_work_that_gets_slower_stops_in_time(clock, fast):
    """A few quick iterations at first promise too much: no long chunk follows from them."""
    uneven = Uneven(clock, [1e-6] * fast + [0.003])
    uneven.run_until(100.4)
    assert 100.4 <= clock.now < 100.6


def test_work_uses_its_time(clock):
    """Even work goes on until its time is up, and no longer than a chunk beyond it."""
    even = Uneven(clock, [0.00002])
    even.run_until(101.0)
    assert 101.0 <= clock.now < 101.0 + search_base.CHUNK_SECONDS
    assert even.iterations == pytest.approx(50_000, rel=0.02)
