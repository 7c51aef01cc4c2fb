"""Depot, for 3 to 5 players."""

from pathlib import Path

from droptable.core.game import Game
from droptable.core.options import Choice, Flag, Number
from droptable.games.depot.bot import HEURISTICS
from droptable.games.depot.encoder import ENCODER
from droptable.games.depot.picture.scene import SCENE
from droptable.games.depot.rules import RULES
from droptable.games.depot.words import WORDS
from droptable.games.depot.words.lessons import LESSONS

FOLDER = Path(__file__).parent

GAME = Game(
    "depot",
    title="Depot",
    summary="Play sets and runs as large as the Storage allows, and be the first without cards.",
    players=(3, 4, 5),
    options={
        "games": Choice(1, (1, 3), "games in a match; with three, the fewest lost points win"),
        "all_cards": Flag(False, "cards taken as lost points go back into the deck"),
        "turn_limit": Number(1000, 100, 10000, "turns of all seats until a game ends"),
    },
    rules=RULES,
    words=WORDS,
    bot=HEURISTICS,
    encoder=ENCODER,
    scene=SCENE,
    lessons=LESSONS,
    text=FOLDER / "words" / "rules.md",
    showcase=FOLDER / "showcase.json",
    locale=FOLDER / "words",
)
