"""DEOPT's Algorithm 1: what is asked, in which order, with which facts; and what is claimed of the whole program."""

import msgspec
import pytest

from datalog_standin import hold, read, right, seats
from gainsay.core import registry
from gainsay.core.answer import Refused, Rows
from gainsay.core.draw import Draw, seed_for
from gainsay.families.datalog.drawing import scenes
from gainsay.families.datalog.language import dialects, ir

ORACLE = registry.oracle("datalog", "rules")
FIGURE_4 = (
    "a/1 b/1 c/1 d/1",
    "a(1). a(2). a(3). b(1). c(x) :- a(x), !b(x). d(x) :- c(x). c(x) :- d(x). b(x) :- a(x), x = 2.",
)
GAME = "e(1, 2). e(2, 3). e(3, 4). win(x) :- e(x, y), !win(y)."


def held(spec, text, ask=right, types="", **options):
    scene, rules = read(spec, text, types=types)
    return hold(ORACLE, scene, ORACLE.recipe_type(rules, **options), seats("souffle"), ask)


def since(found, label):
    """The labels of what was asked after a whole program, up to the next one, without their numbers."""
    labels = list(found.steps)
    start = labels.index(label) + 1 if label else 0
    rest = labels[start:]
    end = next((i for i, each in enumerate(rest) if each.startswith("program of")), len(rest))
    return [each.rpartition(" (")[0] for each in rest[:end]]


def facts(node, rel):
    return sorted(f.values for f in node.facts if f.rel == rel)


def reference(found, label):
    """The last reference program of this name."""
    return [node for each, node in found.steps.items() if each.startswith(f"{label} (")][-1]


# --- the paper's example ---


def test_rules_that_depend_on_the_new_one_are_asked_again_stratum_by_stratum_as_in_figure_4():
    found = held(*FIGURE_4)
    assert not found.contradicted
    assert since(found, "program of 3 rules") == ["rule 4 alone", "rule 1 alone", *["rule 2 alone", "rule 3 alone"] * 2]


def test_facts_of_affected_rules_are_discarded_before_they_are_read_as_in_figure_4():
    """c(2) only follows from d(2), and d(2) from c(2): kept, the two would hold each other up for ever."""
    found = held(*FIGURE_4)
    last = list(found.steps)[list(found.steps).index("program of 3 rules") + 1 :]
    assert facts(found.steps[last[1]], "b") == [(1,), (2,)], "rule 1 reads the new fact"
    assert facts(found.steps[last[2]], "c") == [(3,)], "rule 2 reads nothing outdated"
    assert facts(found.steps[last[-2]], "d") == [(3,)]


def test_the_new_rules_head_is_asked_and_compared_with_all_of_its_rules_and_facts():
    found = held(*FIGURE_4)
    assert [node.output for label, node in found.steps.items() if label.startswith("program of")] == [
        "c",
        "d",
        "c",
        "b",
    ]
    assert [sorted(c.right.value) for c in found.claims] == [[(2,), (3,)], [(2,), (3,)], [(2,), (3,)], [(1,), (2,)]]


def test_a_whole_program_holds_the_rules_so_far():
    found = held(*FIGURE_4)
    assert [len(node.rules) for label, node in found.steps.items() if label.startswith("program of")] == [1, 2, 3, 4]


# --- reference programs ---


def test_a_reference_program_has_one_rule_and_facts_for_what_it_reads():
    found = held("a/1 b/1 q/1 out/1", "a(1). a(2). b(2). b(3). q(x) :- a(x). out(x) :- q(x), !b(x).")
    made = reference(found, "rule 2 alone")
    assert len(made.rules) == 1
    assert {r.name for r in made.rels} == {"q", "b", made.output}
    assert (facts(made, "q"), facts(made, "b"), facts(made, "a")) == ([(1,), (2,)], [(2,), (3,)], [])


def test_a_recursive_rule_alone_does_not_feed_itself():
    found = held("e/2 r/2", "e(1, 2). e(2, 3). r(x, y) :- e(x, y). r(x, z) :- r(x, y), e(y, z).")
    for label, node in found.steps.items():
        if label.startswith("rule"):
            assert all(rule.head.rel not in {lit.rel for lit in rule.body} for rule in node.rules)


