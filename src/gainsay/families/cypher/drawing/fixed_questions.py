"""Fixed questions about what is known to differ between engines: the first thing that a hunt asks.

An answer that is neither openCypher's nor documented is a finding, found and reduced as any other; nothing is learnt
from it. `engines check` shows the same table."""

from __future__ import annotations

from typing import Any

from gainsay.families.cypher.drawing.lexicon import Lexicon
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.reader import read

PART = 40  # as many as `reference` has turns in an episode

QUESTIONS = """
MATCH (n:A) RETURN n.id AS x
MATCH (n) RETURN n.id AS x, n.k AS y, n.s AS z
MATCH (n:A)-[r:T]->(m) RETURN n.id AS x, r.id AS y, m.id AS z
MATCH (n)-[r]->(m)-[s]->(o) RETURN n.id AS x, r.id AS y, s.id AS z, o.id AS w
MATCH (n)-[r]->(m)<-[s]-(o) RETURN r.id AS x, s.id AS y
MATCH (n)-[r]->(m), (o)-[s]->(p) RETURN r.id AS x, s.id AS y
MATCH (n)-[r]-(m) RETURN n.id AS x, r.id AS y, m.id AS z
MATCH (n)-[r:T|S]->(m) RETURN r.id AS x
MATCH (n:A)-[r]-(n) RETURN n.id AS x, r.id AS y
MATCH (n:A)-[:T]->(m) RETURN n.id AS x, m.id AS y
MATCH (n)-[:T*1..2]->(m) RETURN n.id AS x, m.id AS y
MATCH (n)-[*1..1]->(m) RETURN n.id AS x, m.id AS y
MATCH (n)-[*0..1]->(m) RETURN n.id AS x, m.id AS y
MATCH (n)-[*2..2]->(m) RETURN n.id AS x, m.id AS y
MATCH (n)-[*1..2]-(m) RETURN n.id AS x, m.id AS y
MATCH (n:A)-[*1..]->(m:B) RETURN n.id AS x, m.id AS y
MATCH p = (n)-[r:T]->(m) RETURN length(p) AS x, n.id AS y
MATCH (n {k: 1}) RETURN n.id AS x
MATCH (n)-[r {w: 1}]->(m) RETURN r.id AS x
MATCH (n:A) OPTIONAL MATCH (n)-[r:S]->(m) RETURN n.id AS x, m.id AS y
MATCH (n:A) OPTIONAL MATCH (n:B) RETURN n.id AS x
MATCH (n:A) OPTIONAL MATCH (m:B) WHERE (m.k = n.k) RETURN n.id AS x, m.id AS y
OPTIONAL MATCH (n:A) WHERE (n.id < 0) RETURN n.id AS x
OPTIONAL MATCH (n:A) WHERE (n.id < 0) WITH n MATCH (n)-[r]->(m) RETURN m.id AS x
MATCH (n) MATCH (n:B) RETURN n.id AS x
MATCH (n:A) OPTIONAL MATCH (n), (m:B) RETURN count(*) AS x
MATCH (n) WITH n.k AS k, count(*) AS c RETURN k AS x, c AS y
MATCH (n) WITH DISTINCT n.k AS k RETURN k AS x
MATCH (n) WITH * RETURN n.id AS x
MATCH (n) WITH n WHERE (n.k > 0) RETURN n.id AS x
UNWIND [1, 2, 2, null] AS x RETURN x AS x
UNWIND [1, 1, 2] AS x RETURN 'g' AS g, count(DISTINCT x) AS d, min(x) AS m, count(*) AS c
UNWIND [1, 2] AS x UNWIND [3, 4] AS y RETURN x AS x, y AS y
MATCH (n:A) RETURN n.k AS x UNION MATCH (n:B) RETURN n.k AS x
MATCH (n:A) RETURN n.k AS x UNION ALL MATCH (n:B) RETURN n.k AS x
MATCH (n) RETURN n.k AS x, n.id AS y ORDER BY x, y
MATCH (n) RETURN n.k AS x, n.id AS y ORDER BY x DESC, y DESC
MATCH (n) RETURN n.id AS x ORDER BY x SKIP 1 LIMIT 2
MATCH (n) RETURN count(*) AS x, count(n.k) AS y, count(DISTINCT n.k) AS z
MATCH (n) RETURN sum(n.k) AS x, min(n.k) AS y, max(n.k) AS z, avg(n.k) AS w
MATCH (n) WHERE (n.id < 0) RETURN count(*) AS x, min(n.k) AS y
MATCH (n) WHERE (n.id < 0) RETURN sum(n.k) AS x
MATCH (n) WHERE (n.id < 0) RETURN collect(n.k) AS x
MATCH (n) RETURN min(n.s) AS x, max(n.s) AS y
MATCH (n) RETURN collect(n.k) AS x
MATCH (n) RETURN n.b AS x, collect(n.id) AS y
RETURN (1 IN [1, 2]) AS a, (3 IN [1, 2]) AS b
RETURN (1 IN [1, null]) AS a, (2 IN [1, null]) AS b
RETURN (2 IN []) AS a
RETURN (true XOR false) AS a, (true AND true) AS b, (NOT false) AS c
MATCH (n) RETURN n.id AS x, (n.b AND (n.k > 0)) AS a, (n.b OR (n.k > 0)) AS b, (n.b XOR (n.k > 0)) AS c
MATCH (n) RETURN n.id AS x, (NOT n.b) AS a, (n.b IS NULL) AS b, (n.k IS NOT NULL) AS c
MATCH (n) RETURN n.id AS x, (n.k = n.k) AS a, (n.k <> n.k) AS b
RETURN ('abc' STARTS WITH 'a') AS a, ('abc' ENDS WITH 'c') AS b, ('abc' CONTAINS 'b') AS c
RETURN ('abc' STARTS WITH '') AS a, ('' ENDS WITH '') AS b, ('a' CONTAINS '') AS c
MATCH (n) WHERE (n.s = '') RETURN n.id AS x
MATCH (n:A) RETURN n.id AS x, (n.s + 'b') AS y
RETURN toUpper('ab') AS a, toLower('AB') AS b, trim(' a ') AS c, size('abc') AS d
RETURN substring('abcd', 1, 2) AS a
RETURN left('abc', 2) AS a, right('abc', 2) AS b
RETURN replace('abab', 'a', 'c') AS a, reverse('abc') AS b
RETURN split('a,b', ',') AS a
RETURN (7 / 2) AS a, (7 % 3) AS b, (-7 / 2) AS c, (-7 % 3) AS d
RETURN (7.0 / 2) AS a, abs(-3) AS b, sign(-3) AS c, (2 * 3) AS d
RETURN ceil(1.5) AS a, floor(1.5) AS b, sqrt(4.0) AS c
RETURN toInteger('12') AS a, toFloat('1.5') AS b, toString(12) AS c
RETURN coalesce(null, 2, 3) AS a, coalesce(1, 2) AS b
RETURN ([7, 8, 9])[1] AS a
RETURN ([7, 8, 9])[1..2] AS a
RETURN size([1, 2, 3]) AS a, head([1, 2]) AS b, last([1, 2]) AS c
RETURN range(1, 3) AS a
MATCH (n) RETURN n.id AS x, CASE WHEN n.b THEN n.k ELSE n.id END AS y
MATCH (n) RETURN n.id AS x, CASE n.k WHEN 1 THEN 'one' ELSE 'other' END AS y
MATCH (n) WHERE (n:A) RETURN n.id AS x
MATCH (n) WHERE EXISTS { MATCH (n)-[:T]->(m) } RETURN n.id AS x
MATCH (n) RETURN n.id AS x, COUNT { MATCH (n)-[:T]->(m) } AS y
MATCH (n) WHERE (n)-[:T]->() RETURN n.id AS x
MATCH (n) WHERE (NOT (n)<-[:T]-()) RETURN n.id AS x
RETURN any(x IN [1, 2] WHERE (x > 1)) AS a, all(x IN [1, 2] WHERE (x > 1)) AS b, none(x IN [1, 2] WHERE (x > 1)) AS c
RETURN single(x IN [1, 2] WHERE (x > 1)) AS a, single(x IN [] WHERE true) AS b
""".strip().splitlines()


