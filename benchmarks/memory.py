"""What a live table costs in memory: a real server, tables of two, both seats with a socket.

`python benchmarks/memory.py` opens tables of Drop. with people at both seats, as browsers do
(pictures and compression), and prints by how much the server's resident memory grew per table
after more and more moves. Other tables are played before: they fill the caches that all tables
share, whose size is bounded, though the database's goes on growing for a while. Exits 1 above
200 kB per table. `tests/tables/test_memory.py` counts the objects of a table.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import httpx
import msgspec
from serving import Server
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

MOST = 200.0  # kB per table
AT_ONCE = 16
WARM = 20  # tables that are played first
PEOPLE = ("Ann", "Ben")


class Seat:
    """A client at a seat, which moves when it is told to."""

    def __init__(self, socket):
        self.socket = socket
        self.state = None

    async def read(self):
        """Keep the latest state."""
        with suppress(ConnectionClosed):
            async for text in self.socket:
                message = msgspec.json.decode(text)
                if message["type"] == "state":
                    self.state = message

    async def move(self, chance):
        """Make any legal move; False if it is not this seat's turn."""
        if self.state is None or not self.state["legal"]:
            return False
        seq = self.state["seq"]
        token = chance.choice(self.state["legal"])["token"]
        command = {"id": f"m{seq}", "seq": seq, "command": {"type": "move", "token": token}}
        await self.socket.send(msgspec.json.encode(command).decode())
        for _ in range(2000):
            if self.state["seq"] > seq:
                return True
            await asyncio.sleep(0.005)
        return False


def resident(pid):
    """Kilobytes of memory that a process has."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1])


async def open_table(base, people, settings, scene, stack):
    """A table with both seats taken and connected."""
    made = await people[0].post("/api/tables", json=settings)
    id_ = made.raise_for_status().json()["table"]
    join = {"id": "join", "command": {"type": "join"}}
    (await people[1].post(f"/api/tables/{id_}/commands", json=join)).raise_for_status()
    seats = []
    for person in people:
        headers = {"Cookie": f"droptable={person.cookies['droptable']}"}
        address = f"{base.replace('http', 'ws')}/api/tables/{id_}/socket?{scene}"
        socket = await stack.enter_async_context(
            connect(address, additional_headers=headers, ping_interval=None, close_timeout=0.1)
        )
        seats.append(Seat(socket))
        reading = asyncio.create_task(seats[-1].read())
        stack.callback(reading.cancel)
    return seats


async def measure(server, arguments):
    """Kilobytes per table, after so many moves at each."""
    base, pid, chance = server.address, server.process.pid, random.Random(1)
    settings = {"game": arguments.game, "players": 2}
    scene = "scene=wide&beats=true"
    figures = {}
    async with AsyncExitStack() as stack:
        people = [
            await stack.enter_async_context(httpx.AsyncClient(base_url=base, timeout=60))
            for _ in PEOPLE
        ]
        for person, name in zip(people, PEOPLE, strict=True):
            await person.put("/api/me", json={"name": name})
        limit = asyncio.Semaphore(AT_ONCE)

        async def open_tables(count):
            return [await open_table(base, people, settings, scene, stack) for _ in range(count)]

        async def play(seats):
            async with limit:
                for seat in seats:
                    if await seat.move(chance):
                        return

        warm, before = await open_tables(WARM), resident(pid)
        for _ in range(max(arguments.moves)):
            await asyncio.gather(*(play(seats) for seats in warm))
        print(f"shared, with {WARM} tables: {(resident(pid) - before) / 1000:.1f} MB", flush=True)
        before, tables, made = resident(pid), await open_tables(arguments.tables), 0
        for moves in arguments.moves:
            for _ in range(moves - made):
                await asyncio.gather(*(play(seats) for seats in tables))
            made = moves
            await asyncio.sleep(0.5)
            figures[moves] = (resident(pid) - before) / arguments.tables
            print(f"{moves:>6} moves: {figures[moves]:>7.1f} kB per table", flush=True)
    return figures


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--game", default="drop")
    parser.add_argument("--moves", type=int, nargs="+", default=[2, 10, 20, 30])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(
            f"{folder}/tables.db", commands_a_second=1e6, tables_each=10**6, sockets_each=10**6,
            requests_a_minute=1e9, megabytes_a_minute=1e6,
            bot_processes=1,
        )  # fmt: skip
        try:
            server.wait()
            figures = asyncio.run(measure(server, arguments))
        finally:
            server.kill()
    return int(max(figures.values()) > MOST)


if __name__ == "__main__":
    sys.exit(main())
