"""What to ask a target once, to learn which types, operators (with operand types), clauses and statements it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from gainsay.core.model import Probe
from gainsay.families.sql.drawing.lexicon import variants
from gainsay.families.sql.language.aggregates import LETTERS, PLACE
from gainsay.families.sql.language.dialect import SqlDialect, Switch
from gainsay.families.sql.language.spoken.ansi import COMMON_TYPES

CLAUSES = {
    "join:,": "SELECT * FROM p AS a, p AS b",
    "join:, before ON": "SELECT * FROM p AS a, p AS b JOIN p AS c ON a.k = c.k",
    "join:JOIN": "SELECT * FROM p AS a JOIN p AS b ON a.k = b.k",
    "join:LEFT JOIN": "SELECT * FROM p AS a LEFT JOIN p AS b ON a.k = b.k",
    "join:RIGHT JOIN": "SELECT * FROM p AS a RIGHT JOIN p AS b ON a.k = b.k",
    "join:FULL JOIN": "SELECT * FROM p AS a FULL JOIN p AS b ON a.k < b.k",
    "join:FULL JOIN by =": "SELECT * FROM p AS a FULL JOIN p AS b ON a.k = b.k",
    "join:CROSS JOIN": "SELECT * FROM p AS a CROSS JOIN p AS b",
    "join:NATURAL JOIN": "SELECT a.k FROM p AS a NATURAL JOIN p AS b",
    **{
        f"join:NATURAL {way}": f"SELECT a.k FROM p AS a NATURAL {way} p AS b"
        for way in ("LEFT JOIN", "RIGHT JOIN", "FULL JOIN")
    },
    "join:using": "SELECT a.k, k FROM p AS a JOIN p AS b USING (k)",
    "clause:all": "SELECT ALL k FROM p",
    "join:no on": "SELECT * FROM p AS a LEFT JOIN p AS b",
    "clause:with": "WITH w0(c0) AS (SELECT k FROM p) SELECT w0.c0 FROM w0",
    "clause:subquery": "SELECT k FROM p WHERE EXISTS (SELECT 1 FROM p AS s0) AND k IN (SELECT k FROM p)",
    "clause:correlated": "SELECT k FROM p WHERE EXISTS (SELECT 1 FROM p AS s0 WHERE s0.k = p.k)",
    "clause:row in": "SELECT k FROM p WHERE (k, k) IN (SELECT s0.k, s0.k FROM p AS s0)",
    "clause:union all": "SELECT k FROM p UNION ALL SELECT k FROM p",
    "agg:filter": "SELECT COUNT(*) FILTER (WHERE k > 0), MAX(k) FILTER (WHERE k > 0) FROM p",
    "clause:any": "SELECT k FROM p WHERE k = ANY (SELECT s0.k FROM p AS s0) AND k <= ALL (SELECT s0.k FROM p AS s0)",
    "clause:limit": "SELECT k FROM p ORDER BY k LIMIT 1 OFFSET 1",
    "clause:nulls": "SELECT k FROM p ORDER BY k DESC NULLS FIRST",
    "clause:compound order": "SELECT k FROM p UNION SELECT k FROM p ORDER BY 1 LIMIT 2",
    "clause:values": "WITH w0(c0, c1) AS (VALUES (1, 2), (3, 4)) SELECT w0.c0 FROM w0",
    "clause:recursive": (
        "WITH RECURSIVE w0(c0, c1) AS (SELECT k, 0 FROM p UNION ALL SELECT w0.c0, (w0.c1 + 1) FROM w0 WHERE w0.c1 < 2) "
        "SELECT w0.c0 FROM w0"
    ),
    **{f"grouping:{word}": f"SELECT k, COUNT(*) FROM p GROUP BY {word}(k)" for word in ("ROLLUP", "CUBE")},
    "grouping:GROUPING SETS": "SELECT k, COUNT(*) FROM p GROUP BY GROUPING SETS((k), ())",
    "window:filter": "SELECT SUM(k) FILTER (WHERE k > 0) OVER (ORDER BY k) FROM p",
    "frame:ROWS": "SELECT COUNT(*) OVER (ORDER BY k ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING) FROM p",
    "frame:RANGE": "SELECT COUNT(*) OVER (ORDER BY k RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM p",
    "frame:GROUPS": "SELECT COUNT(*) OVER (ORDER BY k GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM p",
    "frame:exclude": (
        "SELECT COUNT(*) OVER (ORDER BY k ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM p"
    ),
}
STATEMENTS = {
    "table:strict": ("CREATE TABLE x0(c0 INT) STRICT",),
    "table:without rowid": ("CREATE TABLE x1(c0 INT PRIMARY KEY) WITHOUT ROWID",),
    "column:generated": ("CREATE TABLE x2(c0 INT, c1 INT GENERATED ALWAYS AS (c0))", "INSERT INTO x2(c0) VALUES (7)"),
    "column:stored": (
        "CREATE TABLE x3(c0 INT, c1 INT GENERATED ALWAYS AS (c0) STORED)",
        "INSERT INTO x3(c0) VALUES (7)",
    ),
    "column:check": ("CREATE TABLE x4(c0 INT CHECK (c0 > 0))", "INSERT INTO x4(c0) VALUES (1)"),
    "column:primary": ("CREATE TABLE x8(c0 INT PRIMARY KEY)", "INSERT INTO x8(c0) VALUES (1)"),
    "column:primary desc": ("CREATE TABLE x12(c0 INT PRIMARY KEY DESC)", "INSERT INTO x12(c0) VALUES (1)"),
    "table:primary": (
        "CREATE TABLE x13(c0 INT, c1 INT, PRIMARY KEY (c0, c1))",
        "INSERT INTO x13(c0, c1) VALUES (1, 1)",
    ),
    "table:primary desc": (
        "CREATE TABLE x14(c0 INT, c1 INT, PRIMARY KEY (c0 DESC, c1))",
        "INSERT INTO x14(c0, c1) VALUES (1, 1)",
    ),
    "column:unique": ("CREATE TABLE x9(c0 INT UNIQUE)", "INSERT INTO x9(c0) VALUES (1)"),
    "column:not null": ("CREATE TABLE x10(c0 INT NOT NULL)", "INSERT INTO x10(c0) VALUES (1)"),
    "column:on conflict": (
        "CREATE TABLE x40(c0 INT UNIQUE ON CONFLICT REPLACE, c1 INT DEFAULT (7) NOT NULL ON CONFLICT REPLACE)",
        "INSERT INTO x40(c0, c1) VALUES (1, NULL), (1, 2)",
    ),
    "table:on conflict": (
        "CREATE TABLE x41(c0 INT, c1 INT, UNIQUE (c0, c1) ON CONFLICT IGNORE)",
        "INSERT INTO x41(c0, c1) VALUES (1, 1), (1, 1)",
    ),
    "stmt:INSERT OR ABORT": ("CREATE TABLE x42(c0 INT)", "INSERT OR ABORT INTO x42(c0) VALUES (1)"),
    "stmt:UPDATE OR ABORT": ("CREATE TABLE x43(c0 INT)", "UPDATE OR ABORT x43 SET c0 = 1"),
    "column:default": ("CREATE TABLE x11(c0 INT DEFAULT (7), c1 INT)", "INSERT INTO x11(c1) VALUES (1)"),
    "column:collate": ("CREATE TABLE x5(c0 VARCHAR COLLATE NOCASE)", "INSERT INTO x5(c0) VALUES ('a')"),
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
    "stmt:upsert": (
        "CREATE TABLE x15(c0 INT PRIMARY KEY, c1 INT)",
        "INSERT INTO x15(c0, c1) VALUES (1, 1) ON CONFLICT (c0) DO UPDATE SET c1 = excluded.c1 WHERE x15.c1 > 0",
        "INSERT INTO x15(c0, c1) VALUES (1, 2) ON CONFLICT (c0) DO NOTHING",
    ),
    "stmt:insert select": ("CREATE TABLE x16(c0 INT)", "INSERT INTO x16(c0) SELECT k FROM p WHERE k > 0"),
    "stmt:savepoint": ("SAVEPOINT s0", "ROLLBACK TO s0", "RELEASE s0"),
    **{
        f"stmt:BEGIN {word}": (f"BEGIN {word}", f"CREATE TABLE x44{word[0]}(c0 INT)", "ROLLBACK")
        for word in ("DEFERRED", "IMMEDIATE", "EXCLUSIVE")
    },
    "view:temporary": ("CREATE TEMP VIEW z1(c0) AS SELECT k FROM p",),
    "stmt:transaction": ("BEGIN", "CREATE TABLE x17(c0 INT)", "ROLLBACK"),
    "alter:rename table": ("CREATE TABLE x18(c0 INT)", "ALTER TABLE x18 RENAME TO x19"),
    "alter:rename column": ("CREATE TABLE x20(c0 INT)", "ALTER TABLE x20 RENAME COLUMN c0 TO c1"),
    "alter:add column": ("CREATE TABLE x21(c0 INT)", "ALTER TABLE x21 ADD COLUMN c1 INT DEFAULT (7)"),
    "alter:drop column": ("CREATE TABLE x22(c0 INT, c1 INT)", "ALTER TABLE x22 DROP COLUMN c1"),
    "table:foreign key": (
        "CREATE TABLE x23(c0 INT PRIMARY KEY)",
        "CREATE TABLE x24(c0 INT, FOREIGN KEY (c0) REFERENCES x23(c0))",
        "INSERT INTO x23(c0) VALUES (1)",
        "INSERT INTO x24(c0) VALUES (1)",
    ),
    **{
        f"foreign:{action}": (
            f"CREATE TABLE x25{number}(c0 INT PRIMARY KEY)",
            f"CREATE TABLE x26{number}(c0 INT, FOREIGN KEY (c0) REFERENCES x25{number}(c0) "
            f"ON DELETE {action} ON UPDATE {action})",
        )
        for number, action in enumerate(("CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT", "NO ACTION"))
    },
    "foreign:deferred": (
        "CREATE TABLE x27(c0 INT PRIMARY KEY)",
        "CREATE TABLE x28(c0 INT, FOREIGN KEY (c0) REFERENCES x27(c0) DEFERRABLE INITIALLY DEFERRED)",
    ),
    "table:check": ("CREATE TABLE x29(c0 INT, c1 INT, CHECK (c0 > c1))", "INSERT INTO x29(c0, c1) VALUES (1, 0)"),
    "column:counted": (
        "CREATE TABLE x30(c0 INTEGER PRIMARY KEY AUTOINCREMENT, c1 INT)",
        "INSERT INTO x30(c0, c1) VALUES (7, 1)",
        "DELETE FROM x30",
        "INSERT INTO x30(c1) VALUES (1)",
    ),
    "stmt:trigger": (
        "CREATE TABLE x31(c0 INT)",
        "CREATE TABLE x32(c0 INT)",
        "CREATE TRIGGER y5 AFTER INSERT ON x31 FOR EACH ROW WHEN new.c0 > 0 BEGIN INSERT INTO x32(c0) "
        "VALUES (new.c0); END",
        "INSERT INTO x31(c0) VALUES (0), (1)",
    ),
    "returning:insert": ("CREATE TABLE x37(c0 INT)", "INSERT INTO x37(c0) VALUES (1) RETURNING c0"),
    "returning:update": ("CREATE TABLE x38(c0 INT)", "UPDATE x38 SET c0 = 1 WHERE c0 = 2 RETURNING c0"),
    "returning:delete": ("CREATE TABLE x39(c0 INT)", "DELETE FROM x39 WHERE c0 = 2 RETURNING c0"),
    "update:from": (
        "CREATE TABLE x33(c0 INT, c1 INT)",
        "INSERT INTO x33(c0, c1) VALUES (1, 0), (2, 0)",
        "UPDATE x33 SET c1 = p.k FROM p WHERE x33.c0 = p.k",
    ),
    "update:row": (
        "CREATE TABLE x34(c0 INT, c1 INT)",
        "INSERT INTO x34(c0, c1) VALUES (1, 2)",
        "UPDATE x34 SET (c0, c1) = (c1, c0)",
    ),
    "stmt:UPDATE OR IGNORE": (
        "CREATE TABLE x35(c0 INT PRIMARY KEY)",
        "INSERT INTO x35(c0) VALUES (1), (2)",
        "UPDATE OR IGNORE x35 SET c0 = 1 WHERE c0 = 2",
    ),
    "stmt:UPDATE OR REPLACE": (
        "CREATE TABLE x36(c0 INT PRIMARY KEY)",
        "INSERT INTO x36(c0) VALUES (1), (2)",
        "UPDATE OR REPLACE x36 SET c0 = 1 WHERE c0 = 2",
    ),
    "stmt:ANALYZE": ("ANALYZE",),
    "stmt:REINDEX": ("REINDEX",),
    "stmt:VACUUM": ("VACUUM",),
    "virtual:rtree": ("CREATE VIRTUAL TABLE vr USING rtree(c0, c1, c2)",),
    "virtual:fts5": ("CREATE VIRTUAL TABLE vf USING fts5(c0, c1)",),
}
# What an engine may take and ignore: statements that it should refuse, and the question that shows whether it did what
# it was told.
EFFECTS: Mapping[str, tuple[tuple[str, ...], str, list[tuple[Any, ...]]]] = {
    "column:generated": ((), "SELECT c1 FROM x2", [(7,)]),
    "column:stored": ((), "SELECT c1 FROM x3", [(7,)]),
    "column:check": (("INSERT INTO x4(c0) VALUES (-1)",), "SELECT c0 FROM x4", [(1,)]),
    "table:primary": (("INSERT INTO x13(c0, c1) VALUES (1, 1)",), "SELECT c0, c1 FROM x13", [(1, 1)]),
    "column:primary": (("INSERT INTO x8(c0) VALUES (1)",), "SELECT c0 FROM x8", [(1,)]),
    "column:unique": (("INSERT INTO x9(c0) VALUES (1)",), "SELECT c0 FROM x9", [(1,)]),
    "column:not null": (("INSERT INTO x10(c0) VALUES (NULL)",), "SELECT c0 FROM x10", [(1,)]),
    "column:on conflict": ((), "SELECT c0, c1 FROM x40", [(1, 2)]),
    "table:on conflict": ((), "SELECT c0, c1 FROM x41", [(1, 1)]),
    "column:default": ((), "SELECT c0 FROM x11", [(7,)]),
    "table:foreign key": (("INSERT INTO x24(c0) VALUES (9)",), "SELECT c0 FROM x24", [(1,)]),
    "table:check": (("INSERT INTO x29(c0, c1) VALUES (0, 1)",), "SELECT c0, c1 FROM x29", [(1, 0)]),
    "column:counted": ((), "SELECT c0 FROM x30", [(8,)]),
    "stmt:trigger": ((), "SELECT c0 FROM x32", [(1,)]),
    "update:from": ((), "SELECT c1 FROM x33 WHERE c0 = 1", [(1,)]),
    "update:row": ((), "SELECT c0, c1 FROM x34", [(2, 1)]),
    "stmt:UPDATE OR IGNORE": ((), "SELECT COUNT(*) FROM x35", [(2,)]),
    "stmt:UPDATE OR REPLACE": ((), "SELECT c0 FROM x36", [(1,)]),
    "column:collate": ((), "SELECT c0 FROM x5 WHERE c0 = 'A'", [("a",)]),
    "stmt:view": ((), "SELECT c0 FROM z0", [(1,)]),
    "stmt:INSERT OR IGNORE": ((), "SELECT c0 FROM x6", [(1,)]),
}


class Tables(NamedTuple):
    """What probes ask about: a table with one column of each class, and a wider one with every type that is taken."""

    narrow: tuple[str, ...]
    wide: tuple[str, ...]
    others: tuple[tuple[str, str], ...]  # class and type of the wider one's columns o0, o1, ...


def tables(dialect: SqlDialect, has: Callable[[str], bool]) -> Tables:
    """Made of the types that were taken: a refused one spoils no other probe."""
    fit = [t for t in dialect.types if has(f"type:{t.text}")]
    first = {c: next((t.text for t in fit if t.cls == c), None) for c in dialect.classes}
    kinds = [("k", dialect.spell.get("INTEGER", "INTEGER"))]
    kinds += [(f"k_{c}", text) for c, text in first.items() if text is not None]
    columns = ", ".join(f"{name} {text}".strip() for name, text in kinds if text or dialect.loose)
    others = tuple((c, t.text) for c in dialect.classes for t in fit if t.cls == c and t.text != first[c])
    more = ", ".join([columns, *(f"o{n} {text}" for n, (_, text) in enumerate(others))])
    row = "INSERT INTO p(k) VALUES (1)"
    return Tables(
        (*setups(dialect, [text for _, text in kinds]), f"CREATE TABLE p({columns})", row),
        (*setups(dialect, [text for _, text in (*kinds, *others)]), f"CREATE TABLE p({more})", row),
        others,
    )


def probes(dialect: SqlDialect, has: Callable[[str], bool] = lambda _: True) -> Iterator[Probe]:
    """What to ask, types first.
    `has` tells of a feature that was asked before whether it was taken: the other probes use no other types."""
    for kind in dict.fromkeys((*dialect.types, *COMMON_TYPES)):
        spelled = dialect.spell.get(kind.text, kind.text)
        made = (kind.setup,) if kind.setup else ()
        yield Probe(f"type:{kind.text}", (*made, f"CREATE TABLE ty(c0 {spelled})", "DROP TABLE ty"))
    given = tables(dialect, has)
    for feature, text in {**CLAUSES, **joined(dialect), **summed(dialect)}.items():
        yield Probe(feature, (text,), given.narrow)
    for collation in dialect.collations:
        text = dialect.spell.get("TEXT", "TEXT")
        yield Probe(f"collation:{collation}", (f"CREATE TABLE xc(c0 {text} COLLATE {collation})",), is_fresh=True)
    for feature, texts in {**STATEMENTS, **dialect.probes}.items():
        tries, question, rows = EFFECTS.get(feature, ((), "", []))
        yield Probe(feature, texts, given.narrow, tries=tries, effect=(question, rows) if question else None)
    yield from of_kinds(dialect)
    for setting in dialect.settings:
        yield Probe(f"setting:{setting}", (setting,), is_fresh=True)
    for name, switch in dialect.switches.items():
        texts = (switch.turn, "SELECT k FROM p", switch.back) if switch.turn else hinted(switch)
        yield Probe(f"switch:{name}", texts, given.narrow, is_fresh=len(texts) > 1)
    for name, function in dialect.table_functions.items():
        call = function.text % tuple(operands(dialect, function.args))
        columns = ", ".join(f"c{n}" for n in range(len(function.columns)))
        yield Probe(f"rows:{name}", (f"SELECT f.c0 FROM p, {call} AS f({columns})",), given.narrow)
    for feature, name, args, _ in variants(dialect):
        columns_only = operands(dialect, args)
        computed = [f"(CASE WHEN k IS NULL THEN {c} ELSE {c} END)" for c in columns_only]
        yield Probe(feature, tuple(asked(dialect, name, each) for each in (columns_only, computed)), given.narrow)
    if not dialect.loose:
        yield from of_types(dialect, has, given)


def of_types(dialect: SqlDialect, has: Callable[[str], bool], given: Tables) -> Iterator[Probe]:
    """Each operand of each operator that was taken, with the other types of its class."""
    for feature, name, args, _ in variants(dialect):
        for i, cls in enumerate(args) if has(feature) else ():
            columns_only = operands(dialect, args)
            wide = [
                asked(dialect, name, [*columns_only[:i], f"o{n}", *columns_only[i + 1 :]])
                for n, (c, _) in enumerate(given.others)
                if c == cls
            ]
            if wide:
                yield Probe(f"{feature}#{i}", tuple(wide), given.wide)


def hinted(switch: Switch) -> tuple[str, ...]:
    """A query with a hint, and the index that it may name."""
    if switch.comment:
        return (f"SELECT /*+ {switch.comment.format(tables='p')} */ k FROM p",)
    made = ("CREATE INDEX pi ON p(k)",) if "{index}" in switch.hint else ()
    return (*made, f"SELECT k FROM p {switch.hint.format(index='pi')}")


def joined(dialect: SqlDialect) -> Mapping[str, str]:
    return {f"join:{kind}": f"SELECT * FROM p AS a {kind} p AS b ON a.k = b.k" for kind in dialect.joins}


def summed(dialect: SqlDialect) -> Mapping[str, str]:
    """Each aggregate and each window function that may be drawn, of the least that it can be of."""
    found: dict[str, str] = {}
    for name, row in dialect.aggregates.items():
        args = [operand(dialect, cls) for cls in row.args[: len(row.args) - row.optional]]
        call = f"{dialect.words[name]}({', '.join(args)}"
        if row.drawn:
            order = f", ',' ORDER BY {args[0]} DESC" if row.is_joined else ""
            found[f"agg:{name}"] = f"SELECT {call}{order}) FROM p"
        if row.over:
            found[f"window:{name}"] = f"SELECT {call}) OVER (PARTITION BY k ORDER BY k) FROM p"
    return found


def operand(dialect: SqlDialect, cls: str) -> str:
    """A column of what an aggregate may be of, or a literal."""
    if cls == "text":
        return "CAST(k AS VARCHAR(9))"
    if cls == PLACE:
        return "2"
    return "k" if cls in LETTERS or cls == "int" else operands(dialect, (cls,))[0]


def setups(dialect: SqlDialect, used: Sequence[str]) -> tuple[str, ...]:
    """What makes those of these types that are not built in."""
    return tuple(dict.fromkeys(t.setup for t in dialect.types if t.setup and t.text in used))


def of_kinds(dialect: SqlDialect) -> Iterator[Probe]:
    """The kinds of tables and indexes, and what can be made beside a table; each on a table of its own."""
    for name, kind in dialect.table_kinds.items():
        column = column_of(dialect, kind.classes)
        text = f"CREATE {kind.before}TABLE zt(c0 {column}){kind.after.format(table='zt', a='c0')}"
        yield Probe(f"table:{name}", (text,), is_fresh=True)
    for name, index in dialect.index_kinds.items():
        made = f"CREATE TABLE zi(c0 {column_of(dialect, index.classes)})"
        text = index.text.format(name="zi0", table="zi", keys="c0" + index.prefix)
        yield Probe(f"index:{name}", (text,), (made,), is_fresh=True)
    for name, extra in dialect.extras.items():
        column = column_of(dialect, extra.classes)
        made = f"CREATE TABLE ze(c0 {column}, c1 {column})"
        yield Probe(
            f"extra:{name}", (extra.text.format(name="ze0", table="ze", a="c0", b="c1"),), (made,), is_fresh=True
        )


def column_of(dialect: SqlDialect, classes: Set[str]) -> str:
    """A type that such a column can have; none that is known where the dialect has no such."""
    fit = [t.text for t in dialect.types if not t.setup and (not classes or t.cls in classes)]
    return fit[0] if fit else "NO_SUCH_TYPE"


def asked(dialect: SqlDialect, name: str, given: Sequence[str]) -> str:
    return f"SELECT {dialect.templates[name] % tuple(given)} FROM p"


def operands(dialect: SqlDialect, args: tuple[str, ...]) -> list[str]:
    """Columns of the right class, NULL but for the key: a refusal is then about types, not about values."""
    return ["k" if dialect.loose else "k_bool" if a == "bool" else f"k_{a}" for a in args]
