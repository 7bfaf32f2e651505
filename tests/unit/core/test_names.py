"""Renaming, dropping and inlining, on trees of four families."""

from itertools import islice

import msgspec
import pytest

from gainsay.core import names
from gainsay.families.cypher.language.reader import read
from gainsay.families.cypher.language.writer import CypherDialect
from gainsay.families.datalog.language import ir as dl
from gainsay.families.smt.language import ir as smt
from gainsay.families.sql.language import ir as sql

X, Y = dl.Var("x"), dl.Var("y")
RULE = dl.Rule(1, dl.Atom("p", (X,)), (dl.Atom("a", (X, Y)), dl.Not(dl.Atom("b", (Y,)))))


def cypher(text):
    return read(text), CypherDialect("neo4j", {}, frozenset()).text


def test_names_are_met_in_their_order_and_once():
    assert list(names.met(RULE, "relation")) == ["p", "a", "b"]
    assert list(names.met(RULE, "variable")) == ["x", "y"]
    assert names.met(RULE, "relation", "variable") == {
        "p": "relation",
        "x": "variable",
        "a": "relation",
        "y": "variable",
        "b": "relation",
    }


def test_a_name_is_mentioned_as_its_kind_only():
    assert names.mentions(RULE, "relation", "b") and not names.mentions(RULE, "variable", "b")


def test_renaming_changes_binders_and_references_of_one_kind():
    renamed = names.renamed(RULE, names.by("relation", {"a": "x", "x": "no"}))
    assert list(names.met(renamed, "relation")) == ["p", "x", "b"]
    assert list(names.met(renamed, "variable")) == ["x", "y"]


def test_renaming_reaches_variables_of_patterns_lists_and_results():
    query, text = cypher("MATCH (a)-[r]->(b) WHERE any(v IN [1] WHERE v = a.k) WITH a AS c RETURN c.k AS d")
    renamed = names.renamed(query, names.by("variable", {n: f"{n}0" for n in "arbvcd"}))
    assert text(renamed) == text(
        cypher("MATCH (a0)-[r0]->(b0) WHERE any(v0 IN [1] WHERE v0 = a0.k) WITH a0 AS c0 RETURN c0.k AS d0")[0]
    )


def test_renaming_keeps_what_is_shared_and_goes_to_any_depth():
    term = smt.Term("x", (), "Int")
    for _ in range(5000):
        term = smt.Term("+", (term, term), "Int")
    renamed = names.renamed_shared(term, names.by("symbol", {"x": "y"}))
    depth = 0
    while renamed.args:
        assert renamed.op == "+" and renamed.args[0] is renamed.args[1]
        renamed, depth = renamed.args[0], depth + 1
    assert (renamed.op, depth) == ("y", 5000)
    assert names.renamed_shared(term, names.by("symbol", {"z": "y"})) is term


def test_what_a_node_binds_for_its_own_parts_is_met_and_renamed_with_them():
    y = smt.Term("y", (), "Int")
    some = smt.Term("exists", (smt.Term("=", (y, y)),), "Bool", (("y", "Int"), ("unused", "Bool")))
    assert {"y", "unused"} <= names.met(some, "symbol").keys() and names.mentions(some, "symbol", "unused")
    assert names.scoped([some, y], "symbol") == {"y", "unused"} and not names.scoped([some], "variable")
    z = smt.Term("z", (), "Int")
    assert names.renamed_shared(some, names.by("symbol", {"y": "z", "Int": "no"})) == smt.Term(
        "exists", (smt.Term("=", (z, z)),), "Bool", (("z", "Int"), ("unused", "Bool"))
    )


def test_a_new_name_may_depend_on_what_stands_around():
    table = sql.CreateTable("t", (sql.Column("c"),))
    seen = []
    names.renamed(
        table, lambda name: seen.append((name.kind, name.text, [type(n).__name__ for n in name.around])) or "z"
    )
    assert ("column", "c", ["CreateTable"]) in seen and ("relation", "t", []) in seen


def test_what_mentions_a_name_leaves_its_tuple_and_a_rule_for_it_leaves_too():
    assert names.without((RULE,), names.the("relation", "b")) == (msgspec.structs.replace(RULE, body=RULE.body[:1]),)
    assert names.without((RULE,), names.the("relation", "p")) == ()


