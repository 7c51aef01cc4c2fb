"""Another bot's opinion beside the coach: from views, and only of bots that value moves."""

import json

import pytest

import droptable
from droptable.bots.coach import analyse
from droptable.bots.opinions import opinions, valuer_of
from droptable.core.errors import OptionError


class Values:
    """Likes moves that come late in the list."""

    def choose(self, view):
        return view.legal[-1]

    def values(self, view):
        return {token: number for number, token in enumerate(view.legal)}


@pytest.fixture(scope="module")
def analysed():
    game = droptable.game("drop-or-pop")
    record = droptable.play(game, bots=["greedy"] * game.players[0], seed=4)
    return record, analyse(record, iterations=20, seats=[1]).decisions


def test_a_bot_says_what_it_would_have_done(analysed):
    """For each turn: its choice, how it values both moves, and the rank of the one made."""
    record, decisions = analysed
    found = opinions(record, decisions, Values)
    assert [one.event for one in found.each] == [d.event for d in decisions]
    for one in found.each:
        view = record.state_at(one.event).view(1)
        assert one.made in view.legal and one.choice == view.legal[-1]
        place = view.legal.index(one.made)
        assert (one.made_value, one.choice_value) == (place, len(view.legal) - 1)
        assert (one.rank, one.moves) == (len(view.legal) - place, len(view.legal))
    assert str(found).startswith("Values would have begun ")
    assert json.loads(json.dumps(found.to_dict()))["bot"] == "Values"


def test_greedy_agrees_with_itself(analysed):
    """Of a match that greedy bots played, greedy finds each move among the best."""
    assert all(one.rank == 1 for one in opinions(*analysed, "greedy").each)
    assert all(one.moves for one in opinions(*analysed, "search:20", seed=1).each)


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ("random", "bot random gives no values"),
        ("normal", "bot normal gives no values"),
        (lambda view: view.legal[0], "<lambda> gives no values: the coach needs"),
        ("program:true", "program:true gives no values"),
    ],
)
def test_a_bot_without_values_is_refused(bot, message):
    """Who only chooses has no opinion to compare; the refusal says what is needed."""
    with pytest.raises(OptionError, match=message):
        valuer_of(bot)


@pytest.mark.parametrize("values", [None, {}, {"x": 1}, 1 / 3, "nan"])
def test_values_that_are_none_are_refused(analysed, values):
    """Each legal move needs a number."""

    class Bad(Values):
        def values(self, view):
            return {token: float("nan") for token in view.legal} if values == "nan" else values

    with pytest.raises(OptionError, match="expected a number for each legal move"):
        opinions(*analysed, Bad())
