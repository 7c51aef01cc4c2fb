"""A small world to break: servers, a database, the links between them, clocks and a disk.

Each server and PostgreSQL live in a network namespace of their own, with one link for each pair, so
that a pair can be cut off from each other while all else goes on. The database is on a tmpfs, which
can be made full. The wall clocks can jump at any time (`fault_clock.c`). What this machine does not
allow is left out, and `missing` says so. Closing the world ends and removes everything.
"""

import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import psycopg
from serving import SERVE, find_postgresql, free_port

SHIM = Path(__file__).with_name("fault_clock.c")
DISK_BYTES = 2 << 30
PORT = 8000
POSTGRES = "postgresql"


def ip(*words):
    """Run iproute2's `ip`."""
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Network:
    """Namespaces with a link for each pair: `10.N.x.1` at one end, `10.N.x.2` at the other."""

    def __init__(self):
        self._number = 64 + os.getpid() % 128
        self._name = f"dt{os.getpid() % 100_000}"
        self._spaces = []
        self._links = {}

    def close(self):
        """Remove the namespaces; their links go with them."""
        for space in self._spaces:
            with suppress(subprocess.CalledProcessError):
                ip("netns", "del", space)

    def space(self, name):
        """A new namespace."""
        space = f"{self._name}{name}"
        ip("netns", "add", space)
        self._spaces.append(space)
        ip("-n", space, "link", "set", "lo", "up")
        return space

    def link(self, one, other):
        """Join two namespaces (`None`: where this program runs); the address of the second."""
        number = len(self._links)
        near, far = f"{self._name}n{number}", f"{self._name}f{number}"
        where = [] if one is None else ["netns", one]
        ip("link", "add", near, *where, "type", "veth", "peer", "name", far, "netns", other)
        for space, end, last in ((one, near, 1), (other, far, 2)):
            at = [] if space is None else ["-n", space]
            ip(*at, "addr", "add", f"10.{self._number}.{number}.{last}/24", "dev", end)
            ip(*at, "link", "set", end, "up")
        self._links[one, other] = far
        return f"10.{self._number}.{number}.2"

    def cut(self, one, other, *, on):
        """Cut a link, or mend it: packets are lost without a word."""
        ip("-n", other, "link", "set", self._links[one, other], "down" if on else "up")


