"""Replays over HTTP: what each viewer sees, files to keep, and the coach."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import PIL.Image
import pytest

import droptable
from droptable.core.language import _, speaking
from droptable.core.plain_variant import plain_variant
from droptable.core.record import Record
from droptable.games import game, games
from droptable.tables.crew import Bounds
from droptable.web import coach_jobs, replay_api, studio
from droptable.web.coach_jobs import CoachPool
from droptable.web.pictures import Look
from droptable.web.replay import MOST_FRAMES, Replay
from droptable.web.studio import Match, Studio
from tests.core.test_plain_variant import VARIANTS, some_moves
from tests.web.conftest import GENEROUS, Running, run
from tests.web.people import Person, play_on
from tests.web.test_tables import table_of

People = Callable[..., Person]
NAMES = ("Ann", "Bob", "Cleo")


def match(name: str = "drop-or-pop", players: int = 3, **options: Any) -> Record:
    """A whole match of random moves, with names."""
    record = droptable.play(game(name), players, seed=3, **options)
    info = {f"seat {seat}": NAMES[seat] for seat in range(players)}
    return Record(record.game, record.players, record.options, record.events, info)


def sent(somebody: Person, record: Record) -> str:
    """The address of a record's replay."""
    answer = somebody.http.post("/api/replays", content=record.to_json())
    assert answer.status_code == 201, answer.text
    return f"/api/replays/{answer.json()['key']}"


