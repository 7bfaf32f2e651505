"""Spelling: IR nodes as Cypher text, by node class; a dialect is a table of what an engine spells otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import OPS

ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t", "\r": "\\r"})
TYPES = {"int": "INT64", "float": "DOUBLE", "str": "STRING", "bool": "BOOLEAN", "ints": "INT64[]", "strs": "STRING[]"}
Rule = Callable[["CypherDialect", Any], str]


class CypherDialect:
    """How an engine spells what we ask.
    `templates` override those of the operator table; `rules` those of node classes."""

    comment = "//"

    def __init__(
        self,
        name: str,
        templates: Mapping[str, str] | None = None,
        rules: Mapping[type, Rule] | None = None,
        has_tables: bool = False,
        lacks: Iterable[str] = (),
    ) -> None:
        self.name = name
        self.lacks = frozenset(lacks)  # features that mean something else here, or nothing: never drawn
        self.has_tables = has_tables
        self.templates = {**{n: o.template for n, o in OPS.items()}, **(templates or {})}
        self.rules: dict[type, Rule] = {**RULES, **(rules or {})}

    def text(self, node: Any) -> str:
        return self.rules[node.__class__](self, node)


def literal(d: CypherDialect, e: ir.Lit) -> str:
    value = e.value
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, str):
        return f"'{value.translate(ESCAPES)}'"
    return repr(value)


def entries(d: CypherDialect, props: tuple[ir.Entry, ...]) -> str:
    return "{" + ", ".join([f"{p.key}: {d.text(p.value)}" for p in props]) + "}"


def operation(d: CypherDialect, e: ir.Op) -> str:
    return operator_template(d, e) % tuple([d.text(a) for a in e.args])


def operator_template(d: CypherDialect, e: ir.Op) -> str:
    """A template; one with another number of operands is found under the operator's name and that number."""
    template = d.templates[e.op]
    count = len(e.args)
    if template.count("%s") == count:
        return template
    other = d.templates.get(f"{e.op}/{count}")
    return other if other is not None else f"{template.partition('(')[0]}({', '.join(['%s'] * count)})"


def case(d: CypherDialect, e: ir.Case) -> str:
    operand = f" {d.text(e.operand)}" if e.operand is not None else ""
    whens = "".join([f" WHEN {d.text(w.test)} THEN {d.text(w.value)}" for w in e.whens])
    default = f" ELSE {d.text(e.default)}" if e.default is not None else ""
    return f"CASE{operand}{whens}{default} END"


def comprehension(d: CypherDialect, e: ir.Comprehension) -> str:
    condition = f" WHERE {d.text(e.condition)}" if e.condition is not None else ""
    result = f" | {d.text(e.result)}" if e.result is not None else ""
    return f"[{e.var} IN {d.text(e.source)}{condition}{result}]"


def reduce(d: CypherDialect, e: ir.Reduce) -> str:
    return f"reduce({e.total} = {d.text(e.initial)}, {e.var} IN {d.text(e.source)} | {d.text(e.step)})"


def aggregate(d: CypherDialect, e: ir.Agg) -> str:
    return f"{e.fn}({'DISTINCT ' if e.distinct else ''}{'*' if e.arg is None else d.text(e.arg)})"


def patterns(d: CypherDialect, paths: tuple[ir.Path, ...]) -> str:
    return ", ".join([d.text(p) for p in paths])


def subquery(d: CypherDialect, e: ir.SubQuery) -> str:
    if e.kind == "pattern":
        return patterns(d, e.patterns)
    where = f" WHERE {d.text(e.where)}" if e.where is not None else ""
    return f"{e.kind.upper()} {{ MATCH {patterns(d, e.patterns)}{where} }}"


def pattern_list(d: CypherDialect, e: ir.PatternList) -> str:
    where = f" WHERE {d.text(e.where)}" if e.where is not None else ""
    return f"[{d.text(e.pattern)}{where} | {d.text(e.result)}]"


