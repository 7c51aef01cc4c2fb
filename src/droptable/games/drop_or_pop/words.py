"""Drop or Pop! in words: tokens, reasons, sentences and a drawing in text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from droptable.core.bits import count_bits
from droptable.games.drop_or_pop import rules

COLOURS = ("red", "blue", "yellow", "green")  # of columns and, in seat order, of counters
TURN_RULE, END_RULE = "OP1", "OP6"


def actions(options: dict[str, Any]) -> tuple[str, ...]:
    return ("drop", "pop", "ignore", "pass")


def outcomes(options: dict[str, Any]) -> tuple[str, ...]:
    return COLOURS


def why(state: Any, seat: int, action: int) -> tuple[str, str]:
    column = COLOURS[state["column"]]
    if action == rules.DROP:
        if rules.column_is_full(state):
            return "OP2", f"the {column} column is full"
        return "OP2", f"all {rules.COUNTERS} of your counters are on the board"
    if action == rules.POP:
        return "OP3", f"the {column} column is empty: there is nothing to pop"
    if action == rules.IGNORE:
        return "OP4", "only the first colour of a turn can be ignored"
    if not state["ignored"]:
        return "OP5", "a turn can only be passed on its second colour: ignore this one instead"
    return "OP5", "you have to drop or pop while one of them is possible"


def why_not_dealt(state: Any, outcome: int) -> tuple[str, str]:
    raise AssertionError("every colour can be drawn at any time")


def label(state: Any, seat: int, action: int) -> str:
    column = COLOURS[state["column"]]
    if action == rules.DROP:
        return f"Drop a counter into the {column} column"
    if action == rules.POP:
        owner = COLOURS[_owner(state, int(state["column"]), 0)]
        return f"Pop the {owner} counter out of the {column} column"
    return "Ignore this colour and draw another" if action == rules.IGNORE else "Pass"


def tell(before: Any, after: Any, actor: int, action: int, names: Sequence[str]) -> str:
    if actor < 0:
        again = " instead" if before["ignored"] else ""
        return f"{names[before['seat']]} draws {COLOURS[action]}{again}."
    name, column = names[actor], COLOURS[before["column"]]
    if action == rules.DROP:
        return f"{name} drops a counter into the {column} column."
    if action == rules.POP:
        owner = names[_owner(before, int(before["column"]), 0)]
        whose = "an own counter" if owner == name else f"a counter of {owner}"
        return f"{name} pops {whose} out of the {column} column."
    return f"{name} ignores {column}." if action == rules.IGNORE else f"{name} has to pass."


def verdict(state: Any, names: Sequence[str]) -> str:
    sizes = [rules.group_size(int(cells)) for cells in state["counters"]]
    won = [seat for seat in range(state["players"]) if state["won"] >> seat & 1]
    best = max(sizes)
    if best < rules.TO_WIN:
        return f"A draw of all: no group of four in {state['turn_limit']} turns (OP8)."
    who = " and ".join(names[seat] for seat in won)
    epic = "an epic " if best >= rules.EPIC else "a "  # OP7
    if len(won) > 1:
        return f"{who} draw with {epic}group of {best} each."
    return f"{who} wins with {epic}group of {best}."


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


def _owner(state: Any, column: int, row: int) -> int:
    """The seat whose counter lies there, or -1."""
    for seat in range(state["players"]):
        if int(state["counters"][seat]) >> (8 * column + row) & 1:
            return seat
    return -1


def _letter(state: Any, column: int, row: int) -> str:
    owner = _owner(state, column, row)
    return "." if owner < 0 else COLOURS[owner][0].upper()
