"""Depot, rule by rule."""

import random
from collections import Counter
from fractions import Fraction
from itertools import groupby

import numpy as np
import pytest

import droptable
from droptable.core.chance import generators, pick
from droptable.core.scene import Step
from droptable.games.depot import GAME, rules, words

NAMES = ("Ann", "Bob", "Cy", "Di", "Eve")
COPIES = {1: 13, 2: 12, 3: 11, 4: 10, 5: 10, 6: 9, 7: 8, 8: 7}
ALL_CARDS = Counter(COPIES)


# -- tools ----------------------------------------------------------------------------------------


def numbers(text):
    return [int(word) for word in text.split()]


def counts(text):
    """`1 1 8` as a pile of the record."""
    return [numbers(text).count(n) for n in range(1, 9)]


def pile(state, name, *index):
    """A pile of the record as text: `1 1 8`."""
    field = state.fields[name][index] if index else state.fields[name]
    return " ".join(str(n + 1) for n in range(8) for _ in range(field[n]))


def hand(state, seat):
    return pile(state, "hands", seat)


def do(state, script):
    """Events, comma separated: `store` and `deal` by the dealer, moves by whoever is to act."""
    for token in script.split(","):
        actor = -1 if token.split()[0] in ("deal", "store") else state.to_act[0]
        state.apply(actor, token.strip())
    return state


def start(*hands, storage, **options):
    """A match that was dealt these hands and this Storage."""
    state = GAME.start(players=len(hands), **options)
    for cards in hands:
        for number in numbers(cards):
            state.apply(-1, f"deal {number}")
    for number in numbers(storage):
        state.apply(-1, f"store {number}")
    return state


def position(*hands, storage, state=None, seat=0, table=None, last=0, **given):
    """A turn of `seat` with these cards; all the others are the deck, or discards.

    Fields that are `given` are written as they are; options are those of `state`.
    """
    data = (state or GAME.start(players=len(hands))).array.copy()
    record = data[0]
    discards = given.pop("discards", "")
    for name in ("hands", "known", "hand_size", "discards", "storage", "deck"):
        record[name] = 0
    for player, cards in enumerate(hands):
        record["hands"][player] = counts(cards)
        record["hand_size"][player] = len(numbers(cards))
    record["storage"] = counts(storage)
    seen = [*numbers(" ".join(hands)), *numbers(storage)]
    if table is not None:
        record["table"] = words.actions({}).index(f"play {table}")
        seen += numbers(table)
    rest = ALL_CARDS - Counter(seen)
    rest -= Counter({n: int(record["out"][n - 1]) for n in range(1, 9)})
    if discards == "all":
        record["discards"] = [rest[n] for n in range(1, 9)]
        rest = Counter()
    else:
        record["discards"] = counts(discards)
        rest -= Counter(numbers(discards))
    record["deck"] = [rest[n] for n in range(1, 9)]
    record["deck_size"] = rest.total()
    record["set_size"] = len(numbers(storage))
    record["phase"] = rules.TURN
    record["seat"], record["last"] = seat, last
    for name, value in given.items():
        record[name] = value
    return GAME.load(GAME.pack(data))


def three_games(players=3, **options):
    return GAME.start(players=players, games=3, **options)


def refused(state, token, actor=None):
    image = bytes(state)
    with pytest.raises(droptable.IllegalMove) as caught:
        state.apply(state.to_act[0] if actor is None else actor, token)
    assert bytes(state) == image
    return caught.value


def plays(state):
    """The legal plays of whoever is to act."""
    return {token[5:] for token in state.legal(state.to_act[0]) if token.startswith("play")}


def takes(state):
    return [token for token in state.legal(state.to_act[0]) if token.startswith("take")]


def hoard(state, until):
    """Let seats pass whenever they may, taking the most and giving nothing."""
    while not until(state):
        seat = state.to_act[0]
        if seat == -1:
            token = max(state.chance_weights(), key=lambda pair: pair[1])[0]
        elif "keep" in state.legal(seat):
            token = "keep"
        else:
            token = max(
                takes(state) or state.legal(seat)[:1],
                key=lambda t: state.fields["storage"][int(t[-1]) - 1],
            )
        state.apply(seat, token)
    return state


def all_cards(state):
    """Every card of a full state, wherever it is."""
    found = Counter()
    for name in ("deck", "discards", "storage", "out"):
        found.update(numbers(pile(state, name)))
    for seat in range(state.players):
        found.update(numbers(hand(state, seat)))
    if state.fields["table"] >= 0:
        found.update(rules.PLAYS[state.fields["table"]])
    return found


def dealt(**options):
    """A deal that many tests share: three players, the Storage allows no sets and runs of 3."""
    return start(
        "1 1 1 2 2 3 4 8 8", "1 2 3 4 5 6 6 7 8", "3 3 4 4 5 5 6 7 7", storage="4 5 6", **options
    )


def dealt_at_random(players, seed=1, **options):
    state = GAME.start(players=players, **options)
    chance = random.Random(seed)
    while state.to_act == (-1,):
        state.deal(chance)
    return state


def tell(state, token, viewer=0):
    """What a viewer's log says of an event, which then happens."""
    actor = -1 if token.split()[0] in ("deal", "store") else state.to_act[0]
    words_of = words.outcomes({}) if actor < 0 else words.actions({})
    action = words_of.index(token) if viewer in state.witnesses(actor, token) else -1
    before = state.view(viewer).fields
    state.apply(actor, token)
    return words.tell(before, state.view(viewer).fields, actor, action, NAMES)


# -- the rules ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "cards", "stored"), [(3, 9, 3), (4, 9, 4), (5, 8, 4)])
def test_dp1_hands_seat_by_seat_then_the_storage(players, cards, stored):
    """Seat 0 gets all its cards, then seat 1 and so on; the Storage comes last."""
    state = GAME.start(players=players)
    chance = random.Random(players)
    for seat in range(players):
        for card in range(cards):
            assert state.fields["hand_size"].tolist()[seat] == card
            assert all(token.startswith("deal") for token, _ in state.chance())
            state.deal(chance)
    assert state.scores == (cards,) * players
    for _ in range(stored):
        assert all(token.startswith("store") for token, _ in state.chance())
        state.deal(chance)
    assert state.to_act == (0,)
    assert state.fields["set_size"] == stored
    assert state.fields["deck_size"] == 80 - players * cards - stored
    assert all_cards(state) == ALL_CARDS


def test_dp1_the_deck_has_eighty_cards():
    """The dealer's chances are the cards that are left of each number."""
    state = GAME.start(players=3)
    assert state.chance() == [(f"deal {n}", Fraction(c, 80)) for n, c in COPIES.items()]
    do(state, "deal 8, deal 8")
    assert dict(state.chance())["deal 8"] == Fraction(5, 78)
    do(state, ", ".join(["deal 8"] * 5))
    assert "deal 8" not in dict(state.chance())
    assert str(refused(state, "deal 8")) == "there is no 8 left in the deck (DP1)"


