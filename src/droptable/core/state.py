"""A match at one moment, in tokens: `State` knows all, `View` what one seat may know."""

from __future__ import annotations

import operator
import random
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from droptable.core.bits import members
from droptable.core.chance import generators
from droptable.core.contract import DEALER, DEALER_ACTS, MOST_SEATS, NOBODY
from droptable.core.errors import DroptableError, IllegalMove, OptionError, TokenError
from droptable.core.language import _, counted
from droptable.core.scene import Frame
from droptable.core.tensor import encode_at, size_of

if TYPE_CHECKING:
    from droptable.core.engine import Engine
    from droptable.core.game import Game
    from droptable.core.record import Record

Event = tuple[int, str]  # (actor, token)


def duplicate(data: np.ndarray) -> np.ndarray:
    """A copy of records; NumPy's own copies field by field, fifty times slower."""
    return np.ndarray(data.shape, data.dtype, bytearray(data.tobytes()))


class _Position:
    """What a state and a view have in common: a record that can be asked."""

    __slots__ = ("_actors", "_data", "_ids", "_legal", "_vocabulary", "game", "options", "players")

    def __init__(
        self, game: Game, players: int, options: dict[str, Any], data: Any, actors: int | None
    ) -> None:
        """`actors` are those who may act, where that is known already."""
        self.game = game
        self.players = players
        self.options = options
        self._vocabulary = game.vocabulary(options)
        self._data = data
        self._ids: np.ndarray | None = None
        self._actors = int(self._engine.to_act_at(data, 0)) if actors is None else actors
        self._legal: dict[int, list[int]] = {}

    @property
    def _engine(self) -> Engine:
        return self.game.engine

    def _room(self) -> np.ndarray:
        """Room for the ids of moves or outcomes, made when it is first needed."""
        if self._ids is None:
            self._ids = np.empty(self._vocabulary.width, np.int32)
        return self._ids

    @property
    def fields(self) -> Any:
        """The record, for the game's own words and scenes; not to be changed."""
        return self._data[0]

    @property
    def array(self) -> Any:
        """The record in an array of one, as kernels take it; not to be changed."""
        return self._data

    def __bytes__(self) -> bytes:
        return self.game.pack(self._data)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The actors who may act now, ascending: seats, or the dealer (-1) alone; () at the end."""
        return (DEALER,) if self._actors == DEALER_ACTS else members(self._actors)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return not self._actors

    @property
    def scores(self) -> tuple[int, ...]:
        """What a person would write down for each seat so far."""
        return self._result()[0]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won, or share the victory; empty until the match is over."""
        return self._result()[1]

    def _result(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        points = np.zeros(MOST_SEATS, np.int32)
        winners = self._engine.result_at(self._data, 0, points)
        return tuple(points[: self.players].tolist()), members(winners)

    def legal_ids(self, seat: int) -> list[int]:
        """The legal moves of a seat by id, ascending; empty when it is not to act."""
        if seat not in self._legal:
            legal: list[int] = []
            if 0 <= seat < self.players and self._actors >> seat & 1:
                ids = self._room()
                legal = ids[: self._engine.legal_at(self._data, 0, seat, ids)].tolist()
            self._legal[seat] = legal
        return self._legal[seat]

    def automatic(self, seat: int) -> str | None:
        """The move that a table makes for this seat: one of `Scene.automatic`, if it is the only
        legal one; None if the seat decides."""
        scene = self.game.scene
        if scene is None or not scene.automatic or len(self.legal_ids(seat)) != 1:
            return None
        token = self._vocabulary.actions[self.legal_ids(seat)[0]]
        return token if token in scene.automatic else None

    def __str__(self) -> str:
        return self.game.words.draw(self.fields, NOBODY)

    def _repr_svg_(self) -> str | None:
        """The picture, which notebooks show; None where the game has none."""
        if self.game.scene is None:
            return None
        names = [f"Seat {seat}" for seat in range(self.players)]
        drawn = self.game.scene.draw(self.fields, self._eyes, Frame(names))
        return drawn.svg(standalone=True)

    @property
    def _eyes(self) -> int:
        """From whose seat the picture is drawn: that of who is to act, if it is one."""
        return self.to_act[0] if len(self.to_act) == 1 and self.to_act[0] != DEALER else NOBODY


class State(_Position):
    """A match at one moment. `apply` moves it on; everything else only looks.

    The history is the list of `(actor, token)` events that led here; a state that was loaded from
    bytes has none.
    """

    __slots__ = ("_history", "_shown", "_weights")

    def __init__(
        self,
        game: Game,
        players: int,
        options: dict[str, Any],
        data: Any,
        history: tuple[Event, ...] | None = (),
        actors: int | None = None,
    ) -> None:
        super().__init__(game, players, options, data, actors)
        self._history = None if history is None else list(history)
        self._weights: list[tuple[str, int]] | None = None
        self._shown: np.ndarray | None = None  # the record in views, where nothing is hidden

    def __repr__(self) -> str:
        players = counted("{count} player", "{count} players", self.players)
        events = "no history"
        if self._history is not None:
            events = counted("{count} event", "{count} events", len(self._history))
        return f"<{self.game.title}, {players}, {events}, to act {self.to_act}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.game is other.game and bytes(self) == bytes(other)

    __hash__ = None  # type: ignore[assignment]

    def copy(self) -> State:
        """An independent state at the same moment, with the same history."""
        history = None if self._history is None else tuple(self._history)
        data = duplicate(self._data)
        return State(self.game, self.players, self.options, data, history, self._actors)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events so far."""
        if self._history is None:
            raise DroptableError("this state was loaded from bytes: its events are not known")
        return tuple(self._history)

    @property
    def record(self) -> Record:
        """The match up to now, to be saved, shared and replayed."""
        from droptable.core.record import Record

        return Record(self.game, self.players, self.options, self.events)

    def legal(self, seat: int) -> list[str]:
        """The legal moves of a seat; empty when it is not to act."""
        actions = self._vocabulary.actions
        return [actions[i] for i in self.legal_ids(seat)]

    def chance(self) -> list[tuple[str, Fraction]]:
        """What the dealer may deal, with exact probabilities; empty if the dealer is not to act."""
        weights = self.chance_weights()
        total = sum(weight for _, weight in weights)
        return [(token, Fraction(weight, total)) for token, weight in weights]

    def chance_weights(self) -> list[tuple[str, int]]:
        """What the dealer may deal, with integer weights (how many such cards are left)."""
        if self._actors != DEALER_ACTS:
            return []
        if self._weights is None:
            ids, weights = self._room(), np.empty(len(self._vocabulary.outcomes), np.int32)
            count = self._engine.chance_at(self._data, 0, ids, weights)
            outcomes = self._vocabulary.outcomes
            listed = zip(ids[:count].tolist(), weights[:count].tolist(), strict=True)
            self._weights = [(outcomes[i], weight) for i, weight in listed]
        return self._weights.copy()

    def apply(self, actor: int, token: str) -> None:
        """Make a move, or let the dealer's outcome happen, in place.

        Anything that is not legal now raises `IllegalMove`, words that never are `TokenError`; the
        state is then exactly as before.
        """
        actor = self._actor(actor)
        action = self._check(actor, token)
        self._actors = self._engine.apply_at(self._data, 0, actor, action)
        self._legal.clear()
        self._weights = self._shown = None
        if self._history is not None:
            self._history.append(self._vocabulary.event(actor, action))

    def deal(self, dealer: random.Random) -> str:
        """Let the dealer act, by a generator that lives outside; return the token."""
        token = self.draw(dealer)
        self.apply(DEALER, token)
        return token

    def draw(self, dealer: random.Random) -> str:
        """What the dealer would deal now, by a generator that lives outside."""
        weights = self.chance_weights()
        if not weights:
            raise self._out_of_turn(DEALER, "")
        left = dealer.randrange(sum(weight for _, weight in weights))
        for token, weight in weights:
            left -= weight
            if left < 0:
                return token
        raise AssertionError("weights do not add up")

    def view(self, seat: int | None) -> View:
        """What a seat, or (None) a spectator, may know. Nothing else is in it."""
        if seat is not None and (
            isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.players
        ):
            raise OptionError(f"there is no seat {seat!r}; seats are 0 to {self.players - 1}")
        if self.game.rules.observe is None:
            if self._shown is None:
                self._shown = duplicate(self._data)
            return View(self.game, self.players, self.options, self._shown, seat, self._actors)
        data = duplicate(self._data)
        self._engine.observe_at(data, 0, NOBODY if seat is None else seat)
        return View(self.game, self.players, self.options, data, seat)

    def witnesses(self, actor: int, token: str) -> tuple[int, ...]:
        """The seats that may know this event at the moment it happens."""
        actor = self._actor(actor)
        action = self._check(actor, token)
        return members(self._engine.witnesses_at(self._data, 0, actor, action))

    # -- checking ---------------------------------------------------------------------------------

    def _actor(self, actor: int) -> int:
        """An actor as a plain number, which NumPy's are not."""
        try:
            return operator.index(actor)
        except TypeError:
            raise self._unknown(actor, None) from None

    def _check(self, actor: int, token: str) -> int:
        """The id of a token that this actor may use now, or the reason why not."""
        action = self._vocabulary.ids(actor).get(token) if isinstance(token, str) else None
        if action is None:
            raise self._unknown(actor, token)
        if actor == DEALER:
            if self._actors != DEALER_ACTS:
                raise self._out_of_turn(actor, token)
            if token not in [outcome for outcome, _ in self.chance_weights()]:
                rule, reason = self.game.words.why_not_dealt(self.fields, action)
                raise IllegalMove(reason, rule, actor, token)
        elif action not in self.legal_ids(actor):
            if actor not in self.to_act:
                raise self._out_of_turn(actor, token)
            # The reason is made from what the seat may know, so it cannot tell more.
            rule, reason = self.game.words.why(self.view(actor).fields, actor, action)
            raise IllegalMove(reason, rule, actor, token)
        return int(action)

    def _unknown(self, actor: int, token: object) -> Exception:
        if (
            not isinstance(actor, int)
            or isinstance(actor, bool)
            or not (DEALER <= actor < self.players)
        ):
            message = _("there is no actor {actor}; seats are 0 to {last}, the dealer is -1")
            return OptionError(message.format(actor=repr(actor), last=self.players - 1))
        known, message = self._vocabulary.outcome_ids, _("{token} is a move of the dealer")
        if actor == DEALER:
            known, message = self._vocabulary.action_ids, _("{token} is a move of a seat")
        if token in known:
            rule = self.game.words.turn_rule
            return IllegalMove(message.format(token=token), rule, actor, str(token))
        examples = (
            [outcome for outcome, _ in self.chance_weights()]
            if actor == DEALER
            else self.legal(actor)
        )
        message = _("{token} is not a move of {game}")
        message = message.format(token=repr(token), game=self.game.title)
        if examples:
            message += _("; possible now: {examples}").format(examples=_some(examples))
        return TokenError(message)

    def _out_of_turn(self, actor: int, token: str) -> Exception:
        if not DEALER <= actor < self.players:
            return self._unknown(actor, None)
        words = self.game.words
        if self.over:
            return IllegalMove(_("the match is over"), words.end_rule, actor, token)
        known = self if actor == DEALER else self.view(actor)  # who else is done may be a secret
        who = _(" and ").join(_actor(a) for a in known.to_act)
        message = _("{actor} is not to act now: {who} is").format(actor=_actor(actor), who=who)
        return IllegalMove(message, words.turn_rule, actor, token)


class View(_Position):
    """What one seat, or a spectator, may know of a state; bots and browsers get nothing else."""

    __slots__ = ("seat",)

    def __init__(
        self, game: Game, players: int, options: dict[str, Any], data: Any, seat: int | None,
        actors: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(game, players, options, data, actors)
        self.seat = seat

    def __repr__(self) -> str:
        who = "a spectator" if self.seat is None else f"seat {self.seat}"
        return f"<{self.game.title} as {who} sees it, to act {self.to_act}>"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, View)
            and (self.game, self.seat) == (other.game, other.seat)
            and bytes(self) == bytes(other)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def _viewer(self) -> int:
        return NOBODY if self.seat is None else self.seat

    @property
    def _eyes(self) -> int:
        return self._viewer

    @property
    def legal(self) -> list[str]:
        """The legal moves of this view's seat."""
        actions = self._vocabulary.actions
        return [actions[i] for i in self.legal_ids(self._viewer)]

    def label(self, token: str) -> str:
        """A move in words, `Place 6 on the 8`; `TokenError` if that makes no sense now."""
        try:
            action = self._vocabulary.action_ids[token]
            return self.game.words.label(self.fields, self._viewer, action)
        except (KeyError, IndexError, ValueError):
            message = _("{token} is not legal: {why}")
            raise TokenError(message.format(token=token, why=self.why(token))) from None

    def why(self, token: str) -> str:
        """Why a move is not legal now, with its rule; an empty string if it is legal."""
        action = self._vocabulary.action_ids.get(token)
        if action is None:
            message = _("{token} is not a move of {game}")
            return message.format(token=repr(token), game=self.game.title)
        if self._viewer not in self.to_act:
            return _("it is not your turn") + f" ({self.game.words.turn_rule})"
        if action in self.legal_ids(self._viewer):
            return ""
        rule, reason = self.game.words.why(self.fields, self._viewer, action)
        return f"{reason} ({rule})"

    def determinize(self, seed: int | None = None) -> State:
        """A full state that looks like this to the seat, uniformly over all that are possible."""
        data = duplicate(self._data)
        self._engine.determinize_at(data, 0, self._viewer, generators(1, seed))
        return State(self.game, self.players, self.options, data, history=None)

    def tensor(self) -> np.ndarray:
        """The view for learning: one row of float32, the planes of `Game.planes` flattened."""
        out = np.empty(size_of(self.game.planes_of(self.players, self.options)), np.float32)
        raw = self._data.view(np.uint8).reshape(1, -1)
        encode = self._engine.kernels.twin(encode_at)
        encode(self._data, 0, raw, self.game.bit_places(self.players), self._viewer, out)
        return out

    def to_dict(self) -> dict[str, Any]:
        """The view as plain data: the record's fields, and whose view it is."""
        return {"viewer": self.seat} | fields_of(self._data)

    def __str__(self) -> str:
        return self.game.words.draw(self.fields, self._viewer)


def fields_of(data: np.ndarray) -> dict[str, Any]:
    """The fields of a record (in an array of one) as plain data."""
    fields = zip(data.dtype.names or (), data.tolist()[0], strict=True)
    return {name: v.tolist() if isinstance(v, np.ndarray) else v for name, v in fields}


def _actor(actor: int) -> str:
    return _("the dealer") if actor == DEALER else _("seat {number}").format(number=actor)


def _some(tokens: list[str], limit: int = 8) -> str:
    more = f" … ({len(tokens)} in all)" if len(tokens) > limit else ""
    return ", ".join(tokens[:limit]) + more
