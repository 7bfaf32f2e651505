"""The naive evaluator on programs whose results are known: everything else is judged by it."""

import pytest

from datalog_standin import Evaluation, Limits, TooBig, Undefined, Unsafe, Unstratified, cozo, evaluate, program
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.meaning import legal

X, Y, Z, WILD = ir.Var("x"), ir.Var("y"), ir.Var("z"), ir.Wild()
NUMBERS = "a(1). a(2). a(3). b(2). b(3). b(4). "
EDGES = "e(1, 2). e(2, 3). e(3, 4). e(5, 5). "
PAIRS = "p(1, 2). p(1, 3). p(2, 5). p(3, 3). "


def rows(spec, text, **more):
    """The tuples of the last relation, in order."""
    made = program(spec, text, **more)
    return sorted(evaluate(made)[made.output])


def by_hand(rels, facts, rules, output="out", **more):
    """A program of trees: for what Soufflé's words don't say."""
    return ir.Program((), rels, facts, rules, output, **more)


def well_founded(spec, text):
    made = program(spec, text)
    return sorted(Evaluation(made.rels, made.facts, unstratified=True).run(made.rules)[made.output])


# --- atoms ---


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("out(x) :- a(x), b(x).", [(2,), (3,)]),
        ("out(y) :- p(1, x), p(x, y).", [(3,), (5,)]),
        ("out(x) :- p(x, x).", [(3,)]),
        ("out(x) :- p(x, y), p(y, x).", [(3,)]),
        ("out(y) :- p(1, y).", [(2,), (3,)]),
        ("out(x) :- p(x, _).", [(1,), (2,), (3,)]),
        ("out(7) :- p(_, _).", [(7,)]),
        ("out(7) :- p(4, _).", []),
        ("out(x) :- p(x, _), p(_, x).", [(2,), (3,)]),
        ("out(y) :- p(x, y), a(x), b(y).", [(2,), (3,)]),
    ],
)
def test_atoms_join_match_constants_and_ignore_wildcards(rule, expected):
    assert rows("a/1 b/1 p/2 out/1", NUMBERS + PAIRS + rule) == expected


def test_a_product_has_every_combination():
    assert rows("a/1 b/1 out/2", NUMBERS + "out(x, y) :- a(x), b(y).") == [(x, y) for x in (1, 2, 3) for y in (2, 3, 4)]


def test_a_head_may_repeat_a_variable_and_hold_constants():
    assert rows("a/1 out/3", "a(1). out(x, x, 9) :- a(x).") == [(1, 1, 9)]


def test_a_rule_without_a_body_is_a_fact():
    made = by_hand((ir.Rel("out", ("number",)),), (), (ir.Rule(1, ir.Atom("out", (ir.Const(1),))),))
    assert evaluate(made)["out"] == {(1,)}


def test_facts_and_rules_of_one_relation_are_united():
    assert rows("a/1 out/1", "a(1). out(5). out(x) :- a(x). out(x + 1) :- a(x).") == [(1,), (2,), (5,)]


def test_facts_of_a_recursive_relation_take_part_in_its_recursion():
    assert rows("e/2 out/1", EDGES + "out(2). out(y) :- out(x), e(x, y).") == [(2,), (3,), (4,)]


def test_a_relation_that_nobody_derives_is_empty():
    assert rows("a/1 out/1", "a(1).") == []


def test_texts_and_numbers_are_not_mixed_up():
    assert rows("s(symbol,number) out(symbol)", 's("1", 2). s("a b", 1). out(x) :- s(x, 1).') == [("a b",)]


