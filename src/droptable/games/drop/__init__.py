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
    options={
        "size": Number(6, 5, 9, "cells on a side of the board"),
        "pieces": Number(32, 8, 60, "stones that each seat places"),
        "opening": Choice(
            "dud", ("dud", "ring"), "the dud alone, or with six stones round it, black and white"
        ),
        "squeeze": Choice(
            "any", ("any", "enemy"), "whether four of a stone's own colour squeeze it too"
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
