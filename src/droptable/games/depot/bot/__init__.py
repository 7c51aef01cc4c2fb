"""What bots know of Depot beyond its rules."""

from droptable.core.heuristics import Heuristics, LevelShares, SearchSettings
from droptable.games.depot.bot.beliefs import resample_belief
from droptable.games.depot.bot.heuristics import cutoff, evaluate, heuristic, rollout_move
from droptable.games.depot.bot.value_net import leaf_value, prior

HEURISTICS = Heuristics(
    heuristic=heuristic,
    prior=prior,
    leaf_value=leaf_value,
    rollout_move=rollout_move,
    resample_belief=resample_belief,
    cutoff=cutoff,
    evaluate=evaluate,
    levels=LevelShares(beginner=0.68, easy=0.39, steady=160),
    search=SearchSettings(
        opponent_rollouts=1.0,  # hands are too secret for a tree to think for the others
        widening=0.5,  # what looks worst is seldom worth a try
        rollout_limit=300,  # a game takes about ten moves per seat
        lookahead=2,  # what comes then is better judged by the net than simulated
        burn_in=40,  # likely hands take some steps to find
    ),
)
