"""Depot, for 3 to 5 players."""

from pathlib import Path

from droptable.core.game import Game
from droptable.core.options import Choice, Flag, Number
from droptable.games.depot import encoder, rules, words
from droptable.games.depot.bot import instinct
from droptable.games.depot.picture import scene
from droptable.games.depot.words import lessons

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
