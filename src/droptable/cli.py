"""The command line: serve, play, games, rules, replay, coach, arena, simulate, bench, tables."""

from __future__ import annotations

import io
import json
import os
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

import droptable
from droptable.core import options as option_words
from droptable.core.errors import DroptableError
from droptable.core.extras import extra
from droptable.core.game import Game
from droptable.core.language import counted
from droptable.terminal import tables
from droptable.terminal.line import LineMatch, Talk, choose_game, story

app = typer.Typer(
    help="The table for five drop games: play, replay, simulate and measure them.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(tables.app, name="tables")

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name, see: games.")]
Players = Annotated[int | None, typer.Option(help="How many players; the fewest by default.")]
OptionWords = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="A game's option; may be repeated."),
]
Seed = Annotated[int | None, typer.Option(help="The same seed deals the same match.")]
USUAL_BOT = "normal"
Database = Annotated[
    str | None,
    typer.Option(
        help="A file for SQLite or postgresql://…; the user's data folder by default.",
        envvar="DROPTABLE_DATABASE",
    ),
]
PICTURES = (".png", ".svg", ".pdf")


def _picture(path: Path | None) -> Path | None:
    """A file that a picture can be written to, checked before all the work."""
    if path is not None and path.suffix.lower() not in PICTURES:
        expected = "a name that ends in " + ", ".join(PICTURES)
        raise DroptableError(f"--plot is {str(path)!r}; expected {expected}")
    if path is not None and not path.parent.is_dir():
        raise DroptableError(f"--plot is {str(path)!r}; there is no folder {str(path.parent)!r}")
    if path is not None:
        with extra("plot"):
            import matplotlib  # noqa: F401
    return path


Plot = Annotated[
    Path | None, typer.Option(help="Also draw it to a file (PNG, SVG, PDF).", callback=_picture)
]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: JSON instead of text.")]


def main() -> None:
    """Run the command line; every failure is one clear line and a non-zero exit."""
    try:
        app()
    except DroptableError as error:
        sys.exit(f"droptable: {error}")
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        sys.exit(f"droptable: {where}{error.strerror or error}")
    except KeyboardInterrupt:
        sys.exit("droptable: interrupted")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"droptable {droptable.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    _version_only: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Without a command: serve, and open the table in a browser."""
    if context.invoked_subcommand is None:
        serve(browser=True)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Where to listen; 0.0.0.0: everywhere.")] = None,
    port: Annotated[int | None, typer.Option(help="0: any that is free.")] = None,
    database: Database = None,
    browser: Annotated[bool, typer.Option(help="Open the table in a browser.")] = False,
) -> None:
    """Host tables for people and bots; docs/hosting.md has all settings."""
    from droptable.web.config import Config
    from droptable.web.server import already_there, free_port
    from droptable.web.server import serve as run

    config = Config.from_environment()
    if browser and port is None and "DROPTABLE_PORT" not in os.environ:
        there = "" if database or config.database else already_there(config)
        if there:
            print(f"Droptable is at {there} already")
            webbrowser.open(there)
            return
        config = replace(config, port=free_port(config))
    given = {"host": host, "port": port, "database": database}
    for name, value in given.items():
        if value is not None:
            config = config.change(name, str(value))
    run(config, open_browser=browser)


