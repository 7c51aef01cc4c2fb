"""Past one machine: where NOTIFY stops scaling, what moves cost, and what a million tables need.

`python benchmarks/scale.py notify` commits one move after the other from 1, 2, 4 and 8 processes,
each with a writing and (as a server has) a listening connection, on a PostgreSQL that waits for the
disk: without news, with NOTIFY in the transaction, and with news by Redis after it.
`… moves` plays through real servers (`droptable serve --processes N`) as fast as 32 people can.
`… simulate` calculates from measured times (--decide, … in milliseconds) at what load p99 passes
100 ms, and what a million live tables need.
"""

import argparse
import asyncio
import itertools
import math
import multiprocessing
import random
import statistics
import sys
import time
from collections import defaultdict
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

import psycopg
from commits import commit
from load import Droptable, closed_loop, cpu_seconds
from queueing import Cell, Costs, latencies, most_moves, p99
from serving import Redis, Server, find_redis, new_database, postgresql

PROCESSES = (1, 2, 4, 8)
SCHEMA = (
    "CREATE TABLE tables (id TEXT PRIMARY KEY, seq INTEGER NOT NULL)",
    "CREATE TABLE events (table_id TEXT, seq INTEGER, body TEXT, PRIMARY KEY (table_id, seq))",
)
LIVE_TABLES = 1_000_000


# -- commits --------------------------------------------------------------------------------------


def commits(address, bus, news, processes, seconds):
    """Commits per second of so many processes together."""
    context = multiprocessing.get_context("spawn")
    ready, results = context.Barrier(processes), context.Queue()
    started = [
        context.Process(target=commit, args=(address, bus, news, seconds, ready, results))
        for _ in range(processes)
    ]
    for process in started:
        process.start()
    total = sum(results.get(timeout=60) for _ in started)
    for process in started:
        process.join()
    return total


def notify(arguments):
    """Print commits per second by the number of processes and by how news travel."""
    kinds = ["none", "notify"] + (["redis"] if find_redis() else [])
    measured = defaultdict(list)
    with ExitStack() as stack:
        address = stack.enter_context(postgresql(fsync=True))
        bus = Redis() if find_redis() else None
        if bus:
            stack.callback(bus.kill)
        with psycopg.connect(address, autocommit=True) as connection:
            for statement in SCHEMA:
                connection.execute(statement)
        for _ in range(arguments.rounds):
            for processes, news in itertools.product(arguments.processes, kinds):
                got = commits(address, bus and bus.address, news, processes, arguments.seconds)
                measured[processes, news].append(got)
    print("commits/s (medians)  " + "".join(f"{kind:>10}" for kind in kinds))
    for processes in arguments.processes:
        row = [statistics.median(measured[processes, kind]) for kind in kinds]
        print(f"{processes:>2} processes         " + "".join(f"{value:>10.0f}" for value in row))


# -- moves ----------------------------------------------------------------------------------------


class OnPostgres(Droptable):
    """Server processes on one PostgreSQL."""

    def __init__(self, database, processes, bus):
        self.name = f"{processes} {'redis' if bus else 'notify'}"
        self._query, self._compression = "", None
        self._server = Server(
            database, processes=processes, bus=bus, commands_a_second=1e6, identities_an_hour=1e6,
            sockets_each=10**6, requests_a_minute=1e9, megabytes_a_minute=1e6, tables_each=10**6,
            bot_processes=1,
        )  # fmt: skip
        self._server.wait()
        self.pid = self._server.process.pid


async def play(server, tables, seconds):
    """Moves per second and processor milliseconds per move of the servers."""
    async with AsyncExitStack() as stack:
        opened = await server.open_tables(tables, stack)
        while not all(min(table.versions) >= 0 and table.mover for table in opened):
            await asyncio.sleep(0.05)
        chance = random.Random(1)
        await closed_loop(server, opened, 1.0, chance)
        before, start = cpu_seconds(server.pid), time.perf_counter()
        made, took = await closed_loop(server, opened, seconds, chance)
        rate = made / took
        used = cpu_seconds(server.pid) - before
        return rate, 1000 * used / (rate * (time.perf_counter() - start))


def postgres_pid(address):
    """The process that has started all others of a PostgreSQL."""
    with psycopg.connect(address) as connection:
        (folder,) = connection.execute("SHOW data_directory").fetchone()
    return int((Path(folder) / "postmaster.pid").read_text().split()[0])


