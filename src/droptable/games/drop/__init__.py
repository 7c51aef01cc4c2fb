"""Drop., for 2 players."""

from pathlib import Path

from droptable.core.game import Game
from droptable.core.options import Choice, Number
from droptable.games.drop.bot import HEURISTICS
from droptable.games.drop.encoder import ENCODER
from droptable.games.drop.picture.scene import SCENE
from droptable.games.drop.rules import RULES
from droptable.games.drop.words import WORDS
from droptable.games.drop.words.lessons import LESSONS

FOLDER = Path(__file__).parent

GAME = Game(
    "drop",
    title="Drop.",
    summary="Place stones, push lines outward, squeeze stones out, keep the largest group.",
    players=(2,),
    minutes=15,
    options={
        "size": Number(6, 5, 9, "Cells on each side of the board.", title="Board size"),
        "pieces": Number(
            32, 8, 60, "How many stones each player places in a match.", title="Stones"
        ),
        "opening": Choice(
            "dud",
            ("dud", "ring"),
            "With a ring of three black and three white stones, the fight begins at once.",
            title="The board at the start",
            labels=("Only the dud", "The dud in a ring of six stones"),
        ),
        "squeeze": Choice(
            "any",
            ("any", "enemy"),
            "Whether a stone is also squeezed out by four of its own colour.",
            title="What squeezes a stone out",
            labels=("Any four stones", "Four of the opponent's"),
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
