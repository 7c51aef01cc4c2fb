"""The moments of Drop Site: what each event shows, to whom, and the end of a round."""

from xml.etree import ElementTree

import pytest

import droptable
from droptable.core.scene import Frame, Step
from droptable.games.drop_site import words
from droptable.games.drop_site.picture import scene
from droptable.testing.pictures import check_picture
from tests.games.test_drop_site import between_rounds, deal, one_event_back, start, swap, turns

GAME = droptable.game("drop-site")
NAMES = ("Anna", "Ben", "Cleo", "Dan")
LAST_SITE = "create 8"  # it ends the round of `between_rounds`


def step_of(state, token, seat):
    """An event as a seat, or (None) a spectator, sees it."""
    actor = state.to_act[0]
    known = state.witnesses(actor, token)
    seen = len(known) == state.players if seat is None else seat in known
    action = GAME.vocabulary(state.options).ids(actor)[token] if seen else -1
    after = state.copy()
    after.apply(actor, token)
    return Step(state.view(seat).fields, after.view(seat).fields, actor, action)


def shown(state, token, seat, tall=True):
    """The beats of an event for a seat or a spectator."""
    frame = Frame(NAMES[: state.players], tall)
    return list(scene.beats(step_of(state, token, seat), -1 if seat is None else seat, frame))


def things(beat):
    """The things of a beat's picture, by id."""
    root = ElementTree.fromstring(beat.picture.svg())
    return {e.get("id"): e for e in root.iter() if e.get("id")}


def texts(beat):
    root = ElementTree.fromstring(beat.picture.svg())
    return [e.text for e in root.iter() if e.tag.endswith("text")]


def middle():
    """Three seats in mid-round: each has hidden a card, seat 0 is to move."""
    state = deal(start(3), "2 6 6 9 12", "0 1 3 5 7", "0 1 3 5 7", site=8)
    return turns(state, "hide 12 > 10, hide 5 > 11, hide 0 > 4")


# -- a deal ---------------------------------------------------------------------------------------


def test_a_deal_is_one_moment():
    """Cards that are dealt are passed over until the first site; then they fly, and turn over."""
    state = start(3)
    for number in (2, 6, 6, 9, 12, 0, 1, 3, 5, 7, 0, 1, 3, 5, 7):
        assert shown(state, f"deal {number}", 0) == []
        state.apply(-1, f"deal {number}")
    covered, opened = shown(state, "site 8", 0)
    assert covered.text == "Round 1: everybody is dealt 5 cards; the first site shows an 8."
    assert covered.sound == "shuffle"
    hand = [e for key, e in things(covered).items() if key.startswith("card-h0-")]
    assert [e.get("data-face") for e in hand] == ["back"] * 5
    assert {e.get("data-from") for e in hand} == {"deck"}
    waits = [float(e.get("data-wait")) for e in hand]
    assert waits == sorted(set(waits)), "not one after the other"
    assert things(opened)["card-h0-12-a"].get("data-face") == "12"
    assert things(opened)["card-s1-8"].get("data-from") == "deck"
    backs = [key for key in things(opened) if key.startswith("back-")]
    assert len(backs) == 10


def test_a_drawn_card_is_seen_by_its_owner_only():
    """It comes face down and is turned with the picture that follows; the others pass it over."""
    state = middle()
    state.apply(0, "hide 6")
    (beat,) = shown(state, "draw 4", 0)
    assert things(beat)["card-h0-4-a"].get("data-face") == "back"
    assert "4" not in texts(beat)
    for seat in (1, 2, None):
        assert shown(state, "draw 4", seat) == []


# -- turns ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("token", "site"), [("place 6", 1), ("create 6", 2)])
def test_the_own_card_is_dropped_by_parachute(token, site):
    """The card of the hand hangs under a parachute over its site, then it lands there."""
    in_the_air, landed = shown(middle(), token, 0)
    above, there = things(in_the_air)["card-h0-6-b"], things(landed)[f"card-s{site}-6"]
    assert "parachute" in things(in_the_air) and "parachute" not in things(landed)
    assert place(above)[0] == place(there)[0] and place(above)[1] < place(there)[1]
    assert there.get("data-from") == "card-h0-6-b" and there.get("data-way") == "fall"
    assert (in_the_air.sound, landed.sound) == ("move", "drop")


def place(element):
    return tuple(float(n) for n in element.get("transform")[len("translate(") : -1].split())


