"""Databases for the tests: an SQLite file, and a real PostgreSQL that is started here."""

import os
import shutil
import subprocess
import tempfile
import uuid
from pathlib import Path

import psycopg
import pytest

INSTALL = "PostgreSQL is not installed; these tests need its server: apt install postgresql"


def postgres_folder():
    """Where initdb and pg_ctl are: the newest of Debian's versions, or on the path."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda f: float(f.parent.name))
    if folders:
        return folders[-1]
    initdb = shutil.which("initdb")
    return Path(initdb).parent if initdb else None


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL of this test run alone, on a socket in a temporary folder."""
    programs = postgres_folder()
    if programs is None:
        pytest.skip(INSTALL)
    folder = Path(tempfile.mkdtemp(prefix="droptable-pg-"))
    # The server refuses to be run by root: then it is run by nobody.
    user = "nobody" if os.geteuid() == 0 else ""
    if user:
        shutil.chown(folder, user)
    lead = ["setpriv", f"--reuid={user}", "--clear-groups"] if user else []

    def run(program, *arguments):
        command = [*lead, str(programs / program), *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    data = folder / "data"
    run("initdb", "-D", str(data), "-U", "droptable", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
    run("pg_ctl", "-D", str(data), "-o", options, "-l", str(folder / "log"), "-w", "start")
    yield folder
    run("pg_ctl", "-D", str(data), "-m", "immediate", "stop")
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    """The URL of an empty database, once of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    folder = request.getfixturevalue("postgres")
    # A schema of its own is as good as a database, and there at once.
    name = f"t{uuid.uuid4().hex}"
    url = f"postgresql://droptable@/postgres?host={folder}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{url}&options=-csearch_path%3D{name}"
