"""Checksums of events: a table that is not as it was written is named and refused."""

import pytest

from droptable.tables.integrity import DamagedTable
from droptable.tables.rejected import Rejected
from tests.tables.club import meet
from tests.tables.test_store import change, chat, first, with_store

BODY = """'{"type":"Chatted","identity":"A","name":"Ann","text":"%s"}'"""
# What happened to the file: statements, and the first event that is not as it was.
DAMAGES = {
    "another text": (f"UPDATE events SET body = {BODY % 'no'} WHERE seq = 4", 4),
    "another time": ("UPDATE events SET at = at + 1 WHERE seq = 3", 3),
    "a time of the wrong kind": ("UPDATE events SET at = -1 WHERE seq = 3", 3),
    "another command": ("UPDATE events SET command = 'x' WHERE seq = 4", 4),
    "no command": ("UPDATE events SET command = NULL WHERE seq = 4", 4),
    "no event at all": ("UPDATE events SET body = '{' WHERE seq = 5", 5),
    "an empty event": ("UPDATE events SET body = '' WHERE seq = 1", 1),
    "another checksum": ("UPDATE events SET chain = 'aaaaaaaaaaaaaaaa' WHERE seq = 2", 2),
    "a checksum that is gone": ("UPDATE events SET chain = NULL WHERE seq = 3", 3),
    "the first is missing": ("DELETE FROM events WHERE seq = 1", 1),
    "one is missing": ("DELETE FROM events WHERE seq = 3", 3),
    "the last is missing": ("DELETE FROM events WHERE seq = 6", 6),
    "all are missing": ("DELETE FROM events", 1),
    "one belongs to another table": ("UPDATE events SET table_id = 'U' WHERE seq = 4", 4),
    "a number was changed": ("UPDATE events SET seq = 9 WHERE seq = 6", 6),
}


async def fill(store):
    """A table of six events."""
    sitting, append = first()
    assert await store.append(append)
    for number in range(sitting.table.seq, 6):
        assert await store.append(chat(sitting.table, number, "yes", f"c{number}"))


@pytest.mark.parametrize("damage", DAMAGES)
def test_no_damage_goes_unnoticed(database, damage):
    """Whatever was changed, the table is refused; what came before the damage can be had."""
    statement, wrong = DAMAGES[damage]
    with_store(database, fill)
    whole = with_store(database, lambda store: store.read("T"))
    assert len(whole) == 6
    change(database, statement)
    with pytest.raises(DamagedTable, match=f"'T' is damaged: event {wrong}: ") as damaged:
        with_store(database, lambda store: store.read("T"))
    assert damaged.value.good == whole[: wrong - 1]


def test_players_of_a_damaged_table_are_told(database, caplog):
    """A clear refusal; the log names the table by a digest, because its id is a key."""

    async def scenario(club):
        host = await club.host()
        table, other = await club.two(host), await club.two(host)
        await club.close(host)
        change(database, f"UPDATE events SET at = 5 WHERE seq = 2 AND table_id = '{table}'")
        host = await club.host()
        with pytest.raises(Rejected, match="damaged") as refused:
            await host.table(table)
        assert refused.value.kind == "gone"
        assert "is damaged: event 2: its checksum is wrong" in caplog.text
        assert table not in caplog.text
        assert (await club.move(host, other, "a")).ok

    meet(database, scenario)
