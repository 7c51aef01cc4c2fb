"""Sockets: nothing is lost or sent twice, whatever happens on the way."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import ExitStack

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame
from websockets.streams import StreamReader
from websockets.sync.client import connect

from droptable.web.wire import _frame
from tests.web.conftest import Running
from tests.web.people import Message, Person, Socket, merged, new_id, play_on
from tests.web.shaky import ShakyLine, Stubborn

People = Callable[..., Person]


def pair(person: People) -> tuple[str, list[Person], list[Socket]]:
    """Two people at a table of Drop, and their sockets."""
    people = [person("A"), person("B")]
    table = people[0].create("drop")
    assert people[1].do(table, "join")["ok"]
    sockets = [somebody.sit(table) for somebody in people]
    for socket in sockets:
        socket.sees(lambda state: state["status"] == "playing")
    return table, people, sockets


def test_reconnecting_loses_and_repeats_nothing(person: People) -> None:
    """A client that reconnects with its last `seq` gets the lines in between, and those that have
    grown."""
    table, people, sockets = pair(person)
    seen = 0
    all_lines: list[Message] = []
    for round_ in range(4):
        gone = people[1].sit(table, seq=seen, seat=1)
        state = gone.sees(bool)
        assert state["from"] == seen
        assert all(line["to"] > seen for line in gone.lines)
        all_lines = merged(all_lines, gone.lines)
        seen = state["seq"]
        gone.close()
        assert people[0].do(table, "chat", text=f"round {round_}")["ok"]
        play_on(sockets, random.Random(round_), most=3)
    last = people[1].sit(table, seq=seen, seat=1)
    last.sees(bool)
    all_lines = merged(all_lines, last.lines)
    assert all_lines == people[1].look(table)["lines"]
    assert [line["seq"] for line in all_lines] == sorted({line["seq"] for line in all_lines})


def test_seq_of_the_future(person: People) -> None:
    """A client that claims to have seen more than there is, or another seat, gets everything."""
    table, people, _ = pair(person)
    for query in ({"seq": 10**6, "seat": 0}, {"seq": 1, "seat": 1}, {"seq": 1}):
        socket = people[0].sit(table, **query)
        assert socket.sees(bool)["from"] == 0
        assert socket.lines == people[0].look(table)["lines"]


def test_two_tabs(person: People) -> None:
    """What somebody does in one tab shows in the other; closing one leaves them present."""
    table, people, sockets = pair(person)
    tab = people[0].sit(table)
    tab.sees(bool)
    assert tab.do("chat", text="from the other tab")["ok"]
    sockets[0].until(lambda m: m["type"] == "state" and m["lines"])
    assert sockets[0].state["lines"][-1]["text"] == "from the other tab"
    tab.close()
    assert people[1].do(table, "chat", text="still there?")["ok"]
    seat = people[0].look(table)["seat"]
    assert people[1].look(table)["seats"][seat]["present"] == [True]
    sockets[0].close()
    sockets[1].sees(lambda state: state["seats"][seat]["present"] == [False])


def test_slow_client(person: People) -> None:
    """A client that does not read for long loses no line, and gets each of them once."""
    table, people, _ = pair(person)
    slow = people[1].sit(table, scene="wide")
    texts = [f"{number} " + "x" * 400 for number in range(80)]
    for text in texts:
        assert people[0].do(table, "chat", text=text)["ok"]
    slow.sees(lambda state: any(line["text"] == texts[-1] for line in state["lines"]))
    assert [line["text"] for line in slow.lines if line["kind"] == "chat"] == texts


def test_stale_move(person: People, server: Running) -> None:
    """A move for a moment that is over is refused as stale and changes nothing."""
    table, _, sockets = pair(person)
    first = next(s for s in sockets if s.state["legal"])
    old, token = first.state["seq"], first.state["legal"][0]["token"]
    assert first.do("move", token=token)["ok"]
    before = server.events(table)
    answer = first.do("move", token=token, seq=old)
    assert answer["kind"] == "stale" and "look again" in answer["message"]
    assert first.do("move", token=token, seq=10**6)["kind"] == "stale"
    assert server.events(table) == before


def test_duplicates_are_harmless(person: People, server: Running) -> None:
    """A command that is sent again with the same id is obeyed once and answered each time."""
    table, _, sockets = pair(person)
    first = next(s for s in sockets if s.state["legal"])
    id_, seq = new_id(), first.state["seq"]
    for _ in range(3):
        first.send("move", token=first.state["legal"][0]["token"], id_=id_, seq=seq)
    assert all(first.answer(id_)["ok"] for _ in range(3))
    commands = [str(event[3]) for event in server.events(table)]
    assert sum(command.endswith(f":{id_}") for command in commands) == 1


def test_look_can_be_changed(person: People) -> None:
    """A client can ask for a picture, another seat in front, or another language at any time."""
    _, _, sockets = pair(person)
    assert "picture" not in sockets[0].state
    sockets[0].connection.send('{"look": {"scene": "tall", "focus": 1, "language": "de"}}')
    picture = sockets[0].sees(lambda state: "picture" in state)["picture"]
    assert picture["svg"].startswith("<svg") and picture["prompt"]
    sockets[0].connection.send('{"look": {"scene": "round"}}')
    refused = sockets[0].answer("")
    assert refused["kind"] == "syntax" and "möglich" in refused["message"]


def test_closing_codes(person: People, server: Running) -> None:
    """An unknown table, an invalid look and a page of another site are refused clearly."""
    socket = Socket(server.address, "no-such-table")
    assert socket.receive()["kind"] == "gone"
    with pytest.raises(ConnectionClosed) as closed:
        socket.receive()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404
    socket.close()
    table = person("A").create()
    for wrong in ({"scene": "round"}, {"language": "xx"}, {"seq": "x"}, {"origin": "http://evil"}):
        with pytest.raises(InvalidStatus) as refused:
            Socket(server.address, table, **wrong)
        assert refused.value.response.status_code == 403


def test_shaky_line(person: People, server: Running) -> None:
    """Messages that are dropped, doubled, held back or cut off never lose or repeat a move."""
    people = [person("A"), person("B")]
    table = people[0].create("drop")
    assert people[1].do(table, "join")["ok"]
    chance = random.Random(5)
    with ShakyLine(server.address, chance) as line:
        clients = [Stubborn(line.address, table, somebody.cookie, chance) for somebody in people]
        for number in range(30):
            acting = [c for c in clients if c.may_move()]
            if acting:
                acting[0].move()
            else:
                clients[number % 2].reconnect()
        for client in clients:
            client.close()
    acknowledged = [id_ for client in clients for id_ in client.acknowledged]
    stored = [str(event[3]).rpartition(":")[2] for event in server.events(table) if event[3]]
    assert len(acknowledged) > 5 and line.troubles > 20
    assert all(stored.count(id_) == 1 for id_ in acknowledged)
    assert len(stored) == len(set(stored))
    for client, somebody in zip(clients, people, strict=True):
        client.reconnect_directly(server.address)
        assert client.lines == somebody.look(table)["lines"]


def test_compression_keeps_nothing_between_messages(person: People) -> None:
    """A browser's socket is compressed, each message by itself: no memory for it stays taken."""
    ann = person("Ann")
    address = ann.address.replace("http", "ws") + f"/api/tables/{ann.create()}/socket?scene=wide"
    with connect(address, compression="deflate") as socket:
        assert socket.response is not None
        chosen = socket.response.headers["Sec-WebSocket-Extensions"]
        assert "server_no_context_takeover" in chosen and "client_no_context_takeover" in chosen
        assert json.loads(socket.recv())["type"] == "state"


