"""SVG by function calls: `el("g", el("circle", r=4), id="dot")` returns escaped text."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from html import escape
from typing import TypeAlias

NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
TO_ESCAPE = re.compile("[&<>\"'\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
OFTEN = 16_384  # values of attributes that are remembered: pictures repeat most of them


class Svg(str):
    """Finished SVG, inserted into other elements as it is; plain strings are escaped."""

    __slots__ = ()


Child: TypeAlias = "str | Svg | None"
Attribute: TypeAlias = "str | float | bool | None"


def el(tag: str, *children: Child, **attributes: Attribute) -> Svg:
    """One element. In attributes `_` stands for `-` (`class_` for `class`); None leaves one out."""
    head = tag
    for name, value in attributes.items():
        if value is not None and value is not False:
            head += f' {_name(name)}="{_value(value)}"'
    if not children:
        return Svg(f"<{head}/>")
    return Svg(f"<{head}>{join(*children)}</{tag}>")


def join(*children: Child) -> Svg:
    """Several elements in a row."""
    return Svg(
        "".join([c if isinstance(c, Svg) else _escape(c, quote=False) for c in children if c])
    )


def _escape(text: str, *, quote: bool = True) -> str:
    """A text within XML, which has no word for some control characters: they are left out."""
    if TO_ESCAPE.search(text) is None:
        return text
    return escape(NOT_XML.sub("", text), quote=quote)


@cache
def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


@lru_cache(OFTEN, typed=True)  # typed: 1 is not true
def _value(value: str | float | bool) -> str:
    if isinstance(value, str):
        return _escape(value)
    if isinstance(value, bool):
        return "true"
    if isinstance(value, int):
        return str(value)
    return f"{value:.2f}".rstrip("0").rstrip(".")
