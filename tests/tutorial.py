"""Pages of docs/ that build a game: their blocks as files, and their commands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# (\S+\.(?:py|toml))\n")  # a block that is a file of its own says so
GAP = "\n\n\n"  # between two blocks of the same file
SETTINGS = {
    "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    "DROPTABLE_COMPILE": "now",
    "DROPTABLE_PORT": "0",
    "DROPTABLE_DATABASE": "tables.db",
    "DROPTABLE_BOT_PACE": "0",
}
PATIENCE = 300  # seconds for a command that may have to compile


class Tutorial:
    """A page whose Python blocks, one below the other, are a game."""

    def __init__(self, page: str, file: str) -> None:
        blocks = BLOCK.findall((DOCS / page).read_text("utf-8"))
        parts = [text for kind, text in blocks if kind == "python" and not NAMED.match(text)]
        self.file = file
        self.game = GAP.join(parts) + "\n"
        self.files = {named[1]: text for _, text in blocks if (named := NAMED.match(text))}
        self.commands = [line for kind, text in blocks if kind == "sh" for line in text.split("\n")]

    def write(self, folder: Path) -> None:
        """Write all files of the page."""
        for name, text in {self.file: self.game.rstrip("\n"), **self.files}.items():
            (folder / name).write_text(text + "\n", "utf-8")

    @property
    def exports(self) -> dict[str, str]:
        """The environment after the page's `export` lines."""
        lines = [line.removeprefix("export ") for line in self.commands if "export " in line]
        return dict(line.split("=", 1) for line in lines)

    def run_commands(self, folder: Path, settings: dict[str, str], typed: str) -> dict[str, str]:
        """Run the page's commands, in order; what each printed. They have to succeed."""
        answers = {}
        for command in self.commands:
            if command.startswith(("export ", "droptable serve")):
                continue
            done = subprocess.run(
                command.split(), cwd=folder, env=settings, input=typed, timeout=PATIENCE,
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
            answers[command] = done.stdout
        return answers
