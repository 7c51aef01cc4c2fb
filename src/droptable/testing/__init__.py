"""The contract suite: what must hold for every game, at every player count and option.

`check_game(GAME)` compiles every kernel with bounds checks, compares it with plain Python, plays
random matches and looks at them from all sides. An `AssertionError` names what does not hold and
the match (game, players, options, seed) where.
"""

from droptable.testing.contract import check_game, check_match, check_state, check_tensor
from droptable.testing.kernels import check_kernels
from droptable.testing.matches import random_match, variants
from droptable.testing.pictures import check_scene, check_scenes, check_sheet

__all__ = [
    "check_game",
    "check_kernels",
    "check_match",
    "check_scene",
    "check_scenes",
    "check_sheet",
    "check_state",
    "check_tensor",
    "random_match",
    "variants",
]
