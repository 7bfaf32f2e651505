"""Cypher text to trees: what is read, how, and what is refused."""

import json
import re
from pathlib import Path

import pytest

from cypher_standin import FAMILY, rows
from gainsay.core.tree import walk
from gainsay.families.cypher.drawing import fixed_questions
from gainsay.families.cypher.language import ir, parse
from gainsay.families.cypher.language.reader import Reader, Unread, read

KNOWN = json.loads((Path(__file__).parents[4] / "history" / "known" / "cypher.json").read_text())


def expr(text):
    reader = Reader(text)
    found = reader.expr()
    assert reader.tokens[reader.at][0] == "end", text
    return found


def written(node):
    return FAMILY.dialect("neo4j").text(node)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1 + 2 * 3", "(1 + (2 * 3))"),
        ("1 - 2 - 3", "((1 - 2) - 3)"),
        ("2 ^ 3 ^ 2", "((2 ^ 3) ^ 2)"),
        ("a OR b AND NOT c", "(a OR (b AND (NOT c)))"),
        ("a XOR b AND c", "(a XOR (b AND c))"),
        ("a AND b XOR c", "((a AND b) XOR c)"),
        ("a XOR b OR c", "((a XOR b) OR c)"),
        ("NOT a = b", "(NOT (a = b))"),
        ("a.k + 1 = 2 AND b", "(((a.k + 1) = 2) AND b)"),
        ("a.s STARTS WITH 'x' OR a.s IS NULL", "((a.s STARTS WITH 'x') OR (a.s IS NULL))"),
        ("a IN [1, 2] = true", "((a IN [1, 2]) = true)"),
        ("- a.k", "(-(a.k))"),
        ("-1", "-1"),
        ("- 1", "-1"),
        ("--1", "(-(-1))"),
        ("l[0]", "(l)[0]"),
        ("l[0..2]", "(l)[0..2]"),
        ("l[..2]", "(l)[..2]"),
        ("l[1..]", "(l)[1..]"),
        ("l[0][1]", "((l)[0])[1]"),
        ("COUNT(*)", "count(*)"),
        ("TOUPPER(a)", "toUpper(a)"),
        ("count(DISTINCT a)", "count(DISTINCT a)"),
        ("substring(a, 1, 2)", "substring(a, 1, 2)"),
        ("coalesce(a, b, c)", "coalesce(a, b, c)"),
        ("n:A", "(n:A)"),
        ("(n:A)", "(n:A)"),
        ("EXISTS { (n)-[:T]->() }", "EXISTS { MATCH (n)-[:T]->() }"),
        ("exists { MATCH (n)-->(m) WHERE m.k = 1 }", "EXISTS { MATCH (n)-[]->(m) WHERE (m.k = 1) }"),
        ("(n)--(m)", "(n)-[]-(m)"),
        ("[x IN l WHERE x > 1]", "[x IN l WHERE (x > 1)]"),
        ("[x IN l | x]", "[x IN l | x]"),
        ("[(n)-[:T]->(m) WHERE m.k = 1 | m.id]", "[(n)-[:T]->(m) WHERE (m.k = 1) | m.id]"),
        ("[(n)]", "[n]"),
        ("[x, y]", "[x, y]"),
        ("reduce(t = 0, x IN [1] | t + x)", "reduce(t = 0, x IN [1] | (t + x))"),
        ("all(x IN l WHERE x)", "all(x IN l WHERE x)"),
        ("CASE a WHEN 1 THEN 2 END", "CASE a WHEN 1 THEN 2 END"),
        ("CASE WHEN a THEN 1 WHEN b THEN 2 ELSE 3 END", "CASE WHEN a THEN 1 WHEN b THEN 2 ELSE 3 END"),
        ("{a: 1, b: 'x'}.a", "{a: 1, b: 'x'}.a"),
        ("cast(a AS INT64)", "toInteger(a)"),
        ("1e3", "1000.0"),
        ("1.5E-2", "0.015"),
        ('"it\'s"', "'it\\'s'"),
        ("'a\\nb'", "'a\\nb'"),
        ("TRUE", "true"),
        ("Null", "null"),
        ("`odd name`", "odd name"),
    ],
)
def test_an_expression_is_read_by_its_precedence(text, meant):
    assert written(expr(text)) == meant


