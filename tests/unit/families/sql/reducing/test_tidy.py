"""Readable names: t0, i0, v0, c0 in the order of creation, and an alias only where a name is taken."""

import pytest

from gainsay.families.sql.language import ir
from gainsay.families.sql.reducing import tidy
from gainsay.oracles.sql_tlp import Recipe
from sql_cases import ONE, ZERO, insert, norec, op, select, table, told, view


def test_tidy_renames_through_aliases_and_conditions():
    scene = ir.Scene(
        (
            ir.CreateTable("t7", (ir.Column("c3"), ir.Column("c5"))),
            ir.CreateIndex("i9", "t7", (ir.IndexKey(ir.Col("", "c5")),)),
            ir.Insert("t7", ("c5",), (ir.Values((ir.NULL,)),)),
        )
    )
    query = ir.Select((ir.Col("a1", "c5"),), (ir.Join("t7"), ir.Join("t7", "LEFT JOIN", alias="a1")))
    scene, recipe = tidy.tidy(scene, Recipe(query, ir.Col("a1", "c3")))
    assert [getattr(s, "name", getattr(s, "table", "")) for s in scene.statements] == ["t0", "i0", "t0"]
    assert scene.statements[2].columns == ("c1",)
    assert scene.statements[1].keys[0].expr == ir.Col("", "c1")
    assert recipe.query.items == (ir.Col("a1", "c1"),)
    assert recipe.query.source[1].rel == "t0"
    assert recipe.condition == ir.Col("a1", "c0")


def tidied(*statements, recipe):
    return told(*tidy.tidy(ir.Scene(statements), recipe))


def test_relations_are_numbered_in_the_order_of_their_creation():
    made = tidied(
        table("t5", "c2"),
        table("t3", "c1"),
        view("v8", select(ir.Col("t3", "c1"), source=(ir.Join("t3"),)), "c7"),
        recipe=norec(op("=", ir.Col("v8", "c7"), ir.Col("t5", "c2")), ir.Join("t5"), ir.Join("v8", ",")),
    )
    assert made == (
        "CREATE TABLE t0(c0); CREATE TABLE t1(c0); CREATE VIEW v0(c0) AS SELECT t1.c0 FROM t1; "
        "SELECT NULL FROM t0, v0 WHERE v0.c0 = t0.c0"
    )


def test_names_change_in_every_kind_of_statement():
    x, y = ir.Col("", "x"), ir.Col("", "y")
    made = tidied(
        ir.CreateTable("u", (ir.Column("y", check=op("is null", y)), ir.Column("x", generated=y)), keys=(("y", "x"),)),
        ir.CreateIndex("j", "u", (ir.IndexKey(op("+x", x)),), where=op("notnull", y)),
        ir.Update("u", (ir.Assign("y", ONE),), op("=", x, ZERO)),
        ir.Delete("u", x),
        recipe=norec(ir.TRUE, ir.Join("u")),
    )
    assert made == (
        "CREATE TABLE t0(c0 CHECK (c0 IS NULL), c1 GENERATED ALWAYS AS (c0), UNIQUE (c0, c1)); "
        "CREATE INDEX i0 ON t0((+ c1)) WHERE c0 NOTNULL; "
        "UPDATE t0 SET c0 = 1 WHERE c1 = 0; DELETE FROM t0 WHERE c1; SELECT NULL FROM t0 WHERE TRUE"
    )


def test_names_change_in_foreign_keys_triggers_and_updates_from():
    key = ir.ForeignKey(("y",), ir.Target("p", ("k",)), "CASCADE")
    log = ir.Insert("p", ("k",), (ir.Values((ir.Col("new", "y"),)),))
    made = tidied(
        ir.CreateTable("p", (ir.Column("j"), ir.Column("k", unique=True))),
        ir.CreateTable("u", (ir.Column("y"),), foreign=(key,)),
        ir.CreateTrigger("g", "AFTER", "UPDATE", "u", (log,), ("y",), op("is null", ir.Col("old", "y"))),
        ir.Update("u", (ir.Assign("y", ir.Col("x", "k")),), ir.Col("u", "y"), (ir.Join("p", alias="x"),)),
        recipe=norec(ir.TRUE, ir.Join("u")),
    )
    assert made == (
        "CREATE TABLE t0(c0, c1 UNIQUE); CREATE TABLE t1(c0, FOREIGN KEY (c0) REFERENCES t0(c1) ON DELETE CASCADE); "
        "CREATE TRIGGER g0 AFTER UPDATE OF c0 ON t1 FOR EACH ROW WHEN (old.c0 IS NULL) BEGIN "
        "INSERT INTO t0(c1) VALUES (new.c0); END; "
        "UPDATE t1 SET c0 = x.c1 FROM t0 AS x WHERE t1.c0; SELECT NULL FROM t1 WHERE TRUE"
    )


@pytest.mark.parametrize(
    ("source", "where", "spelled"),
    [
        ((ir.Join("t0", alias="a4"),), ir.Col("a4", "c0"), "FROM t0 WHERE t0.c0"),
        (
            (ir.Join("t0", alias="a4"), ir.Join("t0", ",", alias="a7")),
            op("=", ir.Col("a7", "c0"), ir.Col("a4", "c0")),
            "FROM t0, t0 AS a1 WHERE a1.c0 = t0.c0",
        ),
        (
            (ir.Join("t0"),),
            ir.SubExpr("exists", (), select(ir.Col("s0", "c0"), source=(ir.Join("t0", alias="s0"),))),
            "FROM t0 WHERE (EXISTS (SELECT a1.c0 FROM t0 AS a1))",
        ),
        (
            (ir.Join("t0"),),
            ir.SubExpr("exists", (), select(ir.Col("s0", "c0"), source=(ir.Join("t1", alias="s0"),))),
            "FROM t0 WHERE (EXISTS (SELECT t1.c0 FROM t1))",
        ),
    ],
)
def test_an_alias_is_there_only_where_a_name_is_taken_here_or_around(source, where, spelled):
    made = tidied(table("t0", "c0"), table("t1", "c0"), recipe=norec(where, *source))
    assert made.endswith(f"; SELECT NULL {spelled}")


def test_rows_keep_their_values_when_columns_come_into_order():
    made = tidied(table("t0", "c0", "c1"), insert("t0", "c1 c0", (ZERO, ONE)), recipe=norec(ir.TRUE))
    assert "INSERT INTO t0(c0, c1) VALUES (1, 0)" in made


def test_what_is_tidy_stays():
    scene = ir.Scene((table("t0", "c0"), insert("t0", "c0", (ONE,))))
    recipe = norec(op("=", ir.Col("t0", "c0"), ir.Col("a1", "c0")), ir.Join("t0"), ir.Join("t0", "JOIN", alias="a1"))
    assert tidy.tidy(scene, recipe) == (scene, recipe)


def test_what_is_made_beside_a_table_names_its_columns_as_they_are_called_now():
    made = ir.Scene((table("x", "k", "l"), ir.Extra("statistics", "s", "x", ("l",))))
    scene, _ = tidy.tidy(made, norec(ONE, ir.Join("x")))
    extra = scene.statements[1]
    assert (extra.table, extra.columns) == ("t0", ("c1",))


def test_a_statement_is_about_the_relation_that_it_makes_or_changes():
    made = (table("x", "k"), ir.Delete("x"), ir.RenameTable("x", "y"), ir.CreateIndex("i", "x", ()), ir.Mark("BEGIN"))
    assert [s.about for s in made] == ["x", "x", "x", "x", ""]
