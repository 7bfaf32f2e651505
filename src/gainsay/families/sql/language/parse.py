"""Reads SQL text that others wrote, just far enough: clauses are told apart, expressions stay text.
For known bugs and users' queries."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gainsay.families.sql.language import ir

CLAUSES = ("FROM", "WHERE", "GROUP BY", "HAVING", "ORDER BY", "LIMIT", "UNION ALL", "UNION", "EXCEPT", "INTERSECT")
AGGREGATE = re.compile(r"\b(COUNT|MIN|MAX|SUM|AVG|TOTAL)\s*\(", re.IGNORECASE)
SINGLE = re.compile(r"(MIN|MAX|SUM|COUNT)\s*\((.*)\)", re.IGNORECASE | re.DOTALL)
DISTINCT = re.compile(r"DISTINCT\b\s*", re.IGNORECASE)
QUESTION = re.compile(r"\s*(SELECT|WITH)\b", re.IGNORECASE)
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


def known(setup: Sequence[str], query: str) -> tuple[ir.Scene, list[ir.Select | ir.RawQuery]]:
    """A known bug as a scene and questions: the query, and what the setup asks on the way."""
    statements = [s for s in setup if not QUESTION.match(s)]
    return ir.Scene(tuple(ir.RawStatement(s) for s in statements)), [
        question(q) for q in (query, *setup) if QUESTION.match(q)
    ]


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
