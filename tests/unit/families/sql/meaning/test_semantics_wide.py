"""What queries mean: each example has the rows that the manuals say, and a real engine gives the same; or it has
several right answers, and we say nothing."""

import apsw
import duckdb
import pytest

from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.meaning.scene_cache import SceneCache

A, B = ir.Col("t", "a"), ir.Col("t", "b")
T = (ir.Join("t"),)
ONE, TWO = ir.Lit("int", "1"), ir.Lit("int", "2")
NULL = ir.NULL
ROWS = ((1, 10), (1, 20), (2, 20), (None, 5), (3, None))


def value(v):
    return NULL if v is None else ir.Lit("int", str(v))


SCENE = ir.Scene(
    (
        ir.CreateTable("t", (ir.Column("a", "INTEGER", "int"), ir.Column("b", "INTEGER", "int"))),
        ir.Insert("t", ("a", "b"), tuple(ir.Values(tuple(map(value, row))) for row in ROWS)),
    )
)
FACTS = {"duckdb": {"text-order": "by code point", "null-order": "last"}}


def meant(dialect, query, scene=SCENE):
    return SceneCache(scene, dialects.find(dialect), FACTS.get(dialect, {})).rows(query)


def answered(dialect, query, scene=SCENE):
    spoken = dialects.find(dialect)
    texts = [*map(spoken.text, scene.statements), spoken.text(query)]
    if dialect == "sqlite":
        db = apsw.Connection(":memory:")
        return [list(db.execute(text)) for text in texts][-1]
    with duckdb.connect() as db:
        return [db.execute(text).fetchall() for text in texts][-1]


def bag(rows):
    return sorted(map(repr, rows))


def agree(query, expected, *spoken, scene=SCENE):
    for dialect in spoken or ("sqlite", "duckdb"):
        assert bag(meant(dialect, query, scene)) == bag(expected), dialect
        assert bag(answered(dialect, query, scene)) == bag(expected), f"{dialect} itself"


def order(*exprs, **more):
    return tuple(ir.Order(e, **more) for e in exprs)


def over(fn, *args, by=(), order_by=(), frame=None, where=None):
    return ir.Over(fn, args, tuple(by), tuple(order_by), frame, where)


def test_limit_keeps_the_first_rows_of_an_order():
    first = ir.Select((A, B), T, order=order(B, A), limit=TWO)
    assert bag(meant("sqlite", first)) == bag([(3, None), (None, 5)]), "NULLs are small in SQLite"
    assert bag(meant("duckdb", first)) == bag([(None, 5), (1, 10)]), "and come last in DuckDB"
    for dialect in ("sqlite", "duckdb"):
        assert bag(answered(dialect, first)) == bag(meant(dialect, first))
    agree(ir.Select((A, B), T, order=order(B, A, nulls="LAST"), limit=TWO, offset=ONE), [(1, 10), (1, 20)])
    agree(ir.Select((A,), T, order=order(B, desc=True, nulls="FIRST"), limit=ONE), [(3,)])


def test_a_cut_between_rows_that_are_equal_in_an_order_is_undetermined_unless_they_are_alike():
    assert meant("sqlite", ir.Select((A,), T, order=order(B, nulls="FIRST"), limit=ir.Lit("int", "4"))) is None
    agree(ir.Select((A,), T, ir.Op("=", (A, ONE)), order=order(A), limit=ONE), [(1,)])
    assert meant("sqlite", ir.Select((A,), T, limit=ONE)) is None, "no order at all"


def test_a_compound_query_has_an_order_and_a_limit_of_its_own():
    arms = (ir.Select((A,), T), ir.Select((B,), T))
    agree(ir.Compound("UNION", arms, (), order(ONE, nulls="LAST"), TWO), [(1,), (2,)])
    agree(ir.Compound("INTERSECT", arms), [(None,)])
    agree(ir.Compound("EXCEPT", arms, (), order(ONE, desc=True), ONE), [(3,)])


def test_the_rows_come_in_the_order_of_all_that_is_shown():
    cache = SceneCache(SCENE, dialects.find("sqlite"), {})
    query = ir.Select((A, B), T, order=(ir.Order(B, True), ir.Order(A)))
    assert cache.in_order(query) == answered("sqlite", query) == [(1, 20), (2, 20), (1, 10), (None, 5), (3, None)]
    assert cache.in_order(ir.Select((A, B), T, order=order(B))) is None, "two rows have the same b"


def test_values_make_rows():
    cte = ir.Cte("w", (ir.ViewColumn("c0"),), ir.RowList((ir.Values((ONE,)), ir.Values((TWO,)), ir.Values((TWO,)))))
    agree(ir.Select((ir.Col("w", "c0"),), (ir.Join("w"),), ctes=(cte,)), [(1,), (2,), (2,)])


