"""Several people at one device: what the server lets them see, one at a time."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from droptable.tables import commands as cmd
from droptable.tables.decide import Circumstances, Who, create, decide
from droptable.tables.settings import Settings
from droptable.tables.table import Table
from droptable.web.messages import state_message
from droptable.web.pictures import Look
from tests.web.people import SHORT, Person
from tests.web.test_secrets import EVERY_GAME, HOST, permuted, sent

People = Callable[..., Person]
DEVICE = "device"
SHARED = [(game, players) for game, players in EVERY_GAME if players > 1]
LONGEST = 200  # moves of a match


def shared_match(game: str, players: int, chance: random.Random) -> list[Table]:
    """The moments of a random match of people who all play on one device."""
    names = tuple(f"Guest {seat}" for seat in range(1, players))
    seats = ("me", *["here"] * (players - 1))
    settings = Settings(game, players, SHORT.get(game, {}), seats, names)
    around = Circumstances(0.0, chance, new_table="table")
    table = create(settings, Who(DEVICE, "Anna"), around).table
    if table.status == "waiting":
        table = decide(table, cmd.Start(), Who(DEVICE, "Anna"), around).table
    moments = [table]
    while table.status == "playing" and len(moments) < LONGEST:
        assert table.state is not None
        seat = chance.choice(table.state.to_act)
        move = cmd.Move(chance.choice(table.state.legal(seat)))
        table = decide(
            table, move, Who(DEVICE, "Anna", seat=seat), Circumstances(1.0, chance)
        ).table
        moments.append(table)
    return moments


def without_you(message: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in message.items() if key != "you"}


@pytest.mark.parametrize(("game", "players"), SHARED)
def test_a_device_sees_one_seat_at_a_time(game: str, players: int) -> None:
    """While no seat is chosen, the device is sent what a spectator is, which follows from nothing
    hidden; with one, what that seat alone would be sent."""
    chance = random.Random(players)
    moments = shared_match(game, players, chance)
    who, alone = Who(DEVICE, "Anna"), Who("other", "Zoe")
    for table in chance.sample(moments, min(4, len(moments))):
        for look in (Look("wide", beats=True), Look("tall", language="de", beats=True)):
            covered = without_you(state_message(HOST, table, who, look, 5))
            assert covered == without_you(state_message(HOST, table, None, look, 5))
            watched = sent(permuted(table, None, chance), None, look, 5)
            assert watched == sent(table, None, look, 5)
        seat = chance.randrange(players)
        mine = without_you(state_message(HOST, table, who, Look("wide", seat=seat)))
        single = table.fork()
        single.seats = [one.copy() for one in table.seats]
        single.seats[seat].people = {alone.identity: table.names[seat]}
        theirs = without_you(state_message(HOST, single, alone, Look("wide")))
        if table.status == "playing":
            assert (mine["view"], mine["legal"]) == (theirs["view"], theirs["legal"])
            assert mine["seat"] == theirs["seat"] == seat


def test_who_holds_several_seats_says_for_which_they_act(person: People) -> None:
    """Without a seat nothing is played, seen or hinted at; with the seat of others it is refused
    as well, and a stranger who names a seat sees what strangers see."""
    anna, zoe = person("Anna"), person("Zoe")
    table = anna.create("depot", seats=["me", "here", "open"], here=["Ben"])
    assert zoe.do(table, "join")["ok"]
    hands = [
        [any(hand) for hand in someone.look(table, **asked)["view"]["hands"][:3]]
        for someone, asked in (
            (anna, {}), (anna, {"seat": 0}), (anna, {"seat": 1}), (anna, {"seat": 2}),
            (zoe, {"seat": 1}), (person(), {"seat": 1}),
        )
    ]  # fmt: skip
    nobody, first, second, third = [
        [seat == shown for seat in range(3)] for shown in (None, 0, 1, 2)
    ]
    assert hands == [nobody, first, second, nobody, third, nobody]
    acting = anna.look(table)["you"]["to_act"]
    move = anna.look(table, seat=acting[0])["legal"][0]["token"] if acting else "x"
    refused = anna.do(table, "move", token=move)
    assert refused["kind"] == "syntax" and "(0, 1)" in refused["message"]
    assert zoe.do(table, "move", token=move)["kind"] == "illegal"
    for path in ("hint", "sheet"):
        assert anna.http.get(f"/api/tables/{table}/{path}?seat=64").status_code == 422
    assert anna.http.get(f"/api/tables/{table}?seat=-1").status_code == 422


def test_seats_on_a_device_are_given_and_taken_back(person: People) -> None:
    """Before the start people seat others on their devices by name and send them away again; wrong
    names, other people's seats and, at public tables, strangers are refused."""
    anna, zoe = person("Anna"), person("Zoe")
    table = anna.create("drop-site", seats=["me", "open", "open", "open"])
    assert zoe.do(table, "join", seat=1, name="Yan")["ok"]
    assert zoe.do(table, "join", seat=2, name="Xin")["ok"]
    assert [seat["name"] for seat in anna.look(table)["seats"][:3]] == ["Anna", "Yan", "Xin"]
    assert anna.do(table, "leave", seat=1)["kind"] == "forbidden"
    assert anna.do(table, "join", seat=1, name="Cleo")["kind"] == "forbidden"
    assert zoe.do(table, "join", seat=3, name="  ")["kind"] == "syntax"
    assert zoe.do(table, "join", seat=3, name="x" * 31)["kind"] == "syntax"
    assert zoe.do(table, "leave", seat=1)["ok"]
    assert zoe.look(table)["you"]["seats"] == [2]
    assert zoe.do(table, "leave")["ok"] and zoe.look(table)["you"]["seats"] == []
    listed = anna.create("drop-site", seats=["me", "open"], public=True)
    assert zoe.do(listed, "join", name="Yan")["kind"] == "forbidden"
    for seats, here in ((["me", "here"], []), (["me", "open"], ["Ben"]), (["me", "here"], [""])):
        wanted = {"game": "drop", "seats": seats, "here": here}
        answer = anna.http.post("/api/tables", json=wanted)
        assert answer.status_code == 422, answer.text


