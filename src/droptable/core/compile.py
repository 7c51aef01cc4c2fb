"""Compile policy: how plain Python rules become machine code, in this one file.

Rules are ordinary Python functions on one NumPy record; importing them compiles nothing and does
not even import Numba. `Kernels` builds a *twin* of a marked function whose globals are the twins of
all marked functions it can reach, either compiled or plain. Generic loops name a game's functions
by the slots of `droptable.core.contract`; in a twin each slot is the game's own function, as a
plain global, which is what Numba's cache on disk can follow.

Numba does not notice an edit in *another* file than the cached function's own, so every cache
folder is named by a digest of all sources a function was built from: its module, what that module
imports, and the game's modules that fill a slot among them, each with the `.npy` file of its name
if it has one. Words and scenes are not among them.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

DAYS_TO_KEEP = 14
# One thread makes twins at a time: half of a module's twins are of no use, and Numba's setting of a
# cache folder is for the whole process.
_one_at_a_time = threading.RLock()
# Imports at a module's top. (`ast` would know them too, but fails now and then in threads.)
IMPORT = re.compile(r"^from ([\w.]+) import ([^(\n]+|\([^)]*\))", re.MULTILINE)
# Kernels never allocate: without reference counts (_nrt) their calls need no atomic operations.
JIT: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy", "_nrt": False}


def kernel(function: F) -> F:
    """Mark a function as compilable. Here it stays the plain Python that it is."""
    function.__kernel__ = "kernel"  # type: ignore[attr-defined]
    return function


def slot(function: F) -> F:
    """Mark a function as a place that a game fills with its function of the same name."""
    function.__kernel__ = "slot"  # type: ignore[attr-defined]
    return function


class Kernels:
    """One game's rules and the generic loops over them, in one world: compiled or plain."""

    def __init__(self, name: str, *modules: ModuleType, compiled: bool) -> None:
        self.name = name
        self.modules = modules
        self.compiled = compiled
        self._twins: dict[FunctionType, Callable[..., Any]] = {}
        self._namespaces: dict[str, dict[str, Any]] = {}
        self._sources: dict[str, tuple[str, ...]] = {}

    def twin(self, function: Callable[..., Any]) -> Any:
        """The function that runs in this world; made on first use, compiled on first call."""
        with _one_at_a_time:
            return self._twin(function)

    def _twin(self, function: Callable[..., Any]) -> Any:
        if getattr(function, "__kernel__", None) == "slot":
            function = self._fill(function)
        assert isinstance(function, FunctionType)
        module = sys.modules[function.__module__]
        names = self._namespace(module)  # makes the twins of the whole module, this one among them
        if function not in self._twins:
            copy = FunctionType(
                function.__code__,
                names,
                function.__name__,
                function.__defaults__,
                function.__closure__,
            )
            copy.__module__ = function.__module__
            copy.__qualname__ = function.__qualname__
            copy.__doc__ = function.__doc__
            self._twins[function] = self._compile(copy, module) if self.compiled else copy
        return self._twins[function]

    def _fill(self, slot: Callable[..., Any]) -> Callable[..., Any]:
        """The game's function for a slot; where it has none, the slot's own body serves."""
        for module in self.modules:
            if hasattr(module, slot.__name__):
                filled: Callable[..., Any] = getattr(module, slot.__name__)
                return filled
        return slot

    def _namespace(self, module: ModuleType) -> dict[str, Any]:
        if module.__name__ not in self._namespaces:
            names = dict(vars(module))
            self._namespaces[module.__name__] = names
            for name, value in list(names.items()):
                if getattr(value, "__kernel__", None):
                    names[name] = self._twin(value)
        return self._namespaces[module.__name__]

    def _compile(self, function: FunctionType, module: ModuleType) -> Callable[..., Any]:
        import numba

        settings: Any = numba.config
        folder = str(self.cache_folder(module))
        before = settings.CACHE_DIR
        settings.CACHE_DIR = folder
        try:
            compiled: Callable[..., Any] = numba.njit(function, **JIT)
            return compiled
        finally:
            settings.CACHE_DIR = before

    def cache_folder(self, module: ModuleType) -> Path:
        """Where machine code made from this module and the game's rules is kept."""
        # Compiled code differs with bounds checks on, and Numba's own key does not say so.
        checked = os.environ.get("NUMBA_BOUNDSCHECK", "")
        if module.__name__ not in self._sources:
            self._sources[module.__name__] = (__name__, *sorted(self._reached(module)))
        return _folder(self.name, self._sources[module.__name__], checked)

    def _reached(self, module: ModuleType) -> set[str]:
        """A module and those of the game's that fill a slot which it, or one of them, can reach."""
        reached = {module.__name__}
        while True:
            sources = [sys.modules[name] for start in reached for name in _sources(start)]
            slots = {
                name
                for source in sources
                for name, value in vars(source).items()
                if getattr(value, "__kernel__", None) == "slot"
            }
            filling = {m.__name__ for m in self.modules if any(hasattr(m, s) for s in slots)}
            if filling <= reached:
                return reached
            reached |= filling


@cache
def _folder(name: str, modules: tuple[str, ...], salt: str) -> Path:
    digest = hashlib.sha256(salt.encode())
    sources = {file for module in modules for file in _sources(module).values()}
    numbers = {file.with_suffix(".npy") for file in sources}  # that a module reads into constants
    for file in sorted(sources | {file for file in numbers if file.exists()}):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    root = cache_root() / name
    folder = root / digest.hexdigest()[:16]
    if not folder.exists():
        _forget_old(root)
    return folder


@cache
def _sources(module: str) -> dict[str, Path]:
    """The files of a module and of all that it imports at its top from its package or this one."""
    packages = tuple(name.partition(".")[0] + "." for name in (module, __name__))
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = file = Path(str(sys.modules[name].__file__))
            for source, listed in IMPORT.findall(file.read_text("utf-8")):
                if source.startswith(packages):
                    names = [f"{source}.{word}" for word in re.findall(r"\w+", listed)]
                    waiting += [source, *(part for part in names if part in sys.modules)]
    return found


def _forget_old(root: Path) -> None:
    """Delete machine code of sources that have not been used for a while."""
    import shutil

    for folder in root.glob("*"):
        if folder.stat().st_mtime < time.time() - DAYS_TO_KEEP * 86400:
            shutil.rmtree(folder, ignore_errors=True)


@cache
def cache_root() -> Path:
    """`$DROPTABLE_CACHE`, or the user's cache folder, or a temporary one if neither is writable."""
    wanted = os.environ.get("DROPTABLE_CACHE")
    try:
        users = os.environ.get("XDG_CACHE_HOME")
        root = Path(wanted or Path(users or Path("~/.cache").expanduser(), "droptable"))
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except (OSError, RuntimeError):  # also where nobody knows a home
        folder = tempfile.mkdtemp(prefix="droptable-")
        os.environ["DROPTABLE_CACHE"] = folder  # what our processes compile is for us all
        return Path(folder)
