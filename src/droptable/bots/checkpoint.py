"""A network in a file as a bot: an MLP over a game's tensor, evaluated by NumPy alone.

The file is an .npz or .safetensors with the layers' `….weight` [out, in] and `….bias` [out], in the
order of the numbers in their names (as in the `state_dict` of `torch.nn.Sequential`), and texts
that say what it is for: `game`, and if wanted `players` and `activation`. `value.weight` and
`value.bias`, if they are there, give each seat's share of the victory from the last hidden layer,
for search (`search:500@FILE`). Nothing in such a file is ever executed: pickles are refused.
docs/bots.md shows how to write one.
"""

from __future__ import annotations

import json
import math
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from droptable.core.errors import OptionError, UnknownGame
from droptable.core.game import Game
from droptable.core.state import View

SUFFIXES = (".npz", ".safetensors")
MEGABYTE = 1 << 20
LARGEST = 256 * MEGABYTE  # of numbers in a file
LONGEST_HEADER = MEGABYTE
MOST_LAYERS = 64
LAYER = re.compile(r"(?P<name>(?:.*\.)?(?P<number>\d+))\.(?P<kind>weight|bias)")
ACTIVATIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "relu": lambda x: np.maximum(x, 0.0), "tanh": np.tanh,
}  # fmt: skip
TEXTS = ("game", "players", "activation")
VALUE = "value"  # the layer beside the last one
KINDS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}  # of safetensors

Tensors = dict[str, Any]  # arrays by name
Layer = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Network:
    """The layers of an MLP, and what it was made for."""

    layers: tuple[Layer, ...]
    game: str
    players: int | None
    activation: str
    value: Layer | None = None  # a row per seat, the viewer's first; beside the last layer

    def __call__(self, inputs: np.ndarray) -> np.ndarray:
        """The outputs: one number for each action."""
        activate = ACTIVATIONS[self.activation]
        values = inputs
        for number, (weight, bias) in enumerate(self.layers, 1):
            values = weight @ values + bias
            if number < len(self.layers):
                values = activate(values)
        return values

    @property
    def sizes(self) -> tuple[int, int]:
        """How many numbers go in, and how many come out."""
        return self.layers[0][0].shape[1], self.layers[-1][0].shape[0]


class Misfit(OptionError):
    """A network that was made for another game, or for other options: no match goes on with it."""


class CheckpointBot:
    """Plays the legal move for which a network has the highest output."""

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._network = read_network(self._path)
        self._fits: tuple[Any, ...] | None = None  # what it was last found to fit

    def choose(self, view: View) -> str:
        outputs = self.values(view)
        return max(outputs, key=outputs.__getitem__)

    def values(self, view: View) -> dict[str, float]:
        """The network's output for each legal move."""
        self._check(view)
        outputs = self._network(np.asarray(view.tensor(), np.float32))
        assert view.seat is not None
        tokens = view.game.vocabulary(view.options).actions
        return {tokens[action]: float(outputs[action]) for action in view.legal_ids(view.seat)}

    def _check(self, view: View) -> None:
        """Refuse a game, or options, that the network was not made for."""
        asked = view.game.name, view.players, tuple(sorted(map(str, view.options.items())))
        if asked != self._fits:
            check_fit(self._network, self._path, view)
            self._fits = asked


def check_fit(network: Network, path: Path, view: View) -> None:
    """Refuse a game, or options, that a network was not made for."""
    game = view.game
    if network.game != game.name:
        raise Misfit(f"{path} is a network for {network.game}, not for {game.name}")
    if network.players not in (None, view.players):
        raise Misfit(f"{path} is a network for {network.players} players, not for {view.players}")
    expected = len(view.tensor()), len(game.vocabulary(view.options).actions)
    if network.sizes != expected:
        raise Misfit(
            f"{path} has {network.sizes[0]} inputs and {network.sizes[1]} outputs; "
            f"expected {expected[0]} and {expected[1]} for {view.players} players of "
            f"{game.name} with these options"
        )


def write_network(
    path: Path | str,
    layers: list[tuple[Any, Any]],
    game: Game | str,
    players: int | None = None,
    activation: str = "relu",
    value: tuple[Any, Any] | None = None,
) -> None:
    """Write the (weight, bias) of each layer, as arrays, to an .npz that `CheckpointBot` reads."""
    arrays = {"game": np.array(getattr(game, "name", game)), "activation": np.array(activation)}
    if players is not None:
        arrays["players"] = np.array(players)
    named: dict[Any, tuple[Any, Any]] = dict(enumerate(layers)) | ({VALUE: value} if value else {})
    for name, (weight, bias) in named.items():
        arrays[f"{name}.weight"] = np.asarray(weight, np.float32)
        arrays[f"{name}.bias"] = np.asarray(bias, np.float32)
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]


# -- reading --------------------------------------------------------------------------------------


def read_network(path: Path) -> Network:
    """The network in a file; `OptionError` says what is wrong with it."""
    try:
        tensors = _read_npz(path) if path.suffix == ".npz" else _read_safetensors(path)
        return _network(tensors)
    except FileNotFoundError:
        raise OptionError(f"there is no file {path}") from None
    except OptionError as error:
        raise OptionError(f"{path} is no network: {error}") from None
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise OptionError(f"{path} is no network: {type(error).__name__}: {error}") from None


