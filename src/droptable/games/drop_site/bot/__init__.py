"""What bots know of Drop Site beyond its rules."""

from droptable.core.heuristics import Heuristics, LevelShares, SearchSettings
from droptable.games.drop_site.bot.heuristics import cutoff, evaluate, heuristic, resample_belief

HEURISTICS = Heuristics(
    heuristic=heuristic,
    resample_belief=resample_belief,
    cutoff=cutoff,
    evaluate=evaluate,
    levels=LevelShares(beginner=0.32, easy=0.16),
    search=SearchSettings(
        exploration=0.2,
        opponent_rollouts=1.0,  # hands and reserves are too secret for a tree to think for others
        rollout_noise=0.02,
        rollout_limit=12,  # from there on, what reserves promise says as much as further play
    ),
)
