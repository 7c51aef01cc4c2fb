"""What bots know of Drop. beyond its rules."""

from droptable.core.heuristics import Heuristics, LevelShares, SearchSettings
from droptable.games.drop.bot.evaluation import evaluate, prior
from droptable.games.drop.bot.heuristics import heuristic

HEURISTICS = Heuristics(
    heuristic=heuristic,
    prior=prior,
    evaluate=evaluate,
    levels=LevelShares(beginner=0.72, easy=0.4, hard=0.8, steady=160),
    search=SearchSettings(
        exploration=0.05,
        widening=2.0,  # 61 moves are too many to try them all
        rollout_limit=0,  # a value learned from self-play says more than a rollout
        max_nodes=1 << 20,
    ),
)
