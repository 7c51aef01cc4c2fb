"""Metrics for Prometheus: /metrics."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from droptable.tables.host import Host


class Metrics:
    """What a server counts and measures; never a name, a table or an identity."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "droptable_requests_total", "Requests", ["method", "route", "status"],
            registry=self._registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "droptable_request_seconds", "Duration of requests", ["route"],
            registry=self._registry,
        )  # fmt: skip
        self._sockets = Gauge("droptable_sockets", "Open sockets", registry=self._registry)
        self._tables = Gauge("droptable_tables", "Tables in memory", registry=self._registry)
        self._damaged = Gauge(
            "droptable_damaged_tables", "Tables found to be damaged", registry=self._registry
        )
        self._host = Gauge(
            "droptable_host_total", "Events counted by the host", ["what"], registry=self._registry
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
        """All metrics in Prometheus's text format."""
        self._tables.set(host.open_tables)
        self._damaged.set(len(host.store.damaged))
        for what, count in host.counts.items():
            self._host.labels(what).set(count)
        return generate_latest(self._registry)
