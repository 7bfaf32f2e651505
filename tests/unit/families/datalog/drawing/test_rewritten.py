"""Every rewrite on the papers' own examples: what it makes of a rule, and what it is said to do to the output.

Figures are those of Mansur's thesis: queryFuzz in chapter 3, DLSmith in chapter 4.
"""

import msgspec
import pytest

from datalog_standin import evaluate, program
from gainsay.families.datalog.drawing import rewritten
from gainsay.families.datalog.language import dialects, ir
from gainsay.families.datalog.meaning.apg import CON, EQU, EXP, annotate

X, Y, Z, W = ir.Var("x"), ir.Var("y"), ir.Var("z"), ir.Var("w")
PAIRS = "a(1, 2). a(2, 1). a(2, 3). a(3, 3). "
replace = msgspec.structs.replace


def spelled(made):
    """The rules of a program, in Soufflé's words."""
    return [dialects.find("souffle").rule(r) for r in made.rules if isinstance(r, ir.Rule)]


def result(made):
    return evaluate(made)[made.output]


def applied(base, step, is_local=False, rows=()):
    """The rewritten program and its effect, which must be true of what both programs mean."""
    made = rewritten.apply(base, step, rows, is_local)
    assert made is not None, "it was refused"
    before, after = result(base), result(made[0])
    assert {EQU: before == after, CON: after <= before, EXP: after >= before}[made[1]]
    return made


def effect(base, step, is_local=False):
    return applied(base, step, is_local)[1]


def is_refused(base, step, is_local=False):
    return rewritten.apply(base, step, (), is_local) is None


def p(body, facts=PAIRS, head="p(x)"):
    """A program of one rule, key 1, whose positive atoms have keys 1, 2, 3."""
    return program("a/2 b/1 r/2 t/1 p/1", f"{facts} b(1). b(3). r(1, 2). r(3, 2). r(2, 2). t(8). {head} :- {body}.")


# --- queryFuzz ---


def test_add_equ_repeats_a_subgoal_with_fresh_variables_as_in_figure_3_7():
    made, what = applied(p("a(x, y), a(y, x)"), rewritten.AddEqu(1, 2, (0,)), is_local=True)
    assert (spelled(made), what) == (["p(x) :- a(x, y), a(y, x), a(n0, x)."], EQU)


def test_add_equ_may_replace_every_variable():
    made, what = applied(p("a(x, y)"), rewritten.AddEqu(1, 1, (0, 1)))
    assert (spelled(made), what) == (["p(x) :- a(x, y), a(n0, n1)."], EQU)


def test_add_equ_takes_no_name_that_the_rule_has():
    made, _ = applied(p("a(n0, n1)", head="p(n0)"), rewritten.AddEqu(1, 1, (1,)))
    assert spelled(made) == ["p(n0) :- a(n0, n1), a(n0, n2)."]


def test_add_con_joins_a_subgoal_over_old_variables_as_in_figure_3_8():
    made, what = applied(p("a(x, y)"), rewritten.AddCon(1, ir.Atom("a", (Y, Y))), is_local=True)
    assert (spelled(made), what) == (["p(x) :- a(x, y), a(y, y)."], CON)


def test_add_con_discards_a_subgoal_that_is_there():
    assert is_refused(p("a(x, y)"), rewritten.AddCon(1, ir.Atom("a", (X, Y))))


def test_add_con_takes_no_new_variables():
    assert is_refused(p("a(x, y)"), rewritten.AddCon(1, ir.Atom("a", (X, Z))))


def test_mod_exp_frees_one_occurrence_as_in_figure_3_9():
    made, what = applied(p("a(x, y), a(y, x)"), rewritten.ModExp(1, X, 1), is_local=True)
    assert (spelled(made), what) == (["p(x) :- a(x, y), a(y, n0)."], EXP)


def test_mod_exp_needs_a_variable_that_occurs_twice():
    assert is_refused(p("a(x, y)"), rewritten.ModExp(1, X, 0))
    assert is_refused(p("a(x, y), a(y, x)"), rewritten.ModExp(1, X, 2)), "and an occurrence that is there"


