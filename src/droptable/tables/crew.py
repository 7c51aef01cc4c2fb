"""A crew: processes that do long work, so that whoever serves people never waits for it.

Jobs are taken by turns: over their owners (an address, and within it a person), so that somebody
who asks for much waits for it, and nobody else does. Each owner, and everybody together, may only
have so many jobs. A process that does not answer in time, dies or grows too large is replaced.
"""

from __future__ import annotations

import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from types import GeneratorType
from typing import Any, BinaryIO

from droptable.core.errors import DroptableError
from droptable.core.language import ngettext
from droptable.tables.rejected import Rejected

FIRST_SECONDS = 120.0  # the first job on a topic may have to wait for its compiler
MOST_HOMES = 2000  # that are remembered
RETRY_SECONDS = 5  # after which somebody who was refused may try again
MEGABYTE = 1 << 20
Owner = tuple[str, ...]  # from the outside in: an address, then a person


class WorkFailed(Exception):
    """A job failed: it raised, took too long, or its process died."""


class Closing(WorkFailed):
    """The crew was closed before the job was done."""


@dataclass(frozen=True)
class Bounds:
    """How many jobs a crew accepts, and what its processes may use."""

    jobs: int = 1000  # unfinished ones of everybody
    owned: tuple[int, ...] = ()  # … of one owner: per address, per person
    running: int | None = None  # of one (outermost) owner at a time: the rest is for others
    megabytes: int = 1500  # of memory, after which a process is replaced
    idle_seconds: float | None = None  # until a process that has nothing to do ends
    grace: float = 0.0  # seconds that a process has to end what it has started (`at_end`)


@dataclass(eq=False)
class Job:
    """A call of a function of some module, in another process."""

    work: Callable[..., Any]  # of a module; a generator's items are sent as they come
    arguments: tuple[Any, ...]
    owner: Owner = ()
    seconds: float = 60.0  # until its process is ended
    first_seconds: float = FIRST_SECONDS  # … if that has not worked on the topic before
    topic: str = ""
    home: Hashable = None  # jobs of the same home are done by the same process where possible
    receive: Callable[[Any], None] = lambda _item: None  # called with items, in another thread
    done: Future[Any] = field(default_factory=Future)


class Turns:
    """Waiting jobs, taken by turns over their owners."""

    def __init__(self) -> None:
        self._jobs: deque[Job] = deque()
        self._owners: OrderedDict[str, Turns] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._jobs or self._owners)

    def put(self, job: Job, owner: Owner) -> None:
        """Add a job as the last one of its owner."""
        if owner:
            self._owners.setdefault(owner[0], Turns()).put(job, owner[1:])
        else:
            self._jobs.append(job)

    def take(self, fits: Callable[[Job], bool] = lambda _job: True) -> Job | None:
        """The next job that fits; its owner's next turn comes after everybody else's."""
        for job in self._jobs:
            if fits(job):
                self._jobs.remove(job)
                return job
        for name, turns in self._owners.items():
            found = turns.take(fits)
            if found is not None:
                self._owners.move_to_end(name)
                if not turns:
                    del self._owners[name]
                return found
        return None