@pytest.mark.parametrize(
    "text",
    [
        "1 < 2 < 3", "1 = 2 = 3", "f(1)", "cast(a AS BLOB)", "(1", "[1", "{a 1}", "CASE WHEN 1 END", "MATCH", "1 +",
        "", "a..b", "$x", "any(x IN l)",
        "reduce(t = 0, x IN l)", "'open", "n.", "count()", "(n)-[:T]->(m", "EXISTS { }",
    ],
)  # fmt: skip
def test_what_is_no_expression_is_refused(text):
    with pytest.raises(Unread):
        Reader(text).expr()
        raise Unread if text == "a..b" else AssertionError("was read")


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n)", "RETURN 1 AS x MATCH (n) RETURN 2 AS x", "MATCH (n) SET n.k = 1",
        "CALL { RETURN 1 AS x } RETURN x", "RETURN 1 AS x UNION", "MATCH n RETURN 1 AS x",
        "MATCH (n)<-[r]->(m) RETURN 1 AS x", "RETURN", "WITH RETURN 1 AS x", "UNWIND [1] RETURN 1 AS x",
        "RETURN 1 AS x LIMIT n", "FOREACH (x IN [1] | CREATE (n))",
    ],
)  # fmt: skip
def test_what_is_no_query_is_refused(text):
    with pytest.raises(Unread):
        read(text)


@pytest.mark.parametrize(
    ("text", "length"),
    [("*", (1,)), ("*2", (2, 2)), ("*..3", (1, 3)), ("*2..", (2,)), ("*0..1", (0, 1)), ("", ()), (":T*1..1", (1, 1))],
)
def test_the_length_of_a_path(text, length):
    query = read(f"MATCH (a)-[{text}]->(b) RETURN 1 AS x")
    assert query.parts[0].clauses[0].patterns[0].hops[0].rel.length == length


def test_patterns_have_all_their_parts():
    query = read("OPTIONAL MATCH p = (a:A:B {k: 1})<-[r:T|:S {w: 2}]-(b:A|B), (c) WHERE a.k = 1 RETURN a.k AS x")
    match = query.parts[0].clauses[0]
    path = match.patterns[0]
    assert (path.var, path.start, match.optional) == (
        "p",
        ir.NodePat("a", ("A", "B"), (ir.Entry("k", ir.Lit("int", 1)),)),
        True,
    )
    assert path.hops[0] == ir.Hop(
        ir.RelPat("r", ("T", "S"), "<-", (ir.Entry("w", ir.Lit("int", 2)),)), ir.NodePat("b", ("A", "B"), (), True)
    )
    assert match.patterns[1] == ir.Path(ir.NodePat("c"))


def test_clauses_have_all_their_parts():
    query = read(
        "MATCH (n) WITH DISTINCT *, n.k AS k ORDER BY k DESC, n.s ASC SKIP 1 LIMIT 2 WHERE k > 0 RETURN DISTINCT k "
        "ORDER BY k DESCENDING SKIP 3 LIMIT 4"
    )
    with_, last = query.parts[0].clauses[1:]
    assert (with_.star, with_.distinct, with_.skip, with_.limit, len(with_.items)) == (True, True, 1, 2, 1)
    assert [o.desc for o in with_.order] == [True, False] and with_.where is not None
    assert (last.distinct, last.skip, last.limit, last.order[0].desc, last.items[0].name) == (True, 3, 4, True, "k")


def test_parts_of_a_union():
    assert read("RETURN 1 AS x UNION RETURN 2 AS x").is_all is False
    query = read("RETURN 1 AS x UNION ALL RETURN 2 AS x;")
    assert query.is_all and len(query.parts) == 2


def test_a_mixture_of_unions_is_refused():
    with pytest.raises(Unread):
        read("RETURN 1 AS x UNION ALL RETURN 1 AS x UNION RETURN 1 AS x")


def test_columns_without_a_name_get_one_that_is_free():
    assert [i.name for i in read("RETURN 1, 2 AS c0, n.k, x").parts[0].clauses[0].items] == ["c1", "c0", "c2", "x"]


