"""The language of what people read. English is in the code; catalogues turn it into others.

`_("Deck")` is the text in the reader's language, chosen for a stretch of code by `speaking("de")`.
A text without a translation stays English, so a game that knows no other language works.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

LANGUAGES = {"en": "English", "de": "Deutsch"}
FOLDER = Path(__file__).parent.parent / "languages"

_spoken: ContextVar[str] = ContextVar("language", default="en")


def _(text: str) -> str:
    """A text in the language that is spoken now; fill in what varies afterwards, by `format`."""
    spoken = _spoken.get()
    return text if spoken == "en" else catalogue(spoken).get(text, text)


def spoken() -> str:
    """The language that is spoken now: `en`, `de`."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak a language in this block."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


@cache
def catalogue(language: str) -> dict[str, str]:
    """English texts and their translations."""
    found: dict[str, str] = {}
    for file in sorted((FOLDER / language).glob("*.json")):
        found |= json.loads(file.read_text("utf-8"))
    return found