EPISODES = -(-len(QUESTIONS) // PART)


def scene(number: int, lexicon: Lexicon) -> ir.Scene | None:
    """The graph of the first episodes: loops, parallel edges, isolated nodes, missing values; None for the others."""
    if (
        not lexicon.has_fixed_questions
        or number * PART >= len(QUESTIONS)
        or not lexicon.has("graph:pairs")
        or len(lexicon.profiles) > 1
    ):
        return None
    values: dict[str, tuple[str, tuple[Any, ...]]] = {
        "k": ("int", (1, 1, 2, None, 0)),
        "s": ("str", ("a", "", None, "b", "ab")),
        "b": ("bool", (True, None, False, True, None)),
    }
    vertices = []
    for i, label in enumerate(("A", "A", "B", "B", "A")):
        kept = [
            ir.Kept(key, ir.Lit(kind, stored[i])) for key, (kind, stored) in values.items() if stored[i] is not None
        ]
        vertices.append(ir.Vertex(i, (label,), tuple(kept)))
    ends = ((0, 1, "T"), (0, 1, "T"), (1, 2, "S"), (2, 2, "T"), (2, 0, "S"))
    edges = [ir.Edge(10 + i, a, b, t, (ir.Kept("w", ir.Lit("int", i % 2)),)) for i, (a, b, t) in enumerate(ends)]
    keys = (ir.Key("k", "int"), ir.Key("s", "str"), ir.Key("b", "bool"))
    return ir.Scene(
        ir.Schema(("A", "B"), ("T", "S"), keys, (ir.Key("w", "int"),)), tuple(vertices), tuple(edges), probe=number + 1
    )


def questions(scene: ir.Scene) -> list[ir.Query]:
    """The questions that belong to one of the first scenes; none to any other."""
    return [read(text) for text in QUESTIONS[(scene.probe - 1) * PART : scene.probe * PART]] if scene.probe else []
