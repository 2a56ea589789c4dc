# make         set up .venv with the program in .venv/bin/volition
# make demo    check the smart manufacturing agent: verdicts, strategy, time per phase
# make test    all checks that a change must pass: style, types, C++ tests, Python tests
# make soak    tests that take minutes each
# make fuzz    damaged input and random comparisons for FUZZ_SECONDS (600), from SEED; failures are written to fuzz-findings/
# make sanitize  read MUTANTS (2000) mutated saved state spaces, from SEED, with a native module built with sanitizers
# make bench   run the benchmarks, some of them in comparison with other tools
# make docs    regenerate the generated parts of the documentation
# make clean   remove the files that the other targets create

PYTHON ?= $(shell for each in python3 python3.13 python3.12 python3.11; do \
	$$each -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$each && break; done)
VENV := .venv
BIN := $(VENV)/bin
# Changes of Python sources need no new installation, because the install is editable. Changes of these files do.
BUILT_FROM := pyproject.toml $(wildcard CMakeLists.txt) $(shell find native/algorithms native/bindings -type f)
install = { [ "$$(id -u)" = 0 ] && { apt-get update && apt-get install --yes $(1); } >/dev/null 2>&1; }
DEMO := examples/can/smart_manufacturing.can

.PHONY: all demo test style types native-tests soak fuzz sanitize bench docs spin chromium clean

all: $(VENV)/installed

demo: all
	$(BIN)/volition check $(DEMO)
	$(BIN)/volition check $(DEMO) -p "Pmax=? [ F (PS1 & PS2) ]" --strategy --stats

# Steps that use one core run in parallel. Three processes run the tests on two cores, because some tests wait. Tests start hundreds of
# processes, so the package is compiled to bytecode once before. The tests do not write bytecode, because some processes are killed
# while they would write a file.
test: $(VENV)/installed-dev spin chromium
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target style types native-tests
	@$(BIN)/python -m compileall -q src
	PYTHONDONTWRITEBYTECODE=1 $(BIN)/pytest --numprocesses 3 --dist worksteal --durations 25 --durations-min 4

style: $(VENV)/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/clang-format --dry-run --Werror $(wildcard native/*/*.hpp native/*/*.cpp)

types: $(VENV)/installed-dev
	$(BIN)/mypy --strict

# Built with address and undefined-behaviour sanitizers, to detect errors that are invisible from Python, such as a read beyond an array.
NATIVE_TESTS := build/native-tests
NATIVE_OBJECTS := $(patsubst native/%.cpp,$(NATIVE_TESTS)/%.o,$(wildcard native/algorithms/*.cpp native/tests/*.cpp))
SANITIZERS := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all
SANITIZED := -std=c++20 $(SANITIZERS)
native-tests:
	@$(MAKE) --no-print-directory $(NATIVE_TESTS)/run
	$(NATIVE_TESTS)/run

$(NATIVE_TESTS)/run: $(NATIVE_OBJECTS)
	@$(CXX) $(SANITIZED) $^ -o $@

$(NATIVE_TESTS)/%.o: native/%.cpp
	@mkdir -p $(@D)
	@echo $<
	@$(CXX) $(SANITIZED) -Wall -Wextra -Wshadow -Werror -Inative/algorithms -MMD -c $< -o $@

-include $(NATIVE_OBJECTS:.o=.d)

# Tests that take minutes each, such as the comparison with Spin on the ten auctions of the paper.
soak: $(VENV)/installed-dev spin
	$(BIN)/pytest -m soak --numprocesses 2 --dist worksteal

FUZZ_SECONDS ?= 600
fuzz: $(VENV)/installed-dev spin
	$(BIN)/python -m tests.fuzz --seconds $(FUZZ_SECONDS) $(if $(SEED),--seed $(SEED))

# Python is not built with sanitizers, so their library is preloaded. Leak detection is off, because Python objects that live until the
# end of the process are not leaks.
MUTANTS ?= 2000
SANITIZED_PACKAGE := build/sanitized/package
sanitize: $(SANITIZED_PACKAGE)/built
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 \
		$(BIN)/python -m tests.fuzz.saved_spaces --count $(MUTANTS) $(if $(SEED),--seed $(SEED)) \
		--native $$(echo $(SANITIZED_PACKAGE)/volition/kernel/_native*.so)

$(SANITIZED_PACKAGE)/built: $(BUILT_FROM) $(VENV)/installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(SANITIZED_PACKAGE) . \
		--config-settings build-dir=build/sanitized/objects --config-settings cmake.build-type=RelWithDebInfo \
		--config-settings "cmake.define.CMAKE_CXX_FLAGS=$(SANITIZERS)" --config-settings install.strip=false
	touch $@

bench: $(VENV)/installed-dev
	for each in $$(grep -l "^if __name__" benchmarks/*.py); do $(BIN)/python -m benchmarks.$$(basename $$each .py) || exit 1; done

docs: $(VENV)/installed-dev chromium
	$(BIN)/python -m tests.source.error_codes
	$(BIN)/python -m tests.source.command_help
	$(BIN)/python -m tests.source.picture
	$(BIN)/python -m tests.notebook.picture
	$(BIN)/python -m tests.studio.picture

# Tests compare results with Spin. Without Spin, these tests are skipped.
spin:
	@command -v spin >/dev/null || $(call install,spin) || echo "Spin is not installed and cannot be from here: going on without it"

# Tests of notebooks and of the studio use a browser. Without Chromium, these tests are skipped.
chromium:
	@command -v chromium >/dev/null || $(call install,chromium) || echo "Chromium is not installed and cannot be from here: going on without it"

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@[ -n "$(PYTHON)" ] || { echo "Volition needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(BUILT_FROM) | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/installed-dev: $(BUILT_FROM) | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ $(VENV)/installed
