"""Tests run with compiled rules, or with `NUMBA_DISABLE_JIT=1` the same rules as plain Python."""

import os

os.environ.setdefault("DROPTABLE_COMPILE", "now")
