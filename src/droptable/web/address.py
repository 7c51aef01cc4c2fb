"""Where a request comes from, and which address its sender used: also behind proxies.

A proxy writes the client's address, the scheme and the host into `X-Forwarded-For`, `-Proto` and
`-Host`. Anybody can write such headers, so those of trusted proxies count and all others are
dropped. After `Proxies.unwrap`, a scope looks as if there were no proxy.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import TypeAlias

from starlette.datastructures import Headers
from starlette.types import Scope

from droptable.core.errors import OptionError

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
LOOPBACK = "127.0.0.0/8 ::1"
FORWARDED = (b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host")
SCHEMES = {
    "http": {"http": "http", "https": "https"},
    "websocket": {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"},
}
HOST = re.compile(r"[A-Za-z0-9._~\[\]:-]{1,255}")
SHARED_BITS = 64  # of an IPv6 address: one household or machine usually has all addresses with them


class Proxies:
    """The proxies whose headers are believed."""

    def __init__(self, trusted: str = LOOPBACK) -> None:
        """Addresses and networks, separated by spaces or commas; `*` is everybody."""
        texts = trusted.replace(",", " ").split()
        self._everybody = "*" in texts
        self._networks = [_network(text) for text in texts if text != "*"]

    def unwrap(self, scope: Scope) -> None:
        """Replace client, scheme and host by what trusted proxies say; drop their headers."""
        headers = Headers(scope=scope)
        if self.trusts((scope.get("client") or ("",))[0]):
            self._believe(scope, headers)
        scope["headers"] = [pair for pair in scope["headers"] if pair[0] not in FORWARDED]

    def _believe(self, scope: Scope, headers: Headers) -> None:
        client = self._client(_entries(headers, "x-forwarded-for"))
        if client is not None:
            scope["client"] = (str(client), 0)
        # Of several values the last one is our own proxy's: whoever came before may have lied.
        for proto in _entries(headers, "x-forwarded-proto")[-1:]:
            scope["scheme"] = SCHEMES[scope["type"]].get(proto.lower(), scope["scheme"])
        for host in _entries(headers, "x-forwarded-host")[-1:]:
            if HOST.fullmatch(host):
                others = [pair for pair in scope["headers"] if pair[0] != b"host"]
                scope["headers"] = [*others, (b"host", host.encode())]

    def _client(self, entries: list[str]) -> Address | None:
        """The rightmost address that is no proxy of ours."""
        client = None
        for entry in reversed(entries):
            address = _parse(entry)
            if address is None:
                break
            client = address
            if not self._trusts(address):
                break
        return client

    def trusts(self, address: str) -> bool:
        """Whether what comes from there comes from a proxy of ours."""
        return self._trusts(_parse(address))

    def _trusts(self, address: Address | None) -> bool:
        if self._everybody:
            return True
        return address is not None and any(address in network for network in self._networks)


def client_network(scope: Scope) -> str:
    """Whom limits per address count together: an IPv4 address, or the /64 of an IPv6 one."""
    text = str((scope.get("client") or ("",))[0])
    address = _parse(text)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, SHARED_BITS), strict=False))
    return text if address is None else str(address)


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        expected = "addresses, networks (10.0.0.0/8) or *"
        raise OptionError(f"{text!r} is not a trusted proxy; expected {expected}") from None


def _entries(headers: Headers, name: str) -> list[str]:
    values: Iterable[str] = headers.getlist(name)
    return [entry.strip() for value in values for entry in value.split(",") if entry.strip()]


def _parse(text: str) -> Address | None:
    """An address, also with a port; IPv4 within IPv6 as IPv4."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        return address.ipv4_mapped or address
    return address
