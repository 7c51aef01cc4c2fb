"""Drop. in words: tokens, reasons, sentences and a drawing in text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from droptable.core.language import N_, _, counted, ngettext
from droptable.core.scene import Step
from droptable.core.words import Words
from droptable.games.drop import rules
from droptable.games.drop.words.explain import explain
from droptable.games.drop.words.notation import cell_name

COLOURS = ("black", "white")  # in seat order
TAKEN = (
    N_("there is a black stone on {cell} already"),
    N_("there is a white stone on {cell} already"),
    N_("the dud stands on {cell} already"),
)
MARKS = ("b", "w", "D")
FREE, FREE_RING = ".", "-"
LEGEND = "b black, w white, D dud, . free cell, - free cell of the outer ring (DR2)"

MARGIN = 18  # characters at the left of the drawing, for the titles of the rows
PITCH = 4  # characters from a cell to the next in its row


def actions(options: dict[str, Any]) -> tuple[str, ...]:
    return _tokens(options["size"])


def why(state: Any, seat: int, action: int) -> tuple[str, str]:
    size = int(state["size"])
    q, r = rules.cells(size)[action]
    if _in_ring(size, q, r):
        text = _("{cell} is in the outer ring: stones get there only by being pushed")
    else:
        text = _(TAKEN[_piece_at(state, q, r)])
    return "DR2", text.format(cell=cell_name(size, (q, r)))


def label(state: Any, seat: int, action: int) -> str:
    pushed, squeezed = _effects(state, seat, action)
    effects = [_("pushes {count}").format(count=pushed)] if pushed else []
    if any(squeezed):
        effects.append(_("squeezes {stones}").format(stones=_by_colour(squeezed)))
    what = f": {', '.join(effects)}" if effects else ""
    return _("Place a stone on {cell}").format(cell=_name(state, action)) + what


def tell(before: Any, after: Any, actor: int, action: int, names: Sequence[str]) -> str:
    pushed, squeezed = _effects(before, actor, action)
    text = _("{name} places a stone on {cell}.")
    if pushed:
        text = _("{name} places a stone on {cell} and pushes {count}.")
    told = text.format(name=names[actor], cell=_name(before, action), count=pushed)
    lost = [f"{part}." for part in _squeezed(squeezed)]
    return " ".join([told, *lost])


def tell_turn(steps: Sequence[Step], names: Sequence[str]) -> str:
    """`Anna places c4 and e6; 2 white stones are squeezed.`"""
    cells = [_name(step.before, step.action) for step in steps]
    text = _("{name} places {cell}")
    if len(cells) > 1:
        text = _("{name} places {cells} and {cell}")
    *others, last = cells
    told = text.format(name=names[steps[0].actor], cells=", ".join(others), cell=last)
    lost = [0, 0]
    for step in steps:
        _pushed, squeezed = _effects(step.before, step.actor, step.action)
        lost = [sum(pair) for pair in zip(lost, squeezed, strict=True)]
    return "; ".join([told, *_squeezed(lost)]) + "."


def _squeezed(counts: Sequence[int]) -> list[str]:
    """What is squeezed off the board, colour by colour."""
    black, white = counts
    told = []
    if black:
        text = ngettext(
            "{count} black stone is squeezed", "{count} black stones are squeezed", black
        )
        told.append(text.format(count=black))
    if white:
        text = ngettext(
            "{count} white stone is squeezed", "{count} white stones are squeezed", white
        )
        told.append(text.format(count=white))
    return told


def verdict(state: Any, names: Sequence[str]) -> str:
    black, white = (rules.largest_group(state, seat) for seat in range(rules.SEATS))
    if black == white:
        text = _("{name} and {other} draw with a largest group of {size} each.")
        result = text.format(name=names[0], other=names[1], size=black)
    else:
        text = _("{name} wins with a largest group of {size} against {other}.")
        winner = names[0] if black > white else names[1]
        result = text.format(name=winner, size=max(black, white), other=min(black, white))
    if not state["left"].any():
        return result
    return result + " " + _("There was no cell left to place on.")


def draw(state: Any, viewer: int) -> str:
    """The board from above, row by row, and whose turn it is.

    A row is all cells of one r. The cells of one q lie on a line that slants down to the right; its
    number stands at its upper end, or at its lower one.
    """
    size = int(state["size"])
    axis = range(1 - size, size)
    upper, lower = axis[size - 1 :], axis[:size]
    lines = [
        _slanted(size, -size, {q: str(q) for q in upper}, "q, slanting"),
        _slanted(size, -size + 0.5, dict.fromkeys(upper, "\\"), ""),
    ]
    for r in axis:
        row = [q for q in axis if abs(q + r) < size]
        title = f"r {r}, q {row[0]} to {row[-1]}:"
        lines.append(_slanted(size, r, {q: _mark(state, q, r) for q in row}, title))
    lines.append(_slanted(size, size - 0.5, dict.fromkeys(lower, "\\"), ""))
    lines.append(_slanted(size, size, {q: str(q) for q in lower}, "q, slanting"))
    lines.append(LEGEND)
    lines.append(
        f"In sentences 0,0 is called {cell_name(size, (0, 0))}, 1,0 "
        f"{cell_name(size, (1, 0))} and 0,1 {cell_name(size, (0, 1))}"
    )
    black, white = (rules.largest_group(state, seat) for seat in range(rules.SEATS))
    lines.append(f"Largest groups: black {black}, white {white}")
    left = f"pieces left: black {state['left'][0]}, white {state['left'][1]}"
    lines.append(f"{_turn(state, viewer)}; {left}")
    return "\n".join(lines)


def _turn(state: Any, viewer: int) -> str:
    if not rules.to_act(state):
        return "The match is over"
    seat = rules.seat_to_place(state)
    you = " (you)" if seat == viewer else ""
    left = placements_left(state)
    placements = "1 placement" if left == 1 else f"{left} placements"
    return f"Seat {seat}{you}, {COLOURS[seat]}, has {placements} left in this turn"


def _slanted(size: int, r: float, marks: dict[int, str], title: str) -> str:
    """A line of the drawing: marks by their q, half a cell further right with each r."""
    line = title
    for q, mark in marks.items():
        column = MARGIN + round(PITCH * (q + size + r / 2))
        line = line.ljust(column - len(mark)) + mark  # numbers end where their line begins
    return line


def _mark(state: Any, q: int, r: int) -> str:
    piece = _piece_at(state, q, r)
    if piece >= 0:
        return MARKS[piece]
    return FREE_RING if _in_ring(int(state["size"]), q, r) else FREE


def placements_left(state: Any) -> int:
    """DR1: two in a turn, but one in the first and when there is one piece left."""
    first_of_two = rules.placed(state) % 2 == 1
    return min(2 if first_of_two else 1, int(state["left"][rules.seat_to_place(state)]))


def _effects(state: Any, seat: int, action: int) -> tuple[int, list[int]]:
    """How many pieces a placement pushes, and how many of each colour it squeezes."""
    after = plain_copy(state)
    pushed = rules.place(after, seat, action)
    before = [_count(after, colour) for colour in range(rules.SEATS)]
    rules.take_squeezed(after)
    return pushed, [before[colour] - _count(after, colour) for colour in range(rules.SEATS)]


def plain_copy(state: Any) -> dict[str, Any]:
    """A record as plain numbers: rules run on them too, and faster than on NumPy's."""
    return {name: state[name].tolist() for name in state.dtype.names}


