"""A match in text: a player that knows nothing but its prompts plays random moves, in prose.

`python examples/text_player.py drop-site` shows the last prompt and the answers. To let a language
model play, put a call of it in place of `random_player`: a text comes in, a text goes out.
"""

import random
import re
import sys

from droptable.core.errors import DroptableError
from droptable.envs.text import TextMatch

PROSE = ("I play {}.", "After some thought:\n\nmove: {}", '{{"move": "{}"}}', "**Move:** `{}`")


def random_player(prompt: str, chance: random.Random) -> str:
    """Pick one of the moves that a prompt lists, and say so in one way or another."""
    listed = prompt.partition("Your legal moves\n")[2].partition("\n\n")[0]
    moves = re.findall(r"^- (.+?): ", listed, re.MULTILINE)
    return chance.choice(PROSE).format(chance.choice(moves))


def play(game: str, seed: int = 0, players: int | None = None) -> TextMatch:
    """One match; an answer that is refused is asked for again, with the reason in the prompt."""
    match, chance = TextMatch(game, players, seed=seed), random.Random(seed)
    while not match.over:
        seat = match.to_act[0]
        prompt = match.prompt(seat)
        answer = random_player(prompt, chance)
        try:
            print(f"seat {seat} says {answer!r}: {match.answer(seat, answer)}")
        except DroptableError as error:
            print(f"seat {seat} says {answer!r}, which is refused: {error}")
    print(f"\n{match.prompt(0)}\n\nScores: {match.scores}")
    return match


if __name__ == "__main__":
    play(*sys.argv[1:2] or ["drop-site"])
