"""The README says only what is true: its examples run."""

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"


def test_examples_run(tmp_path, monkeypatch):
    """Every Python example in the README gives what is printed there."""
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 10
    assert not failed


def test_links_lead_somewhere():
    """Relative links on all pages point at files that exist."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob(".github/**/*.md")]
    assert README in pages
    for page in pages:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_lines_are_short():
    """Prose is wrapped at 100 columns; tables and pictures cannot be."""
    for page in ROOT.glob("*.md"):
        for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
            assert len(line) <= 100 or line.startswith(("|", "![")), f"{page.name}:{number}"
