"""Load on one server: many live tables, and how long a move takes until everybody has seen it.

`python benchmarks/load.py` opens 500 tables of Drop or Pop! with people at all three seats, on one
server with SQLite, and plays 100 moves a second at random tables (open loop: what is slow does not
slow the load down). Beside it, in the same run, boardgame.io (npm, Node.js) with a game of the same
size, its FlatFile store and its memory, driven by the same loop over the same kind of sockets.
Servers take turns, a few rounds long; medians of the rounds count.

A move is *seen* when all three have it, and *safe* when it is stored, too, so that it survives the
server. We store a move before we tell it: it is seen and safe at once. boardgame.io tells it first.
By default each commit of ours waits for the disk. FlatFile does not, so it is compared with our
server when that does not either (`DROPTABLE_DURABILITY=system`).

`--scene wide` sends our clients the pictures that browsers get, compressed as for browsers.
`--processes 2` compares one server process with two on PostgreSQL, without boardgame.io.
Processor time per move is the server's, at that rate and at full speed, when people move as soon as
their last move is safe: on a busy machine it says more than moves per second.
Bytes per move are those that all three clients receive, with the frames of the sockets.
Exits 1 if our p99 is 100 ms or more either way, or if FlatFile's moves are safe sooner at p50 or
p99, or more of them a second.
"""

import argparse
import asyncio
import itertools
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import httpx
import msgspec
from serving import Server, free_port, new_database, postgresql
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

SEATS = 3
AT_ONCE = 32  # people who move at the same time in the closed loop, or join
PEER = Path(__file__).parent / "peers" / "boardgame_io"
SLOWEST = 100.0  # milliseconds that the 99th percentile may take
LOST_SECONDS = 20.0
TRIES = 10  # while tables are opened, on a machine that is busy otherwise
GAIN = 1.7  # moves a second that two processes carry, relative to one


class Counting(ClientConnection):
    """A client's connection; all of them together count what they receive."""

    received = 0  # bytes

    def data_received(self, data):
        """Count what comes over the wire."""
        Counting.received += len(data)
        super().data_received(data)


class Table:
    """A table as its clients know it."""

    def __init__(self):
        self.sockets = []
        self.versions = [-1] * SEATS
        self.mover = None  # seat and what it sends, without its number
        self.over = False
        self.stored = math.inf  # the version that is stored; we store before we publish
        self.awaited = None  # the version that all must see, and a future for that moment
        self.seen_at = None  # the moment when all had seen the last move
        self.errors = 0

    def receive(self, seat, version, mover, over):
        """A seat was sent a state."""
        self.versions[seat] = max(self.versions[seat], version)
        if version >= max(self.versions):
            self.mover, self.over = mover, over
        if self.awaited and self.seen_at is None and min(self.versions) >= self.awaited[0]:
            self.seen_at = time.perf_counter()
        self._settle()

    def store(self, version):
        """The server has stored a state."""
        self.stored = version
        self._settle()

    def _settle(self):
        if self.awaited and min(*self.versions, self.stored) >= self.awaited[0]:
            future, self.awaited = self.awaited[1], None
            if not future.done():
                future.set_result((self.seen_at, time.perf_counter()))

    @property
    def free(self):
        """Whether somebody could move now."""
        return not self.over and self.awaited is None and self.mover is not None


