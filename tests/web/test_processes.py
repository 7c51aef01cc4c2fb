"""Several server processes behind one port: they share the work, and outlive each other."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from benchmarks.serving import Server, new_database
from droptable.web.config import Config
from droptable.web.siblings import SILENT_SECONDS
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


def sockets(pid: int) -> int:
    """How many a process has open."""
    count = 0
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):  # closed meanwhile
            count += os.readlink(file).startswith("socket:")
    return count


def grown(before: dict[int, int]) -> dict[int, int]:
    """How many sockets processes have more than before."""
    return {pid: sockets(pid) - count for pid, count in before.items()}


def test_all_sockets_of_a_table_are_at_one_process(server: Server) -> None:
    """Whoever accepts them passes them on, so only one process has to tell a table's moves."""
    processes = children(server.process.pid)
    assert len(processes) == 2
    homes = set()
    with Person(server.address, "Ann") as ann:

        def newest_serves() -> bool:  # it may have been started just now
            table, before = ann.create("drop", options={"size": 5}), sockets(max(processes))
            for watching in [ann.sit(table) for _ in range(5)]:
                watching.sees(lambda _state: True)
            return sockets(max(processes)) - before >= 5

        until(newest_serves)
        for _ in range(8):
            table = ann.create("drop", options={"size": 5})
            ann.sit(table).sees(lambda _state: True)
            before = {pid: sockets(pid) for pid in processes}
            for watching in [ann.sit(table) for _ in range(12)]:
                assert watching.sees(lambda _state: True)["table"] == table
            more = grown(before)
            assert min(more.values()) <= 2 and max(more.values()) >= 10, more
            homes.add(max(more, key=lambda pid: more[pid]))
    assert homes == processes


def test_a_process_that_hangs_is_passed_nothing(server: Server) -> None:
    """The other one serves the sockets of all tables, and passes them on later."""
    hung, other = sorted(children(server.process.pid))
    with Person(server.address, "Ann") as ann:
        tables = [ann.create("drop", options={"size": 5}) for _ in range(8)]
        os.kill(hung, signal.SIGSTOP)
        try:
            time.sleep(2 * SILENT_SECONDS)
            for table in tables:
                assert ann.sit(table).sees(lambda _state: True)["table"] == table
        finally:
            os.kill(hung, signal.SIGCONT)
        before = {pid: sockets(pid) for pid in (hung, other)}
        time.sleep(2 * SILENT_SECONDS)
        for table in tables:
            assert ann.sit(table).sees(lambda _state: True)["table"] == table
        assert grown(before)[hung] > 0


def test_all_processes_go_with_their_parent(server: Server) -> None:
    """When the parent is killed nobody is left behind at the port."""
    left = children(server.process.pid)
    server.kill()
    until(lambda: not any(Path(f"/proc/{pid}/cmdline").exists() for pid in left))


def test_a_configuration_travels_by_its_environment() -> None:
    """What a parent was told, its processes know."""
    config = Config(port=7, database="postgresql://a/b", processes=3, prefix="/games")
    assert Config.from_environment(config.environment) == config
