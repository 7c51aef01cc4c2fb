"""How soon does the coach say something, and does it know random play from good play?

`python benchmarks/coach.py` lets a random bot play against good ones in every game and judges the
match as the server does. Prints one line per game: turns, seconds to the first verdict and to the
last, then each seat's bot with its accuracy, mistakes and blunders. Exits 1 if the first verdict
takes more than 3 seconds, the whole more than 20, or if random play is not told as what it is.
"""

import argparse
import json
import sys
import time

import droptable
from droptable.bots.coach import Analysis, analyse_within
from droptable.bots.precompile import prepare
from droptable.web.coach_jobs import BUDGET

FIRST, ALL = 3.0, 20.0  # seconds
LEAST_GAP = 10.0  # between the accuracies of good and of random play


def measure(game: droptable.Game, good: str, seed: int) -> dict[str, object]:
    """Judge one match."""
    players = max(2, game.players[0])
    bots = ["random"] + [good] * (players - 1)
    prepare(game)
    record = droptable.play(game, players, bots, seed=seed)
    start = time.monotonic()
    first, opinions = None, {}
    for _progress, decision in analyse_within(record, BUDGET):
        first = first or time.monotonic() - start
        opinions[decision.event] = decision
    seconds = time.monotonic() - start
    accuracy = Analysis(record, tuple(opinions.values())).accuracy()
    seats = []
    for seat, bot in enumerate(bots):
        marks = [d.mark for d in opinions.values() if d.seat == seat]
        counts = {mark: marks.count(mark) for mark in ("mistake", "blunder")}
        seats.append({"bot": bot, "accuracy": accuracy[seat], "turns": len(marks)} | counts)
    return {
        "game": game.name, "scores": record.final.scores, "turns": len(opinions),
        "first": first, "all": seconds, "seats": seats,
    }  # fmt: skip


def main() -> None:
    """Measure the games that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="all by default")
    parser.add_argument("--good", default="hard", help="the bot that plays well")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    games = [droptable.game(name) for name in options.games] or droptable.games()
    failed = False
    for game in games:
        result = measure(game, options.good, options.seed)
        random, *others = result["seats"]
        gap = min(seat["accuracy"] for seat in others) - random["accuracy"]
        marks = random["mistake"] + random["blunder"]
        failed |= result["first"] > FIRST or result["all"] > ALL or gap < LEAST_GAP or not marks
        if options.json:
            print(json.dumps(result))
            continue
        print(
            f"{game.name}: {result['turns']} turns, first verdict {result['first']:.1f} s,"
            f" all {result['all']:.1f} s, scores {result['scores']}"
        )
        for seat in result["seats"]:
            print(
                f"  {seat['bot']:<8} accuracy {seat['accuracy']:5.1f}, {seat['mistake']} mistakes"
                f" and {seat['blunder']} blunders in {seat['turns']} turns"
            )
    sys.exit(failed)


if __name__ == "__main__":
    main()
