"""Drop Site, rule by rule."""

import random
from collections import Counter
from fractions import Fraction

import pytest

import droptable
from droptable.core.scene import Step
from droptable.games.drop_site import GAME, rules, words

NAMES = ("Ann", "Bob", "Cy", "Di")
ALL_CARDS = Counter(dict.fromkeys(range(13), 4))


def start(players=2, **options):
    return GAME.start(players=players, **options)


def deal(state, *hands, site=None):
    """Deal these hands and, if it is given, open the first site."""
    for hand in hands:
        for number in hand.split():
            state.apply(-1, f"deal {number}")
    if site is not None:
        state.apply(-1, f"site {site}")
    return state


def turns(state, script):
    """Play `move > drawn` pairs for whoever is to act; without `>` nothing is drawn."""
    for line in script.split(","):
        move, _, drawn = line.partition(">")
        state.apply(state.to_act[0], move.strip())
        if drawn:
            state.apply(-1, f"draw {drawn.strip()}")
    return state


def play_round(state, sites, *reserves):
    """Play a whole round in which seats hide these cards first and then create these sites."""
    first, *creates = sites
    hides = [list(reserve) for reserve in reserves] + [[] for _ in range(state.players)]
    seat = int(state.fields["rounds"]) % state.players
    plan, wanted = [], [[] for _ in range(state.players)]
    while creates:
        word, source = ("hide", hides[seat]) if hides[seat] else ("create", creates)
        wanted[seat].append(source.pop(0))
        plan.append((seat, f"{word} {wanted[seat][-1]}"))
        seat = (seat + 1) % state.players
    assert not any(hides), "the round is too short to hide all that"
    fillers = ALL_CARDS - Counter([first, *(card for cards in wanted for card in cards)])
    fillers = list(fillers.elements())
    for cards in wanted:
        for _ in range(5):
            state.apply(-1, f"deal {cards.pop(0) if cards else fillers.pop()}")
    state.apply(-1, f"site {first}")
    for seat, token in plan:
        state.apply(seat, token)
        if (seat, token) != plan[-1]:
            state.apply(-1, f"draw {wanted[seat].pop(0) if wanted[seat] else fillers.pop()}")
    return state


def refused(state, token, actor=None):
    image = bytes(state)
    with pytest.raises(droptable.IllegalMove) as caught:
        state.apply(state.to_act[0] if actor is None else actor, token)
    assert bytes(state) == image
    return caught.value


def piles(state):
    """The sites, oldest first, each from its top card down."""
    return [[n for n in range(13) if int(site) >> n & 1] for site in state.fields["sites"] if site]


def hand(state, seat):
    return words.cards(state.fields["hands"][seat])


def example():
    """The rulebook's example: sites 11, 8 and 5, and seat 1 holds a 6."""
    state = deal(start(), "8 0 0 1 12", "5 6 11 12 9", site=11)
    return turns(state, "create 8 > 2, create 5 > 3, hide 0 > 4")


# -- the rules -------------------------------------------------------------------------------------


def test_ds1_hands_are_dealt_seat_by_seat():
    """Five cards for seat 0, five for seat 1, then the first site; every card is an event."""
    state = start()
    assert state.chance() == [(f"deal {n}", Fraction(1, 13)) for n in range(13)]
    for number in (7, 7, 7, 1, 2):
        state.apply(-1, f"deal {number}")
    assert (hand(state, 0), hand(state, 1)) == ([1, 2, 7, 7, 7], [])
    assert dict(state.chance())["deal 7"] == Fraction(1, 47)
    for number in (0, 3, 3, 12, 7):
        state.apply(-1, f"deal {number}")
    assert hand(state, 1) == [0, 3, 3, 7, 12]
    assert dict(state.chance())["site 3"] == Fraction(2, 42)
    assert "site 7" not in dict(state.chance())
    state.apply(-1, "site 9")
    assert piles(state) == [[9]]
    assert state.to_act == (0,)


def test_ds1_the_dealer_keeps_the_order():
    """Another kind of card than the one that is due, or one that is gone, is refused."""
    state = start()
    for token in ("site 3", "draw 3"):
        error = refused(state, token)
        assert str(error) == "the hands come first: seat 0 is to be dealt a card (DS1)"
    for number in (7, 7, 7, 7, 2):
        state.apply(-1, f"deal {number}")
    assert str(refused(state, "deal 7")) == "there is no 7 left in the deck (DS1)"
    for number in (0, 1, 2, 3, 4):
        state.apply(-1, f"deal {number}")
    error = refused(state, "deal 3")
    assert str(error) == "all hands are dealt: the first site is to be opened (DS1)"
    assert str(refused(state, "site 7")) == "there is no 7 left in the deck (DS1)"


