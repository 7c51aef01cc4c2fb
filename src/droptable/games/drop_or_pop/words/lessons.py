"""Drop or Pop! to learn from: what a colour allows, what falls, and what counts as a group."""

from __future__ import annotations

from itertools import cycle

from droptable.core.lessons import Answer, Exercise, Lessons, Position, Shown
from droptable.core.state import State


def _drops(columns: str, then: str = "") -> str:
    """Three seats drop into these tubes, one after the other; then comes the rest."""
    turns = zip(columns.split(), cycle(range(3)), strict=False)
    events = [f"d {column}; {seat} drop" for column, seat in turns]
    return "; ".join([*events, then] if then else events)


_FALLING = Position(  # R R B R at the bottom, and your counter in yellow one row above it
    3,
    _drops("red yellow red blue blue red yellow yellow blue green red green", "d yellow"),
)
_SECOND_COLOUR = Position(3, _drops("red blue blue", "d green; 0 ignore; d blue"))
_CORNERS = Position(3, _drops("red yellow yellow blue red green blue green green"))
_ALL_SIX = Position(
    3,
    _drops(
        "blue green red blue blue red green blue green blue yellow green green yellow red "
        "green red red",
        "d blue",
    ),
)
_TWO_GROUPS = Position(
    3,
    _drops(
        "green yellow yellow red green yellow yellow green green yellow blue green green blue",
        "d green",
    ),
    seat=2,
)

PICTURES: tuple[Shown, ...] = (
    Shown("OP1", "The colour is blue: this turn is about the blue tube.",
          Position(3, _drops("red blue blue", "d blue"))),
    Shown("OP3", "If the lowest counter of the yellow tube is popped, the ones above it fall.",
          _FALLING),
    Shown("OP6", "Three of your counters hang together. Corners do not count.", _CORNERS),
)  # fmt: skip


def _wins(state: State, move: str) -> bool:
    after = state.copy()
    after.apply(0, move)
    return 0 in after.winners if after.over else False


def _is_allowed(state: State, move: str) -> bool:
    return move in state.legal(0)


def _wins_by_dropping(state: State, button: str) -> bool:
    after = state.copy()
    after.apply(-1, button.removeprefix("do-"))
    return _wins(after, "drop")


def _returns_a_counter(state: State, move: str) -> bool:
    after = state.copy()
    after.apply(0, move)
    held = [int(one.fields["counters"][0]).bit_count() for one in (state, after)]
    return held[1] < held[0]


def _wins_if_popped(state: State, button: str) -> bool:
    after = state.copy()
    after.apply(2, "pop")
    won: dict[tuple[int, ...], str] = {(2,): "do-you", (1,): "do-ben"}
    return won.get(after.winners, "do-both") == button


EXERCISES: tuple[Exercise, ...] = (
    Exercise(
        "The colour is yellow. Win with this move.",
        "OP3",
        _FALLING,
        (Answer("Right: the others in the tube fall by one cell, and four of yours lie in a row.",
                "OP6", move="pop"),),
        (Answer("Your counter lands on top of the yellow tube, far from your others.",
                "OP2", move="drop"),
         Answer("You may ignore the first colour, but you can win with this one.",
                "OP4", move="ignore")),
        "Touch the top of the yellow tube to drop, or its lowest counter to pop.",
        _wins,
    ),
    Exercise(
        "You have ignored green, and now it is blue. Make a move that is allowed.",
        "OP4",
        _SECOND_COLOUR,
        (Answer("Right: on the second colour you drop or pop.", "OP2", move="drop"),
         Answer("Right: on the second colour you drop or pop. It need not be your own counter.",
                "OP3", move="pop")),
        (Answer("Only the first colour of a turn can be ignored: the second one stands.",
                "OP4", move="ignore"),
         Answer("You pass only if you can neither drop nor pop.", "OP5", move="pass")),
        "Drop a counter into the blue tube, or pop its lowest one.",
        _is_allowed,
    ),
    Exercise(
        "A colour is about to be drawn. With which colour would you win by dropping?",
        "OP6",
        _CORNERS,
        (Answer("Right: it lands on your own counter in the blue tube, and four touch side by "
                "side.", "OP6", touch=("do-blue",)),),
        (Answer("It would land in row 3 of the red tube and touch yours only by a corner.",
                "OP6", touch=("do-red",)),
         Answer("It would land in row 3 of the yellow tube and touch yours only by a corner.",
                "OP6", touch=("do-yellow",)),
         Answer("The green tube is too far away: nothing of yours would touch it.",
                "OP6", touch=("do-green",))),
        "Choose a colour.",
        _wins_by_dropping,
        buttons={"do-red": "Red", "do-blue": "Blue", "do-yellow": "Yellow", "do-green": "Green"},
    ),
    Exercise(
        "All six of your counters are on the board. Get one of them back.",
        "OP3",
        _ALL_SIX,
        (Answer("Right: the lowest counter of the blue tube is yours, and it comes back to you.",
                "OP3", move="pop"),),
        (Answer("Ignoring brings another colour, but no counter. The blue tube has one of yours "
                "at the bottom.", "OP4", move="ignore"),),
        "You have no counter left to drop: look what lies at the bottom of the blue tube.",
        _returns_a_counter,
    ),
    Exercise(
        "If you pop the green tube, you get a group of four, but Ben gets one of five. Who wins?",
        "OP6",
        _TWO_GROUPS,
        (Answer("Right: if one move makes several groups of four or more, the largest wins.",
                "OP6", touch=("do-ben",)),),
        (Answer("Whose move it was does not matter: the largest group wins, and that is Ben's.",
                "OP6", touch=("do-you",)),
         Answer("Only equally large groups draw. Five are more than four.",
                "OP6", touch=("do-both",))),
        "Choose who wins.",
        _wins_if_popped,
        buttons={"do-you": "You win", "do-ben": "Ben wins", "do-both": "It is a draw"},
    ),
)  # fmt: skip

LESSONS = Lessons(PICTURES, EXERCISES)
