"""Compile policy: how plain Python rules become machine code, in this one file.

Rules are ordinary Python functions on one NumPy record; importing them compiles nothing and does
not even import Numba. `Kernels` builds a *twin* of a marked function whose globals are the twins of
all marked functions that it calls: compiled, compiled with bounds checks, or plain. Generic loops
name a game's functions by the slots of `droptable.core.contract`; in a twin each slot is the
game's own function, as a plain global, which is what Numba's cache on disk can follow.

Machine code is kept on disk under a digest of what is compiled: the bytecode and constants of a
function and of all functions that it reaches. Files, names and line numbers do not matter, so a
replaced kernel, a changed constant and a notebook cell each get machine code of their own.
"""

from __future__ import annotations

import builtins
import hashlib
import inspect
import os
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

import numpy as np

from droptable.core.errors import GameError

F = TypeVar("F", bound=Callable[..., Any])

DAYS_TO_KEEP = 30
PLAIN, COMPILED, CHECKED = "plain", "compiled", "checked"  # the worlds that a twin can live in
LIBRARIES = ("numpy", "math")  # modules whose attributes kernels may use
SLOTS: dict[str, Callable[..., Any]] = {}  # by name
# One thread makes twins at a time: Numba's setting of a cache folder is for the whole process.
_one_at_a_time = threading.RLock()


def kernel(function: F) -> F:
    """Mark a function as compilable. Here it stays the plain Python that it is."""
    function.__kernel__ = "kernel"  # type: ignore[attr-defined]
    return function


def slot(function: F) -> F:
    """Mark a function as a place that a game fills with its function of the same name."""
    function.__kernel__ = "slot"  # type: ignore[attr-defined]
    SLOTS[function.__name__] = function
    return function


def is_kernel(value: object) -> bool:
    """Whether a value is a function that was marked by `@kernel` or `@slot`."""
    return getattr(value, "__kernel__", None) is not None


class Kernels:
    """One game's functions and the generic loops over them, in one world."""

    def __init__(self, game: str, slots: Mapping[str, Callable[..., Any]], world: str) -> None:
        self.game = game
        self.slots = slots  # the game's own functions, by the name of the slot they fill
        self.world = world
        self._twins: dict[FunctionType, Callable[..., Any]] = {}
        self._links: dict[FunctionType, _Links] = {}

    @property
    def compiled(self) -> bool:
        """Whether twins are machine code."""
        return self.world != PLAIN

    def twin(self, function: Callable[..., Any]) -> Any:
        """The function that runs in this world; made on first use, compiled on first call."""
        with _one_at_a_time:
            return self._twin(self._filled(function))

    def digest(self, *functions: Callable[..., Any]) -> str:
        """What is compiled for these functions, as a digest: theirs and all that they reach."""
        with _one_at_a_time:
            total = hashlib.sha256(repr(_settings(self.world)).encode())
            for function in functions:
                total.update(self._digest(self._filled(function)))
            return total.hexdigest()[:24]

    def _filled(self, function: Callable[..., Any]) -> FunctionType:
        """The game's function for a slot; where it has none, the slot's own body serves."""
        if getattr(function, "__kernel__", None) == "slot":
            function = self.slots.get(function.__name__, function)
        if not isinstance(function, FunctionType) or not is_kernel(function):
            raise GameError(f"{self.game}: {_name(function)} is not marked @kernel")
        return function

    def _twin(self, function: FunctionType) -> Callable[..., Any]:
        if function not in self._twins:
            links = self._links_of(function)
            names = {"__builtins__": builtins, "__name__": __name__} | links.constants
            copy = FunctionType(
                function.__code__, names, function.__name__, function.__defaults__, links.cells()
            )
            copy.__module__ = function.__module__
            copy.__qualname__ = function.__qualname__
            copy.__doc__ = function.__doc__
            self._twins[function] = copy  # a function that calls itself finds itself
            if self.compiled:
                self._twins[function] = self._compile(function, copy)
            for name, called in links.calls.items():
                names[name] = self._twin(called)
            for cell, called in links.captured:
                cell.cell_contents = self._twin(called)
        return self._twins[function]

    def _compile(self, function: FunctionType, copy: FunctionType) -> Callable[..., Any]:
        import numba

        from droptable.core.numba_probe import supported_options

        links = self._links_of(function)
        digest = self.digest(function)
        options: dict[str, Any] = {"nogil": True, "error_model": "numpy", **supported_options()}
        options["boundscheck"] = True if self.world == CHECKED else None
        options["cache"] = not links.captured  # Numba cannot tell captured kernels apart
        folder = cache_root() / f"{digest[:2]}"
        # Names in machine code follow from what is compiled, too: two kernels of one name never
        # mix, and none refers to a module that another process does not have.
        copy.__module__ = __name__
        copy.__qualname__ = f"{function.__name__}_{digest}"
        copy.__code__ = function.__code__.replace(
            co_filename=str(_listing(folder, function, digest)), co_firstlineno=1
        )
        with _cache_folder(folder):
            compiled: Callable[..., Any] = numba.njit(copy, **options)
            return compiled

    # -- what a function is made of ---------------------------------------------------------------

    def _links_of(self, function: FunctionType) -> _Links:
        if function not in self._links:
            self._links[function] = _Links(self, function)
        return self._links[function]

    def _digest(self, function: FunctionType) -> bytes:
        """A digest of a function and of all that it reaches, each named by when it was met."""
        met = {function: 0}
        waiting = [function]
        total = hashlib.sha256()
        while waiting:
            links = self._links_of(waiting.pop())
            total.update(links.body)
            for name, called in links.all_calls():
                if called not in met:
                    met[called] = len(met)
                    waiting.append(called)
                total.update(f"{name}={met[called]};".encode())
        return total.digest()


