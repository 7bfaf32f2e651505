"""A title of an SMT finding names what can't be exchanged, and one cause asked in two ways is one finding."""

import pytest

from gainsay.core import registry
from gainsay.core.model import Case, Seat, Target
from gainsay.families.smt.language import reader
from gainsay.families.smt.language.ir import Instance, Scene
from gainsay.families.smt.reducing import exchange

FAMILY = registry.family("smt")
SEAT = Seat(0, Target("z3"), "5.4.0", "smtlib")
HEAD = "(set-logic ALL)(declare-fun x () (_ BitVec 4))(declare-fun s () String)(declare-fun a () Bool)"


def case(formula, **more):
    script = reader.read(f"{HEAD}(assert {formula})")
    recipe = Instance((), script.asserts, is_loose=True, **more)
    return Case("smt", "storm", Scene("ALL", script.decls), recipe, (SEAT,), "x")


def tried(made):
    found = {}
    for name, _, (_, recipe) in FAMILY.exchanges(made):
        found.setdefault(name, []).append(repr(recipe))
    return found


def test_an_operator_is_exchanged_for_others_of_its_sorts_and_theory():
    found = tried(case("(= (bvmul x x) x)"))
    assert 0 < len(found["bvmul"]) <= exchange.FEW
    assert all("bvmul" not in recipe and "'bv" in recipe for recipe in found["bvmul"])


def test_an_operator_that_nothing_else_fits_for_is_left():
    assert "extract" not in tried(case("(= ((_ extract 1 0) x) #b01)"))


def test_the_way_of_asking_is_exchanged_for_the_plainest():
    found = tried(case("(= (bvmul x x) x)", mode="resident", tactic="smt"))
    assert len(found["mode resident"]) == 1 and "resident" not in found["mode resident"][0]
    assert len(found["tactic smt"]) == 1 and "tactic='smt'" not in found["tactic smt"][0]


@pytest.mark.parametrize(
    ("bucket", "spared", "needed", "title"),
    [
        ({"bvmul"}, set(), {"bvmul"}, {"bvmul"}),
        ({"bvmul", "mode resident"}, {"mode resident"}, {"bvmul"}, {"bvmul"}),
        ({"bvmul", "bvshl"}, {"bvshl"}, set(), {"bvmul"}),
        ({"bvmul"}, {"bvmul"}, set(), {"bvmul"}),
        ({"bvmul"}, set(), {"bvmul", "(and)"}, {"bvmul"}),
        ({"bvmul", "(and)", "order"}, {"order"}, set(), {"bvmul"}),
        ({"(and)"}, set(), set(), {"(and)"}),
    ],
)
def test_a_title_names_what_is_needed(bucket, spared, needed, title):
    assert FAMILY.titled(None, frozenset(bucket), frozenset(spared), frozenset(needed)) == title


def test_a_case_is_asked_in_the_way_of_another_with_the_same_operators():
    one, two = case("(= (bvmul x x) x)"), case("(= (bvmul x x) x)", mode="resident")
    asked = [recipe.mode for _, recipe in FAMILY.swaps(one, two, False)]
    assert asked == ["resident", "one-shot"]
    assert not list(FAMILY.swaps(one, case('(= (str.++ s s) "a")', mode="resident"), False))
