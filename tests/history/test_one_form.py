"""A bug of a release that is known, met in several dresses by two oracles: its reports are the same to the letter."""

import msgspec
import pytest

from gainsay.campaign import describing, events
from gainsay.campaign.config import Group
from gainsay.core.model import Case, CaseName, Target
from gainsay.engines.releases import cache_dir
from gainsay.families.sql.language import ir
from gainsay.oracles import sql_norec, sql_tlp
from gainsay.triage.job import Job
from gainsay.triage.worker import Triage

ONE = ir.Lit("int", "1")
T0, T1 = ir.Col("t0", "c0"), ir.Col("t1", "c0")
SCENE = ir.Scene(
    (
        ir.CreateTable("t0", (ir.Column("c0", "TEXT"), ir.Column("c1"))),
        ir.CreateTable("t1", (ir.Column("c0"),)),
        ir.Insert("t0", ("c1", "c0"), (ir.Values((ir.NULL, ir.Lit("text", "'a'"))), ir.Values((ONE, ONE)))),
        ir.CreateIndex("i0", "t1", (ir.IndexKey(ir.Col("", "c0")),)),
        ir.CreateView(
            "v0",
            (ir.ViewColumn("c0"), ir.ViewColumn("c1")),
            ir.Select((T0, T1), (ir.Join("t0"), ir.Join("t1", "LEFT JOIN"))),
        ),
    )
)
JOINED = (ir.Join("t0"), ir.Join("t1", "LEFT JOIN", ir.Op("=", (T0, T1))))
TESTED = ir.Op("is not false", (ir.Col("v0", "c1"),))
DRESSES = [
    (
        "norec",
        sql_norec.Recipe(
            ir.Select(
                (T0, T1), JOINED, ir.Op("between", (ir.Lit("int", "0"), ir.Lit("int", "0"), ir.Op("is true", (T1,))))
            )
        ),
        "filtered rows",
    ),
    ("norec", sql_norec.Recipe(ir.Select((ir.Col("v0", "c0"),), (ir.Join("v0"),), TESTED)), "filtered rows"),
    ("tlp", sql_tlp.Recipe(ir.Select((T1,), JOINED), ir.Op("and", (ir.Op("is not false", (T1,)), ONE))), "partitions"),
    ("tlp", sql_tlp.Recipe(ir.Select((ir.Agg("count"),), JOINED), ir.Op("is not true", (T1,)), "count"), "partitions"),
]


@pytest.mark.skipif(
    not (cache_dir() / "sqlite" / "3.28.0").exists(), reason="run 'make ladder' first (needs npm and cc)"
)
@pytest.mark.parametrize(("oracle", "recipe", "claim"), DRESSES)
def test_one_bug_in_four_dresses_is_one_report(oracle, recipe, claim):
    seat = describing.describe(Target("sqlite", "3.28.0"))
    case = Case("sql", oracle, SCENE, recipe, (seat,), claim)
    raw = events.Raw(CaseName("sqlite@3.28.0", 1, oracle, 1), claim, case=msgspec.to_builtins(case))
    finding = Triage(Job(raw, 1, Group("sqlite@3.28.0", "sql", (seat,), (oracle,)), {}, "", True, 0)).run()
    assert finding.oracle == "reference"
    assert finding.setup == ("CREATE TABLE t0(c0)", "INSERT INTO t0(c0) VALUES (0)")
    assert finding.texts["query"] == "SELECT 0 FROM t0 LEFT JOIN t0 AS a1 ON 0 WHERE a1.c0 IS NOT TRUE"
