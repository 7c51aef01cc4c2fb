"""Variants: a game with some constants or kernels replaced, without a copy of its source.

The game's modules are loaded once more under other names, and a replaced constant or kernel takes
effect where it is defined. So everything that follows from it follows: records, tokens, tables that
are worked out on import, words, pictures, bots. What is not affected keeps its machine code.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from droptable.core.compile import is_kernel
from droptable.core.errors import GameError

if TYPE_CHECKING:
    from droptable.core.game import Game

REPLACED = "__replaced__"  # the global of a module that holds what is replaced in it
SHOWN = 12  # names that a refusal lists


def load_variant(
    game: Game, name: str, constants: Mapping[str, Any], rules: Mapping[str, Callable[..., Any]]
) -> Game:
    """The same game from modules of its own, in which some constants and kernels are others."""
    home = _home(game)
    sources = {module: ast.parse(file.read_text("utf-8")) for module, file in _files(home).items()}
    changes: dict[str, dict[str, Any]] = {module: {} for module in sources}
    for given, value in constants.items():
        module, constant = _place(game, sources, home, given, "constant", _constants)
        changes[module][constant] = _checked(
            game, given, getattr(sys.modules[module], constant), value
        )
    for given, function in rules.items():
        module, kernel = _place(game, sources, home, given, "kernel", _kernels)
        if not isinstance(function, FunctionType) or not is_kernel(function):
            raise GameError(f"{game.name}: {given} is {function!r}; expected a kernel")
        changes[module][kernel] = _rebound(function)
    copies = _Copies(home, _copy_name(home, name), sources, changes)
    copied = copies.load()
    for module, replaced in changes.items():
        for kernel, function in replaced.items():
            if isinstance(function, FunctionType):
                _follow(function, home, copies, sys.modules[module], kernel)
    named = next(n for n, value in vars(sys.modules[home]).items() if value is game)
    variant: Game = getattr(copied, named)
    return variant


def constant_of(game: Game, given: str) -> Any:
    """The value of a constant of a game's source."""
    home = _home(game)
    sources = {module: ast.parse(file.read_text("utf-8")) for module, file in _files(home).items()}
    module, constant = _place(game, sources, home, given, "constant", _constants)
    return getattr(sys.modules[module], constant)


def unload_variant(game: Game, name: str) -> None:
    """Forget the modules of a game's variant, which nobody plays any more."""
    home = _home(game)
    _unload(_copy_name(home, name))


def _copy_name(home: str, name: str) -> str:
    return f"{home}__{name.replace('-', '_')}"


def _unload(copy: str) -> None:
    for name in [n for n in sys.modules if n == copy or n.startswith(copy + ".")]:
        del sys.modules[name]
    sys.meta_path[:] = [
        finder
        for finder in sys.meta_path
        if not (isinstance(finder, _Copies) and finder.copy == copy)
    ]


# -- where a game lives ---------------------------------------------------------------------------


def _home(game: Game) -> str:
    """The module or package that a game is defined in."""
    defined = game.rules.to_act.__module__
    parts = defined.split(".")
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        module = sys.modules.get(name)
        if module is not None and any(value is game for value in vars(module).values()):
            if getattr(module, "__file__", None) and name != "__main__":
                return name
            break
    raise GameError(f"{game.name}: a variant needs a game that is defined in an importable file")


def _files(home: str) -> dict[str, Path]:
    """The loaded modules of a game, and their files."""
    return {
        name: Path(str(module.__file__))
        for name, module in list(sys.modules.items())
        if (name == home or name.startswith(home + ".")) and getattr(module, "__file__", None)
    }


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """The upper-case names that a module assigns at its top, and where."""
    for statement in tree.body:
        targets: Sequence[ast.expr] = ()
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets = [statement.target]
        for target in targets:
            for node in ast.walk(target):
                if isinstance(node, ast.Name) and node.id.isupper():
                    yield node.id, statement


