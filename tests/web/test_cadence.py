"""The times and counts of frames tell nothing about what others do in secret.

A viewer of a hidden phase is served by the real socket on a host whose time is the test's own. Its
opponents act in different orders, at different times, more or less often, and undo. What it can
observe, each frame with its moment, has to be the same until the secret moves are shown.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocket

from droptable.tables import cadence
from droptable.tables import commands as cmd
from droptable.tables.decide import Who
from droptable.tables.host import Host
from droptable.tables.settings import Settings
from droptable.tables.store import Store
from droptable.web import socket as sockets
from droptable.web.pictures import Look
from droptable.web.socket import Seen, TableSocket
from tests.tables.club import PLENTY, QuickBots

PEOPLE = ("a", "b", "c")
START = 1000.0
Script = tuple[tuple[float, str, str], ...]  # at so many seconds of the phase, who does what

# Each ends with the last move between the same two ticks: of the fifth second's first quarter.
SCRIPTS: dict[str, Script] = {
    "Bob first": ((0.6, "b", "all"), (5.1, "c", "all")),
    "Cid first": ((0.6, "c", "all"), (5.1, "b", "all")),
    "both late": ((5.01, "b", "all"), (5.02, "c", "all")),
    "bit by bit": ((0.3, "b", "one"), (1.7, "c", "all"), (2.2, "b", "one"), (5.24, "b", "all")),
    "undone": ((1.0, "b", "all"), (2.0, "b", "undo"), (3.3, "c", "all"), (5.2, "b", "all")),
    "refused": ((0.1, "b", "no"), (0.2, "c", "all"), (0.9, "c", "no"), (5.15, "b", "all")),
}  # fmt: skip


class Wire:
    """A viewer's end of a socket: when each frame came, and what it said."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.frames: list[tuple[float, dict[str, Any]]] = []
        self._now = now
        self._gone = asyncio.Event()
        self._connected = False

    async def receive(self) -> dict[str, Any]:
        if not self._connected:
            self._connected = True
            return {"type": "websocket.connect"}
        await self._gone.wait()
        return {"type": "websocket.disconnect", "code": 1000}

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self.frames.append((self._now(), json.loads(message["text"])))

    def leave(self) -> None:
        self._gone.set()


class Phase:
    """A hidden phase of Number Drop for three people; Ann has finished, and somebody watches."""

    def __init__(self, file: Path, order: str) -> None:
        self.now = START
        self._order = order
        self._numbers = itertools.count()
        self._host = Host(
            Store(str(file)), QuickBots(), limits=PLENTY, clock=lambda: self.now,
            sleep=self._sleep, chance=random.Random(7),
        )  # type: ignore[arg-type]  # fmt: skip
        self._table = ""

    async def _sleep(self, seconds: float) -> None:
        self.now += seconds

    async def observed(self, viewer: str | None, script: Script) -> list[tuple[float, Any]]:
        """All frames that a viewer gets while the others act: seconds of the phase, message."""
        for identity, name in zip(PEOPLE, ("Ann", "Bob", "Cid"), strict=True):
            await self._host.register(identity, name)
        seats = ("me", "open", "open")
        settings = Settings("number-drop", 3, {"order": self._order}, seats)
        self._table = (await self._host.create("a", settings, "key")).id
        for identity in PEOPLE[1:]:
            assert await self._do(identity, cmd.Join())
        await self._enter_phase()
        start = self.now
        await self._finish("a")
        wire = Wire(lambda: self.now)
        who = None if viewer is None else Who(viewer, "Ann")
        websocket = WebSocket({"type": "websocket"}, wire.receive, wire.send)
        serving = asyncio.create_task(
            TableSocket(self._host, websocket, self._table, who, Look(), Seen(0, None)).run()
        )
        await self._settle()
        for at, identity, what in script:
            self.now = max(self.now, start + at)
            await self._act(identity, what)
            await self._settle()
        wire.leave()
        await serving
        await self._host.close()
        return [(round(at - start, 3), message) for at, message in wire.frames]

    async def _settle(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    async def _do(self, identity: str, command: cmd.Command) -> bool:
        envelope = cmd.Envelope(f"n{next(self._numbers)}", command)
        return (await self._host.command(self._table, identity, envelope)).ok

    async def _enter_phase(self) -> None:
        """Play until all three act in secret."""
        while True:
            state = (await self._host.table(self._table)).state
            assert state is not None
            if state.view(None).to_act == (0, 1, 2):
                return
            await self._move(PEOPLE[state.to_act[0]])

    async def _move(self, identity: str) -> None:
        state = (await self._host.table(self._table)).state
        assert state is not None
        assert await self._do(identity, cmd.Move(state.legal(PEOPLE.index(identity))[-1]))

    async def _finish(self, identity: str) -> None:
        """Move until it is no longer this person's turn, or the phase is over."""
        seat, seen = PEOPLE.index(identity), (await self._host.table(self._table)).ledgers[None].seq
        while True:
            table = await self._host.table(self._table)
            assert table.state is not None
            if seat not in table.state.to_act or table.ledgers[None].seq > seen:
                return
            await self._move(identity)

    async def _act(self, identity: str, what: str) -> None:
        if what == "all":
            await self._finish(identity)
        elif what == "one":
            await self._move(identity)
        elif what == "undo":
            assert await self._do(identity, cmd.Undo())
        else:
            assert not await self._do(identity, cmd.Move(what))


def observe(
    tmp_path: Path, viewer: str | None, order: str
) -> dict[str, list[tuple[float, dict[str, Any]]]]:
    """What a viewer observes of each script."""
    found = {}
    for number, (name, script) in enumerate(SCRIPTS.items()):
        phase = Phase(tmp_path / f"{viewer}{order}{number}.db", order)
        found[name] = asyncio.run(phase.observed(viewer, script))
    return found


def before_the_end(frames: list[tuple[float, dict[str, Any]]]) -> list[Any]:
    """The frames without what the last one shows: only that it came, and when."""
    *secret, (at, _shown) = frames
    blurred = [(when, message | {"table": ""}) for when, message in secret]
    return [*blurred, at]


@pytest.mark.parametrize("order", ["rulebook", "together"])
@pytest.mark.parametrize("viewer", [None, "a"])
def test_opponents_cannot_be_told_apart(tmp_path: Path, viewer: str | None, order: str) -> None:
    """Whatever others do in secret, and when: the same frames at the same moments, to the end."""
    seen = {name: before_the_end(f) for name, f in observe(tmp_path, viewer, order).items()}
    first, *others = seen.values()
    assert first[-1] == 5.25, "the moves are shown at a tick"
    assert len(first) == 2, "nothing is sent between the first frame and the end"
    assert all(other == first for other in others)


def test_without_ticks_the_end_tells_when_somebody_acted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison can fail: told at once, the last move's moment differs."""
    monkeypatch.setattr(cadence, "TICK", 1e-9)
    seen = observe(tmp_path, None, "rulebook")
    assert len({frames[-1][0] for frames in seen.values()}) > 1


def test_without_fingerprints_frames_count_what_others_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison can fail: a frame for every commit counts the opponents' actions."""
    monkeypatch.setattr(sockets, "fingerprint", lambda *_: (object(),))
    seen = observe(tmp_path, None, "rulebook")
    assert len({len(frames) for frames in seen.values()}) > 1
