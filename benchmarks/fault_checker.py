"""Judge a fault run from outside: what clients sent and saw, and what the database holds.

This program knows the protocol (docs/protocol.md) and two database tables, and nothing of the
server: it imports no part of it. `python benchmarks/fault_checker.py HISTORIES DATABASE` reads the
histories that clients wrote, one JSON line per entry, and the database by plain SQL. It expects
games without secrets, whose viewers all count alike, and chats whose texts are unique.

An entry has `client`, `at` (seconds, one clock for all clients), `what`, `table` and

- `sent`: `id`, `kind` of the command, `text` of a chat. The same id may be sent again.
- `acknowledged`, `refused`: `id`. A command with neither may or may not have been carried out.
- `shown`: `seat`, `seq`, `lines`, `status`, and `board`, a digest of everything on the table.

Violations are named: *lost* (acknowledged or shown, but not stored), *doubled* (stored or shown
twice), *reordered* (stored or shown in another order than it happened), *disagreement* (two viewers
were shown different things at one point of a match), *refused* (and done all the same), *timed out*
(a clock ran out, though nobody was away for long), *still* (a match in which nothing happened for
two minutes, chats apart, though the run went on).
"""

import argparse
import json
import sqlite3
import sys
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

STILL_SECONDS = 120.0  # without anything new: several faults in a row do not last that long
EVENTS = "SELECT table_id, seq, command, body FROM events ORDER BY table_id, seq"
TABLES = "SELECT id, seq FROM tables"


class Violation(NamedTuple):
    """What went wrong, at which table."""

    kind: str
    table: str
    what: str


class Stored(NamedTuple):
    """A row of the database's events."""

    table: str
    seq: int
    command: str
    event: dict


class Dump(NamedTuple):
    """What the database holds: events by table, and the number of the last one by table."""

    events: dict
    last: dict


def read_database(address):
    """All events, by plain SQL; or what `keep` has kept of them."""
    if address.endswith(".json"):
        kept = json.loads(Path(address).read_text(encoding="utf-8"))
        events = {table: [Stored(*row) for row in rows] for table, rows in kept["events"].items()}
        return Dump(events, kept["last"])
    if "://" in address:
        import psycopg

        connection = psycopg.connect(address)
    else:
        connection = sqlite3.connect(address)
    try:
        rows = connection.execute(EVENTS).fetchall()
        last = dict(connection.execute(TABLES).fetchall())
    finally:
        connection.close()
    return dump_of(rows, last)


def keep(dump, file):
    """Write a dump to a file, to be judged again when its database is gone."""
    file.write_text(json.dumps(dump._asdict()), encoding="utf-8")


def dump_of(rows, last=None):
    """A dump from rows of `EVENTS`."""
    events = defaultdict(list)
    for table, seq, command, body in rows:
        own = (command or "").rpartition(":")[2]  # the identity of its sender stands before it
        events[table].append(Stored(table, seq, own, json.loads(body)))
    return Dump(dict(events), last or {table: len(found) for table, found in events.items()})


def read_histories(folder):
    """All entries of all clients, by table, in the order of their times."""
    tables = defaultdict(list)
    for file in sorted(Path(folder).glob("*.jsonl")):
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                entry = json.loads(line)
                tables[entry["table"]].append(entry)
    for entries in tables.values():
        entries.sort(key=lambda entry: entry["at"])
    return dict(tables)


def check(histories, dump):
    """All violations at all tables."""
    violations = []
    end = max((entry["at"] for entries in histories.values() for entry in entries), default=0.0)
    for table, entries in histories.items():
        violations += [Violation(*found) for found in _progress(table, entries, end)]
        events = dump.events.get(table, [])
        if not events:
            violations.append(Violation("lost", table, "the whole table"))
            continue
        for judge in (_numbers, _answers, _effects, _clocks, _real_time, _viewers, _agreement):
            violations += [Violation(*found) for found in judge(table, entries, events)]
        if dump.last.get(table) != events[-1].seq:
            what = f"the table is at {dump.last.get(table)}, its events at {events[-1].seq}"
            violations.append(Violation("lost", table, what))
    return violations


def _of(entries, what):
    return [entry for entry in entries if entry["what"] == what]


def _numbers(table, _entries, events):
    """Stored events are numbered from 1 without a gap."""
    numbers = [event.seq for event in events]
    if numbers != list(range(1, len(numbers) + 1)):
        yield "reordered", table, f"the stored numbers are {numbers[:5]} … {numbers[-5:]}"


def _answers(table, entries, events):
    """What was acknowledged is stored once; what was refused is not; nobody else acted."""
    obeyed = Counter(event.command for event in events if event.command)
    sent = {entry["id"] for entry in _of(entries, "sent")}
    for id_ in {entry["id"] for entry in _of(entries, "acknowledged")}:
        if not obeyed[id_]:
            yield "lost", table, f"{id_} was acknowledged and is not stored"
    for id_ in {entry["id"] for entry in _of(entries, "refused")}:
        if obeyed[id_]:
            yield "refused", table, f"{id_} was refused, and stored"
    for id_, times in obeyed.items():
        if times > 1:
            yield "doubled", table, f"{id_} is stored {times} times"
        if id_ not in sent:
            yield "doubled", table, f"{id_} is stored, and nobody sent it"