def _read_npz(path: Path) -> Tensors:
    with zipfile.ZipFile(path) as parts:
        size = sum(part.file_size for part in parts.infolist())
    _refuse_large(size)
    with np.load(path, allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def _read_safetensors(path: Path) -> Tensors:
    """The format of Hugging Face: a length, a header in JSON, and the numbers."""
    size = path.stat().st_size
    _refuse_large(size)
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= min(LONGEST_HEADER, size):
            raise OptionError(f"its header has {length} bytes; expected 2 to {LONGEST_HEADER}")
        header, body = json.loads(file.read(length)), file.read()
    if not isinstance(header, dict):
        raise OptionError("its header is no JSON object")
    tensors: Tensors = dict(header.pop("__metadata__", None) or {})
    for name, entry in header.items():
        tensors[name] = _tensor(name, entry, body)
    return tensors


def _tensor(name: str, entry: dict[str, Any], body: bytes) -> np.ndarray:
    kind, shape, (start, stop) = entry["dtype"], entry["shape"], entry["data_offsets"]
    if kind not in KINDS:
        raise OptionError(f"{name} has the type {kind!r:.20}; expected {', '.join(KINDS)}")
    if not 0 <= start <= stop <= len(body):
        raise OptionError(f"{name} is at {start} to {stop}; the file has {len(body)} bytes")
    numbers = np.frombuffer(body[start:stop], KINDS[kind])
    if kind == "BF16":  # the upper half of a float32
        numbers = (numbers.astype(np.uint32) << 16).view(np.float32)
    return numbers.reshape(shape)


def _refuse_large(size: int) -> None:
    if size > LARGEST:
        raise OptionError(f"it has {size / MEGABYTE:,.0f} MB; at most {LARGEST // MEGABYTE}")


def _network(tensors: Tensors) -> Network:
    texts = {name: str(tensors.pop(name)) for name in TEXTS if name in tensors}
    activation = texts.get("activation", "relu")
    if activation not in ACTIVATIONS:
        raise OptionError(f"activation is {activation!r:.40}; expected {' or '.join(ACTIVATIONS)}")
    if "game" not in texts:
        raise OptionError("it does not say for which game it is: expected the text `game`")
    players = texts.get("players")
    if players is not None and not re.fullmatch(r"\d{1,2}", players):
        raise OptionError(f"players is {players!r:.40}; expected a whole number")
    beside = {
        kind: tensors.pop(f"{VALUE}.{kind}")
        for kind in ("weight", "bias")
        if f"{VALUE}.{kind}" in tensors
    }
    layers = _layers(tensors)
    value = _layer(VALUE, beside, layers[-1][0].shape[1]) if beside else None
    return Network(layers, _known(texts["game"]), None if players is None else int(players),
                   activation, value)  # fmt: skip


def _known(name: str) -> str:
    from droptable.games import game

    try:
        return game(name).name
    except UnknownGame as error:
        raise OptionError(str(error)) from None


def _layers(tensors: Tensors) -> tuple[Layer, ...]:
    """The layers in the order of their numbers, each fitting to the one before."""
    found: dict[tuple[int, str], Tensors] = {}
    for name, array in tensors.items():
        part = LAYER.fullmatch(name)
        if part is None:
            expected = "names like 0.weight and 0.bias, game, players, activation"
            raise OptionError(f"there is {name!r:.60}; expected {expected}")
        found.setdefault((int(part["number"]), part["name"]), {})[part["kind"]] = array
    if not 1 <= len(found) <= MOST_LAYERS:
        raise OptionError(f"it has {len(found)} layers; expected 1 to {MOST_LAYERS}")
    layers: list[Layer] = []
    for (_number, name), parts in sorted(found.items()):
        layers.append(_layer(name, parts, layers[-1][0].shape[0] if layers else None))
    return tuple(layers)


def _layer(name: str, parts: Tensors, inputs: int | None) -> Layer:
    if set(parts) != {"weight", "bias"}:
        raise OptionError(f"layer {name} has {' and '.join(sorted(parts))}; expected both")
    weight, bias = (np.asarray(parts[kind]) for kind in ("weight", "bias"))
    if weight.ndim != 2 or bias.shape != weight.shape[:1] or not weight.size:
        shapes = f"{weight.shape} and {bias.shape}"
        raise OptionError(f"layer {name} has the shapes {shapes}; expected (out, in) and (out,)")
    if inputs is not None and weight.shape[1] != inputs:
        raise OptionError(f"layer {name} takes {weight.shape[1]} numbers; it is given {inputs}")
    if weight.dtype.kind != "f" or bias.dtype.kind != "f":
        raise OptionError(f"layer {name} has {weight.dtype} and {bias.dtype}; expected floats")
    weight, bias = weight.astype(np.float32), bias.astype(np.float32)
    if not math.isfinite(float(np.abs(weight).sum() + np.abs(bias).sum())):
        raise OptionError(f"layer {name} has numbers that are not finite")
    return weight, bias
