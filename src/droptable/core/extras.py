"""Packages that only some people need: `pip install 'droptable[plot]'`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from droptable.core.errors import DroptableError


class MissingExtra(DroptableError):
    """Something was asked for that needs a package which is not installed."""


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Import packages of an extra within; `MissingExtra` says how to install what is not there."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        raise MissingExtra(f"this needs {package}: pip install 'droptable[{name}]'") from None
