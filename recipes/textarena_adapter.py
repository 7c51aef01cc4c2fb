"""All games in TextArena, by players that answer with the first legal move that they are told."""

import textarena
import textarena_match  # noqa: F401 (registers the games)

import droptable


def main():
    """Play one match of each game through TextArena's own functions."""
    played = []
    for game in droptable.games():
        name = "".join(part.capitalize() for part in game.name.split("-"))
        env = textarena.make(f"droptable/{name}-v{game.version - 1}")
        env.reset(num_players=game.players[-1], seed=1)
        done, refused = False, 0
        while not done:
            player, observation = env.get_observation()
            listed = observation.rpartition("Your legal moves\n- ")[2].partition(":")[0]
            done, info = env.step(f"<answer>{listed}</answer>" if player else "I do not know.")
            refused += bool(info)
        rewards, about = env.close()
        assert abs(sum(rewards.values())) < 1e-5
        assert refused == about[0]["refused"] > 0 and not about[1]["invalid_move"]
        played.append(f"{game.name} {refused} answers refused")
    print(", ".join(played))


if __name__ == "__main__":
    main()
