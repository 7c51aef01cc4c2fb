"""A table of strengths: all bots and trivial policies of a game in Elo, with intervals.

`python benchmarks/strengths.py` lets each bot of a ladder play alone against a table of each of the
next two below it, seats rotated over the same deals, and fits strengths to all matches (Plackett
and Luce's model; `normal` has 1500). Bots that do not search play thousands of matches in machine
code, the others as many as there is time for, `hard` and `master` by iterations. A trivial policy
makes the first legal move, or a random one but of some kind (`random:never-ignore` ignores only if
it must).

`--won GAME:NAME=90/100` adds somebody whose victories against a table of `random` are known, as
those of a recipe are; a victory of k seats counts 1/k. `--quick` leaves out whoever searches.
`--levels` plays nothing and prints how strong the levels are in all games, as ratings have it
(`python -m droptable.lab.anchors` measures that).
"""

import argparse
import json
import sys
import time
from pathlib import Path

import droptable
from droptable.bots.instincts import habit_of
from droptable.bots.levels import LEVELS
from droptable.bots.precompile import prepare
from droptable.bots.steady import SteadyBot
from droptable.lab.anchors import Result, fit
from droptable.lab.cell import Cell
from droptable.lab.matches import play_chunk
from droptable.tables.rating_model import ELO, SHOWN, model_of

TRIVIAL = {  # by game; the first word of a token says what kind of move it is
    "drop-or-pop": ["random:never-ignore", "random:never-pop"],
    "depot": ["random:never-take"],
    "drop-site": ["random:never-hide"],
}
SEARCHES = {"drop": [1000, 10_000], "drop-or-pop": [1000, 10_000], "number-drop": [100]}
USUAL = [1000]  # iterations of the other games' searches; in Number Drop, one is a whole round
BELOW = 2  # that each bot plays against


class Steady:
    """A level by iterations, as strong as by the clock (`LevelShares.steady`)."""

    level = ""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed or 0
        self._bot: SteadyBot | None = None

    def choose(self, view) -> str:
        """Its choice."""
        self._bot = self._bot or SteadyBot(self.level, view.game, self._seed)
        return self._bot.choose(view)


class Hard(Steady):
    """The level `hard`."""

    level = "hard"


class Master(Steady):
    """The level `master`."""

    level = "master"


STEADY = {f"{__file__}:{kind.__name__}": kind.level for kind in (Hard, Master)}


def ladder(game: str, iterations: list[int] | None) -> list[str]:
    """The bots, roughly from the weakest up."""
    quick = [name for name in LEVELS if habit_of(name)]
    searches = [f"search:{n}" for n in iterations or SEARCHES.get(game, USUAL)]
    return ["random", "first", *TRIVIAL.get(game, []), *quick, *STEADY, *searches]


def contest(game, players: int, upper: str, lower: str, matches: int, seconds: float) -> list:
    """Matches of one bot alone against a table of another, in whole rotations."""
    cell = Cell(game.name, players, lineup=(upper, *[lower] * (players - 1)), rotate=True)
    size = 500 * players if not cell.thinks else players
    results: list[Result] = []
    deadline = time.process_time() + seconds
    while len(results) < matches and time.process_time() < deadline:
        chunk = play_chunk(cell, 1, len(results), size)
        for number, shares in zip(chunk.match.tolist(), chunk.share, strict=True):
            results.append(Result(cell.seated(number), tuple(shares[:players].tolist())))
    return results


def known(game: str, players: int, won: list[str]) -> list:
    """The matches of somebody against a table of `random`, as the command line tells them."""
    results = []
    for told in won:
        of, _, rest = told.partition(":")
        name, _, counts = rest.rpartition("=")
        share, _, matches = counts.partition("/")
        if of == game:
            names = (name, *["random"] * (players - 1))
            part = float(share) / int(matches)
            shares = (part, *[(1 - part) / (players - 1)] * (players - 1))
            results += [Result(names, shares)] * int(matches)
    return results


def table(game, players: int, given) -> list[dict]:
    """One line per bot, the strongest first."""
    prepare(game)
    bots = ladder(game.name, given.iterations)
    if given.quick:
        bots = [bot for bot in bots if habit_of(bot)]
    results = known(game.name, players, given.won)
    others = [result.names[0] for result in results]
    for place, upper in enumerate(bots):
        for lower in bots[max(0, place - BELOW) : place]:
            thinks = habit_of(upper) is None
            matches = given.searched if thinks else given.matches
            results += contest(game, players, upper, lower, matches, given.seconds)
            print(f"  {game.name}: {upper} against {lower}", file=sys.stderr, flush=True)
    played = {bot: sum(bot in r.names for r in results) for bot in [*bots, *others]}
    return [
        {
            "game": game.name, "players": players, "bot": STEADY.get(bot, bot),
            "elo": SHOWN + ELO * skill.mu, "margin": 1.96 * ELO * skill.sigma,
            "matches": played[bot],
        }
        for bot, skill in sorted(fit(results).items(), key=lambda item: -item[1].mu)
    ]  # fmt: skip


def levels_of_all() -> None:
    """Print what ratings are anchored at, at the fewest players of each game."""
    print(f"| game | {' | '.join(f'`{name}`' for name in ['random', *LEVELS])} |")
    print(f"| --- |{' --- |' * (len(LEVELS) + 1)}")
    for game in droptable.games():
        players = max(2, game.players[0])
        cells = []
        for name in ["random", *LEVELS]:
            skill = model_of(game.name).bot(name, players)
            assert skill is not None, f"{game.name}: {name} has no anchor"
            cells.append(f"{SHOWN + ELO * skill.mu:.0f} ± {1.96 * ELO * skill.sigma:.0f}")
        print(f"| {game.title}, {players} players | {' | '.join(cells)} |")


def main() -> None:
    """Measure the chosen games and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", help="names of games; default: all")
    parser.add_argument("--iterations", nargs="*", type=int, help="of the bots that search")
    parser.add_argument("--matches", type=int, default=2000, help="of each pair without search")
    parser.add_argument("--searched", type=int, default=100, help="of each pair with search")
    parser.add_argument("--seconds", type=float, default=60.0, help="of CPU at most, per pair")
    parser.add_argument(
        "--won",
        action="append",
        default=[],
        metavar="GAME:NAME=WON/MATCHES",
        help="somebody's victories against a table of random",
    )
    parser.add_argument("--json", type=Path, help="also write the lines to this file")
    parser.add_argument("--quick", action="store_true", help="without bots that search")
    parser.add_argument("--levels", action="store_true", help="as ratings have them; plays nothing")
    given = parser.parse_args()
    if given.levels:
        levels_of_all()
        return
    lines = []
    for game in [droptable.game(name) for name in given.games] or droptable.games():
        players = max(2, game.players[0])
        lines += table(game, players, given)
        print(f"\n| {game.title}, {players} players | Elo | 95 % | matches |")
        print("| --- | --- | --- | --- |")
        for line in lines:
            if line["game"] == game.name:
                print(f"| `{line['bot']}` | {line['elo']:.0f} | ± {line['margin']:.0f} | "
                      f"{line['matches']} |", flush=True)  # fmt: skip
    if given.json:
        given.json.write_text(json.dumps(lines, indent=1) + "\n")


if __name__ == "__main__":
    main()
