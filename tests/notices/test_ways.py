"""Notices from end to end: a real server, and receivers of their own on loopback."""

import json
import re
import time

import pytest

from benchmarks.receivers import signed_claims
from droptable.core.errors import OptionError
from droptable.notices import courier, what
from droptable.notices.service import Means
from tests.notices.conftest import calling
from tests.web.conftest import run, server  # noqa: F401
from tests.web.people import Person

SITE = "https://games.example.org"


@pytest.fixture(scope="module")
def caller(receivers, tmp_path_factory):
    """A server that calls people back."""
    config = calling(receivers, tmp_path_factory.mktemp("notices"), f"{SITE}/")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(what, "GRACE", 0.3)  # seconds; nobody here comes back to a table
        patch.setattr(courier, "POLL", 0.1)
        yield from run(config)


@pytest.fixture
def reached(caller, receivers):
    """Makes people who are reached by webhook, or in all ways."""
    people = []

    def make(name, *ways):
        person = Person(caller.address, name)
        people.append(person)
        for way in ways:
            place = {"push": receivers.browser, "webhook": receivers.hook}.get(
                way, lambda who: f"{who}@example.org"
            )
            add(person, 201, **{way: place(name)})
        return person

    yield make
    for person in people:
        person.__exit__()


def add(person, status, **target):
    answer = person.http.post("/api/me/notices/targets", json=target)
    assert answer.status_code == status, answer.text
    return answer.json()


def choose(person, status=200, **wishes):
    answer = person.http.put("/api/me/notices", json=wishes)
    assert answer.status_code == status, answer.text
    return answer.json()


def legal(person, table):
    return person.look(table)["legal"][0]["token"]


def test_a_turn_arrives_in_all_ways(reached, receivers):
    """Push (decrypted, signed), mail (confirmed first) and webhook tell of the turn under one id;
    who looks at the table, has switched it off, or sits elsewhere is not called. No notice has
    anything in it that its reader may not know."""
    ann = reached("ann", "push", "webhook", "mail")
    asked = receivers.wait(lambda a: a.way == "mail" and a.who == "ann")
    assert "confirm=" in asked.url and "List-Unsubscribe" not in asked.raw
    token = re.search("confirm=(.*)", asked.url)[1]
    wrong = ann.http.post("/api/notices/confirm", json={"token": token[:-2] + "xx"})
    assert wrong.status_code == 404
    assert ann.http.post("/api/notices/confirm", json={"token": token}).status_code == 200
    bob, cid, dan = (reached(name, "webhook") for name in ("bob", "cid", "dan"))
    choose(dan, turn=False)
    tables = {}
    eve = reached("eve", "webhook")
    for owner in (ann, cid, dan, eve):
        tables[owner] = owner.create("drop", title="Kitchen")
    looking = cid.sit(tables[cid])
    looking.receive()
    hidden = eve.sit(tables[eve])
    hidden.receive()
    hidden.connection.send('{"visible": false}')  # the page is open, but nobody sees it
    for table in tables.values():
        assert bob.do(table, "join")["ok"]
    found = [
        receivers.wait(
            lambda a, way=way: a.way == way and a.who == "ann" and a.title == "Your turn"
        )
        for way in ("push", "mail", "webhook")
    ]
    away = receivers.wait(lambda a: a.who == "eve")
    assert {arrival.id for arrival in found} == {found[0].id} != {away.id}
    for arrival in found:
        assert arrival.url == f"{SITE}/t/{tables[ann]}" and "Kitchen, with bob" in arrival.text
    assert receivers.of("cid") == receivers.of("dan") == receivers.of("bob") == []
    push, mail, _hook = found
    claims, key = signed_claims(re.search("Authorization: (.*)", push.raw)[1], receivers.address)
    assert claims["sub"] == "mailto:host@example.org"
    assert key == ann.http.get("/api/notices").json()["push_key"]
    stop_by_one_click(ann, mail)
    read_everything(receivers, tables, {"ann": ann, "bob": bob, "cid": cid, "dan": dan})


