"""Whether the parts of a game fit together; what does not is refused in one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from droptable.core.compile import PLAIN, Kernels
from droptable.core.contract import MOST_ACTIONS, MOST_SEATS, Rules
from droptable.core.errors import GameError
from droptable.core.options import Option, resolve
from droptable.core.scene import Scene
from droptable.core.tensor import Encoder
from droptable.core.words import Words, no_outcomes

if TYPE_CHECKING:
    from droptable.core.game import Game

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def check_parts(game: Game) -> None:
    """Refuse a game whose parts do not fit together (`GameError`)."""
    for part, kind in (("rules", Rules), ("words", Words), ("scene", Scene), ("encoder", Encoder)):
        given = getattr(game, part)
        if not isinstance(given, kind) and not (given is None and part in ("scene", "encoder")):
            raise _error(game, f"{part} is {given!r}; expected {kind.__name__}(…)")
    if not NAME.fullmatch(game.name):
        raise _error(game, "a name is made of lower-case words joined by -, like drop-site")
    _check_players(game)
    for name, option in game.options.items():
        _check_option(game, name, option)
    _check_functions(game, "Words", game.words)
    if game.scene is not None:
        _check_functions(game, "Scene", game.scene)
    _check_tokens(game)
    Kernels(game.name, game.slots, PLAIN).digest(*game.slots.values())  # refuses what is no kernel
    for rule in ("turn_rule", "end_rule"):
        number = getattr(game.words, rule)
        if number not in game.rule_sections:
            raise _error(game, f"Words: {rule} is {number!r}, but the text has no section of it")


def _error(game: Game, message: str) -> GameError:
    return GameError(f"{game.name}: {message}")


def _check_players(game: Game) -> None:
    counts = game.players
    fine = all(isinstance(n, int) and 1 <= n <= MOST_SEATS for n in counts)
    if not counts or not fine or list(counts) != sorted(set(counts)):
        raise _error(
            game, f"players is {counts!r}; expected counts from 1 to {MOST_SEATS}, ascending"
        )


def _check_option(game: Game, name: str, option: Option) -> None:
    """An option has a field of its name in the record that can hold every value."""
    record = game.rules.dtype
    if name not in (record.names or ()):
        raise _error(game, f"the record has no field {name!r} for the option of that name")
    if not option.accepts(option.default):
        raise _error(
            game, f"option {name}: the default is {option.default!r}; expected {option.range}"
        )
    field = record[name]
    for value in option.extremes():
        stored = np.zeros((), field.base)
        encoded = np.asarray(option.encode(value))
        try:
            same_shape = encoded.shape == field.shape
            fits = same_shape and bool((encoded.astype(stored.dtype) == encoded).all())
        except (TypeError, ValueError, OverflowError):
            fits = False
        if not fits:
            raise _error(game, f"the field {name!r} ({field}) cannot hold the option {value!r}")


def _check_functions(game: Game, kind: str, part: Any) -> None:
    """Whatever a part needs is there and can be called."""
    for field in fields(part):
        value = getattr(part, field.name)
        wanted = "Callable" in str(field.type)
        if wanted and not callable(value) and not (value is None and "None" in str(field.type)):
            raise _error(game, f"{kind}: {field.name} is {value!r}; expected a function")
        if field.type == "str" and not isinstance(value, str):
            raise _error(game, f"{kind}: {field.name} is {value!r}; expected a text")


def _check_tokens(game: Game) -> None:
    """Tokens are texts of their own, not too many, and there are outcomes if there is chance."""
    for options in ({}, *({name: value} for name, option in game.options.items()
                          for value in option.extremes())):  # fmt: skip
        values = resolve(game.name, game.options, options)
        _check_list(game, "actions", game.words.actions, values)
        if game.rules.chance is not None:
            if game.words.outcomes is no_outcomes:
                raise _error(game, "the rules have a chance kernel, but the words no outcomes")
            _check_list(game, "outcomes", game.words.outcomes, values)
        elif game.words.outcomes(values):
            raise _error(game, "the words have outcomes, but the rules no chance kernel")


def _check_list(
    game: Game, what: str, function: Callable[[dict[str, Any]], tuple[str, ...]],
    values: dict[str, Any],
) -> None:  # fmt: skip
    tokens = function(values)
    where = f"Words: {what} with {values!r}" if values else f"Words: {what}"
    if not isinstance(tokens, tuple) or not tokens:
        raise _error(game, f"{where} is {tokens!r:.60}; expected a tuple of at least one token")
    if len(tokens) >= MOST_ACTIONS:
        raise _error(game, f"{where} has {len(tokens)} tokens; expected fewer than {MOST_ACTIONS}")
    seen = set()
    for token in tokens:
        if not isinstance(token, str) or not token or token != " ".join(token.split()):
            raise _error(game, f"{where} has {token!r}; expected words separated by one space")
        if token in seen:
            raise _error(game, f"{where} has {token!r} twice")
        seen.add(token)
