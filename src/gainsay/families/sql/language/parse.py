"""Cases that others wrote: known bugs, users' scripts. Beside what the reader makes of a query, there is the query with
its clauses told apart and its expressions as text, in the very words of its author."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gainsay.core.family import Reading
from gainsay.errors import UsageError
from gainsay.families.sql.language import ir, statements, tokens
from gainsay.families.sql.language.dialect import SqlDialect

CLAUSES = ("FROM", "WHERE", "GROUP BY", "HAVING", "ORDER BY", "LIMIT", "UNION ALL", "UNION", "EXCEPT", "INTERSECT")
AGGREGATE = re.compile(r"\b(COUNT|MIN|MAX|SUM|AVG|TOTAL)\s*\(", re.IGNORECASE)
SINGLE = re.compile(r"(MIN|MAX|SUM|COUNT)\s*\((.*)\)", re.IGNORECASE | re.DOTALL)
DISTINCT = re.compile(r"DISTINCT\b\s*", re.IGNORECASE)
WORD = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|\w+|\s+|.", re.DOTALL)


def clauses(query: str) -> dict[str, str]:
    """Split SELECT a FROM b WHERE c at its outermost keywords: {'SELECT': 'a', 'FROM': 'b', 'WHERE': 'c'}."""
    depth = 0
    found: dict[str, str] = {}
    name, start = "SELECT", 0
    body = re.sub(r"^\s*SELECT\b", "", query.strip().rstrip(";"), flags=re.IGNORECASE)
    for match in WORD.finditer(body):
        depth += {"(": 1, ")": -1}.get(match.group(), 0)
        if depth == 0 and match.group()[0].isalpha():
            rest = body[match.start() :].upper()
            clause = next((c for c in CLAUSES if re.match(c.replace(" ", r"\s+") + r"\b", rest)), "")
            if clause:
                found[name] = body[start : match.start()].strip()
                name = clause
                word = re.match(clause.replace(" ", r"\s+"), rest)
                start = match.start() + len(word.group())  # type: ignore[union-attr] # it matched above
    found[name] = body[start:].strip()
    return found


def known(setup: Sequence[str], query: str, dialect: SqlDialect) -> Reading:
    """A known bug as a scene and questions: the query, and what the setup asks on the way. Each question is there as it
    was read, and with its clauses as text where that says it in other words."""
    read = statements.script([*setup, query], dialect)
    texts = [text for text in (*setup, query) if statements.is_question(text)]
    questions: dict[Any, None] = {}
    for node, text in reversed(list(zip(read.questions, texts, strict=True))):
        questions[node] = questions[question(text)] = None
    return Reading(read.scene, list(questions), read.unread)


def statements_of(script: str) -> list[str]:
    """The statements of a script."""
    try:
        return list(tokens.statements(script))
    except tokens.Unread as why:
        raise UsageError(f"This is no SQL that can be cut into statements: {why}.") from None


def question(query: str) -> ir.Select | ir.RawQuery:
    """A Select with its parts as text, or the text alone where it is more than a plain select."""
    parts = clauses(query)
    if {"UNION", "UNION ALL", "EXCEPT", "INTERSECT", "LIMIT", "HAVING"} & parts.keys() or not re.match(
        r"\s*SELECT\b", query, re.IGNORECASE
    ):
        return ir.RawQuery(query)
    distinct = DISTINCT.match(parts["SELECT"])
    text = parts["SELECT"][distinct.end() :] if distinct else parts["SELECT"]
    whole = SINGLE.fullmatch(text.strip())
    listed: ir.Expr = ir.RawExpr(text)
    if text.replace(" ", "").upper() == "COUNT(*)":
        listed = ir.Agg("count")
    elif whole and "(" not in whole[2] and ")" not in whole[2]:
        listed = ir.Agg(whole[1].lower(), ir.RawExpr(whole[2]))
    elif AGGREGATE.search(text):
        return ir.RawQuery(query)
    return ir.Select(
        (listed,),
        (ir.Join(parts["FROM"]),) if "FROM" in parts else (),
        ir.RawExpr(f"({parts['WHERE']})") if "WHERE" in parts else None,
        distinct=bool(distinct),
        group=(ir.RawExpr(parts["GROUP BY"]),) if "GROUP BY" in parts else (),
        order=(ir.Order(ir.RawExpr(parts["ORDER BY"])),) if "ORDER BY" in parts else (),
    )
