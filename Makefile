# Every target works from a fresh clone: Python 3.11+, make and the network are all it needs.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo test fuzz check lock train benchmark clean

setup: .venv/.ready

.venv/.ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Switchman needs Python 3.11 or newer; name one: make PYTHON=python3.12 " + "setup")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: setup
	@$(BIN)/switchman demo

test: setup
	$(BIN)/python -m pytest -n auto --dist loadfile

# The generated inputs of the intent router, 100,000 a property instead of 2,000: about half an hour.
fuzz: setup
	SWITCHMAN_FUZZ=100000 $(BIN)/python -m pytest tests/router/intent/test_intent_properties.py

# The one check command: lint, format, strict types, the data's own rules, tests.
check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/switchman data check
	$(BIN)/python -m pytest -n auto --dist loadfile

train: setup
	$(BIN)/switchman train

benchmark: setup
	$(BIN)/switchman benchmark

# Rewrites the lock for every platform; the lock names no index, so any mirror serves it.
lock: setup
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --all-extras pyproject.toml -o requirements.lock

clean:
	rm -rf .venv var .pytest_cache .mypy_cache .ruff_cache *.egg-info
