"""Pages agree with what they point at: anchors, tests, and the reference's public names."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import droptable
from droptable.web.config import Config
from tests.packaging.declared import ROOT

PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
LINK = re.compile(r"\]\(([^)#:\s]*)#([^)\s]+)\)")


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-")
            for heading in headings}  # fmt: skip


def test_anchors_are_there() -> None:
    """A link to a part of a page names a heading of that page."""
    for page in PAGES:
        for path, anchor in LINK.findall(page.read_text("utf-8")):
            linked = (page.parent / path) if path else page
            if linked.suffix == ".md":
                assert anchor in anchors(linked), f"{page.name}: {path}#{anchor}"


def test_every_promise_has_a_test_that_exists() -> None:
    """Each row of SECURITY.md's table names files that are there."""
    rows = re.findall(
        r"^\| (?!threat|---)(.+) \|$", (ROOT / "SECURITY.md").read_text("utf-8"), re.M
    )
    assert len(rows) > 10
    for row in rows:
        files = re.findall(r"`((?:tests|benchmarks)/[\w/]+\.py)`", row)
        assert files, row
        for file in files:
            assert (ROOT / file).is_file(), file


def test_hosting_has_every_setting_with_its_default() -> None:
    """docs/hosting.md lists exactly the variables that a server reads, with the defaults it has."""
    page = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    shown = dict(re.findall(r"^\|[^|]*\| `DROPTABLE_(\w+)` \|.*\| ([^|]+) \|$", page, re.M))
    defaults = {field.name.upper(): field.default for field in fields(Config)}
    assert shown.keys() == defaults.keys() | {"CACHE"}
    in_words = {"BOT_PROCESSES", "DATABASE", "TRUSTED_PROXIES"}
    for name, default in defaults.items():
        if name not in in_words:
            wanted = default if isinstance(default, str) else f"{default:g}"
            if isinstance(default, int):
                wanted = str(default)
            assert shown[name] == (wanted or "none"), name


def test_the_reference_has_every_public_name() -> None:
    """docs/reference.md documents exactly what `import droptable` gives."""
    page = (ROOT / "docs" / "reference.md").read_text("utf-8")
    shown = set(re.findall(r"^::: droptable\.(\w+)$", page, re.MULTILINE))
    assert shown == set(droptable.__all__) - {"__version__"}
