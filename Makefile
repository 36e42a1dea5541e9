# Needs make and Python 3.11 or newer; every target sets up .venv first if it has to.
# Another Python: make test PYTHON=python3.12

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TABLES := $(VENV)/.tables
WRITERS := $(VENV)/.writers
MAKERS := language/grammar.py search/*.py search/kernels/*.py compiler/*.py compiler/ir/*.py compiler/backend/*.py

# Tests begin hundreds of processes: bytecode is kept for them, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo lint test test-quick test-slow test-all docs documents fuzz bench agree studio tables words pages matches mutants games notes dist setup clean

demo: setup
	$(BIN)/rulewright demo

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/vulture

# The sample of games and cases turns with the day (tests/README.md);
# RULEWRIGHT_GAMES=all, a day (2026-11-27) or names choose others.
test: export RULEWRIGHT_GAMES ?= today
test: setup
	@$(MAKE) --no-print-directory -j 2 lint test-quick # types are checked meanwhile, on one core

test-quick: setup
	$(BIN)/pytest -q -n 2 --dist worksteal tests/unit tests/agreement tests/games

# What takes processes, terminals, matches or long searches; with `make test` these are all tests.
test-slow: setup
	$(BIN)/pytest -q -n 2 --dist worksteal tests/slow

test-all:
	$(MAKE) test RULEWRIGHT_GAMES=all
	$(MAKE) test-slow

# The site: the studio with all games in site/, the documents in site/docs/.  It needs npm, or Pyodide's
# files in .node/; `make documents` builds the documents alone.  A link that leads nowhere is an error,
# and so is a word that is often misspelled so (pyproject.toml has what is meant).
PYODIDE := $(wildcard .node/node_modules/pyodide)
SPHINX := $(BIN)/sphinx-build -q -W --keep-going -n -b html -d .sphinx_cache

docs: setup $(WRITERS)
	rm -rf site
	$(BIN)/codespell
	$(BIN)/rulewright studio --export site --documents docs/ $(if $(PYODIDE),--pyodide $(PYODIDE))
	$(SPHINX) -D studio_address=../ docs site/docs

documents: setup $(WRITERS)
	rm -rf site
	$(BIN)/codespell
	$(SPHINX) docs site/docs

fuzz: setup
	$(BIN)/python -m tests.tools.fuzz --minutes 10

bench: setup
	$(BIN)/rulewright bench

agree: setup
	$(BIN)/python -m tests.tools.agreement --files 2000 --games 3 --playouts 100

# After a change of studio/: the page, which the package brings with it (needs node and npm).
studio: setup
	$(BIN)/python -m rulewright.app.studio.typescript > studio/src/messages.ts
	$(BIN)/python -m rulewright.app.cli.schemas
	cd studio && npm ci --no-audit --no-fund && npm run check && npm run build

tables: setup

matches: setup
	$(BIN)/python -m tests.tools.sprt_check --matches 1000
	$(BIN)/python -m tests.tools.kill_check --kills 200

# After a change of grammar/words.toml or of a grammar: the page of words, and colours for editors.
words: setup
	$(BIN)/python -m rulewright.app.service.words > docs/words.md
	$(BIN)/python -m rulewright.app.service.compact > docs/languages.txt
	$(BIN)/python -m rulewright.app.service.highlighting editors

# After a change of a command or of a look: the reference of commands, JSON schemas, README's pictures.
pages: setup
	$(BIN)/python -m tests.tools.commands
	$(BIN)/python -m rulewright.app.cli.schemas
	$(BIN)/python -m tests.tools.front_pictures

# Faults in copies of the bundled rules: which of them are found (about ten minutes).
mutants: setup
	$(BIN)/python -m tests.tools.mutants

# Ten thousand random games of every bundled game, and all other properties.
games: setup
	$(BIN)/rulewright test --games 10000 --no-cases $$($(BIN)/rulewright games | cut -d' ' -f1)

# The notes of a release: make notes VERSION=1.2.3 (CONTRIBUTING.md says what comes before and after).
notes: setup
	@test -n "$(VERSION)" || { echo "say which: make notes VERSION=1.2.3"; exit 2; }
	$(BIN)/python -m pip install --quiet --editable '.[release]'
	$(BIN)/towncrier build --yes --version $(VERSION)

# What is released: both distributions, checked, installed alone and tried, with their SHA-256.
dist: setup
	rm -rf dist
	$(BIN)/python -m pip install --quiet --editable '.[release]'
	$(BIN)/python -m build
	$(BIN)/twine check --strict dist/*
	$(PYTHON) -m venv --clear dist/try
	dist/try/bin/python -m pip install --quiet dist/*.whl
	dist/try/bin/rulewright best tictactoe --nodes 100
	rm -rf dist/try
	cd dist && sha256sum * > SHA256SUMS

setup: $(READY) $(TABLES)

define CHECK_PYTHON
import sys
if sys.version_info < (3, 11):
    sys.exit("rulewright needs Python 3.11 or newer, and this is %d.%d: try make PYTHON=python3.12" % sys.version_info[:2])
endef
export CHECK_PYTHON

$(READY): pyproject.toml
	@$(PYTHON) -c "$$CHECK_PYTHON"
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

# What makes the documents.
$(WRITERS): $(READY)
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	@touch $@

# The tables of the parsers and the code of the search, which the package brings with it: setting up
# makes them (hatch_build.py), and this makes them anew after a change of what they come from.
$(TABLES): $(READY) $(wildcard $(addprefix interpreter/rulewright/,$(MAKERS))) $(wildcard grammar/*.lark)
	$(BIN)/python -m rulewright.language.grammar
	$(BIN)/python -m rulewright.search.background
	@touch $@

clean:
	rm -rf $(VENV) interpreter/rulewright/language/built interpreter/rulewright/brought dist site .sphinx_cache .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
