"""With everything open, a replay shows all cards; a match that goes on never does."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

import droptable
from droptable.core.contract import NOBODY
from droptable.core.game import Game
from droptable.core.scene import Frame
from droptable.core.state import State
from droptable.games import OWN, game
from droptable.games.drop_site.words import cards
from droptable.testing.pictures import check_picture
from droptable.web.pictures import Look, middle_of_a_match
from droptable.web.replay import Replay
from tests.web.people import Person
from tests.web.test_tables import table_of

People = Callable[..., Person]
NAMES = ("Annemarie", "Bo", "A name that is too long to fit", "Dan", "Eve", "Finn")
TABLES = [(tested, players) for tested in OWN for players in tested.players]


def moments(tested: Game, players: int) -> list[State]:
    """Some moments of a match of random moves, and its end."""
    bots = ["random"] * players
    states = list(droptable.play(tested, players, bots, seed=players).states())
    return [*random.Random(1).sample(states, 30), states[-1]]


@pytest.mark.parametrize(
    ("tested", "players"), TABLES, ids=lambda value: getattr(value, "name", value)
)
@pytest.mark.parametrize("tall", [False, True])
def test_open_pictures_fit(tested: Game, players: int, tall: bool) -> None:
    """Open pictures fit like all others, from any seat's view and from nobody's."""
    assert tested.scene is not None
    for state in moments(tested, players):
        for viewer in (NOBODY, 0, players - 1):
            frame = Frame(NAMES[:players], tall, open=True)
            check_picture(tested.scene.draw(state.fields, viewer, frame), tall)


def ids(state: State, tall: bool, viewer: int = 0) -> list[str]:
    """The ids of all things in an open picture."""
    scene = state.game.scene
    assert scene is not None
    svg = scene.draw(state.fields, viewer, Frame(NAMES, tall, open=True)).svg()
    return [name for e in ElementTree.fromstring(svg).iter() if (name := e.get("id"))]


@pytest.mark.parametrize("players", game("depot").players)
@pytest.mark.parametrize("tall", [False, True])
def test_every_hand_of_depot(players: int, tall: bool) -> None:
    """Each number of each hand is there, at every moment."""
    for state in moments(game("depot"), players):
        held = {
            f"held-{seat}-{number}"
            for seat in range(players)
            for number, count in enumerate(state.fields["hands"][seat], 1)
            if count
        }
        assert held == {name for name in ids(state, tall) if name.startswith("held-")}


@pytest.mark.parametrize("players", game("drop-site").players)
@pytest.mark.parametrize("tall", [False, True])
def test_every_hand_and_reserve_of_drop_site(players: int, tall: bool) -> None:
    """The cards of all hands are there, and the picture tells what lies in any reserve."""
    tested = game("drop-site")
    for state in moments(tested, players):
        hands = [n for seat in range(players) for n in cards(state.fields["hands"][seat])]
        sites = sum(int(bits).bit_count() for bits in state.fields["sites"])
        shown = [name for name in ids(state, tall) if name.startswith("card-")]
        assert len(shown) == len(hands) + sites
    for seat in range(players):
        state = next(s for s in moments(tested, players) if s.fields["reserve_sizes"][seat])
        other = state.copy()
        other.fields["reserves"][seat] = cards_moved(int(state.fields["reserves"][seat]))
        assert tested.scene is not None
        frame = Frame(NAMES, tall, open=True)
        drawn = [tested.scene.draw(s.fields, 0, frame).svg() for s in (state, other)]
        assert drawn[0] != drawn[1]


def cards_moved(bag: int) -> int:
    """Another bag of cards: each number is one higher, the last one the first."""
    return (bag << 4 | bag >> 48) & (1 << 52) - 1


def test_only_an_open_replay_shows_all() -> None:
    """A replay from a seat's view shows what that seat saw; without one, all hands."""
    record = droptable.play(game("depot"), 3, seed=3)
    replay = Replay(record)
    at = len(record.events) // 2
    everything = replay.scene(at, None, Look("wide"))["picture"]["svg"]
    own = replay.scene(at, 0, Look("wide"))["picture"]["svg"]
    assert "held-1-" in everything and "held-2-" in everything
    assert "held-" not in own


def test_open_files(person: People) -> None:
    """Files of a replay with everything open show the same as the page."""
    record = droptable.play(game("depot"), 3, seed=3)
    key = person().http.post("/api/replays", content=record.to_json()).json()["key"]
    file = person().http.get(f"/api/replays/{key}/picture.svg", params={"at": 60}).text
    assert "held-1-" in file
    assert "held-1-" not in person().http.get(
        f"/api/replays/{key}/picture.svg", params={"at": 60, "seat": 0}
    ).text  # fmt: skip


def test_a_match_that_is_played_stays_closed(person: People) -> None:
    """While a match goes on there is no replay, no file of it, and no look that opens hands."""
    people = [person("Ann"), person("Bob"), person("Cleo")]
    table, sockets = table_of(people, "depot")
    for path in ("", "/scene", "/record", "/picture.svg", "/picture.png", "/animation.gif"):
        refused = people[0].http.get(f"/api/replays/table:{table}{path}")
        assert refused.status_code == 409, path
    assert people[0].http.post(f"/api/replays/table:{table}/coach").status_code == 409
    plain = people[0].look(table, scene="wide")
    assert people[0].look(table, scene="wide", open="true")["picture"] == plain["picture"]
    assert "held-" not in plain["picture"]["svg"]
    look: dict[str, Any] = {"look": {"scene": "wide", "open": True}}
    sockets[0].connection.send(json.dumps(look))
    refused_look = sockets[0].until(lambda message: message["type"] == "answer")
    assert not refused_look["ok"] and refused_look["kind"] == "syntax"


@pytest.mark.parametrize("tested", OWN, ids=lambda tested: tested.name)
@pytest.mark.parametrize("dark", [False, True])
def test_every_game_has_a_match_to_show(tested: Game, dark: bool) -> None:
    """The start page shows a match when somebody is to move, in a light and a dark theme."""
    svg = middle_of_a_match(tested, dark=dark)
    assert svg is not None and "Ada" in svg
    assert ("#1e1a17" in svg) == dark
