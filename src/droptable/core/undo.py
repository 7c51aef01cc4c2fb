"""Undo, fairly: back to the start of one's own turn, if nothing was learnt since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from droptable.core.contract import DEALER
from droptable.core.errors import DroptableError

if TYPE_CHECKING:
    from droptable.core.state import Event, State

TRIES = 4  # possible worlds that are compared to see whether a move revealed anything to its seat


def take_back(state: State, seat: int) -> State:
    """The state at the start of this seat's turn.

    Refused (`DroptableError`) if since then the dealer has acted, another seat has moved openly, or
    a move of its own showed the seat something it could not know before. Moves that other seats
    made meanwhile in a simultaneous phase, unseen by this one, are kept.
    """
    events = state.events
    states = list(state.record.states())
    kept: list[Event] = []
    first = len(events)
    mine = 0
    while first:
        actor, token = events[first - 1]
        before, after = states[first - 1], states[first]
        if actor == seat and _learnt_nothing(before, after, seat, token):
            mine += 1
        elif actor not in (DEALER, seat) and before.view(seat) == after.view(seat):
            kept.append((actor, token))
        else:
            break
        first -= 1
    if not mine:
        raise DroptableError(_refusal(events[:first], seat))
    result = states[first]
    for actor, token in reversed(kept):
        result.apply(actor, token)
    return result


def _learnt_nothing(before: State, after: State, seat: int, token: str) -> bool:
    """Whether every world that the seat thought possible looks the same after its move."""
    seen = bytes(after.view(seat))
    for seed in range(TRIES):
        world = before.view(seat).determinize(seed)
        world.apply(seat, token)
        if bytes(world.view(seat)) != seen:
            return False
    return True


def _refusal(events: tuple[Event, ...], seat: int) -> str:
    """Why the last of these events, which the seat has noticed, cannot be undone."""
    if not any(actor == seat for actor, _ in events):
        return "there is nothing to undo: you have not moved yet"
    actor, token = events[-1]
    if actor == DEALER:
        return "you can no longer undo your move: the dealer has acted since"
    if actor == seat:
        return f"you cannot undo {token}: it showed you something you did not know"
    return f"you can no longer undo your move: seat {actor} has moved since"