def stop_by_one_click(ann, mail):
    """RFC 8058: one request without a cookie suffices; looking at the link stops nothing."""
    address = re.search(r"List-Unsubscribe: <(\S+)>", mail.raw.replace("\n ", ""))[1]
    path = address.removeprefix(SITE)
    looked = ann.http.get(path, follow_redirects=False)
    assert looked.status_code == 303 and "/notices#stop=" in looked.headers["location"]
    ways = lambda: [t["way"] for t in ann.http.get("/api/me/notices").json()["targets"]]  # noqa: E731
    assert "mail" in ways()
    with Person(ann.address) as provider:
        done = provider.http.post(path, content="List-Unsubscribe=One-Click")
    assert done.status_code == 200 and "mail" not in ways()
    assert ann.http.post(path).status_code == 200  # idempotent


def read_everything(receivers, tables, people):
    """The secrets test: identities, cookies, other tables and cards are in no notice."""
    for arrival in receivers.arrivals:
        for name, person in people.items():
            identity = person.cookie.partition(".")[0]
            assert identity not in arrival.raw and person.cookie not in arrival.raw
            if person in tables and arrival.who != name:
                assert tables[person] not in arrival.raw, "another table's id"


def test_the_end_a_rematch_and_dead_subscriptions(reached, receivers):
    """The end and an invitation arrive; a subscription that is gone is removed, a webhook that is
    gone is shown with its reason, and a notice about hidden hands has no card of them."""
    fay, gil = reached("fay", "push", "webhook"), reached("gil", "webhook")
    receivers.answers["/push/fay"] = 410
    table = gil.create("drop")
    fay.do(table, "join")
    receivers.wait(lambda a: a.who == "gil" and a.title == "Your turn")
    assert gil.do(table, "resign")["ok"]
    over = receivers.wait(lambda a: a.who == "fay" and "over" in a.title)
    assert over.text == "Drop.: you win!"
    assert gil.do(table, "rematch")["ok"]
    asked = receivers.wait(lambda a: a.who == "fay" and "rematch" in a.title)
    assert asked.title == "gil wants a rematch" and asked.url != over.url
    targets = fay.http.get("/api/me/notices").json()["targets"]
    assert [target["way"] for target in targets] == ["webhook"]
    receivers.answers["/hook/fay"] = 404
    fay.http.post("/api/me/notices/test")
    end = time.monotonic() + 20
    while targets[0]["state"] == "on" and time.monotonic() < end:
        time.sleep(0.05)
        targets = fay.http.get("/api/me/notices").json()["targets"]
    assert targets[0]["state"] == "off" and "404" in targets[0]["problem"]
    data = fay.http.get("/api/me/data").json()
    assert data["notices"]["targets"][0]["way"] == "webhook"
    assert fay.http.delete("/api/me").status_code == 200


def test_an_invitation_by_name_is_told_once(reached, receivers):
    """Who is invited by name gets one notice with a link to the table, however often they are
    invited there; nobody else gets one."""
    kim, leo = reached("kim", "webhook"), reached("leo", "webhook")
    table = kim.create("drop")
    leo.do(table, "join")
    assert leo.do(table, "resign")["ok"]
    receivers.wait(lambda a: a.who == "leo")  # that it is over: else both may come as one
    new, id_ = kim.create("drop"), leo.http.get("/api/people/me").json()["id"]
    for _ in range(2):
        invited = kim.http.post(f"/api/tables/{new}/invitations", json={"person": id_})
        assert invited.status_code == 201
    asked = receivers.wait(lambda a: a.who == "leo" and "invites" in a.title)
    assert asked.title == "kim invites you" and asked.url.endswith(f"/t/{new}")
    assert leo.http.post("/api/me/notices/test").status_code < 300
    receivers.wait(lambda a: a.who == "leo" and a.title == "Droptable can reach you")
    assert [a.who for a in receivers.arrivals if "invites" in a.title and new in a.raw] == ["leo"]


