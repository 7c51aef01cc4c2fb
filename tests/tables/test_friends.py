"""Friends and invitations in both databases."""

from droptable.tables import commands as cmd
from droptable.tables import friends
from droptable.tables.decide import Who
from droptable.tables.profiles import public_id_of
from droptable.tables.settings import Settings
from tests.tables.club import meet


def test_friends_and_invitations_are_the_same_in_both_databases(database):
    """After a finished match people know and invite each other, until one is blocked or deleted."""

    async def scenario(club):
        host = await club.host()
        store = host.store
        played = await host.create("a", Settings(game="drop"))
        for number, command in enumerate((cmd.Join(), cmd.Resign())):
            assert (await host.command(played.id, "b", cmd.Envelope(str(number), command))).ok
        (friend,) = await friends.friends(store, "a")
        assert (friend.matches, friend.invitable, friend.blocked) == (1, True, False)
        table = await host.create("a", Settings(game="drop"))
        ann = Who("a", await store.name_of("a"))
        assert await friends.invite(store, table, ann, friend.id, host.now) == "b"
        (invitation,) = await friends.invitations(store, "b", host.now)
        assert (invitation.table, invitation.by) == (table.id, ann.name)
        await friends.decline(store, "b", table.id)
        assert await friends.invite(store, table, ann, friend.id, host.now) is None
        assert await friends.invitations(store, "b", host.now) == []
        await friends.set_invitable(store, "b", wanted=False)
        await friends.set_invitable(store, "b", wanted=False)
        assert not await friends.invitable(store, "b")
        await friends.block(store, "b", await public_id_of(store, "a"), blocked=True)
        (blocked,) = await friends.friends(store, "b")
        assert blocked.blocked and not (await friends.friends(store, "a"))[0].invitable
        own = await store.query(lambda connection: friends.own(connection, "b"))
        assert own["invitable"] is False and own["people blocked"] == 1
        await host.forget("b")
        assert await friends.friends(store, "a") == []
        for name in ("invitations", "personal_blocks", "uninvitable"):
            query = f"SELECT count(*) FROM {name}"
            assert await store.query(lambda c, query=query: c.value(query)) == 0

    meet(database, scenario)
