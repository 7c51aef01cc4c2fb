"""Depot's instinct: fewest plays, honest about what it knows, the same compiled and plain."""

import itertools
import random

import numpy as np
import pytest

import droptable
from droptable.bots import make_bot
from droptable.bots.kinds import rate_appeal
from droptable.core.chance import generators
from droptable.games.depot import instinct, rules

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
        counted = instinct.count_up(pack(cards), largest) & instinct.ONE_FIELD
        guess = instinct.plays_needed(counted, longest)
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


def test_appeal_uses_only_what_the_seat_knows():
    """In every world that looks the same to a seat, its moves have the same appeal."""
    record = droptable.play(GAME, 4, seed=5)
    for number in range(40, 70):
        state = record.state_at(number)
        if state.over or state.to_act == (-1,):
            continue
        seat = state.to_act[0]
        view = state.view(seat)
        for world in (view.determinize(1), view.determinize(2)):
            for action in view.legal_ids(seat):
                wanted = instinct.appeal(view.fields, seat, action)
                assert instinct.appeal(world.fields, seat, action) == wanted


def test_compiled_and_plain_appeals_are_the_same():
    """The moves of a match look the same to machine code and to plain Python."""
    record = droptable.play(GAME, 3, seed=6)
    for number in range(31, 60):
        state = record.state_at(number)
        if state.over or state.to_act == (-1,):
            continue
        seat = state.to_act[0]
        found = []
        for engine in (GAME.plain, GAME.compiled):
            ids, appeals = (
                np.zeros(len(GAME.vocabulary(state.options).actions), np.int32),
                np.zeros(200),
            )
            count = engine.kernels.twin(rate_appeal)(state.view(seat).array, seat, ids, appeals)
            found.append((ids[:count].tolist(), appeals[:count].tolist()))
        assert found[0][0] == found[1][0]
        assert found[0][1] == pytest.approx(found[1][1])


def test_estimates_are_shares():
    """Shares add up to one, between games and at the end; fewer lost points are better."""
    state = GAME.start(3, games=3)
    state.fields["lost"][:3] = [0, 8, 3]
    points, values = np.zeros(8, np.int32), np.zeros(8)
    instinct.estimate(state.fields, points, values)
    assert values[:3].sum() == pytest.approx(1)
    assert values[0] > values[2] > values[1]
    early = values[0]
    state.fields["game"] = 2
    instinct.estimate(state.fields, points, values)
    assert values[0] > early  # a lead is worth more when less can happen
    final = droptable.play(GAME, 3, seed=1).final
    instinct.estimate(final.fields, points, values)
    assert [seat for seat in range(3) if values[seat]] == list(final.winners)


def test_tables_fit_the_deck():
    """No legal hand or Storage can look outside the tables."""
    assert int(rules.COPIES.max()) <= instinct.MOST_IN_SET < 16
    assert len(instinct.SAVED) == rules.NUMBERS + 2


def test_believed_worlds_look_the_same():
    """Likelier worlds hold the same cards in better hands, and the seat sees what it saw before."""
    record = droptable.play(GAME, 4, seed=5)
    better = 0.0
    for number in range(50, 80, 3):
        state = record.state_at(number)
        if state.over:
            continue
        view = state.view(1)
        world = view.determinize(1)
        dealt = world.fields.copy()
        twin = world.copy()
        instinct.believe(world.fields, 1, generators(1, number))
        GAME.compiled.kernels.twin(instinct.believe)(twin.fields, 1, generators(1, number))
        assert bytes(twin) == bytes(world)
        assert (world.fields["deck"] >= 0).all()
        assert (world.fields["hands"] >= world.fields["known"]).all()
        everything = dealt["hands"].sum(0) + dealt["deck"]
        assert (world.fields["hands"].sum(0) + world.fields["deck"] == everything).all()
        assert bytes(world.view(1)) == bytes(view)
        better += worth_of_others(world.fields) - worth_of_others(dealt)
    assert better > 0


def worth_of_others(fields):
    """What the hands of all but seat 1 are worth."""
    largest, longest = rules.largest_set(fields), rules.longest_run(fields)
    return sum(
        instinct.hand_worth(instinct.packed(fields["hands"][seat]), largest, longest)
        for seat in (0, 2, 3)
    )
