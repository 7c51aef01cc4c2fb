"""SB3-contrib's MaskablePPO on the Gymnasium environment: `python recipes/sb3_maskable_ppo.py`."""

from contest import AGAINST, GYM_ID, PLAYERS, Run
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env


class WhileGoing(BaseCallback):
    """Ends the training when its time is over."""

    def __init__(self, run):
        super().__init__()
        self.run = run

    def _on_step(self):
        return self.run.going()


def main():
    """Train, and measure."""
    run = Run()
    settings = {"players": PLAYERS, "opponents": AGAINST}
    envs = make_vec_env(GYM_ID, n_envs=32, seed=1, env_kwargs=settings)
    run.start()
    learner = MaskablePPO(
        "MlpPolicy", envs, n_steps=64, batch_size=512, n_epochs=4, learning_rate=1e-3,
        gamma=1.0, ent_coef=0.01, policy_kwargs={"net_arch": [128, 128]}, seed=1,
    )  # fmt: skip
    learner.learn(1_000_000_000, callback=WhileGoing(run))

    def policy(observations, masks):
        return learner.predict(observations, action_masks=masks, deterministic=True)[0]

    run.report("MaskablePPO", policy)


if __name__ == "__main__":
    main()
