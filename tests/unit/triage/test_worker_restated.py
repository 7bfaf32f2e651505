"""A contradiction between answers of one engine is restated as a claim about the one that is wrong, where our own
evaluator can tell."""

import pytest

from datalog_standin import hold, read, right, seats
from gainsay.core import registry
from gainsay.core.answer import Decision, Rows
from gainsay.core.model import Seat, Seats, Target
from gainsay.families.smt.language.ir import Decl, Scene, Term
from gainsay.families.sql.language import ir
from gainsay.oracles.smt_consistency import Recipe
from gainsay.testing.talk import held

PROGRAM = ("a/1 b/1 c/1", "a(1). a(2). b(2). c(x) :- a(x), !b(x). c(x) :- b(x).")


def restated(oracle, scene, recipe, found):
    return list(
        registry.oracle("datalog", oracle).restated(scene, recipe, seats("souffle"), found.steps, found.answers)
    )


def test_of_rules_the_reference_program_that_was_answered_wrongly_is_named_and_not_the_whole():
    """An engine that loses a tuple of a lone rule: the whole program is right, and what it is compared with is
    wrong."""

    def wrong_alone(node):
        answer = right(node)
        return (
            Rows(answer.rows[1:])
            if node.output == "ref" and any(lit.__class__.__name__ == "Not" for r in node.rules for lit in r.body)
            else answer
        )

    scene, rules = read(*PROGRAM)
    oracle = registry.oracle("datalog", "rules")
    recipe = oracle.recipe_type(rules)
    found = hold(oracle, scene, recipe, seats("souffle"), wrong_alone)
    assert found.contradicted
    (other,) = restated("rules", scene, recipe, found)
    assert (other.oracle, other.claim) == ("reference", "as evaluated")
    assert other.recipe.rules.output == "ref" and len(other.recipe.rules.rules) == 1
    again = hold(registry.oracle("datalog", "reference"), other.scene, other.recipe, seats("souffle"), wrong_alone)
    assert again.contradicted, "it is the same contradiction"
    assert not hold(registry.oracle("datalog", "reference"), other.scene, other.recipe, seats("souffle")).contradicted


@pytest.mark.parametrize("is_wrong", ["original", "rewritten"])
def test_of_a_rewrite_the_program_that_was_answered_wrongly_is_named(is_wrong):
    scene, rules = read(*PROGRAM)
    oracle = registry.oracle("datalog", "apg")
    tried = (
        hold(oracle, scene, recipe, seats("souffle")) for recipe in oracle.variants(scene, rules, seats("souffle"))
    )
    found = next(f for f in tried if "rewritten" in f.steps and f.steps["rewritten"] != f.steps["original"])
    answers = {**found.answers, is_wrong: Rows([*found.answers[is_wrong].rows, (77,)])}
    (other,) = oracle.restated(scene, None, seats("souffle"), found.steps, answers)
    assert set(other.recipe.rules.rules) == set(found.steps[is_wrong].rules)


def test_of_solvers_the_assertions_are_asked_once_under_the_known_model_and_under_the_solvers_own():
    x = Term("x", (), "Int")
    scene = Scene("QF_LIA", (Decl("x", (), "Int"),))
    recipe = Recipe((Term(">", (x, Term("0", (), "Int")), "Bool"),), ("reordered",))
    answers = {"one-shot": Decision("unsat"), "reordered": Decision("sat")}
    others = list(registry.oracle("smt", "consistency").restated(scene, recipe, None, {}, answers))
    assert [(o.oracle, o.claim) for o in others] == [
        ("terms", "same values"),
        ("model", "valid model"),
        ("model", "ground value"),
    ]
    assert [o.recipe.is_loose for o in others] == [False, True, True]


def sql_case(oracle, *answers, names=("apsw",)):
    """What a contradiction between answers to one query is restated as."""
    column = ir.Col("t0", "c0")
    values = (ir.Values((ir.Lit("int", "1"),)), ir.Values((ir.Lit("int", "2"),)))
    scene = ir.Scene((ir.CreateTable("t0", (ir.Column("c0", "BIGINT", "int"),)), ir.Insert("t0", ("c0",), values)))
    query = ir.Select((column,), (ir.Join("t0"),), ir.Op(">", (column, ir.Lit("int", "1"))))
    seated = seats_on(*names)
    labels = [f"on {n}" for n in names] if oracle == "differential" else ["query", "on the copy"]
    asked = {**dict.fromkeys(labels, query), "turn": ir.Setting("PRAGMA x")}
    given = dict(zip(labels, map(Rows, answers), strict=True))
    return list(registry.oracle("sql", oracle).restated(scene, None, seated, asked, given))


def seats_on(*names):
    return Seats(tuple(Seat(i, Target(n), "1", registry.engine(n).dialect) for i, n in enumerate(names)))


@pytest.mark.parametrize("oracle", ["norec", "plans", "twin"])
def test_of_queries_the_one_that_was_answered_wrongly_is_named(oracle):
    (other,) = sql_case(oracle, [(2,)], [(1,), (2,)])
    assert (other.oracle, other.claim, other.recipe.seat) == ("reference", "as evaluated", 0)
    assert not sql_case(oracle, [(2,)], [(2,)])


@pytest.mark.parametrize(("answers", "wrong"), [(([(2,)], []), 1), (([(1,)], [(2,)]), 0)])
def test_of_two_engines_the_one_that_answered_wrongly_is_named(answers, wrong):
    (other,) = sql_case("differential", *answers, names=("sqlite", "duckdb"))
    assert (other.oracle, other.recipe.seat) == ("reference", wrong)
    seated = seats_on("sqlite", "duckdb")
    reference = registry.oracle("sql", "reference")
    talk = held(reference, other.scene, other.recipe, seated, lambda step: Rows(answers[step.seat]))
    assert [step.seat for step in talk.steps] == [wrong]
    assert [claim.right.value for claim in talk.claims] == [((2,),)]
