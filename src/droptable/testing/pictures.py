"""Whether a game's pictures can be drawn, read and played on."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from droptable.core.contract import NOBODY
from droptable.core.game import Game
from droptable.core.scene import BUTTON, Frame, Path_, Picture
from droptable.core.state import State, View
from droptable.core.svg import Svg, el
from droptable.testing.matches import NAMES, random_match, variants

GHOSTS = 12  # ghosts that are drawn of each view
EDGE = 3  # units that a picture may bleed over its edge
TALL, WIDE = (360, 520, 12), (1000, 560, 22)  # width, most height and smallest text of a picture


def check_scenes(game: Game, players: int, every: int = 7) -> None:
    """Check the pictures of a match of every variant, from all seats, and its score sheet."""
    for options in variants(game):
        state = game.start(players, **options)
        for step, now in enumerate(random_match(state, random.Random(players))):
            if now.over or step % every == 0:
                for seat in (None, *range(players)):
                    check_scene(now.view(seat))
        check_sheet(state)


def check_scene(view: View) -> None:
    """The view can be drawn, tall and wide, and every legal move made by touching the picture."""
    scene = view.game.scene
    assert scene is not None, "the game has no scene"
    viewer = NOBODY if view.seat is None else view.seat
    names = NAMES[: view.players]
    legal = view.legal_ids(viewer)
    paths = [scene.path(view.fields, viewer, action) for action in legal]
    check_paths(paths)
    assert scene.prompt(view.fields, viewer, names), "no prompt"
    switches = scene.switches(view.fields, viewer)
    switched = {name for change in switches.values() for name in change.values()}
    for tall in (True, False):
        frame = Frame(names, tall)
        picture = scene.draw(view.fields, viewer, frame)
        touchable = check_picture(picture, tall)
        if tall:
            world = view.determinize(view.players).view(view.seat)
            assert scene.draw(world.fields, viewer, frame) == picture, "a world looks different"
        assert all(switch in touchable for switch in switches), "a switch is not in the picture"
        for path in paths:
            for name, times in Counter(_steps(path)).items():
                fine = name.startswith(BUTTON) or name in switched or touchable[name] >= times
                assert fine, f"{name} of {path} cannot be touched"
        for action in legal[:: len(legal) // GHOSTS + 1]:
            _parsed(scene.ghost(view.fields, viewer, action, frame) or Svg(""))


def check_paths(paths: Sequence[Path_]) -> None:
    """No two moves are touched alike, and none is finished while another one still goes on."""
    tidy = [tuple(s if isinstance(s, str) else tuple(sorted(s)) for s in path) for path in paths]
    seen = set(tidy)
    assert all(tidy), "a move without a path"
    assert len(seen) == len(tidy), "two moves have the same path"
    for path in tidy:
        assert all(path[:n] not in seen for n in range(1, len(path))), f"a move begins {path}"


def check_picture(picture: Picture, tall: bool) -> Counter[str]:
    """A well-formed picture within its limits; return how often each name can be touched."""
    width, height, smallest = TALL if tall else WIDE
    assert picture.width == width and 0 < picture.height <= height, "a picture of a wrong size"
    assert picture.title, "a picture without a title"
    elements = list(_parsed(picture.body).iter())
    ids = Counter(e.get("id") for e in elements if e.get("id"))
    assert all(times == 1 for times in ids.values()), f"ids are not unique: {ids.most_common(1)}"
    _check_inside(_parsed(picture.body), picture, 0, 0)
    for element in elements:
        if element.tag == "text":
            assert float(element.get("font-size", 0)) >= smallest, f"small: {element.text}"
        if element.get("data-touch"):
            assert element.get("aria-label"), f"{element.get('data-touch')} has no label"
        assert "scale" not in element.get("transform", ""), "scaled: sizes are not what they seem"
    return Counter(name for e in elements if (name := e.get("data-touch")))


def check_sheet(state: State) -> None:
    """The score sheet of a match that is over adds up to its scores, also for spectators."""
    for seat in (None, 0):
        views = (moment.view(seat).fields for moment in state.record.states())
        lines = state.game.sheet(views, NAMES[: state.players])
        assert all(len(line.points) == state.players for line in lines), "not one entry a seat"
        assert all(line.rule in state.game.rule_sections for line in lines), "a rule has no text"
        totals = [line.points for line in lines if line.total]
        assert totals and totals[-1] == state.scores, f"{totals[-1:]} is not the score"


def _check_inside(element: ElementTree.Element, picture: Picture, x: float, y: float) -> None:
    """What is drawn is within the picture, as far as groups are only moved."""
    moved = element.get("transform", "translate(0 0)")
    if not moved.startswith("translate("):
        return
    dx, dy = moved[len("translate(") : -1].replace(",", " ").split()
    x, y = x + float(dx), y + float(dy)
    if element.tag in ("rect", "text"):
        left, top = x + float(element.get("x", 0)), y + float(element.get("y", 0))
        right = left + float(element.get("width", 0))
        bottom = top + float(element.get("height", 0))
        inside = min(left, top) > -EDGE and right < picture.width + EDGE
        assert inside and bottom < picture.height + EDGE, f"outside: {element.attrib}"
    for child in element:
        _check_inside(child, picture, x, y)


def _steps(path: Path_) -> Iterator[str]:
    for step in path:
        yield from (step,) if isinstance(step, str) else step


def _parsed(body: Svg) -> ElementTree.Element:
    return ElementTree.fromstring(el("svg", body) if body else "<svg/>")
