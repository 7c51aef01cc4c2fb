"""Starting a server, by `droptable serve` or from a test."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import sys
import urllib.request
import webbrowser
from typing import TYPE_CHECKING

from starlette.datastructures import URL

from droptable.core.cpu import usable_cores
from droptable.core.errors import OptionError
from droptable.tables.bot_pool import BotPool
from droptable.tables.calls import Calling, nobody
from droptable.tables.database import DatabaseError
from droptable.tables.host import Host
from droptable.tables.limits import Limits
from droptable.tables.own_bots import OwnBots
from droptable.tables.redis_bus import RedisBus
from droptable.tables.sharding import ShardedStore
from droptable.tables.store import Store
from droptable.web.address import Proxies
from droptable.web.config import Config
from droptable.web.lan import EVERYWHERE, for_others

if TYPE_CHECKING:
    from droptable.web.siblings import Siblings

SHUTDOWN_SECONDS = 5
ANSWER_SECONDS = 2  # for a server that may be running already
KEEP_ALIVE_SECONDS = 75  # longer than proxies, so that none of them uses a closed one
BACKLOG = 512  # connections waiting to be accepted
RARELY = (10_000, 20, 50)  # garbage collection thresholds: a full one halts everybody


def open_store(config: Config) -> Store:
    """The configured databases; `OptionError` if one cannot be opened."""
    address, *shards = config.addresses
    if len({address, *shards}) <= len(shards):
        raise OptionError("a database is named twice; expected another one for each shard")
    others: list[Store] = []
    bus = RedisBus(config.bus) if config.bus else None
    try:
        for address in shards:
            others.append(Store(address, config.durability, bus))
        address = config.database_address
        if others:
            return ShardedStore(address, others, config.durability, bus)
        return Store(address, config.durability, bus)
    except DatabaseError as error:
        address = address.rpartition("@")[2]  # without a password
        raise OptionError(f"cannot open the database {address!r}: {error}") from error


async def open_host(config: Config, store: Store, calls: Calling = nobody) -> Host:
    """A running host on a database; `calls` says whom to tell of what happens."""
    limits = Limits(
        tables=config.tables_each, commands=config.commands_a_second,
        chats=config.chats_a_minute / 60,
    )  # fmt: skip
    processes = config.bot_processes or max(2, usable_cores() - 1)
    bots = BotPool(processes, limits.bot_seconds, own=OwnBots(config.own_bots))
    host = Host(store, bots, limits=limits, pace=config.bot_pace, keep=config.keep, calls=calls)
    await host.start()
    bots.warm_up()
    gc.freeze()  # what exists now stays
    gc.set_threshold(*RARELY)
    return host


def serve(config: Config, *, open_browser: bool = False, announce: bool = True) -> int:
    """Serve until interrupted; returns the exit code."""
    from droptable.web.processes import Servers, check

    several = config.processes > 1
    if several:
        check(config)
    store = open_store(config)  # brought up to date before anybody else opens it
    if several:
        asyncio.run(store.close())
    listening = listen(config)
    address = _address(config, listening.getsockname()[1])
    if announce:
        announce_address(address, config)
    if open_browser:
        webbrowser.open(address)
    if several:
        return Servers(config, listening).run()
    run(config, listening, store)
    return 0


def run(
    config: Config, listening: socket.socket, store: Store, siblings: Siblings | None = None
) -> None:
    """Serve in this process, at a socket that listens already."""
    import uvicorn

    from droptable.web.app import create_app
    from droptable.web.connections import Doors, GuardedSocket, guarded, room
    from droptable.web.logging_setup import set_up
    from droptable.web.siblings import SiblingServer

    set_up(as_json=not sys.stderr.isatty(), level=config.log)
    proxies = Proxies(config.trusted_proxies)
    doors = Doors(room(config.connections), config.connections_each, proxies)
    settings = uvicorn.Config(
        create_app(config, store), access_log=False, log_config=None, log_level="warning",
        lifespan="on", ws=GuardedSocket,
        ws_max_size=config.message_bytes, timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        http=guarded(doors, siblings), proxy_headers=False, server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
    )  # fmt: skip
    server = uvicorn.Server(settings) if siblings is None else SiblingServer(settings, siblings)
    server.run(sockets=[listening])


def announce_address(address: str, config: Config) -> None:
    """Say where the server is; if it listens everywhere, also to phones in the same room."""
    local = for_others(URL(address).replace(hostname="127.0.0.1"), config.host)
    if config.host not in EVERYWHERE or local.hostname == "127.0.0.1":
        print(f"Droptable is at {address} (ctrl-C stops it)", flush=True)
        return
    print(f"Droptable is at {local} for everybody in this network (ctrl-C stops it)", flush=True)
    if sys.stdout.isatty():  # a log is not photographed
        import segno

        segno.make(str(local), error="m").terminal(border=2, compact=True)


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
