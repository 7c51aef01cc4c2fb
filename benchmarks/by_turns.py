"""A benchmark on this checkout and on another one, by turns: what `--against` does.

Each turn is a new process that runs the same script in the folder and with the sources of one
checkout or the other. So both are measured by the same code, and whatever else the machine does
slows both alike.
"""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

FLOOR = 0.95  # of the other checkout's speed
ROOT = Path(__file__).resolve().parents[1]


def add_options(parser):
    """Options of every benchmark that can be compared."""
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="compare with its sources")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each, with --against")


def compare(script, names, arguments, given, figures):
    """Measure games of both checkouts by turns; return 1 if one of ours is under the floor.

    `figures` are the numbers to compare in each line of the script's `--json`.
    """
    other = given.against.resolve()
    if not (other / "src" / "droptable").is_dir():
        sys.exit(f"{other} is no checkout: it has no src/droptable")
    print(f"medians of {given.rounds} turns{'here':>34}{'there':>14}{'ratio':>8}")
    slower = 0
    for name in names:
        here, there = [], []
        for turn in range(given.rounds):
            pair = [(here, ROOT), (there, other)]
            for results, checkout in pair if turn % 2 else reversed(pair):
                results.append(run(script, [name, *arguments], checkout))
        for key, row in here[0].items():
            for figure in (figure for figure in figures if figure in row):
                ours, theirs = ([turn[key][figure] for turn in side] for side in (here, there))
                slower += ratio(f"{key} {figure}", ours, theirs) < FLOOR
    return 1 if slower else 0


def ratio(what, ours, theirs):
    """Print the medians of a figure; return the median of the turns' ratios."""
    median = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    here, there = statistics.median(ours), statistics.median(theirs)
    note = f"  under {FLOOR}" if median < FLOOR else ""
    print(f"{what:<38}{here:>14,.0f}{there:>14,.0f}{median:>8.2f}{note}", flush=True)
    return median


def run(script, arguments, checkout):
    """One turn: each line's figures, by its game and player count."""
    done = subprocess.run(
        [sys.executable, Path(script).resolve(), *arguments, "--json"],
        cwd=checkout,  # so that DROPTABLE_GAMES can name a file that each has
        env=os.environ | {"PYTHONPATH": str(checkout / "src")},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {f"{row['game']} {row['players']}": row for row in rows}
