"""What a query is made of, for the page of a hunt."""

from gainsay.core.registry import family


def test_a_query_tells_its_clauses_operators_and_expressions():
    cypher = family("cypher")
    text = "MATCH (n:A)-[r*1..2]->(m) WHERE n.k > 1 RETURN DISTINCT count(n) AS x"
    reading = cypher.parse(["CREATE (n:A {k: 1})"], text, "kuzu")
    (query,) = reading.questions
    assert set(cypher.uses(query, text)) >= {
        "clause:MATCH", "clause:WHERE", "clause:RETURN", "clause:DISTINCT", "op:>", "aggregate:count",
        "pattern:variable length",
    }  # fmt: skip


def test_an_operator_has_one_row_for_all_its_operands():
    cypher = family("cypher")
    assert cypher.row_of("op:=/int,int") == cypher.row_of("op:=/str,str") == "op:="
    assert cypher.row_of("op://int,int") == "op:/"
    assert cypher.row_of("agg:count int") == ""
