"""Friends and invitations over HTTP: who may invite whom, and what strangers get to know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from droptable.tables import friends as rules
from tests.web.people import Person

People = Callable[..., Person]


def play(one: Person, other: Person) -> str:
    """A finished match of two people."""
    table = one.create("drop")
    assert other.do(table, "join")["ok"]
    if one.look(table)["status"] == "waiting":
        assert one.do(table, "start")["ok"]
    assert other.do(table, "resign")["ok"]
    return table


def met(someone: Person) -> dict[str, Any]:
    """Whom somebody has played with, by name."""
    found = someone.http.get("/api/friends").json()["friends"]
    return {one["name"]: one for one in found}


def invite(someone: Person, table: str, id_: object) -> int:
    """Invite the person with this public id; the status of the answer."""
    wanted = {"person": id_}
    return someone.http.post(f"/api/tables/{table}/invitations", json=wanted).status_code


def invited(someone: Person) -> list[Any]:
    """The invitations of somebody."""
    found = someone.http.get("/api/invitations")
    assert found.status_code == 200, found.text
    return list(found.json())


def public_id(someone: Person) -> str:
    return str(someone.http.get("/api/people/me").json()["id"])


def test_an_invitation_reaches_a_friend_until_the_table_starts(person: People) -> None:
    """Who has finished a match with somebody can invite them; they see the table until they decline
    or it has no seat left, and declining is final."""
    ann, bob, cy = person("Ann"), person("Bob"), person("Cy")
    play(ann, bob), play(ann, bob), play(ann, cy)
    assert met(ann)["Bob"]["matches"] == 2 and set(met(bob)) == {"Ann"}
    first, second = ann.create("drop"), ann.create("drop", public=False)
    for table in (first, first, second):
        assert invite(ann, table, met(ann)["Bob"]["id"]) == 201
    seen = invited(bob)
    assert [one["table"] for one in seen] == [second, first]
    assert seen[0]["by"] == "Ann" and seen[0]["by_id"] == public_id(ann)
    assert bob.http.delete(f"/api/invitations/{first}").status_code == 200
    assert invite(ann, first, met(ann)["Bob"]["id"]) == 201
    assert [one["table"] for one in invited(bob)] == [second]
    assert invite(ann, second, met(ann)["Cy"]["id"]) == 201
    assert cy.do(second, "join")["ok"]
    assert invited(bob) == [] and invited(cy) == []
    assert invite(ann, second, met(ann)["Bob"]["id"]) == 409


def test_who_closed_or_blocked_is_not_invited(person: People) -> None:
    """Nobody can invite people who let nobody do so, or who have blocked them: both look alike, and
    what was sent before the block is not shown."""
    ann, bob = person("Ann"), person("Bob")
    play(ann, bob)
    table, id_ = ann.create("drop"), public_id(bob)
    assert bob.http.put("/api/friends/me", json={"invitable": False}).json() == {"invitable": False}
    closed = ann.http.post(f"/api/tables/{table}/invitations", json={"person": id_})
    assert closed.status_code == 403 and not met(ann)["Bob"]["invitable"]
    bob.http.put("/api/friends/me", json={"invitable": True})
    assert invite(ann, table, id_) == 201 and len(invited(bob)) == 1
    block = f"/api/friends/{public_id(ann)}"
    assert bob.http.put(block, json={"blocked": True}).status_code == 200
    assert invited(bob) == [] and met(bob)["Ann"]["blocked"] and not met(ann)["Bob"]["blocked"]
    blocked = ann.http.post(f"/api/tables/{table}/invitations", json={"person": id_})
    assert (blocked.status_code, blocked.text) == (closed.status_code, closed.text)
    assert not met(ann)["Bob"]["invitable"]
    bob.http.put(block, json={"blocked": False})
    assert len(invited(bob)) == 1


def test_a_stranger_invites_nobody_and_learns_nothing(person: People) -> None:
    """Without a finished match, a seat at the table or a name there is no invitation; an unknown id
    gets the same answer as a stranger's, and no answer has an identity."""
    ann, bob, eve, nobody = person("Ann"), person("Bob"), person("Eve"), person()
    play(ann, bob)
    own, theirs, id_ = eve.create("drop"), ann.create("drop", public=False), public_id(bob)
    assert invite(ann, theirs, id_) == 201
    answers = {
        eve.http.post(f"/api/tables/{own}/invitations", json={"person": one}).text
        for one in (id_, "x" * 12, "", public_id(eve), "%00")
    }
    assert len(answers) == 1
    assert invite(eve, own, id_) == 403 and invite(eve, theirs, id_) == 403
    assert invite(bob, theirs, public_id(ann)) == 403  # he does not sit there
    assert invited(eve) == [] and met(eve) == {}
    assert eve.http.delete(f"/api/invitations/{theirs}").status_code == 200
    assert len(invited(bob)) == 1
    for path in ("/api/friends", "/api/invitations"):
        assert nobody.http.get(path).status_code == 403
        for someone in (ann, bob, eve):
            text = someone.http.get(path).text
            assert not any(one.cookie.partition(".")[0] in text for one in (ann, bob, eve))


