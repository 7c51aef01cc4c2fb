"""Standing groups in both databases, and over several of them."""

import asyncio

import pytest

from droptable.tables import commands as cmd
from droptable.tables import friends, group_results, groups, moderation, retention, schema
from droptable.tables.database import Database
from droptable.tables.host import Host
from droptable.tables.profiles import public_id_of
from droptable.tables.rejected import Rejected
from droptable.tables.retention import DAY, Keep
from droptable.tables.settings import Settings
from droptable.tables.sharding import ShardedStore
from droptable.tables.store import Store
from tests.tables.club import PLENTY, QuickBots, meet

OPEN = Settings("drop", seats=("me", "open"))
DI = "di-whose-identity-is-in-no-other-text"
TABLES = ("standing_groups", "group_members", "group_tables")


async def group_of(club, host, *others, name="Friday table"):
    """A group that Ann has founded and these others have joined, one after the other."""
    id_ = await groups.found(host.store, "a", name, club.now)
    for number, identity in enumerate(others, 1):
        found = await groups.find(host.store, id_, "a")
        await groups.join(host.store, found, identity, club.now + number)
    return await groups.find(host.store, id_, "a")


async def play(club, host, group, one="a", other="b"):
    """A match for the group that the other one resigns."""
    table = (await host.create(one, OPEN)).id
    await groups.note_table(host.store, group.id, table, club.now)
    assert (await club.send(host, table, other, cmd.Join())).ok
    assert (await club.send(host, table, other, cmd.Resign())).ok
    return table


async def results(club, host, group):
    """Matches that count, and the victories of everybody in the group."""
    people = await groups.people(host.store, group.id)
    played = await group_results.tables(host.store, group.id, club.now)
    counting = await group_results.counting(host.store, played, [one.identity for one in people])
    return [one.table for one in counting], {
        one.identity: sum(t.wins for t in group_results.tallies(counting, one.identity))
        for one in people
        if not one.gone
    }


async def rows(store):
    """How many rows there are of groups, in all."""
    count = 0
    for table in TABLES:
        query = f"SELECT count(*) FROM {table}"
        count += await store.query(lambda c, query=query: c.value(query))
    return count


def test_a_group_by_its_secret_and_by_its_id(database):
    """Anybody finds a group by the secret of its link, only members by its id; a new link ends the
    old one, and lets those who were removed come back."""

    async def scenario(club):
        host = await club.host()
        store = host.store
        group = await group_of(club, host)
        assert (await groups.find(store, group.secret, None)).id == group.id
        for key, who in ((group.id, "b"), (group.id, None), ("x", "a"), ("", "a"), ("\0", "a")):
            with pytest.raises(Rejected, match="no such group"):
                await groups.find(store, key, who)
        await groups.join(store, group, "b", club.now + 1)
        await groups.join(store, group, "b", club.now + 2)
        assert (await groups.find(store, group.id, "b")).name == "Friday table"
        (one,) = await groups.listed(store, "b")
        assert (one.id, one.members, one.founder) == (group.id, 2, False)
        assert group.secret not in str(one)
        await groups.remove(store, group, await public_id_of(store, "b"))
        with pytest.raises(Rejected, match="cannot join"):
            await groups.join(store, group, "b", club.now)
        secret = await groups.renew(store, group)
        with pytest.raises(Rejected, match="no such group"):
            await groups.find(store, group.secret, "a")
        await groups.join(store, await groups.find(store, secret, "b"), "b", club.now)
        assert len(await groups.listed(store, "b")) == 1

    meet(database, scenario)


