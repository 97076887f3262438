# The commands a person types. `make demo` and `make test` need nothing but Python >= 3.11, and Rust for the fast engine.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUST := $(shell find engine/src -name '*.rs') engine/Cargo.toml engine/Cargo.lock
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# CI installs the versions that are known to pass, so that nobody's release breaks a change of ours: CONTRIBUTING.md.
constrained = $(if $(CI),--constraint .ci/constraints/$(1).txt)
# Tests start hundreds of processes, which would compile what was edited again and again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help engine demo test heavy slow check docs constraints bench bench-engine verify fuzz reproduce stub picture clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

# The package in its environment, built anew only when what it is built from changes.
$(VENV)/built: pyproject.toml setup.cfg setup.py $(RUST)
	@test -x $(BIN)/python || $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "cranfield needs Python 3.11 or later; name one: make PYTHON=python3.12 ...")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing cranfield into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --upgrade pip
	@$(BIN)/python -m pip install --quiet $(call constrained,dev) --editable '.[plot]'
	@$(BIN)/python -m compileall -q src/cranfield
	@touch $@

# What its own tests and checks need besides.
$(VENV)/tools: $(VENV)/built
	@echo "installing the tools of its tests ..."
	@$(BIN)/python -m pip install --quiet $(call constrained,dev) --editable '.[dev]'
	@touch $@

engine: $(VENV)/built
	@$(BIN)/python -m cranfield --version
	@$(BIN)/python -W ignore -c 'from cranfield import engine; engine.current().NAME == "compiled" or print("The compiled engine is many times faster: install Rust (https://rustup.rs), then make clean, or unset CRANFIELD_ENGINE.")'