def test_only_affected_rules_are_asked_again():
    found = held("a/1 p/1 q/1 s/1", "a(1). p(x) :- a(x). q(x) :- p(x). s(x) :- a(x). q(5) :- s(_).")
    assert since(found, "program of 3 rules") == ["rule 4 alone"]


def test_a_rule_is_asked_again_for_each_rule_below_it():
    found = held("a/1 p/1 q/1", "a(1). p(x) :- a(x). q(x) :- p(x). p(2) :- a(_).")
    assert since(found, "program of 2 rules") == ["rule 3 alone", "rule 2 alone"]
    assert facts(reference(found, "rule 2 alone"), "p") == [(1,), (2,)]


def test_recursion_goes_on_until_nothing_new_follows():
    found = held("e/2 r/2", "e(1, 2). e(2, 3). e(3, 4). r(x, y) :- e(x, y). r(x, z) :- r(x, y), e(y, z).")
    assert since(found, "program of 1 rule") == ["rule 2 alone"] * 3
    assert sorted(found.claims[-1].right.value) == [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]


def test_mutual_recursion_takes_its_rules_in_turn():
    found = held(
        "e/2 even/1 odd/1", "e(1, 2). e(2, 3). even(1). odd(y) :- even(x), e(x, y). even(y) :- odd(x), e(x, y)."
    )
    assert since(found, "program of 1 rule") == ["rule 1 alone", "rule 2 alone"] * 2
    assert sorted(found.claims[-1].right.value) == [(1,), (3,)]


@pytest.mark.parametrize("max_iter", [1, 5])
def test_after_max_iter_rounds_a_rule_is_given_up_without_a_claim(max_iter):
    found = held("out/1 z/1", "z(0). out(x) :- z(x). out(x + 1) :- out(x). z(x) :- out(x).", max_iter=max_iter)
    assert len(found.claims) == 1, "of the first rule"
    assert since(found, "program of 1 rule") == ["rule 2 alone"] * max_iter


def test_a_reference_program_that_is_refused_ends_the_conversation_without_a_claim():
    def ask(node):
        return Refused("other", "no") if node.output not in ("q", "out") and len(node.facts) > 1 else right(node)

    found = held("a/1 q/1 out/1", "a(1). q(x) :- a(x). q(2) :- a(_). out(x) :- q(x).", ask)
    assert (len(found.claims), found.contradicted) == (2, [])


def test_a_tuple_that_is_given_twice_contradicts():
    def ask(node):
        rows = right(node).rows
        return Rows(rows + rows[:1] if len(node.rules) == 2 else rows)

    assert held("a/1 q/1 out/1", "a(1). q(x) :- a(x). out(x) :- q(x).", ask).contradicted


def test_one_and_one_point_zero_are_told_apart():
    def ask(node):
        return Rows([(1,), (1.0,)])

    found = held("a/1 out/1", "a(1). out(x) :- a(x).", ask)
    assert repr(found.claims[0].right.value) == "((1,), (1.0,))"


def test_an_equivalence_relation_is_closed_by_the_engine_from_the_facts_of_all_its_rules():
    found = held(
        "e/2 q/2:eqrel out/2",
        "e(1, 2). e(2, 3). q(x, y) :- e(x, y), x = 1. q(x, y) :- e(x, y), x = 2. out(x, y) :- q(x, y).",
    )
    assert not found.contradicted
    assert facts(reference(found, "all of q"), "q") == sorted(
        {(a, b) for a in (1, 2) for b in (1, 2)} | {(a, b) for a in (2, 3) for b in (2, 3)}
    )
    assert len(found.claims[-1].right.value) == 9


def test_recursion_through_an_equivalence_relation_sees_its_closure():
    found = held(
        "e/2 q/2:eqrel", "e(1, 2). e(2, 7). e(7, 9). q(1, 1). q(x, y) :- q(x, x), e(x, y). q(x, x) :- q(x, 9)."
    )
    assert not found.contradicted
    assert len(found.claims[-1].right.value) == 16


