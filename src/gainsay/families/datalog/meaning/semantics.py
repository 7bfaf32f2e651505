"""What a program means: a naive, stratified evaluator. Small and obvious rather than fast; engines are judged by it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from gainsay.core import graph
from gainsay.core.tree import transform
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.language.ops import COMPARISONS, Undefined
from gainsay.families.datalog.meaning.rulecode import Compiler, Limits, RuleCode, Table, TooBig

Tables = dict[str, Table]


class Unstratified(Exception):
    """Negation or an aggregate within a recursion."""


def literals(body: Sequence[Any]) -> Iterable[Any]:
    """All literals of a body, those inside disjunctions too; not those inside aggregates."""
    for literal in body:
        if literal.__class__ is ir.Either:
            for arm in literal.arms:
                yield from literals(arm)
        else:
            yield literal


def uses(rule: ir.Rule | ir.Subsumes) -> list[tuple[str, str]]:
    """Which relations a rule depends on, and how: + through a positive atom, - through a negated one, ? through
    anything not monotone."""
    if isinstance(rule, ir.Subsumes):
        return [(rule.rel, "?")]
    sign = "?" if any(a.__class__ is ir.Fold for a in rule.head.args) else "+"
    found = []
    for literal in literals(rule.body):
        if literal.__class__ is ir.Atom:
            found.append((literal.rel, sign))
        elif literal.__class__ is ir.Not:
            found.append((literal.atom.rel, "-" if sign == "+" else "?"))
        elif literal.__class__ is ir.Aggregate:
            found += [(rel, "?") for rel, _ in uses(ir.Rule(0, ir.Atom("", ()), literal.body))]
    return found


def head_of(rule: ir.Rule | ir.Subsumes) -> str:
    return rule.rel if isinstance(rule, ir.Subsumes) else rule.head.rel


def parted(program: ir.Program, scene: ir.Scene) -> tuple[ir.Scene, ir.Rules]:
    """A program as a scene and rules: what no rule defines is the scene's."""
    heads = {head_of(rule) for rule in program.rules}
    inputs = tuple(r for r in program.rels if r.name not in heads)
    defined = tuple(r for r in program.rels if r.name in heads)
    base = msgspec.structs.replace(scene, types=program.types, rels=inputs, facts=program.facts)
    return base, ir.Rules(defined, program.rules, program.output, program.pragmas)


def strata(rules: Sequence[ir.Rule | ir.Subsumes], unstratified: bool = False) -> list[list[str]]:
    """Relations in an order of evaluation: recursive ones together.
    Raises where negation or an aggregate is part of a recursion."""
    depends: dict[str, list[str]] = {}
    strict: set[tuple[str, str]] = set()
    signs: set[tuple[str, str, str]] = set()
    for rule in rules:
        head = head_of(rule)
        below = depends.setdefault(head, [])
        if isinstance(rule, ir.Subsumes):
            continue
        for rel, sign in uses(rule):
            below.append(rel)
            if sign != "+":
                strict.add((head, rel))
                signs.add((sign, head, rel))
    parts = graph.components(depends)
    part_of = {rel: number for number, part in enumerate(parts) for rel in part}
    for head, rel in strict:
        if unstratified and ("-", head, rel) in signs and ("?", head, rel) not in signs:
            continue
        if part_of.get(rel) == part_of[head]:
            raise Unstratified(f"{head} and {rel}")
    return parts


def unfolded(rules: Sequence[ir.Rule | ir.Subsumes], facts: Iterable[ir.Fact]) -> float:
    """The most tuples that a rule joins at worst if all relations are unfolded down to the facts, in no good order."""
    size: dict[str, float] = {}
    for fact in facts:
        size[fact.rel] = size.get(fact.rel, 0) + 1
    most = 1.0
    for rule in rules:
        if isinstance(rule, ir.Rule):
            product = 1.0
            for rel, _ in uses(rule):
                product *= max(1.0, size.get(rel, 1.0))
            size[rule.head.rel] = max(size.get(rule.head.rel, 0.0), product)
            most = max(most, product)
    return most


def equivalence(rows: Table) -> Table:
    """The least equivalence relation that contains `rows`."""
    leader: dict[Any, Any] = {}

    def find(value: Any) -> Any:
        while leader[value] != value:
            value = leader[value]
        return value

    for one, two in rows:
        leader.setdefault(one, one)
        leader.setdefault(two, two)
        leader[find(one)] = find(two)
    groups: dict[Any, list[Any]] = {}
    for value in leader:
        groups.setdefault(find(value), []).append(value)
    return {(a, b) for group in groups.values() for a in group for b in group}


def undominated(rows: Table, rules: Sequence[ir.Subsumes]) -> Table:
    """What subsumption leaves: tuples that no other tuple dominates."""
    tests = []
    for rule in rules:
        names = [v.name for v in (*rule.less, *rule.more)]
        compiler = Compiler(Limits())
        slots = [compiler.slot(n) for n in names]
        sides = [(COMPARISONS[c.op].meaning, compiler.term(c.left), compiler.term(c.right)) for c in rule.body]
        tests.append((slots, sides, compiler.env))

    def dominated(less: tuple[Any, ...]) -> bool:
        for slots, sides, env in tests:
            for more in rows:
                if more != less:
                    pairs: dict[int, Any] = {}
                    if any(pairs.setdefault(s, v) != v for s, v in zip(slots, (*less, *more), strict=True)):
                        continue
                    for slot, value in pairs.items():
                        env[slot] = value
                    if all(test(one(env), two(env)) for test, one, two in sides):
                        return True
        return False

    return {row for row in rows if not dominated(row)}