# --- negation ---


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("out(x) :- a(x), !b(x).", [(1,)]),
        ("out(x) :- !b(x), a(x).", [(1,)]),
        ("out(x) :- a(x), !p(x, 3).", [(2,)]),
        ("out(x) :- b(x), !p(x, _).", [(4,)]),
        ("out(x) :- b(x), !p(_, x).", [(4,)]),
        ("out(x) :- a(x), !p(_, _).", []),
        ("out(x) :- a(x), !c(_).", [(1,), (2,), (3,)]),
        ("out(x) :- a(x), !p(x, x).", [(1,), (2,)]),
        ("out(x) :- a(x), !b(x + 1).", []),
        ("out(x) :- a(x), !b(x + 2).", [(3,)]),
    ],
)
def test_negation_keeps_what_has_no_match(rule, expected):
    assert rows("a/1 b/1 c/1 p/2 out/1", NUMBERS + PAIRS + rule) == expected


def test_negation_reads_a_stratum_that_is_complete():
    text = (
        EDGES + "r(x, y) :- e(x, y). r(x, z) :- r(x, y), e(y, z). n(x) :- e(x, _). n(y) :- e(_, y). out(x, y) :- n(x), "
        "n(y), !r(x, y), x < y."
    )
    assert rows("e/2 r/2 n/1 out/2", text) == [(1, 5), (2, 5), (3, 5), (4, 5)]


# --- comparisons, functors, tests ---


@pytest.mark.parametrize(
    ("op", "expected"),
    [("<", [(1,)]), ("<=", [(1,), (2,)]), (">", [(3,)]), (">=", [(2,), (3,)]), ("=", [(2,)]), ("!=", [(1,), (3,)])],
)
def test_comparisons_test(op, expected):
    assert rows("a/1 out/1", f"a(1). a(2). a(3). out(x) :- a(x), x {op} 2.") == expected


@pytest.mark.parametrize("equation", ["y = x + 1", "x + 1 = y"])
def test_an_equation_binds_whichever_side_is_open(equation):
    assert rows("a/1 out/2", f"a(1). a(2). out(x, y) :- a(x), {equation}.") == [(1, 2), (2, 3)]


def test_equations_bind_in_any_order():
    assert rows("a/1 out/1", "a(1). out(z) :- z = y * 2, y = x + 1, a(x).") == [(4,)]


def test_an_equation_of_bound_sides_tests():
    assert rows("p/2 out/1", PAIRS + "out(x) :- p(x, y), x + 1 = y.") == [(1,)]


def test_a_functor_in_a_body_atom_is_computed_before_it_is_matched():
    assert rows("a/1 p/2 out/1", "a(1). a(2). " + PAIRS + "out(x) :- a(x), p(x, x + 2).") == [(1,)]


def test_a_functor_in_a_body_atom_waits_for_its_variables():
    assert rows("a/1 p/2 out/1", "a(1). a(2). " + PAIRS + "out(x) :- p(x, y + 2), a(y).") == [(1,), (3,)]


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("x + 2", 9),
        ("x - 9", -2),
        ("x * -3", -21),
        ("-x", -7),
        ("x / 2", 3),
        ("-x / 2", -3),
        ("-x % 3", -1),
        ("max(x, 9)", 9),
        ("x band 3", 3),
    ],
)
def test_functors_compute(term, expected):
    assert rows("a/1 out/1", f"a(7). out({term}) :- a(x).") == [(expected,)]


def test_functors_of_texts_compute():
    text = 's("ab"). out(cat(x, "!"), strlen(x)) :- s(x).'
    assert rows("s(symbol) out(symbol,number)", text) == [("ab!", 2)]


def test_tests_hold_or_not():
    text = 's("ab"). s("c"). out(x) :- s(x), contains("a", x). no(x) :- s(x), !contains("a", x).'
    assert rows("s(symbol) no(symbol) out(symbol)", text) == [("ab",)]
    assert rows("s(symbol) out(symbol) no(symbol)", text) == [("c",)]


def test_a_disjunction_gives_what_any_arm_gives():
    assert rows("a/1 b/1 out/1", NUMBERS + "out(x) :- a(x), (x = 1 ; b(x), x > 2).") == [(1,), (3,)]


