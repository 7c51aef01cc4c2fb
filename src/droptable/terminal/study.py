"""`droptable study`: experiments from a file or from words, and `--tune` for the fairest value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from droptable.core import options as option_words
from droptable.core.errors import OptionError
from droptable.terminal.parameters import AsJson, On, OptionWords, Players, Workers, whole


def study(
    what: Annotated[
        str, typer.Argument(metavar="FILE.toml|GAME", help="A study file, or a game's name.")
    ],
    vary: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUES", help="target=50..150/25, players=all, HAND_SIZE=7,9 …"),
    ] = None,
    tune: Annotated[
        str | None,
        typer.Option(metavar="NAME=VALUES", help="Find the best value, as target=50..150."),
    ] = None,
    goal: Annotated[
        str | None,
        typer.Option(
            "--for", metavar="GOAL", help="With --tune: seats (the default), draws, length=MOVES."
        ),
    ] = None,
    players: Players = None,
    bots: Annotated[
        list[str] | None,
        typer.Option("--bots", metavar="BOT", help="Who plays; repeat it for one per seat."),
    ] = None,
    option: OptionWords = None,
    matches: Annotated[
        int | None,
        typer.Option(metavar="N", parser=whole("--matches", 1), help="Of each cell, at most."),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="Stop a cell when its seats are known so closely."),
    ] = None,
    contest: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="ladder, luck, restricted, dominated or exploitability."),
    ] = None,
    contest_matches: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole("--contest-matches", 1),
            help="Of each pairing in a contest; a tenth of that where bots search.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", parser=whole("--seed"), help="1 by default.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where files go; study-NAME by default.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a study that was interrupted.")
    ] = False,
    on: On = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Measure a game: who is favoured, how long it takes, whether thinking pays. See docs/lab.md.

    Ctrl-C keeps what was played; `--resume` goes on.
    """
    from droptable.lab.fleet import Fleet
    from droptable.lab.studies import Bar, plan_of, play_into

    words = [f"{word}" for word in option or []]
    if tune is not None:
        others = {
            "--vary": vary, "--precision": precision, "--contest": contest,
            "--contest-matches": contest_matches, "--out": out, "--resume": resume,
        }  # fmt: skip
        _refuse(others, f"does not go with --tune {tune}: a race writes no files")
        _tune(
            what, tune, goal or "seats", players, bots, words, matches, seed, on, workers, as_json
        )
        return
    _refuse({"--for": goal}, "needs --tune NAME=VALUES, as --tune target=50..150")
    plan = plan_of(
        what, vary=[*(vary or []), *words], players=players, bots=bots or (), matches=matches,
        precision=precision, contests=contest, contest_matches=contest_matches, seed=seed,
    )  # fmt: skip
    folder = out or Path(f"study-{Path(what).stem}")
    with Bar() as bar, Fleet(on, workers) as fleet:
        try:
            found = play_into(plan, folder, fleet, resume=resume, progress=bar)
        except KeyboardInterrupt:
            kept = f"what was played is kept in {folder}; the same command with --resume goes on"
            typer.echo(f"interrupted: {kept}", err=True)
            raise
    print(json.dumps(found.to_dict(), indent=2) if as_json else found)
    if not as_json:
        print(f"{folder / 'report.html'} shows it with pictures")


def _refuse(given: dict[str, Any], why: str) -> None:
    """Options that would not have been heeded are no use to anybody."""
    for name, value in given.items():
        if value:
            raise OptionError(f"{name} {why}")


def _tune(
    game: str, tune: str, goal: str, players: int | None, bots: list[str] | None,
    words: list[str], matches: int | None, seed: int | None, on: str | None,
    workers: int | None, as_json: bool,
) -> None:  # fmt: skip
    from droptable.games import game as find_game
    from droptable.lab import tuning
    from droptable.lab.cell import Cell
    from droptable.lab.fleet import Fleet
    from droptable.lab.plan import typed_values
    from droptable.lab.studies import Bar

    name, equals, text = tune.partition("=")
    if not equals or not text:
        raise OptionError(f"--tune is {tune!r}; expected NAME=VALUES, as target=50..150")
    subject = find_game(game)
    options = option_words.parse(subject.name, subject.options, words)
    cell = Cell(game, players, options, bots or ["greedy"], rotate=len(set(bots or [])) > 1)
    place, values = typed_values(subject, name, text)
    cells = tuning.candidates_of(cell, place, values)
    tuning.goal_of(goal, cell)
    with Bar() as bar, Fleet(on, workers) as fleet:
        found = tuning.tune(
            cells, name, goal, fleet, seed=1 if seed is None else seed,
            matches=matches or tuning.GRID, progress=bar,
        )  # fmt: skip
    print(json.dumps(found.to_dict(), indent=2) if as_json else found)