def test_dp1_the_dealer_keeps_the_order():
    """Cards for the Storage are refused while hands are dealt, and the other way round."""
    state = GAME.start(players=3)
    do(state, ", ".join(["deal 1"] * 9 + ["deal 2"]))
    reason = "the hands come first: seat 1 is to be dealt a card (DP1)"
    assert str(refused(state, "store 3")) == reason
    do(state, ", ".join(["deal 2"] * 8 + ["deal 3"] * 9))
    reason = "all hands are dealt: the card is for the Storage (DP1)"
    assert str(refused(state, "deal 4")) == reason


def test_dp2_the_starting_seat_must_play():
    """Seat 0 starts the first round; it can play anything allowed, but not pass."""
    state = dealt()
    assert state.to_act == (0,)
    assert state.legal(0) == [
        *("play 1", "play 2", "play 3", "play 4", "play 8"),
        *("play 1 2", "play 2 3", "play 3 4", "play 1 2 3", "play 2 3 4"),
    ]
    for token in ("take 4", "pass", "keep", "give 1"):
        error = refused(state, token)
        assert error.rule == "DP2"
        assert error.reason == "you start the round, so you have to play"


def test_dp2_only_the_seat_in_turn_acts():
    """Others are told whose turn it is."""
    state = dealt()
    assert str(refused(state, "play 1", actor=1)) == "seat 1 is not to act now: seat 0 is (DP2)"
    assert state.legal(1) == [] and state.chance() == []


def test_dp3_the_storage_limits_sets_and_runs():
    """The rulebook's example: with 4 5 5 6, two equal cards or a run of two or three."""
    others = ("1 1 1 1 1 1 1 1 2",) * 1 + ("2 2 2 2 2 2 2 2 3",) + ("3 3 3 3 3 3 3 3 4",)
    state = start("4 5 5 5 6 6 7 7 8", *others, storage="4 5 5 6")
    assert plays(state) == {
        *("4", "5", "6", "7", "8"),
        *("5 5", "6 6", "7 7"),
        *("4 5", "5 6", "6 7", "7 8"),
        *("4 5 6", "5 6 7", "6 7 8"),
    }
    error = refused(state, "play 5 5 5")
    assert error.rule == "DP3"
    assert error.reason == "the Storage allows at most 2 equal cards: it has no number more often"
    error = refused(state, "play 4 5 6 7")
    assert error.rule == "DP3"
    assert error.reason == "the Storage allows runs of at most 3 cards: it has no longer one"


def test_dp3_the_cards_need_not_be_in_the_storage():
    """Only the sizes in the Storage count: 1 2 3 is fine with 4 5 6 there."""
    assert "1 2 3" in plays(dealt())


def test_dp3_without_pairs_and_runs_only_single_cards():
    """A Storage like 1 3 5 allows neither equal cards nor runs."""
    state = position("1 1 2 3", "5", "6", storage="1 3 5")
    assert plays(state) == {"1", "2", "3"}
    reason = "no number is in the Storage twice, so equal cards cannot be played (DP3)"
    assert str(refused(state, "play 1 1")) == reason
    reason = "the Storage has no consecutive numbers, so runs cannot be played (DP3)"
    assert str(refused(state, "play 1 2")) == reason


def test_dp3_eight_and_one_are_not_consecutive():
    """8 and 1 in the Storage are no run, and there is no such play."""
    state = position("7 8 1 2", "5", "6", storage="1 1 8")
    assert plays(state) == {"1", "2", "7", "8"}
    with pytest.raises(droptable.TokenError):
        state.apply(0, "play 8 1")
    with pytest.raises(droptable.TokenError):
        state.apply(0, "play 2 1")


def test_dp3_the_cards_must_be_in_the_hand():
    """The reason names the number that is missing, or how many there are."""
    state = dealt()
    assert str(refused(state, "play 5")) == "you have no 5 in your hand (DP3)"
    assert str(refused(state, "play 3 4 5")) == "you have no 5 in your hand (DP3)"
    assert str(refused(state, "play 3 3")) == "you have only 1 card of the number 3 (DP3)"
    assert str(refused(state, "play 8 8 8")) == "you have only 2 cards of the number 8 (DP3)"


def test_dp3_every_possible_play_has_a_token():
    """All sets up to the copies of a number and all runs; long ones are found among them."""
    tokens = {t for t in words.actions({}) if t.startswith("play")}
    sets = {f"play {' '.join([str(n)] * size)}" for n in COPIES for size in range(1, COPIES[n] + 1)}
    runs = {
        f"play {' '.join(str(n) for n in range(low, high + 1))}"
        for low in range(1, 9)
        for high in range(low + 1, 9)
    }
    assert tokens == sets | runs and len(tokens) == 108
    state = position("1 1 1 1 1 1 1 2 3 4 5 6 7 8", "5", "6", storage="1 1 1 1 1 1 2 3 4 5 6 7 8")
    found = plays(state)
    assert "1 1 1 1 1 1" in found and "1 1 1 1 1 1 1" not in found
    assert "1 2 3 4 5 6 7 8" in found
    assert len(found) == 8 + 5 + 28
    assert state.legal_ids(0) == sorted(state.legal_ids(0))


def test_dp4_more_cards_beat_fewer_then_the_higher_sum():
    """After 2 3 by seat 0: two cards above 5, or any three; never fewer."""
    state = do(dealt(), "play 2 3")
    assert plays(state) == {
        *("3 4", "4 5", "5 6", "6 7", "7 8"),
        *("1 2 3", "2 3 4", "3 4 5", "4 5 6", "5 6 7", "6 7 8"),
    }
    reason = "1-2 (2 cards, sum 3) does not beat 2-3 (2 cards, sum 5) (DP4)"
    assert str(refused(state, "play 1 2")) == reason
    assert str(refused(state, "play 8")) == "8 does not beat 2-3 (2 cards, sum 5) (DP4)"


def test_dp4_kinds_compare_and_equal_strength_does_not_beat():
    """The rulebook's example, 2 2 after 1 2; and 1 2 3 neither beats 2 2 2 nor is beaten by it."""
    state = position("5", "2 2 2 8", "6", storage="4 4 5", seat=1, table="1 2")
    assert plays(state) == {"2 2"}
    three = position("5", "1 2 3", "6", storage="4 4 4 5 6", seat=1, table="2 2 2")
    assert plays(three) == set()
    reason = "1-2-3 (3 cards, sum 6) does not beat 2 2 2 (3 cards, sum 6) (DP4)"
    assert str(refused(three, "play 1 2 3")) == reason
    other = position("5", "2 2 2", "6", storage="4 4 4 5 6", seat=1, table="1 2 3")
    assert plays(other) == set()
    single = position("5", "3 4 5", "6", storage="4 5 6", seat=1, table="4")
    assert plays(single) == {"5", "3 4", "4 5", "3 4 5"}
    assert str(refused(single, "play 4")) == "4 does not beat 4 (DP4)"


def test_dp4_strength_is_forgotten_when_a_round_starts():
    """After a round the weakest card can be played again."""
    state = do(dealt(), "play 8, take 4, give 1, take 1, give 3, store 5")
    assert state.to_act == (0,)
    assert "1" in plays(state)


