"""Random queries: joins, conditions, lists and aggregates whose value is determined, in every form that the seats
take."""

import sqlite3
from collections import Counter

import pytest

from gainsay.core.draw import Draw
from gainsay.core.tree import walk
from gainsay.families.sql.drawing import queries, scenes
from gainsay.families.sql.language import ir
from gainsay.families.sql.language.aggregates import AGGREGATES, drawn_from
from gainsay.families.sql.language.schema import Attribute, Relation, scope_of
from gainsay.families.sql.language.spoken.postgresql import POSTGRESQL
from gainsay.families.sql.meaning import legal
from gainsay.oracles.differential import Recipe
from sql_cases import lexicon, text

CLEAN, FUZZY = Attribute("c0", "any", exact=True), Attribute("c1", "any", clean=False)
LOOSE = Attribute("c2", "any")
MIXED = Relation("t0", (CLEAN, FUZZY, LOOSE))
OTHER = Relation("t1", (Attribute("c0", "any", exact=True),))
RELATIONS = (MIXED, OTHER)
TYPED = Relation("t0", (Attribute("c0", "int", exact=True), Attribute("c1", "text")))


def whole(count=400, relations=RELATIONS, has_extremes=False, **options):
    made = lexicon(*options.pop("dialects", ()), **options)
    return [queries.query(Draw(number), made, relations, has_extremes) for number in range(count)]


def nodes(kind, found):
    return [n for query in found for _, n in walk(query) if isinstance(n, kind)]


def test_every_form_of_a_query_is_drawn():
    found = whole(2000)
    selects = [q for q in found if isinstance(q, ir.Select)]
    for part in ("where", "group", "having", "order", "distinct", "ctes", "limit", "offset", "grouping"):
        assert any(getattr(q, part) for q in selects), part
    assert {n.op for n in nodes(ir.Compound, found)} == {"UNION ALL", "UNION", "INTERSECT", "EXCEPT"}
    kinds = {n.kind for n in nodes(ir.SubExpr, found)}
    assert kinds >= {"exists", "in", "not in", "scalar"} and {k.split()[-1] for k in kinds} >= {"any", "all"}
    assert {n.fn for n in nodes(ir.Over, found)} == {*drawn_from(AGGREGATES, True)}
    assert {n.unit for n in nodes(ir.Frame, found)} == {"ROWS", "RANGE", "GROUPS"}
    assert any(n.where is not None for n in nodes(ir.Agg, found))
    assert any(n.is_recursive for n in nodes(ir.Cte, found)) and nodes(ir.RowList, found)
    assert {j.kind for j in nodes(ir.Join, found)} >= {
        "",
        ",",
        "JOIN",
        "LEFT JOIN",
        "RIGHT JOIN",
        "FULL JOIN",
        "CROSS JOIN",
    }
    assert {len(q.source) for q in selects} == {1, 2, 3}


def is_odd(n):
    """A FULL JOIN by something else than an equation."""
    is_equation = (isinstance(getattr(n, "on", None), ir.Op) and n.on.op == "=") or getattr(n, "on", None) == ir.TRUE
    return isinstance(n, ir.Join) and n.kind == "FULL JOIN" and not is_equation


REFUSED = {
    "join:using": lambda n: isinstance(n, ir.Join) and n.using,
    "join:NATURAL FULL JOIN": lambda n: isinstance(n, ir.Join) and n.kind == "NATURAL FULL JOIN",
    "clause:all": lambda n: isinstance(n, ir.Select) and n.is_all,
    "clause:with": lambda n: isinstance(n, ir.Cte),
    "clause:subquery": lambda n: isinstance(n, ir.SubExpr),
    "clause:union all": lambda n: isinstance(n, ir.Compound),
    "clause:row in": lambda n: isinstance(n, ir.SubExpr) and len(n.args) > 1,
    # What refuses any condition may take an equation.
    "join:FULL JOIN": lambda n: (isinstance(n, ir.Join) and n.kind == "FULL JOIN" and n.on is None) or is_odd(n),
    "join:no on": lambda n: isinstance(n, ir.Join) and n.kind in queries.WITH_ON and n.on is None and not n.using,
    "join:LEFT JOIN": lambda n: isinstance(n, ir.Join) and n.kind == "LEFT JOIN",
    "agg:sum": lambda n: isinstance(n, ir.Agg) and n.fn == "sum",
    "agg:filter": lambda n: isinstance(n, ir.Agg) and n.where is not None,
    "clause:any": lambda n: isinstance(n, ir.SubExpr) and n.kind.endswith((" any", " all")),
    "clause:limit": lambda n: isinstance(n, ir.Select) and n.limit is not None,
    "clause:nulls": lambda n: isinstance(n, ir.Order) and n.nulls,
    "clause:compound order": lambda n: isinstance(n, ir.Compound) and n.order,
    "clause:values": lambda n: isinstance(n, ir.RowList),
    "clause:recursive": lambda n: isinstance(n, ir.Cte) and n.is_recursive,
    "grouping:CUBE": lambda n: isinstance(n, ir.Select) and n.grouping == "CUBE",
    "window:lag": lambda n: isinstance(n, ir.Over) and n.fn == "lag",
    "window:filter": lambda n: isinstance(n, ir.Over) and n.where is not None,
    "frame:GROUPS": lambda n: isinstance(n, ir.Frame) and n.unit == "GROUPS",
    "frame:exclude": lambda n: isinstance(n, ir.Frame) and n.exclude,
}


