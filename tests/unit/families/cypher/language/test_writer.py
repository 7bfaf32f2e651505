"""Trees to text, in each dialect: queries, statements, literals."""

import pytest

from cypher_standin import DIALECTS, FAMILY, query
from gainsay.families.cypher import probe
from gainsay.families.cypher.drawing import scenes
from gainsay.families.cypher.language import dialects, ir
from gainsay.families.cypher.language.ops import OPS
from gainsay.families.cypher.language.writer import CypherDialect

SCENE = ir.Scene(
    ir.Schema(("A", "B"), ("T",), (ir.Key("k", "int"), ir.Key("l", "strs")), (ir.Key("w", "float"),)),
    (
        ir.Vertex(0, ("A",), (ir.Kept("k", ir.Lit("int", -1)), ir.Kept("l", ir.ListOf((ir.Lit("str", "a'b"),))))),
        ir.Vertex(1, ("B",)),
    ),
    (ir.Edge(2, 0, 1, "T", (ir.Kept("w", ir.Lit("float", 1.0)),)),),
    (ir.Index("A", "k"), ir.Index("B", "k", True)),
    (
        ir.SetKey(0, "k", ir.NULL, False, "A"),
        ir.SetKey(2, "w", ir.Lit("float", 2.5), True, "T"),
        ir.Drop(2, True, "T"),
        ir.Drop(1, False, ""),
    ),
)
CREATE = "CREATE (n0:A {id: 0, k: -1, l: ['a\\'b']}), (n1:B {id: 1}), (n0)-[:T {id: 2, w: 1.0}]->(n1)"
CHANGES = [
    "MATCH (x:A {id: 0}) SET x.k = null",
    "MATCH ()-[x:T {id: 2}]->() SET x.w = 2.5",
    "MATCH ()-[x:T {id: 2}]->() DELETE x",
    "MATCH (x {id: 1}) DETACH DELETE x",
]


def texts(dialect):
    return [t for t in map(FAMILY.dialect(dialect).text, scenes.script(SCENE)) if t]


@pytest.mark.parametrize("dialect", ["arcadedb", "graphqlite", "neo4j"])
def test_indexes_have_names_and_there_are_no_tables(dialect):
    assert texts(dialect) == [
        "CREATE INDEX gainsay_A_k FOR (n:A) ON (n.k)", CREATE, "CREATE INDEX gainsay_B_k FOR (n:B) ON (n.k)", *CHANGES
    ]  # fmt: skip
    assert FAMILY.dialect(dialect).text(ir.DropIndex("A", "k")) == "DROP INDEX gainsay_A_k"


def test_falkordbs_statements():
    assert texts("falkordb") == ["CREATE INDEX FOR (n:A) ON (n.k)", CREATE, "CREATE INDEX FOR (n:B) ON (n.k)", *CHANGES]
    assert FAMILY.dialect("falkordb").text(ir.DropIndex("A", "k")) == "DROP INDEX ON :A(k)"


def test_memgraphs_statements():
    assert texts("memgraph") == ["CREATE INDEX ON :A(k)", CREATE, "CREATE INDEX ON :B(k)", *CHANGES]
    assert FAMILY.dialect("memgraph").text(ir.DropIndex("A", "k")) == "DROP INDEX ON :A(k)"


