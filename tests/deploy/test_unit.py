"""systemd itself reads the unit of deploy/: no warning, and little that it may do."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.declared import ROOT

UNIT = ROOT / "deploy" / "droptable.service"
EXPOSURE = "20"  # of 100; systemd calls this OK, and a service without limits 96


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit, with a program that exists here."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze (apt install systemd)")
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text("utf-8").replace("/opt/droptable/bin/droptable", sys.executable))
    return copy


def analyze(*words: str) -> subprocess.CompletedProcess[str]:
    command = ["systemd-analyze", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_unit_is_valid(unit: Path) -> None:
    """Every line is known to systemd; a misspelt one is not."""
    done = analyze("verify", "--man=no", str(unit))
    assert unit.name not in done.stderr, done.stderr
    unit.write_text(unit.read_text().replace("ProtectSystem", "ProtectSistem"))
    assert "ProtectSistem" in analyze("verify", "--man=no", str(unit)).stderr


def test_the_unit_is_confined(unit: Path) -> None:
    """Its exposure is below what we allow; without the confinement it is not."""
    words = ["security", "--offline=true", f"--threshold={EXPOSURE}", "--no-pager"]
    done = analyze(*words, str(unit))
    assert done.returncode == 0, done.stdout + done.stderr
    unit.write_text(unit.read_text().replace("CapabilityBoundingSet=\n", "\n")
                    .replace("DynamicUser=yes", ""))  # fmt: skip
    assert analyze(*words, str(unit)).returncode != 0
