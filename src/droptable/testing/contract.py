"""Random matches, looked at from all sides: who acts, refusals, views, worlds, events."""

from __future__ import annotations

import random
import traceback
from pathlib import Path

from droptable.core.contract import DEALER
from droptable.core.errors import IllegalMove
from droptable.core.game import Game
from droptable.core.precompile import policy
from droptable.core.state import State, View
from droptable.core.tensor import size_of
from droptable.testing.kernels import check_kernels
from droptable.testing.matches import variants
from droptable.testing.pictures import check_scene, check_sheet

WIDEST_LINE = 100
LONGEST = 100_000  # events of a match
ILLEGAL_TRIES = 6  # illegal tokens that are tried at each state that is looked at
PICTURED = 150  # one in so many views is drawn as a picture too: that takes longer than the rest


def check_game(
    game: Game, players: int | None = None, matches: int = 1, seed: int = 0, every: int = 7
) -> None:
    """Check random matches of every variant, at one player count or all; each `every`th state
    is looked at from all sides, the others quickly."""
    for count in game.players if players is None else (players,):
        for options in variants(game):
            for match in range(matches):
                where = f"{game.name}, {count} players, {options}, seed {seed + match}"
                try:
                    check_kernels(game, count, options, seed + match)
                    with game.running(game.plain if policy() == "never" else game.checked):
                        check_match(game.start(count, **options), seed + match, every)
                except AssertionError as error:
                    raise AssertionError(f"{where}: {error}") from error
                except Exception as error:
                    problem = f"{type(error).__name__}: {error} {_place(error)}"
                    raise AssertionError(f"{where}: {problem}") from error


def _place(error: Exception) -> str:
    """Where an error comes from, as its author knows it."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"(in {frame.name}, {Path(frame.filename).name}:{frame.lineno})"


def check_match(state: State, seed: int, every: int = 7) -> State:
    """Play one random match, checking all the way; return its last state."""
    chance = random.Random(seed)
    step = 0
    while not state.over:
        assert step < LONGEST, f"the match is not over after {LONGEST} events"
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
    names = [f"Seat {seat}" for seat in range(state.players)]
    assert state.game.words.verdict(state.fields, names), "a match without a verdict"
    if state.game.scene is not None:
        check_sheet(state)
    replayed = state.record.final
    assert replayed == state, "replaying the record leads elsewhere"
    return state


def check_invariant(state: State, what: str) -> None:
    """What the game says is always so."""
    invariant = state.game.rules.invariant
    assert invariant is None or invariant(state.fields), f"the invariant does not hold in {what}"


def check_actors(state: State) -> None:
    """Who is to act, and what they may do, is consistent."""
    actors = state.to_act
    check_invariant(state, "a state")
    assert actors == (DEALER,) or all(0 <= a < state.players for a in actors), f"to_act {actors}"
    assert state.over == (not actors), "over does not agree with to_act"
    assert bool(state.winners) == state.over, "winners and over do not agree"
    assert len(state.scores) == state.players, "not one score per seat"
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
        check_invariant(world, "a determinized world")
        assert str(world.view(seat)) == drawing, "a world is drawn differently"
        if seat is not None:
            assert world.legal(seat) == view.legal, "a world allows other moves"
        assert world.scores == view.scores, "a world has other scores than its view"
    if state.game.scene is not None and chance.randrange(PICTURED) == 0:
        check_scene(view)


def check_tensor(view: View) -> None:
    """The view can be learned from: a row of numbers from -1 to 1, as long as its planes."""
    tensor = view.tensor()
    expected = size_of(view.game.planes_of(view.players, view.options))
    assert tensor.shape == (expected,), f"a tensor of {tensor.shape} numbers, planes of {expected}"
    assert abs(tensor).max() <= 1, "a tensor's numbers are beyond -1 and 1"


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
        sentence = state.game.words.tell(*eyes, actor, action, names)
        assert sentence or seat not in seen_by, "an event without a sentence"
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
        check_witnesses(state, actor, (token, after), (alternative, twin))


def check_witnesses(
    state: State, actor: int, one: tuple[str, State], other: tuple[str, State]
) -> None:
    """Who witnesses an event could have seen it: its view tells it from another one."""
    (token, after), (alternative, twin) = one, other
    if token == alternative or bytes(after) == bytes(twin):
        return
    knows = set(state.witnesses(actor, token)) & set(state.witnesses(actor, alternative))
    for seat in knows - {actor}:
        assert bytes(after.view(seat)) != bytes(twin.view(seat)), (
            f"seat {seat} witnesses {token!r}, but its view cannot tell that from {alternative!r}"
        )


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
