"""One cause, one finding: what differs between two reports of it is no part of their signatures."""

import msgspec
import pytest

from cypher_standin import graph, query, seats
from gainsay.campaign import events
from gainsay.campaign.book import Book
from gainsay.campaign.journal import Journal, read
from gainsay.campaign.ledger import Ledger
from gainsay.core import registry
from gainsay.core.model import Case, CaseName
from gainsay.oracles.cypher_reference import Recipe
from gainsay.report import markdown
from gainsay.triage import signature

CYPHER = registry.family("cypher")
SEATED = tuple(seats())
TWO = graph("CREATE (a:A {id: 0}), (b:A {id: 1})")


@pytest.mark.parametrize("met_on", [{"loop in graph"}, {"parallel edges"}, {"loop in graph", "parallel edges"}, set()])
def test_the_graph_is_no_part_of_a_signature_that_the_query_gives(met_on):
    assert CYPHER.bucket(frozenset({"match", "variable length", *met_on})) == {"variable length"}


def test_a_path_in_any_direction_is_the_same_cause_as_one_in_a_direction():
    known = CYPHER.bucket(frozenset({"match", "variable length", "loop in graph"}))
    assert CYPHER.absorbs(known, CYPHER.bucket(frozenset({"match", "variable length", "undirected"})))


@pytest.mark.parametrize(
    ("text", "bucket"),
    [
        ("MATCH (n)-[]->()-[]->(n) RETURN 1 AS x", {"cycle in pattern"}),
        ("OPTIONAL MATCH (n)-[]->(m), (n)-[]-(m) RETURN 1 AS x", {"cycle in pattern"}),
        ("MATCH (n)-[]->(n:A) RETURN 1 AS x", {"label on a bound node"}),
        ("MATCH (n)-[]->(m)-[]->(), (m)-[]-() RETURN 1 AS x", {"undirected"}),
        ("MATCH (n)-[*1..2]->(n) RETURN 1 AS x", {"variable length"}),
    ],
)
def test_a_cycle_names_a_cause_where_nothing_tells_more(text, bucket):
    assert CYPHER.bucket(CYPHER.shape(TWO, Recipe(query(text)))) == bucket


def test_a_cycle_that_loses_parallel_edges_is_another_cause_than_a_cycle_whatever_closes_it():
    lost = CYPHER.bucket(frozenset({"match", "cycle in pattern", "parallel edges"}))
    walked = CYPHER.bucket(frozenset({"match", "cycle in pattern", "parallel edges", "variable length", "undirected"}))
    assert lost == {"cycle in pattern", "parallel edges"} < walked
    assert CYPHER.absorbs(lost, walked)
    for known in ({"cycle in pattern"}, {"variable length"}):
        assert not CYPHER.absorbs(frozenset(known), lost) and not CYPHER.absorbs(frozenset(known), walked)


EARLIER = {"condition on earlier variables", "optional match"}


@pytest.mark.parametrize(
    ("text", "bucket"),
    [
        ("MATCH (n) OPTIONAL MATCH () WHERE n.b IS NULL RETURN 1 AS x", EARLIER),
        ("MATCH ()-[r]->()-[]->() OPTIONAL MATCH ()-[]-() WHERE r.v IS NULL RETURN 1 AS x", EARLIER),
        ("MATCH (n) OPTIONAL MATCH (n)-[]->(m) WHERE n.b RETURN 1 AS x", EARLIER),
        ("MATCH (n) OPTIONAL MATCH (n)-[]->(m) WHERE m.b RETURN 1 AS x", {"optional match"}),
        ("MATCH (n) OPTIONAL MATCH (m) WHERE true RETURN 1 AS x", {"optional match"}),
        ("MATCH (n) MATCH (m) WHERE n.b IS NULL RETURN 1 AS x", {"null test"}),
    ],
)
def test_what_an_optional_match_tests_of_earlier_variables_names_a_cause(text, bucket):
    assert CYPHER.bucket(CYPHER.shape(TWO, Recipe(query(text)))) == bucket


def test_a_case_is_one_cause_whatever_expression_or_clause_it_stands_in():
    for more in ("with", "coalesce", "comparison", "distinct"):
        assert CYPHER.absorbs(frozenset({"case"}), frozenset({"case", more}))
    for more in ("optional match", "case in a case", "slice"):
        assert not CYPHER.absorbs(frozenset({"case"}), frozenset({"case", more}))
    assert not CYPHER.absorbs(frozenset({"with"}), frozenset({"with", "case"}))


