"""Number Drop, for 1 to 6 players."""

from pathlib import Path

from droptable.core.game import Game
from droptable.core.options import Choice
from droptable.games.number_drop.bot.instinct import HEURISTICS
from droptable.games.number_drop.encoder import ENCODER
from droptable.games.number_drop.picture.scene import SCENE
from droptable.games.number_drop.rules import RULES
from droptable.games.number_drop.words import HIGH_SCORES, WORDS
from droptable.games.number_drop.words.lessons import LESSONS

FOLDER = Path(__file__).parent

GAME = Game(
    "number-drop",
    title="Number Drop",
    summary="Drop shapes of dice numbers into a grid, circle runs and sets, block the others.",
    players=(1, 2, 3, 4, 5, 6),
    minutes=20,
    options={
        "order": Choice(
            "rulebook",
            ("together", "clockwise", "rulebook"),  # stored by index: new words go last
            "How much you see of the others before you drop and circle yourself.",
            title="Who plays when",
            labels=(
                "All at once, unseen",
                "One after the other, in the open",
                "As in the rulebook: drop at once, circle in turn",
            ),
        )
    },
    rules=RULES,
    words=WORDS,
    bot=HEURISTICS,
    encoder=ENCODER,
    scene=SCENE,
    lessons=LESSONS,
    printed_scores=HIGH_SCORES,
    text=FOLDER / "words" / "rules.md",
    showcase=FOLDER / "showcase.json",
    locale=FOLDER / "words",
)
