"""Settings and start of a server."""

from __future__ import annotations

import pytest

from droptable.core.errors import OptionError
from droptable.web.config import Config
from droptable.web.server import already_there
from tests.web.conftest import Running


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("BOT_PACE", "-1", "a number of at least 0"),
        ("BOT_PACE", "nan", "a number of at least 0"),
        ("BOT_PROCESSES", "-3", "a whole number of at least 0"),
        ("COMMANDS_A_SECOND", "0", "a number of at least 0.1"),
        ("COMMANDS_A_SECOND", "inf", "a number of at least 0.1"),
        ("MESSAGE_BYTES", "-5", "a whole number of at least 1024"),
        ("TABLES_EACH", "many", "a whole number of at least 1"),
        ("PORT", "eighty", "a whole number"),
    ],
)
def test_impossible_settings_are_refused(name: str, text: str, expected: str) -> None:
    """The refusal names the variable, its value, and what was expected."""
    with pytest.raises(OptionError) as refused:
        Config.from_environment({f"DROPTABLE_{name}": text})
    assert str(refused.value) == f"DROPTABLE_{name} is {text!r}; expected {expected}"


def test_a_server_that_runs_already_is_found(server: Running) -> None:
    """A second start can open the first one's pages; at another port there is no server."""
    port = int(server.address.rpartition(":")[2])
    assert already_there(Config(port=port)) == f"{server.address}/"
    assert already_there(Config(port=1)) == ""
