"""People by their public ids: random, one each, gone with their person."""

from droptable.tables import profiles, retention
from droptable.tables.own_data import own_data
from tests.tables.club import meet


def test_a_public_id_is_one_for_all_servers_and_says_nothing_of_the_identity(database):
    """Two servers that ask at once get the same id, from which only the database leads back."""

    async def scenario(club):
        one, other = await club.host(), await club.host()
        first = await profiles.public_ids_of(one.store, ["a", "b", "nobody"])
        again = await profiles.public_ids_of(other.store, ["b", "a"])
        assert again == first and set(first) == {"a", "b"} and len(set(first.values())) == 2
        assert await profiles.identity_of(other.store, first["a"]) == "a"
        for strange in ("", "a", "\0" * 12, "x" * 12, first["a"] + "\n", first["a"][:-1]):
            assert await profiles.identity_of(one.store, strange) is None
        assert await profiles.public_id_of(one.store, "nobody") is None

    meet(database, scenario)


def test_a_profile_is_exported_and_deleted_with_its_person(database):
    """Own data has the public id; who is deleted, or away too long, is not found by it any more,
    and gets another one when they come back."""

    async def scenario(club):
        host = await club.host()
        store = host.store
        before = await profiles.public_ids_of(store, ["a", "b"])
        await profiles.hide(store, "a", hidden=True)
        assert (await own_data(store, "a"))["profile"] == {"id": before["a"], "hidden": True}
        assert (await profiles.person(store, before["a"])).hidden
        await host.forget("a")
        assert await profiles.person(store, before["a"]) is None
        assert (await own_data(store, "a"))["profile"] is None
        await host.register("a", "Ann")
        assert await profiles.public_id_of(store, "a") != before["a"]
        later = 2000.0 + 400 * retention.DAY
        for _ in range(3):
            await retention.step(store, retention.Keep(), later)
            later += 400 * retention.DAY
        assert await profiles.identity_of(store, before["b"]) is None
        count = "SELECT count(*) FROM profiles"
        assert await store.query(lambda connection: connection.value(count)) == 0

    meet(database, scenario)
