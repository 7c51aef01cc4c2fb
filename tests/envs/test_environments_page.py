"""The examples of docs/environments.md run as they stand."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
LIBRARIES = {
    "droptable.envs.gym": "gymnasium",
    "droptable.envs.pettingzoo": "pettingzoo",
    "droptable.envs.openspiel": "pyspiel",
}


def test_the_page_has_examples():
    """There is one of every kind of environment."""
    for module in ("vector", "gym", "pettingzoo", "openspiel", "text"):
        assert any(f"droptable.envs.{module}" in code for code in EXAMPLES)


@pytest.mark.parametrize("code", EXAMPLES, ids=lambda code: code.split("\n", 1)[0])
def test_examples_run(code, capsys):
    """Each does what it says without an error."""
    for module, library in LIBRARIES.items():
        if module in code:
            pytest.importorskip(library)
    exec(compile(code, str(PAGE), "exec"), {})
    assert "Traceback" not in capsys.readouterr().err
