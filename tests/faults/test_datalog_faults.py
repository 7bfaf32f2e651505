"""Planted faults in an engine that is otherwise our own evaluator: a matrix of oracle x fault. A fault that no oracle
finds fails the build."""

import functools

import msgspec
import pytest

from datalog_standin import hold, right, seats, tables
from gainsay.core import registry
from gainsay.core.answer import GaveUp, Rows
from gainsay.core.draw import Draw, seed_for
from gainsay.core.tree import transform, walk
from gainsay.families.datalog.drawing import scenes
from gainsay.families.datalog.language import ir

ORACLES = ("cq", "apg", "rules", "reference")
MOST = 1500  # recipes until a fault counts as not seen
replace = msgspec.structs.replace


def with_rules(node, change):
    """A program each of whose rules is replaced by those that `change` gives."""
    return replace(
        node, rules=tuple(new for rule in node.rules for new in (change(rule) if isinstance(rule, ir.Rule) else [rule]))
    )


def by_rewriting(distort):
    """An engine that evaluates another program than it was given; where that has no meaning, it does what it should."""

    def ask(node):
        found = tables(distort(node))
        return right(node) if found is None else Rows(sorted(found[node.output], key=repr))

    return ask


def by_losing(is_hit, lose):
    """An engine that goes wrong on its way out."""

    def ask(node):
        answer = right(node)
        return answer if isinstance(answer, GaveUp) or not is_hit(node) else Rows(lose(answer.rows))

    return ask


# --- faults ---


def without_negation(node):
    return with_rules(
        node, lambda rule: [replace(rule, body=tuple(lit for lit in rule.body if not isinstance(lit, ir.Not)))]
    )


def without_second_recursive_rule(node):
    """A semi-naive evaluation that forgets the delta of a later rule."""
    seen = set()

    def change(rule):
        is_first = rule.head.rel not in seen
        seen.add(rule.head.rel)
        reads_itself = any(isinstance(lit, ir.Atom) and lit.rel == rule.head.rel for lit in rule.body)
        return [rule] if is_first or not reads_itself else []

    return with_rules(node, change)


def strict_comparisons(node):
    return replace(
        node,
        rules=transform(node.rules, lambda n: replace(n, op="<") if isinstance(n, ir.Compare) and n.op == "<=" else n),
    )


def without_repeated_atoms(node):
    """A minimiser that takes a second atom of a relation for the first, and does not look at the variables."""

    def change(rule):
        seen, body = set(), []
        for lit in rule.body:
            if not isinstance(lit, ir.Atom) or lit.rel not in seen:
                body.append(lit)
            seen.add(getattr(lit, "rel", ""))
        return [replace(rule, body=tuple(body))]

    return with_rules(node, change)


def without_last_rule_of_inlined(node):
    inlined = {r.name for r in node.rels if "inline" in r.marks and r.name != node.output}
    last = {rule.head.rel: rule.key for rule in node.rules if isinstance(rule, ir.Rule)}
    return with_rules(node, lambda rule: [] if rule.head.rel in inlined and last[rule.head.rel] == rule.key else [rule])


def asymmetric_equivalences(node):
    """Equivalence relations that are only what their rules say."""
    return replace(node, rels=tuple(replace(r, marks=tuple(m for m in r.marks if m != "eqrel")) for r in node.rels))


def distinct_aggregates(node):
    """count and sum over distinct values: as if h(g, sum(v)) :- b(g, v, w) were h(g, sum(v)) :- b2(g, v). b2(g, v) :-
    b(g, v, w)."""
    extra = []

    def change(rule):
        folds = [a for a in rule.head.args if isinstance(a, ir.Fold)]
        if folds:
            groups = tuple(a for a in rule.head.args if isinstance(a, ir.Var))
            args = (*groups, *[f.arg for f in folds])
            extra.append(ir.Rel(f"values{len(extra)}", ("number",) * len(args)))
            atom = ir.Atom(extra[-1].name, args)
            return [ir.Rule(1000 + len(extra), atom, rule.body), replace(rule, body=(atom,))]
        return [replace(rule, body=tuple(distinct(rule, lit) for lit in rule.body))]

    made = with_rules(node, change)
    return replace(made, rels=(*made.rels, *extra))


def distinct(rule, literal):
    """A body aggregate over one atom: its variables that only it has, and that are not summed, become wildcards."""
    if not isinstance(literal, ir.Aggregate) or literal.target is None or len(literal.body) > 1:
        return literal
    rest = {
        n.name
        for other in (rule.head, *rule.body)
        if other is not literal
        for _, n in walk(other)
        if isinstance(n, ir.Var)
    }
    rest.add(literal.target.name)
    return transform(literal, lambda n: ir.Wild() if isinstance(n, ir.Var) and n.name not in rest else n)