def test_mod_exp_may_free_within_one_subgoal():
    made, what = applied(p("a(x, x)"), rewritten.ModExp(1, X, 1))
    assert (spelled(made), what) == (["p(x) :- a(x, n0)."], EXP)


def test_mod_equ_renames_everywhere():
    made, what = applied(p("a(x, y), a(y, x), y < 3"), rewritten.ModEqu(1, Y), is_local=True)
    assert (spelled(made), what) == (["p(x) :- a(x, n0), a(n0, x), n0 < 3."], EQU)


def test_mod_equ_renames_in_the_head_and_inside_aggregates():
    base = program("a/2 p/2", PAIRS + "p(x, n) :- a(x, _), n = count : { a(x, z) }.")
    made, what = applied(base, rewritten.ModEqu(1, X))
    assert (spelled(made), what) == (["p(n0, n) :- a(n0, _), n = count : { a(n0, z) }."], EQU)


def test_mod_con_makes_two_variables_one_as_in_figure_3_10():
    made, what = applied(p("a(x, y), a(y, x)"), rewritten.ModCon(1, Y, X), is_local=True)
    assert (spelled(made), what) == (["p(x) :- a(x, x), a(x, x)."], CON)


def test_mod_con_needs_two_variables():
    assert is_refused(p("a(x, x)"), rewritten.ModCon(1, X, X))
    assert is_refused(p("a(x, x)"), rewritten.ModCon(1, X, Y))


def test_rem_exp_removes_a_subgoal_that_maps_to_none_as_in_figure_3_11():
    made, what = applied(p("r(y, x), r(x, y)"), rewritten.Rem(1, 2), is_local=True)
    assert (spelled(made), what) == (["p(x) :- r(y, x)."], EXP)


def test_rem_equ_removes_a_subgoal_that_maps_to_another_as_in_figure_3_12():
    made, what = applied(p("r(w, x), r(y, x), t(z)", head="p(z)"), rewritten.Rem(1, 1), is_local=True)
    assert (spelled(made), what) == (["p(z) :- r(y, x), t(z)."], EQU)


@pytest.mark.parametrize(
    ("gone", "stays", "is_contained"),
    [
        ("r(x, y)", "r(x, y)", True),
        ("r(x, y)", "r(y, x)", False),
        ("r(x, w)", "r(x, y)", True),
        ("r(v, w)", "r(x, y)", True),
        ("r(w, w)", "r(x, x)", True),  # a back reference: the second w must be what the first was
        ("r(w, w)", "r(x, y)", False),
        ("r(w, w)", "r(_, _)", False),  # two wildcards may be two things
        ("r(w, w)", "r(2, 2)", True),
        ("r(w, w)", "r(2, 3)", False),
        ("r(w, x)", "r(2, x)", True),
        ("r(x, w)", "r(x, _)", True),  # one wildcard is one thing
        ("r(_, x)", "r(y, x)", True),
        ("r(_, x)", "r(_, x)", True),
        ("r(_, _)", "r(x, y)", True),
        ("r(x, _)", "r(y, x)", False),
        ("r(2, x)", "r(2, x)", True),
        ("r(2, x)", "r(3, x)", False),
        ("r(2, x)", "r(y, x)", False),
        ("r(2, x)", "r(_, x)", False),
        ("r(x, y)", "r(x, _)", False),
        ("a(x, w)", "r(x, z)", False),
        ("r(x, x + 0)", "r(x, x)", False),  # what is computed is not looked into
    ],
)
def test_what_was_removed_is_contained_if_it_maps_to_one_subgoal(gone, stays, is_contained):
    """Whatever the removed subgoal shares with the rule is bound by others; v and w are its own."""
    assert effect(p(f"{gone}, {stays}, b(x), b(y)"), rewritten.Rem(1, 1)) == (EQU if is_contained else EXP)


