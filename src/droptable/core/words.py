"""What a game says: its tokens, reasons, sentences and drawing. A module that has these names.

Records here are a state's or a view's `fields`; `viewer` and `seat` are seat numbers, or `NOBODY`.
Reasons and sentences are made from views, so they cannot tell more than their reader may know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Words(Protocol):
    """The names that a game's `words` module defines."""

    TURN_RULE: str  # cited when somebody acts out of turn
    END_RULE: str  # cited when somebody acts after the end

    def actions(self, options: dict[str, Any], /) -> tuple[str, ...]:
        """The tokens of all moves; an action's id is its index."""

    def outcomes(self, options: dict[str, Any], /) -> tuple[str, ...]:
        """The tokens of all that the dealer can deal; an outcome's id is its index."""

    def why(self, view: Any, seat: int, action: int, /) -> tuple[str, str]:
        """The rule and the reason why a seat that is to act may not make this move now."""

    def why_not_dealt(self, state: Any, outcome: int, /) -> tuple[str, str]:
        """The rule and the reason why the dealer, who is to act, cannot deal this now."""

    def label(self, view: Any, seat: int, action: int, /) -> str:
        """A legal move in a few words: `Place 6 on the 8`."""

    def tell(
        self, before: Any, after: Any, actor: int, action: int, names: Sequence[str], /
    ) -> str:
        """What happened, in a sentence or two for the one whose views these are.

        The action is -1 for who does not witness it; empty if there is nothing to be told.
        """

    def verdict(self, state: Any, names: Sequence[str], /) -> str:
        """The result of a match that is over."""

    def draw(self, view: Any, viewer: int, /) -> str:
        """The table in text, up to 100 columns wide, as its viewer may see it."""
