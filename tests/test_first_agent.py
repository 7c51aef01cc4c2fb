"""docs/first-agent.md runs from its first line to its last, with a few updates only."""

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "first-agent.md"
FULL, SMALL = "UPDATES = 400\n", "UPDATES = 6\n"


def test_the_page_trains_an_agent_that_plays(tmp_path):
    """Its code, one block after another, learns, measures, and sits down at a table."""
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    code = "\n".join(blocks)
    assert FULL in code
    (tmp_path / "page.py").write_text(code.replace(FULL, SMALL), "utf-8")
    done = subprocess.run(
        [sys.executable, "page.py"], cwd=tmp_path, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    share = float(re.search(r"([0-9.]+)% of the matches won", done.stdout).group(1))
    assert 40 < share < 100  # at random it would be 33
    assert "winners" in done.stdout and (tmp_path / "agent.npz").is_file()


def test_the_commands_on_the_page_exist():
    """Arena and serve take what the page gives them."""
    for command in ("arena", "serve"):
        assert f"droptable {command} " in PAGE.read_text("utf-8")
        asked = [sys.executable, "-m", "droptable", command, "--help"]
        assert subprocess.run(asked, capture_output=True, check=False).returncode == 0