def test_rem_keeps_what_binds():
    assert is_refused(p("a(x, y), b(y)"), rewritten.Rem(1, 1)), "the head's x"
    assert is_refused(p("a(x, y), y < 2, b(x)"), rewritten.Rem(1, 1)), "a comparison's y"
    assert is_refused(p("b(x), a(x, y), !t(y)"), rewritten.Rem(1, 2)), "a negation's y"
    assert is_refused(p("b(x), a(x, y), 0 < count : { r(y, z) }"), rewritten.Rem(1, 2)), (
        "or y would be the aggregate's own"
    )


def test_rem_leaves_a_body():
    assert is_refused(p("b(z)", head="p(1)"), rewritten.Rem(1, 1))


def test_neg_equ_denies_twice_as_in_section_3_8_1():
    base = program("a/2 b/2 c/1 p/2", PAIRS + "b(2, 5). b(3, 6). c(5). p(x, y) :- a(x, y), b(y, z), c(z).")
    made, what = applied(base, rewritten.NegEqu(1, 3), is_local=True)
    assert what == EQU
    assert spelled(made) == ["neg0(z) :- a(x, y), b(y, z), !c(z).", "p(x, y) :- a(x, y), b(y, z), !neg0(z)."]


def test_neg_equ_is_safe():
    assert is_refused(p("b(x), a(x, y)"), rewritten.NegEqu(1, 2)), "nothing else binds y"


def test_neg_equ_is_refused_where_the_subgoal_depends_on_the_head():
    assert is_refused(
        program("a/2 p/1", PAIRS + "p(x) :- a(x, _). p(y) :- a(x, y), a(y, _), p(x)."), rewritten.NegEqu(2, 3)
    )


def test_neg_equ_gives_each_column_its_type():
    base = program("a(symbol,number) c(number,symbol) p(number)", 'a("k", 1). c(1, "k"). p(x) :- a(s, x), c(x, s).')
    made, _ = applied(base, rewritten.NegEqu(1, 2))
    assert made.rels[-1] == ir.Rel("neg0", ("number", "symbol"))


def test_rewrites_of_a_rule_that_is_not_there_are_refused():
    for step in (
        rewritten.AddEqu(7, 1, (0,)),
        rewritten.AddEqu(1, 9, (0,)),
        rewritten.Rem(7, 1),
        rewritten.ModEqu(7, X),
        rewritten.NegEqu(1, 0),
    ):
        assert is_refused(p("a(x, y)"), step)


def test_a_rule_whose_head_aggregates_is_left_alone():
    rule = ir.Rule(1, ir.Atom("p", (X, ir.Fold("count", Y))), (ir.Atom("a", (X, Y), 1),))
    base = replace(program("a/2 p/2", PAIRS), rules=(rule,))
    for step in (
        rewritten.AddEqu(1, 1, (1,)),
        rewritten.AddCon(1, ir.Atom("a", (Y, X))),
        rewritten.ModEqu(1, X),
        rewritten.AddRelEdge(1, ir.Atom("a", (Y, X))),
    ):
        assert is_refused(base, step)


def test_a_plan_goes_with_the_atoms_that_it_ordered():
    base = program("a/2 p/1", PAIRS + "p(x) :- a(x, _). p(y) :- p(x), a(x, y). .plan 0:(2,1)")
    made, _ = applied(base, rewritten.AddEqu(2, 2, (1,)))
    assert all(not r.plan for r in made.rules)


# --- the lift ---

SIGNS = program(
    "i/1 pos/1 neg/1 both/1 none/1 out/1",
    """i(1). i(2). i(3). i(4). pos(7). neg(2). both(1). none(5).
    pos(x) :- i(x), i(x), x != 4.
    neg(x) :- i(x), x = 3.
    both(x) :- i(x), x < 3.
    none(x) :- i(x).
    out(x) :- pos(x), !neg(x).
    out(x) :- both(x).
    out(x) :- i(x), !both(x), x = 4.""",
)
RULE = {"pos": 1, "neg": 2, "both": 3, "none": 4}


