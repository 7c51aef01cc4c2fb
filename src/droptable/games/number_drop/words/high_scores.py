"""The scores printed on the solo sheet of Number Drop, best first (ND18)."""

from __future__ import annotations

HIGH_SCORES = (
    ("CHE", 99),
    ("FLO", 92),
    ("MUM", 75),
    ("DAD", 61),
    ("LU6", 55),
    ("BRO", 46),
    ("NOO", 34),
    ("GUI", 27),
    ("BEN", 13),
)


def solo_rank(score: int) -> int:
    """Where a solo score would stand among the printed nine, from 1; 10 is not listed (ND18)."""
    return 1 + sum(score <= printed for _name, printed in HIGH_SCORES)
