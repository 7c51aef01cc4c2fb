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
from droptable.core.game import Game
from droptable.core.language import counted
from droptable.terminal import tables
from droptable.terminal.line import LineMatch, Talk, choose_game, story
from droptable.terminal.parameters import (
    AsJson,
    Database,
    GameName,
    Matches,
    OptionWords,
    Players,
    Plot,
    Seed,
    WrongValue,
    seconds,
    whole,
)

app = typer.Typer(
    help="Play, host and study five drop games. Without a command: serve, and open a browser.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(tables.app, name="tables")

USUAL_BOT = "normal"
INTERRUPTED = 130  # the exit code by convention: 128 + SIGINT
# Typer carries its own copy of click, whose errors have no public name.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def main() -> None:
    """Run the command line; every failure is one clear line and a non-zero exit."""
    try:
        code = app(prog_name="droptable", standalone_mode=False)
    except DroptableError as error:
        sys.exit(f"droptable: {error}")
    except UsageError as error:
        print(_usage_line(error), file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        sys.exit(f"droptable: {where}{error.strerror or error}")
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    if code == INTERRUPTED:  # Typer may have caught it, and returns this
        print("droptable: interrupted", file=sys.stderr)
    sys.exit(code)


def _usage_line(error: Any) -> str:
    """What was typed wrong, in one line; or the help, for a command that needs a subcommand."""
    if isinstance(error, WrongValue):
        return f"droptable: {error.message}"
    message = error.format_message()
    if "\n" in message:
        return str(message)
    command = error.ctx.command_path if error.ctx else "droptable"
    return f"droptable: {message[0].lower()}{message[1:].rstrip('.')} (see {command} --help)"


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
    """Without a command, serve and open the table in a browser."""
    if context.invoked_subcommand is None:
        serve(browser=True)


@app.command()
def serve(
    host: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 means everywhere."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(metavar="N", parser=whole("--port", 0, 65535), help="0 means any free one."),
    ] = None,
    database: Database = None,
    browser: Annotated[bool, typer.Option("--browser", help="Open a browser too.")] = False,
) -> None:
    """Host tables for people and bots. All settings: docs/hosting.md."""
    from droptable.web.config import Config
    from droptable.web.server import already_there, free_port
    from droptable.web.server import serve as run

    config = Config.from_environment()
    if browser and port is None and "DROPTABLE_PORT" not in os.environ:
        there = "" if database or config.database else already_there(config)
        if there:
            print(f"Droptable is already at {there}")
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
        str | None, typer.Argument(metavar="GAME", help="A game's name; asked for if left out.")
    ] = None,
    players: Players = None,
    seat: Annotated[
        int, typer.Option(metavar="N", parser=whole("--seat"), help="Your seat, from 0.")
    ] = 0,
    bot: Annotated[
        list[str] | None,
        typer.Option(metavar="BOT", help="The bot at all other seats; or repeat it, one per seat."),
    ] = None,
    option: OptionWords = None,
    seed: Seed = None,
    load: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Continue a saved match.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play a match against bots, line by line."""
    talk = Talk(sys.stdout, as_json=as_json)
    lines = sys.stdin or io.StringIO()  # without one, nothing is typed
    if load is not None:
        if players is not None or option:
            raise DroptableError(
                "a saved match has its own players and options: leave out --players and --option"
            )
        state = droptable.open_record(load).final
        if game not in (None, state.game.name):
            raise DroptableError(f"{load} is a match of {state.game.name}, not of {game}")
    else:
        if game is None:
            chosen = choose_game(droptable.games(), talk, lines)
            if chosen is None:
                return
            game, players = chosen[0].name, chosen[1]
        chosen_game = droptable.game(game)
        state = chosen_game.start(players, **_options(chosen_game, option))
    LineMatch(state, seat, bot or [USUAL_BOT], talk, lines, seed=seed).run()


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The game's name, like my-game.")],
    folder: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to write it; here by default.")
    ] = Path(),
) -> None:
    """Write a game of your own to start from, and its test: docs/add-a-game.md."""
    from droptable.scaffold import write_game

    game, test = write_game(name, folder)
    print(f"{game} and {test} are written. Next:")
    print(f"  DROPTABLE_GAMES={game} droptable play {name}")
    print(f"  python -m pytest {test}")


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
            told = option.range
            if isinstance(option, option_words.Choice) and option.labels:
                told = "; ".join(map("{}: {}".format, option.choices, option.labels))
            print(f"  {name}={_plain(option.default)}: {option.help} ({told})")


@app.command()
def rules(
    game: GameName,
    rule: Annotated[
        str | None, typer.Argument(metavar="RULE", help="A rule's number, such as DS4.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the rules of a game, or one of them."""
    chosen = droptable.game(game)
    if as_json:
        sections = chosen.rule_sections if rule is None else {rule.upper(): chosen.rule(rule)}
        print(json.dumps(sections, indent=2))
    else:
        print(chosen.text if rule is None else chosen.rule(rule))


