"""Break servers, databases, links, clocks and disks while people play, and judge what they saw.

`python benchmarks/faults.py --hours 1` (as root, for all kinds of faults) plays on SQLite with one
server, then on PostgreSQL with two. Servers and PostgreSQL are killed and stopped, cut off from
each other and from their clients, their clocks jump, and the disk is full for a while
(`fault_world.py`). People and spectators play on and write down what they sent, what was answered
and everything they were shown (`fault_clients.py`). `fault_checker.py`, which knows nothing of the
server, then compares their histories with the database. Exits 1 if anything was lost, doubled or
reordered, if two viewers disagree, if a skewed clock ran out, or if a server did not recover.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path

os.environ["DROPTABLE_COMPILE"] = "never"  # so that servers start at once

import httpx
from fault_checker import check, keep, read_database, read_histories, summary
from fault_clients import BROKEN, Notes, keep_playing
from fault_world import POSTGRES, World
from serving import find_postgresql

STUCK_SECONDS = 120.0  # without any progress, or until a server is well again
BETWEEN = 10  # acknowledged commands between a fault and the next: people get on
TWO_AT_ONCE = 0.2  # how often a second fault comes while the first lasts
SKEW = 3600.0  # seconds that a clock may be off
FULL_SECONDS = 6.0  # at most, until somebody notices a full disk
SETTINGS = {  # all clients have one address
    "commands_a_second": 1e6, "chats_a_minute": 1e6, "identities_an_hour": 1e6,
    "sockets_each": 10**6, "requests_a_minute": 1e9, "megabytes_a_minute": 1e6,
    "watchers_each": 10**6, "tables_each": 10**6,
    "bot_processes": 1, "bot_pace": 0, "log": "warning",
}  # fmt: skip


class Faults:
    """All kinds of faults that a world allows, each for a moment."""

    def __init__(self, world, notes, chance, only=None):
        self._world = world
        self._notes = notes
        self._chance = chance
        self.kinds = {
            "kill a server": lambda: self._kill(self._server),
            "stop a server": lambda: self._stop(self._server),
        }
        on_postgres = world.kind == "postgresql"
        if on_postgres:
            self.kinds["kill PostgreSQL"] = lambda: self._kill(POSTGRES)
            self.kinds["stop PostgreSQL"] = lambda: self._stop(POSTGRES)
        if world.has_links:
            self.kinds["cut a server off from clients"] = lambda: self._cut(world.cut_clients)
        if world.has_links and on_postgres:
            self.kinds["cut a server off from PostgreSQL"] = lambda: self._cut(world.cut_database)
        if world.has_clocks:
            self.kinds["skew a clock"] = self._skew
        if world.has_disk:
            self.kinds["fill the disk"] = self._fill
        if only is not None:
            self.kinds = {kind: fault for kind, fault in self.kinds.items() if kind in only}

    async def inject(self, kind):
        """Break something, and mend it after a moment."""
        await self.kinds[kind]()

    @property
    def _server(self):
        return self._chance.choice(self._world.servers)

    async def _pause(self):
        await asyncio.sleep(self._chance.choice((0.1, 0.3, 1.0, 3.0, 6.0)))

    async def _kill(self, who):
        await asyncio.to_thread(self._world.kill, who)
        await asyncio.sleep(self._chance.choice((0.0, 0.0, 1.0)))
        self._world.start(who)

    async def _stop(self, who):
        self._world.stop(who, on=True)
        await self._pause()
        self._world.stop(who, on=False)

    async def _cut(self, cut):
        number = self._server
        await asyncio.to_thread(cut, number, on=True)
        await self._pause()
        await asyncio.to_thread(cut, number, on=False)

    async def _skew(self):
        """From now on; another fault of this kind sets it right, or worse."""
        seconds = self._chance.choice((0.0, self._chance.uniform(-SKEW, SKEW)))
        self._world.set_clock(self._chance.choice(self._world.all), seconds)
        await self._pause()

    async def _fill(self):
        """Until a server says that it cannot write any more."""
        await asyncio.to_thread(self._world.fill_disk, on=True)
        end = time.monotonic() + FULL_SECONDS
        while time.monotonic() < end:
            if any(status == 503 for status in await health(self._world)):
                self._notes.counts["full disks that /healthz told"] += 1
                break
            await asyncio.sleep(0.2)
        await self._pause()
        await asyncio.to_thread(self._world.fill_disk, on=False)


async def health(world):
    """What `/healthz` of each server says; 0 if nothing."""
    found = []
    async with httpx.AsyncClient(verify=False, timeout=5.0) as http:
        for address in world.addresses:
            found.append(0)
            with suppress(*BROKEN):
                found[-1] = (await http.get(f"http://{address}/healthz")).status_code
    return found


class Goal:
    """How long to go on: a number of faults and of acknowledged commands, or a time."""

    def __init__(self, faults, commands, hours):
        self.faults = faults
        self.commands = commands
        self.seconds = hours * 3600

    def is_reached(self, commands, faults, seconds):
        """Whether it is enough."""
        return seconds >= self.seconds or (faults >= self.faults and commands >= self.commands)

    def is_due(self, commands, faults, seconds):
        """Whether the next fault is due, so that faults and commands are reached together."""
        return faults < self.faults * max(commands / self.commands, seconds / self.seconds)


class Breaker:
    """Breaks things at random moments, while people get on, until it is enough."""

    def __init__(self, world, notes, goal, chance, only):
        self._world = world
        self._notes = notes
        self._goal = goal
        self._chance = chance
        self._faults = Faults(world, notes, chance, only)
        self.made = Counter()
        self.recoveries = defaultdict(list)  # seconds until all servers are well, by kind
        self.began = time.monotonic()

    @property
    def _acknowledged(self):
        return self._notes.counts["acknowledged"]

    async def run(self, groups):
        """Break things until the goal is reached."""
        last = time.monotonic()
        while not self._enough():
            before = self._acknowledged
            while not self._is_next(before):
                for group in groups:
                    if group.done():
                        group.result()  # raises: a client has failed
                if self._acknowledged > before:
                    last = time.monotonic()
                if time.monotonic() - last > STUCK_SECONDS:
                    self._notes.oddities[f"nobody gets on after {self.made.total()} faults"] += 1
                    return
                if self._enough():
                    return
                await asyncio.sleep(0.02)
            await self._break()

    def _enough(self):
        return self._goal.is_reached(
            self._acknowledged, self.made.total(), time.monotonic() - self.began
        )

    def _is_next(self, before):
        return (
            bool(self._faults.kinds)
            and self._acknowledged >= before + BETWEEN
            and self._goal.is_due(
                self._acknowledged, self.made.total(), time.monotonic() - self.began
            )
        )

    async def _break(self):
        kinds = [self._chance.choice(list(self._faults.kinds))]
        if self._chance.random() < TWO_AT_ONCE:
            kinds.append(self._chance.choice(list(self._faults.kinds)))
        kinds = list(dict.fromkeys(kinds))  # two of a kind would mend each other
        self.made.update(kinds)
        await asyncio.gather(*map(self._faults.inject, kinds))
        mended = time.monotonic()
        await self._until_well(" and ".join(kinds))
        what = kinds[0] if len(kinds) == 1 else "two at once"
        self.recoveries[what].append(time.monotonic() - mended)

    async def _until_well(self, kind):
        end = time.monotonic() + STUCK_SECONDS
        while time.monotonic() < end:
            for who in self._world.restart_ended():
                name = "PostgreSQL" if who == POSTGRES else "a server"
                self._notes.counts[f"{name} ended by itself"] += 1
            if set(await health(self._world)) == {200}:
                return
            await asyncio.sleep(0.1)
        self._notes.oddities[f"not well {STUCK_SECONDS:.0f} s after: {kind}"] += 1

    async def report(self):
        """Print a line about how it goes, once a minute."""
        while True:
            await asyncio.sleep(60)
            print(f"  {self._line()}", flush=True)

    def _line(self):
        return (
            f"{time.monotonic() - self.began:.0f} s: {self.made.total()} faults, "
            f"{self._acknowledged} commands acknowledged, {self._notes.counts['tables']} tables"
        )


async def play_and_break(world, notes, goal, arguments):
    """A run; returns its breaker."""
    chance = random.Random(arguments.seed)
    breaker = Breaker(world, notes, goal, chance, arguments.only)
    groups = [
        asyncio.create_task(keep_playing(world.addresses, notes, number, chance))
        for number in range(arguments.tables)
    ]
    reporting = asyncio.create_task(breaker.report())
    try:
        await breaker.run(groups)
        notes.is_over = True
        _done, unfinished = await asyncio.wait(groups, timeout=STUCK_SECONDS)
        if unfinished:
            notes.oddities["tables that could not be finished"] += len(unfinished)
    finally:
        for task in (*groups, reporting):
            task.cancel()
        for ended in await asyncio.gather(*groups, return_exceptions=True):
            if isinstance(ended, Exception):
                notes.oddities[repr(ended)] += 1
        notes.close()
    return breaker


async def torture(kind, goal, arguments):
    """One run on one kind of database; returns whether all went well."""
    folder = Path(arguments.keep or tempfile.mkdtemp(prefix="droptable-histories-")) / kind
    folder.mkdir(parents=True)  # a new one: earlier histories belong to another database
    notes = Notes(folder)
    with World(kind, SETTINGS) as world:
        for line in world.missing:
            print(f"SKIPPED: {line}")
        try:
            breaker = await play_and_break(world, notes, goal, arguments)
            dump = await asyncio.to_thread(read_database, world.database)
        finally:
            (folder / "server.log").write_bytes(world.log.read_bytes())
    keep(dump, folder / "stored.json")
    violations = check(read_histories(folder), dump)
    result = {
        "store": kind,
        "seconds": round(time.monotonic() - breaker.began),
        "faults": breaker.made,
        "counts": notes.counts,
        "events": sum(map(len, dump.events.values())),
        "violations": Counter(violation.kind for violation in violations),
        "oddities": notes.oddities,
    }
    (folder / "result.json").write_text(json.dumps(result, indent=1), encoding="utf-8")
    tell(kind, breaker, notes, dump, violations)
    return not violations and not notes.oddities


def tell(kind, breaker, notes, dump, violations):
    """Print what was done and what was found."""
    counts = notes.counts
    for violation in violations[:20]:
        print(f"  VIOLATION {violation.kind}: {violation.table}: {violation.what}")
    for oddity, times in notes.oddities.most_common(20):
        print(f"  ODD, {times} times: {oddity}")
    for fault, times in sorted(breaker.made.items()):
        print(f"  {times:5} times: {fault}")
    for fault, seconds in sorted(breaker.recoveries.items()):
        print(f"  well again {statistics.median(seconds):.1f} s (at most {max(seconds):.1f} s) "
              f"after: {fault}")  # fmt: skip
    for what, times in sorted(counts.items()):
        print(f"  {times:7} {what}")
    print(
        f"{kind}: {breaker.made.total()} faults in {time.monotonic() - breaker.began:.0f} s, "
        f"{counts['acknowledged']} commands acknowledged at {counts['tables']} tables, "
        f"{sum(map(len, dump.events.values()))} events stored; violations: {summary(violations)}",
        flush=True,
    )


def main() -> int:
    """Torture the databases that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hours", type=float, default=1.0, help="at most, for each database")
    parser.add_argument("--faults", type=int, default=500, help="for each database")
    parser.add_argument("--commands", type=int, default=50_000, help="to be acknowledged, for each")
    parser.add_argument("--store", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--tables", type=int, default=9, help="that are played at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", metavar="FAULT", help="such as 'kill a server'")
    parser.add_argument("--keep", help="a folder for the histories and the servers' log")
    arguments = parser.parse_args()
    goal = Goal(arguments.faults, arguments.commands, arguments.hours)
    kinds = ["sqlite", "postgresql"] if arguments.store == "both" else [arguments.store]
    if "postgresql" in kinds and find_postgresql() is None:
        parser.error("PostgreSQL is not installed: --store sqlite works without it")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that everything is cleaned up
    fine = [asyncio.run(torture(kind, goal, arguments)) for kind in kinds]
    return int(not all(fine))


if __name__ == "__main__":
    sys.exit(main())
