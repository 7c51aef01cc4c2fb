"""Learn the net of Depot's `foresight`: play, compare what was expected with what came, fit.

One seat of every game plays by its outlook, now and then carelessly, so that all kinds of hands are
judged by what came of them; the others are greedy or, in a part of the games, play by the outlook
too. After each game the net learns to expect after every turn what it expected a turn later, and
the result. `--write` puts a learned net into the game's `foresight.npy`:
    python benchmarks/tune_depot.py learned.npy --minutes 15
    python benchmarks/tune_depot.py --write learned.npy
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from greedy import greedy_move

from droptable.core.bits import lowest_bit
from droptable.core.chance import below, generators, sample_outcome
from droptable.core.compile import Kernels, kernel
from droptable.core.contract import DEALER_ACTS
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
from droptable.games.depot import rules
from droptable.games.depot.bot import foresight, instinct
from droptable.games.depot.bot.foresight import SEEN, judge, see
from droptable.games.depot.rules import GIVE, OVER, apply, legal, to_act

MOST_TURNS = 300  # of a seat that are noted
BATCH = 32  # games of a step
STEPS = 600  # of one report
TABLES = (3, 4, 3, 5, 3, 3)  # players, by turns
ALWAYS = 10_000  # a chance of one
TESTED = 9_000  # games that show how far it has come
FAR = 0.8  # how much of a hope comes from later turns
RATE, LAST = 0.002, 0.02  # of learning, and what is left of it in the end
SHORT, LONG = 0.1, 0.001  # how fast the means of a weight's slopes and their squares follow them


@kernel
def take_turn(
    states: Any, seat: int, net: Any, careless: bool, ids: Any, notes: Any, random: Any
) -> None:
    """Make the turn with the best outlook in states[1], or just any turn."""
    while True:
        best = -1.0
        move = 0
        for k in range(legal(states[1], seat, ids[0])):
            action = int(np.int64(ids[0, k]))
            states[2] = states[1]
            apply(states[2], seat, action)
            value = 0.0
            if careless:
                value = below(random, ALWAYS) / ALWAYS
            elif states[2]["phase"] != GIVE:
                value = judge(states[2], seat, notes, net)
            else:
                for gift in range(legal(states[2], seat, ids[1])):
                    states[3] = states[2]
                    apply(states[3], seat, int(np.int64(ids[1, gift])))
                    value = max(value, judge(states[3], seat, notes, net))
            if value > best:
                best = value
                move = action
        apply(states[1], seat, move)
        if states[1]["phase"] != GIVE:
            return


@kernel
def play_game(
    states: Any, seat: int, others: int, net: Any, careless: int, ids: Any, weights: Any,
    turns: Any, errors: Any, random: Any,
) -> int:  # fmt: skip
    """Play a game from states[0]; note what is seen after each turn of the seat; return how many.

    `others` are the seats, as bits, that play by the outlook too.
    `errors[turn]` is true where the turn was careless: what follows does not count before it.
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
                errors[count] = below(random, ALWAYS) < careless
                take_turn(states, seat, net, errors[count], ids, turns[count], random)
                if state["phase"] != OVER and count + 1 < MOST_TURNS:
                    turns[count]["count"] = 0
                    see(state, seat, turns[count])
                    count += 1
            elif others >> mover & 1:
                take_turn(states, mover, net, False, ids, turns[count], random)
            else:
                apply(state, mover, greedy_move(state, mover, ids[0], random))
        actors = to_act(state)
    return count


@kernel
def add_slopes(notes: Any, hope: float, net: Any, slopes: Any, back: Any) -> float:
    """Add by how much each weight would change the error (log loss); return what was expected."""
    expected = chance(notes, net)
    error = expected - hope
    things = len(net) - TAIL
    layer = things + FIRST_BIAS
    deep = layer + SECOND_WEIGHTS
    out = deep + SECOND
    slopes[out + SECOND] += error
    for i in range(FIRST):
        back[i] = 0.0
    for j in range(SECOND):
        if notes["second"][j] > 0.0:
            slopes[out + j] += error * notes["second"][j]
            slope = error * net[out + j]
            slopes[deep + j] += slope
            for i in range(FIRST):
                if notes["first"][i] > 0.0:
                    slopes[layer + SECOND * i + j] += slope * notes["first"][i]
                    back[i] += slope * net[layer + SECOND * i + j]
    for i in range(FIRST):
        if notes["first"][i] > 0.0:
            slopes[things + i] += back[i]
            for k in range(notes["count"]):
                slopes[FIRST * notes["features"][k] + i] += back[i]
    return expected


