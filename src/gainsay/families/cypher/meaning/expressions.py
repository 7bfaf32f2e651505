"""Expressions as closures from a row to a value, made once for each expression."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import OPS, meanings
from gainsay.families.cypher.language.scopes import free
from gainsay.families.cypher.meaning.graph import Graph, NodeV, RelV
from gainsay.families.cypher.meaning.matching import Fn, Matching, Row, pattern_variables
from gainsay.families.cypher.meaning.meanings import truth
from gainsay.families.cypher.meaning.values import Bag, Failed, TooBig, Undetermined, equal, settled

BOOLEAN = frozenset(name for name, op in OPS.items() if {result for _, result in op.signatures} == {"bool"})
KEPT = 6000  # closures that are kept


class Expressions:
    """The closures of one evaluator."""

    def __init__(self, graph: Graph, profile: Mapping[str, str], cap: int) -> None:
        self.graph = graph
        self.cap = cap
        self.matching = Matching(graph, profile, self.compiled, 100 * cap)
        self.meanings = meanings(profile)
        self.is_two_valued = profile.get("quantifier-null") == "false"
        self._is_concat_open = profile.get("concat-null") == "the other"
        # By identity: hashing a tree costs more than evaluating it. The tree is kept, so that its identity stays its
        # own.
        self._made: dict[int, tuple[ir.Expr, Fn]] = {}

    def compiled(self, expr: ir.Expr) -> Fn:
        found = self._made.get(id(expr))
        if found is not None:
            return found[1]
        if len(self._made) > KEPT:
            self._made.clear()
        fn: Fn = MAKERS[expr.__class__](self, expr)
        self._made[id(expr)] = (expr, fn)
        return fn

    def condition(self, expr: ir.Expr | None) -> Fn:
        """True where it holds; what is neither a boolean nor null is an error."""
        fn = self.compiled(expr or ir.TRUE)
        if isinstance(expr, (ir.HasLabel, ir.Quantified, ir.SubQuery)) or (
            isinstance(expr, ir.Op) and expr.op in BOOLEAN
        ):
            return fn
        return lambda row: truth(fn(row))

    # --- one method for each class of node ----------------------------------------------------------------------------

    def literal(self, expr: ir.Lit) -> Fn:
        value = expr.value
        return lambda row: value

    def list_of(self, expr: ir.ListOf) -> Fn:
        if all(isinstance(item, ir.Lit) for item in expr.items):
            values = [item.value for item in expr.items if isinstance(item, ir.Lit)]
            return lambda row: values
        fns = [self.compiled(item) for item in expr.items]
        return lambda row: [fn(row) for fn in fns]

    def map_of(self, expr: ir.MapOf) -> Fn:
        fns = [(entry.key, self.compiled(entry.value)) for entry in expr.entries]
        return lambda row: {key: fn(row) for key, fn in fns}

    def variable(self, expr: ir.Var) -> Fn:
        name = expr.name

        def fn(row: Row) -> Any:
            try:
                return row[name]
            except KeyError:
                raise Failed(f"variable {name} is not defined") from None

        return fn

    def prop(self, expr: ir.Prop) -> Fn:
        """A property of a node, a relationship or a map; null where it is missing."""
        base, key = self.compiled(expr.base), expr.key

        def fn(row: Row) -> Any:
            value = base(row)
            if value is None:
                return None
            if value.__class__ is NodeV or value.__class__ is RelV:
                return value.props.get(key)
            if value.__class__ is dict:
                return value.get(key)
            raise Failed("a property of a value that has none")

        return fn

    def operator(self, expr: ir.Op) -> Fn:
        meaning, is_strict = self.meanings[expr.op]
        fns = [self.compiled(arg) for arg in expr.args]
        if expr.op == "+" and self._is_concat_open:
            return self.concatenation(expr, meaning, fns)
        if not is_strict:
            return loose(meaning, fns)
        return strict(meaning, fns)

    def concatenation(self, expr: ir.Op, meaning: Callable[..., Any], fns: list[Fn]) -> Fn:
        """Where null adds nothing to a string: two nulls are the empty string, if they are strings by their looks."""
        one, two = fns
        found = {self.looks(arg) for arg in expr.args} - {"any"}

        def fn(row: Row) -> Any:
            a, b = one(row), two(row)
            if a is None and b is None:
                if not found:
                    raise Undetermined("two nulls added, that may be strings")
                return "" if "str" in found else None
            return meaning(a, b)

        return fn

    def looks(self, expr: ir.Expr) -> str:
        """What an expression is by its looks: str, other, or any."""
        if isinstance(expr, ir.Lit):
            return "any" if expr.value is None else "str" if expr.kind == "str" else "other"
        if isinstance(expr, ir.Prop):
            kind = self.graph.keys.get(expr.key, "int" if expr.key == "id" else "any")
            return kind if kind in ("any", "str") else "other"
        if isinstance(expr, (ir.ListOf, ir.Comprehension, ir.PatternList, ir.SubQuery, ir.Quantified)):
            return "other"
        if isinstance(expr, ir.Op):
            results = {result for _, result in OPS[expr.op].signatures}
            if len(results) > 1:
                return next((look for look in map(self.looks, expr.args) if look != "any"), "any")
            return "str" if results == {"str"} else "other"
        return "any"

    def has_label(self, expr: ir.HasLabel) -> Fn:
        """Whether a node has a label; null for null."""
        base, label = self.compiled(expr.base), expr.label

        def fn(row: Row) -> Any:
            value = base(row)
            if value is None:
                return None
            if value.__class__ is NodeV:
                return label in value.labels
            if value.__class__ is RelV:
                return value.type == label
            raise Failed("a label of a value that has none")

        return fn

    def case(self, expr: ir.Case) -> Fn:
        """The value of the first branch whose test is true, or is equal to the operand."""
        whens = [(self.compiled(w.test), self.compiled(w.value)) for w in expr.whens]
        default = self.compiled(expr.default or ir.NULL)
        if expr.operand is None:
            branches = [(self.condition(w.test), self.compiled(w.value)) for w in expr.whens]

            def searched(row: Row) -> Any:
                for test, value in branches:
                    if test(row) is True:
                        return value(row)
                return default(row)

            return searched
        operand = self.compiled(expr.operand)

        def simple(row: Row) -> Any:
            wanted = operand(row)
            for test, value in whens:
                if equal(wanted, test(row)):
                    return value(row)
            return default(row)

        return simple

    def comprehension(self, expr: ir.Comprehension) -> Fn:
        """[var IN list WHERE condition | result]"""
        source, var = self.compiled(expr.source), expr.var
        condition = self.condition(expr.condition)
        result = self.compiled(expr.result or ir.Var(var))

        def fn(row: Row) -> Any:
            values = items_of(source(row))
            if values is None:
                return None
            inner, found = dict(row), []
            for inner[var] in values:
                if condition(inner) is True:
                    found.append(result(inner))
            return Bag(found) if values.__class__ is Bag else found

        return fn

    def quantified(self, expr: ir.Quantified) -> Fn:
        """all, any, none or single of a list's elements."""
        source, var, condition, verdict = (
            self.compiled(expr.source),
            expr.var,
            self.condition(expr.condition),
            QUANTIFIERS[expr.kind],
        )
        is_two_valued = self.is_two_valued

        def fn(row: Row) -> Any:
            values = items_of(source(row))
            if values is None:
                return None
            inner, found = dict(row), []
            for inner[var] in values:
                found.append(condition(inner))
            return verdict([x is True for x in found] if is_two_valued else found)

        return fn

    def reduce(self, expr: ir.Reduce) -> Fn:
        """A list, folded into one value."""
        initial, source, step = self.compiled(expr.initial), self.compiled(expr.source), self.compiled(expr.step)
        total, var = expr.total, expr.var

        def fn(row: Row) -> Any:
            values = items_of(source(row))
            if values is None:
                return None
            inner = dict(row)
            inner[total] = initial(row)
            for inner[var] in settled(values):
                inner[total] = step(inner)
            return inner[total]

        return fn

    def subquery(self, expr: ir.SubQuery) -> Fn:
        """How often a pattern matches, or whether it does."""
        where = self.condition(expr.where)
        found = [0]
        is_count = expr.kind == "count"

        def emit(row: Row, _: Any) -> bool:
            if where(row) is True:
                found[0] += 1
                return not is_count
            return False

        search = self.search(expr.patterns, emit, [])

        def fn(row: Row) -> Any:
            found[0] = 0
            search(row)
            return found[0] if is_count else found[0] > 0

        return fn

    def pattern_list(self, expr: ir.PatternList) -> Fn:
        """[(a)-->(b) WHERE condition | result]"""
        where, result = self.condition(expr.where), self.compiled(expr.result)
        found: list[Any] = []

        def emit(row: Row, _: Any) -> bool:
            if where(row) is True:
                found.append(result(row))
                if len(found) > self.cap:
                    raise TooBig("a long list")
            return False

        search = self.search((expr.pattern,), emit, [])

        def fn(row: Row) -> Any:
            found.clear()
            search(row)
            return Bag(found)

        return fn

    def search(
        self, paths: tuple[ir.Path, ...], emit: Callable[[Row, Any], bool], hidden: list[str], is_clause: bool = False
    ) -> Callable[[Row], bool]:
        """A plan for each set of variables that rows bring along; in one place of a query, that is one."""
        names = pattern_variables(paths)
        outer = {n for path in paths for n in path_expressions(path)}
        every = tuple(dict.fromkeys((*names, *sorted(outer))))
        plans: dict[tuple[bool, ...], Callable[[Row], bool]] = {}

        def run(row: Row) -> bool:
            signature = tuple([name in row for name in every])
            plan = plans.get(signature)
            if plan is None:
                bound = frozenset(name for name in every if name in row)
                plan = plans[signature] = self.matching.plan(paths, bound, emit, hidden, is_clause)
            return plan(dict(row))

        return run

    def aggregate(self, expr: ir.Agg) -> Fn:
        def fn(row: Row) -> Any:
            raise Failed("an aggregate outside of a projection")

        return fn

    def raw(self, expr: ir.RawExpr) -> Fn:
        def fn(row: Row) -> Any:
            raise Undetermined("text that was read no further")

        return fn


