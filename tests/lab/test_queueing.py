"""The simulation behind docs/scale.md agrees with what can be calculated."""

import pytest

from benchmarks.queueing import Cell, Costs, Events, Station, latencies, most_moves, p99


def test_a_station_serves_in_order_and_never_more_than_it_can():
    """Three come at once to two servers: the third waits for the first to be free."""
    events, done = Events(), []
    station = Station(events, 2)
    for name, seconds in (("a", 5.0), ("b", 2.0), ("c", 1.0)):
        station.serve(0.0, seconds, lambda then, name=name: done.append((name, then)))
    events.run()
    assert done == [("b", 2.0), ("c", 3.0), ("a", 5.0)]


def test_an_idle_cell_takes_what_its_parts_take():
    """At almost no load a move takes the sum of all times on average."""
    costs = Costs(decide=0.4, publish=0.2, write=0.1, commit=2.0)
    taken = latencies(costs, Cell(2, 2, notify=True), 1.0, 4000)
    assert sum(taken) / len(taken) == pytest.approx(2.7, rel=0.05)


def test_a_process_is_full_when_its_processor_is():
    """Where nothing else costs, the most moves are near one per decision and publication."""
    costs = Costs(decide=0.5, publish=0.5, write=0.001, commit=0.01)
    assert most_moves(costs, Cell(1, 4, notify=False), moves=2000) == pytest.approx(1000, rel=0.25)


def test_notify_lets_one_commit_at_a_time():
    """A slow disk: with NOTIFY each further process waits for all others' commits."""
    costs = Costs(decide=0.1, publish=0.1, write=0.01, commit=5.0)
    alone = p99(latencies(costs, Cell(1, 4, notify=True), 100.0, 4000))
    crowd = p99(latencies(costs, Cell(16, 4, notify=True), 1600.0, 8000))
    free = p99(latencies(costs, Cell(16, 4, notify=False), 1600.0, 8000))
    assert free < 1.5 * alone and crowd > 2 * free
