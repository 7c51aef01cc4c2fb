"""Tables as files: export, import, and the record of a match."""

import json

import pytest

import droptable
from droptable.core.record import Record
from droptable.tables import commands as cmd
from droptable.tables.archive import export_tables, import_tables, record
from droptable.tables.settings import Settings
from droptable.tables.store import Store
from tests.tables.club import meet
from tests.tables.sitting import ANN, BOB, Sitting


async def exported(store, tables=None):
    return [line async for line in export_tables(store, tables)]


def test_tables_move_to_another_database(database, tmp_path):
    """What is imported is exported the same again, its people are known, and it can be played."""

    async def scenario(club):
        host = await club.host()
        ids = []
        for number in range(3):
            club.now += 1
            ids.append(await club.two(host, title=str(number)))
        assert (await club.move(host, ids[0], "a")).ok
        lines = await exported(host.store)
        assert len(lines) == 3 and await exported(host.store, ids[:1]) == lines[:1]
        other = Store(str(tmp_path / "other.db"))
        assert await import_tables(other, lines) == (3, 0)
        assert await import_tables(other, [*lines, "\n"]) == (0, 3)
        assert await exported(other) == lines
        assert await other.name_of("b") == "Bob"
        assert [t.turn for t in await other.mine("b")].count(True) == 1
        with pytest.raises(droptable.DroptableError, match="there is no table 'x'"):
            await exported(other, ["x"])
        await other.close()

    meet(database, scenario)


def test_damaged_files_are_refused(tmp_path):
    """Each line is verified before anything of it is added, and the bad one is named."""

    async def scenario(club):
        host = await club.host()
        table = (await host.create("a", Settings("drop", seats=("me", "open")))).id
        assert (await club.send(host, table, "b", cmd.Join())).ok
        assert (await club.move(host, table, "a")).ok
        (good,) = await exported(host.store)
        document = json.loads(good)
        moved = json.loads(good)
        moved["events"][-1][2]["token"] = "9,9"
        unknown = json.loads(good)
        unknown["events"][-1][2]["type"] = "Cheated"
        other = json.loads(good)
        other["id"] = "somebody else's"
        for bad in (
            "nonsense", "[]", "{}", json.dumps(document | {"events": []}), json.dumps(moved),
            json.dumps(unknown), json.dumps(other), json.dumps(document | {"events": [[1]]}),
        ):  # fmt: skip
            with pytest.raises(droptable.DroptableError, match="line 2 is not a table"):
                await import_tables(host.store, [good, bad])

    meet(str(tmp_path / "tables.db"), scenario)


def test_the_record_of_a_finished_match():
    """It replays, and has the names of the seats; before the end it would tell secrets."""
    sitting = Sitting("drop-site", options={"target": 10}, title="friday")
    sitting.do(BOB, cmd.Join())
    with pytest.raises(droptable.DroptableError, match="not over yet"):
        record(sitting.table)
    sitting.play_on(ANN, BOB)
    written = record(sitting.table)
    assert written.info == {"seat 0": "Ann", "seat 1": "Bob", "table": "next", "title": "friday"}
    assert Record.from_json(written.to_json()).events == sitting.table.state.events