@pytest.mark.parametrize("seat", [1, 2, None])
def test_the_others_see_it_come_from_its_hand(seat):
    """It flies from the seat's plate, and keeps its id when it lands."""
    in_the_air, landed = shown(middle(), "place 6", seat)
    assert in_the_air.text == "Anna places the 6 on the 8."
    assert things(in_the_air)["card-s1-6"].get("data-from") == "back-0-4"
    assert "back-0-4" not in things(in_the_air)
    faces = [things(beat)["card-s1-6"].get("data-face") for beat in (in_the_air, landed)]
    assert faces == ["6", "6"], "it would turn over when it lands"


def test_a_card_that_is_hidden_turns_over():
    """It goes face down to the reserve, whose count rises when it has arrived."""
    lifted, under = shown(middle(), "hide 9", 0)
    assert things(lifted)["card-h0-9-a"].get("data-face") == "back"
    assert things(lifted)["reserve-count"].get("data-face") == "1"
    assert things(under)["reserve-count"].get("data-face") == "2"
    assert "card-h0-9-a" not in things(under)
    lifted, under = shown(middle(), "hide 9", 2)
    assert lifted.text == "Anna hides a card."
    assert things(lifted)["back-0-4"].get("data-face") == "back"
    assert things(under)["reserve-0"].get("data-face") == "2"


def test_the_plane_loses_no_card_to_a_flight():
    """While a card is in the air, the deck is as large as before."""
    state = middle()
    left = str(words.deck_size(state.fields))
    for token in ("hide 9", "place 6", "create 10"):
        for beat in shown(state, token, 1):
            assert left in texts(beat), token


# -- secrets --------------------------------------------------------------------------------------


def bytes_of(beats):
    return [(b.seconds, b.picture and b.picture.svg(), b.text, b.sound) for b in beats]


@pytest.mark.parametrize(
    ("one", "other", "unseen_by"),
    [
        ("hands 1 7", "deck 12", (0, 2, None)),
        ("reserves 1 5", "deck 12", (0, 2, None)),
        ("hands 0 2", "hands 1 11", (2, None)),
        ("reserves 0 12", "reserves 1 5", (2, None)),
    ],
)
def test_hidden_cards_change_no_beat(one, other, unseen_by):
    """Exchanging cards that a viewer does not see changes not a byte of what it is shown."""
    state = middle()
    twin = swap(state.copy(), one, other)
    for token in ("place 6", "create 9", "hide 10"):
        for seat in unseen_by:
            assert bytes_of(shown(state, token, seat)) == bytes_of(shown(twin, token, seat))


def test_what_is_hidden_or_drawn_changes_no_beat_of_the_others():
    """Two different cards, hidden and then drawn, look the same to everybody else."""
    for seat in (1, 2, None):
        hidden = [bytes_of(shown(middle(), token, seat)) for token in ("hide 9", "hide 2")]
        assert hidden[0] == hidden[1]
        after = middle()
        after.apply(0, "hide 9")
        drawn = [bytes_of(shown(after, token, seat)) for token in ("draw 3", "draw 8")]
        assert drawn[0] == drawn[1]


def test_hands_left_over_change_no_beat_of_a_round_end():
    """Reserves are shown to all when a round ends, cards in other hands to nobody."""
    state = one_event_back(between_rounds())
    held = words.cards(state.fields["hands"][1])
    spare = next(number for number in held if number != 8)
    left = next(n for n in words.cards(state.fields["deck"]) if n not in (spare, 8))
    seat = state.to_act[0]
    twin = swap(state.copy(), f"hands {1 - seat} {words.cards(state.fields['hands'][1 - seat])[0]}",
                f"deck {left}")  # fmt: skip
    assert bytes(twin) != bytes(state)
    for viewer in (seat, None):
        one, other = (bytes_of(shown(s, LAST_SITE, viewer)) for s in (state, twin))
        assert one == other


# -- the end of a round ---------------------------------------------------------------------------


@pytest.mark.parametrize("tall", [True, False])
@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_round_end_is_a_scene_of_its_own(seat, tall):
    """Every viewer sees why it ended, then each reserve for at least a second, then the totals."""
    state = one_event_back(between_rounds())
    _air, _landed, end, *reserves, totals = shown(state, LAST_SITE, seat, tall)
    assert (end.text, end.sound) == ("The 6th site is open: round 1 ends.", "round")
    faces = [hidden_faces(beat) for beat in (end, *reserves, totals)]
    down, anna, both = ["back"] * 4, ["2", "10", "12", "back"], ["2", "10", "12", "8"]
    assert faces == [down, anna, anna, both, both, both]
    assert [beat.text for beat in reserves] == [
        "Anna scores +9 points", "Anna scores +9 points",
        "Ben scores +6 points", "Ben scores +6 points",
    ]  # fmt: skip
    assert totals.text == "After round 1: Anna 9, Ben 6"
    assert all(beat.seconds >= 1 for beat in (end, totals, reserves[0], reserves[2]))
    assert sum(beat.seconds for beat in (end, *reserves, totals)) > 5
    for beat in (end, *reserves, totals):
        check_picture(beat.picture, tall)