def test_a_relation_and_its_subsumption_come_together():
    found = held("a/1 q/1 out/1", "a(1). a(2). q(x) :- a(x). q(x) <= q(y) :- x < y. out(x) :- q(x).")
    assert [label for label in found.steps if label.startswith("program")] == [
        "program of 2 rules",
        "program of 3 rules",
    ]
    assert [c.right.value for c in found.claims] == [((2,),), ((2,),)]
    assert facts(reference(found, "rule 3 alone"), "q") == [(2,)]


# --- keywords ---

MARKED = "a/1:brie q/1:inline s/1:no_magic out/1:magic"
KEYWORDS = "a(1). q(x) :- a(x). s(x) :- a(x). out(x) :- q(x), s(x). out(x) :- out(x), s(x). .plan 0:(2,1)"


def marks(found, is_whole):
    return {
        m
        for label, node in found.steps.items()
        if label.startswith("program of") == is_whole
        for rel in node.rels
        for m in rel.marks
    }


def with_pragma(drop):
    scene, rules = read(MARKED, KEYWORDS)
    recipe = ORACLE.recipe_type(msgspec.structs.replace(rules, pragmas=('"magic-transform" "*"',)), drop=drop)
    return hold(ORACLE, scene, recipe, seats("souffle"))


def pragmas(found, is_whole):
    return {
        p for label, node in found.steps.items() if label.startswith("program of") == is_whole for p in node.pragmas
    }


def test_inline_is_left_out_of_reference_programs():
    found = held(MARKED, KEYWORDS)
    assert marks(found, is_whole=False) == {"brie", "no_magic", "magic"}
    assert marks(found, is_whole=True) == {"brie", "no_magic", "magic", "inline"}


@pytest.mark.parametrize("drop", ["keywords", "all"])
def test_by_option_no_keyword_is_left(drop):
    found = held(MARKED, KEYWORDS, drop=drop)
    assert marks(found, is_whole=False) == set()
    assert all(not rule.plan for label, node in found.steps.items() if label.startswith("rule") for rule in node.rules)


def test_an_equivalence_relation_stays_one():
    found = held("e/2 q/2:eqrel,magic", "e(1, 2). q(x, y) :- e(x, y).", drop="all")
    assert marks(found, is_whole=False) == {"eqrel"}


@pytest.mark.parametrize(
    ("drop", "expected"),
    [("inline", {'"magic-transform" "*"'}), ("keywords", {'"magic-transform" "*"'}), ("all", set())],
)
def test_execution_options_are_left_out_on_demand_only(drop, expected):
    found = with_pragma(drop)
    assert pragmas(found, is_whole=False) == expected
    assert pragmas(found, is_whole=True) == {'"magic-transform" "*"'}


@pytest.mark.parametrize("drop", ["inline", "keywords", "all"])
def test_what_is_left_out_is_a_setting(drop):
    seated = seats("souffle", rules_drop=drop)
    scene = scenes.grow(Draw(1), seated.lexicon)
    assert ORACLE.draw(Draw(1), scene, seated).drop == drop


# --- recursion through negation ---


def test_an_unstratified_part_goes_into_one_reference_program():
    found = held("e/2 q/1 win/1", "e(1, 2). q(x) :- e(x, _). win(x) :- e(x, y), !q(y). q(x) :- win(x), !win(x).")
    assert sorted(since(found, "program of 2 rules")) == ["q of unstratified rules", "win of unstratified rules"]
    whole = reference(found, "win of unstratified rules")
    assert {r.key for r in whole.rules} == {2, 3}


def test_a_stratum_above_an_unstratified_part_reads_its_result():
    found = held("e/2 win/1 out/1", GAME + " out(x) :- e(x, _), !win(x).")
    assert not found.contradicted
    assert facts(reference(found, "rule 2 alone"), "win") == [(1,), (3,)]
    assert found.claims[-1].right.value == ((2,),)


def test_an_aggregate_within_a_recursion_is_left_to_the_engine_too():
    found = held("a/1 out/1", "a(1). out(n) :- a(n), n = count : { out(x) }.")
    assert [label.rpartition(" (")[0] for label in found.steps] == ["out of unstratified rules"]
    assert not found.claims


def test_what_other_rules_of_the_relation_derive_is_part_of_an_unstratified_reference_program():
    found = held("a/1 b/1 out/1", "a(1). out(0) :- a(_). out(x) :- out(0), a(x), !out(9).")
    assert not found.contradicted


