"""What to ask a target once, to learn which operators (with operand types), patterns, clauses, forms and statements it
takes."""

from __future__ import annotations

from collections.abc import Iterator

from gainsay.core.model import Probe
from gainsay.families.cypher.drawing import scenes
from gainsay.families.cypher.drawing.lexicon import LISTS, SCALARS, variants
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import AGGREGATES, OPS, good
from gainsay.families.cypher.language.writer import CypherDialect

KEYS = (ir.Key("k", "int"), ir.Key("s", "str"), ir.Key("b", "bool"), ir.Key("f", "float"))
EDGE_KEYS = (ir.Key("w", "int"),)
VALUES = {"k": ir.Lit("int", 1), "s": ir.Lit("str", "1"), "b": ir.Lit("bool", True), "f": ir.Lit("float", 1.5)}
OPERANDS: dict[str, ir.Expr] = {
    "int": ir.Prop(ir.Var("n"), "k"),
    "str": ir.Prop(ir.Var("n"), "s"),
    "bool": ir.Prop(ir.Var("n"), "b"),
    "float": ir.Prop(ir.Var("n"), "f"),
    "ints": ir.ListOf((ir.Lit("int", 1), ir.Lit("int", 2))),
    "strs": ir.ListOf((ir.Lit("str", "1"), ir.Lit("str", "b"))),
    "node": ir.Var("n"),
    "rel": ir.Var("r"),
    "path": ir.Var("p"),
    "nodes": ir.Op("nodes", (ir.Var("p"),)),
    "rels": ir.Op("relationships", (ir.Var("p"),)),
}
STORED: dict[str, ir.Lit | ir.ListOf] = {
    **{k.type: VALUES[k.name] for k in KEYS},
    "ints": ir.ListOf((ir.Lit("int", 1), ir.Lit("int", 2))),
    "strs": ir.ListOf((ir.Lit("str", "1"), ir.Lit("str", "b"))),
}
# Operands that stand for a position, a pattern or a divisor.
PATTERNS = {
    "pattern:labels many": "MATCH (n:A:B) RETURN n.id AS c0",
    "pattern:labels any": "MATCH (n:A|B) RETURN n.id AS c0",
    "pattern:types many": "MATCH (n)-[r:T|S]->(m) RETURN n.id AS c0",
    "pattern:undirected": "MATCH (n)-[r:T]-(m) RETURN n.id AS c0",
    "pattern:var length": "MATCH (n)-[:T*1..2]->(m) RETURN n.id AS c0",
    "pattern:var zero": "MATCH (n)-[*0..1]->(m) RETURN n.id AS c0",
    "pattern:var unbounded": "MATCH (n)-[:T*1..]->(m) RETURN n.id AS c0",
    "pattern:named path": "MATCH p = (n)-[r:T]->(m) RETURN length(p) AS c0",
    "pattern:rebound edge": "MATCH (n)-[r:T]->(m) MATCH (x)-[r]->(y) RETURN x.id AS c0",
    "pattern:props": "MATCH (n:A {k: 1, s: '1', b: true})-[r:T {w: 1}]->(m) RETURN n.id AS c0",
    "pattern:comma": "MATCH (n:A), (m:B) RETURN n.id AS c0",
}
CLAUSES = {
    "clause:optional first": "OPTIONAL MATCH (n:A) RETURN n.id AS c0",
    "clause:match after optional": "MATCH (n:A) OPTIONAL MATCH (n)-[r]->(m) MATCH (x:B) RETURN x.id AS c0",
    "clause:with star": "MATCH (n:A) WITH * RETURN n.id AS c0",
    "clause:with order": "MATCH (n:A) WITH n.k AS x ORDER BY x SKIP 0 LIMIT 2 WHERE x > 0 RETURN x AS c0",
    "clause:with path": "MATCH p = (n)-[r:T]->(m) WITH p RETURN length(p) AS c0",
    "clause:order": "MATCH (n:A) RETURN n.k AS c0 ORDER BY c0 DESC SKIP 0 LIMIT 2",
    "clause:union": "MATCH (n:A) RETURN n.k AS c0 UNION MATCH (n:B) RETURN n.k AS c0",
    "clause:union all": "MATCH (n:A) RETURN n.k AS c0 UNION ALL MATCH (n:B) RETURN n.k AS c0",
    "clause:unwind value": "WITH [1, 2] AS x UNWIND x AS u RETURN u AS c0",
}
FORMS = {
    "expr:empty list": "RETURN CASE WHEN true THEN [] ELSE ['a'] END AS c0, coalesce([], [1]) AS c1, ([] = ['a']) AS "
    "c2",
    "expr:null in list": "RETURN size([1, null]) AS c0",
    "expr:list": "WITH [1, 2] AS x RETURN size(x) AS c0",
    "expr:list column": "RETURN [1, 2] AS c0",
    "expr:case operand": "MATCH (n:A) RETURN CASE n.k WHEN 1 THEN 2 ELSE 3 END AS c0, CASE n.s WHEN '1' THEN 'a' END "
    "AS c1",
    "expr:label": "MATCH (n) WHERE (n:A) RETURN (n:B) AS c0",
    "expr:exists": "MATCH (n) WHERE EXISTS { MATCH (n)-[:T]->(z:A) WHERE (z.k = 1) } RETURN n.id AS c0",
    "expr:count": "MATCH (n) WHERE (COUNT { MATCH (n)-[:T]->() } = 1) RETURN n.id AS c0",
    "expr:pattern": "MATCH (n) WHERE (NOT (n)-[:T]->()) RETURN n.id AS c0",
    "expr:pattern list": "MATCH (n) RETURN size([(n)-[:T]->() | 1]) AS c0",
    "expr:reduce": "RETURN reduce(t = 0, x IN [1, 2] | (t + x)) AS c0",
    "expr:comprehension": "RETURN [x IN [1, 2] WHERE (x > 1) | (x + 1)] AS c0, [x IN ['a'] WHERE (x = 'a')] AS c1, [x "
    "IN [1] | x] AS c2",
    "expr:map": "RETURN {x: 1, y: 2}.x AS c0",
    "agg:count node": "MATCH (n:A) RETURN count(n) AS c0, count(DISTINCT n) AS c1",
    "agg:inside": "MATCH (n:A) RETURN (count(*) + 1) AS c0",
    **{
        f"expr:{q}": f"RETURN {q}(x IN [1, 2] WHERE (x > 1)) AS c0, {q}(x IN ['a'] WHERE (x = 'a')) AS c1"
        for q in ("any", "all", "none", "single")
    },
}


