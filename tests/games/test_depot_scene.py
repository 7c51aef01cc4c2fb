"""Pictures of Depot: they can be played on, and show what the Storage allows."""

import random
import re
from xml.etree import ElementTree

import pytest

import droptable
from droptable.core.components import CARD
from droptable.core.scene import Frame
from droptable.games.depot import rules
from droptable.games.depot.picture import scene
from droptable.games.depot.picture.layout import Layout
from droptable.games.depot.picture.parcels import SIZES, parcel
from droptable.testing import check_scenes
from droptable.testing.matches import random_match
from droptable.testing.pictures import check_picture
from tests.core.test_components import READABLE, contrast, palettes

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


def by_id(root):
    return {e.get("id"): e for e in root.iter() if e.get("id")}


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
        ((1, 2, 2), "At most 2 equal or a run of 2"),
        ((4, 4, 4), "At most 3 equal, no runs"),
        ((1, 4, 8), "Single cards only"),
        ((5, 6, 7), "At most a run of 3, no equal cards"),
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
    assert words(by_id(drawn(state.view(0)))["row-1"]) == []
    state.apply(1, "take 8")
    for viewer in (0, 2, None):
        assert words(by_id(drawn(state.view(viewer)))["row-1"]) == ["8", "8"]
    assert "hand-3" not in touches(drawn(state.view(None)))


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


def test_plates_tell_who_leads_and_who_passed():
    """The play to beat has its strength and its seat; seats that passed since say so."""
    state = dealt(HAND, (1, 2, 2))
    state.apply(0, "play 3 3")
    ids = by_id(drawn(state.view(1)))
    assert {"Anna", "2 cards, sum 6"} <= set(words(ids["table"]))
    assert "leads" in words(ids["seat-0"]) and "passed" not in words(ids["seat-2"])
    state.apply(1, "take 1")
    state.apply(1, "keep")
    state.apply(-1, "store 4")
    assert "passed" in words(by_id(drawn(state.view(2)))["seat-1"])
    assert "you passed · 10 cards" in words(by_id(drawn(state.view(1)))["seat-1"])
    assert "you lead · 7 cards" in words(by_id(drawn(state.view(0)))["seat-0"])


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
    assert titles[1:] == ["Discards: 3"]
    view = state.view(0)
    view.fields["deck_open"], view.fields["deck"][7] = 1, 2
    titles = [e.text for e in drawn(view).iter() if e.tag.endswith("title")]
    assert titles[1:] == ["Deck: 8 8", "Discards: 3"]


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
    assert scene.prompt(state.fields, 0, NAMES) == "Your turn: play anything."
    assert scene.prompt(state.fields, 1, NAMES) == "Waiting for Anna to start the round."
    state.apply(0, "play 2 3")
    told = "Your turn: beat 2-3 or take from the Storage."
    assert scene.prompt(state.fields, 1, NAMES) == told
    assert scene.prompt(state.fields, 2, NAMES) == "Waiting for Ben to beat 2-3 or pass."
    state.apply(1, "take 1")
    assert scene.prompt(state.fields, 1, NAMES).endswith("to the Storage, or keep all.")
    assert scene.prompt(state.fields, 2, NAMES) == "Waiting for Ben to give a card or keep all."


def test_who_cannot_beat_is_told_so():
    """Without a play that is strong enough the prompt says what is left to do."""
    state = dealt((1, 1, 1, 2, 2, 3, 5, 8, 8), (1, 2, 2))
    state.apply(0, "play 8 8")
    told = "You cannot beat 8 8: take from the Storage."
    assert scene.prompt(state.view(1).fields, 1, NAMES) == told
    view = state.view(1).fields
    view["storage"] = 0
    assert scene.prompt(view, 1, NAMES) == "You cannot beat 8 8: pass."


@pytest.mark.parametrize(
    ("touched", "told"),
    [
        (("hand-3", "hand-5"), "the Storage allows runs of at most 2 cards"),
        (("hand-3", "hand-3", "hand-4"), "3 3 4 are neither equal nor a run"),
        (("hand-2", "hand-8"), "the Storage allows runs of at most 2 cards"),
        (("hand-3", "hand-4"), ""),
        (("hand-3",), ""),
        (("store-2",), ""),
    ],
)
def test_refusals_say_why_cards_do_not_go_together(touched, told):
    """Cards that cannot be played together are refused with the reason that fits them."""
    state = dealt(HAND, (1, 2, 2))
    said = scene.refusal(state.view(0).fields, 0, touched)
    assert said.startswith(told) and bool(said) == bool(told)


