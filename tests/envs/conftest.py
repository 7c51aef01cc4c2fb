"""Environments have kernels of their own: one worker runs these tests, so each is compiled once."""

from pathlib import Path

import pytest


def pytest_collection_modifyitems(items):
    """Put the tests of this folder into one group."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.xdist_group("envs"))
