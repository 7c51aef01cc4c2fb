"""Pictures of Drop or Pop!: they can be played on, and they show the board."""

import random
from xml.etree import ElementTree

import pytest

import droptable
from droptable.core.contract import NOBODY
from droptable.core.scene import Frame, Step
from droptable.games.drop_or_pop import rules
from droptable.games.drop_or_pop.picture import scene
from droptable.games.drop_or_pop.picture.counters import counters
from droptable.games.drop_or_pop.picture.layout import Layout
from droptable.testing import check_scenes
from droptable.testing.pictures import check_picture
from droptable.web.pictures import refusal

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


def story_of(state, script):
    """Play `colour move` pairs; return the steps as everybody sees them."""
    steps = []
    for line in script.split(","):
        colour, *moves = line.split()
        for token in (colour, *moves):
            actor = state.to_act[0]
            before, ids = state.fields.copy(), GAME.vocabulary(state.options).ids(actor)
            state.apply(actor, token)
            steps.append(Step(before, state.fields.copy(), actor, ids[token]))
    return steps


def shown(state, steps, tall=True):
    frame = Frame(NAMES[: state.players], tall, steps=steps)
    return places(ElementTree.fromstring(scene.draw(state.fields, 0, frame).svg()))


def test_a_counter_keeps_its_id_from_hand_to_tube():
    """It hovers over the tube, then it lands there; no other one moves."""
    state = GAME.start(3)
    steps = story_of(state, "red drop,blue drop,red drop,red")
    before = shown(state, steps)
    steps += story_of_move(state, "drop")
    after = shown(state, steps)
    assert before.keys() == after.keys()
    assert len(before) == 3 * rules.COUNTERS
    moved = [key for key in before if before[key] != after[key]]
    layout = Layout(6, tall=True)
    assert [after[key] for key in moved] == [f"translate({layout.x(0):g} {layout.y(2):g})"]


def story_of_move(state, token):
    actor, before = state.to_act[0], state.fields.copy()
    state.apply(actor, token)
    return [Step(before, state.fields.copy(), actor, GAME.words.actions({}).index(token))]


def test_ids_follow_counters_through_a_pop():
    """The lowest goes back to its owner's plate, those above it fall by one row."""
    state = GAME.start(3)
    steps = story_of(state, "red drop,red drop,red drop,red")
    tube = counters(state.fields, Frame(NAMES[:3], steps=steps)).tubes[0]
    steps += story_of_move(state, "pop")
    after = counters(state.fields, Frame(NAMES[:3], steps=steps))
    assert after.tubes[0] == tube[1:]
    assert after.hands[0][-1] == tube[0]
    assert {one.seat for one in after.hands[0]} == {0}


def test_counters_are_all_there_all_the_time():
    """In a random match every counter is in a hand or in the cell where the rules have it."""
    state, chance = GAME.start(4), random.Random(4)
    steps = []
    while not state.over:
        actor = state.to_act[0]
        choices = [token for token, _ in state.chance()] if actor < 0 else state.legal(actor)
        token = chance.choice(choices)
        before, ids = state.fields.copy(), GAME.vocabulary(state.options).ids(actor)
        state.apply(actor, token)
        steps.append(Step(before, state.fields.copy(), actor, ids[token]))
    frame = Frame(NAMES, steps=steps)
    for step in steps:
        now = counters(step.after, frame)
        assert now.followed
        lie = [one.name for group in (*now.tubes, *now.hands) for one in group]
        assert len(lie) == len(set(lie)) == 4 * rules.COUNTERS
        for column, tube in enumerate(now.tubes):
            for row, one in enumerate(tube):
                assert int(step.after["counters"][one.seat]) >> (8 * column + row) & 1


def test_without_steps_counters_are_named_by_their_places():
    """A single position can be drawn; nothing in it moves by a wrong name."""
    state = play(GAME.start(3), "red drop,red drop,red pop")
    names = places(drawn(state))
    assert "counter-1-at-0-0" in names
    assert len(names) == 3 * rules.COUNTERS


def test_whoever_tries_a_full_tube_is_told_why():
    """Over a full tube nothing hovers; popping is offered, dropping is refused (OP2)."""
    state = play(GAME.start(3), ",".join(["red drop"] * 6))
    state.apply(-1, "red")
    names = {e.get("data-touch") for e in drawn(state).iter()} - {None}
    assert names == {"drop", "pop", "other-1", "other-2", "other-3"}
    assert state.legal(0) == ["pop", "ignore"]
    assert refusal(state.view(0), ["drop"]) == state.view(0).why("drop")
    assert scene.prompt(state.fields, 0, NAMES) == (
        "Your turn: pop the red tube, or ignore the colour"
    )
    assert [chip.tokens for chip in scene.chips(state.fields, 0, Frame(NAMES[:3]))] == [("pop",)]


def test_another_tube_is_not_the_one_of_this_turn():
    """Who touches it is told which one it is."""
    state = GAME.start(3)
    state.apply(-1, "blue")
    assert refusal(state.view(0), ["other-0"]) == "This turn is about the blue tube."


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
    assert scene.prompt(state.fields, 0, NAMES) == "You win with a group of 4!"


