"""What strangers do to a server, for benchmarks/abuse.py: each attack is a process of its own.

`python benchmarks/attacks.py NAME PORT FOLDER SECONDS` attacks 127.0.0.1:PORT and prints, as JSON,
how its requests were answered. Requests are plain bytes on plain sockets: an attacker must not be
slowed down by a client library. Strangers come from addresses of their own (127.0.2.1, …).
"""

import asyncio
import json
import resource
import sys
import time
from collections import Counter
from contextlib import suppress
from itertools import count, cycle
from pathlib import Path

ANSWER_SECONDS = 30.0
SOCKET_HEAD = (
    "GET /api/tables/{table}/socket?scene=wide HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


class Attack:
    """An attack in progress: where, for how long, and what was answered."""

    def __init__(self, port, folder, seconds):
        self.port = port
        self.folder = Path(folder)
        self.end = time.monotonic() + seconds
        self.answers = Counter()

    @property
    def goes_on(self):
        """Whether the time is not up yet."""
        return time.monotonic() < self.end

    def known(self, name):
        """What the benchmark has left in a file: keys of replays, a table, a cookie."""
        return json.loads((self.folder / name).read_text())

    async def connect(self, stranger):
        """A connection from a stranger's address."""
        source = (f"127.0.2.{1 + stranger % 250}", 0)
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=source)

    async def ask(self, stranger, method, path, body=None, cookie=""):
        """One request on a connection of its own; the status, or why there was none."""
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        head += f"Cookie: droptable={cookie}\r\n" if cookie else ""
        head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        writer = None
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                reader, writer = await self.connect(stranger)
                writer.write(head.encode() + data)
                line = await reader.readline()
                await reader.read()
            answer = line.split()[1].decode() if line else "closed"
        except (OSError, TimeoutError, IndexError) as error:
            answer = type(error).__name__
        finally:
            if writer is not None:
                writer.close()
        self.answers[answer] += 1
        return answer

    async def flood(self, strangers, request, at_once=1):
        """Each stranger sends one request after the other; refused ones wait a little."""

        async def go_on(stranger):
            for number in count():
                if not self.goes_on:
                    return
                if await self.ask(stranger, *request(stranger, number)) != "200":
                    await asyncio.sleep(0.02)

        await asyncio.gather(*(go_on(s) for s in range(strangers) for _ in range(at_once)))


async def picture(attack, strangers=1):
    """Large pictures of moments of a replay."""
    key, *_ = attack.known("replays")
    await attack.flood(
        strangers,
        lambda s, n: ("GET", f"/api/replays/{key}/picture.png?width=2000&at={(7 * s + n) % 60}"),
    )


async def pictures(attack):
    """The same by twenty strangers."""
    await picture(attack, 20)


async def films(attack):
    """Twenty animations at once, no two alike."""
    looks = [
        f"/api/replays/{key}/animation.gif?theme={theme}&language={language}"
        for key in attack.known("replays")
        for theme in ("light", "dark")
        for language in ("en", "de")
    ]
    await attack.flood(20, lambda s, n: ("GET", looks[(s + 20 * n) % len(looks)]))


async def coach(attack):
    """One stranger wants eight matches judged."""
    keys = cycle(attack.known("replays"))
    await attack.flood(1, lambda _s, _n: ("POST", f"/api/replays/{next(keys)}/coach"))


async def hints(attack):
    """One person asks for hints, ten at a time."""
    seat = attack.known("hints")
    path = f"/api/tables/{seat['table']}/hint"
    await attack.flood(1, lambda _s, _n: ("GET", path, None, seat["cookie"]), at_once=10)


async def masters(attack):
    """One person has fifty tables of two masters each, on the largest board."""
    cookie = attack.known("masters")["cookie"]
    settings = {"game": "drop", "seats": ["master", "master"], "options": {"size": 9}}
    for _ in range(50):
        await attack.ask(1, "POST", "/api/tables", settings, cookie)
    while attack.goes_on:
        await asyncio.sleep(0.1)


async def identities(attack):
    """One address becomes a new person with each request."""
    await attack.flood(1, lambda _s, n: ("PUT", "/api/me", {"name": f"Nobody {n}"}), at_once=4)


async def sockets(attack):
    """Two thousand anonymous spectators with pictures at one table, from four addresses."""
    head = SOCKET_HEAD.format(table=attack.known("watched")["table"]).encode()
    opened = []

    async def drain(reader):
        with suppress(OSError):
            while await reader.read(1 << 16):
                pass

    for number in range(2000):
        if not attack.goes_on:
            break
        try:
            reader, writer = await attack.connect(number % 4)
            writer.write(head)
            line = await asyncio.wait_for(reader.readline(), ANSWER_SECONDS)
        except (OSError, TimeoutError) as error:
            attack.answers[type(error).__name__] += 1
            continue
        attack.answers[line.split()[1].decode() if line else "closed"] += 1
        opened.append((writer, asyncio.create_task(drain(reader))))
    while attack.goes_on:
        await asyncio.sleep(0.1)
    for writer, task in opened:
        writer.close()
        task.cancel()


async def halves(attack):
    """Eleven hundred requests whose heads never end, opened again when they are closed."""
    opened = []
    while attack.goes_on:
        opened = [writer for writer in opened if not writer.transport.is_closing()]
        while len(opened) < 1100 and attack.goes_on:
            try:
                _reader, writer = await asyncio.wait_for(attack.connect(0), 1.0)
            except (OSError, TimeoutError) as error:
                attack.answers[type(error).__name__] += 1
                await asyncio.sleep(0.05)
                break
            writer.write(b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
            attack.answers["half sent"] += 1
            opened.append(writer)
        await asyncio.sleep(0.05)
    for writer in opened:
        writer.close()


async def requests(attack):
    """One address asks for a list and for a table, on fifty connections at once."""
    table = attack.known("watched")["table"]
    paths = ("/api/tables?which=live", f"/api/tables/{table}?scene=wide")
    await attack.flood(1, lambda _s, n: ("GET", paths[n % 2]), at_once=50)


async def deaf(attack):
    """A hundred spectators of the busiest table who send nonsense and never read."""
    head = SOCKET_HEAD.format(table=attack.known("watched")["table"]).encode()
    frame = bytes([0x81, 0x84]) + bytes(4) + b"what"
    opened = []
    for _ in range(100):
        with suppress(OSError, TimeoutError):
            reader, writer = await attack.connect(0)
            reader._transport.pause_reading()
            writer.write(head)
            opened.append(writer)
    while attack.goes_on:
        for writer in opened:
            if not writer.transport.is_closing() and not writer.transport.get_write_buffer_size():
                writer.write(frame * 100)
                attack.answers["frames"] += 100
        await asyncio.sleep(0.1)
    for writer in opened:
        writer.transport.abort()


ATTACKS = {
    attack.__name__: attack
    for attack in (
        picture, pictures, films, coach, masters, hints, identities, sockets, halves,
        requests, deaf,
    )
}  # fmt: skip


def main(name, port, folder, seconds):
    """Attack, and print how it was answered."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    attack = Attack(int(port), folder, float(seconds))
    asyncio.run(ATTACKS[name](attack))
    print(json.dumps(attack.answers))


if __name__ == "__main__":
    main(*sys.argv[1:])
