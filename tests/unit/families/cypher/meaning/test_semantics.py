"""The meaning of queries, one line for each fact: a query, and the rows that openCypher gives for it, found by hand."""

import pytest

from gainsay.families.cypher.language.parse import known
from gainsay.families.cypher.language.reader import read
from gainsay.families.cypher.meaning.graph import graph_of
from gainsay.families.cypher.meaning.profile import profile
from gainsay.families.cypher.meaning.semantics import (
    Evaluator,
    Failed,
    TooBig,
    Undetermined,
    columns,
    has_unordered_lists,
)

# 1:A =2 x T=> 2:B -S-> 3:A:B (with a loop T) -S-> 1; and 4, alone
GRAPH = (
    "CREATE (a:A {id: 1, k: 1, s: 'a', b: true}), (b:B {id: 2, k: 2, s: 'b'}), (c:A:B {id: 3, s: ''}), (d {id: 4, k: "
    "1, f: 1.5}),"
    " (a)-[:T {id: 10, w: 1}]->(b), (a)-[:T {id: 11, w: 2}]->(b), (b)-[:S {id: 12}]->(c), (c)-[:T {id: 13, w: "
    "1}]->(c), (c)-[:S {id: 14}]->(a)",
)
SCENE = known(GRAPH, "RETURN 1 AS x")[0]
STANDARD = Evaluator(graph_of(SCENE), profile(()))


def bag(rows):
    return sorted(rows, key=repr)


NODES = [
    ("MATCH (n) RETURN n.id AS x", [(1,), (2,), (3,), (4,)]),
    ("MATCH (n:A) RETURN n.id AS x", [(1,), (3,)]),
    ("MATCH (n:A:B) RETURN n.id AS x", [(3,)]),
    ("MATCH (n:A|B) RETURN n.id AS x", [(1,), (2,), (3,)]),
    ("MATCH (n:C) RETURN n.id AS x", []),
    ("MATCH (n {k: 1}) RETURN n.id AS x", [(1,), (4,)]),
    ("MATCH (n {k: 1, b: true}) RETURN n.id AS x", [(1,)]),
    ("MATCH (n {k: null}) RETURN n.id AS x", []),
    ("MATCH (n {f: 1.5}) RETURN n.id AS x", [(4,)]),
    ("MATCH (n {k: 1.0}) RETURN n.id AS x", [(1,), (4,)]),
    ("MATCH (n:A), (m:B) RETURN n.id AS x, m.id AS y", [(1, 2), (1, 3), (3, 2), (3, 3)]),
    ("MATCH (n:A), (n:B) RETURN n.id AS x", [(3,)]),
    ("MATCH (n:A) MATCH (n:B) RETURN n.id AS x", [(3,)]),
    ("MATCH (n) WHERE n:A RETURN n.id AS x", [(1,), (3,)]),
    ("MATCH (n) WHERE n.k > 1 RETURN n.id AS x", [(2,)]),
    ("MATCH (n) WHERE NOT n.k > 1 RETURN n.id AS x", [(1,), (4,)]),
    ("MATCH (n) WHERE (n.k > 1) IS NULL RETURN n.id AS x", [(3,)]),
    ("MATCH (n), (m {k: n.id}) RETURN n.id AS x, m.id AS y", [(1, 1), (1, 4), (2, 2)]),
    ("MATCH (m {k: n.id}), (n) RETURN n.id AS x, m.id AS y", [(1, 1), (1, 4), (2, 2)]),
    ("MATCH () RETURN count(*) AS x", [(4,)]),
]

