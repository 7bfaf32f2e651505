"""Program rewrites with a known effect: queryFuzz's on a rule (thesis, chapter 3) and DLSmith's on the graph (chapter
4).

A rewrite is data, and `apply` is a pure function: it checks every precondition on the program it is given, says what
happens to the relation that it touches, and lifts that to the output. So a reducer may cut the program, or the
sequence, and apply what is left again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from gainsay.core import names
from gainsay.families.datalog.drawing.rewrites import (
    AddCon,
    AddEqu,
    AddFact,
    AddRelEdge,
    AddRelEdges,
    AddRelNode,
    AddRule,
    AddSelfEdge,
    DelFact,
    DelRelEdge,
    DelRelEdges,
    DelRelNode,
    FactInline,
    ModCon,
    ModEqu,
    ModExp,
    NegEqu,
    Rem,
)  # fmt: skip
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.language.binding import needed, patterns, variables
from gainsay.families.datalog.meaning.apg import CON, EQU, EXP, Graph, annotate
from gainsay.families.datalog.meaning.semantics import Unstratified, head_of, strata

replace = msgspec.structs.replace
Local = tuple[ir.Program, str, str]  # the new program, the relation that changed, and how: EQU, CON or EXP


class Illegal(Exception):
    """A precondition does not hold."""


def demand(holds: Any) -> None:
    if not holds:
        raise Illegal


# --- finding one's way ------------------------------------------------------------------------------------------------


def rule_of(program: ir.Program, key: int) -> ir.Rule:
    """A rule that may be transformed: one whose head does not aggregate, and whose relation is ours."""
    rule = next((r for r in program.rules if r.key == key and isinstance(r, ir.Rule)), None)
    if not isinstance(rule, ir.Rule) or any(isinstance(a, ir.Fold) for a in rule.head.args):
        raise Illegal
    return rule


def atom_of(rule: ir.Rule, key: int) -> ir.Atom:
    found = next((lit for lit in rule.body if isinstance(lit, ir.Atom) and lit.key == key), None)
    if found is None or key == 0:
        raise Illegal
    return found


def with_rule(program: ir.Program, old: ir.Rule, *new: ir.Rule) -> ir.Program:
    made: list[Any] = []
    for rule in program.rules:
        made += [*new] if rule is old else [rule]
    return replace(program, rules=tuple(made))


def names_of(rule: ir.Rule) -> set[str]:
    return (
        set(variables(rule.head.args))
        | set(variables(rule.body))
        | {lit.var for lit in rule.body if isinstance(lit, ir.Aggregate)}
    )


def fresh_names(rule: ir.Rule) -> Callable[[], ir.Var]:
    """A function that gives variables which a rule does not have."""
    taken, count = names_of(rule), 0

    def fresh() -> ir.Var:
        nonlocal count
        while f"n{count}" in taken:
            count += 1
        taken.add(f"n{count}")
        return ir.Var(f"n{count}")

    return fresh


def atoms(rule: ir.Rule) -> list[ir.Atom]:
    return [lit for lit in rule.body if isinstance(lit, ir.Atom)]


def bound_by(literals: Sequence[Any]) -> set[str]:
    return {name for lit in literals if isinstance(lit, ir.Atom) for name in patterns(lit.args)}


def stays_bound(rule: ir.Rule, body: Sequence[Any], changed: set[str]) -> bool:
    """Whether variables of a subgoal that goes are still bound by atoms where they are used: else a test or an
    aggregate would change."""
    used = set(variables(rule.head.args)) | set(variables(tuple(body)))
    inside = {n for lit in body if isinstance(lit, ir.Atom) for n in needed(lit.args)}
    return not ((changed & (used | inside)) - bound_by(body))


def next_key(program: ir.Program) -> int:
    return max([r.key for r in program.rules], default=0) + 1


def next_atom(rule: ir.Rule) -> int:
    return max([a.key for a in atoms(rule)], default=0) + 1


# --- queryFuzz's transformations --------------------------------------------------------------------------------------


def add_equ(program: ir.Program, step: AddEqu) -> Local:
    rule = rule_of(program, step.rule)
    atom = atom_of(rule, step.atom)
    fresh = fresh_names(rule)
    args = tuple(fresh() if i in step.fresh else a for i, a in enumerate(atom.args))
    new = replace(rule, body=(*rule.body, ir.Atom(atom.rel, args, next_atom(rule))), plan=())
    return with_rule(program, rule, new), rule.head.rel, EQU


def add_con(program: ir.Program, step: AddCon) -> Local:
    rule = rule_of(program, step.rule)
    demand(set(variables(step.added.args)) <= bound_by(rule.body))
    demand(not any(a.rel == step.added.rel and a.args == step.added.args for a in atoms(rule)))
    new = replace(rule, body=(*rule.body, replace(step.added, key=next_atom(rule))), plan=())
    return with_rule(program, rule, new), rule.head.rel, CON


def mod_exp(program: ir.Program, step: ModExp) -> Local:
    rule = rule_of(program, step.rule)
    places = [(lit, i) for lit in atoms(rule) for i, a in enumerate(lit.args) if a == step.var]
    demand(len(places) > 1 and step.at < len(places))
    atom, at = places[step.at]
    fresh = fresh_names(rule)()
    new_atom = replace(atom, args=(*atom.args[:at], fresh, *atom.args[at + 1 :]))
    body = tuple(new_atom if lit is atom else lit for lit in rule.body)
    demand(stays_bound(rule, body, {step.var.name}))
    return with_rule(program, rule, replace(rule, body=body, plan=())), rule.head.rel, EXP


def renamed(rule: ir.Rule, old: ir.Var, new: ir.Var) -> ir.Rule:
    changed: ir.Rule = names.renamed(rule, names.by("variable", {old.name: new.name}))
    return changed


def mod_equ(program: ir.Program, step: ModEqu) -> Local:
    rule = rule_of(program, step.rule)
    demand(step.var.name in bound_by(rule.body))
    return with_rule(program, rule, renamed(rule, step.var, fresh_names(rule)())), rule.head.rel, EQU


def mod_con(program: ir.Program, step: ModCon) -> Local:
    rule = rule_of(program, step.rule)
    bound = bound_by(rule.body)
    demand(step.var != step.by and step.var.name in bound and step.by.name in bound)
    return with_rule(program, rule, replace(renamed(rule, step.var, step.by), plan=())), rule.head.rel, CON


def maps_to(gone: ir.Atom, stays: Sequence[ir.Atom], removed: set[str]) -> bool:
    """queryFuzz's Algorithm 5: whether a removed subgoal maps to one that stays.
    Only one was removed, so that looking at each is enough.

    A variable that is gone from the rule matches anything, a second time the same again; everything else only itself.
    """
    for other in stays:
        if other.rel != gone.rel:
            continue
        seen: dict[str, Any] = {}
        for mine, theirs in zip(gone.args, other.args, strict=True):
            if isinstance(mine, ir.Wild):
                continue
            if isinstance(mine, ir.Var) and mine.name in removed:
                if seen.setdefault(mine.name, theirs) != theirs or (
                    sum(a == mine for a in gone.args) > 1 and isinstance(theirs, ir.Wild)
                ):
                    break
            elif mine != theirs or not isinstance(mine, (ir.Var, ir.Const)):
                break
        else:
            return True
    return False


def rem(program: ir.Program, step: Rem) -> Local:
    rule = rule_of(program, step.rule)
    atom = atom_of(rule, step.atom)
    body = tuple(lit for lit in rule.body if lit is not atom)
    demand(body)
    demand(stays_bound(rule, body, set(variables(atom.args))))
    left = set(variables(rule.head.args)) | set(variables(body))
    is_contained = maps_to(atom, [a for a in atoms(rule) if a is not atom], set(variables(atom.args)) - left)
    return with_rule(program, rule, replace(rule, body=body, plan=())), rule.head.rel, EQU if is_contained else EXP


def neg_equ(program: ir.Program, step: NegEqu) -> Local:
    """An atom becomes a double negation, by way of a relation of its own: h :- a, r -> n :- r, !a; h :- r, !n."""
    rule = rule_of(program, step.rule)
    atom = atom_of(rule, step.atom)
    rest = tuple(lit for lit in rule.body if lit is not atom)
    listed = list(dict.fromkeys(variables(atom.args)))
    demand(listed and set(listed) <= bound_by(rest) and not any(isinstance(a, (ir.Call, ir.Record)) for a in atom.args))
    demand("inline" not in next((r.marks for r in program.rels if r.name == atom.rel), ()))
    kinds = dict(
        zip([a.name if isinstance(a, ir.Var) else "" for a in atom.args], types_of(program, atom.rel), strict=True)
    )
    rel = ir.Rel(free_name(program, "neg"), tuple(kinds[n] for n in listed))
    head = ir.Atom(rel.name, tuple(ir.Var(n) for n in listed))
    negated = ir.Rule(next_key(program), head, (*rest, ir.Not(replace(atom, key=0))))
    new = replace(rule, body=tuple(ir.Not(head) if lit is atom else lit for lit in rule.body), plan=())
    return replace(with_rule(program, rule, negated, new), rels=(*program.rels, rel)), rule.head.rel, EQU


def types_of(program: ir.Program, rel: str) -> tuple[str, ...]:
    found = next((r for r in (*program.rels, *program.seeded) if r.name == rel), None)
    demand(found is not None)
    assert found is not None
    return found.types


def free_name(program: ir.Program, stem: str) -> str:
    taken = {r.name for r in (*program.rels, *program.seeded)}
    return next(name for name in (f"{stem}{i}" for i in range(len(taken) + 1)) if name not in taken)


# --- DLSmith's --------------------------------------------------------------------------------------------------------


def own(program: ir.Program, rel: str) -> None:
    """Seed relations get no incoming edges: their rules stay as they are.
    Nor may a relation be added to whose rule aggregates."""
    demand(any(r.name == rel for r in program.rels))
    demand(
        not any(
            isinstance(a, ir.Fold)
            for r in program.rules
            if isinstance(r, ir.Rule) and r.head.rel == rel
            for a in r.head.args
        )
    )
    demand("inline" not in next(r.marks for r in program.rels if r.name == rel))


def add_rel_node(program: ir.Program, step: AddRelNode) -> Local:
    demand(all(r.name != step.added.name for r in (*program.rels, *program.seeded)))
    return replace(program, rels=(*program.rels, step.added)), step.added.name, EQU


def plus_rule(program: ir.Program, rule: ir.Rule) -> ir.Program:
    own(program, rule.head.rel)
    numbered = tuple(replace(lit, key=i + 1) if isinstance(lit, ir.Atom) else lit for i, lit in enumerate(rule.body))
    return replace(program, rules=(*program.rules, replace(rule, key=next_key(program), body=numbered)))


def add_rel_edges(program: ir.Program, step: AddRelEdges) -> Local:
    positive = [lit for lit in step.added.body if isinstance(lit, ir.Atom)]
    denied = [lit.atom for lit in step.added.body if isinstance(lit, ir.Not)]
    demand(any(p.rel == d.rel and p.args == d.args for p in positive for d in denied))
    demand(all("inline" not in r.marks for r in program.rels if r.name in {d.rel for d in denied}))
    return plus_rule(program, step.added), step.added.head.rel, EQU


def add_self_edge(program: ir.Program, step: AddSelfEdge) -> Local:
    head = step.added.head
    demand(any(isinstance(lit, ir.Atom) and lit.rel == head.rel and lit.args == head.args for lit in step.added.body))
    return plus_rule(program, step.added), head.rel, EQU


def add_rule(program: ir.Program, step: AddRule) -> Local:
    return plus_rule(program, step.added), step.added.head.rel, EXP


def add_rel_edge(program: ir.Program, step: AddRelEdge) -> Local:
    rule = rule_of(program, step.rule)
    demand(set(variables(step.added)) <= bound_by(rule.body))
    added = replace(step.added, key=next_atom(rule)) if isinstance(step.added, ir.Atom) else step.added
    return with_rule(program, rule, replace(rule, body=(*rule.body, added), plan=())), rule.head.rel, CON


def del_rel_edge(program: ir.Program, step: DelRelEdge) -> Local:
    rule = rule_of(program, step.rule)
    demand(0 <= step.atom < len(rule.body))
    gone = rule.body[step.atom]
    demand(isinstance(gone, (ir.Atom, ir.Not)) and len(rule.body) > 1)
    body = tuple(lit for lit in rule.body if lit is not gone)
    demand(isinstance(gone, ir.Not) or stays_bound(rule, body, set(variables(gone))))
    return with_rule(program, rule, replace(rule, body=body, plan=())), rule.head.rel, EXP


def del_rel_edges(program: ir.Program, step: DelRelEdges) -> Local:
    own(program, step.rel)
    rest = tuple(r for r in program.rules if head_of(r) != step.rel)
    demand(len(rest) < len(program.rules))
    return replace(program, rules=rest), step.rel, CON


def add_fact(program: ir.Program, step: AddFact) -> Local:
    demand(step.added not in program.facts and len(types_of(program, step.added.rel)) == len(step.added.values))
    own(program, step.added.rel)
    return replace(program, facts=(*program.facts, step.added)), step.added.rel, EXP


def del_fact(program: ir.Program, step: DelFact) -> Local:
    demand(step.added in program.facts)
    return replace(program, facts=tuple(f for f in program.facts if f != step.added)), step.added.rel, CON


def del_rel_node(program: ir.Program, step: DelRelNode) -> Local:
    """A relation that the output does not depend on leaves, with all rules that read it."""
    demand(step.rel != program.output and any(r.name == step.rel for r in program.rels))
    demand(annotate(program).ancestry[step.rel] == "none")

    kept = tuple(
        r
        for r in program.rules
        if head_of(r) != step.rel and not (isinstance(r, ir.Rule) and names.mentions(r.body, "relation", step.rel))
    )
    rels = tuple(r for r in program.rels if r.name != step.rel)
    return (
        replace(program, rels=rels, rules=kept, facts=tuple(f for f in program.facts if f.rel != step.rel)),
        step.rel,
        EQU,
    )


def fact_inline(program: ir.Program, step: FactInline, rows: Sequence[tuple[Any, ...]]) -> Local:
    """A relation's rules give way to the facts that they derive."""
    demand(any(r.name == step.rel for r in program.rels))
    rest = tuple(r for r in program.rules if head_of(r) != step.rel)
    demand(len(rest) < len(program.rules))
    facts = tuple(ir.Fact(step.rel, tuple(row)) for row in sorted(rows, key=repr))
    # The rules are gone, so what they were marked with is too: an inlined relation may hold no facts.
    rels = tuple(
        replace(r, marks=tuple(m for m in r.marks if m != "inline"), choice=()) if r.name == step.rel else r
        for r in program.rels
    )
    return (
        replace(program, rels=rels, rules=rest, facts=(*(f for f in program.facts if f.rel != step.rel), *facts)),
        step.rel,
        EQU,
    )


