"""What bots know of Drop. beyond its rules."""

from droptable.core.heuristics import Heuristics, SearchSettings
from droptable.games.drop.bot.heuristics import heuristic, rollout_move

HEURISTICS = Heuristics(
    heuristic=heuristic,
    rollout_move=rollout_move,
    search=SearchSettings(
        exploration=0.35,
        widening=2.0,  # 61 moves are too many to try them all
        max_nodes=1 << 20,
    ),
)
