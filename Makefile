# Two commands set up all they need: `make demo` and `make test`. They want Python 3.11 or later, make and git.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
# One more than there are cores: many tests wait for processes of their own
PROCESSES ?= $(shell n=$$(nproc); echo $$((n < 4 ? n + 1 : 4)))
# Tests start some thousand processes: without kept bytecode each would compile all of gainsay first
unexport PYTHONDONTWRITEBYTECODE
TESTS := $(BIN)/python -m pytest -m "not more" tests --ignore=tests/history --ignore=tests/analyzers

.PHONY: demo test test-more test-servers test-analyzers lint bench hunt hunt-cypher ladder history clean

.venv/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "gainsay needs Python 3.11 or later: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 2; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: .venv/ready ## hunt for a minute on the embedded engines of every family, and show the report
	@rm -rf demo-out
	@$(BIN)/gainsay hunt --for 60s --out demo-out; code=$$?; [ $$code -le 1 ] || exit $$code
	@echo
	@$(BIN)/gainsay report demo-out --format md

lint: .venv/ready
	$(BIN)/ruff check src tests tools
	$(BIN)/ruff format --check --quiet src tests tools
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint ## what CI runs
	@$(TESTS) -n $(PROCESSES) --dist worksteal || { code=$$?; [ $$code -eq 1 ] || exit $$code; \
	echo "Some tests failed beside others. A busy machine breaks what rests on time: these once more, by themselves."; \
	$(TESTS) --last-failed --last-failed-no-failures none; }

test-more: .venv/ready ## what takes long, and proves on more engines what `make test` proves on some
	$(BIN)/python -m pytest -n $(PROCESSES) --dist worksteal -m more tests --ignore=tests/history --ignore=tests/analyzers

test-servers: .venv/ready ## the same for Neo4j, started from its Maven artifacts, which are kept in gainsay's cache (needs Java 17 and Maven)
	$(BIN)/python tests/neo4j/server.py $(BIN)/python -m pytest tests/engines/test_neo4j.py

test-analyzers: .venv/ready ## `gainsay tailor` on Frama-C's Eva and on Clam, `gainsay split` with pysa, semgrep and SpotBugs, where they are installed
	@command -v frama-c > /dev/null || echo "frama-c is not here, its tests are skipped: apt-get install frama-c-base"
	@command -v clam > /dev/null || echo "clam is not here, its tests are skipped: build it from its sources and put clam and clam-pp on PATH"
	@command -v mvn > /dev/null && command -v javac > /dev/null || echo "SpotBugs needs Java and Maven, its tests are skipped: apt-get install openjdk-17-jdk maven"
	$(BIN)/python -m pytest tests/analyzers

history: .venv/ready ## known past bugs are found and reduced, on releases that PyPI or `make ladder` brings (some minutes)
	$(BIN)/python -m pytest tests/history

bench: .venv/ready
	$(BIN)/gainsay bench speed

hunt: .venv/ready ## ten minutes on the newest releases
	$(BIN)/gainsay hunt --for 10m --out hunt-out

hunt-cypher: .venv/ready ## ten minutes on the graph engines alone
	$(BIN)/gainsay hunt kuzu ladybug arcadedb graphqlite falkordb --for 10m --out hunt-cypher-out

ladder: .venv/ready ## old SQLite libraries, built from source in npm packages, into gainsay's cache (needs npm and cc)
	$(BIN)/python tools/sqlite_ladder.py

clean:
	rm -rf .venv demo-out hunt-out hunt-cypher-out .mypy_cache .ruff_cache .pytest_cache .hypothesis
