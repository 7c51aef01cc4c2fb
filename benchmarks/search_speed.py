"""The speed of search: iterations per second in each game, beside OpenSpiel's `MCTSBot`.

`python benchmarks/search_speed.py` measures every game on one core and on all, from positions in
the middle of matches, alternating with `MCTSBot` (Python, over OpenSpiel's C++ games, one random
rollout per iteration) on games of about the same size. It needs the extra `peers`:
`pip install -c constraints.txt -e '.[peers]'`. Exits 1 if a ratio is under its floor.
"""

import argparse
import json
import random
import statistics
import sys
import time
from pathlib import Path

import numpy as np

import droptable
from droptable.bots.precompile import prepare
from droptable.bots.search import search
from droptable.core.contract import DEALER
from droptable.core.cpu import usable_cores

PEERS = {  # ours: OpenSpiel's, with about as many cells, legal moves and moves per match
    "drop-or-pop": "connect_four",
}
FLOORS = {"drop-or-pop": 20.0}  # times the peer's speed, on one core each
POSITIONS = 4  # of each game; the median counts


def views(game, players):
    """Views in the middle of greedy matches, where the seat to act has a choice."""
    for seed in range(POSITIONS):
        record = droptable.play(game, players, bots=["greedy"] * players, seed=seed)
        number = len(record.events) // 2
        state = record.state_at(number)
        while state.to_act[0] == DEALER or len(state.legal(state.to_act[0])) < 2:
            actor, token = record.events[number]
            state.apply(actor, token)
            number += 1
        yield state.view(state.to_act[0])


def our_speed(view, seconds, cores):
    """Iterations per second of our search."""
    start = time.perf_counter()
    findings = search(view, seconds=seconds, cores=cores, seed=1)
    return findings.iterations / (time.perf_counter() - start)


def peer_speed(name, seed, seconds):
    """Iterations per second of OpenSpiel's MCTSBot, from the middle of a random match."""
    import pyspiel
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game(name)
    chance = random.Random(seed)
    history = []
    while len(history) < 8:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        history = state.history()
    middle = game.new_initial_state()
    for action in history[: len(history) // 2]:
        middle.apply_action(action)
    numbers = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, numbers)
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        bot = mcts.MCTSBot(game, 1.4, 100, evaluator, random_state=numbers, solve=False)
        bot.step(middle)
        done += 100
    return done / (time.perf_counter() - start)


def measure(game, seconds):
    """One line of the table."""
    prepare(game)
    players = 3 if 3 in game.players else game.players[-1]
    peer = PEERS.get(game.name)
    one, all_cores, others = [], [], []
    for seed, view in enumerate(views(game, players)):
        one.append(our_speed(view, seconds, 1))
        if peer:
            others.append(peer_speed(peer, seed, seconds))
        all_cores.append(our_speed(view, seconds, None))
    line = {
        "game": game.name, "players": players, "one_core": statistics.median(one),
        "cores": usable_cores(), "all_cores": statistics.median(all_cores), "peer": peer,
    }  # fmt: skip
    if peer:
        line["peer_speed"] = statistics.median(others)
        line["ratio"] = line["one_core"] / line["peer_speed"]
        line["floor"] = FLOORS.get(game.name)
    return line


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", help="names of games; default: all")
    parser.add_argument("--seconds", type=float, default=2.0, help="per measurement")
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    arguments = parser.parse_args()
    games = [droptable.game(name) for name in arguments.games] or droptable.games()
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        parser.error("OpenSpiel is missing: pip install -c constraints.txt -e '.[peers]'")
    lines = []
    print(f"{'game':<14} {'1 core':>9} {usable_cores()} cores  OpenSpiel MCTSBot")
    for game in games:
        line = measure(game, arguments.seconds)
        lines.append(line)
        text = f"{line['game']:<14} {line['one_core']:>9,.0f} {line['all_cores']:>9,.0f}"
        if line["peer"]:
            text += f"  {line['peer']} {line['peer_speed']:,.0f}: {line['ratio']:.1f} times"
            text += f" (floor {line['floor']:.0f})" if line["floor"] else ""
        print(text, flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(lines, indent=2) + "\n")
    return int(any(line.get("floor") and line["ratio"] < line["floor"] for line in lines))


if __name__ == "__main__":
    sys.exit(main())
