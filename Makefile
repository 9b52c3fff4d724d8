# `make` explains itself. Everything is installed into .venv; a second run has nothing to do.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

ifndef PYTHON
PYTHON := $(shell for p in python3.13 python3.12 python3.11 python3.14 python3; do $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
endif
VENV := .venv
BIN := $(VENV)/bin
CLIENT := .venv-client
AUDIT := .venv-audit
BUILD := .venv-build
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

.PHONY: help run quick test test-all test-client client check attack bench bench-page bench-visit scale pictures vendor lock audit docker clean bench-watch

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.installed ## serve on http://127.0.0.1:8000 (HOST and PORT change that)
	@BACKLIGHT_STORE=$${BACKLIGHT_STORE:-data/runs.sqlite3} exec $(BIN)/python -m app

test: $(VENV)/.dev $(VENV)/.browser $(VENV)/.valkey $(VENV)/.bundler ## run the tests, one process per core, without the slow ones (ARGS="-k words" picks some of all, -n 0 runs them in one)
	@PYTHONDONTWRITEBYTECODE= OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --timeout 600 $(or $(ARGS),-m "not slow")

test-all: $(VENV)/.firefox ## run all tests, the slow ones, too
	@$(MAKE) test ARGS='-m "" $(ARGS)'

quick: $(VENV)/.dev ## the engine, its findings and the page's logic, in a minute and a half
	@PYTHONDONTWRITEBYTECODE= OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -q -n auto --timeout 600 tests/engine tests/findings --ignore tests/engine/test_signatures.py $(ARGS)
	@if command -v npm >/dev/null; then $(MAKE) node_modules/.package-lock.json && npm test --silent; else echo "The page's JavaScript is not tried: npm (Node.js) is not installed."; fi

client: $(BUILD)/.installed ## build the package `client/` to hand on: wheel and sdist, in build/client
	@rm -rf build/client && tools/build-client $(BUILD)/bin/python $(abspath build/client)
	@ls build/client/*

test-client: $(CLIENT)/.installed $(VENV)/.browser ## build the package `client/` and try it with PyTorch (TORCH="2.4.0 2.8.0" and PYTHONS="python3.11 python3.14" try these, too)
	@cd client && ../$(CLIENT)/bin/python -m mypy
	@env -u PYTHONPATH $(CLIENT)/bin/python -m pytest -q client/tests
	@for python in $(or $(PYTHONS),$(PYTHON)); do for version in $(TORCH); do \
	tools/smoke-client $$python $(abspath $(CLIENT))/dist/*.whl $$version || exit 1; done; done

check: $(VENV)/.dev ## lint, types, and which package may import which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check -q .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@if command -v npm >/dev/null; then $(MAKE) node_modules/.package-lock.json && npm run --silent types && npm run --silent lint && npm test --silent; \
	else echo "The page's JavaScript is not checked: npm (Node.js) is not installed."; fi

attack: $(VENV)/.dev ## try to break it, for ten minutes at most, on this machine alone (ARGS="--only bodies")
	$(BIN)/python -m tests.attack $(or $(ARGS),--out docs/security.md)

bench: $(VENV)/.bench ## measure against torch and other engines, and what was kept (ARGS=--keep keeps)
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.guard $(ARGS)

bench-watch: $(CLIENT)/.installed ## what watching a training costs it, in the environment with PyTorch
	@$(CLIENT)/bin/python benchmarks/watch.py

bench-page: $(VENV)/.dev $(VENV)/.browser ## frame times of the page in Chromium (ARGS="--against CHECKOUT" compares)
	$(BIN)/python -m benchmarks.page $(ARGS)

bench-visit: $(VENV)/.dev $(VENV)/.browser $(VENV)/.bundler ## a first visit over slow lines, of a checkout and of an image
	$(BIN)/python -m benchmarks.visit $(ARGS)

scale: $(VENV)/.dev $(VENV)/.valkey ## measure 1, 2 and 4 replicas behind nginx, and what they survive (on this machine alone)
	@command -v nginx >/dev/null || tools/apt-install nginx-light || { echo "make scale needs nginx"; exit 1; }
	$(BIN)/python -m benchmarks.scale $(ARGS)

pictures: $(VENV)/.dev $(VENV)/.browser ## take the pictures of docs/pictures.md
	$(BIN)/python -m tools.pictures

vendor: ## rebuild static/vendor from package.json (needs npm and the network)
	@command -v npm >/dev/null || { echo "make vendor needs npm (Node.js)"; exit 1; }
	@$(MAKE) node_modules/.package-lock.json
	npm run vendor

lock: $(BIN)/python ## renew the locked versions of what is installed
	tools/lock $(BIN)/python

audit: $(AUDIT)/.installed ## ask what is known against the locked versions (needs the network)
	@$(AUDIT)/bin/python -m tools.audit

BASE := $(shell sed -n 's/^ *BASE: //p' compose.yaml)

docker: ## build the image `backlight`, on the base whose digest compose.yaml names
	docker build --build-arg BASE=$(BASE) -t backlight .

clean: ## remove what make created here
	rm -rf $(VENV) $(CLIENT) $(AUDIT) $(BUILD) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache node_modules static/bundle templates/bundle.html

node_modules/.package-lock.json: package-lock.json
	@npm ci --silent --no-audit --no-fund

# A virtual environment; Debian keeps the part of Python that makes one in a package of its own.
$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and none is on the PATH (set PYTHON=…)."; exit 1; }
	@if ! $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null; then tools/apt-install python3-venv || \
	{ echo "$(PYTHON) cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }; fi
	@echo "Creating $(VENV)"
	@$(PYTHON) -m venv $(VENV)

# Versions and their hashes are locked (`make lock` renews them), so that everybody runs and tests the same.
$(VENV)/.installed: requirements-libraries.lock | $(BIN)/python
	@echo "Installing the service, and the libraries that programs import"
	@$(PIP) install --no-deps --require-hashes -r requirements-libraries.lock
	@$(PIP) install --no-deps -e .
	@touch $@

$(VENV)/.dev: requirements-dev.lock | $(BIN)/python
	@echo "Installing the service, its tests and the checks"
	@$(PIP) install --no-deps --require-hashes -r requirements-dev.lock
	@$(PIP) install --no-deps -e .
	@touch $@ $(VENV)/.installed

# The client is tried as people get it: its wheel, in an environment with the PyTorch that the answers were recorded with.
# numpy, ml_dtypes, scipy and pyfakefs are for the engine, whose documents its own are compared with; JupyterLab, in a browser, is
# where notebooks run, Sphinx and MkDocs build pages with code blocks that play, and pypdf reads pictures that reportlab wrote.
$(CLIENT)/.installed: client/pyproject.toml $(shell find -L client/backlight -name '*.py' -o -name '*.json' -o -name '*.txt' -o -name '*.js' -o -name '*.css') static/viewer.html
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and none is on the PATH (set PYTHON=…)."; exit 1; }
	@echo "Installing PyTorch and the client"
	@test -x $(CLIENT)/bin/python || $(PYTHON) -m venv $(CLIENT)
	@$(CLIENT)/bin/python -m pip --disable-pip-version-check -q install 'torch==2.13.0' 'numpy>=2.0' 'ml_dtypes>=0.6' 'scipy>=1.13' 'pydantic>=2.8' 'pyfakefs>=6.3' 'pytest>=8' 'jupyterlab>=4' 'playwright>=1.49' 'mypy>=1.11' 'pyyaml>=6' 'sphinx>=7.4' 'mkdocs>=1.6' 'reportlab>=4.2' 'pypdf>=5' types-docutils types-reportlab build
	@rm -rf $(CLIENT)/dist && tools/build-client $(CLIENT)/bin/python $(abspath $(CLIENT))/dist
	@$(CLIENT)/bin/python -m pip --disable-pip-version-check -q install --force-reinstall --no-deps $(CLIENT)/dist/*.whl
	@touch $@

$(BUILD)/.installed:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and none is on the PATH (set PYTHON=…)."; exit 1; }
	@$(PYTHON) -m venv $(BUILD)
	@$(BUILD)/bin/python -m pip --disable-pip-version-check -q install build
	@touch $@

$(AUDIT)/.installed: requirements-audit.lock | $(BIN)/python
	@test -x $(AUDIT)/bin/python || $(BIN)/python -m venv $(AUDIT)
	@$(AUDIT)/bin/python -m pip --disable-pip-version-check -q install --require-hashes -r requirements-audit.lock
	@touch $@

# torch is the yardstick; where it cannot be installed its column is left out, and so are the other engines.
$(VENV)/.bench: pyproject.toml | $(VENV)/.installed
	@echo "Installing what the service is measured against"
	@$(PIP) install -e '.[oracle]' || echo "torch could not be installed: its column will be missing"
	@$(PIP) install -e '.[bench]' || echo "other engines could not be installed: their columns will be missing"
	@touch $@

# What replicas share is tried with a real server: the one of this machine, else Debian's.
$(VENV)/.valkey: | $(VENV)/.dev
	@if tools/find-valkey >/dev/null || { echo "Installing a server for the tests of replicas"; tools/apt-install valkey-server || \
	tools/apt-install redis-server; }; then touch $@; \
	else echo "Neither Valkey nor Redis could be installed, so the tests of replicas will fail."; fi

# The page of the image is made by esbuild: npm's, where the checks have installed it, else Debian's.
$(VENV)/.bundler: | $(VENV)/.dev
	@if test -x node_modules/.bin/esbuild || command -v esbuild >/dev/null || { echo "Installing esbuild for the tests"; \
	tools/apt-install esbuild; }; then touch $@; else echo "esbuild could not be installed, so the tests of the image's page will fail."; fi

# The page is tested in a real browser: the one of this machine, else Debian's, else the one Playwright downloads.
$(VENV)/.browser: | $(VENV)/.dev
	@if tools/find-browser >/dev/null || { echo "Installing a browser for the tests"; tools/apt-install chromium || \
	$(BIN)/playwright install --with-deps chromium || $(BIN)/playwright install chromium; }; then touch $@; \
	else echo "No browser could be installed, so the tests of the page will fail."; fi

# And in Firefox, where Debian has it; without one the summary says that it was not tried.
$(VENV)/.firefox: | $(VENV)/.dev
	@if command -v firefox-esr >/dev/null || command -v firefox >/dev/null || { echo "Installing Firefox for a test of the page"; \
	tools/apt-install firefox-esr; }; then touch $@; else echo "Firefox could not be installed, so the page is not tried in it."; fi
