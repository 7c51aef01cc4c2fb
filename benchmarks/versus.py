"""How strong are our bots against those of another revision, such as version 0.1?

`python benchmarks/versus.py drop` builds the other revision (`--against`, any name that git knows)
in an environment of its own, once, and lets its bots play ours: seats rotated over the same deals,
one core each, two matches at a time. Both sides are processes of their own revision
(`versus_side.py`), told the match as a list of events, so neither sees more than the rules allow.
By default a second per move is one of CPU time, so a busy machine is no advantage to anybody.

Ours sits alone against a table of the other's; with `--players 1`, both play the same dice and
their scores are compared. The interval holds at all counts at once (95 %), so a match-up stops as
soon as its target is met or missed for sure; results are kept in `--file`, and `--resume` goes on.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from threading import local

import numpy as np

import droptable
from droptable.core.contract import DEALER
from droptable.lab.statistics import Interval, anytime, anytime_share, mean_of, share_of

ROOT = Path(__file__).resolve().parent.parent
SIDE = Path(__file__).with_name("versus_side.py")
FIRST_VERSION = "3302f4c"  # version 0.1


@dataclass(frozen=True)
class Match:
    """What is played: a game as both revisions know it, and the share (or score) to reach."""

    game: str
    players: int
    target: float
    options: dict


MATCHES = [
    Match("drop", 2, 0.80, {}),
    Match("drop-site", 2, 0.60, {}),
    Match("depot", 3, 0.42, {}),
    Match("number-drop", 2, 0.65, {"order": "together"}),  # the only order that 0.1 knows
    Match("number-drop", 1, 66.0, {"order": "together"}),
    Match("drop-or-pop", 3, 1 / 3, {}),
]


# -- the other revision ---------------------------------------------------------------------------


def build(revision: str, folder: Path) -> Path:
    """The Python of an environment with another revision, made on first use."""
    commit = git("rev-parse", "--short=12", revision)
    home = folder / commit
    python = home / ".venv" / "bin" / "python"
    if not (home / "built").exists():
        print(f"Building {revision} in {home} …", file=sys.stderr, flush=True)
        home.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(
            ["git", "-C", str(ROOT), "archive", commit], capture_output=True, check=True
        )
        subprocess.run(["tar", "-x", "-C", str(home)], input=archive.stdout, check=True)
        subprocess.run([sys.executable, "-m", "venv", str(home / ".venv")], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "-c", "constraints.txt", "-e", "."], cwd=home, check=True)
        (home / "built").touch()
    return python


def git(*arguments: str) -> str:
    """What git answers."""
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


# -- sides ----------------------------------------------------------------------------------------


class Side:
    """A process of one revision that plays some seats of a match."""

    def __init__(self, python: Path) -> None:
        cache = str(python.parent.parent / "droptable")  # of machine code: revisions share none
        self._process = subprocess.Popen(
            [str(python), str(SIDE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=os.environ | {"DROPTABLE_CACHE": cache},
        )  # fmt: skip
        self._told = 0  # events
        self.seconds: list[float] = []

    def start(self, match: Match, bots: dict[int, str], seed: int, cpu: bool) -> None:
        """Begin another match."""
        self._told = 0
        self.seconds: list[float] = []
        self._ask({
            "game": match.game, "players": match.players, "options": match.options,
            "bots": bots, "seed": seed, "cpu": cpu,
        })  # fmt: skip

    def choose(self, seat: int, events: list) -> str:
        """The move of one of its bots."""
        answer = self._ask({"seat": seat, "events": events[self._told :]})
        self._told = len(events)
        self.seconds.append(answer["seconds"])
        return answer["token"]

    def _ask(self, question: dict) -> dict:
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"a side ended with exit code {self._process.wait()}: {question}")
        return json.loads(line)

    def end(self) -> None:
        """End the process."""
        with self._process:  # closes its pipes, so it ends
            self._process.stdin.close()


class Table:
    """Plays matches between two revisions; each thread has a pair of sides."""

    def __init__(self, ours: Path, theirs: Path, bots: tuple[str, str], cpu: bool) -> None:
        self._pythons, self._bots, self._cpu = (ours, theirs), bots, cpu
        self._own = local()
        self._all: list[Side] = []

    def _sides(self) -> list[Side]:
        if not hasattr(self._own, "sides"):
            self._own.sides = [Side(python) for python in self._pythons]
            self._all += self._own.sides
        return self._own.sides

    def play(self, match: Match, number: int) -> dict:
        """One match: ours sits at `number` modulo the seats; alone, it plays after the other."""
        sides = self._sides()
        deal, seat = divmod(number, match.players)
        result = {"deal": deal, "seat": seat}
        if match.players == 1:
            scores = [self._play_out(match, deal, [side], [bot])[1][0]
                      for side, bot in zip(sides, self._bots, strict=True)]  # fmt: skip
            result |= {"score": scores[0], "theirs": scores[1]}
        else:
            others = match.players - 1
            chosen = [sides[1]] * others
            names = [self._bots[1]] * others
            chosen.insert(seat, sides[0])
            names.insert(seat, self._bots[0])
            won, result["scores"] = self._play_out(match, deal, chosen, names)
            result["share"] = 1 / len(won) if seat in won else 0.0
        times = [side.seconds for side in sides]
        return result | {"seconds": [sum(t) / max(len(t), 1) for t in times]}

    def _play_out(self, match: Match, deal: int, sides: list[Side], names: list[str]) -> tuple:
        dealer = random.Random(f"versus {match.game} {deal}")
        for side in dict.fromkeys(sides):
            bots = {k: name for k, name in enumerate(names) if sides[k] is side}
            side.start(match, bots, seed=1000 * deal, cpu=self._cpu)
        state = droptable.game(match.game).start(match.players, **match.options)
        while not state.over:
            actor = state.to_act[0]
            if actor == DEALER:
                state.deal(dealer)
            else:
                state.apply(actor, sides[actor].choose(actor, list(state.events)))
        return state.winners, list(state.scores)

    def end(self) -> None:
        """End all processes."""
        for side in self._all:
            side.end()


# -- results --------------------------------------------------------------------------------------


def standing(match: Match, results: list[dict], most: int) -> Interval:
    """What is known at any count: of the share of wins, or of the mean score alone."""
    if match.players == 1:
        scores = np.array([result["score"] for result in results])
        return anytime(float(scores.mean()), float(scores.std()) + 1e-9, len(scores), most)
    deals: dict[int, list[float]] = {}
    for result in results:
        deals.setdefault(result["deal"], []).append(result["share"])
    whole = [sum(d) / len(d) for d in deals.values() if len(d) == match.players]
    return anytime_share(whole, most / match.players)


def told(match: Match, results: list[dict], most: int) -> str:
    """A line about a match-up."""
    at = standing(match, results, most)
    alone = match.players == 1
    form = "{:.1f}".format if alone else "{:.1%}".format
    values = [result["score" if alone else "share"] for result in results]
    plain = mean_of(values) if alone else share_of(values)
    verdict = "met" if at.low >= match.target else "MISSED" if at.high < match.target else "open"
    more = ""
    if alone:
        gain = mean_of([r["score"] - r["theirs"] for r in results])
        more = f", {gain} above theirs ({form(np.mean([r['theirs'] for r in results]))})"
    ours, theirs = np.mean([r["seconds"] for r in results], axis=0)
    return (
        f"{match.game}, {match.players} players: {form(plain.value)} ({form(plain.low)} to "
        f"{form(plain.high)}) of {len(results)}{more}; at any count {form(at.low)} to "
        f"{form(at.high)}; target {form(match.target)}: {verdict}; "
        f"{ours:.2f} and {theirs:.2f} s per move"
    )


def measure(table: Table, match: Match, known: list[dict], given, keep) -> list[dict]:
    """Play until the target is met or missed for sure, or there have been enough matches."""
    results = list(known)
    played = {match.players * r["deal"] + r["seat"] for r in results}
    numbers = [number for number in range(given.matches) if number not in played]
    deadline = time.monotonic() + given.minutes * 60
    start = time.monotonic()

    def decided() -> bool:
        if len(results) < max(10, match.players * 5) or given.all:
            return False
        at = standing(match, results, given.matches)
        return at.low >= match.target or at.high < match.target

    with ThreadPoolExecutor(given.workers) as pool:
        running = set()
        while True:
            while numbers and len(running) < given.workers and time.monotonic() < deadline:
                if decided() and numbers[0] % match.players == 0:
                    break
                running.add(pool.submit(table.play, match, numbers.pop(0)))
            if not running:
                return results
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for job in done:
                results.append(job.result())
                keep(results[-1])
            minutes = (time.monotonic() - start) / 60
            print(f"  {minutes:5.1f} min  {told(match, results, given.matches)}", file=sys.stderr)


def main() -> int:
    """Measure the chosen match-ups."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", help="names of games; default: all")
    parser.add_argument("--against", default=FIRST_VERSION, metavar="REV")
    parser.add_argument("--players", type=int, help="only with so many")
    parser.add_argument("--options", nargs="*", default=[], metavar="NAME=VALUE")
    parser.add_argument("--target", type=float, help="instead of the match-up's own")
    parser.add_argument("--seconds", type=float, default=1.0, help="of search per move, each side")
    parser.add_argument("--bots", nargs=2, metavar=("OURS", "THEIRS"), help="instead of searches")
    parser.add_argument("--wall-clock", action="store_true", help="seconds on the wall, not of CPU")
    parser.add_argument("--matches", type=int, default=100, help="at most, of each match-up")
    parser.add_argument("--minutes", type=float, default=1e6, help="at most, for each match-up")
    parser.add_argument("--all", action="store_true", help="play all matches, decided or not")
    parser.add_argument("--workers", type=int, default=2, help="matches at a time, one core each")
    parser.add_argument("--file", type=Path, default=Path("versus.jsonl"), help="of all results")
    parser.add_argument("--resume", action="store_true", help="count what is in the file, go on")
    parser.add_argument(
        "--builds", type=Path, default=Path.home() / ".cache" / "droptable-versus",
        help="where other revisions are built",
    )  # fmt: skip
    given = parser.parse_args()
    options = dict(pair.split("=", 1) for pair in given.options)
    options = {name: int(v) if v.isdigit() else v for name, v in options.items()}
    chosen = [
        replace(m, target=given.target or m.target, options=m.options | options)
        for m in MATCHES
        if (not given.games or m.game in given.games) and given.players in (None, m.players)
    ]
    if not chosen:
        parser.error(f"no match-up of {given.games}; there are {[m.game for m in MATCHES]}")
    bots = tuple(given.bots or [f"search:{given.seconds:g}s"] * 2)
    here = git("rev-parse", "--short=12", "HEAD") + ("+" if git("diff", "HEAD", "--stat") else "")
    lines = given.file.read_text().splitlines() if given.file.exists() else []
    if lines and not given.resume:
        parser.error(f"{given.file} has results already: --resume counts them, or name another")
    known = [json.loads(line) for line in lines]
    against = git("rev-parse", "--short=12", given.against)
    table = Table(Path(sys.executable), build(given.against, given.builds), bots,
                  not given.wall_clock)  # fmt: skip
    missed = False
    for match in chosen:
        of = {
            "ours": here, "theirs": against, "bots": list(bots), "game": match.game,
            "players": match.players, "options": match.options, "cpu": not given.wall_clock,
        }  # fmt: skip

        def keep(result: dict, of: dict = of) -> None:
            with given.file.open("a") as file:
                file.write(json.dumps({"of": of} | result) + "\n")

        results = measure(table, match, [k for k in known if k["of"] == of], given, keep)
        if results:
            print(told(match, results, given.matches), flush=True)
            missed |= standing(match, results, given.matches).low < match.target
    table.end()
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
