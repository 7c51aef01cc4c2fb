"""Counts and times for Prometheus: /metrics."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from droptable.tables.host import Host


class Metrics:
    """What a server tells about itself; no name, table or identity is in it."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "droptable_requests_total", "Requests", ["method", "route", "status"],
            registry=self._registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "droptable_request_seconds", "How long requests took", ["route"],
            registry=self._registry,
        )  # fmt: skip
        self._sockets = Gauge("droptable_sockets", "Sockets that are open", registry=self._registry)
        self._tables = Gauge("droptable_tables", "Tables in memory", registry=self._registry)
        self._host = Gauge(
            "droptable_host_total", "What the host has counted", ["what"], registry=self._registry
        )

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(method, route, status).inc()
        if method != "SOCKET":
            self._seconds.labels(route).observe(seconds)

    def socket(self, change: int) -> None:
        """Count a socket that opens (1) or closes (-1)."""
        self._sockets.inc(change)

    def text(self, host: Host) -> bytes:
        """All of it, in Prometheus' format."""
        self._tables.set(host.open_tables)
        for what, count in host.counts.items():
            self._host.labels(what).set(count)
        return generate_latest(self._registry)
