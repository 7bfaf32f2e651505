"""What a reducer tries of an instance is smaller, and says what it is said to."""

from gainsay.families.smt.language import reader, writer
from gainsay.families.smt.language.ir import Instance, Scene
from gainsay.families.smt.reducing import shrink, size

HEAD = "(declare-const x (_ BitVec 4))(declare-const y (_ BitVec 4))"


def plainer(formula):
    script = reader.read(f"{HEAD}(assert {formula})")
    scene, recipe = Scene("QF_BV", script.decls), Instance((), script.asserts, is_loose=True)
    found = [made for _, made in shrink.plainer_operators(scene, recipe)]
    assert all(size.size(scene, made) < size.size(scene, recipe) for made in found)
    return [writer.text(made.asserts[0]) for made in found]


def test_a_plainer_operator_takes_an_operators_place_the_plainest_first():
    assert plainer("(bvuge x y)") == ["(bvult x y)", "(bvugt x y)"]
    assert plainer("(bvult (bvsub x y) y)") == ["(bvult (bvadd x y) y)"]


def test_a_sign_is_no_difference():
    assert plainer("(= (bvneg x) y)") == []