@kernel
def step(net: Any, slopes: Any, means: Any, squares: Any, steps: int, rate: float) -> None:
    """Change the weights against their slopes (Adam), and forget these."""
    rate *= np.sqrt(1.0 - (1.0 - LONG) ** steps) / (1.0 - (1.0 - SHORT) ** steps)
    for i in range(len(net)):
        means[i] += SHORT * (slopes[i] - means[i])
        squares[i] += LONG * (slopes[i] * slopes[i] - squares[i])
        net[i] -= rate * means[i] / (np.sqrt(squares[i]) + 1e-5)
        slopes[i] = 0.0


@kernel
def learn_game(
    turns: Any, errors: Any, count: int, result: float, net: Any, slopes: Any, back: Any
) -> None:
    """Add the slopes of all turns of a game, the last turn first."""
    hope = result
    for turn in range(count - 1, -1, -1):
        expected = add_slopes(turns[turn], hope, net, slopes, back)
        hope = expected if errors[turn] else FAR * hope + (1.0 - FAR) * expected


@kernel
def play_games(
    states: Any, games: int, mixed: int, careless: int, rate: float, steps: int, net: Any,
    learning: Any, ids: Any, weights: Any, turns: Any, errors: Any, back: Any, random: Any,
) -> float:  # fmt: skip
    """Play games, each seat by turns; learn from them at a rate above 0; return the share won."""
    players = int(states[0]["players"])
    won = 0.0
    for number in range(games):
        seat = number % players
        others = below(random, 1 << players) if below(random, 100) < mixed else 0
        count = play_game(states, seat, others, net, careless, ids, weights, turns, errors, random)
        result = judge(states[1], seat, turns[0], net)
        won += result
        if rate > 0.0:
            learn_game(turns, errors, count, result, net, learning[0], back)
            if (number + 1) % BATCH == 0:
                steps += 1
                step(net, learning[0], learning[1], learning[2], steps, rate)
    return won / games


class Lab:
    """A net, and games to learn from."""

    def __init__(self, seed: int, net: np.ndarray | None) -> None:
        self.net = fresh(np.random.default_rng(seed)) if net is None else net
        self.steps = 0
        self._play = Kernels("depot", rules, instinct, compiled=True).twin(play_games)
        self._states = {n: np.repeat(game("depot").start(n).array, 4) for n in set(TABLES)}
        self._scratch = (
            np.zeros((3, len(self.net)), np.float32), np.zeros((2, 256), np.int32),
            np.zeros(64, np.int32), np.zeros(MOST_TURNS, NOTES), np.zeros(MOST_TURNS, np.bool_),
            np.zeros(FIRST, np.float32), generators(1, seed),
        )  # fmt: skip

    def play(self, players: int, games: int, mixed: int, careless: int, rate: float) -> float:
        """Play games; learn from them if the rate is above 0; return the share that was won."""
        won: float = self._play(
            self._states[players], games, mixed, careless, rate, self.steps, self.net,
            *self._scratch,
        )  # fmt: skip
        if rate:
            self.steps += games // BATCH
        return won


def fresh(chance: np.random.Generator) -> np.ndarray:
    """A net that knows nothing yet."""
    net = np.zeros(size(SEEN), np.float32)
    layer = SEEN * FIRST + FIRST_BIAS
    net[: SEEN * FIRST] = chance.normal(0, 0.1, SEEN * FIRST)
    net[layer : layer + SECOND_WEIGHTS] = chance.normal(0, (2 / FIRST) ** 0.5, SECOND_WEIGHTS)
    net[-1 - SECOND : -1] = chance.normal(0, SECOND**-0.5, SECOND)
    return net


def main() -> None:
    """Learn a net, or write a learned one."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path, nargs="?", default=Path("foresight.npy"))
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mixed", type=int, default=30, help="per cent of games, see above")
    parser.add_argument("--start", type=Path, help="a net to start from")
    parser.add_argument("--write", type=Path, help="a net for the game")
    given = parser.parse_args()
    if given.write:
        save_net(Path(foresight.__file__).with_suffix(".npy"), np.load(given.write))
        return
    lab = Lab(given.seed, np.load(given.start) if given.start else None)
    lab.play(3, 3, 0, 0, 0.0)  # compiles
    start = time.monotonic()
    report = 0
    while (done := (time.monotonic() - start) / 60 / given.minutes) < 1.0:
        rate = RATE * LAST**done
        careless = int(500 * (1 - done) + 20)
        players = TABLES[report % len(TABLES)]
        lab.play(players, BATCH * STEPS, given.mixed, careless, rate)
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
