"""The wheel that would be published, installed in clean environments of its own.

`wheel` is what deploy/install.sh makes of it today; `floors` has all extras, and of everything that
pyproject.toml declares the lowest version.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.packaging.declared import DEFAULT, ROOT, floors

EXTRAS = ("plot", "postgres", "redis", "envs", "openspiel")
FLOORS_PYTHON = (3, 11)  # newer ones need newer packages
HOME = "https://git.example/droptable"  # as a public CI would say


@dataclass(frozen=True)
class Installation:
    """An environment with Droptable, and an empty folder to use it in."""

    kind: str
    environment: Path
    folder: Path

    @property
    def python(self) -> str:
        return str(self.environment / "bin" / "python")

    @property
    def has_extras(self) -> bool:
        return self.kind == "floors"

    def run(self, program: str, *words: str, **variables: str) -> str:
        """What a program of the environment (`droptable`, `python`) prints; it must not fail."""
        command = [str(self.environment / "bin" / program), *words]
        return output(command, self.folder, self.variables(**variables))

    def variables(self, **more: str) -> dict[str, str]:
        """The environment variables, without any that lead to the sources."""
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return {**kept, "DROPTABLE_COMPILE": "background", **more}


def output(command: list[str], folder: Path, variables: dict[str, str]) -> str:
    """What a command prints; it must not fail."""
    done = subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def pip(*words: str, **variables: str) -> None:
    """Run pip; it must not fail."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *words, "--quiet"]
    output(command, ROOT, {**os.environ, **variables})


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as a public CI builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    server, _slash, repository = HOME.rpartition("/")
    variables = {"GITHUB_SERVER_URL": server, "GITHUB_REPOSITORY": repository}
    pip("wheel", "--no-deps", "--wheel-dir", str(folder), ".", **variables)
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="session", params=["wheel", "floors"])
def installation(
    request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Installation:
    """The wheel in a new environment, beside httpx, which the example client needs."""
    kind = request.param
    if kind == "floors" and sys.version_info[:2] != FLOORS_PYTHON:
        pytest.skip("the lowest versions are those for Python 3.11")
    environment = tmp_path_factory.mktemp(kind)
    if kind == "wheel":
        script = ["sh", str(ROOT / "deploy" / "install.sh"), str(environment), str(wheel), "httpx"]
        output(script, ROOT, {**os.environ, "PYTHON": sys.executable})
    else:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
        constraints = tmp_path_factory.mktemp("constraints") / "floors.txt"
        constraints.write_text("\n".join(floors(DEFAULT, *EXTRAS)))
        pip("--python", str(environment / "bin" / "python"), "install", "--no-compile",
            "--constraint", str(constraints), f"{wheel}[{','.join(EXTRAS)}]", "httpx")  # fmt: skip
    return Installation(kind, environment, tmp_path_factory.mktemp("elsewhere"))