@pytest.mark.parametrize("players", GAME.players)
def test_ds1_every_seat_gets_five_cards(players):
    """The deal of a round is five cards a seat and one for the site."""
    state = start(players)
    dealer = random.Random(players)
    tokens = []
    while state.to_act == (-1,):
        tokens.append(state.deal(dealer).split()[0])
    assert tokens == ["deal"] * (5 * players) + ["site"]
    assert state.fields["hand_sizes"].tolist()[:players] == [5] * players


def test_ds2_a_turn_is_create_place_or_hide():
    """Every number in the hand can create and hide; each is offered once, in the order of ids."""
    state = deal(start(), "2 6 6 9 12", "0 1 3 5 7", site=8)
    assert state.legal(0) == [
        *("create 2", "create 6", "create 9", "create 12"),
        *("place 2", "place 6"),
        *("hide 2", "hide 6", "hide 9", "hide 12"),
    ]
    assert state.legal(1) == []
    state.apply(0, "create 6")
    assert piles(state) == [[8], [6]]
    assert state.legal(0) == []


def test_ds2_only_cards_of_the_hand_can_be_played():
    """A number that is not in the hand can be played in none of the three ways."""
    state = deal(start(), "2 6 6 9 12", "0 1 3 5 7", site=8)
    for word in ("create", "place", "hide"):
        assert str(refused(state, f"{word} 7")) == "you have no 7 in your hand (DS2)"


def test_ds2_seats_take_turns():
    """Who is not to act is told so; the dealer's words are no move of a seat."""
    state = deal(start(), "2 6 6 9 12", "0 1 3 5 7", site=8)
    assert str(refused(state, "hide 0", actor=1)) == "seat 1 is not to act now: seat 0 is (DS2)"
    assert refused(state, "draw 0", actor=-1).rule == "DS2"
    assert str(refused(state, "draw 2")) == "draw 2 is a move of the dealer (DS2)"
    with pytest.raises(droptable.TokenError, match="'hide 13' is not a move"):
        state.apply(0, "hide 13")


def test_ds3_place_needs_a_higher_site():
    """A card goes neither on its own number nor on a lower one."""
    state = deal(start(), "7 8 9 12 12", "0 1 3 5 7", site=8)
    assert [token for token in state.legal(0) if token.startswith("place")] == ["place 7"]
    for number in (8, 9, 12):
        error = refused(state, f"place {number}")
        assert str(error) == (f"no site shows a card higher than {number}: the highest is 8 (DS3)")
    turns(state, "place 7 > 0")
    assert piles(state) == [[7, 8]]


def test_ds4_place_goes_on_the_lowest_higher_site():
    """The rulebook's example: with 11, 8 and 5 on the table a 6 has to go on the 8."""
    state = example()
    assert state.view(1).label("place 6") == "Place the 6 on the 8"
    state.apply(1, "place 6")
    assert piles(state) == [[11], [6, 8], [5]]


def test_ds4_a_site_of_the_same_number_is_passed_over():
    """A second 8 goes past the 8 to the next higher site."""
    state = deal(start(), "8 8 1 4 9", "3 0 0 1 12", site=11)
    turns(state, "create 8 > 2, hide 0 > 2, place 8 > 3")
    assert piles(state) == [[8, 11], [8]]


def test_ds4_or_a_new_site_instead():
    """The rulebook's alternative: the 6 may also create a site."""
    state = example()
    assert {"create 6", "hide 6"} < set(state.legal(1))
    state.apply(1, "create 6")
    assert piles(state) == [[11], [8], [5], [6]]


def test_ds4_of_equal_sites_the_oldest_is_used():
    """Sites that show the same number score alike, so there is one move, on the oldest."""
    state = deal(start(), "8 8 1 4 9", "3 0 0 1 12", site=9)
    turns(state, "create 8 > 2, hide 0 > 2, create 8 > 2")
    assert state.legal(1).count("place 3") == 1
    state.apply(1, "place 3")
    assert piles(state) == [[9], [3, 8], [8]]
    state.apply(-1, "draw 5")
    state.apply(0, "place 4")
    assert piles(state) == [[9], [3, 8], [4, 8]]


def test_ds5_nothing_goes_on_a_zero():
    """A site that shows a 0 is closed, even for another 0."""
    state = deal(start(), "0 1 5 9 12", "0 1 3 5 7", site=4)
    turns(state, "place 0 > 2")
    assert piles(state) == [[0, 4]]
    assert not [token for token in state.legal(1) if token.startswith("place")]
    for number in (0, 1, 7):
        error = refused(state, f"place {number}")
        assert str(error) == ("nothing can be placed on a 0, and that is all the sites show (DS5)")
    turns(state, "create 3 > 2")
    assert "place 1" in state.legal(0)
    assert refused(state, "place 5").rule == "DS3"


