"""Number Drop to learn from: falling, wild dice, combos, and the end of a round."""

from __future__ import annotations

from droptable.core.lessons import Answer, Exercise, Lessons, Position, Shown
from droptable.core.state import State
from droptable.games.number_drop.rules import grid
from droptable.games.number_drop.rules.shapes import COLUMNS
from droptable.games.number_drop.words.notation import Cell, cells_of


def _start(column: int) -> str:
    """The tiles, and both seats' first numbers."""
    tiles = "; ".join(f"d tile {tile}" for tile in "IOTLS")
    return f"{tiles}; 0 write {column}; 1 write 4"


def _roll(dice: str, shape: str) -> str:
    return "".join(f"; d die {die}" for die in dice.split()) + f"; d shape {shape}"


def _drop(seat: int, place: str, numbers: str) -> str:
    moves = [f"at {place}", *(f"num {number}" for number in numbers.split())]
    return "".join(f"; {seat} {move}" for move in moves)


def _round(number: int, dice: str, shape: str, place: str) -> str:
    """Round 0, 1 …: both seats drop at the same place, write the dice as they come, and skip."""
    active = number % 2
    drops = _drop(0, place, dice) + _drop(1, place, dice)
    return f"{_roll(dice, shape)}{drops}; {active} skip; {1 - active} skip"


_ONE_NUMBER = Position(2, _start(4) + _roll("3 2 7 5", "O"))
_STAR_DIE = "die-1"  # the second one of that roll
_STAR = Position(2, _start(4) + _roll("3 * 4 1", "O") + "; 0 at 0 2")
_ALMOST_A_ROW = Position(2, _start(7) + _round(0, "3 2 7 5", "I", "0 1") + _roll("1 6 4 2", "O"))
_TOWER = Position(
    2,
    _start(1) + _round(0, "3 2 7 5", "I", "1 1") + _round(1, "1 6 4 2", "I", "1 1")
    + _roll("5 4 3 1", "I"),
)  # fmt: skip
_WRITTEN = (
    _start(4) + _roll("3 5 4 5", "L") + _drop(0, "0 1", "3 4 5 5") + _drop(1, "0 5", "3 5 4 5")
)
_COMBO = Position(2, _WRITTEN)
_HALF_A_COMBO = Position(2, _WRITTEN + "; 0 cell 1 1; 0 cell 2 1")

PICTURES: tuple[Shown, ...] = (
    Shown("ND3", "Four number dice and a shape: everybody drops an O with 3, 2, 7 and 5 in it.",
          _ONE_NUMBER),
    Shown("ND7", "The star can be any number from 0 to 9.", _STAR),
    Shown("ND10", "3, 4 and 5 lie side by side: a consecutive combo of three.", _COMBO),
    Shown("ND13", "The next shape on this tower may reach above the Game Over line.", _TOWER),
)  # fmt: skip


def _landing(state: State, move: str) -> tuple[set[Cell], set[Cell]]:
    """The cells that are marked before a drop, and those that it fills."""
    _at, orientation, column = move.split()
    place = int(orientation) * COLUMNS + int(column) - 1
    record = state.fields
    fallen = grid.landing(record, 0, int(record["shape"][0]), place)
    return set(cells_of(grid.marked(record, 0))), set(cells_of(fallen))


def _leaves_no_gap(state: State, move: str) -> bool:
    marked, fallen = _landing(state, move)
    return all(row == 0 or (row - 1, column) in marked | fallen for row, column in fallen)


def _fills_row_one(state: State, move: str) -> bool:
    marked, fallen = _landing(state, move)
    return all((0, column) in marked | fallen for column in range(COLUMNS))


def _ends_the_match(state: State, move: str) -> bool:
    return any(row >= grid.SAFE_ROWS for row, _column in _landing(state, move)[1])


def _is_legal(state: State, move: str) -> bool:
    return move in state.legal(0)


def _goes_on(state: State, move: str) -> bool:
    return move.startswith("cell") and _is_legal(state, move)