class Crew:
    """Some processes, started when they are needed, and the jobs that wait for them."""

    def __init__(
        self,
        processes: int,
        bounds: Bounds | None = None,
        niceness: int = 0,
        environment: dict[str, str] | None = None,
    ) -> None:
        """`niceness` lowers the priority of the processes, as `nice` does; they get this
        environment, or that of the server."""
        self.bounds = bounds or Bounds()
        self.niceness = niceness
        self.environment = environment
        self.closed = False
        self._changed = threading.Condition()
        self._waiting = Turns()
        self._unfinished: Counter[Owner] = Counter()  # by owner, and in all by ()
        self._running: Counter[Owner] = Counter()
        self._homes: OrderedDict[Hashable, _Hand] = OrderedDict()
        self._hands = [_Hand(self) for _ in range(processes)]

    def submit(self, job: Job) -> Future[Any]:
        """Queue a job; `Rejected` (`limit`) if it is one too many."""
        with self._changed:
            self._refuse_too_many(job.owner)
            for depth in range(len(job.owner) + 1):
                self._unfinished[job.owner[:depth]] += 1
            self._waiting.put(job, job.owner)
            self._changed.notify_all()
        for hand in self._hands:
            hand.start()
        return job.done

    def withdraw(self, fits: Callable[[Job], bool]) -> Iterator[Job]:
        """Take back jobs that have not begun, to give them to another crew."""
        while True:
            with self._changed:
                job = self._waiting.take(fits)
                if job is None:
                    return
                self._forget(job)
            yield job

    def close(self) -> None:
        """End all processes at once. Unfinished jobs fail with `Closing`."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()
        for hand in self._hands:
            hand.close()

    def _refuse_too_many(self, owner: Owner) -> None:
        if self._unfinished[()] >= self.bounds.jobs:
            message = ngettext(
                "the server is busy: {most} job is waiting; try again in a moment",
                "the server is busy: {most} jobs are waiting; try again in a moment",
                self.bounds.jobs,
            )
            raise Rejected("limit", message.format(most=self.bounds.jobs), wait=RETRY_SECONDS)
        for depth, most in enumerate(self.bounds.owned[: len(owner)], 1):
            if self._unfinished[owner[:depth]] >= most:
                message = ngettext(
                    "you have {most} unfinished job here: wait until it is done",
                    "you have {most} unfinished jobs here: wait until one of them is done",
                    most,
                )
                raise Rejected("limit", message.format(most=most), wait=RETRY_SECONDS)

    # -- for the threads of the processes ---------------------------------------------------------

    def take(self, hand: _Hand) -> Job | None:
        """The next job for a process; None when it has nothing to do (any more)."""

        def fits(job: Job) -> bool:
            most = self.bounds.running
            if most is not None and self._running[job.owner[:1]] >= most:
                return False
            home = self._homes.get(job.home)
            return home is None or home is hand or home.busy

        with self._changed:
            end = None if self.bounds.idle_seconds is None else self.bounds.idle_seconds
            until = None if end is None else time.monotonic() + end
            while True:
                job = self._waiting.take() if self.closed else self._waiting.take(fits)
                if job is not None:
                    self._settle(job, hand)
                    return job
                left = None if until is None else until - time.monotonic()
                if self.closed or (left is not None and left <= 0):
                    return None
                self._changed.wait(left)

    def _settle(self, job: Job, hand: _Hand) -> None:
        """A job begins."""
        hand.busy = True
        self._running[job.owner[:1]] += 1
        if job.home is not None:
            self._homes[job.home] = hand
            self._homes.move_to_end(job.home)
            if len(self._homes) > MOST_HOMES:
                self._homes.popitem(last=False)

    def finish(self, job: Job, hand: _Hand) -> None:
        """A job has ended."""
        with self._changed:
            hand.busy = False
            self._running[job.owner[:1]] -= 1
            if not self._running[job.owner[:1]]:
                del self._running[job.owner[:1]]
            self._forget(job)
            self._changed.notify_all()

    def _forget(self, job: Job) -> None:
        for depth in range(len(job.owner) + 1):
            self._unfinished[job.owner[:depth]] -= 1
            if not self._unfinished[job.owner[:depth]]:
                del self._unfinished[job.owner[:depth]]


class _Hand:
    """A thread that gives a process one job after the other, and replaces it where needed."""

    def __init__(self, crew: Crew) -> None:
        self.busy = False
        self._crew = crew
        self._process: subprocess.Popen[bytes] | None = None
        self._topics: set[str] = set()  # that the process has worked on before
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Make sure that the thread runs; it starts the process when there is a job for it."""
        if self._thread is None:
            with self._lock:
                if self._thread is None:
                    self._thread = threading.Thread(
                        target=self._run, name="droptable-crew", daemon=True
                    )
                    self._thread.start()

    def close(self) -> None:
        """End the process and wait for the thread; the crew is closed."""
        process = self._process
        if process is not None:
            self._end(process)
        if self._thread is not None:
            self._thread.join()

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        if self._crew.bounds.grace:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(self._crew.bounds.grace)
        process.kill()

    def _run(self) -> None:
        while True:
            job = self._crew.take(self)
            if job is not None:
                try:
                    if job.done.set_running_or_notify_cancel():
                        self._do(job)
                finally:
                    self._crew.finish(job, self)
            else:
                self._stop()
                if self._crew.closed:
                    return

    def _do(self, job: Job) -> None:
        try:
            result = self._ask(job)
        except BaseException as error:
            job.done.set_exception(error)
        else:
            job.done.set_result(result)

    def _ask(self, job: Job) -> Any:
        if self._crew.closed:
            raise Closing("the server is closing")
        if self._process is None or self._process.poll() is not None:
            self._start()
        seconds = job.seconds if job.topic in self._topics else job.first_seconds
        megabytes, error, result = self._exchange((job.work, job.arguments), seconds, job.receive)
        if megabytes > self._crew.bounds.megabytes:
            self._stop()
        if error is not None:
            raise error
        self._topics.add(job.topic)
        return result

    def _exchange(
        self, request: object, seconds: float, receive: Callable[[Any], None]
    ) -> tuple[int, BaseException | None, Any]:
        """Send the process a request, and wait that long for its end."""
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        late = threading.Event()

        def end() -> None:  # then there is nothing more to be read
            late.set()
            self._end(process)

        alarm = threading.Timer(seconds, end)
        alarm.start()
        try:
            pickle.dump(request, process.stdin)
            process.stdin.flush()
            while True:
                kind, *answer = pickle.load(process.stdout)
                if kind == "end":
                    return answer[0], answer[1], answer[2]
                receive(answer[0])
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            self._stop()
            if self._crew.closed:
                raise Closing("the server is closing") from error
            reason = (
                f"no answer after {seconds:.0f} seconds" if late.is_set() else "its process died"
            )
            raise WorkFailed(reason) from error
        finally:
            alarm.cancel()

    def _start(self) -> None:
        """Start a process, and wait until it is up: that does not count as working time."""
        self._stop()
        command = [sys.executable, "-m", "droptable.tables.crew"]
        limits = [str(self._crew.niceness), str(self._crew.bounds.megabytes)]
        # Not `multiprocessing`: its children run the main program again to find their work.
        self._process = subprocess.Popen(
            command + limits, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=self._crew.environment,
        )  # fmt: skip
        if self._crew.closed:  # meanwhile
            self._process.kill()
        self._exchange(None, FIRST_SECONDS, lambda _item: None)

    def _stop(self) -> None:
        process, self._process = self._process, None
        self._topics.clear()
        if process is not None:
            self._end(process)
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # what could not be sent does not matter any more
                    assert pipe is not None
                    pipe.close()


