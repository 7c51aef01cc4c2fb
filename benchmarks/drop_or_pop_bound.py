"""How often can anybody beat two `greedy` in Drop or Pop!? A learned best response to them.

One seat learns by TD(lambda), in tens of millions of matches against two greedy seats, how likely
it is to win after each of its turns: by n-tuple tables of neighbouring columns. Then it plays by
these tables, and by looking a whole round ahead over all colours, as it knows exactly how `greedy`
will move. It has no other skill and would lose to better players. This proves no limit, but a
search that wins much more often against `greedy` would be a surprise.
    python benchmarks/drop_or_pop_bound.py --minutes 10
"""

from __future__ import annotations

import argparse
import math
import time
from typing import Any

import numpy as np

from droptable.core.bits import count_bits
from droptable.core.chance import below, generators
from droptable.core.compile import kernel
from droptable.core.heuristics import greedy_move
from droptable.games import game
from droptable.games.drop_or_pop.rules import (
    COLUMNS,
    DROP,
    IGNORE,
    PASS,
    POP,
    apply,
    can_drop,
    can_pop,
    legal,
    occupied,
)

SEATS = 3
# A column is a number to the base 3 with digits 1 to 3: whose counters lie in it, the lowest one
# first, from one's own seat on. So many columns there are up to six, four and three rows:
WHOLE, FOUR, THREE = (sum(3**n for n in range(rows + 1)) for rows in (6, 4, 3))
OUTER = 0  # [an outer column, the one beside it]; the board is the same from both sides
INNER = OUTER + WHOLE * WHOLE  # [the inner columns, the smaller number first]
BASE = INNER + WHOLE * WHOLE  # [three columns beside each other, four rows of each]
FLOOR = BASE + FOUR**3  # [all columns, three rows of each, seen from the side with less]
COUNTERS = FLOOR + THREE**4  # [of each seat]
SIZE = COUNTERS + 7**3
LOOKS = 7  # tables that are looked at, two of them twice

MOST_TURNS = 200  # of one seat
LAMBDA = 0.7  # of TD(lambda)
RATE, RATE_LEFT = 0.08, 0.02  # learning rate, and the share of it that is left in the end
CERTAIN = 10_000  # a probability of 1, in random draws
DEEPEST = 8  # states on the way


@kernel
def column_number(state: Any, seat: int, column: int, rows: int) -> int:
    """A column's lowest rows, as a number."""
    mine = int(state["counters"][seat]) >> 8 * column
    next_one = int(state["counters"][(seat + 1) % SEATS]) >> 8 * column
    filled = occupied(state) >> 8 * column & (1 << rows) - 1
    number = 0
    power = 1
    while filled:
        whose = 0 if mine & 1 else 1 if next_one & 1 else 2
        number += power * (1 + whose)
        power *= 3
        mine >>= 1
        next_one >>= 1
        filled >>= 1
    return number


@kernel
def look(state: Any, seat: int, at: Any) -> None:
    """Write where the tables have what lies on the board."""
    a = column_number(state, seat, 0, 6)
    b = column_number(state, seat, 1, 6)
    c = column_number(state, seat, 2, 6)
    d = column_number(state, seat, 3, 6)
    at[0] = OUTER + WHOLE * a + b
    at[1] = OUTER + WHOLE * d + c
    at[2] = INNER + WHOLE * min(b, c) + max(b, c)
    a = column_number(state, seat, 0, 4)
    b = column_number(state, seat, 1, 4)
    c = column_number(state, seat, 2, 4)
    d = column_number(state, seat, 3, 4)
    at[3] = BASE + (FOUR * a + b) * FOUR + c
    at[4] = BASE + (FOUR * d + c) * FOUR + b
    a = column_number(state, seat, 0, 3)
    b = column_number(state, seat, 1, 3)
    c = column_number(state, seat, 2, 3)
    d = column_number(state, seat, 3, 3)
    left = ((THREE * a + b) * THREE + c) * THREE + d
    right = ((THREE * d + c) * THREE + b) * THREE + a
    at[5] = FLOOR + min(left, right)
    counters = 0
    for k in range(SEATS):
        counters = 7 * counters + count_bits(int(state["counters"][(seat + k) % SEATS]))
    at[6] = COUNTERS + counters


@kernel
def expected(tables: Any, at: Any) -> float:
    """The chance that the tables give."""
    total = 0.0
    for i in range(LOOKS):
        total += tables[at[i]]
    return 1.0 / (1.0 + np.exp(-total))