def test_ancestry_is_the_sign_of_all_paths_to_the_output():
    assert annotate(SIGNS).ancestry == {"i": "?", "pos": "+", "neg": "-", "both": "?", "none": "none", "out": "+"}


def test_two_negations_are_none():
    made = program("a/1 b/1 c/1 out/1", "b(x) :- a(x), !c(x). out(x) :- a(x), !b(x).")
    assert annotate(made).ancestry["c"] == "+"


@pytest.mark.parametrize("body", ["n = count : { q(x) }", "n = count : { a(x), !q(x) }"])
def test_an_aggregate_has_no_sign(body):
    assert annotate(program("a/1 q/1 out/1", f"q(x) :- a(x). out(n) :- {body}.")).ancestry["q"] == "?"


def test_a_head_aggregate_has_no_sign():
    rule = ir.Rule(1, ir.Atom("out", (X, ir.Fold("count", Y))), (ir.Atom("a", (X, Y), 1),))
    assert annotate(replace(program("a/2 out/2", ""), rules=(rule,))).ancestry["a"] == "?"


@pytest.mark.parametrize("output", ["q", "out"])
def test_a_relation_with_subsumption_has_no_sign_and_nothing_below_it_has(output):
    made = program("a/1 q/1 out/1", "q(x) :- a(x). q(x) <= q(y) :- x < y. out(x) :- q(x).", output)
    assert (annotate(made).ancestry["q"], annotate(made).ancestry["a"]) == ("?", "?")


@pytest.mark.parametrize("output", ["q", "out"])
def test_a_relation_with_a_choice_has_no_sign_and_nothing_below_it_has(output):
    made = program("a/2 q/2 out/1", "q(x, y) :- a(x, y). out(x) :- q(x, _).", output)
    chosen = replace(made, rels=tuple(replace(r, choice=((0,),)) if r.name == "q" else r for r in made.rels))
    assert (annotate(chosen).ancestry["q"], annotate(chosen).ancestry["a"]) == ("?", "?")


def test_recursion_without_negation_keeps_its_sign():
    made = program("e/2 out/2", "out(x, y) :- e(x, y). out(x, z) :- out(x, y), e(y, z).")
    assert annotate(made).ancestry == {"e": "+", "out": "+"}


FACT = {rel: ir.Fact(rel, (9,)) for rel in RULE}
HELD = {
    "pos": ir.Fact("pos", (7,)),
    "neg": ir.Fact("neg", (2,)),
    "both": ir.Fact("both", (1,)),
    "none": ir.Fact("none", (5,)),
}
# How a rewrite changes the relation that it touches, and with it the output, by that relation's ancestry.
LIFTED = {
    EXP: {"pos": EXP, "neg": CON, "both": None, "none": EQU},
    CON: {"pos": CON, "neg": EXP, "both": None, "none": EQU},
}
STEPS = {
    "AddFact": (EXP, lambda rel: rewritten.AddFact(FACT[rel])),
    "DelFact": (CON, lambda rel: rewritten.DelFact(HELD[rel])),
    "AddRule": (EXP, lambda rel: rewritten.AddRule(ir.Rule(0, ir.Atom(rel, (X,)), (ir.Atom("i", (X,)),)))),
    "AddRelEdge": (CON, lambda rel: rewritten.AddRelEdge(RULE[rel], ir.Atom("i", (X,)))),
    "AddRelEdge, negated": (CON, lambda rel: rewritten.AddRelEdge(RULE[rel], ir.Not(ir.Atom("i", (ir.Const(2),))))),
    "AddCon": (CON, lambda rel: rewritten.AddCon(RULE[rel], ir.Atom("i", (ir.Const(2),)))),
    "DelRelEdges": (CON, lambda rel: rewritten.DelRelEdges(rel)),
}


@pytest.mark.parametrize("rel", RULE)
@pytest.mark.parametrize("name", STEPS)
def test_the_effect_on_the_output_follows_the_ancestry(name, rel):
    local, make = STEPS[name]
    expected = LIFTED[local][rel]
    if expected is None:
        assert is_refused(SIGNS, make(rel))
    else:
        assert effect(SIGNS, make(rel)) == expected