def test_prompts_name_who_is_awaited():
    """Everybody is told whose turn it is, and the seat itself what it may do."""
    state = GAME.start(3)
    assert scene.prompt(state.fields, 0, NAMES) == "Your turn: a colour is being drawn …"
    assert scene.prompt(state.fields, 1, NAMES) == "Anna's turn: a colour is being drawn …"
    state.apply(-1, "blue")
    assert scene.prompt(state.fields, 1, NAMES) == (
        "Waiting for Anna: drop or pop in the blue tube?"
    )
    assert scene.prompt(state.fields, 0, NAMES) == (
        "Your turn: drop into the blue tube, or ignore the colour"
    )


def test_the_marker_shows_the_colour():
    """It waits in the middle, tumbles when a colour comes, and stands over that tube."""
    state = GAME.start(3)
    before = {e.get("id"): e for e in drawn(state).iter()}["marker"]
    state.apply(-1, "green")
    after = {e.get("id"): e for e in drawn(state).iter()}["marker"]
    assert (before.get("data-face"), after.get("data-face")) == ("waits", "green")
    assert after.get("data-turn") == "tumble"
    assert after.get("transform").startswith(f"translate({Layout(6, tall=True).x(3):g} ")


def test_rows_can_be_read_at_the_edge():
    """Every row has its number, every tube its name, as the log says them."""
    for players, rows in ((3, 6), (4, 8)):
        texts = [
            e.text for e in drawn(GAME.start(players)).iter() if e.get("class") == "row-number"
        ]
        assert texts == [str(row + 1) for row in range(rows)]
    state = play(GAME.start(3), "red drop")
    state.apply(-1, "red")
    assert state.view(1).label("drop") == "Drop into the red tube, row 2"


@pytest.mark.parametrize("tall", [True, False])
def test_a_pop_is_seen_in_two_beats(tall):
    """The counter leaves through the bottom, then it goes home and the others fall in turn."""
    state = GAME.start(3)
    steps = story_of(state, "red drop,red drop,red drop,red pop")
    frame = Frame(NAMES[:3], tall, steps=steps)
    out, falls = scene.beats(steps[-1], 0, frame)
    assert (out.sound, falls.sound, falls.picture) == ("pop", "drop", None)
    check_picture(out.picture, tall)
    waits = [
        float(e.get("data-wait", 0))
        for e in ElementTree.fromstring(scene.draw(state.fields, 0, frame).svg()).iter()
        if is_counter(e) and e.get("data-way") == "fall"
    ]
    assert waits == sorted(waits) and waits[0] < waits[-1]


@pytest.mark.parametrize("known", [True, False], ids=["with steps", "without"])
def test_beats_of_all_kinds(known):
    """A colour, a drop, a colour ignored and the win have a beat each, and sounds."""
    state = GAME.start(3)
    script = "red drop,blue drop,green drop," * 3 + "green ignore"
    steps = story_of(state, script)
    steps += story_of(state, "red drop")
    frame = Frame(NAMES[:3], True, steps=steps if known else ())
    sounds = []
    for step in steps:
        for beat in scene.beats(step, 1, frame):
            sounds.append(beat.sound)
            if beat.picture:
                check_picture(beat.picture, tall=True)
    assert {"dice", "drop", "move", "score"} <= set(sounds)
    assert beat.text == "Anna wins with a group of 4."


def test_who_can_do_nothing_is_not_asked():
    """A forced pass and a forced second colour are made by the table, and told (OP5)."""
    assert scene.SCENE.automatic == {"pass", "ignore"}
    state = GAME.start(3)
    fields = state.array.copy()[0]
    fields["counters"][0] = 0b111000000111 << 8
    fields["column"] = 0
    said = GAME.words.tell(fields, fields, 0, rules.IGNORE, NAMES)
    assert said == "Anna can neither drop nor pop in the red tube: a second colour."
    said = GAME.words.tell(fields, fields, 0, rules.PASS, NAMES)
    assert said == "Anna can neither drop nor pop in the red tube and has to pass."
    assert scene.beats(Step(fields, fields, 0, rules.IGNORE), 1, Frame(NAMES[:3]))[0].text


def test_long_names_of_teams_have_two_lines():
    """A seat that several people share shows more than the first of them."""
    names = ("Anna & Bartholomew & Cleo", "Ben", "Cleo")
    picture = scene.draw(GAME.start(3).fields, 1, Frame(names, tall=True))
    texts = [e.text for e in ElementTree.fromstring(picture.svg()).iter() if e.text]
    assert "Anna &" in texts
    assert any(text.startswith("Barth") for text in texts)


def test_the_sheet_says_what_is_epic():
    """A winning group of five has a line of its own (OP7)."""
    state = GAME.start(3)
    fields = state.array.copy()[0]
    fields["counters"][0] = 0b11111
    fields["won"] = 1
    total, epic = scene.sheet([fields], NAMES[:3])
    assert (total.points[0], total.total, total.rule) == (5, True, "OP6")
    assert (epic.points, epic.rule) == (("epic", "", ""), "OP7")
