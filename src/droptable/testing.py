"""The contract suite: what must hold for every game, at every player count and option.

`check_game(GAME)` plays random matches and looks at every state from all sides; an `AssertionError`
names what does not hold and the match (game, players, options, seed) where.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree import ElementTree

from droptable.core.contract import DEALER, NOBODY
from droptable.core.errors import IllegalMove
from droptable.core.game import Game
from droptable.core.options import Choice, Flag, Number, NumberList, resolve
from droptable.core.scene import BUTTON, Frame, Path_, Picture, Scene
from droptable.core.state import State, View
from droptable.core.svg import Svg, el
from droptable.core.tensor import size_of

WIDEST_LINE = 100
ILLEGAL_TRIES = 6  # illegal tokens that are tried at each state that is looked at
PICTURED = 150  # one in so many views is drawn as a picture too: that takes longer than the rest
GHOSTS = 12  # ghosts that are drawn of each view
NAMES = ("Ann", "Bartholomew <b>&amp;", "C", "Dimitri Karamasow", "Ève", "F\"F'")
EDGE = 3  # units that a picture may bleed over its edge
TALL, WIDE = (360, 520, 12), (1000, 560, 22)  # width, most height and smallest text of a picture


def variants(game: Game) -> Iterator[dict[str, Any]]:
    """The defaults, then each option at each end of its range."""
    yield {}
    for name, option in game.options.items():
        values: tuple[Any, ...] = ()
        match option:
            case Number():
                values = (option.low, option.high)
            case NumberList():
                values = ((option.low,) * len(option.default), (option.high,) * len(option.default))
            case Choice():
                values = option.choices
            case Flag():
                values = (False, True)
        for value in values:
            if value != option.default:
                yield {name: value}


def check_game(
    game: Game, players: int | None = None, matches: int = 1, seed: int = 0, every: int = 7
) -> None:
    """Check random matches of every variant, at one player count or all; each `every`th state
    is looked at from all sides, the others quickly."""
    check_words(game)
    for count in game.players if players is None else (players,):
        for options in variants(game):
            for match in range(matches):
                where = f"{game.name}, {count} players, {options}, seed {seed + match}"
                try:
                    check_match(game.start(count, **options), seed + match, every)
                except AssertionError as error:
                    raise AssertionError(f"{where}: {error}") from error


def check_words(game: Game) -> None:
    """Tokens are unique and tidy, and the rules that errors cite have a text."""
    for options in variants(game):
        vocabulary = game.vocabulary(resolve(game.name, game.options, options))
        for tokens in (vocabulary.actions, vocabulary.outcomes):
            assert len(set(tokens)) == len(tokens), "two ids have the same token"
            assert all(token == " ".join(token.split()) for token in tokens), "untidy token"
    for number in (game.words.TURN_RULE, game.words.END_RULE):
        assert number in game.rule_sections, f"rule {number} has no text"


def check_match(state: State, seed: int, every: int = 7) -> State:
    """Play one random match, checking all the way; return its last state."""
    chance = random.Random(seed)
    step = 0
    while not state.over:
        check_actors(state)
        if step % every == 0:
            check_state(state, chance)
        actor = chance.choice(state.to_act)
        if actor == DEALER:
            token = state.draw(chance)
        else:
            token = chance.choice(state.legal(actor))
        check_event(state, actor, token, tell=step % every == 0)
        state.apply(actor, token)
        step += 1
    check_actors(state)
    check_state(state, chance)
    if state.game.scene is not None:
        check_sheet(state, state.game.scene)
    replayed = state.record.final
    assert replayed == state, "replaying the record leads elsewhere"
    return state


def check_actors(state: State) -> None:
    """Who is to act, and what they may do, is consistent."""
    actors = state.to_act
    assert actors == tuple(sorted(actors)), "to_act is not ascending"
    assert actors == (DEALER,) or all(0 <= a < state.players for a in actors), f"to_act {actors}"
    assert state.over == (not actors), "over does not agree with to_act"
    assert bool(state.winners) == state.over, "winners and over do not agree"
    assert len(state.scores) == state.players, "not one score a seat"
    weights = state.chance_weights()
    assert bool(weights) == (actors == (DEALER,)), "chance and to_act do not agree"
    assert all(weight > 0 for _, weight in weights), "an outcome of weight 0"
    assert sum(p for _, p in state.chance()) == (1 if weights else 0), "probabilities"
    for seat in range(state.players):
        ids = state.legal_ids(seat)
        assert bool(ids) == (seat in actors), f"legal moves and to_act disagree for seat {seat}"
        assert ids == sorted(set(ids)), "legal moves are not ascending"


def check_state(state: State, chance: random.Random) -> None:
    """Copies, bytes, refusals, views and worlds of one state."""
    image = bytes(state)
    loaded = state.game.load(image)
    assert loaded == state and bytes(loaded) == image, "bytes do not round-trip"
    assert loaded.to_act == state.to_act and loaded.scores == state.scores, "a loaded state differs"
    assert loaded.options == state.options, "options do not survive bytes"
    if not state.over:
        copy = state.copy()
        actor = copy.to_act[0]
        copy.apply(actor, copy.chance()[0][0] if actor == DEALER else copy.legal(actor)[0])
        assert bytes(state) == image, "a copy is not independent"
    check_refusals(state, chance)
    for seat in (None, *range(state.players)):
        check_view(state, seat, chance)
    check_tensor(state.view(state.players - 1))
    assert bytes(state) == image, "looking changed the state"


def check_refusals(state: State, chance: random.Random) -> None:
    """What is not legal is refused with a rule that has a text, and changes nothing."""
    image = bytes(state)
    vocabulary = state.game.vocabulary(state.options)
    for actor in range(DEALER, state.players):
        tokens = vocabulary.outcomes if actor == DEALER else vocabulary.actions
        fine = {t for t, _ in state.chance()} if actor == DEALER else set(state.legal(actor))
        bad = [token for token in tokens if token not in fine]
        for token in chance.sample(bad, min(ILLEGAL_TRIES, len(bad))):
            try:
                state.apply(actor, token)
            except IllegalMove as error:
                assert error.rule in state.game.rule_sections, f"no text for rule {error.rule}"
                assert error.reason and error.rule in str(error), "no reason"
            else:
                raise AssertionError(f"{actor} {token} was not refused")
            assert bytes(state) == image, f"the refused {token} changed the state"


def check_view(state: State, seat: int | None, chance: random.Random) -> None:
    """A view knows the seat's moves; every world made from it looks the same to the seat."""
    view = state.view(seat)
    assert bytes(view) == bytes(state.view(seat)), "a view is not always the same"
    assert len(view.scores) == state.players, "a view lacks scores"
    if seat is not None:
        assert view.legal == state.legal(seat), "a view's legal moves differ"
        assert all(view.label(token) for token in view.legal), "a move without a label"
        assert (seat in view.to_act) == (seat in state.to_act), "the view does not know its turn"
    drawing = str(view)
    assert drawing and max(map(len, drawing.split("\n"))) <= WIDEST_LINE, "drawing too wide"
    assert str(state), "no drawing of the whole state"
    for _ in range(2):
        world = view.determinize(chance.getrandbits(32))
        assert bytes(world.view(seat)) == bytes(view), "a world looks different to its seat"
        assert str(world.view(seat)) == drawing, "a world is drawn differently"
        if seat is not None:
            assert world.legal(seat) == view.legal, "a world allows other moves"
        assert world.scores == view.scores, "a world has other scores than its view"
    if state.game.scene is not None and chance.randrange(PICTURED) == 0:
        check_scene(view, state.game.scene)


