"""Identities without accounts: a name and a signed cookie.

The cookie holds an unguessable identity, signed with a key that all servers on one database share.
A one-time link, valid for a short while, moves an identity to another device; only its hash is
stored.
"""

from __future__ import annotations

import hashlib
import secrets
import time

from fastapi import Response
from itsdangerous import BadSignature, TimestampSigner
from starlette.requests import HTTPConnection

from droptable.core.language import _, ngettext
from droptable.tables.decide import Who
from droptable.tables.host import Host
from droptable.tables.rejected import Rejected

COOKIE = "droptable"
COOKIE_SECONDS = 400 * 86400  # as long as browsers keep one
LINK_SECONDS = 900


class Doorkeeper:
    """Knows people by their cookies."""

    def __init__(self, host: Host, key: str, prefix: str = "") -> None:
        self._host = host
        self._signer = TimestampSigner(key, salt="droptable-identity")
        self._path = f"{prefix}/"

    async def who(self, connection: HTTPConnection) -> Who | None:
        """The person that a request comes from; None without a valid cookie."""
        cookie = connection.cookies.get(COOKIE, "")
        try:
            identity = self._signer.unsign(cookie, max_age=COOKIE_SECONDS).decode()
            return await self._host.who(identity)
        except (BadSignature, UnicodeError, Rejected):
            return None

    async def known(self, connection: HTTPConnection) -> Who:
        """The person that a request comes from; `Rejected` if its cookie names nobody."""
        who = await self.who(connection)
        if who is None:
            raise Rejected("forbidden", _("you are not known here yet: choose a name first"))
        return who

    async def introduce(self, connection: HTTPConnection, name: str, response: Response) -> Who:
        """Give a person a name, and a new one an identity."""
        before = await self.who(connection)
        identity = before.identity if before else secrets.token_urlsafe(16)
        who = Who(identity, await self._host.register(identity, name))
        self._set_cookie(identity, connection, response)
        return who

    async def make_link(self, who: Who) -> str:
        """A secret that moves this person's identity to the device that presents it."""
        secret = secrets.token_urlsafe(24)
        expires = time.time() + LINK_SECONDS
        await self._host.store.add_link(_hash(secret), who.identity, expires)
        return secret

    async def follow_link(self, connection: HTTPConnection, secret: str, response: Response) -> Who:
        """Become the person who made a link; it works once."""
        identity = await self._host.store.take_link(_hash(secret), time.time())
        if identity is None:
            minutes = LINK_SECONDS // 60
            message = ngettext(
                "this link was used before or is older than {minutes} minute: make a new one",
                "this link was used before or is older than {minutes} minutes: make a new one",
                minutes,
            )
            raise Rejected("gone", message.format(minutes=minutes))
        self._set_cookie(identity, connection, response)
        return await self._host.who(identity)

    def sign(self, identity: str) -> str:
        """The value of somebody's cookie."""
        return self._signer.sign(identity).decode()

    def _set_cookie(self, identity: str, connection: HTTPConnection, response: Response) -> None:
        response.set_cookie(
            COOKIE, self.sign(identity), max_age=COOKIE_SECONDS, path=self._path, httponly=True,
            samesite="lax", secure=connection.url.scheme in ("https", "wss"),
        )  # fmt: skip


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