def test_what_only_the_graph_tells_is_told_by_the_graph():
    assert CYPHER.bucket(frozenset({"loop in graph"})) == {"loop in graph"}


def broken(number, text, said):
    return events.Finding(
        id=f"kuzu-reference-{number}", signature=f"kuzu: internal-error: {said}", kind="internal-error",
        status="confirmed", family="cypher",
        oracle="reference", engine="kuzu", version="0.11.3", claim="internal-error", words="", why="", seed=1,
        detail=said,
        name=CaseName("kuzu", number, "reference", 1), case={}, setup=(), texts={"query": text}, answers={},
    )  # fmt: skip


def test_one_question_that_breaks_in_several_words_is_one_finding():
    ledger = Ledger()
    first, _ = ledger.found(broken(1, "RETURN all(y IN [] WHERE (2.0 = 'a')) AS x", "Lambda paramName y"))
    again, is_new = ledger.found(broken(2, "RETURN all(y IN [] WHERE (7 = 'bc')) AS x", "unordered_map::at"))
    assert not is_new and again.id == first.id
    _, is_new = ledger.found(broken(3, "RETURN any(y IN [] WHERE (2.0 = 'a')) AS x", "unordered_map::at"))
    assert is_new


def test_one_question_with_its_columns_in_another_order_is_one_finding():
    ledger = Ledger()
    for number, (columns, said) in enumerate(
        [("count(*) AS x, 1 AS y", "aggregate in GROUP BY"), ("0 AS x, count(*) AS y", "term out of range")]
    ):
        asked = f"MATCH () RETURN {columns}"
        new = broken(number, asked, said)
        new.skeleton = CYPHER.skeleton(Recipe(query(asked)))
        kept, is_new = ledger.found(new)
        assert is_new == (number == 0) and kept.id == "kuzu-reference-0"


def wrong(number, bucket, family="cypher", **more):
    signature = "kuzu: logic: " + ", ".join(sorted(bucket))
    return events.Finding(
        id=f"kuzu-reference-{number}", signature=signature, kind="logic", status="confirmed", family=family,
        oracle="reference", engine="kuzu",
        version="0.11.3", claim="as evaluated", words="", why="", seed=1, shape=tuple(sorted(bucket)),
        bucket=tuple(sorted(bucket)),
        name=CaseName("kuzu", number, "reference", 1), case={"number": number}, setup=(), texts={"query": str(number)},
        answers={},
        apart=(f"kuzu-reference-{number}-apart", f"{signature} (until 1)"), **more,
    )  # fmt: skip


def test_a_smaller_case_of_a_known_cause_takes_its_place_and_its_title_and_leaves_it_its_id():
    ledger = Ledger()
    large, _ = ledger.found(wrong(1, {"slice", "undirected"}))
    small, is_new = ledger.found(wrong(2, {"slice"}, same_as=large.id))
    assert not is_new and small.id == large.id
    assert (small.signature, small.case, small.count, small.aliases) == (
        "kuzu: logic: slice",
        {"number": 2},
        2,
        ("kuzu-reference-2",),
    )
    again, is_new = ledger.found(wrong(3, {"slice", "undirected"}))
    assert not is_new and again.signature == "kuzu: logic: slice", "the larger one does not come back"


def test_what_nobody_can_be_blamed_for_is_filed_where_its_signature_is_known():
    ledger = Ledger()
    known, _ = ledger.found(wrong(1, {"slice"}))
    new = msgspec.structs.replace(
        wrong(2, {"slice"}, also=(known.signature,)), engine="falkordb", signature="falkordb: logic: slice"
    )
    kept, is_new = ledger.found(new)
    assert not is_new and (kept.id, kept.engine, kept.count) == (known.id, "kuzu", 2)
    blamed = msgspec.structs.replace(
        new, id="falkordb-differential-3", name=CaseName("kuzu", 3, "reference", 1), also=(), apart=("", "")
    )
    _, is_new = ledger.found(blamed)
    assert is_new, "where somebody is blamed, it is the finding of that engine"


def test_a_finding_that_is_told_by_a_smaller_case_keeps_its_count_and_its_names_in_the_journal():
    ledger, written = Ledger(), []
    for new in (wrong(1, {"slice", "undirected"}), wrong(2, {"slice"}, same_as="kuzu-reference-1")):
        kept, _ = ledger.found(new)
        written += [msgspec.structs.replace(kept), events.Settled(new.name, new.claim, kept.id, alias=new.id)]
    again = Ledger()
    for event in written:
        again.take(event)
    (found,) = again.findings.values()
    assert (found.signature, found.count, found.aliases) == ("kuzu: logic: slice", 2, ("kuzu-reference-2",))


