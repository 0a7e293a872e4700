# The two commands of a newcomer: `make demo` and `make test`. Both prepare what they need.
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.ready
.DEFAULT_GOAL := help

.PHONY: help demo test browser java data check format bench fuzz clean

help:            ## List what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1 /p' $(MAKEFILE_LIST) | while read t d; do printf '  make %-8s %s\n' "$$t" "$$d"; done

# A newcomer gets what the demo needs, to hide an author included; the tools of tests, Spark among them, are large.
$(VENV)/.usable: pyproject.toml constraints.txt scripts/prepare scripts/install-data
	@scripts/prepare $(VENV) masking
	@scripts/install-data $(VENV) masking
	@touch $@

$(STAMP): pyproject.toml constraints.txt scripts/prepare
	@scripts/prepare $(VENV) dev
	@touch $@

demo: $(VENV)/.usable ## Who copied it, who wrote it, who hid it: answered on small texts, with a page each
	@$(BIN)/stemmata demo

test: check browser java data ## Run all checks and all tests
	$(BIN)/python -m pytest -n 2 --dist loadfile

browser:         ## Install Chromium for the tests of reports, where that is possible
	@scripts/install-browser

java:            ## Install Java for the tests of Spark, where that is possible
	@scripts/install-java

data: $(STAMP)   ## Install dictionaries, translators and a language model, where that is possible
	@scripts/install-data $(VENV)

check: $(STAMP)  ## Format, lint, types and import direction, nothing changed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_architecture.py

format: $(STAMP) ## Put the code into its standard form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(STAMP)  ## Print the benchmark tables (some minutes); one alone: make bench-ranking, bench-hiding, …
	$(BIN)/python -m benchmarks

bench-%: $(STAMP)
	$(BIN)/python -m benchmarks $*

SECONDS ?= 600
SEED    ?= 1
fuzz: $(STAMP)   ## Try hostile input on every command for ten minutes; SECONDS=60 SEED=2 for others
	PYTHONPATH=tests $(BIN)/python -m fuzzing --seconds $(SECONDS) --seed $(SEED) \
	  --real "$${STEMMATA_DATA:-$$HOME/.cache/stemmata-data}"

clean:           ## Remove the environment and all caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis fuzzing-failures
