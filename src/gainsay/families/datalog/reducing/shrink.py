"""Datalog's own passes: what a generic reducer can't know of relations, columns and variables.
Each proposes; the oracle decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.core import names
from gainsay.core.tree import put, transform, walk
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.language.binding import variables
from gainsay.families.datalog.language.ops import FUNCTORS, plainer
from gainsay.families.datalog.meaning.legal import meaning, rules_of
from gainsay.families.datalog.meaning.semantics import head_of
from gainsay.families.datalog.reducing.size import distance

replace = msgspec.structs.replace
Pair = tuple[ir.Scene, Any]
SIMPLE: dict[str, tuple[Any, ...]] = {
    "number": (0, 1, 2),
    "unsigned": (0, 1, 2),
    "float": (0.0, 0.5, 1.0),
    "symbol": ("", "a", "b"),
    "any": (0,),
}


def shrinks(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    rules = next(rules_of(recipe), None)
    if rules is None:
        return
    for change in PASSES:
        yield from change(scene, recipe, rules)


def cuts(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """Only what one rule's head depends on, up to that rule; then halves."""
    rules = next(rules_of(recipe), None)
    if rules is None or len(rules.rules) < 8:
        return
    for number in range(1, len(rules.rules) + 1):
        some = rules.rules[:number]
        needed = {head_of(some[-1])}
        before = -1
        while len(needed) > before:
            before = len(needed)
            needed |= {a.rel for r in some if head_of(r) in needed for _, a in walk(r) if isinstance(a, ir.Atom)}
        kept = tuple(r for r in some if head_of(r) in needed)
        new = replace(
            rules, rels=tuple(r for r in rules.rels if r.name in needed), rules=kept, output=head_of(some[-1])
        )
        yield scene, with_rules(recipe, rules, new)
    for length in (len(rules.rules) // 2, 3 * len(rules.rules) // 4):
        yield (
            scene,
            with_rules(
                recipe, rules, replace(rules, rules=rules.rules[:length], output=head_of(rules.rules[length - 1]))
            ),
        )


def with_rules(recipe: Any, rules: ir.Rules, new: ir.Rules) -> Any:
    return transform(recipe, lambda n: new if isinstance(n, ir.Rules) else n)


def lone_output(scene: ir.Scene, recipe: Any, rules: ir.Rules) -> Iterator[Pair]:
    """Keep only what the output depends on."""
    needed = {rules.output}
    for _ in rules.rules:
        for rule in rules.rules:
            if head_of(rule) in needed:
                needed |= {a.rel for _, a in walk(rule) if isinstance(a, ir.Atom)}
    kept = tuple(r for r in rules.rules if head_of(r) in needed)
    rels = tuple(r for r in rules.rels if r.name in needed)
    inputs = tuple(r for r in scene.rels if r.name in needed)
    if len(kept) < len(rules.rules) or len(inputs) < len(scene.rels) or len(rels) < len(rules.rels):
        small = replace(
            scene, rels=inputs, facts=tuple(f for f in scene.facts if f.rel in {r.name for r in inputs} | needed)
        )
        yield small, with_rules(recipe, rules, replace(rules, rels=rels, rules=kept))


def without_relation(scene: ir.Scene, recipe: Any, rules: ir.Rules) -> Iterator[Pair]:
    """Drop a relation with its rules and facts; and every literal, or every rule, that reads it."""
    for rel in (*rules.rels, *scene.rels):
        name = rel.name
        if name == rules.output:
            continue
        rest = [r for r in rules.rules if head_of(r) != name]
        left = names.without(rules.rels, names.the("relation", name))
        for made in (
            tuple(r for r in rest if not names.mentions(r, "relation", name)),
            tuple(without_literals(r, name) for r in rest),
        ):
            small = names.without(scene, names.the("relation", name))
            yield small, with_rules(recipe, rules, replace(rules, rels=left, rules=made))


def without_literals(rule: Any, name: str) -> Any:
    if not isinstance(rule, ir.Rule):
        return rule
    body = tuple(lit for lit in rule.body if not names.mentions(lit, "relation", name))
    return replace(rule, body=body, plan=()) if body != rule.body else rule


def as_facts(scene: ir.Scene, recipe: Any, rules: ir.Rules) -> Iterator[Pair]:
    """A derived relation becomes an input that holds what was derived."""
    tables = meaning(ir.program(scene, rules), scene.known)
    if tables is None:
        return
    for rel in rules.rels:
        if rel.name == rules.output or len(tables[rel.name]) > 8:
            continue
        facts = tuple(ir.Fact(rel.name, row) for row in sorted(tables[rel.name], key=repr))
        small = replace(
            scene,
            rels=(*scene.rels, ir.Rel(rel.name, rel.types)),
            facts=(*(f for f in scene.facts if f.rel != rel.name), *facts),
        )
        kept = tuple(r for r in rules.rules if head_of(r) != rel.name)
        yield (
            small,
            with_rules(
                recipe, rules, replace(rules, rels=tuple(r for r in rules.rels if r.name != rel.name), rules=kept)
            ),
        )


def without_column(scene: ir.Scene, recipe: Any, rules: ir.Rules) -> Iterator[Pair]:
    """Drop a column of a relation everywhere: a(x, y) -> a(x)."""
    for rel in (*scene.rels, *rules.rels):
        if len(rel.types) < 2:
            continue
        whole = transform((scene, recipe), lambda n, rel=rel: replace(n, choice=()) if n == rel else n)
        for at in range(len(rel.types)):
            small, asked = names.without_place(whole, "relation", rel.name, at)
            yield replace(small, facts=tuple(dict.fromkeys(small.facts))), asked


def each_rule(recipe: Any, rules: ir.Rules, change: Any) -> Iterator[Any]:
    for index, rule in enumerate(rules.rules):
        if isinstance(rule, ir.Rule):
            for made in change(rule):
                yield with_rules(
                    recipe, rules, replace(rules, rules=(*rules.rules[:index], made, *rules.rules[index + 1 :]))
                )


def merged_variables(scene: ir.Scene, recipe: Any, rules: ir.Rules) -> Iterator[Pair]:
    """Two variables become one: a(x, y) -> a(x, x); one that is used once becomes a wildcard."""

    def change(rule: ir.Rule) -> Iterator[ir.Rule]:
        used = variables(rule.head) + variables(rule.body)
        if any(isinstance(n, (ir.Fold, ir.Aggregate)) for _, n in walk(rule)):
            return
        listed = list(dict.fromkeys(used))
        for name in listed:
            if used.count(name) == 1 and name not in variables(rule.head):
                yield names.inlined(rule, {(name,): ir.Wild()})
        for index, name in enumerate(listed):
            for other in listed[:index]:
                yield names.inlined(rule, {(name,): ir.Var(other)})

    return ((scene, made) for made in each_rule(recipe, rules, change))


def constant_variables(scene: ir.Scene, recipe: Any, rules: ir.Rules) -> Iterator[Pair]:
    """A term becomes a constant: x + 1 -> 0."""
    kinds = {r.name: r.types for r in (*scene.rels, *rules.rels, *scene.seeded)}

    def change(rule: ir.Rule) -> Iterator[ir.Rule]:
        folds = [n for _, n in walk(rule) if isinstance(n, (ir.Fold, ir.Aggregate))]
        targets = {var.name for var in (n.arg if isinstance(n, ir.Fold) else n.target for n in folds) if var}
        for name in dict.fromkeys(variables(rule.body)):
            if name in targets:
                continue
            places = [
                (a.rel, i)
                for _, a in walk(rule.body)
                if isinstance(a, ir.Atom)
                for i, t in enumerate(a.args)
                if t == ir.Var(name)
            ]
            kind = next((kinds[rel][i] for rel, i in places if rel in kinds and i < len(kinds[rel])), "")
            for value in SIMPLE.get(kind, ())[:2]:
                yield names.inlined(rule, {(name,): ir.Const(value, kind)})

    return ((scene, made) for made in each_rule(recipe, rules, change))


def smaller_values(scene: ir.Scene, recipe: Any, rules: ir.Rules) -> Iterator[Pair]:
    """One value becomes a simpler one, everywhere at once: 17 -> 0."""
    held: dict[Any, None] = {}
    for fact in scene.facts:
        held |= dict.fromkeys((v.__class__, v) for v in fact.values)
    for _, node in walk(rules):
        if isinstance(node, ir.Const):
            held[(node.value.__class__, node.value)] = None
    for cls, value in list(held):
        for simple in (
            (0, 1, 2, 3) if cls is int else (0.0, 0.5, 1.0) if cls is float else ("", "a", "b") if cls is str else ()
        ):
            if simple == value or distance(value) < distance(simple):
                continue

            def smaller(node: Any, old: Any = value, new: Any = simple, cls: type = cls) -> Any:
                if isinstance(node, ir.Const) and node.value.__class__ is cls and node.value == old:
                    return replace(node, value=new)
                if isinstance(node, ir.Fact):
                    return replace(
                        node, values=tuple(new if v.__class__ is cls and v == old else v for v in node.values)
                    )
                return node

            small = transform(scene, smaller)
            yield replace(small, facts=tuple(dict.fromkeys(small.facts))), transform(recipe, smaller)


def bypassed(scene: ir.Scene, recipe: Any, rules: ir.Rules) -> Iterator[Pair]:
    """An atom reads another relation of the same type: an input in the place of a derived one."""
    rels = [*scene.rels, *rules.rels]
    for index, rel in enumerate(rels):
        for other in rels[:index]:
            if other.types == rel.types:

                def swapped(rule: ir.Rule, old: str = rel.name, new: str = other.name) -> Iterator[ir.Rule]:
                    body = names.renamed(rule.body, names.by("relation", {old: new}))
                    if body != rule.body:
                        yield replace(rule, body=body)

                yield from ((scene, made) for made in each_rule(recipe, rules, swapped))


def named_output(scene: ir.Scene, recipe: Any, rules: ir.Rules) -> Iterator[Pair]:
    """Ask for a relation nearer to the inputs."""
    for rel in rules.rels:
        if rel.name != rules.output:
            yield scene, with_rules(recipe, rules, replace(rules, output=rel.name))


def retyped(scene: ir.Scene, recipe: Any, rules: ir.Rules) -> Iterator[Pair]:
    """Columns of one type become numbers, everywhere: what has nothing to do with texts or floats should not show
    any."""
    kinds = {k for r in (*scene.rels, *rules.rels) for k in r.types}
    for kind in sorted(kinds & {"float", "unsigned", "symbol", "any"}):
        columns = {r.name: [i for i, t in enumerate(r.types) if t == kind] for r in (*scene.rels, *rules.rels)}
        held: dict[str, int] = {}

        def number(value: Any, held: dict[str, int] = held) -> int:
            return held.setdefault(repr(value), len(held))

        def numbered(node: Any, kind: str = kind, columns: dict[str, list[int]] = columns, number: Any = number) -> Any:
            if isinstance(node, ir.Rel):
                return replace(node, types=tuple("number" if t == kind else t for t in node.types))
            if isinstance(node, ir.Fact):
                return replace(
                    node,
                    values=tuple(number(v) if i in columns.get(node.rel, ()) else v for i, v in enumerate(node.values)),
                )
            if isinstance(node, ir.Const) and node.type == kind:
                return ir.Const(number(node.value), "number")
            return node

        yield transform(scene, numbered), transform(recipe, numbered)


def one_arm(scene: ir.Scene, recipe: Any, rules: ir.Rules) -> Iterator[Pair]:
    """A disjunction gives way to one of its arms."""

    def change(rule: ir.Rule) -> Iterator[ir.Rule]:
        for index, literal in enumerate(rule.body):
            if isinstance(literal, ir.Either):
                for arm in literal.arms:
                    yield replace(rule, body=(*rule.body[:index], *arm, *rule.body[index + 1 :]))

    return ((scene, made) for made in each_rule(recipe, rules, change))


def unseeded(scene: ir.Scene, recipe: Any, rules: ir.Rules) -> Iterator[Pair]:
    """The seed gives way to inputs that hold what it derived."""
    if scene.seed:
        yield (
            replace(
                scene,
                rels=(*scene.rels, *scene.seeded),
                facts=(*scene.facts, *scene.known),
                seed="",
                seeded=(),
                known=(),
            ),
            recipe,
        )


def constant_calls(scene: ir.Scene, recipe: Any, rules: ir.Rules) -> Iterator[Pair]:
    """What is computed becomes a constant: out(x + 1) -> out(0)."""

    def change(rule: ir.Rule) -> Iterator[ir.Rule]:
        for call in dict.fromkeys(n for _, n in walk(rule) if isinstance(n, ir.Call)):
            kind = FUNCTORS[call.fn].result
            for value in SIMPLE[kind][:2]:
                yield transform(rule, lambda n, old=call, v=value, k=kind: ir.Const(v, k) if n == old else n)

    return ((scene, made) for made in each_rule(recipe, rules, change))


def plainer_calls(scene: ir.Scene, recipe: Any, rules: ir.Rules) -> Iterator[Pair]:
    """A plainer functor in a functor's place: x - 1 -> x + 1"""

    def change(rule: ir.Rule) -> Iterator[ir.Rule]:
        for path, call in walk(rule):
            if isinstance(call, ir.Call):
                yield from (put(rule, path, replace(call, fn=fn)) for fn in reversed(plainer(call.fn)))

    return ((scene, made) for made in each_rule(recipe, rules, change))


PASSES = (
    constant_calls,
    plainer_calls,
    unseeded,
    lone_output, without_relation, as_facts, one_arm, without_column, retyped, merged_variables, constant_variables,
    smaller_values, bypassed,
    named_output,
)  # fmt: skip
