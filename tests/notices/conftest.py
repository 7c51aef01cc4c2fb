"""Where the notices of a tested server arrive, and what such a server is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.receivers import Receivers
from droptable.web.config import Config
from tests.web.conftest import GENEROUS


@pytest.fixture(scope="module")
def receivers() -> Iterator[Receivers]:
    """A push service, webhooks and a mail server."""
    with Receivers() as started:
        yield started


def calling(receivers: Receivers, folder: Path, site: str) -> Config:
    """The settings of a server that calls people back in every way."""
    return replace(
        GENEROUS, database=str(folder / "tables.db"), notices="push mail webhook", site=site,
        smtp=receivers.smtp, mail_from="host@example.org", notice_networks="127.0.0.0/8",
    )  # fmt: skip
