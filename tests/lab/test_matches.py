"""Chunks of matches: by number and seed alone, in machine code as bot by bot."""

import random

import numpy as np
import pytest

import droptable
from droptable.bots.players import GreedyBot
from droptable.core.chance import below
from droptable.core.contract import DEALER
from droptable.lab import one_match
from droptable.lab.cell import Cell
from droptable.lab.matches import play_chunk, record_of
from droptable.lab.seeds import generators_of

COLUMNS = ("share", "score", "rank", "moves", "decisions", "turns", "first", "limit", "deal_seed")


class Xorshift(random.Random):
    """Python's choices from a generator of the rules; a choice from one draws nothing."""

    def __init__(self, generator):
        self.generator = generator

    def __new__(cls, *_):
        return super().__new__(cls)

    def choice(self, seq):
        return seq[below(self.generator, len(seq))] if len(seq) > 1 else seq[0]


def played_by_greedy_bots(cell, seed, match):
    """The final state of a match between `GreedyBot`s, with the randomness of this number."""
    lot = generators_of(seed, [cell.deal_of(match)], [match], cell.seats)[0]
    bots = []
    for seat in range(cell.seats):
        bots.append(GreedyBot())
        bots[-1]._random = Xorshift(lot[1 + seat : 2 + seat])
    state = cell.subject.start(cell.seats, **cell.options)
    draw = cell.subject.at_full_speed.kernels.twin(one_match.outcome_at)
    ids, weights = cell.subject.vocabulary(state.options).room()
    while not state.over:
        actor = state.to_act[0]
        if actor == DEALER:
            outcome = draw(state.array, 0, ids, weights, lot[:1])
            state.apply(DEALER, cell.subject.vocabulary(state.options).outcomes[outcome])
        else:
            state.apply(actor, bots[actor].choose(state.view(actor), cell.subject.at_full_speed))
    return state


def cells():
    """Every game at every player count, and a variant."""
    short = {"number-drop": 1}
    for game in droptable.games():
        for players in game.players:
            yield pytest.param(
                Cell(game.name, players), short.get(game.name, 4), id=f"{game.name} {players}"
            )
    yield pytest.param(Cell("drop-or-pop", constants={"TO_WIN": 3}), 4, id="three in a row")


@pytest.mark.parametrize(("cell", "matches"), list(cells()))
def test_greedy_in_machine_code_is_greedy_in_python(cell, matches):
    """With the same randomness the compiled match ends as that of Python's `GreedyBot`s."""
    cell = Cell(cell.game, cell.players, cell.options, "greedy", cell.constants)
    chunk = play_chunk(cell, 11, 0, matches)
    for match in range(matches):
        state = played_by_greedy_bots(cell, 11, match)
        assert chunk.score[match].tolist() == list(state.scores)
        assert np.flatnonzero(chunk.share[match]).tolist() == list(state.winners)
        assert record_of(cell, 11, match).events == state.events
