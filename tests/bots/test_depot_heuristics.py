"""Depot's heuristics: fewest plays, honest about what a seat knows, the same compiled and plain."""

import itertools
import random

import numpy as np
import pytest

import droptable
from droptable.bots import make_bot
from droptable.bots.players import rate_moves
from droptable.core.chance import generators
from droptable.games.depot import rules
from droptable.games.depot.bot import beliefs, heuristics, worth
from droptable.games.depot.rules import memory, piles

GAME = droptable.game("depot")


def pack(cards):
    return sum(1 << 4 * (number - 1) for number in cards)


def fewest_plays(cards, largest, longest):
    """By brute force: the fewest sets of up to `largest` and runs of up to `longest` cards."""
    if not cards:
        return 0
    low = cards[0]
    best = len(cards)
    for size in range(1, max(largest, 1) + 1):
        if cards.count(low) >= size:
            rest = list(cards)
            for _ in range(size):
                rest.remove(low)
            best = min(best, 1 + fewest_plays(tuple(rest), largest, longest))
    for size in range(2, longest + 1):
        if all(number in cards for number in range(low, low + size)):
            rest = list(cards)
            for number in range(low, low + size):
                rest.remove(number)
            best = min(best, 1 + fewest_plays(tuple(rest), largest, longest))
    return best


@pytest.mark.parametrize(("largest", "longest"), [(1, 1), (1, 3), (2, 2), (3, 4)])
def test_plays_needed_is_near_the_true_number(largest, longest):
    """The table never promises fewer plays than brute force finds, and seldom more."""
    chance = random.Random(largest * 10 + longest)
    over = 0
    for _ in range(60):
        cards = tuple(sorted(chance.choices(range(1, 9), k=6)))
        counted = worth.count_up(pack(cards), largest) & worth.ONE_FIELD
        guess = worth.plays_needed(counted, longest)
        true = fewest_plays(cards, largest, longest)
        assert true <= guess
        over += guess - true
    assert over <= 20


def position(hand, storage, seat=0):
    """The start of a match: seat 0 has this hand and is to move, the Storage holds these cards."""
    state = GAME.start(3)
    deals = itertools.chain(hand, [4] * 9, [7] * 8 + [5])
    for number in deals:
        state.apply(-1, f"deal {number}")
    for number in storage:
        state.apply(-1, f"store {number}")
    assert state.to_act == (seat,)
    return state


def test_greedy_goes_out_when_it_can():
    """The last cards are played at once."""
    state = position([1, 1, 2, 2, 3, 3, 4, 5, 6], [8, 8, 8])
    fields = state.fields
    fields["hands"][0] = [0, 0, 0, 0, 0, 0, 0, 2]
    fields["hand_size"][0] = 2
    assert make_bot("greedy", seed=1).choose(state.view(0)) == "play 8 8"


def test_greedy_sheds_a_set_that_the_storage_allows():
    """Three ones in one play are better than one by one."""
    state = position([1, 1, 1, 3, 4, 5, 6, 8, 8], [2, 2, 2])
    assert make_bot("greedy", seed=1).choose(state.view(0)) == "play 1 1 1"


def test_the_heuristic_uses_only_what_the_seat_knows():
    """In every world that looks the same to a seat, its moves are rated the same."""
    record = droptable.play(GAME, 4, seed=5)
    for number in range(40, 70):
        state = record.state_at(number)
        if state.over or state.to_act == (-1,):
            continue
        seat = state.to_act[0]
        view = state.view(seat)
        for world in (view.determinize(1), view.determinize(2)):
            for action in view.legal_ids(seat):
                wanted = heuristics.heuristic(view.fields, seat, action)
                assert heuristics.heuristic(world.fields, seat, action) == wanted


def test_compiled_and_plain_ratings_are_the_same():
    """The moves of a match look the same to machine code and to plain Python."""
    record = droptable.play(GAME, 3, seed=6)
    for number in range(31, 60):
        state = record.state_at(number)
        if state.over or state.to_act == (-1,):
            continue
        seat = state.to_act[0]
        results = []
        for engine in (GAME.plain, GAME.compiled):
            ids, ratings = (
                np.zeros(len(GAME.vocabulary(state.options).actions), np.int32),
                np.zeros(200),
            )
            count = engine.kernels.twin(rate_moves)(state.view(seat).array, seat, ids, ratings)
            results.append((ids[:count].tolist(), ratings[:count].tolist()))
        assert results[0][0] == results[1][0]
        assert results[0][1] == pytest.approx(results[1][1])


def test_estimates_are_shares():
    """Shares add up to one, between games and at the end; fewer lost points are better."""
    state = GAME.start(3, games=3)
    state.fields["lost"][:3] = [0, 8, 3]
    points, values = np.zeros(8, np.int32), np.zeros(8)
    heuristics.evaluate(state.fields, points, values)
    assert values[:3].sum() == pytest.approx(1)
    assert values[0] > values[2] > values[1]
    early = values[0]
    state.fields["game"] = 2
    heuristics.evaluate(state.fields, points, values)
    assert values[0] > early  # a lead is worth more when less can happen
    final = droptable.play(GAME, 3, seed=1).final
    heuristics.evaluate(final.fields, points, values)
    assert [seat for seat in range(3) if values[seat]] == list(final.winners)


