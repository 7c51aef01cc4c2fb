"""What things on a sheet are worth: see `worth` for the order.

The numbers, in thousandths, lie in `weights.npy` beside this file. `benchmarks/tune_number_drop.py`
learns on from them and writes them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

WEIGHTS = np.load(Path(__file__).with_suffix(".npy")).astype(np.float64) / 1000.0
