"""Queries as they are written: clauses with their expressions, before names are looked up."""

from __future__ import annotations

from typing import NamedTuple, Union

from gainsay.families.sql.language.syntax import ENDS, Cursor, Key, Syntax
from gainsay.families.sql.language.tokens import Unread, unquoted

COMPOUNDS = ("UNION ALL", "UNION", "INTERSECT ALL", "INTERSECT", "EXCEPT ALL", "EXCEPT")
# How a join may be written -> what it is called
JOINS = {
    ",": ",", "JOIN": "JOIN", "INNER JOIN": "JOIN", "CROSS JOIN": "CROSS JOIN", "LEFT JOIN": "LEFT JOIN",
    "LEFT OUTER JOIN": "LEFT JOIN", "RIGHT JOIN": "RIGHT JOIN", "RIGHT OUTER JOIN": "RIGHT JOIN",
    "FULL JOIN": "FULL JOIN", "FULL OUTER JOIN": "FULL JOIN", "NATURAL JOIN": "NATURAL JOIN",
    "NATURAL INNER JOIN": "NATURAL JOIN", "NATURAL LEFT JOIN": "NATURAL LEFT JOIN",
    "NATURAL LEFT OUTER JOIN": "NATURAL LEFT JOIN", "NATURAL RIGHT JOIN": "NATURAL RIGHT JOIN",
    "NATURAL RIGHT OUTER JOIN": "NATURAL RIGHT JOIN", "NATURAL FULL OUTER JOIN": "NATURAL FULL JOIN",
    "NATURAL FULL JOIN": "NATURAL FULL JOIN", "STRAIGHT_JOIN": "STRAIGHT_JOIN",
}  # fmt: skip


class Item(NamedTuple):
    """An item of a select list, with its name if it is given one."""

    expr: Syntax
    name: str


class Source(NamedTuple):
    """A relation of a FROM list."""

    kind: str
    rel: str
    alias: str
    columns: tuple[str, ...]
    sub: Written | None
    call: Syntax | None
    on: Syntax | None
    using: tuple[str, ...]
    hint: str
    is_lateral: bool


class Selected(NamedTuple):
    """A SELECT, up to its HAVING."""

    items: tuple[Item, ...]
    source: tuple[Source, ...]
    where: Syntax | None
    is_distinct: bool
    distinct_on: tuple[Syntax, ...]
    grouping: str  # ROLLUP, CUBE, GROUPING SETS or nothing
    group: tuple[Syntax, ...]
    having: Syntax | None
    is_all: bool = False


class Listed(NamedTuple):
    """VALUES (...), (...)"""

    rows: tuple[tuple[Syntax, ...], ...]


class Named(NamedTuple):
    """What a WITH names."""

    name: str
    columns: tuple[str, ...]
    query: Written


class Written(NamedTuple):
    """A query: arms with what stands between them, and what is around all of them."""

    arms: tuple[Union[Selected, Listed], ...]
    ops: tuple[str, ...]
    ctes: tuple[Named, ...]
    is_recursive: bool
    order: tuple[Key, ...]
    limit: Syntax | None
    offset: Syntax | None


def query(cursor: Cursor) -> Written:
    """A query, with its WITH and with what follows its arms."""
    ctes: list[Named] = []
    is_recursive = False
    if cursor.take("WITH"):
        is_recursive = cursor.take("RECURSIVE")
        ctes.append(named(cursor))
        while cursor.take(","):
            ctes.append(named(cursor))
    arms, ops = [arm(cursor)], []
    while word := cursor.any_of(*COMPOUNDS):
        ops.append(word)
        arms.append(arm(cursor))
    order = cursor.keys() if cursor.take("ORDER", "BY") else ()
    limit = cursor.expression() if cursor.take("LIMIT") else None
    offset = cursor.expression() if cursor.take("OFFSET") else None
    if limit is None and offset is not None:
        raise Unread("OFFSET without LIMIT")
    if limit is not None and offset is None and cursor.take(","):
        offset, limit = limit, cursor.expression()
    return Written(tuple(arms), tuple(ops), tuple(ctes), is_recursive, order, limit, offset)


def named(cursor: Cursor) -> Named:
    name = cursor.name()
    columns = cursor.names() if cursor.is_at("(") else ()
    cursor.need("AS")
    for word in ("NOT", "MATERIALIZED"):
        cursor.take(word)
    cursor.need("(")
    inner = query(cursor)
    cursor.need(")")
    return Named(name, columns, inner)