@app.command()
def play(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A game's name; asked for if left out.")
    ] = None,
    players: Players = None,
    seat: Annotated[int, typer.Option(help="Your seat, from 0.")] = 0,
    bot: Annotated[
        list[str] | None, typer.Option(help="A bot for all other seats, or one for each.")
    ] = None,
    option: OptionWords = None,
    seed: Seed = None,
    load: Annotated[Path | None, typer.Option(help="Go on with a saved match.")] = None,
    as_json: AsJson = False,
) -> None:
    """Play a match in line mode against bots."""
    talk = Talk(sys.stdout, as_json=as_json)
    lines = sys.stdin or io.StringIO()  # where there is none, nobody says anything
    if load is not None:
        if players is not None or option:
            raise DroptableError("a saved match has its own players and options: leave them out")
        state = droptable.open_record(load).final
        if game not in (None, state.game.name):
            raise DroptableError(f"{load} is a match of {state.game.name}, not of {game}")
    else:
        if game is None:
            chosen = choose_game(droptable.games(), talk, lines)
            if chosen is None:
                return
            game, players = chosen[0].name, chosen[1]
        found = droptable.game(game)
        state = found.start(players, **_options(found, option))
    LineMatch(state, seat, bot or [USUAL_BOT], talk, lines, seed=seed).run()


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games with their player counts and options."""
    if as_json:
        print(json.dumps([_describe(game) for game in droptable.games()], indent=2))
        return
    for game in droptable.games():
        print(f"{game.name}: {game.title}, {game.players_text}")
        print(f"  {game.summary}")
        for name, option in game.options.items():
            print(f"  {name}={_plain(option.default)}: {option.help} ({option.range})")


@app.command()
def rules(
    game: GameName,
    rule: Annotated[str | None, typer.Argument(help="A rule's number, such as DS4.")] = None,
    as_json: AsJson = False,
) -> None:
    """Print the rules of a game, or one of them."""
    found = droptable.game(game)
    if as_json:
        sections = found.rule_sections if rule is None else {rule.upper(): found.rule(rule)}
        print(json.dumps(sections, indent=2))
    else:
        print(found.text if rule is None else found.rule(rule))


@app.command()
def replay(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="A record.")] = None,
    table: Annotated[str | None, typer.Option(help="A finished table instead, by its id.")] = None,
    database: Database = None,
    seat: Annotated[int | None, typer.Option(help="As this seat saw it; all open if left.")] = None,
    boards: Annotated[bool, typer.Option(help="The board after every event instead.")] = False,
    at: Annotated[int | None, typer.Option(help="Only the board after that many events.")] = None,
    as_json: AsJson = False,
) -> None:
    """Verify a record, or the match of a finished table, and tell it in sentences."""
    if (file is None) == (table is None):
        raise DroptableError("name a record's FILE, or a finished table by --table ID")
    record = droptable.open_record(file) if file else tables.read_record(table or "", database)
    if at is not None and not 0 <= at <= len(record.events):
        raise DroptableError(f"--at is {at}; this match has 0 to {len(record.events)} events")
    last = record.final if at is None else record.state_at(at)
    seen = last if seat is None else last.view(seat)
    names = [_shown(record.info.get(f"seat {s}", f"Seat {s}")) for s in range(record.players)]
    sentences = story(last, seat, names)
    if as_json:
        shown = last.record.events if seat is None else None
        print(json.dumps({
            "game": record.game.name, "players": record.players, "options": record.options,
            "info": record.info, "events": shown, "log": sentences, "over": last.over,
            "scores": seen.scores, "winners": last.winners,
        }, indent=2))  # fmt: skip
        return
    if at is None and not boards:
        print("\n".join(sentences))
    for number, state in enumerate(last.record.states() if boards else ()):
        after = counted("After {count} event:", "After {count} events:", number)
        print(f"{after}\n{state if seat is None else state.view(seat)}\n")
    print(f"\n{seen}")
    if last.over:
        print(record.game.words.verdict(last.fields, names))


@app.command()
def simulate(
    game: GameName,
    players: Players = None,
    matches: Annotated[int, typer.Option(min=1, help="How many matches.")] = 10_000,
    option: OptionWords = None,
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Play many random matches and say how often each seat wins."""
    from droptable.lab.simulate import simulate_matches

    found = droptable.game(game)
    outcome = simulate_matches(
        found, found.check_players(players), matches, seed, **_options(found, option)
    )
    print(json.dumps(outcome.to_dict(), indent=2) if as_json else outcome)


@app.command()
def bench(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game only.")] = None,
    seconds: Annotated[float, typer.Option(min=0.05, help="For each measurement.")] = 0.5,
    compile_times: Annotated[
        bool, typer.Option(help="Also measure cold compilation and warm loading.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Measure the engines: moves per second, compiled, batched and one by one."""
    from droptable.lab.bench import bench_games

    chosen = droptable.games() if game is None else (droptable.game(game),)
    table = bench_games(chosen, seconds, compile_times=compile_times)
    print(json.dumps(table.to_dict(), indent=2) if as_json else table)


@app.command()
def arena(
    game: GameName,
    more: Annotated[list[str] | None, typer.Argument(metavar="[BOT]...", hidden=True)] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option("--bots", metavar="BOT...", help="One bot a seat; the last fills the table."),
    ] = None,
    players: Players = None,
    matches: Annotated[int, typer.Option(min=1, help="How many matches.")] = 200,
    option: OptionWords = None,
    seed: Annotated[int, typer.Option(help="Of the first deal.")] = 0,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Matches at once; one a core by default.")
    ] = None,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play each other: seats rotate over the same deals. Ctrl-C keeps what was played."""
    from droptable.lab.arena import run_arena

    found = droptable.game(game)
    names = [*(bots or []), *(more or [])]  # `--bots A B C`: the rest arrive as arguments
    result = run_arena(
        found, names, matches, players=players, seed=seed, workers=workers,
        **_options(found, option),
    )  # fmt: skip
    if plot is not None:
        result.plot(plot)
    print(json.dumps(result.to_dict(), indent=2) if as_json else result)


@app.command()
def coach(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="A record.")],
    seconds: Annotated[float | None, typer.Option(min=0.01, help="For each decision.")] = None,
    iterations: Annotated[
        int | None, typer.Option(min=1, help="For each decision, instead of seconds.")
    ] = None,
    seat: Annotated[list[int] | None, typer.Option(help="Only this seat; may be repeated.")] = None,
    seed: Annotated[int, typer.Option(help="Same seed and iterations, same opinion.")] = 0,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Judge every decision of a match by what its seat could know: chances, losses, mistakes."""
    from rich.console import Console
    from rich.progress import Progress

    record = droptable.open_record(file)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("judging …", total=len(record.events))
        analysis = droptable.analyse(
            record,
            seconds=seconds,
            iterations=iterations,
            seats=seat,
            seed=seed,
            progress=lambda done, total: progress.update(task, completed=done, total=total),
        )
    if plot is not None:
        analysis.plot(plot)
    print(json.dumps(analysis.to_dict(), indent=2) if as_json else analysis)


def _options(game: Game, words: list[str] | None) -> dict[str, Any]:
    return option_words.parse(game.name, game.options, words or [])


def _shown(name: str) -> str:
    """A name out of a file, without what a terminal would obey."""
    return "".join(c if c.isprintable() else "?" for c in name)


def _describe(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "players": game.players,
        "options": {
            name: {"default": option.default, "range": option.range, "help": option.help}
            for name, option in game.options.items()
        },
    }


def _plain(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
