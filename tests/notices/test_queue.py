"""The queue and its courier: leases, retries, digests, and several servers on one database."""

import asyncio
from collections import Counter
from contextlib import asynccontextmanager

from droptable.notices.courier import GIVE_UP, Courier
from droptable.notices.queue import LEASE, Queue, Target
from droptable.notices.reach import Failed, Gone
from droptable.notices.what import Wishes
from droptable.tables.calls import Call
from droptable.tables.lookers import Lookers
from droptable.tables.store import Store
from tests.tables.conftest import database, postgres  # noqa: F401

ANN = Target("t", "ann", "webhook", "{}", "on")


class Post:
    """A receiver and a clock for couriers; `fails` is raised instead of accepting."""

    def __init__(self):
        self.now, self.came, self.fails, self.counts = 1000.0, [], None, Counter()

    async def send(self, target, message):
        if self.fails is not None:
            raise self.fails
        self.came.append((target.id, message))

    def courier(self, store, server="one", lookers=None):
        return Courier(
            Queue(store), {"webhook": self.send}, "https://x.org", clock=lambda: self.now,
            lookers=lookers or Lookers(), server=server, shared=store.is_shared,
            counts=self.counts,
        )  # fmt: skip


@asynccontextmanager
async def opened(url):
    store = Store(url)
    try:
        yield store
    finally:
        await store.close()


def make_call(number=0, identity="ann"):
    return Call(f"id{number}", identity, "test", "", 1000.0, 1000.0)


async def work(courier):
    await courier.round()
    await courier.close()


def test_none_is_lost_and_the_dead_are_buried(database):  # noqa: F811
    """A failure is tried again later and later; a dead end is noted; the rest arrives once."""

    async def run():
        async with opened(database) as store:
            queue, post = Queue(store), Post()
            await queue.add_target(ANN)
            courier = post.courier(store)
            await queue.add([make_call(), make_call()])  # the same twice
            post.fails = Failed("it answered 500")
            for seconds in (0, 1, 2, 4):
                post.now += seconds
                await work(courier)
            assert post.came == [] and (await queue.targets("ann"))[0].problem == "it answered 500"
            post.fails = None
            await work(courier)
            assert post.came == []  # it waits for 8 seconds now
            post.now += 8
            await work(courier)
            await work(courier)
            assert [message.id for _target, message in post.came] == ["id0"]
            assert (await queue.targets("ann"))[0].problem == ""
            await queue.add([make_call(1)])
            post.fails = Gone("it answered 410")
            await work(courier)
            dead = (await queue.targets("ann"))[0]
            assert (dead.state, dead.problem) == ("off", "it answered 410")
            assert await queue.people() == set()

    asyncio.run(run())


def test_a_dead_server_leaves_its_work_to_others(database):  # noqa: F811
    """What a server has claimed comes back when its lease ends, with the same id."""

    async def run():
        async with opened(database) as store:
            queue, post = Queue(store), Post()
            await queue.add_target(ANN)
            await queue.add([make_call()])
            assert len(await queue.claim_calls(store, post.now)) == 1  # and dies
            await work(post.courier(store))
            assert post.came == []
            post.now += LEASE + 1
            await post.courier(store).tell(store)
            claimed = await queue.claim_deliveries("webhook", post.now, 5)  # and dies
            await post.send(ANN, claimed[0][0].message)  # after it was sent
            post.now += LEASE + 1
            await work(post.courier(store, "two"))
            assert [message.id for _target, message in post.came] == ["id0", "id0"]

    asyncio.run(run())


def test_two_servers_share_the_work(database):  # noqa: F811
    """Of many notices each is carried by one of two couriers that work at the same time."""

    async def run():
        async with opened(database) as store, opened(database) as other:
            queue, post = Queue(store), Post()
            for number in range(40):
                await queue.add_target(Target(f"t{number}", f"p{number}", "webhook", "{}", "on"))
            await queue.add(make_call(number, f"p{number}") for number in range(40))
            couriers = [post.courier(store, "one"), post.courier(other, "two")]
            for _ in range(4):
                await asyncio.gather(*map(work, couriers))
            assert sorted(target for target, _m in post.came) == sorted(
                f"t{number}" for number in range(40)
            )

    asyncio.run(run())


def test_many_at_once_are_a_digest(tmp_path):
    """After quiet hours, several notices come as one; what nobody answers is given up some day."""

    async def run():
        async with opened(str(tmp_path / "tables.db")) as store:
            queue, post = Queue(store), Post()
            await queue.add_target(ANN)
            await queue.set_wishes("ann", Wishes(language="de", daily=True))
            calls = [Call(f"d{n}", "ann", "daily", "", 1000.0, 1000.0, '{"text": "x"}')
                     for n in range(10)]  # fmt: skip
            await queue.add(calls)
            await work(post.courier(store))
            ((_target, digest),) = post.came
            assert digest.kind == "digest" and [p.id for p in digest.parts] == [c.id for c in calls]
            assert digest.text.count("\n") == 8  # eight of them, and how many more
            await queue.add([make_call(5)])
            post.fails = Failed("no")
            await work(post.courier(store))
            post.now += GIVE_UP
            await work(post.courier(store))
            assert not await queue.due_ways(post.now + 10 * GIVE_UP)
            await queue.tidy(post.now + GIVE_UP)
            assert await queue.targets("ann") == []  # there is no such person

    asyncio.run(run())


def test_who_looks_at_another_server_is_not_called(database):  # noqa: F811
    """Another server's word that somebody looks counts while it is fresh; a dead one's does not."""

    async def run():
        async with opened(database) as store:
            queue, call = Queue(store), Call("l", "ann", "turn", "table", 1000.0, 1000.0)
            await queue.share_lookers("two", [("table", "ann")], 1001.0)
            assert await queue.looked_at(call, "one", 1001.5) == 1001.0
            assert await queue.looked_at(call, "two", 1001.5) is None  # it knows better itself
            assert await queue.looked_at(call, "one", 1020.0) is None
            await queue.share_lookers("two", [], 1002.0)
            assert await queue.looked_at(call, "one", 1002.5) is None

    asyncio.run(run())
