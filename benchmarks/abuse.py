"""Attacks beside live tables: what strangers can do to people who play.

`python benchmarks/abuse.py` starts a server with its default limits, opens tables of Drop or Pop!
whose people move all the time, and a table where somebody plays against an `easy` bot. Quiet phases
and attacks (benchmarks/attacks.py, a process of low priority: on a real network it would be another
machine) take turns. Printed are the p50 and p99 of a move (until all three at its table have seen
it), how long the bot takes to answer, and the server's processor time and memory, without and with
each attack. `--pin` keeps the server on one core, and clients and attackers off it: what is then
slower is slower by the server's own work.

Exits 1 if an attack makes the p99 more than twice the quiet one, or if a bot answers or a newcomer
is served more than a second later. Moves below 5 ms count as 5 ms: smaller differences are noise.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import httpx
from attacks import ATTACKS
from load import Droptable, cpu_seconds, open_loop
from serving import Server
from websockets.asyncio.client import connect

import droptable

MOST_FILES = 1024  # that a server may open, under `halves`
NOISE = 5.0  # milliseconds
NOT_SERVED = 60_000.0  # milliseconds that count for a newcomer who is turned away
LATER = 1000.0  # milliseconds that a bot may take longer
TWICE = 2.0
SERVER_CORE = 0  # if it is pinned
OF_REPLAYS = ("picture", "pictures", "films", "coach")  # attacks that read replays


class Attacked(Droptable):
    """A server with its default limits, as strangers meet it."""

    def __init__(self, folder, attack, *, pinned):
        files = f"{MOST_FILES}:{MOST_FILES}"
        few = ("prlimit", f"--nofile={files}") if attack == "halves" else ()
        if pinned:
            few += ("taskset", "--cpu-list", str(SERVER_CORE))
        self.name = attack
        self._query, self._compression = "", None
        # Attackers have other loopback addresses: they are no proxies of ours.
        self._server = Server(f"{folder}/{attack}.db", command=few, trusted_proxies="127.0.0.1")
        self._server.wait()
        self.pid = self._server.process.pid
        self.address, self.port = self._server.address, self._server.port

    @property
    def memory(self):
        """Megabytes of the server and of the processes that it has started."""
        return sum(_resident(pid) for pid in [self.pid, *_children(self.pid)])


def _children(pid):
    with suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield int(child)
            yield from _children(int(child))


def _resident(pid):
    with suppress(OSError):
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    return 0.0


class Opponent:
    """Somebody who plays against an easy bot, and notes how long it takes to answer."""

    def __init__(self):
        self.delays = []

    async def play(self, address):
        """Match after match, until cancelled."""
        async with httpx.AsyncClient(base_url=address, timeout=60) as http:
            await http.put("/api/me", json={"name": "Patient"})
            cookie = f"droptable={http.cookies['droptable']}"
            while True:
                settings = {"game": "drop", "seats": ["me", "easy"]}
                table = (await http.post("/api/tables", json=settings)).json()["table"]
                place = f"{address.replace('http', 'ws')}/api/tables/{table}/socket"
                async with connect(
                    place, additional_headers={"Cookie": cookie}, open_timeout=60, max_size=None
                ) as socket:
                    await self._match(socket)

    async def _match(self, socket):
        chance, moved_at, had_turn = random.Random(1), None, False
        async for text in socket:
            message = json.loads(text)
            if message["type"] != "state":
                continue
            if message["status"] == "over":
                return
            if not message["legal"]:
                had_turn = False
                continue
            if moved_at is not None and not had_turn:
                self.delays.append(1000 * (time.perf_counter() - moved_at))
            had_turn = True
            await asyncio.sleep(0.1)
            seq, token = message["seq"], chance.choice(message["legal"])["token"]
            command = {"type": "move", "token": token}
            moved_at = time.perf_counter()
            await socket.send(json.dumps({"id": f"m{seq}", "seq": seq, "command": command}))


async def prepare(server, attack, folder):
    """Leave in files what attackers need: replays, a seat with hints, a table to watch."""
    async with httpx.AsyncClient(base_url=server.address, timeout=300) as http:
        keys = []
        for seed in range(8 if attack in OF_REPLAYS else 0):
            record = droptable.play(droptable.game("drop-site"), players=3, seed=seed, target=100)
            added = await http.post("/api/replays", content=record.to_json())
            keys += [added.json()["key"]] if added.status_code == 201 else []
        (folder / "replays").write_text(json.dumps(keys))
        await http.put("/api/me", json={"name": "Stranger"})
        cookie = http.cookies["droptable"]
        table = await http.post("/api/tables", json={"game": "drop", "seats": ["me", "normal"]})
        seat = {"table": table.json()["table"], "cookie": cookie}
        (folder / "hints").write_text(json.dumps(seat))
        (folder / "masters").write_text(json.dumps(seat))
        (folder / "watched").write_text(json.dumps(seat))


async def chat(server, folder, stop):
    """Ten lines at the table that is watched: each goes to all spectators."""
    seat = json.loads((folder / "watched").read_text())
    headers = {"Cookie": f"droptable={seat['cookie']}"}
    async with httpx.AsyncClient(base_url=server.address, timeout=60, headers=headers) as http:
        for number in range(10):
            if stop.is_set():
                return
            envelope = {"id": f"c{number}", "command": {"type": "chat", "text": f"line {number}"}}
            with suppress(httpx.HTTPError):
                await http.post(f"/api/tables/{seat['table']}/commands", json=envelope)
            await asyncio.sleep(0.5)


async def newcomer(server, times, stop):
    """Somebody new asks for the games, again and again: how long until they are served."""
    while not stop.is_set():
        start = time.perf_counter()
        try:
            async with httpx.AsyncClient(base_url=server.address, timeout=60) as http:
                (await http.get("/api/games")).raise_for_status()
            times.append(1000 * (time.perf_counter() - start))
        except httpx.HTTPError:
            times.append(NOT_SERVED)
        await asyncio.sleep(0.2)


async def measure(server, attack, folder, arguments):
    """Quiet and attacked phases by turns; one line of the table for both together."""
    chance, opponent = random.Random(1), Opponent()
    moves = {"quiet": [], "attacked": []}
    delays = {"quiet": [], "attacked": []}
    waits = {"quiet": [], "attacked": []}
    answers, memory = {}, {"quiet": 0.0, "attacked": 0.0}
    cores = {"quiet": [], "attacked": []}
    async with AsyncExitStack() as stack:
        tables = await server.open_tables(arguments.tables, stack)
        await prepare(server, attack, folder)
        playing = asyncio.create_task(opponent.play(server.address))
        await open_loop(server, tables, arguments.rate, 3.0, chance)
        for phase in ("quiet", "attacked") * arguments.rounds:
            stop, opponent.delays, process = asyncio.Event(), [], None
            beside = [asyncio.create_task(newcomer(server, waits[phase], stop))]
            if phase == "attacked":
                process = await asyncio.create_subprocess_exec(
                    "nice", "-n", "19", sys.executable, Path(__file__).parent / "attacks.py",
                    attack, str(server.port), str(folder), str(arguments.seconds + 1),
                    stdout=subprocess.PIPE,
                )  # fmt: skip
                await asyncio.sleep(1.0)
                if attack == "sockets":
                    beside.append(asyncio.create_task(chat(server, folder, stop)))
            start, used = time.perf_counter(), cpu_seconds(server.pid)
            times = await open_loop(server, tables, arguments.rate, arguments.seconds, chance)
            used = cpu_seconds(server.pid) - used
            cores[phase].append(used / (time.perf_counter() - start))
            memory[phase] = max(memory[phase], server.memory)
            if process is not None:
                text, _ = await process.communicate()
                answers = json.loads(text)
            stop.set()
            await asyncio.gather(*beside)
            moves[phase] += [seen for seen, _safe in times]
            delays[phase] += opponent.delays
            if phase == "attacked":
                await asyncio.sleep(arguments.rest)
        playing.cancel()
        with suppress(asyncio.CancelledError):
            await playing
    return {"attack": attack, "moves": moves, "delays": delays, "waits": waits, "memory": memory,
            "cores": cores, "answers": answers}  # fmt: skip


def percentile(values, share):
    """The value below which that share lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def show(line):
    """Print a line; returns whether people were disturbed."""
    p50 = {phase: percentile(line["moves"][phase], 0.5) for phase in line["moves"]}
    p99 = {phase: percentile(line["moves"][phase], 0.99) for phase in line["moves"]}
    bot = {
        phase: statistics.median(line["delays"][phase] or [NOT_SERVED]) for phase in line["delays"]
    }
    new = {phase: percentile(line["waits"][phase], 0.99) for phase in line["waits"]}
    memory = line["memory"]
    busy = {phase: 100 * statistics.mean(line["cores"][phase]) for phase in line["cores"]}
    disturbed = p99["attacked"] > TWICE * max(NOISE, p99["quiet"])
    disturbed |= max(bot["attacked"] - bot["quiet"], new["attacked"] - new["quiet"]) > LATER
    print(
        f"{line['attack']:<11} {p50['quiet']:>7.1f} {p50['attacked']:>7.1f} {p99['quiet']:>9.1f}"
        f" {p99['attacked']:>7.1f} {bot['quiet']:>8.0f} {bot['attacked']:>7.0f}"
        f" {new['quiet']:>8.0f} {new['attacked']:>7.0f} {busy['quiet']:>6.0f}"
        f" {busy['attacked']:>4.0f} {memory['quiet']:>5.0f}"
        f" {memory['attacked']:>5.0f}  {'DISTURBED ' if disturbed else ''}{line['answers']}",
        flush=True,
    )
    return disturbed


