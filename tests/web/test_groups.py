"""Standing groups over HTTP: what members, visitors with the link, and strangers see and may do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from droptable.tables import friends
from droptable.tables.rejected import Rejected
from droptable.web.config import Config
from droptable.web.crowd import Crowd
from tests.web.people import Person
from tests.web.test_friends import invited, public_id
from tests.web.test_types import check

People = Callable[..., Person]


def found(founder: Person, name: str = "Friday table") -> tuple[str, str]:
    """A new group: the paths of its API by its id, and by its secret."""
    made = founder.http.post("/api/groups", json={"name": name})
    assert made.status_code == 201, made.text
    id_ = made.json()["group"]
    link = founder.http.get(f"/api/groups/{id_}/link").json()["link"]
    return f"/api/groups/{id_}", f"/api/groups/{link.rpartition('/')[2]}"


def join(someone: Person, path: str) -> int:
    """Join by a link; the status of the answer."""
    return someone.http.post(f"{path}/members").status_code


def page(someone: Person, path: str) -> Any:
    """A group as somebody sees it."""
    seen = someone.http.get(path)
    assert seen.status_code == 200, seen.text
    return seen.json()


def open_table(someone: Person, path: str, **settings: Any) -> Any:
    """A table for a group."""
    opened = someone.http.post(f"{path}/tables", json={"game": "drop"} | settings)
    assert opened.status_code == 201, opened.text
    return opened.json()


def wins(someone: Person, path: str) -> dict[str, tuple[int, float]]:
    """The table of results by name: matches and victories."""
    return {
        one["name"]: (sum(r["matches"] for r in one["results"]),
                      sum(r["wins"] for r in one["results"]))
        for one in page(someone, path)["members"]
    }  # fmt: skip


def test_an_evening_of_a_group(person: People) -> None:
    """Friends join by the link and are invited to a private table for the group, under its name;
    victories of it and of its rematch count, and replays are listed."""
    ann, bob, cy = person("Ann"), person("Bob"), person("Cy")
    path, link = found(ann)
    assert join(bob, link) == 201 and join(cy, link) == 201 and join(cy, link) == 201
    opened = open_table(ann, path, public=True)
    table = opened["table"]
    assert opened["invited"] == 2 and opened["commitment"]
    assert [one["table"] for one in invited(bob)] == [table] == [i["table"] for i in invited(cy)]
    (waiting,) = page(cy, path)["tables"]
    check("GroupMatch", waiting)
    assert (waiting["table"], waiting["free"], waiting["seated"]) == (table, 1, False)
    look = ann.look(table)
    assert look["title"] == "Friday table" and look["public"] is False
    assert bob.do(table, "join")["ok"] and bob.do(table, "resign")["ok"]
    again = bob.do(table, "rematch")["table"]
    assert ann.do(again, "join")["ok"] and ann.do(again, "resign")["ok"]
    assert wins(cy, link) == {"Ann": (2, 1.0), "Bob": (2, 1.0), "Cy": (0, 0.0)}
    seen = page(cy, path)
    check("GroupPage", seen)
    check("GroupMember", seen["members"][0])
    check("GroupResult", seen["members"][0]["results"][0])
    assert seen["matches"] == 2 and seen["tables"] == []
    assert [one["table"] for one in seen["recent"]] == [again, table]
    assert [one["winners"] for one in seen["recent"]] == [["Bob"], ["Ann"]]
    assert seen["recent"][0]["counts"]


def test_visitors_see_results_and_members_tables(person: People) -> None:
    """Whoever has the link sees people and results, also without a name, but no table, nor the link
    to a hidden profile; by the id alone, strangers and former members find no group."""
    ann, bob, eve, nobody = person("Ann"), person("Bob"), person("Eve"), person()
    path, link = found(ann)
    assert join(bob, link) == 201 and join(nobody, link) == 403
    open_table(ann, path)
    bob.http.put("/api/people/me", json={"hidden": True})
    for visitor in (eve, nobody):
        seen = page(visitor, link)
        assert not seen["member"] and seen["tables"] == seen["recent"] == []
        ids = {one["name"]: one["id"] for one in seen["members"]}
        assert ids == {"Ann": public_id(ann), "Bob": None}
        unknown = visitor.http.get("/api/groups/nothing")
        known = visitor.http.get(path)
        assert (known.status_code, known.text) == (404, unknown.text)
        for what in ("tables", "members/me", "link"):
            method = {"tables": "POST", "members/me": "DELETE", "link": "GET"}[what]
            refused = visitor.http.request(method, f"{link}/{what}", json={"game": "drop"})
            assert refused.status_code == 403, what
    assert {one["name"]: one["id"] for one in page(ann, path)["members"]}["Bob"] == public_id(bob)
    assert bob.http.delete(f"{path}/members/me").status_code == 200
    assert bob.http.get(path).status_code == 404


def test_the_secret_stays_in_the_link(person: People) -> None:
    """Neither lists, pages, previews, exports, metrics nor other answers have the secret; only
    members are told it."""
    ann, bob = person("Ann"), person("Bob")
    path, link = found(ann)
    secret = link.rpartition("/")[2]
    assert join(bob, link) == 201
    open_table(ann, path)
    for one in ann.http.get("/api/groups").json():
        check("ListedGroup", one)
    texts = [
        someone.http.get(where).text
        for someone in (ann, bob)
        for where in ("/api/groups", path, link, "/api/me/data", "/api/friends", "/metrics",
                      "/api/invitations", "/api/tables?which=mine", "/", f"/g/{secret}")
    ]  # fmt: skip
    texts.append(person().http.get(f"/g/{secret}").text)
    assert "Friday table" in texts[-1] and "2 members" in texts[-1]
    assert "Friday table" not in person().http.get(path.replace("/api/groups", "/g")).text
    assert not [text for text in texts if secret in text]
    given = bob.http.get(f"{path}/link").json()
    check("GroupLink", given)
    assert secret in given["link"] and given["qr"].startswith("<?xml")


def test_what_only_the_founder_may_do(person: People) -> None:
    """The founder renames, removes, renews the link and deletes; others are refused. Whoever was
    removed comes back by a new link only."""
    ann, bob = person("Ann"), person("Bob")
    path, link = found(ann)
    assert join(bob, link) == 201
    acts: list[tuple[str, str, Any]] = [
        ("PUT", "", {"name": "Saturday"}), ("POST", "/link", None),
        ("DELETE", f"/members/{public_id(ann)}", None), ("DELETE", "", None),
    ]  # fmt: skip
    for method, what, body in acts:
        assert bob.http.request(method, path + what, json=body).status_code == 403
    assert ann.http.put(path, json={"name": " Saturday "}).json() == {"name": "Saturday"}
    assert ann.http.get("/api/groups").json()[0]["name"] == "Saturday"
    assert ann.http.delete(f"{path}/members/{public_id(ann)}").status_code == 404
    assert ann.http.delete(f"{path}/members/{public_id(bob)}").status_code == 200
    assert bob.http.get(path).status_code == 404 and join(bob, link) == 403
    renewed = ann.http.post(f"{path}/link").json()["link"].rpartition("/")[2]
    assert bob.http.get(link).status_code == 404
    assert join(bob, f"/api/groups/{renewed}") == 201
    assert ann.http.delete(path).status_code == 200
    assert bob.http.get("/api/groups").json() == [] and bob.http.get(path).status_code == 404


def test_whom_a_table_is_opened_for(person: People) -> None:
    """A group's table needs a seat for the others; the limits of invitations are those of friends,
    and beyond them the table still stands on the group's page."""
    ann, bob = person("Ann"), person("Bob")
    path, link = found(ann)
    assert join(bob, link) == 201
    full = ann.http.post(f"{path}/tables", json={"game": "drop", "seats": ["me", "random"]})
    assert full.status_code == 422 and "open seat" in full.json()["message"]
    for _ in range(friends.MOST_TO_ONE):
        assert open_table(ann, path)["invited"] == 1
    last = open_table(ann, path)
    assert last["invited"] == 0
    assert last["table"] in [one["table"] for one in page(bob, path)["tables"]]
    same = [ann.http.post(f"{path}/tables", json={"game": "drop"}, headers={"Idempotency-Key": "k"})
            for _ in range(2)]  # fmt: skip
    assert same[0].json()["table"] == same[1].json()["table"]