def test_a_disjunction_may_bind_in_every_arm():
    assert rows("a/1 b/1 out/1", NUMBERS + "out(x) :- (a(x), x < 2 ; b(x), x > 3).") == [(1,), (4,)]


def test_what_only_one_arm_binds_is_not_bound():
    with pytest.raises(Unsafe):
        rows("a/1 b/1 out/1", NUMBERS + "out(x) :- a(y), (a(x) ; b(y)).")


# --- recursion ---


def test_recursion_reaches_its_fixpoint():
    assert rows("e/2 out/2", EDGES + "out(x, y) :- e(x, y). out(x, z) :- out(x, y), e(y, z).") == [
        (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4), (5, 5),
    ]  # fmt: skip


@pytest.mark.parametrize("rule", ["e(x, y), out(y, z)", "out(x, y), out(y, z)"])
def test_right_and_non_linear_recursion_mean_the_same(rule):
    left = rows("e/2 out/2", EDGES + "out(x, y) :- e(x, y). out(x, z) :- out(x, y), e(y, z).")
    assert rows("e/2 out/2", EDGES + f"out(x, y) :- e(x, y). out(x, z) :- {rule}.") == left


def test_mutual_recursion_has_one_fixpoint():
    text = EDGES + "even(1). odd(y) :- even(x), e(x, y). even(y) :- odd(x), e(x, y)."
    assert rows("e/2 odd/1 even/1", text) == [(1,), (3,)]
    assert rows("e/2 even/1 odd/1", text) == [(2,), (4,)]


def test_a_relation_that_only_feeds_itself_is_empty():
    assert rows("out/1", "out(x) :- out(x).") == []


def test_recursion_through_arithmetic_ends_at_its_guard():
    assert rows("out/1", "out(0). out(x + 1) :- out(x), x < 4.") == [(0,), (1,), (2,), (3,), (4,)]


def test_a_third_stratum_sees_the_second():
    text = NUMBERS + "q(x) :- a(x), !b(x). r(x) :- a(x), !q(x). out(x) :- a(x), !r(x)."
    assert rows("a/1 b/1 q/1 r/1 out/1", text) == [(1,)]


# --- aggregates ---


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        ("n = count : { p(x, y) }", [(1, 2), (2, 1), (3, 1), (4, 0)]),
        ("n = sum y : { p(x, y) }", [(1, 5), (2, 5), (3, 3), (4, 0)]),
        ("n = min y : { p(x, y) }", [(1, 2), (2, 5), (3, 3)]),
        ("n = max y : { p(x, y) }", [(1, 3), (2, 5), (3, 3)]),
        ("n = count : { p(z, y) }", [(1, 4), (2, 4), (3, 4), (4, 4)]),
        ("n = sum y : { p(z, y), z < 3 }", [(1, 10), (2, 10), (3, 10), (4, 10)]),
        ("n = count : { p(x, y), !a(y) }", [(1, 0), (2, 1), (3, 0), (4, 0)]),
    ],
)
def test_body_aggregates_fix_what_the_rule_binds_and_range_over_the_rest(aggregate, expected):
    assert rows("a/1 p/2 out/2", "a(1). a(2). a(3). a(4). " + PAIRS + f"out(x, n) :- a(x), {aggregate}.") == expected


@pytest.mark.parametrize(("fn", "expected"), [("count", [(0,)]), ("sum y", [(0,)]), ("min y", []), ("max y", [])])
def test_aggregates_of_nothing(fn, expected):
    assert rows("p/2 out/1", f"out(n) :- n = {fn} : {{ p(x, y) }}.") == expected


def test_equal_values_of_different_bindings_are_summed_each():
    assert rows("p/2 out/1", "p(1, 4). p(2, 4). out(n) :- n = sum y : { p(x, y) }.") == [(8,)]


def test_an_aggregate_may_be_compared_with_what_is_bound():
    assert rows("a/1 p/2 out/1", "a(1). a(2). " + PAIRS + "out(x) :- a(x), 1 < count : { p(x, y) }.") == [(1,)]


