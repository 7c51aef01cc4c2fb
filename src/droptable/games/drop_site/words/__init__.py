"""Drop Site in words: tokens, reasons, sentences and a drawing in text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from textwrap import wrap
from typing import Any

from droptable.core.bits import count_bits, members
from droptable.core.language import N_, _, ngettext
from droptable.core.scene import Step
from droptable.core.words import Words
from droptable.games.drop_site import rules
from droptable.games.drop_site.words.explain import explain

RECONSTRUCTED = (3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7)  # points of 0-12; the printed ones are lost
ORDINALS = (
    N_("1st"), N_("2nd"), N_("3rd"), N_("4th"), N_("5th"), N_("6th"), N_("7th"), N_("8th"),
)  # fmt: skip
WIDTH = 96  # of the drawing


def actions(options: dict[str, Any]) -> tuple[str, ...]:
    return _with_numbers("create", "place", "hide")


def outcomes(options: dict[str, Any]) -> tuple[str, ...]:
    return _with_numbers("deal", "site", "draw")


def why(state: Any, seat: int, action: int) -> tuple[str, str]:
    number = action % rules.NUMBERS
    if not rules.count_of(int(state["hands"][seat]), number):
        return "DS2", _("you have no {number} in your hand").format(number=number)
    highest = members(rules.tops(state))[-1]
    if highest == 0:
        return "DS5", _("nothing can be placed on a 0, and that is all the sites show")
    text = _("no site shows a card higher than {number}: the highest is {highest}")
    return "DS3", text.format(number=number, highest=highest)


def why_not_dealt(state: Any, outcome: int) -> tuple[str, str]:
    phase, number = divmod(outcome, rules.NUMBERS)
    now, seat = int(state["phase"]), int(state["seat"])
    rule = "DS6" if now == rules.DRAW else "DS1"
    if phase == now:
        return rule, f"there is no {number} left in the deck"
    if now == rules.DEAL:
        return rule, f"the hands come first: seat {seat} is to be dealt a card"
    if now == rules.SITE:
        return rule, "all hands are dealt: the first site is to be opened"
    return rule, f"seat {seat} is to draw a card"


def label(state: Any, seat: int, action: int) -> str:
    kind, number = _kind_and_number(action)
    if kind == rules.CREATE:
        sites = rules.site_count(state) + 1
        text = _("Open the {nth} site with the {number}")
        if sites == rules.sites_to_end(state):
            text = _("Open the {nth} site with the {number}, which ends the round")
        return text.format(nth=_(ORDINALS[sites - 1]), number=number)
    if kind == rules.PLACE:
        target = _target(state, number)
        return _("Place the {number} on the {target}").format(number=number, target=target)
    return _("Hide the {number} in your reserve").format(number=number)


def tell(before: Any, after: Any, actor: int, action: int, names: Sequence[str]) -> str:
    if actor < 0:
        text = _tell_dealt(before, action, names)
    else:
        text = _tell_played(before, actor, action, names)
    if after["rounds"] == before["rounds"]:
        return text
    return f"{text} {_tell_round(before, after, actor, names)}"


def tell_turn(steps: Sequence[Step], names: Sequence[str]) -> str:
    """A deal in one line, with its first site; a card that is drawn is not worth one."""
    sentences = []
    for step in steps:
        if step.actor >= 0:
            sentences.append(_tell_played(step.before, step.actor, step.action, names))
        elif step.before["phase"] == rules.SITE:
            sentences.append(_tell_deal(step))
        if step.after["rounds"] != step.before["rounds"]:
            sentences.append(_tell_round(step.before, step.after, step.actor, names))
    return " ".join(sentences)


def verdict(state: Any, names: Sequence[str]) -> str:
    won = [names[seat] for seat in members(rules.winners(state))]
    best = rules.highest_total(state)
    rounds = int(state["rounds"])
    unreached = ""
    if best < state["target"]:
        after = ngettext(" after {count} round", " after {count} rounds", rounds)
        unreached = after.format(count=rounds)
    if len(won) > 1:
        who = _("{names} and {last}").format(names=", ".join(won[:-1]), last=won[-1])
        text = ngettext(
            "{names} share the victory with {points} point each{after}.",
            "{names} share the victory with {points} points each{after}.",
            best,
        )
        return text.format(names=who, points=best, after=unreached)
    text = ngettext(
        "{name} wins with {points} point{after}.", "{name} wins with {points} points{after}.", best
    )
    return text.format(name=won[0], points=best, after=unreached)


def draw(state: Any, viewer: int) -> str:
    """Sites, seats and what is expected. Reserves stay face down until the round is over."""
    number = round_number(state)
    left = deck_size(state)
    lines = [
        f"Round {number} of at most {state['round_limit']}, played to {state['target']} points. "
        f"Deck: {left} card{'' if left == 1 else 's'}.",
        _points_line(state),
        *_site_lines(state),
    ]
    for seat in range(state["players"]):
        lines += _seat_lines(state, seat, viewer)
    return "\n".join([*lines, _expected(state, viewer)])


def round_number(state: Any) -> int:
    """The round that is played, or that still lies on the table."""
    return int(state["rounds"]) + (not rules.is_scored(state))


def cards(bag: int) -> list[int]:
    """The cards of a bag, ascending."""
    return [n for n in range(rules.NUMBERS) for _copy in range(rules.count_of(int(bag), n))]


def deck_size(state: Any) -> int:
    """How many cards are left in the deck, from what everybody can see."""
    on_sites = sum(count_bits(int(site)) for site in state["sites"])
    return 52 - on_sites - int(state["hand_sizes"].sum()) - int(state["reserve_sizes"].sum())


def worth(state: Any, number: int) -> int:
    """What one hidden card of this number scores with the sites as they are (DS9)."""
    shown = [rules.top_number(int(site)) for site in state["sites"] if site]
    return shown.count(number) * int(state["points"][number]) or rules.UNMATCHED


def with_article(number: int) -> str:
    """A card in a sentence: `a 6`, `an 8`."""
    text = _("an {number}") if number in (8, 11) else _("a {number}")
    return text.format(number=number)


def signed(points: int) -> str:
    """Points as they are written down: `+7`, `0`, `-2`."""
    return f"{points:+d}" if points else "0"


def _with_numbers(*words: str) -> tuple[str, ...]:
    return tuple(f"{word} {number}" for word in words for number in range(rules.NUMBERS))


def _kind_and_number(action: int) -> tuple[int, int]:
    number = action % rules.NUMBERS
    return action - number, number


def _target(state: Any, number: int) -> int:
    """The number that this card has to be placed on; `ValueError` if there is none."""
    if not rules.tops(state) & -(2 << number):
        raise ValueError(f"no site is higher than {number}")
    return rules.top_number(int(state["sites"][rules.site_for(state, number)]))


def _tell_dealt(before: Any, action: int, names: Sequence[str]) -> str:
    name, phase = names[before["seat"]], before["phase"]
    card = _("a card") if action < 0 else with_article(action % rules.NUMBERS)
    if phase == rules.SITE:
        return _("The first site shows {card}.").format(card=card)
    text = _("{name} is dealt {card}.") if phase == rules.DEAL else _("{name} draws {card}.")
    return text.format(name=name, card=card)


def _tell_deal(step: Step) -> str:
    number = round_number(step.before)
    text = ngettext(
        "Round {round}: everybody is dealt {count} card; the first site shows {card}.",
        "Round {round}: everybody is dealt {count} cards; the first site shows {card}.",
        rules.HAND,
    )
    card = with_article(step.action % rules.NUMBERS)
    return text.format(round=number, count=rules.HAND, card=card)


def _tell_played(before: Any, actor: int, action: int, names: Sequence[str]) -> str:
    kind, number = _kind_and_number(action)
    if action >= 0 and kind == rules.CREATE:
        nth = _(ORDINALS[rules.site_count(before)])
        text = _("{name} opens the {nth} site with {card}.")
        return text.format(name=names[actor], nth=nth, card=with_article(number))
    if action >= 0 and kind == rules.PLACE:
        text = _("{name} places the {number} on the {target}.")
        return text.format(name=names[actor], number=number, target=_target(before, number))
    # A log that named the card would show the reserve to its owner. Only who sees the deck, in the
    # replay of a match, reads it.
    card = with_article(number) if action >= 0 and before["deck"] else _("a card")
    return _("{name} hides {card}.").format(name=names[actor], card=card)


def _tell_round(before: Any, after: Any, actor: int, names: Sequence[str]) -> str:
    nth = _(ORDINALS[rules.sites_to_end(before) - 1])
    text = _("The {nth} site ends round {round}: {results}.")
    if actor < 0:
        text = _("The deck is empty, which ends round {round}: {results}.")
    results = []
    for seat in range(before["players"]):
        total = int(after["totals"][seat])
        points = total - int(before["totals"][seat])
        result = _("{name} {points} (now {total})")
        results.append(result.format(name=names[seat], points=signed(points), total=total))
    return text.format(nth=nth, round=int(after["rounds"]), results=", ".join(results))


def _points_line(state: Any) -> str:
    points = tuple(int(p) for p in state["points"])
    lost = " (reconstructed)" if points == RECONSTRUCTED else ""
    parts = []
    for value, run in groupby(range(rules.NUMBERS), key=points.__getitem__):
        numbers = list(run)
        first, last = numbers[0], numbers[-1]
        parts.append(f"{first}={value}" if first == last else f"{first}-{last}={value}")
    return f"Card points{lost}: {'  '.join(parts)}"


def _site_lines(state: Any) -> list[str]:
    end = ORDINALS[rules.sites_to_end(state) - 1]
    lines = [f"Sites, oldest first (the {end} ends the round):"]
    for nth, site in zip(ORDINALS, state["sites"], strict=True):
        if site:
            top, *under = members(int(site))
            covers = f"  on {' '.join(str(n) for n in under)}" if under else ""
            lines.append(f"  {nth} site shows {top:2}{covers}")
    return lines if len(lines) > 1 else [*lines, "  none yet"]


def _seat_lines(state: Any, seat: int, viewer: int) -> list[str]:
    you = "(you)" if seat == viewer else ""
    line = (
        f"Seat {seat} {you:5}  {state['totals'][seat]:6} points  "
        f"{state['hand_sizes'][seat]} in hand  {state['reserve_sizes'][seat]:2} in reserve"
    )
    hand = cards(state["hands"][seat]) if viewer in (seat, -1) else []
    if hand:
        line += f"  hand: {' '.join(str(n) for n in hand)}"
    if not rules.is_scored(state):
        return [line]
    return [line, *wrap(_scored(state, seat), WIDTH, initial_indent="  ", subsequent_indent="    ")]


def _scored(state: Any, seat: int) -> str:
    """The last round's reserve and its points, number by number, when it has been scored."""
    reserve = cards(state["reserves"][seat])
    if not reserve:
        return "reserve: empty"
    parts = []
    for number in sorted(set(reserve)):
        count = reserve.count(number)
        times = f"{count} x " if count > 1 else ""
        parts.append(f"{times}{number} ({signed(count * worth(state, number))})")
    total = sum(worth(state, number) for number in reserve)
    return f"reserve: {', '.join(parts)}; together {signed(total)}"


def _expected(state: Any, viewer: int) -> str:
    phase, seat = state["phase"], int(state["seat"])
    if phase == rules.OVER:
        names = [f"Seat {s}" for s in range(state["players"])]
        return "\n".join(wrap(f"The match is over. {verdict(state, names)}", WIDTH))
    if phase == rules.MOVE:
        who = f"You (seat {seat}) are" if seat == viewer else f"Seat {seat} is"
        return f"{who} to move: create a site, place a card on a site, or hide a card."
    if phase == rules.SITE:
        return "The dealer is to open the first site."
    if rules.is_scored(state):
        return f"Round {round_number(state)} is over. Seat {seat} is to be dealt a card."
    return f"Seat {seat} is to {'be dealt' if phase == rules.DEAL else 'draw'} a card."


WORDS = Words(
    turn_rule="DS2",
    end_rule="DS10",
    actions=actions,
    outcomes=outcomes,
    why=why,
    why_not_dealt=why_not_dealt,
    label=label,
    tell=tell,
    tell_turn=tell_turn,
    explain=explain,
    verdict=verdict,
    draw=draw,
)
