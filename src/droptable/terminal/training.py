"""The command `droptable train`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from droptable.core import options as option_words
from droptable.terminal.parameters import (
    GameName,
    On,
    OptionWords,
    Players,
    Workers,
    WrongValue,
    seconds,
    whole,
)


def units(text: str) -> tuple[int, ...]:
    """The units of hidden layers: `64,32`."""
    try:
        found = tuple(int(part) for part in text.split(","))
    except ValueError:
        found = ()
    if not found or min(found) < 1:
        raise WrongValue(f"--hidden is {text!r}; expected units of each layer, such as 64,32")
    return found


def train(
    game: GameName,
    players: Players = None,
    option: OptionWords = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where to keep it; by default training-GAME."),
    ] = None,
    generations: Annotated[
        int,
        typer.Option(
            metavar="N", parser=whole("--generations", 1), help="Stop after so many in all."
        ),
    ] = 50,
    minutes: Annotated[
        float | None,
        typer.Option(
            metavar="N",
            parser=seconds("--minutes", 0, "minutes"),
            help="Or begin no further one after so many minutes.",
        ),
    ] = None,
    matches: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=whole("--matches", 1), help="Of self-play, per generation; 400."
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=whole("--iterations", 1), help="Of search, per decision; 48."
        ),
    ] = None,
    hidden: Annotated[
        str | None, typer.Option(metavar="N,N", help="Units of the net's hidden layers; 64,32.")
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOT",
            help="Who it is measured against; may be repeated. By default random and greedy.",
        ),
    ] = None,
    teacher: Annotated[
        str | None,
        typer.Option(
            metavar="BOT", help="Whose matches are learned from first: greedy; none for nobody's."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=whole("--seed"), help="The same seed trains the same net; 0."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the training in the folder.")
    ] = False,
    on: On = None,
    workers: Workers = None,
) -> None:
    """Learn a game by self-play: a net that guides search, for any line-up. See docs/training.md.

    Ctrl-C ends early; all finished generations are kept.
    """
    from droptable.core.errors import DroptableError
    from droptable.games import game as game_of
    from droptable.lab.training.folder import BEST, Settings
    from droptable.lab.training.run import train as run

    chosen = game_of(game)
    folder = out or Path(f"training-{chosen.name}")
    given: dict[str, Any] = {
        "matches": matches, "iterations": iterations, "hidden": units(hidden) if hidden else None,
        "against": tuple(against) if against else None, "seed": seed,
        "teacher": "" if teacher == "none" else teacher,
    }  # fmt: skip
    named = {name: value for name, value in given.items() if value is not None}
    if resume and named:
        raise DroptableError(
            "a training goes on as it began: leave out "
            + " and ".join(f"--{name}" for name in named)
        )
    options = option_words.parse(chosen.name, chosen.options, option) if option else {}
    training = run(
        chosen, players, folder, generations, Settings(**named), resume=resume,
        minutes=minutes, on=on, workers=workers, **options,
    )  # fmt: skip
    iterations = training.settings.iterations
    print(f"generation {training.progress.best} is the best one: it plays as the bots")
    print(f"  search:{iterations}@{folder / BEST}  and, without search, {folder / BEST}")
