"""A very small fault run: the benchmark works, and its checker finds nothing."""

import subprocess
import sys
from pathlib import Path

FAULTS = Path(__file__).parents[2] / "benchmarks" / "faults.py"


def test_people_play_on_after_a_server_was_killed(tmp_path):
    """Nothing is lost, doubled, reordered or shown differently, and every match ends."""
    run = subprocess.run(
        [sys.executable, FAULTS, "--store=sqlite", "--tables=1", "--faults=1", "--commands=10",
         "--hours=0.02", "--only=kill a server", f"--keep={tmp_path}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    assert "lost 0, doubled 0, reordered 0, disagreement 0" in run.stdout
    histories = {file.stem for file in (tmp_path / "sqlite").glob("*.jsonl")}
    assert histories == {"P0-0", "P0-1", "S0"}
