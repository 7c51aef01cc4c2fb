# Two commands: `make play` and `make test`. Both install what they need into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed

.PHONY: play test lint types unit plain checked bench clean

play: $(INSTALLED)  ## install, start, and let you choose a game
	$(BIN)/droptable

test: lint types unit checked plain  ## everything that CI runs

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(INSTALLED)
	$(BIN)/mypy

unit: $(INSTALLED)  ## the whole suite, compiled
	$(BIN)/python -m droptable.bots.ready
	$(BIN)/python -m pytest -n 2

checked: $(INSTALLED)  ## compiled with bounds checks: nothing reads or writes outside an array
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m droptable.core.warm
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n 2 tests/contract tests/games

plain: $(INSTALLED)  ## the same rules as plain Python
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 tests/contract tests/games

bench: $(INSTALLED)  ## measure the engines against their floors
	$(BIN)/python benchmarks/engines.py

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Droptable needs Python 3.11 or newer; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
