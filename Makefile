# `make` explains itself. Everything is installed into .venv; a second run has nothing to do.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3.14 python3; do command -v $$p >/dev/null && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

.PHONY: help run test check attack bench bench-page pictures vendor docker clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.installed ## serve on http://127.0.0.1:8000 (HOST and PORT change that)
	@BACKLIGHT_STORE=$${BACKLIGHT_STORE:-data/runs.sqlite3} exec $(BIN)/python -m app

test: $(VENV)/.test $(VENV)/.browser ## run all tests, one process per core (ARGS="-k words" picks some, ARGS="-n 0" runs them in one)
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto $(ARGS)

check: $(VENV)/.dev ## lint, types, and which package may import which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check app
	$(BIN)/mypy
	$(BIN)/lint-imports
	@if command -v npm >/dev/null; then $(MAKE) node_modules/.package-lock.json && npm run --silent types && npm run --silent lint && npm test --silent; \
	else echo "The page's JavaScript is not checked: npm (Node.js) is not installed."; fi

attack: $(VENV)/.attack ## try to break it, for ten minutes at most, on this machine alone (ARGS="--only bodies")
	$(BIN)/python -m tests.attack $(ARGS)

bench: $(VENV)/.bench ## measure against torch and other engines, side by side
	$(BIN)/python -m benchmarks

bench-page: $(VENV)/.test $(VENV)/.browser ## frame times of the page in Chromium (ARGS="--against CHECKOUT" compares)
	$(BIN)/python -m benchmarks.page $(ARGS)

pictures: $(VENV)/.test $(VENV)/.browser ## take the pictures of docs/pictures.md
	$(BIN)/python -m tools.pictures

vendor: ## rebuild static/vendor from package.json (needs npm and the network)
	@command -v npm >/dev/null || { echo "make vendor needs npm (Node.js)"; exit 1; }
	@$(MAKE) node_modules/.package-lock.json
	npm run vendor

docker: ## build the image `backlight`
	docker build -t backlight .

clean: ## remove what make created here
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache node_modules

node_modules/.package-lock.json: package-lock.json
	@npm ci --silent --no-audit --no-fund

# A virtual environment; Debian keeps the part of Python that makes one in a package of its own.
$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and none is on the PATH (set PYTHON=…)."; exit 1; }
	@if ! $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null; then tools/apt-install python3-venv || \
	{ echo "$(PYTHON) cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }; fi
	@echo "Creating $(VENV)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@echo "Installing the service"
	@$(PIP) install -e .
	@touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	@echo "Installing the service and its tests"
	@$(PIP) install -e '.[test]'
	@touch $@ $(VENV)/.installed

$(VENV)/.attack: pyproject.toml | $(BIN)/python
	@echo "Installing the service, its tests and what attacks it"
	@$(PIP) install -e '.[test,attack]'
	@touch $@ $(VENV)/.test $(VENV)/.installed

# torch is the yardstick; where it cannot be installed its column is left out, and so are the other engines.
$(VENV)/.bench: pyproject.toml | $(BIN)/python
	@echo "Installing the service and what it is measured against"
	@$(PIP) install -e .
	@$(PIP) install -e '.[oracle]' || echo "torch could not be installed: its column will be missing"
	@$(PIP) install -e '.[bench]' || echo "other engines could not be installed: their columns will be missing"
	@touch $@ $(VENV)/.installed

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@echo "Installing the service, its tests and the checks"
	@$(PIP) install -e '.[test,dev]'
	@touch $@ $(VENV)/.test $(VENV)/.installed

# The page is tested in a real browser: the one of this machine, else Debian's, else the one Playwright downloads.
$(VENV)/.browser: | $(VENV)/.test
	@if tools/find-browser >/dev/null || { echo "Installing a browser for the tests"; tools/apt-install chromium || \
	$(BIN)/playwright install --with-deps chromium || $(BIN)/playwright install chromium; }; then touch $@; \
	else echo "No browser could be installed, so the tests of the page will fail."; fi
