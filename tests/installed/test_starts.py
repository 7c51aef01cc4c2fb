"""Every documented way to start a server from the wheel leads to a first move."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.installed.conftest import Installation, pip
from tests.packaging.declared import ROOT
from tests.web.people import Person

DEPLOY = ROOT / "deploy"
SERVE = ["serve", "--port", "0", "--database"]


@contextmanager
def started(command: list[str], folder: Path, **variables: str) -> Iterator[str]:
    """The address that a command announces; it and what it started end with the block."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    process = subprocess.Popen(
        command, cwd=folder, env={**kept, "DROPTABLE_COMPILE": "never", **variables},
        stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        lines = iter(process.stdout.readline, "")
        addresses = (re.search(r"http://\S+:\d+", line) for line in lines)
        found = next(filter(None, addresses), None)
        assert found is not None, "it did not start"
        yield found[0].replace("0.0.0.0", "127.0.0.1")
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(60)
        process.stdout.close()


def first_move(address: str) -> None:
    """Somebody opens a table, and makes a move there."""
    with Person(address, "Ann") as ann:
        socket = ann.sit(ann.create("number-drop", seats=["me"]))
        state = socket.sees(lambda state: bool(state.get("legal")))
        assert socket.do("move", token=state["legal"][0]["token"])["ok"]


@pytest.fixture(scope="session")
def shelf(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all wheels that an installation needs, instead of an index."""
    folder = tmp_path_factory.mktemp("shelf")
    pip("download", "--only-binary=:all:", "--constraint", str(ROOT / "constraints.txt"),
        "--dest", str(folder), str(wheel))  # fmt: skip
    return folder


def test_uvx(wheel: Path, shelf: Path, tmp_path: Path) -> None:
    """`uvx --from WHEEL droptable serve` installs into a cache and serves."""
    uvx = str(Path(sys.executable).with_name("uvx"))
    command = [uvx, "--no-config", "--no-index", "--find-links", str(shelf), "--from", str(wheel),
               "droptable", *SERVE, str(tmp_path / "tables.db")]  # fmt: skip
    cache = {"UV_CACHE_DIR": str(shelf / "cache"), "UV_PYTHON": sys.executable}
    with started(command, tmp_path, **cache) as address:
        first_move(address)


def container() -> tuple[list[str], dict[str, str]]:
    """The command of the Containerfile, and its variables."""
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    (command,) = re.findall(r"^CMD (.+)$", text, re.MULTILINE)
    return json.loads(command), dict(re.findall(r"^ENV (\w+)=(.+)$", text, re.MULTILINE))


def unit() -> tuple[list[str], dict[str, str]]:
    """The command of systemd's unit, and its variables."""
    text = (DEPLOY / "droptable.service").read_text("utf-8")
    (command,) = re.findall(r"^ExecStart=(.+)$", text, re.MULTILINE)
    return shlex.split(command), dict(re.findall(r"^Environment=(\w+)=(.+)$", text, re.MULTILINE))


@pytest.mark.parametrize("service", [container, unit])
def test_services(service, installation: Installation, tmp_path: Path) -> None:
    """What the Containerfile and the unit run does so where deploy/install.sh has installed."""
    if installation.kind != "wheel":
        pytest.skip("services run with the versions of constraints.txt")
    command, variables = service()
    program = Path(command[0])
    assert program == Path("/opt/droptable/bin/droptable")
    places = {name: value.replace("/var", str(tmp_path)) for name, value in variables.items()}
    assert places["DROPTABLE_DATABASE"] != variables["DROPTABLE_DATABASE"]
    command[0] = str(installation.environment / "bin" / program.name)
    with started(command, tmp_path, DROPTABLE_PORT="0", **places) as address:
        first_move(address)
    assert Path(places["DROPTABLE_DATABASE"]).stat().st_mode & 0o777 == 0o600


def test_the_container_is_made_by_the_tested_script() -> None:
    """Its only step that installs anything is the script that made this environment."""
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    assert "RUN sh /build/deploy/install.sh /opt/droptable " in text
    assert "pip install" not in text and text.count("\nRUN ") == 1
