"""Whether a game's kernels compile, stay within their arrays, and are the same as plain Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from droptable.core.bits import members
from droptable.core.chance import generators, sample_outcome
from droptable.core.contract import DEALER, DEALER_ACTS, MOST_SEATS, NOBODY
from droptable.core.engine import Engine
from droptable.core.game import Game
from droptable.core.options import resolve
from droptable.core.precompile import policy
from droptable.core.tensor import encode_at, revise, size_of

EVENTS = 150  # of a match in which both worlds are compared
EVERY = 5  # one in so many states is compared from all sides
GUARD = 77  # what stands behind an array where nothing may be written


def check_kernels(game: Game, players: int, options: dict[str, Any], seed: int) -> None:
    """Play a random match in both worlds, event by event; they have to agree in every byte.

    Machine code has bounds checks here. Where nothing may be compiled, plain Python is checked.
    """
    values = resolve(game.name, game.options, options)
    _play(game, [game.plain], players, values, seed)
    if policy() != "never":
        _play(game, [game.plain, game.checked], players, values, seed)


def _play(
    game: Game, engines: list[Engine], players: int, values: dict[str, Any], seed: int
) -> None:
    """Play a random match in some worlds, side by side."""
    worlds = [_World(game, engine, players, values) for engine in engines]
    chance = generators(1, seed)[0].item()
    _agree("setup", [world.state() for world in worlds])
    for event in range(EVENTS):
        actors = _agree("to_act", [world.to_act() for world in worlds])
        if not actors:
            break
        actor = DEALER
        if actors == DEALER_ACTS:
            assert game.rules.chance is not None, "the dealer is to act, but there is no chance"
            ids = _agree("chance", [world.chance() for world in worlds])[0]
        else:
            seats = members(actors)
            assert seats[-1] < players, f"to_act names seat {seats[-1]} of {players} players"
            chance = _next(chance)
            actor = seats[chance % len(seats)]
            ids = _agree("legal", [world.legal(actor) for world in worlds])
        chance = _next(chance)
        action = ids[chance % len(ids)]
        if event % EVERY == 0:
            _check_sides(game, worlds, actor, action, players, seed + event)
        _agree("apply", [world.apply(actor, action) for world in worlds])
    _agree("scores and winners", [world.result() for world in worlds])
    _agree("ended_by_limit", [world.ended_by_limit() for world in worlds])


def _check_sides(
    game: Game, worlds: list[_World], actor: int, action: int, players: int, seed: int
) -> None:
    """Compare all that a state can be asked."""
    _agree("scores and winners", [world.result() for world in worlds])
    _agree("witnesses", [world.witnesses(actor, action) for world in worlds])
    for seat in (NOBODY, *range(players)):
        _agree("observe", [world.observe(seat) for world in worlds])
        _agree("determinize", [world.determinize(seat, seed) for world in worlds])
    if game.encoder is not None:
        _agree("encode", [world.encode(players - 1) for world in worlds])
    if actor == DEALER and game.rules.sample_outcome is not None:
        drawn = _agree("sample_outcome", [world.sample(seed) for world in worlds])
        possible, _ = worlds[0].chance()
        assert drawn in possible, f"sample_outcome draws {drawn}; chance lists {possible}"


def _next(number: int) -> int:
    """Another number that looks random (a linear congruential generator)."""
    return (number * 6364136223846793005 + 1442695040888963407) % 2**63 >> 7


def _agree(what: str, results: list[Any]) -> Any:
    """The result of all worlds."""
    first = results[0]
    for other in results[1:]:
        assert other == first, f"{what} differs: {_short(first)} plain, {_short(other)} compiled"
    return first


def _short(value: object) -> str:
    return f"{len(value)} bytes" if isinstance(value, bytes) else f"{value!r:.80}"


class _World:
    """A match in one world, with arrays that are exactly as long as kernels are promised."""

    def __init__(self, game: Game, engine: Engine, players: int, values: dict[str, Any]) -> None:
        self._game = game
        self._engine = engine
        self._world = "compiled" if engine.compiled else "as plain Python"
        self._players = players
        self._values = values
        self._vocabulary = game.vocabulary(values)
        self._states = game.blank(players, values)
        self._call("setup", engine.start_at, self._states, 0)
        self._shown: Any = None  # the last view that was encoded, whose it is, and its tensor

    def state(self) -> bytes:
        return bytes(self._states.tobytes())

    def to_act(self) -> int:
        return int(self._look("to_act", self._engine.to_act_at, self._states, 0))

    def legal(self, seat: int) -> list[int]:
        ids = np.full(len(self._vocabulary.actions), GUARD, np.int32)
        count = self._look("legal", self._engine.legal_at, self._states, 0, seat, ids)
        return self._listed("legal", ids, int(count), self._vocabulary.actions)

    def chance(self) -> tuple[list[int], list[int]]:
        ids = np.full(len(self._vocabulary.outcomes), GUARD, np.int32)
        weights = np.full(len(self._vocabulary.outcomes), GUARD, np.int32)
        count = self._look("chance", self._engine.chance_at, self._states, 0, ids, weights)
        listed = self._listed("chance", ids, int(count), self._vocabulary.outcomes)
        assert all(weight > 0 for weight in weights[:count]), "chance lists a weight of 0 or less"
        return listed, weights[:count].tolist()

    def _listed(self, name: str, ids: Any, count: int, tokens: tuple[str, ...]) -> list[int]:
        listed: list[int] = ids[:count].tolist()
        assert 0 < count <= len(tokens), (
            f"{name} returns {count}; expected 1 to {len(tokens)}, as many as there are tokens"
        )
        fine = all(0 <= i < len(tokens) for i in listed) and listed == sorted(set(listed))
        assert fine, f"{name} lists {listed}; expected ids below {len(tokens)}, ascending"
        return listed

    def apply(self, actor: int, action: int) -> bytes:
        self._call("apply", self._engine.apply_at, self._states, 0, actor, action)
        record = self._states[0]
        kept = record["players"] == self._players and all(
            option.decode(record[name]) == self._values[name]
            for name, option in self._game.options.items()
        )
        assert kept, "apply changes the number of players or an option"
        return self.state()

    def result(self) -> tuple[list[int], int]:
        points = np.zeros(MOST_SEATS, np.int32)
        won = self._look("scores or winners", self._engine.result_at, self._states, 0, points)
        return points[: self._players].tolist(), int(won)

    def ended_by_limit(self) -> bool:
        return bool(self._look("ended_by_limit", self._engine.limit_at, self._states, 0))

    def witnesses(self, actor: int, action: int) -> int:
        function = self._engine.witnesses_at
        return int(self._look("witnesses", function, self._states, 0, actor, action))

    def observe(self, seat: int) -> bytes:
        return bytes(self._view(seat).tobytes())

    def _view(self, seat: int) -> Any:
        view = self._states.copy()
        self._call("observe", self._engine.observe_at, view, 0, seat)
        return view

    def determinize(self, seat: int, seed: int) -> bytes:
        view = self._view(seat)
        function = self._engine.determinize_at
        self._call("determinize", function, view, 0, seat, generators(1, seed))
        return bytes(view.tobytes())

    def encode(self, seat: int) -> list[float]:
        view = self._view(seat)
        out = np.zeros(size_of(self._game.planes_of(self._players, self._values)), np.float32)
        places = self._game.bit_places(self._players)
        encode = self._engine.kernels.twin(encode_at)
        raw = view.view(np.uint8).reshape(1, -1)
        self._call("encode", encode, view, 0, raw, places, seat, out)
        numbers: list[float] = out.tolist()
        shown, shown_seat, revised = self._shown or (view, seat, out.copy())
        self._call(
            "revise",
            self._engine.kernels.twin(revise),
            view[0],
            seat,
            shown[0],
            shown_seat,
            revised,
        )
        assert revised.tolist() == numbers, "revise writes another tensor than encode"
        self._shown = view, seat, revised
        return numbers

    def sample(self, seed: int) -> int:
        ids, weights = self._vocabulary.room()
        draw = self._engine.kernels.twin(sample_outcome)
        random = generators(1, seed)
        return int(self._call("sample_outcome", draw, self._states[0], ids, weights, random))

    def _look(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Ask something that has to leave the state as it is."""
        before = self.state()
        answer = self._call(name, function, *arguments)
        assert self.state() == before, f"{name} changes the state"
        return answer

    def _call(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except IndexError as error:
            problem = f"{name} leaves its array {self._world}: {error}"
            raise AssertionError(problem) from error
        except Exception as error:
            if type(error).__module__.startswith("numba"):
                raise AssertionError(f"{name} cannot be compiled: {_reason(error)}") from error
            problem = f"{name} fails {self._world}: {type(error).__name__}: {error}"
            raise AssertionError(problem) from error


def _reason(error: Exception) -> str:
    """What a compiler's long message is about: its first sentence, and the kernel."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines()]
    sentences = [
        line for line in lines if line and not line.startswith(("Failed in", "During", "-"))
    ]
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    where = ""
    if places:
        file, line = places[-1]
        where = f" (in {Path(file).stem.partition('-')[0]}, line {line})"
    return f"{sentences[0] if sentences else text:.200}{where}"
