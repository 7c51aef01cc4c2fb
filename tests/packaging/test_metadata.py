"""What the project says of itself in several files agrees."""

from __future__ import annotations

import re
import tomllib

import droptable
from tests.packaging.declared import ROOT

SECTION = re.compile(r"^## (\S+) - (.+)$", re.MULTILINE)


def test_the_changelog_has_this_version():
    """The newest section is that of this version; all older ones have a date."""
    (newest, _when), *older = SECTION.findall((ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert newest == droptable.__version__
    assert older
    for version, when in older:
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", when), f"{version}: {when}"


def test_every_declared_python_is_tested():
    """Public CI runs on exactly the versions of Python that pyproject.toml names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
    (matrix,) = re.findall(r"^ +python: \[(.+)\]$", workflow, re.MULTILINE)
    assert re.findall(r"3\.\d+", matrix) == declared
    assert project["requires-python"] == f">={declared[0]}"


def test_every_target_that_the_guide_names_is_there():
    """CONTRIBUTING.md and the hooks name targets of the Makefile only."""
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = {word for words in re.findall(r"`make ([\w ]+)`", guide) for word in words.split()}
    assert named and named <= targets
