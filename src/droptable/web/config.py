"""Settings of a server: arguments, else environment variables, else defaults for a laptop."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

from droptable.core.errors import OptionError

ENVIRONMENT = "DROPTABLE_"
LEAST = {
    "bot_processes": 0, "bot_pace": 0, "tables_each": 1, "commands_a_second": 0.1,
    "message_bytes": 1024, "record_bytes": 1024,
}  # fmt: skip


@dataclass(frozen=True)
class Config:
    """Every field can be set by an environment variable, such as `DROPTABLE_PORT`."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = ""  # a file for SQLite, or a PostgreSQL address; see `database_address`
    durability: str = "disk"  # a move is published once it is on `disk`, or with the `system`
    prefix: str = ""  # the path under which a reverse proxy shows this server: /games
    origins: str = ""  # other sites whose pages may use this server, separated by spaces
    bot_processes: int = 0  # that think for bots; 0 means one less than there are cores
    bot_pace: float = 1.2  # seconds that a bot's move takes at least where only bots play
    tables_each: int = 50  # open tables per identity
    commands_a_second: float = 20.0  # per identity, on average
    message_bytes: int = 4096  # per message from a client
    record_bytes: int = 512_000  # per record that is sent to be replayed

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Config:
        """The defaults, overridden by the environment."""
        config = cls()
        for field in fields(cls):
            text = environment.get(ENVIRONMENT + field.name.upper())
            if text:
                config = config.change(field.name, text)
        return config

    def change(self, name: str, text: str) -> Config:
        """A copy with one field changed, given as text."""
        kind = type(getattr(self, name))
        try:
            value = kind(text)
            if name in LEAST and not LEAST[name] <= value < math.inf:
                raise ValueError
        except ValueError:
            expected = "a whole number" if kind is int else "a number"
            if name in LEAST:
                expected += f" of at least {LEAST[name]}"
            variable = ENVIRONMENT + name.upper()
            raise OptionError(f"{variable} is {text!r}; expected {expected}") from None
        if name == "prefix":
            value = "/" + text.strip("/") if text.strip("/") else ""
        return replace(self, **{name: value})

    @property
    def database_address(self) -> str:
        """The chosen database, or a file in the user's data folder."""
        return self.database or str(data_folder() / "tables.db")


def data_folder() -> Path:
    """Where a laptop keeps its tables."""
    try:
        home = os.environ.get("XDG_DATA_HOME") or Path("~/.local/share").expanduser()
    except RuntimeError:
        raise OptionError("no home folder is known; name a file by DROPTABLE_DATABASE") from None
    return Path(home) / "droptable"