def test_bad_wishes_and_targets_get_clear_answers(reached, receivers):
    """What is wrong is named and changes nothing; secrets of targets are not shown again."""
    hal = reached("hal", "webhook")
    for status, target in (
        (409, {"webhook": "https://169.254.169.254/"}),
        (422, {"webhook": "hello"}),
        (422, {"mail": "hello"}),
        (422, {"push": {"endpoint": receivers.hook("x"), "keys": {"p256dh": "x", "auth": "y"}}}),
        (409, {"push": receivers.browser("hal") | {"endpoint": "https://10.0.0.1/x"}}),
        (422, {}),
        (422, {"mail": "a@example.org", "webhook": "https://example.org/"}),
    ):
        assert add(hal, status, **target)["message"]
    for wishes in ({"zone": "Nowhere/Land"}, {"quiet_from": "25:00", "quiet_to": "1"},
                   {"language": "xx"}, {"digest": "week"}):  # fmt: skip
        assert choose(hal, 422, **wishes)["message"]
    choice = choose(hal, digest="day", zone="Europe/Berlin", quiet_from="22:00", quiet_to="08:00")
    assert choice["wishes"]["digest"] == "day"
    (target,) = choice["targets"]
    assert "/hook/" not in json.dumps(target) and "(json)" in target["address"]
    receivers.refused_mail.add("hal@example.org")
    add(hal, 201, mail="hal@example.org")
    add(hal, 429, mail="hal@example.org")  # not twice within the hour
    with Person(hal.address, "ian") as ian:
        stolen = ian.http.delete(f"/api/me/notices/targets/{target['id']}")
        assert stolen.status_code == 404
    end = time.monotonic() + 20
    mail = {"state": "new"}
    while mail["state"] == "new" and time.monotonic() < end:
        time.sleep(0.05)
        targets = hal.http.get("/api/me/notices").json()["targets"]
        (mail,) = [target for target in targets if target["way"] == "mail"]
    assert mail["state"] == "off" and "550" in mail["problem"]


def test_where_nothing_is_configured_nothing_is_offered(server):  # noqa: F811
    """No ways, no key, and refusals that say so; a wrong setting is named at the start."""
    with Person(server.address, "Ann") as ann:
        assert ann.http.get("/api/notices").json() == {"ways": [], "push_key": ""}
        for method, path in (("GET", "/api/me/notices"), ("POST", "/api/me/notices/test")):
            refused = ann.http.request(method, path)
            assert refused.status_code == 404
            assert refused.json()["message"] == "this server sends no notices"
    for means, wrong in (
        (Means(("fax",), SITE), "'fax'"),
        (Means(("push",)), "DROPTABLE_SITE"),
        (Means(("mail",), SITE), "DROPTABLE_SMTP"),
        (Means(("mail",), SITE, "smtp://x"), "DROPTABLE_MAIL_FROM"),
        (Means(("push",), SITE, networks="x"), "'x' is not a network"),
    ):
        with pytest.raises(OptionError, match=wrong):
            means.check()


def test_no_rematch_is_told_across_a_block(reached, receivers):
    """Who has blocked the owner of a rematch, or was blocked by them, gets no notice of it; another
    person of the match does."""
    mia, ned, oda, pia = (reached(name, "webhook") for name in ("mia", "ned", "oda", "pia"))
    table = mia.create("depot", players=4)
    for someone in (ned, oda, pia):
        someone.do(table, "join")
    if mia.look(table)["status"] == "waiting":
        mia.do(table, "start")
    for someone in (ned, oda, pia):
        assert someone.do(table, "resign")["ok"]
    for blocks, other in ((ned, mia), (mia, oda)):
        id_ = other.http.get("/api/people/me").json()["id"]
        assert blocks.http.put(f"/api/friends/{id_}", json={"blocked": True}).status_code == 200
    for name in ("ned", "oda", "pia"):
        receivers.wait(lambda a, name=name: a.who == name and "over" in a.title)
    again = mia.do(table, "rematch")["table"]
    receivers.wait(lambda a: a.who == "pia" and again in a.raw)
    before = len(receivers.arrivals)
    for someone in (ned, oda):  # what is told after it has come
        assert someone.http.post("/api/me/notices/test").is_success
    receivers.wait(lambda _: {a.who for a in receivers.arrivals[before:]} >= {"ned", "oda"})
    assert {a.who for a in receivers.arrivals if again in a.raw} == {"pia"}
