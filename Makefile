# What there is to do. `make test` is all a fresh machine with Rust needs.

CARGO ?= cargo
DENY_VERSION := 0.20.2
TOOLS := target/tools
export RUSTDOCFLAGS := -D warnings

PYTHON ?= python3
VENV := target/python

.PHONY: test rust-test python-test python-env python-package python-check python-bench soak check bench experiments doc ci deny help

help: ## what there is to do
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

test: rust-test python-test ## every test; those on the evaluation data, or in Python, say so where these are missing

rust-test:
	PROPTEST_RNG_SEED=20231210 $(CARGO) test --workspace

# The Python package, and imported models, against the libraries they come from. MINDREL_NEEDS_PYTHON=1, as in .ci/run, makes a machine without Python a failure.
python-test: rust-test
	@if $(MAKE) --no-print-directory python-env; then \
		$(MAKE) --no-print-directory python-package && $(VENV)/bin/python -m pytest -q python/tests; \
	elif [ -n "$$MINDREL_NEEDS_PYTHON" ]; then \
		echo "the tests in Python cannot run: see above" >&2; exit 1; \
	else \
		echo "SKIPPED: the tests in Python, which need $(PYTHON) with venv and the packages of python/requirements-test.txt"; \
	fi

python-env: $(VENV)/ready ## a virtual environment with the libraries whose models are imported

$(VENV)/ready: python/requirements-test.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --requirement python/requirements-test.txt
	touch $@

# The compiled half is built in the folder of all others, so that what both need is built once.
python-package: python-env ## the Python package, installed into that environment
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" CARGO_TARGET_DIR="$${CARGO_TARGET_DIR:-$(CURDIR)/target}" \
		$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps ./python

python-check: ## lints of the Python package's compiled half
	cd python && $(CARGO) fmt --check
	cd python && CARGO_TARGET_DIR="$${CARGO_TARGET_DIR:-$(CURDIR)/target}" $(CARGO) clippy --all-targets -- -D warnings

python-bench: python-package ## deciding from Python against the command line's audit, in one run
	$(CARGO) build --release
	$(VENV)/bin/python python/benches/decide.py "$${CARGO_TARGET_DIR:-target}/release/mindrel"

soak: ## the property tests on many more, and each time other, random cases
	PROPTEST_CASES=20000 $(CARGO) test -p mindrel -p mindrel-plot

check: deny python-check ## formatting, lints, documentation, licences
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(CARGO) doc --workspace --no-deps

bench: ## speed, variants side by side in one run
	$(CARGO) bench --workspace

experiments: ## the paper's whole evaluation as published, with a report; takes most of an hour on two cores, and needs the evaluation data
	$(CARGO) run --release -- experiment all

doc: ## the library's documentation
	$(CARGO) doc --workspace --no-deps

deny: $(TOOLS)/bin/cargo-deny ## licences, bans and sources of what we depend on
	$(TOOLS)/bin/cargo-deny check licenses bans sources
	$(TOOLS)/bin/cargo-deny --manifest-path python/Cargo.toml --config deny.toml check licenses bans sources

# Unoptimised: it runs for seconds, and is built in less than half the time.
$(TOOLS)/bin/cargo-deny:
	$(CARGO) install cargo-deny --debug --locked --no-default-features --version $(DENY_VERSION) --root $(TOOLS)

ci: check test ## all that must pass
	$(CARGO) run --release -- demo