def test_words_in_any_case():
    assert read("match (n) where n.k is not null return n.k as x order by x desc") == read(
        "MATCH (n) WHERE n.k IS NOT NULL RETURN n.k AS x ORDER BY x DESC"
    )


@pytest.mark.parametrize("text", fixed_questions.QUESTIONS)
def test_every_fixed_question_is_read_and_written_alike(text):
    """But for the brackets around a whole condition or column."""
    assert re.sub(r"[()]", "", written(read(text))) == re.sub(r"[()]", "", text)
    assert read(written(read(text))) == read(text)


@pytest.mark.parametrize("known", KNOWN, ids=[k["id"] for k in KNOWN])
def test_every_known_bug_is_read_to_the_last_word(known):
    scene, questions = parse.known(known["setup"], known["query"])
    assert not scene.raw and all(isinstance(q, ir.Query) for q in questions)
    assert len(scene.vertices) == sum(
        s.count(" {") - s.count("-[:T {") for s in known["setup"] if s.startswith("CREATE (")
    ) or "INDEX" in str(known)


def test_a_graph_is_read_from_its_statements():
    scene, _ = parse.known(
        [
            "CREATE (a:A {id: 7, k: 1, s: 'x', l: [1, 2]}), (b:B {id: 8}), (a)-[:T {id: 9, w: 1.5}]->(b)<-[:S]-(a)",
            "CREATE INDEX FOR (n:A) ON (n.k)",
        ],
        "MATCH (n) RETURN n.id AS x",
    )
    assert scene.schema.labels == ("A", "B") and scene.schema.types == ("T", "S")
    assert [(k.name, k.type) for k in scene.schema.node_keys] == [("k", "int"), ("s", "str"), ("l", "ints")]
    assert [(e.source, e.target, e.type) for e in scene.edges] == [(7, 8, "T"), (7, 8, "S")] and scene.edges[0].id == 9
    assert scene.indexes == (ir.Index("A", "k", True),)
    assert sorted(rows(scene, "MATCH (n) RETURN n.id AS x, n.k AS k")) == [(7, 1), (8, None)]


@pytest.mark.parametrize(
    "setup",
    [
        "CREATE (a)-[:T]-(b)",
        "CREATE (a)-[:T|S]->(b)",
        "CREATE (:A {k: 1}), (:A {k: 'x'})",
        "MERGE (a)",
        "CREATE (:A {k: null})",
        "CREATE (a)-[]->(b)",
    ],
)
def test_a_statement_that_is_not_understood_stays_text(setup):
    scene, questions = parse.known([setup], "MATCH (n) RETURN n.k AS x")
    assert scene.raw == (setup,) and questions == [ir.RawQuery("MATCH (n) RETURN n.k AS x")]


def test_a_query_that_is_not_understood_stays_text():
    scene, questions = parse.known(["CREATE (:A {id: 1})"], "CALL db.labels()")
    assert questions == [ir.RawQuery("CALL db.labels()")] and len(scene.vertices) == 1


def test_tables_are_read():
    scene, _ = parse.known(
        [
            "CREATE NODE TABLE A(id INT64, k INT64, PRIMARY KEY(id))",
            "CREATE REL TABLE T(FROM A TO A, id INT64, w DOUBLE)",
            "CREATE (:A {id: 1})",
        ],
        "RETURN 1 AS x",
    )
    assert scene.schema == ir.Schema(("A",), ("T",), (ir.Key("k", "int"),), (ir.Key("w", "float"),))


def test_tables_with_lists_are_read():
    scene, _ = parse.known(
        ["CREATE NODE TABLE A(id INT64, l INT64[], PRIMARY KEY(id))", "CREATE (:A {id: 1})"], "RETURN 1 AS x"
    )
    assert scene.raw or scene.schema.node_keys == (ir.Key("l", "ints"),)


def test_nothing_that_was_read_is_raw():
    for known in KNOWN:
        for question in parse.known(known["setup"], known["query"])[1]:
            assert not any(isinstance(n, (ir.RawExpr, ir.RawQuery)) for _, n in walk(question))