def arm(cursor: Cursor) -> Selected | Listed:
    """A SELECT or VALUES."""
    if cursor.take("VALUES"):
        rows = [row(cursor)]
        while cursor.take(","):
            rows.append(row(cursor))
        return Listed(tuple(rows))
    cursor.need("SELECT")
    is_distinct = cursor.take("DISTINCT")
    distinct_on: tuple[Syntax, ...] = ()
    is_all = False
    if is_distinct and cursor.take("ON"):
        is_distinct, distinct_on = False, row(cursor)
    else:
        is_all = cursor.take("ALL")
    items = [item(cursor)]
    while cursor.take(","):
        items.append(item(cursor))
    source = sources(cursor) if cursor.take("FROM") else ()
    where = cursor.expression() if cursor.take("WHERE") else None
    grouping, group = groups(cursor) if cursor.take("GROUP", "BY") else ("", ())
    having = cursor.expression() if cursor.take("HAVING") else None
    if cursor.is_at("WINDOW"):
        raise Unread("WINDOW")
    return Selected(tuple(items), source, where, is_distinct, distinct_on, grouping, group, having, is_all)


def groups(cursor: Cursor) -> tuple[str, tuple[Syntax, ...]]:
    """What a query is grouped by. GROUPING SETS are read as they are written here: each key alone, and none."""
    word = cursor.any_of("ROLLUP", "CUBE")
    if word:
        return word, row(cursor)
    if not cursor.take("GROUPING", "SETS"):
        return "", cursor.listed()
    cursor.need("(")
    keys: list[Syntax] = []
    while not cursor.take("(", ")"):
        keys += row(cursor)
        cursor.need(",")
    cursor.need(")")
    return "GROUPING SETS", tuple(keys)


def row(cursor: Cursor) -> tuple[Syntax, ...]:
    cursor.need("(")
    found = cursor.listed()
    cursor.need(")")
    return found


def item(cursor: Cursor) -> Item:
    expr = cursor.expression()
    return Item(expr, alias(cursor))


def alias(cursor: Cursor) -> str:
    """AS name, or a name alone."""
    if cursor.take("AS"):
        return unquoted(cursor.next())
    token = cursor.now
    if token.kind == "quoted" or (token.kind == "word" and token.key not in ENDS and token.key not in HINTS):
        return cursor.name()
    return ""


HINTS = ("INDEXED", "NOT", "FORCE", "USE", "IGNORE")


def sources(cursor: Cursor) -> tuple[Source, ...]:
    """A FROM list."""
    found = [source(cursor, "")]
    while True:
        word = "," if cursor.take(",") else cursor.any_of(*sorted(JOINS, key=len, reverse=True))
        if not word:
            return tuple(found)
        found.append(source(cursor, JOINS[word]))


def source(cursor: Cursor, kind: str) -> Source:
    """One relation: a name, a query, a call."""
    is_lateral = cursor.take("LATERAL")
    sub, call, rel = None, None, ""
    if cursor.take("("):
        if not cursor.is_query():
            raise Unread("joins in parentheses")
        sub = query(cursor)
        cursor.need(")")
    else:
        rel = cursor.name()
        if cursor.is_at("."):
            raise Unread(f"the schema of {rel}")
        if cursor.is_at("("):
            cursor.at -= 1
            call, rel = cursor.primary(), ""
    name = alias(cursor)
    columns = cursor.names() if name and cursor.is_at("(") else ()
    mark = hint(cursor)
    on = cursor.expression() if cursor.take("ON") else None
    using = cursor.names() if cursor.take("USING") else ()
    return Source(kind, rel, name, columns, sub, call, on, using, mark, is_lateral)


def hint(cursor: Cursor) -> str:
    """What stands behind a table for the planner, as it is written."""
    start = cursor.now.start
    if cursor.take("NOT", "INDEXED"):
        return "NOT INDEXED"
    if cursor.take("INDEXED", "BY"):
        cursor.name()
        return cursor.since(start)
    if cursor.any_of("FORCE INDEX", "USE INDEX", "IGNORE INDEX"):
        cursor.need("(")
        while not cursor.take(")"):
            cursor.next()
        return cursor.since(start)
    return ""
