"""Languages over HTTP: those on offer, and the one that a request prefers."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import parse_qs

from fastapi import Query
from starlette.datastructures import Headers
from starlette.types import Scope

from droptable.core.language import LANGUAGES, SOURCE, native_name

if TYPE_CHECKING:
    Language = str
else:
    Language = Literal[LANGUAGES]  # what is refused, and described to tools
LanguageQuery = Annotated[Language, Query(description="of sentences and labels")]


@cache
def offered() -> dict[str, str]:
    """The languages to choose from, by what each calls itself."""
    return {language: native_name(language) for language in LANGUAGES}


def preferred(scope: Scope) -> str:
    """What `?language=` asks for, else `Accept-Language`, if it is spoken here; else English."""
    query = parse_qs(scope["query_string"].decode("latin-1"))
    asked = query.get("language", [""])[0]
    if asked:
        return asked if asked in LANGUAGES else SOURCE
    return negotiated(Headers(scope=scope).get("accept-language", ""))


@lru_cache(maxsize=256)
def negotiated(accepted: str) -> str:
    """The best match for an `Accept-Language` header: `de` for `de-AT, en;q=0.8` (RFC 4647)."""
    spoken = {language.lower(): language for language in LANGUAGES}
    for tag in _by_weight(accepted):
        parts = tag.split("-")
        for length in range(len(parts), 0, -1):
            if (shorter := "-".join(parts[:length])) in spoken:
                return spoken[shorter]
    return SOURCE


def _by_weight(accepted: str) -> list[str]:
    """The tags of an `Accept-Language` header, the most wanted first."""
    weights = {}
    for choice in accepted.lower().replace(" ", "").split(","):
        tag, _q, weight = choice.partition(";q=")
        try:
            weights[tag] = float(weight or 1)
        except ValueError:  # not a header that a browser sends
            continue
    return sorted((tag for tag, weight in weights.items() if weight > 0), key=lambda t: -weights[t])