class Droptable:
    """Our server, with SQLite unless a database is given."""

    def __init__(self, folder, durability, scene="none", database="", processes=1):
        self.name = f"droptable, {durability}"
        if database:
            self.name = f"droptable, {processes} process{'es' * (processes > 1)}"
        self._query = "" if scene == "none" else f"?scene={scene}"
        self._compression = None if scene == "none" else "deflate"
        self._server = Server(
            database or f"{tempfile.mkdtemp(dir=folder)}/tables.db", commands_a_second=1e6,
            identities_an_hour=1e6, sockets_each=10**6,
            requests_a_minute=1e9, megabytes_a_minute=1e6, tables_each=10**6, processes=processes,
            bot_processes=1, message_bytes=4096, durability=durability,
        )  # fmt: skip
        self._server.wait()
        self.pid = self._server.process.pid

    def close(self):
        """Stop it."""
        self._server.kill()

    async def open_tables(self, count, stack):
        """Tables with sockets at all seats."""
        base, limit = self._server.address, asyncio.Semaphore(AT_ONCE)
        people = [httpx.AsyncClient(base_url=base, timeout=60) for _ in range(SEATS)]
        for seat, person in enumerate(people):
            await stack.enter_async_context(person)
            await person.put("/api/me", json={"name": f"Player {seat}"})

        async def open_one():
            async with limit:
                table = {"game": "drop-or-pop", "players": SEATS}
                id_ = (await _post(people[0], "/api/tables", table))["table"]
                for person, command in (
                    (people[1], "join"), (people[2], "join"), (people[0], "start"),
                ):  # fmt: skip
                    envelope = {"id": command, "command": {"type": command}}
                    await _post(person, f"/api/tables/{id_}/commands", envelope)
                table = Table()
                for seat, person in enumerate(people):
                    cookie = f"droptable={person.cookies['droptable']}"
                    address = f"{base.replace('http', 'ws')}/api/tables/{id_}/socket{self._query}"
                    socket = await stack.enter_async_context(
                        connect(address, additional_headers={"Cookie": cookie},
                                compression=self._compression, ping_interval=None,
                                close_timeout=0.1, open_timeout=60, create_connection=Counting)
                    )  # fmt: skip
                    table.sockets.append(socket)
                    stack.push_async_callback(
                        _cancel, asyncio.create_task(_read(self, table, seat))
                    )
                return table

        return await asyncio.gather(*(open_one() for _ in range(count)))

    def take(self, table, seat, text):
        """Interpret a message."""
        message = msgspec.json.decode(text)
        if message["type"] == "state":
            legal = message["legal"]
            if legal or seat == 0 or message["status"] == "over":
                mover = (seat, random.choice(legal)["token"]) if legal else table.mover
                table.receive(seat, message["seq"], mover, message["status"] == "over")
            else:
                table.receive(seat, message["seq"], table.mover, table.over)
        elif not message["ok"]:
            table.errors += 1
        return ""

    def move(self, table):
        """Who sends what, and the version that everybody must then see."""
        seat, token = table.mover
        seq = table.versions[seat]
        command = {"type": "move", "token": token}
        return seat, json.dumps({"id": f"m{seq}", "seq": seq, "command": command}), seq + 1


