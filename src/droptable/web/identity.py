"""Identities without accounts: a name and a signed cookie.

The cookie holds an unguessable identity, signed with a key that all servers on one database share.
A one-time link, valid for a short while, moves an identity to another device; only its hash is
stored.
"""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress

from fastapi import Response
from itsdangerous import BadSignature, TimestampSigner
from starlette.requests import HTTPConnection

from droptable.core.language import _, ngettext
from droptable.tables.decide import Who
from droptable.tables.events import Identity
from droptable.tables.host import Host
from droptable.tables.rejected import Rejected

COOKIE = "droptable"
COOKIE_SECONDS = 400 * 86400  # as long as browsers keep one
RENEW_SECONDS = 86400  # after which a visit makes the browser keep it longer
LINK_SECONDS = 900


class Doorkeeper:
    """Knows people by their cookies."""

    def __init__(self, host: Host, key: str, prefix: str = "") -> None:
        self._host = host
        self._signer = TimestampSigner(key, salt="droptable-identity")
        self._path = f"{prefix}/"

    def identity(self, connection: HTTPConnection) -> Identity | None:
        """The identity in a request's cookie, if we have signed it. It does not matter when: clocks
        go wrong, and whoever comes back after years is the same person."""
        try:
            return self._signer.unsign(connection.cookies.get(COOKIE, "")).decode()
        except (BadSignature, UnicodeError):
            return None

    async def who(self, connection: HTTPConnection) -> Who | None:
        """The person that a request comes from; None without a valid cookie.

        `Rejected` if the host has blocked them: they do not watch either."""
        identity = self.identity(connection)
        if identity is None:
            return None
        self._host.house.admit(identity)
        with suppress(Rejected):
            return await self._host.who(identity)
        return None

    async def known(self, connection: HTTPConnection) -> Who:
        """The person that a request comes from; `Rejected` if its cookie names nobody."""
        who = await self.who(connection)
        if who is None:
            message = _("you are not known here yet: choose a name first")
            if self.identity(connection) is not None:
                message = _("you were deleted here, or away too long: choose a name to come back")
            raise Rejected("forbidden", message)
        return who

    def renew(self, connection: HTTPConnection, response: Response) -> None:
        """Let a visitor's browser keep a cookie longer that it has had for a while."""
        cookie = connection.cookies.get(COOKIE, "")
        with suppress(BadSignature, UnicodeError):
            identity, signed = self._signer.unsign(cookie, return_timestamp=True)
            if abs(self._host.now - signed.timestamp()) > RENEW_SECONDS:
                self._set_cookie(identity.decode(), connection, response)

    async def introduce(self, connection: HTTPConnection, name: str, response: Response) -> Who:
        """Give a person a name, and a new one an identity.

        Whoever has a valid cookie keeps the identity in it, though it was forgotten here.
        """
        identity = self.identity(connection) or secrets.token_urlsafe(16)
        who = Who(identity, await self._host.register(identity, name))
        self._set_cookie(identity, connection, response)
        return who

    async def forget(self, who: Who, response: Response) -> None:
        """Delete a person, and the cookie on this device."""
        await self._host.forget(who.identity)
        response.delete_cookie(COOKIE, path=self._path)

    async def make_link(self, who: Who) -> str:
        """A secret that moves this person's identity to the device that presents it."""
        secret = secrets.token_urlsafe(24)
        expires = self._host.now + LINK_SECONDS
        await self._host.store.add_link(hash_of(secret), who.identity, expires)
        return secret

    async def follow_link(self, connection: HTTPConnection, secret: str, response: Response) -> Who:
        """Become the person who made a link; it works once."""
        identity = await self._host.store.take_link(hash_of(secret), self._host.now)
        if identity is None:
            minutes = LINK_SECONDS // 60
            message = ngettext(
                "this link was used before or is older than {minutes} minute: make a new one",
                "this link was used before or is older than {minutes} minutes: make a new one",
                minutes,
            )
            raise Rejected("gone", message.format(minutes=minutes))
        return await self.come_back(identity, connection, response)

    async def come_back(
        self, identity: Identity, connection: HTTPConnection, response: Response
    ) -> Who:
        """Let a device be somebody from now on."""
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


def hash_of(secret: str) -> str:
    """What is stored of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()
