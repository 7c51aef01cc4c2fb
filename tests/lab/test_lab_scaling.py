"""The page about the fleet says only what is true."""

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "lab-scaling.md"


def test_the_examples_give_what_the_page_says():
    """Every Python example of docs/lab-scaling.md gives what is printed there."""
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried >= 8 and failed == 0
