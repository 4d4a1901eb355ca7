# make demo    set everything up in .venv and run the main job on an embedded example
# make test    set everything up and run all tests
# make docs    build the documentation site into build/docs; a warning is an error
# make lint    ruff, mypy, clang-format, codespell, and TypeScript on the page of the explorer where npx is
# make format  let the formatters rewrite the sources
# make attack  random attacks on everything for ten minutes; ATTACK="--minutes 60" for longer, with a fresh seed
# make sanitize  the tests on a core built with address and undefined-behaviour sanitizers
# make sanitize-threads  the tests of what runs in several threads on a core built with the thread sanitizer
# make wheel   wheels for Linux in dist/, each installed into a fresh environment without a compiler, and tried
# make coverage  the tests on a core that counts its lines: shares of Python and C++ lines that ran
# make core-api  a million random operations on the sanitized core, each checked as a whole, against slow twins
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CXX_FILES = $(shell git ls-files --cached --others --exclude-standard 'core/*.[ch]pp' 'bindings/*.[ch]pp')
SOURCES = $(CXX_FILES) $(shell git ls-files --cached --others --exclude-standard src) CMakeLists.txt pyproject.toml
THREADED_TESTS := tests/test_search.py tests/test_search_regrow.py tests/test_search_regrow_data.py \
  tests/test_search_hc_et.py tests/test_search_order.py tests/test_search_s2.py tests/test_search_exact.py \
  tests/test_search_chow_liu.py tests/test_search_elidan_gould.py tests/test_search_rules.py \
  tests/test_constraints_search.py tests/test_scoring_runs.py tests/test_inference_rows.py \
  tests/test_inference_expected_counts.py tests/test_network_fit.py tests/test_network_em.py \
  tests/test_network_sample.py \
  tests/test_density.py::test_steps_are_equal_for_any_number_of_threads_and_raise_the_likelihood
PYTEST := $(BIN)/pytest -n auto
PIP_INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check

.PHONY: demo test attack lint lint-page format sanitize sanitize-core sanitize-threads core-api coverage docs wheel build clean

ATTACK ?= --minutes 10 --seed 1

demo: build
	$(BIN)/treebound demo

test: build
	$(PYTEST)

attack: build
	$(BIN)/python -m tests.attack $(ATTACK)

lint: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(CXX_FILES)
	$(BIN)/codespell
	$(BIN)/codespell -D .codespell/words.txt src core bindings  # words that we avoid

	$(MAKE) --no-print-directory lint-page

# The page of the explorer is plain JavaScript; TypeScript checks its types and finds what is not used. Where there is
# no npx, or it cannot get TypeScript, the page is not checked, and nothing else needs either.
TSC := npx --yes -p typescript@5.9.3 tsc
TSC_RULES := --noEmit --allowJs --checkJs --target es2022 --module es2022 --moduleResolution bundler \
  --lib es2022,dom,dom.iterable --noUnusedLocals --noUnusedParameters --noImplicitReturns

lint-page:
	@if $(TSC) --version >/dev/null 2>&1; then $(TSC) $(TSC_RULES) src/treebound/explorer/page/main.js; \
	  else echo "TypeScript cannot be run with npx: the page of the explorer is not checked."; fi

format: $(VENV)/tools
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CXX_FILES)

# Tests and benchmarks also reach parts of the core that no wheel carries, in a module of their own.
TESTING := -C cmake.define.TREEBOUND_TESTING=ON

build: $(VENV)/built

$(VENV)/tools: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP_INSTALL) --upgrade 'pip>=25.1'
	$(PIP_INSTALL) --group dev
	touch $@

$(VENV)/built: $(VENV)/tools $(SOURCES)
	$(PIP_INSTALL) --no-build-isolation $(TESTING) '.[io,plot]'
	touch $@

# The site: pages in docs/, a page for each public name, and the scripts of examples/, which run.
docs: build $(VENV)/docs-tools
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet -b html docs build/docs
	@echo "The site is in build/docs/index.html."

$(VENV)/docs-tools: $(VENV)/tools pyproject.toml
	$(PIP_INSTALL) --group docs
	touch $@

