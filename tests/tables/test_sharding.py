"""Tables spread over two databases: found by their ids, listed together, moved without loss."""

import asyncio
import uuid

import psycopg
import pytest

from droptable.core.errors import DroptableError
from droptable.tables import commands as cmd
from droptable.tables import forgetting, relocation, retention
from droptable.tables.appends import Append
from droptable.tables.archive import damaged_tables, export_tables
from droptable.tables.bus import Bus
from droptable.tables.database import DatabaseError
from droptable.tables.host import Host
from droptable.tables.integrity import DamagedTable
from droptable.tables.retention import Keep
from droptable.tables.settings import Settings
from droptable.tables.sharding import ShardedStore, ranked
from droptable.tables.store import Store
from droptable.tables.summary import Score
from tests.tables.club import PLENTY, Club, QuickBots, until
from tests.tables.test_store import chat, first


@pytest.fixture(params=["sqlite", "postgresql"])
def databases(request, tmp_path):
    """The addresses of two empty databases, once of each kind."""
    if request.param == "sqlite":
        return [str(tmp_path / "one.db"), str(tmp_path / "two.db")]
    folder = request.getfixturevalue("postgres")
    names = [f"d{uuid.uuid4().hex}" for _ in range(2)]
    url = "postgresql://droptable@/{}?host={}"
    with psycopg.connect(url.format("postgres", folder), autocommit=True) as connection:
        for name in names:
            connection.execute(f"CREATE DATABASE {name}")
    return [url.format(name, folder) for name in names]


def opened(urls):
    home, *others = urls
    return ShardedStore(home, [Store(url) for url in others])


async def name(store):
    """Names of the databases that are the same in each run, so that tables lie in the same ones."""
    add = "INSERT INTO secrets (name, value) VALUES ('shard', :name) ON CONFLICT DO NOTHING"
    for number, shard in enumerate(store.shards):
        await shard.write(lambda c, name=f"n{number}": c.execute(add, {"name": name}).rowcount)


def sharded(urls, scenario):
    """Run a scenario with a store on these databases."""

    async def run():
        store = opened(urls)
        await name(store)
        try:
            return await asyncio.wait_for(scenario(store), 100)
        finally:
            await store.close()

    return asyncio.run(run())


async def places(store, table):
    """The number of a table in each database; 0 where it is not."""
    return [(await Store.numbers(shard, [table])).get(table, 0) for shard in store.shards]


def test_databases_are_ranked_evenly_and_steadily():
    """Each gets its share; a further one takes tables over, but moves none between the others."""
    tables = [f"t{n}" for n in range(2000)]
    before = {table: ranked("ab", table)[0] for table in tables}
    after = {table: ranked("abc", table)[0] for table in tables}
    assert 900 < sum(before.values()) < 1100
    assert 560 < sum(place == 2 for place in after.values()) < 780
    assert all(after[table] in (2, before[table]) for table in tables)


def test_lists_scores_and_archives_span_all_databases(databases):
    """Tables lie in both, and are listed, exported, checked and deleted as if in one."""

    async def scenario(store):
        for number in range(12):
            _, append = first(f"T{number}", public=True)
            columns = append.summary.columns | {"updated": float(number)}
            score = Score(append.table, "number-drop", "Ann", number % 5, float(number))
            summary = type(append.summary)(columns, append.summary.people)
            assert await store.append(
                Append(append.table, 0, append.lines, summary, float(number), score)
            )
        found = [await places(store, f"T{n}") for n in range(12)]
        assert all(sum(seq > 0 for seq in place) == 1 for place in found)
        assert {place.index(0) for place in found} == {0, 1}  # some in each
        newest = [f"T{n}" for n in range(11, -1, -1)]
        assert [t.table for t in await store.public("open", 5)] == newest[:5]
        assert [t.table for t in await store.public("open", 50, before=7.0)] == newest[5:]
        assert [t.table for t in await store.mine("A")] == newest
        assert await store.count_owned("A") == 12
        best = await store.scores("number-drop", 3, identity="A")
        assert [(s.table, s.score) for s in best] == [("T4", 4), ("T9", 4), ("T3", 3)]
        assert await store.next_due() == 0.0
        assert len(await store.claim_due(5.0, 50.0)) == 6
        exported = [line async for line in export_tables(store)]
        assert len(exported) == 12
        assert [reason async for _, reason in damaged_tables(store)] == [""] * 12
        assert len(await retention.untouched(store, 3.0)) == 3
        assert await retention.delete_tables(store, newest) == 12
        assert await store.ids() == []

    sharded(databases, scenario)