APPLY: dict[type, Callable[..., Local]] = {
    AddEqu: add_equ, AddCon: add_con, ModExp: mod_exp, ModEqu: mod_equ, ModCon: mod_con, Rem: rem, NegEqu: neg_equ,
    AddRelNode: add_rel_node, AddRelEdges: add_rel_edges, AddSelfEdge: add_self_edge, FactInline: fact_inline,
    AddRelEdge: add_rel_edge,
    AddRule: add_rule, AddFact: add_fact, DelFact: del_fact, DelRelNode: del_rel_node, DelRelEdge: del_rel_edge,
    DelRelEdges: del_rel_edges,
}  # fmt: skip


def apply(
    program: ir.Program, step: Any, rows: Sequence[tuple[Any, ...]] = (), is_local: bool = False
) -> tuple[ir.Program, str] | None:
    """The rewritten program and what that does to the output: EQU, CON or EXP. None where a precondition does not hold.

    `is_local`: lift as queryFuzz does, only where nothing above is other than monotone; else by ancestry. The graph is
    annotated anew each time, and the result must be stratifiable, whatever the printed preconditions say."""
    try:
        new, rel, effect = APPLY[step.__class__](program, step, *([rows] if isinstance(step, FactInline) else []))
        strata(new.rules)
    except (Illegal, Unstratified, KeyError, ValueError):
        return None
    if effect == EQU:
        return new, EQU
    before, after = annotate(program), annotate(new)
    if is_local and not (before.is_monotone_above(rel) and after.is_monotone_above(rel)):
        return None
    lifted = lift(before, after, effect, rel)
    return (new, lifted) if lifted else None


def lift(before: Graph, after: Graph, effect: str, rel: str) -> str:
    """The effect on the output, if the graph before and the graph after agree on it."""
    one, two = before.lift(effect, rel), after.lift(effect, rel)
    return one if one == two else ""


def compatible(macro: str, micro: str) -> bool:
    """Whether a sequence keeps its oracle with one more rewrite (queryFuzz, 3.7.1)."""
    return micro in (EQU, macro)
