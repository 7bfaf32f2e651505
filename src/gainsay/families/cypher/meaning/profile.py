"""Facts: meanings on which graph engines differ, by documentation; what openCypher says of each; and the question that
shows which holds.

Standard library only: engines' files use this table, and hosts load them. An engine's own values, each with its source,
are in its file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Fact(NamedTuple):
    """A meaning.
    `answers` has the answer, as repr() of the rows, by which each value is known; the first value is openCypher's."""

    about: str
    setup: tuple[str, ...]
    question: str
    answers: Mapping[str, str]

    @property
    def standard(self) -> str:
        return next(iter(self.answers))


LOOP = ("CREATE (a:A {id: 1})-[:T {id: 2}]->(a)",)
PAIR = ("CREATE (a:A {id: 1})-[:T {id: 3}]->(b:A {id: 2})",)
TWICE = ("CREATE (a:A {id: 1}), (b:A {id: 2}), (a)-[:T {id: 3}]->(b), (a)-[:T {id: 4}]->(b)",)

FACTS: Mapping[str, Fact] = {
    "relationship-uniqueness": Fact(
        "whether two relationships of one MATCH may be the same",
        PAIR,
        "MATCH (a:A)-[r:T]->(b:A)<-[s:T]-(c:A) RETURN a.id AS a, r.id AS r, s.id AS s, c.id AS c",
        {"different": "[]", "may be the same": "[(1, 3, 3, 1)]"},
    ),
    "variable-length": Fact(
        "whether a path of variable length may use a relationship twice",
        LOOP,
        "MATCH (a:A)-[:T*1..2]->(b:A) RETURN a.id AS a, b.id AS b",
        {"trail": "[(1, 1)]", "walk": "[(1, 1), (1, 1)]"},
    ),
    "undirected-loop": Fact(
        "how often an undirected pattern matches a self-loop",
        LOOP,
        "MATCH (a:A)-[r:T]-(b:A) RETURN a.id AS a, r.id AS r",
        {"once": "[(1, 2)]", "twice": "[(1, 2), (1, 2)]"},
    ),
    "labels": Fact(
        "whether (n:A:B) wants all labels or any",
        ("CREATE (:A {id: 1})", "CREATE (:B {id: 2})"),
        "MATCH (n:A:B) RETURN n.id AS n",
        {"all": "[]", "any": "[(1,), (2,)]"},
    ),
    "label-on-bound-node": Fact(
        "what a label does on a node that is bound already: it must have it, or it is one more that it may have",
        ("CREATE (:A {id: 1})", "CREATE (:B {id: 2})"),
        "MATCH (n) MATCH (n:B) RETURN n.id AS n ORDER BY n",
        {"must have it": "[(2,)]", "joined": "[(1,), (2,)]"},
    ),
    "unreferenced-edge": Fact(
        "whether a relationship that nothing refers to counts each time, or is only tested for existence",
        TWICE,
        "MATCH (a:A)-[:T]->(b:A) RETURN a.id AS a, b.id AS b",
        {"counts": "[(1, 2), (1, 2)]", "exists": "[(1, 2)]"},
    ),
    "sum-of-nothing": Fact(
        "what sum() gives for no values",
        (),
        "UNWIND [] AS x RETURN sum(x) AS s",
        {"zero": "[(0,)]", "null": "[(None,)]"},
    ),
    "collect-of-nothing": Fact(
        "what collect() gives for no values",
        (),
        "UNWIND [] AS x RETURN collect(x) AS s",
        {"empty": "[([],)]", "null": "[(None,)]"},
    ),
    "concat-null": Fact(
        "what + gives for a string and a property that is missing",
        ("CREATE (:A {id: 1})",),
        "MATCH (n:A) RETURN n.s + 'b' AS s",
        {"null": "[(None,)]", "the other": "[('b',)]"},
    ),
    "list-index": Fact(
        "the number of a list's first element",
        (),
        "WITH [7, 8] AS l RETURN l[1] AS x",
        {"from 0": "[(8,)]", "from 1": "[(7,)]"},
    ),
    "substring": Fact(
        "the number of a string's first character",
        (),
        "RETURN substring('abc', 1, 1) AS x",
        {"from 0": "[('b',)]", "from 1": "[('a',)]"},
    ),
    "variable-length-limit": Fact(
        "how long a path of variable length may be that names no upper bound",
        LOOP,
        "MATCH (a:A)-[:T*29..]->(b:A) RETURN a.id AS a, b.id AS b",
        {"none": "[]", "30": "[(1, 1), (1, 1)]"},
    ),
    "in-null": Fact(
        "what x IN list gives where the list has a null and not x",
        (),
        "RETURN 1 IN [2, null] AS x",
        {"null": "[(None,)]", "false": "[(False,)]"},
    ),
    "quantifier-null": Fact(
        "what any() gives where its condition is null for some element and true for none; all(), none() and single() "
        "likewise",
        (),
        "RETURN any(x IN [1, null] WHERE x = 2) AS x",
        {"unknown": "[(None,)]", "false": "[(False,)]"},
    ),
    "list-equality-null": Fact(
        "whether a null in one of two lists makes their comparison unknown, or is a value like others",
        (),
        "RETURN [1, 2] = [null, 2] AS x",
        {"unknown": "[(None,)]", "a value": "[(False,)]"},
    ),
    "labels-function": Fact(
        "whether labels() gives a list, or the one label as a string",
        ("CREATE (:A {id: 1})",),
        "MATCH (n:A) RETURN labels(n) AS x",
        {"list": "[(['A'],)]", "string": "[('A',)]"},
    ),
    "ceil": Fact(
        "whether ceil() and floor() give a real or an integer",
        (),
        "RETURN ceil(1.2) AS x",
        {"real": "[(2.0,)]", "integer": "[(2,)]"},
    ),
    "float-to-integer": Fact(
        "which way toInteger() rounds", (), "RETURN toInteger(-1.5) AS x", {"to zero": "[(-1,)]", "down": "[(-2,)]"}
    ),
    "round-half": Fact(
        "where round() takes a half", (), "RETURN round(-1.5) AS x", {"up": "[(-1.0,)]", "away from zero": "[(-2.0,)]"}
    ),
    "integer-division": Fact("what 7 / 2 gives", (), "RETURN 7 / 2 AS x", {"integer": "[(3,)]", "real": "[(3.5,)]"}),
}


def profile(facts: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """What an engine means, fact by fact: its own value where it has one, else openCypher's."""
    own = dict(facts)
    return {name: own[name] if own.get(name) in fact.answers else fact.standard for name, fact in FACTS.items()}
