"""ClickHouse's dialect: what it spells otherwise, and what may be drawn for it."""

from gainsay.core.draw import Draw
from gainsay.families.sql.drawing import queries
from gainsay.families.sql.language import ir
from gainsay.families.sql.language.schema import Attribute, Relation, Scope
from gainsay.families.sql.language.spoken.clickhouse import CLICKHOUSE
from sql_cases import T0, lexicon, op, text


def test_the_truth_of_a_condition_is_spelled_so_that_old_releases_know_it():
    assert text(op("truth", T0), CLICKHOUSE) == "toInt32(ifNull(toBool(t0.c0), false))"


def test_a_table_of_another_kind_has_its_engine():
    made = ir.CreateTable("t0", (ir.Column("c0", "Nullable(Int32)", "int"),), kind="merge tree", kind_column="c0")
    assert text(made, CLICKHOUSE).startswith("CREATE TABLE t0(c0 Nullable(Int32)) ENGINE = MergeTree ORDER BY c0 ")


def test_every_switch_is_turned_back_by_the_same_setting():
    for switch in CLICKHOUSE.switches.values():
        assert switch.turn.split()[1] == switch.back.split()[1]


def test_a_join_has_an_equation_or_is_a_cross_join():
    made = lexicon("clickhouse")
    relation = Relation("t1", (Attribute("c0", "int", True, True),), "table")
    seen = set()
    for cls in ("int", "text"):
        scope = Scope.of([(T0, cls, True)])
        for number in range(200):
            joined = queries.join(Draw(number), made, relation, "", scope, False)
            assert joined.on is None or joined.on.op == "="
            seen.add((cls, joined.kind))
    assert ("int", "LEFT JOIN") in seen and ("text", "LEFT JOIN") not in seen and ("text", "CROSS JOIN") in seen
