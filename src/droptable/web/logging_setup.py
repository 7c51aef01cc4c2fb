"""Logging: one JSON object per line on stderr, or coloured text in a terminal.

Secrets are never logged: table ids, identities, links that move an identity. So a path is logged
as its route (`/api/tables/{table}`).
"""

from __future__ import annotations

import logging
import sys

import structlog


def set_up(*, as_json: bool) -> None:
    """Log as JSON for programs, or as text for people."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(message)s")
    renderer = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
