"""Proxies: whose word about the client, the scheme and the host is taken."""

from __future__ import annotations

from http.cookies import SimpleCookie
from typing import Any

import pytest

from droptable.core.errors import OptionError
from droptable.web.address import Proxies, client_network
from droptable.web.config import Config
from droptable.web.identity import COOKIE
from tests.web.conftest import GENEROUS, Running, run
from tests.web.people import Person


def scope(peer: str, type_: str = "http", **headers: str) -> dict[str, Any]:
    """A request from a peer; `x_forwarded_for` is the header of that name."""
    return {
        "type": type_,
        "scheme": "http" if type_ == "http" else "ws",
        "client": (peer, 1234),
        "headers": [(b"host", b"inside")]
        + [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }


def unwrapped(trusted: str, request: dict[str, Any]) -> tuple[str, str, str]:
    """Client, scheme and host of a request after what proxies said."""
    Proxies(trusted).unwrap(request)
    headers = dict(request["headers"])
    assert not any(name.startswith(b"x-forwarded") for name in headers)
    return request["client"][0], request["scheme"], headers[b"host"].decode()


def test_a_trusted_proxy_speaks_for_its_client() -> None:
    """Client, scheme and host are those that a trusted proxy names, at another address too."""
    said = {"x_forwarded_for": "203.0.113.9", "x_forwarded_proto": "https",
            "x_forwarded_host": "play.example:8443"}  # fmt: skip
    request = scope("10.0.0.7", **said)
    assert unwrapped("10.0.0.0/8", request) == ("203.0.113.9", "https", "play.example:8443")
    assert unwrapped("10.0.0.7", scope("10.0.0.7", "websocket", **said))[1] == "wss"
    assert unwrapped("*", scope("192.0.2.1", **said))[0] == "203.0.113.9"


def test_strangers_speak_for_nobody() -> None:
    """What anybody else claims is dropped."""
    request = scope("192.0.2.1", x_forwarded_for="127.0.0.1", x_forwarded_proto="https",
                    x_forwarded_host="evil.example")  # fmt: skip
    assert unwrapped("127.0.0.0/8 ::1, 10.0.0.0/8", request) == ("192.0.2.1", "http", "inside")
    unknown = scope("", x_forwarded_for="127.0.0.1")
    unknown["client"] = None
    Proxies("10.0.0.0/8").unwrap(unknown)
    assert unknown["client"] is None


@pytest.mark.parametrize(
    ("said", "client"),
    [
        ("127.0.0.1, 203.0.113.9", "203.0.113.9"),  # what the client itself had claimed
        ("198.51.100.1, 203.0.113.9, 10.1.1.1", "203.0.113.9"),  # two proxies of ours
        ("203.0.113.9:5678", "203.0.113.9"),
        ("[2001:db8::1]:80", "2001:db8::1"),
        ("10.1.1.1, 10.2.2.2", "10.1.1.1"),  # the proxies themselves
        ("203.0.113.9, nonsense", "10.0.0.7"),
        ("", "10.0.0.7"),
    ],
)
def test_the_rightmost_untrusted_address_is_the_client(said: str, client: str) -> None:
    """A client cannot hide behind addresses that it made up."""
    assert unwrapped("10.0.0.0/8", scope("10.0.0.7", x_forwarded_for=said))[0] == client


@pytest.mark.parametrize("host", ["a b", "h" * 300, "x/../y", "é"])
def test_a_host_that_is_none(host: str) -> None:
    """What cannot be a host is not taken for one, nor is an unknown scheme."""
    request = scope("10.0.0.7", x_forwarded_host=host, x_forwarded_proto="gopher")
    assert unwrapped("10.0.0.7", request)[1:] == ("http", "inside")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("testclient", "testclient"),
    ],
)
def test_who_counts_as_one_address(address: str, network: str) -> None:
    """Limits count IPv4 by address and IPv6 by /64."""
    assert client_network({"client": (address, 1)}) == network


def test_a_proxy_that_is_no_address_is_refused() -> None:
    """A mistyped setting is named at the start."""
    with pytest.raises(OptionError, match=r"'10\.0\.0\.0/99' is not a trusted proxy"):
        Config().change("trusted_proxies", "10.0.0.0/99")


@pytest.mark.parametrize("trusted", [True, False])
def test_secure_cookies_behind_a_proxy(tmp_path: Any, trusted: bool) -> None:
    """A served page: cookies are `Secure` and the proxy's host is ours, if the proxy is trusted."""
    config = Config(
        **{name: getattr(GENEROUS, name) for name in ("port", "bot_processes")},
        database=str(tmp_path / "tables.db"),
        trusted_proxies="127.0.0.1" if trusted else "10.0.0.1",
    )
    servers = run(config)
    running: Running = next(servers)
    try:
        with Person(running.address) as ann:
            said = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "play.example"}
            origin = {"Origin": "https://play.example"}
            named = ann.http.put("/api/me", json={"name": "Ann"}, headers=said)
            assert bool(SimpleCookie(named.headers["set-cookie"])[COOKIE]["secure"]) is trusted
            again = ann.http.put("/api/me", json={"name": "Ann"}, headers=said | origin)
            assert again.status_code == (200 if trusted else 403)
    finally:
        servers.close()  # type: ignore[attr-defined]
