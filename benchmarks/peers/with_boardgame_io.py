"""boardgame.io's headless client with Connect Four, in Node.js."""

import json
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent


class BoardgameIo:
    """A process that plays random matches when asked."""

    def __init__(self, modules):
        shutil.copy(HERE / "connect_four.cjs", modules)  # `require` looks beside the script
        self._process = subprocess.Popen(
            ["node", "connect_four.cjs"], cwd=modules,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def single(self, seconds):
        """Moves a second."""
        print(seconds, file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def close(self):
        """End its process."""
        self._process.stdin.close()
        self._process.wait()


def install(folder):
    """boardgame.io and what it needs, in a folder; an `ImportError` if there is no npm."""
    if shutil.which("npm") is None:
        raise ImportError("npm is missing")
    shutil.copy(HERE / "boardgame_io" / "package.json", folder)
    subprocess.run(
        ["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=folder, check=True
    )
    return Path(folder)
