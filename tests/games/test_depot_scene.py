"""Pictures of Depot: they can be played on, and show what the Storage allows."""

from xml.etree import ElementTree

import pytest

import droptable
from droptable.core.scene import Frame
from droptable.games.depot import rules
from droptable.games.depot.picture import scene
from droptable.testing import check_scenes
from droptable.testing.pictures import check_picture

GAME = droptable.game("depot")
NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve")


def dealt(hand, storage, others=(1, 1, 1, 2, 2, 2, 3, 3, 3), **options):
    """Three seats' first turn: seat 0 with this hand, and the Storage."""
    state = GAME.start(3, **options)
    for cards in (hand, others, others):
        for number in cards:
            state.apply(-1, f"deal {number}")
    for number in storage:
        state.apply(-1, f"store {number}")
    return state


HAND = (2, 3, 3, 4, 5, 5, 6, 7, 8)


def drawn(view, tall=True):
    viewer = -1 if view.seat is None else view.seat
    picture = scene.draw(view.fields, viewer, Frame(NAMES[: view.players], tall))
    return ElementTree.fromstring(picture.svg())


def touches(root):
    return [e.get("data-touch") for e in root.iter() if e.get("data-touch")]


def words(root):
    return [e.text for e in root.iter() if e.tag.endswith("text")]


def path_of(state, seat, token):
    action = GAME.vocabulary(state.options).action_ids[token]
    assert action in state.legal_ids(seat)
    return scene.path(state.fields, seat, action)


@pytest.mark.parametrize("players", GAME.players)
def test_every_move_can_be_touched(players):
    """Random matches of every variant can be drawn and played by touch, from every seat."""
    check_scenes(GAME, players, every=499)


def test_paths_follow_the_phases():
    """Cards go to the table; a pass takes from a bay, then gives a card to the Storage."""
    state = dealt(HAND, (1, 2, 2))
    assert path_of(state, 0, "play 3 3") == (("hand-3", "hand-3"), "table")
    assert path_of(state, 0, "play 4 5") == (("hand-4", "hand-5"), "table")
    state.apply(0, "play 3 3")
    assert path_of(state, 1, "take 2") == ("store-2",)
    state.apply(1, "take 2")
    assert path_of(state, 1, "give 3") == ("hand-3", "storage")
    assert path_of(state, 1, "keep") == ("do-keep",)


@pytest.mark.parametrize(
    ("storage", "told"),
    [
        ((1, 2, 2), "sets up to 2 · runs up to 2"),
        ((4, 4, 4), "sets up to 3 · no runs"),
        ((1, 4, 8), "no sets · no runs"),
        ((5, 6, 7), "no sets · runs up to 3"),
    ],
)
def test_the_storage_says_what_it_allows(storage, told):
    """The largest set and the longest run are written on the shelf (DP3)."""
    assert told in words(drawn(dealt(HAND, storage).view(0)))


def test_the_longest_run_has_a_bracket():
    """The bracket lies below the run, and only where there is one."""
    lines = [
        [e for e in drawn(dealt(HAND, storage).view(0)).iter() if e.get("class") == "bracket"]
        for storage in ((1, 2, 8), (1, 4, 8))
    ]
    assert [len(found) for found in lines] == [1, 0]


def test_only_cards_that_all_saw_are_open():
    """Another seat's cards are face down but for those it took from the Storage."""
    state = dealt(HAND, (1, 8, 8))
    state.apply(0, "play 2")
    before = words(drawn(state.view(0))).count("8")
    state.apply(1, "take 8")
    assert words(drawn(state.view(0))).count("8") - before == 2 - 1  # two open, a bay is empty
    assert words(drawn(state.view(None))).count("3") < words(drawn(state.view(1))).count("3")