def test_an_aggregate_reads_a_stratum_that_is_complete():
    assert rows(
        "e/2 r/2 out/1", EDGES + "r(x, y) :- e(x, y). r(x, z) :- r(x, y), e(y, z). out(n) :- n = count : { r(x, y) }."
    ) == [(7,)]


@pytest.mark.parametrize(
    ("fn", "expected"), [("count", [(1, 2), (2, 1)]), ("min", [(1, 2), (2, 5)]), ("max", [(1, 3), (2, 5)])]
)
def test_head_aggregates_group_by_the_other_columns(fn, expected):
    made = cozo(f"r[a, b] <- [[1, 2], [1, 3], [2, 5]]\n?[a, {fn}(b)] := r[a, b]")
    assert sorted(evaluate(made)[made.output]) == expected


def test_a_head_aggregate_counts_bindings_not_values():
    made = cozo("r[a, b, c] <- [[1, 2, 7], [1, 2, 8]]\n?[a, count(b), sum(b)] := r[a, b, c]")
    assert repr(evaluate(made)[made.output]) == "{(1, 2, 4.0)}", "a sum has the type of its column"


def test_a_head_aggregate_of_nothing_has_no_groups():
    made = cozo("r[a, b] <- [[1, 2]]\n?[a, count(b)] := r[a, b], a > 1")
    assert evaluate(made)[made.output] == set()


# --- what Soufflé adds ---


def test_an_equivalence_relation_is_closed():
    assert rows("e/2 out/2:eqrel", "e(1, 2). e(2, 3). e(8, 9). out(x, y) :- e(x, y).") == [
        (a, b) for group in ((1, 2, 3), (8, 9)) for a in group for b in sorted(group)
    ]


def test_facts_of_an_equivalence_relation_are_closed_too():
    assert rows("q/2:eqrel out/2", "q(1, 2). out(x, y) :- q(x, y).") == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_recursion_through_an_equivalence_relation_sees_its_closure():
    assert rows("e/2 out/2:eqrel", "e(1, 2). e(2, 7). out(1, 1). out(x, y) :- out(x, x), e(x, y).") == [
        (a, b) for a in (1, 2, 7) for b in (1, 2, 7)
    ]


def test_subsumption_leaves_what_nothing_dominates():
    text = "p(1, 5). p(1, 3). p(2, 9). out(x, y) :- p(x, y). out(x, y) <= out(x, z) :- z < y."
    assert rows("p/2 out/2", text) == [(1, 3), (2, 9)]


def test_no_tuple_dominates_itself():
    assert rows("a/1 out/1", "a(1). a(2). out(x) :- a(x). out(x) <= out(y) :- x <= y.") == [(2,)]


def test_what_is_dominated_is_not_seen_by_later_strata():
    text = "a(1). a(2). q(x) :- a(x). q(x) <= q(y) :- x < y. out(x) :- q(x)."
    assert rows("a/1 q/1 out/1", text) == [(2,)]


def test_subsumption_in_a_recursion_has_no_one_meaning():
    with pytest.raises(Undefined):
        rows("a/1 out/1", "a(1). out(x) :- a(x). out(x + 1) :- out(x), x < 3. out(x) <= out(y) :- x < y.")


def test_records_are_built_and_taken_apart():
    types = ".type R = [l:number, r:symbol]"
    text = 'a(1, "x"). a(2, "y"). q([n, s]) :- a(n, s). out(s) :- q([n, s]), n > 1.'
    assert rows("a(number,symbol) q(R) out(symbol)", text, types=types) == [("y",)]


def test_records_are_matched_by_constants_wildcards_and_repeated_variables():
    types = ".type R = [l:number, r:number]"
    text = "q([1, 1]). q([1, 2]). q([2, 3]). out(x) :- q([x, x]). out(y) :- q([2, y]). out(9) :- q([_, 2])."
    assert rows("q(R) out/1", text, types=types) == [(1,), (3,), (9,)]


