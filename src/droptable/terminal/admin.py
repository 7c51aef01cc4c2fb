"""`droptable admin …`: what whoever hosts can do, beside a running server."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import msgspec
import typer

from droptable.core.errors import DroptableError
from droptable.core.files import replace_text
from droptable.core.language import counted
from droptable.terminal.parameters import AsJson, Database, Shards
from droptable.terminal.tables import open_databases, settings_of

if TYPE_CHECKING:
    from droptable.tables.store import Store

app = typer.Typer(
    help="People, tables, chat, announcements and statistics of a server, running or not.",
    no_args_is_help=True,
)
T = TypeVar("T")
Search = Annotated[
    str, typer.Argument(metavar="TEXT", help="Part of a name or title, or an id; all without one.")
]
PersonId = Annotated[str, typer.Argument(metavar="ID", help="As `admin people` lists it.")]


@app.command()
def people(
    search: Search = "", as_json: AsJson = False, database: Database = None, shard: Shards = None
) -> None:
    """List people, the last visitors first."""
    from droptable.tables import moderation

    found = _do(database, shard, lambda store, _now: moderation.people(store, search))
    if as_json:
        _print_json(found)
        return
    for one in found:
        blocked = "" if one.blocked is None else f"  blocked {one.blocked}"
        print(f"{one.id}  {_time(one.seen or one.created)}  {one.name}{blocked}")


@app.command()
def tables(
    search: Search = "",
    status: Annotated[
        str, typer.Option(metavar="STATUS", help="waiting, playing, over or closed.")
    ] = "",
    as_json: AsJson = False,
    database: Database = None,
    shard: Shards = None,
) -> None:
    """List tables, the newest first. Their ids let anybody in: keep them to yourself."""
    from droptable.tables import moderation

    found = _do(database, shard, lambda store, _now: moderation.tables(store, search, status))
    if as_json:
        _print_json(found)
        return
    for row in found:
        told = f"{row.title or row.game}: {', '.join(row.names)}"
        print(f"{row.table}  {_time(row.updated)}  {row.status:8}  {told}")


@app.command("groups")
def list_groups(
    search: Search = "", as_json: AsJson = False, database: Database = None, shard: Shards = None
) -> None:
    """List standing groups, those last used first."""
    from droptable.tables import moderation

    found = _do(database, shard, lambda store, _now: moderation.groups_named(store, search))
    if as_json:
        _print_json(found)
        return
    for row in found:
        members = counted("{count} member", "{count} members", row.members)
        print(f"{row.id}  {_time(row.used)}  {members:11}  {row.name}")


@app.command()
def remove_group(
    group: Annotated[str, typer.Argument(metavar="ID", help="As `admin groups` lists it.")],
    database: Database = None,
    shard: Shards = None,
) -> None:
    """Delete a standing group; its tables stay."""
    from droptable.tables import moderation

    _do(database, shard, lambda store, now: moderation.remove_group(store, group, now))
    _audit(f"remove group {group}")


@app.command()
def block(
    person: PersonId,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="What they are told.")] = "",
    database: Database = None,
    shard: Shards = None,
) -> None:
    """Keep somebody out: all their commands and sockets are refused within seconds."""
    from droptable.tables import moderation

    _do(database, shard, lambda store, now: moderation.block(store, person, reason, now))
    _audit(f"block {person} {reason}")


@app.command()
def unblock(person: PersonId, database: Database = None, shard: Shards = None) -> None:
    """Let somebody in again."""
    from droptable.tables import moderation

    _do(database, shard, lambda store, now: moderation.unblock(store, person, now))
    _audit(f"unblock {person}")


@app.command()
def rename(
    person: PersonId,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Their new name.")],
    database: Database = None,
    shard: Shards = None,
) -> None:
    """Give somebody another name, at all their tables too."""
    from droptable.tables import moderation

    count = _do(database, shard, lambda store, now: moderation.rename(store, person, name, now))
    _audit(f"rename {person}: {counted('{count} table', '{count} tables', count)}")


@app.command()
def chat(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="A table's id.")],
    as_json: AsJson = False,
    database: Database = None,
    shard: Shards = None,
) -> None:
    """List what was said at a table, each message with its number."""
    from droptable.tables import moderation

    found = _do(database, shard, lambda store, _now: moderation.chat(store, table))
    if as_json:
        _print_json(found)
        return
    for said in found:
        print(f"{said.seq:6}  {_time(said.at)}  {said.id or '-':12}  {said.name}: {said.text}")


@app.command()
def remove_chat(
    person: Annotated[
        str, typer.Option(metavar="ID", help="All that this person said, at all tables.")
    ] = "",
    table: Annotated[str, typer.Option(metavar="TABLE", help="One message of this table …")] = "",
    message: Annotated[
        int | None, typer.Option(metavar="N", help="… by its number, as `admin chat` lists it.")
    ] = None,
    database: Database = None,
    shard: Shards = None,
) -> None:
    """Remove one message, or all that a person said."""
    from droptable.tables import moderation
    from droptable.tables.integrity import digest

    if bool(person) == bool(table) or bool(table) != (message is not None):
        raise DroptableError("name either --person, or --table and --message")
    if person:
        count = _do(database, shard, lambda s, now: moderation.remove_chat(s, person, now))
        _audit(f"remove chat {person}: {counted('{count} table', '{count} tables', count)}")
        return
    seq = message or 0
    _do(database, shard, lambda s, now: moderation.remove_message(s, table, seq, now))
    _audit(f"remove message {seq} of table #{digest(table)}")


@app.command()
def announce(
    text: Annotated[str, typer.Argument(metavar="[TEXT]", help="Nothing ends it.")] = "",
    begins: Annotated[
        str | None, typer.Option("--from", metavar="TIME", help="In UTC; by default now.")
    ] = None,
    ends: Annotated[
        str | None,
        typer.Option("--until", metavar="TIME", help="Such as 2027-01-31T18:00; else for a day."),
    ] = None,
    database: Database = None,
    shard: Shards = None,
) -> None:
    """Show a text above all pages for a while; without a text, show none any more."""
    from droptable.tables import moderation

    first, last = _moment("--from", begins), _moment("--until", ends)

    async def act(store: Store, now: float) -> None:
        if not text:
            await moderation.withdraw(store, now)
            return
        start = now if first is None else first
        end = max(now, start) + 86_400 if last is None else last
        await moderation.announce(store, text, start, end, now)

    _do(database, shard, act)
    _audit(f"announce {text}" if text else "withdraw the announcement")


@app.command()
def retention(as_json: AsJson = False, database: Database = None, shard: Shards = None) -> None:
    """Count what the server would delete now, by DROPTABLE_KEEP_… (docs/hosting.md)."""
    from droptable.tables.retention import overview

    keep = settings_of(database, shard).keep
    found = _do(database, shard, lambda store, now: overview(store, keep, now))
    if as_json:
        _print_json(found)
        return
    days = asdict(keep)
    for kind, count in found.items():
        kept = f"kept for {days[kind]:g} days" if days[kind] else "kept for ever"
        print(f"{kind:12} {count:6}  {kept}")


@app.command()
def statistics(
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="Where to write SVG pictures.")
    ] = None,
    as_json: AsJson = False,
    database: Database = None,
    shard: Shards = None,
) -> None:
    """Matches and people by day, and the load by hour; as pictures if a folder is named."""
    from droptable.games import games
    from droptable.tables.statistics import statistics as count
    from droptable.web.usage_pictures import PICTURES, draw

    found = _do(database, shard, lambda store, now: count(store, now))
    if as_json:
        _print_json(found)
    elif folder is None:
        today = {name: row[-1] for name, row in found.matches.items()}
        print(f"people today: {found.people[-1]}, new: {found.new[-1]}")
        for name, row in found.matches.items():
            print(f"{name:12} {today[name]:6} today {sum(row):6} in {len(row)} days")
    if folder is not None:
        if not folder.is_dir():
            raise DroptableError(f"there is no folder {str(folder)!r}")
        titles = {game.name: game.title for game in games()}
        for picture in PICTURES:
            replace_text(folder / f"{picture}.svg", draw(picture, found, titles))
        print(f"{len(PICTURES)} pictures written to {folder}", file=sys.stderr)


@app.command("log")
def show_log(as_json: AsJson = False, database: Database = None, shard: Shards = None) -> None:
    """What hosts did, by the page and by this command, the newest first."""
    from droptable.tables import house

    acts = _do(database, shard, lambda store, _now: store.query(house.newest))
    told = [{"at": a.at, "act": a.act, "about": a.about, "detail": a.detail} for a in acts]
    if as_json:
        _print_json(told)
        return
    for act in acts:
        print(f"{_time(act.at)}  {act.act} {act.about} {act.detail}".rstrip())


def _do(
    database: str | None, shard: list[str] | None, work: Callable[[Store, float], Awaitable[T]]
) -> T:
    """Do something at the databases of a server, with the time that its servers share."""

    async def opened() -> T:
        store = open_databases(settings_of(database, shard), must_exist=True)
        try:
            return await work(store, await store.time())
        finally:
            await store.close()

    return asyncio.run(opened())


def _audit(act: str) -> None:
    """Say what was done; running servers log it as well."""
    print(f"host: {act.strip()}", file=sys.stderr)


def _print_json(found: object) -> None:
    print(msgspec.json.encode(found).decode())


def _time(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(at))


def _moment(option: str, text: str | None) -> float | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        expected = "a time such as 2027-01-31T18:00"
        raise DroptableError(f"{option} is {text!r}; expected {expected}") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
