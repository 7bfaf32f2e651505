"""Typed random expressions over the variables in scope."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any

from gainsay.core.draw import Draw
from gainsay.families.cypher.drawing.lexicon import FAR, LISTS, POOLS, SCALARS, Lexicon
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import OPS, good

ELEMENT = {"ints": "int", "strs": "str"}
LIST_OF = {"int": "ints", "str": "strs"}
ELEMENTS = ("node", "rel", "path")  # there are no literals of these
PARTS = {"nodes": "nodes", "rels": "relationships"}
NEEDS = {"nodes": "path", "rels": "path"}
CONNECTIVES = frozenset({"AND", "OR", "XOR", "NOT"})
FORMS = ("ops", "ops", "ops", "ops", "ops", "case", "more")


class Scope:
    """Variables with their types, and what can be said with them at once."""

    def __init__(self, types: Mapping[str, str], schema: ir.Schema) -> None:
        self.types = types
        self.schema = schema

    @cached_property
    def atoms(self) -> Mapping[str, list[ir.Expr]]:
        found: dict[str, list[ir.Expr]] = {}
        for name, kind in self.types.items():
            var = ir.Var(name)
            if kind in ("node", "rel"):
                for key in self.schema.node_keys if kind == "node" else self.schema.edge_keys:
                    found.setdefault(key.type, []).append(ir.Prop(var, key.name))
                found.setdefault("int", []).append(ir.Prop(var, "id"))
            found.setdefault(kind, []).append(var)
        return found

    def of(self, kind: str) -> list[str]:
        return [name for name, t in self.types.items() if t == kind]

    def plus(self, name: str, kind: str) -> Scope:
        return Scope({**self.types, name: kind}, self.schema)


class Expressions:
    """Draws expressions. `fresh` makes names that nobody has."""

    def __init__(self, draw: Draw, lexicon: Lexicon) -> None:
        self.draw = draw
        self.lexicon = lexicon
        self.is_condition = False  # a bare pattern is a condition, no value
        self._names = 0

    def fresh(self, letter: str) -> str:
        self._names += 1
        return f"{letter}{self._names}"

    def literal(self, kind: str) -> ir.Expr:
        draw = self.draw
        if kind in ELEMENT:
            element = ELEMENT[kind]
            least = 0 if self.lexicon.has("expr:empty list") else 1
            items = [ir.Lit(element, draw.pick(POOLS[element])) for _ in range(draw.between(least, 3))]
            if len(items) > 1 and draw.coin(0.12) and self.lexicon.has("expr:null in list"):
                items[draw.below(len(items))] = ir.NULL
            return ir.ListOf(tuple(items))
        return ir.Lit(kind, draw.pick(FAR[kind] if draw.coin(0.04) else POOLS[kind]))

    def leaf(self, kind: str, scope: Scope) -> ir.Expr:
        if kind in PARTS:
            return ir.Op(PARTS[kind], (self.draw.pick(scope.atoms["path"]),))
        atoms = scope.atoms.get(kind)
        if atoms and (kind in ELEMENTS or self.draw.coin(0.8)):
            return self.draw.pick(atoms)
        return self.literal(kind)

    def expr(self, kind: str, scope: Scope, depth: int) -> ir.Expr:
        """An expression of a type; node, rel and path are there only if a variable is."""
        draw = self.draw
        if depth <= 0 or kind in ELEMENTS or kind in PARTS or draw.coin(0.2):
            return self.leaf(kind, scope)
        form = draw.pick(FORMS)
        if form == "case" and self.lexicon.has(f"expr:case {kind}"):
            return self.as_value(lambda: self.case(kind, scope, depth))
        if form == "more":
            found = self.more(kind, scope, depth)
            if found is not None:
                return found
        choices = self.lexicon.by_result.get(kind)
        for _ in range(4):
            if not choices:
                break
            op, args = draw.pick(choices)
            if all(NEEDS.get(a, a) not in ELEMENTS or scope.atoms.get(NEEDS.get(a, a)) for a in args):
                if op in CONNECTIVES:
                    return ir.Op(op, tuple(self.expr(a, scope, depth - 1) for a in args))
                return self.as_value(partial(self.applied, op, args, scope, depth - 1))
        return self.leaf(kind, scope)

    def as_value(self, make: Callable[[], ir.Expr]) -> ir.Expr:
        """Whatever stands below is a value, where a bare pattern can't stand."""
        before, self.is_condition = self.is_condition, False
        try:
            return make()
        finally:
            self.is_condition = before

    def applied(self, op: str, args: tuple[str, ...], scope: Scope, depth: int) -> ir.Expr:
        return ir.Op(op, tuple(self.operand(op, i, a, scope, depth) for i, a in enumerate(args)))

    def operand(self, op: str, position: int, kind: str, scope: Scope, depth: int) -> ir.Expr:
        """An operand; where most values would be refused or mean nothing, one that does not."""
        row = OPS[op]
        values = good(row, position, kind)
        if values:
            return ir.Lit(kind, self.draw.pick(values) if len(values) > 1 else values[0])
        if row.literal_share and position and self.draw.coin(row.literal_share):
            return self.literal(kind)
        if kind in LISTS:
            depth = min(depth, 1)
        return self.expr(kind, scope, depth)

    def case(self, kind: str, scope: Scope, depth: int) -> ir.Expr:
        """A CASE of this type, with an operand or with conditions."""
        draw = self.draw
        if draw.coin(0.3) and self.lexicon.has("expr:case operand"):
            over = draw.pick(("int", "str"))
            whens = tuple(
                ir.When(self.literal(over), self.expr(kind, scope, depth - 1)) for _ in range(draw.between(1, 2))
            )
            return ir.Case(
                whens, self.expr(kind, scope, depth - 1) if draw.coin(0.8) else None, self.expr(over, scope, depth - 1)
            )
        when = ir.When(self.expr("bool", scope, depth - 1), self.expr(kind, scope, depth - 1))
        return ir.Case((when,), self.expr(kind, scope, depth - 1) if draw.coin(0.8) else None)

    def more(self, kind: str, scope: Scope, depth: int) -> ir.Expr | None:
        """Forms that are no operators: labels, quantifiers, subqueries, comprehensions, maps."""
        draw, has = self.draw, self.lexicon.has
        unit = draw.unit()
        nodes = scope.of("node")
        if kind == "bool":
            if unit < 0.3 and nodes and has("expr:label"):
                return ir.HasLabel(ir.Var(draw.pick(nodes)), draw.pick(scope.schema.labels))
            if unit < 0.6 and nodes:
                return self.subquery(scope, draw.pick(nodes), depth)
            if unit < 0.85:
                quantifier = draw.pick(("any", "all", "none", "single"))
                if has(f"expr:{quantifier}"):
                    return self.as_value(lambda: self.quantified(quantifier, scope, depth))
        if kind == "int":
            if unit < 0.3 and nodes and has("expr:count"):
                return ir.SubQuery("count", (self.path(scope, draw.pick(nodes)),))
            if unit < 0.45 and nodes and has("expr:pattern list") and has("op:size/ints"):
                return ir.Op("size", (ir.PatternList(self.path(scope, draw.pick(nodes)), ir.Lit("int", 1)),))
            if unit < 0.6 and has("expr:reduce"):
                total, var = self.fresh("z"), self.fresh("z")
                inner = scope.plus(total, "int").plus(var, "int")
                step = ir.Op(draw.pick(("+", "-")), (ir.Var(total), self.expr("int", inner, 0)))
                return ir.Reduce(total, self.literal("int"), var, self.expr("ints", scope, 0), step)
        if kind in LISTS and has("expr:comprehension"):
            var, element = self.fresh("z"), ELEMENT[kind]
            inner = scope.plus(var, element)
            condition = self.expr("bool", inner, 1) if draw.coin(0.6) else None
            result = self.expr(element, inner, 1) if condition is None or draw.coin(0.5) else None
            return ir.Comprehension(var, self.expr(kind, scope, depth - 1), condition, result)
        if kind in SCALARS and has("expr:map") and unit > 0.85:
            value = self.as_value(lambda: self.expr(kind, scope, depth - 1))
            return ir.Prop(ir.MapOf((ir.Entry("x", value), ir.Entry("y", self.literal("int")))), "x")
        return None

    def quantified(self, quantifier: str, scope: Scope, depth: int) -> ir.Expr:
        element = self.draw.pick(("int", "str"))
        var = self.fresh("z")
        return ir.Quantified(
            quantifier,
            var,
            self.expr(LIST_OF[element], scope, min(depth - 1, 1)),
            self.expr("bool", scope.plus(var, element), 1),
        )

    def subquery(self, scope: Scope, node: str, depth: int) -> ir.Expr | None:
        """Whether a pattern that starts at a node exists; None where the engine has no form for that."""
        draw, has = self.draw, self.lexicon.has
        if self.is_condition and has("expr:pattern") and draw.coin(0.5):
            return ir.SubQuery("pattern", (self.path(scope, node),))
        if not has("expr:exists"):
            return None
        other = self.fresh("z")
        path = self.path(scope, node, end=other)
        inner = scope.plus(other, "node")
        where = self.as_value(lambda: self.expr("bool", inner, 1)) if draw.coin(0.5) else None
        return ir.SubQuery("exists", (path,), where)

    def path(self, scope: Scope, node: str, end: str = "") -> ir.Path:
        """One hop from a node that is known."""
        draw, schema = self.draw, scope.schema
        types = (draw.pick(schema.types),) if draw.coin(0.6) else ()
        labels = (draw.pick(schema.labels),) if draw.coin(0.4) else ()
        direction = draw.pick(("->", "<-", "-") if self.lexicon.has("pattern:undirected") else ("->", "<-"))
        return ir.Path(ir.NodePat(node), (ir.Hop(ir.RelPat("", types, direction), ir.NodePat(end, labels)),))


def kinds(lexicon: Lexicon, is_column: bool = False) -> tuple[str, ...]:
    """Types of values that may be computed."""
    found: list[Any] = ["int", "int", "str", "bool", "float"]
    if lexicon.has("expr:list column" if is_column else "expr:list"):
        found += LISTS
    return tuple(found)