def test_a_rematch_seats_everybody_again(person: People) -> None:
    """Two devices with two people each play again, everybody one seat further; a table is in each
    one's list once, and ends without a word that only one of them may hear."""
    anna, zoe = person("Anna"), person("Zoe")
    table = anna.create("drop-site", seats=["me", "here", "open", "open"], here=["Ben"])
    zoe.do(table, "join")
    zoe.do(table, "join", name="Yan")
    assert list(anna.listed("mine")).count(table) == 1
    rows = anna.http.get("/api/tables", params={"which": "mine"}).json()
    assert [row["table"] for row in rows].count(table) == 1
    for someone, seat in ((zoe, 2), (zoe, 3), (anna, 0)):
        envelope = {"id": f"resign {seat}", "command": {"type": "resign"}}
        path = f"/api/tables/{table}/commands?seat={seat}"
        assert someone.http.post(path, json=envelope).json()["ok"]
    assert anna.look(table)["result"]["winners"] == [1]
    again = anna.do(table, "rematch")["table"]
    assert zoe.do(table, "rematch")["table"] == again
    state = anna.look(again)
    assert [seat["name"] for seat in state["seats"]] == ["Yan", "Anna", "Ben", "Zoe"]
    assert state["status"] == "playing" and state["you"]["seats"] == [1, 2]


def test_a_shared_device_is_nobodys_career(person: People) -> None:
    """A match of several people on one device is in no profile; theirs are no links to profiles,
    and it cannot be rated."""
    anna = person("Anna")
    table = anna.create("drop", seats=["me", "here"], here=["Ben"])
    path = f"/api/tables/{table}/commands?seat=1"
    assert anna.http.post(path, json={"id": "1", "command": {"type": "resign"}}).json()["ok"]
    assert anna.look(table)["status"] == "over"
    assert anna.http.get("/api/people/me").json()["recent"] == []
    (own,), (other,) = anna.http.get(f"/api/tables/{table}/people").json()
    assert own["id"] and (other["name"], other["id"]) == ("Ben", None)
    rated = {"game": "drop", "seats": ["me", "here"], "here": ["Ben"], "rated": True}
    assert anna.http.post("/api/tables", json=rated).status_code == 422
    table = anna.create("drop", seats=["me", "open"], rated=True)
    assert person("Zoe").do(table, "join", name="Yan")["kind"] == "illegal"
