"""Turso's dialect: SQLite's, without the switches of its optimizer."""

from __future__ import annotations

from gainsay.families.sql.language.spoken.sqlite import SQLITE

TURSO = SQLITE.extend(
    "turso",
    without=[name for name, switch in SQLITE.switches.items() if not switch.hint],
    settings=("PRAGMA cache_size = 10",),
)