RELATIONSHIPS = [
    (
        "MATCH (n)-[r]->(m) RETURN n.id AS x, r.id AS r, m.id AS y",
        [(1, 10, 2), (1, 11, 2), (2, 12, 3), (3, 13, 3), (3, 14, 1)],
    ),
    ("MATCH (n)<-[r]-(m) RETURN n.id AS x, r.id AS r", [(2, 10), (2, 11), (3, 12), (3, 13), (1, 14)]),
    ("MATCH (n:A)-[:T]->(m) RETURN n.id AS x, m.id AS y", [(1, 2), (1, 2), (3, 3)]),
    ("MATCH (n {id: 1})-[r]-() RETURN r.id AS r", [(10,), (11,), (14,)]),
    # an undirected pattern takes a loop once
    ("MATCH (n {id: 3})-[r]-() RETURN r.id AS r", [(12,), (13,), (14,)]),
    ("MATCH (n)-[r:S|T]->(n) RETURN r.id AS r", [(13,)]),
    ("MATCH ()-[r {w: 1}]->() RETURN r.id AS r", [(10,), (13,)]),
    # the relationships of one MATCH are different
    ("MATCH (a)-[r]->(b)<-[s]-(c) RETURN r.id AS r, s.id AS s", [(10, 11), (11, 10), (12, 13), (13, 12)]),
    ("MATCH (a)-[r]->(b), (c)-[s:S]->(d) WHERE a.id = 2 RETURN r.id AS r, s.id AS s", [(12, 14)]),
    # those of two are not
    ("MATCH (a)-[r:S]->(b) MATCH (c)-[s:S]->(d) RETURN r.id AS r, s.id AS s", [(12, 12), (12, 14), (14, 12), (14, 14)]),
    (
        "MATCH (a)-[r]->(b) MATCH (b)<-[r]-(c) RETURN r.id AS r, c.id AS c",
        [(10, 1), (11, 1), (12, 2), (13, 3), (14, 3)],
    ),
    ("MATCH (a)-[r:T]->(b) MATCH (b)-[r]->(c) RETURN r.id AS r", [(13,)]),
    ("MATCH (a:A)-[:T]->(b)-[:S]->(c) RETURN a.id AS a, c.id AS c", [(1, 3), (1, 3), (3, 1)]),
    ("MATCH (b {id: 2}) MATCH (a)-[r]->(b) RETURN r.id AS r", [(10,), (11,)]),
    ("MATCH (a)-[r]->(b {k: a.k + 1}) RETURN r.id AS r", [(10,), (11,)]),
    ("MATCH ()-[r {w: x.k}]->(x) RETURN r.id AS r", [(11,)]),
]

PATHS = [
    ("MATCH (a {id: 1})-[*1..1]->(b) RETURN b.id AS b", [(2,), (2,)]),
    ("MATCH (a {id: 1})-[*0..1]->(b) RETURN b.id AS b", [(1,), (2,), (2,)]),
    ("MATCH (a {id: 1})-[*0..0]->(b) RETURN b.id AS b", [(1,)]),
    ("MATCH (a {id: 1})-[*2..2]->(b) RETURN b.id AS b", [(3,), (3,)]),
    # no relationship twice: 3-13->3 and 3-14->1 once each; 10 and 11 in turn
    ("MATCH (a {id: 2})-[*1..3]->(b) RETURN b.id AS b", [(3,), (3,), (1,), (1,), (2,), (2,)]),
    ("MATCH (a {id: 3})-[:T*1..]->(b) RETURN b.id AS b", [(3,)]),
    ("MATCH (a {id: 3})-[:T*1..]-(b) RETURN b.id AS b", [(3,)]),
    ("MATCH (a {id: 4})-[*0..]-(b) RETURN b.id AS b", [(4,)]),
    ("MATCH (a {id: 4})-[*1..]-(b) RETURN b.id AS b", []),
    ("MATCH (a {id: 1})-[:T*1..2]-(b) RETURN b.id AS b", [(2,), (2,), (1,), (1,)]),
    # a fixed relationship and a path of variable length are different, too
    ("MATCH (a {id: 1})-[r:T]->(b)-[:T*1..1]-(c) RETURN r.id AS r, c.id AS c", [(10, 1), (11, 1)]),
    ("MATCH (a:A)-[*1..2]->(a) RETURN a.id AS a", [(3,)]),
    ("MATCH (a {id: 1})-[*2..2]->(:A:B) RETURN a.id AS a", [(1,), (1,)]),
    ("MATCH (a {id: 1})-[*1..1 {w: 2}]->(b) RETURN b.id AS b", [(2,)]),
    ("MATCH p = (a {id: 2})-[*1..2]->(b) RETURN length(p) AS n", [(1,), (2,), (2,)]),
    ("MATCH p = (a {id: 4}) RETURN length(p) AS n, size(nodes(p)) AS m", [(0, 1)]),
    ("MATCH p = (a {id: 2})-[:S]->()-[:S]->() RETURN [n IN nodes(p) | n.id] AS x", [([2, 3, 1],)]),
    ("MATCH p = (a {id: 1})<-[:S]-()<-[:S]-() RETURN [n IN nodes(p) | n.id] AS x", [([1, 3, 2],)]),
    (
        "MATCH p = (a {id: 1})-[*3..3]->() RETURN [r IN relationships(p) | r.id] AS x",
        [([10, 12, 13],), ([10, 12, 14],), ([11, 12, 13],), ([11, 12, 14],)],
    ),
]