def test_spectators_without_a_name_are_sent_the_same_bytes(person: People) -> None:
    """Each message is made, compressed and framed once for all of them, and reads as the API's."""
    table, people, sockets = pair(person)
    place = f"{people[0].address.replace('http', 'ws')}/api/tables/{table}/socket?scene=wide"
    with ExitStack() as stack:
        watching = [
            stack.enter_context(connect(place, compression=how))
            for how in ("deflate", "deflate", None)
        ]
        for socket in watching:
            assert json.loads(socket.recv())["type"] == "state"
        for number in range(3):
            assert people[0].do(table, "chat", text=f"hello {number}")["ok"]
            told = [socket.recv() for socket in watching]
            assert told[0] == told[1] == told[2]
            assert json.loads(told[0])["lines"][-1]["text"] == f"hello {number}"
            assert json.loads(told[0])["you"] is None
        assert all(sees_name(socket, "A") for socket in sockets[:1])


def sees_name(socket: Socket, name: str) -> bool:
    """Whether the latest state was made for that person."""
    return bool(socket.sees(lambda state: bool(state["lines"]))["you"]["name"] == name)


@pytest.mark.parametrize("length", [0, 1, 125, 126, 299, 300, 65_535, 65_536, 200_000])
@pytest.mark.parametrize("window", [0, 9, 15])
def test_a_frame_is_read_by_any_client(length: int, window: int) -> None:
    """Of each length, plain and compressed, by the parser of another library's side."""
    text = ("grüße " * length)[:length]
    reader = StreamReader()
    reader.feed_data(_frame(text, window))
    reader.feed_eof()
    deflate = PerMessageDeflate(True, True, window or 15, 15)
    parsing = Frame.parse(reader.read_exact, mask=False, extensions=[deflate] if window else [])
    with pytest.raises(StopIteration) as done:
        next(parsing)
    assert done.value.value.data.decode() == text
    assert done.value.value.fin