@app.command()
def replay(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="A saved match.")] = None,
    table: Annotated[
        str | None, typer.Option(metavar="ID", help="A finished table instead of a file.")
    ] = None,
    database: Database = None,
    seat: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=whole("--seat"), help="As this seat saw it; by default all is open."
        ),
    ] = None,
    boards: Annotated[
        bool, typer.Option("--boards", help="Print the board after every event instead.")
    ] = False,
    at: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=whole("--at"), help="Only print the board after this many events."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Verify a saved match or a finished table, and tell it in sentences."""
    if (file is None) == (table is None):
        raise DroptableError("expected either a FILE or --table ID; see droptable replay --help")
    record = droptable.open_record(file) if file else tables.read_record(table or "", database)
    count = len(record.events)
    if at is not None and not 0 <= at <= count:
        raise DroptableError(f"--at is {at}; expected 0 to {count}: the match has {count} events")
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
    matches: Matches = 10_000,
    option: OptionWords = None,
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Play many random matches, and count how often each seat wins."""
    from droptable.lab.simulate import simulate_matches

    chosen = droptable.game(game)
    outcome = simulate_matches(
        chosen, chosen.check_players(players), matches, seed, **_options(chosen, option)
    )
    print(json.dumps(outcome.to_dict(), indent=2) if as_json else outcome)


@app.command()
def bench(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Only this game; by default all.")
    ] = None,
    each: Annotated[
        float,
        typer.Option(
            "--seconds",
            metavar="SECONDS",
            parser=seconds("--seconds", 0.05),
            help="Time for each measurement.",
        ),
    ] = 0.5,
    compile_times: Annotated[
        bool, typer.Option(help="Also measure cold compilation and warm loading.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Measure the engines: moves per second, compiled, batched and one by one."""
    from droptable.lab.bench import bench_games

    chosen = droptable.games() if game is None else (droptable.game(game),)
    table = bench_games(chosen, each, compile_times=compile_times)
    print(json.dumps(table.to_dict(), indent=2) if as_json else table)


@app.command()
def arena(
    game: GameName,
    more: Annotated[list[str] | None, typer.Argument(metavar="BOT", hidden=True)] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            "--bots", metavar="BOT...", help="One bot per seat; the last one fills the table."
        ),
    ] = None,
    players: Players = None,
    matches: Matches = 200,
    option: OptionWords = None,
    seed: Annotated[
        int, typer.Option(metavar="N", parser=whole("--seed"), help="The seed of the first deal.")
    ] = 0,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole("--workers", 1),
            help="Matches played at once; by default one per core.",
        ),
    ] = None,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play each other, seats rotated over the same deals. Ctrl-C keeps the results."""
    from droptable.lab.arena import run_arena

    chosen = droptable.game(game)
    names = [*(bots or []), *(more or [])]  # `--bots A B C`: the rest arrive as arguments
    result = run_arena(
        chosen, names, matches, players=players, seed=seed, workers=workers,
        **_options(chosen, option),
    )  # fmt: skip
    if plot is not None:
        result.plot(plot)
    print(json.dumps(result.to_dict(), indent=2) if as_json else result)


@app.command()
def coach(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A saved match.")],
    each: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            metavar="SECONDS",
            parser=seconds("--seconds", 0.01),
            help="Time for each search; a turn takes about three.",
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole("--iterations", 1),
            help="Iterations for each search, instead of seconds.",
        ),
    ] = None,
    seat: Annotated[
        list[int] | None,
        typer.Option(metavar="N", parser=whole("--seat"), help="Only this seat; may be repeated."),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            metavar="N",
            parser=whole("--seed"),
            help="The same seed and iterations give the same analysis.",
        ),
    ] = 0,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Judge every turn of a match by what its seat could know: accuracy, chances and mistakes."""
    from rich.console import Console
    from rich.progress import Progress

    record = droptable.open_record(file)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("analysing …", total=len(record.events))
        analysis = droptable.analyse(
            record,
            seconds=each,
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
    """A name from a file, without control characters that a terminal would obey."""
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
