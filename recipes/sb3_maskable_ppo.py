"""SB3-contrib's MaskablePPO on the Gymnasium environment: `python recipes/sb3_maskable_ppo.py`."""

from contest import AGAINST, GYM_ID, PLAYERS, arguments, now, report
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env


def main():
    """Train, and measure."""
    small = arguments().small
    settings = {"players": PLAYERS, "opponents": AGAINST}
    envs = make_vec_env(GYM_ID, n_envs=32, seed=1, env_kwargs=settings)
    started = now()
    learner = MaskablePPO(
        "MlpPolicy", envs, n_steps=64, batch_size=512, n_epochs=4, learning_rate=1e-3,
        gamma=1.0, ent_coef=0.01, policy_kwargs={"net_arch": [128, 128]}, seed=1,
    )  # fmt: skip
    learner.learn(4_096 if small else 1_000_000)

    def policy(observations, masks):
        return learner.predict(observations, action_masks=masks, deterministic=True)[0]

    report("MaskablePPO", policy, started, small)


if __name__ == "__main__":
    main()