def test_a_filter_is_about_one_aggregate_only():
    items = (ir.Agg("count", None, False, ir.Op("=", (A, ONE))), ir.Agg("count"), ir.Agg("sum", B, True))
    agree(ir.Select(items, T), [(2, 5, 35)])


def test_a_column_beside_one_extreme_is_of_the_row_that_has_it():
    agree(ir.Select((A, ir.Agg("max", B)), T, ir.Op("is not", (A, TWO))), [(1, 20)], "sqlite")
    assert meant("sqlite", ir.Select((A, ir.Agg("max", B)), T)) is None, "two rows have it"
    assert meant("sqlite", ir.Select((A, ir.Agg("max", B), ir.Agg("min", B)), T)) is None, "two extremes"
    assert meant("duckdb", ir.Select((A, ir.Agg("max", B)), T, ir.Op("is distinct", (A, TWO)))) is None


def test_window_functions_of_rows():
    by = order(B, A, nulls="LAST")
    agree(
        ir.Select(
            (B, over("row_number", order_by=by), over("lag", A, order_by=by), over("lead", A, TWO, order_by=by)), T
        ),
        [(5, 1, None, 1), (10, 2, None, 2), (20, 3, 1, 3), (20, 4, 1, None), (None, 5, 2, None)],
    )
    agree(
        ir.Select((B, over("ntile", TWO, order_by=by), over("first_value", B, order_by=by), nth(by)), T),
        [(5, 1, 5, None), (10, 1, 5, 10), (20, 1, 5, 10), (20, 2, 5, 10), (None, 2, 5, 10)],
    )
    assert meant("sqlite", ir.Select((over("row_number", order_by=order(B)), A), T)) is None, "peers"


def test_rows_that_are_alike_are_numbered_in_one_order_only():
    doubled = ir.Scene((SCENE.statements[0], ir.Insert("t", ("a",), (ir.Values((ONE,)), ir.Values((ONE,))))))
    up, down = over("row_number", order_by=order(A)), over("row_number", order_by=order(A, desc=True))
    assert sorted(meant("sqlite", ir.Select((up,), T), doubled)) == [(1,), (2,)]
    assert sorted(meant("sqlite", ir.Select((up, over("lag", A, order_by=order(A))), T), doubled)) == [
        (1, None),
        (2, 1),
    ]
    assert meant("sqlite", ir.Select((up, down), T), doubled) is None, "which of the two is first in both"


def nth(by):
    return over("nth_value", B, TWO, order_by=by, frame=ir.Frame("ROWS", "UNBOUNDED PRECEDING", "CURRENT ROW"))


def test_window_functions_of_peers():
    by = order(B, nulls="LAST")
    agree(
        ir.Select((B, over("rank", order_by=by), over("dense_rank", order_by=by), over("count", order_by=by)), T),
        [(5, 1, 1, 1), (10, 2, 2, 2), (20, 3, 3, 4), (20, 3, 3, 4), (None, 5, 4, 5)],
    )
    agree(
        ir.Select((A, over("sum", B, by=(A,)), over("max", B), over("count", where=ir.Op("=", (A, ONE)))), T),
        [(1, 30, 20, 2), (1, 30, 20, 2), (2, 20, 20, 2), (None, 5, 20, 2), (3, None, 20, 2)],
    )


@pytest.mark.parametrize(
    ("frame", "counts"),
    [
        (ir.Frame("ROWS", "1 PRECEDING", "CURRENT ROW"), [1, 2, 2, 2, 2]),
        (ir.Frame("ROWS", "1 FOLLOWING", "2 FOLLOWING"), [2, 2, 2, 1, 0]),
        (ir.Frame("GROUPS", "1 PRECEDING", "CURRENT ROW"), [1, 2, 3, 3, 3]),
        (ir.Frame("GROUPS", "CURRENT ROW", "1 FOLLOWING", "GROUP"), [1, 2, 1, 1, 0]),
        (ir.Frame("GROUPS", "CURRENT ROW", "1 FOLLOWING", "TIES"), [2, 3, 2, 2, 1]),
        (ir.Frame("GROUPS", "CURRENT ROW", "CURRENT ROW", "CURRENT ROW"), [0, 0, 1, 1, 0]),
        (ir.Frame("RANGE", "5 PRECEDING", "CURRENT ROW"), [1, 2, 2, 2, 1]),
        (ir.Frame("RANGE", "CURRENT ROW", "10 FOLLOWING"), [2, 3, 2, 2, 1]),
        (ir.Frame("RANGE", "UNBOUNDED PRECEDING", "9 PRECEDING"), [0, 0, 2, 2, 5]),
    ],
)
def test_frames(frame, counts):
    by = order(B, A, nulls="LAST") if frame.unit == "ROWS" else order(B, nulls="LAST")
    query = ir.Select((B, over("count", order_by=by, frame=frame)), T)
    agree(query, list(zip([5, 10, 20, 20, None], counts, strict=True)))