def scene(labels: tuple[str, ...] = ("A", "B")) -> ir.Scene:
    stored = tuple(ir.Kept(k.name, VALUES[k.name]) for k in KEYS)
    vertices = tuple(ir.Vertex(i, (label,), stored) for i, label in enumerate(labels))
    edge = ir.Edge(len(labels), 0, len(labels) - 1, "T", (ir.Kept("w", ir.Lit("int", 1)),))
    return ir.Scene(ir.Schema(labels, ("T", "S"), KEYS, EDGE_KEYS), vertices, (edge,))


def spelled(dialect: CypherDialect, made: ir.Scene) -> tuple[str, ...]:
    return tuple(filter(None, (dialect.text(s) for s in scenes.script(made))))


def statements(dialect: CypherDialect) -> Iterator[Probe]:
    """What graphs may have in them."""
    for kind in (*SCALARS, *LISTS):
        value = STORED[kind]
        made = ir.Scene(
            ir.Schema(("A",), ("T",), (ir.Key("x", kind),)),
            (ir.Vertex(1, ("A",), (ir.Kept("x", value),)),),
            (ir.Edge(2, 1, 1, "T"),),
        )
        yield Probe(f"graph:{kind} property", (*spelled(dialect, made), "MATCH (n:A) RETURN n.x AS c0"))
    yield Probe("graph:pairs", spelled(dialect, scene()))
    many = ir.Scene(ir.Schema(("A", "B")), (ir.Vertex(1, ("A", "B")),))
    yield Probe("graph:labels many", spelled(dialect, many))
    yield Probe("graph:labels none", spelled(dialect, ir.Scene(ir.Schema(("A",)), (ir.Vertex(1),))))
    setup = spelled(dialect, scene(("A",)))
    index = ir.Index("A", "k")
    yield Probe(
        "graph:index", (dialect.text(index) or "no index here", "MATCH (n:A) WHERE (n.k = 1) RETURN n.id AS c0"), setup
    )
    yield Probe(
        "graph:index drop",
        (dialect.text(ir.Index("A", "s")) or "no index here", dialect.text(ir.DropIndex("A", "s"))),
        setup,
    )
    yield Probe(
        "graph:set",
        (
            dialect.text(ir.SetKey(0, "k", ir.Lit("int", 2), False, "A")),
            dialect.text(ir.SetKey(1, "w", ir.Lit("int", 2), True, "T")),
        ),
        setup,
    )
    yield Probe(
        "graph:set null",
        (dialect.text(ir.SetKey(0, "k", ir.NULL, False, "A")), dialect.text(ir.SetKey(1, "w", ir.NULL, True, "T"))),
        setup,
    )
    yield Probe("graph:drop", (dialect.text(ir.Drop(1, True, "T")), dialect.text(ir.Drop(0, False, "A"))), setup)


