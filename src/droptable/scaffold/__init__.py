"""`droptable new NAME`: a game to start from, with its test."""

from __future__ import annotations

from pathlib import Path
from string import Template

from droptable.core.errors import OptionError
from droptable.core.parts import NAME
from droptable.core.registry import games

HERE = Path(__file__).parent


def write_game(name: str, folder: Path) -> list[Path]:
    """Write `NAME.py` and its test into a folder; the files. `OptionError` if that cannot be."""
    if not NAME.fullmatch(name):
        raise OptionError(f"the name is {name!r}; expected lower-case words like my-game")
    if name in [game.name for game in games()]:
        raise OptionError(f"there is a game {name!r} already")
    module = name.replace("-", "_")
    if not module.isidentifier():
        raise OptionError(f"the name is {name!r}; expected one that begins with a letter")
    words = name.split("-")
    prefix = (words[0][0] + (words[1][0] if len(words) > 1 else words[0][-1])).upper()
    filled = {
        "name": name, "module": module, "title": " ".join(words).capitalize(),
        "prefix": prefix, "low": prefix.lower(),
    }  # fmt: skip
    files = {
        folder / f"{module}.py": HERE / "game.py.template",
        folder / f"test_{module}.py": HERE / "test.py.template",
    }
    for file in files:
        if file.exists():
            raise OptionError(f"{str(file)!r} exists already; nothing was written")
    folder.mkdir(parents=True, exist_ok=True)
    for file, template in files.items():
        text = Template(template.read_text("utf-8")).substitute(filled)
        file.write_text(text, "utf-8")
    return list(files)
