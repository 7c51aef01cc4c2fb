"""A real server for tests: in a thread on loopback, with an SQLite file of its own."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import structlog
import uvicorn

from benchmarks.serving import INSTALL, find_postgresql, postgresql
from droptable.web.app import create_app
from droptable.web.config import Config
from droptable.web.connections import Doors, GuardedSocket, guarded
from droptable.web.server import listen, open_store
from tests.web.people import Person

GENEROUS = Config(port=0, bot_processes=1, bot_pace=0.0, tables_each=10_000,
                  commands_a_second=100_000.0, chats_a_minute=6e6,
                  identities_an_hour=1e6, groups_an_hour=1e6, sockets_each=10_000,
                  requests_a_minute=1e6, megabytes_a_minute=1e6)  # fmt: skip


@dataclass
class Running:
    """A server that runs in a thread."""

    address: str
    database: str

    def events(self, table: str) -> list[Any]:
        """Everything that was ever stored of a table."""
        return self._ask("SELECT * FROM events WHERE table_id = ? ORDER BY seq", table)

    def fingerprint(self) -> list[Any]:
        """Changes with every event that is added to any table."""
        return self._ask("SELECT count(*), max(rowid), sum(length(body)) FROM events")

    def _ask(self, query: str, *values: str) -> list[Any]:
        connection = sqlite3.connect(self.database)
        try:
            return connection.execute(query, values).fetchall()
        finally:
            connection.close()


def run(config: Config) -> Iterator[Running]:
    """Run a server while the generator waits."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    listening = listen(config)
    app = create_app(config, open_store(config))
    server = uvicorn.Server(
        uvicorn.Config(app, log_level="critical", access_log=False, lifespan="on", ws=GuardedSocket,
                       http=guarded(Doors(config.connections)),
                       ws_max_size=config.message_bytes, proxy_headers=False,
                       timeout_graceful_shutdown=2)
    )  # fmt: skip
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    try:
        port = listening.getsockname()[1]
        yield Running(f"http://127.0.0.1:{port}", config.database)
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with generous limits, shared by all tests that do not mind."""
    file = tmp_path_factory.mktemp("web") / "tables.db"
    yield from run(replace(GENEROUS, database=str(file)))


@pytest.fixture
def strict_server(tmp_path: Path) -> Iterator[Running]:
    """A server with tight limits."""
    strict = Config(port=0, bot_processes=1, tables_each=2, commands_a_second=0.001,
                    database=str(tmp_path / "tables.db"))  # fmt: skip
    yield from run(strict)


@pytest.fixture
def person(server: Running) -> Iterator[Callable[..., Person]]:
    """Makes people who leave when the test ends; nameless ones have no cookie."""
    with ExitStack() as stack:

        def make(name: str | None = None) -> Person:
            return stack.enter_context(Person(server.address, name))

        yield make


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL that runs for these tests."""
    if find_postgresql() is None:
        pytest.skip(INSTALL)
    with postgresql() as address:
        yield address
