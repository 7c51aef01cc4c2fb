"""Web push: RFC 8030 (delivery), 8291 (encryption) and 8292 (who sends it)."""

from __future__ import annotations

import base64
import binascii
from typing import Any

import msgspec
from msgspec import Struct

from droptable.core.extras import extra
from droptable.core.language import _
from droptable.notices.reach import Reach, judge
from droptable.notices.words import Message
from droptable.tables.rejected import Rejected

KEEP_SECONDS = 86_400  # for which a push service keeps what it cannot deliver
MOST_BYTES = 3000  # of a payload; services take 4096 when encrypted
TOKEN_SECONDS = 12 * 3600


class Keys(Struct, frozen=True):
    """The keys of a browser, base64url."""

    p256dh: str
    auth: str


class Subscription(Struct, frozen=True):
    """What a browser's `PushSubscription.toJSON()` has."""

    endpoint: str
    keys: Keys


class Push:
    """Sends to push services in the name of this server."""

    def __init__(self, secret: str, contact: str, reach: Reach) -> None:
        """`secret` is 32 random bytes in base64url, `contact` a mailto: or https: address."""
        with extra("notices"):
            import http_ece
            import py_vapid

        self._ece: Any = http_ece
        self._vapid: Any = py_vapid.Vapid02.from_raw(secret.encode())
        self._vapid.conf = {"no-strict": True}
        self._contact = contact
        self._reach = reach

    @property
    def public_key(self) -> str:
        """What browsers need to subscribe: the key that they accept notices from."""
        return _encoded(_point(self._vapid.public_key))

    async def check(self, subscription: Subscription) -> None:
        """`Rejected` unless something could be sent there."""
        await self._reach.place(subscription.endpoint)
        try:
            self._encrypt(subscription, b"")
        except Exception:  # the libraries raise many kinds
            raise Rejected("syntax", _("these are not the keys of a push subscription")) from None

    async def send(self, address: str, message: Message) -> None:
        """Encrypt a message for one browser and hand it to its push service."""
        subscription = msgspec.json.decode(address, type=Subscription)
        place = await self._reach.place(subscription.endpoint)
        claims = {"sub": self._contact, "aud": place.origin}
        headers = {
            **self._vapid.sign(claims),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(KEEP_SECONDS),
            "Urgency": "high" if message.kind == "reminder" else "normal",
            "Topic": message.id,  # replaces the same one that was not delivered yet
        }
        judge(
            await self._reach.post(place, headers, self._encrypt(subscription, _payload(message)))
        )

    def _encrypt(self, subscription: Subscription, data: bytes) -> bytes:
        from cryptography.hazmat.primitives.asymmetric import ec

        encrypted: bytes = self._ece.encrypt(
            data,
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=_decoded(subscription.keys.p256dh),
            auth_secret=_decoded(subscription.keys.auth),
            version="aes128gcm",
        )
        return encrypted


def _payload(message: Message) -> bytes:
    """What the service worker shows; long texts are cut."""
    text = message.text
    while True:
        shown = {"id": message.id, "title": message.title, "text": text, "url": message.url}
        data = msgspec.json.encode(shown)
        if len(data) <= MOST_BYTES:
            return data
        text = text[: len(text) * 2 // 3]


def _point(key: Any) -> bytes:
    from cryptography.hazmat.primitives import serialization

    point: bytes = key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return point


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _decoded(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        raise ValueError("not base64url") from None
