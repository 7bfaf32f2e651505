"""The keys of the object that `hunt --json` ends with: a contract, the same for all families."""

KEYS = frozenset(
    [
        "seed",
        "targets",
        "oracles",
        "checks",
        "asks",
        "valid",
        "nonempty",
        "undecidable",
        "findings",
        "wall_s",
        "cpu_s",
        "triage_s",
        "engine_s",
    ]
)
