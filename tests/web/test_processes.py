"""Several server processes behind one port: they share the work, and outlive each other."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.serving import Server, new_database
from droptable.web.config import Config
from tests.web.people import PATIENCE, Person


@pytest.fixture(scope="module")
def server(postgres: str) -> Iterator[Server]:
    """Two processes on an empty database."""
    running = Server(new_database(postgres, "processes"), processes=2, bot_processes=1).wait()
    yield running
    if running.process.poll() is None:
        running.stop()


def children(pid: int) -> set[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return {int(child) for child in found}


def until(condition: object) -> None:
    assert callable(condition)
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_process_that_dies_is_replaced(server: Server) -> None:
    """One of two is killed: the other serves on, the table is there, and a new one starts."""
    before = children(server.process.pid)
    assert len(before) == 2
    with Person(server.address, "Ann") as ann:
        table = ann.create("drop", options={"size": 5})
        os.kill(min(before), signal.SIGKILL)
        with Person(server.address) as stranger:  # a connection of its own
            assert stranger.http.get(f"/api/tables/{table}").status_code == 200
        until(lambda: len(children(server.process.pid) - before) == 1)
        assert max(before) in children(server.process.pid)


def test_all_processes_go_with_their_parent(server: Server) -> None:
    """When the parent is killed nobody is left behind at the port."""
    left = children(server.process.pid)
    server.kill()
    until(lambda: not any(Path(f"/proc/{pid}/cmdline").exists() for pid in left))


def test_a_configuration_travels_by_its_environment() -> None:
    """What a parent was told, its processes know."""
    config = Config(port=7, database="postgresql://a/b", processes=3, prefix="/games")
    assert Config.from_environment(config.environment) == config