def test_a_record_is_joined_as_a_value():
    types = ".type R = [l:number]"
    assert rows("q(R) r(R) out(R)", "q([1]). q([2]). r([2]). out(x) :- q(x), r(x).", types=types) == [((2,),)]


def test_a_choice_between_tuples_is_undefined():
    made = program("p/2 out/2", PAIRS + "out(x, y) :- p(x, y).")
    chosen = ir.Rel("out", ("number", "number"), (), ((0,),))
    with pytest.raises(Undefined):
        Evaluation((made.rels[0], chosen), made.facts).run(made.rules)


def test_a_choice_that_leaves_nothing_to_choose_is_none():
    made = program("p/2 out/2", "p(1, 2). p(2, 2). out(x, y) :- p(x, y).")
    chosen = ir.Rel("out", ("number", "number"), (), ((0,),))
    assert Evaluation((made.rels[0], chosen), made.facts).run(made.rules)["out"] == {(1, 2), (2, 2)}


def test_every_key_of_a_choice_counts():
    made = program("p/2 out/2", "p(1, 2). p(2, 2). out(x, y) :- p(x, y).")
    chosen = ir.Rel("out", ("number", "number"), (), ((0,), (1,)))
    with pytest.raises(Undefined):
        Evaluation((made.rels[0], chosen), made.facts).run(made.rules)


# --- what has no meaning ---


@pytest.mark.parametrize(
    "rule",
    [
        "out(y) :- a(x).",
        "out(x) :- a(x), !b(y).",
        "out(x) :- a(x), x < y.",
        "out(y) :- a(x), y = z + 1.",
        "out(y) :- a(x), y = y + 1.",
        "out(x) :- b(x + 1).",
        "out(x) :- !a(x).",
        "out(y) :- a(x), n = count : { p(x, y) }, n > 0.",
    ],
)
def test_a_variable_that_nothing_binds_is_unsafe(rule):
    with pytest.raises(Unsafe):
        rows("a/1 b/1 p/2 out/1", NUMBERS + PAIRS + rule)


def test_a_wildcard_in_a_head_is_unsafe():
    rels = (ir.Rel("a", ("number",)), ir.Rel("out", ("number",)))
    with pytest.raises(Unsafe):
        evaluate(by_hand(rels, (), (ir.Rule(1, ir.Atom("out", (WILD,)), (ir.Atom("a", (X,)),)),)))


@pytest.mark.parametrize(
    "rules",
    [
        "out(x) :- a(x), !out(x).",
        "q(x) :- a(x), !out(x). out(x) :- q(x).",
        "out(x) :- a(x), (b(x) ; !out(x)).",
        "out(n) :- a(n), n = count : { out(x) }.",
        "out(n) :- a(n), n = count : { a(x), !out(x) }.",
    ],
)
def test_negation_or_an_aggregate_within_a_recursion_is_unstratified(rules):
    with pytest.raises(Unstratified):
        rows("a/1 b/1 q/1 out/1", NUMBERS + rules)


def test_a_head_aggregate_within_a_recursion_is_unstratified():
    two = ("number", "number")
    rule = ir.Rule(1, ir.Atom("out", (X, ir.Fold("count", Y))), (ir.Atom("out", (X, Y)),))
    with pytest.raises(Unstratified):
        evaluate(by_hand((ir.Rel("out", two),), (ir.Fact("out", (1, 1)),), (rule,)))


def test_unbounded_arithmetic_is_given_up_after_max_iter_rounds():
    with pytest.raises(TooBig, match="fixpoint"):
        rows("out/1", "out(0). out(x + 1) :- out(x).")


def test_a_recursion_that_ends_in_time_is_not_given_up():
    made = program("out/1", "out(0). out(x + 1) :- out(x), x < 50.")
    assert len(evaluate(made, limits=Limits(rounds=51))["out"]) == 51
    with pytest.raises(TooBig):
        evaluate(made, limits=Limits(rounds=10))


