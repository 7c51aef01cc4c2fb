"""Moves per second of single matches through PettingZoo and OpenSpiel, at random.

`python benchmarks/environments.py [GAME …] [--json]` measures the AEC loop of PettingZoo's
documentation with observations and masks, the parallel environment, and random matches in
OpenSpiel without information states, per second of CPU time. `--against CHECKOUT` compares with
another checkout, by turns. What is not installed is left out.
"""

import argparse
import json
import sys
import time

import by_turns
import numpy as np

import droptable

SLICES = 5  # the best of so many counts


def aec(game, players, chance):
    """A match in the AEC environment, as a function that returns how many moves it had."""
    from droptable.envs.pettingzoo import env

    table = env(game, players, max_moves=200)

    def match():
        moves = 0
        table.reset()
        for _ in table.agent_iter():
            seen, _, terminated, truncated, _ = table.last()
            if terminated or truncated:
                table.step(None)
            else:
                legal = np.flatnonzero(seen["action_mask"])
                table.step(legal[int(chance.random() * len(legal))])
                moves += 1
        return moves

    return match


def parallel(game, players, chance):
    """A match in the parallel environment, as a function that returns how many steps it had."""
    from droptable.envs.pettingzoo import parallel_env

    table = parallel_env(game, players, max_cycles=200)

    def match():
        steps, (seen, _) = 0, table.reset()
        while table.agents:
            legal = {agent: np.flatnonzero(seen[agent]["action_mask"]) for agent in table.agents}
            actions = {a: ids[int(chance.random() * len(ids))] for a, ids in legal.items()}
            seen = table.step(actions)[0]
            steps += 1
        return steps

    return match


def openspiel(game, players, chance):
    """A match in OpenSpiel, as a function that returns how many nodes were left."""
    import pyspiel

    from droptable.envs.openspiel import short_name

    tree = pyspiel.load_game(f"{short_name(game)}(players={players})")

    def match():
        state = tree.new_initial_state()
        for nodes in range(400):
            if state.is_terminal():
                return nodes
            ids = state.legal_actions()
            state.apply_action(ids[int(chance.random() * len(ids))])
        return 400

    return match


KINDS = {"aec": aec, "parallel": parallel, "openspiel": openspiel}


def measure(match, seconds):
    """The best rate of several slices."""
    match()
    rates = []
    for _ in range(SLICES):
        count, start = 0, time.process_time()
        while (spent := time.process_time() - start) < seconds / SLICES:
            count += match()
        rates.append(count / spent)
    return max(rates)


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="names of games; all by default")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure")
    by_turns.add_options(parser)
    given = parser.parse_args()
    names = given.games or [game.name for game in droptable.games()]
    if given.against:
        arguments = ["--seconds", str(given.seconds)]
        return by_turns.compare(__file__, names, arguments, given, tuple(KINDS))
    if not given.json:
        print(f"{'moves per second':<22}" + "".join(f"{kind:>12}" for kind in KINDS))
    for game in map(droptable.game, names):
        row = {"game": game.name, "players": game.players[-1]}
        for kind, make in KINDS.items():
            try:
                match = make(game, game.players[-1], np.random.default_rng(1))
            except ImportError:
                continue
            row[kind] = measure(match, given.seconds)
        if given.json:
            print(json.dumps(row), flush=True)
        else:
            figures = "".join(f"{row.get(kind, 0):>12,.0f}" for kind in KINDS)
            print(f"{game.name:<14}{row['players']:>8}{figures}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
