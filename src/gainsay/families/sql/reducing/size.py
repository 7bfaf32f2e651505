"""How simple a case is, and what is simpler: reduction ends because each accepted step makes the size smaller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from gainsay.core.tree import Node, walk
from gainsay.families.sql.language import ir

replace = msgspec.structs.replace
ZERO, ONE, EMPTY = ir.Lit("int", "0"), ir.Lit("int", "1"), ir.Lit("text", "''")
SIMPLEST = (ZERO, ONE, ir.NULL, EMPTY, ir.Lit("text", "'a'"), ir.TRUE)
# For literals that no simpler kind can stand for.
OF_KIND = tuple(
    ir.Lit(kind, text)
    for kind, text in (
        ("real", "0.5"),
        ("date", "DATE '1970-01-01'"),
        ("list", "[1]"),
        ("struct", "{'a': 1, 'b': 'a'}"),
        ("blob", "x''"),
    )
)
# Where one operator can stand for another, the plainer ones, plainest first: equal causes then end in equal shapes.
ALIKE = (
    ("=", "<", ">", "<=", ">=", "<>", "is", "is not", "is not distinct", "is distinct", "in 1", "not in 1"),
    ("between", "not between", "in 2", "not in 2"), ("is null", "is not null", "isnull", "notnull"),
    ("is true", "is not true", "is false", "is not false"), ("and", "or"), ("+", "-", "*", "&", "|", "<<", ">>", "xor"),
    ("lower", "upper"), ("trim", "ltrim", "rtrim"), ("ilike", "like", "glob", "not like", "like escape"),
    ("likely", "unlikely", "likelihood"),
    ("min", "max"), ("greatest", "least"), ("coalesce", "ifnull"), ("case", "iif", "if", "case bool"),
    ("collate nocase", "collate rtrim", "collate binary"),
    ("cast int", "cast text", "cast numeric", "cast real", "cast blob"),
    ("row =", "row <", "row >", "row <=", "row >=", "row <>"),
)  # fmt: skip
RANKS = {name: rank for group in ALIKE for rank, name in enumerate(group)}
PLAINER = {
    name: tuple(dict.fromkeys((*group[: min(rank, 3)], group[rank - 1])))
    for group in ALIKE
    for rank, name in enumerate(group)
    if rank
}


def simplest(node: Node) -> Sequence[Node]:
    """Smaller nodes that may stand where this one stands."""
    if isinstance(node, ir.Lit):
        return tuple(
            v for v in (*SIMPLEST, *OF_KIND) if cost_of(v) < cost_of(node) and (v in SIMPLEST or v.kind == node.kind)
        )
    if isinstance(node, ir.Op):
        return (
            *SIMPLEST[:4],
            *(replace(node, op=plainer) for plainer in PLAINER.get(node.op, ())),
            *turned(node),
            *alone(node),
        )
    if isinstance(node, ir.SubExpr) and node.kind in ("in", "not in") and len(node.args) == 1:
        return (*SIMPLEST[:3], *(ir.Op(f"{node.kind} 1", (*node.args, value)) for value in SIMPLEST[:4]))
    return SIMPLEST[:3] if node.sort == "expr" else ()


def alone(node: ir.Op) -> Sequence[ir.Op]:
    """A test by itself, or its opposite, instead of what is done with its outcome: 0 = (x IS TRUE) -> x IS NOT TRUE.
    No operator is brought in that may be wrong for a reason of its own: NOT, or IS NOT TRUE of something else, would
    lead to another cause."""
    return tuple(ir.Op(OPPOSITE[a.op], a.args) for a in node.args if isinstance(a, ir.Op) and a.op in OPPOSITE)


OPPOSITE = {"is true": "is not true", "is false": "is not false", "is null": "is not null"}
OPPOSITE |= {other: one for one, other in OPPOSITE.items()}


def turned(node: ir.Op) -> Sequence[ir.Op]:
    """The same with its sides changed. 0 > x -> x < 0; (a, b) = (c, d) -> (c, d) = (a, b), (b, a) = (d, c)."""
    half = len(node.args) // 2
    found = [ir.Op(TURNED[node.op], node.args[half:] + node.args[:half])] if node.op in TURNED else []
    return (
        (*found, replace(node, args=(*node.args[1::-1], *node.args[:1:-1])))
        if node.op in ("row =", "row <>")
        else found
    )


TURNED = {name: name for name in ("=", "<>", "is", "is not", "is distinct", "is not distinct")}
TURNED |= {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
TURNED |= {f"row {one}": f"row {other}" for one, other in TURNED.items() if not one.startswith("is")}


def cost_of(value: ir.Lit) -> int:
    return SIMPLEST.index(value) if value in SIMPLEST else len(SIMPLEST) + 2 * len(value.text) - (value in OF_KIND)


def weight(join: str) -> int:
    order = ("", ",", "JOIN", "CROSS JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "NATURAL JOIN")
    return order.index(join) if join in order else len(order)


def size(scene: Any, recipe: Any) -> tuple[int, ...]:
    """Smaller is simpler: statements, then nodes, then what stands in them.
    Each accepted step makes this smaller, so reduction ends."""
    statements = sum(3 if isinstance(s, (ir.CreateView, ir.CreateVirtual)) else 1 for s in scene.statements)
    creations = [s for s in scene.statements if isinstance(s, (ir.CreateTable, ir.CreateView, ir.CreateVirtual))]
    ranks = {
        s.name: 3 if isinstance(s, ir.CreateView) else 2 if isinstance(s, ir.CreateVirtual) else i / 8
        for i, s in enumerate(creations)
    }
    nodes = rows = 0
    cost = 12 * len(recipe.detours)
    columns: set[ir.Col] = set()
    for _, node in walk((scene, recipe)):
        if not isinstance(node, Node):
            continue
        nodes += 1
        if isinstance(node, ir.Lit):
            cost += cost_of(node)
        elif isinstance(node, ir.Col):
            cost += len(SIMPLEST)
            columns.add(node)
        elif isinstance(node, ir.Op):
            nodes += 1
            cost += (
                16
                + 8 * RANKS.get(node.op, 0)
                + (sum(n for n, a in enumerate(node.args) if not isinstance(a, ir.Lit)) if node.op in TURNED else 0)
            )
        elif isinstance(node, ir.Values):
            rows += 1
        elif isinstance(node, ir.Join):
            cost += weight(node.kind) + int(8 * ranks.get(node.rel, 0))
        elif isinstance(node, ir.Column):
            cost += (len(node.type) + 1 if node.type else 0) + 9 * bool(node.collate) + len(node.collate)
            cost += 5 * (node.unique + 2 * node.primary + node.not_null + node.stored)
        elif isinstance(node, ir.Insert):
            cost += len(node.verb) + len(node.columns)
        elif isinstance(node, ir.Order):
            cost += 5 * node.desc
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
    return statements, nodes + rows, cost + 4 * len(columns)