def test_a_played_card_keeps_its_id():
    """The viewer's own cards move from the hand to the table."""
    state = dealt(HAND, (1, 2, 2))
    before = {e.get("id"): e for e in drawn(state.view(0)).iter() if e.get("id")}
    state.apply(0, "play 3 3")
    after = {e.get("id"): e for e in drawn(state.view(0)).iter() if e.get("id")}
    for key in ("card-3-0", "card-3-1"):
        assert before[key].get("data-touch") == "hand-3"
        assert after[key].get("data-touch") is None
    assert {k for k in before if k.startswith("card-")} == {
        k for k in after if k.startswith("card-")
    }


def test_the_table_tells_who_passed():
    """The play to beat has its strength and its seat; seats that passed since are marked."""
    state = dealt(HAND, (1, 2, 2))
    assert "passed" not in words(drawn(state.view(0)))
    state.apply(0, "play 3 3")
    assert "2 cards, sum 6" in words(drawn(state.view(1)))
    state.apply(1, "take 1")
    state.apply(1, "keep")
    state.apply(-1, "store 4")
    assert "passed" in words(drawn(state.view(2)))


def test_piles_tell_what_everybody_knows():
    """Pointing at the discards tells their cards; at the deck only once it was made of them."""
    state = dealt(HAND, (1, 2, 2))
    state.apply(0, "play 3")
    state.apply(1, "take 1")
    state.apply(1, "keep")
    state.apply(-1, "store 4")
    state.apply(2, "take 4")
    state.apply(2, "keep")
    state.apply(-1, "store 4")
    state.apply(-1, "store 8")
    titles = [e.text for e in drawn(state.view(0)).iter() if e.tag.endswith("title")]
    assert titles[1:] == ["discards: 3"]
    view = state.view(0)
    view.fields["deck_open"], view.fields["deck"][7] = 1, 2
    titles = [e.text for e in drawn(view).iter() if e.tag.endswith("title")]
    assert titles[1:] == ["deck: 8 8", "discards: 3"]


@pytest.mark.parametrize("tall", [True, False])
def test_the_largest_hands_fit(tall):
    """All cards of the deck in one hand, Storage and known hands stay inside the picture."""
    state = GAME.start(5, games=3)
    view = state.view(0)
    fields = view.fields
    for seat in range(5):
        fields["hands"][seat] = rules.COPIES if seat == 0 else 0
        fields["known"][seat] = rules.COPIES
        fields["hand_size"][seat] = 80
    fields["lost"][:] = 24
    fields["storage"] = rules.COPIES
    fields["table"] = len(rules.PLAYS) - 1
    fields["last"], fields["passes"] = 1, 4
    fields["phase"] = rules.TURN
    names = ("Bartholomew",) * 5
    check_picture(scene.draw(fields, 0, Frame(names, tall)), tall)


def test_prompts_tell_what_to_do():
    """The seat is told its choices, the others who is awaited."""
    state = dealt(HAND, (1, 2, 2))
    assert scene.prompt(state.fields, 0, NAMES).startswith("Start the round")
    assert scene.prompt(state.fields, 1, NAMES) == "Anna is choosing a play."
    state.apply(0, "play 3 3")
    assert scene.prompt(state.fields, 1, NAMES).endswith("take a number from the Storage.")
    state.apply(1, "take 1")
    assert "or keep all" in scene.prompt(state.fields, 1, NAMES)
    assert scene.prompt(state.fields, 2, NAMES) == "Ben may give a card to the Storage."


def test_the_sheet_has_a_line_a_game():
    """Three games have a line each that add up to the lost points; one game counts cards."""
    record = droptable.play(GAME, 3, seed=2, games=3)
    views = [state.view(1).fields for state in record.states()]
    *games, total = scene.sheet(views, NAMES[:3])
    assert len(games) == 3
    assert [sum(p) for p in zip(*(line.points for line in games), strict=True)] == [*total.points]
    record = droptable.play(GAME, 3, seed=2)
    (left,) = scene.sheet([record.final.view(None).fields], NAMES[:3])
    assert left.points == record.final.scores