def test_dp5_what_is_beaten_is_discarded():
    """The last play lies on the table; only beaten ones are discards."""
    state = do(dealt(), "play 1 2")
    assert pile(state, "discards") == ""
    do(state, "play 1 2 3")
    assert pile(state, "discards") == "1 2"
    do(state, "play 3 4 5")
    assert pile(state, "discards") == "1 1 2 2 3"
    assert all_cards(state) == ALL_CARDS


def test_dp6_a_pass_takes_all_cards_of_a_number():
    """All cards of the number go to the hand; give or keep follows."""
    state = position("1 2", "3 3 4", "5", storage="4 4 6", seat=1, table="8")
    assert state.legal(1) == ["play 3 3", "take 4", "take 6"]
    do(state, "take 4")
    assert hand(state, 1) == "3 3 4 4 4" and pile(state, "storage") == "6"
    assert state.to_act == (1,)
    assert state.legal(1) == ["give 3", "keep"]


def test_dp6_giving_fills_one_place():
    """The card that was given is in the Storage; the dealer fills the rest."""
    state = position("1 2", "3 3 4", "5", storage="4 4 6", seat=1, table="8")
    do(state, "take 4, give 3")
    assert hand(state, 1) == "3 4 4 4" and pile(state, "storage") == "3 6"
    assert state.to_act == (-1,)
    do(state, "store 1")
    assert pile(state, "storage") == "1 3 6"
    assert state.to_act == (2,)


def test_dp6_no_card_is_drawn_when_one_for_one_is_swapped():
    """Taking one card and giving one leaves nothing to fill."""
    state = position("1 2", "3 4", "5", storage="4 4 6", seat=1, table="8")
    do(state, "take 6, give 3")
    assert state.to_act == (2,)


def test_dp6_the_rulebooks_pass():
    """2 4 5 5 6: taking both 5s and keeping all draws 6 6, so three equal cards but no runs."""
    state = position("1 1", "2 2", "6 7 7 7 7", "8", storage="2 4 5 5 6", seat=1, table="1")
    do(state, "take 5, keep, store 6, store 6")
    assert pile(state, "storage") == "2 4 6 6 6"
    assert state.to_act == (2,)
    assert plays(state) == {"6", "7", "7 7", "7 7 7"}
    do(state, "take 4, keep, store 4")
    assert hand(state, 1) == "2 2 5 5"


def test_dp6_reasons_before_and_after_taking():
    """Give and keep need a take; after it nothing else, and not the same number."""
    state = do(dealt(), "play 8")
    reason = "take a number from the Storage first: only then you give a card or keep all (DP6)"
    assert str(refused(state, "keep")) == reason
    assert str(refused(state, "give 1")) == reason
    assert str(refused(state, "take 8")) == "there is no 8 in the Storage (DP6)"
    do(state, "take 4")
    reason = "you have taken 4s: now give a card to the Storage, or keep all (DP6)"
    for token in ("play 1", "take 5", "pass"):
        assert str(refused(state, token)) == reason
    reason = "you have just taken 4s: the card you give needs another number (DP6)"
    assert str(refused(state, "give 4")) == reason
    do(state, "give 6, take 6")
    assert str(refused(state, "give 8")) == "you have no 8 in your hand (DP6)"


def test_dp7_the_discards_become_the_deck():
    """They do when a card must be drawn, not before, and without the play on the table."""
    state = position(
        "1 2", "3 4", "5 6", storage="4 5 6", seat=1, table="8", discards="all", deck_open=0
    )
    left = ALL_CARDS - Counter([1, 2, 3, 4, 5, 6, 4, 5, 6, 8])
    do(state, "take 4")
    assert state.fields["deck_size"] == 0 and not state.fields["deck_open"]
    do(state, "keep")
    assert state.fields["deck_size"] == 0
    assert dict(state.chance()) == {
        f"store {n}": Fraction(left[n], left.total()) for n in range(1, 9)
    }
    do(state, "store 1")
    assert pile(state, "discards") == ""
    assert state.fields["deck_size"] == left.total() - 1
    assert all_cards(state) == ALL_CARDS


def test_dp7_the_dealer_cannot_draw_what_is_not_discarded():
    """With an empty deck only discarded numbers can come."""
    hands = ["1 " * 12 + "2 " * 12 + "3 " * 11, "4 " * 10 + "5 " * 10, "6 " * 9 + "7 " * 8]
    state = position(*hands, storage="8 8 8", seat=1, table="1", discards="8 8 8 8")
    do(state, "take 8, keep")
    assert state.chance() == [("store 8", Fraction(1))]
    reason = "there is no 1 among the discards, which become the deck (DP7)"
    assert str(refused(state, "store 1")) == reason


def test_dp7_the_storage_stays_short_when_there_are_no_cards():
    """With deck and discards empty the game goes on with what is left of the Storage."""
    hands = ["1 " * 12 + "2 " * 12 + "3 " * 11, "4 " * 10 + "5 " * 10, "6 " * 9 + "7 " * 8]
    state = position(*hands, storage="8 8 8 8 8 8 8", seat=1, table="1")
    assert state.fields["deck_size"] == 0
    do(state, "take 8, give 4")
    assert state.to_act == (2,)
    assert pile(state, "storage") == "4"
    assert takes(state) == ["take 4"]
    assert str(refused(state, "take 8")) == "there is no 8 in the Storage (DP6)"


def test_dp7_with_an_empty_storage_a_pass_is_one_move():
    """`pass` ends the turn; a card that was beaten meanwhile fills the Storage after it."""
    hands = ["1 " * 12 + "2 " * 12 + "3 " * 11, "4 " * 10 + "5 " * 10, "6 " * 9 + "7 " * 8]
    state = position(*hands, storage="8 8 8 8 8 8 8", seat=1, table="1", set_size=3)
    reason = "there are cards in the Storage: to pass, take one of its numbers (DP7)"
    assert str(refused(state, "pass")) == reason
    do(state, "take 8, keep")
    assert state.legal(2) == ["play 6", "play 7", "pass"]
    reason = "the Storage is empty, there is nothing to take: pass (DP7)"
    assert str(refused(state, "take 8")) == reason
    assert state.fields["set_size"] == 3
    do(state, "play 6")  # beats the 1, which is then a discard
    assert state.legal(0) == ["pass"]
    do(state, "pass")
    assert state.chance() == [("store 1", Fraction(1))]
    do(state, "store 1")
    assert state.to_act == (1,)
    assert takes(state) == ["take 1"]


def test_dp7_the_quick_dealer_deals_as_the_chances_say():
    """Drawing straight from the pile gives what the listed chances give with the same numbers."""
    ids, weights = np.zeros(126, np.int32), np.zeros(32, np.int32)
    piles = [GAME.start(players=3), do(dealt(), "play 3, take 4, keep")]
    state = position("1 2", "3 4", "5 6", storage="4 5 6", seat=1, table="8", discards="all")
    piles.append(do(state, "take 4, keep"))
    for record in (state.array[0] for state in piles):
        quick, listed = generators(1, 5), generators(1, 5)
        for _ in range(100):
            count = rules.chance(record, ids, weights)
            expected = ids[pick(weights, count, listed)]
            assert rules.sample_outcome(record, ids, weights, quick) == expected