def test_ds6_a_move_is_followed_by_a_draw():
    """The seat draws one card from what is left, has five again, and the next seat is to move."""
    state = deal(start(3), "2 6 6 9 12", "0 1 3 5 7", "0 1 3 5 7", site=8)
    state.apply(0, "hide 6")
    assert state.to_act == (-1,)
    assert state.fields["hand_sizes"].tolist() == [4, 5, 5, 0]
    assert dict(state.chance())["draw 8"] == Fraction(3, 36)
    state.apply(-1, "draw 8")
    assert hand(state, 0) == [2, 6, 8, 9, 12]
    assert state.to_act == (1,)
    turns(state, "create 0 > 4, place 0 > 4")
    assert state.to_act == (0,)


def test_ds6_the_dealer_cannot_draw_what_is_gone():
    """Only cards of the deck can be drawn, and only drawing is due."""
    state = deal(start(), "6 6 6 6 12", "0 1 3 5 7", site=8)
    state.apply(0, "hide 6")
    assert str(refused(state, "draw 6")) == "there is no 6 left in the deck (DS6)"
    assert str(refused(state, "deal 3")) == "seat 0 is to draw a card (DS6)"
    assert refused(state, "site 3").rule == "DS6"


@pytest.mark.parametrize(("players", "last"), [(2, 6), (3, 7), (4, 8)])
def test_ds7_the_last_site_ends_the_round_at_once(players, last):
    """The first site counts, the one before the last ends nothing, and nothing is drawn."""
    state = start(players)
    dealer = random.Random(1)
    sites = 1
    while sites < last:
        while state.to_act == (-1,):
            state.deal(dealer)
        assert int(state.fields["rounds"]) == 0
        assert len(piles(state)) == sites
        seat = state.to_act[0]
        token = state.legal(seat)[0]
        ends = "which ends the round" in state.view(seat).label(token)
        assert ends == (sites + 1 == last)
        state.apply(seat, token)
        sites += 1
    assert int(state.fields["rounds"]) == 1
    assert state.chance() == [(f"deal {n}", Fraction(1, 13)) for n in range(13)]
    assert len(piles(state)) == last
    state.deal(dealer)
    assert words.deck_size(state.fields) == 51


def test_what_everybody_saw_a_seat_do_is_remembered_until_the_next_round():
    """What sites showed while it hid, what it showed itself and what it covered: bags, for bots."""
    state = turns(example(), "place 6 > 7, hide 1 > 1, hide 11 > 4, hide 12 > 9")

    def remembered(name):
        return [words.cards(bag) for bag in state.view(None).fields[name][:2]]

    assert remembered("showed") == [[8], [5, 6]]
    assert remembered("covered") == [[], [8]]
    assert remembered("hid_while") == [[5, 5, 5, 6, 6, 8, 11, 11, 11], [5, 6, 11]]
    state = play_round(start(), [12, 11, 10, 9, 8, 7], [0] * 4 + [1] * 3, [2] * 4 + [3] * 3)
    assert remembered("hid_while") == [[12] * 5] * 2  # so that the bags of three seats add up
    state.apply(-1, "deal 5")
    assert remembered("hid_while") == remembered("showed") == [[], []]


def test_ds7_the_match_may_end_with_it():
    """When the last site ends the match, the seat that created it keeps four cards."""
    state = play_round(start(round_limit=1), [12, 11, 10, 9, 8, 7])
    assert state.over
    assert state.fields["hand_sizes"].tolist()[:2] == [4, 5]
    assert state.events[-1] == (0, "create 7")


@pytest.mark.parametrize("players", GAME.players)
def test_ds8_the_last_card_of_the_deck_ends_the_round(players):
    """With nothing but hiding, all cards left after the deal are drawn; the last one ends it."""
    state = start(players, round_limit=1)
    dealer = random.Random(3)
    draws = 0
    while not state.over:
        if state.to_act == (-1,):
            draws += state.deal(dealer).startswith("draw")
        else:
            state.apply(state.to_act[0], state.legal(state.to_act[0])[-1])
    assert draws == 52 - 5 * players - 1
    assert state.events[-1][1].startswith("draw")
    assert int(state.fields["deck"]) == 0
    assert state.fields["hand_sizes"].tolist()[:players] == [5] * players


def test_ds8_the_last_card_is_certain():
    """A single forced outcome of the dealer is still an event."""
    state = start(4, round_limit=1)
    dealer = random.Random(5)
    while words.deck_size(state.fields) > 1 or state.to_act != (-1,):
        if state.to_act == (-1,):
            state.deal(dealer)
        else:
            state.apply(state.to_act[0], state.legal(state.to_act[0])[-1])
    ((token, probability),) = state.chance()
    assert probability == 1
    state.apply(-1, token)
    assert state.over