def hidden_faces(beat):
    """What the cards of all reserves show, seat by seat."""
    return [e.get("data-face") for key, e in things(beat).items() if key.startswith("hidden-")]


def test_sites_light_up_and_pay():
    """The sites that match the reserve which is counted are lit; their points fly to its seat."""
    state = one_event_back(between_rounds())
    _air, _landed, _end, anna, paid, ben, *_rest = shown(state, LAST_SITE, 1)
    assert lit(anna) == {"site-1", "site-2"} and lit(ben) == {"site-6"}
    pays = {key: e for key, e in things(anna).items() if key.startswith("pay-")}
    assert set(pays) == {"pay-1", "pay-2"}
    assert {e.get("data-to") for e in pays.values()} == {"gain-0"}
    assert "gain-0" in things(paid) and not lit(paid)
    assert "-2" in texts(anna)  # the 10 matches nothing


def lit(beat):
    root = ElementTree.fromstring(beat.picture.svg())
    return {
        e.get("data-touch")
        for e in root.iter()
        if any("ds-lit" in (child.get("class") or "") for child in e)
    }


def test_totals_are_counted_when_all_reserves_have_been_shown():
    """Until then the totals are those of the rounds before."""
    state = one_event_back(between_rounds())
    *earlier, last = shown(state, LAST_SITE, 0)
    assert {things(beat)["total-0"].get("data-face") for beat in earlier} == {"0"}
    assert things(last)["total-0"].get("data-face") == "9"


def test_the_empty_deck_ends_a_round_in_the_same_way():
    """Who drew the last card sees it; everybody sees the reserves."""
    state = start(4)
    for seat in range(4):
        for number in range(3 * seat, 3 * seat + 3):
            state.apply(-1, f"deal {number}")
        for number in range(2):
            state.apply(-1, f"deal {3 * seat + number}")
    state.apply(-1, "site 12")
    while words.deck_size(state.fields) > 1 or state.to_act != (-1,):
        actor = state.to_act[0]
        state.apply(actor, state.chance()[0][0] if actor < 0 else state.legal(actor)[-1])
    token = state.chance()[0][0]
    drawer = int(state.fields["seat"])
    own, others = shown(state, token, drawer), shown(state, token, (drawer + 1) % 4)
    assert [beat.text for beat in own][1] == "The deck is empty: round 1 ends."
    assert len(own) == len(others) + 1 == 1 + 1 + 2 * 4 + 1


def test_the_match_ends_with_the_same_scene():
    """The last totals are counted before the winner is marked, in the picture that stays."""
    state = one_event_back(between_rounds())
    again = GAME.start(2, round_limit=1)
    for actor, token in state.events:
        again.apply(actor, token)
    *_earlier, last = shown(again, LAST_SITE, 0)
    again.apply(again.to_act[0], LAST_SITE)
    assert again.over
    stays = scene.draw(again.view(0).fields, 0, Frame(NAMES[:2], True))
    after = {e.get("id") for e in ElementTree.fromstring(stays.svg()).iter()} - {None}
    assert after - set(things(last)) == {"won-0"}
    assert things(last)["total-0"].get("data-face") == "9"


def test_every_beat_of_a_match_can_be_drawn():
    """All pictures of random matches keep to their limits, for seats and spectators."""
    for players in GAME.players:
        record = droptable.play(GAME, players, seed=players, round_limit=2, points=(50,) * 13)
        states = list(record.states())
        for number, (state, (_actor, token)) in enumerate(
            zip(states[:-1], record.events, strict=True)
        ):
            ends = states[number + 1].fields["rounds"] != state.fields["rounds"]
            if number % 5 == 0 or ends:
                seat = (None, *range(players))[number % (players + 1)]
                tall = bool(number % 2)
                for beat in shown(state, token, seat, tall):
                    if beat.picture is not None:
                        check_picture(beat.picture, tall)


def test_open_replays_have_moments_too():
    """With everything open a turn and a deal are a moment each, and a round end is announced."""
    frame = Frame(NAMES[:2], open=True)
    state = one_event_back(between_rounds())
    (beat,) = scene.beats(step_of(state, LAST_SITE, 0), 0, frame)
    assert beat.text == "After round 1: Anna 9, Ben 6"
    dealt = deal(start(), "2 6 6 9 12", "0 1 3 5 7")
    assert len(scene.beats(step_of(dealt, "site 8", 0), 0, frame)) == 1
    assert scene.beats(step_of(start(), "deal 8", 0), 0, frame) == []
