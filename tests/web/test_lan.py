"""The address that phones in the same room need."""

from __future__ import annotations

import io
import sys
from dataclasses import replace

import pytest
from starlette.datastructures import URL

from droptable.web import lan, server
from droptable.web.config import Config


@pytest.mark.parametrize(
    ("asked", "listening", "expected"),
    [
        ("http://localhost:8000/", "0.0.0.0", "http://192.168.1.7:8000/"),
        ("http://127.0.0.1:8000/games/", "::", "http://192.168.1.7:8000/games/"),
        ("http://localhost:8000/", "127.0.0.1", "http://localhost:8000/"),
        ("https://games.example/", "0.0.0.0", "https://games.example/"),
    ],
)
def test_a_screen_shows_an_address_for_others(
    monkeypatch: pytest.MonkeyPatch, asked: str, listening: str, expected: str
) -> None:
    """`localhost` becomes this computer's address in its network where the server listens there;
    all other addresses stay as they were asked for."""
    monkeypatch.setattr(lan, "lan_address", lambda: "192.168.1.7")
    assert str(lan.for_others(URL(asked), listening)) == expected


def test_no_network_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer that knows itself only has no address for others, and changes none."""
    monkeypatch.setattr(lan, "_routed", lambda: ["127.0.0.1", "0.0.0.0"])
    monkeypatch.setattr(lan, "_named", lambda: ["127.0.1.1"])
    assert lan.lan_address() == ""
    assert str(lan.for_others(URL("http://localhost/"), "0.0.0.0")) == "http://localhost/"


class Terminal(io.StringIO):
    """Something to print to that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1"])
def test_the_terminal_shows_where_phones_find_the_server(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    """Listening everywhere, the address in the local network and its QR code are printed; else the
    address only."""
    monkeypatch.setattr(lan, "lan_address", lambda: "192.168.1.7")
    monkeypatch.setattr(sys, "stdout", Terminal())
    server.announce_address(f"http://{host}:8000/", replace(Config(), host=host))
    said = sys.stdout.getvalue()
    assert ("http://192.168.1.7:8000/" in said) == (host == "0.0.0.0")
    assert ("█" in said) == (host == "0.0.0.0")
    assert (f"http://{host}:8000/" in said) == (host == "127.0.0.1")
