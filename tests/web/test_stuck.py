"""A client that no longer accepts anything is dropped."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocket

from droptable.web import socket
from droptable.web.pictures import Look
from droptable.web.socket import Seen, TableSocket
from tests.tables.club import meet


def test_a_client_that_accepts_nothing_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its connection hangs in the middle of the first message; nobody waits for it forever."""
    monkeypatch.setattr(socket, "SEND_SECONDS", 0.05)
    sent = []

    async def receive() -> dict[str, Any]:
        if not sent:
            return {"type": "websocket.connect"}
        return await asyncio.Future()

    async def send(message: Any) -> None:
        sent.append(message["type"])
        if message["type"] == "websocket.send":
            await asyncio.Future()

    async def scenario(club: Any) -> None:
        host = await club.host()
        table = await club.two(host)
        line = WebSocket({"type": "websocket", "headers": []}, receive, send)
        look = Look.checked("none", None, "en")
        who = await host.who("a")
        serving = TableSocket(host, line, table, who, look, Seen(0, None)).run()
        await asyncio.wait_for(serving, 30)
        assert host.present(table) == frozenset()

    meet(str(tmp_path / "tables.db"), scenario)
    assert sent == ["websocket.accept", "websocket.send", "websocket.close"]
