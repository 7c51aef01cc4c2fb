"""Number Drop, for 1 to 6 players."""

from pathlib import Path

from droptable.core.game import Game
from droptable.core.options import Choice
from droptable.games.number_drop import encoder, rules, words
from droptable.games.number_drop.bot import instinct
from droptable.games.number_drop.picture import scene
from droptable.games.number_drop.words import lessons

FOLDER = Path(__file__).parent

GAME = Game(
    "number-drop",
    title="Number Drop",
    summary="Drop shapes of dice numbers into a grid, circle runs and sets, block the others.",
    players=(1, 2, 3, 4, 5, 6),
    options={
        "order": Choice(
            "rulebook",
            ("together", "clockwise", "rulebook"),  # stored by index: new words go last
            "rulebook: drop at once, unseen, then circle in turn; together: drop and circle at "
            "once, unseen; clockwise: everything in turn, in the open",
        )
    },
    rules=rules,
    words=words,
    instinct=instinct,
    tensor=encoder,
    scene=scene,
    lessons=lessons,
    printed_scores=words.HIGH_SCORES,
    text=FOLDER / "words" / "rules.md",
    showcase=FOLDER / "showcase.json",
)
