"""Depot to learn from: what the Storage allows, what beats what, and what a pass brings."""

from __future__ import annotations

from droptable.core.lessons import Answer, Exercise, Lessons, Position, Shown
from droptable.core.state import State


def _dealt(mine: str, storage: str) -> str:
    """A hand of nine for seat 0, two others, and the Storage."""
    others = "1 1 1 2 2 3 4 5 8 1 1 2 3 3 5 6 6 7"
    deals = [f"d deal {number}" for number in f"{mine} {others}".split()]
    return "; ".join([*deals, *(f"d store {number}" for number in storage.split())])


# Storage 4 4 6: pairs, no runs.
_PAIRS = Position(3, _dealt("2 2 2 3 5 7 7 8 8", "4 4 6"))
# Storage 3 4 7: runs of two, no pairs.
_RUNS = Position(3, _dealt("1 1 3 5 6 7 7 8 8", "3 4 7"))
# Seat 1 has played 4 5, sum 9; pairs and runs of two are allowed.
_BEAT = Position(
    3,
    _dealt("1 2 3 4 5 5 6 6 8", "4 4 5") + "; 0 play 1; 1 play 4 5; 2 take 5; 2 keep; d store 5",
)
# Seat 0 has just taken the two 4s.
_TAKEN = Position(3, _dealt("1 1 2 3 5 5 6 7 8", "4 4 6") + "; 0 play 2; 1 play 8; 2 take 6; "
                  "2 keep; d store 5; 0 take 4")  # fmt: skip
# Both others have passed since seat 0 played its 8.
_ROUND_WON = Position(
    3,
    _dealt("1 1 2 3 5 5 6 7 8", "4 4 6")
    + "; 0 play 8; 1 take 6; 1 keep; d store 2; 2 take 2; 2 keep; d store 7; d store 3",
)
PICTURES: tuple[Shown, ...] = (
    Shown("DP1", "Nine cards in hand and three in the Storage.", _PAIRS),
    Shown("DP3", "The Storage has a run of two, 3 and 4, but no number twice: runs of two are "
          "allowed, equal cards are not.", _RUNS),
    Shown("DP6", "You have taken both 4s. Now you may give a card of another number.", _TAKEN),
    Shown("DP9", "The others have passed one after the other: the Storage has grown to four cards, "
          "and you start the next round.", _ROUND_WON),
)  # fmt: skip


def _is_a_pair(_state: State, move: str) -> bool:
    word, *cards = move.split()
    return word == "play" and len(cards) == 2 and len(set(cards)) == 1


def _is_a_run(_state: State, move: str) -> bool:
    word, *cards = move.split()
    return word == "play" and len(set(cards)) > 1


def _is_played(_state: State, move: str) -> bool:
    return move.startswith("play")


def _is_given(_state: State, move: str) -> bool:
    return move.startswith("give")


def _all(says: str, rule: str, *moves: str) -> tuple[Answer, ...]:
    """Several moves that are answered alike."""
    return tuple(Answer(says, rule, move=move) for move in moves)


EXERCISES: tuple[Exercise, ...] = (
    Exercise(
        "Start the round with as many equal cards as the Storage allows.",
        "DP3",
        _PAIRS,
        _all("Right: the Storage has one number twice, so you may play two equal cards.",
             "DP3", "play 2 2", "play 7 7", "play 8 8"),
        (Answer("No number lies in the Storage three times, so three equal cards are too many.",
                "DP3", move="play 2 2 2"),
         Answer("That would be a run, but the Storage has no two numbers that follow each other.",
                "DP3", move="play 7 8")),
        "That is not it: choose equal cards, as many as the Storage has of one number, then touch "
        "the loading bay.",
        _is_a_pair,
    ),
    Exercise(
        "Start the round with the longest run that the Storage allows.",
        "DP3",
        _RUNS,
        _all("Right: the longest run in the Storage is 3-4, so yours may have two cards too. It "
             "need not be the same numbers.", "DP3", "play 5 6", "play 6 7", "play 7 8"),
        (Answer("The longest run in the Storage has two cards: three are too many.",
                "DP3", move="play 5 6 7"),
         Answer("The longest run in the Storage has two cards: four are too many.",
                "DP3", move="play 5 6 7 8"),
         Answer("These are equal cards, not a run, and no number is in the Storage twice.",
                "DP3", move="play 7 7")),
        "That is not a run of numbers that follow each other. Choose its cards, then touch the "
        "loading bay.",
        _is_a_run,
    ),
    Exercise(
        "Ben has played 4-5. Beat it.",
        "DP4",
        _BEAT,
        _all("Right: as many cards as Ben played, and a higher sum than 9.",
             "DP4", "play 5 5", "play 5 6", "play 6 6"),
        (Answer("One card never beats two, however high it is.", "DP4", move="play 8"),
         Answer("That sum is 9 as well, and equal sums do not beat each other.",
                "DP4", move="play 4 5"),
         Answer("That sum is 7, lower than 9.", "DP4", move="play 3 4"),
         Answer("Three cards would beat two, but the longest run in the Storage has two.",
                "DP3", move="play 4 5 6"),
         *_all("That is a pass. You can beat it: choose cards, then touch the loading bay.",
               "DP6", "take 4", "take 5")),
        "That does not beat 4-5: you need more cards, or as many with a higher sum.",
        _is_played,
    ),
    Exercise(
        "You have taken both 4s. Now give a card to the Storage.",
        "DP6",
        _TAKEN,
        _all("Right: any card will do if it has another number than the ones you took.",
             "DP6", *(f"give {number}" for number in (1, 3, 5, 6, 7, 8))),
        (Answer("You have just taken the 4s: what you give has to be another number.",
                "DP6", move="give 4"),
         Answer("You may keep all, but here you are asked to give one.", "DP6", move="keep")),
        "Choose a card of your hand, then touch the Storage.",
        _is_given,
    ),
    Exercise(
        "You played the 8, and both others have passed. Make your move.",
        "DP9",
        _ROUND_WON,
        _all("Right: the round was yours, the Storage has grown by one card, and you start the "
             "next round. There is nothing to beat.", "DP9",
             *(f"play {cards}" for cards in ("1", "2", "3", "5", "6", "7", "1 1", "1 2", "2 3",
                                             "5 5", "5 6", "6 7"))),
        (*_all("Whoever starts a round has to play: you cannot pass now.",
               "DP2", "take 3", "take 4", "take 7"),
         Answer("The longest run in the Storage has two cards: three are too many.",
                "DP3", move="play 5 6 7")),
        "That is not possible. Choose a card, equal cards or a run, then touch the loading bay.",
        _is_played,
    ),
)  # fmt: skip

LESSONS = Lessons(PICTURES, EXERCISES)
