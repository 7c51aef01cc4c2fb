"""OpenSpiel's own Connect Four: from Python, by its C++ rollouts, and by its C++ `MCTSBot`."""

import random

import pyspiel
from ours import SIMULATIONS, rate

ROLLOUTS = 1000


class OpenSpiel:
    """Connect Four in C++."""

    def __init__(self):
        self._game = pyspiel.load_game("connect_four")

    def _bot(self, simulations, rollouts):
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
        return pyspiel.MCTSBot(self._game, evaluator, 1.4, simulations, 1000, False, 1, False)

    def single(self, seconds):
        """Moves per second from Python, chosen in Python."""
        chance = random.Random(1).random
        game = self._game

        def work():
            state = game.new_initial_state()
            made = 0
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(chance() * len(actions))])
                made += 1
            state.returns()
            return made

        return rate(work, seconds)

    def rollouts(self, seconds):
        """Whole random matches per second in C++: a search of one node, with many rollouts."""
        state = self._game.new_initial_state()
        bot = self._bot(1, ROLLOUTS)

        def work():
            bot.step(state)
            return ROLLOUTS

        return rate(work, seconds)

    def search(self, seconds, plies):
        """Simulations per second of `MCTSBot` in C++, one rollout each, after some moves."""
        state = self._game.new_initial_state()
        for column in plies:
            state.apply_action(column)

        def work():
            self._bot(SIMULATIONS, 1).step(state)
            return SIMULATIONS

        return rate(work, seconds)
