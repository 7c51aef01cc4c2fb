"""`droptable tables`: what a host does with a database, also with a damaged one."""

import asyncio
import json
import stat
import subprocess
import sys

import pytest

from droptable.tables.store import Store
from tests.tables.test_integrity import fill
from tests.tables.test_store import change


def tables(*words, database):
    command = [sys.executable, "-m", "droptable", "tables", *words, "--database", str(database)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def database(tmp_path):
    """A file with one table of six events."""
    file = tmp_path / "tables.db"

    async def make():
        store = Store(str(file))
        await fill(store)
        await store.close()

    asyncio.run(make())
    return file


def mode(file):
    return stat.S_IMODE(file.stat().st_mode)


def test_an_export_is_its_owner_s(database, tmp_path):
    """It holds identities: nobody else may read it, though a file of that name was open to all."""
    file = tmp_path / "tables.jsonl"
    file.write_text("old")
    file.chmod(0o644)
    file.with_name("tables.jsonl.part").write_text("left behind, readable")
    done = tables("export", str(file), database=database)
    assert done.returncode == 0, done.stderr
    assert mode(file) == 0o600
    assert json.loads(file.read_text())["id"] == "T"


def test_a_database_that_is_open_to_others_is_closed_to_them(database):
    """An older one may have been made with other rights."""
    database.chmod(0o644)
    assert tables("check", database=database).returncode == 0
    assert mode(database) == 0o600


def test_damage_is_found_and_what_came_before_it_saved(database, tmp_path):
    """`check` names the table, `export` refuses it, and with `--damaged` writes what is left."""
    whole = tables("check", database=database)
    assert (whole.returncode, whole.stdout) == (0, "")
    assert "1 table checked, 0 damaged" in whole.stderr
    change(str(database), "UPDATE events SET body = '{' WHERE seq = 5")
    checked = tables("check", database=database)
    assert checked.returncode == 1
    assert checked.stdout == "T is damaged: event 5: its checksum is wrong\n"
    refused = tables("export", str(tmp_path / "all"), database=database)
    assert refused.returncode != 0 and "--damaged exports it up to there" in refused.stderr
    assert not (tmp_path / "all").exists()
    saved = tables("export", "--damaged", str(tmp_path / "all"), database=database)
    assert saved.returncode == 0
    assert len(json.loads((tmp_path / "all").read_text())["events"]) == 4