def test_dp7_hoarders_reach_it_by_playing():
    """From a real deal: seats that only take empty the deck, and all cards stay in the game."""
    state = dealt_at_random(5)
    hoard(state, lambda s: s.to_act == (-1,) and not s.fields["deck_size"])
    discards = pile(state, "discards")
    assert {token[-1] for token, _ in state.chance()} == set(discards.split())
    token = state.deal(random.Random(1))
    assert Counter(numbers(discards)) - Counter([int(token[-1])]) == Counter(
        numbers(pile(state, "deck"))
    )
    assert all_cards(state) == ALL_CARDS


def test_dp8_who_passed_may_play_again_in_the_round():
    """Seat 1 passes, seat 2 plays, and seat 1 has its next turn as any other."""
    state = do(dealt(), "play 3, take 4, keep, store 4, play 5, take 4, keep, store 4")
    assert state.to_act == (1,)
    assert {"6", "7", "8"} <= plays(state)
    assert not {"4", "5"} & plays(state)
    do(state, "play 6")
    assert state.to_act == (2,)


def test_dp9_a_round_ends_when_all_others_pass():
    """The last play is discarded, the Storage grows by one, the last to play starts."""
    state = do(dealt(), "play 3, play 5, take 4, keep, store 4, take 4, keep")
    assert pile(state, "discards") == "3" and state.fields["set_size"] == 3
    do(state, "store 4")  # the last pass is filled, then the round ends
    assert pile(state, "discards") == "3 5" and state.fields["set_size"] == 4
    assert state.fields["table"] == rules.NO_PLAY
    assert state.to_act == (-1,)
    do(state, "store 2")
    assert pile(state, "storage") == "2 4 5 6"
    assert state.to_act == (1,)
    assert takes(state) == []


def test_dp9_passes_must_follow_one_another():
    """A play in between starts the count anew; with 4 players three passes end the round."""
    hands = ("1 1 1 1 2 3 4 8 8", "1 2 3 4 5 6 6 7 8", "3 3 4 4 5 5 6 7 7", "2 2 2 2 5 5 6 6 7")
    state = start(*hands, storage="1 3 5 7")
    do(state, "play 1, take 1, give 2, take 2, give 3")
    do(state, "play 2, take 5, give 1, take 1, give 8")
    assert state.to_act == (2,) and state.fields["set_size"] == 4
    do(state, "take 7, give 4")
    assert state.fields["set_size"] == 5 and state.to_act == (-1,)
    do(state, "store 8")
    assert state.to_act == (3,)
    assert pile(state, "storage") == "3 3 4 8 8"


def test_dp9_the_play_on_the_table_is_no_discard_until_then():
    """With no other card, the last pass stays unfilled; the table fills the next Storage."""
    hands = ["1 " * 13 + "2 " * 12 + "3 " * 11, "4 " * 10 + "5 " * 10, "6 " * 9 + "7 " * 8]
    state = position(*hands, storage="8 8 8 8 8", seat=2, table="8 8", last=0, passes=1, set_size=5)
    do(state, "take 8, give 7")
    assert state.fields["set_size"] == 6 and pile(state, "storage") == "7"
    assert state.chance() == [("store 8", Fraction(1))]
    do(state, "store 8, store 8")
    assert state.to_act == (0,)  # short: there is nothing else to draw
    assert pile(state, "storage") == "7 8 8"


def test_dp10_an_empty_hand_wins_at_once():
    """The game ends with the play: nobody answers, nothing is filled."""
    state = position("4 4", "1", "8", storage="5 5 6", table="3 3", last=2)
    do(state, "play 4 4")
    assert state.over and state.to_act == ()
    assert state.winners == (0,) and state.scores == (0, 1, 1)
    assert str(refused(state, "play 1", actor=1)) == "the match is over (DP10)"
    assert str(refused(state, "store 1", actor=-1)) == "the match is over (DP10)"


def test_dp10_a_whole_match_by_single_cards():
    """Seat 0 plays a card a round while the others pass, and wins with the ninth."""
    state = dealt()
    rounds = 0
    while not state.over:
        seat = state.to_act[0]
        if seat == 0:
            rounds += 1
            assert state.winners == ()
            state.apply(0, next(t for t in state.legal(0) if len(t) == 6))
        else:
            hoard(state, lambda s, now=seat: s.to_act != (now,))
    assert rounds == 9 and state.winners == (0,) and state.scores[0] == 0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_dp10_the_turn_limit_counts_plays_and_whole_passes(seed):
    """After 100 turns the best hand wins; filling and the round's end are done first."""
    chance = random.Random(seed)
    state = GAME.start(players=5, turn_limit=100)
    turns = 0
    while not state.over:
        seat = state.to_act[0]
        if seat < 0:
            state.deal(chance)
            continue
        assert turns < 100
        # Nobody comes near to an empty hand: seats play when they must, or have many cards.
        many = state.fields["hand_size"][seat] > 8
        choices = state.legal(seat) if many else takes(state) or state.legal(seat)
        token = chance.choice(choices)
        turns += token.split()[0] in ("play", "give", "keep", "pass")
        state.apply(seat, token)
    assert turns == 100
    hands = [numbers(hand(state, seat)) for seat in range(5)]
    best = min((len(cards), -sum(cards)) for cards in hands)
    winners = [s for s, cards in enumerate(hands) if (len(cards), -sum(cards)) == best]
    assert state.winners == tuple(winners)
    assert state.scores == tuple(len(cards) for cards in hands)
    full = len(numbers(pile(state, "storage"))) == state.fields["set_size"]
    assert full or not pile(state, "deck") + pile(state, "discards")


@pytest.mark.parametrize(
    ("third", "winners"), [("4 5", (2,)), ("3 4", (0, 2)), ("1 2", (0,)), ("1 1 8", (0,))]
)
def test_dp10_at_the_limit_the_higher_sum_wins_and_equals_share(third, winners):
    """Fewest cards first, then the sum, then a shared victory."""
    state = position("2 5 8", "1 1 1", third, storage="4 5 6", turn=999, table="3", last=2)
    do(state, "play 8")
    assert state.over and state.winners == winners
    assert state.scores == (2, 3, len(numbers(third)))


def test_dp10_the_limit_comes_after_the_filling():
    """The last pass is filled, the round ended and filled too, before the game ends."""
    state = position(
        "2 2", "1 1 1", "7 7", storage="4 5 6", seat=2, turn=999, table="3", last=0, passes=1
    )
    do(state, "take 4, keep")
    assert not state.over
    do(state, "store 1")
    assert not state.over and state.fields["set_size"] == 4
    do(state, "store 1")
    assert state.over and state.winners == (0,)
    assert pile(state, "storage") == "1 1 5 6" and pile(state, "discards") == "3"


def test_dp10_options_have_their_ranges():
    """Limits and counts outside the ranges are refused by name."""
    for options in ({"turn_limit": 99}, {"turn_limit": 10001}, {"games": 2}, {"all_cards": 1}):
        with pytest.raises(droptable.OptionError, match=next(iter(options))):
            GAME.start(players=3, **options)
    for players in (2, 6):
        with pytest.raises(droptable.OptionError, match="3 to 5"):
            GAME.start(players=players)


def end_game(*hands, storage, turn=0, **given):
    """A game of three whose seat 0 plays its only card, a 5; the lost points after it."""
    state = three_games(len(hands) + 1)
    state = position("5", *hands, storage=storage, state=state, turn=turn, **given)
    return do(state, "play 5")