@pytest.mark.parametrize("rel", RULE)
def test_what_keeps_a_relation_as_it_is_keeps_the_output(rel):
    assert effect(SIGNS, rewritten.AddEqu(RULE[rel], 1, (0,))) == EQU


@pytest.mark.parametrize("body", ["n = count : { q(x) }", "a(n), !q(n)"])
def test_queryfuzz_transforms_only_where_everything_above_is_monotone(body):
    base = program("a/1 b/1 q/1 out/1", f"a(1). a(2). b(1). q(x) :- a(x). out(n) :- {body}.")
    contracting = rewritten.AddCon(1, ir.Atom("b", (X,)))
    assert is_refused(base, contracting, is_local=True)
    assert effect(base, rewritten.AddEqu(1, 1, (0,)), is_local=True) == EQU, "an equivalence is one everywhere"


def test_nothing_below_a_subsumption_is_monotone_to_queryfuzz():
    made = program("a/1 q/1 r/1 out/1", "q(x) :- a(x). r(x) :- q(x). r(x) <= r(y) :- x < y. out(x) :- r(x).")
    assert not annotate(made).is_monotone_above("q")
    assert annotate(made).is_monotone_above("out")


def test_queryfuzz_transforms_above_a_negation():
    base = program("a/1 b/1 q/1 out/1", "a(1). a(2). b(1). q(x) :- b(x). out(x) :- a(x), !q(x).")
    assert effect(base, rewritten.AddCon(2, ir.Atom("b", (X,))), is_local=True) == CON


def test_dlsmith_transforms_below_a_negation():
    base = program("a/1 b/1 q/1 out/1", "a(1). a(2). b(1). q(x) :- a(x). out(x) :- a(x), !q(x).")
    assert effect(base, rewritten.AddCon(1, ir.Atom("b", (X,)))) == EXP


@pytest.mark.parametrize(
    ("macro", "micro", "is_kept"),
    [
        (EQU, EQU, True),
        (EQU, CON, False),
        (EQU, EXP, False),
        (EXP, EQU, True),
        (EXP, EXP, True),
        (EXP, CON, False),
        (CON, CON, True),
        (CON, EXP, False),
    ],
)
def test_a_sequence_keeps_its_oracle(macro, micro, is_kept):
    assert rewritten.compatible(macro, micro) == is_kept


# --- DLSmith ---


def test_add_rel_node_declares_a_relation_that_nobody_reads():
    made, what = applied(SIGNS, rewritten.AddRelNode(ir.Rel("fresh", ("number",))))
    assert (made.rels[-1].name, annotate(made).ancestry["fresh"], what) == ("fresh", "none", EQU)


def test_add_rel_node_takes_no_name_twice():
    assert is_refused(SIGNS, rewritten.AddRelNode(ir.Rel("pos", ("number",))))


def contradiction(head, rel):
    atom = ir.Atom(rel, (X,))
    return rewritten.AddRelEdges(ir.Rule(0, ir.Atom(head, (X,)), (atom, ir.Not(atom))))


def test_add_rel_edges_adds_a_rule_that_derives_nothing():
    made, what = applied(SIGNS, contradiction("out", "none"))
    assert (spelled(made)[-1], what) == ("out(x) :- none(x), !none(x).", EQU)


def test_add_rel_edges_makes_the_ancestry_unknown():
    made, _ = applied(SIGNS, contradiction("out", "none"))
    assert annotate(made).ancestry["none"] == "?"


def test_add_rel_edges_is_refused_where_the_relation_depends_on_the_head():
    assert is_refused(SIGNS, contradiction("pos", "out"))
    assert is_refused(SIGNS, contradiction("out", "out"))


def test_add_rel_edges_reads_and_denies_the_same_tuples():
    rule = ir.Rule(0, ir.Atom("out", (X,)), (ir.Atom("i", (X,)), ir.Not(ir.Atom("none", (X,)))))
    assert is_refused(SIGNS, rewritten.AddRelEdges(rule))


