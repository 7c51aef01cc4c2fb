"""Limits per address, and connections that keep nobody else out."""

import asyncio

import httpx
import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from droptable.tables.rejected import Rejected
from droptable.web.address import Proxies
from droptable.web.config import Config
from droptable.web.connections import Doors, guarded
from droptable.web.crowd import Crowd


def test_new_people_per_address() -> None:
    """Identities are limited per address and come back with time; others are not affected."""
    now = 0.0
    crowd = Crowd(Config(identities_an_hour=2), lambda: now)
    for _ in range(2):
        crowd.count_identity("here")
    with pytest.raises(Rejected, match="at most 2 per hour"):
        crowd.count_identity("here")
    crowd.count_identity("there")
    now = 1800.0
    crowd.count_identity("here")


def test_sockets_per_address() -> None:
    """Sockets are limited while they are open, those without a name more strictly."""
    crowd = Crowd(Config(sockets_each=2, watchers_each=1))
    with crowd.socket("here", watching=True):
        with pytest.raises(Rejected, match="at most 1"), crowd.socket("here", watching=True):
            pass
        with (
            crowd.socket("here", watching=False),
            pytest.raises(Rejected, match="at most 2"),
            crowd.socket("here", watching=False),
        ):
            pass
        with crowd.socket("there", watching=True):
            pass
    with crowd.socket("here", watching=True):
        pass


def test_half_sent_requests_keep_nobody_out() -> None:
    """When all connections are taken by half-sent requests, the oldest makes room at once."""

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"here"})

    async def scenario() -> None:
        config = uvicorn.Config(
            app,
            port=0,
            http=guarded(Doors(3, proxies=Proxies())),
            lifespan="off",
            log_level="critical",
        )
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        half = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        for _reader, writer in half:
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
        async with httpx.AsyncClient() as client:
            assert (await client.get(f"http://127.0.0.1:{port}/")).text == "here"
        assert await half[0][0].read() == b"", "it was cut off"
        for _reader, writer in half:
            writer.close()
        server.should_exit = True
        await serving

    asyncio.run(asyncio.wait_for(scenario(), 60))
