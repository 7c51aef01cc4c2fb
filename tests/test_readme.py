"""The README says only what is true: its examples run."""

import doctest
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_examples_run(tmp_path, monkeypatch):
    """Every Python example in the README gives what is printed there."""
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 10
    assert not failed


def test_links_lead_somewhere():
    """Relative links in the README and docs point at files that exist."""
    import re

    for page in [README, *README.parent.glob("docs/**/*.md"), README.with_name("CONTRIBUTING.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"
