"""The host's page and routes: behind a token, and nothing at all without one."""

from __future__ import annotations

from dataclasses import replace

import httpx
import pytest

from tests.web.conftest import GENEROUS, run
from tests.web.people import Person

TOKEN = "only-the-host-knows-this-token"


@pytest.fixture(scope="module")
def hosted(tmp_path_factory):
    """A server whose host has set a token."""
    file = tmp_path_factory.mktemp("admin") / "tables.db"
    yield from run(replace(GENEROUS, database=str(file), admin_token=TOKEN))


@pytest.fixture
def admin(hosted):
    """A client with the token."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=f"{hosted.address}/api/admin", headers=headers) as client:
        yield client


def found(admin, name):
    """The public id of somebody by name."""
    (one,) = admin.get("/people", params={"search": name}).json()
    return one["id"]


def test_nothing_is_there_without_a_token(person):
    """A server whose host has set none has neither the page nor the routes."""
    anna = person("Anna")
    for path in ("/admin", "/api/admin", "/api/admin/people"):
        assert anna.http.get(path, headers={"Authorization": "Bearer"}).status_code == 404
    assert "admin" not in anna.http.get("/api/openapi.json").text


def test_whoever_guesses_is_slowed_down(hosted):
    """Wrong tokens are refused; after five of them even the right one has to wait."""
    own = {"X-Forwarded-For": "203.0.113.9"}
    with httpx.Client(base_url=hosted.address, headers=own) as client:
        assert client.get("/admin").status_code == 200  # the page asks for it
        for _guess in range(5):
            wrong = client.get("/api/admin", headers={"Authorization": "Bearer x"})
            assert wrong.status_code == 403
        late = client.get("/api/admin", headers={"Authorization": f"Bearer {TOKEN}"})
        assert late.status_code == 429
        assert late.headers["Retry-After"]


def test_blocking_closes_sockets_and_refuses(hosted, admin):
    """A blocked person's socket closes with the reason, and whatever they ask for is refused with
    it; others go on, and afterwards they are welcome again."""
    with Person(hosted.address, "Zoe Blocked") as zoe, Person(hosted.address, "Yan") as yan:
        table = zoe.create("drop")
        socket = zoe.sit(table)
        socket.receive()
        path = f"/people/{found(admin, 'zoe blocked')}"
        assert admin.put(path, json={"blocked": True, "reason": "spam"}).status_code == 200
        refusal = socket.until(lambda message: message["type"] == "answer")
        assert (refusal["kind"], "spam" in refusal["message"]) == ("forbidden", True)
        assert zoe.do(table, "chat", text="hi")["kind"] == "forbidden"
        assert zoe.http.get(f"/api/tables/{table}").status_code == 403
        assert zoe.http.put("/api/me", json={"name": "Zed"}).status_code == 403
        assert "spam" in zoe.http.get("/api/announcement").json()["text"]
        assert yan.do(table, "join")["ok"]
        assert admin.put(path, json={"blocked": False}).status_code == 200
        assert zoe.do(table, "chat", text="hi")["ok"]


def test_removed_chat_leaves_open_pages(hosted, admin):
    """Whoever looks at the table gets the log anew, without the words."""
    with Person(hosted.address, "Xaver") as xaver:
        table = xaver.create("drop")
        socket = xaver.sit(table)
        assert xaver.do(table, "chat", text="rude words")["ok"]
        socket.sees(lambda state: any(line["kind"] == "chat" for line in state["lines"]))
        (said,) = admin.get(f"/tables/{table}/chat").json()
        assert admin.delete(f"/tables/{table}/chat/{said['seq']}").status_code == 200
        state = socket.sees(lambda s: any(line["text"] == "…" for line in s["lines"]))
        assert "rude" not in str(state)


def test_what_is_wrong_is_named(admin):
    """Unknown people, empty changes, and announcements without a time are refused clearly."""
    for response, word in (
        (admin.put("/people/nobody", json={"blocked": True}), "nobody"),
        (admin.put("/people/nobody", json={}), "expected"),
        (admin.put("/people/nobody", json={"blocked": "x"}), "bool"),
        (admin.put("/announcement", json={"text": "x", "begins": 2, "ends": 1}), "must end"),
        (admin.put("/announcement", json={"text": "x"}), "begins"),
        (admin.get("/tables/none/chat"), "none"),
        (admin.get("/usage/moon.svg"), "moon"),
        (admin.get("/tables", params={"status": "moon"}), "moon"),
    ):
        assert 400 <= response.status_code < 500
        assert word in response.json()["message"]


def test_pictures_and_overview(admin):
    """Each picture is an SVG of its own; the overview knows what was done and what is old."""
    drawn = {name: admin.get(f"/usage/{name}.svg").text for name in ("matches", "people", "busy")}
    assert all(text.startswith("<svg") for text in drawn.values())
    assert len(set(drawn.values())) == 3
    seen = admin.get(str(admin.base_url).rstrip("/")).json()
    assert {"guests", "waiting", "unfinished", "finished", "chat", "groups"} == set(seen["old"])
    assert seen["keep"]["guests"] == 365


def test_groups_are_found_and_removed(hosted, admin):
    """The host finds a standing group by its name, without its link, and removes it."""
    with Person(hosted.address, "Ann") as ann:
        group = ann.http.post("/api/groups", json={"name": "Odd words"}).json()["group"]
        link = ann.http.get(f"/api/groups/{group}/link").json()["link"].rpartition("/")[2]
        listed = admin.get("/groups", params={"search": "odd"})
        assert [one["id"] for one in listed.json()] == [group] and link not in listed.text
        assert admin.delete(f"/groups/{group}").status_code == 200
        assert ann.http.get("/api/groups").json() == []
        assert admin.delete(f"/groups/{group}").status_code == 404
        overview = admin.get(str(admin.base_url).rstrip("/")).json()
        assert overview["acts"][0]["act"] == "remove group"