# Further copies of the package, build/<name>/site, each with a core of its own: sanitized by address and
# undefined behaviour, and sanitized for threads, both with all asserts.
build/sanitize/built: CORE_FLAGS = -C cmake.define.TREEBOUND_SANITIZE=address,undefined
build/threads/built: CORE_FLAGS = -C cmake.define.TREEBOUND_SANITIZE=thread

build/%/built: $(VENV)/built
	rm -rf build/$*/site
	$(PIP_INSTALL) --no-build-isolation --no-deps --target build/$*/site -C build-dir=build/$*/cmake $(TESTING) $(CORE_FLAGS) .
	touch $@

# A core that counts how often each of its lines runs, also in several threads.
build/coverage/built: CORE_FLAGS = -C cmake.build-type=Debug -C install.strip=false \
  -C cmake.define.CMAKE_CXX_FLAGS="--coverage -fprofile-update=atomic -O1"

# A worker that runs out of memory has none left to count lines with.
NO_MEMORY_TO_COUNT = --deselect tests/test_experiments.py::test_a_run_beyond_its_memory_is_recorded

coverage: build/coverage/built
	$(PIP_INSTALL) --group coverage
	find build/coverage/cmake -name '*.gcda' -delete
	rm -f build/coverage/python*
	PYTHONPATH=$(CURDIR)/build/coverage/site $(BIN)/coverage run -m pytest -n auto $(NO_MEMORY_TO_COUNT)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-covered
	$(BIN)/python tests/core_coverage.py build/coverage/cmake

# Python itself is not sanitized, so the runtime of a sanitizer is preloaded.
runtime = $(foreach library,$(1),$(shell $(CXX) -print-file-name=lib$(library).so))

# Python's own leaks are not reported.
SANITIZED = PYTHONPATH=build/sanitize/site LD_PRELOAD="$(call runtime,asan ubsan)" ASAN_OPTIONS=detect_leaks=0
SANITIZED_PYTEST = $(SANITIZED) $(PYTEST) -p no:faulthandler

sanitize: build/sanitize/built
	$(SANITIZED_PYTEST)

# Only the tests that exercise the compiled core: what .ci/run has time for.
sanitize-core: build/sanitize/built
	$(SANITIZED_PYTEST) -m core

OPERATIONS ?= 1000000

# A million random operations on the core's objects, against their slow twins.
core-api: build/sanitize/built
	TREEBOUND_CHECK_OBJECTS=1 $(SANITIZED) $(BIN)/python -m tests.core_api --operations $(OPERATIONS) --seed 1

# Reports go to the terminal, hence --capture=sys. Where the kernel randomises addresses by more than 28 bits
# (sysctl vm.mmap_rnd_bits) the runtime of older compilers does not start: setarch -R make sanitize-threads.
sanitize-threads: build/threads/built
	PYTHONPATH=build/threads/site LD_PRELOAD="$(call runtime,tsan)" \
	  TSAN_OPTIONS="halt_on_error=1 suppressions=tests/threads.supp" \
	  $(BIN)/python -m pytest -p no:faulthandler --capture=sys $(THREADED_TESTS)

# One wheel for 3.11, and one with Python's stable interface for 3.12 and all later versions. auditwheel names the
# oldest glibc that they run on, which is that of this machine's compiler: build inside a manylinux image for older
# ones. WHEEL_TRIED are the versions that the wheels are tried on.
WHEEL_PYTHONS ?= python3.11 python3.12
WHEEL_TRIED ?= $(WHEEL_PYTHONS)

wheel:
	rm -rf build/wheel dist
	mkdir -p build/wheel/raw
	$(PYTHON) -m venv build/wheel/tools
	build/wheel/tools/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	build/wheel/tools/bin/python -m pip install --quiet --disable-pip-version-check --group wheel
	set -e; for python in $(WHEEL_PYTHONS); do \
	  $$python -m venv build/wheel/$$python; \
	  build/wheel/$$python/bin/python -m pip wheel --quiet --no-deps -w build/wheel/raw .; \
	done
	PATH="$(CURDIR)/build/wheel/tools/bin:$$PATH" auditwheel repair -w dist build/wheel/raw/*.whl
	set -e; for python in $(WHEEL_TRIED); do $$python tests/fresh_install.py dist; done

clean:
	rm -rf $(VENV) build dist src/treebound/_core.pyi
