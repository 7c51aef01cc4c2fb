"""What bots know of Drop or Pop! beyond its rules."""

from droptable.core.heuristics import Heuristics, LevelShares, SearchSettings
from droptable.games.drop_or_pop.bot.heuristics import heuristic

HEURISTICS = Heuristics(
    heuristic=heuristic,
    levels=LevelShares(beginner=0.92, easy=0.5, hard=0.3, steady=640),
    search=SearchSettings(
        opponent_rollouts=1.0,  # with a random colour per turn, the tree would grow too wide
        rollout_noise=0.3,
    ),
)
