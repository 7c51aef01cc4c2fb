"""Starting a server, by `droptable serve` or from a test."""

from __future__ import annotations

import gc
import json
import socket
import sys
import urllib.request
import webbrowser

from droptable.core.cpu import usable_cores
from droptable.core.errors import OptionError
from droptable.tables.bot_pool import BotPool
from droptable.tables.database import DatabaseError
from droptable.tables.host import Host
from droptable.tables.limits import Limits
from droptable.tables.store import Store
from droptable.web.config import Config

SHUTDOWN_SECONDS = 5
ANSWER_SECONDS = 2  # for a server that may be running already
KEEP_ALIVE_SECONDS = 75  # longer than proxies, so that none of them uses a closed one
BACKLOG = 512  # connections waiting to be accepted
RARELY = (10_000, 20, 50)  # garbage collection thresholds: a full one halts everybody


def open_store(config: Config) -> Store:
    """The configured database; `OptionError` if it cannot be opened."""
    try:
        return Store(config.database_address, config.durability)
    except DatabaseError as error:
        address = config.database_address.rpartition("@")[2]  # without a password
        raise OptionError(f"cannot open the database {address!r}: {error}") from error


async def open_host(config: Config, store: Store) -> Host:
    """A running host on a database."""
    limits = Limits(tables=config.tables_each, commands=config.commands_a_second)
    processes = config.bot_processes or max(1, usable_cores() - 1)
    host = Host(store, BotPool(processes, limits.bot_seconds), limits=limits, pace=config.bot_pace)
    await host.start()
    gc.freeze()  # what exists now stays
    gc.set_threshold(*RARELY)
    return host


def serve(config: Config, *, open_browser: bool = False, announce: bool = True) -> None:
    """Serve until interrupted."""
    import uvicorn

    from droptable.web.app import create_app
    from droptable.web.logging_setup import set_up

    set_up(as_json=not sys.stderr.isatty())
    store = open_store(config)
    listening = listen(config)
    address = _address(config, listening.getsockname()[1])
    if announce:
        print(f"Droptable is at {address} (ctrl-C stops it)", flush=True)
    if open_browser:
        webbrowser.open(address)
    server = uvicorn.Server(
        uvicorn.Config(
            create_app(config, store), access_log=False, log_level="warning", lifespan="on",
            ws_max_size=config.message_bytes, timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            proxy_headers=True, server_header=False, timeout_keep_alive=KEEP_ALIVE_SECONDS,
        )
    )  # fmt: skip
    server.run(sockets=[listening])


def _address(config: Config, port: int) -> str:
    host = f"[{config.host}]" if ":" in config.host else config.host
    return f"http://{host}:{port}{config.prefix}/"


def already_there(config: Config) -> str:
    """The address of a Droptable server at the configured port; empty if there is none."""
    address = _address(config, config.port)
    try:
        with urllib.request.urlopen(f"{address}api/games", timeout=ANSWER_SECONDS) as answer:
            return address if any("accent" in game for game in json.load(answer)) else ""
    except (OSError, ValueError, TypeError):
        return ""


def free_port(config: Config) -> int:
    """The configured port, or 0 (any) if it is taken."""
    try:
        listen(config).close()
    except OptionError:
        return 0
    return config.port


def listen(config: Config) -> socket.socket:
    """A socket at the configured address; `OptionError` names what is wrong with it."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((config.host, config.port))
        listening.listen(BACKLOG)  # a browser opened now waits until the server is ready
    except (OSError, OverflowError) as error:
        listening.close()
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise OptionError(f"cannot listen at {config.host}:{config.port}: {reason}") from error
    return listening
