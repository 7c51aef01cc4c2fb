"""Profiles and leaderboards over HTTP: what strangers may know of people, and what they may not."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tests.web.conftest import Running
from tests.web.people import Person

People = Callable[..., Person]


def play_rated(winner: Person, loser: Person, addresses: tuple[str, str], **settings: Any) -> str:
    """A rated match of Drop. between people at these addresses; one resigns after some moves."""
    for someone, address in zip((winner, loser), addresses, strict=True):
        someone.http.headers["X-Forwarded-For"] = address
    table = winner.create("drop", rated=True, **settings)
    assert loser.do(table, "join")["ok"]
    for _ in range(24):
        for someone in (winner, loser):
            state = someone.look(table)
            if state["legal"]:
                token = state["legal"][0]["token"]
                assert someone.do(table, "move", token=token, seq=state["seq"])["ok"]
                break
    assert loser.do(table, "resign")["ok"]
    return table


def until(fits: Callable[[], bool]) -> None:
    """Wait until ratings have followed."""
    end = time.monotonic() + 30
    while not fits():
        assert time.monotonic() < end
        time.sleep(0.1)


def me(someone: Person) -> Any:
    """One's own profile."""
    return someone.http.get("/api/people/me").json()


def test_a_rated_match_and_what_others_see_of_it(person: People) -> None:
    """Both get a rating, the winner the better one; a stranger sees it under the public id, neither
    the private table nor any identity, and nothing at all once the profile is hidden."""
    ann, bob, eve = person("Ann"), person("Bob"), person("Eve")
    assert me(ann)["ratings"] == [] and me(ann)["matches"] == 0
    table = play_rated(ann, bob, ("10.0.0.1", "10.0.0.2"), public=False)
    until(lambda: bool(me(ann)["ratings"]))
    (mine,), (his,) = me(ann)["ratings"], me(bob)["ratings"]
    assert mine["number"] > his["number"] and not mine["sure"] and mine["matches"] == 1
    assert me(ann)["streaks"]["wins"] == 1 and me(ann)["recent"][0]["table"] == table
    assert me(ann)["tallies"][0] | {"title": ""} == {
        "game": "drop", "title": "", "players": 2, "matches": 1, "share": 1.0,
    }  # fmt: skip
    id_ = me(ann)["id"]
    seen = eve.http.get(f"/api/people/{id_}")
    assert seen.json()["ratings"] == [mine] and not seen.json()["mine"]
    assert seen.json()["recent"] == [] and table not in seen.text
    for someone in (ann, bob):
        assert someone.cookie.partition(".")[0] not in seen.text + str(me(ann))
    people = f"/api/tables/{table}/people"
    assert [len(seat) for seat in eve.http.get(people).json()] == [0, 0]
    here = bob.http.get(people).json()
    assert here[0][0]["id"] == id_ and here[0][0]["rating"]["number"] == mine["number"]
    hidden = ann.http.put("/api/people/me", json={"hidden": True})
    assert hidden.json() == {"id": id_, "hidden": True}
    assert eve.http.get(f"/api/people/{id_}").status_code == 404
    assert bob.http.get(people).json()[0][0] == {"name": "Ann", "id": None, "rating": None}
    assert me(ann)["hidden"]


def test_one_address_gives_no_rating(person: People, server: Running) -> None:
    """Two identities at one address can play a rated match, but get no rating from it; a rematch
    of people from two addresses does count."""
    ann, twin, bob = person("Ann"), person("Twin"), person("Bob")
    play_rated(ann, twin, ("10.0.1.1", "10.0.1.1"))
    play_rated(ann, bob, ("10.0.1.1", "10.0.1.2"))
    until(lambda: bool(me(bob)["ratings"]))
    assert me(twin)["ratings"] == [] and me(ann)["ratings"][0]["matches"] == 1
    kept = str(server.events(me(ann)["recent"][0]["table"]))
    assert kept.count('"place":') == 2 and "10.0.1" not in kept


def test_odd_questions_get_clear_answers(person: People) -> None:
    """Unknown people, games and bodies; who has no name has no profile."""
    ann, nobody = person("Ann"), person()
    for path in ("nobody", "x" * 12, "%00" * 12, "a" * 300):
        assert ann.http.get(f"/api/people/{path}").status_code in (404, 422)
    assert nobody.http.get("/api/people/me").status_code == 403
    assert nobody.http.put("/api/people/me", json={"hidden": True}).status_code == 403
    for body in ({}, {"hidden": "yes"}, [], {"hidden": True, "name": "x"}):
        assert ann.http.put("/api/people/me", json=body).status_code == 422
    assert ann.http.get("/api/leaders/chess").status_code == 404
    assert ann.http.get("/api/leaders/drop").json() == []
    wanted = {"game": "number-drop", "players": 1, "rated": True}
    refused = ann.http.post("/api/tables", json=wanted)
    assert refused.status_code == 422 and "high scores" in refused.json()["message"]