def test_cards_that_are_far_apart_are_no_run():
    """A gap that the hand cannot close is told as such."""
    state = dealt((1, 1, 2, 2, 3, 3, 4, 6, 8), (1, 2, 3))
    said = scene.refusal(state.view(0).fields, 0, ("hand-4", "hand-6"))
    assert said == "4 6 are neither equal nor a run"


# -- chips ----------------------------------------------------------------------------------------


def test_every_chip_is_legal():
    """In random matches chips are legal moves, at most eight, all different."""
    for players in GAME.players:
        chance = random.Random(players)
        state = GAME.start(players, turn_limit=100)
        for now in random_match(state, chance):
            for seat in now.to_act:
                if seat < 0:
                    continue
                view = now.view(seat)
                chips = scene.chips(view.fields, seat, Frame(NAMES[:players], tall=True))
                tokens = [chip.tokens for chip in chips]
                assert 0 < len(chips) <= 8 and len(set(tokens)) == len(tokens)
                assert all(len(t) == 1 and t[0] in view.legal for t in tokens)
                assert all(chip.ghost for chip in chips)


def labels(state, seat):
    frame = Frame(NAMES[: state.players])
    return [chip.label for chip in scene.chips(state.view(seat).fields, seat, frame)]


def test_chips_offer_the_weakest_play_first_then_longer_ones():
    """What is just enough comes first, then what gets rid of most cards, then what can be taken."""
    state = dealt((1, 2, 2, 2, 3, 4, 5, 8, 8), (4, 5, 6), (2, 3, 4, 5, 5, 6, 7, 8, 8))
    assert labels(state, 0)[:2] == ["Play 1", "Play 1-2-3"]
    assert len(labels(state, 0)) == 8 and not any("Take" in label for label in labels(state, 0))
    state.apply(0, "play 4")
    assert labels(state, 1)[:2] == ["Play 5", "Play 2-3-4"]
    assert labels(state, 1)[5:] == ["Take 5", "Take 6", "Take 4"]
    state.apply(1, "take 5")
    assert labels(state, 1)[0] == "Give 2" and "Give 5" not in labels(state, 1)


def test_who_cannot_beat_is_offered_what_can_be_taken():
    """Without a play there are chips for every number in the Storage, the fewest cards first."""
    state = dealt((1, 1, 1, 2, 2, 3, 5, 8, 8), (1, 2, 2))
    state.apply(0, "play 8 8")
    assert labels(state, 1) == ["Take 1", "Take 2 2"]


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


# -- looks ----------------------------------------------------------------------------------------


def test_words_are_readable_on_shelf_bay_and_cards():
    """Numbers on cards and words on wood, wall and floor have AA contrast, light and dark."""
    pairs = [(f"dp-digit-{number}", "card") for number in range(1, 9)]
    pairs += [("dp-wood-ink", "dp-wood")]
    pairs += [(words_, ground) for words_ in ("ink", "soft") for ground in ("dp-wall", "dp-floor")]
    for palette in palettes():
        for text, ground in pairs:
            found = contrast(palette[text], palette[ground])
            assert found >= READABLE, f"{text} on {ground}: {found:.2f}"


def test_numbers_differ_without_colour():
    """No two parcels have the same outline and straps once their colours are taken away."""
    drawn = [re.sub(r"dp-parcel-\d", "", parcel(number, 100)) for number in range(1, 9)]
    assert len(set(drawn)) == 8
    sizes = [SIZES[number][0] * SIZES[number][1] for number in range(1, 9)]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("cards", [9, 24, 48])
@pytest.mark.parametrize("tall", [True, False])
def test_every_number_of_a_hand_can_be_hit(tall, cards):
    """However large a hand is, each of its numbers has a strip that a finger can hit."""
    fields = GAME.start(3).view(0).fields
    for number, count in zip(range(8), deal(cards), strict=True):
        fields["hands"][0][number] = count
    layout = Layout.of(fields, 0, Frame(NAMES[:3], tall))
    held = layout.held()
    assert len(held) == cards
    wide = layout.hand_card * CARD
    first = {}
    for card in held:
        first.setdefault(card.number, card.x)
    edges = [*sorted(first.values())[1:], max(card.x for card in held) + wide]
    strips = [right - left for left, right in zip(sorted(first.values()), edges, strict=True)]
    assert min(strips) >= (41 if tall else 44)
    assert all(card.x - wide / 2 >= 0 and card.x + wide / 2 <= layout.width for card in held)


def deal(cards):
    """So many cards of each number: the first ones get what is left over."""
    return [cards // 8 + (number < cards % 8) for number in range(8)]