def test_kuzus_tables():
    assert texts("kuzu") == [
        "CREATE NODE TABLE A(id INT64, k INT64, l STRING[], PRIMARY KEY(id))",
        "CREATE NODE TABLE B(id INT64, k INT64, l STRING[], PRIMARY KEY(id))",
        "CREATE REL TABLE GROUP T(FROM A TO A, FROM A TO B, FROM B TO A, FROM B TO B, id INT64, w DOUBLE)",
        CREATE,
        *CHANGES,
    ]
    assert FAMILY.dialect("kuzu").text(ir.EdgeTable("T", ("A",), ())) == "CREATE REL TABLE T(FROM A TO A, id INT64)"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_only_kuzu_has_tables(dialect):
    assert FAMILY.dialect(dialect).has_tables == (dialect == "kuzu")
    assert bool(FAMILY.dialect(dialect).text(ir.NodeTable("A", ()))) == (dialect == "kuzu")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"), (True, "true"), (False, "false"), (0, "0"), (-5, "-5"), (1.0, "1.0"), (-0.5, "-0.5"),
        (1e-05, "1e-05"), (2**63 - 1, "9223372036854775807"),
        ("", "''"), ("it's", "'it\\'s'"), ('say "x"', "'say \"x\"'"), ("a\\b", "'a\\\\b'"),
        ("a\nb\tc\rd", "'a\\nb\\tc\\rd'"), ("é☃𝄞", "'é☃𝄞'"), ("%s", "'%s'"),
        ("\\'", "'\\\\\\''"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_literal(dialect, value, text):
    kind = {type(None): "null", bool: "bool", int: "int", float: "float", str: "str"}[type(value)]
    assert FAMILY.dialect(dialect).text(ir.Lit(kind, value)) == text


def test_a_percent_sign_in_a_literal_is_no_place_in_a_template():
    made = ir.Op("=", (ir.Lit("str", "100%s"), ir.Op("%", (ir.Lit("int", 7), ir.Lit("int", 2)))))
    assert FAMILY.dialect("neo4j").text(made) == "('100%s' = (7 % 2))"


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (ir.NodePat(), "()"),
        (ir.NodePat("n"), "(n)"),
        (ir.NodePat("", ("A",)), "(:A)"),
        (ir.NodePat("n", ("A", "B")), "(n:A:B)"),
        (ir.NodePat("n", ("A", "B"), (), True), "(n:A|B)"),
        (ir.NodePat("", (), (ir.Entry("k", ir.TRUE),)), "({k: true})"),
        (ir.NodePat("n", ("A",), (ir.Entry("k", ir.TRUE), ir.Entry("s", ir.Lit("str", "")))), "(n:A {k: true, s: ''})"),
        (ir.RelPat(), "-[]->"),
        (ir.RelPat("r", ("T", "S"), "<-"), "<-[r:T|S]-"),
        (ir.RelPat("", ("T",), "-", (), (1,)), "-[:T*1..]-"),
        (ir.RelPat("", (), "->", (), (0, 2)), "-[*0..2]->"),
        (ir.RelPat("", (), "->", (ir.Entry("w", ir.NULL),)), "-[ {w: null}]->"),
    ],
)
def test_a_pattern(pattern, text):
    assert FAMILY.dialect("neo4j").text(pattern) == text


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n:A) WHERE n.k = 1 RETURN n.k AS x",
        "OPTIONAL MATCH p = (a)-[r:T]->(b), (c) WITH *, length(p) AS x RETURN x AS x",
        "MATCH (n) WITH DISTINCT n, n.k AS k ORDER BY k DESC, n.s SKIP 1 LIMIT 2 WHERE k > 1 RETURN DISTINCT k AS c0 "
        "ORDER BY c0 SKIP 0 LIMIT 9",
        "UNWIND [1, null] AS x RETURN x AS x UNION ALL RETURN 2 AS x",
        "RETURN 1 AS x UNION RETURN 2 AS x UNION RETURN 3 AS x",
        "MATCH (n) WHERE EXISTS { MATCH (n)-[]->(m), (m) WHERE m.b } RETURN count(DISTINCT n) AS x, collect(n.k) AS "
        "y, count(*) AS z",
        "RETURN [x IN [1] WHERE (x > 0) | (x + 1)] AS x, all(y IN [] WHERE y) AS y, reduce(t = 0, z IN [1] | (t + z)) "
        "AS z",
    ],
)
def test_a_query_is_written_as_it_stands_here(text):
    assert FAMILY.dialect("neo4j").text(query(text)) == text


def test_a_column_is_always_named_and_a_variable_that_is_passed_on_is_not():
    made = ir.Query((ir.Single((ir.With((ir.Item(ir.Var("n"), "n"),)), ir.Return((ir.Item(ir.Var("n"), "n"),)))),))
    assert FAMILY.dialect("neo4j").text(made) == "WITH n RETURN n AS n"


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", OPS)
def test_every_operator_is_spelled_with_every_number_of_operands(dialect, name):
    for args, _ in OPS[name].signatures:
        made = FAMILY.dialect(dialect).text(ir.Op(name, tuple(probe.operand(name, i, a) for i, a in enumerate(args))))
        assert "%s" not in made and made.count("(") == made.count(")")


def test_kuzus_casts():
    text = FAMILY.dialect("kuzu").text
    assert text(ir.Op("toFloat", (ir.Var("x"),))) == "CAST(x, 'DOUBLE')"
    assert text(ir.Op("toString", (ir.Var("x"),))) == "CAST(x, 'STRING')"
    assert text(ir.Op("coalesce", (ir.Var("x"),) * 3)) == "coalesce(x, x, x)"


def test_what_a_dialect_lacks_is_the_name_of_a_probe():
    for dialect in DIALECTS:
        features = {p.feature for p in probe.probes(FAMILY.dialect(dialect))}
        known = features | {f.partition("/")[0] for f in features}
        assert FAMILY.dialect(dialect).lacks <= known, FAMILY.dialect(dialect).lacks - known


def test_a_dialect_of_somebody_else_is_found_by_its_module():
    assert dialects.find("cypher_standin:TABLES").has_tables
    assert isinstance(dialects.find("neo4j"), CypherDialect)


def test_edges_to_nodes_of_earlier_statements():
    made = ir.Create((), (ir.Edge(2, 0, 1, "T"),), (ir.Vertex(0, ("A",)), ir.Vertex(1)))
    assert FAMILY.dialect("neo4j").text(made) == "MATCH (n0:A {id: 0}), (n1 {id: 1}) CREATE (n0)-[:T {id: 2}]->(n1)"