def test_dp11_fewer_cards_rank_higher():
    """Of three seats the one with most cards is last and takes the highest card."""
    assert end_game("1 1", "8", storage="2 4 7").scores == (0, 7, 4)
    assert end_game("1", "8 8 8", storage="2 4 7").scores == (0, 4, 7)


def test_dp11_then_the_higher_sum_ranks_higher():
    """Between equally many cards the higher sum is better."""
    assert end_game("8 8", "1 1", storage="2 4 7").scores == (0, 4, 7)
    assert end_game("1 1", "8 8", storage="2 4 7").scores == (0, 7, 4)


def test_dp11_then_who_sits_sooner_after_the_last_play():
    """Equal hands rank clockwise from the seat that played last."""
    assert end_game("3 3", "2 4", storage="2 4 7").scores == (0, 4, 7)
    state = position(
        *("2 4", "3 3", "1", "3 3"), storage="2 4 7 8", state=three_games(4), seat=2, last=3
    )
    assert do(state, "play 1").scores == (7, 8, 0, 4)  # seat 2 played last; worst first: 1, 0, 3


def test_dp11_the_seat_of_the_last_play_comes_last_itself():
    """At the limit all three hands are equal: seat 0, who played last, is the worst."""
    state = position(
        *("4 5", "3 5", "1 8"), storage="4 6 6", state=three_games(), seat=1, table="1", turn=999
    )
    do(state, "take 4, give 3")
    assert state.scores == (6, 0, 3)
    assert state.fields["took"].tolist()[:3] == [6, 0, 3]


@pytest.mark.parametrize(
    ("hands", "storage", "lost"),
    [
        # seats 1, 2, … get worse: the last seat takes first
        (("1", "1 1"), "2 4 7", (0, 4, 7)),
        (("1", "1 1"), "7 7 7", (0, 7, 7)),  # none lower: the same again
        (("1", "1 1"), "2 7 7", (0, 2, 7)),
        (("1", "1 1"), "7", (0, 0, 7)),  # none lower, none left
        (("1", "1 1"), "", (0, 0, 0)),
        (("1", "1 1", "1 1 1"), "1 3 5 8", (0, 3, 5, 8)),
        (("1", "1 1", "1 1 1"), "5 5", (0, 0, 5, 5)),
        (("1", "1 1", "1 1 1"), "3 5 5 5", (0, 0, 3, 5)),  # a 3 was taken last, no 3 is left
        (("1", "1 1", "1 1 1"), "3 3 5 5", (0, 3, 3, 5)),
        (("1", "1 1", "1 1 1", "1 1 1 1"), "2 2 2 8", (0, 2, 2, 2, 8)),
        (("1", "1 1", "1 1 1", "1 1 1 1"), "2 2 8 8", (0, 0, 2, 2, 8)),
        (("1", "1 1", "1 1 1", "1 1 1 1"), "1 2 3 4 5 6 7", (0, 4, 5, 6, 7)),
    ],
)
def test_dp12_lost_points_from_the_last_rank_up(hands, storage, lost):
    """Each takes the next lower number, else the same, else none and none above either."""
    state = end_game(*hands, storage=storage)
    assert state.scores == lost
    taken = Counter(card for card in lost if card)
    assert Counter(numbers(pile(state, "out"))) == taken


def test_dp12_lost_points_add_up():
    """A second game's points come on top."""
    state = end_game("1 1", "8", storage="2 4 7")
    state = position("2 2", "5", "8 8 8", storage="1 3 6", state=state, seat=1)
    do(state, "play 5")
    assert state.scores == (3, 7, 10)


@pytest.mark.parametrize("all_cards_back", [False, True])
def test_dp13_taken_cards_stay_out_unless_all_cards(all_cards_back):
    """The next game is dealt from the deck without them, or from all 80."""
    state = three_games(all_cards=all_cards_back)
    state = position("5", "1 1", "8", storage="2 4 7", state=state)
    do(state, "play 5")
    assert state.to_act == (-1,)
    out = {} if all_cards_back else {4: 1, 7: 1}
    total = 80 - len(out)
    assert state.chance() == [
        (f"deal {n}", Fraction(c - out.get(n, 0), total)) for n, c in COPIES.items()
    ]
    assert state.scores == (0, 7, 4)


def test_dp13_game_k_is_started_by_seat_k_and_all_starts_anew():
    """Hands are dealt from seat 0, the Storage starts small, nothing is known of hands."""
    state = three_games()
    state = position(*("5", "1 1", "8"), storage="2 4 7 8 8", state=state, turn=50, deck_open=1)
    state.array[0]["known"][1] = counts("1 1")
    do(state, "play 5")
    fresh = three_games()
    for name in ("phase", "seat", "table", "passes", "turn", "set_size", "taken", "deck_open"):
        assert state.fields[name] == fresh.fields[name], name
    assert not state.fields["known"].any() and not state.fields["hands"].any()
    chance = random.Random(1)
    for seat in range(3):
        assert state.fields["seat"] == seat
        for _ in range(9):
            state.deal(chance)
    for _ in range(3):
        state.deal(chance)
    assert state.to_act == (1,)
    assert takes(state) == []  # DP2
    again = do(position("1 1", "5", "8", storage="2 4 7", state=state, seat=1), "play 5")
    assert again.fields["game"] == 2
    while again.to_act == (-1,):
        again.deal(chance)
    assert again.to_act == (2,)


@pytest.mark.parametrize(
    ("storage", "lost", "winners"),
    [("2 7", (9, 9, 10), (0, 1)), ("1 7", (9, 8, 10), (1,)), ("3 8", (10, 10, 10), (0, 1, 2))],
)
def test_dp13_the_fewest_lost_points_of_three_games_win(storage, lost, winners):
    """The match is over after the third game; equal totals share the victory."""
    state = do(position("5", "1 1", "8", storage="1 3 7", state=three_games()), "play 5")
    assert state.scores == (0, 7, 3)
    state = do(position("8", "5", "1 1", storage="1 2 7", state=state, seat=1), "play 5")
    assert state.scores == (2, 7, 10) and not state.over and state.winners == ()
    state = do(position("1 1", "8", "5", storage=storage, state=state, seat=2), "play 5")
    assert state.over and state.scores == lost and state.winners == winners


# -- what a seat may know -------------------------------------------------------------------------


def swapped(state, place, other, given, got):
    """The same state but that two places (a seat's hand, or the deck) have swapped a card."""
    copy = GAME.load(bytes(state))
    for where, less, more in ((place, given, got), (other, got, given)):
        cards = copy.fields["deck"] if where == "deck" else copy.fields["hands"][where]
        assert cards[less - 1] > 0
        cards[less - 1] -= 1
        cards[more - 1] += 1
    return copy


def check_hidden(state, twin, seats):
    """Two states look the same to these seats and to spectators, and not to the others."""
    for seat in (None, *range(state.players)):
        same = bytes(state.view(seat)) == bytes(twin.view(seat))
        assert same == (seat is None or seat in seats), f"seat {seat}"
        assert (str(state.view(seat)) == str(twin.view(seat))) == same
    assert str(state) != str(twin) or twin.view(None).fields["deck_open"]


