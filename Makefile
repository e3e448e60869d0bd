# `make demo` shows wellread working, `make test` runs every test, `make check` holds the house to its rules.
# Each sets up what it needs in .venv with pip alone.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# Tests wait for browsers, servers and processes that they start: one more of them than cores leaves no core idle.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(min(4, (os.cpu_count() or 1) + 1))')

.PHONY: demo test test-slow package docs check format lock clean

demo: .venv/demo.ready
	$(BIN)/wellread demo

test: .venv/dev.ready
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# Builds the wheel, and works with it in an environment of its own.
package: .venv/dev.ready
	$(BIN)/python -m pytest -m packaging tests/scenario/test_packaging.py

# The docs as a site in site/, a folder for each version.
docs: .venv/dev.ready
	$(BIN)/python docs/pages.py site

test-slow: .venv/dev.ready
	$(BIN)/python -m pytest -m slow

check: .venv/dev.ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest --quiet tests/house

format: .venv/dev.ready
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# Versions only: constraints.txt pins what CI and the demo install.
lock: .venv/dev.ready
	$(PIP) install uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --all-extras --group dev \
		--no-annotate --no-header --no-emit-index-url --upgrade pyproject.toml --output-file constraints.txt

clean:
	rm -rf .venv

.venv/pip.ready:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("wellread needs Python 3.11 or later; name one: make PYTHON=python3.12")'
	@echo "Setting up .venv with $$($(PYTHON) --version); this happens once."
	$(PYTHON) -m venv .venv
	$(PIP) install --upgrade 'pip>=25.1' # the first that knows dependency groups
	touch $@

.venv/demo.ready: .venv/pip.ready pyproject.toml constraints.txt
	$(PIP) install --constraint constraints.txt --editable '.[documents]'
	touch $@

.venv/dev.ready: .venv/demo.ready
	$(PIP) install --constraint constraints.txt --editable '.[agents,assistant,browser,documents,integrations,parquet,postgres,server,telegram]' --group dev
	touch $@
