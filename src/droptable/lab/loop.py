"""Whole matches of bots with habits in machine code: facts of each, and traces if they are wanted.

One kernel plays a range of matches of one cell. A match has generators of its own, one for the
dealer and one per seat, so what happens in it depends on nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from droptable.bots.instincts import Avoided, Habits, Ratings, bots_of, glance
from droptable.core.bits import count_bits, lowest_bit
from droptable.core.compile import kernel
from droptable.core.contract import (
    MOST_SEATS,
    Ids,
    Numbers,
    Random,
    apply,
    ended_by_limit,
    scores,
    to_act,
    winners,
)
from droptable.core.loops import States, deal

if TYPE_CHECKING:
    from droptable.lab.cell import Cell

START, MATCH, VIEW, ROLLOUT = range(4)  # rows of the states
MOST_MOVES = 100_000  # a match that goes on for longer is given up, and counts as a limit

# Columns of the facts of a match.
MOVES, DECISIONS, TURNS, WON, FIRST, LIMIT = range(6)
FACTS = 6
# Columns of a traced decision: the match by its row, and the action by its id.
ROW, SEAT, TURN, CHOICES, ACTION = range(5)
DECISION = 5

Facts = Any  # int64 [match, FACTS]
Points = Any  # int32 [match, MOST_SEATS]
# `ids`, `weights` and `ratings`: scratch for legal moves, outcomes and their values.
Scratch = tuple[Ids, Numbers, Ratings]
# `decisions` int32 [n, DECISION], `turns` int32 [m, 3] (row, turn, seat), their `points` int32
# [m, MOST_SEATS] and `values` float64 [m, MOST_SEATS], and `used` int64 [2]: rows that are filled.
# No places in an array: it is not wanted.
Traces = tuple[Any, Any, Any, Any, Any]


@kernel
def play_matches(
    states: States, hidden: bool, random: Random, shifts: Any, bots: tuple[Habits, Avoided],
    scratch: Scratch, rollouts: int, facts: Facts, points: Points, traces: Traces,
) -> int:  # fmt: skip
    """Play one match per row of the facts; return how many have been played whole.

    They are fewer than all where the traces are full. `hidden`: seats do not know everything.
    `random` has a dealer's generator, one per seat, and one for rollouts, for each match.
    """
    used = traces[4]
    for row in range(len(facts)):
        decided, ended = used[0], used[1]
        if not play_match(
            states, hidden, random, shifts, bots, scratch, rollouts, row, facts, points, traces
        ):
            used[0], used[1] = decided, ended
            return row
    return len(facts)


@kernel
def play_match(
    states: States, hidden: bool, random: Random, shifts: Any, bots: tuple[Habits, Avoided],
    scratch: Scratch, rollouts: int, row: int, facts: Facts, points: Points, traces: Traces,
) -> bool:  # fmt: skip
    """Play one match; False if its traces have no room."""
    ids, weights, ratings = scratch
    habits, avoided = bots
    players = len(habits)
    chance = row * (players + 2)  # the dealer's generator, before those of the seats
    decisions = traces[0]
    used = traces[4]
    state = states[MATCH]
    states[MATCH] = states[START]
    fact = facts[row]
    fact[FIRST] = -1
    moves = decided = turns = 0
    before = -1
    actors = deal(states, MATCH, random[chance : chance + 1], ids, weights)
    while actors and moves < MOST_MOVES:
        seat = lowest_bit(actors)
        if seat != before:
            if not end_turn(
                states, hidden, random, bots, shifts, scratch, rollouts, row, turns, before, traces
            ):
                return False
            before = seat
            turns += 1
        own = chance + 1 + seat
        bot = (seat + int(np.int64(shifts[row]))) % players
        made = glance(
            states, MATCH, VIEW if hidden else MATCH, seat, ids, ratings, bot, habits, avoided,
            random[own : own + 1],
        )  # fmt: skip
        count, action = made >> 32, made & 0xFFFFFFFF
        if count > 1:
            decided += 1
            if fact[FIRST] < 0:
                fact[FIRST] = seat
        if len(decisions):
            if used[0] == len(decisions):
                return False
            note_decision(decisions[used[0]], row, seat, turns, count, action)
            used[0] += 1
        apply(state, seat, action)
        moves += 1
        actors = deal(states, MATCH, random[chance : chance + 1], ids, weights)
    if not end_turn(
        states, hidden, random, bots, shifts, scratch, rollouts, row, turns, before, traces
    ):
        return False
    fact[MOVES], fact[DECISIONS], fact[TURNS] = moves, decided, turns
    scores(state, points[row])
    fact[WON] = (1 << players) - 1 if actors else winners(state)
    fact[LIMIT] = 1 if actors or ended_by_limit(state) else 0
    return True


@kernel
def note_decision(place: Any, row: int, seat: int, turn: int, count: int, action: int) -> None:
    """Write a traced decision."""
    place[ROW], place[SEAT], place[TURN] = row, seat, turn
    place[CHOICES], place[ACTION] = count, action


@kernel
def end_turn(
    states: States, hidden: bool, random: Random, bots: tuple[Habits, Avoided], shifts: Any,
    scratch: Scratch, rollouts: int, row: int, turn: int, seat: int, traces: Traces,
) -> bool:  # fmt: skip
    """Trace how the match stands after a turn (0 is the start); False if there is no room."""
    turns, points, values, used = traces[1], traces[2], traces[3], traces[4]
    if len(turns) == 0:
        return True
    at = used[1]
    if at == len(turns):
        return False
    used[1] += 1
    turns[at, 0], turns[at, 1], turns[at, 2] = row, turn, seat
    scores(states[MATCH], points[at])
    players = len(bots[0])
    for other in range(players):
        values[at, other] = 0.0
    generator = row * (players + 2) + players + 1
    for _ in range(rollouts):
        add_rollout(
            states, hidden, random[generator : generator + 1], int(np.int64(shifts[row])), bots,
            scratch, values[at], rollouts,
        )  # fmt: skip
    return True


@kernel
def add_rollout(
    states: States, hidden: bool, random: Random, shift: int, bots: tuple[Habits, Avoided],
    scratch: Scratch, values: Any, rollouts: int,
) -> None:  # fmt: skip
    """Play on to the end, as somebody who sees all, and add what each seat gets."""
    ids, weights, ratings = scratch
    habits, avoided = bots
    players = len(habits)
    states[ROLLOUT] = states[MATCH]
    state = states[ROLLOUT]
    moves = 0
    actors = deal(states, ROLLOUT, random, ids, weights)
    while actors and moves < MOST_MOVES:
        seat = lowest_bit(actors)
        made = glance(
            states, ROLLOUT, VIEW if hidden else ROLLOUT, seat, ids, ratings,
            (seat + shift) % players, habits, avoided, random,
        )  # fmt: skip
        apply(state, seat, made & 0xFFFFFFFF)
        moves += 1
        actors = deal(states, ROLLOUT, random, ids, weights)
    won = (1 << players) - 1 if to_act(state) else winners(state)
    for seat in range(players):
        if won >> seat & 1:
            values[seat] += 1.0 / (rollouts * count_bits(won))


def empty_traces(decisions: int, turns: int) -> Traces:
    """Traces with room for so many decisions and turns."""
    return (
        np.zeros((decisions, DECISION), np.int32), np.zeros((turns, 3), np.int32),
        np.zeros((turns, MOST_SEATS), np.int32), np.zeros((turns, MOST_SEATS)),
        np.zeros(2, np.int64),
    )  # fmt: skip


class Room:
    """Arrays that the loop works on, for one cell."""

    def __init__(self, cell: Cell) -> None:
        game = cell.subject
        options = dict(cell.options)
        vocabulary = game.vocabulary(options)
        self.states = np.repeat(game.template(cell.seats, options), 4)
        self.hidden = game.rules.observe is not None
        ids, weights = vocabulary.room()
        self.scratch = ids, weights, np.zeros(len(ids))
        self.bots = bots_of(game, options, cell.lineup)
