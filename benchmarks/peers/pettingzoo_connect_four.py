"""Connect Four by PettingZoo's API: ours beside PettingZoo's own, in one process, by turns.

`python benchmarks/peers/pettingzoo_connect_four.py` plays random matches by the loop of
PettingZoo's documentation (`agent_iter`, `last`, `step`, with observations and masks) on both,
once as users get them (`env`) and once without PettingZoo's wrappers (`raw_env`). The same code
chooses the moves. It needs PettingZoo with its classic games:
`pip install -c constraints.txt 'pettingzoo[classic]'`. Exits 1 if the ratio is under its floor.
"""

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

import numpy as np

FLOOR = 3.0  # times PettingZoo's own, as users get them
SLICE = 0.5  # seconds before the other one's turn


def play(env, chance, seconds):
    """Random matches for a while; return moves per second of this process's time."""
    moves, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        env.reset()
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = np.flatnonzero(seen["action_mask"])
            env.step(legal[int(chance.random() * len(legal))])
            moves += 1
    return moves / spent


def environments():
    """Pairs of ours and PettingZoo's by name."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
    from connect_four import GAME
    from pettingzoo.classic.connect_four import connect_four as theirs

    from droptable.envs import pettingzoo as ours

    return {
        "env": (ours.env(GAME), theirs.env()),
        "raw_env": (ours.raw_env(GAME), theirs.raw_env()),
    }


def measure(pair, rounds):
    """Median moves per second of each, measured by turns, and the median ratio."""
    chance = np.random.default_rng(1)
    for env in pair:
        play(env, chance, SLICE / 2)  # compile, import and warm up
    speeds = [[play(env, chance, SLICE) for env in pair] for _ in range(rounds)]
    ratios = sorted(ours / theirs for ours, theirs in speeds)
    ours, theirs = (statistics.median(column) for column in zip(*speeds, strict=True))
    return {
        "ours": round(ours),
        "pettingzoo": round(theirs),
        "ratio": round(statistics.median(ratios), 2),
        "ratio_range": [round(ratios[0], 2), round(ratios[-1], 2)],
    }


def main():
    """Measure, print, and fail if too slow."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9, help="slices of each, by turns")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    wanted = parser.parse_args()
    try:
        pairs = environments()
    except ImportError as error:
        sys.exit(f"SKIPPED: {error}; pip install -c constraints.txt 'pettingzoo[classic]'")
    results = {name: measure(pair, wanted.rounds) for name, pair in pairs.items()}
    if wanted.json:
        print(json.dumps(results))
    else:
        print("Connect Four, moves per second   ours  PettingZoo  ratio (least to most)")
        for name, row in results.items():
            low, high = row["ratio_range"]
            print(
                f"{name:<26}{row['ours']:>9,}{row['pettingzoo']:>12,}"
                f"{row['ratio']:>7} ({low} to {high})"
            )
    if results["env"]["ratio"] < FLOOR:
        sys.exit(f"{results['env']['ratio']} times PettingZoo's own is under the floor of {FLOOR}")


if __name__ == "__main__":
    main()
