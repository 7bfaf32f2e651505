"""What a scene's statements amount to: relations, and which columns are exact and clean."""

import pytest

from gainsay.families.sql.language import ir, schema
from gainsay.families.sql.language.schema import Attribute, Scope
from sql_cases import ONE, T0, insert, select, table, view


@pytest.mark.parametrize(
    ("column", "exact"),
    [
        (ir.Column("c0", "INT"), True),
        (ir.Column("c0", "TEXT"), True),
        (ir.Column("c0"), False),  # 0 and 0.0 may both be stored
        (ir.Column("c0", "BLOB"), False),
        (ir.Column("c0", "DOUBLE", "real"), False),
        (ir.Column("c0", "TEXT", collate="NOCASE"), False),
        (ir.Column("c0", "INT", generated=ONE), False),
        (ir.Column("c0", "INT", is_exact=False), False),  # its dialect says so
    ],
)
def test_equal_values_of_a_column_are_identical_or_not(column, exact):
    assert schema.attribute(column) == Attribute("c0", column.cls, clean=True, exact=exact)


def test_the_relations_of_a_scene_stand_in_the_order_of_their_creation():
    made = view("v0", select(T0), ir.ViewColumn("x", "int", clean=False, exact=True))
    scene = ir.Scene(
        (
            ir.Setting("ANALYZE"),
            ir.CreateVirtual("ft0", "fts5", ("c0", "c1")),
            table("t0", ir.Column("c0", "INT", "int")),
            insert("t0", "c0", (ONE,)),
            made,
        )
    )
    assert [(r.name, r.kind, [a.name for a in r.attributes]) for r in schema.relations(scene)] == [
        ("ft0", "virtual", ["c0", "c1"]),
        ("t0", "table", ["c0"]),
        ("v0", "view", ["x"]),
    ]
    assert schema.relation_of(made).attributes == (Attribute("x", "int", clean=False, exact=True),)
    assert schema.relation_of(insert("t0", "c0", (ONE,))) is None


def test_columns_are_named_by_the_alias_where_there_is_one():
    relation = schema.relation_of(table("t0", "c0", "c1"))
    assert [c for c, _ in relation.columns()] == [ir.Col("t0", "c0"), ir.Col("t0", "c1")]
    assert [c for c, _ in relation.columns("a1")] == [ir.Col("a1", "c0"), ir.Col("a1", "c1")]


def test_a_scope_sorts_columns_by_class_and_sets_ambiguous_ones_apart():
    columns = [
        (ir.Col("t0", "c0"), Attribute("c0", "int")),
        (ir.Col("t0", "c1"), Attribute("c1", "text", clean=False)),
        (ir.Col("t0", "c2"), Attribute("c2", "int")),
    ]
    assert schema.scope_of(columns) == Scope(
        {"int": (ir.Col("t0", "c0"), ir.Col("t0", "c2"))}, fuzzy=(ir.Col("t0", "c1"),)
    )
