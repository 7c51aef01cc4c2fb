"""Whether the cards, dice and seats of a match follow from what its host published."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from droptable.core import fair
from droptable.core.contract import DEALER
from droptable.core.fair import Fairness
from droptable.core.language import _, ngettext
from droptable.core.record import Record


@dataclass(frozen=True)
class Finding:
    """What a check of a record has found, in words.

    `fair` is None where nothing can be told; `event` is the first one that does not follow.
    """

    fair: bool | None
    message: str
    dealt: int = 0  # how many of the dealer's events follow
    event: int | None = None


@dataclass(frozen=True)
class Deal:
    """An event of the dealer: what could have come, by token, with its share; and what came."""

    event: int
    outcomes: list[tuple[str, int]]
    token: str


def deals(record: Record) -> Iterator[Deal]:
    """The dealer's events, in order."""
    states = record.states()
    for number, ((actor, token), state) in enumerate(zip(record.events, states, strict=False)):
        if actor == DEALER:
            yield Deal(number, fair.shares(state.chance_weights()), token)


def verify(record: Record, *, commitment: str = "", contribution: str = "") -> Finding:
    """Check a record by the rules, and by what its host published.

    Whoever has noted the commitment before the match, or their own contribution, gives it: then
    the host cannot have published another one afterwards. `RecordError` if a rule is broken.
    """
    fairness = record.fairness
    if fairness is None:
        message = _("This record follows the rules, but says nothing of how it was dealt.")
        return Finding(None, message)
    if fairness.generator != fair.GENERATOR:
        message = _("This record was dealt by {generator}, which this program does not know.")
        return Finding(None, message.format(generator=repr(fairness.generator)))
    wrong = _broken_promise(fairness, commitment.lower(), contribution.lower())
    if wrong:
        return Finding(False, wrong)
    return _check_order(record, fairness) or _check_deals(record, fairness)


def _broken_promise(fairness: Fairness, commitment: str, contribution: str) -> str:
    if fair.commitment(bytes.fromhex(fairness.secret)) != fairness.commitment:
        return _("Not fair: the secret is not the one that the host committed itself to.")
    if commitment and commitment != fairness.commitment:
        message = _("Not fair: the host had committed itself to {noted}, not to {published}.")
        return message.format(noted=commitment[:12] + "…", published=fairness.commitment[:12] + "…")
    if contribution and contribution not in {one.value.lower() for one in fairness.contributions}:
        return _("Not fair: your contribution {value} is missing.").format(value=contribution)
    return ""


def _check_order(record: Record, fairness: Fairness) -> Finding | None:
    if fairness.order in (None, fair.seat_order(fairness.seed, record.players)):
        return None
    return Finding(False, _("Not fair: the seats were not shuffled as they had to be."))


def _check_deals(record: Record, fairness: Fairness) -> Finding:
    seed, dealt = fairness.seed, 0
    for deal in deals(record):
        due = fair.draw(seed, dealt, deal.outcomes)
        if due != deal.token:
            message = _("Not fair: event {number} is {token}, but {due} had to come.")
            message = message.format(number=deal.event, token=repr(deal.token), due=repr(due))
            return Finding(False, message, dealt, deal.event)
        dealt += 1
    return Finding(True, _praise(fairness, dealt), dealt)


def _praise(fairness: Fairness, dealt: int) -> str:
    if not dealt:
        return _("Nothing was dealt in this match.")
    names = list(dict.fromkeys(one.name for one in fairness.contributions))
    if not names:
        message = ngettext(
            "{count} deal follows from the host's secret; but nobody contributed to it.",
            "All {count} deals follow from the host's secret; but nobody contributed to them.",
            dealt,
        )
        return message.format(count=dealt)
    message = ngettext(
        "Dealt fairly: {count} deal follows from the host's secret and contributions by {names}.",
        "Dealt fairly: all {count} deals follow from the host's secret and contributions by "
        "{names}.",
        dealt,
    )
    return message.format(count=dealt, names=", ".join(names))