def test_add_self_edge_derives_what_is_there():
    atom = ir.Atom("both", (X,))
    made, what = applied(SIGNS, rewritten.AddSelfEdge(ir.Rule(0, atom, (atom,))))
    assert (spelled(made)[-1], what) == ("both(x) :- both(x).", EQU)


def test_add_self_edge_derives_nothing_else():
    base = program("a/2 out/2", PAIRS + "out(x, y) :- a(x, y).")
    swapped = ir.Rule(0, ir.Atom("out", (X, Y)), (ir.Atom("out", (Y, X)),))
    assert is_refused(base, rewritten.AddSelfEdge(swapped))


def test_fact_inline_puts_facts_in_the_place_of_rules():
    rows = sorted(evaluate(SIGNS)["both"])
    made, what = applied(SIGNS, rewritten.FactInline("both"), rows=rows)
    assert what == EQU
    assert not any(r.head.rel == "both" for r in made.rules)
    assert [f.values for f in made.facts if f.rel == "both"] == rows


def test_fact_inline_of_a_relation_with_subsumption_takes_its_rule_away_too():
    base = program("a/1 q/1 out/1", "a(1). a(2). q(x) :- a(x). q(x) <= q(y) :- x < y. out(x) :- q(x).")
    made, what = applied(base, rewritten.FactInline("q"), rows=[(2,)])
    assert (len(made.rules), what) == (1, EQU)


def test_fact_inline_ends_an_inlining():
    base = program("a/1 q/1:inline out/1", "a(1). q(x) :- a(x). out(x) :- q(x).")
    made, _ = applied(base, rewritten.FactInline("q"), rows=[(1,)])
    assert all("inline" not in r.marks for r in made.rels)


def test_fact_inline_needs_rules():
    assert is_refused(SIGNS, rewritten.FactInline("i"))
    assert is_refused(SIGNS, rewritten.FactInline("missing"))


def test_add_rel_edge_takes_no_new_variables():
    assert is_refused(SIGNS, rewritten.AddRelEdge(1, ir.Atom("i", (Y,))))


def test_an_edge_from_a_relation_that_is_denied_below_is_refused():
    """The thesis excludes ancestors of v only; here u = out is a negative descendant of v = neg."""
    assert is_refused(SIGNS, rewritten.AddRelEdge(2, ir.Atom("out", (X,))))
    assert is_refused(SIGNS, rewritten.AddRule(ir.Rule(0, ir.Atom("neg", (X,)), (ir.Atom("out", (X,)),))))


def test_an_edge_that_closes_a_positive_circle_is_taken():
    assert effect(SIGNS, rewritten.AddRule(ir.Rule(0, ir.Atom("pos", (X,)), (ir.Atom("out", (X,)),)))) == EXP


def test_a_negated_edge_to_oneself_is_refused():
    assert is_refused(SIGNS, rewritten.AddRelEdge(1, ir.Not(ir.Atom("pos", (X,)))))


def test_after_an_edge_its_source_is_in_the_ancestry():
    """The trap: with a stale annotation `none` would still be none, and a fact there equivalent."""
    base = program("i/1 none/1 out/1", "i(1). i(2). none(1). out(x) :- i(x).")
    fact = rewritten.AddFact(ir.Fact("none", (2,)))
    assert effect(base, fact) == EQU
    made, what = applied(base, rewritten.AddRelEdge(1, ir.Atom("none", (X,))))
    assert (annotate(made).ancestry["none"], what) == ("+", CON)
    assert effect(made, fact) == EXP


def test_after_its_rules_are_gone_a_source_is_out_of_the_ancestry():
    base = program("i/1 q/1 out/1", "i(1). q(x) :- i(x). out(x) :- q(x).")
    made, _ = applied(base, rewritten.FactInline("q"), rows=[(1,)])
    assert effect(made, rewritten.DelFact(ir.Fact("i", (1,)))) == EQU