def family(pid):
    """A process and all its descendants, whatever groups they have chosen."""
    found = [pid]
    for parent in found:
        with suppress(OSError):
            for task in Path(f"/proc/{parent}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
    return found


class Process:
    """A program with its children, in a namespace if there are any, with a clock of its own."""

    def __init__(self, command, space, environment, log):
        inside = ["ip", "netns", "exec", space] if space else []
        self._process = subprocess.Popen(
            [*inside, *map(str, command)], stdout=log, stderr=log, stdin=subprocess.DEVNULL,
            env=os.environ | environment, start_new_session=True, cwd="/",
        )  # fmt: skip

    @property
    def is_running(self):
        return self._process.poll() is None

    def stop(self, *, on):
        """Stop all of it as a debugger would, or let it go on."""
        self._signal(signal.SIGSTOP if on else signal.SIGCONT)

    def kill(self):
        """End all of it in the middle of whatever it does."""
        pids = self._signal(signal.SIGSTOP)  # so that nothing new is born meanwhile
        pids = self._signal(signal.SIGKILL) or pids
        self._process.wait()
        while any(_is_alive(pid) for pid in pids[1:]):
            time.sleep(0.005)

    def _signal(self, number):
        if not self.is_running:
            return [self._process.pid]
        pids = family(self._process.pid)
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        return pids


def _is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


class World:
    """Servers on one database; use it as a context."""

    def __init__(self, kind, settings):
        """`kind` is sqlite (one server) or postgresql (two); `settings` are those of a server."""
        self.kind = kind
        self.missing = []
        self.servers = range(1 if kind == "sqlite" else 2)
        self._settings = settings
        self._processes = {}  # by the number of a server, and POSTGRES
        self._commands = {}
        self._spaces = {}
        self._stack = ExitStack()

    def __enter__(self):
        try:
            return self._build()
        except BaseException:
            self._stack.close()
            raise

    def __exit__(self, *_why):
        self._stack.close()

    def _build(self):
        self.folder = Path(tempfile.mkdtemp(prefix="droptable-faults-"))
        self._stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.chmod(0o755)
        self.log = self.folder / "log"
        self._log = self._stack.enter_context(self.log.open("ab"))
        self._disk = self.folder / "disk"
        self._disk.mkdir()
        self.has_disk = self._mount()
        self._network = self._connect()
        self.has_links = self._network is not None
        self.has_clocks = self._compile_clock()
        self._stack.callback(self._kill_all)
        self.addresses = [self._front(number) for number in self.servers]
        if self.kind == "sqlite":
            self.database = str(self._disk / "tables.db")
            databases = [self.database]
        else:
            databases = self._make_postgres()
        for number, database in zip(self.servers, databases, strict=True):
            self._prepare(number, database)
            self.start(number)
        return self

    def _mount(self):
        command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(self._disk)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            self.missing.append("full disks: a tmpfs can be mounted by root only")
            return False
        self._stack.callback(subprocess.run, ["umount", "-l", str(self._disk)], check=False)
        return True

    def _compile_clock(self):
        self._shim = self.folder / "fault_clock.so"
        command = ["cc", "-O2", "-shared", "-fPIC", "-o", str(self._shim), str(SHIM), "-ldl"]
        with suppress(FileNotFoundError):
            if subprocess.run(command, capture_output=True, check=False).returncode == 0:
                return True
        self.missing.append("skewed clocks: a C compiler is needed (apt install gcc)")
        return False

    def _connect(self):
        network = Network()
        try:
            network.space("test")
        except (OSError, subprocess.CalledProcessError):
            self.missing.append("cut links: network namespaces need root and iproute2")
            return None
        self._stack.callback(network.close)
        return network

    def _front(self, number):
        """The address at which clients find a server."""
        if self._network is None:
            self._spaces[number] = None
            return f"127.0.0.1:{free_port()}"
        self._spaces[number] = self._network.space(f"s{number}")
        return f"{self._network.link(None, self._spaces[number])}:{PORT}"

    def _prepare(self, number, database):
        host, _, port = self.addresses[number].partition(":")
        settings = self._settings | {"host": host, "port": port, "database": database}
        environment = {f"DROPTABLE_{name.upper()}": str(v) for name, v in settings.items()}
        self._commands[number] = [sys.executable, "-c", SERVE], environment

    def _make_postgres(self):
        """Create a cluster and start it; one address for each server."""
        programs = find_postgresql()
        near = [self._spaces[number] for number in self.servers] + [None]  # None: this program
        if self._network is None:
            self._spaces[POSTGRES] = None
            hosts = ["127.0.0.1"] * len(near)
        else:
            self._spaces[POSTGRES] = self._network.space("p")
            hosts = [self._network.link(space, self._spaces[POSTGRES]) for space in near]
        port, data, lead = free_port(), self._disk / "data", []
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            lead = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
            shutil.chown(self._disk, "postgres")
        subprocess.run(
            [*lead, programs / "initdb", "-D", data, "-U", "droptable", "-A", "trust", "-N", "-E",
             "UTF8", "--locale=C"],
            check=True, stdout=subprocess.DEVNULL, cwd="/",
        )  # fmt: skip
        with (data / "pg_hba.conf").open("a") as rules:
            rules.write("host all all 10.0.0.0/8 trust\n")
        self._commands[POSTGRES] = [
            *lead, programs / "postgres", "-D", data, "-p", port, "-k", self._disk,
            "-c", f"listen_addresses={','.join(sorted(set(hosts)))}",
            "-c", "min_wal_size=32MB", "-c", "max_wal_size=64MB",
        ], {}  # fmt: skip
        self.start(POSTGRES)
        *addresses, self.database = [
            f"postgresql://droptable@{host}:{port}/postgres" for host in hosts
        ]
        self._await_postgres()
        return addresses

    def _await_postgres(self):
        end = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.database, connect_timeout=2).close()
            except psycopg.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)
            else:
                return

    def _kill_all(self):
        for process in self._processes.values():
            process.kill()

    # -- what can be done to it -------------------------------------------------------------------

    @property
    def all(self):
        """Servers by their numbers, and PostgreSQL, if there is one."""
        return list(self._processes)

    def start(self, who):
        """Start a server, or PostgreSQL."""
        command, environment = self._commands[who]
        if self.has_clocks:
            if not self._clock(who).exists():
                self.set_clock(who, 0.0)
            environment = environment | {
                "LD_PRELOAD": str(self._shim), "FAULT_CLOCK": str(self._clock(who)),
            }  # fmt: skip
        self._processes[who] = Process(command, self._spaces[who], environment, self._log)

    def kill(self, who):
        """Kill a server or PostgreSQL with all its children."""
        self._processes[who].kill()

    def restart_ended(self):
        """Start whatever has ended; what that was."""
        ended = [who for who, process in self._processes.items() if not process.is_running]
        for who in ended:
            self.start(who)
        return ended

    def stop(self, who, *, on):
        """Stop a server or PostgreSQL as a debugger would, or let it go on."""
        self._processes[who].stop(on=on)

    def cut_clients(self, number, *, on):
        """Cut a server off from its clients."""
        self._network.cut(None, self._spaces[number], on=on)

    def cut_database(self, number, *, on):
        """Cut a server off from PostgreSQL."""
        self._network.cut(self._spaces[number], self._spaces[POSTGRES], on=on)

    def set_clock(self, who, seconds):
        """Let a clock be so many seconds ahead, from now on."""
        file = self._clock(who)
        with file.open("r+b" if file.exists() else "wb") as clock:  # it is mapped: write in place
            clock.write(struct.pack("d", seconds))

    def _clock(self, who):
        return self.folder / f"clock-{who}"

    def fill_disk(self, *, on):
        """Leave no room on the disk, or give it back."""
        size = shutil.disk_usage(self._disk).used if on else DISK_BYTES
        while subprocess.run(
            ["mount", "-o", f"remount,size={size}", str(self._disk)],
            check=False, capture_output=True,
        ).returncode:  # fmt: skip
            size = shutil.disk_usage(self._disk).used  # more than a moment ago: it cannot shrink