def test_a_recursive_table_ends_with_a_step_that_gives_nothing():
    step = ir.Col("w", "n")
    again = ir.Select((ir.Op("+", (step, ONE)),), (ir.Join("w"),), ir.Op("<", (step, ir.Lit("int", "4"))))
    for op, rows in (("UNION ALL", [1, 1, 2, 2, 3, 3, 4, 4]), ("UNION", [1, 2, 3, 4])):
        begun = ir.Select((ONE,), T, ir.Op("=", (A, ONE)))
        cte = ir.Cte("w", (ir.ViewColumn("n"),), ir.Compound(op, (begun, again)), True)
        agree(ir.Select((step,), (ir.Join("w"),), ctes=(cte,)), [(n,) for n in rows])
    endless = ir.Cte(
        "w", (ir.ViewColumn("n"),), ir.Compound("UNION ALL", (begun, ir.Select((step,), (ir.Join("w"),)))), True
    )
    assert meant("sqlite", ir.Select((step,), (ir.Join("w"),), ctes=(endless,))) is None


def test_any_and_all():
    s = ir.Select((ir.Col("s", "b"),), (ir.Join("t", alias="s"),), ir.Op("is not null", (ir.Col("s", "b"),)))
    none = ir.Select((ir.Col("s", "b"),), (ir.Join("t", alias="s"),), ir.FALSE)
    agree(ir.Select((B,), T, ir.SubExpr(">= all", (B,), s)), [(20,), (20,)], "duckdb")
    agree(ir.Select((B,), T, ir.SubExpr("> any", (B,), s)), [(10,), (20,), (20,)], "duckdb")
    agree(
        ir.Select((ir.SubExpr("= any", (B,), none), ir.SubExpr("= all", (B,), none)), T, limit=None),
        [(False, True)] * 5,
        "duckdb",
    )


def test_the_first_row_of_each_key():
    query = ir.Select((A, B), T, distinct_on=(A,), order=order(A, B, desc=True, nulls="LAST"))
    agree(query, [(1, 20), (2, 20), (3, None), (None, 5)], "duckdb")


def test_a_lateral_query_sees_the_row_before_it():
    inner = ir.Select((ir.Agg("count"),), (ir.Join("t", alias="s"),), ir.Op("<", (ir.Col("s", "b"), B)))
    query = ir.Select(
        (B, ir.Col("d", "n")),
        (*T, ir.Join("", "CROSS JOIN", alias="d", sub=inner, columns=(ir.ViewColumn("n"),), is_lateral=True)),
    )
    agree(query, [(10, 1), (20, 2), (20, 2), (5, 0), (None, 0)], "duckdb")


@pytest.mark.parametrize(
    ("grouping", "rows"),
    [
        ("ROLLUP", [(1, 10, 1), (1, 20, 1), (2, 20, 1), (1, None, 2), (2, None, 1), (None, None, 3)]),
        ("GROUPING SETS", [(1, None, 2), (2, None, 1), (None, 10, 1), (None, 20, 2), (None, None, 3)]),
        (
            "CUBE",
            [
                (1, 10, 1),
                (1, 20, 1),
                (2, 20, 1),
                (1, None, 2),
                (2, None, 1),
                (None, 10, 1),
                (None, 20, 2),
                (None, None, 3),
            ],
        ),
    ],
)
def test_sets_of_groups(grouping, rows):
    known = ir.Op("<", (A, ir.Lit("int", "3")))
    agree(ir.Select((A, B, ir.Agg("count")), T, known, group=(A, B), grouping=grouping), rows, "duckdb")


def test_a_key_that_numbers_the_rows_has_other_names():
    table = ir.CreateTable("n", (ir.Column("k", "INTEGER", "int", primary=True), ir.Column("b", "INT", "int")))
    scene = ir.Scene((table, ir.Insert("n", ("b",), (ir.Values((ONE,)), ir.Values((TWO,))))))
    for word in ("rowid", "oid", "_rowid_"):
        query = ir.Select((ir.Col("n", word), ir.Col("n", "b")), (ir.Join("n"),))
        agree(query, [(1, 1), (2, 2)], "sqlite", scene=scene)
    assert meant("sqlite", ir.Select((ir.Col("t", "rowid"),), T)) is None, "a number that nobody gave"
