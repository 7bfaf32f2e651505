from gainsay.families.sql.language import ir
from gainsay.families.sql.reducing import shape, shrink, tidy
from gainsay.oracles.sql_tlp import Recipe


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


def test_dropping_a_column_goes_through_inserts_indexes_and_queries():
    scene = ir.Scene(
        (
            ir.CreateTable("t0", (ir.Column("c0"), ir.Column("c1"))),
            ir.Insert("t0", ("c0", "c1"), (ir.Values((ir.NULL, ir.TRUE)),)),
            ir.CreateIndex("i0", "t0", (ir.IndexKey(ir.Col("", "c0")), ir.IndexKey(ir.Col("", "c1")))),
        )
    )
    recipe = Recipe(ir.Select((ir.Col("t0", "c0"), ir.Col("t0", "c1")), (ir.Join("t0"),)), ir.Col("t0", "c1"))
    new, changed = shrink.drop_column(scene, recipe, scene.statements[0], 1, "c1")
    assert [c.name for c in new.statements[0].columns] == ["c0"]
    assert new.statements[1].rows == (ir.Values((ir.NULL,)),)
    assert len(new.statements[2].keys) == 1
    assert changed.query.items == (ir.Col("t0", "c0"),)
    assert changed.condition == ir.NULL


def test_a_bucket_is_the_structure_and_one_class_of_operators():
    assert shape.bucket(frozenset({"left join", "comparison", "and/or", "row value"})) == {"outer join", "row value"}
    assert shape.bucket(frozenset({"index", "partial index", "null test"})) == {"partial index", "condition"}
    assert shape.absorbs(frozenset({"outer join", "condition"}), frozenset({"outer join", "condition", "view"}))
    assert not shape.absorbs(
        frozenset({"outer join", "condition"}), frozenset({"outer join", "condition", "collation"})
    )
