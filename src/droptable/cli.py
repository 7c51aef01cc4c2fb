"""The command line: serve, play, games, rules, replay, verify, coach, arena, and more."""

from __future__ import annotations

import io
import json
import os
import sys
import webbrowser
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer

import droptable
from droptable.core import options as option_words
from droptable.core.errors import DroptableError
from droptable.core.game import Game
from droptable.core.language import counted
from droptable.terminal import admin, tables
from droptable.terminal.agents import mcp, puzzles
from droptable.terminal.line import LineMatch, Talk, choose_game, story
from droptable.terminal.parameters import (
    AsJson,
    Bots,
    Database,
    GameName,
    Matches,
    MoreBots,
    On,
    OptionWords,
    Players,
    Plot,
    Seed,
    Shards,
    Workers,
    WrongValue,
    seconds,
    whole,
)
from droptable.terminal.study import study
from droptable.terminal.training import train

app = typer.Typer(
    help="Play, host and study five drop games. Without a command: serve, and open a browser.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(tables.app, name="tables")
app.add_typer(admin.app, name="admin")

USUAL_BOT = "normal"
NOTHING_TO_VERIFY = 3  # an exit code, as is
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
    shard: Shards = None,
    processes: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=whole("--processes", 1), help="Servers behind the port; PostgreSQL."
        ),
    ] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=SPEC",
            help="A bot of your own that people can seat by this name; may be repeated.",
        ),
    ] = None,
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
    given = {
        "host": host, "port": port, "database": database, "processes": processes,
        "shards": " ".join(shard) if shard else None, "bots": "; ".join(bot) if bot else None,
    }  # fmt: skip
    for name, value in given.items():
        if value is not None:
            config = config.change(name, str(value))
    raise typer.Exit(run(config, open_browser=browser))


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
def verify(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="A record.")] = None,
    table: Annotated[
        str | None, typer.Option(metavar="ID", help="A finished table instead of a file.")
    ] = None,
    commitment: Annotated[
        str, typer.Option(metavar="HEX", help="What the host promised, as you noted it.")
    ] = "",
    contribution: Annotated[
        str, typer.Option(metavar="HEX", help="What you contributed, as you noted it.")
    ] = "",
    as_json: AsJson = False,
    database: Database = None,
) -> None:
    """Check that every card and roll of a match was dealt fairly. See docs/fairness.md."""
    from droptable.core.verify import verify as check

    if (file is None) == (table is None):
        raise DroptableError("expected either a FILE or --table ID; see droptable verify --help")
    record = droptable.open_record(file) if file else tables.read_record(table or "", database)
    finding = check(record, commitment=commitment, contribution=contribution)
    print(json.dumps(asdict(finding)) if as_json else finding.message)
    raise typer.Exit({True: 0, False: 1, None: NOTHING_TO_VERIFY}[finding.fair])


@app.command()
def simulate(
    game: GameName,
    more: MoreBots = None,
    bots: Bots = None,
    players: Players = None,
    matches: Matches = 10_000,
    option: OptionWords = None,
    seed: Seed = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep what is done in this file, and go on from it."),
    ] = None,
    on: On = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Play many matches between bots (random ones by default), and count each seat's wins.

    Ctrl-C ends early and tells what is done.
    """
    from droptable.lab.simulate import simulate_matches

    chosen = droptable.game(game)
    outcome = simulate_matches(
        chosen, players, matches, seed, bots=_bot_names(bots, more) or ["random"], resume=resume,
        on=on, workers=workers, **_options(chosen, option),
    )  # fmt: skip
    print(json.dumps(outcome.to_dict(), indent=2) if as_json else outcome)
    if outcome.interrupted:
        raise typer.Exit(INTERRUPTED)


app.command()(study)
app.command()(train)
app.command()(puzzles)
app.command()(mcp)


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
    more: MoreBots = None,
    bots: Bots = None,
    players: Players = None,
    matches: Matches = 200,
    option: OptionWords = None,
    seed: Annotated[
        int, typer.Option(metavar="N", parser=whole("--seed"), help="The seed of the first deal.")
    ] = 0,
    on: On = None,
    workers: Workers = None,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play each other, seats rotated over the same deals. Ctrl-C keeps the results."""
    from droptable.lab.arena import run_arena

    chosen = droptable.game(game)
    result = run_arena(
        chosen, _bot_names(bots, more), matches, players=players, seed=seed, on=on,
        workers=workers, **_options(chosen, option),
    )  # fmt: skip
    if plot is not None:
        result.plot(plot)
    print(json.dumps(result.to_dict(), indent=2) if as_json else result)
    if result.interrupted:
        raise typer.Exit(INTERRUPTED)


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
    bot: Annotated[
        str | None,
        typer.Option(metavar="BOT", help="Also tell what this bot would have done; docs/bots.md."),
    ] = None,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Judge every turn of a match by what its seat could know: accuracy, chances and mistakes."""
    from rich.console import Console
    from rich.progress import Progress

    from droptable.bots.opinions import opinions, valuer_of

    record = droptable.open_record(file)
    if bot is not None:
        valuer_of(bot)  # refused before the long work
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
    more = opinions(record, analysis.decisions, bot, seed) if bot is not None else None
    if as_json:
        print(json.dumps(analysis.to_dict() | (more.to_dict() if more else {}), indent=2))
    else:
        print(analysis, more, sep="\n\n") if more else print(analysis)


def _bot_names(bots: list[str] | None, more: list[str] | None) -> list[str]:
    """All bots of `--bots A B C`: those behind the first arrive as arguments."""
    return [*(bots or []), *(more or [])]


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