def test_add_fact_adds_nothing_that_is_there_or_does_not_fit():
    assert is_refused(SIGNS, rewritten.AddFact(ir.Fact("i", (1,))))
    assert is_refused(SIGNS, rewritten.AddFact(ir.Fact("none", (1, 2))))
    assert is_refused(SIGNS, rewritten.AddFact(ir.Fact("missing", (1,))))


def test_add_fact_leaves_a_relation_alone_whose_head_aggregates():
    rule = ir.Rule(1, ir.Atom("p", (X, ir.Fold("count", Y))), (ir.Atom("a", (X, Y), 1),))
    base = replace(program("a/2 p/2", PAIRS), rules=(rule,))
    assert is_refused(base, rewritten.AddFact(ir.Fact("p", (1, 9))))


def test_del_fact_needs_a_fact():
    assert is_refused(SIGNS, rewritten.DelFact(ir.Fact("i", (8,))))


def test_del_rel_node_takes_the_rules_that_read_it_along():
    base = program("a/1 q/1 r/1 out/1", "a(1). q(x) :- a(x). q(5). r(x) :- q(x). r(x) :- a(x). out(x) :- a(x).")
    made, what = applied(base, rewritten.DelRelNode("q"))
    assert (spelled(made), what) == (["r(x) :- a(x).", "out(x) :- a(x)."], EQU)
    assert all(r.name != "q" for r in made.rels) and all(f.rel != "q" for f in made.facts)


def test_del_rel_node_leaves_what_the_output_sees():
    for rel in ("pos", "neg", "both", "i", "out", "missing"):
        assert is_refused(SIGNS, rewritten.DelRelNode(rel))


@pytest.mark.parametrize(("rule", "at"), [(1, 0), (5, 1), (7, 1)])
def test_del_rel_edge_frees_a_rule_in_positive_ancestry(rule, at):
    assert effect(SIGNS, rewritten.DelRelEdge(rule, at)) == EXP


def test_del_rel_edge_in_negative_ancestry_contracts():
    base = program("a/1 b/1 q/1 out/1", "a(1). a(2). b(1). q(x) :- a(x), b(x). out(x) :- a(x), !q(x).")
    assert effect(base, rewritten.DelRelEdge(1, 1)) == CON


def test_del_rel_edge_keeps_what_binds_and_one_literal():
    base = program("a/1 b/2 out/1", "a(1). b(1, 2). out(y) :- a(x), b(x, y). out(x) :- a(x).")
    assert is_refused(base, rewritten.DelRelEdge(1, 1))
    assert is_refused(base, rewritten.DelRelEdge(2, 0))
    assert is_refused(base, rewritten.DelRelEdge(1, 7))


def test_del_rel_edges_needs_rules():
    assert is_refused(SIGNS, rewritten.DelRelEdges("i"))


def test_seed_relations_get_no_incoming_edges():
    seeded = replace(program("out/1", ""), seed="s(1).", seeded=(ir.Rel("s", ("number",)),))
    atom = ir.Atom("s", (X,))
    for step in (
        rewritten.AddFact(ir.Fact("s", (1,))),
        rewritten.AddRule(ir.Rule(0, atom, (ir.Atom("out", (X,)),))),
        rewritten.AddSelfEdge(ir.Rule(0, atom, (atom,))),
        rewritten.DelRelEdges("s"),
        rewritten.FactInline("s"),
        rewritten.DelRelNode("s"),
    ):
        assert is_refused(seeded, step)


def test_a_rewrite_leaves_the_program_that_it_was_given():
    before = msgspec.to_builtins(SIGNS)
    for _, make in STEPS.values():
        rewritten.apply(SIGNS, make("pos"))
    assert msgspec.to_builtins(SIGNS) == before


def test_a_rewrite_can_be_applied_again_after_it_was_written_down():
    step = rewritten.AddRelEdge(1, ir.Not(ir.Atom("none", (X,))))
    again = msgspec.convert(msgspec.to_builtins(step), type(step))
    assert rewritten.apply(SIGNS, again) == rewritten.apply(SIGNS, step)
