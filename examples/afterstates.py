"""What every legal move leads to, for many matches at once, as tensors for learning.

An *afterstate* is what a seat sees when it has moved and before anybody else acts. Looking at it
is fair where the seat could work it out itself: where no move reveals something hidden.

Positions are anything that has `states`, `seats`, `moves` and `counts` as `game.batch(...)` has.
"""

from types import SimpleNamespace

import numpy as np

from droptable.core.compile import kernel
from droptable.core.contract import apply, legal, observe, winners
from droptable.core.loops import dealer
from droptable.core.tensor import encode_at, size_of


@kernel
def try_moves(states, seats, moves, counts, scratch, raw, places, tensors, won):
    """Try every legal move of every match; write what its seat then sees, and who has won."""
    for i in range(len(states)):
        seat = int(np.int64(seats[i]))
        for k in range(counts[i]):
            scratch[0] = states[i]
            apply(scratch[0], seat, int(np.int64(moves[i, k])))
            won[i, k] = winners(scratch[0])
            observe(scratch[0], seat)
            encode_at(scratch, 0, raw, places, seat, tensors[i, k])


@kernel
def move_and_deal(states, seats, move, outcomes, after, moves, counts):
    """Make a move, then let each of the dealer's outcomes happen, after which its seat goes on."""
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
    scratch = np.zeros(1, positions.states.dtype)
    game.at_full_speed.kernels.twin(try_moves)(
        positions.states, positions.seats, positions.moves, positions.counts,
        scratch, scratch.view(np.uint8).reshape(1, -1), game.bit_places(players), tensors, won,
    )  # fmt: skip
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
        positions.states, positions.seats, move, outcomes, after.states, after.moves, after.counts
    )
    return after


def chosen(positions, rows):
    """Some of the positions."""
    names = ("states", "seats", "moves", "counts")
    return SimpleNamespace(**{name: getattr(positions, name)[rows] for name in names})
