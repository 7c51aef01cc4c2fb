"""Side by side with other engines: Connect Four (and card games) at random, all in one run.

`python benchmarks/peers/run.py` needs `pip install open_spiel pettingzoo rlcard jax pgx` and, for
boardgame.io, npm. JAX may live in another environment (`--pgx-python /path/to/python`). What is
missing is left out, with a word. Everybody is measured by turns, over several rounds, and the best
round of each counts: noise only ever slows down. Seconds are those of the process where one core
is used, and those on the wall where all are; on a busy machine, `--cpu-time` counts the time of all
cores together instead. Exits 1 if a ratio is under its floor.
"""

import argparse
import importlib
import json
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("DROPTABLE_COMPILE", "now")
os.environ.setdefault(
    "DROPTABLE_GAMES", str(Path(__file__).resolve().parents[2] / "examples" / "connect_four.py")
)

from ours import CORES, Ours, cpu_seconds

import droptable

OPENINGS = ((), (3, 3, 3, 2, 2, 3))  # columns from 0: the empty board, and a fight for the middle
CARDS = (  # ours, players, options; the peer's, with matches of about as many moves
    ("drop-site", 2, {"round_limit": 9}, "gin-rummy"),
    ("depot", 3, {}, "uno"),
)
LINES = (  # what; ours; the peer's; floor
    ("inside compiled code, 1 core: matches/s", "ours compiled", "OpenSpiel rollouts", 10.0),
    (f"inside compiled code, {CORES} cores: moves/s", "ours on all cores", "Pgx inside", 6.0),
    (f"a batch stepped from Python, {CORES} cores: moves/s", "ours vector", "Pgx best", 3.0),
    ("the same without observations: moves/s", "ours blind vector", "Pgx best", 3.0),
    ("one step at a time from Python: moves/s", "ours single", "OpenSpiel single", 1.0),
    (
        "search on the empty board, 1 core: simulations/s",
        "ours search 0",
        "OpenSpiel search 0",
        6.0,
    ),
    ("search after six moves, 1 core: simulations/s", "ours search 1", "OpenSpiel search 1", 6.0),
    ("one step at a time: moves/s", "ours single", "PettingZoo single", None),
    ("one step at a time: moves/s", "ours single", "boardgame.io single", None),
    ("Drop Site beside gin rummy: moves/s", "ours drop-site", "RLCard gin-rummy", None),
    ("Depot beside Uno: moves/s", "ours depot", "RLCard uno", None),
)


def contenders(arguments, peers, folder):
    """What to measure: name -> function of seconds. Prints what is missing."""
    contestants = {}
    connect_four = Ours(droptable.game("connect-four"))
    contestants["ours compiled"] = lambda s: connect_four.compiled(s) / connect_four.length
    clock = cpu_seconds if arguments.cpu_time else time.perf_counter
    contestants["ours on all cores"] = lambda s: connect_four.compiled_on_all_cores(s, clock)
    contestants["ours vector"] = lambda s: connect_four.vector(s, clock, True)
    contestants["ours blind vector"] = lambda s: connect_four.vector(s, clock, False)
    contestants["ours single"] = connect_four.single
    for number, columns in enumerate(OPENINGS):
        tokens = [f"drop {column + 1}" for column in columns]
        contestants[f"ours search {number}"] = lambda s, plies=tokens: connect_four.search(s, plies)
    for name in peers:
        with missing(name):
            contestants |= PEERS[name][0](arguments, folder)
    return contestants


def openspiel(_arguments, _folder):
    """Connect Four in C++: rollouts, single steps and search."""
    peer = importlib.import_module("with_openspiel").OpenSpiel()
    searches = {
        f"OpenSpiel search {number}": lambda s, plies=columns: peer.search(s, plies)
        for number, columns in enumerate(OPENINGS)
    }
    return {"OpenSpiel rollouts": peer.rollouts, "OpenSpiel single": peer.single} | searches


def pgx(arguments, _folder):
    """Connect Four in JAX, stepped inside compiled code and from Python."""
    flags = ["--cpu-time"] if arguments.cpu_time else []
    peer = importlib.import_module("with_pgx").Pgx(arguments.pgx_python, *flags)
    print(f"Pgx: best batch {peer.batches['inside']} inside compiled code,"
          f" {peer.batches['stepped']} stepped from Python")  # fmt: skip
    return {"Pgx": peer.measure}


def pettingzoo(_arguments, _folder):
    """Its own Connect Four."""
    return {"PettingZoo single": importlib.import_module("with_pettingzoo").PettingZoo().single}


