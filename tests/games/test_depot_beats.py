"""The moments of Depot that are shown: deals, moves, and the ends of rounds, games and matches."""

import random
from collections import Counter
from xml.etree import ElementTree

import pytest

import droptable
from droptable.core.scene import Frame, Step
from droptable.games.depot import rules
from droptable.games.depot.picture import scene
from droptable.testing.pictures import check_picture

GAME = droptable.game("depot")
NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve")
SPECTATOR = None


def seat_of(viewer):
    return -1 if viewer is SPECTATOR else viewer


def step(state, token, viewer):
    """An event as a viewer sees it, which then happens."""
    dealt = token.split()[0] in ("deal", "store")
    actor = -1 if dealt else state.to_act[0]
    ids = GAME.vocabulary(state.options).ids(actor)
    witnesses = state.witnesses(actor, token)
    known = viewer in witnesses or len(witnesses) == state.players
    before = state.view(viewer).fields.copy()
    state.apply(actor, token)
    return Step(before, state.view(viewer).fields.copy(), actor, ids[token] if known else -1)


def beats(state, token, viewer=0, tall=True):
    frame = Frame(NAMES[: state.players], tall)
    return scene.SCENE.beats(step(state, token, viewer), seat_of(viewer), frame)


def shown(state, beat, viewer, tall=True):
    """The picture of a beat, as a client gets it right after the event."""
    frame = Frame(NAMES[: state.players], tall)
    return beat.picture or scene.draw(state.view(viewer).fields, seat_of(viewer), frame)


def by_id(picture):
    root = ElementTree.fromstring(picture.svg())
    return {e.get("id"): e for e in root.iter() if e.get("id")}


def words(element):
    return [e.text for e in element.iter() if e.tag.endswith("text")]


def dealt(*hands, storage, **options):
    state = GAME.start(len(hands), **options)
    for number in (n for hand in hands for n in hand.split()):
        state.apply(-1, f"deal {number}")
    for number in storage.split():
        state.apply(-1, f"store {number}")
    return state


def ready(storage="4 4 6", **options):
    return dealt(
        "1 1 2 3 5 5 6 7 8", "1 1 1 2 2 3 4 5 8", "2 2 3 3 4 5 6 6 7", storage=storage, **options
    )


def before_the_end(hands, storage, players=3, game=0, lost=(0,) * 5, turn=9):
    """A turn of seat 0, which has one card left, in a match of three games."""
    state = GAME.start(players, games=3)
    record = state.array.copy()[0]
    record["hands"] = 0
    for seat, hand in enumerate(hands):
        for number in hand:
            record["hands"][seat][number - 1] += 1
        record["hand_size"][seat] = len(hand)
    record["storage"] = [storage.count(number) for number in range(1, 9)]
    record["deck"] = rules.COPIES - record["hands"].sum(axis=0) - record["storage"]
    record["deck_size"] = record["deck"].sum()
    record["phase"], record["game"], record["lost"] = rules.TURN, game, lost
    record["set_size"], record["turn"] = len(storage), turn
    data = state.array.copy()
    data[0] = record
    return GAME.load(GAME.pack(data))


# -- deals and moves ------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR])
def test_a_deal_is_one_beat_and_the_storage_another(viewer):
    """Of the 30 events of a deal only the last hand card and the last store are shown."""
    state = GAME.start(3)
    chance = random.Random(1)
    told = []
    while state.to_act == (-1,):
        token = state.draw(chance)
        told += [(beat.text, beat.seconds > 1) for beat in beats(state, token, viewer)]
    assert told == [("Everybody is dealt 9 cards.", True), ("The Storage is filled.", True)]


def test_cards_are_dealt_from_the_deck_one_after_the_other():
    """The viewer's cards fly from the deck in turn, the others' as a row."""
    ids = by_id(scene.draw(ready().view(0).fields, 0, Frame(NAMES[:3], True)))
    cards = [e for key, e in ids.items() if key.startswith("card-")]
    assert len(cards) == 9 and {e.get("data-from") for e in cards} == {"deck"}
    assert len({e.get("data-wait") for e in cards}) == 9
    assert ids["row-1"].get("data-from") == "deck"
    assert ids["stored-6-0"].get("data-from") == "deck"


