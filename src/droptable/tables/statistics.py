"""How much a server is used: matches and people by day, and its load."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass
from functools import partial

from droptable.core.cpu import usable_cores
from droptable.tables.database import Connection
from droptable.tables.retention import DAY
from droptable.tables.store import Store

SAMPLE = 300.0  # seconds between two samples of the load
KEEP_SAMPLES = 14 * DAY
DAYS = 30  # that are counted
LOAD_HOURS = 24


@dataclass(frozen=True)
class Statistics:
    """What the last days were like; days are counted from 1970, in UTC."""

    first: int  # the first of the days
    matches: dict[str, list[int]]  # that ended, by game and day
    people: list[int]  # who came, by day
    new: list[int]  # … for the first time
    commands: list[float]  # per second, by hour; the last hour is the last
    present: list[int]  # most people at tables at once, by hour
    busy: list[float]  # the highest load of a server as a share of its cores, by hour


async def sample(store: Store, server: str, now: float, commands: int, people: int) -> None:
    """Remember how much a server has to do: commands so far, and people at its tables."""
    values = {"server": server, "at": now, "commands": commands, "people": people,
              "busy": os.getloadavg()[0] / usable_cores()}  # fmt: skip
    add = (
        "INSERT INTO loads (server, at, commands, people, busy)"
        " VALUES (:server, :at, :commands, :people, :busy) ON CONFLICT DO NOTHING"
    )

    def work(connection: Connection) -> None:
        connection.execute(add, values)
        connection.execute("DELETE FROM loads WHERE at < :old", {"old": now - KEEP_SAMPLES})

    await store.write(work)


async def statistics(store: Store, now: float, days: int = DAYS) -> Statistics:
    """The last days, up to today."""
    first = int(now // DAY) - days + 1
    matches: dict[str, list[int]] = {}
    for shard in store.shards:
        for game, day, count in await shard.aside(partial(_matches, since=first * DAY)):
            by_day = matches.setdefault(game, [0] * days)
            by_day[min(int(day) - first, days - 1)] += count
    people, new = await store.aside(partial(_people, first=first, days=days))
    since = now - LOAD_HOURS * 3600
    commands, present, busy = await store.aside(partial(_load, since=since))
    return Statistics(first, dict(sorted(matches.items())), people, new, commands, present, busy)


def _matches(connection: Connection, since: float) -> list[tuple[str, float, int]]:
    day = _day(connection, "updated")
    query = (
        f"SELECT game, {day} AS day, count(*) FROM tables"
        " WHERE status = 'over' AND updated >= :since GROUP BY game, day"
    )
    return list(connection.execute(query, {"since": since}))


def _people(connection: Connection, first: int, days: int) -> tuple[list[int], list[int]]:
    came, new = [0] * days, [0] * days
    visits = "SELECT day, people FROM visits WHERE day >= :first"
    for day, people in connection.execute(visits, {"first": first}):
        came[min(day - first, days - 1)] += people
    day = _day(connection, "created")
    query = f"SELECT {day} AS day, count(*) FROM identities WHERE created >= :since GROUP BY day"
    for number, people in connection.execute(query, {"since": first * DAY}):
        new[min(int(number) - first, days - 1)] += people
    return came, new


def _load(connection: Connection, since: float) -> tuple[list[float], list[int], list[float]]:
    query = (
        "SELECT server, at, commands, people, busy FROM loads WHERE at >= :since"
        " ORDER BY server, at"
    )
    done, busy = [0.0] * LOAD_HOURS, [0.0] * LOAD_HOURS
    crowds: list[dict[str, int]] = [defaultdict(int) for _ in range(LOAD_HOURS)]
    last: tuple[str, int] = ("", 0)
    for server, at, commands, people, load in connection.execute(query, {"since": since}):
        hour = min(int((at - since) // 3600), LOAD_HOURS - 1)
        if last[0] == server:
            done[hour] += max(0, commands - last[1])
        last = server, commands
        crowds[hour][server] = max(crowds[hour][server], people)
        busy[hour] = max(busy[hour], load)
    return [n / 3600 for n in done], [sum(crowd.values()) for crowd in crowds], busy


def _day(connection: Connection, column: str) -> str:
    """The day of a column with seconds, rounded down: databases differ in how they cast."""
    return (
        f"floor({column} / {DAY})"
        if connection.is_postgres
        else f"CAST({column} / {DAY} AS INTEGER)"
    )
