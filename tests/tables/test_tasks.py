"""Background tasks: failures are counted and survived, commits finish, the rest is cancelled."""

import asyncio
from collections import Counter

import pytest

from droptable.tables.tasks import Tasks


def test_work_that_fails_is_counted_and_repeated():
    """Repeated work is done again after a failure; the failure is counted."""

    async def scenario():
        counts, done = Counter(), asyncio.Event()

        async def work():
            if counts["tried"] == 2:
                done.set()
                return
            counts["tried"] += 1
            raise RuntimeError("not yet")

        tasks = Tasks(counts)
        tasks.repeat(work, 0.0)
        await asyncio.wait_for(done.wait(), 60)
        await tasks.close()
        assert counts["failures"] == 2

    asyncio.run(scenario())


def test_closing_waits_for_commits_only():
    """A commit is finished, and whoever waits gets its result; other work is cancelled."""

    async def scenario():
        tasks, go, ended = Tasks(Counter()), asyncio.Event(), []

        async def commit():
            await go.wait()
            return "stored"

        async def listen():
            try:
                await asyncio.Event().wait()
            finally:
                ended.append("listener")

        waiting = tasks.commit(commit())
        tasks.start(listen())
        await asyncio.sleep(0)
        closing = asyncio.ensure_future(tasks.close())
        await asyncio.sleep(0)
        assert not closing.done()
        go.set()
        await asyncio.wait_for(closing, 60)
        assert waiting.result() == "stored" and ended == ["listener"] and tasks.closing

    asyncio.run(scenario())


def test_the_failure_of_a_commit_is_its_callers():
    """Whoever waits for a commit gets its exception; it is not counted as a failure as well."""

    async def scenario():
        counts = Counter()

        async def refuse():
            raise ValueError("refused")

        tasks = Tasks(counts)
        with pytest.raises(ValueError, match="refused"):
            await tasks.commit(refuse())
        await tasks.close()
        assert not counts

    asyncio.run(scenario())