def test_results_of_matches_between_members(database):
    """Matches of the group's tables count once they are over, with their rematches; those with a
    stranger, alone or elsewhere do not. Whoever leaves is not listed, but their matches stay, and
    so they do when somebody deletes themselves."""

    async def scenario(club):
        host = await club.host()
        await host.register("c", "Cy")
        await host.register(DI, "Di")
        group = await group_of(club, host, "b", DI)
        first = await play(club, host, group, other=DI)
        await club.two(host)  # not for the group
        waiting = (await host.create("a", OPEN)).id
        await groups.note_table(host.store, group.id, waiting, club.now)
        await play(club, host, group, other="c")
        alone = (await host.create("a", Settings("drop", seats=("me", "random")))).id
        await groups.note_table(host.store, group.id, alone, club.now)
        assert (await club.send(host, alone, "a", cmd.Resign())).ok
        assert await results(club, host, group) == ([first], {"a": 1.0, "b": 0.0, DI: 0.0})
        again = (await club.send(host, first, "a", cmd.Rematch())).table
        assert (await club.send(host, again, DI, cmd.Join())).ok
        assert (await club.send(host, again, "a", cmd.Resign())).ok
        counting, wins = await results(club, host, group)
        assert (set(counting), wins) == ({first, again}, {"a": 1.0, "b": 0.0, DI: 1.0})
        await groups.leave(host.store, group, DI)
        counting, wins = await results(club, host, group)
        assert (set(counting), wins) == ({first, again}, {"a": 1.0, "b": 0.0})
        await host.forget(DI)
        await host.tidy_up()
        counting, wins = await results(club, host, group)
        assert (set(counting), wins) == ({first, again}, {"a": 1.0, "b": 0.0})
        await retention.delete_tables(host.store, [first])
        club.now += 2 * DAY
        assert await results(club, host, group) == ([again], {"a": 0.0, "b": 0.0})
        query = "SELECT table_id FROM group_tables"
        noted = await host.store.query(lambda c: [table for (table,) in c.execute(query)])
        assert first not in noted and again in noted

    meet(database, scenario)


def test_the_next_one_founds_and_the_last_one_deletes(database):
    """When the founder leaves or is deleted, the member who is there longest becomes it; when
    nobody is left, nothing is left of the group. Exports have the groups without secrets."""

    async def scenario(club):
        host = await club.host()
        await host.register("c", "Cy")
        await host.register(DI, "Di")
        store = host.store
        group = await group_of(club, host, DI, "c")
        own = await store.query(lambda c: groups.own(c, DI))
        assert [(one["name"], one["founder"]) for one in own] == [("Friday table", False)]
        assert group.secret not in str(own)
        await groups.leave(store, group, "a")
        assert (await groups.find(store, group.secret, None)).founder == DI
        await host.forget(DI)
        group = await groups.find(store, group.secret, None)
        assert group.founder == "c"
        people = await groups.people(store, group.id)
        assert [(one.identity, one.gone) for one in people] == [("a", "left"), ("c", "")]
        await groups.leave(store, group, "c")
        assert await rows(store) == 0

    meet(database, scenario)


def test_limits_and_blocks(database, monkeypatch):
    """A group and a person's list of groups can be full; whom the founder has blocked is refused in
    the words for somebody who was removed."""

    async def scenario(club):
        host = await club.host()
        await host.register("c", "Cy")
        store = host.store
        monkeypatch.setattr(groups, "MOST_MEMBERS", 2)
        group = await group_of(club, host, "b")
        with pytest.raises(Rejected, match="full"):
            await groups.join(store, group, "c", club.now)
        monkeypatch.setattr(groups, "MOST_MEMBERS", 3)
        monkeypatch.setattr(groups, "MOST_GROUPS", 1)
        with pytest.raises(Rejected, match="leave one first"):
            await groups.found(store, "b", "Another", club.now)
        await groups.remove(store, group, await public_id_of(store, "b"))
        with pytest.raises(Rejected) as removed:
            await groups.join(store, group, "b", club.now)
        await friends.block(store, "a", await public_id_of(store, "c"), blocked=True)
        with pytest.raises(Rejected) as blocked:
            await groups.join(store, group, "c", club.now)
        assert str(blocked.value) == str(removed.value)
        for wrong in ("", "   ", "x" * 41):
            with pytest.raises(Rejected, match="expected 1 to 40"):
                await groups.found(store, "c", wrong, club.now)

    meet(database, scenario)


def test_members_are_invited_as_friends_are(database, monkeypatch):
    """A table's opener invites the members who take invitations; whoever blocked them, was blocked
    by them, wants none, or had enough of them today is left out."""

    async def scenario(club):
        host = await club.host()
        for identity, name in (("c", "Cy"), ("d", "Di"), ("e", "Eve")):
            await host.register(identity, name)
        store, others = host.store, ["b", "c", "d", "e"]
        await friends.block(store, "c", await public_id_of(store, "a"), blocked=True)
        await friends.block(store, "a", await public_id_of(store, "d"), blocked=True)
        await friends.set_invitable(store, "e", wanted=False)
        table = (await host.create("a", OPEN)).id
        for _again in range(2):
            told = await friends.invite_members(store, table, "a", others, club.now)
            assert told == ["b"]
        (invitation,) = await friends.invitations(store, "b", club.now)
        assert invitation.table == table
        for identity in others[1:]:
            assert await friends.invitations(store, identity, club.now) == []
        monkeypatch.setattr(friends, "MOST_TO_ONE", 1)
        later = (await host.create("a", OPEN)).id
        assert await friends.invite_members(store, later, "a", others, club.now) == []
        await friends.decline(store, "b", table)
        assert await friends.invite_members(store, table, "a", others, club.now) == []

    meet(database, scenario)


