"""SVG by function calls: `el("g", el("circle", r=4), id="dot")` returns escaped text."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import TypeAlias


class Svg(str):
    """Finished SVG, inserted into other elements as it is; plain strings are escaped."""

    __slots__ = ()


Child: TypeAlias = "str | Svg | None"
Attribute: TypeAlias = "str | float | bool | None"


def el(tag: str, *children: Child, **attributes: Attribute) -> Svg:
    """One element. In attributes `_` stands for `-` (`class_` for `class`); None leaves one out."""
    head = tag + "".join(
        f' {_name(name)}="{_value(value)}"'
        for name, value in attributes.items()
        if value is not None and value is not False
    )
    if not children:
        return Svg(f"<{head}/>")
    return Svg(f"<{head}>{join(*children)}</{tag}>")


def join(*children: Child) -> Svg:
    """Several elements in a row."""
    return Svg("".join(c if isinstance(c, Svg) else escape(c, quote=False) for c in children if c))


@cache
def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _value(value: str | float | bool) -> str:
    if isinstance(value, str):
        return value if value.isalnum() else escape(value)
    if isinstance(value, bool):
        return "true"
    if isinstance(value, int):
        return str(value)
    return f"{value:.2f}".rstrip("0").rstrip(".")
