"""What every request passes: limits, origin, language, security headers, log line and metrics.

Plain ASGI, so that sockets pass it, too.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import msgspec
import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from droptable.core.language import _, ngettext, speaking
from droptable.tables.database import DatabaseError
from droptable.tables.rejected import Rejected
from droptable.web.address import Proxies, client_network
from droptable.web.config import Config
from droptable.web.connections import BODY_SECONDS
from droptable.web.crowd import Crowd
from droptable.web.language import preferred
from droptable.web.messages import STATUS, TOO_MANY, Problem, close_reason
from droptable.web.metrics import Metrics
from droptable.web.turnstile import Turnstile

SAFE = ("GET", "HEAD", "OPTIONS")
LONGEST_PATH = 1000
TRY_AGAIN = 1013  # the code with which a socket is closed when the server fails
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
Refusal = tuple[int, Problem, list[tuple[bytes, bytes]]]  # status, reason, headers
log = structlog.get_logger()


class TooLong(Exception):
    """A body without a declared length turns out to be too long."""


class TooSlow(Exception):
    """A body did not come in time."""


class Guard:
    """Wraps the whole app."""

    def __init__(
        self, app: ASGIApp, config: Config, metrics: Metrics, crowd: Crowd,
        moving: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        """`moving` says whether a move is being made, which requests let pass."""
        self._app = app
        self._crowd = crowd
        self._turnstile = Turnstile(moving=moving)
        self._config = config
        self._metrics = metrics
        self._origins = set(config.origins.split())
        self._proxies = Proxies(config.trusted_proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        self._proxies.unwrap(scope)
        self._place(scope)
        network = client_network(scope)
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
            elif message["type"] == "http.response.body":
                self._crowd.count_bytes(network, len(message.get("body", b"")))
            await send(message)

        # What is sent over a socket has no headers, and there is much of it.
        sends = send if scope["type"] == "websocket" else send_with_headers
        try:
            with speaking(preferred(scope)):  # refusals, too, are read by people
                refusal = self._refuse_too_many(network) or self._refuse(scope)
                await self._turnstile.enter(network)
                if refusal is not None:
                    await _answer(scope, receive, sends, *refusal)
                else:
                    await self._app(scope, self._limited(scope, receive, network), sends)
        except Exception as error:
            status = 500
            await self._fail(error, scope, send)
        finally:
            self._report(scope, status, time.perf_counter() - start)

    async def _fail(self, error: Exception, scope: Scope, send: Send) -> None:
        """Log what nobody has handled: one line, with the place where it happened."""
        route = _route(scope)
        if isinstance(error, DatabaseError):
            log.error("the database failed", route=route, error=str(error))
        else:
            log.error("a request failed", route=route, exc_info=error)
        if scope["type"] == "websocket":
            with suppress(Exception):  # the client may be gone
                await send({"type": "websocket.close", "code": TRY_AGAIN})

    def _report(self, scope: Scope, status: int, seconds: float) -> None:
        """Count and log a request that was answered, or failed."""
        route, method = _route(scope), scope.get("method", "SOCKET")
        self._metrics.request(method, route, status, seconds)
        if route not in ("/healthz", "/readyz", "/metrics"):
            log.info(
                "request", method=method, route=route, status=status,
                milliseconds=round(1000 * seconds, 1),
            )  # fmt: skip

    def _place(self, scope: Scope) -> None:
        """Put the path below the prefix, whether a proxy has stripped it or not."""
        prefix = scope["root_path"] = self._config.prefix
        if not f"{scope['path']}/".startswith(f"{prefix}/"):
            scope["path"] = prefix + scope["path"]

    def _refuse_too_many(self, network: str) -> Refusal | None:
        try:
            self._crowd.count_request(network)
        except Rejected as refused:
            wait = [] if refused.wait is None else [(b"retry-after", b"%d" % refused.wait)]
            return STATUS["limit"], Problem.of(refused), wait
        return None

    def _refuse(self, scope: Scope) -> Refusal | None:
        headers = Headers(scope=scope)
        if len(scope["path"]) > LONGEST_PATH:
            message = ngettext(
                "the path has more than {most} character",
                "the path has more than {most} characters",
                LONGEST_PATH,
            )
            return 422, Problem("syntax", message.format(most=LONGEST_PATH)), []
        origin = headers.get("origin")
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE
        if changes and origin is not None and not self._is_ours(origin, headers):
            message = _("pages from {origin} may not use this server")
            return 403, Problem("forbidden", message.format(origin=origin[:100])), []
        length = headers.get("content-length", "0")
        most = self._most_bytes(scope)
        if not length.isdecimal() or int(length) > most:
            message = ngettext(
                "a message has at most {most} byte, not {length}",
                "a message has at most {most} bytes, not {length}",
                most,
            )
            return 413, Problem("limit", message.format(most=most, length=length[:20])), []
        return None

    def _most_bytes(self, scope: Scope) -> int:
        """How long a message to this path may be."""
        path = scope["path"].removeprefix(self._config.prefix)
        return self._config.record_bytes if path == RECORDS else self._config.message_bytes

    def _is_ours(self, origin: str, headers: Headers) -> bool:
        """Whether a page comes from this server, by the host name of the request."""
        try:
            return urlsplit(origin).netloc == headers.get("host") or origin in self._origins
        except ValueError:  # not an address at all: "http://["
            return False

    def _limited(self, scope: Scope, receive: Receive, network: str) -> Receive:
        """Enforce the limits on bodies: also without a declared length, and on their time."""
        if scope["type"] != "http":
            return receive
        size, most, more = 0, self._most_bytes(scope), True
        end = asyncio.get_running_loop().time() + BODY_SECONDS

        async def counted() -> Message:
            nonlocal size, more
            try:
                async with asyncio.timeout_at(end if more else None):
                    message = await receive()
            except TimeoutError:
                raise TooSlow(_("the rest of your request did not come in time")) from None
            more = message.get("more_body", False)
            received = len(message.get("body", b""))
            self._crowd.count_bytes(network, received)
            size += received
            if size > most:
                refusal = ngettext(
                    "a message has at most {most} byte", "a message has at most {most} bytes", most
                )
                raise TooLong(refusal.format(most=most))
            return message

        return counted


async def _answer(
    scope: Scope, receive: Receive, send: Send, status: int, problem: Problem,
    more: list[tuple[bytes, bytes]],
) -> None:  # fmt: skip
    """Answer a request, or close a socket: so that its page can say why if it is one too many."""
    if scope["type"] == "websocket":
        await receive()
        code = 4403
        if problem.kind == "limit":
            await send({"type": "websocket.accept"})
            code = TOO_MANY
        reason = close_reason(problem.message)
        await send({"type": "websocket.close", "code": code, "reason": reason})
        return
    body: Any = msgspec.json.encode(problem)
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers + more})
    await send({"type": "http.response.body", "body": body})


def _route(scope: Scope) -> str:
    """The route of a request, which names no table."""
    return str(getattr(scope.get("route"), "path", "other"))
