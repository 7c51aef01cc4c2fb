"""What could happen unnoticed by somebody: that it has happened is then a secret too."""

from __future__ import annotations

from droptable.core.contract import DEALER
from droptable.core.state import View


def may_move_unseen(view: View, seat: int) -> bool:
    """Whether a seat could move now, for all the viewer knows, without the viewer noticing.

    Derived from the viewer's view alone, so that the answer itself reveals nothing.
    """
    if view.game.rules.observe is None:  # nothing is hidden
        return False
    if seat in (DEALER, view.seat) or seat not in view.to_act:
        return False
    world = view.determinize(seed=0)
    world.apply(seat, world.legal(seat)[0])
    return bool(world.view(view.seat).array.tobytes() == view.array.tobytes())
