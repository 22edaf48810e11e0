# `make test` is all a fresh machine with Rust needs; `make help` lists the rest.

CARGO ?= cargo
PYTHON ?= python3
DENY_VERSION := 0.20.2
ZIG_VERSION := 0.15.1
TARGET := $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)
TOOLS := $(TARGET)/tools
VENV := $(TARGET)/python
export RUSTDOCFLAGS := -D warnings
# Where tests note that they were skipped.
export MINDREL_SKIPPED := $(TARGET)/skipped-tests.txt
# Everything but the Python package, which needs Python and is built by maturin; with the ONNX runtime and Parquet, which are off by default.
WORKSPACE := --workspace --exclude mindrel-python --features mindrel-cli/onnx-runtime,mindrel-cli/parquet

.PHONY: help test rust-test python-test skipped python-env python-package wheels python-bench soak check bench experiments doc deny ci

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

test: ## run every test; the last lines name what was skipped for want of data, Python, a browser or a database
	@mkdir -p $(TARGET) && rm -f $(MINDREL_SKIPPED)
	@$(MAKE) --no-print-directory rust-test
	@$(MAKE) --no-print-directory python-test
	@$(MAKE) --no-print-directory skipped

rust-test:
	PROPTEST_RNG_SEED=20231210 $(CARGO) test --no-fail-fast $(WORKSPACE)

# The Python package, and imported models against the libraries they come from. MINDREL_NEEDS_PYTHON=1, as in .ci/run, makes a machine
# without Python a failure.
python-test:
	$(CARGO) test --no-run $(WORKSPACE)
	@if $(MAKE) --no-print-directory python-env; then \
		$(MAKE) --no-print-directory python-package PROFILE=dev && $(VENV)/bin/python -m pytest -q python/tests; \
	elif [ -n "$$MINDREL_NEEDS_PYTHON" ]; then \
		echo "the tests in Python cannot run: see above" >&2; exit 1; \
	else \
		echo "SKIPPED all tests in Python: they need $(PYTHON) with venv and the packages of python/requirements-test.txt" >> $(MINDREL_SKIPPED); \
	fi

skipped:
	@if [ -s $(MINDREL_SKIPPED) ]; then \
		sort -u $(MINDREL_SKIPPED); echo "$$(sort -u $(MINDREL_SKIPPED) | wc -l) tests were skipped, all others passed."; \
	else \
		echo "All tests passed, none was skipped."; \
	fi

python-env: $(VENV)/ready ## make a virtual environment with the libraries whose models are imported

$(VENV)/ready: python/requirements-test.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --requirement python/requirements-test.txt
	touch $@

# PROFILE=dev shares what the Rust tests have compiled.
PROFILE ?= release
python-package: python-env ## install the Python package into that environment
	PATH="$(VENV)/bin:$$PATH" CARGO_TARGET_DIR="$(TARGET)" MATURIN_PEP517_ARGS="--profile $(PROFILE)" \
		$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps ./python

# With ziglang from PyPI they ask for an old glibc only; without it, for this machine's.
WHEELS := $(TARGET)/wheels
wheels: python-env ## build wheels of the Python package, which bring the command line and install without Rust
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check ziglang==$(ZIG_VERSION)
	PATH="$(VENV)/bin:$$PATH" CARGO_TARGET_DIR="$(TARGET)" $(VENV)/bin/maturin build --manifest-path python/Cargo.toml \
		--release --features command-line --compatibility manylinux2014 --zig --out $(WHEELS)

python-bench: python-package ## time deciding from Python against the command line's audit, in one run
	$(CARGO) build --release
	$(VENV)/bin/python python/benches/decide.py "$(TARGET)/release/mindrel"

soak: ## run the property tests on many more random cases, new ones each time
	PROPTEST_CASES=20000 $(CARGO) test -p mindrel -p mindrel-plot

check: deny ## check formatting, lints, documentation and licences
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --features mindrel-cli/onnx-runtime,mindrel-cli/parquet --all-targets -- -D warnings
	$(CARGO) clippy -p mindrel-cli --all-targets -- -D warnings
	$(CARGO) doc $(WORKSPACE) --no-deps

bench: ## measure speed, variants side by side in one run
	$(CARGO) bench $(WORKSPACE)

experiments: ## run the paper's whole evaluation with a report; takes most of an hour on two cores, and needs the evaluation data
	$(CARGO) run --release -- experiment all

doc: ## build the library's documentation
	$(CARGO) doc $(WORKSPACE) --no-deps

deny: $(TOOLS)/bin/cargo-deny ## check licences, bans and sources of dependencies
	$(TOOLS)/bin/cargo-deny check licenses bans sources

# Unoptimised: it runs for seconds and builds in less than half the time.
$(TOOLS)/bin/cargo-deny:
	$(CARGO) install cargo-deny --debug --locked --no-default-features --version $(DENY_VERSION) --root $(TOOLS)

ci: check test ## all that must pass
	$(CARGO) run --release -- demo
