"""Logging: one JSON object per line on stderr, or coloured text in a terminal.

Our own lines, those of libraries and tracebacks all go the same way. Secrets are never logged:
table ids, identities, links that move an identity. So a path is logged as its route
(`/api/tables/{table}`), and what looks like a secret in anybody's message is blanked.
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from typing import Any

import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict, Processor

LEVELS = {"info": logging.INFO, "warning": logging.WARNING}
OURS = {"route", "logger", "level", "timestamp", "traceback", "exception"}  # never hold a secret
TOKEN = re.compile(r"[A-Za-z0-9_-]{16,}")  # all our secrets are at least that long
MOST_FRAMES = 30


def set_up(*, as_json: bool, level: str = "info") -> None:
    """Log as JSON for programs, or as text for people; requests are logged at `info`."""
    common: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        blank_secrets,
    ]
    last: list[Processor] = [structlog.dev.ConsoleRenderer()]
    if as_json:
        last = [explain_exception, structlog.processors.JSONRenderer()]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        ProcessorFormatter(
            foreign_pre_chain=common, processors=[ProcessorFormatter.remove_processors_meta, *last]
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(LEVELS[level])
    structlog.configure(
        processors=[*common, ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.stdlib.LoggerFactory(),
    )


def blank_secrets(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Blank whatever could be a secret in a line: libraries quote values in their messages."""
    for name, value in event.items():
        if isinstance(value, str) and name not in OURS:
            event[name] = blanked(value)
    return event


def blanked(text: str) -> str:
    """A text without words that look random."""
    return TOKEN.sub(lambda found: found[0] if _is_word(found[0]) else "…", text)


def _is_word(token: str) -> bool:
    letters = token.replace("_", "").replace("-", "")
    return letters.isalpha() and letters.islower()


def explain_exception(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Put an exception into fields: its type and message, and where it happened, innermost last."""
    info = event.pop("exc_info", None)
    if info is True:
        info = sys.exc_info()
    error = info[1] if isinstance(info, tuple) else info
    if isinstance(error, BaseException):
        event["error"] = blanked(f"{type(error).__name__}: {error}")
        frames = traceback.extract_tb(error.__traceback__)[-MOST_FRAMES:]
        event["traceback"] = [f"{f.filename}:{f.lineno} {f.name}" for f in frames]
    return event