def test_people_are_at_home_and_kept_while_they_sit_anywhere(databases):
    """A guest who sits only in the second database is not forgotten; deletion reaches all."""

    async def scenario(store):
        second = store.shards[1]
        for who, name in (("A", "Ann"), ("Z", "Zoe")):
            await store.save_identity(who, name, 0.0)
            await retention.visit(store, who, 0.0)
        assert await second.name_of("A") is None
        await Store.append(second, first("T")[1])
        deleted, _gone, _silent = await retention.step(store, Keep(waiting=0, unfinished=0), 1e9)
        assert deleted == 1
        assert [await store.name_of(who) for who in "AZ"] == ["Ann", None]
        await store.write(lambda connection: forgetting.mark(connection, "A", 1.0))
        assert await forgetting.step(store, 1.0) == "T"
        assert await store.mine("A") == []

    sharded(databases, scenario)


async def meet(urls, scenario):
    """Two hosts, each with its own view of both databases."""
    club = Club("")
    hosts = []
    try:
        for _ in range(2):
            host = Host(opened(urls), QuickBots(), limits=PLENTY, clock=lambda: club.now)
            hosts.append(host)
            await host.start()
        for identity, name in (("a", "Ann"), ("b", "Bob")):
            await hosts[0].register(identity, name)
        await asyncio.wait_for(scenario(club, *hosts), 100)
    finally:
        for host in hosts:
            await host.close()


def test_a_table_moves_while_people_play(databases):
    """Ann and Bob at two servers, a bot at the third seat, a table that never stays: every command
    is carried out once, and each server's viewers come to the same end."""

    async def scenario(club, one, two):
        settings = Settings("drop-or-pop", players=3, seats=("me", "open", "random"))
        table = (await one.create("a", settings)).id
        assert (await club.send(two, table, "b", cmd.Join())).ok
        seen = {one: [], two: []}
        for host in (one, two):
            host.subscribe(table, lambda current, host=host: seen[host].append(current.seq))
        mover, moves, sent = opened(databases), 0, 0
        playing = True

        async def keep_moving():
            nonlocal moves
            while playing:
                before = sent
                for shard in mover.shards:
                    moves += await relocation.move(mover, table, shard)
                while playing and sent == before:  # on a busy machine nobody else would get through
                    await asyncio.sleep(0.005)

        moving = asyncio.create_task(keep_moving())
        for number in range(40):
            for host, identity in ((one, "a"), (two, "b")):
                assert (await club.send(host, table, identity, cmd.Chat(f"{identity}{number}"))).ok
                sent += 1
                current = await host.refreshed(table)
                if (
                    current.status == "playing"
                    and current.seat_of(identity) in current.state.to_act
                ):
                    assert (await club.move(host, table, identity)).ok
        playing = False
        await moving
        assert moves > 5
        assert sorted(await places(mover, table))[0] == 0 < sorted(await places(mover, table))[1]
        lines = await mover.read(table)
        assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
        said = [line.event.text for line in lines if hasattr(line.event, "text")]
        assert said == [f"{identity}{number}" for number in range(40) for identity in "ab"]
        await mover.close()
        if one.store.is_shared:  # SQLite has no notices
            for host in (one, two):
                await until(lambda host=host: seen[host][-1] == len(lines))
                assert seen[host] == sorted(seen[host])

    asyncio.run(meet(databases, scenario))


@pytest.mark.parametrize("after", [0, 1])
def test_a_table_that_keeps_moving_is_read(databases, monkeypatch, after):
    """It leaves, again and again, just before it is read: it is found, and not called damaged."""

    async def scenario(store):
        sitting, append = first()
        await Store.append(store.shards[0], append)
        await store.find("T")
        read_here, moves = Store.read_here, []

        async def left(shard, table, after):
            if shard in store.shards and len(moves) < 3:
                target = store.shards[1 - store.shards.index(shard)]
                moves.append(await relocation.move(store, table, target))
            return await read_here(shard, table, after)

        monkeypatch.setattr(Store, "read_here", left)
        assert await store.read("T", after) == sitting.lines[after:]
        assert moves == [True] * 3

    sharded(databases, scenario)