def path_expressions(path: ir.Path) -> set[str]:
    """The variables that a path's braces refer to."""
    parts: list[ir.NodePat | ir.RelPat] = [path.start]
    for hop in path.hops:
        parts += [hop.rel, hop.node]
    return {name for part in parts for entry in part.props for name in free(entry.value)}


def items_of(value: Any) -> list[Any] | None:
    if value is None or isinstance(value, list):
        return value
    raise Failed("a list is wanted")


def loose(meaning: Callable[..., Any], fns: list[Fn]) -> Fn:
    if len(fns) == 1:
        only = fns[0]
        return lambda row: meaning(only(row))
    if len(fns) == 2:
        one, two = fns
        return lambda row: meaning(one(row), two(row))
    return lambda row: meaning(*[fn(row) for fn in fns])


def strict(meaning: Callable[..., Any], fns: list[Fn]) -> Fn:
    """Null in, null out."""
    if len(fns) == 1:
        only = fns[0]

        def unary(row: Row) -> Any:
            a = only(row)
            return None if a is None else meaning(a)

        return unary
    if len(fns) == 2:
        one, two = fns

        def binary(row: Row) -> Any:
            a, b = one(row), two(row)
            return None if a is None or b is None else meaning(a, b)

        return binary

    def many(row: Row) -> Any:
        values = [fn(row) for fn in fns]
        return None if None in values else meaning(*values)

    return many


