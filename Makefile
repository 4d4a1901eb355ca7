# make demo    set everything up in .venv and run the main job on an embedded example
# make test    set everything up and run all tests
# make lint    ruff, mypy, clang-format, codespell
# make format  let the formatters rewrite the sources
# make attack  random attacks on everything for ten minutes; ATTACK="--minutes 60" for longer, with a fresh seed
# make sanitize  the tests on a core built with address and undefined-behaviour sanitizers
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CXX_FILES = $(shell git ls-files --cached --others --exclude-standard 'core/*.[ch]pp' 'bindings/*.[ch]pp')
SOURCES = $(CXX_FILES) $(shell git ls-files --cached --others --exclude-standard src) CMakeLists.txt pyproject.toml
SANITIZED := build/sanitize
PIP_INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check

.PHONY: demo test attack lint format sanitize sanitize-core build clean

ATTACK ?= --minutes 10 --seed 1

demo: build
	$(BIN)/treebound demo

test: build
	$(BIN)/pytest

attack: build
	$(BIN)/python -m tests.attack $(ATTACK)

lint: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(CXX_FILES)
	$(BIN)/codespell

format: $(VENV)/tools
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CXX_FILES)

build: $(VENV)/built

$(VENV)/tools: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP_INSTALL) --upgrade 'pip>=25.1'
	$(PIP_INSTALL) --group dev
	touch $@

$(VENV)/built: $(VENV)/tools $(SOURCES)
	$(PIP_INSTALL) --no-build-isolation '.[io,plot]'
	touch $@

# A second copy of the package with a sanitized core; Python itself is not sanitized, so the runtime is
# preloaded, and its own leaks are not reported.
$(SANITIZED)/built: $(VENV)/built
	rm -rf $(SANITIZED)/site
	$(PIP_INSTALL) --no-build-isolation --no-deps --target $(SANITIZED)/site \
	  -C build-dir=$(SANITIZED)/cmake -C cmake.define.TREEBOUND_SANITIZE=ON .
	touch $@

SANITIZED_PYTEST = PYTHONPATH=$(SANITIZED)/site \
  LD_PRELOAD="$$(c++ -print-file-name=libasan.so) $$(c++ -print-file-name=libubsan.so)" \
  ASAN_OPTIONS=detect_leaks=0 $(BIN)/pytest -p no:faulthandler

sanitize: $(SANITIZED)/built
	$(SANITIZED_PYTEST)

# Only the tests that exercise the compiled core: what .ci/run has time for.
sanitize-core: $(SANITIZED)/built
	$(SANITIZED_PYTEST) -m core

clean:
	rm -rf $(VENV) build src/treebound/_core.pyi