def check_tensor(view: View) -> None:
    """The view can be learned from: a row of numbers from -1 to 1, as long as its planes."""
    tensor = view.tensor()
    expected = size_of(view.game.planes_of(view.players, view.options))
    assert tensor.shape == (expected,), f"a tensor of {tensor.shape} numbers, planes of {expected}"
    assert abs(tensor).max() <= 1, "a tensor's numbers are beyond -1 and 1"


def check_scene(view: View, scene: Scene) -> None:
    """The view can be drawn, tall and wide, and every legal move made by touching the picture."""
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


def random_match(state: State, chance: random.Random) -> Iterator[State]:
    """Play on at random, in place: the state before each event, and at the end."""
    while not state.over:
        yield state
        actor = chance.choice(state.to_act)
        if actor == DEALER:
            state.deal(chance)
        else:
            state.apply(actor, chance.choice(state.legal(actor)))
    yield state


def check_scenes(game: Game, scene: Scene, players: int, every: int = 7) -> None:
    """Check the pictures of a match of every variant, from all seats, and its score sheet."""
    for options in variants(game):
        state = game.start(players, **options)
        for step, now in enumerate(random_match(state, random.Random(players))):
            if now.over or step % every == 0:
                for seat in (None, *range(players)):
                    check_scene(now.view(seat), scene)
        check_sheet(state, scene)


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


def check_sheet(state: State, scene: Scene) -> None:
    """The score sheet of a match that is over adds up to its scores, also for spectators."""
    for seat in (None, 0):
        views = (moment.view(seat).fields for moment in state.record.states())
        lines = scene.sheet(views, NAMES[: state.players])
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


def check_event(state: State, actor: int, token: str, *, tell: bool) -> None:
    """Who is no witness of an event sees the same whatever it was, and it can be told."""
    seen_by = state.witnesses(actor, token)
    others = [seat for seat in range(state.players) if seat not in seen_by]
    assert actor in (DEALER, *seen_by), "an actor does not know its own move"
    if not tell:
        return
    after = _after(state, actor, token)
    ids = state.game.vocabulary(state.options).ids(actor)
    names = [f"Seat {seat}" for seat in range(state.players)]
    for seat in range(state.players):
        eyes = state.view(seat).fields, after.view(seat).fields
        action = ids[token] if seat in seen_by else -1
        told = state.game.words.tell(*eyes, actor, action, names)
        assert told or seat not in seen_by, "an event without a sentence"
    alternatives = [t for t, _ in state.chance()] if actor == DEALER else state.legal(actor)
    for alternative in alternatives[:4]:
        twin = _after(state, actor, alternative)
        if twin.to_act != after.to_act:
            continue  # what follows differs in public, a round that ends for instance
        unseen = [s for s in others if s not in state.witnesses(actor, alternative)]
        for seat in unseen:
            if _is_open(after, seat) and not _is_open(state, seat):
                continue  # it showed all that was hidden, itself included
            assert _same_kind(token, alternative) is False or bytes(after.view(seat)) == bytes(
                twin.view(seat)
            ), f"seat {seat} can tell {token} from {alternative}"


def _after(state: State, actor: int, token: str) -> State:
    after = state.copy()
    after.apply(actor, token)
    return after


def _is_open(state: State, seat: int) -> bool:
    """Whether nothing is hidden from a seat."""
    return bytes(state.view(seat)) == bytes(state)


def _same_kind(token: str, other: str) -> bool:
    """`draw 3` and `draw 7` differ only in what is hidden; `hide 3` and `place 3` do not."""
    return token.split()[0] == other.split()[0]


__all__ = [
    "check_game",
    "check_match",
    "check_scene",
    "check_scenes",
    "check_sheet",
    "check_state",
    "check_tensor",
    "check_words",
    "variants",
]