@pytest.mark.parametrize("feature", REFUSED)
def test_what_a_seat_refuses_is_in_no_query(feature):
    assert any(map(REFUSED[feature], nodes(ir.Node, whole(2000)))), "it is drawn where it is taken"
    assert not any(map(REFUSED[feature], nodes(ir.Node, whole(600, refused={feature}))))


def test_between_dialects_no_comma_joins():
    assert not [j for j in nodes(ir.Join, whole(dialects=("sqlite", "duckdb"), relations=(TYPED,))) if j.kind == ","]


def test_a_relation_that_comes_twice_has_an_alias():
    several = 0
    for query in whole(300, relations=(OTHER,)):
        for select in [n for _, n in walk(query) if isinstance(n, ir.Select)]:
            names = [j.alias or j.rel for j in select.source]
            assert len(set(names)) == len(names)
            several += len(names) > 1
    assert several > 30


def test_every_query_has_one_answer():
    known = {"t0": MIXED, "t1": OTHER}
    for query in whole(600):
        assert legal.is_determined(query, known) and legal.has_exact_rows(query, known), text(query)


def test_a_select_list_shows_what_is_determined():
    columns = MIXED.columns()
    assert [text(item) for item in queries.determined(columns)] == ["t0.c0", "t0.c2", "(t0.c1 IS NULL)"]
    assert queries.determined([]) == (queries.ONE,)


def test_a_base_on_one_relation_is_made_once_for_a_scene():
    made = lexicon()
    first = queries.alone(made, OTHER)
    assert queries.alone(made, OTHER) is first
    again = Relation("t1", (Attribute("x", "any"),))
    assert [c.name for c, _ in queries.alone(made, again).columns] == ["x"], "another scene's relation of the same name"


@pytest.mark.parametrize(
    ("right", "joinable"),
    [
        (Attribute("c0", "any"), True),
        (Attribute("c0", "int"), False),
        (Attribute("c0", "any", clean=False), False),
        (Attribute("c1", "any"), False),  # it is ambiguous on the left
        (Attribute("x", "int"), True),
    ],
)
def test_a_natural_join_is_of_clean_columns_of_one_class(right, joinable):
    assert queries.is_joinable(MIXED.columns(), Relation("t1", (right,))) is joinable


def totals(has_extremes=False, relation=MIXED):
    columns = relation.columns()
    base = queries.Base((ir.Join(relation.name),), columns, scope_of(columns))
    made = lexicon()
    return [a for n in range(300) for a, _ in queries.aggregates(Draw(n), made, base, has_extremes)]


def test_an_aggregate_has_one_value():
    found = totals()
    assert {a.fn for a in found} == {"count", "min", "max", "sum", "avg", "total", "group_concat", "string_agg"}
    assert {a.arg.name for a in found if a.fn in ("min", "max")} == {"c0"}, "only of what is exact"
    joined = [a for a in found if a.between is not None]
    assert {a.arg.name for a in joined} == {"c0"} and all(a.order[0].expr == a.arg for a in joined), "in one order"
    assert not [a for a in found if a.arg is not None and a.arg.name == "c1"], "an ambiguous column is left alone"
    assert {a.fn for a in found if a.distinct} == {"count", "sum"}
    assert {a.arg.name for a in found if a.fn == "sum" and a.distinct} == {"c0"}, "only of what is exact"


def test_where_sums_may_lose_digits_nothing_is_summed():
    assert "sum" in {a.fn for a in totals()} and "sum" not in {a.fn for a in totals(has_extremes=True)}


def test_a_definition_says_of_its_columns_what_holds():
    made = lexicon()
    for number in range(400):
        query, attributes = queries.defined(Draw(number), made, RELATIONS)
        columns = tuple(ir.ViewColumn(a.name, a.cls, a.clean, a.exact) for a in attributes)
        assert [c.name for c in columns] == [f"c{n}" for n in range(len(query.items))]
        assert legal.marks_hold(columns, query, {"t0": MIXED, "t1": OTHER}), text(query)


