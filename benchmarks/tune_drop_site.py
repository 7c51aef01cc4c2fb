"""Learn what positions of Drop Site promise (`bot/value_net.py`) by TD(lambda) in self-play.

All seats make the move with the best value, or now and then a random one; after each round the
weights learn to predict what they predicted at the seat's next move, and the points. `--write` puts
the weights into the game's `value_net.npy`:
    python benchmarks/tune_drop_site.py trained.npy --players 2 --minutes 10
    python benchmarks/tune_drop_site.py --write trained.npy
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from droptable.core.bits import lowest_bit
from droptable.core.chance import below, generators
from droptable.core.compile import kernel
from droptable.core.contract import DEALER_ACTS
from droptable.core.heuristics import noisy_greedy_move
from droptable.core.loops import dealer
from droptable.core.net import HIDDEN, save_net
from droptable.games import game
from droptable.games.drop_site.bot import beliefs, value_net
from droptable.games.drop_site.bot.beliefs import belief_features, liking
from droptable.games.drop_site.bot.heuristics import shown_bag
from droptable.games.drop_site.bot.value_net import (
    COUNT,
    LINEAR,
    OUT,
    POINTS,
    TABLES,
    number_features,
    seen_after,
    table_features,
    value_of,
)
from droptable.games.drop_site.rules import (
    FULL_DECK,
    NUMBERS,
    apply,
    count_of,
    legal,
    on_sites,
    one,
    random_card,
    sample_outcome,
    to_act,
)

BELIEVED = 6  # one of so many moves is used to fit the beliefs
MOST_MOVES = 64  # of a seat in a round
LAMBDA = 0.8
ROUNDS = 500  # per call
SEEN = 10  # numbers that are noted of a move
CERTAIN = 1024


@kernel
def best_move(state: Any, seat: int, weights: Any, at: int, noise: float, ids: Any,
              random: Any) -> int:  # fmt: skip
    """The legal move with the best value."""
    shown = shown_bag(state)
    best = -1e9
    move = 0
    for k in range(legal(state, seat, ids)):
        action = int(np.int64(ids[k]))
        value = value_of(seen_after(state, seat, action, shown), weights, at)
        if noise > 0.0:
            value += noise * below(random, CERTAIN) / CERTAIN
        if value > best:
            best = value
            move = action
    return move


@kernel
def learn_belief(state: Any, seat: int, beliefs: Any, sums: Any, at: int, rate: float, odds: Any,
                 totals: Any, random: Any) -> None:  # fmt: skip
    """Make what the others have hidden more likely, card by card in random order."""
    shown = shown_bag(state)
    unseen = FULL_DECK - on_sites(state) - int(state["hands"][seat]) - int(state["reserves"][seat])
    for other in range(int(state["players"])):
        if other == seat:
            continue
        rest = int(state["reserves"][other])
        left = unseen
        drawn = 0
        for _ in range(int(state["reserve_sizes"][other])):
            together = 0.0
            for n in range(NUMBERS):
                odds[n] = 0.0
                if count_of(left, n):
                    cards = count_of(drawn, n)
                    odds[n] = count_of(left, n) * liking(state, other, shown, n, cards, beliefs, at)
                    together += odds[n]
            card = random_card(rest, random)
            totals[6] -= np.log(odds[card] / together)
            totals[7] += 1.0
            for n in range(NUMBERS):
                if odds[n] > 0.0:
                    slope = (1.0 if n == card else 0.0) - odds[n] / together
                    a, b, c = belief_features(state, other, shown, n, count_of(drawn, n))
                    change(beliefs, sums, at + a, slope, rate)
                    change(beliefs, sums, at + b, slope, rate)
                    change(beliefs, sums, at + c, slope, rate)
            rest -= one(card)
            left -= one(card)
            drawn += one(card)


@kernel
def play_round(states: Any, weights: Any, at: int, greedy: int, exploring: int, ids: Any,
               numbers: Any, seen: Any, counts: Any, beliefs: Any, belief_sums: Any,
               belief_at: int, belief_rate: float, back: Any, totals: Any,
               random: Any) -> None:  # fmt: skip
    """Play a round in states[0]; note what each seat sees after its moves.

    `greedy` are the seats, as bits, that play by the heuristic. A noted move that was random has a
    1 behind what is seen.
    """
    state = states[0]
    players = int(state["players"])
    before = int(state["rounds"])
    for seat in range(players):
        counts[seat] = 0
    while state["rounds"] == before:
        actors = to_act(state)
        if actors == DEALER_ACTS:
            apply(state, dealer(), sample_outcome(state, ids, numbers, random))
            continue
        seat = lowest_bit(actors)
        count = legal(state, seat, ids)
        if belief_rate > 0.0 and below(random, BELIEVED) == 0:
            learn_belief(state, seat, beliefs, belief_sums, belief_at, belief_rate, back[0], totals,
                         random)  # fmt: skip
        random_one = below(random, CERTAIN) < exploring
        if greedy >> seat & 1:
            move = noisy_greedy_move(state, seat, ids, count, 0.0, random)
        elif random_one:
            move = int(np.int64(ids[below(random, count)]))
        else:
            move = best_move(state, seat, weights, at, 0.0, ids, random)
        t = int(counts[seat])
        s = seen_after(state, seat, move, shown_bag(state))
        note = seen[seat, t]
        note[0], note[1], note[2], note[3], note[4] = s[0], s[1], s[2], s[3], s[4]
        note[5], note[6], note[7], note[8], note[9] = s[5], s[6], s[7], s[8], s[9]
        note[SEEN] = 1 if random_one else 0
        counts[seat] = t + 1
        apply(state, seat, move)


@kernel
def learn(states: Any, weights: Any, sums: Any, at: int, greedy: int, exploring: int, rate: float,
          rounds: int, ids: Any, numbers: Any, seen: Any, counts: Any, beliefs: Any,
          belief_sums: Any, belief_at: int, back: Any, totals: Any,
          random: Any) -> float:  # fmt: skip
    """Play rounds and learn from each (if the rate is above 0); return the mean squared error."""
    error = 0.0
    total = 0
    for _ in range(rounds):
        state = states[0]
        if to_act(state) == 0:
            states[0] = states[1]
        players = int(state["players"])
        for seat in range(players):
            totals[seat] = state["totals"][seat]
        play_round(states, weights, at, greedy, exploring, ids, numbers, seen, counts,
                   beliefs, belief_sums, belief_at, rate, back, totals, random)  # fmt: skip
        together = 0.0
        for seat in range(players):
            totals[seat] = state["totals"][seat] - totals[seat]
            together += totals[seat]
        for seat in range(players):
            if greedy >> seat & 1:
                continue
            others = (together - totals[seat]) / (players - 1.0)
            target = (totals[seat] - others) / POINTS
            for t in range(int(counts[seat]) - 1, -1, -1):
                note = seen[seat, t]
                s = (int(note[0]), int(note[1]), int(note[2]), int(note[3]), int(note[4]),
                     int(note[5]), int(note[6]), int(note[7]), int(note[8]),
                     int(note[9]))  # fmt: skip
                value = nudge(s, target, weights, sums, at, rate, back)
                error += (target - value) * (target - value)
                total += 1
                if note[SEEN]:
                    target = value
                else:
                    target = LAMBDA * target + (1.0 - LAMBDA) * value
    return error / max(total, 1)


@kernel
def nudge(s: Any, target: float, weights: Any, sums: Any, at: int, rate: float,
          back: Any) -> float:  # fmt: skip
    """Change all weights that the value has a part of towards the target; return the value."""
    features = back[0]
    linear = back[1]
    count = 0
    lower = 0
    for n in range(NUMBERS):
        known, held, theirs, exposed, covers, line = number_features(s, n, lower)
        features[count] = known
        features[count + 1] = held
        features[count + 2] = theirs
        count += 3
        if covers >= 0:
            features[count] = covers
            count += 1
        if exposed >= 0:
            features[count] = exposed
            count += 1
            lower = n
        linear[n] = line
    a, b, c, d, e, f = table_features(s)
    features[count], features[count + 1], features[count + 2] = a, b, c
    features[count + 3], features[count + 4], features[count + 5] = d, e, f
    count += 6
    hidden = back[2]
    hidden[:HIDDEN] = 0.0
    value = 0.0
    for k in range(count):
        row = at + HIDDEN * int(features[k])
        for i in range(HIDDEN):
            hidden[i] += weights[row + i]
    for n in range(NUMBERS):
        value += weights[at + int(linear[n])]
    value += hidden[0]
    out = at + OUT
    for i in range(1, HIDDEN):
        if hidden[i] > 0.0:
            value += hidden[i] * weights[out + i]
    if rate <= 0.0:
        return value
    gap = target - value
    slopes = back[3]
    slopes[0] = gap
    for i in range(1, HIDDEN):
        slopes[i] = 0.0
        if hidden[i] > 0.0:
            slopes[i] = gap * weights[out + i]
            change(weights, sums, out + i, gap * hidden[i], rate)
    for k in range(count):
        row = at + HIDDEN * int(features[k])
        for i in range(HIDDEN):
            if slopes[i] != 0.0:
                change(weights, sums, row + i, slopes[i], rate)
    for n in range(NUMBERS):
        change(weights, sums, at + int(linear[n]), gap, rate)
    return value


@kernel
def change(weights: Any, sums: Any, at: int, slope: float, rate: float) -> None:
    """One weight's step, smaller the more it has been changed (AdaGrad)."""
    sums[at] += slope * slope
    weights[at] += rate * slope / np.sqrt(sums[at])


