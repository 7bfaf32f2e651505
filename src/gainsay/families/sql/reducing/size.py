"""How simple a case is, and what is simpler: reduction ends because each accepted step makes the size smaller."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from gainsay.core.tree import Node, walk
from gainsay.families.sql.language import dialects, ir

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
UNSAID = 5  # nodes of a condition that a NATURAL JOIN does not say
NEXT = 3  # of the operators that are plainer than one, so many of the plainest are tried, and the next plainer one


def simplest(node: Node) -> Sequence[Node]:
    """Smaller nodes that may stand where this one stands."""
    if isinstance(node, ir.Lit):
        return tuple(
            v for v in (*SIMPLEST, *OF_KIND) if cost_of(v) < cost_of(node) and (v in SIMPLEST or v.kind == node.kind)
        )
    if isinstance(node, ir.Op):
        return (
            *SIMPLEST[:4],
            *scalar(node),
            *(replace(node, op=name) for name in plainer_than(node.op)),
            *turned(node),
            *alone(node),
        )
    if isinstance(node, ir.SubExpr) and node.kind in ("in", "not in") and len(node.args) == 1:
        return (*SIMPLEST[:3], *(ir.Op(f"{node.kind} 1", (*node.args, value)) for value in SIMPLEST[:4]))
    return SIMPLEST[:3] if node.sort == "expr" else ()


def scalar(node: ir.Op) -> Sequence[ir.Op]:
    """One column of a comparison of rows. (a, b) < (c, d) -> a < c, b < d."""
    _, is_row, name = node.op.partition("row ")
    if not is_row or len(node.args) != 4 or dialects.row(name) is None:
        return ()
    one, two, three, four = node.args
    return ir.Op(name, (one, three)), ir.Op(name, (two, four))


def plainer_than(name: str) -> Sequence[str]:
    """The operators that are tried in the place of this one: equal causes then end in equal shapes."""
    found = dialects.plainer(name)
    return tuple(dict.fromkeys((*found[:NEXT], *found[-1:])))


def alone(node: ir.Op) -> Sequence[ir.Op]:
    """A test by itself, or its opposite, instead of what is done with its outcome: 0 = (x IS TRUE) -> x IS NOT TRUE.
    No operator is brought in that may be wrong for a reason of its own: NOT, or IS NOT TRUE of something else, would
    lead to another cause."""
    tests = [(a, dialects.row(a.op)) for a in node.args if isinstance(a, ir.Op)]
    return tuple(ir.Op(row.opposite, test.args) for test, row in tests if row and row.opposite and row.is_test)


def turned_of(name: str) -> str:
    row = dialects.row(name)
    return row.turned if row else ""


def turned(node: ir.Op) -> Sequence[ir.Op]:
    """The same with its sides changed. 0 > x -> x < 0; (a, b) = (c, d) -> (c, d) = (a, b), (b, a) = (d, c)."""
    half = len(node.args) // 2
    turned = turned_of(node.op)
    found = [ir.Op(turned, node.args[half:] + node.args[:half])] if turned else []
    return (
        (*found, replace(node, args=(*node.args[1::-1], *node.args[:1:-1])))
        if node.op in ("row =", "row <>")
        else found
    )


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
    nodes = [n for _, n in walk((scene, recipe)) if isinstance(n, Node)]
    more = sum(isinstance(n, (ir.Op, ir.Values)) for n in nodes)
    more += UNSAID * sum(
        isinstance(n, ir.Join) and (weight(n.kind) >= weight("NATURAL JOIN") or bool(n.using)) for n in nodes
    )
    columns = {n for n in nodes if isinstance(n, ir.Col)}
    cost = 12 * len(recipe.detours) + sum(PRICES[n.__class__](n) for n in nodes if n.__class__ in PRICES)
    cost += sum(int(8 * ranks.get(n.rel, 0)) for n in nodes if isinstance(n, ir.Join))
    return statements, len(nodes) + more, cost + 4 * len(columns)


def of_operation(node: ir.Op) -> int:
    """Of operands that may change sides, a literal stands on the right."""
    sides = sum(n for n, a in enumerate(node.args) if not isinstance(a, ir.Lit)) if turned_of(node.op) else 0
    return 16 + 8 * len(dialects.plainer(node.op)) + sides


def of_column(node: ir.Column) -> int:
    words = (len(node.type) + 1 if node.type else 0) + 9 * bool(node.collate) + len(node.collate)
    return (
        words
        + 5 * (node.unique + 2 * node.primary + node.not_null + node.stored + node.is_counted)
        + len(node.on_conflict + node.on_null)
    )


# By class of node: how far it is from the plainest of its kind.
PRICES: Mapping[type, Callable[[Any], int]] = {
    ir.Lit: cost_of,
    ir.Col: lambda n: len(SIMPLEST),
    ir.Op: of_operation,
    ir.Join: lambda n: weight(n.kind) + 6 * len(n.using) + 6 * n.is_lateral + 6 * n.is_made,
    ir.Column: of_column,
    ir.Insert: lambda n: len(n.verb) + len(n.columns),
    ir.Update: lambda n: len(n.verb) + 3 * len(n.sets) + 4 * n.is_row,
    ir.ForeignKey: lambda n: 8 + len(n.on_delete) + len(n.on_update) + 9 * n.is_deferred,
    ir.CreateTrigger: lambda n: 2 * len(n.of) + (n.timing == "BEFORE"),
    ir.Order: lambda n: 5 * n.desc + 4 * bool(n.nulls),
    ir.IndexKey: lambda n: 5 * n.desc + 5 * bool(n.collate) + 5 * bool(n.prefix),
    ir.CreateTable: lambda n: 6 * (n.strict + n.without_rowid + len(n.keys)) + 9 * bool(n.kind) + len(n.on_conflict),
    ir.CreateIndex: lambda n: 5 * n.unique + 9 * bool(n.kind) + 5 * len(n.include),
    ir.CreateView: lambda n: 9 * n.is_stored + 4 * n.is_temporary,
    ir.CreateVirtual: lambda n: len(n.module) + 4 * len(n.beside) + len("".join(n.options)),
    ir.Select: lambda n: len(n.items) + 3 * n.distinct + n.is_all + 6 * len(n.distinct_on) + 6 * bool(n.grouping),
    ir.Agg: lambda n: 6 + 2 * n.distinct + 3 * (not dialects.aggregate(n.fn).is_common),
    ir.Over: lambda n: 8 + dialects.aggregate(n.fn).price,
    ir.Frame: lambda n: 4 + 3 * bool(n.exclude) + 2 * (n.unit != "ROWS"),
    ir.Cte: lambda n: 6 * n.is_recursive,
}
