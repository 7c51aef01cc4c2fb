"""What a seat tells an assistant: what its people may know, whatever a server sends."""

import json
import random
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

import droptable
from droptable.assistants.local_seat import LocalSeat
from droptable.assistants.seat import Refused
from droptable.assistants.web_seat import SentView, Site, WebSeat, view_of
from droptable.bots.registry import make_bot
from droptable.core.contract import DEALER
from droptable.core.errors import DroptableError, OptionError
from droptable.tables.viewer import plain

NAMES = [game.name for game in droptable.games()]


def sent(view):
    return json.loads(
        json.dumps({"players": view.players, "options": view.options, "seat": view.seat,
                    "view": plain(view)})
    )  # fmt: skip


def everything_told(seat, tokens):
    """All that an assistant can find out at a seat without changing anything."""
    told = [seat.look()]
    for token in tokens:
        told.append(seat.why(token))
    return told


@pytest.mark.parametrize("name", NAMES)
def test_a_local_seat_tells_nothing_hidden(name):
    """All that is hidden from it may be another thing: it is told the same, refusals included."""
    game = droptable.game(name)
    players = game.players[-1]
    tokens = random.Random(1).sample(game.vocabulary(game.start(players).options).actions, 4)
    for seed in range(2):
        seats = []
        for _ in range(2):
            bots = [make_bot("random", k) for k in range(players - 1)]
            seat = LocalSeat(game, players, 0, bots, seed=seed)
            for _move in range(3):
                if not seat.over:
                    seat.move(seat._match.view(0).legal[-1])
            seats.append(seat)
        one, other = seats
        if one.over:
            continue
        other._match._state = one._match._state.view(0).determinize(seed=8)
        assert everything_told(other, tokens) == everything_told(one, tokens)
        illegal = next(t for t in tokens if t not in one._match.view(0).legal)
        refusals = []
        for seat in seats:
            with pytest.raises(DroptableError) as refused:
                seat.move(illegal)
            refusals.append(str(refused.value))
        assert refusals[0] == refusals[1]


@pytest.mark.parametrize("name", NAMES)
def test_a_view_arrives_as_it_was_sent(name):
    """What a server sends as fields is the same view here, byte by byte, in every game."""
    game, chance = droptable.game(name), random.Random(4)
    for players in game.players:
        state = game.start(players)
        for _ in range(30):
            if state.over:
                break
            actor = state.to_act[0]
            if actor == DEALER:
                state.deal(chance)
                continue
            view = state.view(actor)
            arrived = view_of(game, sent(view))
            assert bytes(arrived) == bytes(view) and str(arrived) == str(view)
            assert arrived.legal == view.legal and arrived.to_act == view.to_act
            state.apply(actor, chance.choice(view.legal))


class FakeSite:
    """A server that answers whatever it likes."""

    address = "http://strange/"

    def __init__(self, state):
        self.state = state

    def introduce(self, name):
        pass

    def ask(self, _method, _path, _body=None):
        return self.state


@pytest.mark.parametrize("junk", ["junk", None, [], [[1, 2], 3], {"a": 1}, 1e99, 10**30, "9" * 40])
def test_a_view_that_is_none_is_refused(junk):
    """Fields that no record has are refused; what does arrive is read by plain Python only."""
    game = droptable.game("depot")
    state = game.start()
    while DEALER in state.to_act:
        state.deal(random.Random(1))
    good = sent(state.view(state.to_act[0]))
    rest = {"game": "depot", "status": "playing", "seq": 1, "to_act": [], "lines": [],
            "seats": [{"name": "x"}] * 3}  # fmt: skip
    for field in state.view(0).array.dtype.names:
        message = good | rest | {"view": good["view"] | {field: junk}}
        with pytest.raises(Refused, match="the server sends another kind of view"):
            WebSeat(FakeSite(message), "t", "Cleo").look()
    assert isinstance(view_of(game, good), SentView)
    assert view_of(game, good)._engine is game.plain


def test_only_links_of_named_servers_lead_to_tables():
    """A server is its whole address; what comes after is a table's id and nothing else."""
    site = Site("https://example.org/games/")
    assert site.table_of("https://example.org/games/t/aB-3_x") == "aB-3_x"
    assert site.table_of("https://example.org/games/t/aB/#invited") == "aB"
    for link in (
        "https://example.org/t/a", "http://example.org/games/t/a", "https://example.org.evil/games/t/a",
        "https://example.org/games/t/../../me", "https://example.org/games/t/a%2F..", "t/a", "",
        "https://example.org/games/t/a?x=1", "https://example.org/games/api/me",
        "https://example.org/games/t/" + "a" * 65,
    ):  # fmt: skip
        assert site.table_of(link) is None, link
    for address in ("ftp://x/", "file:///etc", "example.org", "https://", "https://x/?a=1"):
        with pytest.raises(OptionError, match="expected https://HOST/"):
            Site(address)


def test_redirects_are_not_followed():
    """A server cannot send an assistant to another one."""
    asked = []

    class Redirects(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Redirects)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        site = Site(f"http://127.0.0.1:{server.server_port}")
        with pytest.raises(Refused, match="the server refused: 302"):
            site.ask("GET", "games")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert asked == ["/api/games"]
