"""Undo, fairly: one decision back, or to the start of one's turn, if nothing was learnt since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from droptable.core.contract import DEALER
from droptable.core.errors import DroptableError

if TYPE_CHECKING:
    from droptable.core.state import Event, State, View

TRIES = 4  # possible worlds that are compared to see whether a move revealed anything to its seat


def take_back(state: State, seat: int, *, step: bool = False) -> State:
    """The state at the start of this seat's turn; with `step`, before its last decision.

    Refused (`DroptableError`) if since then the dealer has acted, another seat has moved openly, or
    a move of its own showed the seat something it could not know before. Moves that other seats
    made meanwhile in a simultaneous phase, unseen by this one, are kept. A move that a table makes
    for a seat is no decision: it goes back together with the one before it.
    """
    events = state.events
    states = list(state.record.states())
    kept: list[Event] = []
    first = len(events)
    decision: tuple[int, int] | None = None  # the events before it, and the moves kept since
    while first and not (step and decision):
        actor, token = events[first - 1]
        before, after = states[first - 1].view(seat), states[first].view(seat)
        if actor not in (DEALER, seat) and before == after:
            kept.append((actor, token))
        elif not foreseen(before, after, actor, token):
            break
        first -= 1
        if actor == seat and before.automatic(seat) != token:
            decision = first, len(kept)
    if decision is None:
        raise DroptableError(_refusal(events[:first], seat))
    result = states[decision[0]]
    for actor, token in reversed(kept[: decision[1]]):
        result.apply(actor, token)
    return result


def foreseen(before: View, after: View, actor: int, token: str) -> bool:
    """Whether the seat of these views learnt nothing by an event, as it could tell beforehand: its
    own move, or one that a table makes for another seat, looks the same in every possible world."""
    if actor == DEALER:
        return False
    if before.game.rules.observe is None:  # nothing is hidden: there is one possible world
        return actor == before.seat or before.automatic(actor) == token
    seen = bytes(after)
    for seed in range(TRIES):
        world = before.determinize(seed)
        if actor != before.seat and world.automatic(actor) != token:
            return False
        world.apply(actor, token)
        if bytes(world.view(before.seat)) != seen:
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
