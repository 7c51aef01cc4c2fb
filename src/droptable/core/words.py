"""What a game says: its tokens, reasons, sentences and drawing.

Records here are a state's or a view's `fields`; `viewer` and `seat` are seat numbers, or `NOBODY`.
Reasons and sentences are made from views, so they cannot tell more than their reader may know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from droptable.core.scene import Step

if TYPE_CHECKING:
    from droptable.core.game import Game

Record = Any  # the fields of a view or a state
Options = dict[str, Any]
Names = Sequence[str]  # of the seats


def no_outcomes(options: Options) -> tuple[str, ...]:  # noqa: ARG001
    """The outcomes of a game without a dealer."""
    return ()


def never_refused(state: Record, outcome: int) -> tuple[str, str]:  # noqa: ARG001
    """The reason of a game in which the dealer may deal every outcome at any time."""
    raise AssertionError("every outcome is possible whenever the dealer acts")


@dataclass(frozen=True, kw_only=True)
class Words:
    """A game in words.

    - `turn_rule`, `end_rule`: cited when somebody acts out of turn, or after the end.
    - `actions(options)`, `outcomes(options)`: the tokens of all moves, and of all that the dealer
      can deal; an id is an index into them.
    - `why(view, seat, action)`: the rule and the reason why a seat that is to act may not make this
      move now; `why_not_dealt(state, outcome)`: the same for the dealer.
    - `label(view, seat, action)`: a legal move in a few words, `Place 6 on the 8`.
    - `tell(before, after, actor, action, names)`: what happened, in a sentence or two, from one
      viewer's views; the action is -1 for who does not witness it. Empty if nothing can be told.
    - `tell_turn(steps, names)`: what happened in a run of events of one actor (a turn, a deal, a
      roll), as one line of the log; without it, the sentences of `tell` one after the other.
    - `explain(before, made, best, seat, names)`: why a turn of a seat was worse than the best one,
      in a sentence: its views before the turn, after it, and after the best one. Empty if nothing
      can be said that a player would call a reason.
    - `verdict(state, names)`: the result of a match that is over.
    - `draw(view, viewer)`: the table in text, up to 100 columns wide, as its viewer may see it.
    - `sides`: what the seats are called where they are more than a number, as black and white;
      `unit`: what a score counts. The lab tells its findings with them.
    """

    turn_rule: str
    end_rule: str
    actions: Callable[[Options], tuple[str, ...]]
    why: Callable[[Record, int, int], tuple[str, str]]
    label: Callable[[Record, int, int], str]
    tell: Callable[[Record, Record, int, int, Names], str]
    verdict: Callable[[Record, Names], str]
    draw: Callable[[Record, int], str]
    tell_turn: Callable[[Sequence[Step], Names], str] | None = None
    explain: Callable[[Record, Record, Record, int, Names], str] | None = None
    outcomes: Callable[[Options], tuple[str, ...]] = no_outcomes
    why_not_dealt: Callable[[Record, int], tuple[str, str]] = never_refused
    sides: tuple[str, ...] = ()
    unit: str = "points"


def runs(steps: Iterable[Step]) -> Iterator[list[Step]]:
    """Events that follow each other, by their actors: each run is one line of a log."""
    for _actor, run in groupby(steps, key=lambda step: step.actor):
        yield list(run)


def told(game: Game, steps: Sequence[Step], names: Names) -> str:
    """A run of events of one actor in one line; empty if nothing can be told."""
    if game.words.tell_turn is not None:
        return game.words.tell_turn(steps, names)
    tell = game.words.tell
    sentences = (tell(step.before, step.after, step.actor, step.action, names) for step in steps)
    return " ".join(text for text in sentences if text)