def _effects(table, entries, events):
    """Whatever the keys say: each chat is there once, and each move has a command of its own."""
    texts = Counter(event.event["text"] for event in events if event.event["type"] == "Chatted")
    for text, times in texts.items():
        if times > 1:
            yield "doubled", table, f"the chat {text!r} is stored {times} times"
    moved = {entry["id"] for entry in _of(entries, "sent") if entry["kind"] == "move"}
    command, held = "", False
    for event in events:
        # The first event of a command has its id: clocks may have to be held before a move.
        command = event.command or (command if held else "")
        held = event.event["type"] == "ClocksHeld"
        by_person = event.event["type"] == "Moved" and event.event.get("by", "person") == "person"
        if by_person and command not in moved:
            yield "doubled", table, f"the move {event.seq} belongs to no command"


def _clocks(table, _entries, events):
    """Nobody loses a clock to a fault."""
    for event in events:
        if event.event["type"] in ("TimedOut", "BotTookOver"):
            yield "timed out", table, f"seat {event.event['seat']} at {event.seq}"


def _real_time(table, entries, events):
    """A command that was answered before another was sent comes before it."""
    place = {event.command: event.seq for event in events if event.command}
    begun = {}
    for entry in _of(entries, "sent"):
        begun.setdefault(entry["id"], entry["at"])
    latest, latest_id = 0, ""
    timeline = [(entry["at"], 0, entry["id"]) for entry in _of(entries, "acknowledged")]
    timeline += [(at, 1, id_) for id_, at in begun.items()]
    for _at, is_start, id_ in sorted(timeline):
        if id_ not in place:
            continue
        if is_start and place[id_] < latest:
            yield "reordered", table, f"{id_} was sent after {latest_id}, and comes before it"
        elif not is_start and place[id_] > latest:
            latest, latest_id = place[id_], id_


def _viewers(table, entries, events):
    """No viewer is sent back in time, twice the same, or what is not stored."""
    chats = {event.event["text"]: event.seq for event in events if event.event["type"] == "Chatted"}
    moves = [event.event["token"] for event in events if event.event["type"] == "Moved"]
    views = defaultdict(list)
    for entry in _of(entries, "shown"):
        views[entry["client"], entry["seat"]].append(entry)
    for (client, _seat), shown in views.items():
        yield from _never_back(table, client, shown)
        log = {line["seq"]: line for entry in shown for line in entry["lines"]}
        lines = [log[seq] for seq in sorted(log)]
        texts = [line["text"] for line in lines if line["kind"] == "chat"]
        for text, times in Counter(texts).items():
            if times > 1:
                yield "doubled", table, f"{client} was shown {text!r} {times} times"
            if text not in chats:
                yield "lost", table, f"{client} was shown {text!r}, which is not stored"
        places = [chats[text] for text in texts if text in chats]
        if places != sorted(places):
            yield "reordered", table, f"{client} was shown the chats in another order"
        tokens = [token for line in lines if line["kind"] == "move" for token in line["tokens"]]
        if tokens != moves[: len(tokens)]:
            yield "lost", table, f"{client} was shown moves that are not the stored ones"


def _never_back(table, client, shown):
    had = 0
    for entry in shown:
        if entry["seq"] < had:
            yield "reordered", table, f"{client} went back from {had} to {entry['seq']}"
        had = max(had, entry["seq"])


def _agreement(table, entries, _events):
    """At the same point of a match all viewers are shown the same, and all see its end."""
    boards, lines, ends = {}, {}, {}
    clash = "{} and {} were shown different {} at {}".format
    for entry in _of(entries, "shown"):
        client = entry["client"]
        first, board = boards.setdefault(entry["seq"], (client, entry["board"]))
        if board != entry["board"]:
            yield "disagreement", table, clash(first, client, "tables", entry["seq"])
        for line in entry["lines"]:
            span = line["seq"], line["to"]
            first, known = lines.setdefault(span, (client, line))
            if known != line:
                yield "disagreement", table, clash(first, client, "lines", span)
        ends[client] = entry["status"]
    if len(set(ends.values())) > 1:
        yield "disagreement", table, f"the match ended differently: {ends}"


def _progress(table, entries, end):
    """A match goes on until it is over: somebody is shown a new board again and again."""
    boards, moments, over = set(), [entries[0]["at"]], False
    for entry in _of(entries, "shown"):
        if entry["board"] not in boards:
            boards.add(entry["board"])
            moments.append(entry["at"])
        over = over or entry["status"] == "over"
    if not over:
        moments.append(end)
    longest = max((later - earlier for earlier, later in pairwise(moments)), default=0.0)
    if longest > STILL_SECONDS:
        yield "still", table, f"nothing happened for {longest:.0f} s"


def summary(violations):
    """How many of each kind, in words."""
    counts = Counter(violation.kind for violation in violations)
    kinds = ("lost", "doubled", "reordered", "disagreement", "refused", "timed out", "still")
    return ", ".join(f"{kind} {counts[kind]}" for kind in kinds)


def main() -> int:
    """Judge a run; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("histories", help="a folder of *.jsonl")
    parser.add_argument("database", help="an SQLite file, postgresql://…, or stored.json")
    arguments = parser.parse_args()
    violations = check(read_histories(arguments.histories), read_database(arguments.database))
    for violation in violations[:50]:
        print(f"VIOLATION {violation.kind}: {violation.table}: {violation.what}")
    print(summary(violations))
    return int(bool(violations))


if __name__ == "__main__":
    sys.exit(main())