def _count(state: Any, colour: int) -> int:
    shift = colour * rules.PLANE
    return sum(((int(row) >> shift) & rules.ONE_PLANE).bit_count() for row in state["rows"])


def _by_colour(counts: Sequence[int]) -> str:
    """`2 black and 1 white`."""
    black, white = counts
    said = (  # the same in English, but not everywhere
        counted("{count} black", "{count} black", black) if black else "",
        counted("{count} white", "{count} white", white) if white else "",
    )
    return _(" and ").join(filter(None, said))


def _piece_at(state: Any, q: int, r: int) -> int:
    """The kind of piece that stands there, or -1."""
    size = int(state["size"])
    cell = int(state["rows"][r + size]) >> (q + size)
    for kind in range(len(MARKS)):
        if (cell >> kind * rules.PLANE) & 1:
            return kind
    return -1


def _in_ring(size: int, q: int, r: int) -> bool:
    return max(abs(q), abs(r), abs(q + r)) == size - 1


def _name(state: Any, action: int) -> str:
    size = int(state["size"])
    return cell_name(size, rules.cells(size)[action])


@cache
def _tokens(size: int) -> tuple[str, ...]:
    return tuple(f"{q},{r}" for q, r in rules.cells(size))


WORDS = Words(
    turn_rule="DR1",
    end_rule="DR6",
    actions=actions,
    why=why,
    label=label,
    tell=tell,
    tell_turn=tell_turn,
    explain=explain,
    verdict=verdict,
    draw=draw,
    sides=COLOURS,
    unit="pieces",
)