@pytest.mark.parametrize(
    ("reserve", "points"),
    [([12, 2], 11), ([12, 2, 10], 9), ([12, 2, 10, 4], 19), ([12, 12], 14), ([4, 4], 20), ([], 0)],
)
def test_ds9_a_reserve_scores_by_the_sites_that_show_its_numbers(reserve, points):
    """The rulebook's examples: a match, an unmatched card, two sites and two cards of a number."""
    state = play_round(start(), [12, 2, 4, 4, 9, 8], reserve)
    assert state.scores == (points, 0)


def test_ds9_covered_cards_and_hands_do_not_count():
    """Only the top card of a site matches; cards left in a hand are worth nothing."""
    state = deal(start(round_limit=1), "12 9 10 9 9", "11 1 2 3 4", site=12)
    turns(state, "hide 12 > 11, place 11 > 5, hide 11 > 10, create 1 > 5, create 10 > 10")
    turns(state, "create 2 > 5, hide 9 > 10, create 3 > 5, hide 9 > 11, create 4")
    assert piles(state) == [[11, 12], [1], [10], [2], [3], [4]]
    assert hand(state, 0) == [9, 10, 10, 10, 11]
    assert state.scores == (-2 + 7 - 2 - 2, 0)


def test_ds9_totals_may_be_negative():
    """Every hidden card without a site costs two points."""
    state = play_round(start(), [12, 11, 10, 9, 8, 7], [0, 1, 2], [3])
    assert state.scores == (-6, -2)
    assert not state.over


def test_ds9_points_are_an_option():
    """The reconstructed table can be replaced by 13 other numbers."""
    points = (50, *range(1, 13))
    state = play_round(start(points=points), [0, 0, 3, 12, 9, 8], [0, 3, 12, 7])
    assert state.scores == (2 * 50 + 3 + 12 - 2, 0)


def test_ds9_the_table_of_points_is_the_reconstructed_one():
    """0 is worth 3, 1-3 four, 4-6 five, 7-9 six and 10-12 seven points; it says reconstructed."""
    assert start().fields["points"].tolist() == [3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7]
    assert "reconstructed" in GAME.options["points"].help
    assert "reconstructed" in GAME.text
    assert "Card points (reconstructed): 0=3  1-3=4  4-6=5  7-9=6  10-12=7" in str(start())
    assert "reconstructed" not in str(start(points=[4] * 13))


def test_ds10_the_target_ends_the_match():
    """Exactly the target is enough, and the highest total wins."""
    sites = [12, 12, 2, 4, 9, 8]
    state = play_round(start(target=14), sites, [12], [2])
    assert state.over
    assert (state.scores, state.winners, state.to_act) == ((14, 4), (0,), ())
    state = play_round(start(target=15), sites, [12], [2])
    assert not state.over
    assert state.winners == ()


def test_ds10_of_several_the_highest_total_wins():
    """Reaching the target is not enough if somebody has more."""
    state = play_round(start(target=10), [12, 12, 2, 4, 9, 8], [12], [12, 2])
    assert state.scores == (14, 18)
    assert state.winners == (1,)


def test_ds10_equal_totals_share_the_victory():
    """Seats with the same highest total win together."""
    state = play_round(start(3, target=10), [12, 12, 2, 4, 9, 8, 7], [12], [2], [12])
    assert state.scores == (14, 4, 14)
    assert state.winners == (0, 2)
    assert words.verdict(state.fields, NAMES) == "Ann and Cy share the victory with 14 points each."


def test_ds10_otherwise_all_cards_are_dealt_anew():
    """The next round has all 52 cards again, empty reserves and sites; totals stay and add up."""
    state = play_round(start(), [12, 12, 2, 4, 9, 8], [12], [2])
    assert state.chance() == [(f"deal {n}", Fraction(1, 13)) for n in range(13)]
    again = state.copy()
    again.apply(-1, "deal 12")
    assert dict(again.chance())["deal 12"] == Fraction(3, 51)
    assert piles(again) == []
    assert hand(again, 0) == [12]
    assert again.fields["hand_sizes"].tolist() == [1, 0, 0, 0]
    assert again.fields["reserves"].tolist() == [0] * 4
    assert again.fields["reserve_sizes"].tolist() == [0] * 4
    play_round(state, [12, 12, 2, 4, 9, 8], [12], [2, 0])
    assert state.scores == (28, 6)


def test_ds10_nothing_happens_after_the_end():
    """A match that is over refuses every move."""
    state = play_round(start(round_limit=1), [12, 11, 10, 9, 8, 7])
    assert str(refused(state, "hide 1", actor=0)) == "the match is over (DS10)"
    assert str(refused(state, "deal 1", actor=-1)) == "the match is over (DS10)"