@kernel
def play_matches(states: Any, weights: Any, at: int, matches: int, ids: Any,
                 numbers: Any, seen: Any, counts: Any, back: Any, totals: Any,
                 random: Any) -> float:  # fmt: skip
    """Let one seat play by the value against the heuristic; return its share of the victories."""
    won = 0.0
    players = int(states[1]["players"])
    for number in range(matches):
        states[0] = states[1]
        seat = number % players
        greedy = ((1 << players) - 1) & ~(1 << seat)
        while to_act(states[0]) != 0:
            play_round(states, weights, at, greedy, 0, ids, numbers, seen, counts, weights, weights,
                       0, 0.0, back, totals, random)  # fmt: skip
        best = -1000
        for s in range(players):
            best = max(best, int(states[0]["totals"][s]))
        share = 0
        for s in range(players):
            if states[0]["totals"][s] == best:
                share += 1
        if states[0]["totals"][seat] == best:
            won += 1.0 / share
    return won / matches


def fresh(chance: np.random.Generator) -> np.ndarray:
    """Untrained weights for all numbers of players."""
    weights = np.zeros((COUNT + beliefs.COUNT) * len(TABLES))
    for k in range(len(TABLES)):
        at = COUNT * k
        rows = chance.normal(0, 0.1, (LINEAR // HIDDEN, HIDDEN))
        rows[:, 0] = 0.0
        weights[at : at + LINEAR] = rows.ravel()
        weights[at + OUT + 1 : at + OUT + HIDDEN] = chance.normal(0, 0.3, HIDDEN - 1)
    return weights


def main() -> None:
    """Learn for some minutes, or write what was learned."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--rate", type=float, default=0.03)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="put the file's weights into the game")
    given = parser.parse_args()
    if given.write:
        learned = np.load(given.file)
        save_net(value_net.PATH, learned[: COUNT * len(TABLES)])
        save_net(beliefs.PATH, learned[COUNT * len(TABLES) :])
        return
    drop_site = game("drop-site")
    kernels = drop_site.at_full_speed.kernels
    run, play = kernels.twin(learn), kernels.twin(play_matches)
    weights = fresh(np.random.default_rng(given.seed))
    if given.file.exists():
        weights = np.load(given.file).astype(np.float64)
    sums = np.full(len(weights), 1e-1)
    split = COUNT * len(TABLES)
    values, believed = weights[:split], weights[split:]
    at = COUNT * (given.players - TABLES[0])
    belief_at = beliefs.COUNT * (given.players - TABLES[0])
    start = drop_site.start(given.players).array
    states = np.repeat(start, 2)
    ids, numbers = drop_site.vocabulary(drop_site.start(given.players).options).room()
    seen, counts = np.zeros((4, MOST_MOVES, SEEN + 1), np.int64), np.zeros(4, np.int64)
    back, totals, rng = np.zeros((4, 128)), np.zeros(8), generators(1, given.seed)
    tested = generators(1, given.seed + 1)
    begun = told = time.process_time()
    played, error = 0, 0.0
    while (passed := (time.process_time() - begun) / (60 * given.minutes)) < 1:
        rate = given.rate * (1 - 0.95 * passed)
        exploring = int(60 * (1 - passed)) + 10
        here = run(states, values, sums[:split], at, 0, exploring, rate, ROUNDS, ids, numbers, seen,
                   counts, believed, sums[split:], belief_at, back, totals, rng)  # fmt: skip
        played += ROUNDS
        error = here if played == ROUNDS else 0.99 * error + 0.01 * here
        if time.process_time() > told + 30:
            won = play(states, values, at, 3000, ids, numbers, seen, counts, back, totals,
                       tested)  # fmt: skip
            print(f"{time.process_time() - begun:.0f} s, {played} rounds, error {error:.4f}, "
                  f"belief {totals[6] / totals[7]:.4f}, {won:.1%} against greedy",
                  flush=True)  # fmt: skip
            np.save(given.file, weights.astype(np.float32))
            states[0] = states[1]
            totals[6] = totals[7] = 0.0
            told = time.process_time()
    np.save(given.file, weights.astype(np.float32))


if __name__ == "__main__":
    main()
