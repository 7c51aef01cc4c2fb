"""Search guided by a net in a file: the bots `search:500@mine.npz` and `search:1s@mine.npz`."""

from __future__ import annotations

import math
import random
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from droptable.bots.checkpoint import SUFFIXES, Layer, Network, check_fit, read_network
from droptable.bots.guided_tree import Guide, decide, halve, plant
from droptable.bots.policy_net import packed
from droptable.bots.tree import ROOT, VIEW, Tree, new_tree
from droptable.core.contract import MOST_SEATS
from droptable.core.errors import OptionError
from droptable.core.game import Game
from droptable.core.heuristics import Heuristics
from droptable.core.state import View
from droptable.core.tensor import size_of
from droptable.core.view_tensor import bytes_of

Layers = Sequence[Layer]  # the last one gives the actions' logits, then the seats'

NAME = re.compile(r"search:(?:(?P<seconds>\d+(?:\.\d+)?)s|(?P<iterations>[1-9]\d*))@(?P<path>.+)")
FIRST_BUDGET, GROWTH = 32, 4  # iterations before the first look at the clock; then at most so much
LEAST_BUDGET = 16  # fewer are not worth another round
SPARE = 0.9  # of the time left is what the next round may take


def guided_name(name: str) -> re.Match[str] | None:
    """The parts of the name of a bot that searches with a net; None for other names."""
    found = NAME.fullmatch(name)
    return found if found and found["path"].endswith(SUFFIXES) else None


def new_guide(
    game: Game, players: int, options: dict[str, Any], nets: Sequence[Layers]
) -> tuple[Tree, Guide]:
    """A tree for any view of such a match, and nets of one shape that guide it."""
    vocabulary = game.vocabulary(options)
    settings = (game.bot or Heuristics()).search
    settings = replace(settings, max_nodes=max(settings.max_nodes, vocabulary.width + 2))
    tree = new_tree(game.start(players, **options).view(0), 1, [], settings)
    size = size_of(game.planes_of(players, options))
    guide = Guide(
        net=packed(nets),
        which=np.zeros(1, np.int64),
        raw=bytes_of(tree.states),
        places=game.bit_places(players),
        tensor=np.zeros(size, np.float32),
        seen=np.zeros(size, np.float32),
        policy=np.zeros(vocabulary.width),
        root=np.zeros((3, vocabulary.width)),
        order=np.zeros(vocabulary.width, np.int32),
        value=np.zeros(MOST_SEATS),
    )
    return tree, guide


class GuidedBot:
    """Searches on one core, guided by a net in a file, for some seconds or iterations per move."""

    def __init__(
        self,
        path: Path | str,
        seed: int | None = None,
        *,
        seconds: float | None = None,
        iterations: int | None = None,
    ) -> None:
        self._path = Path(path)
        self._network = read_network(self._path)
        self._layers = joined(self._network, self._path)
        self._random = random.Random(seed)
        self._seconds, self._iterations = seconds, iterations
        self._room: tuple[tuple[Any, ...], Tree, Guide] | None = None

    def choose(self, view: View) -> str:
        if len(view.legal) == 1:
            return view.legal[0]
        return view.legal[self._search(view)[0]]

    def values(self, view: View) -> dict[str, float]:
        """The own share of the victory after each move, as found; those not tried have none."""
        _, tree = self._search(view)
        found = tree.nodes[ROOT + 1 : ROOT + 1 + len(view.legal)]
        return {
            token: float(node["mean"]) if node["visits"] else -math.inf
            for token, node in zip(view.legal, found, strict=True)
        }

    def _search(self, view: View) -> tuple[int, Tree]:
        """The best move's place among the legal ones, and the tree that says so."""
        assert view.seat is not None
        tree, guide = self._room_for(view)
        twin = view.game.at_full_speed.kernels.twin
        tree.states[VIEW] = view.array[0]
        tree.random[0] = self._random.getrandbits(63) | 1
        if self._iterations is not None:
            return int(twin(decide)(tree, guide, view.seat, self._iterations, 0.0)), tree
        deadline = time.monotonic() + (1.0 if self._seconds is None else self._seconds)
        count = twin(plant)(tree, guide, view.seat, 0.0)
        budget = FIRST_BUDGET
        while True:
            start = time.monotonic()
            best = int(twin(halve)(tree, guide, view.seat, count, budget))
            now = time.monotonic()
            pace = budget / max(now - start, 1e-6)
            budget = min(GROWTH * budget, int(SPARE * pace * (deadline - now)))
            if budget < LEAST_BUDGET:
                return best, tree

    def _room_for(self, view: View) -> tuple[Tree, Guide]:
        asked = view.game.name, view.players, tuple(sorted(map(str, view.options.items())))
        if self._room is None or self._room[0] != asked:
            check_fit(self._network, self._path, view)
            if self._layers[-1][0].shape[0] != self._network.sizes[1] + view.players:
                seats = self._layers[-1][0].shape[0] - self._network.sizes[1]
                raise OptionError(
                    f"{self._path} tells the shares of {seats} seats; expected {view.players}"
                )
            self._room = asked, *new_guide(view.game, view.players, view.options, [self._layers])
        return self._room[1:]


def joined(network: Network, path: Path) -> list[Layer]:
    """A network's layers, the last of which gives both the logits of actions and of seats."""
    if network.value is None:
        raise OptionError(
            f"{path} has no value.weight and value.bias, which search needs; "
            "droptable train writes them"
        )
    if network.activation != "relu":
        raise OptionError(f"{path} has the activation {network.activation!r}; search needs 'relu'")
    *hidden, last = network.layers
    both = zip(last, network.value, strict=True)
    return [*hidden, tuple(np.concatenate(parts) for parts in both)]  # type: ignore[list-item]
