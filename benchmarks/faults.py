"""Servers are killed at random moments while people play: nothing that was acknowledged is lost.

`python benchmarks/faults.py --kills 200 --store both` kills servers with SIGKILL under load. People
at several tables remember each command that was acknowledged or refused, come back (PostgreSQL: to
the other server) and go on. At the end the store is read: every acknowledged command is there
exactly once, no refused one is, all events fold, and every table was played to its end.
Exits 1 if that does not hold. The rules run as plain Python, so that servers start at once.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

os.environ["DROPTABLE_COMPILE"] = "never"

import httpx
from serving import find_postgresql, free_port, new_database, postgresql
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from droptable.tables.store import Store
from droptable.tables.table import fold
from droptable.web.config import Config

GAMES = (("drop-or-pop", 3, {}), ("drop", 2, {"size": 5}))  # name, players, options
BROKEN = (WebSocketException, OSError, EOFError, TimeoutError, httpx.HTTPError)
PATIENCE = 10.0  # seconds of silence before a client reconnects
ACKNOWLEDGED_FIRST = 5  # commands between a start and the next kill
STUCK_SECONDS = 120.0
PRELOADED = [  # so that a server is up soon after a kill
    "droptable.web.app", "httpx", "serving", "websockets.asyncio.client", "uvicorn",
    "uvicorn.lifespan.on", "uvicorn.loops.auto", "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
]  # fmt: skip


def serve(config):
    """Run a server in a process that will be killed."""
    from droptable.web import server

    with open(os.devnull, "w") as nowhere:  # its log is of no interest here
        os.dup2(nowhere.fileno(), 2)
    server.serve(config, announce=False)


class Servers:
    """One or two servers on fixed ports, each restarted whenever it is killed."""

    def __init__(self, config, count):
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(PRELOADED)
        self._configs = [replace(config, port=free_port()) for _ in range(count)]
        self._processes = [self._start(number) for number in range(count)]
        self.addresses = [f"127.0.0.1:{config.port}" for config in self._configs]

    def _start(self, number):
        process = self._context.Process(target=serve, args=(self._configs[number],))
        process.start()
        return process

    def kill(self, number):
        """Kill a server and restart it."""
        os.kill(self._processes[number].pid, signal.SIGKILL)
        self._processes[number].join()
        self._processes[number] = self._start(number)

    def close(self):
        """Kill all servers."""
        for process in self._processes:
            process.kill()
            process.join()

    async def address(self, number=0):
        """A server that answers, preferably that of this number."""
        end = time.monotonic() + STUCK_SECONDS
        async with httpx.AsyncClient() as http:
            while time.monotonic() < end:
                for place in range(len(self.addresses)):
                    address = self.addresses[(number + place) % len(self.addresses)]
                    with suppress(*BROKEN):
                        if (await http.get(f"http://{address}/healthz")).status_code == 200:
                            return address
                await asyncio.sleep(0.02)
        raise RuntimeError("no server answers")


class Notes:
    """What people remember, and what was done to the servers."""

    def __init__(self):
        self.acknowledged = defaultdict(list)  # ids of commands, by table
        self.refused = defaultdict(list)
        self.tables = []
        self.faults = []  # violations, in words
        self.kills = 0
        self.reconnects = 0
        self.done = False  # whether the killing is over, and tables may finish

    @property
    def count(self):
        return sum(map(len, self.acknowledged.values()))


class Person:
    """Plays at one table after another, whatever happens to the servers."""

    def __init__(self, servers, notes, name, chance):
        self._servers = servers
        self._notes = notes
        self._name = name
        self._chance = chance
        self._server = chance.randrange(8)
        self._cookie = ""
        self._sent = 0

    async def ask(self, method, path, body, good=(200, 201)):
        """A request, repeated until some server answers it."""
        while True:
            address = await self._servers.address(self._server)
            with suppress(*BROKEN):
                async with httpx.AsyncClient() as http:
                    answer = await http.request(
                        method, f"http://{address}{path}", json=body,
                        headers={"Cookie": f"droptable={self._cookie}"}, timeout=PATIENCE,
                    )  # fmt: skip
                if answer.status_code not in good:
                    self._notes.faults.append(f"{path}: {answer.status_code} {answer.text}")
                self._cookie = answer.cookies.get("droptable") or self._cookie
                return answer.json()
            self._server += 1

    async def introduce(self):
        """Get an identity."""
        await self.ask("PUT", "/api/me", {"name": self._name})

    async def command(self, table, type_, **fields):
        """A command by HTTP, which may be sent more than once."""
        envelope = {"id": self._new_id(), "command": {"type": type_} | fields}
        await self.ask("POST", f"/api/tables/{table}/commands", envelope)

    def _new_id(self):
        self._sent += 1
        return f"{self._name}.{self._sent}"

    async def play(self, table):
        """Play a match to its end."""
        memory = {"seq": 0, "seat": None, "pending": None}
        while not memory.get("over"):
            address = await self._servers.address(self._server)
            place = f"?seq={memory['seq']}"
            if memory["seat"] is not None:
                place += f"&seat={memory['seat']}"
            with suppress(*BROKEN):
                async with connect(
                    f"ws://{address}/api/tables/{table}/socket{place}", compression=None,
                    additional_headers={"Cookie": f"droptable={self._cookie}"},
                    open_timeout=PATIENCE, close_timeout=0.1, ping_interval=None,
                ) as socket:  # fmt: skip
                    self._notes.reconnects += 1
                    await self._talk(table, socket, memory)
            self._server += 1

    async def _talk(self, table, socket, memory):
        if memory["pending"]:  # was it carried out? the same id again tells
            await socket.send(json.dumps(memory["pending"]))
        while not memory.get("over"):
            message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
            if message["type"] == "answer":
                self._hear(table, message, memory)
            else:
                self._see(table, message, memory)
            if memory["pending"] is None and memory.get("legal") and not memory.get("over"):
                await socket.send(json.dumps(self._choose(memory)))

    def _choose(self, memory):
        if self._chance.random() < 0.2:
            command = {"type": "chat", "text": "hello"}
        else:
            command = {"type": "move", "token": self._chance.choice(memory["legal"])["token"]}
        memory["pending"] = {"id": self._new_id(), "seq": memory["seq"], "command": command}
        return memory["pending"]

    def _hear(self, table, answer, memory):
        pending = memory["pending"]
        if pending is None or answer.get("id") != pending["id"]:
            return  # the answer to a command that was sent twice
        memory["pending"] = None
        if answer["ok"]:
            self._notes.acknowledged[table].append(pending["id"])
            if memory["seq"] < answer["seq"]:
                memory["legal"] = []  # until the next state arrives
        elif "database" in answer["message"]:
            memory["pending"] = pending  # in doubt: sent again after reconnecting
            raise TimeoutError
        else:
            self._notes.refused[table].append(pending["id"])
            if answer["kind"] != "stale":
                self._notes.faults.append(f"{table}: {pending} was refused: {answer}")
            memory["legal"] = []
            raise TimeoutError  # look again, by reconnecting

    def _see(self, table, state, memory):
        seen = memory["seq"] if state["seat"] == memory["seat"] else 0
        numbers = [line["seq"] for line in state["lines"]]
        if (
            state["from"] != seen
            or any(n <= seen for n in numbers)
            or numbers != sorted(set(numbers))
        ):
            self._notes.faults.append(f"{table}: {numbers} was sent after {seen}")
        if state["seq"] < seen:
            self._notes.faults.append(f"{table}: went back from {seen} to {state['seq']}")
        memory |= {
            "seq": state["seq"], "seat": state["seat"], "legal": state["legal"],
            "over": state["status"] == "over",
        }  # fmt: skip


async def keep_playing(servers, notes, number, chance):
    """A group of people: match after match, until the killing is over."""
    game, players, options = GAMES[number % len(GAMES)]
    people = [Person(servers, notes, f"P{number}-{seat}", chance) for seat in range(players)]
    for person in people:
        await person.introduce()
    while not notes.done:
        settings = {"game": game, "players": players, "options": options}
        table = (await people[0].ask("POST", "/api/tables", settings))["table"]
        notes.tables.append(table)
        for person in people[1:]:
            await person.command(table, "join")
        if game == "drop-or-pop":  # teams wait for their owner
            await people[0].command(table, "start")
        await asyncio.gather(*(person.play(table) for person in people))


async def keep_killing(servers, notes, kills, chance):
    """Kill servers at random moments, but only while people make progress."""
    for number in range(kills):
        before, end = notes.count, time.monotonic() + STUCK_SECONDS
        while notes.count < before + ACKNOWLEDGED_FIRST:
            if time.monotonic() > end:
                notes.faults.append("nobody gets on any more")
                return
            await asyncio.sleep(0.01)
        await asyncio.sleep(chance.expovariate(5.0))
        await asyncio.to_thread(servers.kill, chance.randrange(len(servers.addresses)))
        notes.kills += 1
        if (number + 1) % 20 == 0:
            print(f"  {number + 1} kills, {notes.count} commands acknowledged", flush=True)


async def verify(database, notes):
    """Read the store and note every violation."""
    store = Store(database)
    try:
        events = 0
        for id_ in await store.ids():
            lines = await store.read(id_)
            events += len(lines)
            table = fold(id_, lines)  # an event that breaks a rule would raise
            if (
                table.status != "over" and id_ in notes.tables
            ):  # else its creator never learnt of it
                notes.faults.append(f"{id_} was not finished: {table.status}")
            obeyed = Counter(line.command.rpartition(":")[2] for line in lines if line.command)
            for command in notes.acknowledged[id_]:
                if obeyed[command] != 1:
                    notes.faults.append(f"{id_}: {command} is there {obeyed[command]} times")
            notes.faults += [
                f"{id_}: {command} was refused, but is there"
                for command in notes.refused[id_]
                if obeyed[command]
            ]
        missing = set(notes.tables) - set(await store.ids())
        notes.faults += [f"{id_} is gone" for id_ in missing]
        return events
    finally:
        await store.close()


async def torture(kind, database, arguments):
    """One run on one store; returns whether all went well."""
    chance = random.Random(arguments.seed)
    notes = Notes()
    config = Config(
        database=database, commands_a_second=10_000.0, tables_each=100_000, bot_processes=1
    )
    servers = Servers(config, 2 if kind == "postgresql" else 1)
    start = time.monotonic()
    try:
        groups = [
            asyncio.create_task(keep_playing(servers, notes, number, chance))
            for number in range(arguments.tables)
        ]
        await keep_killing(servers, notes, arguments.kills, chance)
        notes.done = True
        await asyncio.wait_for(asyncio.gather(*groups), STUCK_SECONDS)
    except (TimeoutError, RuntimeError) as error:
        notes.faults.append(f"not all tables could be finished: {error!r}")
    finally:
        servers.close()
    events = await verify(database, notes)
    for fault in notes.faults[:20]:
        print(f"  VIOLATION {fault}")
    print(
        f"{kind}: {notes.kills} kills in {time.monotonic() - start:.0f} s, {len(notes.tables)} "
        f"tables, {notes.count} commands acknowledged, {sum(map(len, notes.refused.values()))} "
        f"refused as stale, {notes.reconnects} connections, {events} events stored; "
        f"{len(notes.faults)} violations",
        flush=True,
    )
    return not notes.faults and notes.kills == arguments.kills


def main() -> int:
    """Torture the stores that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--store", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--tables", type=int, default=6, help="that are played at once")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    fine = True
    with ExitStack() as stack:
        if arguments.store != "postgresql":
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            fine &= asyncio.run(torture("sqlite", str(Path(folder) / "tables.db"), arguments))
        if arguments.store != "sqlite":
            if find_postgresql() is None:
                parser.error("PostgreSQL is not installed: --store sqlite works without it")
            address = new_database(stack.enter_context(postgresql()), "faults")
            fine &= asyncio.run(torture("postgresql", address, arguments))
    return int(not fine)


if __name__ == "__main__":
    sys.exit(main())
