"""What only PostgreSQL's dialect has, on a real one."""

import pytest

from gainsay.core import registry
from gainsay.core.answer import Rows
from gainsay.families.sql.language import ir
from gainsay.families.sql.language.spoken.postgresql import POSTGRESQL
from gainsay.families.sql.reducing import shape, tidy
from gainsay.oracles.differential import Recipe
from sql_cases import ONE, T0, insert, op, select

LIST = ir.Lit("list", "ARRAY[1, 2]")
C0 = (ir.ViewColumn("c0", "int"),)


def called(row, *args, columns=C0):
    return ir.Join("", alias="f0", call=ir.Call(row, args), columns=columns)


@pytest.fixture(scope="module")
def session():
    made = registry.engine("postgresql").open_session((), {})
    made.ask("CREATE TABLE t0(c0 INT, c1 INT)")
    made.ask("INSERT INTO t0 VALUES (1, 3), (1, 2), (2, 1)")
    yield made
    made.close()


def asked(session, query):
    answer = session.ask(POSTGRESQL.text(query))
    assert isinstance(answer, Rows), answer
    return answer.rows


def test_a_function_gives_rows(session):
    assert asked(session, select(ir.Col("f0", "c0"), source=(called("unnest", LIST),))) == [(1,), (2,)]


@pytest.mark.parametrize("given", ["-2147483648", "2147483647"])
def test_a_series_is_short_whatever_it_is_of(session, given):
    number = ir.Lit("int", given)
    for args in ((number, ONE), (ONE, number), (number, number)):
        assert len(asked(session, select(ir.Col("f0", "c0"), source=(called("series", *args),)))) <= 5


def test_a_lateral_query_uses_what_stands_before_it(session):
    inner = ir.Select((ir.Agg("count"),), (ir.Join("t0", alias="l0"),), op("=", ir.Col("l0", "c1"), T0))
    made = ir.Join("", "CROSS JOIN", alias="d0", sub=inner, columns=C0, is_lateral=True)
    query = select(T0, ir.Col("d0", "c0"), source=(ir.Join("t0"), made))
    assert POSTGRESQL.text(query) == (
        "SELECT t0.c0, d0.c0 FROM t0 CROSS JOIN LATERAL (SELECT COUNT(*) FROM t0 AS l0 WHERE l0.c1 = t0.c0) AS d0(c0)"
    )
    assert sorted(asked(session, query)) == [(1, 1), (1, 1), (2, 1)]


def test_distinct_on_shows_the_first_of_each(session):
    order = (ir.Order(T0), ir.Order(ir.Col("t0", "c1")))
    query = select(T0, ir.Col("t0", "c1"), distinct_on=(T0,), order=order)
    assert asked(session, query) == [(1, 2), (2, 1)]


def test_collations_of_columns_are_those_of_the_running_server(seat_of):
    refused = seat_of("postgresql").refused
    usable = [c for c in POSTGRESQL.collations if f"collation:{c}" not in refused]
    assert '"C"' in usable and '"POSIX"' in usable


def test_what_is_made_in_a_from_list_keeps_its_name_when_a_case_is_tidied():
    scene = ir.Scene((ir.CreateTable("t7", (ir.Column("c3", "INTEGER", "int"),)), insert("t7", "c3", (ONE,))))
    given = ir.Col("t7", "c3")
    recipe = Recipe(
        select(
            given,
            ir.Col("f0", "c0"),
            source=(ir.Join("t7"), ir.Join("", "CROSS JOIN", alias="f0", call=ir.Call("unnest", (LIST,)), columns=C0)),
        )
    )
    _, tidied = tidy.tidy(scene, recipe)
    assert POSTGRESQL.text(tidied.subject) == "SELECT t0.c0, f0.c0 FROM t0 CROSS JOIN unnest(ARRAY[1, 2]) AS f0(c0)"


def test_they_are_told_in_a_shape():
    lateral = ir.Join("", "CROSS JOIN", alias="d0", sub=select(T0), columns=C0, is_lateral=True)
    query = select(
        T0, source=(ir.Join("t0"), called("unnest", LIST), lateral), distinct_on=(T0,), order=(ir.Order(T0),)
    )
    found = shape.shape(ir.Scene(()), Recipe(query))
    assert {"lateral", "distinct on", "rows: unnest"} <= shape.bucket(found)
