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
from droptable.tables.database import DatabaseError
from droptable.tables.rejected import Rejected
from droptable.tables.store import Store
from droptable.web import api, lessons_api, pages, replay_api
from droptable.web.config import Config
from droptable.web.identity import Doorkeeper
from droptable.web.messages import STATUS, Problem
from droptable.web.metrics import Metrics
from droptable.web.middleware import Guard, TooLong
from droptable.web.openapi import describe, returns
from droptable.web.server import open_host

log = structlog.get_logger()


def create_app(config: Config, store: Store) -> Any:
    """An ASGI application, with a host on this database for as long as it runs."""
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.host = await open_host(config, store)
        key = await app.state.host.store.secret("cookies")
        app.state.door = Doorkeeper(app.state.host, key, config.prefix)
        app.state.metrics = metrics
        app.state.replays = replay_api.Replays(app.state.host.store)
        yield
        app.state.replays.close()
        await app.state.host.close()

    app = FastAPI(
        title="Droptable", version=version("droptable"), lifespan=lifespan,
        description="Tables for drop games. docs/protocol.md has the whole protocol.",
        openapi_url="/api/openapi.json", docs_url=None, redoc_url=None,
    )  # fmt: skip
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.include_router(api.router)
    app.include_router(replay_api.router)
    app.include_router(lessons_api.router)
    app.include_router(pages.router)
    describe(app, (*api.BODIES, *api.RESULTS, *replay_api.RESULTS, *lessons_api.STRUCTS))

    @app.get("/healthz", responses=returns("The server and its database work."))
    async def healthz(request: Request) -> Response:
        """Whether this server can serve: for load balancers."""
        try:
            await request.app.state.host.store.ping()
        except Exception as error:
            message = f"the database does not answer: {type(error).__name__}"
            return api.answer(Problem("outage", message), STATUS["outage"])
        return api.answer({"ok": True})

    @app.get("/metrics", include_in_schema=False)
    async def show_metrics(request: Request) -> Response:
        return Response(
            metrics.text(request.app.state.host), media_type="text/plain; version=0.0.4"
        )

    @app.exception_handler(Rejected)
    async def refused(_request: Request, error: Rejected) -> Response:
        return api.answer(Problem.of(error), STATUS[error.kind])

    @app.exception_handler(DatabaseError)
    async def without_database(_request: Request, error: DatabaseError) -> Response:
        log.error("the database failed", error=str(error))
        message = _("the database does not answer; try again in a moment")
        return api.answer(Problem("outage", message), STATUS["outage"])

    @app.exception_handler(MissingExtra)
    async def not_installed(_request: Request, error: MissingExtra) -> Response:
        return api.answer(Problem("illegal", str(error)), 501)

    @app.exception_handler(TooLong)
    async def too_long(_request: Request, error: TooLong) -> Response:
        return api.answer(Problem("limit", str(error)), 413)

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

    return Guard(app, config, metrics)