def rlcard(_arguments, _folder):
    """Card games, each beside one of ours that is about as long."""
    module = importlib.import_module("with_rlcard")
    contestants = {}
    for name, players, options, peer in CARDS:
        ours = Ours(droptable.game(name), players, **options)
        theirs = module.RLCard(peer)
        print(f"{ours.game.title}, {players} players: {ours.length:.0f} moves a random match;"
              f" {peer}, {theirs.players} players: {theirs.length:.0f}")  # fmt: skip
        contestants |= {f"ours {name}": ours.single, f"RLCard {peer}": theirs.single}
    return contestants


def boardgame_io(arguments, folder):
    """Connect Four in its headless client."""
    module = importlib.import_module("with_boardgame_io")
    peer = module.BoardgameIo(arguments.modules or module.install(folder))
    return {"boardgame.io single": peer.single}


PEERS = {  # how to measure each, and how to get it
    "OpenSpiel": (openspiel, "pip install open_spiel"),
    "Pgx": (pgx, "pip install jax pgx, or name a --pgx-python that has them"),
    "PettingZoo": (pettingzoo, "pip install 'pettingzoo[classic]'"),
    "RLCard": (rlcard, "pip install rlcard"),
    "boardgame.io": (boardgame_io, "install Node.js with npm"),
}


class missing:  # noqa: N801
    """A peer that cannot be imported is left out, with a word how to get it."""

    def __init__(self, name):
        self._notice = f"skipped {name}: {PEERS[name][1]}"

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None and issubclass(kind, ImportError):
            print(f"{self._notice} ({error})")
            return True
        return False


def measure(contestants, rounds, seconds):
    """The best speed of each, by turns."""
    best = {}
    for number in range(rounds):
        for name, work in contestants.items():
            speed = work(seconds)
            ways = speed if isinstance(speed, dict) else {"": speed}
            for way, value in ways.items():
                key = f"{name} {way}".strip()
                best[key] = max(best.get(key, 0.0), value)
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
    if "Pgx inside" in best:
        best["Pgx best"] = max(best["Pgx inside"], best["Pgx stepped"])
    return best


def main() -> int:
    """Measure, print the ratios, compare with the floors."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cpu-time", action="store_true", help="for a busy machine")
    parser.add_argument(
        "--pgx-python", default=sys.executable, help="a Python that has JAX and Pgx"
    )
    parser.add_argument("--modules", type=Path, help="a folder where boardgame.io is installed")
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    parser.add_argument("--only", default="", metavar="TEXT", help="lines that have it in them")
    arguments = parser.parse_args()
    wanted = [line for line in LINES if arguments.only in f"{line[0]} {line[2]}"]
    if not wanted:
        parser.error(f"no line has {arguments.only!r} in it")
    names = {name for _, *both, _ in wanted for name in both}
    peers = [peer for peer in PEERS if any(name.startswith(peer) for name in names)]
    with tempfile.TemporaryDirectory() as folder:
        contestants = contenders(arguments, peers, folder)
        needed = {name: work for name, work in contestants.items() if name in {*names, "Pgx"}}
        best = measure(needed, arguments.rounds, arguments.seconds)
    lines = [
        {"what": what, "ours": best[ours], "peer": peer, "theirs": best[peer],
         "ratio": best[ours] / best[peer], "floor": floor}
        for what, ours, peer, floor in wanted if peer in best
    ]  # fmt: skip
    print(f"\n| {'':<52} | {'ours':>12} | {'peer':<20} | {'theirs':>12} | {'ratio':>8} | floor |")
    print(f"| {'-' * 52} | {'-' * 11}: | {'-' * 20} | {'-' * 11}: | {'-' * 7}: | ----: |")
    for line in lines:
        floor = "" if line["floor"] is None else f"{line['floor']:.0f}"
        print(f"| {line['what']:<52} | {line['ours']:>12,.0f} | {line['peer']:<20} |"
              f" {line['theirs']:>12,.0f} | {line['ratio']:>8,.1f} | {floor:>5} |")  # fmt: skip
    if arguments.json:
        kept = {
            "cores": CORES,
            "seconds": arguments.seconds,
            "rounds": arguments.rounds,
            "cpu_time": arguments.cpu_time,
        }
        arguments.json.write_text(json.dumps(kept | {"lines": lines}, indent=2) + "\n")
    return int(any(line["floor"] and line["ratio"] < line["floor"] for line in lines))


if __name__ == "__main__":
    sys.exit(main())