class BoardgameIo:
    """boardgame.io with one of its stores."""

    def __init__(self, folder, store, modules):
        self.name = f"boardgame.io, {store}"
        port = free_port()
        self._base = f"http://localhost:{port}"
        files = tempfile.mkdtemp(dir=folder)
        program = Path(modules) / "server.cjs"
        shutil.copy(PEER / "server.cjs", program)
        environment = {"PORT": str(port), "STORE": store, "FOLDER": files}
        self._process = subprocess.Popen(
            ["node", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=os.environ | environment | {"NODE_ENV": "production"}, cwd=modules,
        )  # fmt: skip
        for line in self._process.stdout:
            if "ready" in line:
                break
        self.pid = self._process.pid
        self._says_what_is_stored = store == "flatfile"
        self._tables = {}

    def _listen(self, loop):
        """Hear from the server what it has stored, in a thread."""
        with suppress(ValueError, RuntimeError):  # the pipe or the loop is closed: it is over
            for line in self._process.stdout:
                id_, version = line.split()
                loop.call_soon_threadsafe(self._store, id_, int(version))

    def _store(self, id_, version):
        if id_ in self._tables:
            self._tables[id_].store(version)

    def close(self):
        """Stop it."""
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()

    async def open_tables(self, count, stack):
        """Matches with sockets for all players."""
        limit = asyncio.Semaphore(AT_ONCE)
        http = await stack.enter_async_context(httpx.AsyncClient(base_url=self._base, timeout=60))
        address = f"{self._base.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket"
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop,), daemon=True).start()

        async def open_one():
            async with limit:
                made = await http.post("/games/peer/create", json={"numPlayers": SEATS})
                id_ = made.json()["matchID"]
                table = Table()
                table.id, table.credentials = id_, []
                self._tables[id_] = table
                if self._says_what_is_stored:
                    table.stored = 0
                for seat in range(SEATS):
                    joined = await http.post(
                        f"/games/peer/{id_}/join",
                        json={"playerID": str(seat), "playerName": f"Player {seat}"},
                    )
                    table.credentials.append(joined.json()["playerCredentials"])
                    socket = await stack.enter_async_context(
                        connect(address, compression=None, ping_interval=None, close_timeout=0.1,
                                open_timeout=60, max_size=None, create_connection=Counting)
                    )  # fmt: skip
                    table.sockets.append(socket)
                    await socket.recv()  # the opening of Engine.IO
                    await socket.send("40/peer,")
                    await socket.recv()
                    arguments = ["sync", id_, str(seat), table.credentials[seat], SEATS]
                    reading = asyncio.create_task(_read(self, table, seat))
                    stack.push_async_callback(_cancel, reading)
                    tries = 0
                    while table.versions[seat] < 0:  # FlatFile does not answer each time
                        if tries % 50 == 0:
                            await socket.send("42/peer," + json.dumps(arguments))
                        await asyncio.sleep(0.02)
                        tries += 1
                return table

        return await asyncio.gather(*(open_one() for _ in range(count)))

    def take(self, table, seat, text):
        """Interpret a message; returns the answer to send."""
        if text == "2":
            return "3"
        if not text.startswith("42/peer,"):
            return ""
        kind, _, *rest = msgspec.json.decode(text[len("42/peer,") :])
        state = {"sync": lambda: rest[0]["state"], "update": lambda: rest[0]}.get(kind)
        if state is not None:
            match = state()
            cells, column = match["G"]["cells"], match["G"]["column"]
            full = cells[8 * column + 7] is not None
            mover = int(match["ctx"]["currentPlayer"]), "pop" if full else "drop"
            table.receive(seat, match["_stateID"], mover, "gameover" in match["ctx"])
        return ""

    def move(self, table):
        """Who sends what, and the version that everybody must then see."""
        seat, name = table.mover
        version = max(table.versions)
        action = {
            "type": "MAKE_MOVE",
            "payload": {"type": name, "args": [], "playerID": str(seat),
                        "credentials": table.credentials[seat]},
        }  # fmt: skip
        arguments = ["update", action, version, table.id, str(seat)]
        return seat, "42/peer," + json.dumps(arguments), version + 1


async def _post(person, path, body):
    """The answer to a request, which is sent again while the database is too slow."""
    for _ in range(TRIES):
        answer = await person.post(path, json=body)
        if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
            break
    return answer.raise_for_status().json()


async def _read(server, table, seat):
    socket = table.sockets[seat]
    with suppress(ConnectionClosed):
        while True:
            answer = server.take(table, seat, await socket.recv())
            if answer:
                await socket.send(answer)


async def _cancel(task):
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def make_move(server, table):
    """One move; the milliseconds until everybody has seen it, and until it is stored, too."""
    seat, text, version = server.move(table)
    future = asyncio.get_running_loop().create_future()
    table.awaited, table.seen_at = (version, future), None
    start = time.perf_counter()
    await table.sockets[seat].send(text)
    try:
        seen_at, safe_at = await asyncio.wait_for(future, LOST_SECONDS)
        return 1000 * (seen_at - start), 1000 * (safe_at - start)
    except TimeoutError:
        table.awaited, table.over = None, True
        return 1000 * LOST_SECONDS, 1000 * LOST_SECONDS


def pick(tables, chance):
    """A table where somebody can move; None if there is none."""
    for _ in range(200):
        table = chance.choice(tables)
        if table.free:
            return table
    return None


