"""Several servers on one machine behind one port, on one PostgreSQL.

They share a listening socket: whoever is free accepts, and passes sockets of tables on
(`siblings.py`). One that dies is started again, and its
people reconnect to the others meanwhile. When the parent goes, all go.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace

import structlog

from droptable.core.cpu import usable_cores
from droptable.core.errors import OptionError
from droptable.web.config import Config
from droptable.web.server import open_store, run
from droptable.web.siblings import Kinship, Siblings

SETTLED_SECONDS = 10.0  # one that ends sooner has not really started
PAUSE_SECONDS = 0.5  # before a server that ended is started again
log = structlog.get_logger()


def check(config: Config) -> None:
    """Refuse a database that only one process should serve."""
    if not config.on_postgres:
        raise OptionError(
            f"{config.processes} processes need a database of postgresql://…; an SQLite file is "
            "for one"
        )


class Servers:
    """The processes behind one socket, until they are told to stop."""

    def __init__(self, config: Config, listening: socket.socket) -> None:
        each = config.bot_processes or (usable_cores() - 1) // config.processes
        self._config = replace(config, processes=1, bot_processes=max(1, each))
        self._listening = listening
        self._stopping = threading.Event()
        # It closes when this process ends, however that happens.
        self._lifeline, self._held = os.pipe()
        self._kinship = Kinship.of(config.processes)
        self._running = [self._start(place) for place in range(config.processes)]

    def run(self) -> int:
        """Keep them running until SIGTERM or ctrl-C; returns the exit code."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._stopping.set())
        code = 0
        while not self._stopping.wait(PAUSE_SECONDS) and code == 0:
            code = self._replace_dead()
        for process, _since in self._running:
            process.send_signal(signal.SIGTERM)
        for process, _since in self._running:
            process.wait()
        return code

    def _replace_dead(self) -> int:
        """Start again what has ended; the exit code of one that did not even start, else 0."""
        for place, (process, since) in enumerate(self._running):
            code = process.poll()
            if code is None or self._stopping.is_set():
                continue
            log.error("a server process ended", code=code)
            if time.monotonic() - since < SETTLED_SECONDS and code > 0:
                return code
            self._running[place] = self._start(place)
        return 0

    def _start(self, place: int) -> tuple[subprocess.Popen[bytes], float]:
        inherited = self._listening.fileno(), self._lifeline, *self._kinship.files
        command = [sys.executable, "-m", "droptable.web.processes", str(place)]
        command.extend(map(str, inherited))
        environment = os.environ | self._config.environment
        process = subprocess.Popen(
            command, env=environment, pass_fds=inherited, stdin=subprocess.DEVNULL,
            start_new_session=True,  # ctrl-C reaches the parent, which stops them in order
        )  # fmt: skip
        return process, time.monotonic()


def _stop_with(lifeline: int) -> None:
    """Stop this process when its parent has gone."""
    with suppress(OSError):
        os.read(lifeline, 1)  # nothing is ever written
    os.kill(os.getpid(), signal.SIGTERM)


def main(place: int, listening: int, lifeline: int, *kinship: int) -> None:
    """One of the processes, with what it inherits."""
    threading.Thread(target=_stop_with, args=(lifeline,), daemon=True).start()
    config = Config.from_environment()
    siblings = Siblings(place, Kinship.from_files(kinship))
    run(config, socket.socket(fileno=listening), open_store(config), siblings)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
