"""One JSON object a line on stderr. Nothing that opens a door is ever logged.

Table ids and links to move an identity are secrets, so paths are logged as their route
(`/api/tables/{table}`), and identities by a short digest.
"""

from __future__ import annotations

import hashlib
import logging
import sys

import structlog


def set_up(*, as_json: bool) -> None:
    """Log for people (a terminal) or for programs."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(message)s")
    shown = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            shown,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def shadow(secret: str) -> str:
    """A short name for something that must not be logged: the same each time, and no way back."""
    return hashlib.sha256(secret.encode()).hexdigest()[:8]
