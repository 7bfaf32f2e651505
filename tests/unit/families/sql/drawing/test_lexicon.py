"""What may be drawn for a set of seats: operators, types, values; and that expressions are as deep and as typed as
asked."""

import pytest

from gainsay.core.draw import Draw
from gainsay.core.tree import walk
from gainsay.families.sql.drawing.lexicon import NARROW, variants
from gainsay.families.sql.language import dialects, ir, ops
from gainsay.families.sql.language.schema import Scope
from gainsay.families.sql.language.spoken import ansi
from gainsay.families.sql.meaning.types import Checker
from sql_cases import ONE, T0, insert, lexicon, table


def drawn(made, cls="any"):
    """The operators that give a class, and their weights."""
    names = [name for name, _ in made.by_result[cls]]
    return {name: names.count(name) for name in names}


def test_an_operator_is_in_the_list_as_often_as_it_weighs():
    bools = drawn(lexicon(), "bool")
    assert bools["="] == 8 and bools["and"] == 7 and bools["isnull"] == 1
    assert "truth" not in bools and "case truth" not in drawn(lexicon()), "what weighs nothing is for oracles only"


def test_what_a_seat_refuses_is_not_drawn():
    made = lexicon(refused={"op:glob", "type:TEXT", "clause:with"})
    assert "glob" not in drawn(made, "bool") and "ilike" in drawn(made, "bool")
    assert "TEXT" not in {t.text for t in made.types} and "INT" in {t.text for t in made.types}
    assert not made.has("clause:with") and made.has("clause:subquery")


def test_what_a_dialect_lacks_is_not_drawn_though_no_probe_is_refused():
    dialects.DIALECTS["bare"] = dialects.find("sqlite").extend(
        "bare", lacks=("op:glob", "column:generated", "column:stored")
    )
    try:
        made = lexicon("bare")
        assert "glob" not in drawn(made, "bool") and "ilike" in drawn(made, "bool")
        assert not made.has_generated and lexicon().has_generated
        further = dialects.DIALECTS["bare"].extend("further")
        assert further.lacks == {"op:glob", "column:generated", "column:stored"}, "a dialect over it lacks the same"
    finally:
        del dialects.DIALECTS["bare"]


def test_an_operator_that_is_refused_for_some_operands_stays_for_the_others():
    made = lexicon("duckdb", refused={"op:=/text,text"})
    (typings,) = {typings for name, typings in made.by_result["bool"] if name == "="}
    assert ("int", "int") in typings and ("text", "text") not in typings


def test_an_operand_that_not_all_types_of_its_class_will_do_for_is_a_literal_or_cast():
    made = lexicon("duckdb", refused={"op:&/int,int#1"})
    (typings,) = {typings for name, typings in made.by_result["int"] if name == "&"}
    assert typings == (("int", f"int{NARROW}"),)
    assert {name for name, _ in made.by_result[f"int{NARROW}"]} == {"cast int"}
    for number in range(50):
        found = made.expr(Draw(number), f"int{NARROW}", 1, Scope({"int": (T0,)}))
        assert isinstance(found, ir.Lit) or (isinstance(found, ir.Op) and found.op == "cast int")


def test_between_dialects_only_what_both_have_and_mean_alike_is_drawn():
    made = lexicon("sqlite", "duckdb")
    assert made.is_mixed and not made.is_loose
    assert {t.text for t in made.types} == {t.text for t in ansi.COMMON_TYPES}
    names = {name for listed in made.by_result.values() for name, _ in listed}
    assert "coalesce" in names and not names & {"is", "starts with", "list len"}


def test_what_depends_on_a_disputed_fact_is_not_drawn():
    facts = ((("like-case", "folds"), ("collation-rules", "a"), ("real-digits", "17")),
             (("like-case", "keeps"), ("collation-rules", "b"), ("real-digits", "15")))  # fmt: skip
    alike, differing = lexicon("sqlite", "sqlite"), lexicon("sqlite", "sqlite", facts=facts)
    assert (
        "like" in drawn(alike, "bool") and "like" not in drawn(differing, "bool") and "glob" in drawn(differing, "bool")
    )
    assert alike.has("column:collate") and not differing.has("column:collate")
    assert alike.extremes and not differing.extremes


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_an_expression_is_at_most_as_deep_as_asked(depth):
    made = lexicon()
    found = [made.expr(Draw(number), "any", depth, Scope({"any": (T0,)})) for number in range(200)]
    deepest = [max(sum(1 for step in path if step == "args") for path, _ in walk(expr)) for expr in found]
    assert max(deepest) <= depth
    assert any(isinstance(expr, ir.Op) for expr in found) == (depth > 0)