@pytest.mark.parametrize("players", GAME.players)
def test_ds11_the_next_seat_starts_the_next_round(players):
    """The start goes round the seats, whoever ended the round; the deal begins with seat 0."""
    state = start(players)
    dealer = random.Random(2)
    starters = []
    for number in range(players + 1):
        assert (state.to_act, int(state.fields["seat"])) == ((-1,), 0)
        while state.to_act == (-1,):
            state.deal(dealer)
        starters.append(state.to_act[0])
        while int(state.fields["rounds"]) == number:
            if state.to_act == (-1,):
                state.deal(dealer)
            else:
                state.apply(state.to_act[0], state.legal(state.to_act[0])[0])
    assert starters == [*range(players), 0]


def test_ds12_the_round_limit_ends_the_match():
    """After so many rounds the highest total wins, however low it is."""
    state = start(round_limit=2)
    play_round(state, [12, 11, 10, 9, 8, 7], [0, 1, 2], [3])
    assert not state.over
    play_round(state, [12, 11, 10, 9, 8, 7], [], [3, 0])
    assert state.over
    assert (state.scores, state.winners) == ((-6, -6), (0, 1))
    assert words.verdict(state.fields, NAMES) == (
        "Ann and Bob share the victory with -6 points each after 2 rounds."
    )


def test_options_outside_their_range_are_refused():
    """The message names the option, the value and the range."""
    for options in (
        {"target": 9},
        {"target": 501},
        {"round_limit": 0},
        {"round_limit": 1001},
        {"points": [1] * 12},
        {"points": [0] * 13},
        {"points": [51] * 13},
    ):
        ((name, value),) = options.items()
        with pytest.raises(droptable.OptionError) as caught:
            start(**options)
        assert name in str(caught.value)
        assert repr(value) in str(caught.value)
        assert GAME.options[name].range in str(caught.value)
    for players in (1, 5):
        with pytest.raises(droptable.OptionError, match="2 to 4 players"):
            start(players)


# -- what a seat may know --------------------------------------------------------------------------


def middle():
    """Three seats in mid-round: each has hidden a card, seat 0 is to move."""
    state = deal(start(3), "2 6 6 9 12", "0 1 3 5 7", "0 1 3 5 7", site=8)
    return turns(state, "hide 12 > 10, hide 5 > 11, hide 0 > 4")


def swap(state, one, other):
    """Exchange a card of one bag with a card of another: `hands 1 7`, `deck 12`."""
    *here, gives = one.split()
    *there, gets = other.split()
    difference = rules.one(int(gets)) - rules.one(int(gives))
    for where, change in ((here, difference), (there, -difference)):
        if where == ["deck"]:
            state.fields["deck"] += change
        else:
            state.fields[where[0]][int(where[1])] += change
    return state


def test_a_view_hides_other_hands_reserves_and_the_deck():
    """Exchanging cards that a seat cannot see changes not a byte of its view."""
    state = middle()
    for one, other, unseen_by in (
        ("hands 1 7", "deck 12", (0, 2, None)),
        ("hands 1 7", "reserves 2 0", (0, None)),
        ("reserves 1 5", "deck 12", (0, 2, None)),
        ("hands 0 2", "hands 1 11", (2, None)),
        ("reserves 0 12", "reserves 1 5", (2, None)),
    ):
        twin = swap(state.copy(), one, other)
        assert bytes(twin) != bytes(state)
        for seat in (0, 1, 2, None):
            same = bytes(twin.view(seat)) == bytes(state.view(seat))
            assert same == (seat in unseen_by), f"{one} and {other} seen by {seat}"


def test_a_view_holds_what_its_seat_knows():
    """Own hand, own reserve, sites, sizes and totals are in the view; its moves are the state's."""
    state = middle()
    view = state.view(0)
    assert words.cards(view.fields["hands"][0]) == [2, 6, 6, 9, 10]
    assert words.cards(view.fields["reserves"][0]) == [12]
    assert view.fields["hands"].tolist()[1:] == [0, 0, 0]
    assert view.fields["reserves"].tolist()[1:] == [0, 0, 0]
    assert int(view.fields["deck"]) == 0
    assert view.fields["hand_sizes"].tolist() == [5, 5, 5, 0]
    assert view.fields["reserve_sizes"].tolist() == [1, 1, 1, 0]
    assert words.deck_size(view.fields) == 52 - 1 - 15 - 3
    assert view.legal == state.legal(0)


def test_at_the_end_reserves_are_open_and_hands_are_not():
    """Scoring reveals the reserves to everybody; cards left in hands stay unknown."""
    state = play_round(start(round_limit=1), [12, 2, 4, 4, 9, 8], [12, 2, 10], [8])
    for seat in (0, 1, None):
        view = state.view(seat)
        assert words.cards(view.fields["reserves"][0]) == [2, 10, 12]
        assert words.cards(view.fields["reserves"][1]) == [8]
        for other in {0, 1} - {seat}:
            assert int(view.fields["hands"][other]) == 0
        assert (view.scores, view.winners) == (state.scores, state.winners)
    held, left = hand(state, 1)[0], words.cards(state.fields["deck"])
    other = next(number for number in left if number != held)
    twin = swap(state.copy(), f"hands 1 {held}", f"deck {other}")
    assert bytes(twin.view(0)) == bytes(state.view(0))
    assert bytes(twin.view(None)) == bytes(state.view(None))
    assert bytes(twin.view(1)) != bytes(state.view(1))


