"""What to ask a target once, to learn which types, operators (with operand types), clauses and statements it takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gainsay.families.sql.dialects import COMMON_TYPES, SqlDialect
from gainsay.families.sql.lexicon import variants


class Probe(NamedTuple):
    """A feature and the texts that must all be accepted, in a fresh session after `setup`."""

    feature: str
    texts: tuple[str, ...]
    setup: tuple[str, ...] = ()


CLAUSES = {
    "join:,": "SELECT * FROM p AS a, p AS b",
    "join:JOIN": "SELECT * FROM p AS a JOIN p AS b ON a.k = b.k",
    "join:LEFT JOIN": "SELECT * FROM p AS a LEFT JOIN p AS b ON a.k = b.k",
    "join:RIGHT JOIN": "SELECT * FROM p AS a RIGHT JOIN p AS b ON a.k = b.k",
    "join:FULL JOIN": "SELECT * FROM p AS a FULL JOIN p AS b ON a.k < b.k",
    "join:CROSS JOIN": "SELECT * FROM p AS a CROSS JOIN p AS b",
    "join:NATURAL JOIN": "SELECT a.k FROM p AS a NATURAL JOIN p AS b",
    "join:no on": "SELECT * FROM p AS a LEFT JOIN p AS b",
    "clause:with": "WITH w0(c0) AS (SELECT k FROM p) SELECT w0.c0 FROM w0",
    "clause:subquery": "SELECT k FROM p WHERE EXISTS (SELECT 1 FROM p AS s0) AND k IN (SELECT k FROM p)",
    "clause:correlated": "SELECT k FROM p WHERE EXISTS (SELECT 1 FROM p AS s0 WHERE s0.k = p.k)",
    "clause:row in": "SELECT k FROM p WHERE (k, k) IN (SELECT s0.k, s0.k FROM p AS s0)",
    "clause:union all": "SELECT k FROM p UNION ALL SELECT k FROM p",
    "agg:sum": "SELECT SUM(k) FROM p",
}
STATEMENTS = {
    "table:strict": ("CREATE TABLE x0(c0 INT) STRICT",),
    "table:without rowid": ("CREATE TABLE x1(c0 INT PRIMARY KEY) WITHOUT ROWID",),
    "column:generated": ("CREATE TABLE x2(c0 INT, c1 INT GENERATED ALWAYS AS (c0))", "INSERT INTO x2(c0) VALUES (1)"),
    "column:stored": ("CREATE TABLE x3(c0 INT, c1 INT GENERATED ALWAYS AS (c0) STORED)", "INSERT INTO x3(c0) VALUES (1)"),
    "column:check": ("CREATE TABLE x4(c0 INT CHECK (c0 IS NOT NULL OR TRUE))", "INSERT INTO x4(c0) VALUES (1)"),
    "column:collate": ("CREATE TABLE x5(c0 VARCHAR COLLATE NOCASE)",),
    "stmt:index": ("CREATE INDEX y0 ON p(k)",),
    "index:expression": ("CREATE INDEX y1 ON p((k + 1))",),
    "index:partial": ("CREATE INDEX y2 ON p(k) WHERE k IS NOT NULL",),
    "index:desc": ("CREATE INDEX y3 ON p(k DESC)",),
    "index:collate": ("CREATE INDEX y4 ON p(k COLLATE NOCASE)",),
    "stmt:view": ("CREATE VIEW z0(c0) AS SELECT k FROM p",),
    "stmt:INSERT OR IGNORE": ("CREATE TABLE x6(c0 INT PRIMARY KEY)", "INSERT OR IGNORE INTO x6(c0) VALUES (1), (1)"),
    "stmt:INSERT OR REPLACE": (
        "CREATE TABLE x7(c0 INT PRIMARY KEY, c1 INT UNIQUE)",
        "INSERT OR REPLACE INTO x7(c0, c1) VALUES (1, 1)",
    ),
    "stmt:ANALYZE": ("ANALYZE",),
    "stmt:REINDEX": ("REINDEX",),
    "stmt:VACUUM": ("VACUUM",),
    "virtual:rtree": ("CREATE VIRTUAL TABLE vr USING rtree(c0, c1, c2)",),
    "virtual:fts5": ("CREATE VIRTUAL TABLE vf USING fts5(c0, c1)",),
}


def probes(dialect: SqlDialect) -> Iterator[Probe]:
    kinds = [("k", "INTEGER")] + [(f"k_{c}", t.text) for c in dialect.classes for t in [next(t for t in dialect.types if t.cls == c)]]
    columns = ", ".join(f"{name} {text}".strip() for name, text in kinds if text or dialect.loose)
    setup = (f"CREATE TABLE p({columns})", "INSERT INTO p(k) VALUES (1)")
    for kind in dict.fromkeys((*dialect.types, *COMMON_TYPES)):
        yield Probe(f"type:{kind.text}", (f"CREATE TABLE ty(c0 {kind.text})", "DROP TABLE ty"))
    for feature, text in CLAUSES.items():
        yield Probe(feature, (text,), setup)
    for feature, texts in STATEMENTS.items():
        yield Probe(feature, texts, setup)
    for setting in dialect.settings:
        yield Probe(f"setting:{setting}", (setting,))
    for feature, name, args, _ in variants(dialect):
        yield Probe(feature, (f"SELECT {dialect.templates[name] % tuple(operands(dialect, args))} FROM p",), setup)


def operands(dialect: SqlDialect, args: tuple[str, ...]) -> list[str]:
    """Columns of the right class, NULL but for the key: a refusal is then about types, not about values."""
    return ["k" if dialect.loose else "k_bool" if a == "bool" else f"k_{a}" for a in args]
