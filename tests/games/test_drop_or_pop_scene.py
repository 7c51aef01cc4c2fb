"""Pictures of Drop or Pop!: they can be played on, and they show the board."""

from xml.etree import ElementTree

import pytest

import droptable
from droptable.core.contract import NOBODY
from droptable.core.scene import Frame
from droptable.games.drop_or_pop import rules
from droptable.games.drop_or_pop.picture import scene
from droptable.games.drop_or_pop.picture.layout import Layout
from droptable.testing import check_scenes

GAME = droptable.game("drop-or-pop")
NAMES = ("Anna", "Ben", "Cleo", "Dan")


def play(state, script):
    """Play `colour move` pairs for whoever is to act."""
    for line in script.split(","):
        colour, move = line.split()
        state.apply(-1, colour)
        state.apply(state.to_act[0], move)
    return state


def drawn(state, viewer=NOBODY, tall=True):
    picture = scene.draw(state.fields, viewer, Frame(NAMES[: state.players], tall))
    return ElementTree.fromstring(picture.svg())


def places(root):
    """Where every counter is, by its id."""
    return {e.get("id"): e.get("transform") for e in root.iter() if is_counter(e)}


def is_counter(element):
    return (element.get("id") or "").startswith("counter-")


@pytest.mark.parametrize("players", GAME.players)
def test_every_move_can_be_touched(players):
    """Random matches of every variant can be drawn and played by touch, from every seat."""
    check_scenes(GAME, players, every=97)


def test_a_counter_keeps_its_id_when_it_drops():
    """The counter that hovers over the column is the one that lands in it; no other one moves."""
    state = play(GAME.start(3), "red drop,blue drop,red drop")
    state.apply(-1, "red")
    before = places(drawn(state))
    state.apply(0, "drop")
    after = places(drawn(state))
    assert before.keys() == after.keys()
    assert [key for key in before if before[key] != after[key]] == ["counter-0-0-1"]


def test_a_full_column_cannot_be_touched_to_drop():
    """Over a full column nothing hovers, and only popping is offered (OP2)."""
    state = play(GAME.start(3), ",".join(["red drop"] * 6))
    state.apply(-1, "red")
    names = {e.get("data-touch") for e in drawn(state).iter()} - {None}
    assert names == {"pop"}
    assert state.legal(0) == ["pop", "ignore"]
    assert "Pop the lowest counter" in scene.prompt(state.fields, 0, NAMES)


def test_ghosts_show_what_lands_and_what_falls():
    """Dropping shows the counter in its cell, popping an arrow for every counter that falls."""
    state = play(GAME.start(3), "red drop,red drop,red drop")
    state.apply(-1, "red")
    frame = Frame(NAMES[:3], tall=True)
    layout = Layout(rules.rows(state.fields), tall=True)
    landed = scene.ghost(state.fields, 0, rules.DROP, frame)
    assert landed.startswith(f'<g transform="translate({layout.x(0):g} {layout.y(3):g})"')
    popped = scene.ghost(state.fields, 0, rules.POP, frame)
    assert popped.count('class="arrow"') == 3  # a cross and two arrows
    assert scene.ghost(state.fields, 0, rules.IGNORE, frame) is None


def test_the_winning_group_is_marked():
    """When the match is over, exactly the winning counters have a strong edge."""
    state = play(GAME.start(3), "red drop,blue drop,green drop," * 3 + "red drop")
    marked = [e for e in drawn(state).iter() if "won" in (e.get("class") or "").split()]
    assert len(marked) == 4
    assert scene.prompt(state.fields, 1, NAMES) == "Anna wins with a group of 4."


def test_prompts_name_who_is_awaited():
    """Everybody is told whose turn it is, and the seat itself what it may do."""
    state = GAME.start(3)
    assert scene.prompt(state.fields, 0, NAMES) == "Your colour is being rolled."
    assert scene.prompt(state.fields, 1, NAMES) == "A colour is being rolled for Anna."
    state.apply(-1, "blue")
    assert scene.prompt(state.fields, 1, NAMES) == "Anna may drop or pop in the blue column."
    assert scene.prompt(state.fields, 0, NAMES) == (
        "Drop a counter into the blue column. Or ignore this colour for another one."
    )


def test_the_sheet_says_what_is_epic():
    """A winning group of five has a line of its own (OP7)."""
    state = GAME.start(3)
    fields = state.array.copy()[0]
    fields["counters"][0] = 0b11111
    fields["won"] = 1
    total, epic = scene.sheet([fields], NAMES[:3])
    assert (total.points[0], total.total, total.rule) == (5, True, "OP6")
    assert (epic.points, epic.rule) == (("epic", "", ""), "OP7")
