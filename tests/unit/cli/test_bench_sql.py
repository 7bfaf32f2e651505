"""`bench sql`: what is drawn, taken and given a meaning, and where an engine differs from our own semantics."""

from gainsay.campaign.config import Group, seats_of
from gainsay.cli import bench_sql
from gainsay.core.answer import Refused, Rows
from gainsay.core.model import Target
from gainsay.families.sql.language import ir

COLUMN = ir.Col("t0", "c0")
ROWS = tuple(ir.Values((ir.Lit("int", text),)) for text in ("1", "2"))
SCENE = ir.Scene((ir.CreateTable("t0", (ir.Column("c0", "INT"),)), ir.Insert("t0", ("c0",), ROWS)))
QUERY = ir.Select((COLUMN,), (ir.Join("t0"),), ir.Op("=", (COLUMN, ir.Lit("int", "1"))))


def counted(seat_of, answer, query=QUERY):
    seats = seats_of(Group("apsw", "sql", (seat_of("apsw"),), ("reference",)), {})
    tally = bench_sql.Tally()
    bench_sql.compared(tally, query, "exact", answer, SCENE, seats)
    return tally


def test_an_answer_that_is_not_ours_is_counted_and_shown(seat_of):
    right, wrong = counted(seat_of, Rows([(1,)])), counted(seat_of, Rows([(2,)]))
    assert dict(right.queries) == {"drawn": 1, "taken": 1, "told": 1, "not empty": 1}
    assert wrong.queries["differing"] == 1
    assert wrong.differing == [
        "CREATE TABLE t0(c0 INT); INSERT INTO t0(c0) VALUES (1), (2); SELECT t0.c0 FROM t0 WHERE t0.c0 = 1"
    ]


def test_what_is_refused_or_has_no_one_meaning_is_not_compared(seat_of):
    refused = counted(seat_of, Refused("syntax", "no"))
    assert (refused.queries["drawn"], refused.queries["taken"], refused.queries["differing"]) == (1, 0, 0)
    part = bench_sql.Part("operator", "=")
    assert (refused.drawn[part], refused.taken[part], refused.told[part]) == (1, 0, 1)
    cut = ir.Select((COLUMN,), (ir.Join("t0"),), limit=ir.Lit("int", "1"))
    opened = counted(seat_of, Rows([(2,)]), cut)
    assert (opened.queries["taken"], opened.queries["told"], opened.queries["differing"]) == (1, 0, 0)


def test_statements_types_clauses_and_operators_are_told_apart():
    assert {p.kind for s in SCENE.statements for p in bench_sql.parts_of(s)} == {"statement", "type"}
    names = bench_sql.parts_of(ir.Compound("UNION", (QUERY, QUERY)))
    assert {("clause", "UNION"), ("clause", "WHERE"), ("operator", "=")} <= {tuple(p) for p in names}


def test_a_target_is_measured():
    found = bench_sql.measured(Target.parse("apsw"), 0.1)
    assert found["scenes"] >= 1 and found["drawn"] >= found["taken"] >= found["told"] > 0
    assert found["differing"] == len(found["queries"]) == 0


def test_another_seed_draws_other_scenes_and_the_same_one_the_same():
    first, again, other = (bench_sql.measured(Target.parse("apsw"), 0.1, seed)["parts"] for seed in (7, 7, 8))
    told = [[(p["kind"], p["name"]) for p in parts if p["kind"] == "statement"] for parts in (first, again, other)]
    assert told[0][:3] == told[1][:3] and first != other