def test_something_may_stand_in_for_what_leaves():
    test = sql.Op("=", (sql.Col("t", "c"), sql.Lit("int", "1")))
    assert names.without(test, names.the("source", "t"), lambda node: sql.NULL) == sql.Op(
        "=", (sql.NULL, sql.Lit("int", "1"))
    )
    assert names.without(test, names.the("source", "u"), lambda node: sql.NULL) == test


def test_what_may_be_missing_leaves_alone():
    query = sql.Select((sql.TRUE,), where=sql.Col("t", "c"))
    assert names.without((query,), names.the("source", "t")) == (sql.Select((sql.TRUE,)),)


def test_names_that_become_one_are_listed_once():
    query, text = cypher("MATCH (a:A:B) RETURN a.k AS x")
    assert text(names.renamed(query, names.by("label", {"B": "A"}))) == "MATCH (a:A) RETURN a.k AS x"


def test_a_name_leaves_a_tuple_of_names():
    insert = sql.CreateVirtual("v", "fts5", ("c0", "c1"))
    assert names.without(insert, names.the("column", "c0")).columns == ("c1",)


def test_a_column_takes_along_what_stands_at_its_place_in_each_row():
    one, two = sql.Lit("int", "1"), sql.Lit("int", "2")
    insert = sql.Insert("t", ("c0", "c1"), (sql.Values((one, two)), sql.Values((two, one))))
    left = sql.Insert("t", ("c1",), (sql.Values((two,)), sql.Values((one,))))
    assert names.without((insert,), names.the("column", "c0")) == (left,)
    assert names.without((left,), names.the("column", "c1")) == (), "it is nothing without columns"
    arms = sql.Compound("UNION", (sql.Select((one, two)), sql.Select((two, one))))
    view = sql.CreateView("v", (sql.ViewColumn("a"), sql.ViewColumn("b")), arms)
    shorter = sql.Compound("UNION", (sql.Select((one,)), sql.Select((two,))))
    assert names.without(view, names.the("column", "b")) == sql.CreateView("v", (sql.ViewColumn("a"),), shorter)


def test_what_is_joint_leaves_with_any_of_its_names():
    key = sql.ForeignKey(("a", "b"), sql.Target("u", ("c", "d")))
    table = sql.CreateTable("t", (sql.Column("a"), sql.Column("b")), keys=(("a", "b"), ("b",)), foreign=(key,))
    expected = sql.CreateTable("t", (sql.Column("b"),), keys=(("b",),))
    assert names.without(table, names.the("column", "a")) == expected
    assert not names.without(table, names.the("column", "d")).foreign


def test_which_of_several_with_one_name_leaves_is_told_by_where_it_stands():
    scene = tuple(sql.Insert(t, ("c", "d"), (sql.Values((sql.NULL, sql.TRUE)),)) for t in "tu")
    left = names.without(scene, lambda name: name.text == "c" and name.node.table == "u")
    assert left == (scene[0], sql.Insert("u", ("d",), (sql.Values((sql.TRUE,)),)))


def test_a_place_leaves_all_that_has_a_name():
    facts = (dl.Rel("b", ("number", "symbol")), dl.Fact("b", (1, "x")), dl.Fact("a", (1, "x")))
    less = (dl.Rel("b", ("symbol",)), dl.Fact("b", ("x",)), dl.Fact("a", (1, "x")))
    assert names.without_place(facts, "relation", "b", 0) == less


@pytest.mark.parametrize(
    ("tree", "values", "expected"),
    [
        (dl.Atom("a", (X, Y)), {("x",): dl.Const(1)}, dl.Atom("a", (dl.Const(1), Y))),
        (sql.Op("not", (sql.Col("t", "c"),)), {("t", "c"): sql.TRUE}, sql.Op("not", (sql.TRUE,))),
        (sql.Op("not", (sql.Col("t", "c"),)), {("u", "c"): sql.TRUE}, sql.Op("not", (sql.Col("t", "c"),))),
    ],
)
def test_a_value_takes_the_place_of_references(tree, values, expected):
    assert names.inlined(tree, values) == expected


def test_fresh_names_are_readable_and_never_taken():
    assert list(islice(names.fresh("xy", {"y", "x1"}), 4)) == ["x", "y1", "x2", "y2"]
