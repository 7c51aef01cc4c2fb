"""Pictures of Drop Site: they can be played on, and reserves stay face down."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest

import droptable
from droptable.core.scene import Frame
from droptable.games.drop_site import rules
from droptable.games.drop_site.picture import cards, scene
from droptable.games.drop_site.picture.layout import Layout
from droptable.testing import check_scene, check_scenes
from droptable.testing.pictures import check_picture

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
def test_cards_that_are_not_played_keep_their_ids(move):
    """Only one of two equal cards leaves the hand; a covered one keeps its id and looks out."""
    state = dealt([(6, 6, 3, 9, 12), (0, 1, 2, 3, 4)], 8)
    before = drawn(state.view(0))
    assert element(before, "card-h0-6-b").get("data-touch") == "hand-6"
    state.apply(0, move)
    after = drawn(state.view(0))
    assert element(after, "card-h0-6-a").get("data-touch") == "hand-6"
    assert element(after, "card-h0-6-b") is None
    site = "card-s1-6" if move == "place 6" else "card-s2-6"
    assert element(after, site).get("data-touch") in ("site-1", "site-2")
    at_first = element(before, "card-s1-8").get("transform")
    moved = element(after, "card-s1-8").get("transform")
    assert (moved == at_first) == (move == "create 6")


def test_equal_cards_on_sites_never_change_places():
    """A second 6, placed on an older site than the first one, moves no other card."""
    state = dealt([(6, 6, 3, 9, 12), (0, 1, 2, 3, 4)], 8)
    for actor, token in ((0, "create 6"), (-1, "draw 7"), (1, "hide 0"), (-1, "draw 7")):
        state.apply(actor, token)
    there = element(drawn(state.view(0)), "card-s2-6").get("transform")
    state.apply(0, "place 6")
    after = drawn(state.view(0))
    assert element(after, "card-s2-6").get("transform") == there
    assert element(after, "card-s1-6").get("data-touch") == "site-1"


def test_a_reserve_is_shown_to_nobody():
    """What a seat hides can be seen in no picture, not even its own; only how many there are."""
    hands = [(6, 6, 3, 9, 12), (0, 1, 2, 3, 4)]
    one, other = dealt(hands, 8), dealt(hands, 8)
    one.apply(0, "hide 9")
    other.apply(0, "hide 12")
    for seat in (None, 1):
        assert words(drawn(one.view(seat))) == words(drawn(other.view(seat)))
    own = drawn(one.view(0))
    assert element(own, "reserve").get("aria-label") == "Your reserve: 1 card"
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
    assert scene.prompt(state.fields, 1, NAMES) == "Waiting for Anna."


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
    assert picture.body.count(">-2<") == 24  # all but the 0 match nothing
    check_picture(picture, tall)


def test_the_sheet_has_a_line_a_round():
    """The lines are the points of each round, in order, and add up to the total."""
    record = droptable.play(GAME, 3, seed=4, target=30)
    views = [state.view(None).fields for state in record.states()]
    *rounds, total = scene.sheet(views, NAMES[:3])
    assert len(rounds) == record.final.fields["rounds"]
    assert [line.label for line in rounds[:2]] == ["Round 1", "Round 2"]
    assert [sum(p) for p in zip(*(line.points for line in rounds), strict=True)] == [*total.points]


@pytest.mark.parametrize("tall", [True, False])
def test_every_seat_shows_its_name_its_total_and_its_cards(tall):
    """Each plate has the name and the total; the sizes of hands and reserves are to be seen."""
    state = dealt([(6, 6, 3, 9, 12), (0, 1, 2, 3, 4), (0, 1, 2, 3, 4)], 8)
    state.apply(0, "hide 9")
    view = state.view(1)
    view.fields["totals"][:3] = (41, -17, 99)
    root = drawn(view, tall)
    shown = words(root)
    for text in ("Anna", "Ben (you)", "Cleo", "41", "-17", "99", "of 100 points"):
        assert text in shown, text
    backs = [f"back-{seat}-{i}" for seat, size in ((0, 4), (2, 5)) for i in range(size)]
    ids = [e.get("id") for e in root.iter() if (e.get("id") or "").startswith("back-")]
    assert ids == backs
    assert element(root, "reserve-0").get("data-face") == "1"
    assert element(root, "total-1").get("data-turn") == "count"


@pytest.mark.parametrize(("sites", "said"), [(1, "5 sites to go"), (5, "the next site ends it")])
def test_the_map_says_how_far_the_round_and_the_match_are(sites, said):
    """The round, the target and the sites that are missing stand on the map."""
    view = dealt([(6, 6, 3, 9, 12), (0, 1, 2, 3, 4)], 8, target=77).view(0)
    view.fields["sites"][:sites] = 1 << 8
    view.fields["rounds"] = 3
    assert f"Round 4 · to 77 · {said}" in words(drawn(view, tall=True))
    assert f"Round 4 · to 77 points · {said}" in words(drawn(view, tall=False))


@pytest.mark.parametrize(("points", "dots"), [(1, 1), (4, 4), (7, 7), (10, 10), (11, 1), (50, 1)])
def test_points_are_printed_as_dots(points, dots):
    """A card has as many dots as points; if they are many, one dot and the number."""
    printed = ElementTree.fromstring(f"<svg>{cards.face(6, points, 150, 22)}</svg>")
    assert len([e for e in printed if e.get("class") == "ds-pip"]) == dots
    assert (str(points) in words(printed)) == (points > 10)


@pytest.mark.parametrize("tall", [True, False])
def test_what_is_touched_is_large_enough(tall):
    """Cards of the hand, sites, the new site and the reserve are at least 44 units wide and high,
    as far as other cards do not cover them."""
    state = dealt([(6, 6, 3, 9, 12)] + [(0, 1, 2, 3, 4)] * 3, 8)
    layout = Layout.of(state.fields, 0, Frame(NAMES, tall))
    places = [x for x, _y, _tilt in layout.hand(5)]
    assert all(right - left >= 44 for left, right in pairwise(places))
    assert layout.site_card * 0.7 >= 44 and min(layout.reserve[2:]) >= 44
    assert layout.site_step >= layout.site_card * 0.7


def test_the_winner_is_marked():
    """When the match is over the winners' rows pulse, and no others."""
    state = dealt([(6, 6, 3, 9, 12), (0, 1, 2, 3, 4)], 6, round_limit=1)
    view = state.view(0)
    view.fields["phase"] = rules.OVER
    view.fields["totals"][:2] = (12, 30)
    root = drawn(view)
    assert element(root, "won-1") is not None and element(root, "won-0") is None
    assert "Nothing hidden" in words(root)
