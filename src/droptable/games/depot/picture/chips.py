"""Short cuts: what can be played, taken and given now, the most useful first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from droptable.core.language import _
from droptable.core.scene import Chip, Frame
from droptable.games.depot import rules
from droptable.games.depot.picture.ghosts import ghost
from droptable.games.depot.rules.piles import NUMBERS
from droptable.games.depot.words.cards import cards_of_play, spaced

MOST = 8  # chips in all
PLAYS = 5  # of them plays, if there is something to take as well
GIFTS = 3  # on a phone, so that the button to keep all is in sight


def chips(view: Any, seat: int, frame: Frame) -> Sequence[Chip]:
    moves = legal_moves(view, seat)
    if view["phase"] == rules.GIVE:
        gifts = _gifts(view, seat, moves)[: GIFTS if frame.tall else MOST]
        return [_gift(view, seat, action, frame) for action in gifts]
    takes = _takes(view, seat, moves)
    plays = _plays(view, seat, moves)[: PLAYS if takes else MOST]
    chosen = [_play(view, seat, action, frame) for action in plays]
    return [*chosen, *(_take(view, seat, action, frame) for action in takes)][:MOST]


def legal_moves(view: Any, seat: int) -> list[int]:
    """The legal moves of a seat that is to act."""
    ids = np.empty(len(rules.PLAYS) + 2 * NUMBERS + 2, np.int32)
    return [int(action) for action in ids[: rules.legal(view, seat, ids)]]


def _plays(view: Any, seat: int, moves: list[int]) -> list[int]:
    """The play that wins; the weakest that is enough; then those of most cards."""
    plays = [action for action in moves if action < rules.TAKE]  # by strength
    weakest = plays[:1]
    size = int(view["hand_size"][seat])
    return sorted(
        plays,
        key=lambda play: (
            rules.SIZE[play] != size,
            play not in weakest,
            -int(rules.SIZE[play]),
            play,
        ),
    )


def _takes(view: Any, seat: int, moves: list[int]) -> list[int]:
    """The fewest cards first, and of those what the hand has already."""
    hand = view["hands"][seat]
    takes = [action for action in moves if rules.TAKE <= action < rules.GIVE_CARD]

    def cost(action: int) -> tuple[int, int, int]:
        number = action - rules.TAKE
        return int(view["storage"][number]), -int(hand[number]), -number

    return sorted(takes, key=cost)


def _gifts(view: Any, seat: int, moves: list[int]) -> list[int]:
    """Single cards first."""
    hand = view["hands"][seat]
    gifts = [action for action in moves if rules.GIVE_CARD <= action < rules.KEEP]
    return sorted(gifts, key=lambda action: (int(hand[action - rules.GIVE_CARD]), action))


def _play(view: Any, seat: int, action: int, frame: Frame) -> Chip:
    cards = rules.PLAYS[action]
    label = _("Play {cards}").format(cards=cards_of_play(cards))
    return Chip(label, (f"play {spaced(cards)}",), ghost=ghost(view, seat, action, frame))


def _take(view: Any, seat: int, action: int, frame: Frame) -> Chip:
    number = action - rules.TAKE
    cards = spaced([number + 1] * int(view["storage"][number]))
    label = _("Take {cards}").format(cards=cards)
    return Chip(label, (f"take {number + 1}",), ghost=ghost(view, seat, action, frame))


def _gift(view: Any, seat: int, action: int, frame: Frame) -> Chip:
    number = action - rules.GIVE_CARD + 1
    label = _("Give {number}").format(number=number)
    return Chip(label, (f"give {number}",), ghost=ghost(view, seat, action, frame))