class _Links:
    """What one function refers to: constants, and other kernels with their slots filled."""

    def __init__(self, kernels: Kernels, function: FunctionType) -> None:
        self.constants: dict[str, Any] = {}
        self.calls: dict[str, FunctionType] = {}
        self.captured: list[tuple[CellType, FunctionType]] = []
        self._cells: list[CellType] = []
        where = f"{kernels.game}: kernel {_name(function)}"
        parts = [
            _code_parts(function.__code__),
            _value_parts(where, "a default", function.__defaults__),
        ]
        for name in sorted(_global_names(function.__code__)):
            if name not in function.__globals__:
                continue  # a builtin, or the attribute of something
            value = function.__globals__[name]
            if is_kernel(value):
                self.calls[name] = kernels._filled(value)
            else:
                self.constants[name] = value
                parts.append(f"{name}={_value_parts(where, name, value)}")
        for name, cell in zip(
            function.__code__.co_freevars, function.__closure__ or (), strict=True
        ):
            if is_kernel(cell.cell_contents):
                own = CellType()
                self.captured.append((own, kernels._filled(cell.cell_contents)))
            else:
                own = CellType(cell.cell_contents)
                parts.append(f"{name}={_value_parts(where, name, cell.cell_contents)}")
            self._cells.append(own)
        self.body = "\n".join(parts).encode()

    def cells(self) -> tuple[CellType, ...]:
        """The closure of a twin."""
        return tuple(self._cells)

    def all_calls(self) -> Iterator[tuple[str, FunctionType]]:
        """All kernels that are called, by their names in this function."""
        yield from self.calls.items()
        yield from ((f"cell {i}", called) for i, (_, called) in enumerate(self.captured))