def node_pattern(d: CypherDialect, p: ir.NodePat) -> str:
    labels = (":" + ("|" if p.is_any else ":").join(p.labels)) if p.labels else ""
    props = f" {entries(d, p.props)}" if p.props else ""
    return f"({p.var}{labels}{props})" if p.var or labels else f"({entries(d, p.props) if p.props else ''})"


def edge_pattern(d: CypherDialect, p: ir.RelPat) -> str:
    types = ":" + "|".join(p.types) if p.types else ""
    stretch = "" if not p.length else f"*{p.length[0]}.." if len(p.length) == 1 else f"*{p.length[0]}..{p.length[1]}"
    props = f" {entries(d, p.props)}" if p.props else ""
    inside = f"[{p.var}{types}{stretch}{props}]"
    return f"<-{inside}-" if p.direction == "<-" else f"-{inside}->" if p.direction == "->" else f"-{inside}-"


def path(d: CypherDialect, p: ir.Path) -> str:
    named = f"{p.var} = " if p.var else ""
    return (
        named + node_pattern(d, p.start) + "".join([edge_pattern(d, h.rel) + node_pattern(d, h.node) for h in p.hops])
    )


def bare(d: CypherDialect, e: Any) -> str:
    """An expression without its outermost brackets, where nothing can be taken for a part of it."""
    text = d.text(e)
    is_wrapped = e.__class__ is ir.Op and text[0] == "(" and text[-1] == ")" and operator_template(d, e)[0] == "("
    return text[1:-1] if is_wrapped else text


def match(d: CypherDialect, c: ir.Match) -> str:
    where = f" WHERE {bare(d, c.where)}" if c.where is not None else ""
    return f"{'OPTIONAL ' if c.optional else ''}MATCH {patterns(d, c.patterns)}{where}"


def item(d: CypherDialect, i: ir.Item) -> str:
    expr = i.expr
    return expr.name if expr.__class__ is ir.Var and expr.name == i.name else f"{bare(d, expr)} AS {i.name}"


def returned(d: CypherDialect, i: ir.Item) -> str:
    """Columns are named always: engines name others as they like."""
    return f"{bare(d, i.expr)} AS {i.name}"


def tail(d: CypherDialect, c: ir.With | ir.Return) -> str:
    text = ""
    if c.order:
        text += " ORDER BY " + ", ".join([d.text(o.expr) + (" DESC" if o.desc else "") for o in c.order])
    if c.skip is not None:
        text += f" SKIP {c.skip}"
    if c.limit is not None:
        text += f" LIMIT {c.limit}"
    return text


def with_clause(d: CypherDialect, c: ir.With) -> str:
    listed = (["*"] if c.star else []) + [item(d, i) for i in c.items]
    where = f" WHERE {bare(d, c.where)}" if c.where is not None else ""
    return f"WITH {'DISTINCT ' if c.distinct else ''}{', '.join(listed)}{tail(d, c)}{where}"


def return_clause(d: CypherDialect, c: ir.Return) -> str:
    return f"RETURN {'DISTINCT ' if c.distinct else ''}{', '.join([returned(d, i) for i in c.items])}{tail(d, c)}"


def single(d: CypherDialect, s: ir.Single) -> str:
    return " ".join([d.text(c) for c in s.clauses])


def query(d: CypherDialect, q: ir.Query) -> str:
    return (" UNION ALL " if q.is_all else " UNION ").join([single(d, s) for s in q.parts])


# --- statements -------------------------------------------------------------------------------------------------------


def columns(keys: tuple[ir.Key, ...]) -> str:
    return "".join([f", {k.name} {TYPES[k.type]}" for k in keys])


def node_table(d: CypherDialect, s: ir.NodeTable) -> str:
    return f"CREATE NODE TABLE {s.label}(id INT64{columns(s.keys)}, PRIMARY KEY(id))" if d.has_tables else ""