def _kernels(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """The kernels that a module defines, and where."""
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and statement.decorator_list:
            yield statement.name, statement


def _place(
    game: Game, sources: Mapping[str, ast.Module], home: str, given: str, kind: str,
    find: Callable[[ast.Module], Iterator[tuple[str, ast.stmt]]],
) -> tuple[str, str]:  # fmt: skip
    """The module that defines a name; `rules.HAND` says which of several is meant."""
    place, _, name = given.rpartition(".")
    defined = [
        (module, known)
        for module, tree in sources.items()
        for known, _statement in find(tree)
        if not place or module == f"{home}.{place}"
    ]
    matching = sorted({module for module, known in defined if known == name})
    if len(matching) == 1:
        return matching[0], name
    if matching:
        where = " or ".join(f"{module.removeprefix(home + '.')}.{name}" for module in matching)
        raise GameError(f"{game.name}: there are several {kind}s {name}; name {where}")
    known = sorted({known for _, known in defined})
    listed = ", ".join(known[:SHOWN]) + (" …" if len(known) > SHOWN else "")
    raise GameError(f"{game.name} has no {kind} {given!r}; it has {listed or 'none'}")


def _checked(game: Game, name: str, before: Any, value: Any) -> Any:
    """A value that can stand where the other one stood."""
    if isinstance(before, np.ndarray):
        array = np.asarray(value, before.dtype)
        if array.shape != before.shape:
            raise GameError(
                f"{game.name}: {name} has the shape {array.shape}; expected {before.shape}"
            )
        return array
    if isinstance(before, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not type(before):
        kind = type(before).__name__
        raise GameError(f"{game.name}: {name} is {value!r}; expected {kind}, as {before!r:.60} is")
    return value


# -- loading it once more -------------------------------------------------------------------------


class _Copies(MetaPathFinder, Loader):
    """Loads a game's modules under another name, with replacements."""

    def __init__(
        self, home: str, copy: str, sources: Mapping[str, ast.Module],
        changes: Mapping[str, Mapping[str, Any]],
    ) -> None:  # fmt: skip
        self.home = home
        self.copy = copy
        self._sources = sources
        self._changes = changes

    def load(self) -> ModuleType:
        """The copy of the game's home module."""
        _unload(self.copy)
        sys.meta_path.insert(0, self)  # it stays: functions may import late
        return importlib.import_module(self.copy)

    def original(self, name: str) -> str:
        """The module that one of the copies was made from."""
        return self.home + name.removeprefix(self.copy)

    def find_spec(
        self, fullname: str, path: object = None, target: object = None  # noqa: ARG002
    ) -> ModuleSpec | None:  # fmt: skip
        if fullname != self.copy and not fullname.startswith(self.copy + "."):
            return None
        module = sys.modules.get(self.original(fullname))
        if module is None or self.original(fullname) not in self._sources:
            return None
        is_package = hasattr(module, "__path__")
        spec = spec_from_loader(fullname, self, origin=module.__file__, is_package=is_package)
        if spec is not None and is_package:
            spec.submodule_search_locations = []  # every module of the copy comes from here
            spec.has_location = True
        elif spec is not None:
            spec.has_location = True
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:  # noqa: ARG002
        return None

    def exec_module(self, module: ModuleType) -> None:
        original = self.original(module.__name__)
        changes = self._changes[original]
        vars(module)[REPLACED] = changes
        tree = _with_changes(self._sources[original], set(changes), self.home, self.copy)
        exec(compile(tree, str(module.__file__), "exec"), vars(module))


def _with_changes(tree: ast.Module, names: set[str], home: str, copy: str) -> ast.Module:
    """The source of a copy: it imports copies, and takes what is replaced where it is defined."""
    body: list[ast.stmt] = []
    definitions = [*_constants(tree), *_kernels(tree)]
    for statement in tree.body:
        body.append(_Imports(home, copy).visit(deepcopy(statement)))
        for name in dict.fromkeys(n for n, where in definitions if where is statement):
            if name in names:
                body += ast.parse(f"{name} = {REPLACED}[{name!r}]").body
    return ast.fix_missing_locations(ast.Module(body, tree.type_ignores))


class _Imports(ast.NodeTransformer):
    """Turns imports of a game's modules into imports of their copies."""

    def __init__(self, home: str, copy: str) -> None:
        self._home = home
        self._copy = copy

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        named = node.module or ""
        if node.level == 0 and (named == self._home or named.startswith(self._home + ".")):
            node.module = self._copy + named.removeprefix(self._home)
        return node


# -- kernels that come from outside ---------------------------------------------------------------


def _rebound(function: FunctionType) -> FunctionType:
    """A kernel with globals of its own, so that they can follow the variant."""
    own = FunctionType(
        function.__code__,
        dict(function.__globals__),
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    own.__kernel__ = "kernel"  # type: ignore[attr-defined]
    own.__module__ = function.__module__
    own.__qualname__ = function.__qualname__
    return own


def _follow(
    function: FunctionType, home: str, copies: _Copies, original: ModuleType, name: str
) -> None:
    """Let a kernel from outside use the variant's kernels and constants, not the game's."""
    copied = sys.modules[copies.copy + original.__name__.removeprefix(home)]
    for used in function.__code__.co_names:
        value = function.__globals__.get(used)
        if (
            isinstance(value, FunctionType)
            and is_kernel(value)
            and value.__module__.startswith(home)
        ):
            place = sys.modules[copies.copy + value.__module__.removeprefix(home)]
            function.__globals__[used] = getattr(place, value.__name__)
        elif value is not None and used != name and vars(original).get(used) is value:
            function.__globals__[used] = vars(copied)[used]
