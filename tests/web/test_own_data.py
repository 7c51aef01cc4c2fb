"""One's own data: read, and deleted, by its person only."""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.web.conftest import Running
from tests.web.people import Person
from tests.web.test_identity import sql

People = Callable[..., Person]


def test_my_data_and_its_end(person: People, server: Running) -> None:
    """Somebody can read all that is kept about them, then delete it: the cookie goes, the same
    cookie elsewhere is told so, and the match goes to the other player."""
    ann, bob = person("Annabel"), person("Bob")
    cookie = ann.cookie
    table = ann.create("drop", public=False)
    assert bob.do(table, "join")["ok"]
    assert ann.do(table, "chat", text="unforgettable words")["ok"]
    data = ann.http.get("/api/me/data").json()
    assert data["name"] == "Annabel" and [one["table"] for one in data["tables"]] == [table]
    said = [event for event in data["tables"][0]["events"] if event["type"] == "Chatted"]
    assert [event["text"] for event in said] == ["unforgettable words"]
    assert "identity" not in str(data) and "Bob" not in str(data)
    gone = ann.http.delete("/api/me")
    assert gone.json() == {"name": None}
    assert "Max-Age=0" in gone.headers["set-cookie"]
    assert ann.http.get("/api/me").json() == {"name": None}
    old = {"Cookie": f"droptable={cookie}"}
    assert ann.http.get("/api/me", headers=old).json() == {"name": None, "forgotten": True}
    assert person().http.get("/api/me/data").status_code == 403
    assert bob.look(table)["status"] == "over"
    end = time.monotonic() + 30
    while "Annabel" in str(server.events(table)) and time.monotonic() < end:
        time.sleep(0.05)
    kept = str(server.events(table))
    assert "Annabel" not in kept and "unforgettable" not in kept
    assert cookie.partition(".")[0] not in kept
    assert sorted(seat["name"] for seat in bob.look(table)["seats"]) == ["Bob", "Somebody"]


def test_deleting_a_table(person: People) -> None:
    """Its owner deletes a table; nobody else can."""
    ann, eve = person("Ann"), person("Eve")
    table = ann.create("drop")
    assert eve.http.delete(f"/api/tables/{table}").status_code == 403
    assert ann.http.delete(f"/api/tables/{table}").status_code == 200
    assert ann.http.get(f"/api/tables/{table}").status_code == 404


def test_private_tables_are_named_to_their_people_only(person: People, server: Running) -> None:
    """No list and no page that a stranger can ask for has the id of a private table: neither lists
    of tables, nor scores, nor metrics, nor the public table that it is a rematch of."""
    ann, bob, eve = person("Ann"), person("Bob"), person("Eve")
    private = ann.create("drop", public=False, title="hidden")
    assert bob.do(private, "join")["ok"] and bob.do(private, "resign")["ok"]
    rematch = ann.do(private, "rematch")["table"]
    solo = ann.create("number-drop", seats=["me"], public=False)
    sql(server, "INSERT INTO scores VALUES (?, 'number-drop', 'Ann', 999, 0)", solo)
    assert solo in ann.http.get("/api/games/number-drop/scores").text
    paths = [f"/api/tables?which={which}" for which in ("open", "live", "finished", "mine")]
    paths += ["/api/games/number-drop/scores", "/metrics", "/healthz", "/", "/api/me/data"]
    for stranger in (eve, person()):
        for path in paths:
            text = stranger.http.get(path).text
            assert not [id_ for id_ in (private, rematch, solo) if id_ in text], path
            assert "hidden" not in text
    sql(server, "DELETE FROM scores WHERE table_id = ?", solo)  # others use this server, too
    public = ann.create("drop", public=True)
    shown = str(eve.look(public))
    assert private not in shown and ann.cookie.partition(".")[0] not in shown
