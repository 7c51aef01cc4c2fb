"""One side of benchmarks/versus.py: bots of any revision of Droptable, asked by lines of JSON.

It runs in the environment of its revision, so it uses only what version 0.1 had already. A match is
told as it is everywhere: as a list of (actor, token). The state that it is folded into stays here;
bots get views.

    {"game": "drop", "players": 2, "options": {}, "bots": {"1": "greedy"}, "seed": 7, "cpu": true}
    {"seat": 1, "events": [[0, "1,-2"]]}      what has happened since the last question
"""

import json
import sys
import time

import droptable
from droptable.bots import make_bot

try:
    from droptable.bots.precompile import prepare
except ImportError:  # its name in 0.1
    from droptable.bots.ready import prepare


def main() -> None:
    """Answer each line with one line until there are no more."""
    wall_clock = time.monotonic
    state, bots = None, {}
    for line in sys.stdin:
        question = json.loads(line)
        if "game" in question:
            time.monotonic = wall_clock
            game = droptable.game(question["game"])
            prepare(game)
            state = game.start(question["players"], **question["options"])
            bots = {
                int(seat): make_bot(name, question["seed"] + int(seat), cores=1)
                for seat, name in question["bots"].items()
            }
            if question["cpu"]:  # searches look at this clock: others' work must not count
                time.monotonic = time.thread_time
            answer = {"ready": True}
        else:
            for actor, token in question["events"]:
                state.apply(actor, token)
            seat = question["seat"]
            before = time.thread_time()
            token = bots[seat].choose(state.view(seat))
            answer = {"token": token, "seconds": time.thread_time() - before}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
