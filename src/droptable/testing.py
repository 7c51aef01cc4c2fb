"""The contract suite: what must hold for every game, at every player count and option.

`check_game(GAME)` plays random matches and looks at every state from all sides; an `AssertionError`
names what does not hold and the match (game, players, options, seed) where.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from droptable.core.contract import DEALER
from droptable.core.errors import IllegalMove
from droptable.core.game import Game
from droptable.core.options import Choice, Flag, Number, NumberList, resolve
from droptable.core.state import State

WIDEST_LINE = 100
ILLEGAL_TRIES = 6  # illegal tokens that are tried at each state that is looked at


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
            token = state.copy().deal(chance)
        else:
            token = chance.choice(state.legal(actor))
        check_event(state, actor, token, tell=step % every == 0)
        state.apply(actor, token)
        step += 1
    check_actors(state)
    check_state(state, chance)
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
            assert _same_kind(token, alternative) is False or bytes(after.view(seat)) == bytes(
                twin.view(seat)
            ), f"seat {seat} can tell {token} from {alternative}"


def _after(state: State, actor: int, token: str) -> State:
    after = state.copy()
    after.apply(actor, token)
    return after


def _same_kind(token: str, other: str) -> bool:
    """`draw 3` and `draw 7` differ only in what is hidden; `hide 3` and `place 3` do not."""
    return token.split()[0] == other.split()[0]


__all__ = ["check_game", "check_match", "check_state", "check_words", "variants"]
