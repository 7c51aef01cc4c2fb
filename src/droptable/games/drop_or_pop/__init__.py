"""Drop or Pop!, for 3 or 4 players."""

from pathlib import Path

from droptable.core.game import Game
from droptable.core.options import Number
from droptable.games.drop_or_pop.bot import HEURISTICS
from droptable.games.drop_or_pop.encoder import ENCODER
from droptable.games.drop_or_pop.picture.scene import SCENE
from droptable.games.drop_or_pop.rules import RULES
from droptable.games.drop_or_pop.words import WORDS
from droptable.games.drop_or_pop.words.lessons import LESSONS

FOLDER = Path(__file__).parent

GAME = Game(
    "drop-or-pop",
    title="Drop or Pop!",
    summary="Drop your counters into tubes, pop what lies at the bottom, join four.",
    players=(3, 4),
    minutes=10,
    options={
        "turn_limit": Number(
            500,
            50,
            5000,
            "The match is a draw after this many turns of all players together.",
            title="Turn limit",
            advanced=True,
        )
    },
    rules=RULES,
    words=WORDS,
    bot=HEURISTICS,
    encoder=ENCODER,
    scene=SCENE,
    lessons=LESSONS,
    teams=True,
    text=FOLDER / "words" / "rules.md",
    showcase=FOLDER / "showcase.json",
    locale=FOLDER / "words",
)