def test_too_many_tuples_are_too_big():
    made = program("a/1 out/3", "a(1). a(2). a(3). out(x, y, z) :- a(x), a(y), a(z).")
    with pytest.raises(TooBig):
        evaluate(made, limits=Limits(rows=26))


def test_too_much_work_is_too_big():
    made = program("a/1 out/1", "a(1). a(2). a(3). out(x) :- a(x), a(y), a(z).")
    with pytest.raises(TooBig):
        evaluate(made, limits=Limits(work=20))


@pytest.mark.parametrize("term", ["x * x", "-x * x", "x + 1048575"])
def test_an_overflow_is_undefined(term):
    with pytest.raises(Undefined):
        rows("a/1 out/1", f"a(100000). out({term}) :- a(x).")


def test_a_large_sum_is_undefined():
    with pytest.raises(Undefined):
        rows("a/1 out/1", "a(1000000). a(1000001). out(n) :- n = sum x : { a(x) }.")


def test_an_unsigned_number_below_zero_is_undefined():
    with pytest.raises(Undefined):
        rows("a(unsigned) out(unsigned)", "a(1). out(x - 2) :- a(x).")


@pytest.mark.parametrize("term", ["x * -1", "x * 0.1"])
def test_negative_zero_and_inexact_floats_are_undefined(term):
    with pytest.raises(Undefined):
        rows("a(float) out(float)", f"a(0.0). a(0.5). out({term}) :- a(x).")


# --- recursion through negation ---


def test_the_well_founded_model_of_a_game_without_circles_is_total():
    """win(x) if some move leads to a position that does not win."""
    assert well_founded("e/2 win/1", "e(1, 2). e(2, 3). e(3, 4). e(1, 3). win(x) :- e(x, y), !win(y).") == [(1,), (3,)]


def test_a_circle_with_a_way_out_is_decided():
    assert well_founded("e/2 win/1", "e(1, 2). e(2, 1). e(2, 3). win(x) :- e(x, y), !win(y).") == [(2,)]


def test_a_circle_without_a_way_out_decides_nothing():
    with pytest.raises(Undefined):
        well_founded("e/2 win/1", "e(1, 2). e(2, 1). win(x) :- e(x, y), !win(y).")


def test_a_relation_that_denies_itself_decides_nothing():
    with pytest.raises(Undefined):
        well_founded("a/1 out/1", "a(1). out(x) :- a(x), !out(x).")


def test_a_relation_that_denies_itself_on_nothing_is_decided():
    assert well_founded("a/1 b/1 out/1", "a(1). out(x) :- a(x). out(x) :- b(x), !out(x).") == [(1,)]


def test_facts_take_part_in_the_well_founded_model():
    assert well_founded("e/2 win/1", "e(1, 2). e(2, 1). win(1). win(x) :- e(x, y), !win(y).") == [(1,)]


def test_strata_above_a_recursion_through_negation_see_its_result():
    assert well_founded(
        "e/2 win/1 out/1", "e(1, 2). e(2, 3). win(x) :- e(x, y), !win(y). out(x) :- e(x, _), !win(x)."
    ) == [(1,)]


def test_a_stratified_program_means_the_same_in_both_ways():
    spec, text = "a/1 b/1 q/1 out/1", NUMBERS + "q(x) :- a(x), !b(x). out(x) :- a(x), !q(x)."
    assert well_founded(spec, text) == rows(spec, text) == [(2,), (3,)]


def test_an_aggregate_within_a_recursion_stays_unstratified():
    with pytest.raises(Unstratified):
        well_founded("a/1 out/1", "a(1). out(n) :- a(n), n = count : { out(x) }.")