def got(somebody: Person, address: str, **query: Any) -> Any:
    """The JSON at an address that must exist."""
    answer = somebody.http.get(address, params=query, timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_records_of_variants_of_all_games(person: People) -> None:
    """A record that carries a variant is replayed by its rules; the coach says that it cannot."""
    for tested in games():
        check_variant(person, tested)


def check_variant(person: People, tested: droptable.Game) -> None:
    """Upload some moves of a variant, and look at them."""
    record = some_moves(plain_variant(tested, VARIANTS[tested.name]), 8)
    address = sent(person(), record)
    about = got(person(), address)
    assert about["game"] == tested.name and about["variant"] == VARIANTS[tested.name]
    assert about["title"] == record.game.title != tested.title
    for at in (0, len(record.events)):
        scene = got(person(), f"{address}/scene", at=at)
        assert ElementTree.fromstring(scene["picture"]["svg"]).tag.endswith("svg")
        assert scene["scores"] == list(record.state_at(at).scores)
    assert person().http.get(f"{address}/record").text == record.to_json()
    refused = person().http.post(f"{address}/coach")
    assert refused.status_code == 409 and "does not know variants" in refused.text


def test_a_bad_variant_is_refused(person: People) -> None:
    """A stranger's constants that are far off or no numbers get an answer that names them."""
    text = some_moves(plain_variant(game("depot"), {"HAND_SIZE": 7}), 5).to_json()
    for value in ("100000", '"<script>"', "7.5"):
        sent_text = text.replace('"HAND_SIZE": 7', f'"HAND_SIZE": {value}')
        answer = person().http.post("/api/replays", content=sent_text)
        assert answer.status_code == 422 and "HAND_SIZE" in answer.json()["message"], answer.text


@pytest.mark.parametrize("tested", games(), ids=lambda tested: tested.name)
def test_any_record(person: People, tested: droptable.Game) -> None:
    """A record of any game can be uploaded and replayed from start to end."""
    options = {"round_limit": 1} if tested.name == "drop-site" else {}
    record = match(tested.name, min(3, tested.players[-1]), **options)
    address = sent(person(), record)
    about = got(person(), address)
    assert about["names"] == list(NAMES[: record.players])
    assert about["length"] == len(about["events"]) == len(record.events)
    assert about["winners"] == list(record.final.winners) and about["verdict"]
    assert [event["actor"] for event in about["events"]] == [actor for actor, _ in record.events]
    for at in (0, len(record.events) // 2, len(record.events)):
        for shape in ("wide", "tall"):
            scene = got(person(), f"{address}/scene", at=at, scene=shape)
            assert ElementTree.fromstring(scene["picture"]["svg"]).tag.endswith("svg")
            assert scene["scores"] == list(record.state_at(at).scores)
            assert "(you)" not in scene["picture"]["svg"]
    assert Record.from_json(person().http.get(f"{address}/record").text) == record


def test_viewers(person: People) -> None:
    """A seat's view shows no card dealt to others; an open replay shows them all."""
    record = match("drop-site", 3, round_limit=1)
    address = sent(person(), record)
    assert [e["token"] for e in got(person(), address)["events"]] == [t for _, t in record.events]
    for seat in range(3):
        for number, event in enumerate(got(person(), address, seat=seat)["events"]):
            state = record.state_at(number)
            knows = seat in state.witnesses(*record.events[number])
            assert (event["token"] is not None) == knows
        assert got(person(), f"{address}/scene", at=20, seat=seat)["seat"] == seat
        story = json.dumps(got(person(), address, seat=seat)["events"][:15])
        assert story.count("is dealt a card") == 10


def test_an_open_replay_follows_the_mover() -> None:
    """With everything open, cards are seen from the seat that moves next, or the one in focus."""
    replay = Replay(match("drop-site", 3, round_limit=1))
    for at, (actor, _token) in enumerate(replay.record.events):
        if actor >= 0:
            assert replay.view(at, None).seat == actor
            assert replay.view(at, None, focus=(actor + 1) % 3).seat == (actor + 1) % 3
    assert Replay(match("drop-or-pop")).view(5, None).seat is None  # nothing is hidden there


def test_ghost_of_a_better_move(person: People) -> None:
    """A legal move of the seat that moves is drawn over its picture, and nothing else is."""
    record = match("drop-site", 3, round_limit=1)
    address = f"{sent(person(), record)}/scene"
    at, (seat, _token) = next((i, e) for i, e in enumerate(record.events) if e[0] >= 0)
    token = record.state_at(at).legal(seat)[-1]
    assert got(person(), address, at=at, show=token)["ghost"]
    assert got(person(), address, at=at, show=token, seat=seat)["ghost"]
    assert got(person(), address, at=at, show="nonsense")["ghost"] is None
    assert got(person(), address, at=at, show=token, seat=(seat + 1) % 3)["ghost"] is None
    assert got(person(), address, at=len(record.events), show=token)["ghost"] is None


def test_finished_table(person: People) -> None:
    """Everybody with the link can replay a finished table; its players learn their seat."""
    people = [person("Ann"), person("Bob")]
    table, sockets = table_of(people, "drop")
    address = f"/api/replays/table:{table}"
    early = people[0].http.get(address)
    assert early.status_code == 409 and "not over" in early.json()["message"]
    play_on(sockets, random.Random(2))
    about = got(people[1], address)
    assert sorted(about["names"]) == ["Ann", "Bob"]
    assert about["you"] == people[1].look(table)["seat"]
    assert about["verdict"] == people[1].look(table)["result"]["verdict"]
    assert got(person(), address)["you"] is None


def test_nameless(person: People) -> None:
    """Seats without a name are called by their number, in the reader's language."""
    address = sent(person(), droptable.play(game("drop-or-pop"), 3, seed=3))
    assert got(person(), address)["names"][0] == "Seat 1"
    with speaking("de"):
        german = _("Seat {number}").format(number=1)
    assert got(person(), address, language="de")["names"][0] == german


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/replays/record:0", 404),
        ("/api/replays/nonsense", 404),
        ("/api/replays/table:nonsense/scene", 404),
        ("{}/scene?at=100000", 422),
        ("{}/scene?seat=7", 422),
        ("{}?seat=7", 422),
        ("{}/picture.svg?at=100000", 422),
        ("{}/animation.gif?seat=7", 422),
    ],
)
def test_what_is_not_there(person: People, path: str, status: int) -> None:
    """Unknown replays, moments and seats are refused in words."""
    address = sent(person(), match())
    refused = person().http.get(path.format(address), timeout=60)
    assert refused.status_code == status and refused.json()["message"]


def test_false_records(person: People) -> None:
    """What breaks a rule, or is no record, is refused with the reason."""
    good = json.loads(match().to_json())
    good["events"][1] = [0, "pop"]
    for body in (json.dumps(good), "[]", "{", b"\xff", ""):
        refused = person().http.post("/api/replays", content=body)
        assert refused.status_code == 422 and refused.json()["kind"] == "syntax"
    refused = person().http.post("/api/replays", content=json.dumps(good)).json()
    assert "event 1" in refused["message"] and refused["rule"]


