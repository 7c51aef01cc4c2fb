"""What pyproject.toml says of our dependencies."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
REQUIREMENT = re.compile(r"([\w.-]+)(?:\[([\w,]+)\])?([^;]*)")
DEFAULT = ""  # the name of what everybody gets, beside those of extras


def requirements() -> dict[str, list[str]]:
    """The requirements of the package and of each extra, as they are written."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return {DEFAULT: project["dependencies"], **project["optional-dependencies"]}


def packages(name: str) -> set[str]:
    """The packages that an extra (or the default) names."""
    return {split(line)[0] for line in requirements()[name]} - {"droptable"}


def split(requirement: str) -> tuple[str, str]:
    """A requirement's package, in the one spelling, and its versions."""
    matched = REQUIREMENT.match(requirement)
    assert matched is not None, requirement
    return re.sub(r"[-_.]+", "-", matched[1]).lower(), matched[3].strip()


def floors(*names: str) -> list[str]:
    """The lowest version of everything that these extras (or the default) declare."""
    lines = []
    for requirement in (line for name in names for line in requirements()[name]):
        package, versions = split(requirement)
        if package != "droptable":
            (floor,) = re.findall(r">=([\w.]+)", versions)
            lines.append(f"{package}=={floor}")
    return lines


if __name__ == "__main__":
    print("\n".join(floors(*sys.argv[1:])))
