"""Lessons are true: positions are reached by the rules, and so is every answer."""

from xml.etree import ElementTree

import pytest

from droptable.core.errors import IllegalMove
from droptable.core.lessons import answer_path, move_path
from droptable.core.scene import BUTTON
from droptable.games import OWN

EXERCISES = [
    pytest.param(game, exercise, id=f"{game.name}-{number}")
    for game in OWN
    for number, exercise in enumerate(game.lessons.exercises, 1)
]
PICTURES = [
    pytest.param(game, shown, id=f"{game.name}-{shown.rule}")
    for game in OWN
    for shown in game.lessons.pictures
]


def reached(game, exercise):
    state = exercise.position.state(game)
    return state, state.view(exercise.position.seat)


def picture(game, position, tall):
    view = position.state(game).view(position.seat)
    drawn = game.scene.draw(view.fields, position.seat, position.frame(tall)).svg()
    return ElementTree.fromstring(drawn)


@pytest.mark.parametrize("game", OWN, ids=lambda game: game.name)
def test_every_game_has_lessons(game):
    """Four to six exercises, and two to four pictures between the rules."""
    assert 4 <= len(game.lessons.exercises) <= 6
    assert 2 <= len(game.lessons.pictures) <= 4


@pytest.mark.parametrize(("game", "shown"), PICTURES)
def test_pictures_stand_with_a_rule(game, shown):
    """The rule exists, and its picture can be drawn from a position of a match."""
    assert shown.rule in game.rule_sections
    assert shown.caption
    for tall in (False, True):
        assert picture(game, shown.position, tall).tag.endswith("svg")


@pytest.mark.parametrize(("game", "exercise"), EXERCISES)
def test_right_answers_are_what_the_rules_say(game, exercise):
    """Of all that can be tried, the proof finds exactly the listed right answers."""
    state, view = reached(game, exercise)
    things = (*exercise.things, *exercise.buttons)
    if things:
        right = {answer.touch[0] for answer in exercise.right}
        assert right == {thing for thing in things if exercise.proof(state, thing)}
    else:
        right = {answer.move for answer in exercise.right}
        assert right == {move for move in view.legal if exercise.proof(state, move)}


@pytest.mark.parametrize(("game", "exercise"), EXERCISES)
def test_wrong_answers_are_wrong(game, exercise):
    """Moves that are not legal are refused by the rule that is told; mere touches are no move."""
    state, view = reached(game, exercise)
    paths = {move_path(view, move) for move in view.legal}
    for answer in exercise.wrong:
        if answer.move and answer.move not in view.legal:
            with pytest.raises(IllegalMove) as refused:
                state.copy().apply(exercise.position.seat, answer.move)
            assert refused.value.rule == answer.rule
        elif not answer.move and not exercise.things and not exercise.buttons:
            assert answer.touch not in paths


@pytest.mark.parametrize(("game", "exercise"), EXERCISES)
def test_answers_name_rules_of_the_game(game, exercise):
    """Questions, right and wrong answers cite rules that exist."""
    for rule in (exercise.rule, *(one.rule for one in (*exercise.right, *exercise.wrong))):
        assert rule in game.rule_sections


@pytest.mark.parametrize(("game", "exercise"), EXERCISES)
def test_what_is_asked_for_can_be_touched(game, exercise):
    """Whatever leads to an answer is in the picture, tall and wide, or is a button with a label."""
    _state, view = reached(game, exercise)
    labels = exercise.labels(view)
    for tall in (False, True):
        drawn = picture(game, exercise.position, tall)
        there = {thing.get("data-touch") for thing in drawn.iter()}
        for path in exercise.paths(view):
            names = [name for step in path for name in ([step] if isinstance(step, str) else step)]
            for name in names:
                assert labels[path] if name.startswith(BUTTON) else name in there


@pytest.mark.parametrize(("game", "exercise"), EXERCISES)
def test_every_answer_is_found_by_its_touches(game, exercise):
    """Touching an answer's path gives that answer; anything else the general one."""
    _state, view = reached(game, exercise)
    for answers, right in ((exercise.right, True), (exercise.wrong, False)):
        for answer in answers:
            path = answer_path(view, answer)
            touched = [
                n for step in path for n in ([step] if isinstance(step, str) else step[::-1])
            ]
            assert exercise.answer(view, touched) == (right, answer)
    told = exercise.answer(view, ["nothing"])
    assert told[0] is False
    assert (told[1].says, told[1].rule) == (exercise.otherwise, exercise.rule)
