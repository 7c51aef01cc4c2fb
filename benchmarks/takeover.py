"""Takeover: how long a bot is silent when the server that it thought at is killed.

`python benchmarks/takeover.py` runs two servers on one PostgreSQL. Somebody moves at the first,
which is killed (SIGKILL) as soon as it has answered, and watches at the second, until that one lets
the bot move. The killed server is started again, and so on. Exits 1 if the 99th percentile is over
two seconds, or a bot never moved.
"""

import argparse
import json
import random
import statistics
import sys
import time

import httpx
from serving import Server, find_postgresql, new_database, postgresql
from websockets.sync.client import connect

MOST = 2.0  # seconds, for the 99th percentile
NEVER = 60.0


def introduce(server):
    """Somebody new, with a cookie that all servers on the database know."""
    answer = httpx.put(f"{server.address}/api/me", json={"name": "Ann"}, timeout=60)
    return {"Cookie": f"droptable={answer.cookies['droptable']}"}


def silence(first, second, headers, chance):
    """Seconds from the first server's death until a bot has moved at the second."""
    settings = {"game": "drop", "seats": ["me", "normal"]}
    made = httpx.post(f"{first.address}/api/tables", json=settings, headers=headers, timeout=60)
    table = made.json()["table"]
    address = f"{second.address.replace('http', 'ws')}/api/tables/{table}/socket"
    with connect(address, additional_headers=headers) as socket:
        state = json.loads(socket.recv(timeout=NEVER))
        token = chance.choice(state["legal"])["token"]
        envelope = {"id": "first", "command": {"type": "move", "token": token}}
        place = f"{first.address}/api/tables/{table}/commands"
        answer = httpx.post(place, json=envelope, headers=headers, timeout=60).json()
        first.kill()
        start = time.perf_counter()
        assert answer["ok"], answer
        while time.perf_counter() - start < NEVER:
            state = json.loads(socket.recv(timeout=NEVER))
            if state["type"] == "state" and state["legal"]:
                return time.perf_counter() - start
    return NEVER


def main() -> int:
    """Kill and measure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=60.0, help="after which it ends anyway")
    arguments = parser.parse_args()
    if find_postgresql() is None:
        parser.error("PostgreSQL is not installed")
    chance, times, end = random.Random(1), [], time.monotonic() + 60 * arguments.minutes
    with postgresql() as address:
        database = new_database(address, "takeover")
        limits = {"identities_an_hour": 10**6, "tables_each": 10**6}
        servers = [Server(database, **limits).wait() for _ in range(2)]
        try:
            headers = introduce(servers[0])
            for number in range(arguments.kills):
                if time.monotonic() > end:
                    break
                dying, watching = servers[number % 2], servers[1 - number % 2]
                times.append(silence(dying, watching, headers, chance))
                servers[number % 2] = Server(database, **limits).wait()
                if (number + 1) % 20 == 0:
                    print(f"  {number + 1} kills, worst so far {max(times):.2f} s", flush=True)
        finally:
            for server in servers:
                server.kill()
    p99 = sorted(times)[min(len(times) - 1, int(0.99 * len(times)))]
    print(f"{len(times)} kills: bots went on after {statistics.median(times):.2f} s (median), "
          f"{p99:.2f} s (p99), {max(times):.2f} s (worst)")  # fmt: skip
    return int(p99 > MOST)


if __name__ == "__main__":
    sys.exit(main())
