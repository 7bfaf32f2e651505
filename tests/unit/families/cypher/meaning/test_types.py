"""Which queries make sense to every engine."""

import pytest

from cypher_standin import query
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.reader import Reader
from gainsay.families.cypher.meaning import types

SCHEMA = ir.Schema(
    ("A", "B"),
    ("T",),
    (ir.Key("k", "int"), ir.Key("s", "str"), ir.Key("b", "bool"), ir.Key("f", "float"), ir.Key("l", "ints")),
    (ir.Key("w", "int"),),
)


def is_typed(text):
    return types.is_typed(SCHEMA, query(text))


def expr(text):
    return Reader(text).expr()


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n.k AS x",
        "MATCH (n)-[r]->(m) WHERE (r.w = m.k) RETURN type(r) AS x, id_ AS y".replace(", id_ AS y", ""),
        "RETURN (1 + 1.5) AS x, (1 < 1.5) AS y",
        "MATCH (n) RETURN coalesce(n.k, null) AS x",
        "RETURN CASE WHEN true THEN 1 ELSE null END AS x",
        "MATCH (n) WHERE (n)-[:T]->() RETURN 1 AS x",
        "MATCH (n) WHERE ((NOT (n)-[:T]->()) OR n.b) RETURN 1 AS x",
        "MATCH (n) RETURN [x IN n.l WHERE (x > 1) | toString(x)] AS x, any(y IN n.l WHERE (y = n.k)) AS y",
        "MATCH (n) WITH n, count(*) AS c WHERE (c > 1) RETURN n.k AS x",
        "MATCH (n) WITH n.k AS k, n.k AS j RETURN k AS x ORDER BY x",
        "MATCH p = (n)-[]->(m) WITH p RETURN length(p) AS x, size(nodes(p)) AS y",
        "UNWIND [1, null] AS x RETURN (x + 1) AS y",
        "RETURN {a: 1, b: 'x'}.b AS x",
        "MATCH (n) RETURN n.k AS x UNION MATCH (n) RETURN 1 AS x",
        "MATCH (n) RETURN n.k AS x UNION RETURN null AS x",
        "MATCH (n)-[r]->(m) MATCH (a)-[r]->(b) RETURN a.k AS x",
        "MATCH (n) RETURN collect(n.k) AS x, avg(n.f) AS y, count(n) AS z, min(n.s) AS w",
        "MATCH (n) WHERE EXISTS { MATCH (n)-[]->(m) WHERE (m.k = n.k) } RETURN COUNT { MATCH (n)-[]->() } AS x",
        "MATCH (n {k: 1}) RETURN (n = n) AS x",
        "MATCH (n) WITH n.k AS n RETURN (n + 1) AS x",
        "MATCH () WITH * RETURN 1 AS x",
    ],
)
def test_a_query_that_makes_sense(text):
    assert is_typed(text)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN m.k AS x",
        "MATCH (n) RETURN n.nope AS x",
        "MATCH (n)-[r]->(m) RETURN r.k AS x",
        "MATCH (n) RETURN n AS x",
        "MATCH p = (n)-[]->(m) RETURN nodes(p) AS x",
        "RETURN (1 + 'a') AS x",
        "RETURN (1 = 'a') AS x",
        "RETURN (true < false) AS x",
        "RETURN (NOT 1) AS x",
        "MATCH (n) WHERE n.k RETURN 1 AS x",
        "MATCH (n) WHERE (count(*) > 1) RETURN 1 AS x",
        "MATCH (n) RETURN count(count(*)) AS x",
        "RETURN CASE WHEN true THEN 1 ELSE 'a' END AS x",
        "RETURN CASE WHEN true THEN 1 ELSE 1.5 END AS x",
        "RETURN CASE 1 WHEN 'a' THEN 1 END AS x",
        "RETURN [1, 'a'] AS x",
        "RETURN [true] AS x",
        "RETURN sum('a') AS x",
        "RETURN 1 AS x, 2 AS x",
        "MATCH (n) WITH n.k AS k RETURN n.k AS x",
        "MATCH (n) WITH n.k AS k RETURN k AS x ORDER BY n",
        "MATCH (n) RETURN (n)-[]->() AS x",
        "MATCH (n) WHERE ((n)-[]->() = true) RETURN 1 AS x",
        "MATCH (n) WHERE (n)-[]->(m) RETURN 1 AS x",
        "MATCH (n)-[n]->(m) RETURN 1 AS x",
        "MATCH (n)-[r]->(m)-[r]->(o) RETURN 1 AS x",
        "MATCH (n)-[r*1..2]->(m) RETURN 1 AS x",
        "MATCH p = (n)-[]->(m) MATCH p = (n)-[]->(m) RETURN 1 AS x",
        "MATCH (n {k: 'a'}) RETURN 1 AS x",
        "MATCH (n {w: 1}) RETURN 1 AS x",
        "MATCH (n {k: m.k})-[]->(m) RETURN 1 AS x",
        "UNWIND 1 AS x RETURN x AS y",
        "UNWIND [1] AS x UNWIND [2] AS x RETURN x AS y",
        "RETURN 1 AS x UNION RETURN 'a' AS x",
        "RETURN 1 AS x UNION RETURN 1 AS y",
        "RETURN 1 AS x UNION RETURN 1 AS x, 2 AS y",
        "WITH * RETURN 1 AS x",
        "RETURN {a: 1}.b AS x",
        "RETURN reduce(t = 0, x IN ['a'] | x) AS x",
        "RETURN any(x IN [1] WHERE x) AS x",
        "RETURN labels(1) AS x",
        "MATCH (n) RETURN (n.k:A) AS x".replace("(n.k:A)", "size(n.k)"),
    ],
)
def test_a_query_that_makes_no_sense_or_only_to_some(text):
    assert not is_typed(text)


def test_a_query_ends_with_return():
    match = ir.Match((ir.Path(ir.NodePat("n")),))
    last = ir.Return((ir.Item(ir.TRUE, "x"),))
    assert not types.is_typed(SCHEMA, ir.Query((ir.Single((match,)),)))
    assert not types.is_typed(SCHEMA, ir.Query((ir.Single((last, last)),)))
    assert not types.is_typed(SCHEMA, ir.Query((ir.Single(()),))) and not types.is_typed(SCHEMA, ir.Query(()))
    assert not types.is_typed(SCHEMA, ir.Query((ir.Single((ir.Match(()), last)),)))
    assert not types.is_typed(SCHEMA, ir.Query((ir.Single((ir.Return(()),)),)))


@pytest.mark.parametrize(
    "text",
    ["RETURN (([] + []) + ['A']) AS x", "RETURN (([])[0] > 'a') AS x", "RETURN CASE last([]) WHEN '' THEN 1 END AS x"],
)
def test_what_an_empty_list_holds_is_open(text):
    assert is_typed(text)


def test_a_group_by_a_list_is_not_drawn_and_refused():
    assert not is_typed("WITH [1] AS l WITH l, count(*) AS c RETURN c AS x")


def test_a_pattern_comprehension_of_a_lone_node_is_refused():
    assert not types.is_typed(
        SCHEMA,
        ir.Query(
            (
                ir.Single(
                    (
                        ir.Return(
                            (ir.Item(ir.Op("size", (ir.PatternList(ir.Path(ir.NodePat()), ir.Lit("int", 1)),)), "x"),)
                        ),
                    )
                ),
            )
        ),
    )
