"""People as others may name them: by a public id, which says nothing of their identity.

A public id is random, made when somebody first needs one, and kept beside the identity. Whoever has
one finds the person's profile, and can neither act for them nor find out where they sit.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from droptable.tables import bulk
from droptable.tables.appends import TEXT
from droptable.tables.database import Connection
from droptable.tables.events import Identity
from droptable.tables.store import Store

ID_BYTES = 9  # twelve characters: too many to try them all
_ID = re.compile(r"[A-Za-z0-9_-]{12}")


@dataclass(frozen=True)
class Person:
    """Somebody as the database knows them."""

    identity: Identity
    public_id: str
    name: str
    created: float
    hidden: bool  # whether nobody else may look at the profile


async def public_id_of(store: Store, identity: Identity) -> str | None:
    """The public id of a person, made now if they have none yet; None for nobody."""
    return (await public_ids_of(store, [identity])).get(identity)


async def public_ids_of(store: Store, people: Iterable[Identity]) -> dict[Identity, str]:
    """The public ids of those of these people who are known here."""
    wanted = sorted(set(people))
    found = await store.query(lambda connection: _ids(connection, wanted))
    missing = [who for who in wanted if who not in found]
    if missing:
        found |= await store.write(lambda connection: _make(connection, missing))
    return found


async def identity_of(store: Store, public_id: str) -> Identity | None:
    """Whose public id this is; None if it is nobody's."""
    found = await person(store, public_id)
    return None if found is None else found.identity


async def person(store: Store, public_id: str) -> Person | None:
    """Somebody by public id."""
    if not _ID.fullmatch(public_id):
        return None
    query = (
        "SELECT profiles.identity, public_id, name, created, hidden FROM profiles"
        " JOIN identities ON identities.id = profiles.identity WHERE public_id = :id"
    )
    rows = await store.query(lambda c: list(c.execute(query, {"id": public_id})))
    for identity, id_, name, created, hidden in rows:
        return Person(identity, id_, name, created, bool(hidden))
    return None


async def hide(store: Store, identity: Identity, *, hidden: bool) -> None:
    """Let only its person look at a profile, or everybody again."""
    await public_id_of(store, identity)
    query = "UPDATE profiles SET hidden = :hidden WHERE identity = :id"
    values = {"hidden": int(hidden), "id": identity}
    await store.write(lambda connection: connection.execute(query, values).rowcount)


def _ids(connection: Connection, people: list[Identity]) -> dict[Identity, str]:
    query = "SELECT identity, public_id FROM profiles WHERE identity IN (VALUES {rows})"
    return dict(bulk.write(connection, query, (TEXT,), [(who,) for who in people]))


def random_id() -> str:
    """A new id for others to name; on a command line none looks like an option."""
    while (id_ := secrets.token_urlsafe(ID_BYTES)).startswith("-"):
        pass
    return id_


def _make(connection: Connection, people: list[Identity]) -> dict[Identity, str]:
    """Give public ids to those who are known here; of two servers the first one's stays."""
    for identity in people:
        connection.execute(
            "INSERT INTO profiles (identity, public_id, hidden)"
            " SELECT id, :public, 0 FROM identities WHERE id = :id ON CONFLICT DO NOTHING",
            {"id": identity, "public": random_id()},
        )
    return _ids(connection, people)
