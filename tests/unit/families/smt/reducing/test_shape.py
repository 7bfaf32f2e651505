"""What a case is made of, and which findings have one cause."""

import pytest

from gainsay.core import registry
from gainsay.families.smt.language import parse, reader
from gainsay.families.smt.language.ir import Instance, RawScript, Scene

FAMILY = registry.family("smt")


def shape(formula, **more):
    script = reader.read(
        f"(set-logic ALL)(declare-fun x () (_ BitVec 4))(declare-fun s () String)(declare-fun a () Bool)(assert "
        f"{formula})"
    )
    return FAMILY.shape(Scene("ALL", script.decls), Instance((), script.asserts, **more))


def test_operators_and_the_way_of_asking_are_features():
    found = shape("(bvult (bvshl x x) x)", mode="resident")
    assert "mode resident" in found and any("bvshl" in f or "shift" in f for f in found)
    assert shape("(= x x)") < shape("(= (bvmul x x) x)")


def test_a_bucket_has_no_connectives_where_there_is_something_else():
    assert FAMILY.bucket(shape("(and a (= (bvmul x x) x))")) == FAMILY.bucket(shape("(= (bvmul x x) x)"))
    assert FAMILY.bucket(shape("(and a (not a))"))
    assert FAMILY.bucket(shape("(= (bvmul x x) x)", tactic="horn")) == {"tactic horn", "bvmul"}
    assert FAMILY.bucket(shape("(= (bvmul x (bvshl x x)) x)", tactic="horn")) == {"tactic horn"}


def test_a_known_cause_with_mere_surroundings_is_absorbed_and_another_is_not():
    small, larger, other = (
        FAMILY.bucket(shape(f))
        for f in ("(= (bvmul x x) x)", "(bvult (bvmul x x) ((_ rotate_left 1) x))", '(= (str.++ s s) "a")')
    )
    assert FAMILY.absorbs(small, small) and FAMILY.absorbs(small, small | {"mode resident", "(and)"})
    assert not FAMILY.absorbs(small, other) and not FAMILY.absorbs(other, small)
    assert not FAMILY.absorbs(larger, small)


def test_an_operator_that_is_wrong_all_alone_explains_what_has_it():
    assert FAMILY.absorbs(frozenset({"bvnego"}), frozenset({"bvnego", "bvxor", "bvmul"}))
    assert not FAMILY.absorbs(frozenset({"mode reset"}), frozenset({"mode reset", "bvxor"}))
    assert not FAMILY.absorbs(frozenset({"concat"}), frozenset({"concat", "bvxor"}))


@pytest.mark.parametrize(
    ("query", "tactic"),
    [
        ("(check-sat)", ""),
        ("(check-sat-using horn)", "horn"),
        ("(check-sat-using (then simplify (or-else qfbv smt)))", "(then simplify (or-else qfbv smt))"),
    ],
)
def test_a_known_script_is_read_with_a_model_and_its_tactic(query, tactic):
    scene, (instance, raw) = parse.known(
        ["(set-logic QF_BV)", "(declare-fun x () (_ BitVec 4))"], f"(assert (= x #b1011)){query}"
    )
    assert [(b.name, b.value) for b in scene.model] == [("x", "#b1011")]
    assert instance.tactic == tactic and not instance.is_loose and isinstance(raw, RawScript)


def test_a_script_without_a_model_is_loose_and_one_that_is_not_read_stays_text():
    scene, (instance, _) = parse.known(
        [], "(set-logic QF_BV)(declare-fun x () (_ BitVec 4))(assert (distinct x x))(check-sat)"
    )
    assert instance.is_loose and scene.model == ()
    assert [type(q) for q in parse.known([], "(assert (nowhere 1))")[1]] == [RawScript]
