"""`search` against OpenSpiel's searches, the same seconds per move on one core each.

`python benchmarks/peers/matches.py` plays Connect Four against `MCTSBot` (C++, with its solver) and
one round of Drop Site, through `droptable.envs.openspiel`, against `ISMCTSBot` (Python: OpenSpiel's
C++ one takes no games from Python). Seats change after every match; in Drop Site two matches share
their deals. Needs `pip install open_spiel`. Exits 1 unless the lower end of the 95 % interval of
our share of the victories is above one half.
"""

import argparse
import json
import os
import random
import sys
import time
from pathlib import Path

os.environ.setdefault("DROPTABLE_COMPILE", "now")
os.environ.setdefault(
    "DROPTABLE_GAMES", str(Path(__file__).resolve().parents[2] / "examples" / "connect_four.py")
)

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import droptable
import droptable.envs.openspiel
from droptable.bots.precompile import prepare
from droptable.bots.search import search
from droptable.lab.statistics import wilson

EXPLORATION = 1.4  # of OpenSpiel's bots, whose values are from -1 to 1
NO_LIMIT = 1 << 30


def ours(state, seconds, seed):
    """The token that `search` chooses."""
    view = state.view(state.to_act[0])
    if len(view.legal) == 1:
        return view.legal[0]
    return search(view, seconds=seconds, cores=1, seed=seed).best.token


class TimedISMCTSBot(ismcts.ISMCTSBot):
    """OpenSpiel's bot, stopped by the clock instead of a count of simulations."""

    def search_for(self, state, seconds):
        """The most visited action, and how many simulations there was time for."""
        deadline = time.monotonic() + seconds
        self.reset()
        root = self._root_node = self.create_new_node(state)
        done = 0
        while time.monotonic() < deadline or not done:
            self.run_simulation(self.sample_root_state(state))
            done += 1
        return max(root.child_info, key=lambda action: root.child_info[action].visits), done


class ConnectFour:
    """Against `MCTSBot` in C++, on OpenSpiel's own Connect Four."""

    name = "Connect Four, MCTSBot"

    def __init__(self, seconds):
        self.game = droptable.game("connect-four")
        self._theirs = pyspiel.load_game("connect_four")
        self._seconds = seconds

    def start(self):
        """Both sides' first state."""
        return self.game.start(2), self._theirs.new_initial_state()

    def peer(self, state, seed):
        """The action that the peer chooses."""
        bot = pyspiel.MCTSBot(
            self._theirs, pyspiel.RandomRolloutEvaluator(1, seed), EXPLORATION, NO_LIMIT, 2000,
            True, seed, False, pyspiel.ChildSelectionPolicy.UCT, self._seconds,
        )  # fmt: skip
        root = bot.mcts_search(state)
        return root.best_child().action, root.explore_count


class DropSite:
    """Against `ISMCTSBot`, on our Drop Site through the adapter."""

    name = "Drop Site, ISMCTSBot"

    def __init__(self, seconds):
        self.game = droptable.game("drop-site")
        self._theirs = pyspiel.load_game("python_drop_site(players=2,round_limit=1)")
        self._seconds = seconds

    def start(self):
        """Both sides' first state."""
        return self.game.start(2, round_limit=1), self._theirs.new_initial_state()

    def peer(self, state, seed):
        """The action that the peer chooses."""
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0], 0
        numbers = np.random.RandomState(seed)
        rolled = mcts.RandomRolloutEvaluator(1, numbers)
        bot = TimedISMCTSBot(
            self._theirs, rolled, EXPLORATION, NO_LIMIT, random_state=numbers,
        )  # fmt: skip
        return bot.search_for(state, self._seconds)


def play(table, number, seconds, counts):
    """Our share of one match's victory."""
    state, theirs = table.start()
    dealer = random.Random(number // 2)
    our_seat = number % 2
    while not state.over:
        actor = state.to_act[0]
        seed = 1000 * number + len(state.events)
        if actor < 0:
            token = state.deal(dealer)
            theirs.apply_action(theirs.string_to_action(token))
            continue
        if actor == our_seat:
            token = ours(state, seconds, seed)
            action = state.game.vocabulary(state.options).action_ids[token]
        else:
            action, simulations = table.peer(theirs, seed)
            token = state.game.vocabulary(state.options).actions[action]
            counts.append(simulations)
        state.apply(actor, token)
        theirs.apply_action(action)
    assert theirs.is_terminal()
    return (our_seat in state.winners) / len(state.winners)


def main() -> int:
    """Play, print, compare."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.1, help="a move, for both")
    parser.add_argument("--only", choices=["connect-four", "drop-site"])
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    arguments = parser.parse_args()
    lines = []
    for kind in (ConnectFour, DropSite):
        table = kind(arguments.seconds)
        if arguments.only not in (None, table.game.name):
            continue
        prepare(table.game)
        counts, won = [], 0.0
        for number in range(arguments.matches):
            won += play(table, number, arguments.seconds, counts)
            if sys.stderr.isatty():
                print(f"{number + 1} matches, {won:g} won", end="\r", file=sys.stderr)
        low, high = wilson(won, arguments.matches)
        lines.append({"table": table.name, "matches": arguments.matches, "won": won, "low": low,
                      "high": high, "seconds": arguments.seconds,
                      "peer_simulations": sum(counts) / len(counts)})  # fmt: skip
        print(f"{table.name}: search won {won:g} of {arguments.matches} ({low:.0%} to {high:.0%}),"
              f" {arguments.seconds:g} s a move, {lines[-1]['peer_simulations']:,.0f} simulations"
              " a move of the peer", flush=True)  # fmt: skip
    if arguments.json:
        arguments.json.write_text(json.dumps(lines, indent=2) + "\n")
    return int(any(line["low"] <= 0.5 for line in lines))


if __name__ == "__main__":
    sys.exit(main())
