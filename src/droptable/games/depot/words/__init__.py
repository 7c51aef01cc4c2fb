"""Depot in words: tokens, reasons, sentences and a drawing in text."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from droptable.core.language import _, ngettext
from droptable.core.words import Words
from droptable.games.depot import rules
from droptable.games.depot.rules.piles import NUMBERS, cards_in, numbers_in
from droptable.games.depot.words.cards import a_card, cards, cards_of_play, strength, taken_cards
from droptable.games.depot.words.explain import explain
from droptable.games.depot.words.log import tell, tell_turn, verdict

WIDTH = 96  # of the drawing


def actions(options: dict[str, Any]) -> tuple[str, ...]:
    plays = tuple(f"play {' '.join(map(str, play))}" for play in rules.PLAYS)
    return (*plays, *_with_numbers("take", "give"), "keep", "pass")


def outcomes(options: dict[str, Any]) -> tuple[str, ...]:
    return _with_numbers("deal", "store")


def why(state: Any, seat: int, action: int) -> tuple[str, str]:
    if state["phase"] == rules.GIVE:
        return _why_no_gift(state, seat, action)
    if action < rules.TAKE:
        return _why_no_play(state, seat, action)
    if state["table"] == rules.NO_PLAY:
        return "DP2", _("you start the round, so you have to play")
    if rules.GIVE_CARD <= action < rules.PASS:
        text = _("take a number from the Storage first: only then you give a card or keep all")
        return "DP6", text
    if numbers_in(state["storage"]) == 0:
        return "DP7", _("the Storage is empty, there is nothing to take: pass")
    if action == rules.PASS:
        return "DP7", _("there are cards in the Storage: to pass, take one of its numbers")
    text = _("there is no {number} in the Storage")
    return "DP6", text.format(number=action - rules.TAKE + 1)


def why_not_dealt(state: Any, outcome: int) -> tuple[str, str]:
    number = outcome % rules.STORE + 1
    if state["phase"] == rules.DEAL and outcome >= rules.STORE:
        return "DP1", f"the hands come first: seat {state['seat']} is to be dealt a card"
    if state["phase"] == rules.FILL and outcome < rules.STORE:
        return "DP1", "all hands are dealt: the card is for the Storage"
    if state["deck_size"] == 0:
        return "DP7", f"there is no {number} among the discards, which become the deck"
    return "DP1", f"there is no {number} left in the deck"


def label(state: Any, seat: int, action: int) -> str:
    if action < rules.TAKE:
        play = rules.PLAYS[action]
        text = _("Play {cards}")
        if len(play) == state["hand_size"][seat]:
            text = ngettext(
                "Play {cards}, your last card", "Play {cards}, your last cards", len(play)
            )
        return text.format(cards=cards_of_play(play))
    if action < rules.GIVE_CARD:
        taken = taken_cards(state, action - rules.TAKE)
        return _("Pass and take {cards} from the Storage").format(cards=taken)
    if action < rules.KEEP:
        given = a_card(action - rules.GIVE_CARD + 1)
        return _("Put {card} into the Storage").format(card=given)
    return _("Keep all") if action == rules.KEEP else _("Pass")


def draw(state: Any, viewer: int) -> str:
    """The Storage and the play to beat, a table of all cards by number, and what is expected."""
    lines = [
        _headline(state),
        _row("Number", range(1, NUMBERS + 1)),
        *_pile_rows(state),
        *(_seat_row(state, seat, viewer) for seat in range(state["players"])),
        *_play_lines(state),
        *wrap(_expected(state, viewer), WIDTH),
    ]
    return "\n".join(lines)


def _with_numbers(*words: str) -> tuple[str, ...]:
    return tuple(f"{word} {number}" for word in words for number in range(1, NUMBERS + 1))


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


# -- reasons --------------------------------------------------------------------------------------


def _why_no_gift(state: Any, seat: int, action: int) -> tuple[str, str]:
    taken = int(state["taken"]) + 1
    if not rules.GIVE_CARD <= action < rules.KEEP:
        text = _("you have taken {number}s: now give a card to the Storage, or keep all")
        return "DP6", text.format(number=taken)
    number = action - rules.GIVE_CARD + 1
    text = _("you have no {number} in your hand")
    if number == taken:
        text = _("you have just taken {number}s: the card you give needs another number")
    return "DP6", text.format(number=number)


def _why_no_play(state: Any, seat: int, play: int) -> tuple[str, str]:
    wanted = rules.PLAYS[play]
    for number in dict.fromkeys(wanted):
        held = int(state["hands"][seat, number - 1])
        if held == 0:
            return "DP3", _("you have no {number} in your hand").format(number=number)
        if held < wanted.count(number):
            text = _("you have only {cards} of the number {number}")
            return "DP3", text.format(cards=cards(held), number=number)
    most, longest = rules.largest_set(state), rules.longest_run(state)
    if rules.EACH[play] > most:
        if most == 1:
            return "DP3", _("no number is in the Storage twice, so equal cards cannot be played")
        text = ngettext(
            "the Storage allows at most {most} equal card: it has no number more often",
            "the Storage allows at most {most} equal cards: it has no number more often",
            most,
        )
        return "DP3", text.format(most=most)
    if rules.HIGH[play] > rules.LOW[play] and len(wanted) > longest:
        if longest < 2:
            return "DP3", _("the Storage has no consecutive numbers, so runs cannot be played")
        text = ngettext(
            "the Storage allows runs of at most {most} card: it has no longer one",
            "the Storage allows runs of at most {most} cards: it has no longer one",
            longest,
        )
        return "DP3", text.format(most=longest)
    table = rules.PLAYS[int(state["table"])]
    text = _("{play} does not beat {table}")
    return "DP4", text.format(play=strength(wanted), table=strength(table))


# -- the drawing ----------------------------------------------------------------------------------


def _headline(state: Any) -> str:
    line = f"Turn {state['turn'] + 1} of at most {state['turn_limit']}"
    if state["phase"] == rules.OVER:
        line = f"{_counted(state['turn'], 'turn')}"
    if state["games"] > 1:
        line = f"Game {state['game'] + 1} of {state['games']}. {line}"
    return f"{line}. Deck: {_counted(state['deck_size'], 'card')}."


def _row(title: str, pile: Any, note: str = "") -> str:
    counts = "".join(f"{count or '.':>3}" for count in pile)
    return f"{title:12}{counts}  {note}".rstrip()


def _pile_rows(state: Any) -> list[str]:
    size = cards_in(state["storage"])
    note = _counted(size, "card")
    if size < state["set_size"] and state["phase"] != rules.OVER:
        note += f", {state['set_size'] - size} short"
    rows = [
        _row("Storage", state["storage"], note),
        _row("Discards", state["discards"], _counted(cards_in(state["discards"]), "card")),
    ]
    if state["deck_open"]:
        rows.append(_row("Deck", state["deck"], "made of the discards, so all know it"))
    if numbers_in(state["out"]):
        rows.append(_row("Lost points", state["out"], "cards that lie before seats"))
    return rows


def _seat_row(state: Any, seat: int, viewer: int) -> str:
    title = f"Seat {seat} (you)" if seat == viewer else f"Seat {seat}"
    size, hand = int(state["hand_size"][seat]), state["hands"][seat]
    note = _counted(size, "card")
    if cards_in(hand) < size:  # a hand that is not shown
        hand = state["known"][seat]
        unseen = size - cards_in(hand)
        note += f", {unseen} unseen" if unseen else ""
    if state["games"] > 1:
        note += f", {_counted(state['lost'][seat], 'lost point')}"
    return _row(title, hand, note)


def _play_lines(state: Any) -> list[str]:
    """What is to be beaten and, when a seat is to play, what the Storage allows (DP3)."""
    lines = []
    if state["table"] != rules.NO_PLAY:
        play = rules.PLAYS[int(state["table"])]
        lines.append(f"On the table: {strength(play)}, played by seat {state['last']}.")
    if state["phase"] == rules.TURN:
        most, longest = rules.largest_set(state), rules.longest_run(state)
        sets = f"up to {most} equal cards" if most > 1 else "no equal cards"
        runs = f"runs of up to {longest}" if longest > 1 else "no runs"
        lines.append(f"The Storage allows single cards, {sets} and {runs}.")
    return lines


def _expected(state: Any, viewer: int) -> str:
    phase, seat = state["phase"], int(state["seat"])
    if phase == rules.OVER:
        names = [f"Seat {s}" for s in range(state["players"])]
        return f"The match is over. {verdict(state, names)}"
    if phase == rules.DEAL:
        return f"Seat {seat} is to be dealt a card."
    if phase == rules.FILL:
        return "The Storage is to get a card."
    if phase == rules.GIVE:
        who = f"You (seat {seat}) have" if seat == viewer else f"Seat {seat} has"
        return f"{who} taken {state['taken'] + 1}s: give a card of another number, or keep all."
    who = f"You (seat {seat}) are" if seat == viewer else f"Seat {seat} is"
    if state["table"] == rules.NO_PLAY:
        return f"{who} to start the round with a play."
    instead = "take a number from the Storage" if numbers_in(state["storage"]) else "pass"
    return f"{who} to move: beat the play on the table, or {instead}."


WORDS = Words(
    turn_rule="DP2",
    end_rule="DP10",
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
