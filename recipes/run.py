"""Run all recipes, one after another: `make recipes` in small, `python recipes/run.py` in full.

What needs a library that is not installed is skipped, and a line beginning with `SKIPPED` says so;
any other failure counts.
"""

import importlib.util
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
NEEDS = {  # what each script imports beside PyTorch and droptable
    "checkers": ("stable_baselines3", "torchrl"),
    "sb3_maskable_ppo": ("sb3_contrib",),
    "cleanrl_ppo": (),
    "torchrl_ppo": ("torchrl", "pettingzoo"),
    "rllib_ppo": ("ray.rllib",),
    "openspiel_dqn": ("open_spiel",),
    "tianshou_dqn": ("tianshou",),
    "textarena_adapter": ("textarena",),
    "openenv_adapter": ("openenv",),
}


def missing(name):
    """The first of a script's libraries that is not installed."""
    wanted = ("torch", "gymnasium", *NEEDS[name])
    return next((library for library in wanted if not there(library)), None)


def there(library):
    """Whether a library can be imported; it is not."""
    try:
        return importlib.util.find_spec(library) is not None
    except ModuleNotFoundError:
        return False


def main(options):
    """Run them; exit 1 if one failed."""
    failed = []
    for name in NEEDS:
        if library := missing(name):
            print(f"SKIPPED: {name} needs {library}, which is not installed", flush=True)
            continue
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-W", "ignore", f"{HERE / name}.py", *options],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            failed.append(name)
            print(done.stderr, file=sys.stderr)
        said = (done.stdout.strip().splitlines() or ["nothing"])[-1]
        print(f"{name} ({time.perf_counter() - start:.0f} s): {said}", flush=True)
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
