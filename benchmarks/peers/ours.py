"""Our side of the comparison: every way to play random matches fast, and search."""

import random
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from droptable.bots.precompile import prepare
from droptable.bots.search import search
from droptable.core.chance import generators
from droptable.core.contract import MOST_SEATS
from droptable.core.cpu import usable_cores
from droptable.core.options import resolve
from droptable.envs.vector import VectorEnv
from droptable.lab.simulate import Simulation

CORES = usable_cores()
SIMULATIONS = 5000  # of one search, ours and theirs: a larger tree takes longer to walk
MATCHES = 65_536  # of a vector environment, as many as served best


def rate(work, seconds, clock=time.process_time):
    """Counts per second of this process's time: `work` is called over and over, returns a count."""
    done, start = 0, clock()
    while (now := clock()) - start < seconds:
        done += work()
    return done / (now - start)


def cpu_seconds():
    """Seconds of all cores together, whatever else the machine does."""
    return time.process_time() / CORES


class Ours:
    """One game of ours, warmed up."""

    def __init__(self, game, players=None, **options):
        prepare(game)
        self.game = game
        self.players = game.check_players(players)
        self.values = resolve(game.name, game.options, options)
        self._simulations = [
            Simulation(game, self.players, self.values, seed) for seed in range(CORES)
        ]
        self._vectors = {}  # by whether they observe
        matches = 2000
        moves = sum(s.play(matches) for s in self._simulations)
        self.length = moves / matches / CORES  # moves of a random match
        self._chunk = max(1, int(200_000 / self.length))

    def compiled(self, seconds):
        """Moves per second inside compiled code, on one core."""
        return rate(lambda: self._simulations[0].play(self._chunk), seconds)

    def compiled_on_all_cores(self, seconds, clock):
        """Moves per second inside compiled code, one thread per core."""
        if clock is cpu_seconds:
            clock = time.thread_time
        with ThreadPoolExecutor(CORES) as pool:
            jobs = [
                pool.submit(rate, lambda s=s: s.play(self._chunk), seconds, clock)
                for s in self._simulations
            ]
            return sum(job.result() for job in jobs)

    def vector(self, seconds, clock, observe):
        """Steps per second of a batch that is stepped from Python, with masks."""
        if observe not in self._vectors:
            self._vectors[observe] = VectorEnv(
                self.game, MATCHES, self.players, seed=1, observe=observe, **self.values
            )
        batch = self._vectors[observe]

        def work():
            for _ in range(10):
                batch.step(batch.sample_actions())
            return 10 * MATCHES

        return rate(work, seconds, clock)

    def single(self, seconds):
        """Moves per second, one at a time by integer ids, chosen in Python."""
        template = self.game.template(self.players, self.values)
        states = np.repeat(template, 1)
        ids, weights = self.game.vocabulary(self.values).room()
        dealer = generators(1, 1)
        engine = self.game.at_full_speed
        step, chance = engine.step, random.Random(1).random

        def work():
            states[0] = template[0]
            count = engine.next_decision(states, 0, dealer, ids, weights) & 0xFFFF
            made = 0
            while count:
                action = ids.item(int(chance() * count))
                count = step(states, 0, action, dealer, ids, weights) & 0xFFFF
                made += 1
            engine.result_at(states, 0, np.zeros(MOST_SEATS, np.int32))
            return made

        work()
        return rate(work, seconds)

    def search(self, seconds, plies):
        """Simulations per second of search on one core, after some moves."""
        state = self.game.start(self.players, **self.values)
        for token in plies:
            state.apply(state.to_act[0], token)
        view = state.view(state.to_act[0])

        def work():
            return search(view, iterations=SIMULATIONS, cores=1, seed=1).iterations

        return rate(work, seconds)
