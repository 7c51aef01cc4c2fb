"""Recipes are short, and all of them are run by `make recipes`; that itself needs PyTorch."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOT_RECIPES = {"contest", "run", "textarena_match", "openenv_match"}
SCRIPTS = {file.stem: file for file in (ROOT / "recipes").glob("*.py")}
RECIPES = sorted(SCRIPTS.keys() - NOT_RECIPES)


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_has_at_most_sixty_lines(name):
    """One file, read in a minute."""
    assert len(SCRIPTS[name].read_text("utf-8").splitlines()) <= 60


def test_every_recipe_is_run():
    """`recipes/run.py` names them all, and the page tells of them."""
    tree = ast.parse(SCRIPTS["run"].read_text("utf-8"))
    needs = next(node.value for node in tree.body if isinstance(node, ast.Assign)
                 and node.targets[0].id == "NEEDS")  # fmt: skip
    assert sorted(ast.literal_eval(needs)) == RECIPES
    page = (ROOT / "docs" / "recipes.md").read_text("utf-8")
    assert all(f"recipes/{name}.py" in page for name in RECIPES)


def test_only_make_recipes_installs_pytorch():
    """CI runs it after the tests, which need neither PyTorch nor RLlib."""
    assert (ROOT / ".ci" / "run").read_text("utf-8").split()[-4:] == [
        "make", "test", "make", "recipes",
    ]  # fmt: skip
    for file in ("pyproject.toml", "constraints.txt"):
        assert "torch" not in (ROOT / file).read_text("utf-8")