def operand(op: str, position: int, kind: str) -> ir.Expr:
    """An operand to ask with: one of those that are drawn, where not all will do."""
    values = good(OPS[op], position, kind)
    return ir.Lit(kind, values[:2][-1]) if values else OPERANDS[kind]


def probes(dialect: CypherDialect) -> Iterator[Probe]:
    """What to ask a graph engine once: statements, patterns, clauses, forms, operators."""
    yield from (probe._replace(is_fresh=True) for probe in statements(dialect))
    setup = spelled(dialect, scene())
    for feature, text in {**PATTERNS, **CLAUSES, **FORMS}.items():
        yield Probe(feature, (text,), setup)
    for kind in (*SCALARS, *LISTS):
        case = ir.Case((ir.When(OPERANDS["bool"], OPERANDS[kind]),), OPERANDS[kind])
        open_case = ir.Case((ir.When(OPERANDS["bool"], OPERANDS[kind]),))
        yield Probe(
            f"expr:case {kind}",
            (f"MATCH (n:A) RETURN {dialect.text(case)} AS c0, {dialect.text(open_case)} AS c1",),
            setup,
        )
    for fn in AGGREGATES:
        for kind in SCALARS:
            made = dialect.text(ir.Agg(fn, OPERANDS[kind]))
            yield Probe(
                f"agg:{fn} {kind}",
                (f"MATCH (n:A) RETURN {made} AS c0", f"MATCH (n:A) RETURN n.b AS c0, {made} AS c1"),
                setup,
            )
        yield Probe(
            f"agg:{fn} distinct",
            (f"MATCH (n:A) RETURN {dialect.text(ir.Agg(fn, OPERANDS['int'], True))} AS c0",),
            setup,
        )
    for feature, name, args, _ in variants():
        source = (
            "p = (n:A)-[r:T]->(m)"
            if {"path", "nodes", "rels"} & set(args)
            else "(n:A)-[r:T]->(m)"
            if "rel" in args
            else "(n:A)"
        )
        made = dialect.text(ir.Op(name, tuple(operand(name, i, a) for i, a in enumerate(args))))
        yield Probe(feature, (f"MATCH {source} RETURN {made} AS c0",), setup)
