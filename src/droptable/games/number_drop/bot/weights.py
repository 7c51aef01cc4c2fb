"""The weights of the networks in `worth`, from `weights.npy` beside this file.

`benchmarks/tune_number_drop.py` goes on training from them and writes them.
"""

from __future__ import annotations

from pathlib import Path

from droptable.core.net import read_weights
from droptable.games.number_drop.bot.worth import COUNT

PATH = Path(__file__).with_suffix(".npy")
WEIGHTS = read_weights(PATH, COUNT)