@pytest.mark.parametrize("wrong", [{}, [], {"person": 1}, {"person": None}, {"blocked": "yes"}, 7])
def test_odd_bodies_get_clear_answers(person: People, wrong: object) -> None:
    """A body that is not understood is refused, and says what was expected."""
    ann = person("Ann")
    table = ann.create("drop")
    invitation = ann.http.post(f"/api/tables/{table}/invitations", json=wrong)
    assert invitation.status_code == 422 and "expected" in invitation.json()["message"]
    for path in ("me", "x" * 12):
        assert ann.http.put(f"/api/friends/{path}", json=wrong).status_code == 422
    unknown = ann.http.put("/api/friends/nobody", json={"blocked": True})
    assert unknown.status_code == 404 and "nobody" in unknown.json()["message"]


def test_invitations_are_limited(person: People) -> None:
    """Nobody is invited by one person more than a few times a day, whatever became of the
    tables; the others still can."""
    ann, bob, cy = person("Ann"), person("Bob"), person("Cy")
    play(ann, bob), play(cy, bob)
    for _ in range(rules.MOST_TO_ONE):
        table = ann.create("drop")
        assert invite(ann, table, public_id(bob)) == 201
        assert ann.do(table, "leave")["ok"]
    assert invited(bob) == []
    assert invite(ann, ann.create("drop"), public_id(bob)) == 429
    assert invite(cy, cy.create("drop"), public_id(bob)) == 201


def test_own_data_and_deletion(person: People) -> None:
    """The export has somebody's choices and invitations, without the others' identities; who is
    deleted is nobody's friend any more, and their invitations are gone."""
    ann, bob = person("Ann"), person("Bob")
    play(ann, bob)
    table = ann.create("drop")
    assert invite(ann, table, public_id(bob)) == 201
    bob.http.put("/api/friends/me", json={"invitable": False})
    own = bob.http.get("/api/me/data").json()["friends"]
    assert own["invitable"] is False and own["people blocked"] == 0
    assert [one["table"] for one in own["invitations"]] == [table]
    assert ann.cookie.partition(".")[0] not in str(own)
    assert ann.http.delete("/api/me").status_code == 200
    assert met(bob) == {} and invited(bob) == []
    assert bob.http.get("/api/me/data").json()["friends"]["invitations"] == []


def test_a_rematch_tells_everybody_of_the_table(person: People) -> None:
    """All people of a match find the rematch on their start page, with a seat reserved."""
    people = [person(name) for name in ("Ann", "Bob", "Cy")]
    table = people[0].create("depot", players=3)
    for someone in people[1:]:
        assert someone.do(table, "join")["ok"]
    if people[0].look(table)["status"] == "waiting":
        assert people[0].do(table, "start")["ok"]
    for someone in people[1:]:
        assert someone.do(table, "resign")["ok"]
    again = people[0].do(table, "rematch")
    for someone in people[1:]:
        assert [one["table"] for one in invited(someone)] == [again["table"]]
        assert someone.do(again["table"], "join")["ok"]
        assert invited(someone) == []


def test_a_rematch_is_not_offered_across_a_block(person: People) -> None:
    """Who has blocked the owner of a rematch does not find it among their invitations, nor does who
    was blocked by them, also not once that is over; their seats stay reserved, and others are
    invited as always. Whom one has blocked one cannot invite."""
    ann, bob, cy, di = (person(name) for name in ("Ann", "Bob", "Cy", "Di"))
    table = ann.create("depot", players=4)
    for someone in (bob, cy, di):
        assert someone.do(table, "join")["ok"]
    if ann.look(table)["status"] == "waiting":
        assert ann.do(table, "start")["ok"]
    for someone in (bob, cy, di):
        assert someone.do(table, "resign")["ok"]
    for blocks, other in ((bob, ann), (ann, cy)):
        blocks.http.put(f"/api/friends/{public_id(other)}", json={"blocked": True})
    again = ann.do(table, "rematch")["table"]
    assert [len(invited(someone)) for someone in (bob, cy, di)] == [0, 0, 1]
    own = ann.create("depot", players=4)
    assert invite(ann, own, public_id(cy)) == 403 and invite(ann, own, public_id(di)) == 201
    for blocks, other in ((bob, ann), (ann, cy)):
        blocks.http.put(f"/api/friends/{public_id(other)}", json={"blocked": False})
    assert invited(bob) == [] and invited(cy) == []
    assert bob.look(table)["next"] == again
    assert bob.do(again, "join")["ok"] and cy.do(again, "join")["ok"]
