"""Golden searches: under a seed, every game is searched exactly as it was when these were written.

`python -m tests.bots.test_golden_searches` writes the file again, after a change that is meant to
change what bots do.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import droptable
from droptable.bots import make_bot, search
from droptable.core.contract import DEALER
from droptable.core.state import View

FILE = Path(__file__).with_name("golden_searches.json")
TABLES: list[tuple[str, int, dict[str, Any], int]] = [  # game, players, options, iterations
    ("depot", 3, {}, 400),
    ("depot", 5, {"games": 3, "turn_limit": 300}, 100),
    ("drop", 2, {}, 150),
    ("drop", 2, {"size": 5, "pieces": 12}, 400),
    ("drop-or-pop", 3, {}, 400),
    ("drop-or-pop", 4, {"turn_limit": 60}, 400),
    ("drop-site", 2, {}, 400),
    ("drop-site", 4, {"target": 20}, 300),
    ("number-drop", 1, {"order": "together"}, 60),
    ("number-drop", 3, {"order": "clockwise"}, 30),
]
MOVES = (3, 12, 30)  # decisions of a random match before each of the positions
DIGITS = 9  # of a share: the last bits may differ between processors


def name_of(game: str, players: int, options: dict[str, Any]) -> str:
    return " ".join([game, str(players), *(f"{key}={value}" for key, value in options.items())])


def position(name: str, players: int, options: dict[str, Any], decisions: int) -> View:
    """The view of a seat that has a choice, after so many decisions of a random match."""
    chance = random.Random(decisions)
    state = droptable.game(name).start(players, **options)
    last = None
    while not state.over and decisions >= 0:
        if state.to_act[0] == DEALER:
            state.deal(chance)
            continue
        seat = state.to_act[0]
        if len(state.legal(seat)) > 1:
            last = state.view(seat)
            decisions -= 1
        state.apply(seat, chance.choice(state.legal(seat)))
    assert last is not None
    return last


def findings(name: str, players: int, options: dict[str, Any], iterations: int) -> list[Any]:
    """What greedy chooses and search finds out, in each of the positions of a table."""
    lines = []
    for decisions in MOVES:
        view = position(name, players, options, decisions)
        result = search(view, iterations=iterations, seed=decisions, cores=1)
        moves = {
            rating.token: " ".join(
                [str(rating.visits), *(f"{share:.{DIGITS}f}" for share in rating.shares)]
            )
            for rating in result.moves
            if rating.visits
        }
        greedy = make_bot("greedy", seed=1).choose(view)
        lines.append({"greedy": greedy, "turn": ", ".join(result.turn), "moves": moves})
    return lines


@pytest.mark.parametrize("table", TABLES, ids=lambda table: name_of(*table[:3]))
def test_searches_are_as_they_were(table: tuple[str, int, dict[str, Any], int]) -> None:
    """Greedy's choice, the turn, and the visits and shares of every move are those on file."""
    golden = json.loads(FILE.read_text("utf-8"))
    assert findings(*table) == golden[name_of(*table[:3])]


if __name__ == "__main__":
    written = {name_of(*table[:3]): findings(*table) for table in TABLES}
    FILE.write_text(json.dumps(written, indent=1) + "\n", "utf-8")