class Written:
    """A journal in memory."""

    def __init__(self):
        self.events = []

    def append(self, *noted, sync):
        self.events += [events.DECODER.decode(events.encode(each)) for each in noted]


def test_a_known_finding_that_is_another_one_as_a_smaller_case_tells_it_becomes_part_of_that_one():
    ledger, journal = Ledger(), Written()
    book = Book(ledger, journal)
    assert all(
        book.found(new, new.claim) for new in (wrong(1, {"slice", "undirected"}), wrong(2, {"distinct", "slice"}))
    )
    assert book.found(wrong(3, {"slice"}, same_as="kuzu-reference-1"), "as evaluated") is None
    assert book.found(wrong(4, {"trim"}, same_as="kuzu-reference-2"), "as evaluated") is None, "its old id still tells"
    again = Ledger()
    for event in journal.events:
        again.take(event)
    for known in (ledger, again):
        (found,) = known.findings.values()
        assert (found.id, found.signature, found.count) == ("kuzu-reference-1", "kuzu: logic: slice", 4)
        assert set(found.aliases) == {"kuzu-reference-2", "kuzu-reference-3", "kuzu-reference-4"}


def test_a_larger_case_of_a_known_cause_changes_nothing():
    ledger = Ledger()
    ledger.found(wrong(1, {"slice"}))
    kept, is_new = ledger.found(wrong(2, {"slice", "undirected"}))
    assert not is_new and kept.case == {"number": 1}


def test_what_was_not_reduced_to_its_end_does_not_take_the_place_of_what_was():
    ledger = Ledger()
    ledger.found(wrong(1, {"slice", "undirected"}))
    kept, is_new = ledger.found(wrong(2, {"slice"}, unreduced=True, same_as="kuzu-reference-1"))
    assert not is_new and kept.case == {"number": 1}


def test_two_causes_with_one_title_are_told_apart_by_their_releases():
    ledger = Ledger()
    ledger.found(wrong(1, {"slice"}, "sql", span={"1": "-"}))
    ledger.found(wrong(2, {"slice", "undirected"}, "sql", span={"1": "+"}))
    kept, is_new = ledger.found(wrong(3, {"slice"}, "sql", span={"1": "+"}, same_as="kuzu-reference-2"))
    assert not is_new and (kept.id, kept.signature) == ("kuzu-reference-2", "kuzu: logic: slice (until 1)")


@pytest.mark.parametrize("bucket", [{"slice"}, {"slice", "with"}])
def test_releases_tell_no_causes_apart_where_cases_do_not_keep_to_them_while_they_shrink(bucket):
    ledger = Ledger()
    first, _ = ledger.found(wrong(1, {"slice"}, span={"1": "-"}))
    kept, is_new = ledger.found(wrong(2, bucket, span={"1": "+"}))
    assert not is_new and (kept.id, kept.signature) == (first.id, "kuzu: logic: slice")


def death(number, shape, said="SIGBUS"):
    return events.Finding(
        id=f"duckdb-crash-{number}", signature=f"duckdb: crash: {number}", kind="crash", status="confirmed",
        family="sql", oracle="alone",
        engine="duckdb", version="0.7.1", claim="crash", words="", why="", seed=1, detail=said,
        shape=tuple(sorted(shape)), bucket=(str(number),),
        name=CaseName("duckdb", number, "norec", 1), case={}, setup=(), texts={"query": str(number)}, answers={},
    )  # fmt: skip


@pytest.mark.parametrize("first", [0, 1])
def test_a_death_over_broken_memory_that_could_not_be_reduced_is_no_finding_beside_one_that_could(first):
    ledger, said = Ledger(), "SIGABRT\ndouble free or corruption (!prev)"
    deaths = [death(1, {"where", "with"}, said), death(2, {"DISTINCT", "UNION"}, said)]
    deaths[1].status, deaths[1].unreduced = "flaky", True
    for new in deaths[first:] + deaths[:first]:
        ledger.found(new)
    (found,) = ledger.findings.values()
    assert (found.id, found.status, found.count) == ("duckdb-crash-1", "confirmed", 2)


