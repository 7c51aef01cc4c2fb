"""Parameters that commands share, and checks that name a wrong value and what was expected."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from droptable.core.errors import DroptableError
from droptable.core.extras import extra

PICTURES = (".png", ".svg", ".pdf")


class WrongValue(typer.BadParameter):
    """A value that cannot be used; the message is a whole sentence."""


def whole(name: str, low: int | None = None, high: int | None = None) -> Callable[[str], int]:
    """A parser of whole numbers, for the parameter of that name."""

    def parse(text: str) -> int:
        return int(_checked(int, name, str(text), "a whole number", low, high))

    return parse


def seconds(name: str, low: float, unit: str = "seconds") -> Callable[[str], float]:
    """A parser of seconds, or another unit, at least `low`, for the parameter of that name."""

    def parse(text: str) -> float:
        return _checked(float, name, str(text), f"a number of {unit}", low, None)

    return parse


def _checked(
    kind: Callable[[str], float],
    name: str,
    text: str,
    what: str,
    low: float | None,
    high: float | None,
) -> float:
    if high is not None:
        what += f" from {low} to {high}"
    elif low is not None:
        what += f", at least {low}"
    try:
        value = kind(text)
    except ValueError:
        value = math.nan
    if not (-math.inf if low is None else low) <= value <= (math.inf if high is None else high):
        raise WrongValue(f"{name} is {text!r}; expected {what}")
    return value


def picture_file(path: Path | None) -> Path | None:
    """A file that a picture can be written to, checked before all the work."""
    if path is not None and path.suffix.lower() not in PICTURES:
        expected = "a file name that ends in " + " or ".join(PICTURES)
        raise DroptableError(f"--plot is {str(path)!r}; expected {expected}")
    if path is not None and not path.parent.is_dir():
        raise DroptableError(f"--plot is {str(path)!r}; there is no folder {str(path.parent)!r}")
    if path is not None:
        with extra("plot"):
            import matplotlib  # noqa: F401
    return path


GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A game's name; droptable games lists them.")
]
Players = Annotated[
    int | None,
    typer.Option(
        metavar="N", parser=whole("--players"), help="How many players; by default the fewest."
    ),
]
OptionWords = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="NAME=VALUE", help="An option of the game; may be repeated."
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(metavar="N", parser=whole("--seed"), help="The same seed deals the same match."),
]
Matches = Annotated[
    int, typer.Option(metavar="N", parser=whole("--matches", 1), help="How many matches.")
]
Bots = Annotated[
    list[str] | None,
    typer.Option(
        "--bots", metavar="BOT...", help="One bot per seat; the last one fills the table."
    ),
]
MoreBots = Annotated[list[str] | None, typer.Argument(metavar="BOT", hidden=True)]
On = Annotated[
    str | None,
    typer.Option(
        metavar="WHERE", help="Where to work: local, ray, or ray://HOST:PORT; by default here."
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        parser=whole("--workers", 1),
        help="How many work at once; by default one per core.",
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="An SQLite file or postgresql://…; by default a file in the user's data folder.",
        envvar="DROPTABLE_DATABASE",
    ),
]
Shards = Annotated[
    list[str] | None,
    typer.Option(
        "--shard",
        metavar="URL",
        help="A further database over which tables are spread; may be repeated.",
        envvar="DROPTABLE_SHARDS",
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Also draw a chart (PNG, SVG or PDF).", callback=picture_file
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