def test_only_records_may_be_long(tmp_path: Path) -> None:
    """A record may be longer than other messages, up to a limit of its own."""
    config = replace(GENEROUS, database=str(tmp_path / "t.db"), record_bytes=3000, message_bytes=50)
    for server in run(config):
        with Person(server.address) as somebody:
            padded = match().to_json().ljust(3000)
            assert somebody.http.post("/api/replays", content=padded).status_code == 201
            assert somebody.http.post("/api/replays", content=padded + " ").status_code == 413
            assert somebody.http.put("/api/me", content=" " * 51).status_code == 413
            assert somebody.http.post("/api/replays/x/coach", content=" " * 51).status_code == 413


def test_few_are_kept(monkeypatch: pytest.MonkeyPatch, person: People) -> None:
    """The server forgets the least recently used record."""
    monkeypatch.setattr(replay_api, "MOST_KEPT", 2)
    records = [droptable.play(game("drop-or-pop"), 3, seed=seed) for seed in (11, 12, 13)]
    first, second = (sent(person(), record) for record in records[:2])
    got(person(), first)
    sent(person(), records[2])
    assert person().http.get(second).status_code == 404
    got(person(), first)
    assert sent(person(), records[1]) == second  # sent again, it is there again


# -- files ----------------------------------------------------------------------------------------


def test_pictures(person: People) -> None:
    """A moment can be kept as SVG with a style of its own, and as PNG of any width."""
    address = sent(person(), match())
    svg = person().http.get(f"{address}/picture.svg", params={"at": 9, "theme": "dark"})
    assert svg.headers["content-type"] == "image/svg+xml"
    assert "unsafe-inline" in svg.headers["content-security-policy"]
    assert "#1e1a17" in svg.text and "var(" not in svg.text
    png = person().http.get(f"{address}/picture.png", params={"at": 9, "width": 320})
    assert png.headers["content-disposition"] == 'attachment; filename="drop-or-pop-9.png"'
    assert PIL.Image.open(BytesIO(png.content)).size[0] == 320


def test_animation(monkeypatch: pytest.MonkeyPatch, person: People) -> None:
    """A match becomes an animation of its moves; a long one leaves some out."""
    record = match("drop", 2)
    address = sent(person(), record)
    answer = person().http.get(f"{address}/animation.gif", timeout=120)
    assert answer.headers["content-type"] == "image/gif"
    moves = sum(actor >= 0 for actor, _ in record.events)
    animation = PIL.Image.open(BytesIO(answer.content))
    assert moves / 2 < animation.n_frames <= moves + 2 <= MOST_FRAMES  # type: ignore[attr-defined]
    monkeypatch.setattr("droptable.web.replay.MOST_FRAMES", 5)
    short = PIL.Image.open(BytesIO(Replay(record).animation(None)))
    assert short.n_frames <= 5  # type: ignore[attr-defined]


# -- coach ----------------------------------------------------------------------------------------


def wait_for(somebody: Person, address: str) -> Any:
    """The coach's report, once it is complete."""
    while True:
        report = got(somebody, f"{address}/coach")
        if report["status"] in ("done", "failed"):
            return report
        time.sleep(0.1)


def last_opinions(report: Any) -> list[Any]:
    """The last opinion of each turn, in the order of the match."""
    return [d for _, d in sorted({d["event"]: d for d in report["decisions"]}.items())]


def test_coach(monkeypatch: pytest.MonkeyPatch, person: People) -> None:
    """Every turn is judged, with the better one as words and as touches, and every seat."""
    monkeypatch.setattr(coach_jobs, "BUDGET", 1.0)
    record = match("drop-or-pop")
    address = sent(person(), record)
    assert got(person(), f"{address}/coach")["status"] == "none"
    assert person().http.post(f"{address}/coach").status_code == 202
    assert person().http.post(f"{address}/coach").status_code == 202  # is the same one
    report = wait_for(person(), address)
    assert report["status"] == "done"
    expected = [
        (i, seat) for i, (seat, _) in enumerate(record.events)
        if seat >= 0 and len(record.state_at(i).legal(seat)) > 1
    ]  # fmt: skip
    decisions = last_opinions(report)
    assert [(d["event"], d["seat"]) for d in decisions] == expected
    for decision in decisions:
        state = record.state_at(decision["event"])
        assert decision["made"]["token"] == record.events[decision["event"]][1]
        assert decision["best"]["token"] == decision["line"][0]
        assert decision["line"][0] in state.legal(decision["seat"])
        assert decision["best"]["label"] and decision["best"]["path"]
        assert sum(decision["after"]) == pytest.approx(1, abs=0.01)
    assert all(0 <= accuracy <= 100 for accuracy in report["accuracy"])
    count = len(report["decisions"])
    later = got(person(), f"{address}/coach", since=count - 2)
    assert later["decisions"] == report["decisions"][-2:]