OPTIONAL = [
    ("OPTIONAL MATCH (n:C) RETURN n.id AS x", [(None,)]),
    ("MATCH (n) OPTIONAL MATCH (n)-[r:S]->(m) RETURN n.id AS x, m.id AS y", [(1, None), (2, 3), (3, 1), (4, None)]),
    # its WHERE belongs to the search
    ("MATCH (n:A) OPTIONAL MATCH (n)-[r]->(m) WHERE m.id = 1 RETURN n.id AS x, r.id AS r", [(1, None), (3, 14)]),
    ("MATCH (n:A) OPTIONAL MATCH (n)-[r]->(m), (m)-[:S]->(o {id: 1}) RETURN n.id AS x, o.id AS o", [(1, None), (3, 1)]),
    # a variable that is null matches nothing
    ("OPTIONAL MATCH (n:C) MATCH (n) RETURN 1 AS x", []),
    ("OPTIONAL MATCH (n:C) MATCH (n)-[]->(m) RETURN 1 AS x", []),
    ("OPTIONAL MATCH (n:C) MATCH (m)-[]->(n) RETURN 1 AS x", []),
    ("OPTIONAL MATCH (n:C) OPTIONAL MATCH (n)-[r]->(m) RETURN m.id AS x", [(None,)]),
    ("OPTIONAL MATCH (n:C) WITH n OPTIONAL MATCH (m {id: 1}) RETURN n.id AS x, m.id AS y", [(None, 1)]),
    ("MATCH (n:A) OPTIONAL MATCH (n:B) RETURN n.id AS x", [(1,), (3,)]),
    ("OPTIONAL MATCH p = (:C)-[]->() RETURN length(p) AS x", [(None,)]),
    ("OPTIONAL MATCH (n:C) RETURN n IS NULL AS x, n.k AS y, n:A AS z", [(True, None, None)]),
    ("MATCH (n {id: 1}) OPTIONAL MATCH (n)-[r]->(m) RETURN count(*) AS x", [(2,)]),
]

