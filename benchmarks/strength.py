"""The strength of the bots: measures every claim of docs/bots.md again.

`python benchmarks/strength.py` runs all of them (hours: searches take a second per move), or those
whose names contain one of the arguments; `--matches` changes their length. Prints one line per
claim: the result, its 95 % interval, and the target. Exits 1 if a target is missed.
"""

import argparse
import json
import math
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

import droptable
from droptable.lab.arena import run_arena


@dataclass(frozen=True)
class Claim:
    """The first bot against the others: its share of wins, or alone its mean score."""

    name: str
    game: str
    bots: tuple[str, ...]
    target: float
    matches: int = 100

    @property
    def alone(self) -> bool:
        """A solo match, measured by its score."""
        return len(self.bots) == 1


CLAIMS = [
    Claim("greedy-drop-site", "drop-site", ("greedy", "random"), 0.95),
    Claim("greedy-drop", "drop", ("greedy", "random"), 0.95),
    Claim("greedy-number-drop", "number-drop", ("greedy", *["random"] * 3), 0.80),
    Claim("greedy-depot", "depot", ("greedy", *["random"] * 2), 0.80),
    Claim("greedy-drop-or-pop", "drop-or-pop", ("greedy", *["random"] * 2), 0.80, 400),
    Claim("search-drop-site", "drop-site", ("search:1s", "greedy"), 0.75),
    Claim("search-drop", "drop", ("search:1s", "greedy"), 0.75),
    Claim("search-depot", "depot", ("search:1s", "greedy", "greedy"), 0.60),
    Claim("search-drop-or-pop", "drop-or-pop", ("search:1s", "greedy", "greedy"), 0.60),
    Claim("search-number-drop", "number-drop", ("search:1s", *["greedy"] * 3), 0.60),
    Claim("solo-number-drop", "number-drop", ("search:1s",), 70),
    Claim("time-drop-site", "drop-site", ("search:1s", "search:0.1s"), 0.5),
    Claim("time-drop", "drop", ("search:1s", "search:0.1s"), 0.5),
    Claim("time-depot", "depot", ("search:1s", *["search:0.1s"] * 2), 1 / 3),
    Claim("time-drop-or-pop", "drop-or-pop", ("search:1s", *["search:0.1s"] * 2), 1 / 3),
    Claim("time-number-drop", "number-drop", ("search:1s", "search:0.1s"), 0.5),
]


def measure(claim: Claim, matches: int) -> dict[str, object]:
    """Play a claim's matches; wins count where a single seat won, as shares otherwise."""
    arena = run_arena(droptable.game(claim.game), claim.bots, matches)
    if claim.alone:
        points = [result.scores[0] for result in arena.results]
        mean = statistics.fmean(points)
        spread = 1.96 * statistics.stdev(points) / math.sqrt(len(points))
        value, low, high = mean, mean - spread, mean + spread
    else:
        line = next(s for s in arena.standings() if s.bot == claim.bots[0])
        value, low, high = line.wins / line.played, line.low, line.high
    needed = low if claim.name.startswith("time-") else value  # more time must help significantly
    return {
        "name": claim.name, "bots": claim.bots, "matches": len(arena.results), "value": value,
        "low": low, "high": high, "target": claim.target, "met": needed >= claim.target,
    }  # fmt: skip


def main() -> int:
    """Measure the chosen claims."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="parts of the names of claims; default: all")
    parser.add_argument("--matches", type=int, help="instead of each claim's own number")
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    arguments = parser.parse_args()
    chosen = [c for c in CLAIMS if not arguments.names or any(n in c.name for n in arguments.names)]
    if not chosen:
        parser.error(f"no claim's name contains any of {arguments.names}; claims: "
                     f"{', '.join(c.name for c in CLAIMS)}")  # fmt: skip
    if arguments.matches is not None and arguments.matches < 1:
        parser.error(f"--matches {arguments.matches}: at least one match is needed")
    results = []
    for claim in chosen:
        result = measure(claim, arguments.matches or claim.matches)
        form = "{:6.1f}" if claim.alone else "{:6.1%}"
        value, low, high, target = (
            form.format(result[key]) for key in ("value", "low", "high", "target")
        )
        print(
            f"{claim.name:<20} {' '.join(claim.bots):<32} {result['matches']:>4} matches {value} "
            f"({low} to{high}), target {target}: {'met' if result['met'] else 'MISSED'}",
            flush=True,
        )
        results.append(result)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=2) + "\n")
    return 0 if all(result["met"] for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
