"""Fair dealing over HTTP: commitment, contribution, and the check of a match."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.web.people import Person
from tests.web.test_types import check

People = Callable[..., Person]
MINE = "00112233445566778899aabbccddeeff"


def test_a_match_is_verified(person: People) -> None:
    """A table full of bots starts when its creator has contributed; the deal can be checked later,
    against what the creator noted, and also from the record that somebody uploads."""
    anna = person("Anna")
    asked = {"game": "drop-site", "seats": ["me", "random"], "contribute": True}
    opened = anna.http.post("/api/tables", json=asked).json()
    table, commitment = opened["table"], opened["commitment"]
    state = anna.look(table)
    assert state["status"] == "waiting"
    check("Fairness", state["fairness"])
    promised = {"commitment": commitment, "contributions": [], "awaited": [0]}
    assert state["fairness"] == promised
    assert anna.http.get(f"/api/replays/table:{table}/verify").status_code == 409
    assert anna.do(table, "join", contribution=MINE)["ok"]
    assert anna.look(table)["status"] == "playing"
    assert anna.look(table)["fairness"]["contributions"] == [MINE]
    assert anna.do(table, "resign")["ok"]
    address = f"/api/replays/table:{table}/verify"
    report = anna.http.get(address, params={"commitment": commitment, "contribution": MINE}).json()
    check("DealReport", report)
    assert report["fair"] and "contributions by Anna" in report["message"]
    assert report["dealt"] == len(report["deals"]) > 0
    wrong = anna.http.get(address, params={"contribution": "ff" * 8, "language": "de"}).json()
    assert wrong["fair"] is False and wrong["message"].startswith("Nicht fair")


def test_an_uploaded_record_is_verified(person: People) -> None:
    """What was changed is found; what is no fairness at all is refused; nothing is said of none."""
    anna = person("Anna")
    table = anna.create("number-drop", seats=["me", "random"], contribute=True)
    assert anna.do(table, "join", contribution=MINE)["ok"]
    assert anna.do(table, "resign")["ok"]
    record = json.loads(anna.http.get(f"/api/tables/{table}/record").text)

    def verified() -> dict[str, object]:
        key = anna.http.post("/api/replays", content=json.dumps(record)).json()["key"]
        report: dict[str, object] = anna.http.get(f"/api/replays/{key}/verify").json()
        return report

    assert verified()["fair"] is True
    given = record["fairness"]["contributions"][0]
    given["name"] = "\ud800"
    assert anna.http.post("/api/replays", content=json.dumps(record)).status_code == 422
    given["name"], given["value"] = "Zoe", "00" * 8
    report = verified()
    assert report["fair"] is False and f"event {report['event']} is" in str(report["message"])
    del record["fairness"]
    assert verified()["fair"] is None