@kernel
def judge(state: Any, seat: int, tables: Any, at: Any) -> float:
    """A seat's share of the victory after a turn."""
    won = int(state["won"])
    if won:
        return float(won >> seat & 1) / count_bits(won)
    look(state, seat, at)
    return expected(tables, at)


@kernel
def best_in(
    states: Any, i: int, seat: int, column: int, ahead: int, tables: Any, tools: Any, random: Any
) -> tuple[float, int]:
    """The best that a seat can do with a colour that stands: its share then, and the move."""
    best = -1.0
    move = PASS
    for action in (DROP, POP):
        states[i]["column"] = column
        if can_drop(states[i], seat) if action == DROP else can_pop(states[i]):
            value = after(states, i, seat, action, ahead, tables, tools, random)
            if value > best:
                best = value
                move = action
    if move == PASS:
        states[i]["column"] = column
        best = after(states, i, seat, PASS, ahead, tables, tools, random)
    return best, move


@kernel
def after(
    states: Any, i: int, seat: int, action: int, ahead: int, tables: Any, tools: Any, random: Any
) -> float:
    """The seat's share after its move in states[i]: by the tables, or a round later."""
    states[i + 1] = states[i]
    apply(states[i + 1], seat, action)
    if not ahead or states[i + 1]["won"]:
        return judge(states[i + 1], seat, tables, tools[0]["at"])
    value = 0.0
    for first in range(rival_turns(states, i + 1, tools[0], random)):
        states[i + 2] = states[i + 1]
        value += tools[0]["chances"][first] * after_first(
            states, i + 2, seat, int(tools[0]["turns"][first]), tables, tools, random
        )
    return value


@kernel
def after_first(
    states: Any, i: int, seat: int, turn: int, tables: Any, tools: Any, random: Any
) -> float:
    """The same after the first rival's turn, from the state before it in states[i]."""
    take(states[i], turn)
    if states[i]["won"]:
        return judge(states[i], seat, tables, tools[0]["at"])
    value = 0.0
    for second in range(rival_turns(states, i, tools[1], random)):
        states[i + 1] = states[i]
        take(states[i + 1], int(tools[1]["turns"][second]))
        if states[i + 1]["won"]:
            then = judge(states[i + 1], seat, tables, tools[0]["at"])
        else:
            then = before_own_turn(states, i + 1, seat, tables, tools[0])
        value += tools[1]["chances"][second] * then
    return value


@kernel
def rival_turns(states: Any, i: int, tool: Any, random: Any) -> int:
    """Write the turns that a greedy seat may make in states[i], and how likely each is."""
    state = states[i]
    seat = int(state["seat"])
    count = 0
    ignored = 0
    for again in range(2):
        for column in range(COLUMNS):
            state["column"] = column
            state["ignored"] = again
            options = legal(state, seat, tool["ids"])
            action = greedy_move(state, seat, tool["ids"], options, random)
            if action == IGNORE:
                ignored += 1
            elif not again or ignored:
                tool["turns"][count] = 4 * column + action
                tool["chances"][count] = (ignored if again else 4) / 16.0
                count += 1
    state["ignored"] = 0
    return count


@kernel
def take(state: Any, turn: int) -> None:
    """Make a turn of the seat whose turn it is."""
    state["column"] = turn // 4
    apply(state, int(state["seat"]), turn % 4)


@kernel
def before_own_turn(states: Any, i: int, seat: int, tables: Any, tool: Any) -> float:
    """The share of a seat before its colour is known, by the tables; it may ignore the first."""
    hope = 0.0
    for column in range(COLUMNS):
        best = -1.0
        for action in (DROP, POP, PASS):
            states[i]["column"] = column
            if (
                (action == DROP and can_drop(states[i], seat))
                or (action == POP and can_pop(states[i]))
                or (action == PASS and best < 0.0)
            ):
                states[i + 1] = states[i]
                apply(states[i + 1], seat, action)
                best = max(best, judge(states[i + 1], seat, tables, tool["at"]))
        tool["best"][column] = best
        hope += best / COLUMNS
    total = 0.0
    for column in range(COLUMNS):
        total += max(tool["best"][column], hope)
    return total / COLUMNS