def test_one_crash_over_one_function_is_one_finding_whatever_stands_around_it():
    ledger = Ledger()
    first, _ = ledger.found(death(1, {"comparison", "greatest", "struct"}))
    for number, around in ((2, {"coalesce"}), (3, {"row value", "view"})):
        again, is_new = ledger.found(death(number, {"greatest", "struct", *around}))
        assert not is_new and again.id == first.id
    assert ledger.found(death(4, {"greatest", "struct"}, "SIGSEGV"))[1], "another end"
    assert ledger.found(death(5, {"comparison", "left"}))[1], "another function"


def test_one_question_that_dies_in_several_ways_is_one_finding():
    ledger = Ledger()
    for number, (columns, said) in enumerate(
        [
            ("count(DISTINCT 0) AS x, collect(1) AS y", "SIGSEGV"),
            ("count(DISTINCT 1) AS x, collect('b') AS y", "SIGABRT"),
        ]
    ):
        new = msgspec.structs.replace(
            broken(number, columns, said), kind="crash", skeleton=CYPHER.skeleton(Recipe(query(f"RETURN {columns}")))
        )
        assert ledger.found(new)[1] == (number == 0)


def test_crashes_in_the_same_functions_are_one_finding_whatever_was_asked():
    ledger = Ledger()
    said = (
        "SIGSEGV: GetSchema\nRedis crashed by signal: 11\n  falkordb.so(GetSchema)\n  falkordb.so({})\n"
        "  falkordb.so(build)\n  falkordb.so({})"
    )
    first, _ = ledger.found(death(1, {"optional match", "several labels"}, said.format("ProcessPattern", "query")))
    again, is_new = ledger.found(death(2, {"variable length"}, said.format("ProcessPattern", "explain")))
    assert not is_new and again.id == first.id
    assert ledger.found(death(3, {"variable length"}, said.format("AddOp", "query")))[1], "on another way"
    short = "SIGSEGV: GetSchema\n  falkordb.so(GetSchema)\n  falkordb.so(?)"
    assert ledger.found(death(4, {"union"}, short))[1]
    assert ledger.found(death(5, {"unwind"}, short))[1], "a stack without names tells nothing"


def test_two_crashes_of_which_one_has_more_around_it_are_one_finding_whichever_comes_first():
    for buckets in (
        [{"distinct aggregate"}, {"distinct aggregate", "with"}],
        [{"distinct aggregate", "with"}, {"distinct aggregate"}],
    ):
        ledger = Ledger()
        for number, bucket in enumerate(buckets):
            new = msgspec.structs.replace(wrong(number, bucket), kind="crash", claim="crash", detail="SIGABRT")
            kept, is_new = ledger.found(new)
            assert is_new == (number == 0)
        assert kept.bucket == ("distinct aggregate",)


def test_a_crash_that_was_met_often_is_met_less_often_and_never_not_at_all():
    ledger = Ledger()
    ledger.found(death(1, {"comparison", "greatest", "struct"}))
    assert ledger.shunned("duckdb") == ()
    for number in range(6, 9):
        ledger.found(death(number, {"greatest", "struct"}))
    assert ledger.shunned("duckdb") == (("comparison", "greatest", "struct"),)
    assert ledger.shunned("sqlite") == ()


def test_who_has_the_name_of_a_case_in_a_bucket_goes_into_that_bucket():
    """Else a report would say 'also called' of a finding that is listed beside it."""
    ledger = Ledger()
    first, _ = ledger.found(broken(1, "RETURN all(y IN [] WHERE (2.0 = 'a')) AS x", "Lambda paramName y"))
    ledger.found(broken(2, "RETURN all(y IN [] WHERE (7 = 'bc')) AS x", "unordered_map::at"))
    again, is_new = ledger.found(broken(2, "RETURN any(y IN [] WHERE (2.0 = 'a')) AS x", "unordered_map::at"))
    assert not is_new and again.id == first.id


def test_a_finding_of_its_own_name_comes_before_one_that_it_resembles():
    ledger = Ledger()
    ledger.found(broken(1, "RETURN all(y IN [] WHERE (2.0 = 'a')) AS x", "Lambda paramName y"))
    own, _ = ledger.found(broken(2, "RETURN any(y IN [] WHERE (2.0 = 'a')) AS x", "unordered_map::at"))
    again, is_new = ledger.found(broken(2, "RETURN all(y IN [] WHERE (7 = 'bc')) AS x", "unordered_map::at"))
    assert not is_new and again.id == own.id


# --- one cause that breaks an engine here and makes it lie there ------------------------------------------------------


