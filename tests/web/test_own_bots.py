"""Bots of the host's own at a running server: listed, seated by name, measured."""

import time
from dataclasses import replace

import pytest

from tests.web.conftest import GENEROUS, run
from tests.web.people import Person

BOT = """\
class Last:
    def choose(self, view):
        return view.legal[-1]

def bad(view):
    return "fly to the moon"
"""


@pytest.fixture(scope="module")
def own_server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    (folder / "bots.py").write_text(BOT)
    config = replace(GENEROUS, database=str(folder / "tables.db"))
    bots = f"last={folder}/bots.py:Last; Bad One={folder}/bots.py:bad"
    yield from run(config.change("bots", bots))


def test_people_see_their_names_and_play_against_them(own_server):
    """They are listed by the API and on pages, without where they are, and move at tables."""
    with Person(own_server.address, "Anna") as anna:
        listed = anna.http.get("/api/bots").json()
        assert listed["own"] == ["last", "Bad One"] and "normal" in listed["levels"]
        page = anna.http.get("/", headers={"Accept": "text/html"}).text
        assert 'data-bots="[&quot;last&quot;, &quot;Bad One&quot;]"' in page
        table = anna.create("drop", seats=["last", "me"])
        while (state := anna.look(table))["to_act"] != [1]:
            time.sleep(0.02)
        assert state["seats"][0]["bot"] == "last" and not state["rated"]
        assert "bots.py" not in str(listed) + page + str(state) + str(own_server.events(table))


def test_wrong_answers_are_counted(own_server):
    """The match goes on by legal moves, and the host reads in /metrics how many there were."""
    with Person(own_server.address, "Anna") as anna:
        table = anna.create("drop", seats=["Bad One", "me"])
        while anna.look(table)["to_act"] != [1]:
            time.sleep(0.02)
        assert 'what="failures of Bad One"} 1.0' in anna.http.get("/metrics").text


@pytest.mark.parametrize("bot", ["program:sh -c true", "../bots.py:Last", "bots:Last", "LAST"])
def test_nobody_else_names_code(own_server, bot):
    """Whatever is no name on the list is refused, at a new table and as a command."""
    with Person(own_server.address, "Anna") as anna:
        made = anna.http.post("/api/tables", json={"game": "drop", "seats": ["me", bot]})
        assert made.status_code == 422 and "expected beginner" in made.json()["message"]
        table = anna.create("drop", seats=["me", "open"])
        answer = anna.do(table, "add_bot", seat=1, bot=bot)
        assert not answer["ok"] and "last, Bad One" in answer["message"]