@kernel
def own_turn(
    states: Any, seat: int, ahead: int, careless: bool, tables: Any, tools: Any, random: Any
) -> None:
    """Make the best turn of a seat in states[0], or just any."""
    column = below(random, COLUMNS)
    value, move = best_in(states, 0, seat, column, ahead, tables, tools, random)
    ignore = move == PASS
    if careless:
        ignore |= below(random, 3) == 0
    elif not ignore:
        hope = 0.0
        for other in range(COLUMNS):
            best, _ = best_in(states, 0, seat, other, ahead, tables, tools, random)
            hope += best / COLUMNS
        ignore = hope > value
    states[0]["column"] = column
    if ignore:
        apply(states[0], seat, IGNORE)
        column = below(random, COLUMNS)
        _, move = best_in(states, 0, seat, column, ahead, tables, tools, random)
        states[0]["column"] = column
    if careless and move != PASS and can_drop(states[0], seat) and can_pop(states[0]):
        move = below(random, 2)
    apply(states[0], seat, move)


@kernel
def play_matches(
    start: Any, states: Any, matches: int, ahead: int, careless: int, rate: float,
    tables: Any, turns: Any, errors: Any, tools: Any, random: Any,
) -> float:  # fmt: skip
    """Play matches, the seats in rotation; learn if the rate is above 0; return the share won."""
    won = 0.0
    for number in range(matches):
        seat = number % SEATS
        states[0] = start[0]
        count = 0
        while states[0]["won"] == 0:
            mover = int(states[0]["seat"])
            if mover == seat:
                errors[count] = below(random, CERTAIN) < careless
                own_turn(states, seat, ahead, errors[count], tables, tools, random)
                if states[0]["won"] == 0 and count + 1 < MOST_TURNS:
                    look(states[0], seat, turns[count])
                    count += 1
            else:
                action = IGNORE
                while action == IGNORE:
                    states[0]["column"] = below(random, COLUMNS)
                    options = legal(states[0], mover, tools[0]["ids"])
                    action = greedy_move(states[0], mover, tools[0]["ids"], options, random)
                    apply(states[0], mover, action)
        hope = judge(states[0], seat, tables, tools[0]["at"])
        won += hope
        for turn in range(count - 1 if rate > 0.0 else -1, -1, -1):
            value = expected(tables, turns[turn])
            for i in range(LOOKS):
                tables[turns[turn, i]] += rate * (hope - value)
            hope = value if errors[turn] else LAMBDA * hope + (1.0 - LAMBDA) * value
    return won / matches


class Lab:
    """Tables that learn, and matches."""

    def __init__(self, seed: int) -> None:
        tool = np.dtype(
            [("at", np.int64, LOOKS), ("ids", np.int32, 8), ("turns", np.int64, 8),
             ("chances", np.float64, 8), ("best", np.float64, COLUMNS)]
        )  # fmt: skip
        start = game("drop-or-pop").start(SEATS).array
        self._play = game("drop-or-pop").compiled.kernels.twin(play_matches)
        self._states = start, np.repeat(start, DEEPEST)
        self._scratch = (
            np.zeros(SIZE, np.float32), np.zeros((MOST_TURNS, LOOKS), np.int64),
            np.zeros(MOST_TURNS, np.bool_), np.zeros(2, tool), generators(1, seed),
        )  # fmt: skip

    def play(self, matches: int, ahead: int = 0, careless: int = 0, rate: float = 0.0) -> float:
        """Play matches, looking a round `ahead` or not; learn if there is a rate."""
        won: float = self._play(*self._states, matches, ahead, careless, rate, *self._scratch)
        return won


def main() -> None:
    """Learn, then measure how often the seat wins."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="of learning")
    parser.add_argument("--matches", type=int, default=30_000, help="to measure by")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    lab = Lab(given.seed)
    lab.play(SEATS)  # compiles
    learned = 0
    begun = time.monotonic()
    while (done := (time.monotonic() - begun) / 60 / given.minutes) < 1.0:
        lab.play(60_000, careless=int(600 * (1 - done) + 20), rate=RATE * RATE_LEFT**done)
        learned += 60_000
    for ahead, how in ((0, "by its tables"), (1, "and a round ahead")):
        won = lab.play(given.matches, ahead=ahead)
        error = math.sqrt(won * (1 - won) / given.matches)
        print(f"after {learned} matches, {how}: {won:.1%} (standard error {error:.1%}) of "
              f"{given.matches} against two greedy", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