def test_a_seat_sees_its_own_hand_and_what_is_open():
    """The Storage, discards, the play, sizes and the own hand are in a view."""
    state = do(dealt(), "play 1 2, play 1 2 3, take 4, give 5")
    view = state.view(0)
    assert pile(view, "hands", 0) == "1 1 2 3 4 8 8"
    assert pile(view, "storage") == "5 5 6" and pile(view, "discards") == "1 2"
    assert view.fields["hand_size"].tolist() == [7, 6, 9, 0, 0]
    assert pile(view, "hands", 1) == pile(view, "hands", 2) == pile(view, "deck") == ""
    assert view.fields["deck_size"] == 50
    assert view.legal == state.legal(0) and view.scores == state.scores


def test_hands_and_deck_are_hidden():
    """Cards swapped between hidden places change no view but their owners'."""
    state = do(dealt(), "play 3")
    check_hidden(state, swapped(state, 1, 2, 8, 3), seats=(0,))
    check_hidden(state, swapped(state, 1, "deck", 8, 3), seats=(0, 2))
    check_hidden(state, swapped(state, 2, "deck", 7, 1), seats=(0, 1))
    do(state, "take 4")
    check_hidden(state, swapped(state, 0, 2, 8, 3), seats=(1,))


def test_hands_stay_hidden_when_the_match_is_over():
    """After an empty hand and after the limit, one game or three: sizes are all that is shown."""
    ended = do(position("4 4", "1", "8", storage="5 5 6", table="3 3"), "play 4 4")
    check_hidden(ended, swapped(ended, 1, "deck", 1, 2), seats=(0, 2))
    limit = do(position("2 5 8", "1 1 1", "3 4", storage="4 5 6", turn=999), "play 8")
    check_hidden(limit, swapped(limit, 1, "deck", 1, 2), seats=(0, 2))
    third = position("5", "1 1", "8 8", storage="2 4 7", state=three_games(), game=2)
    do(third, "play 5")
    assert third.over
    check_hidden(third, swapped(third, 1, 2, 1, 8), seats=(0,))


def test_a_new_game_is_hidden_like_the_first():
    """Once the next game is dealt, neither hands nor the deck are known again."""
    state = position("5", "1 1", "8", storage="2 4 7", state=three_games(), deck_open=1)
    do(state, "play 5")
    do(state, ", ".join(["deal 1"] * 9 + ["deal 2"] * 4))
    check_hidden(state, swapped(state, 1, "deck", 2, 3), seats=(0, 2))


def test_everybody_knows_what_was_taken():
    """Taken cards are known until they are played or given; those leave a hand first."""
    state = position("1 2", "3 4", "5", storage="4 4 6", seat=1, table="1", set_size=3)
    do(state, "take 4, keep, store 7, store 7, take 7, give 5, store 8, store 8")
    for seat in (None, 0, 1, 2):
        view = state.view(seat)
        assert pile(view, "known", 1) == "4 4" and pile(view, "known", 2) == "7 7"
    do(state, "play 2, play 4")  # seat 1 had three 4s: two that all saw, and one of its own
    assert pile(state.view(0), "known", 1) == "4"
    assert hand(state, 1) == "3 4 4"
    do(state, "take 8, give 7")
    assert pile(state.view(0), "known", 2) == "7 8 8"


def test_known_cards_do_not_go_below_zero():
    """Playing more than was taken leaves nothing known of the number."""
    state = position("8 8", "4 4 4 5", "5 6", storage="1 1 4 6", seat=1, table="1")
    do(state, "take 4, keep, store 1, play 5, play 8")
    assert pile(state.view(0), "known", 1) == "4"
    do(state, "play 4 4 4")
    assert pile(state.view(0), "known", 1) == "" and hand(state, 1) == "4 5"


def test_the_deck_is_known_once_it_was_made_of_discards():
    """From the first card drawn out of them all views show the deck; hands stay hidden."""
    state = position("1 2", "3 4", "5 6", storage="4 5 6", seat=1, table="8", discards="all")
    do(state, "take 4, keep, store 1")
    for seat in (None, 0, 1, 2):
        assert pile(state.view(seat), "deck") == pile(state, "deck") != ""
    check_hidden(state, swapped(state, 1, 2, 3, 5), seats=(0,))


def test_only_a_seat_itself_knows_the_cards_it_is_dealt():
    """Dealt cards have one witness; everything else happens in the open."""
    state = GAME.start(players=3)
    assert state.witnesses(-1, "deal 4") == (0,)
    do(state, ", ".join(["deal 1"] * 9))
    assert state.witnesses(-1, "deal 4") == (1,)
    state = dealt_at_random(3)
    assert state.witnesses(0, state.legal(0)[0]) == (0, 1, 2)
    do(state, state.legal(0)[0])
    for kind in ("take", "give", "store"):
        seat = state.to_act[0]
        tokens = [t for t, _ in state.chance()] if seat < 0 else state.legal(seat)
        token = next((t for t in tokens if t.startswith(kind)), tokens[-1])
        assert state.witnesses(seat, token) == (0, 1, 2)
        state.apply(seat, token)


# -- possible worlds ------------------------------------------------------------------------------


def worlds(view, count):
    """How often each pair of hands of seats 1 and 2 comes up."""
    found = Counter()
    for seed in range(count):
        world = view.determinize(seed)
        assert bytes(world.view(view.seat)) == bytes(view)
        assert all_cards(world) == ALL_CARDS
        found[hand(world, 1), hand(world, 2)] += 1
    return found


def check_uniform(found, expected):
    """Frequencies are near their probabilities, and nothing else comes up."""
    count = found.total()
    assert set(found) == set(expected)
    assert sum(expected.values()) == 1
    for world, probability in expected.items():
        deviation = (count * float(probability) * (1 - float(probability))) ** 0.5
        assert abs(found[world] - count * float(probability)) < 5 * deviation, world


def small_world(**given):
    """Unseen by seat 0: a card of seat 1, one of seat 2, and two in the deck, of 1 1 2 3."""
    state = position("4", "1", "2", storage="5 5 5", **given)
    rest = numbers(pile(state, "deck"))
    for number in (1, 3):
        rest.remove(number)
    record = state.array[0]
    record["deck"], record["deck_size"] = counts("1 3"), 2
    record["discards"] = counts(" ".join(map(str, rest)))
    return state


def test_worlds_are_uniform_over_the_unseen_cards():
    """Before the discards became the deck: any two of the four unseen cards, by their copies."""
    twelfth = Fraction(1, 12)
    pairs = ["12", "13", "21", "31"]
    expected = {tuple(pair): 2 * twelfth for pair in pairs} | {
        ("1", "1"): 2 * twelfth, ("2", "3"): twelfth, ("3", "2"): twelfth
    }  # fmt: skip
    check_uniform(worlds(small_world().view(0), 1200), expected)


def test_worlds_keep_an_open_deck():
    """After it the unseen cards are exactly those of the other hands."""
    state = small_world(deck_open=1)
    half = Fraction(1, 2)
    check_uniform(worlds(state.view(0), 300), {("1", "2"): half, ("2", "1"): half})
    spectator = worlds(state.view(None), 300)
    assert len(spectator) == 6  # 4, 1 and 2 in any order