def main() -> int:
    """Attack and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("attack", nargs="*", help=", ".join(ATTACKS))
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--rate", type=float, default=30.0, help="moves per second, in all")
    parser.add_argument("--rounds", type=int, default=2, help="of a quiet phase and an attack")
    parser.add_argument("--seconds", type=float, default=10.0, help="of a phase")
    parser.add_argument("--rest", type=float, default=3.0, help="seconds after an attack")
    parser.add_argument("--pin", action="store_true", help="the server has a core of its own")
    arguments = parser.parse_args()
    if unknown := set(arguments.attack) - set(ATTACKS):
        parser.error(f"there is no attack {min(unknown)!r}; expected {', '.join(ATTACKS)}")
    disturbed = False
    print("             p50 of a move    p99 of a move    bot answers      newcomer p99"
          "   CPU %       MB")  # fmt: skip
    print("attack        quiet attack     quiet  attack    quiet  attack    quiet  attack"
          "  quiet att. quiet att.")  # fmt: skip
    if arguments.pin:
        os.sched_setaffinity(0, os.sched_getaffinity(0) - {SERVER_CORE})
    for attack in arguments.attack or ATTACKS:
        with tempfile.TemporaryDirectory() as folder:
            server = Attacked(folder, attack, pinned=arguments.pin)
            try:
                disturbed |= show(asyncio.run(measure(server, attack, Path(folder), arguments)))
            finally:
                server.close()
    return int(disturbed)


if __name__ == "__main__":
    sys.exit(main())
