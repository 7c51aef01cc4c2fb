"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

OWNER_ONLY = 0o600


def replace_text(file: Path, text: str, *, private: bool = False) -> None:
    """Write a text file; one of that name is replaced whole or not at all.

    A private one can be read by its owner only, from its first byte on.
    """
    if not file.parent.is_dir():
        raise FileNotFoundError(2, "there is no such folder", str(file.parent))
    part = file.with_name(file.name + ".part")
    if private:
        part.unlink(missing_ok=True)  # it may be there, and open to others
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
    part.write_text(text, encoding="utf-8")
    part.replace(file)