def between_rounds():
    """Round 1 is over: seat 0 hid a 12, a 2 and a 10, seat 1 an 8."""
    return play_round(start(), [12, 2, 4, 4, 9, 8], [12, 2, 10], [8])


def test_ds9_a_scored_round_lies_open_until_the_next_deal():
    """Between rounds everybody sees sites and reserves, nobody another hand; then all is gone."""
    state = between_rounds()
    assert state.to_act == (-1,)
    for seat in (0, 1, None):
        view = state.view(seat)
        assert [words.cards(bag) for bag in view.fields["reserves"][:2]] == [[2, 10, 12], [8]]
        assert "reserve: 2 (+4), 10 (-2), 12 (+7); together +9" in str(view)
        for other in {0, 1} - {seat}:
            assert int(view.fields["hands"][other]) == 0
    state.apply(-1, "deal 5")
    assert state.view(1).fields["reserves"].tolist() == [0] * 4
    assert piles(state) == []


def test_ds9_hands_stay_hidden_between_rounds():
    """Exchanging a card left in a hand with one of the deck changes no other view."""
    state = between_rounds()
    held = hand(state, 1)[0]
    other = next(number for number in words.cards(state.fields["deck"]) if number != held)
    twin = swap(state.copy(), f"hands 1 {held}", f"deck {other}")
    assert bytes(twin.view(0)) == bytes(state.view(0))
    assert bytes(twin.view(None)) == bytes(state.view(None))
    assert bytes(twin.view(1)) != bytes(state.view(1))
    for view in (state, twin):
        view.apply(-1, "deal 5")
    assert bytes(twin) == bytes(state)  # nothing of the last round is left


def test_witnesses_are_those_who_see_the_card():
    """Dealt, drawn and hidden cards are seen by one seat, cards on sites by all."""
    state = start(3)
    assert state.witnesses(-1, "deal 3") == (0,)
    deal(state, "2 6 6 9 12", "0 1 3 5 7")
    assert state.witnesses(-1, "deal 3") == (2,)
    deal(state, "0 1 3 5 7")
    assert state.witnesses(-1, "site 8") == (0, 1, 2)
    state.apply(-1, "site 8")
    turns(state, "create 2 > 2")
    assert state.witnesses(1, "create 3") == (0, 1, 2)
    assert state.witnesses(1, "place 3") == (0, 1, 2)
    assert state.witnesses(1, "hide 3") == (1,)
    state.apply(1, "hide 3")
    assert state.witnesses(-1, "draw 2") == (1,)


def test_determinize_keeps_the_view_and_the_cards():
    """Every world looks the same to its seat and consists of the 52 cards."""
    over = play_round(start(round_limit=1), [12, 2, 4, 4, 9, 8], [12])
    for state in (start(3), middle(), over, between_rounds()):
        for seat in (*range(state.players), None):
            view = state.view(seat)
            for seed in range(5):
                world = view.determinize(seed)
                assert bytes(world.view(seat)) == bytes(view)
                fields = world.fields
                bags = [fields["deck"], *fields["hands"], *fields["reserves"]]
                in_all = sum(int(bag) for bag in bags) + rules.on_sites(fields)
                assert in_all == rules.FULL_DECK
                for other in range(world.players):
                    assert len(hand(world, other)) == fields["hand_sizes"][other]


def test_determinize_is_uniform():
    """An unseen card lies in a hand, a reserve or the deck in proportion to their sizes."""
    state = deal(start(), "6 6 6 2 12", "0 1 3 5 7", site=8)
    view = turns(state, "hide 12 > 10, hide 5 > 11, hide 2 > 4, hide 0 > 4").view(0)
    unseen = 52 - 1 - 5 - 2
    worlds = [view.determinize(seed) for seed in range(1500)]
    places = {
        5: [world.fields["hands"][1] for world in worlds],
        2: [world.fields["reserves"][1] for world in worlds],
        unseen - 7: [world.fields["deck"] for world in worlds],
    }
    for size, bags in places.items():  # seat 0 holds three 6s: one is unseen
        found = sum(rules.count_of(int(bag), 6) for bag in bags)
        expected = len(worlds) * size / unseen
        assert abs(found - expected) < 4 * expected**0.5, size
    # The four 3s and the three 8s that are left: the whole distribution in the hand.
    for number, copies in ((3, 4), (8, 3)):
        counts = Counter(rules.count_of(int(bag), number) for bag in places[5])
        expected_none = len(worlds)
        for drawn in range(5):
            expected_none *= (unseen - copies - drawn) / (unseen - drawn)
        assert abs(counts[0] - expected_none) < 4 * expected_none**0.5
        mean = sum(count * times for count, times in counts.items()) / len(worlds)
        assert mean == pytest.approx(5 * copies / unseen, abs=0.06)