PROJECTIONS = [
    ("MATCH (n) WITH n.k AS k RETURN k AS x", [(1,), (2,), (None,), (1,)]),
    ("MATCH (n) WITH DISTINCT n.k AS k RETURN k AS x", [(1,), (2,), (None,)]),
    ("MATCH (n:A) OPTIONAL MATCH (n)-[:S]->(m) WITH DISTINCT * RETURN n.id AS x, m.id AS y", [(1, None), (3, 1)]),
    ("MATCH (n) RETURN DISTINCT n.b AS x", [(True,), (None,)]),
    ("MATCH (n) WITH n WHERE n.k = 2 RETURN n.id AS x", [(2,)]),
    ("MATCH (n {id: 1}) WITH *, n.k + 1 AS k RETURN n.id AS x, k AS y", [(1, 2)]),
    ("MATCH (n {id: 1}) WITH n.k AS n RETURN n AS x", [(1,)]),
    ("UNWIND [1, 2] AS x RETURN x AS x", [(1,), (2,)]),
    ("UNWIND [] AS x RETURN x AS x", []),
    ("UNWIND null AS x RETURN x AS x", []),
    ("UNWIND [null, 1] AS x RETURN x AS x", [(None,), (1,)]),
    ("UNWIND [1, 2] AS x UNWIND [x, 3] AS y RETURN x AS x, y AS y", [(1, 1), (1, 3), (2, 2), (2, 3)]),
    ("RETURN 1 AS x UNION RETURN 1 AS x", [(1,)]),
    ("RETURN 1 AS x UNION ALL RETURN 1 AS x", [(1,), (1,)]),
    ("UNWIND [1, 1, null, null] AS x RETURN x AS x UNION RETURN 2 AS x", [(1,), (None,), (2,)]),
    ("UNWIND [3, null, 1] AS x WITH x ORDER BY x LIMIT 1 RETURN x AS x", [(1,)]),
    ("UNWIND [3, null, 1] AS x WITH x ORDER BY x DESC LIMIT 1 RETURN x AS x", [(None,)]),
    ("UNWIND [3, null, 1] AS x WITH x ORDER BY x SKIP 2 RETURN x AS x", [(None,)]),
    ("UNWIND [3, 1] AS x WITH x ORDER BY x SKIP 1 LIMIT 5 RETURN x AS x", [(3,)]),
    ("UNWIND [3, 1] AS x RETURN x AS x LIMIT 0", []),
    ("UNWIND ['b', '', 'B'] AS x WITH x ORDER BY x LIMIT 2 RETURN x AS x", [("",), ("B",)]),
    # ties at the border that are the same row
    ("UNWIND [1, 1, 1] AS x WITH x ORDER BY x LIMIT 2 RETURN x AS x", [(1,), (1,)]),
    ("UNWIND [7, 7] AS x RETURN x AS x LIMIT 1", [(7,)]),
    # WHERE after LIMIT
    ("UNWIND [1, 2, 3] AS x WITH x ORDER BY x LIMIT 2 WHERE x > 1 RETURN x AS x", [(2,)]),
    # WHERE may look back at what is not projected
    ("UNWIND [1, 2] AS x WITH 3 AS y, x WITH y WHERE x = 1 RETURN y AS y", [(3,)]),
    # an order by what is not returned
    ("MATCH (n) WHERE n.k = 1 WITH n.id AS x ORDER BY n.id DESC LIMIT 1 RETURN x AS x", [(4,)]),
]

AGGREGATES = [
    ("MATCH (n) RETURN count(*) AS x, count(n.k) AS y, count(DISTINCT n.k) AS z", [(4, 3, 2)]),
    ("MATCH (n) RETURN sum(n.k) AS x, min(n.k) AS y, max(n.k) AS z", [(4, 1, 2)]),
    ("MATCH (n) RETURN sum(DISTINCT n.k) AS x", [(3,)]),
    ("MATCH (n) RETURN min(n.s) AS x, max(n.s) AS y", [("", "b")]),
    ("UNWIND [1, 2] AS x RETURN avg(x) AS x", [(1.5,)]),
    ("UNWIND [2, 2] AS x RETURN avg(x) AS x", [(2.0,)]),
    ("UNWIND [1.5, 2] AS x RETURN sum(x) AS x", [(3.5,)]),
    ("MATCH (n) RETURN n.k AS k, count(*) AS c", [(1, 2), (2, 1), (None, 1)]),
    (
        "MATCH (n:C) RETURN count(*) AS x, sum(n.k) AS y, min(n.k) AS z, avg(n.k) AS a, collect(n.k) AS b",
        [(0, 0, None, None, [])],
    ),
    ("MATCH (n:C) RETURN n.k AS k, count(*) AS c", []),
    ("UNWIND [null, null] AS x RETURN count(x) AS a, sum(x) AS b, max(x) AS c, collect(x) AS d", [(0, 0, None, [])]),
    ("MATCH (n:A) WITH collect(n.id) AS l RETURN size(l) AS x, 3 IN l AS y", [(2, True)]),
    ("MATCH (n:A) WITH collect(n.id) AS l UNWIND l AS x RETURN x AS x", [(1,), (3,)]),
    ("MATCH (n:A) WITH collect(n.k) AS l RETURN l[0] AS x", [(1,)]),
    ("MATCH (n:A) RETURN count(*) + 1 AS x", [(3,)]),
    ("MATCH (n) RETURN n.k AS k, n.k + count(*) AS c", [(1, 3), (2, 3), (None, None)]),
    ("MATCH (n) WITH n.k AS k, count(*) AS c WHERE c > 1 RETURN k AS x", [(1,)]),
    ("MATCH (n) WITH n.k AS k, count(*) AS c ORDER BY count(*) DESC LIMIT 1 RETURN k AS x", [(1,)]),
    ("MATCH (n)-[r]->(m) WITH n, count(r) AS c RETURN n.id AS x, c AS y", [(1, 2), (2, 1), (3, 2)]),
    ("MATCH (n:A) RETURN DISTINCT count(*) AS x", [(2,)]),
    ("UNWIND [true, false] AS x RETURN min(x) AS a, max(x) AS b", [(False, True)]),
]

