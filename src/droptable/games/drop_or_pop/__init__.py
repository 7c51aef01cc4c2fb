"""Drop or Pop!, for 3 or 4 players."""

from pathlib import Path

from droptable.core.game import Game
from droptable.core.options import Number
from droptable.games.drop_or_pop import instinct, lessons, rules, scene, tensor, words

GAME = Game(
    "drop-or-pop",
    title="Drop or Pop!",
    summary="Drop your counters into columns, pop what lies at the bottom, join four.",
    players=(3, 4),
    options={"turn_limit": Number(500, 50, 5000, "turns of all seats until the match is drawn")},
    rules=rules,
    words=words,
    instinct=instinct,
    tensor=tensor,
    scene=scene,
    lessons=lessons,
    teams=True,
    text=Path(__file__).with_name("rules.md"),
)
