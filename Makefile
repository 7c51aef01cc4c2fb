# Two commands: `make play` and `make test`. Both install what they need into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed

CONTRACT := tests/contract/test_contract.py  # runs with bounds checks and as plain Python

.PHONY: play test lint types tools bots unit browser plain checked bench languages clean

play: $(INSTALLED)  ## install, start, and open the table in a browser
	$(BIN)/droptable

test: $(INSTALLED) tools  ## everything that CI runs
	$(MAKE) -j2 -Otarget lint types bots
	$(MAKE) unit browser checked plain

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(INSTALLED)
	$(BIN)/mypy

tools:  ## a browser and PostgreSQL for the tests that need them, if they can be installed
	@for tool in chromium postgresql; do \
	  if command -v $$tool >/dev/null || ls /usr/lib/$$tool/*/bin/initdb >/dev/null 2>&1; then continue; fi; \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "installing $$tool for the tests …"; \
	    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$tool; } >/dev/null 2>&1 && continue; \
	  fi; \
	  echo "SKIPPED: there is no $$tool and it cannot be installed here (apt install $$tool); its tests are skipped"; \
	done

bots: $(INSTALLED)  ## compile all games and bots, on all cores
	$(BIN)/python -m droptable.bots

unit: bots  ## the whole suite, compiled
	$(BIN)/python -m pytest -n 2 --dist loadgroup -rs --ignore $(CONTRACT)

browser: $(INSTALLED)  ## pages, in a real browser
	$(BIN)/python -m pytest -n 2 -rs tests/browser

checked: $(INSTALLED)  ## compiled with bounds checks: nothing reads or writes outside an array
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m droptable.core
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n 2 $(CONTRACT)

plain: $(INSTALLED)  ## the same rules as plain Python
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 $(CONTRACT)

bench: $(INSTALLED)  ## measure the engines against their floors
	$(BIN)/python benchmarks/engines.py

languages: $(INSTALLED)  ## bring the translations in step with the texts; ADD=fr begins a language
	$(BIN)/python -m droptable.lab.catalogues $(ADD:%=--add=%)

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Droptable needs Python 3.11 or newer; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
