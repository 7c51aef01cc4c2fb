"""Pgx's Connect Four on the CPU, in a process (and, if need be, an environment) of its own.

As a script it tries batch sizes, then for every line on its input, a number of seconds, prints what
it measured as a line of JSON. With `--cpu-time` it counts the time of all cores together.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

BATCHES = (64, 256, 1024, 4096, 16384)
STEPS = 64  # in one call of compiled code


class Pgx:
    """The script below, as a peer."""

    def __init__(self, python, *flags):
        self._process = subprocess.Popen(
            [python, str(Path(__file__)), *flags],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        first = self._process.stdout.readline()
        if not first:
            raise ImportError(self._process.stderr.read().strip().rpartition("\n")[2])
        self.batches = json.loads(first)

    def measure(self, seconds):
        """Steps per second: inside compiled code, and called from Python for every step."""
        print(seconds, file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def close(self):
        """End its process."""
        self._process.stdin.close()
        self._process.wait()


def main():
    """Find the best batch sizes, then measure when asked."""
    ways = {"inside": inside, "stepped": stepped}
    best = {}
    for name, make in ways.items():
        speeds = {}
        for batch in BATCHES:
            work = make(batch)
            work()  # compiles
            speeds[batch] = max(speed(work, 0.3) for _ in range(2))
        best[name] = max(speeds, key=speeds.get)
    print(json.dumps(best), flush=True)
    works = {name: make(best[name]) for name, make in ways.items()}
    for work in works.values():
        work()
    for line in sys.stdin:
        print(json.dumps({n: speed(w, float(line)) for n, w in works.items()}), flush=True)


def clock():
    """Seconds on the wall, or of all cores together."""
    if "--cpu-time" in sys.argv:
        return time.process_time() / (os.cpu_count() or 1)
    return time.perf_counter()


def speed(work, seconds):
    """Steps per second."""
    done, start = 0, clock()
    while (now := clock()) - start < seconds:
        done += work()
    return done / (now - start)


def player(batch):
    """The start of a batch and a step with random legal actions that starts ended matches anew.

    The fastest way we know: one random number per match, from JAX's fastest generator, and one
    set of fresh matches for all resets (Pgx's own `auto_reset` makes new ones at every step).
    """
    import jax
    import pgx
    from jax import numpy as jnp

    jax.config.update("jax_default_prng_impl", "unsafe_rbg")
    env = pgx.make("connect_four")
    fresh = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), batch))
    step = jax.vmap(env.step)

    def go(state, key):
        key, chooser = jax.random.split(key)
        counts = jnp.cumsum(state.legal_action_mask, axis=1)
        chosen = jnp.floor(jax.random.uniform(chooser, (batch,)) * counts[:, -1])
        state = step(state, (counts > chosen[:, None]).argmax(axis=1))
        done = state.terminated | state.truncated

        def start_anew(now, new):
            return jnp.where(done.reshape((batch,) + (1,) * (now.ndim - 1)), new, now)

        return jax.tree_util.tree_map(start_anew, state, fresh), key

    return fresh, go


def inside(batch):
    """Many steps in one call: nothing leaves compiled code."""
    import jax

    fresh, go = player(batch)

    @jax.jit
    def many(state, key):
        return jax.lax.fori_loop(0, STEPS, lambda _, both: go(*both), (state, key))

    return _work(many, fresh, STEPS * batch)


def stepped(batch):
    """One call for every step; actions are chosen in compiled code."""
    import jax

    fresh, go = player(batch)
    return _work(jax.jit(go), fresh, batch)


def _work(call, fresh, steps):
    import jax

    held = [fresh, jax.random.PRNGKey(2)]

    def work():
        held[:] = call(*held)
        jax.block_until_ready(held)
        return steps

    return work


if __name__ == "__main__":
    main()