def test_facts_of_the_relation_are_part_of_an_unstratified_reference_program():
    found = held("a/1 out/1", "a(1). out(0). out(x) :- out(0), a(x), !out(9).")
    assert not found.contradicted


@pytest.fixture(scope="module")
def clingo():
    session = registry.engine("clingo").open_session((), {})
    dialect = dialects.find("clingo")
    return lambda node: session.ask(dialect.text(node))


def test_clingo_decides_an_unstratified_part_as_we_do(clingo):
    scene, rules = read("e/2 win/1 out/1", GAME + " out(x) :- e(x, _), !win(x).")
    found = hold(ORACLE, scene, ORACLE.recipe_type(rules), seats("clingo"), clingo)
    assert (len(found.claims), found.contradicted) == (2, [])
    assert sorted(found.answers["program of 1 rule"].rows) == [(1,), (3,)]


def unstratified(numbers):
    """Drawn programs in which a recursion goes through negation."""
    seated = seats("clingo", rules_unstratified="1", rules_max_rules="8", rules_p_head="0.4")
    for number in numbers:
        scene = scenes.grow(Draw(seed_for(number, "scene")), seated.lexicon)
        recipe = ORACLE.draw(Draw(seed_for(number, "rules")), scene, seated)
        if any("unstratified" in label for label in hold(ORACLE, scene, recipe, seated).steps):
            yield scene, recipe, seated


def test_recursion_through_negation_is_drawn_on_demand():
    assert len(list(unstratified(range(60)))) > 5


def test_recursion_through_negation_is_not_drawn_otherwise():
    seated = seats("clingo", rules_max_rules="8", rules_p_head="0.4")
    for number in range(60):
        scene = scenes.grow(Draw(seed_for(number, "scene")), seated.lexicon)
        found = hold(ORACLE, scene, ORACLE.draw(Draw(seed_for(number, "rules")), scene, seated), seated)
        assert not any("unstratified" in label for label in found.steps)


def test_clingo_is_not_accused_of_what_it_decides_rightly(clingo):
    accused = [
        number for number, case in enumerate(unstratified(range(120))) if hold(ORACLE, *case, clingo).contradicted
    ]
    assert accused == []


# --- names ---


def test_a_relation_of_any_name_may_be_read_alone():
    assert not held("a/1 ref/1 out/1", "a(1). ref(x) :- a(x). out(x) :- ref(x).").contradicted


def test_a_seeds_relation_of_any_name_is_left_alone():
    seed = ir.Scene(
        (ir.Rel("a", ("any",)),),
        (ir.Fact("a", (1,)),),
        (),
        "ref[a] <- [[7]]",
        (ir.Rel("ref", ("any",)),),
        (ir.Fact("ref", (7,)),),
    )
    rule = ir.Rule(1, ir.Atom("out", (ir.Var("x"),)), (ir.Atom("a", (ir.Var("x"),), 1),))
    recipe = ORACLE.recipe_type(ir.Rules((ir.Rel("out", ("any",)),), (rule,), "out"))
    found = hold(ORACLE, seed, recipe, seats("cozo"), lambda node: Rows([]))
    assert next(iter(found.steps.values())).output != "ref"


def test_every_program_declares_what_it_has_facts_for():
    """A relation with facts and rules: its facts are there from the start, whoever reads them."""
    scene, rules = read("a/1 out/1 b/1", "a(1). b(2). out(x) :- a(x). b(x) :- a(x).")
    found = hold(ORACLE, scene, ORACLE.recipe_type(rules), seats("souffle"), lambda node: Rows([(1,)]))
    whole = list(found.steps.values())[1]
    assert {f.rel for f in whole.facts} <= {r.name for r in whole.rels}


def test_nothing_is_asked_of_no_rules():
    scene, _ = read("a/1", "a(1).")
    assert not hold(ORACLE, scene, ORACLE.recipe_type(ir.Rules((), (), "a")), seats("souffle")).steps


def test_a_program_of_somebody_else_is_taken_rule_by_rule():
    scene, rules = read("a/1 out/1", "a(1). out(x) :- a(x).")
    assert hold(ORACLE, scene, ORACLE.recall(rules), seats("souffle")).claims
    assert ORACLE.recall(ir.RawProgram("a(1).")) is None
