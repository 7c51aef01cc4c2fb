"""Drop Site, for 2 to 4 players."""

from pathlib import Path

from droptable.core.game import Game
from droptable.core.options import Number, NumberList
from droptable.games.drop_site.bot import HEURISTICS
from droptable.games.drop_site.encoder import ENCODER
from droptable.games.drop_site.picture.scene import SCENE
from droptable.games.drop_site.rules import RULES
from droptable.games.drop_site.words import WORDS
from droptable.games.drop_site.words.lessons import LESSONS

FOLDER = Path(__file__).parent

GAME = Game(
    "drop-site",
    title="Drop Site",
    summary="Build sites of falling numbers and hide the cards that will match them at the end.",
    players=(2, 3, 4),
    minutes=20,
    options={
        "target": Number(
            100, 10, 500, "A player who reaches them ends the match.", title="Points to play to"
        ),
        "points": NumberList(
            (3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7),
            1,
            50,
            "What the cards 0 to 12 score when they match a site; the default is reconstructed.",
            title="Points of the cards",
            advanced=True,
        ),
        "round_limit": Number(
            100,
            1,
            1000,
            "The match ends after this many rounds in any case.",
            title="Round limit",
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