def test_a_play_comes_from_its_seat_and_goes_to_the_discards():
    """What another plays flies from its plate, and away when it is beaten."""
    state = ready()
    (beat,) = beats(state, "play 1 1", viewer=1)
    assert beat.text == "Anna plays 1 1."
    card = by_id(shown(state, beat, 1))["played-0-1-1"]
    assert card.get("data-from") == "seat-0" and card.get("data-to") == "discards"
    beats(state, "play 2 2", viewer=1)
    ids = by_id(scene.draw(state.view(1).fields, 1, Frame(NAMES[:3], True)))
    assert "played-0-1-1" not in ids and "card-2-0" in ids


def test_equal_plays_of_different_seats_are_different_things():
    """A 2 that is beaten by 2 2 leaves, though another 2 lies there now."""
    state = ready()
    state.apply(0, "play 1")
    state.apply(1, "play 2")
    before = by_id(scene.draw(state.view(0).fields, 0, Frame(NAMES[:3], True)))
    state.apply(2, "play 2 2")
    after = by_id(scene.draw(state.view(0).fields, 0, Frame(NAMES[:3], True)))
    assert not {k for k in before if k.startswith("played")} & set(after)


def test_a_pass_moves_cards_from_the_shelf_and_back():
    """Taken cards fly to the seat or into the hand; what is given comes from there."""
    state = ready()
    state.apply(0, "play 8")
    frame = Frame(NAMES[:3], True)
    assert (
        by_id(scene.draw(state.view(0).fields, 0, frame))["stored-4-0"].get("data-to") == "seat-1"
    )
    assert by_id(scene.draw(state.view(1).fields, 1, frame))["stored-4-0"].get("data-to") is None
    (beat,) = beats(state, "take 4", viewer=1)
    assert beat.text == "Ben passes and takes both 4s from the Storage."
    hand = by_id(shown(state, beat, 1))
    assert [hand[f"card-4-{i}"].get("data-from") for i in range(3)] == [None, "store-4", "store-4"]
    (beat,) = beats(state, "give 2", viewer=0)
    assert by_id(shown(state, beat, 0))["stored-2-0"].get("data-from") == "seat-1"
    own = by_id(scene.draw(state.view(1).fields, 1, frame))
    assert own["stored-2-0"].get("data-from") == "card-2-1"
    (beat,) = beats(state, "store 2", viewer=0)
    assert beat.text == "The Storage gets a 2."
    assert by_id(shown(state, beat, 0))["stored-2-1"].get("data-from") == "deck"


def test_a_reshuffle_is_told():
    """When the discards become the deck, that is a longer moment with its sound."""
    state = ready()
    state.apply(0, "play 8")
    state.apply(1, "take 6")
    state.apply(1, "keep")
    data = state.array.copy()
    data["discards"][0], data["deck"], data["deck_size"] = data["deck"][0], 0, 0
    (beat,) = beats(GAME.load(GAME.pack(data)), "store 1", viewer=2)
    assert beat.sound == "shuffle" and beat.seconds > 1
    assert beat.text.startswith("The deck is empty: the discards become the deck.")


# -- ends -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [0, 1, 2, SPECTATOR])
def test_the_end_of_a_round_is_seen(viewer):
    """First the last pass is done, then the play leaves and the Storage grows."""
    state = ready()
    for token in ("play 8", "take 6", "keep", "store 2", "take 2"):
        state.apply(state.to_act[0], token)
    passed, ended = beats(state, "give 7", viewer)
    assert passed.text == "Cleo gives a 7 to the Storage."
    assert ended.text == "Anna takes the round; the Storage grows to 4." and ended.seconds > 1
    held = by_id(shown(state, passed, viewer))
    played = "card-8-0" if viewer == 0 else "played-0-8-0"
    assert played in held and "room for 3 cards" in words(held["storage"])
    after = by_id(shown(state, ended, viewer))
    assert played not in after and "room for 4 cards" in words(after["storage"])


