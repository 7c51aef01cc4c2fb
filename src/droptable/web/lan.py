"""The address by which other devices in the same room reach this computer. No packet is sent."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress

from starlette.datastructures import URL

EVERYWHERE = ("0.0.0.0", "::")  # listens at all addresses
# Nobody is asked there: which of our addresses would be used says which network we are in. Private
# networks come first: a computer without internet may know no other way.
SOMEWHERE = ("192.168.255.254", "10.255.255.254", "172.31.255.254", "203.0.113.1")


def lan_address() -> str:
    """This computer's IPv4 address in its own network; empty if it is in none."""
    found = [*_routed(), *_named()]
    return next((address for address in found if _is_outside(address)), "")


def _routed() -> list[str]:
    found = []
    for other in SOMEWHERE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
            probe.connect((other, 9))
            found.append(str(probe.getsockname()[0]))
    return found


def _named() -> list[str]:
    with suppress(OSError):
        return [str(where[0]) for *_, where in socket.getaddrinfo(
            socket.gethostname(), None, socket.AF_INET)]  # fmt: skip
    return []


def _is_outside(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    return not (ip.is_loopback or ip.is_unspecified)


def for_others(address: URL, listening: str) -> URL:
    """An address of this server as other devices have to write it: a screen may have reached it as
    `localhost`, where the phones that read its QR code would find themselves."""
    lan = lan_address() if listening in EVERYWHERE and _is_loopback(address.hostname) else ""
    return address.replace(hostname=lan) if lan else address


def _is_loopback(host: str | None) -> bool:
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host or "").is_loopback
    return False
