"""Tables over HTTP and sockets, as people use them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from droptable.core.record import Record
from droptable.games import games
from droptable.tables.viewer import PAGE
from tests.web.conftest import Running
from tests.web.people import SHORT, Person, Socket, play_on

People = Callable[..., Person]
EVERY_GAME = [(one.name, count) for one in games() for count in one.players]

LONGEST = 45  # moves of a match; in the most games one is over by then


def table_of(people: list[Person], game: str, **settings: Any) -> tuple[str, list[Socket]]:
    """A table that all these people have joined by link, and their sockets."""
    settings = {"stand_in": "random"} | settings  # a bot that needs no compiler
    table = people[0].create(game, players=len(people), **settings)
    for somebody in people[1:]:
        assert somebody.do(table, "join")["ok"]
    owner = people[0]
    if owner.look(table)["status"] == "waiting":
        assert owner.do(table, "start")["ok"]
    return table, [somebody.sit(table) for somebody in people]


@pytest.mark.parametrize(("game", "players"), EVERY_GAME)
def test_match(person: People, game: str, players: int) -> None:
    """A match of each game at each player count is played by people, and is then its record."""
    people = [person(f"Player {seat}") for seat in range(players)]
    table, sockets = table_of(people, game, shuffled=True, options=SHORT.get(game, {}))
    play_on(sockets, random.Random(players), most=LONGEST)
    for somebody in people:
        if somebody.look(table)["status"] == "playing":  # random matches can be very long
            answer = somebody.do(table, "resign")
            assert answer["ok"] or somebody.look(table)["status"] == "over"  # by bots, meanwhile
    for somebody in people:
        state = somebody.look(table)
        assert state["status"] == "over"
        assert state["result"]["winners"] or players == 1
        assert state["result"]["verdict"]
        assert somebody.listed("mine")[table]["status"] == "over"
    record = people[0].http.get(f"/api/tables/{table}/record")
    assert record.headers["content-disposition"].startswith("attachment")
    replayed = Record.from_json(record.text)
    result = people[0].look(table)["result"]
    if result["how"] == "played":  # else a view may still lack what others did at the same time
        assert list(replayed.final.scores) == result["scores"]
    assert people[0].http.get(f"/api/tables/{table}/sheet").status_code == 200


def test_open_table(person: People) -> None:
    """An open public table is listed for everybody, a private one only for its people."""
    owner, guest = person("Owner"), person("Guest")
    public, private = owner.create(public=True, title="Come in"), owner.create()
    assert guest.listed("open")[public]["title"] == "Come in"
    assert guest.listed("open")[public]["free"] == 1
    assert private not in guest.listed("open")
    assert {public, private} <= owner.listed("mine").keys()
    assert guest.do(public, "join")["ok"]
    assert public not in guest.listed("open") and public in guest.listed("live")
    turns = {owner.listed("mine")[public]["turn"], guest.listed("mine")[public]["turn"]}
    assert turns == {True, False}


def test_opening_twice(person: People) -> None:
    """A request with a key opens one table, however often it is sent; keys belong to a person."""
    owner, guest = person("Owner"), person("Guest")

    def opened(somebody: Person, key: str) -> str:
        headers = {"Idempotency-Key": key}
        made = somebody.http.post("/api/tables", json={"game": "drop"}, headers=headers)
        assert made.status_code == 201
        return str(made.json()["table"])

    table = opened(owner, "one")
    assert opened(owner, "one") == table
    assert len({table, opened(owner, "two"), opened(guest, "one")}) == 3
    assert table in owner.listed("mine") and owner.do(table, "chat", text="hello")["ok"]


def test_leave(person: People) -> None:
    """Before the start people may leave; with the last one the table closes."""
    owner, guest = person("Owner"), person("Guest")
    table = owner.create("drop-site", players=3, public=True)
    assert guest.do(table, "join")["ok"] and owner.do(table, "leave")["ok"]
    state = guest.look(table)
    assert state["you"]["owner"] and state["seats"][0]["people"] == []
    assert guest.do(table, "leave")["ok"]
    assert guest.do(table, "join")["kind"] == "gone"
    assert table not in guest.listed("open")


def test_watch(person: People) -> None:
    """Somebody without a name or a seat can watch, and nothing else."""
    table, sockets = table_of([person("A"), person("B")], "drop")
    stranger, passer = person(), person("Passer-by")
    watching, passing = stranger.sit(table), passer.sit(table)
    for socket in (watching, passing):
        assert socket.sees(bool)["seat"] is None and socket.state["legal"] == []
        token = next(s for s in sockets if s.sees(bool)["legal"]).state["legal"][0]["token"]
        answer = socket.do("move", token=token)
        assert not answer["ok"] and answer["kind"] == "forbidden"
    mover = next(s for s in sockets if s.state["legal"])
    assert mover.do("move", token=mover.state["legal"][0]["token"])["ok"]
    assert watching.until(lambda m: m["type"] == "state" and m["lines"])["lines"]


def test_rematch(person: People) -> None:
    """A rematch has the same settings, and everybody sits one seat further."""
    people = [person("A"), person("B")]
    table, sockets = table_of(people, "drop", options={"size": 5}, title="Again")
    assert sockets[0].do("resign")["ok"]
    ended = sockets[1].sees(lambda state: state["status"] == "over")
    assert ended["result"]["how"] == "resigned" and ended["result"]["winners"] == [1]
    answer = sockets[1].do("rematch")
    again = people[0].look(answer["table"])
    assert (again["title"], again["options"]["size"]) == ("Again", 5)
    assert again["previous"] == table and again["status"] == "waiting"
    assert again["open"] == [1], "a seat is kept for everybody"
    assert answer["ok"] and answer["table"] == people[0].do(table, "rematch")["table"]
    again = people[0].look(answer["table"])
    assert (again["seat"], again["open"], again["status"]) == (1, [], "playing")
    stranger = person("Stranger")
    assert stranger.look(answer["table"])["open"] == []
    assert stranger.do(answer["table"], "join")["ok"] is False


def test_resigned_seat_is_played_on(person: People) -> None:
    """With three or more players a bot plays on for whoever resigns, and the match ends."""
    people = [person(name) for name in "ABC"]
    table, sockets = table_of(people, "drop-or-pop")
    assert sockets[2].do("resign")["ok"]
    play_on(sockets[:2], random.Random(1))
    result = people[2].look(table)["result"]
    assert 2 not in result["winners"]


def test_team_shares_a_seat(person: People) -> None:
    """In Drop or Pop! several people share a seat: any of them moves, one may leave."""
    people = [person(name) for name in ("A", "B", "C", "A's friend")]
    owner, friend = people[0], people[3]
    table = owner.create("drop-or-pop", players=3)
    assert friend.look(table)["open"] == [0, 1, 2], "a seat can be shared"
    for somebody, seat in zip(people[1:], (1, 2, 0), strict=True):
        assert somebody.do(table, "join", seat=seat)["ok"]
    assert owner.do(table, "start")["ok"]
    state = friend.look(table)
    assert state["seat"] == 0 and state["seats"][0]["name"] == "A & A's friend"
    sockets = [somebody.sit(table) for somebody in people]
    for socket in sockets:
        socket.sees(lambda state: state["status"] == "playing")
    assert sockets[0].state["legal"] == sockets[3].state["legal"] != []
    assert sockets[3].do("move", token=sockets[3].state["legal"][0]["token"])["ok"]
    assert sockets[3].do("resign")["ok"]
    assert friend.look(table)["seat"] is None
    play_on(sockets[:3], random.Random(2))


def test_bots_move_by_themselves(person: People) -> None:
    """A table of one person and bots goes on without anybody else."""
    owner = person("Owner")
    table = owner.create("drop-or-pop", players=3, seats=["me", "random", "random"])
    play_on([owner.sit(table)], random.Random(3))
    assert owner.look(table)["status"] == "over"


def test_solo_score(person: People) -> None:
    """A solo match that beats a printed score is on the leaderboard, with its table."""
    owner = person("Solo")
    table = owner.create("number-drop", players=1)
    play_on([owner.sit(table)], random.Random(4))
    score = owner.look(table)["result"]["scores"][0]
    board = owner.http.get("/api/games/number-drop/scores").json()
    printed = [place["score"] for place in board if place["table"] is None]
    mine = [place["score"] for place in board if place["table"] == table]
    assert len(printed) == 9
    assert mine == ([score] if score > min(printed) else [])


def test_record_is_secret_until_the_end(person: People) -> None:
    """The record of a match in progress would reveal what is hidden, so it is refused."""
    table, _ = table_of([person("A"), person("B"), person("C")], "depot")
    refused = person().http.get(f"/api/tables/{table}/record")
    assert refused.status_code == 409 and refused.json()["kind"] == "illegal"


def test_undo_by_oneself_and_by_agreement(person: People) -> None:
    """Anyone may undo their own turn until somebody has moved; later all have to agree."""
    _, sockets = table_of([person("A"), person("B")], "drop")
    for socket in sockets:
        socket.sees(lambda state: state["status"] == "playing")
    first = next(s for s in sockets if s.state["legal"])
    second = next(s for s in sockets if s is not first)
    before = first.state["view"]
    moved = first.do("move", token=first.state["legal"][0]["token"])
    first.sees(lambda state: state["seq"] >= moved["seq"])
    second.sees(lambda state: state["legal"])
    answer = second.do("move", token=second.state["legal"][0]["token"])
    first.sees(lambda state: state["seq"] > moved["seq"])
    assert first.do("undo")["kind"] == "illegal"
    assert first.do("ask_undo")["ok"]
    asked = second.sees(lambda state: state["undo"] is not None)
    assert asked["undo"]["waiting"] == [second.state["seat"]]
    assert second.do("answer_undo", agree=False)["ok"]
    first.sees(lambda state: state["undo"] is None and state["seq"] > answer["seq"])
    asked = first.do("ask_undo")
    assert asked["ok"]
    second.sees(lambda state: state["undo"] is not None and state["seq"] >= asked["seq"])
    assert second.do("answer_undo", agree=True)["ok"]
    assert first.sees(lambda state: state["view"] == before)["legal"]


def test_clock_at_zero(person: People) -> None:
    """When a clock runs out the seat resigns, if the table says so."""
    _, sockets = table_of(
        [person("A"), person("B")], "drop",
        clock={"per": "match", "seconds": 5, "at_zero": "resign"},
    )  # fmt: skip
    clocks = sockets[0].sees(lambda state: state["clocks"])["clocks"]
    assert clocks["seconds"] == 5 and sum(clocks["running"]) == 1
    over = sockets[1].sees(lambda state: state["status"] == "over")
    assert over["result"]["how"] == "resigned"


def test_chat_and_mute(person: People) -> None:
    """Chat reaches everybody, survives a reload, and the owner can mute it."""
    owner, guest = person("Owner"), person("Guest <b>")
    table, sockets = table_of([owner, guest], "drop")
    assert sockets[1].do("chat", text="hello\n <script>")["ok"]
    said = [line for line in person().look(table)["lines"] if line["kind"] == "chat"]
    assert [(line["name"], line["text"]) for line in said] == [("Guest <b>", "hello <script>")]
    assert guest.do(table, "mute", on=True)["kind"] == "forbidden"
    assert owner.do(table, "mute", on=True, seat=1)["ok"]
    assert guest.do(table, "chat", text="still here")["kind"] == "forbidden"
    assert owner.do(table, "chat", text="so quiet")["ok"]
    assert owner.do(table, "mute", on=False, seat=1)["ok"]
    assert guest.do(table, "chat", text="thanks")["ok"]
    assert guest.do(table, "chat", text="x" * 501)["kind"] == "limit"


def test_hint(person: People) -> None:
    """A hint is a legal move of whoever asks; out of turn there is none."""
    people = [person("A"), person("B")]
    table, sockets = table_of(people, "drop", options={"size": 5, "pieces": 8}, hints=True)
    for socket in sockets:
        socket.sees(lambda state: state["status"] == "playing")
    first = next(i for i, s in enumerate(sockets) if s.state["legal"])
    hint = people[first].http.get(f"/api/tables/{table}/hint")
    assert hint.json()["token"] in [m["token"] for m in sockets[first].state["legal"]]
    assert people[1 - first].http.get(f"/api/tables/{table}/hint").json()["kind"] == "illegal"
    told = sockets[1 - first].sees(lambda state: "hint" in state["lines"][-1]["text"])
    assert told["lines"][-1]["text"].endswith("asked for a hint.")
    table, _ = table_of(people, "drop")
    refused = people[0].http.get(f"/api/tables/{table}/hint")
    assert refused.status_code == 403 and "no hints" in refused.json()["message"]


def test_look_back(person: People) -> None:
    """An earlier moment is drawn as its viewer saw it then; what is not in the log is refused."""
    people = [person("A"), person("B")]
    table, sockets = table_of(people, "drop-site")
    first = sockets[0].sees(lambda state: state["status"] == "playing")
    moment = f"/api/tables/{table}/at"
    then = people[0].look(table, scene="wide")
    play_on(sockets, random.Random(1), most=4)
    again = people[0].http.get(moment, params={"seq": first["seq"], "scene": "wide"}).json()
    assert again["picture"]["svg"] == then["picture"]["svg"]
    assert again["text"] == first["lines"][-1]["text"]
    now = people[0].look(table, scene="tall")
    newest = people[0].http.get(moment, params={"seq": now["seq"], "scene": "tall"}).json()
    assert newest["picture"]["svg"] == now["picture"]["svg"]
    for params, status in (
        ({"seq": now["seq"] + 1}, 404), ({"seq": 1}, 404), ({"seq": 0}, 422), ({}, 422),
        ({"seq": 1, "scene": "round"}, 422),
    ):  # fmt: skip
        refused = people[0].http.get(moment, params=params)
        assert refused.status_code == status and refused.json()["message"], params
    assert people[0].http.get("/api/tables/none/at?seq=1").status_code == 404


def test_limits(strict_server: Running) -> None:
    """Too many tables or commands are refused as such, and what was there goes on."""
    with Person(strict_server.address, "Busy") as busy:
        table = busy.create()
        busy.create()
        refused = busy.http.post("/api/tables", json={"game": "drop"})
        assert refused.status_code == 429 and refused.json()["kind"] == "limit"
        answers = [busy.do(table, "chat", text="again") for _ in range(80)]
        assert answers[0]["ok"] and answers[-1]["kind"] == "limit"
        assert busy.look(table)["status"] == "waiting"


def test_a_newcomer_is_sent_the_last_page_of_a_long_log(person: People) -> None:
    """The first message is bounded; earlier pages are there for who asks, and who was away for a
    short time loses nothing."""
    ann, bob = person("Ann"), person("Bob")
    table = ann.create("drop-site", seats=["me", "random"], hints=True)
    for number in range(PAGE + 50):
        assert ann.do(table, "chat", text=f"line {number}")["ok"], number
    first = bob.look(table)
    assert first["from"] == 0 and 0 < first["earlier"] < first["lines"][0]["seq"]
    assert len(first["lines"]) <= PAGE
    page = bob.http.get(f"/api/tables/{table}/log", params={"before": first["earlier"]}).json()
    assert page["earlier"] == 0
    assert page["lines"][-1]["to"] < first["lines"][0]["seq"]
    assert ann.look(table, seq=first["seq"] - 5)["from"] == first["seq"] - 5
    refused = bob.http.get(f"/api/tables/{table}/log", params={"before": "x"})
    assert refused.status_code == 422 and "before" in refused.json()["message"]
