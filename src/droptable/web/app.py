"""The application: host, API and pages put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from droptable.core.extras import MissingExtra
from droptable.core.language import _
from droptable.notices.service import Notices
from droptable.tables.database import DatabaseError
from droptable.tables.host import Host
from droptable.tables.integrity import damage_report
from droptable.tables.puzzle_book import PuzzleBook
from droptable.tables.rejected import Rejected
from droptable.tables.store import Store
from droptable.web import (
    admin_api,
    api,
    balance_api,
    cards,
    daily_api,
    friends_api,
    groups_api,
    install,
    lessons_api,
    mistakes_api,
    notices_api,
    pages,
    people_api,
    puzzles_api,
    recovery,
    replay_api,
)
from droptable.web.config import Config
from droptable.web.crowd import Crowd
from droptable.web.identity import Doorkeeper
from droptable.web.messages import STATUS, Problem
from droptable.web.metrics import Metrics
from droptable.web.middleware import Guard, TooLong, TooSlow
from droptable.web.notices_api import means
from droptable.web.openapi import describe, returns
from droptable.web.server import open_host

log = structlog.get_logger()


HEALTHY_SECONDS = 3.0


async def _health(host: Host, recent: float) -> Response:
    """503 with the reason, unless a write works, or worked in the last `recent` seconds.

    A damaged table harms no other: it is told by the lasting health, and visitors still come.
    """
    try:
        if not recent and host.closing:
            raise DatabaseError("the server is closing")
        await host.store.ping()
        await host.store.probe(recent)
        if recent and host.store.damaged:
            raise DatabaseError(damage_report(host.store.damaged))
    except DatabaseError as error:
        return api.answer(Problem("outage", str(error)), STATUS["outage"])
    return api.answer({"ok": True})


def create_app(config: Config, store: Store) -> Any:
    """An ASGI application, with a host on this database for as long as it runs."""
    metrics, crowd = Metrics(), Crowd(config)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        notices = app.state.notices = Notices(means(config), store)
        await notices.prepare()
        app.state.host = await open_host(config, store, notices.calls)
        await notices.start(app.state.host)
        key = await app.state.host.store.secret("cookies")
        app.state.door = Doorkeeper(app.state.host, key, config.prefix)
        app.state.metrics = metrics
        app.state.crowd = crowd
        app.state.puzzles = PuzzleBook(app.state.host.store)
        app.state.replays = replay_api.Replays(app.state.host.store)
        yield
        app.state.replays.close()
        await notices.close()
        await app.state.host.close()

    app = FastAPI(
        title="Droptable", version=version("droptable"), lifespan=lifespan,
        description="Tables for drop games. docs/protocol.md has the whole protocol.",
        openapi_url="/api/openapi.json", docs_url=None, redoc_url=None,
    )  # fmt: skip
    app.state.config = config
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.include_router(api.router)
    app.include_router(recovery.router)
    app.include_router(notices_api.router)
    app.include_router(replay_api.router)
    app.include_router(lessons_api.router)
    app.include_router(balance_api.router)
    app.include_router(daily_api.router)
    app.include_router(puzzles_api.router)
    app.include_router(mistakes_api.router)
    app.include_router(people_api.router)
    app.include_router(friends_api.router)
    app.include_router(groups_api.router)
    app.include_router(pages.router)
    app.include_router(install.router)
    if config.admin_token:
        app.state.guards = admin_api.Guards(config)
        app.include_router(admin_api.router)
        app.include_router(admin_api.page)
    app.include_router(cards.router)
    describe(
        app,
        (
            *api.BODIES,
            *api.RESULTS,
            *recovery.BODIES,
            *replay_api.RESULTS,
            *lessons_api.STRUCTS,
            *balance_api.RESULTS,
            *daily_api.RESULTS,
            *puzzles_api.STRUCTS,
            *notices_api.STRUCTS,
            *(admin_api.STRUCTS if config.admin_token else ()),
            *people_api.BODIES,
            *people_api.RESULTS,
            *friends_api.STRUCTS,
            *groups_api.STRUCTS,
        ),
    )

    @app.get("/healthz", responses=returns("The server and its database work."))
    async def healthz(request: Request) -> Response:
        """Whether all is well: the server answers, a write has worked in the last seconds, and no
        table is damaged."""
        return await _health(request.app.state.host, HEALTHY_SECONDS)

    @app.get("/readyz", responses=returns("The server can take visitors now."))
    async def readyz(request: Request) -> Response:
        """Whether to send visitors here: a write works now, and the server is not closing."""
        return await _health(request.app.state.host, 0.0)

    @app.get("/metrics", include_in_schema=False)
    async def show_metrics(request: Request) -> Response:
        return Response(
            metrics.text(request.app.state.host), media_type="text/plain; version=0.0.4"
        )

    @app.exception_handler(Rejected)
    async def refused(_request: Request, error: Rejected) -> Response:
        response = api.answer(Problem.of(error), STATUS[error.kind])
        if error.wait is not None:
            response.headers["Retry-After"] = str(error.wait)
        return response

    @app.exception_handler(DatabaseError)
    async def without_database(request: Request, error: DatabaseError) -> Response:
        if request.scope["type"] == "websocket":
            raise error  # the guard closes it
        log.error("the database failed", error=str(error))
        message = _("the database does not answer; try again in a moment")
        return api.answer(Problem("outage", message), STATUS["outage"])

    @app.exception_handler(Exception)
    async def failed(_request: Request, _error: Exception) -> Response:
        message = _("something went wrong at the server; its host can read about it in the log")
        return api.answer(Problem("outage", message), 500)

    @app.exception_handler(MissingExtra)
    async def not_installed(_request: Request, error: MissingExtra) -> Response:
        return api.answer(Problem("illegal", str(error)), 501)

    @app.exception_handler(TooLong)
    async def too_long(_request: Request, error: TooLong) -> Response:
        return api.answer(Problem("limit", str(error)), 413)

    @app.exception_handler(TooSlow)
    async def too_slow(_request: Request, error: TooSlow) -> Response:
        return api.answer(Problem("limit", str(error)), 408)

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = " ".join(str(part) for part in first["loc"])
        value = f"{first.get('input')!r:.80}"
        message = _("{where} is {value}: {error}")
        message = message.format(where=where, value=value, error=first["msg"])
        return api.answer(Problem("syntax", message), 422)

    @app.exception_handler(HTTPException)
    async def missing(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
            return pages.not_found(request)  # a person: programs accept JSON or anything
        message = f"{request.method} {request.url.path[:100]}: {error.detail}"
        return api.answer(Problem("gone", message), error.status_code)

    return Guard(app, config, metrics, crowd, lambda: app.state.host.moving)