def test_tables_fit_the_deck():
    """No legal hand or Storage can look outside the tables."""
    assert int(rules.COPIES.max()) <= worth.MOST_IN_SET < 16
    assert len(worth.SAVED) == piles.NUMBERS + 2


def turns_of(record):
    """The states of a match in which a seat is to move, with the seat and its next move."""
    for number, (actor, token) in enumerate(record.events):
        if actor >= 0:
            yield record.state_at(number), actor, token


@pytest.mark.parametrize("players", GAME.players)
def test_remembered_moves_are_as_likely_as_when_they_were_made(players):
    """What a match keeps of a move says how likely it was: later, and as if it were made now."""
    record = droptable.play(GAME, players, bots=["greedy"] * players, seed=5, games=3)
    expected = {seat: [] for seat in range(players)}
    game = 0
    for state, seat, token in turns_of(record):
        if state.fields["game"] != game:
            game = state.fields["game"]
            expected = {seat: [] for seat in range(players)}
        for other, chances in expected.items():
            hand = piles.packed(state.fields["hands"][other])
            recent = chances[-memory.REMEMBERED :]
            if len(recent) == memory.REMEMBERED and recent[0][0].startswith(("give", "keep")):
                recent = recent[1:]  # it is forgotten which number was taken before
            wanted = sum(chance for _, chance in recent)
            assert beliefs.log_likelihood(state.fields, other, hand) == pytest.approx(wanted)
        tokens = state.legal(seat)
        pairs = zip(tokens, state.legal_ids(seat), strict=True)
        rates = {t: heuristics.rate(state.fields, seat, action) for t, action in pairs}
        weights = {
            t: np.exp(beliefs.SHARPNESS * (r - max(rates.values()))) for t, r in rates.items()
        }
        chosen = weights[token] / sum(weights.values())
        careless = beliefs.CARELESS
        chance = (1 - careless) * chosen + careless / len(tokens)
        expected[seat].append((token, np.log(chance)))


@pytest.mark.parametrize("players", GAME.players)
def test_believed_worlds_look_the_same(players):
    """Likelier worlds hold the same cards, explain the others' moves better, and look the same."""
    record = droptable.play(GAME, players, bots=["greedy"] * players, seed=5)
    likelier = 0.0
    walk = GAME.compiled.kernels.twin(beliefs.resample_belief)
    for state, seat, _ in list(turns_of(record))[3::4]:
        view = state.view(seat)
        world = view.determinize(1)
        dealt = world.fields.copy()
        twin = world.copy()
        random, same = generators(1, 7), generators(1, 7)
        for _ in range(5):
            beliefs.resample_belief(world.fields, seat, random)
            walk(twin.fields, seat, same)
        assert bytes(twin) == bytes(world)
        assert (world.fields["deck"] >= 0).all()
        assert (world.fields["hands"] >= world.fields["known"]).all()
        everything = dealt["hands"].sum(0) + dealt["deck"]
        assert (world.fields["hands"].sum(0) + world.fields["deck"] == everything).all()
        assert bytes(world.view(seat)) == bytes(view)
        likelier += explained(world.fields, seat) - explained(dealt, seat)
    assert likelier > 0


def explained(fields, seat):
    """How likely the moves of all others are, by the hands that they have in this world."""
    return sum(
        beliefs.log_likelihood(fields, other, piles.packed(fields["hands"][other]))
        for other in range(fields["players"])
        if other != seat
    )


def test_believed_hands_are_nearer_to_the_real_ones():
    """Believed hands have more cards in common with the hands of greedy seats than dealt ones."""
    walk = GAME.engine.kernels.twin(beliefs.resample_belief)
    nearer = []
    for seed in range(15):
        record = droptable.play(GAME, 3, bots=["greedy"] * 3, seed=seed)
        for state, seat, _ in list(turns_of(record))[8::3]:
            for world_seed in range(20):
                world, random = state.view(seat).determinize(world_seed), generators(1, world_seed)
                dealt = cards_in_common(world, state)
                for _ in range(15):
                    walk(world.fields, seat, random)
                nearer.append(cards_in_common(world, state) - dealt)
    assert np.mean(nearer) > 0.5


def cards_in_common(world, state):
    """How many cards lie in the same hands."""
    return np.minimum(world.fields["hands"], state.fields["hands"]).sum()


def test_hands_change_cards_when_the_deck_lies_open():
    """With nothing unseen but hands, the others' hidden cards change places among themselves."""
    state = position([1, 1, 2, 2, 3, 3, 4, 5, 6], [1, 3, 5])
    fields = state.fields
    fields["discards"] += fields["deck"]  # as if the deck had been drawn and the discards shuffled
    fields["deck"] = fields["discards"]
    fields["discards"] = 0
    fields["deck_open"] = 1
    hands, deck = fields["hands"].copy(), fields["deck"].copy()
    random = generators(1, 3)
    for _ in range(20):
        beliefs.resample_belief(fields, 0, random)
    assert (fields["hands"][:3].sum(0) == hands[:3].sum(0)).all()
    assert (fields["hands"][1] != hands[1]).any()
    assert (fields["hands"][0] == hands[0]).all()
    assert (fields["deck"] == deck).all()
