# `make demo` shows wellread working, `make test` runs every test, `make check` holds the house to its rules.
# Each sets up what it needs in .venv with pip alone. Tests run on the package as it is built, everything else on src/.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
TREE := PYTHONPATH=src
PACKAGED := $(shell find src -not -name __pycache__ -not -path '*/__pycache__/*') pyproject.toml README.md LICENSE NOTICE
# Tests wait for browsers, servers and processes that they start: one more of them than cores leaves no core idle.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(min(4, (os.cpu_count() or 1) + 1))')

.PHONY: demo test test-slow dev package docs check format lock clean

demo: .venv/demo.ready
	$(TREE) $(BIN)/wellread demo

test: .venv/wheel.ready
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest --wheel --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

test-slow: .venv/wheel.ready
	$(BIN)/python -m pytest --wheel -m slow

# Puts src/ itself into .venv, so that single tests run on what was edited; `make test` puts the wheel there again.
dev: .venv/dev.ready
	rm -f .venv/wheel.ready
	$(PIP) install --no-deps --editable .

# Builds the wheel, and works with it in an environment of its own.
package: .venv/dev.ready
	$(TREE) $(BIN)/python -m pytest -m packaging tests/scenario/test_packaging.py

# The docs as a site in site/, a folder for each version.
docs: .venv/dev.ready
	$(TREE) $(BIN)/python docs/pages.py site

check: .venv/dev.ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(TREE) $(BIN)/lint-imports
	$(TREE) $(BIN)/python -m pytest --quiet tests/architecture

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

# Older than a file of the package, or than a folder from which one has gone, it is built anew (2 s).
.venv/wheel.ready: .venv/dev.ready $(PACKAGED)
	rm -rf $@ .venv/wheel
	$(BIN)/python -m hatchling build --target wheel --directory .venv/wheel
	$(PIP) install --no-deps --force-reinstall .venv/wheel/*.whl
	touch $@
