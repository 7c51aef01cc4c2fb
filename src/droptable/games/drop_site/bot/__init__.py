"""What bots know of Drop Site beyond its rules."""

from droptable.core.heuristics import Heuristics, LevelShares, SearchSettings
from droptable.games.drop_site.bot.beliefs import resample_belief
from droptable.games.drop_site.bot.heuristics import cutoff, evaluate, heuristic
from droptable.games.drop_site.bot.value_net import leaf_value, prior, rollout_move

HEURISTICS = Heuristics(
    heuristic=heuristic,
    prior=prior,
    leaf_value=leaf_value,
    rollout_move=rollout_move,
    resample_belief=resample_belief,
    cutoff=cutoff,
    evaluate=evaluate,
    levels=LevelShares(beginner=0.32, easy=0.16),
    search=SearchSettings(
        exploration=0.1,
        opponent_rollouts=1.0,  # hands and reserves are too secret for a tree to think for others
        lookahead=1,
    ),
)