def none_false(found: list[Any]) -> bool | None:
    return False if False in found else None if None in found else True


def some_true(found: list[Any]) -> bool | None:
    return True if True in found else None if None in found else False


def one_true(found: list[Any]) -> bool | None:
    """Two that hold are one too many, whatever the unknown ones are."""
    hits = found.count(True)
    return False if hits > 1 else None if None in found else hits == 1


def none_true(found: list[Any]) -> bool | None:
    verdict = some_true(found)
    return None if verdict is None else not verdict


QUANTIFIERS: Mapping[str, Callable[[list[Any]], bool | None]] = {
    "all": none_false,
    "any": some_true,
    "none": none_true,
    "single": one_true,
}

MAKERS: Mapping[type, Callable[[Expressions, Any], Fn]] = {
    ir.Lit: Expressions.literal,
    ir.ListOf: Expressions.list_of,
    ir.MapOf: Expressions.map_of,
    ir.Var: Expressions.variable,
    ir.Prop: Expressions.prop,
    ir.Op: Expressions.operator,
    ir.HasLabel: Expressions.has_label,
    ir.Case: Expressions.case,
    ir.Comprehension: Expressions.comprehension,
    ir.Quantified: Expressions.quantified,
    ir.Reduce: Expressions.reduce,
    ir.Agg: Expressions.aggregate,
    ir.SubQuery: Expressions.subquery,
    ir.PatternList: Expressions.pattern_list,
    ir.RawExpr: Expressions.raw,
}
