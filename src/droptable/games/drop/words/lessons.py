"""Drop. to learn from: what is pushed, what stays, what is squeezed, and what the dud is not."""

from __future__ import annotations

from droptable.core.lessons import Answer, Exercise, Lessons, Position, Shown
from droptable.core.state import State
from droptable.games.drop import rules
from droptable.games.drop.picture.stones import STEPS, Cell, pieces

BLACK, WHITE = 0, 1
SMALL = (("size", 5), ("pieces", 12))  # enough board to see what happens

_DUD_ALONE = Position(2, "0 2,-2; 1 -2,2; 1 2,1", options=SMALL)
_AT_THE_EDGE = Position(2, "0 -2,-1; 1 3,0; 1 -1,3; 0 2,0; 0 -3,1; 1 0,-2; 1 -2,0", options=SMALL)
_SQUEEZE = Position(
    2, "0 2,-2; 1 0,1; 1 -2,-1; 0 1,-1; 0 -1,0; 1 -1,2; 1 -2,0; 0 2,0; 0 -1,-1; 1 -2,-1; 1 -1,-2",
    options=SMALL,
)  # fmt: skip
_OWN_LOSS = Position(
    2, "0 -2,0; 1 0,-1; 1 1,0; 0 0,-2; 0 2,0; 1 2,1; 1 0,1; 0 2,0; 0 1,-1; 1 2,-1; 1 0,2",
    options=SMALL,
)  # fmt: skip
_DUD_BESIDE = Position(
    2, "0 -2,0; 1 1,1; 1 -1,1; 0 0,-1; 0 0,-2; 1 -2,2; 1 -2,1; 0 -1,1; 0 2,1; 1 -1,-2; 1 -2,2",
    options=SMALL,
)  # fmt: skip

PICTURES: tuple[Shown, ...] = (
    Shown("DR2", "The start on a small board: the dud in the centre, and three stones placed. "
          "Nothing can be placed on the outer ring.", _DUD_ALONE),
    Shown("DR3", "The white stone at the right was pushed to the edge. There it stays.",
          _AT_THE_EDGE),
    Shown("DR4", "The white stone in the centre has three black neighbours. A fourth would squeeze "
          "it.", _SQUEEZE),
    Shown("DR5", "The white stone beside the dud has three black neighbours. The dud is not a "
          "fourth.", _DUD_BESIDE),
)  # fmt: skip


def _after(state: State, move: str) -> dict[Cell, int]:
    """The stones after a placement of black."""
    after = state.copy()
    after.apply(BLACK, move)
    return pieces(after.fields)


def _pushes_the_dud_right(state: State, move: str) -> bool:
    return _after(state, move).get((1, 0)) == rules.DUD


def _is_beside_the_edge(state: State, move: str) -> bool:
    q, r = (int(part) for part in move.split(","))
    return (4, 0) in [(q + dq, r + dr) for dq, dr in STEPS]


def _lost(state: State, move: str, colour: int) -> int:
    before, after = list(pieces(state.fields).values()), list(_after(state, move).values())
    return before.count(colour) + (colour == BLACK) - after.count(colour)


def _squeezes_white(state: State, move: str) -> bool:
    return _lost(state, move, WHITE) > 0


def _squeezes_black(state: State, move: str) -> bool:
    return _lost(state, move, BLACK) > 0


def _stays(state: State, button: str) -> bool:
    there = pieces(state.fields).get((1, -1)) == WHITE
    return there == (button == "do-stays")


EXERCISES: tuple[Exercise, ...] = (
    Exercise(
        "Push the dud one cell to the right.",
        "DR3",
        _DUD_ALONE,
        (Answer("Right: a new stone pushes its neighbours straight away from it.", "DR3",
                move="-1,0"),),
        (Answer("From the right you push it to the left.", "DR3", move="1,0"),),
        "A new stone pushes away what stands right beside it, in a straight line.",
        _pushes_the_dud_right,
    ),
    Exercise(
        "Place a stone right beside the white one at the edge.",
        "DR3",
        _AT_THE_EDGE,
        (Answer("It stays: a line that goes all the way to the edge has no empty cell to move to. "
                "Your own stone on the other side was pushed.", "DR3", move="3,0"),),
        (),
        "That is not beside the white stone on the outer ring. And remember: nothing can be placed "
        "on the ring itself.",
        _is_beside_the_edge,
    ),
    Exercise(
        "The white stone in the centre has three black neighbours. Squeeze it.",
        "DR4",
        _SQUEEZE,
        (Answer("Right: your stone pushed a black one beside it. Four neighbours of one colour "
                "squeeze a stone.", "DR4", move="3,0"),),
        (Answer("Right beside it a new stone pushes it away, and it has other neighbours then.",
                "DR3", move="1,0"),
         Answer("Right beside it a new stone pushes it away, and it has other neighbours then.",
                "DR3", move="0,1"),
         Answer("Right beside it a new stone pushes it away, and it has other neighbours then.",
                "DR3", move="-1,0")),
        "That squeezes no white stone. Can you push a black stone beside it from further away?",
        _squeezes_white,
    ),
    Exercise(
        "One placement here would squeeze a black stone, one of your own. Which?",
        "DR4",
        _OWN_LOSS,
        (Answer("Right, that is the one to avoid: it pushes a white stone beside your black one, "
                "which then has four white neighbours.", "DR4", move="3,-1"),),
        (),
        "No black stone would be squeezed. Look for a black stone with three white neighbours.",
        _squeezes_black,
    ),
    Exercise(
        "The white stone beside the dud also touches three black stones. Is it squeezed?",
        "DR5",
        _DUD_BESIDE,
        (Answer("Right: the dud is nobody's neighbour, so there are only three.", "DR5",
                touch=("do-stays",)),),
        (Answer("Four neighbours of the same colour are needed, and the dud has none.", "DR5",
                touch=("do-squeezed",)),),
        "Choose an answer.",
        _stays,
        buttons={"do-stays": "It stays", "do-squeezed": "It is squeezed"},
    ),
)  # fmt: skip

LESSONS = Lessons(PICTURES, EXERCISES)
