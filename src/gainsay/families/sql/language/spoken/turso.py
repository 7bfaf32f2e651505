"""Turso's dialect: SQLite's, without the switches of its optimizer."""

from __future__ import annotations

from gainsay.families.sql.language.spoken.sqlite import LITERALS, SQLITE

TURSO = SQLITE.extend(
    "turso",
    without=[name for name, switch in SQLITE.switches.items() if not switch.hint],
    settings=("PRAGMA cache_size = 10",),
    # It reads 1e-300 as 9.999999999999999e-301. SQLite promises 15 digits, no more: sqlite.org/floatingpoint.html
    literals={"extreme": tuple(literal for literal in LITERALS["extreme"] if literal.text != "1e-300")},
)
