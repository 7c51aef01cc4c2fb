"""The wheel holds all of the package, and nothing else."""

from __future__ import annotations

from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import droptable
from tests.installed.conftest import EXTRAS, HOME
from tests.packaging.declared import ROOT

SOURCE = ROOT / "src"


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    """Pages, nets, translations and `py.typed` are inside; tests and caches are not."""
    with ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if ".dist-info/" not in name}
    files = (path for path in SOURCE.rglob("*") if path.is_file())
    ours = {str(path.relative_to(SOURCE)) for path in files if "__pycache__" not in path.parts}
    assert inside == ours
    assert {"droptable/py.typed", "droptable/web/static/page.html"} <= inside
    assert {Path(name).suffix for name in inside} >= {".py", ".js", ".css", ".npy", ".md", ".json"}


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    """Version, licence, extras and addresses are those of the project that built it."""
    with ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        said = Parser().parsestr(archive.read(metadata).decode())
    assert said["Version"] == droptable.__version__
    assert said["License-Expression"] == "MIT"
    assert set(said.get_all("Provides-Extra", [])) >= set(EXTRAS)
    assert "Typing :: Typed" in said.get_all("Classifier", [])
    addresses = dict(line.split(", ") for line in said.get_all("Project-URL", []))
    assert addresses["Homepage"] == HOME
    assert addresses["Changelog"] == f"{HOME}/blob/HEAD/CHANGELOG.md"
