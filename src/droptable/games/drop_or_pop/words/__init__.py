"""Drop or Pop! in words: tokens, reasons, sentences and a drawing in text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from droptable.core.bits import count_bits
from droptable.core.language import N_, _, ngettext
from droptable.core.words import Words
from droptable.games.drop_or_pop import rules
from droptable.games.drop_or_pop.words.explain import explain

# Of columns and, in seat order, of counters.
COLOURS = (N_("red"), N_("blue"), N_("yellow"), N_("green"))


def actions(options: dict[str, Any]) -> tuple[str, ...]:
    return ("drop", "pop", "ignore", "pass")


def outcomes(options: dict[str, Any]) -> tuple[str, ...]:
    return COLOURS


def tube_name(column: int) -> str:
    """The colour of a tube, in words."""
    return _(COLOURS[column])


def why(state: Any, seat: int, action: int) -> tuple[str, str]:
    tube = tube_name(int(state["column"]))
    if action == rules.DROP:
        if rules.column_is_full(state):
            return "OP2", _("the {tube} tube is full").format(tube=tube)
        text = ngettext(
            "your {count} counter is on the board",
            "all {count} of your counters are on the board",
            rules.COUNTERS,
        )
        return "OP2", text.format(count=rules.COUNTERS)
    if action == rules.POP:
        text = _("the {tube} tube is empty: there is nothing to pop")
        return "OP3", text.format(tube=tube)
    if action == rules.IGNORE:
        return "OP4", _("only the first colour of a turn can be ignored")
    if not state["ignored"]:
        return "OP5", _("a turn can only be passed on its second colour: ignore this one instead")
    return "OP5", _("you have to drop or pop while one of them is possible")


def label(state: Any, seat: int, action: int) -> str:
    column = int(state["column"])
    tube = tube_name(column)
    if action == rules.DROP:
        row = count_bits(rules.occupied(state) >> (8 * column) & 0xFF) + 1
        return _("Drop into the {tube} tube, row {row}").format(tube=tube, row=row)
    if action == rules.POP:
        if owner_of(state, column, 0) == seat:
            return _("Pop your own counter out of the {tube} tube").format(tube=tube)
        owner = _(COLOURS[owner_of(state, column, 0)])
        return _("Pop the {owner} counter out of the {tube} tube").format(owner=owner, tube=tube)
    if action == rules.IGNORE:
        return _("Ignore {tube}").format(tube=tube)
    return _("Pass")


def tell(before: Any, after: Any, actor: int, action: int, names: Sequence[str]) -> str:
    if actor < 0:
        text = (
            _("{name} draws {column} instead.")
            if before["ignored"]
            else _("{name} draws {column}.")
        )
        return text.format(name=names[before["seat"]], column=tube_name(action))
    column = int(before["column"])
    name, tube = names[actor], tube_name(column)
    if action == rules.DROP:
        row = count_bits(rules.occupied(before) >> (8 * column) & 0xFF) + 1
        return _("{name} drops a counter into the {tube} tube, row {row}.").format(
            name=name, tube=tube, row=row
        )
    if action == rules.POP:
        owner = owner_of(before, column, 0)
        text = _("{name} pops a counter of {owner} out of the {tube} tube.")
        if owner == actor:
            text = _("{name} pops one of their own counters out of the {tube} tube.")
        return text.format(name=name, owner=names[owner], tube=tube)
    text = _("{name} can neither drop nor pop in the {tube} tube and has to pass.")
    if action == rules.IGNORE:
        text = _("{name} ignores {tube}.")
        if not rules.can_drop(before, actor) and not rules.can_pop(before):
            text = _("{name} can neither drop nor pop in the {tube} tube: a second colour.")
    return text.format(name=name, tube=tube)


def verdict(state: Any, names: Sequence[str]) -> str:
    sizes = [rules.group_size(int(cells)) for cells in state["counters"]]
    won = [seat for seat in range(state["players"]) if state["won"] >> seat & 1]
    best = max(sizes)
    if best < rules.TO_WIN:
        text = ngettext(
            "A draw of all: no group of four in {turns} turn.",
            "A draw of all: no group of four in {turns} turns.",
            state["turn_limit"],
        )
        return text.format(turns=int(state["turn_limit"]))
    who = _listed([names[seat] for seat in won])
    epic = best >= rules.EPIC  # OP7
    if len(won) > 1:
        text = _("{names} draw with a group of {size} each.")
        if epic:
            text = _("{names} draw with an epic group of {size} each.")
        return text.format(names=who, size=best)
    text = (
        _("{name} wins with an epic group of {size}.")
        if epic
        else _("{name} wins with a group of {size}.")
    )
    return text.format(name=who, size=best)


def _listed(names: Sequence[str]) -> str:
    """`Anna, Ben and Cleo`."""
    *others, last = names
    return _(" and ").join([", ".join(others), last]) if others else last


def draw(state: Any, viewer: int) -> str:
    """The board from above, a letter a counter (R B Y G), and whose turn it is."""
    lines = ["       " + " ".join(f"{name:^6}" for name in COLOURS)]
    for row in reversed(range(rules.rows(state))):
        cells = " ".join(f"{_letter(state, column, row):^6}" for column in range(rules.COLUMNS))
        lines.append(f"row {row + 1}  {cells}".rstrip())
    for seat in range(state["players"]):
        left = rules.COUNTERS - count_bits(int(state["counters"][seat]))
        you = " (you)" if seat == viewer else ""
        size = rules.group_size(int(state["counters"][seat]))
        lines.append(f"Seat {seat}{you}, {COLOURS[seat]}: {left} in hand, largest group {size}")
    if not state["won"]:
        turn = f"Turn {state['turn'] + 1}: seat {state['seat']}"
        if state["column"] != rules.NO_COLUMN:
            nth = "second" if state["ignored"] else "first"
            turn += f", {nth} colour: {COLOURS[state['column']]}"
        lines.append(turn)
    return "\n".join(lines)


def owner_of(state: Any, column: int, row: int) -> int:
    """The seat whose counter lies there, or -1."""
    for seat in range(state["players"]):
        if int(state["counters"][seat]) >> (8 * column + row) & 1:
            return seat
    return -1


def _letter(state: Any, column: int, row: int) -> str:
    owner = owner_of(state, column, row)
    return "." if owner < 0 else COLOURS[owner][0].upper()


WORDS = Words(
    turn_rule="OP1",
    end_rule="OP6",
    actions=actions,
    outcomes=outcomes,
    why=why,
    label=label,
    tell=tell,
    explain=explain,
    verdict=verdict,
    draw=draw,
)