def moves(arguments):
    """Print moves per second through real servers, and what each costs."""
    with ExitStack() as stack:
        address = stack.enter_context(postgresql(fsync=True))
        bus = Redis()
        stack.callback(bus.kill)
        print("processes, news     moves/s   server CPU ms   database CPU ms   bytes stored")
        for number, (processes, by) in enumerate(
            itertools.product(arguments.processes, ("", bus.address))
        ):
            database = new_database(address, f"moves{number}")
            server = OnPostgres(database, processes, by)
            try:
                pid = postgres_pid(address)
                before = cpu_seconds(pid)
                rate, cpu = asyncio.run(play(server, arguments.tables, arguments.seconds))
                stored = cpu_seconds(pid) - before
            finally:
                server._server.stop()
            with psycopg.connect(database) as connection:
                (events,) = connection.execute("SELECT count(*) FROM events").fetchone()
                (size,) = connection.execute("SELECT pg_total_relation_size('events')").fetchone()
            print(f"{server.name:<16} {rate:>10.0f} {cpu:>15.2f} {1000 * stored / events:>17.2f}"
                  f" {size / events:>14.0f}", flush=True)  # fmt: skip


# -- the plan -------------------------------------------------------------------------------------


def simulate(arguments):
    """Print at what load p99 passes 100 ms, and what a million live tables need."""
    costs = Costs(arguments.decide, arguments.publish, arguments.write, arguments.commit)
    cores = arguments.cores
    print(f"costs in ms: {costs}; a database has {cores} cores\n")
    print("processes on one database   news       moves/s at p99 = 100 ms   p99 at half of it")
    best = {}
    for processes, news in itertools.product((1, 2, 4, 8, 16), (True, False)):
        cell = Cell(processes, cores, notify=news)
        most = most_moves(costs, cell)
        half = p99(latencies(costs, cell, most / 2, 20_000))
        best[news, processes] = most
        print(
            f"{processes:>25}   {'NOTIFY' if news else 'Redis':<6} {most:>21.0f} {half:>21.1f} ms"
        )
    rate = LIVE_TABLES / arguments.every
    each = best[False, 1] / 2
    whole = max(best[False, n] for n in (8, 16)) / 2
    processes, databases = math.ceil(rate / each), math.ceil(rate / whole)
    memory = LIVE_TABLES * arguments.kilobytes / 1e6
    print(f"""
{LIVE_TABLES:,} live tables, a move every {arguments.every:g} s each: {rate:,.0f} moves/s
  server processes at half load      {processes:,}
  databases of {cores} cores, half load   {databases:,}
  memory of tables and sockets       {memory:,.0f} GB
  stored                             {rate * arguments.stored / 1e6:,.1f} MB/s
  sent                               {8 * rate * arguments.sent / 1e9:,.1f} Gbit/s""")
    core_hours = 1e6 * (costs.decide + costs.publish + costs.write) * 2 / 3.6e6
    money = core_hours * arguments.core_hour + 1e6 * arguments.sent / 1e9 * arguments.gigabyte
    stored, sent = arguments.stored / 1000, arguments.sent / 1000
    print(f"""A million moves: {core_hours:.2f} core hours at half load, {stored:.2f} GB stored,
  {sent:.2f} GB sent; {money:.3f} at {arguments.core_hour:g} per core hour and
  {arguments.gigabyte:g} per GB sent""")


def main():
    """Run one of the measurements."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True)
    for name, run in (("notify", notify), ("moves", moves)):
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        command.add_argument("--processes", type=int, nargs="+", default=PROCESSES)
        command.add_argument("--seconds", type=float, default=3.0)
        command.add_argument("--rounds", type=int, default=3)
        command.add_argument("--tables", type=int, default=100)
    command = commands.add_parser("simulate")
    command.set_defaults(run=simulate)
    for name, default, what in (
        ("decide", 0.5, "ms of a server's processor per move, before the commit"),
        ("publish", 0.35, "… and after it"),
        ("write", 0.25, "ms of a database's core per move"),
        ("commit", 2.0, "ms until a commit is on disk"),
        ("every", 10.0, "seconds between two moves at a live table"),
        ("kilobytes", 171.0, "memory of a live table with two browsers"),
        ("stored", 400.0, "bytes per move in the database, with its index"),
        ("sent", 3000.0, "bytes per move to all who see it"),
        ("core-hour", 0.04, "price of a core hour"),
        ("gigabyte", 0.01, "price of a GB sent"),
    ):
        command.add_argument(f"--{name}", type=float, default=default, help=what)
    command.add_argument("--cores", type=int, default=16, help="of a database")
    arguments = parser.parse_args()
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