def test_an_aggregate_within_a_recursion_through_negation_stays_unstratified():
    with pytest.raises(Unstratified):
        well_founded("a/1 b/1 out/1", "a(0). out(x) :- b(x), !out(x). out(n) :- a(n), n = count : { out(x) }.")


def test_subsumption_in_a_recursion_through_negation_has_no_one_meaning():
    with pytest.raises(Undefined):
        well_founded("a/1 b/1 out/1", "a(1). a(2). out(x) :- a(x). out(x) :- b(x), !out(x). out(x) <= out(y) :- x < y.")


# --- legal programs ---

RECORDS = ".type R = [l:number]\n.type S = [l:symbol]"


def test_a_record_may_be_compared_with_a_constant_one():
    assert legal.meaning(program("a(R) out(R)", "a([1]). a([2]). out(x) :- a(x), x != [2].", types=RECORDS))["out"] == {
        ((1,),)
    }


def test_a_record_of_any_type_may_be_compared_with_a_constant_one():
    assert legal.meaning(program("a(S) out(S)", 'a(["k"]). out(x) :- a(x), x != ["l"].', types=RECORDS)) is not None


@pytest.mark.parametrize(
    "text",
    [
        "out(y) :- a(x).",
        "out(x) :- a(x), !out(x).",
        "out(0). out(x + 1) :- out(x).",
        "out(x * x * x * x) :- a(x).",
        "out(x) :- a(x), x = y.",
    ],
)
def test_what_has_no_meaning_is_not_legal(text):
    made = program("a/1 out/1", "a(100). " + text)
    assert (legal.meaning(made) is None) == (text != "out(x) :- a(x), x = y.")


@pytest.mark.parametrize(
    "rule",
    [
        ir.Rule(1, ir.Atom("out", (X,)), (ir.Atom("missing", (X,)),)),
        ir.Rule(1, ir.Atom("out", (X,)), (ir.Atom("a", (X, Y)),)),
        ir.Rule(1, ir.Atom("out", (X,)), (ir.Atom("s", (X,)),)),
        ir.Rule(1, ir.Atom("out", (X,)), (ir.Atom("a", (X,)), ir.Atom("s", (X,)))),
        ir.Rule(1, ir.Atom("out", (X,)), (ir.Atom("a", (X,)), ir.Compare("=", X, ir.Const("a", "symbol")))),
        ir.Rule(1, ir.Atom("out", (ir.Const("a", "symbol"),)), (ir.Atom("a", (X,)),)),
        ir.Rule(1, ir.Atom("out", (ir.Call("div:number", (X, X)),)), (ir.Atom("a", (X,)),)),
        ir.Rule(1, ir.Atom("out", (X,)), (ir.Atom("a", (X,)),), ((1,),)),
    ],
    ids=[
        "undeclared",
        "arity",
        "head type",
        "two types",
        "compared types",
        "constant",
        "division by what may be zero",
        "plan without recursion",
    ],
)
def test_what_is_not_declared_or_typed_is_not_legal(rule):
    rels = (ir.Rel("a", ("number",)), ir.Rel("s", ("symbol",)), ir.Rel("out", ("number",)))
    assert legal.meaning(by_hand(rels, (ir.Fact("a", (1,)),), (rule,))) is None


def test_an_output_that_is_not_declared_is_not_legal():
    assert legal.meaning(by_hand((ir.Rel("a", ("number",)),), (), (), "out")) is None


@pytest.mark.parametrize(
    "text",
    [
        "q(x) :- a(x). out(x) :- a(x), !q(x).",
        "q(x) :- a(x). q(x) :- q(x). out(x) :- q(x).",
        "q(x) :- a(x). out(n) :- n = count : { q(x) }.",
    ],
)
def test_an_inlined_relation_is_not_negated_recursive_or_aggregated_over(text):
    assert legal.meaning(program("a/1 q/1:inline out/1", "a(1). " + text)) is None
    assert legal.meaning(program("a/1 q/1 out/1", "a(1). " + text)) is not None