def test_worlds_keep_known_cards_in_their_hand():
    """A card that was taken in the open stays; only the rest is drawn."""
    state = small_world()
    state.array[0]["hands"][1] = counts("1 5")
    state.array[0]["known"][1] = counts("5")
    state.array[0]["hand_size"][1] = 2
    state.array[0]["discards"][4] -= 1
    twelfth = Fraction(1, 12)
    expected = {(f"{a} 5", b): 2 * twelfth for a, b in ("12", "13", "21", "31", "11")}
    expected |= {("2 5", "3"): twelfth, ("3 5", "2"): twelfth}
    check_uniform(worlds(state.view(0), 1200), expected)


def test_worlds_fit_the_result_of_the_match():
    """At the limit seat 1 won by its sum: no world gives seat 2 as much."""
    state = position("4 4 4 4", "8", "1", storage="5 5 5", turn=999)
    do(state, "play 4")
    assert state.winners == (1,)
    found = worlds(state.view(0), 200)
    assert all(int(one) > int(two) for one, two in found)
    assert len(found) > 10
    third = position("5", "8 8", "1 1", storage="2 4 7", state=three_games(), game=2)
    do(third, "play 5")
    assert third.scores == (0, 4, 7)
    for one, two in worlds(third.view(0), 100):
        assert sum(numbers(one)) >= sum(numbers(two))