demo: engine ## evaluate the Cranfield collection, which the package contains, and write a report on it
	@rm -rf demo
	@$(BIN)/python -m cranfield example --output demo
	@echo
	$(BIN)/cranfield evaluate demo/qrels.txt demo/runs/*.run
	@echo
	$(BIN)/cranfield report demo/qrels.txt demo/runs/*.run --topics demo/topics.tsv --title "The Cranfield collection" -o demo/report.html
	@echo
	@echo "Open demo/report.html in a browser; demo/README.md says what the labels mean. Next, try:"
	@echo "  $(BIN)/cranfield evaluate demo/qrels.txt demo/runs/bm25.run --by-topic -m nDCG@10 -m 'RBP(p=0.9)'"
	@echo "  $(BIN)/cranfield evaluate demo/qrels.txt demo/runs/*.run --format json -o demo/scores.json"
	@echo "  $(BIN)/cranfield measures nDCG"

# As many workers as there are processors: the tests do not depend on their order.
TEST ?=
test: $(VENV)/tools engine ## all tests; TEST="FOLDER ..." for some of them, "--ignore FOLDER" for the others
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal $(TEST)

HEAVY ?= tests
heavy: $(VENV)/tools engine ## the tests that take long or much memory; HEAVY="FILE ..." for some of them
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal -m heavy $(HEAVY)

SLOW ?=
slow: $(VENV)/tools engine ## the tests that take seconds and try more of what others try; CI runs them too
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal --durations 12 -m slow $(SLOW)

check: $(VENV)/tools ## format, lint, types, layers, Rust
	$(BIN)/ruff format --check src tests benchmarks reproductions docs/site paper .ci setup.py
	$(BIN)/ruff check src tests benchmarks reproductions docs/site paper .ci setup.py
	$(BIN)/mypy
	$(BIN)/lint-imports
	@if command -v cargo >/dev/null; then \
		cd engine && cargo fmt --check && cargo clippy --locked --all-targets -- -D warnings && cargo test --locked --quiet && \
		cargo fmt --check --manifest-path fuzz/Cargo.toml && cargo fmt --check --manifest-path benches/Cargo.toml && \
		cargo check --locked --all-targets --manifest-path benches/Cargo.toml --target-dir target && \
		RUSTFLAGS="--cfg fuzzing" cargo check --locked --bins --manifest-path fuzz/Cargo.toml --target-dir target/fuzz; \
	else echo "no cargo here: the Rust engine is not checked"; fi

# What builds the documentation site: an environment of its own, as on Read the Docs, so that `docs` alone has to bring
# all that the pages need. The engine was built above; `CARGO=false` keeps it from being built again.
$(VENV)/docs/built: $(VENV)/built
	@$(PYTHON) -m venv $(VENV)/docs
	@CARGO=false $(VENV)/docs/bin/python -m pip install --quiet $(call constrained,docs) --editable '.[docs]'
	@touch $@

docs: $(VENV)/docs/built ## the documentation as a site of its own, site/index.html; asks nothing of the network
	$(VENV)/docs/bin/python docs/site/build.py

constraints: $(VENV)/tools $(VENV)/docs/built ## note the versions that are installed, which CI installs from then on
	@$(BIN)/python -m pip list --format=freeze --exclude-editable --exclude pip --exclude setuptools > .ci/constraints/dev.txt
	@$(VENV)/docs/bin/python -m pip list --format=freeze --exclude-editable --exclude pip --exclude setuptools > .ci/constraints/docs.txt

bench: $(VENV)/built ## our speed beside the peers', as ratios in one run
	@$(BIN)/python -m pip install --quiet --editable '.[bench]'
	$(BIN)/python benchmarks/run.py

bench-engine: ## the speed of the Rust engine's parts: reading, judging, archives, writing, kernels
	cargo bench --manifest-path engine/benches/Cargo.toml --target-dir engine/target

verify: $(VENV)/tools engine ## the tests with ten times as many random examples, the heavy and the slow ones, and Miri on the engine
	$(BIN)/python -m pytest --hypothesis-profile=thorough --numprocesses auto --dist worksteal
	@if cargo +nightly miri --version >/dev/null 2>&1; then \
		cd engine && MIRIFLAGS=-Zmiri-disable-isolation cargo +nightly miri test --locked --lib -- $(MIRI); \
	else echo "no Miri here (rustup component add miri --toolchain nightly): the engine is not run by it"; fi

# Tests of what is pure and short: ids, numbers, fields, sums and scans. Files, threads, libraries in C and memory that is refused are beyond Miri.
MIRI := ids::column ids::flat ids::hash measures:: memory::tests::copies text::fields text::delimiters trec::line_template comparison::row_leads ranking::rank_slots counting_sort

# Needs cargo-fuzz and a nightly Rust; without one: make fuzz FUZZ="cargo fuzz run --sanitizer none"
FUZZ ?= cargo +nightly fuzz run
FUZZ_SECONDS ?= 300
fuzz: $(VENV)/tools engine ## look for bytes on which an engine fails, or the two differ
	@cargo fuzz --version >/dev/null || { echo "cargo-fuzz is missing: cargo install cargo-fuzz --locked"; exit 1; }
	@for target in run qrels archive field columns writers; do \
		mkdir -p .cache/fuzz/$$target; \
		(cd engine && $(FUZZ) $$target ../.cache/fuzz/$$target fuzz/corpus/$$target -- \
			-dict=fuzz/lines.dict -max_total_time=$(FUZZ_SECONDS) -max_len=600 -timeout=10 -rss_limit_mb=2048) || exit 1; \
	done
	$(BIN)/python -m pytest --hypothesis-profile=thorough tests/engines/test_fuzz.py tests/engines/test_same_outcome.py

reproduce: $(VENV)/tools ## run every reproduction; fails where a file that it writes comes out otherwise
	$(BIN)/python reproductions/run.py

stub: $(VENV)/tools ## write what is generated from the declarations: the type stubs, the names that shells complete, the notebook's outputs
	$(BIN)/python -m cranfield.measures._stub
	$(BIN)/python -m cranfield.cli._declared_stub
	$(BIN)/python -c 'from pathlib import Path; from cranfield.cli._completion import make_names_module; Path("src/cranfield/cli/_measure_names.py").write_text(make_names_module())'
	$(BIN)/python docs/site/execute.py docs/notebooks/tour.ipynb

picture: $(VENV)/tools ## take the pictures of the README and of pages; needs Chromium
	$(BIN)/python docs/site/picture.py

clean: ## remove what the commands above made
	rm -rf $(VENV) build dist demo site engine/target src/cranfield/*.so src/*.egg-info
