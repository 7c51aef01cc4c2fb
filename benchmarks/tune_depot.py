"""Train Depot's value net (`bot/value_net.py`) by TD(lambda) in millions of games.

One seat of every game plays by the net, with some random turns so that all kinds of hands are seen;
the others are greedy or, in a part of the games, play by the net too. After each game the net
learns to predict, after every turn, what it predicted a turn later and the result. `--write` puts a
trained net into the game's `value_net.npy`:
    python benchmarks/tune_depot.py trained.npy --minutes 15
    python benchmarks/tune_depot.py --write trained.npy
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from droptable.core.bits import lowest_bit
from droptable.core.chance import below, generators, sample_outcome
from droptable.core.compile import kernel
from droptable.core.contract import DEALER_ACTS
from droptable.core.heuristics import greedy_move
from droptable.core.loops import dealer
from droptable.core.net import (
    FIRST,
    FIRST_BIAS,
    NOTES,
    SECOND,
    SECOND_WEIGHTS,
    TAIL,
    chance,
    save_net,
    size,
)
from droptable.games import game
from droptable.games.depot.bot import value_net
from droptable.games.depot.bot.value_net import INPUTS, win_chance, write_inputs
from droptable.games.depot.rules import GIVE, OVER, apply, legal, to_act

MOST_TURNS = 300  # of one seat that are learned from
BATCH = 32  # games per step of the optimizer
STEPS = 600  # between two reports
TABLES = (3, 4, 3, 5, 3, 3)  # players, in rotation
CERTAIN = 10_000  # a probability of 1, in random draws
TESTED = 9_000  # games per report
LAMBDA = 0.8  # of TD(lambda)
RATE, RATE_LEFT = 0.002, 0.02  # learning rate, and the share of it that is left in the end
DECAY_1, DECAY_2 = 0.1, 0.001  # 1 - beta_1 and 1 - beta_2 of Adam


@kernel
def take_turn(
    states: Any, seat: int, net: Any, exploring: bool, ids: Any, scratch: Any, random: Any
) -> None:
    """Make the best turn by the net in states[1], or a random one."""
    while True:
        best = -1.0
        move = 0
        for k in range(legal(states[1], seat, ids[0])):
            action = int(np.int64(ids[0, k]))
            states[2] = states[1]
            apply(states[2], seat, action)
            value = 0.0
            if exploring:
                value = below(random, CERTAIN) / CERTAIN
            elif states[2]["phase"] != GIVE:
                value = win_chance(states[2], seat, scratch, net)
            else:
                for gift in range(legal(states[2], seat, ids[1])):
                    states[3] = states[2]
                    apply(states[3], seat, int(np.int64(ids[1, gift])))
                    value = max(value, win_chance(states[3], seat, scratch, net))
            if value > best:
                best = value
                move = action
        apply(states[1], seat, move)
        if states[1]["phase"] != GIVE:
            return


@kernel
def play_game(
    states: Any, seat: int, others: int, net: Any, exploring: int, ids: Any, weights: Any,
    turns: Any, explored: Any, random: Any,
) -> int:  # fmt: skip
    """Play a game from states[0]; keep the inputs after each turn of the seat; return how many.

    `others` are the seats, as bits, that play by the net too. `explored[turn]` is true where the
    turn was random: earlier turns do not learn from what follows.
    """
    states[1] = states[0]
    state = states[1]
    count = 0
    actors = to_act(state)
    while actors:
        if actors == DEALER_ACTS:
            apply(state, dealer(), sample_outcome(state, ids[0], weights, random))
        else:
            mover = lowest_bit(actors)
            if mover == seat:
                explored[count] = below(random, CERTAIN) < exploring
                take_turn(states, seat, net, explored[count], ids, turns[count], random)
                if state["phase"] != OVER and count + 1 < MOST_TURNS:
                    turns[count]["count"] = 0
                    write_inputs(state, seat, turns[count])
                    count += 1
            elif others >> mover & 1:
                take_turn(states, mover, net, False, ids, turns[count], random)
            else:
                options = legal(state, mover, ids[0])
                apply(state, mover, greedy_move(state, mover, ids[0], options, random))
        actors = to_act(state)
    return count


@kernel
def add_gradients(scratch: Any, target: float, net: Any, gradients: Any, back: Any) -> float:
    """Add the gradients of the log loss by every weight; return what the net predicted."""
    expected = chance(scratch, net)
    error = expected - target
    things = len(net) - TAIL
    layer = things + FIRST_BIAS
    deep = layer + SECOND_WEIGHTS
    out = deep + SECOND
    gradients[out + SECOND] += error
    for i in range(FIRST):
        back[i] = 0.0
    for j in range(SECOND):
        if scratch["second"][j] > 0.0:
            gradients[out + j] += error * scratch["second"][j]
            gradient = error * net[out + j]
            gradients[deep + j] += gradient
            for i in range(FIRST):
                if scratch["first"][i] > 0.0:
                    gradients[layer + SECOND * i + j] += gradient * scratch["first"][i]
                    back[i] += gradient * net[layer + SECOND * i + j]
    for i in range(FIRST):
        if scratch["first"][i] > 0.0:
            gradients[things + i] += back[i]
            for k in range(scratch["count"]):
                gradients[FIRST * scratch["features"][k] + i] += back[i]
    return expected


@kernel
def step(net: Any, gradients: Any, means: Any, squares: Any, steps: int, rate: float) -> None:
    """One step of Adam; clears the gradients."""
    rate *= np.sqrt(1.0 - (1.0 - DECAY_2) ** steps) / (1.0 - (1.0 - DECAY_1) ** steps)
    for i in range(len(net)):
        means[i] += DECAY_1 * (gradients[i] - means[i])
        squares[i] += DECAY_2 * (gradients[i] * gradients[i] - squares[i])
        net[i] -= rate * means[i] / (np.sqrt(squares[i]) + 1e-5)
        gradients[i] = 0.0


@kernel
def learn_game(
    turns: Any, explored: Any, count: int, result: float, net: Any, gradients: Any, back: Any
) -> None:
    """Add the gradients of all turns of a game, the last turn first."""
    target = result
    for turn in range(count - 1, -1, -1):
        expected = add_gradients(turns[turn], target, net, gradients, back)
        target = expected if explored[turn] else LAMBDA * target + (1.0 - LAMBDA) * expected


@kernel
def play_games(
    states: Any, games: int, mixed: int, exploring: int, rate: float, steps: int, net: Any,
    learning: Any, ids: Any, weights: Any, turns: Any, explored: Any, back: Any, random: Any,
) -> float:  # fmt: skip
    """Play games, the seats in rotation; learn if the rate is above 0; return the share won."""
    players = int(states[0]["players"])
    won = 0.0
    for number in range(games):
        seat = number % players
        others = below(random, 1 << players) if below(random, 100) < mixed else 0
        count = play_game(
            states, seat, others, net, exploring, ids, weights, turns, explored, random
        )
        result = win_chance(states[1], seat, turns[0], net)
        won += result
        if rate > 0.0:
            learn_game(turns, explored, count, result, net, learning[0], back)
            if (number + 1) % BATCH == 0:
                steps += 1
                step(net, learning[0], learning[1], learning[2], steps, rate)
    return won / games


class Lab:
    """A net, and the games from which it learns."""

    def __init__(self, seed: int, net: np.ndarray | None) -> None:
        self.net = fresh(np.random.default_rng(seed)) if net is None else net
        self.steps = 0
        self._play = game("depot").compiled.kernels.twin(play_games)
        self._states = {n: np.repeat(game("depot").start(n).array, 4) for n in set(TABLES)}
        self._scratch = (
            np.zeros((3, len(self.net)), np.float32), np.zeros((2, 256), np.int32),
            np.zeros(64, np.int32), np.zeros(MOST_TURNS, NOTES), np.zeros(MOST_TURNS, np.bool_),
            np.zeros(FIRST, np.float32), generators(1, seed),
        )  # fmt: skip

    def play(self, players: int, games: int, mixed: int, exploring: int, rate: float) -> float:
        """Play games; learn if the rate is above 0; return the share won."""
        won: float = self._play(
            self._states[players], games, mixed, exploring, rate, self.steps, self.net,
            *self._scratch,
        )  # fmt: skip
        if rate:
            self.steps += games // BATCH
        return won


def fresh(chance: np.random.Generator) -> np.ndarray:
    """An untrained net."""
    net = np.zeros(size(INPUTS), np.float32)
    layer = INPUTS * FIRST + FIRST_BIAS
    net[: INPUTS * FIRST] = chance.normal(0, 0.1, INPUTS * FIRST)
    net[layer : layer + SECOND_WEIGHTS] = chance.normal(0, (2 / FIRST) ** 0.5, SECOND_WEIGHTS)
    net[-1 - SECOND : -1] = chance.normal(0, SECOND**-0.5, SECOND)
    return net


def main() -> None:
    """Train a net, or write a trained one."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path, nargs="?", default=Path("value_net.npy"))
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mixed", type=int, default=30, help="per cent of games, see above")
    parser.add_argument("--start", type=Path, help="a net to start from")
    parser.add_argument("--write", type=Path, help="put this net into the game")
    given = parser.parse_args()
    if given.write:
        save_net(Path(value_net.__file__).with_suffix(".npy"), np.load(given.write))
        return
    lab = Lab(given.seed, np.load(given.start) if given.start else None)
    lab.play(3, 3, 0, 0, 0.0)  # compiles
    start = time.monotonic()
    report = 0
    while (done := (time.monotonic() - start) / 60 / given.minutes) < 1.0:
        rate = RATE * RATE_LEFT**done
        exploring = int(500 * (1 - done) + 20)
        players = TABLES[report % len(TABLES)]
        lab.play(players, BATCH * STEPS, given.mixed, exploring, rate)
        report += 1
        if report % len(TABLES) == 0:
            won = lab.play(3, TESTED, 0, 0, 0.0)
            print(f"{lab.steps * BATCH} games: {won:.1%} against two greedy", flush=True)
            np.save(given.out, lab.net)
    for players in sorted(set(TABLES)):
        won = lab.play(players, 3 * TESTED, 0, 0, 0.0)
        print(f"{players} players: {won:.1%} against greedy", flush=True)
    np.save(given.out, lab.net)


if __name__ == "__main__":
    main()
