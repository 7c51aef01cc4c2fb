"""Files that are written whole or not at all."""

from __future__ import annotations

from pathlib import Path


def replace_text(file: Path, text: str) -> None:
    """Write a text file; one of that name is replaced whole or not at all."""
    if not file.parent.is_dir():
        raise FileNotFoundError(2, "there is no such folder", str(file.parent))
    part = file.with_name(file.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(file)