async def open_loop(server, tables, rate, seconds, chance):
    """Moves at a fixed rate, whether earlier ones are safe or not; their milliseconds."""
    tasks, start = [], time.perf_counter()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, start + number / rate - time.perf_counter()))
        table = pick(tables, chance)
        if table is not None:
            tasks.append(asyncio.create_task(make_move(server, table)))
            await asyncio.sleep(0)  # so that the table counts as busy
    return await asyncio.gather(*tasks)


async def closed_loop(server, tables, seconds, chance):
    """How many moves are made when each of some people moves as soon as their last one is safe, and
    in how many seconds."""
    end, made = time.perf_counter() + seconds, 0

    async def go_on():
        nonlocal made
        while time.perf_counter() < end and (table := pick(tables, chance)) is not None:
            await make_move(server, table)
            made += 1

    start = time.perf_counter()
    await asyncio.gather(*(go_on() for _ in range(AT_ONCE)))
    return made, time.perf_counter() - start


async def measure(server, arguments):
    """One line of the table."""
    chance = random.Random(1)
    async with AsyncExitStack() as stack:
        start = time.perf_counter()
        tables = await server.open_tables(arguments.tables, stack)
        setup = time.perf_counter() - start
        while not all(min(table.versions) >= 0 and table.mover for table in tables):
            await asyncio.sleep(0.05)
        await open_loop(server, tables, arguments.rate, arguments.warm_up, chance)
        cpu, received = cpu_seconds(server.pid), Counting.received
        times = await open_loop(server, tables, arguments.rate, arguments.seconds, chance)
        cpu = (cpu_seconds(server.pid) - cpu) / max(1, len(times))
        received = (Counting.received - received) / max(1, len(times))
        before = cpu_seconds(server.pid)
        made, took = await closed_loop(server, tables, arguments.seconds / 3, chance)
        cpu_full = (cpu_seconds(server.pid) - before) / max(1, made)
    seen, safe = (sorted(values) for values in zip(*times, strict=True))
    return {
        "server": server.name, "tables": arguments.tables, "sockets": SEATS * arguments.tables,
        "moves": len(times), "seen_p50": statistics.median(seen), "p50": statistics.median(safe),
        "p99": safe[int(0.99 * len(safe))], "worst": safe[-1], "cpu": 1000 * cpu,
        "cpu_full": 1000 * cpu_full, "most": made / took,
        "kilobytes": received / 1000,
        "opened": setup, "errors": sum(table.errors for table in tables),
    }  # fmt: skip


def middle(rounds):
    """One line for all rounds of a server: medians, but every error."""
    first, *_ = rounds
    numbers = {
        key: statistics.median(line[key] for line in rounds)
        for key in (
            "seen_p50",
            "p50",
            "p99",
            "worst",
            "cpu",
            "cpu_full",
            "most",
            "opened",
            "kilobytes",
        )
    }
    totals = {key: sum(line[key] for line in rounds) for key in ("moves", "errors")}
    return first | numbers | totals | {"rounds": len(rounds)}


def show(line):
    """Print a line of the table."""
    print(f"{line['server']:<24} {line['seen_p50']:>8.1f} {line['p50']:>8.1f} {line['p99']:>8.1f}"
          f" {line['worst']:>8.1f} {line['cpu']:>8.2f} {line['cpu_full']:>7.2f}"
          f" {line['kilobytes']:>8.1f}"
          f" {line['most']:>13.0f}   ({line['moves']} moves, {line['errors']} refused)",
          flush=True)  # fmt: skip


