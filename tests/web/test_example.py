"""The example client plays a match by the documented protocol."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.conftest import Running

CLIENT = Path(__file__).parents[2] / "examples" / "client.py"


@pytest.mark.parametrize("game", ["drop-or-pop", "drop"])
def test_the_example_client_plays_a_match(server: Running, game: str) -> None:
    """A bot author's first client finishes a match without a refusal."""
    command = [sys.executable, str(CLIENT), server.address, game]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert "refused" not in done.stdout
    assert "win" in done.stdout.splitlines()[-1] or "draw" in done.stdout.splitlines()[-1]
