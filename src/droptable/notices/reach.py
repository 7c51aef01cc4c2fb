"""Requests to addresses that people name: https to public addresses only, unless the host allows
more. A name is resolved once and the connection goes to that very address, so it cannot lead
somewhere else; redirects are not followed, and no more than the head of an answer is read.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

from droptable.core.errors import OptionError
from droptable.core.language import _
from droptable.tables.rejected import Rejected

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
LONGEST_URL = 1000
SECONDS = 5.0  # for the whole exchange
MOST_HEAD = 16_384  # bytes of an answer that are read
# IPv6 networks that lead to IPv4 addresses, which might be inner ones.
TRANSLATED = tuple(map(ipaddress.IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16")))


class Failed(Exception):
    """Something could not be delivered now; `wait` is how long the receiver wants us to."""

    def __init__(self, reason: str, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.wait = wait


class Gone(Exception):
    """The receiver does not exist any more, or never did."""


@dataclass(frozen=True)
class Place:
    """A checked address: where to connect, and what to ask for there."""

    scheme: str
    host: str
    port: int
    path: str
    address: str

    @property
    def origin(self) -> str:
        """Scheme, host and port, as RFC 8292 wants it."""
        default = {"https": 443, "http": 80}[self.scheme]
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if self.port == default else f":{self.port}")


class Reach:
    """Knows which addresses may be reached."""

    def __init__(self, networks: str = "") -> None:
        """`networks` may be reached though they are not public, and by plain http."""
        self._networks = [_network(text) for text in networks.replace(",", " ").split()]

    async def place(self, url: str) -> Place:
        """Where a URL leads; `Rejected` says why we do not go there."""
        scheme, host, port, path = _split(url)
        try:
            found = await asyncio.get_running_loop().getaddrinfo(
                host, port, type=socket.SOCK_STREAM
            )
        except (OSError, UnicodeError):
            message = _("{host} is not known: check the address")
            raise Rejected("illegal", message.format(host=host)) from None
        addresses = [ipaddress.ip_address(entry[4][0]) for entry in found]
        for address in addresses:
            if self._is_inner(address) or (scheme == "https" and _is_public(address)):
                return Place(scheme, host, port, path, str(address))
        if scheme == "http" and any(map(_is_public, addresses)):
            raise Rejected("illegal", _("only addresses with https:// are possible"))
        message = _("{host} is not a public address: this server does not go there")
        raise Rejected("illegal", message.format(host=host))

    async def post(self, place: Place, headers: dict[str, str], body: bytes) -> int:
        """Send something; the status of the answer. `Failed` if there is none in time."""
        try:
            async with asyncio.timeout(SECONDS):
                return await _exchange(place, _request(place, headers, body))
        except TimeoutError:
            raise Failed(f"no answer within {SECONDS:g} seconds") from None
        except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as e:
            raise Failed(f"no proper answer ({type(e).__name__})") from None

    def _is_inner(self, address: Address) -> bool:
        return any(address in network for network in self._networks)


def judge(status: int) -> None:
    """Raise what the status of an answer means; nothing if it was accepted."""
    if 200 <= status < 300:
        return
    if status in (404, 410):
        raise Gone(f"it answered {status}: there is nobody any more")
    if 300 <= status < 400:
        raise Failed(f"it answered {status}: redirects are not followed")
    raise Failed(f"it answered {status}", 60.0 if status == 429 else 0.0)


async def _exchange(place: Place, request: bytes) -> int:
    secure = place.scheme == "https"
    reader, writer = await asyncio.open_connection(
        place.address, place.port, limit=MOST_HEAD,
        ssl=_tls() if secure else None, server_hostname=place.host if secure else None,
    )  # fmt: skip
    try:
        writer.write(request)
        await writer.drain()
        status = 100
        while status < 200:  # interim answers
            head = await reader.readuntil(b"\r\n\r\n")
            version, code = head.split(b" ", 2)[:2]
            if not version.startswith(b"HTTP/1."):
                raise ValueError("not HTTP")
            status = int(code[:3])
        return status
    finally:
        writer.close()
        with suppress(OSError, asyncio.CancelledError, TimeoutError):
            writer.transport.abort()  # a huge answer is not waited for


def _request(place: Place, headers: dict[str, str], body: bytes) -> bytes:
    lines = {"Host": place.origin.partition("://")[2], "Connection": "close",
             "User-Agent": "Droptable", "Content-Length": str(len(body)), **headers}  # fmt: skip
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"POST {place.path} HTTP/1.1\r\n{head}\r\n".encode("ascii") + body


def _split(url: str) -> tuple[str, str, int, str]:
    expected = _("this is not an address such as https://example.org/path: {url}")
    refused = Rejected("syntax", expected.format(url=repr(url[:80])))
    if len(url) > LONGEST_URL or not url.isascii() or any(c <= " " or c == "\x7f" for c in url):
        raise refused
    try:
        parts = urlsplit(url)
        port = parts.port or {"https": 443, "http": 80}[parts.scheme]
    except (ValueError, KeyError):
        raise refused from None
    if not parts.hostname or "@" in parts.netloc:
        raise refused
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return parts.scheme, parts.hostname, port, path


def _is_public(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return _is_public(address.ipv4_mapped)
        if any(address in network for network in TRANSLATED):
            return False
    return address.is_global and not address.is_multicast


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        raise OptionError(f"{text!r} is not a network such as 10.0.0.0/8") from None


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()
