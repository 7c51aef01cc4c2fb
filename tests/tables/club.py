"""Hosts for tests: their clocks stand still, and their bots answer at once with any legal move."""

import asyncio
import random
from concurrent.futures import Future

from droptable.tables import commands as cmd
from droptable.tables.bot_pool import Choice
from droptable.tables.host import Host
from droptable.tables.limits import Limits
from droptable.tables.settings import Settings
from droptable.tables.store import Store

PLENTY = Limits(commands=1e6, burst=10**6, chats=1e6, chat_burst=10**6)


class QuickBots:
    """Any legal move at once; or, when `silent`, no answer ever; or a failure."""

    def __init__(self, *, silent=False, failure=""):
        self.silent = silent
        self.failure = failure
        self.asked = self.unattended = 0
        self.chance = random.Random(7)

    own = ()

    def choose(self, _key, _bot, view, _owner="", *, attended=True, seed=b""):
        self.asked += 1
        self.unattended += not attended
        self.seed = seed
        answer = Future()
        self.answer = lambda: answer.set_result(
            Choice(self.chance.choice(view.legal), self.failure)
        )
        if not self.silent:
            self.answer()
        return answer

    def attend(self, table):
        pass

    def close(self):
        pass


class Club:
    """Hosts at one database, with Ann and Bob registered; `now` is everybody's time."""

    def __init__(self, url):
        self.url = url
        self.now = 1000.0
        self.hosts = []
        self.number = 0

    async def host(self, bots=None, *, start=True, limits=PLENTY):
        host = Host(Store(self.url), bots or QuickBots(), limits=limits, clock=lambda: self.now)
        self.hosts.append(host)
        if start:
            await host.start()
        for identity, name in (("a", "Ann"), ("b", "Bob")):
            await host.register(identity, name)
        return host

    async def close(self, host):
        self.hosts.remove(host)
        await host.close()

    async def send(self, host, table, identity, command, *, id_=None, seq=None):
        """Send a command with an id of its own."""
        self.number += 1
        return await host.command(
            table, identity, cmd.Envelope(id_ or f"n{self.number}", command, seq)
        )

    async def two(self, host, game="drop", **settings):
        """A table where Ann and Bob play."""
        table = await host.create("a", Settings(game, players=2, seats=("me", "open"), **settings))
        assert (await self.send(host, table.id, "b", cmd.Join())).ok
        return table.id

    async def move(self, host, table, identity):
        """Make any legal move."""
        current = await host.table(table)
        seat = current.seat_of(identity)
        return await self.send(host, table, identity, cmd.Move(current.state.legal(seat)[0]))


def meet(url, scenario):
    """Run a scenario with a club, and close its hosts."""

    async def run():
        club = Club(url)
        try:
            return await asyncio.wait_for(scenario(club), 300)  # compiling is not the point
        finally:
            for host in club.hosts:
                await host.close()

    return asyncio.run(run())


async def until(what, seconds=20.0):
    """Wait until something is so."""
    for _ in range(int(seconds / 0.01)):
        if await what() if asyncio.iscoroutinefunction(what) else what():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen in time")
