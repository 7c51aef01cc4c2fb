"""What every request passes: limits, origin, language, security headers, log line and metrics.

Plain ASGI, so that sockets pass it, too.
"""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import urlsplit

import msgspec
import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from droptable.core.language import _, ngettext, speaking
from droptable.web.config import Config
from droptable.web.language import preferred
from droptable.web.messages import Problem
from droptable.web.metrics import Metrics

SAFE = ("GET", "HEAD", "OPTIONS")
LONGEST_PATH = 1000
RECORDS = "/api/replays"  # takes whole records, which are longer than messages
SECURITY = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'self'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # the address of a table is a secret
    "Cross-Origin-Opener-Policy": "same-origin",
}
log = structlog.get_logger()


class TooLong(Exception):
    """A body without a declared length turns out to be too long."""


class Guard:
    """Wraps the whole app."""

    def __init__(self, app: ASGIApp, config: Config, metrics: Metrics) -> None:
        self._app = app
        self._config = config
        self._metrics = metrics
        self._origins = set(config.origins.split())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        self._place(scope)
        start = time.perf_counter()
        status = 101 if scope["type"] == "websocket" else 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY.items():
                    headers.setdefault(name, value)
                if scope["path"].removeprefix(self._config.prefix).startswith("/api/"):
                    headers["Cache-Control"] = "no-store"
            await send(message)

        with speaking(preferred(scope)):  # refusals, too, are read by people
            refusal = self._refuse(scope)
            if refusal is not None:
                await self._answer(scope, receive, send_with_headers, *refusal)
            else:
                await self._app(scope, self._limited(scope, receive), send_with_headers)
        route = getattr(scope.get("route"), "path", "other")
        seconds = time.perf_counter() - start
        self._metrics.request(scope.get("method", "SOCKET"), route, status, seconds)
        if route not in ("/healthz", "/metrics"):
            log.info(
                "request", method=scope.get("method", "SOCKET"), route=route, status=status,
                milliseconds=round(1000 * seconds, 1),
            )  # fmt: skip

    def _place(self, scope: Scope) -> None:
        """Put the path below the prefix, whether a proxy has stripped it or not."""
        prefix = scope["root_path"] = self._config.prefix
        if not f"{scope['path']}/".startswith(f"{prefix}/"):
            scope["path"] = prefix + scope["path"]

    def _refuse(self, scope: Scope) -> tuple[int, Problem] | None:
        headers = Headers(scope=scope)
        if len(scope["path"]) > LONGEST_PATH:
            message = ngettext(
                "the path has more than {most} character",
                "the path has more than {most} characters",
                LONGEST_PATH,
            )
            return 422, Problem("syntax", message.format(most=LONGEST_PATH))
        origin = headers.get("origin")
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE
        if changes and origin is not None and not self._is_ours(origin, headers):
            message = _("pages from {origin} may not use this server")
            return 403, Problem("forbidden", message.format(origin=origin[:100]))
        length = headers.get("content-length", "0")
        most = self._most_bytes(scope)
        if not length.isdecimal() or int(length) > most:
            message = ngettext(
                "a message has at most {most} byte, not {length}",
                "a message has at most {most} bytes, not {length}",
                most,
            )
            return 413, Problem("limit", message.format(most=most, length=length[:20]))
        return None

    def _most_bytes(self, scope: Scope) -> int:
        """How long a message to this path may be."""
        path = scope["path"].removeprefix(self._config.prefix)
        return self._config.record_bytes if path == RECORDS else self._config.message_bytes

    def _is_ours(self, origin: str, headers: Headers) -> bool:
        """Whether a page comes from this server, by the host name of the request."""
        hosts = {headers.get("host", ""), headers.get("x-forwarded-host", "")} - {""}
        try:
            return urlsplit(origin).netloc in hosts or origin in self._origins
        except ValueError:  # not an address at all: "http://["
            return False

    def _limited(self, scope: Scope, receive: Receive) -> Receive:
        """Enforce the limit on bodies without a declared length as well."""
        if scope["type"] != "http":
            return receive
        size, most = 0, self._most_bytes(scope)

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > most:
                refusal = ngettext(
                    "a message has at most {most} byte", "a message has at most {most} bytes", most
                )
                raise TooLong(refusal.format(most=most))
            return message

        return counted

    async def _answer(
        self, scope: Scope, receive: Receive, send: Send, status: int, problem: Problem
    ) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": problem.message[:100]})
            return
        body: Any = msgspec.json.encode(problem)
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