SUBQUERIES = [
    ("MATCH (n) WHERE EXISTS { MATCH (n)-[:S]->() } RETURN n.id AS x", [(2,), (3,)]),
    ("MATCH (n) WHERE NOT EXISTS { MATCH (n)-[]-() } RETURN n.id AS x", [(4,)]),
    ("MATCH (n) WHERE EXISTS { MATCH (n)-[r]->(m) WHERE m.k > n.k } RETURN n.id AS x", [(1,)]),
    ("MATCH (n) RETURN n.id AS x, COUNT { MATCH (n)-[r]->(m) } AS y", [(1, 2), (2, 1), (3, 2), (4, 0)]),
    ("MATCH (n) WHERE (n)-[:S]->(:A) RETURN n.id AS x", [(2,), (3,)]),
    ("MATCH (n), (m:B) WHERE (n)-[:T]->(m) RETURN n.id AS x, m.id AS y", [(1, 2), (3, 3)]),
    # a uniqueness scope of its own
    ("MATCH (n)-[r:S]->(m) WHERE (n)-[:S]->(m) RETURN r.id AS r", [(12,), (14,)]),
    ("OPTIONAL MATCH (n:C) RETURN EXISTS { MATCH (n)-[]->() } AS x, COUNT { MATCH (n) } AS y", [(False, 0)]),
    ("MATCH (n:A) RETURN n.id AS x, size([(n)-[r]->(m) | m.id]) AS y", [(1, 2), (3, 2)]),
    ("MATCH (n {id: 2}) RETURN [(n)-[:S]->(m) WHERE m.id > 0 | m.s + 'x'] AS x", [(["x"],)]),
    ("OPTIONAL MATCH (n:C) RETURN [(n)-[]->(m) | 1] AS x", [([],)]),
]


@pytest.mark.parametrize(
    ("text", "expected"), NODES + RELATIONSHIPS + PATHS + OPTIONAL + PROJECTIONS + AGGREGATES + SUBQUERIES
)
def test_a_query_means(text, expected):
    assert bag(STANDARD.rows(read(text))) == bag(expected)


def test_lists_of_unknown_order_are_told():
    for text in (
        "MATCH (n) RETURN collect(n.id) AS x",
        "MATCH (n) RETURN labels(n) AS x",
        "MATCH (n) WITH collect(n.k) AS l RETURN l AS x",
    ):
        assert has_unordered_lists(read(text)), text
    for text in (
        "MATCH (n) RETURN size(collect(n.id)) AS x",
        "RETURN [1, 2] AS x",
        "MATCH (n) WITH collect(n.k) AS l RETURN 1 IN l AS x",
    ):
        assert not has_unordered_lists(read(text)), text


