"""What a trained net is worth: its search against others, with the CPU time that each takes.

    python benchmarks/trained.py GAME NET [--players N] [--matches 200] [--milliseconds 5]

The net searches with as many iterations as take so many milliseconds of CPU per decision, and sits
alone against a table of `greedy` and against a table of our search without a net, once with the
same CPU time and once with the same iterations. Deals have seeds from `--seed` (1,000,000) up, each
played from all seats; training has not seen them. Prints one JSON object per line.
"""

import argparse
import json
import random
import time

import droptable
from droptable.bots.match import play_out
from droptable.bots.registry import make_bot
from droptable.lab.statistics import mean_of

PILOT = 200  # iterations per decision when paces are measured


class Clock:
    """A bot, and the CPU time of its decisions."""

    def __init__(self, name):
        self.name = name
        self.bot = make_bot(name, 1, cores=1)
        self.seconds = 0.0
        self.decisions = 0

    def choose(self, view):
        if len(view.legal) == 1:
            return view.legal[0]
        start = time.process_time()
        token = self.bot.choose(view)
        self.seconds += time.process_time() - start
        self.decisions += 1
        return token

    @property
    def milliseconds(self):
        """CPU time per decision."""
        return 1000 * self.seconds / max(self.decisions, 1)


def play(game, options, bots, seed):
    """The share of the victory of each seat."""
    state = game.start(len(bots), **options)
    play_out(state, bots, random.Random(seed))
    return [1 / len(state.winners) if seat in state.winners else 0 for seat in range(len(bots))]


def against(game, players, options, one, other, matches, seed):
    """The share of `one`, alone against a table of `other`, and what both take."""
    first, second = Clock(one), Clock(other)
    play(game, options, [first, second] + [second] * (players - 2), seed - 1)  # compiles
    first.seconds = second.seconds = first.decisions = second.decisions = 0
    shares = []
    for match in range(matches):
        seat = match % players
        bots = [first if s == seat else second for s in range(players)]
        shares.append(play(game, options, bots, seed + match // players)[seat])
    found = mean_of(shares, [match // players for match in range(matches)])
    return {
        "bot": one, "against": other, "players": players, "matches": matches,
        "share": round(found.value, 4), "low": round(found.low, 4), "high": round(found.high, 4),
        "ms": round(first.milliseconds, 3), "other ms": round(second.milliseconds, 3),
    }  # fmt: skip


def main():
    """Measure a net against three opponents."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("net")
    parser.add_argument("--players", type=int)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--milliseconds", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1_000_000)
    given = parser.parse_args()
    game = droptable.game(given.game)
    players = game.check_players(given.players)
    names = [f"search:{PILOT}@{given.net}", f"search:{PILOT}"]
    pilot = against(game, players, {}, *names, players, given.seed - 10)
    count, other = (
        max(1, round(PILOT * given.milliseconds / pilot[kind])) for kind in ("ms", "other ms")
    )
    bot = f"search:{count}@{given.net}"
    for rival in ("greedy", f"search:{other}", f"search:{count}"):
        found = against(game, players, {}, bot, rival, given.matches, given.seed)
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
