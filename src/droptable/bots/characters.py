"""Who the bots at a table are: characters with a name and a face, whatever their level."""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from droptable.core.faces import FACES

CHARACTERS = tuple(FACES)


def character_for(table: str, taken: Collection[str] = ()) -> str:
    """A character for the next bot at a table: always the same one after the same `taken` names.

    Names that somebody has already are left out as long as there are others.
    """
    names = {name.casefold() for name in taken}
    order = sorted(CHARACTERS, key=lambda name: hashlib.sha256(f"{table} {name}".encode()).digest())
    return next((name for name in order if name.casefold() not in names), order[0])
