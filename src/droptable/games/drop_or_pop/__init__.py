"""Drop or Pop!, for 3 or 4 players."""

from pathlib import Path

from droptable.core.game import Game
from droptable.core.options import Number
from droptable.games.drop_or_pop import encoder, rules, words
from droptable.games.drop_or_pop.bot import instinct
from droptable.games.drop_or_pop.picture import scene
from droptable.games.drop_or_pop.words import lessons

FOLDER = Path(__file__).parent

GAME = Game(
    "drop-or-pop",
    title="Drop or Pop!",
    summary="Drop your counters into columns, pop what lies at the bottom, join four.",
    players=(3, 4),
    options={"turn_limit": Number(500, 50, 5000, "turns of all seats until the match is drawn")},
    rules=rules,
    words=words,
    instinct=instinct,
    tensor=encoder,
    scene=scene,
    lessons=lessons,
    teams=True,
    text=FOLDER / "words" / "rules.md",
    showcase=FOLDER / "showcase.json",
    locale=FOLDER / "words",
)
