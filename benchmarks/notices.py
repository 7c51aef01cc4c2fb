"""Notices while servers are killed and receivers fail: none is lost, none is shown twice.

People play by turns and move only when push, mail and webhook have all called them. Meanwhile the
servers are killed (SIGKILL) and the receivers fail for a while, at random moments. In the end each
turn and each end of a match must have arrived at each receiver under one id.

    python -m benchmarks.notices --kills 200              # one server on SQLite
    python -m benchmarks.notices --kills 200 --servers 2  # two on PostgreSQL
"""

import argparse
import random
import re
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import httpx

from benchmarks.receivers import Receivers
from benchmarks.serving import Server, free_port, postgresql

WAYS = ("push", "mail", "webhook")
LONGEST_LULL = 15.0  # seconds to wait for something to happen before a kill
PATIENCE = 600.0  # seconds until a notice counts as lost
SITE = "https://games.example.org"


class Player:
    """Somebody who is reached in all three ways and acts through whichever server answers."""

    def __init__(self, name, run):
        self.name, self._run = name, run
        own = f"198.51.100.{len(run.receivers.browsers)}"  # limits count addresses
        self._http = httpx.Client(timeout=10, headers={"X-Forwarded-For": own})
        self._numbers = 0
        self.ask("PUT", "/api/me", {"name": name})
        self.ask("POST", "/api/me/notices/targets", {"push": run.receivers.browser(name)})
        self.ask("POST", "/api/me/notices/targets", {"webhook": run.receivers.hook(name)})
        self.ask("POST", "/api/me/notices/targets", {"mail": f"{name}@example.org"})
        asked = run.receivers.wait(lambda a: a.way == "mail" and a.who == name, PATIENCE)
        self.ask("POST", "/api/notices/confirm", {"token": re.search("confirm=(.*)", asked.url)[1]})

    def ask(self, method, path, body=None):
        """A request, sent again until a server has answered it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            address = random.choice(self._run.addresses)
            try:
                answer = self._http.request(method, address + path, json=body)
            except httpx.HTTPError:
                time.sleep(0.05)
                continue
            if answer.status_code < 500:
                if answer.status_code == 429 and "mail" in (body or {}):
                    return None  # asked before: the mail is on its way
                return answer.json()
            time.sleep(0.05)
        raise AssertionError(f"{method} {path}: no answer")

    def do(self, table, type_, **fields):
        """A command; the same id is obeyed once, however often it is sent."""
        self._numbers += 1
        envelope = {"id": f"n{self._numbers}", "command": {"type": type_} | fields}
        return self.ask("POST", f"/api/tables/{table}/commands", envelope)

    def close(self):
        """Hang up."""
        self._http.close()


class Run:
    """One run: people, servers, and what ought to have arrived."""

    def __init__(self, servers, receivers, database):
        self.receivers = receivers
        self._settings = {
            "notices": " ".join(WAYS), "site": SITE, "smtp": receivers.smtp,
            "mail_from": "host@example.org", "notice_networks": "127.0.0.0/8",
            "identities_an_hour": 1e6, "bot_processes": 1,
        }  # fmt: skip
        self._database = database
        ports = [free_port() for _ in range(servers)]
        self.servers = [self.start(port) for port in ports]
        self.addresses = [server.address.rstrip("/") for server in self.servers]
        self.playing = True
        self.expected = Counter()  # by person, title and address of the table
        self.seconds, self.problems = [], []
        self.moved = threading.Event()

    def start(self, port):
        """A server at a port."""
        return Server(self._database, port=port, **self._settings).wait()

    def restart(self, number):
        """Kill a server in the middle of whatever it does, and start it again."""
        self.servers[number].kill()
        self.servers[number] = self.start(self.servers[number].port)

    def play(self, pair):
        """Matches of two people, until the run ends."""
        try:
            while self.playing:
                self._match(*pair)
        except Exception as error:
            self.problems.append(f"{type(error).__name__}: {error}"[:300])

    def _match(self, anna, ben):
        made = anna.ask("POST", "/api/tables", {"game": "drop", "options": {"size": 5}})
        table = made["table"]
        ben.do(table, "join")
        since = time.time()
        players, url, mover = (anna, ben), f"{SITE}/t/{table}", None
        while True:
            looks = [player.ask("GET", f"/api/tables/{table}") for player in players]
            if looks[0]["status"] == "over":
                for player in players:
                    self._await(player, "The match is over", url, since)
                return
            turn = next(i for i, look in enumerate(looks) if look["legal"])
            if turn != mover:  # a turn may have several moves
                self._await(players[turn], "Your turn", url, since)
            mover = turn
            if not self.playing:
                return
            token = random.choice(looks[turn]["legal"])["token"]
            players[turn].do(table, "move", token=token)
            self.moved.set()
            since = time.time()

    def _await(self, player, title, url, since):
        """Wait until somebody was called once more, in all ways."""
        self.expected[player.name, title, url] += 1
        wanted = self.expected[player.name, title, url]
        end = time.monotonic() + PATIENCE
        while any(len(self.ids(way, player.name, title, url)) < wanted for way in WAYS):
            assert time.monotonic() < end, f"lost: {player.name}, {title}, {url}"
            time.sleep(0.05)
        self.seconds.append(time.time() - since)

    def ids(self, way, who, title, url):
        """The ids of what has arrived."""
        return {
            arrival.id
            for arrival in self.receivers.of(who, way)
            if arrival.title == title and arrival.url == url
        }

    def report(self):
        """What was lost, what came under two ids, and how often something left twice."""
        came = Counter((a.way, a.who, a.id) for a in self.receivers.arrivals if "/t/" in a.url)
        counts = {
            (key, way): len(self.ids(way, *key)) - number
            for key, number in self.expected.items()
            for way in WAYS
        }
        return {
            "notices": 3 * sum(self.expected.values()),
            "lost": sum(max(0, -difference) for difference in counts.values()),
            "shown twice": sum(max(0, difference) for difference in counts.values()),
            "left twice under one id": sum(number - 1 for number in came.values()),
            "problems": self.problems,
        }


def strike(run, chance):
    """Kill a server and start it again: right after a move, after it has sent something and before
    it can note that, or at any moment."""
    number = chance.randrange(len(run.servers))
    how = chance.choice(("move", "sent", "time"))
    happened = run.moved if how == "move" else threading.Event()
    happened.clear()
    if how == "sent":

        def kill():
            run.servers[number].process.kill()
            happened.set()

        run.receivers.before_answer["any"] = kill
    happened.wait(chance.uniform(0.3, 4.0) if how == "time" else LONGEST_LULL)
    run.receivers.before_answer.clear()
    run.restart(number)
    return how


def fail_for_a_while(receivers, chance):
    """Let some receiver fail until the next kill, or none."""
    receivers.down = {chance.choice((*WAYS, ""))}


def measure(kills, pairs, servers=1, database="", seed=1, minutes=600.0, show=lambda _text: None):
    """Play while servers are killed; the report."""
    chance, struck, end = random.Random(seed), Counter(), time.monotonic() + 60 * minutes
    with ExitStack() as stack:
        receivers = stack.enter_context(Receivers())
        if not database and servers > 1:
            database = stack.enter_context(postgresql())
        elif not database:
            database = str(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "tables.db")
        run = Run(servers, receivers, database)
        stack.callback(lambda: [server.stop() for server in run.servers])
        people = [(Player(f"anna{i}", run), Player(f"ben{i}", run)) for i in range(pairs)]
        threads = [threading.Thread(target=run.play, args=(pair,)) for pair in people]
        for thread in threads:
            thread.start()
        for number in range(kills):
            if time.monotonic() > end:
                break
            fail_for_a_while(receivers, chance)
            struck[strike(run, chance)] += 1
            show(f"kill {number + 1}: {run.report() | {'down': sorted(receivers.down)}}")
        receivers.down.clear()
        run.playing = False
        for thread in threads:
            thread.join()
        for pair in people:
            for player in pair:
                player.close()
        report = {"kills": dict(struck)} | run.report()
        if run.seconds:
            report["median seconds"] = round(statistics.median(run.seconds), 2)
        return report


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--pairs", type=int, default=6, help="of people who play")
    parser.add_argument("--servers", type=int, default=1, help="more than one on PostgreSQL")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600, help="no kills after that")
    asked = parser.parse_args()
    started = time.monotonic()
    show = lambda text: print(text, file=sys.stderr, flush=True)  # noqa: E731
    report = measure(
        asked.kills, asked.pairs, asked.servers, seed=asked.seed, minutes=asked.minutes, show=show
    )
    print(report | {"minutes": round((time.monotonic() - started) / 60, 1)})
    sys.exit(bool(report["lost"] or report["shown twice"] or report["problems"]))


if __name__ == "__main__":
    main()
