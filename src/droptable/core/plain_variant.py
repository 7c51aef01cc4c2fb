"""Variants as data: which constants of a game have other values, as a record tells it.

A record may come from a stranger, so a variant that it describes has bounds: numbers only, none far
from the game's own. It always runs as plain Python, where an index that is too large is an error
and not somebody else's memory, and nothing is compiled for it.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from droptable.core.errors import DroptableError, RecordError
from droptable.core.language import _
from droptable.core.variant import constant_of, unload_variant

if TYPE_CHECKING:
    from droptable.core.game import Game

MOST_CONSTANTS = 16
TIMES, LEAST = 4, 16  # a number is at most so many times the game's own, or this
KEPT = 8  # variants that a process has at a time
LONGEST_TITLE = 60

_kept: OrderedDict[str, Game] = OrderedDict()


def described(constants: Mapping[str, Any]) -> dict[str, Any]:
    """Constants as JSON has them."""
    return {name: _plain(value) for name, value in constants.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return list(map(_plain, value)) if isinstance(value, list | tuple) else value


def plain_variant(base: Game, constants: Any) -> Game:
    """The variant of a game that a record describes; `RecordError` says what is wrong with it."""
    if not isinstance(constants, dict) or not 0 < len(constants) <= MOST_CONSTANTS:
        message = _("variant is {value}; expected 1 to {most} constants with their values")
        raise RecordError(message.format(value=f"{constants!r:.80}", most=MOST_CONSTANTS))
    text = json.dumps([base.name, constants], sort_keys=True)
    if text in _kept:
        _kept.move_to_end(text)
        return _kept[text]
    mark = hashlib.sha256(text.encode()).hexdigest()[:8]
    variant = _loaded(base, f"{base.name}-plain-{mark}", constants)
    _kept[text] = variant
    while len(_kept) > KEPT:
        _text, oldest = _kept.popitem(last=False)
        unload_variant(oldest.base or base, oldest.name)
    return variant


def _loaded(base: Game, name: str, constants: Mapping[str, Any]) -> Game:
    told = ", ".join(f"{key} = {value}" for key, value in constants.items())
    title = f"{base.title}: {told}"
    try:
        values = {key: _bounded(base, key, value) for key, value in constants.items()}
        variant = base.variant(name, constants=values, title=f"{title:.{LONGEST_TITLE}}")
    except RecordError:
        raise
    except Exception as error:  # whatever the game's modules say to values that do not fit
        unload_variant(base, name)
        kind = "" if isinstance(error, DroptableError) else f"{type(error).__name__}: "
        message = _("{game} cannot be played with {changes}: {error}")
        raise RecordError(
            message.format(game=base.name, changes=f"{told:.80}", error=f"{kind}{error}")
        ) from error
    variant.plain_only = True
    return variant


def _bounded(base: Game, name: str, value: Any) -> Any:
    """A value like the one that it stands for: as many numbers, and none much larger."""
    own = constant_of(base, name)
    before, given = np.asarray(own), _array(value)
    if before.dtype.kind not in "biuf":
        message = _("{name} of {game} is no number: a record's variant cannot change it")
        raise RecordError(message.format(name=name, game=base.name))
    if (
        given is None
        or given.shape != before.shape
        or (given.dtype.kind == "b") != (before.dtype.kind == "b")
    ):
        raise _refused(base, name, value, f"{_plain(own)!r:.60}")
    most = max(LEAST, TIMES * float(np.abs(before.astype(float)).max(initial=0)))
    least = -most if (before.astype(float) < 0).any() else 0
    if given.size and not least <= given.min() <= given.max() <= most:
        raise _refused(base, name, value, f"{least:g} … {most:g}")
    if isinstance(own, np.ndarray):
        return given.astype(before.dtype)
    if given.shape:
        return _tuples(value)
    return value


def _array(value: Any) -> Any:
    """Numbers as an array; None for anything else, also for a list whose rows differ."""
    try:
        array = np.asarray(value)
    except ValueError:
        return None
    return array if array.dtype.kind in "biuf" and _finite(array) else None


def _finite(array: Any) -> bool:
    return array.dtype.kind != "f" or all(map(math.isfinite, array.reshape(-1).tolist()))


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, Sequence) else value


def _refused(base: Game, name: str, value: Any, expected: str) -> RecordError:
    message = _("{name} of {game} is {value} in this variant; expected {expected}")
    return RecordError(
        message.format(name=name, game=base.name, value=f"{value!r:.60}", expected=expected)
    )