def test_turns_of_many_moves(monkeypatch: pytest.MonkeyPatch, person: People) -> None:
    """A turn of two placements is one decision, and a better one can be seen move by move."""
    monkeypatch.setattr(coach_jobs, "BUDGET", 1.0)
    record = match("drop", 2, pieces=8)
    address = sent(person(), record)
    person().http.post(f"{address}/coach")
    decisions = last_opinions(wait_for(person(), address))
    assert [d["event"] for d in decisions] == [0, *range(1, 15, 2), 15]
    assert [d["until"] - d["event"] for d in decisions] == [1, *[2] * 7, 1]
    assert all(len(d["line"]) == d["until"] - d["event"] for d in decisions)
    decision = next(d for d in decisions if len(d["line"]) == 2)
    query = {"at": decision["event"], "moves": ";".join(decision["line"])}
    for viewer in ({}, {"seat": decision["seat"]}, {"seat": 1 - decision["seat"]}):
        moments = got(person(), f"{address}/line", **query, **viewer)
        assert len(moments) == 2
        assert all(moment["picture"]["svg"] and moment["text"] for moment in moments)
        assert "(you)" not in moments[0]["picture"]["svg"]


def test_lines_that_cannot_be_played(person: People) -> None:
    """A line needs a seat that moves there, and legal moves."""
    record = match("drop-or-pop")
    address = f"{sent(person(), record)}/line"
    turn = next(i for i, (seat, _) in enumerate(record.events) if seat >= 0)
    for at, moves in ((0, "drop"), (len(record.events), "drop"), (turn, "nonsense")):
        refused = person().http.get(address, params={"at": at, "moves": moves})
        assert refused.status_code == 409 and refused.json()["message"]
    assert got(person(), address, at=turn) == []


@pytest.mark.parametrize("tested", games(), ids=lambda tested: tested.name)
def test_a_line_tells_no_more_than_a_view(tested: droptable.Game) -> None:
    """A better turn is drawn from the chosen seat's view, whoever could have made it."""
    options = {"round_limit": 1} if tested.name == "drop-site" else {}
    replay = Replay(match(tested.name, min(3, tested.players[-1]), **options))
    for at, (seat, token) in enumerate(replay.record.events[:120]):
        if seat < 0:
            continue
        after = replay.state(at + 1)
        for viewer in range(replay.record.players):
            (moment,) = replay.line(at, viewer, Look("wide"), [token])
            shown = replay.scene(at + 1, viewer, Look("wide"))
            assert moment["picture"]["svg"] == shown["picture"]["svg"]
            assert moment["scores"] == after.view(viewer).scores


@pytest.mark.parametrize("tested", games(), ids=lambda tested: tested.name)
def test_turns_in_a_line_each(tested: droptable.Game) -> None:
    """Deals, rolls and turns are a line each, for every viewer, and cover the whole match."""
    options = {"round_limit": 2} if tested.name == "drop-site" else {}
    players = min(3, tested.players[-1])
    replay = Replay(match(tested.name, players, **options))
    for viewer in (None, *range(players)):
        turns = replay.story(viewer)["turns"]
        assert [turn["to"] for turn in turns[:-1]] == [turn["from"] for turn in turns[1:]]
        assert (turns[0]["from"], turns[-1]["to"]) == (0, replay.length)
        for turn in turns:
            actors = {actor for actor, _ in replay.record.events[turn["from"] : turn["to"]]}
            assert actors == {turn["actor"]}
        assert any(turn["text"] for turn in turns)
    if tested.name in ("drop-site", "depot"):  # the first deal is one step
        assert turns[0]["to"] > 10 and turns[1]["actor"] == 0


