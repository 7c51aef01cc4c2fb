"""Drop Site to learn from: what newcomers ask is where a card may go, and what it will be worth."""

from __future__ import annotations

from droptable.core.lessons import Answer, Exercise, Lessons, Position, Shown
from droptable.core.state import State
from droptable.games.drop_site import words


def _dealt(mine: str, other: str, site: int) -> str:
    """Two hands and the first site."""
    deals = [f"d deal {number}" for number in f"{mine} {other}".split()]
    return "; ".join([*deals, f"d site {site}"])


# Sites 11, 8 and 3; seat 0 holds 2 6 9 10 12.
_THREE_SITES = Position(
    2,
    _dealt("8 6 2 9 12", "3 1 4 7 0", 11) + "; 0 create 8; d draw 10; 1 create 3; d draw 5",
)
# Sites 9, 7 and 4; seat 0 holds 3 5 6 8 11.
_MANY_CHOICES = Position(
    2,
    _dealt("7 3 5 6 8", "4 1 2 10 12", 9) + "; 0 create 7; d draw 11; 1 create 4; d draw 0",
)
# Sites 0 and 5; seat 0 holds 4 5 7 9 10.
_CLOSED = Position(
    2,
    _dealt("5 4 7 9 10", "0 1 2 10 12", 3) + "; 0 create 5; d draw 5; 1 place 0; d draw 8",
)
# Sites 4, 12, 4, 8 and 10; seat 0 holds 4 8 9 11 12.
_FIVE_SITES = Position(
    2,
    _dealt("12 8 9 11 4", "4 10 2 1 0", 4)
    + "; 0 create 12; d draw 12; 1 create 4; d draw 3"
    + "; 0 create 8; d draw 8; 1 create 10; d draw 6",
)

PICTURES: tuple[Shown, ...] = (
    Shown("DS1", "Five cards in hand, and the first site is open.",
          Position(2, _dealt("8 6 2 9 12", "3 1 4 7 0", 11))),
    Shown("DS4", "Three sites. A 6 would go on the 8: it is the lowest number above it.",
          _THREE_SITES),
    Shown("DS5", "The 0 lies on the 3. Nothing can be placed there any more.", _CLOSED),
    Shown("DS9", "Two sites show a 4: if the round ended now, each hidden 4 would be paid twice.",
          _FIVE_SITES),
)  # fmt: skip


def _can_be_placed(state: State, thing: str) -> bool:
    return thing.replace("hand-", "place ") in state.legal(0)


def _covers_the_nine(state: State, move: str) -> bool:
    after = state.copy()
    after.apply(0, move)
    return bool(after.fields["sites"][0] != state.fields["sites"][0])


def _ends_the_round(state: State, move: str) -> bool:
    after = state.copy()
    after.apply(0, move)
    return bool(after.fields["rounds"] > state.fields["rounds"])


def _is_worth_most(state: State, thing: str) -> bool:
    hand = set(words.cards(state.fields["hands"][0]))
    worth = {f"hand-{number}": words.worth(state.fields, number) for number in hand}
    return worth[thing] == max(worth.values())


EXERCISES: tuple[Exercise, ...] = (
    Exercise(
        "Place the 6 on a site. Where must it go?",
        "DS4",
        _THREE_SITES,
        (Answer("On the 8: of all numbers above 6 that the sites show, it is the lowest.",
                "DS4", move="place 6"),),
        (Answer("The 11 is higher than 6, but so is the 8, and the lowest of them takes the card.",
                "DS4", touch=("hand-6", "site-1")),
         Answer("Numbers only go down on a site: a 6 cannot lie on a 3.",
                "DS3", touch=("hand-6", "site-3")),
         Answer("A new site with the 6 would be allowed. But where must it go if you place it?",
                "DS2", move="create 6"),
         Answer("You may hide the 6. But where must it go if you place it on a site?",
                "DS2", move="hide 6")),
        "Take the 6 first, then the site on which it must be placed.",
        lambda _state, move: move == "place 6",
    ),
    Exercise(
        "Which card of your hand can be placed on a site?",
        "DS5",
        _CLOSED,
        (Answer("Right: the 4 goes on the 5. Nothing else is low enough, and the 0 is closed.",
                "DS3", touch=("hand-4",)),),
        (Answer("A 5 cannot lie on a 5: the number below has to be higher.",
                "DS3", touch=("hand-5",)),
         Answer("No site shows a number above 7.", "DS3", touch=("hand-7",)),
         Answer("No site shows a number above 9.", "DS3", touch=("hand-9",)),
         Answer("No site shows a number above 10.", "DS3", touch=("hand-10",))),
        "Touch the card of your hand that can be placed.",
        _can_be_placed,
        things=("hand-4", "hand-5", "hand-7", "hand-9", "hand-10"),
    ),
    Exercise(
        "You want the 9 covered. Which card does it?",
        "DS4",
        _MANY_CHOICES,
        (Answer("Right: the lowest number above 8 is the 9, so that is where the 8 goes.",
                "DS4", move="place 8"),),
        (Answer("The 6 would go on the 7, which is lower than the 9 and still above 6.",
                "DS4", touch=("hand-6", "site-1")),
         Answer("The 5 would go on the 7, which is lower than the 9 and still above 5.",
                "DS4", touch=("hand-5", "site-1")),
         Answer("The 3 would go on the 4, the lowest number above it.",
                "DS4", touch=("hand-3", "site-1")),
         Answer("An 11 cannot lie on a 9: numbers only go down on a site.",
                "DS3", touch=("hand-11", "site-1"))),
        "That does not cover the 9. Take a card, then the site with the 9.",
        _covers_the_nine,
    ),
    Exercise(
        "End the round with this move.",
        "DS7",
        _FIVE_SITES,
        tuple(Answer("With two players the sixth site ends the round, whatever card it is.",
                     "DS7", move=f"create {number}") for number in (4, 8, 9, 11, 12)),
        (Answer("The round goes on: the 9 only covers a site. A new site, the sixth, ends it.",
                "DS7", move="place 9"),),
        "The round goes on after that. With two players it ends when there are six sites.",
        _ends_the_round,
    ),
    Exercise(
        "Which of these cards would earn most in your reserve if the sites stayed like this?",
        "DS9",
        _FIVE_SITES,
        (Answer("Right: two sites show a 4, so a hidden 4 is paid twice: 5 + 5 points.",
                "DS9", touch=("hand-4",)),),
        (Answer("One site shows a 12: that is 7 points. Another number is shown twice.",
                "DS9", touch=("hand-12",)),
         Answer("One site shows an 8: that is 6 points. Another number is shown twice.",
                "DS9", touch=("hand-8",)),
         Answer("No site shows a 9: hidden, it would cost 2 points.", "DS9", touch=("hand-9",)),
         Answer("No site shows an 11: hidden, it would cost 2 points.",
                "DS9", touch=("hand-11",))),
        "Touch a card of your hand.",
        _is_worth_most,
        things=("hand-4", "hand-8", "hand-9", "hand-11", "hand-12"),
    ),
)  # fmt: skip

LESSONS = Lessons(PICTURES, EXERCISES)
