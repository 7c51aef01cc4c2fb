"""Settings of a server: arguments, else environment variables, else defaults for a laptop."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from droptable.core.errors import OptionError
from droptable.tables.own_bots import parse as parse_bots
from droptable.web.address import LOOPBACK, Proxies
from droptable.web.logging_setup import LEVELS

if TYPE_CHECKING:
    from droptable.tables.retention import Keep

ENVIRONMENT = "DROPTABLE_"
SHORTEST_TOKEN = 24
LEAST = {
    "identities_an_hour": 1, "sockets_each": 1, "watchers_each": 1,
    "requests_a_minute": 1, "megabytes_a_minute": 1, "connections": 10, "connections_each": 1,
    "processes": 1, "bot_processes": 0, "bot_pace": 0, "tables_each": 1, "commands_a_second": 0.1,
    "chats_a_minute": 1, "keep_guests": 0, "keep_waiting": 0, "keep_unfinished": 0,
    "keep_finished": 0, "keep_chat": 0, "keep_groups": 0, "groups_an_hour": 1,
    "message_bytes": 1024, "record_bytes": 1024,
}  # fmt: skip


@dataclass(frozen=True)
class Config:
    """Every field can be set by an environment variable, such as `DROPTABLE_PORT`."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = ""  # a file for SQLite, or a PostgreSQL address; see `database_address`
    shards: str = ""  # further databases for tables, separated by spaces
    bus: str = ""  # redis://… carries notices between servers, instead of PostgreSQL
    durability: str = "disk"  # a move is published once it is on `disk`, or with the `system`
    prefix: str = ""  # the path under which a reverse proxy shows this server: /games
    processes: int = 1  # servers behind the one port; more than one need PostgreSQL
    origins: str = ""  # other sites whose pages may use this server, separated by spaces
    trusted_proxies: str = LOOPBACK  # addresses and networks whose X-Forwarded-* headers count
    bot_processes: int = 0  # for bots that search; 0: one less than cores, at least two
    bots: str = ""  # of one's own, as NAME=SPEC, separated by `;`: docs/bots.md
    bot_pace: float = 1.2  # seconds that a bot's move takes at least where only bots play
    tables_each: int = 50  # open tables per identity
    commands_a_second: float = 20.0  # per identity, on average
    chats_a_minute: float = 30.0  # per identity, on average
    keep_guests: float = 365.0  # days without a visit and without a table; 0: for ever
    keep_waiting: float = 30.0  # days that a table waits for players, or stays closed
    keep_unfinished: float = 365.0  # days that nobody touches a match
    keep_finished: float = 0.0  # days that a match that is over is kept
    keep_chat: float = 0.0  # days that the chat of a table is kept that nobody touches
    keep_groups: float = 365.0  # days that nobody uses a standing group
    admin_token: str = ""  # the secret that opens /admin; without one there is no such page
    identities_an_hour: float = 300.0  # new ones per address
    groups_an_hour: float = 60.0  # standing groups that are made or joined, per address
    sockets_each: int = 400  # open ones per address
    watchers_each: int = 100  # … of people without a name
    requests_a_minute: float = 6000.0  # per address
    megabytes_a_minute: float = 300.0  # of requests and answers, per address
    connections: int = 20_000  # in all, sockets included; fewer if the system has fewer files
    connections_each: int = 600  # per address, trusted proxies apart
    notices: str = ""  # ways in which people are called back: push mail webhook
    site: str = ""  # the address of this server for people; notices link to it
    smtp: str = ""  # for mails: smtp://user:password@host:587, or smtps://
    mail_from: str = ""  # the address that they come from
    notice_networks: str = ""  # inner networks that webhooks and push may reach, by http as well
    log: str = "info"  # requests too, or only what goes wrong: `warning`
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
        if name == "admin_token" and (len(text) < SHORTEST_TOKEN or not text.isascii()):
            expected = f"at least {SHORTEST_TOKEN} ASCII characters"
            raise OptionError(f"DROPTABLE_ADMIN_TOKEN has {len(text)} characters; use {expected}")
        if name == "bots":
            parse_bots(text)  # refuses what is no bot
        if name == "trusted_proxies":
            Proxies(text)  # refuses what is no address
        if name == "log" and text not in LEVELS:
            raise OptionError(f"DROPTABLE_LOG is {text!r}; expected {' or '.join(LEVELS)}")
        if name == "prefix":
            value = "/" + text.strip("/") if text.strip("/") else ""
        return replace(self, **{name: value})

    @property
    def own_bots(self) -> dict[str, str]:
        """The host's own bots: by name, where they are."""
        return parse_bots(self.bots)

    @property
    def own_bot_names(self) -> list[str]:
        """What people call the host's own bots."""
        return list(self.own_bots)

    @property
    def environment(self) -> dict[str, str]:
        """The variables that make this configuration in another process."""
        return {ENVIRONMENT + f.name.upper(): str(getattr(self, f.name)) for f in fields(self)}

    @property
    def keep(self) -> Keep:
        """What is deleted after how many days."""
        from droptable.tables.retention import Keep

        return Keep(
            self.keep_guests, self.keep_waiting, self.keep_unfinished, self.keep_finished,
            self.keep_chat, self.keep_groups,
        )  # fmt: skip

    @property
    def on_postgres(self) -> bool:
        """Whether several servers may share the databases."""
        postgres = ("postgres://", "postgresql://")
        return all(address.startswith(postgres) for address in self.addresses)

    @property
    def addresses(self) -> list[str]:
        """All databases, the home database first."""
        return [self.database_address, *self.shards.split()]

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
