"""Everybody can play; who needs PostgreSQL or plots installs an extra, and is told which."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

import droptable
from droptable.core.extras import MissingExtra, extra
from tests.packaging.declared import DEFAULT, packages
from tests.web.conftest import GENEROUS, run

SOURCE = Path(droptable.__file__).parent
PACKAGE_OF = {"PIL": "pillow", "pyspiel": "open-spiel"}  # where it is not the module's own name
OURS = {"droptable", *sys.stdlib_module_names}
EXTRAS = {"plot", "postgres", "redis", "envs", "openspiel", "notices", "lab", "ray", "mcp"}
BLOCKED = """
import sys
for name in sys.argv.pop(1).split():
    sys.modules[name] = None
from droptable.cli import main
main()
"""


def droptable_without(modules: str, *words: str) -> subprocess.CompletedProcess[str]:
    """The command line where these modules are not installed."""
    command = [sys.executable, "-c", BLOCKED, modules, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def package_of(module: str) -> str:
    name = module.partition(".")[0]
    return PACKAGE_OF.get(name, name.replace("_", "-").lower())


def imports(body: list[ast.stmt]) -> set[str]:
    """The packages of others that these statements import at once, without being called."""
    names = set[str]()
    for node in body:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module or "")
    return {package_of(name) for name in names if name.partition(".")[0] not in OURS}


def test_every_import_is_declared():
    """Modules import default packages at their top, and extras only where they are asked for."""
    declared = packages(DEFAULT).union(*map(packages, EXTRAS))
    for file in SOURCE.rglob("*.py"):
        tree = ast.parse(file.read_text("utf-8"))
        everywhere = imports([node for node in ast.walk(tree) if isinstance(node, ast.stmt)])
        assert everywhere <= declared, f"{file}: not in pyproject.toml"
        if "envs" not in file.parts:
            assert imports(tree.body) <= packages(DEFAULT), f"{file}: belongs into a function"


def test_a_missing_package_is_named_with_its_extra():
    """The error says what is missing and the command that installs it."""
    with (
        pytest.raises(MissingExtra, match=r"^this needs no_such: pip install 'droptable\[plot\]'$"),
        extra("plot"),
    ):
        import no_such.module  # noqa: F401


def test_other_errors_are_not_about_extras():
    """A package that is there but broken says so itself."""
    with pytest.raises(ImportError, match="cannot import name"), extra("plot"):
        from json import no_such  # noqa: F401


def test_a_plot_is_refused_before_anything_is_played(tmp_path):
    """Nobody waits for an arena whose plot cannot be drawn."""
    plot = tmp_path / "plot.png"
    done = droptable_without(
        "matplotlib", "arena", "drop", "--matches", "1000000", "--plot", str(plot)
    )
    assert done.stderr == "droptable: this needs matplotlib: pip install 'droptable[plot]'\n"
    assert done.returncode == 1


def test_postgresql_is_refused_in_one_line():
    """A server that is sent to PostgreSQL without its driver says what to install."""
    done = droptable_without("psycopg", "serve", "--database", "postgresql://nowhere/none")
    assert done.stderr == "droptable: this needs psycopg: pip install 'droptable[postgres]'\n"
    assert done.returncode == 1


def test_pixels_are_refused_but_drawings_are_not(tmp_path, monkeypatch):
    """Without the extra a server still gives pictures as SVG; PNG and GIF name what is missing."""
    for module in ("resvg_py", "PIL"):  # pictures are drawn in processes that inherit the path
        missing = f"raise ModuleNotFoundError('there is none', name={module!r})\n"
        (tmp_path / f"{module}.py").write_text(missing)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    record = droptable.play(droptable.game("drop-or-pop"), players=3, seed=1)
    for server in run(replace(GENEROUS, database=str(tmp_path / "tables.db"))):
        http = httpx.Client(base_url=server.address, timeout=60)
        sent = http.post("/api/replays", content=record.to_json())
        address = f"/api/replays/{sent.json()['key']}"
        assert http.get(f"{address}/picture.svg").status_code == 200
        for file, missing in (("picture.png", "resvg_py"), ("animation.gif", "PIL")):
            refused = http.get(f"{address}/{file}")
            assert refused.status_code == 501
            said = f"this needs {missing}: pip install 'droptable[plot]'"
            assert refused.json()["message"] == said
        http.close()


def test_plots_from_python(tmp_path, monkeypatch):
    """`Analysis.plot` and an arena's `plot` name the extra, too."""
    from droptable.bots.coach import Analysis
    from droptable.lab.arena import Arena

    for name in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)
    for plot in (Analysis.plot, Arena.plot):
        with pytest.raises(MissingExtra, match="matplotlib"):
            plot(SimpleNamespace(), tmp_path / "plot.png")
