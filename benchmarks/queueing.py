"""A simulation of moves through servers, databases and the lock of NOTIFY, by measured times.

A server process decides on moves one after the other, and its writer commits what waits, together.
A batch needs a core of the database for each of its moves, and then the disk; with NOTIFY, only one
commit of a database can be at the disk at a time. Then the process publishes the moves.
"""

import heapq
import itertools
import random
from collections import deque
from dataclasses import dataclass

SECONDS = 3.0  # to simulate at least, or too high a load would not show
MOST_AT_ONCE = 256  # moves in one commit, as in droptable.tables.worker


@dataclass(frozen=True)
class Costs:
    """Milliseconds of each part of a move."""

    decide: float  # of a server's processor, before the commit
    publish: float  # … and after it
    write: float  # of a database's core, per move
    commit: float  # until a commit is on disk, however many moves it has


@dataclass(frozen=True)
class Cell:
    """Servers that share one database."""

    processes: int
    cores: int  # of the database
    notify: bool  # whether commits tell of themselves by NOTIFY


class Station:
    """Some equal servers with one queue; times are drawn by whoever is served."""

    def __init__(self, events, servers):
        self._events = events
        self._free = servers
        self._queue = deque()

    def serve(self, now, seconds, done):
        """Serve somebody for so long, as soon as there is a free server, then call `done`."""
        self._queue.append((seconds, done))
        self._next(now)

    def _next(self, now):
        if self._free and self._queue:
            self._free -= 1
            seconds, done = self._queue.popleft()
            self._events.at(now + seconds, lambda then: self._finish(then, done))

    def _finish(self, now, done):
        self._free += 1
        done(now)
        self._next(now)


class Events:
    """What happens when, in the order of time."""

    def __init__(self):
        self._heap = []
        self._number = itertools.count()

    def at(self, when, what):
        """Call something at a time, with that time."""
        heapq.heappush(self._heap, (when, next(self._number), what))

    def run(self):
        """Let everything happen."""
        while self._heap:
            when, _, what = heapq.heappop(self._heap)
            what(when)


class Process:
    """A server process: one thread of Python, and a writer with its own connection."""

    def __init__(self, events, costs, cores, disk, chance):
        self._costs = costs
        self._cores = cores
        self._disk = disk
        self._chance = chance
        self._cpu = Station(events, 1)
        self._waiting = []
        self._writing = False

    def move(self, now, told):
        """A move arrives; `told` is called when everybody has been sent it."""
        self._cpu.serve(now, self._draw(self._costs.decide), lambda then: self._decided(then, told))

    def _decided(self, now, told):
        self._waiting.append(told)
        if not self._writing:
            self._write(now)

    def _write(self, now):
        batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
        self._writing = bool(batch)
        if batch:
            work = sum(self._draw(self._costs.write) for _ in batch)
            self._cores.serve(now, work, lambda then: self._commit(then, batch))

    def _commit(self, now, batch):
        self._disk.serve(
            now, self._draw(self._costs.commit), lambda then: self._committed(then, batch)
        )

    def _committed(self, now, batch):
        for told in batch:
            self._cpu.serve(now, self._draw(self._costs.publish), told)
        self._write(now)

    def _draw(self, mean):
        """Half of it always, the rest by chance."""
        return mean / 2 + self._chance.expovariate(2 / mean) if mean else 0.0


def latencies(costs, cell, moves_a_second, moves=30_000, seed=1):
    """The milliseconds of each move at this load, in a cell, without the first tenth."""
    chance = random.Random(seed)
    events = Events()
    cores = Station(events, cell.cores)
    disk = Station(events, 1 if cell.notify else cell.processes)
    processes = [Process(events, costs, cores, disk, chance) for _ in range(cell.processes)]
    taken, now = [], 0.0
    for number in range(moves):
        now += chance.expovariate(moves_a_second / 1000)
        process = chance.choice(processes)

        def arrive(when, process=process, number=number):
            process.move(when, lambda then: taken.append((number, then - when)))

        events.at(now, arrive)
    events.run()
    return [took for number, took in taken if number >= moves // 10]


def p99(values):
    """The 99th percentile."""
    return sorted(values)[int(0.99 * len(values))]


def most_moves(costs, cell, limit=100.0, moves=2000):
    """The highest load, in moves per second, at which p99 stays below so many milliseconds."""

    def bearable(load):
        count = max(moves, int(SECONDS * load))
        return p99(latencies(costs, cell, load, count)) < limit

    low = high = 100.0
    while bearable(high):
        low, high = high, 2 * high
    while high / low > 1.03:
        middle = (low * high) ** 0.5
        if bearable(middle):
            low = middle
        else:
            high = middle
    return low
