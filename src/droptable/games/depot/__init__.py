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
    minutes=15,
    options={
        "games": Choice(
            1,
            (1, 3),
            "In three games, the fewest lost points win.",
            title="Length of the match",
            labels=("One game", "Three games"),
        ),
        "all_cards": Flag(
            False,
            "Cards taken as lost points go back into the deck for the next game.",
            title="Play every game with all cards",
        ),
        "turn_limit": Number(
            1000,
            100,
            10000,
            "A game ends after this many turns of all players together.",
            title="Turn limit",
            advanced=True,
        ),
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