# -- in the process -------------------------------------------------------------------------------


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Do jobs until there are no more: what a process of a crew does."""
    while True:
        try:
            request = pickle.load(requests)
        except EOFError:
            return
        except Exception as unknown:  # a function or a value that this process does not have
            request = (_raise, (unknown,))
        error: BaseException | None = None
        result: Any = None
        if request is not None:
            work, arguments = request
            error, result = _done(work, arguments, answers)
        pickle.dump(("end", megabytes_in_use(), error, result), answers)
        answers.flush()


def _raise(error: Exception) -> None:
    raise error


def _done(
    work: Callable[..., Any], arguments: tuple[Any, ...], answers: BinaryIO
) -> tuple[BaseException | None, Any]:
    """Do a job; what it raised, and its result."""
    try:
        result = work(*arguments)
        if isinstance(result, GeneratorType):
            for item in result:
                pickle.dump(("item", item), answers)
                answers.flush()
            result = None
        return None, result
    except DroptableError as error:  # a refusal
        return error, None
    except Exception as error:
        return WorkFailed(f"{type(error).__name__}: {error}"), None


def at_end(end: Callable[[], None]) -> None:
    """Call a function before this process is stopped: it ends what a job has started."""

    def leave(*_: object) -> None:
        end()
        os._exit(0)

    signal.signal(signal.SIGTERM, leave)


def megabytes_in_use() -> int:
    """The memory that this process has in use; 0 where that cannot be told."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize() // MEGABYTE
    except OSError:
        return 0


def main(niceness: int, megabytes: int) -> None:
    """Serve the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server decides when to stop
    with suppress(OSError):
        os.nice(niceness)
    with suppress(OSError, ValueError):  # memory that one job may take: twice what is kept
        resource.setrlimit(resource.RLIMIT_DATA, (2 * megabytes * MEGABYTE,) * 2)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a job prints is no answer
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    # Not this module's own `main`: what is pickled belongs to the module of this name.
    from droptable.tables import crew

    crew.main(int(sys.argv[1]), int(sys.argv[2]))
