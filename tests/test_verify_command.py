"""`droptable verify`: one clear line, and an exit code."""

import json

import pytest

from droptable.cli import main
from droptable.tables.archive import record
from tests.tables.sitting import ANN, BOB
from tests.tables.test_fair_dealing import ONE, fairness, two_contribute


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the command; its exit code and what it printed."""

    def verify(*words):
        monkeypatch.setattr("sys.argv", ["droptable", "verify", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        return left.value.code, capsys.readouterr().out

    return verify


def test_a_record_is_verified(run, tmp_path):
    """0 if all follows, 1 with the first event that does not, 3 if there is nothing to check."""
    sitting = two_contribute("drop-site")
    promised = fairness(sitting)["commitment"]
    sitting.play_on(ANN, BOB)
    good, file = record(sitting.table), tmp_path / "match.json"
    good.save(file)
    code, said = run(file, "--commitment", promised, "--contribution", ONE)
    assert code == 0 and said.startswith("Dealt fairly: all ") and said.count("\n") == 1
    assert "contributions by Ann, Bob." in said
    code, said = run(file, "--commitment", "00" * 32)
    assert code == 1 and "committed" in said
    document = json.loads(good.to_json())
    document["fairness"]["contributions"].pop()
    file.write_text(json.dumps(document))
    code, said = run(file, "--json")
    found = json.loads(said)
    assert (code, found["fair"]) == (1, False)
    assert f"event {found['event']} is" in found["message"]
    document["fairness"]["secret"] = "short"
    file.write_text(json.dumps(document))
    code, said = run(file)
    assert code == "droptable: " + str(code)[11:] and "fairness is not what a host" in code
    del document["fairness"]
    file.write_text(json.dumps(document))
    code, said = run(file)
    assert code == 3 and "says nothing of how it was dealt" in said
    assert "either a FILE or --table ID" in run()[0]