def unjoined_constants(node):
    """Constants in body atoms match anything."""

    def loose(lit):
        if not isinstance(lit, ir.Atom):
            return lit
        return replace(lit, args=tuple(ir.Wild() if isinstance(a, ir.Const) else a for a in lit.args))

    return with_rules(node, lambda rule: [replace(rule, body=tuple(loose(lit) for lit in rule.body))])


def joined_unused_variables(node):
    """A minimiser that takes variables which are used once for one (Z3 #4870 needed copies of an atom with unused
    variables)."""

    def change(rule):
        atoms = [lit.rel for lit in rule.body if isinstance(lit, ir.Atom)]
        names = [n.name for part in (rule.head, *rule.body) for _, n in walk(part) if isinstance(n, ir.Var)]
        lone = {n for n in names if names.count(n) == 1}
        if len(set(atoms)) == len(atoms) or any(isinstance(n, (ir.Fold, ir.Aggregate)) for _, n in walk(rule)):
            return [rule]
        return [transform(rule, lambda n: ir.Var("one") if isinstance(n, ir.Var) and n.name in lone else n)]

    return with_rules(node, change)


FAULTS = {
    "negation is ignored": by_rewriting(without_negation),
    "the last tuple is lost": by_losing(lambda node: True, lambda rows: rows[:-1]),
    "a later recursive rule is ignored": by_rewriting(without_second_recursive_rule),
    "<= means <": by_rewriting(strict_comparisons),
    "a repeated atom is dropped": by_rewriting(without_repeated_atoms),
    "unused variables of repeated atoms are joined": by_rewriting(joined_unused_variables),
    "an inlined relation loses a rule": by_rewriting(without_last_rule_of_inlined),
    "an equivalence relation is not closed": by_rewriting(asymmetric_equivalences),
    "aggregates range over distinct values": by_rewriting(distinct_aggregates),
    "more than three rules lose a tuple": by_losing(lambda node: len(node.rules) > 3, lambda rows: rows[1:]),
    "a tuple of a negated program comes twice": by_losing(
        lambda node: len(node.rules) > 1 and any(isinstance(n, ir.Not) for _, n in walk(node.rules)),
        lambda rows: rows + rows[:1],
    ),
    "constants match anything": by_rewriting(unjoined_constants),
}


FINDERS = {
    "negation is ignored": {"cq", "apg", "reference"},
    "the last tuple is lost": {"apg", "rules", "reference"},
    "a later recursive rule is ignored": {"rules", "reference"},
    "<= means <": {"reference"},
    "a repeated atom is dropped": {"rules", "reference"},
    "unused variables of repeated atoms are joined": {"cq", "apg", "reference"},
    "an inlined relation loses a rule": {"apg", "rules", "reference"},
    "an equivalence relation is not closed": {"reference"},
    "aggregates range over distinct values": {"reference"},
    "more than three rules lose a tuple": {"cq", "apg", "rules", "reference"},
    "a tuple of a negated program comes twice": {"rules"},
    "constants match anything": {"cq", "reference"},
}


@functools.cache
def recipes(name, number):
    """Recipes are drawn once for all faults."""
    seated = seats("souffle", **({"rules_max_rules": "6", "rules_p_head": "0.35"} if name == "rules" else {}))
    scene = scenes.grow(Draw(seed_for(number, "scene")), seated.lexicon)
    return scene, registry.oracle("datalog", name).draw(Draw(seed_for(number, name)), scene, seated), seated


def finds(name, ask, most=MOST):
    oracle = registry.oracle("datalog", name)
    return any(hold(oracle, *recipes(name, number), ask).contradicted for number in range(most))


@pytest.mark.parametrize(("fault", "oracle"), [(f, o) for f in FAULTS for o in ORACLES if o in FINDERS[f]])
def test_each_fault_is_found_by_the_oracles_that_can_see_it(fault, oracle):
    assert finds(oracle, FAULTS[fault])


def test_no_fault_is_without_a_finder_and_no_oracle_without_a_fault():
    assert FINDERS.keys() == FAULTS.keys()
    assert all(FINDERS.values())
    assert set().union(*FINDERS.values()) == set(ORACLES)


@pytest.mark.parametrize("oracle", ["cq", "apg", "rules"])
def test_what_is_wrong_in_both_halves_alike_is_for_the_reference_only(oracle):
    """A test inside a rule is as wrong in the rewritten program, and in the rule alone."""
    assert not finds(oracle, FAULTS["<= means <"], 150)


@pytest.mark.parametrize("oracle", ORACLES)
def test_an_engine_without_a_fault_is_not_accused(oracle):
    assert not finds(oracle, by_rewriting(lambda node: node), 150)
