"""Number Drop, for 1 to 6 players."""

from pathlib import Path

from droptable.core.contract import Bounds, Rules
from droptable.core.game import Game
from droptable.core.lessons import Lessons
from droptable.core.options import Choice
from droptable.core.scene import Scene
from droptable.core.tensor import Encoder
from droptable.core.words import Words
from droptable.games.number_drop import encoder, instinct, lessons, rules, scene, words

FOLDER = Path(__file__).parent

GAME = Game(
    "number-drop",
    title="Number Drop",
    summary="Drop shapes of dice numbers into a grid, circle runs and sets, block the others.",
    players=(1, 2, 3, 4, 5, 6),
    options={
        "order": Choice(
            "together",
            ("together", "clockwise"),
            "whether all seats drop and circle at once, unseen, or one after another in the open",
        )
    },
    rules=Rules(
        rules.STATE,
        setup=rules.setup,
        to_act=rules.to_act,
        legal=rules.legal,
        chance=rules.chance,
        apply=rules.apply,
        scores=rules.scores,
        winners=rules.winners,
        witnesses=rules.witnesses,
        observe=rules.observe,
        determinize=rules.determinize,
        bounds=Bounds(
            moves=rules.most_moves, deals=rules.most_deals, solo_scores=rules.solo_scores()
        ),
    ),
    words=Words(
        turn_rule=words.TURN_RULE,
        end_rule=words.END_RULE,
        actions=words.actions,
        outcomes=words.outcomes,
        why=words.why,
        why_not_dealt=words.why_not_dealt,
        label=words.label,
        tell=words.tell,
        verdict=words.verdict,
        draw=words.draw,
    ),
    bot=instinct.HEURISTICS,
    encoder=Encoder(planes=encoder.planes, encode=encoder.encode),
    scene=Scene(
        accent=scene.ACCENT,
        draw=scene.draw,
        path=scene.path,
        prompt=scene.prompt,
        ghost=scene.ghost,
        switches=scene.switches,
        sheet=scene.sheet,
    ),
    lessons=Lessons(lessons.PICTURES, lessons.EXERCISES),
    printed_scores=words.HIGH_SCORES,
    text=FOLDER / "rules.md",
    showcase=FOLDER / "showcase.json",
    locale=FOLDER / "words",
)
