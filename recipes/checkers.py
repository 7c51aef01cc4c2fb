"""TorchRL's and SB3's own checkers, over all games and player counts."""

import warnings

import gymnasium
from stable_baselines3.common.env_checker import check_env
from torchrl.envs import PettingZooWrapper
from torchrl.envs.utils import check_env_specs

import droptable
from droptable.envs.gym import env_name
from droptable.envs.pettingzoo import env, parallel_env


def main():
    """Raise the first complaint."""
    warnings.simplefilter("ignore")  # SB3 would rather have actions without a mask
    for game in droptable.games():
        for players in game.players:
            check_env(gymnasium.make(env_name(game), players=players, illegal="replace").unwrapped)
            check_env_specs(PettingZooWrapper(parallel_env(game, players)))
            check_env_specs(PettingZooWrapper(env(game, players), use_mask=True))
            print(f"{game.name} with {players}: SB3 and TorchRL have no complaint", flush=True)


if __name__ == "__main__":
    main()
