# Two commands: `make play` and `make test`. Both install what they need into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
RECIPES := .venv-recipes
NODE_TOOLS := node_modules/installed.json  # the package.json whose tools are there
PLAYABLE := $(VENV)/playable
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

# What failed beside other tests has one more try by itself: servers and browsers share two cores.
AGAIN := $(BIN)/python -m pytest --last-failed --last-failed-no-failures none

CONTRACT := tests/contract/test_contract.py  # runs with bounds checks and as plain Python

# What recipes use; what cannot be installed is skipped.
LIBRARIES := sb3-contrib torchrl tianshou ray[rllib] dm-tree textarena openenv-core

.PHONY: play test lint docs scripts types tools bots unit browser plain checked wheel floors hooks bench \
  languages recipes clean

play: $(PLAYABLE)  ## install, start, and open the table in a browser
	$(BIN)/droptable

test: $(INSTALLED) tools  ## everything that CI runs
	$(MAKE) -j2 -Otarget lint types docs bots
	$(MAKE) unit browser checked plain
	$(MAKE) -j2 -Otarget wheel floors

lint: $(INSTALLED) scripts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

scripts:  ## scripts and styles: format, lint and types, where there is Node.js
	@if ! command -v node >/dev/null || ! command -v npm >/dev/null; then \
	  echo "SKIPPED: there is no Node.js with npm here: scripts and styles are not checked"; \
	elif ! cmp -s package.json $(NODE_TOOLS) && \
	  ! { npm install --no-package-lock --no-audit --no-fund --silent && cp package.json $(NODE_TOOLS); }; then \
	  echo "SKIPPED: npm cannot install Biome and TypeScript here: scripts and styles are not checked"; \
	else \
	  node_modules/.bin/biome check --error-on-warnings && node_modules/.bin/tsc; \
	fi

types: $(INSTALLED)
	$(BIN)/mypy

docs: $(INSTALLED)  ## the documentation site, into site/; every warning is an error
	$(BIN)/python deploy/site.py

tools:  ## a browser, databases and proxies for the tests that need them, if they can be installed
	@for tool in chromium postgresql redis-server nginx caddy; do \
	  if PATH=$$PATH:/usr/sbin command -v $$tool >/dev/null || ls /usr/lib/$$tool/*/bin/initdb >/dev/null 2>&1; then continue; fi; \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "installing $$tool for the tests …"; \
	    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$tool; } >/dev/null 2>&1 && continue; \
	  fi; \
	  echo "SKIPPED: there is no $$tool and it cannot be installed here (apt install $$tool); its tests are skipped"; \
	done

bots: $(INSTALLED)  ## compile all games and bots, on all cores
	$(BIN)/python -m droptable.bots

unit: bots  ## the whole suite, compiled
	$(BIN)/python -m pytest -n 2 --dist loadgroup -rs --ignore $(CONTRACT) || $(AGAIN) --ignore $(CONTRACT)

browser: $(INSTALLED)  ## pages, in a real browser
	$(BIN)/python -m pytest -n 2 -rs tests/browser || $(AGAIN) tests/browser

checked: $(INSTALLED)  ## compiled with bounds checks: nothing reads or writes outside an array
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m droptable.core
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n 2 $(CONTRACT)

plain: $(INSTALLED)  ## the same rules as plain Python
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 $(CONTRACT)

wheel: $(INSTALLED)  ## build the wheel, install it in a clean environment, and play from it
	$(BIN)/python -m pytest -rs tests/installed -k 'not floors'

floors: $(INSTALLED)  ## the same with all extras, at the lowest versions that pyproject.toml allows
	$(BIN)/python -m pytest -rs tests/installed -k floors

recipes: $(RECIPES)/installed  ## training with other libraries, in small; in an environment of its own
	$(RECIPES)/bin/python recipes/run.py --small

hooks: $(INSTALLED)  ## lint and types before every commit
	$(PIP) pre-commit
	$(BIN)/pre-commit install

bench: $(INSTALLED)  ## measure the engines against their floors
	$(BIN)/python benchmarks/engines.py

languages: $(INSTALLED)  ## bring the translations in step with the texts; ADD=fr begins a language
	$(BIN)/python -m droptable.lab.catalogues $(ADD:%=--add=%)

$(PLAYABLE): pyproject.toml constraints.txt $(VENV)/bin/python
	$(PIP) -e '.[plot,postgres]'
	touch $@

$(INSTALLED): pyproject.toml constraints.txt src/droptable/__init__.py $(VENV)/bin/python
	$(PIP) -e '.[test]'
	touch $@ $(PLAYABLE)

$(RECIPES)/installed: PIP := $(RECIPES)/bin/python -m pip install --quiet --disable-pip-version-check -c recipes/constraints.txt
$(RECIPES)/installed: pyproject.toml recipes/constraints.txt  # PyTorch first: others would pull its largest build
	$(PYTHON) -m venv $(RECIPES)
	if $(PIP) torch==2.13.0; then \
	  $(PIP) -e '.[envs,openspiel]' $(LIBRARIES) || { \
	    $(PIP) -e '.[envs,openspiel]'; \
	    for library in $(LIBRARIES); do $(PIP) "$$library" || echo "SKIPPED: $$library cannot be installed here"; done; }; \
	else \
	  $(PIP) -e '.[envs]'; echo "SKIPPED: PyTorch cannot be installed here: recipes are skipped"; \
	fi
	touch $@

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Droptable needs Python 3.11 or newer; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)

clean:
	rm -rf $(VENV) $(RECIPES) .pytest_cache .mypy_cache .ruff_cache .hypothesis node_modules build site
