"""What happens in Depot, in sentences: event by event, turn by turn, and its results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from droptable.core.bits import members
from droptable.core.language import _, ngettext
from droptable.core.scene import Step
from droptable.games.depot import rules
from droptable.games.depot.words.cards import (
    a_card,
    and_,
    cards,
    cards_of_play,
    lost_points,
    spaced,
    taken_cards,
)

Names = Sequence[str]


def tell(before: Any, after: Any, actor: int, action: int, names: Names) -> str:
    """One event."""
    if actor < 0:
        text = _tell_dealt(before, action, names)
    else:
        text = _tell_moved(before, actor, action, names)
    if _ends_game(before, after):
        return f"{text} {_result(before, after, actor, action, names)}"
    if after["set_size"] > before["set_size"]:
        return f"{text} {ended_round(after, names)}"
    return text


def tell_turn(steps: Sequence[Step], names: Names) -> str:
    """The events of one actor in a row: a turn, a deal, or the filling of the Storage."""
    if steps[0].actor < 0:
        sentences = [*_tell_deal(steps), *_tell_filling(steps, names)]
    else:
        sentences = list(_tell_moves(steps, names))
    last = steps[-1]
    if _ends_game(last.before, last.after):
        sentences.append(_result(last.before, last.after, last.actor, last.action, names))
    elif last.actor >= 0 and last.after["set_size"] > last.before["set_size"]:
        sentences.append(ended_round(last.after, names))
    return " ".join(sentences)


def _ends_game(before: Any, after: Any) -> bool:
    over = after["phase"] == rules.OVER and before["phase"] != rules.OVER
    return bool(over or after["game"] > before["game"])


# -- the dealer -----------------------------------------------------------------------------------


def _tell_dealt(before: Any, action: int, names: Names) -> str:
    card = _("a card") if action < 0 else a_card(action % rules.STORE + 1)
    if before["phase"] == rules.DEAL:
        return _("{name} is dealt {card}.").format(name=names[before["seat"]], card=card)
    text = _("The Storage gets {card}.").format(card=card)
    return f"{reshuffled()} {text}" if before["deck_size"] == 0 else text  # DP7


def reshuffled() -> str:
    return _("The deck is empty: the discards become the deck.")


def dealt_hands(view: Any) -> str:
    """The hands of a game are dealt."""
    size = int(view["hand_size"][0])
    text = ngettext("Everybody is dealt {count} card.", "Everybody is dealt {count} cards.", size)
    if view["games"] > 1:
        text = ngettext(
            "Game {game}: everybody is dealt {count} card.",
            "Game {game}: everybody is dealt {count} cards.",
            size,
        )
    return text.format(game=int(view["game"]) + 1, count=size)


def _tell_deal(steps: Sequence[Step]) -> Iterable[str]:
    """DP1: the hands, and the first cards of the Storage."""
    dealt = [step for step in steps if step.before["phase"] == rules.DEAL]
    if not dealt:
        return
    after = dealt[-1].after
    if after["phase"] == rules.DEAL:
        yield _("The cards are being dealt.")
        return
    yield dealt_hands(after)
    filled = _stored(steps)
    if filled:
        yield _("The Storage gets {cards}.").format(cards=spaced(sorted(filled)))


def _tell_filling(steps: Sequence[Step], names: Names) -> Iterable[str]:
    """DP6, DP9: the Storage is filled after a pass, and again when a round has ended."""
    if steps[0].before["phase"] == rules.DEAL:
        return
    if any(step.before["deck_size"] == 0 for step in steps):
        yield reshuffled()
    grown = [i for i, s in enumerate(steps, 1) if s.after["set_size"] > s.before["set_size"]]
    end = grown[0] if grown else len(steps)
    yield _("The Storage is refilled: {cards}.").format(cards=spaced(_stored(steps[:end])))
    if grown:
        yield ended_round(steps[end - 1].after, names)
    if end < len(steps):
        yield _("It gets {cards}.").format(cards=spaced(_stored(steps[end:])))


def _stored(steps: Iterable[Step]) -> list[int]:
    return [step.action % rules.STORE + 1 for step in steps if step.before["phase"] == rules.FILL]


def ended_round(after: Any, names: Names) -> str:
    """DP9: who has won a round, and how the Storage grows."""
    text = _("{name} takes the round; the Storage grows to {size}.")
    return text.format(name=names[after["seat"]], size=int(after["set_size"]))


# -- seats ----------------------------------------------------------------------------------------


def _tell_moved(before: Any, actor: int, action: int, names: Names) -> str:
    name = names[actor]
    if action < rules.TAKE:
        play = rules.PLAYS[action]
        text = _("{name} plays {cards}.")
        if _empties_hand(before, actor, action):
            text = ngettext(
                "{name} plays {cards}, the last card.",
                "{name} plays {cards}, the last cards.",
                len(play),
            )
        return text.format(name=name, cards=cards_of_play(play))
    if action < rules.GIVE_CARD:
        text = _("{name} passes and takes {cards} from the Storage.")
        return text.format(name=name, cards=taken_cards(before, action - rules.TAKE))
    if action < rules.KEEP:
        text = _("{name} gives {card} to the Storage.")
        return text.format(name=name, card=a_card(action - rules.GIVE_CARD + 1))
    text = _("{name} keeps all cards.") if action == rules.KEEP else _("{name} passes.")
    return text.format(name=name)


def _tell_moves(steps: Sequence[Step], names: Names) -> Iterable[str]:
    """Sentences about moves; what was taken and what was given for it are one."""
    left = list(steps)
    while left:
        step = left.pop(0)
        taken = step.action - rules.TAKE
        if not (0 <= taken < rules.GIVE_CARD - rules.TAKE and left):
            yield _tell_moved(step.before, step.actor, step.action, names)
            continue
        answer = left.pop(0).action
        text = _("{name} takes {cards} from the Storage and keeps all cards.")
        if answer < rules.KEEP:
            text = _("{name} takes {cards} from the Storage and gives {card}.")
        count = int(step.before["storage"][taken])
        cards_ = a_card(taken + 1) if count == 1 else spaced([taken + 1] * count)
        given = a_card(answer - rules.GIVE_CARD + 1)
        yield text.format(name=names[step.actor], cards=cards_, card=given)


def _empties_hand(before: Any, actor: int, action: int) -> bool:
    return bool(0 <= action < rules.TAKE and before["hand_size"][actor] == rules.SIZE[action])


# -- results --------------------------------------------------------------------------------------


def winner_of_game(game: Any, names: Names) -> str:
    """Who has won a game that has just ended, as far as hands tell it."""
    number, last = int(game["game"]) + 1, int(game["last"])
    if game["hand_size"][last] == 0:
        return _("{name} wins game {game}").format(name=names[last], game=number)
    return _("Game {game} has ended").format(game=number)


def winner_of_match(seats: Sequence[int], names: Names) -> str:
    """Who has won a match of several games."""
    who = and_([names[seat] for seat in seats])
    text = _("{name} wins the match") if len(seats) == 1 else _("{name} share the victory")
    return text.format(name=who)


def game_over(before: Any, after: Any, actor: int, action: int, names: Names) -> str:
    """The last move of a game, and that it was the last."""
    text = "" if actor < 0 else _tell_moved(before, actor, action, names)
    if after["games"] == 1:
        return f"{text} {verdict(after, names)}".strip()
    return f"{text} {_ended(before, after, actor, action)}".strip()


def _ended(before: Any, after: Any, actor: int, action: int) -> str:
    end = _("Game {game} is over.")
    if not _empties_hand(before, actor, action):
        end = ngettext(
            "Game {game} ends at the limit of {turns} turn.",
            "Game {game} ends at the limit of {turns} turns.",
            after["turn_limit"],
        )
    return end.format(game=int(before["game"]) + 1, turns=int(after["turn_limit"]))


def told_taker(seat: int, number: int, total: int, names: Names) -> str:
    """DP12: a seat takes a card as lost points."""
    text = ngettext(
        "{name} takes {card}: {count} lost point in all.",
        "{name} takes {card}: {count} lost points in all.",
        total,
    )
    return text.format(name=names[seat], card=a_card(number), count=total)


def counted_up(before: Any, after: Any, names: Names) -> str:
    """The lost points of all seats after a game."""
    seats = sorted(range(after["players"]), key=lambda seat: int(after["lost"][seat]))
    each = ", ".join(f"{names[seat]} {int(after['lost'][seat])}" for seat in seats)
    text = _("Lost points after game {game}: {results}.")
    return text.format(game=int(before["game"]) + 1, results=each)


def _result(before: Any, after: Any, actor: int, action: int, names: Names) -> str:
    """The end of a game, and of the match if it was the last one."""
    result = verdict(after, names) if after["phase"] == rules.OVER else ""
    if after["games"] == 1:
        return result
    lost = []
    for seat in range(after["players"]):
        number = int(after["took"][seat])
        card = a_card(number) if number else _("no card")
        text = _("{name} takes {card} ({total} in all)")
        lost.append(text.format(name=names[seat], card=card, total=int(after["lost"][seat])))
    points = _("Lost points: {results}.").format(results=", ".join(lost))
    return f"{_ended(before, after, actor, action)} {points} {result}".strip()


def verdict(state: Any, names: Sequence[str]) -> str:
    seats = members(rules.winners(state))
    who = and_([names[seat] for seat in seats])
    one = len(seats) == 1
    if state["games"] > 1:
        games = int(state["games"])
        text = ngettext(
            "{name} wins with {points} after {games} game.",
            "{name} wins with {points} after {games} games.",
            games,
        )
        if not one:
            text = ngettext(
                "{name} share the victory with {points} each after {games} game.",
                "{name} share the victory with {points} each after {games} games.",
                games,
            )
        points = lost_points(int(state["lost"][seats[0]]))
        return text.format(name=who, points=points, games=games)
    size = int(state["hand_size"][seats[0]])
    if size == 0:  # only one seat can have played its last card
        return _("{name} wins: no cards left.").format(name=who)
    limit = int(state["turn_limit"])
    text = ngettext(
        "{name} wins at the limit of {turns} turn: {cards} left{sums}.",
        "{name} wins at the limit of {turns} turns: {cards} left{sums}.",
        limit,
    )
    if not one:
        text = ngettext(
            "{name} share the victory at the limit of {turns} turn: {cards} left each{sums}.",
            "{name} share the victory at the limit of {turns} turns: {cards} left each{sums}.",
            limit,
        )
    equal = sum(state["hand_size"][seat] == size for seat in range(state["players"]))
    sums = _(", with the highest sum") if equal > len(seats) else ""
    return text.format(name=who, turns=limit, cards=cards(size), sums=sums)