@pytest.mark.parametrize("wrong", [{}, [], {"name": 1}, {"name": ""}, {"name": "x" * 41}, 7])
def test_odd_names_get_clear_answers(person: People, wrong: object) -> None:
    """A name that is none is refused, and the answer says what was expected."""
    ann = person("Ann")
    path, _link = found(ann)
    for answer in (ann.http.post("/api/groups", json=wrong), ann.http.put(path, json=wrong)):
        assert answer.status_code == 422 and "expected" in answer.json()["message"]


def test_own_data_and_deletion(person: People) -> None:
    """The export has somebody's groups; whoever is deleted is in none, and the next one founds."""
    ann, bob = person("Ann"), person("Bob")
    path, link = found(ann)
    assert join(bob, link) == 201
    (own,) = ann.http.get("/api/me/data").json()["groups"]
    assert own["name"] == "Friday table" and own["founder"]
    assert ann.http.delete("/api/me").status_code == 200
    seen = page(bob, path)
    assert [one["name"] for one in seen["members"]] == ["Bob"] and seen["founder"]


def test_groups_per_address() -> None:
    """Making and joining groups is limited per address and hour."""
    now = 0.0
    crowd = Crowd(Config(groups_an_hour=2), lambda: now)
    for _ in range(2):
        crowd.count_group("here")
    with pytest.raises(Rejected, match="at most 2 per hour"):
        crowd.count_group("here")
    crowd.count_group("there")
    now = 1800.0
    crowd.count_group("here")