def test_an_analysis_survives_a_restart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A match that was judged before is there at once, also after a restart."""
    monkeypatch.setattr(coach_jobs, "BUDGET", 0.5)
    config = replace(GENEROUS, database=str(tmp_path / "t.db"))
    record = match("drop-or-pop")
    opinions = []
    for _start in range(2):
        for server in run(config):
            with Person(server.address) as somebody:
                address = sent(somebody, record)
                if not opinions:
                    somebody.http.post(f"{address}/coach")
                    opinions = last_opinions(wait_for(somebody, address))
                else:
                    monkeypatch.setattr(coach_jobs, "judge", None)  # is not needed
                    report = got(somebody, f"{address}/coach")
                    assert report["status"] == "done"
                    assert report["decisions"] == opinions


def test_an_analysis_of_another_version_is_made_anew() -> None:
    """What was kept is read back as it was, unless another version of the coach wrote it."""
    record = match("drop-or-pop")
    decisions = list(droptable.analyse(record, iterations=2).decisions)
    text = coach_jobs.pack(decisions)
    assert coach_jobs.unpack(text) == decisions
    assert coach_jobs.unpack(text.replace('"format":1', '"format":0')) is None
    assert coach_jobs.unpack(text.replace('"line"', '"lines"')) is None


def test_a_failure_is_told(monkeypatch: pytest.MonkeyPatch, person: People) -> None:
    """A coach that fails says so, and can be asked again."""
    record = droptable.play(game("drop-or-pop"), 3, seed=21)
    address = sent(person(), record)
    with monkeypatch.context() as broke:
        broke.setattr(coach_jobs, "judge", divmod)
        person().http.post(f"{address}/coach")
        assert wait_for(person(), address)["status"] == "failed"
    monkeypatch.setattr(coach_jobs, "BUDGET", 0.5)
    person().http.post(f"{address}/coach")
    assert wait_for(person(), address)["status"] == "done"


def test_a_busy_coach() -> None:
    """One stranger's jobs are limited, cost nobody else a refusal, and end when it closes."""
    coaches = CoachPool()
    asked = [coaches.start(Match.of(match("drop", 2)), owner=("here", "x")) for _ in range(3)]
    with pytest.raises(droptable.DroptableError, match="3 unfinished jobs"):
        coaches.start(Match.of(match()), owner=("here", "x"))
    asked.append(coaches.start(Match.of(match()), owner=("there", "y")))
    coaches.close()
    assert {job.status for job in asked} == {"failed"}


def test_pictures_are_made_elsewhere(monkeypatch: pytest.MonkeyPatch, person: People) -> None:
    """The server itself draws nothing and replays nothing: its interpreter is free for moves."""
    monkeypatch.setattr(studio, "png", None)
    monkeypatch.setattr(Replay, "__init__", None)
    address = sent(person(), droptable.play(game("drop-or-pop"), 3, seed=33))
    for path in ("/picture.png?width=200", "/picture.svg", "/scene", ""):
        assert person().http.get(address + path).status_code == 200


def test_a_full_studio_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Too much work is refused with the limit, and when to try again."""
    monkeypatch.setattr(studio, "BOUNDS", Bounds(jobs=0))
    for server in run(replace(GENEROUS, database=str(tmp_path / "t.db"))):
        with Person(server.address) as somebody:
            refused = somebody.http.post("/api/replays", content=match().to_json())
            assert refused.status_code == 429 and refused.headers["Retry-After"] == "5"
            assert "0 jobs are waiting" in refused.json()["message"]


def test_a_picture_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """People who ask for the same picture share one job; the oldest make room for others."""

    async def scenario() -> None:
        made = Studio()
        try:
            shown = Match.of(match())
            ask = (shown, ("here", "x"), "en", "png", 0, None, Look("wide"), False, 300)
            first, again = await asyncio.gather(made.file("a", *ask), made.file("a", *ask))
            assert first is again is await made.file("a", *ask)
            monkeypatch.setattr(studio, "MOST_BYTES", len(first))
            await made.file("b", *ask)
            assert await made.file("a", *ask) is not first
        finally:
            made.close()

    asyncio.run(scenario())


def test_it_is_described(server: Running) -> None:
    """The OpenAPI description has all of this."""
    paths = httpx.get(f"{server.address}/api/openapi.json").json()["paths"]
    wanted = [
        "",
        "/scene",
        "/record",
        "/picture.svg",
        "/picture.png",
        "/animation.gif",
        "/coach",
        "/line",
    ]
    assert {f"/api/replays/{{key}}{name}" for name in wanted} <= paths.keys()
