"""What every legal move leads to, for many matches at once, as tensors for learning.

An *afterstate* is what a seat sees after its move, before anybody else acts. Looking at it is fair
where no move reveals hidden information, so that the seat could work it out itself.

Positions are anything with `states`, `seats`, `moves` and `counts` like those of `game.batch(...)`.
"""

from types import SimpleNamespace

import numpy as np

from droptable.core.compile import kernel
from droptable.core.contract import apply, legal, observe, winners
from droptable.core.loops import dealer
from droptable.core.tensor import encode_at, size_of
from droptable.core.view_tensor import scratch_for


@kernel
def try_moves(positions, scratch, tensors, won):
    """Try every legal move of every match; write what its seat then sees, and who has won."""
    states, seats, moves, counts = positions
    views, raw, places = scratch
    for i in range(len(states)):
        seat = int(np.int64(seats[i]))
        for k in range(counts[i]):
            views[0] = states[i]
            apply(views[0], seat, int(np.int64(moves[i, k])))
            won[i, k] = winners(views[0])
            observe(views[0], seat)
            encode_at(views, 0, raw, places, seat, tensors[i, k])


@kernel
def move_and_deal(states, seats, move, outcomes, later):
    """Make a move, then let each of the dealer's outcomes happen, after which its seat goes on."""
    after, moves, counts = later
    for i in range(len(states)):
        seat = int(np.int64(seats[i]))
        for outcome in range(outcomes):
            k = i * outcomes + outcome
            after[k] = states[i]
            apply(after[k], seat, move)
            apply(after[k], dealer(), outcome)
            counts[k] = legal(after[k], seat, moves[k])


def afterstates(game, players, positions, choices):
    """Tensors and winners (bits) by match and move; those beyond a match's `counts` are zero."""
    matches = len(positions.states)
    tensors = np.zeros((matches, choices, size_of(game.planes(players))), np.float32)
    won = np.zeros((matches, choices), np.int32)
    places = game.bit_places(players)
    game.at_full_speed.kernels.twin(try_moves)(
        (positions.states, positions.seats, positions.moves, positions.counts),
        scratch_for(np.zeros(1, positions.states.dtype), places, threads=1),
        tensors,
        won,
    )
    return tensors, won


def dealt_after(game, positions, move, outcomes):
    """The positions after a move, as many for each as the dealer has outcomes."""
    matches = len(positions.states) * outcomes
    after = SimpleNamespace(
        states=np.zeros(matches, positions.states.dtype),
        seats=np.repeat(positions.seats, outcomes),
        moves=np.zeros((matches, positions.moves.shape[1]), np.int32),
        counts=np.zeros(matches, np.int16),
    )
    game.at_full_speed.kernels.twin(move_and_deal)(
        positions.states,
        positions.seats,
        move,
        outcomes,
        (after.states, after.moves, after.counts),
    )
    return after


def chosen(positions, rows):
    """Some of the positions."""
    names = ("states", "seats", "moves", "counts")
    return SimpleNamespace(**{name: getattr(positions, name)[rows] for name in names})