def cpu_seconds(pid):
    """Seconds of processor time that a process and its children have used."""
    used, parents = {}, {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            fields = file.read_text().rpartition(")")[2].split()
            parents[int(file.parent.name)] = int(fields[1])
            used[int(file.parent.name)] = int(fields[11]) + int(fields[12])
    family = {pid, *(child for child, parent in parents.items() if parent == pid)}
    return sum(used[member] for member in family) / os.sysconf("SC_CLK_TCK")


def install(folder):
    """boardgame.io and its dependencies, in a folder; None without npm."""
    if shutil.which("npm") is None:
        return None
    shutil.copy(PEER / "package.json", folder)
    subprocess.run(
        ["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=folder, check=True
    )
    return folder


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--rate", type=float, default=100.0, help="moves a second, in all")
    parser.add_argument("--rounds", type=int, default=3, help="in which servers take turns")
    parser.add_argument("--seconds", type=float, default=15.0, help="of a round's measurement")
    parser.add_argument("--warm-up", type=float, default=4.0, help="seconds before it")
    parser.add_argument("--modules", type=Path, help="a folder where boardgame.io is installed")
    parser.add_argument("--alone", action="store_true", help="without boardgame.io")
    parser.add_argument("--scene", choices=("none", "wide", "tall"), default="none")
    parser.add_argument(
        "--processes", type=int, default=1, help="more than 1: compare with 1, on PostgreSQL"
    )
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.processes > 1:
            with postgresql() as address:
                one, several = by_turns(arguments, grown(arguments, folder, address))
            gain = several["most"] / one["most"]
            print(f"{several['server']} carry {gain:.2f} times as many moves/s as one")
            return int(gain < GAIN or one["errors"] + several["errors"] > 0)
        modules = None if arguments.alone else arguments.modules or install(folder)
        if modules is None and not arguments.alone:
            parser.error("npm is missing (Node.js); --alone measures without boardgame.io")
        ours, others = by_turns(arguments, competitors(arguments, folder, modules), split=2)
    return int(compare(ours, others))


def grown(arguments, folder, address):
    """One server process and several, each time on a database of its own."""
    names = (f"load{number}" for number in itertools.count())

    def make(processes):
        database = new_database(address, next(names))
        return Droptable(folder, "disk", arguments.scene, database, processes)

    return [lambda: make(1), lambda: make(arguments.processes)]


def competitors(arguments, folder, modules):
    """Our server, waiting for the disk and not; then boardgame.io's if its modules are given."""
    makers = [
        lambda: Droptable(folder, "disk", arguments.scene),
        lambda: Droptable(folder, "system", arguments.scene),
    ]
    if modules is not None:
        makers += [
            lambda: BoardgameIo(folder, "flatfile", modules),
            lambda: BoardgameIo(folder, "memory", modules),
        ]
    return makers


def by_turns(arguments, makers, split=None):
    """Measure the servers by turns, and print; a line for each, or the first ones and the rest."""
    rounds = defaultdict(list)
    print(f"{'server':<24} {'seen p50':>8} {'safe p50':>8} {'p99 ms':>8} {'worst':>8}"
          f" {'CPU ms':>8} {'at full':>7} {'kB/move':>8} {'most moves/s':>13}")  # fmt: skip
    for make in makers * arguments.rounds:
        server = make()
        try:
            line = asyncio.run(measure(server, arguments))
        finally:
            server.close()
        rounds[line["server"]].append(line)
        show(line)
    print(f"\nMedians of {arguments.rounds} rounds:")
    lines = [middle(measured) for measured in rounds.values()]
    for line in lines:
        show(line)
    if arguments.json:
        arguments.json.write_text(json.dumps({"lines": lines, "rounds": rounds}, indent=2) + "\n")
    return lines if split is None else (lines[:split], lines[split:])


def compare(both, others):
    """Print how ours stand beside the others; whether they miss what they have to reach."""
    _waiting, alike = both
    failed = any(ours["p99"] >= SLOWEST or ours["errors"] > 0 for ours in both)
    for other in others:
        for ours in both:
            seen = ours["seen_p50"] / other["seen_p50"]
            ratios = (
                other["p50"] / ours["p50"], other["p99"] / ours["p99"],
                ours["most"] / other["most"], other["cpu_full"] / ours["cpu_full"],
            )  # fmt: skip
            print(
                f"{ours['server']} beside {other['server']}: seen at p50 after {seen:.2f} of its "
                f"time; safe at p50 {ratios[0]:.2f}, p99 {ratios[1]:.2f}, "
                f"moves/s {ratios[2]:.2f}, CPU per move at full speed {ratios[3]:.2f} times as good"
            )
            failed |= ours is alike and "flatfile" in other["server"] and min(ratios[:3]) < 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
