"""The documentation site: gather the repository's pages, then build them without a warning.

`python deploy/site.py` (or `make docs`) writes site/. README.md becomes the first page; a link to a
file outside docs/ leads to a copy of that file.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "build" / "pages"
TOP = {"README.md": "index.md", "SECURITY.md": "threats.md", "CONTRIBUTING.md": "contributing.md",
       "CHANGELOG.md": "changelog.md"}  # fmt: skip
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)#:\s]+)(#[^)]*)?\)")


def main() -> None:
    """Build the site; exits with the builder's code."""
    gather()
    builder = Path(sys.executable).with_name("zensical")
    built = subprocess.run([builder, "build", "--clean", "--strict"], cwd=ROOT, check=False)
    sys.exit(built.returncode)


def gather() -> None:
    """Copy all pages, and whatever they link to, into one folder."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES, ignore=shutil.ignore_patterns("*.md"))
    for page in sorted((ROOT / "docs").rglob("*.md")):
        _write(page, PAGES / page.relative_to(ROOT / "docs"))
    for name, target in TOP.items():
        _write(ROOT / name, PAGES / target)


def _write(page: Path, target: Path) -> None:
    """Copy a page, its links led to where things are on the site."""
    ups = "../" * (len(target.relative_to(PAGES).parts) - 1)

    def lead(link: re.Match[str]) -> str:
        text, path, anchor = link[1], link[2], link[3] or ""
        linked = (page.parent / path).resolve()
        if linked.is_dir():
            return text.strip("[]")
        place = _place(linked.relative_to(ROOT))
        if place.suffix != ".md":
            (PAGES / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(linked, PAGES / place)
        return f"{text}({ups}{place.as_posix()}{anchor})"

    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(LINK.sub(lead, page.read_text("utf-8")), "utf-8")


def _place(path: Path) -> Path:
    """Where a file of the repository is on the site."""
    if path.parts[0] == "docs":
        return Path(*path.parts[1:])
    if str(path) in TOP:
        return Path(TOP[str(path)])
    return Path("files") / path.with_name(path.name.replace(".md", ".txt"))


if __name__ == "__main__":
    main()
