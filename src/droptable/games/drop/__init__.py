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
    summary="Place pieces, push lines outward, squeeze pieces out, keep the largest clump.",
    players=(2,),
    minutes=15,
    options={
        "size": Number(6, 5, 9, "Cells on each side of the board.", title="Board size"),
        "pieces": Number(
            32, 8, 60, "How many pieces each player places in a match.", title="Pieces"
        ),
        "opening": Choice(
            "dud",
            ("dud", "ring"),
            "With a ring of three black and three white pieces, the fight begins at once.",
            title="The board at the start",
            labels=("Only the dud", "The dud in a ring of six pieces"),
        ),
        "squeeze": Choice(
            "any",
            ("any", "enemy"),
            "Whether a piece is also squeezed out by four of its own colour.",
            title="What squeezes a piece out",
            labels=("Any four pieces", "Four of the opponent's"),
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
