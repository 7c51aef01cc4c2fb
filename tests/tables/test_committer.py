"""Commits: of several writers one wins, and whoever loses every race gets an answer too."""

import asyncio

import pytest

from droptable.core.language import speaking
from droptable.tables import commands as cmd
from droptable.tables.committer import TRIES
from droptable.tables.database import DatabaseError
from droptable.tables.viewer import since
from tests.tables.club import meet, until


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_command_that_loses_every_race_is_answered(database, language):
    """When others are always faster, the sender is told so in their language; nothing is stored."""

    async def scenario(club):
        host = await club.host()
        table = await club.two(host)
        before = await host.store.read(table)
        lost = []

        async def lose(*parts):
            lost.append(parts)
            return False

        append, host.store.append = host.store.append, lose
        with speaking(language):
            answer = await club.send(host, table, "a", cmd.Chat("hi"), id_="x")
        assert (answer.ok, answer.id, answer.kind) == (False, "x", "limit")
        assert ("too many people" in answer.message) == (language == "en")
        assert len(lost) == TRIES
        assert await host.store.read(table) == before
        host.store.append = append
        assert (await club.send(host, table, "a", cmd.Chat("hi"), id_="x")).ok

    meet(database, scenario)


def test_writers_at_two_servers_never_lose_or_double_anything(database):
    """Many commands at once, at two servers: each that was acknowledged is there exactly once."""

    async def scenario(club):
        one, two = await club.host(), await club.host()
        table = await club.two(one)
        said = [
            club.send(host, table, identity, cmd.Chat(f"{identity}{n}"))
            for n in range(20)
            for host, identity in ((one, "a"), (two, "b"))
        ]
        answers = await asyncio.gather(*said)
        assert all(answer.ok for answer in answers)
        lines = since(await one.refreshed(table), 0)
        texts = [x["text"] for x in lines if x["kind"] == "chat"]
        assert sorted(texts) == sorted(f"{i}{n}" for n in range(20) for i in "ab")

    meet(database, scenario)


def test_a_doubtful_append_is_looked_up(database):
    """If the database fails just after a commit, the same command sent again is obeyed once."""

    async def scenario(club):
        host = await club.host()
        table = await club.two(host)
        append = host.store.append

        async def fail(*parts):
            await append(*parts)
            raise DatabaseError("gone")

        host.store.append = fail
        answer = await club.send(host, table, "a", cmd.Chat("hi"), id_="x")
        assert answer.kind == "outage" and "send the same command again" in answer.message
        host.store.append = append
        assert (await club.send(host, table, "a", cmd.Chat("hi"), id_="x")).ok
        texts = [x["text"] for x in since(await host.table(table), 0) if x["kind"] == "chat"]
        assert texts == ["hi"]

    meet(database, scenario)


def test_a_client_that_goes_away_stops_nothing(database):
    """What it asked for is committed and told to the others."""

    async def scenario(club):
        host = await club.host()
        table = await club.two(host)
        heard = []
        host.subscribe(table, lambda t: heard.append(t.seq))
        host.subscribe(table, lambda _: 1 / 0)  # a listener that fails harms nobody
        sending = asyncio.ensure_future(club.send(host, table, "a", cmd.Chat("hi")))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        sending.cancel()
        await until(lambda: heard)
        assert since(await host.table(table), 0)[-1]["text"] == "hi"

    meet(database, scenario)
