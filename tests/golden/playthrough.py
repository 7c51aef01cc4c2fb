"""Golden playthroughs: one recorded match of every game, player count and variant, as text.

Each file beside this one dumps what the public API says along a match. `python -m
tests.golden.playthrough number-drop` writes those of a game anew, without a name all of them: do
that only when a rule's behaviour was meant to change, and read the difference.
"""

import random
import sys
from pathlib import Path

import droptable
from droptable.core.contract import DEALER

HERE = Path(__file__).parent
SHORT = {"drop-site": {"round_limit": 2}, "depot": {"turn_limit": 100}}
VARIANTS = {
    "drop-site": [{"target": 10}, {"points": (1,) * 13}],
    "number-drop": [{"order": "together"}, {"order": "clockwise"}],
    "drop": [{"opening": "ring"}, {"squeeze": "enemy"}, {"size": 5}, {"size": 9}, {"pieces": 8}],
    "depot": [{"games": 3}, {"games": 3, "all_cards": True}],
    "drop-or-pop": [{"turn_limit": 50}],
}
# Options that were a game's defaults once: their matches keep the seeds that they were played with.
FORMER_DEFAULTS = {"number-drop": {"order": "together"}}
MOST_LISTED = 8  # legal moves shown in full up to here
BOARD_EVERY = 150  # events between drawings


def tables():
    """(file name, game, players, options) of every playthrough."""
    for game in droptable.games():
        for players in game.players:
            for options in [{}, *VARIANTS.get(game.name, [])]:
                words = [f"{key}-{_word(value)}" for key, value in options.items()]
                name = "_".join([game.name, str(players), *words])
                yield f"{name}.txt", game, players, SHORT.get(game.name, {}) | options


def _word(value):
    return "-".join(map(str, sorted(set(value)))) if isinstance(value, tuple) else str(value)


def playthrough(game, players, options):
    """The text of one match, played by a fixed generator."""
    seeded = {} if options == FORMER_DEFAULTS.get(game.name) else options
    chance = random.Random(f"{game.name} {players} {seeded}")
    state = game.start(players, **options)
    lines = [f"{game.title}, {players} players", f"options: {state.options}", ""]
    while not state.over:
        number = len(state.events)
        if number % BOARD_EVERY == 0:
            lines += _boards(state)
        lines.append(_describe(state, number))
        actor = chance.choice(state.to_act)
        if actor == DEALER:
            token = state.deal(chance)
        else:
            token = chance.choice(state.legal(actor))
            state.apply(actor, token)
        lines.append(f"    {'dealer' if actor == DEALER else f'seat {actor}'}: {token}")
    names = [f"Seat {seat}" for seat in range(players)]
    lines += _boards(state)
    lines.append(f"over: scores {state.scores}, winners {state.winners}")
    lines.append(str(game.words.verdict(state.fields, names)))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _describe(state, number):
    if state.to_act == (DEALER,):
        odds = state.chance()
        listed = ", ".join(f"{token} {p}" for token, p in odds[:MOST_LISTED])
        return f"{number}. scores {state.scores}; {len(odds)} outcomes: {listed}"
    parts = []
    for seat in state.to_act:
        moves = state.legal(seat)
        more = " …" if len(moves) > MOST_LISTED else ""
        parts.append(f"seat {seat} has {len(moves)}: {', '.join(moves[:MOST_LISTED])}{more}")
    return f"{number}. scores {state.scores}; " + "; ".join(parts)


def _boards(state):
    """The table as everybody, the first seat and a spectator see it."""
    views = [("all open", state), ("seat 0", state.view(0)), ("spectator", state.view(None))]
    lines = []
    for who, view in views:
        lines += [f"--- {who}", *str(view).split("\n")]
    return [*lines, "---"]


if __name__ == "__main__":
    only = sys.argv[1] if sys.argv[1:] else "*"
    for old in HERE.glob(f"{only}_[0-9]*.txt"):
        old.unlink()
    for name, game, players, options in tables():
        if only not in ("*", game.name):
            continue
        (HERE / name).write_text(playthrough(game, players, options), encoding="utf-8")
        print(name)