def test_worlds_of_random_matches_look_the_same():
    """At every kind of node a world has all cards, and the same moves for the seat."""
    chance = random.Random(8)
    for options in ({}, {"games": 3, "turn_limit": 100}):
        state = GAME.start(players=4, **options)
        for step in range(400):
            if state.over:
                break
            if step % 20 == 0:
                view = state.view(step // 20 % 4)
                world = view.determinize(step)
                assert all_cards(world) == ALL_CARDS
                assert bytes(world.view(view.seat)) == bytes(view)
                assert (world.fields["hands"] >= world.fields["known"]).all()
                assert world.legal(view.seat) == view.legal
            seat = state.to_act[0]
            if seat < 0:
                state.deal(chance)
            else:
                state.apply(seat, chance.choice(state.legal(seat)))


# -- words ----------------------------------------------------------------------------------------


def test_labels_say_what_a_move_does():
    """Every kind of legal move has a label."""
    state = position("1 1", "3 3 4 8", "5", storage="4 4 6", seat=1, table="1")
    view = state.view(1)
    assert view.label("play 3 3") == "Play 3 3"
    assert view.label("take 4") == "Pass and take both 4s from the Storage"
    assert view.label("take 6") == "Pass and take the 6 from the Storage"
    do(state, "take 4")
    assert state.view(1).label("give 8") == "Put an 8 into the Storage"
    assert state.view(1).label("keep") == "Keep all"
    last = position("1 1", "3 3", "5", storage="4 4 4", seat=1, table="1")
    assert last.view(1).label("play 3 3") == "Play 3 3, your last cards"
    assert last.view(1).label("take 4") == "Pass and take all three 4s from the Storage"
    assert position("1", "2", "3", storage="4").view(0).label("play 1") == "Play 1, your last card"
    empty = position("1 1", "3 3", "5", storage="", seat=1, table="1")
    assert empty.view(1).label("pass") == "Pass"


def test_the_log_of_a_deal_shows_a_card_only_to_its_seat():
    """Seat 0 reads its own cards, and that others get some."""
    state = GAME.start(players=3)
    assert tell(state, "deal 8") == "Ann is dealt an 8."
    assert tell(state, "deal 7", viewer=1) == "Ann is dealt a card."
    do(state, ", ".join(["deal 1"] * 7))
    assert tell(state, "deal 2") == "Bob is dealt a card."


def test_the_log_of_a_round():
    """Plays, passes and what the Storage gets are told, and the end of the round."""
    state = dealt()
    assert tell(state, "play 1 2") == "Ann plays 1-2."
    assert tell(state, "take 4") == "Bob passes and takes the 4 from the Storage."
    assert tell(state, "give 8") == "Bob gives an 8 to the Storage."
    assert tell(state, "take 8") == "Cy passes and takes the 8 from the Storage."
    assert tell(state, "keep") == "Cy keeps all cards."
    assert tell(state, "store 3") == (
        "The Storage gets a 3. Ann takes the round; the Storage grows to 4."
    )
    assert tell(state, "store 3") == "The Storage gets a 3."


def test_the_log_of_an_empty_deck_and_an_empty_storage():
    """It says where the cards come from, and that a seat just passes."""
    state = position("1 2", "3 4", "5 6", storage="4", seat=1, table="8", discards="all")
    do(state, "take 4, keep")
    assert tell(state, "store 1") == (
        "The deck is empty: the discards become the deck. The Storage gets a 1."
    )
    empty = position("1 1", "3 3", "5", storage="", seat=1, table="1", set_size=0)
    assert tell(empty, "pass") == "Bob passes."


def test_the_log_and_verdict_of_a_match():
    """The last play is told with the result."""
    state = position("4 4", "1", "8", storage="5 5 6", table="3 3")
    assert tell(state, "play 4 4") == "Ann plays 4 4, the last cards. Ann wins: no cards left."
    limit = position("2 5 8", "1 1 1", "3 4", storage="4 5 6", turn=999)
    assert tell(limit, "play 8") == (
        "Ann plays 8. Ann and Cy share the victory at the limit of 1000 turns: 2 cards left each."
    )
    sums = do(position("2 5 8", "1 1 1", "1 1", storage="4 5 6", turn=999), "play 8")
    assert words.verdict(sums.fields, NAMES) == (
        "Ann wins at the limit of 1000 turns: 2 cards left, with the highest sum."
    )
    alone = do(position("2 8", "1 1", "1 1", storage="4 5 6", turn=999), "play 8")
    assert words.verdict(alone.fields, NAMES) == (
        "Ann wins at the limit of 1000 turns: 1 card left."
    )


def test_the_log_of_three_games():
    """Each game's end tells the lost points, the last one also who wins."""
    state = position("5", "1 1", "8", storage="2 4 7", state=three_games())
    assert tell(state, "play 5") == (
        "Ann plays 5, the last card. Game 1 is over. Lost points: "
        "Ann takes no card (0 in all), Bob takes a 7 (7 in all), Cy takes a 4 (4 in all)."
    )
    state = position("5 5", "1", "8", storage="1 1 7", state=state, turn=999, game=2)
    assert tell(state, "play 5") == (
        "Ann plays 5. Game 3 ends at the limit of 1000 turns. Lost points: "
        "Ann takes a 1 (1 in all), Bob takes a 7 (14 in all), Cy takes no card (4 in all). "
        "Ann wins with 1 lost point after 3 games."
    )
    shared = position("5", "1", "8", storage="", state=three_games(), game=2)
    do(shared, "play 5")
    assert words.verdict(shared.fields, NAMES) == (
        "Ann, Bob and Cy share the victory with 0 lost points each after 3 games."
    )


def tell_turns(state, tokens, viewer=0):
    """The lines of a viewer's log: one for the events of one actor in a row."""
    steps = []
    for token in tokens.split(", "):
        actor = -1 if token.split()[0] in ("deal", "store") else state.to_act[0]
        ids = words.outcomes({}) if actor < 0 else words.actions({})
        seen = viewer in state.witnesses(actor, token)
        before = state.view(viewer).fields.copy()
        state.apply(actor, token)
        after = state.view(viewer).fields.copy()
        steps.append(Step(before, after, actor, ids.index(token) if seen else -1))
    runs = [list(run) for _actor, run in groupby(steps, key=lambda step: step.actor)]
    return [words.tell_turn(run, NAMES) for run in runs]


def test_the_log_has_one_line_for_a_deal():
    """Hands and Storage are one line, the same for everybody; half a deal is told as such."""
    deal = ", ".join(f"deal {n}" for n in "111223488123456678334455677")
    for viewer in range(3):
        lines = tell_turns(GAME.start(players=3), f"{deal}, store 8, store 3, store 5", viewer)
        assert lines == ["Everybody is dealt 9 cards. The Storage gets 3 5 8."]
    (line,) = tell_turns(three_games(), f"{deal}, store 8, store 3, store 5")
    assert line == "Game 1: everybody is dealt 9 cards. The Storage gets 3 5 8."
    assert tell_turns(three_games(), "deal 1, deal 2") == ["The cards are being dealt."]
    assert tell_turns(three_games(), deal) == ["Game 1: everybody is dealt 9 cards."]


def test_the_log_has_one_line_for_a_turn():
    """A play, a whole pass, and the filling after it are a line each, with the round's end."""
    assert tell_turns(
        dealt(), "play 1 2, take 4, give 8, take 8, keep, store 3, store 1, play 8, take 6"
    ) == [
        "Ann plays 1-2.",
        "Bob takes a 4 from the Storage and gives an 8.",
        "Cy takes an 8 from the Storage and keeps all cards.",
        "The Storage is refilled: 3. Ann takes the round; the Storage grows to 4. It gets 1.",
        "Ann plays 8.",
        "Bob passes and takes the 6 from the Storage.",
    ]
    state = position("1 1 8", "3 4", "5 5", storage="4 4 6", seat=1, table="1", passes=0)
    assert tell_turns(state, "take 4, keep, store 2, store 3") == [
        "Bob takes 4 4 from the Storage and keeps all cards.",
        "The Storage is refilled: 2 3.",
    ]
    swap = position("1 1", "3 4", "5 5", storage="4 6 7", seat=2, table="8", passes=1)
    assert tell_turns(swap, "take 4, give 5") == [
        "Cy takes a 4 from the Storage and gives a 5. Ann takes the round; the Storage grows to 4."
    ]


def test_the_log_of_a_turn_that_ends_a_game():
    """The lost points stand in the line of the last play, and the deal has its own."""
    state = position("5", "1 1", "8", storage="2 4 7", state=three_games())
    play, deal = tell_turns(state, "play 5, deal 1")
    assert play == (
        "Ann plays 5, the last card. Game 1 is over. Lost points: "
        "Ann takes no card (0 in all), Bob takes a 7 (7 in all), Cy takes a 4 (4 in all)."
    )
    assert deal == "The cards are being dealt."
    state = position("1 2", "3 4", "5 6", storage="4", seat=1, table="8", discards="all")
    assert tell_turns(state, "take 4, keep, store 1")[-1] == (
        "The deck is empty: the discards become the deck. The Storage is refilled: 1."
    )


def test_the_drawing_for_a_seat():
    """All cards by number, other hands as far as all know them, and what is expected."""
    state = position("1 1 8", "3 4", "5", storage="4 4 6", seat=1, table="1", set_size=3)
    do(state, "take 4, keep, store 5, store 6, take 5, keep, store 5")
    drawing = str(state.view(0))
    assert drawing.split("\n") == [
        "Turn 3 of at most 1000. Deck: 67 cards.",
        "Number        1  2  3  4  5  6  7  8",
        "Storage       .  .  .  .  1  2  .  .  3 cards, 1 short",
        "Discards      1  .  .  .  .  .  .  .  1 card",
        "Seat 0 (you)  2  .  .  .  .  .  .  1  3 cards",
        "Seat 1        .  .  .  2  .  .  .  .  4 cards, 2 unseen",
        "Seat 2        .  .  .  .  1  .  .  .  2 cards, 1 unseen",
        "The Storage is to get a card.",
    ]
    do(state, "store 7")
    assert str(state.view(0)).split("\n")[-2:] == [
        "The Storage allows single cards, up to 2 equal cards and runs of up to 3.",
        "You (seat 0) are to start the round with a play.",
    ]
    do(state, "play 1 1")
    assert str(state.view(0)).split("\n")[-3:] == [
        "On the table: 1 1 (2 cards, sum 2), played by seat 0.",
        "The Storage allows single cards, up to 2 equal cards and runs of up to 3.",
        "Seat 1 is to move: beat the play on the table, or take a number from the Storage.",
    ]
    do(state, "take 6")
    assert str(state.view(1)).split("\n")[-1] == (
        "You (seat 1) have taken 6s: give a card of another number, or keep all."
    )
    assert "Seat 1 has taken 6s" in str(state.view(None))


def test_the_drawing_of_everything():
    """A whole state shows all hands; a spectator's view does not."""
    state = dealt()
    assert "Seat 1        1  1  1  1  1  2  1  1  9 cards" in str(state)
    assert "Seat 1        .  .  .  .  .  .  .  .  9 cards, 9 unseen" in str(state.view(None))
    assert "no equal cards and runs of up to 3" in str(state)
    assert str(GAME.start(players=3)).endswith("Seat 0 is to be dealt a card.")
    opened = position("1 2", "3 4", "5 6", storage="4 7", seat=1, table="8", discards="all")
    do(opened, "take 4, keep, store 1")
    assert "Deck         11 11 10" in str(opened.view(0))
    assert "no equal cards and no runs" in str(opened.view(0))
    empty = position("1 1", "3 3", "5", storage="", seat=1, table="1")
    assert str(empty).endswith("Seat 1 is to move: beat the play on the table, or pass.")
    ended = do(position("5", "1 1", "8", storage="2 4 7", state=three_games(), game=2), "play 5")
    assert "Lost points   .  .  .  1  .  .  1  .  cards that lie before seats" in str(ended)
    assert "Seat 1        2  .  .  .  .  .  .  .  2 cards, 7 lost points" in str(ended)
    assert str(ended).startswith("Game 3 of 3. 1 turn. Deck")
    assert str(ended).endswith("The match is over. Seat 0 wins with 0 lost points after 3 games.")


def test_a_random_match_can_be_told_and_drawn():
    """No sentence or drawing fails on the way, for any viewer."""
    chance = random.Random(4)
    state = GAME.start(players=5, games=3, turn_limit=100)
    for _ in range(600):
        if state.over:
            break
        seat = state.to_act[0]
        choices = [t for t, _ in state.chance()] if seat < 0 else state.legal(seat)
        assert tell(state, chance.choice(choices), viewer=chance.randrange(5)).endswith(".")
        assert all(len(line) <= 100 for line in str(state.view(0)).split("\n"))
