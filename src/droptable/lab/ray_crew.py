"""Workers of a Ray cluster, which a `Fleet` uses like processes of this machine."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from droptable.core.errors import DroptableError
from droptable.core.extras import extra
from droptable.lab.fleet import AHEAD, LOST

PATIENCE = 10.0  # seconds for an answer from the cluster
# What workers are told of our environment. Caches and paths are those of their machine.
SHARED = ("DROPTABLE_GAMES", "DROPTABLE_COMPILE")


class RayCrew:
    """Tasks on Ray: this machine, the cluster of `$RAY_ADDRESS`, or that of `ray://host:port`."""

    def __init__(self, where: str, workers: int | None = None) -> None:
        with extra("ray"):
            import ray
        self._ray: Any = ray
        self._joined = self._ray.is_initialized()
        if not self._joined:
            self._join(where, workers)
        cores = int(self._ray.cluster_resources().get("CPU", 1))
        self.workers = min(cores, workers) if workers else cores
        # Ray begins whatever it has a free core for, so what waits would be done at once, too.
        self.ahead = AHEAD if self.workers == cores else 1

    def _join(self, where: str, workers: int | None) -> None:
        shared = {name: os.environ[name] for name in SHARED if name in os.environ}
        settings: dict[str, Any] = {
            "runtime_env": {"env_vars": shared}, "log_to_driver": False, "logging_level": "error",
        }  # fmt: skip
        address = where if where != "ray" else os.environ.get("RAY_ADDRESS")
        try:
            _knock(address)
            if address is None and self._found(settings):
                return
            if address in (None, "local"):
                os.environ.setdefault("RAY_worker_niceness", "0")  # as eager as processes of ours
                settings |= {"num_cpus": workers, "include_dashboard": False}
            self._ray.init(address=address or "local", **settings)
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            first = str(error).strip().split("\n")[0]
            raise DroptableError(
                f"there is no Ray cluster at {address or 'hand'}: {first}"
            ) from None

    def _found(self, settings: dict[str, Any]) -> bool:
        """Whether there is a cluster on this machine; if so, it is joined."""
        try:
            self._ray.init(address="auto", **settings)
        except ConnectionError:
            return False
        return True

    def start(self, function: Callable[[Any], Any], chunk: Any) -> Any:
        # Fleets count a chunk's tries; so Ray need not, and says when a worker has died.
        task = self._ray.remote(num_cpus=1, max_retries=0)(_call)
        return task.remote(function, chunk)

    def finished(self, tickets: list[Any]) -> list[tuple[Any, Any]]:
        done, _ = self._ray.wait(tickets, num_returns=1)
        return [(ticket, self._result(ticket)) for ticket in done]

    def _result(self, ticket: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(ticket)
        except errors.RayTaskError as error:
            raise error.cause from None
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.ObjectLostError,
                errors.OutOfMemoryError, errors.RaySystemError):  # fmt: skip
            return LOST

    def close(self) -> None:
        if not self._joined:
            self._ray.shutdown()


def _knock(address: str | None) -> None:
    """Find out at once whether anybody listens there; Ray itself asks for half a minute."""
    parts = urlsplit(address if address and "//" in address else f"//{address or ''}")
    if parts.hostname and parts.port:
        socket.create_connection((parts.hostname, parts.port), PATIENCE).close()


def _call(function: Callable[[Any], Any], chunk: Any) -> Any:
    return function(chunk)
