"""Servers for benchmarks and tests: real processes on loopback, and a private PostgreSQL."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

SERVE = (
    "from droptable.web.config import Config; from droptable.web.server import serve; "
    "serve(Config.from_environment())"
)
START_SECONDS = 60
INSTALL = "PostgreSQL is not installed (Debian and Ubuntu: apt install postgresql)"
NO_REDIS = "Redis is not installed (Debian and Ubuntu: apt install redis-server or valkey-server)"


class Server:
    """A server in its own process, on a free loopback port."""

    def __init__(self, database, *, log=subprocess.DEVNULL, command=(), **settings):
        """`settings` are the fields of `Config`; `command` is put before the program's own."""
        settings = {"host": "127.0.0.1", "port": 0, "database": database} | settings
        chosen = {f"DROPTABLE_{name.upper()}": str(value) for name, value in settings.items()}
        self.process = subprocess.Popen(
            [*command, sys.executable, "-c", SERVE],
            stdout=subprocess.PIPE, stderr=log, env=os.environ | chosen, text=True,
        )  # fmt: skip
        line = self.process.stdout.readline()
        url = re.search(r"http://\S+:(\d+)", line)
        if url is None:
            raise RuntimeError(f"the server did not start: {line!r}")
        self.address, self.port = url[0], int(url[1])

    def wait(self):
        """Wait until it answers, and return it."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            with suppress(urllib.error.URLError, ConnectionError, TimeoutError):
                urllib.request.urlopen(f"{self.address}/healthz", timeout=5).close()
                return self
            time.sleep(0.02)
        raise RuntimeError("the server does not answer")

    def kill(self):
        """End it in the middle of whatever it does."""
        self._end(signal.SIGKILL)

    def stop(self):
        """Let it shut down."""
        self._end(signal.SIGTERM)

    def _end(self, how):
        self.process.send_signal(how)
        self.process.wait(30)
        self.process.stdout.close()


def free_port():
    """A free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def find_postgresql():
    """The folder of PostgreSQL's programs, or None."""
    known = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    initdb = shutil.which("initdb") or (str(known[-1]) if known else None)
    return None if initdb is None else Path(initdb).resolve().parent


@contextmanager
def postgresql(*, fsync=False):
    """Run a PostgreSQL on loopback; gives the address of its first, empty database.

    By default it does not wait for the disk: it is never killed itself, only the servers that use
    it are.
    """
    programs = find_postgresql()
    if programs is None:
        raise RuntimeError(INSTALL)
    user = {"user": "postgres"} if os.geteuid() == 0 else {}  # PostgreSQL refuses to run as root
    folder = Path(tempfile.mkdtemp(prefix="droptable-pg-"))
    port = free_port()
    try:
        if user:
            shutil.chown(folder, "postgres")
        subprocess.run(
            [programs / "initdb", "-D", folder / "data", "-U", "droptable", "-A", "trust", "-N",
             "-E", "UTF8", "--locale=C"],
            check=True, stdout=subprocess.DEVNULL, cwd="/", **user,
        )  # fmt: skip
        process = subprocess.Popen(
            [programs / "postgres", "-D", folder / "data", "-p", str(port), "-k", folder,
             "-c", "listen_addresses=127.0.0.1", "-c", f"fsync={'on' if fsync else 'off'}"],
            stderr=subprocess.DEVNULL, cwd="/", **user,
        )  # fmt: skip
        try:
            address = f"postgresql://droptable@127.0.0.1:{port}/postgres"
            _wait_for(address)
            yield address
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def new_database(address, name):
    """The address of a new database beside that of another."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return address.rpartition("/")[0] + "/" + name


def _wait_for(address):
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            psycopg.connect(address).close()
        except psycopg.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
        else:
            return


class Redis:
    """A Redis or Valkey on a free loopback port, without a file; it can be killed and started."""

    def __init__(self):
        self._program = find_redis()
        if self._program is None:
            raise RuntimeError(NO_REDIS)
        self.port = free_port()
        self.address = f"redis://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        """Start it, and wait until it answers."""
        self.process = subprocess.Popen(
            [self._program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "",
             "--appendonly", "no"], cwd="/", stdout=subprocess.DEVNULL,
        )  # fmt: skip
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            time.sleep(0.02)
        raise RuntimeError("Redis does not answer")

    def kill(self):
        """End it at once, if it runs."""
        self.process.kill()
        self.process.wait(30)


def find_redis():
    """The program of Redis or Valkey, or None."""
    return shutil.which("redis-server") or shutil.which("valkey-server")