def _global_names(code: CodeType) -> set[str]:
    """The names that a code object, and those inside it, may look up outside of itself."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _global_names(constant)
    return names


def _code_parts(code: CodeType) -> str:
    """All of a code object that decides what it does: no file, no lines, no docstring."""
    constants = list(code.co_consts)
    if constants and isinstance(constants[0], str):
        constants[0] = ""  # the docstring, or a text that no kernel could use
    inner = [_code_parts(c) if isinstance(c, CodeType) else repr(c) for c in constants]
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return f"{code.co_code.hex()} {inner} {names} {code.co_argcount} {code.co_flags}"


def _value_parts(where: str, name: str, value: object) -> str:
    """A constant by its type and value; refused if a kernel could not use it."""
    match value:
        case None | bool() | int() | float() | complex() | str() | bytes():
            return f"{type(value).__name__} {value!r}"
        case np.ndarray():
            content = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
            return f"array {_dtype_parts(value.dtype)} {value.shape} {content}"
        case np.generic():
            return f"{_dtype_parts(value.dtype)} {value.tobytes().hex()}"
        case np.dtype():
            return _dtype_parts(value)
        case tuple():
            return "(" + ", ".join(_value_parts(where, name, one) for one in value) + ")"
        case ModuleType() if value.__name__ in LIBRARIES:
            return value.__name__
        case type() | BuiltinFunctionType() | np.ufunc():
            return f"{getattr(value, '__module__', '')}.{value.__name__}"
        case ModuleType():
            raise GameError(
                f"{where} uses the module {name}; import the kernels and constants it needs by name"
            )
        case _ if callable(value):
            raise GameError(f"{where} calls {name}, which is not marked @kernel")
    raise GameError(
        f"{where} uses {name}, a {type(value).__name__}; "
        "expected numbers, arrays, tuples of these, dtypes or other kernels"
    )


def _dtype_parts(dtype: np.dtype[Any]) -> str:
    if dtype.fields is None:
        return dtype.str if dtype.subdtype is None else f"{dtype.subdtype}"
    fields = [(name, _dtype_parts(kind), at) for name, (kind, at, *_) in dtype.fields.items()]
    return f"{fields} {dtype.itemsize} {dtype.isalignedstruct}"


def _name(function: object) -> str:
    """A function as an author knows it, with its place where there is one."""
    if not isinstance(function, FunctionType):
        return repr(function)
    code = function.__code__
    return f"{function.__qualname__} ({Path(code.co_filename).name}:{code.co_firstlineno})"


@cache
def _settings(world: str) -> tuple[str, ...]:
    """What decides over machine code besides the functions."""
    checked = os.environ.get("NUMBA_BOUNDSCHECK", "")
    return world, checked, version("numba"), version("numpy"), sys.version, _own_source()


@cache
def _own_source() -> str:
    """This file: a change of the policy makes all machine code anew."""
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


# -- files ----------------------------------------------------------------------------------------


def _listing(folder: Path, function: FunctionType, digest: str) -> Path:
    """The file that stands for a function in Numba's cache: its source, if there is one.

    Numba keys machine code by a file. This one is named by the digest and never written again.
    """
    file = folder / f"{function.__name__}-{digest}.py"
    if not file.exists():
        forget_old()
        try:
            source = textwrap.dedent(inspect.getsource(function))
        except (OSError, TypeError):
            source = f"# {function.__qualname__}: its source is in no file\n"
        folder.mkdir(parents=True, exist_ok=True)
        draft = folder / f"{file.name}.{os.getpid()}.{threading.get_ident()}.part"
        draft.write_text(source, "utf-8")
        draft.replace(file)
    return file


@contextmanager
def _cache_folder(folder: Path) -> Iterator[None]:
    """Let Numba keep in this folder what is made inside the block."""
    import numba

    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        settings.CACHE_DIR = before


def forget_old() -> None:
    """Delete machine code that nobody has used for long; looked after once a day."""
    note = cache_root() / "tidied"
    today = time.time()
    with suppress(OSError):
        if note.exists() and note.stat().st_mtime > today - 86400:
            return
        note.touch()
        for file in cache_root().rglob("*"):
            seen = file.stat()
            if file.is_file() and max(seen.st_atime, seen.st_mtime) < today - DAYS_TO_KEEP * 86400:
                file.unlink()


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