# -- in words --------------------------------------------------------------------------------------


def told(state, token, seat, actor=None):
    """The log sentence of an event as a seat, or (None) who sees everything, reads it."""
    actor = state.to_act[0] if actor is None else actor
    vocabulary = GAME.vocabulary(state.options)
    action = (vocabulary.outcome_ids if actor < 0 else vocabulary.action_ids)[token]
    seen_by = state.witnesses(actor, token)
    after = state.copy()
    after.apply(actor, token)
    if seat is None:
        return words.tell(state.fields, after.fields, actor, action, NAMES)
    known = action if seat in seen_by else -1
    eyes = state.view(seat).fields, after.view(seat).fields
    return words.tell(*eyes, actor, known, NAMES)


def test_tell_says_what_the_reader_may_know():
    """Own cards are named, those of others are not, and what lies open always is."""
    state = start()
    assert told(state, "deal 7", 0) == "Ann is dealt a 7."
    assert told(state, "deal 7", 1) == "Ann is dealt a card."
    deal(state, "2 6 6 9 12", "0 1 3 5 7")
    assert told(state, "site 8", 1) == "The first site shows an 8."
    state.apply(-1, "site 8")
    assert told(state, "create 9", 1) == "Ann opens the 2nd site with a 9."
    assert told(state, "place 6", 1) == "Ann places the 6 on the 8."
    assert told(state, "hide 6", 1) == "Ann hides a card."
    state.apply(0, "hide 6")
    assert told(state, "draw 4", 0) == "Ann draws a 4."
    assert told(state, "draw 4", 1) == "Ann draws a card."


def test_tell_does_not_show_the_reserve_to_its_owner():
    """A log that lists hidden cards would turn the reserve up; a replay may."""
    state = deal(start(), "2 6 6 9 12", "0 1 3 5 7", site=8)
    assert told(state, "hide 6", 0) == "Ann hides a card."
    assert told(state, "hide 6", None) == "Ann hides a 6."


def test_tell_reports_the_end_of_a_round():
    """The event that ends a round also says why, and what each seat got."""
    before = one_event_back(play_round(start(), [12, 2, 4, 4, 9, 8], [12, 2]))
    assert told(before, "create 8", 1) == (
        "Ann opens the 6th site with an 8. "
        "The 6th site ends round 1: Ann +11 (now 11), Bob 0 (now 0)."
    )


def one_event_back(state):
    """The match again, without its last event."""
    again = GAME.start(state.players, **state.options)
    for actor, token in state.events[:-1]:
        again.apply(actor, token)
    return again


def test_tell_reports_the_empty_deck():
    """A round that ends with the last card says so."""
    state = start(4, round_limit=1)
    dealer = random.Random(5)
    while not state.over:
        if state.to_act == (-1,):
            state.deal(dealer)
        else:
            state.apply(state.to_act[0], state.legal(state.to_act[0])[-1])
    before = one_event_back(state)
    ((token, _),) = before.chance()
    text = told(before, token, None)
    drawer, card = NAMES[before.fields["seat"]], words.with_article(int(token.split()[1]))
    assert f"{drawer} draws {card}. The deck is empty" in text
    assert "ends round 1: Ann " in text
    for seat, total in enumerate(state.scores):
        assert f"{NAMES[seat]} {total:+d} (now {total})" in text


def test_labels_say_what_a_move_does():
    """The words of a button or a screen reader."""
    view = example().view(1)
    assert view.label("create 6") == "Open the 4th site with the 6"
    assert view.label("place 4") == "Place the 4 on the 5"
    assert view.label("hide 12") == "Hide the 12 in your reserve"


def test_verdict_names_the_winner():
    """One winner with the points; the round limit is mentioned only if the target was missed."""
    state = play_round(start(target=10), [12, 12, 2, 4, 9, 8], [12], [2])
    assert words.verdict(state.fields, NAMES) == "Ann wins with 14 points."
    state = play_round(start(4, round_limit=1), [12, 11, 10, 9, 8, 7, 6, 5], [0])
    assert words.verdict(state.fields, NAMES) == (
        "Bob, Cy and Di share the victory with 0 points each after 1 round."
    )