EXERCISES: tuple[Exercise, ...] = (
    Exercise(
        "Drop the O so that it covers no empty square.",
        "ND8",
        _ONE_NUMBER,
        tuple(Answer("Right: it falls down to the floor with both columns.", "ND8",
                     move=f"at 0 {column}") for column in (1, 2, 5, 6)),
        tuple(Answer("It comes to rest on your 1, and the square beside it stays empty for good: "
                     "a shape falls straight down.", "ND8", move=f"at 0 {column}")
              for column in (3, 4)),
        "Point at the columns where the O is to fall; it is two columns wide.",
        _leaves_no_gap,
    ),
    Exercise(
        "Fill row 1 with the O.",
        "ND13",
        _ALMOST_A_ROW,
        (Answer("Right: row 1 is full and earns 2 points at the end of the round.", "ND13",
                move="at 0 5"),),
        (Answer("There it would rest on the number in column g, one row too high.", "ND8",
                move="at 0 6"),
         Answer("There it would rest on the number in column d, one row too high.", "ND8",
                move="at 0 4")),
        "Two squares of row 1 are still empty: e1 and f1.",
        _fills_row_one,
    ),
    Exercise(
        "Write a 2 into the marked square.",
        "ND7",
        _STAR,
        (Answer("Right: no die shows a 2, so the star becomes one.", "ND7", move="num 2"),),
        (*(Answer("A die shows that number: then the die is used, and the star is kept for later.",
                  "ND7", touch=(_STAR_DIE, f"value-{number}")) for number in (1, 3, 4)),
         *(Answer("That writes what the die shows. No die shows a 2, but the star can be any "
                  "number.", "ND7", move=f"num {number}") for number in (1, 3, 4))),
        "The star can be any number from 0 to 9: choose the one that you need.",
        lambda _state, move: move == "num 2",
    ),
    Exercise(
        "You may circle a combo. Which number do you choose first?",
        "ND10",
        _COMBO,
        (Answer("Right: a consecutive combo is a path from its lowest number up: 3, 4, 5.", "ND10",
                move="cell 1 1"),),
        (Answer("The 4 is in the middle of the combo: begin with its lowest number.", "ND10",
                move="cell 2 1"),
         Answer("The 5 is the end of the combo: begin with its lowest number.", "ND10",
                move="cell 3 1"),
         Answer("This 5 has no 4 beside, above or below it.", "ND10", move="cell 1 2"),
         Answer("The 1 has no 2 and no other 1 beside it, so it starts no combo.", "ND10",
                move="cell 4 1"),
         Answer("You may skip, but there is a combo here.", "ND10", move="skip")),
        "Touch a number on your sheet.",
        _goes_on,
    ),
    Exercise(
        "The 3 and the 4 are chosen. Which number comes next?",
        "ND10",
        _HALF_A_COMBO,
        (Answer("Right: the 5 beside the 4. Three numbers are a combo.", "ND10", move="cell 3 1"),),
        (Answer("This 5 touches the 4 by a corner only, and corners do not count.", "ND10",
                move="cell 1 2"),
         Answer("After the 4 comes a 5: the numbers of this combo are consecutive.", "ND10",
                move="cell 4 1"),
         Answer("Two numbers are too few: a combo has at least three.", "ND10", move="done")),
        "Touch the number that goes on after the 4.",
        _goes_on,
    ),
    Exercise(
        "You are ahead and want the match to end. Where do you drop the I?",
        "ND13",
        _TOWER,
        (Answer("Right: it reaches above the Game Over line, so the match ends with this round. "
                "But each row above the line that you have marked costs you 5 points.", "ND13",
                move="at 1 1"),),
        (Answer("Lying flat it reaches row 10. The Game Over line is above row 11.", "ND13",
                move="at 0 1"),),
        "That stays below the Game Over line. Turn the I, then choose a column.",
        _ends_the_match,
    ),
)  # fmt: skip

LESSONS = Lessons(PICTURES, EXERCISES)