def asked(new, text, kind="logic", is_broken=False, said=""):
    """A finding over a question."""
    case = Case("cypher", "reference", TWO, Recipe(query(text)), (), "")
    kin = tuple(sorted(CYPHER.kin(case))) if is_broken else ()
    return msgspec.structs.replace(
        new, kind=kind, skeleton=CYPHER.skeleton(case.recipe), kin=kin, texts={"query": text}, detail=said
    )


LIES_AND_DIES = [
    ("RETURN 1 AS x, count(DISTINCT 1) AS y, count(*) AS z", "RETURN 1 AS x, count(DISTINCT 0) AS y, collect(0) AS z"),
    ("MATCH (n) RETURN [y IN [] | n.k] AS x", "MATCH (n) WHERE [x IN [] | n.k] = [] RETURN 1 AS y"),
]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(("lie", "death"), LIES_AND_DIES)
def test_a_wrong_answer_and_a_death_over_the_same_question_with_another_function_or_context_are_one(lie, death, first):
    ledger = Ledger()
    new = [asked(wrong(1, {"slice"}), lie), asked(broken(2, death, "SIGABRT"), death, "crash", True, "SIGABRT")]
    for number, finding in enumerate(new[first:] + new[:first]):
        kept, is_new = ledger.found(finding)
        assert is_new == (number == 0)
    assert kept.otherwise == ((f"SIGABRT over `{death}`", f"a wrong answer over `{lie}`")[first],)


def test_a_question_that_leaves_out_a_part_of_one_that_died_is_another_finding():
    ledger = Ledger()
    for number, finding in enumerate(
        [
            asked(wrong(1, {"slice"}), "MATCH (n) RETURN n.k AS x"),
            asked(broken(2, "", "SIGABRT"), "MATCH (n) WHERE n.k = 1 RETURN n.k AS x", "crash", True, "SIGABRT"),
        ]
    ):
        assert ledger.found(finding)[1], number


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("WITH 1 AS x RETURN max(x) AS y", "MATCH (n) WITH 1 AS x RETURN max(x) AS y"),
        ("MATCH (n) WITH *, 1 AS x RETURN max(n.k) AS y", "MATCH (n) UNWIND [1] AS x RETURN max(n.k) AS y"),
        ("MATCH (n) WITH n RETURN max(n.k) AS y", "MATCH (n) UNWIND n.l AS x RETURN max(n.k) AS y"),
    ],
)
def test_a_question_that_breaks_in_other_words_where_its_rows_come_from_elsewhere_is_one_finding(one, two):
    for first, second in ((one, two), (two, one)):
        ledger = Ledger()
        new = [
            asked(broken(n, t, f"near {n}"), t, "internal-error", True, f"near {n}")
            for n, t in enumerate((first, second))
        ]
        assert [ledger.found(finding)[1] for finding in new] == [True, False]


def test_how_else_a_cause_shows_is_kept_in_the_journal_and_told_in_the_report(tmp_path):
    book = Book(Ledger(), Journal(tmp_path / "journal.jsonl"))
    (lie, death) = LIES_AND_DIES[0]
    for finding in (
        asked(wrong(1, {"slice"}), lie),
        asked(broken(2, death, "SIGABRT"), death, "crash", True, "SIGABRT"),
    ):
        book.found(finding, finding.claim)
    again = Ledger()
    for event in read(tmp_path / "journal.jsonl"):
        again.take(event)
    (kept,) = again.findings.values()
    assert (kept.otherwise, kept.count) == ((f"SIGABRT over `{death}`",), 2)
    kept.case = msgspec.to_builtins(Case("cypher", "reference", TWO, Recipe(query(lie)), SEATED, "as evaluated"))
    assert f"The same cause also shows as SIGABRT over `{death}`." in markdown.report(kept)


@pytest.mark.parametrize(
    ("kind", "words", "detail", "title"),
    [
        ("internal-error", ["where", "map lookup"], "bad\n  at x", 'e: internal-error: map lookup, where: "bad"'),
        ("internal-error", ["with"], 'near "."', "e: internal-error: with: 'near \".\"'"),
        ("internal-error", ["with"], "in /a/b-c/d.cpp:3", 'e: internal-error: with: "in d.cpp:3"'),
        ("internal-error", ["with"], "word " * 30, f'e: internal-error: with: "{"word " * 16}..."'),
        ("crash", ["XOR"], "SIGSEGV: f\nstack", "e: crash: XOR: SIGSEGV: f"),
        ("crash", [], "SIGSEGV", "e: crash: SIGSEGV"),
    ],
)
def test_a_title_of_what_broke_an_engine_has_its_words_last_and_short(kind, words, detail, title):
    assert signature.title("e", kind, words, detail) == title
