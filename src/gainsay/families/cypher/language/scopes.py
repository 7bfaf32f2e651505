"""Which variables an expression refers to, and what has an order of the engine's choice."""

from __future__ import annotations

from gainsay.core.tree import Node, walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import AGGREGATES

NOTHING: frozenset[str] = frozenset()


def free(expr: ir.Expr | ir.Path | None) -> frozenset[str]:
    """The variables that must be bound outside of an expression."""
    if expr is None or isinstance(expr, (ir.Lit, ir.RawExpr)):
        return NOTHING
    if isinstance(expr, ir.Var):
        return frozenset({expr.name})
    if isinstance(expr, ir.Prop):
        return free(expr.base)
    if isinstance(expr, ir.Comprehension):
        return free(expr.source) | ((free(expr.condition) | free(expr.result)) - {expr.var})
    if isinstance(expr, ir.Quantified):
        return free(expr.source) | (free(expr.condition) - {expr.var})
    if isinstance(expr, ir.Reduce):
        return free(expr.initial) | free(expr.source) | (free(expr.step) - {expr.var, expr.total})
    return union(expr)


def union(expr: ir.Expr | ir.Path) -> frozenset[str]:
    """Of all parts; and of patterns the variables they name, since they may be bound outside."""
    names: set[str] = set()
    for name in expr.__struct_fields__:
        child = getattr(expr, name)
        for part in child if isinstance(child, tuple) else (child,):
            if isinstance(part, (ir.Path, ir.Hop, ir.NodePat, ir.RelPat, ir.Entry, ir.When)):
                names |= union(part)  # type: ignore[arg-type]  # parts of expressions
                names |= {v for v in (getattr(part, "var", ""),) if v}
            elif isinstance(part, Node):
                names |= free(part)  # type: ignore[arg-type]  # every other node below an expression is one
    return frozenset(names)


def has_aggregate(expr: ir.Expr) -> bool:
    if isinstance(expr, (ir.Var, ir.Lit, ir.Prop)):
        return isinstance(expr, ir.Prop) and has_aggregate(expr.base)
    return any(isinstance(node, ir.Agg) for _, node in walk(expr))


def has_bare(expr: ir.Expr) -> bool:
    """Whether there is a bare pattern in it: that is a condition only, not a value."""
    return any(isinstance(node, ir.SubQuery) and node.kind == "pattern" for _, node in walk(expr))


def is_condition(expr: ir.Expr) -> bool:
    """Whether bare patterns stand only where a condition may: at the top, and below connectives."""
    if isinstance(expr, ir.SubQuery) and expr.kind == "pattern":
        return True
    if isinstance(expr, ir.Op) and expr.op in ("AND", "OR", "XOR", "NOT"):
        return all(is_condition(a) for a in expr.args)
    return not has_bare(expr)


def has_labels_twice(query: ir.Query, is_none_one: bool) -> bool:
    """Whether a variable is given labels in several places, and not the same: where labels are alternatives, engines
    then join them.

    `is_none_one`: labels behind a first mention without any are others too. Later mentions without labels say nothing.
    """
    seen: dict[tuple[int, str], tuple[str, ...]] = {}
    for number, part in enumerate(query.parts):
        for _, node in walk(part):
            if isinstance(node, ir.NodePat) and node.var and (node.labels or is_none_one):
                first = seen.setdefault((number, node.var), node.labels)
                if node.labels and first != node.labels:
                    return True
    return False


ORDERED = frozenset({"size", "isEmpty", "IN", "=", "<>", "IS NULL", "IS NOT NULL", "length", "head", "last", "index"})


def is_unordered(expr: ir.Expr | None, names: frozenset[str]) -> bool:
    """Whether a value may hold a list whose order is the engine's choice. `names`: the variables that may."""
    if expr is None or isinstance(expr, (ir.Lit, ir.Quantified, ir.SubQuery, ir.HasLabel, ir.RawExpr)):
        return False
    if isinstance(expr, ir.Var):
        return expr.name in names
    if isinstance(expr, ir.PatternList):
        return True
    if isinstance(expr, ir.Agg):
        row = AGGREGATES[expr.fn]
        return row.gathers or (row.chooses and is_unordered(expr.arg, names))
    if isinstance(expr, ir.Op):
        return expr.op == "labels" or (expr.op not in ORDERED and any(is_unordered(a, names) for a in expr.args))
    if isinstance(expr, ir.ListOf):
        return any(is_unordered(item, names) for item in expr.items)
    if isinstance(expr, ir.MapOf):
        return any(is_unordered(e.value, names) for e in expr.entries)
    if isinstance(expr, ir.Case):
        return any(is_unordered(w.value, names) for w in expr.whens) or is_unordered(expr.default, names)
    if isinstance(expr, ir.Comprehension):
        return is_unordered(expr.source, names) or is_unordered(expr.result, names)
    if isinstance(expr, ir.Reduce):
        return is_unordered(expr.initial, names) or is_unordered(expr.step, names) or is_unordered(expr.source, names)
    return is_unordered(expr.base, names)


def has_unordered_lists(query: ir.Query) -> bool:
    """Whether some returned column may hold a list whose order is the engine's choice."""
    return any(returns_unordered(part) for part in query.parts)


def returns_unordered(part: ir.Single) -> bool:
    names: frozenset[str] = NOTHING
    for clause in part.clauses:
        if isinstance(clause, ir.Unwind) and is_unordered(clause.expr, names):
            names |= {clause.var}  # lists within a list
        elif isinstance(clause, (ir.With, ir.Return)):
            kept = names if isinstance(clause, ir.With) and clause.star else NOTHING
            names = kept | {i.name for i in clause.items if is_unordered(i.expr, names)}
    return bool(names)
