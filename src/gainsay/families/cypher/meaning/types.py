"""Types of expressions and scopes of variables: whether a query is one that every engine should take.
Reduced queries must stay so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import AGGREGATES, OPS
from gainsay.families.cypher.language.scopes import has_aggregate, has_bare, is_condition

ELEMENT = {"ints": "int", "strs": "str", "nodes": "node", "rels": "rel", "null": "null", "list": "null"}
LIST_OF = {"int": "ints", "str": "strs", "null": "list", "node": "nodes", "rel": "rels"}
LISTS = frozenset({"ints", "strs", "list", "nodes", "rels", "null"})
Types = Mapping[str, str]


class IllTyped(Exception):
    """The query makes no sense, or only to some."""


def fits(given: str, wanted: str) -> bool:
    return (
        given in (wanted, "null")
        or wanted == "null"
        or (given == "list" and wanted in LISTS)
        or (wanted == "list" and given in LISTS)
    )


def unified(types: Iterable[str]) -> str:
    """The one type of several branches; int and float do not go together: engines with types say so."""
    found = "null"
    for t in types:
        if not fits(t, found):
            raise IllTyped
        found = t if found in ("null", "list") else found
    return found


class ExpressionTypes:
    """The types of expressions over a schema; what has none is IllTyped."""

    def __init__(self, schema: ir.Schema) -> None:
        self.schema = schema
        self.keys = {
            "node": {"id": "int", **{k.name: k.type for k in schema.node_keys}},
            "rel": {"id": "int", **{k.name: k.type for k in schema.edge_keys}},
        }

    def of(self, e: ir.Expr, types: Types) -> str:
        """The type of an expression, where variables have these types."""
        if isinstance(e, ir.Lit):
            return e.kind
        if isinstance(e, ir.Var):
            return self.known(e.name, types)
        if isinstance(e, ir.Prop):
            return self.prop(e, types)
        if isinstance(e, ir.Op):
            return self.op(e, types)
        if isinstance(e, ir.ListOf):
            return self.listed([self.of(i, types) for i in e.items])
        if isinstance(e, ir.HasLabel):
            return self.want("node", e.base, types, "bool")
        if isinstance(e, ir.Case):
            return self.case(e, types)
        if isinstance(e, ir.Agg):
            return self.agg(e, types)
        if isinstance(e, (ir.Comprehension, ir.Quantified, ir.Reduce)):
            return self.over_list(e, types)
        if isinstance(e, (ir.SubQuery, ir.PatternList)):
            return self.over_pattern(e, types)
        raise IllTyped

    @staticmethod
    def known(name: str, types: Types) -> str:
        if name not in types:
            raise IllTyped
        return types[name]

    @staticmethod
    def listed(items: list[str]) -> str:
        found = unified(items)
        if found not in LIST_OF:
            raise IllTyped
        return LIST_OF[found]

    def want(self, wanted: str, e: ir.Expr, types: Types, result: str) -> str:
        if not fits(self.of(e, types), wanted):
            raise IllTyped
        return result

    def prop(self, e: ir.Prop, types: Types) -> str:
        if isinstance(e.base, ir.MapOf):
            found = {x.key: self.of(x.value, types) for x in e.base.entries}
            if e.key not in found:
                raise IllTyped
            return found[e.key]
        keys = self.keys.get(self.of(e.base, types))
        if keys is None or e.key not in keys:
            raise IllTyped
        return keys[e.key]

    def op(self, e: ir.Op, types: Types) -> str:
        """The type of an operator's result, by the signatures of its row."""
        given = [self.of(a, types) for a in e.args]
        signatures = OPS[e.op].signatures if e.op in OPS else ()
        found = {
            result: None for wanted, result in signatures if len(wanted) == len(given) and all(map(fits, given, wanted))
        }
        if not found:
            raise IllTyped
        if len(found) > 1 and ("list" in given or "null" in given):
            return "list" if all(result in LISTS for result in found) else "null"  # what an empty list holds is open
        return next(iter(found))

    def case(self, e: ir.Case, types: Types) -> str:
        """The one type of all branches."""
        if not e.whens:
            raise IllTyped
        over = self.of(e.operand, types) if e.operand is not None else "bool"
        for when in e.whens:
            self.want(over, when.test, types, "bool")
        return unified(
            [
                *(self.of(w.value, types) for w in e.whens),
                *([self.of(e.default, types)] if e.default is not None else []),
            ]
        )

    def agg(self, e: ir.Agg, types: Types) -> str:
        """The type of an aggregate."""
        if e.arg is None:
            return "int"
        row, over = AGGREGATES[e.fn], self.of(e.arg, types)
        if has_aggregate(e.arg) or over not in row.takes:
            raise IllTyped
        return LIST_OF[over] if row.result == "list" else over if row.result == "same" else row.result

    def over_list(self, e: ir.Comprehension | ir.Quantified | ir.Reduce, types: Types) -> str:
        """The type of a comprehension, a quantifier or a reduce."""
        source = self.of(e.source, types)
        if source not in LISTS:
            raise IllTyped
        inner = {**types, e.var: ELEMENT[source]}
        if isinstance(e, ir.Reduce):
            first = self.of(e.initial, types)
            return self.want(first, e.step, {**inner, e.total: first}, first)
        if isinstance(e, ir.Quantified):
            return self.want("bool", e.condition, inner, "bool")
        if e.condition is not None:
            self.want("bool", e.condition, inner, "bool")
        return source if e.result is None else self.listed([self.of(e.result, inner)])

    def over_pattern(self, e: ir.SubQuery | ir.PatternList, types: Types) -> str:
        """The type of a subquery or of a list made from a pattern."""
        paths = e.patterns if isinstance(e, ir.SubQuery) else (e.pattern,)
        if (isinstance(e, ir.PatternList) or e.kind == "pattern") and any(not p.hops for p in paths):
            raise IllTyped  # a lone node is no pattern here
        inner = self.bound(paths, types)
        if isinstance(e, ir.SubQuery) and e.kind == "pattern" and set(inner) != set(types):
            raise IllTyped  # a bare pattern binds nothing
        if e.where is not None:
            self.want("bool", e.where, inner, "bool")
        if isinstance(e, ir.PatternList):
            return self.listed([self.of(e.result, inner)])
        return "int" if e.kind == "count" else "bool"

    def bound(self, paths: tuple[ir.Path, ...], types: Types) -> dict[str, str]:
        """The variables behind some patterns."""
        found = dict(types)
        edges: set[str] = set()
        for path in paths:
            for node in (path.start, *(h.node for h in path.hops)):
                self.name(found, node.var, "node")
            for hop in path.hops:
                if hop.rel.var and (hop.rel.length or hop.rel.var in edges):
                    raise IllTyped  # lists of edges, and an edge twice in one MATCH: engines differ
                edges.add(hop.rel.var)
                self.name(found, hop.rel.var, "rel")
            if path.var in found and path.var:
                raise IllTyped
            self.name(found, path.var, "path")
        for path in paths:
            parts: list[tuple[Any, str]] = [
                (path.start, "node"),
                *((h.node, "node") for h in path.hops),
                *((h.rel, "rel") for h in path.hops),
            ]
            for part, keys in parts:
                for entry in part.props:
                    if entry.key not in self.keys[keys] or not fits(
                        self.of(entry.value, types), self.keys[keys][entry.key]
                    ):
                        raise IllTyped
        return found

    @staticmethod
    def name(found: dict[str, str], var: str, kind: str) -> None:
        if var and found.setdefault(var, kind) != kind:
            raise IllTyped

    def projected(self, c: ir.With | ir.Return, types: Types) -> dict[str, str]:
        """The types behind a WITH or RETURN."""
        is_star = isinstance(c, ir.With) and c.star  # which may carry nothing: MATCH () WITH * RETURN 1 AS x
        new = dict(types) if is_star else {}
        listed = [i.name for i in c.items]
        if len(set(listed)) < len(listed) or (not listed and not is_star) or set(listed) & set(new):
            raise IllTyped
        is_grouped = any(has_aggregate(i.expr) for i in c.items)
        for item in c.items:
            kind = self.of(item.expr, types)
            if has_bare(item.expr):
                raise IllTyped
            if is_grouped and not has_aggregate(item.expr) and kind in ("path", *LISTS - {"null"}):
                raise IllTyped
            if isinstance(c, ir.Return) and kind in ("node", "rel", "path", "nodes", "rels"):
                raise IllTyped
            new[item.name] = kind
        for order in c.order:
            if has_aggregate(order.expr):
                raise IllTyped
            if self.of(order.expr, new) not in ("int", "str", "bool", "float", "null"):
                raise IllTyped
        if isinstance(c, ir.With) and c.where is not None:
            if has_aggregate(c.where) or not is_condition(c.where):
                raise IllTyped
            self.want("bool", c.where, new, "bool")
        return new

    def single(self, s: ir.Single) -> dict[str, str]:
        """The types of what a query without UNION gives."""
        types: dict[str, str] = {}
        if not s.clauses or not isinstance(s.clauses[-1], ir.Return):
            raise IllTyped
        for i, c in enumerate(s.clauses):
            if isinstance(c, ir.Match):
                if not c.patterns:
                    raise IllTyped
                types = self.bound(c.patterns, types)
                if c.where is not None:
                    if has_aggregate(c.where) or not is_condition(c.where):
                        raise IllTyped
                    self.want("bool", c.where, types, "bool")
            elif isinstance(c, ir.Unwind):
                kind = self.of(c.expr, types)
                if kind not in LISTS or c.var in types:
                    raise IllTyped
                types = {**types, c.var: ELEMENT[kind]}
            elif isinstance(c, ir.Return) and i < len(s.clauses) - 1:
                raise IllTyped
            elif i == 0 and not c.items:
                raise IllTyped  # WITH * may carry nothing, but not from nowhere
            else:
                types = self.projected(c, types)
        return types


def is_typed(schema: ir.Schema, query: ir.Query) -> bool:
    expressions = ExpressionTypes(schema)
    try:
        columns = [list(expressions.single(part).items()) for part in query.parts]
    except IllTyped:
        return False
    return bool(columns) and all(
        len(c) == len(columns[0]) and all(a == b or "null" in (a[1], b[1]) for a, b in zip(c, columns[0], strict=True))
        for c in columns
    )
