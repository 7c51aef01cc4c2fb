"""Where the project lives, as the public CI that builds it knows: no address is written down."""

from __future__ import annotations

import os
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PAGES = {"Homepage": "", "Source": "", "Changelog": "/blob/HEAD/CHANGELOG.md",
         "Documentation": "/tree/HEAD/docs", "Issues": "/issues"}  # fmt: skip


class Addresses(MetadataHookInterface):
    """Fills `urls` from the variables of a GitHub workflow; elsewhere there are none."""

    def update(self, metadata: dict[str, Any]) -> None:
        server, name = (os.environ.get(f"GITHUB_{part}") for part in ("SERVER_URL", "REPOSITORY"))
        home = f"{server}/{name}" if server and name else None
        metadata["urls"] = {page: home + path for page, path in PAGES.items()} if home else {}
