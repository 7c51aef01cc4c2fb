"""Commits: of several writers one wins, and whoever loses every race gets an answer too."""

import pytest

from droptable.core.language import speaking
from droptable.tables import commands as cmd
from droptable.tables.host import TRIES
from tests.tables.club import meet


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
