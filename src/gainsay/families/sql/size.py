"""How simple a case is, and what is simpler: reduction ends because each accepted step makes the size smaller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from gainsay.core.tree import Node, walk
from gainsay.families.sql import ir

replace = msgspec.structs.replace
SIMPLEST = (ir.NULL, ir.Lit("int", "0"), ir.Lit("int", "1"), ir.Lit("text", "''"), ir.Lit("text", "'a'"), ir.TRUE)
# Where one operator can stand for another, the plainer one: equal causes then end in equal shapes.
PLAINER = {
    **dict.fromkeys(("<", "<=", ">", ">=", "<>", "is", "is not distinct", "in 1", "not in 1"), "="),
    "<=": ">=", "<": ">", "not between": "between", "not in 2": "in 2", "is distinct": "<>", "is not": "<>",
    "isnull": "is null", "notnull": "is not null", "is not true": "is true", "is not false": "is false", "is false": "is true",
    "or": "and", "-": "+", "*": "+", "|": "&", "upper": "lower", "ltrim": "trim", "rtrim": "trim", "glob": "ilike", "like": "ilike",
    "not like": "like", "unlikely": "likely", "likelihood": "likely", "max": "min", "collate rtrim": "collate nocase",
    "row <": "row =", "row >": "row <", "row <=": "row =", "row >=": "row <=", "row <>": "row =", "ifnull": "coalesce",
    "cast real": "cast int", "cast numeric": "cast int", "cast blob": "cast text",
}  # fmt: skip


def simplest(node: Node) -> Sequence[Node]:
    """Smaller nodes that may stand where this one stands."""
    if isinstance(node, ir.Lit):
        return tuple(v for v in SIMPLEST if cost_of(v) < cost_of(node))
    if isinstance(node, ir.Op):
        plainer = PLAINER.get(node.op)
        same = (replace(node, op=plainer),) if plainer and arity(plainer) == len(node.args) else ()
        return (*SIMPLEST, *same)
    return SIMPLEST if node.sort == "expr" else ()


ARITY = {"=": 2, "in 1": 2, "in 2": 3, "between": 3, "is null": 1, "is not null": 1, "is true": 1, "trim": 1, "lower": 1, "likely": 1}


def arity(op: str) -> int:
    return ARITY.get(op, 4 if op.startswith("row ") else 1 if op.startswith(("cast", "collate")) else 2)


def cost_of(value: ir.Lit) -> tuple[int, int, str]:
    order = ("null", "int", "text", "bool", "real")
    return (order.index(value.kind) if value.kind in order else len(order), len(value.text), value.text)


def weight(join: str) -> int:
    order = ("", ",", "JOIN", "CROSS JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "NATURAL JOIN")
    return order.index(join) if join in order else len(order)


def size(scene: Any, recipe: Any) -> tuple[int, ...]:
    """Smaller is simpler: statements, then nodes, then what stands in them. Each accepted step makes this smaller, so reduction ends."""
    statements = sum(3 if isinstance(s, (ir.CreateView, ir.CreateVirtual)) else 1 for s in scene.statements)
    creations = [s for s in scene.statements if isinstance(s, (ir.CreateTable, ir.CreateView, ir.CreateVirtual))]
    ranks = {s.name: 3 if isinstance(s, ir.CreateView) else 2 if isinstance(s, ir.CreateVirtual) else i / 8 for i, s in enumerate(creations)}
    nodes = rows = cost = 0
    for _, node in walk((scene, recipe)):
        if not isinstance(node, Node):
            continue
        nodes += 1
        if isinstance(node, ir.Lit):
            cost += sum(cost_of(node)[:2])
        elif isinstance(node, ir.Op):
            nodes += 1
            cost += 8 + 4 * rank_of(node.op)
        elif isinstance(node, ir.Values):
            rows += 1
        elif isinstance(node, ir.Join):
            cost += weight(node.kind) + int(8 * ranks.get(node.rel, 0))
        elif isinstance(node, ir.Column):
            cost += (len(node.type) + 1 if node.type else 0) + 9 * bool(node.collate) + len(node.collate)
            cost += 5 * (node.unique + 2 * node.primary + node.not_null)
        elif isinstance(node, ir.Insert):
            cost += len(node.verb) + len(node.columns)
        elif isinstance(node, ir.IndexKey):
            cost += 5 * node.desc + 5 * bool(node.collate)
        elif isinstance(node, ir.CreateTable):
            cost += 6 * (node.strict + node.without_rowid + len(node.keys))
        elif isinstance(node, ir.CreateIndex):
            cost += 5 * node.unique
        elif isinstance(node, ir.Select):
            cost += len(node.items) + 3 * node.distinct
        elif isinstance(node, ir.Agg):
            cost += 6 + 2 * node.distinct
        elif hasattr(node, "mode"):
            cost += 12 * (getattr(node, "mode", "") not in ("rows", "where"))
    return statements, nodes + rows, cost


def rank_of(op: str) -> int:
    """How far an operator is from its plainest stand-in."""
    steps = 0
    while op in PLAINER and steps < 6:
        op, steps = PLAINER[op], steps + 1
    return steps
