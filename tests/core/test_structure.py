"""Imports go one way, a cold start is quick to import, and the public names are there."""

import ast
import os
import re
import shutil
import subprocess
import symtable
import sys
from pathlib import Path

import pytest

import droptable

SOURCE = Path(droptable.__file__).parent
GUIDE = SOURCE.parents[1] / "CONTRIBUTING.md"
TOP = {"cli.py", "__init__.py", "__main__.py"}  # may import everything


def allowed_imports():
    """The folders that each folder may import: the table in CONTRIBUTING.md, read."""
    allowed = {}
    for row in GUIDE.read_text().splitlines():
        if row.startswith("| `") and row.count("|") == 4:
            _edge, folders, _holds, imports, _edge = row.split("|")
            folders = re.findall(r"`(\w+)/", folders)
            above = {"nothing of ours": set(), "all above": set(allowed)}
            named = above.get(imports.strip(), set(re.findall(r"\w+", imports)))
            allowed |= dict.fromkeys(folders, named)
    return allowed


def imported_modules(tree):
    """The modules that a file imports, anywhere in it, or names in a text to be started."""
    started = re.compile(r"droptable\.\w+\.\w+(:|$)")
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            whole = node.module == "droptable"
            yield from ((f"droptable.{a.name}" for a in node.names) if whole else [node.module])
        elif isinstance(node, ast.Constant) and started.match(str(node.value)):
            yield node.value


def test_the_guide_lists_every_folder_of_code():
    """CONTRIBUTING.md says of each folder with Python in it what that may import."""
    folders = {file.relative_to(SOURCE).parts[0] for file in SOURCE.rglob("*.py")} - TOP
    allowed = allowed_imports()
    assert folders <= set(allowed)
    assert allowed["core"] == set() and "web" not in allowed["envs"]
    assert "tables" not in allowed["bots"] and "bots" in allowed["tables"]


def test_imports_go_one_way():
    """No file imports what its folder may not, not even late, inside a function."""
    allowed = allowed_imports()
    for file in SOURCE.rglob("*.py"):
        folder = file.relative_to(SOURCE).parts[0]
        if folder in TOP:
            continue
        for module in imported_modules(ast.parse(file.read_text())):
            package, _dot, rest = module.partition(".")
            if package == "droptable":
                other = rest.split(".")[0]
                assert other in {folder, *allowed[folder]}, f"{file} imports {module}"


def shadowed_uses(scope):
    """The scopes within which `_` is used, but is a variable or a parameter."""
    for inner in scope.get_children():
        symbol = inner.lookup("_") if "_" in inner.get_identifiers() else None
        if symbol and (symbol.is_free() or (symbol.is_local() and symbol.is_referenced())):
            yield f"{inner.get_name()}, line {inner.get_lineno()}"
        yield from shadowed_uses(inner)


def test_nothing_shadows_the_translator():
    """No code translates by a `_` that it has made a variable, such as that of a loop."""
    wrong = "def f():\n for _ in 'ab': pass\n return _('text')"
    assert list(shadowed_uses(symtable.symtable(wrong, "wrong", "exec"))) == ["f, line 1"]
    for file in SOURCE.rglob("*.py"):
        shadowed = list(shadowed_uses(symtable.symtable(file.read_text(), str(file), "exec")))
        assert not shadowed, f"{file}: {shadowed}"


def test_importing_compiles_nothing():
    """`import droptable` does not load Numba, nor the command line's libraries."""
    script = "import sys, droptable; print({'numba', 'rich', 'typer'} & set(sys.modules))"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_every_test_says_what_it_proves():
    """Each test has a sentence of its own."""
    for file in Path(__file__).parents[1].rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                assert ast.get_docstring(node), f"{file.name}: {node.name}"


def test_public_names():
    """The names that other programs use."""
    for name in ("game", "games", "play", "open_record", "Record", "State", "View", "Game"):
        assert hasattr(droptable, name)
    state = droptable.games()[0].start()
    for name in ("to_act", "chance", "legal", "apply", "over", "scores", "winners", "view", "copy"):
        assert hasattr(state, name)


def test_no_game_is_named_outside_its_folder():
    """No per-game branch outside games/<game>/: other code works for any game."""
    names = [game.name for game in droptable.games() if "-" in game.name]
    for file in SOURCE.rglob("*.py"):
        if "games" not in file.parts:
            text = file.read_text()
            assert not any(f'"{name}"' in text for name in names), file


@pytest.mark.parametrize("value", ["soon", ""])
def test_a_wrong_compile_policy_is_named(value):
    """A misspelt environment variable is an error, not a silent default."""
    script = "import droptable; droptable.game('drop-or-pop').start()"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env=os.environ | {"DROPTABLE_COMPILE": value},
        check=False,
    )
    assert f"DROPTABLE_COMPILE is {value!r}; expected background, now or never" in done.stderr


def test_a_game_is_removed_with_its_folder(tmp_path):
    """Without a game's folder and its lines in the list the others play on, in German too."""
    copy = tmp_path / "droptable"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(copy / "games" / "depot")
    listing = copy / "games" / "__init__.py"
    lines = [line for line in listing.read_text().splitlines() if "games.depot" not in line]
    listing.write_text("\n".join(lines).replace(", DEPOT", "") + "\n")
    script = (
        "import droptable; from droptable.core.language import speaking\n"
        "from droptable.core.scene import stylesheet\n"
        "import droptable.web.app, droptable.cli, droptable.envs.vector\n"
        "for game in droptable.games():\n"
        "    with speaking('de'):\n"
        "        print(game.name, len(str(droptable.play(game, seed=1).final.view(None))) > 0)\n"
        "print(len(stylesheet()) > 0)"
    )
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "DROPTABLE_COMPILE": "never"}
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "depot" not in done.stdout and done.stdout.count("True") == 5
