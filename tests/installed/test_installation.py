"""What somebody who installs Droptable can do with it, today and with the lowest versions."""

from __future__ import annotations

import json
import re
import subprocess
import urllib.request
from collections.abc import Iterator

import pytest

import droptable
from tests.installed.conftest import Installation
from tests.packaging.declared import DEFAULT, ROOT, floors, packages

STATIC = ROOT / "src" / "droptable" / "web" / "static"
MATCH = """
import sys, droptable
record = droptable.play(droptable.game("drop-or-pop"), players=3, bots=sys.argv[2:], seed=7)
record.save(sys.argv[1])
assert droptable.open_record(sys.argv[1]) == record
print(record.final.winners)
"""
PICTURE = """
import droptable
from droptable.core.extras import MissingExtra
from droptable.core.raster import png
from droptable.core.scene import Frame
game = droptable.game("number-drop")
state = game.start(players=2)
svg = game.scene.draw(state.view(0).fields, 0, Frame(["Anna", "Ben"])).svg(standalone=True)
assert svg.startswith("<svg")
try:
    print(png(svg, 300)[1:4].decode())
except MissingExtra as error:
    print(error)
"""
VERSIONS = """
import json
from importlib.metadata import distributions
print(json.dumps({d.name.lower().replace("_", "-"): d.version for d in distributions()}))
"""
ENVIRONMENTS = """
import pyspiel, droptable.envs.openspiel
from pettingzoo.test import api_test
from droptable.envs.pettingzoo import env
from droptable.envs.vector import VectorEnv

many = VectorEnv("drop-or-pop", 64, players=3, seed=1)
many.reset()
for _step in range(50):
    many.step(many.sample_actions())
api_test(env("drop-or-pop", players=3), num_cycles=50)
state = pyspiel.load_game("python_drop_or_pop(players=3)").new_initial_state()
while not state.is_terminal():
    state.apply_action(state.legal_actions()[0])
print("played", len(state.history()))
"""


@pytest.fixture
def server(installation: Installation) -> Iterator[str]:
    """The address of `droptable serve`."""
    words = ["serve", "--port", "0", "--database", "tables.db"]
    with subprocess.Popen(
        [installation.environment / "bin" / "droptable", *words],
        cwd=installation.folder, env=installation.variables(DROPTABLE_BOT_PACE="0"),
        stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        matched = re.search(r"http://\S+(?=/)", process.stdout.readline())
        assert matched is not None, "it did not start"
        yield matched[0]
        process.terminate()


def test_versions(installation: Installation) -> None:
    """The environment has what was asked for: no extras, or exactly the lowest versions."""
    versions = json.loads(installation.run("python", "-c", VERSIONS))
    assert versions["droptable"] == droptable.__version__
    if installation.has_extras:
        lowest = floors(DEFAULT, "plot", "postgres", "redis", "envs")
        declared = dict(line.split("==") for line in lowest)
        assert {name: versions[name] for name in declared} == declared
    else:
        assert packages(DEFAULT) <= set(versions)
        extras = packages("plot") | packages("postgres") | packages("redis") | packages("envs")
        assert not extras & set(versions)


def test_the_command_line(installation: Installation) -> None:
    """`droptable` is there, says its version, and lists all games."""
    assert installation.run("droptable", "--version") == f"droptable {droptable.__version__}\n"
    listed = json.loads(installation.run("droptable", "games", "--json"))
    assert [game["name"] for game in listed] == [game.name for game in droptable.games()]
    where = installation.run("python", "-c", "import droptable; print(droptable.__file__)")
    assert where.startswith(str(installation.environment))


def test_matches(installation: Installation) -> None:
    """Bots play the same match compiled and as plain Python, and its record can be opened."""
    greedy = ["greedy", "greedy", "random"]
    for policy in ("never", "now"):
        words = ["-c", MATCH, f"{policy}.json", *greedy]
        installation.run("python", *words, DROPTABLE_COMPILE=policy)
    plain, compiled = ((installation.folder / f"{policy}.json").read_text("utf-8")
                       for policy in ("never", "now"))  # fmt: skip
    assert plain == compiled
    words = ["-c", MATCH, "search.json", "search", "greedy", "greedy"]
    assert installation.run("python", *words, DROPTABLE_COMPILE="now").startswith("(")
    story = installation.run("droptable", "replay", "search.json")
    assert "wins" in story or "draw" in story


def test_an_arena(installation: Installation) -> None:
    """An arena counts matches; its plot is drawn where the extra is."""
    words = ["arena", "drop-or-pop", "--matches", "6", "--json", "--bots", "greedy", "random"]
    plot = ["--plot", "arena.png"] if installation.has_extras else []
    result = json.loads(installation.run("droptable", *words, *plot, DROPTABLE_COMPILE="now"))
    assert result["standings"][0]["played"] == 6
    assert (installation.folder / "arena.png").exists() == installation.has_extras


def test_pictures(installation: Installation) -> None:
    """A scene is drawn; as pixels it needs the extra, whose name is said where it is not there."""
    printed = installation.run("python", "-c", PICTURE).strip()
    needs = "this needs resvg_py: pip install 'droptable[plot]'"
    assert printed == ("PNG" if installation.has_extras else needs)


def test_a_table(installation: Installation, server: str) -> None:
    """A server sends its pages with all their files, and a client plays a match by its socket."""
    with urllib.request.urlopen(f"{server}/") as page:
        assert b"static/" in page.read()
    for file in STATIC.iterdir():
        if file.name != "page.html":
            with urllib.request.urlopen(f"{server}/static/{file.name}") as sent:
                assert sent.read() == file.read_bytes(), file.name
    with urllib.request.urlopen(f"{server}/api/openapi.json") as description:
        assert "paths" in json.load(description)
    client = str(ROOT / "examples" / "client.py")
    lines = installation.run("python", client, server, "drop-or-pop").splitlines()
    assert not [line for line in lines if line.startswith("refused")]
    assert "win" in lines[-1] or "draw" in lines[-1]


def test_environments(installation: Installation) -> None:
    """Vector, PettingZoo and OpenSpiel environments play with the lowest versions of theirs."""
    if not installation.has_extras:
        pytest.skip("these are extras")
    printed = installation.run("python", "-c", ENVIRONMENTS, DROPTABLE_COMPILE="now")
    assert printed.splitlines()[-1].startswith("played")


def test_numba(installation: Installation) -> None:
    """The lowest Numba does what kernels rely on."""
    if installation.kind != "floors":
        pytest.skip("tests/core/test_numba_probe.py asks today's Numba")
    assert "does all" in installation.run("python", "-m", "droptable.core.numba_canary")