def test_expressions_of_a_typed_dialect_are_of_the_class_that_was_asked_for():
    made = lexicon("duckdb")
    scope = Scope({"int": (T0,), "text": (ir.Col("t0", "c1"),)})
    checker = Checker(dialects.find("duckdb"), {}, is_mixed=False)
    classes = {("t0", "c0"): "int", ("t0", "c1"): "text"}
    seen = set()
    for number in range(300):
        for cls in made.classes:
            expr = made.expr(Draw(number), cls, 3, scope)
            if any(isinstance(n, ir.Lit) and n.kind == "null" for _, n in walk(expr)):
                continue  # of an operator on nothing but NULL the checker takes the first signature
            found = checker.classify(expr, classes)
            assert found == cls, (cls, found)
            seen.add(found)
    assert seen >= {"int", "text", "bool", "date", "list"}


def test_columns_whose_value_is_ambiguous_are_only_tested_for_null():
    made, fuzzy = lexicon(), ir.Col("v0", "c0")
    tests = 0
    for number in range(400):
        found = made.predicate(Draw(number), 3, Scope({"any": (T0,)}, (fuzzy,)))
        for path, node in walk((found,)):
            if node == fuzzy:
                parent = found
                for step in path[1:-2]:
                    parent = getattr(parent, step) if isinstance(step, str) else parent[step]
                assert parent.op in made.null_tests
                tests += 1
    assert tests > 40
    assert set(made.null_tests) == {"is null", "is not null", "isnull", "notnull"}


def test_a_scene_of_nothing_but_ambiguous_columns_has_conditions_too():
    made, fuzzy = lexicon(), ir.Col("v0", "c0")
    for number in range(100):
        found = made.predicate(Draw(number), 1, Scope({}, (fuzzy,)))
        assert found.op in made.null_tests and found.args == (fuzzy,)


def test_columns_come_more_often_than_literals():
    made = lexicon()
    leaves = [made.leaf(Draw(number), "any", Scope({"any": (T0,)})) for number in range(1000)]
    assert 600 < leaves.count(T0) < 800


def test_a_column_without_a_sign_stores_no_negative_number():
    made = lexicon("duckdb")
    signed = [made.stored(Draw(number), "INTEGER", "int", False).text for number in range(200)]
    unsigned = [made.stored(Draw(number), "UTINYINT", "int", False).text for number in range(200)]
    assert "-1" in signed and not any(text.startswith("-") for text in unsigned) and "1" in unsigned


def test_extreme_values_are_stored_only_in_columns_that_hold_them_and_scenes_that_have_them():
    made = lexicon()
    extremes = {e.text for e in made.extremes}

    def stored(kind, has_extremes):
        return {made.stored(Draw(number), kind, "any", has_extremes).text for number in range(300)}

    assert stored("INT", True) & extremes
    assert not stored("INT", False) & extremes and not stored("TEXT", True) & extremes


def test_whether_sums_may_lose_digits_is_read_from_the_scene():
    made = lexicon()
    plain = ir.Scene((table("t0", "c0"), insert("t0", "c0", (ONE,))))
    large = ir.Scene((table("t0", "c0"), insert("t0", "c0", (made.extremes[0],))))
    assert not made.has_extremes(plain) and made.has_extremes(large) and not made.has_extremes(plain)
    assert [r.name for r in made.relations(large)] == ["t0"]


def test_a_typed_dialect_has_a_feature_for_each_typing_and_a_loose_one_for_each_operator():
    loose = list(variants(dialects.find("sqlite")))
    assert ("op:+", "+", ("any", "any"), "any") in loose and ("op:=", "=", ("any", "any"), "bool") in loose
    read_only = {name for name in ops.LONG if not ops.LONG[name].weight}
    assert {name for _, name, _, _ in loose} == dialects.find("sqlite").operators.keys() - read_only
    typed = {feature: (args, result) for feature, _, args, result in variants(dialects.find("duckdb"))}
    assert typed["op:+/int,int"] == (("int", "int"), "int") and typed["op:year/date"] == (("date",), "int")
    assert "op:+/text,text" not in typed and "op:=/list,list" in typed


@pytest.mark.parametrize(
    ("signature", "expanded"),
    [
        ("T T -> bool", {("int", "int"): "bool", ("text", "text"): "bool"}),
        ("N N -> N", {("int", "int"): "int"}),
        ("D -> int", {}),
        ("text int -> text", {("text", "int"): "text"}),
        ("text -> list", {}),  # the dialect has no lists
        ("T U T U -> bool", {(t, u, t, u): "bool" for t in ("int", "text") for u in ("int", "text")}),
    ],
)
def test_one_letter_is_one_class(signature, expanded):
    assert dict(ops.expansions(ops.op(signature, ""), ("int", "text"))) == expanded
