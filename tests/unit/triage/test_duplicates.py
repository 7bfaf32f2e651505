"""One cause, one finding: what differs between two reports of it is no part of their signatures."""

import pytest

from gainsay.campaign import events
from gainsay.campaign.ledger import Ledger
from gainsay.core import registry
from gainsay.core.model import CaseName

CYPHER = registry.family("cypher")


@pytest.mark.parametrize("graph", [{"loop in graph"}, {"parallel edges"}, {"loop in graph", "parallel edges"}, set()])
def test_the_graph_is_no_part_of_a_signature_that_the_query_gives(graph):
    assert CYPHER.bucket(frozenset({"match", "variable length", *graph})) == {"variable length"}


def test_a_path_in_any_direction_is_the_same_cause_as_one_in_a_direction():
    known = CYPHER.bucket(frozenset({"match", "variable length", "loop in graph"}))
    assert CYPHER.absorbs(known, CYPHER.bucket(frozenset({"match", "variable length", "undirected"})))


def test_what_only_the_graph_tells_is_told_by_the_graph():
    assert CYPHER.bucket(frozenset({"loop in graph"})) == {"loop in graph"}


def broken(number, text, said):
    return events.Finding(
        id=f"kuzu-reference-{number}", signature=f"kuzu: internal-error: {said}", kind="internal-error", status="confirmed", family="cypher",
        oracle="reference", engine="kuzu", version="0.11.3", claim="internal-error", words="", why="", seed=1, detail=said,
        name=CaseName("kuzu", number, "reference", 1), case={}, setup=(), texts={"query": text}, answers={},
    )  # fmt: skip


def test_one_question_that_breaks_in_several_words_is_one_finding():
    ledger = Ledger()
    first, _ = ledger.found(broken(1, "RETURN all(y IN [] WHERE (2.0 = 'a')) AS x", "Lambda paramName y"))
    again, is_new = ledger.found(broken(2, "RETURN all(y IN [] WHERE (7 = 'bc')) AS x", "unordered_map::at"))
    assert not is_new and again.id == first.id
    _, is_new = ledger.found(broken(3, "RETURN any(y IN [] WHERE (2.0 = 'a')) AS x", "unordered_map::at"))
    assert is_new


def death(number, shape, said="SIGBUS"):
    return events.Finding(
        id=f"duckdb-crash-{number}", signature=f"duckdb: crash: {number}", kind="crash", status="confirmed", family="sql", oracle="alone",
        engine="duckdb", version="0.7.1", claim="crash", words="", why="", seed=1, detail=said, shape=tuple(sorted(shape)), bucket=(str(number),),
        name=CaseName("duckdb", number, "norec", 1), case={}, setup=(), texts={"query": str(number)}, answers={},
    )  # fmt: skip


def test_one_crash_over_one_function_is_one_finding_whatever_stands_around_it():
    ledger = Ledger()
    first, _ = ledger.found(death(1, {"comparison", "greatest", "struct"}))
    for number, around in ((2, {"coalesce"}), (3, {"row value", "view"})):
        again, is_new = ledger.found(death(number, {"greatest", "struct", *around}))
        assert not is_new and again.id == first.id
    assert ledger.found(death(4, {"greatest", "struct"}, "SIGSEGV"))[1], "another end"
    assert ledger.found(death(5, {"comparison", "left"}))[1], "another function"


def test_a_crash_that_was_met_often_is_met_less_often_and_never_not_at_all():
    ledger = Ledger()
    ledger.found(death(1, {"comparison", "greatest", "struct"}))
    assert ledger.shunned("duckdb") == ()
    for number in range(6, 9):
        ledger.found(death(number, {"greatest", "struct"}))
    assert ledger.shunned("duckdb") == (("comparison", "greatest", "struct"),)
    assert ledger.shunned("sqlite") == ()
