"""Readable names: a declared symbol never gets the name of a variable that a quantifier binds around it."""

import pytest

from gainsay.families.smt.language import reader, writer
from gainsay.families.smt.language.ir import Instance, Scene, Term
from gainsay.families.smt.meaning.scene_cache import SceneCache
from gainsay.families.smt.reducing import shrink, tidy

HEAD = "(declare-const k Int)(declare-const z Int)"


def case(formula):
    script = reader.read(f"{HEAD}(assert {formula})")
    return Scene("LIA", script.decls), Instance((), script.asserts, is_loose=True)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("(= z k)", "(= y x)"),
        ("(exists ((x Int)) (= x k))", "(exists ((x Int)) (= x y))"),
        ("(exists ((x Int)) (forall ((y Int)) (= k z)))", "(exists ((x Int)) (forall ((y Int)) (= z u)))"),
    ],
)
def test_readable_names_are_none_that_a_quantifier_binds(formula, expected):
    _, recipe = tidy.tidy(*case(formula))
    assert [writer.text(t) for t in recipe.asserts] == [expected]


def test_a_variable_that_hides_a_symbol_is_renamed_with_what_refers_to_it():
    k = Term("k", (), "Int")
    hidden = Term("exists", (Term("=", (k, k)),), "Bool", (("k", "Int"),))
    scene, recipe = case("(= k z)")
    _, made = tidy.tidy(scene, Instance((), (*recipe.asserts, hidden), is_loose=True))
    assert [writer.text(t) for t in made.asserts] == ["(= x y)", "(exists ((x Int)) (= x x))"]


def test_no_constant_takes_the_place_of_another_where_a_quantifier_binds_its_name():
    k, z = Term("k", (), "Int"), Term("z", (), "Int")
    scene, recipe = case("(= k z)")
    hidden = Term("exists", (Term("=", (k, z)),), "Bool", (("k", "Int"),))
    assert len(list(shrink.merged(SceneCache(scene), recipe))) == 1
    assert list(shrink.merged(SceneCache(scene), Instance((), (hidden,), is_loose=True))) == []