def test_columns_have_the_names_of_the_return_clause():
    assert columns(read("MATCH (n) RETURN n.k AS b, 1 AS a")) == ("b", "a")


@pytest.mark.parametrize(
    "text",
    [
        "UNWIND [1, 2] AS x RETURN x AS x LIMIT 1",
        "MATCH (n) WITH n ORDER BY n.k LIMIT 1 RETURN n.id AS x",
        "MATCH (n) WITH n ORDER BY n.k SKIP 1 RETURN n.id AS x",
        "UNWIND [1, 2] AS x WITH 3 AS y, x WITH y LIMIT 1 WHERE x = 1 RETURN y AS y",
        "UNWIND [1, 'a'] AS x RETURN min(x) AS x",
        "UNWIND [1, 'a'] AS x RETURN x AS x ORDER BY x",
        "MATCH (n) WITH collect(n.id) AS l RETURN l[0] AS x",
        "MATCH (n) WITH collect(n.id) AS l RETURN head(l) AS x",
        "MATCH (n) WITH collect(n.id) AS l RETURN l + [1] AS x",
        "MATCH (n) WITH collect(n.id) AS l RETURN l = [1, 2, 3, 4] AS x",
        "MATCH (n) WITH collect(n.id) AS l RETURN reduce(t = 0, x IN l | x) AS x",
        "MATCH (n) WITH collect(n.id) AS l RETURN DISTINCT l AS x",
        "MATCH (n) RETURN labels(n)[0] AS x",
        "UNWIND [1, 1.0] AS x RETURN DISTINCT x AS x",
        "UNWIND [1, 1, 2] AS x RETURN avg(x) AS x",
        "UNWIND [1e20, 1.0, -1e20] AS x RETURN sum(x) AS x",
        "RETURN 1 < 'a' AS x",
        "RETURN 'a' + 1 AS x",
        "RETURN 9223372036854775807 + 1 AS x",
        "UNWIND [9223372036854775807, 1, -1] AS x RETURN sum(x) AS x",
        "RETURN toString(1.5) AS x",
        "RETURN 0.0 * -1 AS x",
    ],
)
def test_what_engines_may_choose_is_undetermined(text):
    with pytest.raises(Undetermined):
        STANDARD.rows(read(text))


@pytest.mark.parametrize(
    "text",
    [
        "RETURN 1 / 0 AS x",
        "RETURN 1 % 0 AS x",
        "RETURN left('a', -1) AS x",
        "RETURN range(1, 2, 0) AS x",
        "MATCH (n) WHERE n.k RETURN 1 AS x",
        "RETURN y AS x",
        "RETURN 1 AS x UNION RETURN 1 AS y",
    ],
)
def test_errors_are_right_answers(text):
    with pytest.raises(Failed):
        STANDARD.rows(read(text))


def test_large_tables_are_given_up():
    with pytest.raises(TooBig):
        Evaluator(graph_of(SCENE), profile(()), cap=100).rows(read("MATCH (a), (b), (c), (d) RETURN 1 AS x"))
    with pytest.raises(TooBig):
        STANDARD.rows(read("UNWIND range(0, 3000) AS x RETURN x AS x"))


def test_an_evaluator_is_well_after_it_gave_up():
    small = Evaluator(graph_of(SCENE), profile(()), cap=3)
    with pytest.raises(TooBig):
        small.rows(read("MATCH (a)-[r]->(b) RETURN 1 AS x"))
    query = read("MATCH (a)-[:S]->(b)-[:S]->(c) RETURN a.id AS x")
    assert small.rows(query) == small.rows(query) == [(2,)]


def test_clauses_are_applied_one_by_one():
    match, project = read("MATCH (n:A) RETURN n.id AS x").parts[0].clauses
    rows = STANDARD.clause(match, [{}])
    assert [row["n"].id for row in rows] == [1, 3]
    assert STANDARD.clause(project, rows) == [{"x": 1}, {"x": 3}]
    assert STANDARD.value(project.items[0].expr, rows[1]) == 3
