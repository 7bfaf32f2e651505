"""What a case is made of, the bucket of a reduced shape, and when one absorbs another."""

import pytest

from gainsay.families.sql.language import ir
from gainsay.families.sql.language.dialects import DIALECTS
from gainsay.families.sql.reducing import shape
from sql_cases import A1, ONE, T0, norec, op, select, table, tlp, view

SCENE = ir.Scene((table("t0", "c0"),))
C0 = ir.Col("", "c0")


def test_a_bucket_is_the_structure_and_one_class_of_operators():
    assert shape.bucket(frozenset({"left join", "comparison", "and/or", "row value"})) == {"outer join", "row value"}
    assert shape.bucket(frozenset({"index", "partial index", "null test"})) == {"partial index", "condition"}
    assert shape.absorbs(frozenset({"outer join", "condition"}), frozenset({"outer join", "condition", "view"}))
    assert not shape.absorbs(
        frozenset({"outer join", "condition"}), frozenset({"outer join", "condition", "collation"})
    )


@pytest.mark.parametrize(
    ("statement", "features"),
    [
        (table("t1", ir.Column("c0", "TEXT", collate="NOCASE")), {"collation"}),
        (table("t1", ir.Column("c0", "TEXT", collate="BINARY")), set()),
        (table("t1", ir.Column("c0", primary=True)), {"unique"}),
        (table("t1", ir.Column("c0", generated=ONE)), {"generated column"}),
        (ir.CreateTable("t1", (ir.Column("c0"),), strict=True, without_rowid=True), {"strict", "without rowid"}),
        (ir.CreateIndex("i0", "t0", (ir.IndexKey(C0),)), {"index"}),
        (ir.CreateIndex("i0", "t0", (ir.IndexKey(C0),), True, op("isnull", C0)),
         {"index", "unique index", "partial index", "null test"}),
        (ir.CreateIndex("i0", "t0", (ir.IndexKey(op("lower", C0)),)), {"index", "index on expression", "lower"}),
        (ir.CreateVirtual("ft0", "fts5", ("c0",)), {"fts5"}),
        (view("v0", select(T0, distinct=True), "c0"), {"view", "distinct"}),
        (ir.Setting("PRAGMA threads = 2"), {"PRAGMA threads = 2"}),
        (ir.Delete("t0"), set()),
    ],
)  # fmt: skip
def test_the_features_of_a_statement(statement, features):
    assert shape.shape(ir.Scene((*SCENE.statements, statement)), norec(T0)) == features


@pytest.mark.parametrize(
    ("recipe", "features"),
    [
        (norec(T0), set()),
        (norec(op("<=", T0, ONE)), {"comparison"}),
        (norec(op("md5", T0)), {"md5"}),  # a function that belongs to no group goes by its own name
        (norec(op("=", T0, ir.Lit("list", "[1]"))), {"comparison", "list"}),
        (norec(ir.SubExpr("not in", (T0,), select(T0))), {"subquery not in"}),
        (norec(T0, ir.Join("t0"), ir.Join("t0", "LEFT JOIN", ir.TRUE, "a1")), {"left join"}),
        (norec(T0, ir.Join("t0"), ir.Join("t0", ",", None, "a1")), set()),
        (norec(T0, items=(T0, ir.Agg("max", T0)), group=(T0,)), {"group by", "aggregate max"}),
        (tlp(op("in 1", T0, ONE), distinct=True), {"distinct", "in"}),
        (norec(T0, ir.Join("w0"), ctes=(ir.Cte("w0", (ir.ViewColumn("c0"),), select(T0)),)), {"with"}),
    ],
)
def test_the_features_of_a_recipe(recipe, features):
    assert shape.shape(SCENE, recipe) == features


def test_a_compound_is_a_feature_by_its_operator():
    made = ir.CreateView("v0", (ir.ViewColumn("c0"),), ir.Compound("UNION ALL", (select(T0), select(T0))))
    assert shape.shape(ir.Scene((made,)), norec(A1)) == {"view", "union all"}


@pytest.mark.parametrize(
    ("features", "bucket"),
    [
        ({"with", "comparison"}, {"view", "condition"}),  # a CTE is a view that is written elsewhere
        ({"full join"}, {"outer join"}),
        ({"index", "unique index", "in"}, {"unique index", "in"}),
        ({"index", "in"}, {"index", "in"}),
        ({"subquery not in", "comparison"}, {"subquery in"}),  # the most telling class alone
        ({"cast", "comparison"}, {"conversion"}),
        ({"md5"}, {"md5"}),
        ({"md5", "lower"}, {"lower"}),  # one is enough, and always the same
        ({"view", "md5"}, {"view", "function"}),
        ({"ANALYZE", "comparison"}, {"ANALYZE", "condition"}),
        (set(), set()),
    ],
)
def test_a_bucket_names_the_cause(features, bucket):
    assert shape.bucket(frozenset(features)) == bucket


@pytest.mark.parametrize(
    ("known", "new", "is_absorbed"),
    [
        ({"in"}, {"in"}, True),
        ({"in"}, {"in", "view"}, False),  # one feature alone may stand for many causes
        ({"in", "outer join"}, {"in", "outer join", "view", "distinct"}, True),
        ({"in", "outer join"}, {"in", "outer join", "partial index"}, False),
        ({"in", "outer join", "view"}, {"in", "outer join"}, False),
    ],
)
def test_a_known_cause_with_mere_surroundings_is_the_same_one(known, new, is_absorbed):
    assert shape.absorbs(frozenset(known), frozenset(new)) is is_absorbed


@pytest.mark.parametrize(
    ("features", "core"),
    [
        ({"comparison", "view", "md5"}, {"md5"}),
        ({"list", "subquery in", "and/or"}, {"list"}),
        ({"comparison", "view"}, set()),
    ],
)
def test_the_core_of_a_death_is_functions_and_values(features, core):
    assert shape.core(frozenset(features)) == core


def test_the_classes_of_a_bucket_are_of_groups_and_operators_that_exist():
    known = {shape.group(name) for dialect in DIALECTS.values() for name in dialect.operators}
    nested = {"subquery in", "subquery not in", "subquery exists", "subquery scalar"}
    assert {member for _, members in shape.CLASSES for member in members} <= known | nested