def edge_table(d: CypherDialect, s: ir.EdgeTable) -> str:
    pairs = ", ".join(f"FROM {a} TO {b}" for a in s.labels for b in s.labels)
    return f"CREATE REL TABLE {s.type}({pairs}, id INT64{columns(s.keys)})" if d.has_tables else ""


def kept(d: CypherDialect, number: int, props: tuple[ir.Kept, ...]) -> str:
    return "{" + ", ".join([f"id: {number}", *(f"{p.key}: {d.text(p.value)}" for p in props)]) + "}"


def created(d: CypherDialect, v: ir.Vertex) -> str:
    return f"(n{v.id}{''.join(':' + x for x in v.labels)} {kept(d, v.id, v.props)})"


def create(d: CypherDialect, s: ir.Create) -> str:
    edges = [f"(n{e.source})-[:{e.type} {kept(d, e.id, e.props)}]->(n{e.target})" for e in s.edges]
    listed = [*(created(d, v) for v in s.vertices), *edges]
    return found(s.known) + "CREATE " + ", ".join(listed)


def found(known: tuple[ir.Vertex, ...]) -> str:
    listed = [f"(n{v.id}{':' + v.labels[0] if v.labels else ''} {{id: {v.id}}})" for v in known]
    return f"MATCH {', '.join(listed)} " if listed else ""


def index(d: CypherDialect, s: ir.Index) -> str:
    return f"CREATE INDEX FOR (n:{s.label}) ON (n.{s.key})"


def drop_index(d: CypherDialect, s: ir.DropIndex) -> str:
    return f"DROP INDEX FOR (n:{s.label}) ON (n.{s.key})"


def place(s: ir.SetKey | ir.Drop) -> str:
    label = f":{s.label}" if s.label else ""
    return f"MATCH ()-[x{label} {{id: {s.id}}}]->()" if s.is_edge else f"MATCH (x{label} {{id: {s.id}}})"


def set_key(d: CypherDialect, s: ir.SetKey) -> str:
    return f"{place(s)} SET x.{s.key} = {d.text(s.value)}"


def drop(d: CypherDialect, s: ir.Drop) -> str:
    return f"{place(s)} {'' if s.is_edge else 'DETACH '}DELETE x"


RULES: dict[type, Rule] = {
    ir.Lit: literal,
    ir.ListOf: lambda d, e: "[" + ", ".join([d.text(i) for i in e.items]) + "]",
    ir.MapOf: lambda d, e: entries(d, e.entries),
    ir.Var: lambda d, e: e.name,
    ir.Prop: lambda d, e: f"{d.text(e.base)}.{e.key}",
    ir.Op: operation,
    ir.HasLabel: lambda d, e: f"({d.text(e.base)}:{e.label})",
    ir.Case: case,
    ir.Comprehension: comprehension,
    ir.Quantified: lambda d, e: f"{e.kind}({e.var} IN {d.text(e.source)} WHERE {d.text(e.condition)})",
    ir.Reduce: reduce,
    ir.Agg: aggregate,
    ir.SubQuery: subquery,
    ir.PatternList: pattern_list,
    ir.RawExpr: lambda d, e: e.text,
    ir.NodePat: node_pattern,
    ir.RelPat: edge_pattern,
    ir.Path: path,
    ir.Match: match,
    ir.Unwind: lambda d, c: f"UNWIND {d.text(c.expr)} AS {c.var}",
    ir.With: with_clause,
    ir.Return: return_clause,
    ir.Single: single,
    ir.Query: query,
    ir.RawQuery: lambda d, q: q.text,
    ir.NodeTable: node_table,
    ir.EdgeTable: edge_table,
    ir.Create: create,
    ir.Index: index,
    ir.DropIndex: drop_index,
    ir.SetKey: set_key,
    ir.Drop: drop,
    ir.RawStatement: lambda d, s: s.text,
}