@pytest.mark.parametrize("tall", [True, False])
@pytest.mark.parametrize("viewer", [0, 1, 3, 4, SPECTATOR])
def test_the_end_of_a_game_is_a_scene_of_its_own(viewer, tall):
    """The last play, the ranks, the cards taken one by one, the totals: then the next game."""
    hands = [(8,), (1, 2), (1, 1, 1), (3,), (4, 4)]
    state = before_the_end(hands, (2, 5, 5, 7), players=5, lost=(1, 0, 2, 0, 0))
    shots = beats(state, "play 8", viewer, tall)
    assert state.fields["game"] == 1 and state.fields["phase"] == rules.DEAL
    assert [beat.text for beat in shots] == [
        "Anna plays 8, the last card. Game 1 is over.",
        "Lost points: the last takes the highest number in the Storage.",
        "Cleo takes a 7: 9 lost points in all.",
        "Ben takes a 5: 5 lost points in all.",
        "Eve takes a 2: 2 lost points in all.",
        "Lost points after game 1: Dan 0, Anna 1, Eve 2, Ben 5, Cleo 9.",
    ]
    assert all(beat.picture and beat.seconds >= 1 for beat in shots)
    for beat in shots:
        check_picture(beat.picture, tall)
    first, *counting = [by_id(beat.picture) for beat in shots]
    assert "table" in first and "rank-0" not in first
    lost = [[int(words(ids[f"lost-{seat}"])[0]) for seat in range(5)] for ids in counting]
    assert lost == [[1, 0, 2, 0, 0], [1, 0, 9, 0, 0], [1, 5, 9, 0, 0], [1, 5, 9, 0, 2],
                    [1, 5, 9, 0, 2]]  # fmt: skip
    ranks = [words(counting[0][f"rank-{seat}"])[0] for seat in range(5)]
    assert ranks == ["1.", "4.", "5.", "2.", "3."]


def test_taken_cards_keep_their_ids():
    """A card that is taken is the one that stood on the shelf, and no other goes."""
    state = before_the_end([(8,), (1, 2), (1, 1, 1)], (5, 5, 5))
    counting = [by_id(beat.picture) for beat in beats(state, "play 8", 1)[1:]]
    cards = [{key for key in ids if key.startswith("stored-")} for ids in counting]
    assert all(found == {"stored-5-0", "stored-5-1", "stored-5-2"} for found in cards)
    columns = [
        [ids[f"stored-5-{i}"].get("transform").split()[0] for i in range(3)] for ids in counting
    ]
    assert [len(set(column)) for column in columns] == [1, 2, 2, 2]
    assert [column.count(columns[0][0]) for column in columns] == [3, 2, 1, 1]


def test_seats_that_cannot_be_told_apart_share_a_place():
    """Ranks are only told as far as hand sizes and taken cards do: sums are hidden."""
    state = before_the_end([(8,), (1, 2), (1, 1)], ())
    shots = beats(state, "play 8", SPECTATOR)
    ids = by_id(shots[1].picture)
    assert [words(ids[f"rank-{seat}"])[0] for seat in range(3)] == ["1.", "2.", "2."]


@pytest.mark.parametrize("viewer", [0, 2, SPECTATOR])
def test_the_last_game_ends_with_the_winner_marked(viewer):
    """The final picture is the count itself, where whoever has the fewest lost points glows."""
    state = before_the_end([(8,), (1, 2), (1, 1, 1)], (2, 7), game=2, lost=(9, 3, 0, 0, 0))
    *_shots, last = beats(state, "play 8", viewer)
    assert state.over and state.winners == (1,)
    assert last.picture is None and last.text == "Ben wins with 5 lost points after 3 games."
    ids = by_id(shown(state, last, viewer))
    won = [seat for seat in range(3) if any("won" in str(e.get("class")) for e in
           ids[f"rank-{seat}"].iter())]  # fmt: skip
    assert won == [1] and "Ben wins the match" in words(ids["table"])
    assert [words(ids[f"lost-{seat}"]) for seat in range(3)] == [["9"], ["5"], ["7"]]


def test_a_single_game_ends_on_the_board():
    """The last play lies in the bay, and plate and bay of the winner are marked."""
    state = ready()
    chance = random.Random(3)
    while True:
        tokens = [state.draw(chance)] if state.to_act == (-1,) else state.legal(state.to_act[0])
        token = max(tokens, key=len)
        shots = beats(state, token, 1)
        if state.over:
            break
        assert not any("won" in str(e.get("class")) for b in shots
                       for e in by_id(shown(state, b, 1)).values())  # fmt: skip
    (beat,) = shots
    assert beat.seconds >= 1 and "wins: no cards left." in beat.text
    ids = by_id(shown(state, beat, 1))
    winner = state.winners[0]
    marked = {key for key in ("table", "seat-0", "seat-1", "seat-2")
              if any("won" in str(e.get("class")) for e in ids[key].iter())}  # fmt: skip
    assert marked == {"table", f"seat-{winner}"}