def test_a_subquery_that_is_a_value_is_one_aggregate():
    scalars = [n for n in nodes(ir.SubExpr, whole(1500)) if n.kind == "scalar"]
    assert len(scalars) > 10
    for each in scalars:
        (item,) = each.query.items
        assert isinstance(item, ir.Agg) and not each.query.group


def test_most_queries_are_taken_by_a_real_engine(seat_of):
    made = lexicon(refused=seat_of("sqlite").refused)
    taken = Counter()
    for number in range(60):
        scene = scenes.grow(Draw(number), made)
        database = sqlite3.connect(":memory:")
        for statement in scene.statements:
            try:
                database.execute(text(statement))
            except sqlite3.Error:
                break
        else:
            for check in range(10):
                query = queries.query(Draw(number * 100 + check), made, made.relations(scene), made.has_extremes(scene))
                assert legal.is_legal(scene, Recipe(query)), text(query) + str([text(s) for s in scene.statements])
                try:
                    database.execute(text(query)).fetchall()
                    taken[True] += 1
                except sqlite3.Error as error:
                    assert "syntax" not in str(error) and "no such" not in str(error), text(query)
                    taken[False] += 1
    assert taken[True] > 200 and taken[False] < taken[True] / 10, taken


TWO_EXACT = Relation("t0", (Attribute("c0", "int", exact=True), Attribute("c1", "list", exact=True)))
POSTGRES = {"dialects": ("postgresql",), "relations": (TWO_EXACT, TYPED)}


def test_functions_that_give_rows_lateral_queries_and_distinct_on_are_drawn_and_legal():
    found = whole(1500, **POSTGRES)
    assert {n.row for n in nodes(ir.Call, found)} == set(POSTGRESQL.table_functions)
    assert any(n.is_lateral for n in nodes(ir.Join, found))
    assert any(n.distinct_on for n in nodes(ir.Select, found))
    columns = tuple(ir.Column(f"c{n}", "INTEGER", cls) for n, cls in enumerate(("int", "list")))
    others = tuple(ir.Column(f"c{n}", "INTEGER", cls) for n, cls in enumerate(("int", "text")))
    scene = ir.Scene((ir.CreateTable("t0", columns), ir.CreateTable("t1", others)))
    named = (TWO_EXACT, Relation("t1", TYPED.attributes))
    assert all(legal.is_legal(scene, Recipe(q)) for q in whole(600, dialects=("postgresql",), relations=named))


@pytest.mark.parametrize("refused", ["clause:lateral", "clause:distinct on"])
def test_what_a_target_refuses_of_them_is_not_drawn(refused):
    found = whole(800, refused=(refused,), **POSTGRES)
    assert any(n.is_lateral for n in nodes(ir.Join, found)) == (refused != "clause:lateral")
    assert any(n.distinct_on for n in nodes(ir.Select, found)) == (refused != "clause:distinct on")


def test_between_dialects_they_are_not_drawn():
    found = whole(800, dialects=("postgresql", "duckdb"), relations=(TYPED,))
    assert not nodes(ir.Call, found) and not any(n.is_made for n in nodes(ir.Join, found))
    assert not any(n.distinct_on for n in nodes(ir.Select, found))


def test_a_column_stands_beside_one_extreme():
    c0, c1 = ir.Col("t0", "c0"), ir.Col("t0", "c1")
    plain = ir.Select((ir.Agg("max", c0),), (ir.Join("t0"),), ir.Op("is null", (c1,)))
    assert {queries.beside_extreme(Draw(n), plain).items[1:] for n in range(20)} == {(c0,), (c1,)}
    two = ir.Select((ir.Agg("max", c0), ir.Agg("min", c0)), (ir.Join("t0"),))
    assert queries.beside_extreme(Draw(1), two) == two


def test_the_number_of_a_row_has_other_names():
    query = ir.Select((ir.Col("a1", "k"), ir.Col("t1", "k")), (ir.Join("t0", alias="a1"), ir.Join("t1", "JOIN")))
    found = {queries.by_number(Draw(n), query, {"t0": "k"}).items for n in range(30)}
    assert found == {(ir.Col("a1", word), ir.Col("t1", "k")) for word in ("rowid", "oid", "_rowid_")}


def test_a_column_that_a_join_made_one_is_used_by_its_name_alone():
    found = [n for n in nodes(ir.Select, whole(3000)) if n.source and n.source[-1].using]
    assert any(isinstance(c, ir.Col) and not c.rel for n in found for c in nodes(ir.Col, [n.items]))
    grouped = [n for n in nodes(ir.Select, whole(3000)) if any(isinstance(g, ir.Op) for g in n.group)]
    assert grouped and not any(n.grouping for n in grouped)
