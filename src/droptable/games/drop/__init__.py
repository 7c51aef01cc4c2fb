"""Drop., for 2 players."""

from pathlib import Path

from droptable.core.game import Game
from droptable.core.options import Choice, Number
from droptable.games.drop import encoder, rules, words
from droptable.games.drop.bot import instinct
from droptable.games.drop.picture import scene
from droptable.games.drop.words import lessons

FOLDER = Path(__file__).parent

GAME = Game(
    "drop",
    title="Drop.",
    summary="Place pieces, push lines outward, squeeze pieces out, keep the largest clump.",
    players=(2,),
    options={
        "size": Number(6, 5, 9, "cells on a side of the board"),
        "pieces": Number(32, 8, 60, "pieces that each seat places"),
        "opening": Choice(
            "dud", ("dud", "ring"), "the dud alone, or with six pieces round it, black and white"
        ),
        "squeeze": Choice(
            "any", ("any", "enemy"), "whether four of a piece's own colour squeeze it too"
        ),
    },
    rules=rules,
    words=words,
    instinct=instinct,
    tensor=encoder,
    scene=scene,
    lessons=lessons,
    text=FOLDER / "words" / "rules.md",
    showcase=FOLDER / "showcase.json",
    locale=FOLDER / "words",
)