def test_groups_that_nobody_uses_are_deleted(database):
    """A group goes some days after its last use, and the host is told before; a guest who is
    deleted for being away leaves their groups."""

    async def scenario(club):
        host = await club.host()
        store = host.store
        group = await group_of(club, host, "b")
        await store.write(lambda c: groups.touch(c, group.id, club.now + 50 * DAY))
        await retention.visit(store, "b", club.now)
        await retention.visit(store, "a", club.now + 50 * DAY)
        keep, later = Keep(guests=30.0, groups=30.0), club.now + 60 * DAY
        await retention.step(store, keep, later)
        people = await groups.people(store, group.id)
        assert [one.identity for one in people] == ["a"]
        later += 21 * DAY
        assert (await retention.overview(store, keep, later))["groups"] == 1
        await retention.visit(store, "a", later)
        await retention.step(store, keep, later)
        assert await rows(store) == 0

    meet(database, scenario)


def test_a_host_finds_and_removes_groups(database):
    """Groups are found by a part of their name or by id, without their secret, and removed."""

    async def scenario(club):
        host = await club.host()
        group = await group_of(club, host, "b")
        for search in ("friday", group.id, ""):
            (row,) = await moderation.groups_named(host.store, search)
            assert (row.id, row.members) == (group.id, 2)
            assert row.founder == await public_id_of(host.store, "a")
        assert await moderation.groups_named(host.store, group.secret) == []
        with pytest.raises(Rejected, match="no group"):
            await moderation.remove_group(host.store, "Friday", club.now)
        await moderation.remove_group(host.store, group.id, club.now)
        assert await rows(host.store) == 0

    meet(database, scenario)


def test_two_servers_share_a_group(database):
    """Who joins at one server is a member at the other, and a rematch there counts here."""

    async def scenario(club):
        one, other = await club.host(), await club.host()
        group = await group_of(club, one)
        await groups.join(other.store, group, "b", club.now)
        assert len(await groups.listed(one.store, "b")) == 1
        table = await play(club, one, group)
        again = (await club.send(other, table, "b", cmd.Rematch())).table
        assert (await club.send(other, again, "a", cmd.Join())).ok
        assert (await club.send(other, again, "a", cmd.Resign())).ok
        assert (await results(club, one, group))[1] == {"a": 1.0, "b": 1.0}

    meet(database, scenario)


def test_a_database_from_before_groups_is_migrated(database):
    """A database of the version before opens, and people make groups in it."""
    older = Database(database).connect()
    with older.transaction(writes=True):
        schema.migrate(older, schema.MIGRATIONS[: schema.MIGRATIONS.index(schema.GROUPS)])
    older.close()

    async def scenario(club):
        host = await club.host()
        assert (await group_of(club, host, "b")).name == "Friday table"

    meet(database, scenario)


def test_results_come_from_all_databases(tmp_path):
    """The matches of a group count wherever their tables are; what is noted stays at home."""

    async def scenario():
        other = Store(str(tmp_path / "other.db"))
        store = ShardedStore(str(tmp_path / "home.db"), [other])
        club = Sharded()
        host = Host(store, QuickBots(), limits=PLENTY, clock=lambda: club.now)
        try:
            for identity, name in (("a", "Ann"), ("b", "Bob")):
                await host.register(identity, name)
            group = await group_of(club, host, "b")
            tables, spread = [], set()
            while len(spread) < 2:  # where a table lies is as good as random
                tables.append(await play(club, host, group))
                spread.add(id(await store.shard_of(tables[-1])))
            counting, wins = await results(club, host, group)
            assert set(counting) == set(tables) and wins == {"a": len(tables), "b": 0.0}
            assert await rows(other) == 0 < await rows(store)
        finally:
            await host.close()

    asyncio.run(scenario())


class Sharded:
    """Sends commands, as a club does."""

    now, number = 1000.0, 0

    async def send(self, host, table, identity, command):
        self.number += 1
        return await host.command(table, identity, cmd.Envelope(f"n{self.number}", command))
