"""Pictures of Drop Site: they can be played on, and reserves stay face down."""

from xml.etree import ElementTree

import pytest

import droptable
from droptable.core.scene import Frame
from droptable.games.drop_site import rules
from droptable.games.drop_site.picture import scene
from droptable.testing import check_scene, check_scenes

GAME = droptable.game("drop-site")
NAMES = ("Anna", "Ben", "Cleo", "Dan")


def dealt(hands, site, **options):
    """A first turn, with these hands and the first site."""
    state = GAME.start(len(hands), **options)
    for hand in hands:
        for number in hand:
            state.apply(-1, f"deal {number}")
    state.apply(-1, f"site {site}")
    return state


def drawn(view, tall=True):
    viewer = -1 if view.seat is None else view.seat
    picture = scene.draw(view.fields, viewer, Frame(NAMES[: view.players], tall))
    return ElementTree.fromstring(picture.svg())


def touches(root):
    return [e.get("data-touch") for e in root.iter() if e.get("data-touch")]


def element(root, key):
    return next((e for e in root.iter() if e.get("id") == key), None)


def words(root):
    return [e.text for e in root.iter() if e.tag.endswith("text")]


@pytest.mark.parametrize("players", GAME.players)
def test_every_move_can_be_touched(players):
    """Random matches of every variant can be drawn and played by touch, from every seat."""
    check_scenes(GAME, players, every=397)


def test_a_card_goes_from_the_hand_to_its_place():
    """The path of a move is the card, then the site, the new site or the reserve."""
    state = dealt([(6, 6, 3, 9, 12), (0, 1, 2, 3, 4)], 8)
    paths = {t: scene.path(state.fields, 0, i) for i, t in by_token(state)}
    assert paths["place 6"] == ("hand-6", "site-1")
    assert paths["create 12"] == ("hand-12", "new-site")
    assert paths["hide 9"] == ("hand-9", "reserve")
    assert touches(drawn(state.view(0))).count("hand-6") == 2


def by_token(state):
    return zip(state.legal_ids(0), state.legal(0), strict=True)


@pytest.mark.parametrize("move", ["place 6", "create 6"])
def test_a_delivered_card_keeps_its_id(move):
    """The card that was in the hand is the one that lies on the site, and no other one moves."""
    state = dealt([(6, 6, 3, 9, 12), (0, 1, 2, 3, 4)], 8)
    before = drawn(state.view(0))
    assert element(before, "card-6-a").get("data-touch") == "hand-6"
    state.apply(0, move)
    after = drawn(state.view(0))
    assert element(after, "card-6-a").get("data-touch") in ("site-1", "site-2")
    assert element(after, "card-6-b").get("data-touch") == "hand-6"
    site = element(before, "card-8-a").get("transform")
    moved = element(after, "card-8-a").get("transform")
    assert (moved == site) == (move == "create 6")  # a covered card looks out above


def test_a_reserve_is_shown_to_nobody():
    """What a seat hides can be seen in no picture, not even its own; only how many there are."""
    hands = [(6, 6, 3, 9, 12), (0, 1, 2, 3, 4)]
    one, other = dealt(hands, 8), dealt(hands, 8)
    one.apply(0, "hide 9")
    other.apply(0, "hide 12")
    for seat in (None, 1):
        assert words(drawn(one.view(seat))) == words(drawn(other.view(seat)))
    own = drawn(one.view(0))
    assert element(own, "reserve").get("aria-label") == "Your reserve: 1"
    assert "9" not in words(own)
    assert "hand-9" not in touches(own)


def test_the_slot_that_ends_the_round_says_so():
    """The sixth site of two seats has a label and a prompt that warn (DS7)."""
    state = dealt([(6, 5, 3, 9, 12), (0, 1, 2, 3, 4)], 8)
    for number, token in enumerate(("create 6", "create 0", "create 5", "create 1")):
        assert element(drawn(state.view(0)), f"slot-{number + 2}").get("aria-label") == "New site"
        state.apply(number % 2, token)
        state.apply(-1, "draw 7")
    label = element(drawn(state.view(0)), "slot-6").get("aria-label")
    assert label == "New site, which ends the round"
    assert scene.prompt(state.fields, 0, NAMES).endswith("A new site ends the round.")
    assert scene.prompt(state.fields, 1, NAMES) == "Anna is choosing a card."


def test_reserves_lie_open_when_the_match_is_over():
    """Each number of a reserve has its points below it at the end (DS9)."""
    state = dealt([(6, 6, 3, 9, 12), (0, 1, 2, 3, 4)], 6, round_limit=1)
    script = ["hide 6", "hide 0", "hide 9", "create 1", "create 6", "create 2", "create 3",
              "create 3", "create 12"]  # fmt: skip
    for number, token in enumerate(script):
        state.apply(number % 2, token)
        if not state.over:
            state.apply(-1, "draw 7" if number < 4 else "draw 8")
        if state.over:
            break
    assert state.over
    shown = words(drawn(state.view(1)))
    assert "+10" in shown  # Anna's 6 matches two sites, at five points each
    assert "-2" in shown  # Ben's 0 and Anna's 9 match none
    check_scene(state.view(1))


@pytest.mark.parametrize("tall", [True, False])
def test_a_full_site_and_a_full_reserve_fit(tall):
    """Thirteen cards on a site, and a reserve of all numbers, stay inside the picture."""
    state = dealt([(6, 6, 3, 9, 12), (0, 1, 2, 3, 4)], 6, points=(50,) * 13)
    view = state.view(0)
    view.fields["sites"][0] = (1 << 13) - 1
    view.fields["reserves"][:2] = rules.EVERY_NUMBER
    view.fields["phase"] = rules.OVER
    picture = scene.draw(view.fields, 0, Frame(NAMES[:2], tall))
    assert picture.height <= (520 if tall else 560)
    assert picture.body.count("-2<") == 24  # all but the 0 match nothing


def test_the_sheet_has_a_line_a_round():
    """The lines are the points of each round, in order, and add up to the total."""
    record = droptable.play(GAME, 3, seed=4, target=30)
    views = [state.view(None).fields for state in record.states()]
    *rounds, total = scene.sheet(views, NAMES[:3])
    assert len(rounds) == record.final.fields["rounds"]
    assert [line.label for line in rounds[:2]] == ["Round 1", "Round 2"]
    assert [sum(p) for p in zip(*(line.points for line in rounds), strict=True)] == [*total.points]
