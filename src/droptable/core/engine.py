"""The generic kernels bound to one game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from droptable.core import loops
from droptable.core.compile import Kernels


class Engine:
    """The functions of `loops`, in one world: compiled, compiled with bounds checks, or plain."""

    def __init__(self, kernels: Kernels) -> None:
        self.kernels = kernels
        self.compiled = kernels.compiled

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function: Callable[..., Any] = self.kernels.twin(getattr(loops, name))
        setattr(self, name, function)  # found without __getattr__ from now on
        return function
