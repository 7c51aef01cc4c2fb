"""All games in OpenEnv, over its own server and client, by a player of first legal moves."""

import socket
import threading
import time

import uvicorn
from openenv.core import GenericEnvClient
from openenv_match import app

import droptable


def play(env, **settings):
    """One match; the learner's reward, and how many of its answers were refused."""
    refused, answers = 0, 0
    now = env.reset(**settings)
    while not now.done:
        told = now.observation["messages"][-1]["content"]
        listed = told.rpartition("Your legal moves\n- ")[2].partition(":")[0]
        now = env.step({"text": f"<answer>{listed}</answer>" if answers % 7 else "I do not know."})
        refused += bool(now.observation["problem"])
        answers += 1
    assert refused == (answers + 6) // 7
    return now.reward, refused


def main():
    """Play one match of each game through OpenEnv's own client."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    played = []
    with GenericEnvClient(base_url=f"http://127.0.0.1:{port}").sync() as env:
        for game in droptable.games():
            settings = {"game": game.name, "players": game.players[-1], "opponents": "random"}
            reward, refused = play(env, seed=1, **settings)
            assert game.players[0] == 1 or -1 <= reward <= 1
            played.append(f"{game.name} {reward:.2f} ({refused} answers refused)")
    server.should_exit = True
    print(", ".join(played))


if __name__ == "__main__":
    main()
