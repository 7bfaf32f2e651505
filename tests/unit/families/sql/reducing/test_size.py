"""What is simpler is smaller: each step of a reduction is a step down."""

import pytest

from gainsay.families.sql.language import ir
from gainsay.families.sql.language.dialects import DIALECTS
from gainsay.families.sql.reducing import size
from sql_cases import ONE, T0, T1, ZERO, A, insert, norec, op, select, table, tlp, view

SCENE = ir.Scene((table("t0", "c0"), insert("t0", "c0", (ONE,))))


@pytest.mark.parametrize(
    ("small", "large"),
    [
        (norec(ZERO), norec(ONE)),
        (norec(ONE), norec(ir.NULL)),
        (norec(ir.NULL), norec(ir.Lit("text", "''"))),
        (norec(A), norec(ir.Lit("text", "'abc'"))),
        (norec(ir.TRUE), norec(T0)),
        (norec(op("=", T0, ZERO)), norec(op("=", ZERO, T0))),
        (norec(op("=", T0, ZERO)), norec(op("<>", T0, ZERO))),
        (norec(op("and", T0, T0)), norec(op("or", T0, T0))),
        (norec(op("=", T0, T0)), norec(op("=", T0, ir.Col("t0", "c1")))),  # fewer columns
        (norec(T0), norec(op("not", T0))),
        (norec(T0), norec(T0, distinct=True)),
        (norec(T0), norec(T0, items=(T0, T0))),
        (norec(T0), norec(T0, order=(ir.Order(ONE),))),
        (norec(T0, order=(ir.Order(ONE),)), norec(T0, order=(ir.Order(ONE, True),))),
        (norec(T0, items=(ir.Agg("count"),)), norec(T0, items=(ir.Agg("count", T0),))),
        (norec(T0, items=(ir.Agg("count", T0),)), norec(T0, items=(ir.Agg("count", T0, True),))),
        (norec(T0), norec(T0, ir.Join("t0"), ir.Join("t0", ",", alias="a1"))),
        (tlp(T0), tlp(T0, mode="distinct")),
    ],
)
def test_what_is_simpler_is_smaller(small, large):
    assert size.size(SCENE, small) < size.size(SCENE, large)


JOINS = ["", ",", "JOIN", "CROSS JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "NATURAL JOIN", "ASOF JOIN"]


def test_joins_have_an_order_and_one_that_is_not_known_comes_last():
    weights = [size.weight(kind) for kind in JOINS]
    assert weights == sorted(set(weights))
    sizes = [size.size(SCENE, norec(T0, ir.Join("t0"), ir.Join("t0", kind, None, "a1"))) for kind in JOINS[1:]]
    assert sizes == sorted(set(sizes))


@pytest.mark.parametrize(
    ("small", "large"),
    [
        (table("t1", "c0"), table("t1", "c0", "c1")),
        (table("t1", "c0"), table("t1", ir.Column("c0", "INT"))),
        (table("t1", ir.Column("c0", "INT")), table("t1", ir.Column("c0", "INTEGER"))),
        (table("t1", "c0"), table("t1", ir.Column("c0", collate="RTRIM"))),
        (table("t1", ir.Column("c0", unique=True)), table("t1", ir.Column("c0", primary=True))),
        (table("t1", "c0"), table("t1", ir.Column("c0", not_null=True))),
        (table("t1", "c0"), ir.CreateTable("t1", (ir.Column("c0"),), strict=True)),
        (table("t1", "c0"), view("t1", select(T0), "c0")),
        (table("t1", "c0"), ir.CreateVirtual("t1", "fts5", ("c0",))),
        (insert("t0", "c0", (ONE,)), insert("t0", "c0", (ONE,), (ONE,))),
        (insert("t0", "c0", (ONE,)), insert("t0", "c0", (ONE,), verb="INSERT OR IGNORE")),
        (ir.CreateIndex("i0", "t0", (ir.IndexKey(T0),)), ir.CreateIndex("i0", "t0", (ir.IndexKey(T0),), True)),
        (ir.CreateIndex("i0", "t0", (ir.IndexKey(T0),)), ir.CreateIndex("i0", "t0", (ir.IndexKey(T0, desc=True),))),
        (ir.Delete("t0"), ir.Delete("t0", T0)),
    ],
)
def test_a_simpler_statement_is_smaller(small, large):
    one, two = (size.size(ir.Scene((*SCENE.statements, s)), norec(T0)) for s in (small, large))
    assert one < two


def test_one_statement_more_weighs_more_than_anything_within_one():
    deep = op("not", op("not", op("not", op("not", T0))))
    more = ir.Scene((*SCENE.statements, ir.Setting("ANALYZE")))
    assert size.size(SCENE, norec(deep)) < size.size(more, norec(ZERO))


def test_the_first_table_is_the_plainest():
    scene = ir.Scene((table("t0", "c0"), table("t1", "c0")))
    assert size.size(scene, norec(T0, ir.Join("t0"))) < size.size(scene, norec(T1, ir.Join("t1")))


@pytest.mark.parametrize(
    ("node", "simplest"),
    [
        (ZERO, ()),
        (ir.NULL, (ZERO, ONE)),
        (ir.Lit("date", "DATE '2000-02-29'"), (*size.SIMPLEST, ir.Lit("date", "DATE '1970-01-01'"))),
        (T0, (ZERO, ONE, ir.NULL)),
        (ir.Agg("count"), (ZERO, ONE, ir.NULL)),
        (ir.Join("t0"), ()),
        (op("upper", T0), (*size.SIMPLEST[:4], op("lower", T0))),
        (op("=", T0, ZERO), (*size.SIMPLEST[:4], op("=", ZERO, T0))),
        (op("<", ZERO, T0), (*size.SIMPLEST[:4], op("=", ZERO, T0), op(">", T0, ZERO))),
        (op("not", op("is null", T0)), (*size.SIMPLEST[:4], op("is not null", T0))),
    ],
)
def test_what_may_stand_where_a_term_stands(node, simplest):
    assert tuple(size.simplest(node)) == simplest


def test_a_test_of_membership_becomes_one_of_a_list():
    nested = ir.SubExpr("not in", (T0,), select(T0))
    assert op("not in 1", T0, ZERO) in size.simplest(nested)
    assert not [n for n in size.simplest(ir.SubExpr("in", (T0, T0), select(T0, T0))) if isinstance(n, ir.Op)]


def test_what_is_plainer_takes_as_many_operands():
    known = {name: operator for d in DIALECTS.values() for name, operator in d.operators.items()}
    for name in known:
        assert {len(known[other].args) for other in size.plainer_than(name)} <= {len(known[name].args)}, name


def test_an_operator_is_replaced_by_the_plainest_and_by_the_next_plainer_one():
    assert size.plainer_than("=") == () and size.plainer_than("<") == ("=",)
    assert size.plainer_than("is not distinct") == ("=", "<", ">", "is not")