def test_draw_shows_what_the_viewer_may_see():
    """Sites with what they cover, sizes, totals, the own hand, and whose turn it is."""
    state = turns(example(), "place 6 > 3")
    assert str(state.view(0)) == "\n".join(
        [
            "Round 1 of at most 100, played to 100 points. Deck: 37 cards.",
            "Card points (reconstructed): 0=3  1-3=4  4-6=5  7-9=6  10-12=7",
            "Sites, oldest first (the 6th ends the round):",
            "  1st site shows 11",
            "  2nd site shows  6  on 8",
            "  3rd site shows  5",
            "Seat 0 (you)       0 points  5 in hand   1 in reserve  hand: 0 1 2 4 12",
            "Seat 1             0 points  5 in hand   0 in reserve",
            "You (seat 0) are to move: create a site, place a card on a site, or hide a card.",
        ]
    )
    assert "hand:" not in str(state.view(None))
    assert str(state).count("hand:") == 2
    assert "Seat 0 is to move" in str(state.view(1))


def test_draw_never_shows_a_reserve_before_the_end():
    """Not even its owner, nor who sees everything else, reads what is hidden."""
    state = middle()
    twin = swap(state.copy(), "reserves 0 12", "deck 8")
    assert str(twin.view(0)) == str(state.view(0))
    assert str(twin) == str(state)


def test_draw_shows_the_reserves_at_the_end():
    """With the match the last round's reserves are turned up, with their points."""
    state = play_round(start(round_limit=1), [12, 2, 4, 4, 9, 8], [12, 10, 4, 4])
    drawing = str(state.view(1))
    assert "  reserve: 2 x 4 (+20), 10 (-2), 12 (+7); together +25" in drawing
    assert "  reserve: empty" in drawing
    assert "The match is over. Seat 0 wins with 25 points after 1 round." in drawing


def test_draw_says_what_the_dealer_has_to_do():
    """Also between moves the drawing says what is expected."""
    state = start()
    assert str(state).endswith("Seat 0 is to be dealt a card.")
    assert "  none yet" in str(state)
    deal(state, "2 6 6 9 12", "0 1 3 5 7")
    assert str(state).endswith("The dealer is to open the first site.")
    state.apply(-1, "site 8")
    state.apply(0, "hide 6")
    assert str(state.view(1)).endswith("Seat 0 is to draw a card.")


def told_in_one_line(state, tokens, seat):
    """The log's line of these events as a seat reads it."""
    steps = []
    for token in tokens:
        actor = state.to_act[0]
        before, seen = state.view(seat).fields, seat in state.witnesses(actor, token)
        state.apply(actor, token)
        vocabulary = GAME.vocabulary(state.options)
        action = (vocabulary.outcome_ids if actor < 0 else vocabulary.action_ids)[token]
        steps.append(Step(before, state.view(seat).fields, actor, action if seen else -1))
    return words.tell_turn(steps, NAMES)


def test_a_deal_is_told_in_one_line():
    """Twenty cards make one line of the log, which names the first site only."""
    tokens = [*(f"deal {n}" for n in (2, 6, 6, 9, 12, 0, 1, 3, 5, 7)), "site 8"]
    line = "Round 1: everybody is dealt 5 cards; the first site shows an 8."
    assert told_in_one_line(start(), tokens, 0) == line
    state = between_rounds()
    assert told_in_one_line(state, tokens, 1) == line.replace("Round 1", "Round 2")


def test_a_turn_is_told_in_one_line():
    """A move is told, the card that is drawn is not; what ends a round is told with its points."""
    state = deal(start(), "2 6 6 9 12", "0 1 3 5 7", site=8)
    assert told_in_one_line(state.copy(), ["place 6"], 1) == "Ann places the 6 on the 8."
    assert told_in_one_line(state, ["hide 6"], 1) == "Ann hides a card."
    assert told_in_one_line(state, ["draw 4"], 0) == ""
    last = one_event_back(play_round(start(), [12, 2, 4, 4, 9, 8], [12, 2]))
    assert told_in_one_line(last, ["create 8"], 1) == (
        "Ann opens the 6th site with an 8. "
        "The 6th site ends round 1: Ann +11 (now 11), Bob 0 (now 0)."
    )


def test_the_empty_deck_and_the_next_deal_are_told_together():
    """The dealer's run over the end of a round says why it ended, and how the next one begins."""
    state = start(4)
    dealer = random.Random(5)
    while words.deck_size(state.fields) > 1 or state.to_act != (-1,):
        if state.to_act == (-1,):
            state.deal(dealer)
        else:
            state.apply(state.to_act[0], state.legal(state.to_act[0])[-1])
    tokens = [state.chance()[0][0], *(f"deal {n}" for n in range(13)), *["deal 0"] * 3]
    line = told_in_one_line(state, [*tokens, *["deal 1"] * 3, "deal 2", "site 11"], 2)
    assert line.startswith("The deck is empty, which ends round 1: Ann ")
    assert line.endswith(" Round 2: everybody is dealt 5 cards; the first site shows an 11.")