def check_choice(rel: ir.Rel, rows: Table) -> None:
    """A choice-domain where there is something to choose has no one answer."""
    for key in rel.choice:
        if len({tuple(row[i] for i in key) for row in rows}) < len(rows):
            raise Undefined(f"{rel.name} has a choice")


class Evaluation:
    """The tables of a program, rule by rule or as a whole."""

    def __init__(
        self, rels: Iterable[ir.Rel], facts: Iterable[ir.Fact], limits: Limits | None = None, unstratified: bool = False
    ) -> None:
        self.rels = {rel.name: rel for rel in rels}
        self.limits = limits or Limits()
        self.unstratified = unstratified
        self.base: Tables = {name: set() for name in self.rels}
        for fact in facts:
            self.base[fact.rel].add(fact.values)
        self.tables: Tables = {
            name: (equivalence(rows) if "eqrel" in self.rels[name].marks else set(rows))
            for name, rows in self.base.items()
        }
        self._codes: dict[int, tuple[ir.Rule, RuleCode]] = {}

    def code(self, rule: ir.Rule) -> RuleCode:
        known = self._codes.get(id(rule))
        if known is None or known[0] is not rule:
            known = self._codes[id(rule)] = (rule, RuleCode(rule, self.rels[rule.head.rel].types, self.limits))
        return known[1]

    def alone(self, rule: ir.Rule, tables: Mapping[str, Table] | None = None) -> Table:
        """What one rule derives from the tables as they are."""
        code = self.code(rule)
        code.compiler.spent = 0
        return code.run(self.tables if tables is None else tables)

    def run(self, rules: Sequence[ir.Rule | ir.Subsumes]) -> Tables:
        """Evaluate from the facts: stratum by stratum, each to its fixpoint."""
        self.tables = {name: set(rows) for name, rows in self.base.items()}
        of: dict[str, list[ir.Rule]] = {}
        subsumption: dict[str, list[ir.Subsumes]] = {}
        for rule in rules:
            if isinstance(rule, ir.Subsumes):
                subsumption.setdefault(rule.rel, []).append(rule)
            else:
                of.setdefault(rule.head.rel, []).append(rule)
        for part in strata(rules, self.unstratified):
            inside = [rule for rel in part for rule in of.get(rel, ())]
            if self.unstratified and any(sign == "-" and rel in part for rule in inside for rel, sign in uses(rule)):
                if any(rel in subsumption for rel in part):
                    raise Undefined("subsumption in a recursion")
                self._well_founded(part, inside)
            else:
                self._fix(part, inside, subsumption)
        for name, rel in self.rels.items():
            if "eqrel" in rel.marks and name not in of:
                self.tables[name] = equivalence(self.tables[name])
        return self.tables

    def _well_founded(self, part: list[str], rules: list[ir.Rule]) -> None:
        """Recursion through negation: the alternating fixpoint. It must decide everything; else engines may choose."""
        ghosts = {rel: f"{rel}~" for rel in part}

        def haunted(node: Any) -> Any:
            """!r(x) asks the last guess of r."""
            if isinstance(node, ir.Not) and node.atom.rel in ghosts:
                return ir.Not(ir.Atom(ghosts[node.atom.rel], node.atom.args))
            return node

        positive = [transform(rule, haunted) for rule in rules]
        start = {rel: set(self.tables[rel]) for rel in part}
        guess: Tables = {rel: set(rows) for rel, rows in start.items()}
        seen: list[Tables] = []
        for _ in range(self.limits.rounds):
            self.tables |= {ghosts[rel]: rows for rel, rows in guess.items()}
            self.tables |= {rel: set(rows) for rel, rows in start.items()}
            self._fix(part, positive, {})
            guess = {rel: set(self.tables[rel]) for rel in part}
            seen.append(guess)
            if len(seen) > 2 and seen[-1] == seen[-3]:
                break
        for ghost in ghosts.values():
            del self.tables[ghost]
        if len(seen) < 2 or seen[-1] != seen[-2]:
            raise Undefined("negation that decides nothing")

    def _fix(self, part: list[str], rules: list[ir.Rule], subsumption: Mapping[str, list[ir.Subsumes]]) -> None:
        tables, inside = self.tables, set(part)
        recursive = any(rel in inside for rule in rules for rel, _ in uses(rule))
        equal = [rel for rel in part if "eqrel" in self.rels[rel].marks]
        for rel in equal:
            tables[rel] = equivalence(tables[rel])
        for round_ in range(self.limits.rounds + 1):
            before = sum(len(tables[rel]) for rel in part)
            for rule in rules:
                table = tables[rule.head.rel]
                table |= self.alone(rule)
                if len(table) > self.limits.rows:
                    raise TooBig("too many tuples")
            for rel in equal:
                tables[rel] = equivalence(tables[rel])
            if not recursive or sum(len(tables[rel]) for rel in part) == before:
                break
            if round_ == self.limits.rounds:
                raise TooBig("no fixpoint in sight")
        for rel in part:
            if rel in subsumption:
                if recursive:
                    raise Undefined("subsumption in a recursion")
                tables[rel] = undominated(tables[rel], subsumption[rel])
            if self.rels[rel].choice:
                check_choice(self.rels[rel], tables[rel])