def test_a_game_that_ends_at_the_turn_limit_is_counted_too():
    """A game without a winner by its last card has ranks and lost points all the same."""
    state = before_the_end([(7, 8), (1, 2), (1, 1, 1)], (2, 7), turn=999)
    shots = beats(state, "play 8", 0)
    assert shots[0].text == "Anna plays 8. Game 1 ends at the limit of 1000 turns."
    assert len(shots) == 5 and all(beat.picture for beat in shots)
    assert "Game 1 has ended" in words(by_id(shots[1].picture)["table"])


# -- secrets --------------------------------------------------------------------------------------


def everything_shown(deals, tokens, viewer, **options):
    """All that a viewer is shown and told of a match, as text."""
    state = GAME.start(3, **options)
    shown_ = []
    steps = []
    for token in (*(f"deal {n}" for hand in deals for n in hand), *tokens):
        steps.append(step(state, token, viewer))
        for tall in (True, False):
            frame = Frame(NAMES[:3], tall)
            for beat in scene.SCENE.beats(steps[-1], seat_of(viewer), frame):
                picture = beat.picture or scene.draw(steps[-1].after, seat_of(viewer), frame)
                shown_.append((beat.seconds, beat.text, beat.sound, picture.svg()))
        shown_.append(GAME.words.tell_turn(steps[-1:], NAMES))
    shown_.append(GAME.words.tell_turn(steps[: len(steps) - len(tokens)], NAMES))
    return repr(shown_)


def test_nothing_hidden_is_shown():
    """With other cards in the hands and the deck that a viewer cannot see, every byte is equal."""
    mine = (1, 1, 2, 3, 5, 5, 6, 7, 8)
    one, other = (1, 2, 2, 3, 4, 4, 6, 7, 8), (1, 1, 3, 3, 4, 5, 6, 7, 8)
    tokens = ("store 4", "store 4", "store 6", "play 8", "take 6", "give 3", "take 3", "keep",
              "store 2", "store 5", "play 5")  # fmt: skip
    for viewer, deals in ((0, (mine, one, other)), (SPECTATOR, (mine, one, other))):
        swapped = (deals[0], deals[2], deals[1])
        seen = everything_shown(deals, tokens, viewer)
        assert seen == everything_shown(swapped, tokens, viewer)
        assert seen == everything_shown((deals[0], deals[1], (1,) * 9), tokens, viewer)
    mixed = everything_shown((mine, one, other), tokens, 1)
    assert mixed == everything_shown(((*other[:8], 8), one, mine), tokens, 1)


def test_the_end_of_a_game_shows_no_hidden_hand():
    """Hands of equal size and sum that nobody saw lead to the same pictures at the end."""
    for viewer in (0, SPECTATOR):
        ends = []
        for hands in ([(8,), (1, 5), (2, 2, 2)], [(8,), (2, 4), (1, 1, 4)]):
            state = before_the_end(hands, (2, 7))
            shots = beats(state, "play 8", viewer)
            ends.append([(b.text, b.seconds, b.picture.svg()) for b in shots])
        assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("players", "options"), [(3, {}), (4, {"games": 3}), (5, {"games": 3, "all_cards": True})]
)
def test_every_beat_of_a_match_can_be_drawn(players, options):
    """Beats of random matches are well-formed pictures, and everything that ends is shown."""
    state = GAME.start(players, turn_limit=100, **options)
    chance = random.Random(players)
    ends = Counter()
    while not state.over:
        actor = state.to_act[0]
        token = state.draw(chance) if actor < 0 else chance.choice(state.legal(actor))
        viewer = chance.choice([SPECTATOR, *range(players)])
        tall = chance.random() < 0.5
        game = int(state.fields["game"])
        for beat in beats(state, token, viewer, tall):
            assert beat.text
            if beat.picture:
                check_picture(beat.picture, tall)
                ends[game] += "rank-0" in by_id(beat.picture)
    assert len(+ends) == (3 if options else 0)