def test_a_move_that_broke_off_loses_nothing_and_can_be_finished(databases, monkeypatch):
    """The mover dies after each of its steps: the table can be read all the time, and the same
    move again makes it whole; another one is refused meanwhile."""

    monkeypatch.setattr("droptable.tables.sharding.MOVING", (0.01, 0.01))

    async def scenario(store):
        sitting, append = first()
        await Store.append(store.shards[0], append)
        one, two = store.shards
        goal = await store.name_of_shard(two)
        copy = await one.write(lambda c: relocation.freeze(c, "T", goal))
        assert await store.read("T") == sitting.lines
        with pytest.raises(DatabaseError, match="being moved"):
            await store.append(chat(sitting.table, sitting.table.seq, "frozen"))
        await two.write(lambda c: relocation.arrive(c, copy))
        assert await places(store, "T") == [-sitting.table.seq, sitting.table.seq]
        assert await store.append(chat(sitting.table, sitting.table.seq, "arrived"))
        assert [t.table for t in await store.mine("A")] == ["T"]
        assert await relocation.move(store, "T", two)
        assert await places(store, "T") == [0, sitting.table.seq + 1]
        assert not await relocation.move(store, "T", two)
        lines = await store.read("T")
        assert lines[:-1] == sitting.lines and lines[-1].event.text == "arrived"
        assert await store.read("T", len(lines)) == []
        with pytest.raises(DamagedTable):
            await store.read("T", len(lines) + 1)
        with pytest.raises(DroptableError, match="there is no table 'U'"):
            await relocation.move(store, "U", one)

    sharded(databases, scenario)


def test_a_move_back_over_what_another_left_behind(databases):
    """A mover died before it had deleted the old rows; then the table is moved back there."""

    async def scenario(store):
        sitting, append = first()
        one, two = store.shards
        await Store.append(one, append)
        goal = await store.name_of_shard(two)
        copy = await one.write(lambda c: relocation.freeze(c, "T", goal))
        await two.write(lambda c: relocation.arrive(c, copy))
        assert await store.append(chat(sitting.table, sitting.table.seq, "on"))
        assert await relocation.move(store, "T", one)
        assert await places(store, "T") == [sitting.table.seq + 1, 0]

    sharded(databases, scenario)


def test_a_further_database_takes_its_share(databases, tmp_path):
    """Tables from before it are found where they are, and `spread` moves some of them there."""

    async def scenario(store):
        for number in range(16):
            await store.append(first(f"T{number}")[1])
        three = ShardedStore(databases[0], [Store(databases[1]), Store(str(tmp_path / "3.db"))])
        await name(three)
        assert all([await three.read(f"T{number}") for number in range(16)])
        moved = await relocation.spread(three)
        assert 0 < moved == len(await Store.ids(three.shards[2]))
        assert await relocation.spread(three) == 0
        assert len(await three.ids()) == 16
        assert all([await three.read(f"T{number}") for number in range(16)])
        await three.close()

    sharded(databases, scenario)


def test_a_sick_database_does_not_make_others_sick(databases):
    """Lists leave it out, servers beat at the others, and its own tables say `outage`."""

    async def scenario(store):
        tables = [f"T{number}" for number in range(8)]
        for table in tables:
            await store.append(first(table, public=True)[1])
        second = await Store.ids(store.shards[1])
        await asyncio.to_thread(store.shards[1]._reader.close)
        await asyncio.to_thread(store.shards[1]._writer.close)
        for worker in (store.shards[1]._reader, store.shards[1]._writer):
            worker._deadline = 0.05  # nobody works there any more
        await store.beat("server", 1.0)
        listed = [listed.table for listed in await store.public("open")]
        assert sorted(listed) == sorted(set(tables) - set(second))
        for table in tables:
            if table in second:
                with pytest.raises(DatabaseError):
                    await store.read(table)
            else:
                assert await store.read(table)

    sharded(databases, scenario)


def test_nothing_is_refused_by_what_another_server_has_changed(databases):
    """A server that was told of nothing reads the table before it refuses a command."""
    if "://" not in databases[0]:
        pytest.skip("an SQLite file is for one server")

    async def scenario():
        club = Club("")
        hosts = [
            Host(Store(databases[0], bus=Bus()), QuickBots(), limits=PLENTY, clock=lambda: 1000.0)
            for _ in range(2)
        ]
        one, two = hosts
        try:
            for host in hosts:
                await host.start()
            for identity, name in (("a", "Ann"), ("b", "Bob")):
                await one.register(identity, name)
            settings = Settings("drop", players=2, seats=("me", "open"))
            table = (await one.create("a", settings)).id
            assert (await two.table(table)).status == "waiting"
            assert (await club.send(one, table, "b", cmd.Join())).ok
            assert (await club.send(two, table, "a", cmd.Move("drop 0,0"))).kind != "gone"
            assert (await two.table(table)).status == "playing"
        finally:
            for host in hosts:
                await host.close()

    asyncio.run(scenario())
