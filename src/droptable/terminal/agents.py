"""Commands about bots and language models: `droptable puzzles` and `droptable mcp`."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from droptable.terminal.parameters import AsJson, Seed

LOCAL_SERVER = "http://127.0.0.1:8000/"


def puzzles(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Only this game; by default all.")
    ] = None,
    bot: Annotated[
        str, typer.Option(metavar="BOT", help="Who solves: a bot's name, or one of your own.")
    ] = "greedy",
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Let a bot try the puzzles, each once, from what its seat can know: how many it solves."""
    from rich.console import Console
    from rich.progress import Progress

    from droptable.games import game as game_of
    from droptable.games import games
    from droptable.lab.puzzle_score import solve_puzzles

    chosen = games() if game is None else (game_of(game),)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("solving …", total=None)
        score = solve_puzzles(
            chosen, bot, seed or 0,
            lambda done, total: progress.update(task, completed=done, total=total),
        )  # fmt: skip
    print(json.dumps(score.to_dict(), indent=2) if as_json else score)


def mcp(
    server: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL",
            help="A Droptable server whose tables may be joined; may be repeated.",
        ),
    ] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=SPEC", help="A bot of your own to play against, by this name."),
    ] = None,
) -> None:
    """Let an assistant play by the Model Context Protocol, at standard input and output."""
    from droptable.assistants.mcp_server import run
    from droptable.tables.own_bots import parse

    run(server or [LOCAL_SERVER], parse("; ".join(bot or [])))
