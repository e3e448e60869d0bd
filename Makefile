# `make demo` runs the demonstration, `make check` runs the gates, `make test` runs all other tests.
# Each target installs its requirements into .venv with pip. Tests run on the built wheel, all other targets on src/.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
TREE := PYTHONPATH=src
PACKAGED := $(shell find src -not -name __pycache__ -not -path '*/__pycache__/*') pyproject.toml README.md LICENSE NOTICE
# Tests wait for browsers, servers and processes that they start, so there is one worker more than cores.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(min(4, (os.cpu_count() or 1) + 1))')

.PHONY: demo test coverage test-slow dev package docs check ratchets stub format lock clean

demo: .venv/demo.ready
	$(TREE) $(BIN)/wellread demo

PYTEST := -m pytest --wheel --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder --ignore=tests/architecture

test: .venv/wheel.ready
	$(BIN)/python $(PYTEST)

# The tracer makes the tests slower, and in Python 3.11 it can end a thread that starts beside another one
# (https://github.com/python/cpython/issues/98257), so `make test` runs without it.
coverage: .venv/wheel.ready
	$(BIN)/coverage erase
	$(BIN)/coverage run $(PYTEST)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

test-slow: .venv/wheel.ready
	$(BIN)/python -m pytest --wheel -m "slow or hypothesis" --hypothesis-profile "new examples"

# Installs src/ itself (editable), so that single tests run on edited files; `make test` installs the wheel again.
# Run it again after changes of entry points in pyproject.toml.
dev: .venv/dev.ready
	rm -f .venv/wheel.ready
	$(PIP) install --no-deps --editable .

# Builds the wheel and tests it in a separate environment.
package: .venv/dev.ready
	$(TREE) $(BIN)/python -m pytest -m packaging tests/scenario/test_packaging.py

# Builds the documentation in site/, with a folder for each version.
docs: .venv/dev.ready
	$(TREE) $(BIN)/python docs/pages.py site

check: .venv/dev.ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(TREE) $(BIN)/lint-imports
	$(TREE) $(BIN)/python -m pytest --quiet tests/architecture

# Stores figures of tests/architecture/ratchets.toml that have fallen; RAISE=--raise stores higher ones too.
ratchets: .venv/dev.ready
	PYTHONPATH=src:tests $(BIN)/python -m architecture.ratchets $(RAISE)

# Writes src/wellread/sync.pyi; needed after a change of the methods of Web or of browser sessions.
stub: .venv/dev.ready
	PYTHONPATH=src:tests $(BIN)/python -m architecture.sync_stub

format: .venv/dev.ready
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# Updates constraints.txt, which pins the versions that CI and the demo install.
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
	$(PIP) install --upgrade 'pip>=25.1' # the first release with dependency groups
	touch $@

.venv/demo.ready: .venv/pip.ready pyproject.toml constraints.txt
	$(PIP) install --constraint constraints.txt --editable '.[documents]'
	touch $@

.venv/dev.ready: .venv/demo.ready
	$(PIP) install --constraint constraints.txt --editable '.[agents,assistant,browser,documents,integrations,objects,parquet,postgres,server,shared,telegram]' --group dev
	touch $@

# Built again (2 s) when a file of the package, or a folder with a deleted file, is newer.
.venv/wheel.ready: .venv/dev.ready $(PACKAGED)
	rm -rf $@ .venv/wheel
	$(BIN)/python -m hatchling build --target wheel --directory .venv/wheel
	$(PIP) install --no-deps --force-reinstall .venv/wheel/*.whl
	touch $@
