"""Incremental rule evaluation: DEOPT (Zhang, Wang, Rigger, 2024).
A program must derive what its rules derive one at a time.

After each added rule the whole program is asked for that rule's head, and compared with the union of what the rules of
the head derive alone, each in a reference program that holds a single rule and, as facts, what the relations in its
body hold. An engine can't optimise across rules that it never sees together. Only rules that depend on the new one are
evaluated again, from scratch (the paper's Fig. 4), stratum by stratum, recursive ones in turn until nothing changes
(Algorithm 1)."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from gainsay.core import graph
from gainsay.core import oracle as port
from gainsay.core.answer import Answer, Rows
from gainsay.core.claim import Claim, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Seats, Step
from gainsay.core.oracle import Conversation
from gainsay.families.datalog.drawing import lexicon, queries
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.meaning.semantics import head_of, uses
from gainsay.oracles.datalog_reference import SelfComparing

WHY = (
    "The program's rules were also given to the engine one at a time, with what they read as facts, until nothing new "
    "followed; "
    "together they must derive the same."
)
replace = msgspec.structs.replace
Derived = dict[str, tuple[Any, ...]]


class Recipe(port.Recipe, frozen=True):
    """A program that is asked again after each of its rules, and how far to go."""

    subject_field: ClassVar[str] = "rules"
    rules: ir.Rules
    max_iter: int = 100
    drop: str = "inline"
    unstratified: bool = False

    @property
    def detours(self) -> tuple[str, ...]:
        return ("unstratified",) if self.unstratified else ()


class Unknown(Exception):
    """An engine did not answer a reference program, or found no fixpoint: nothing can be claimed."""


class State:
    """What each rule derives, as the engine said; and how to ask it."""

    def __init__(self, scene: ir.Scene, recipe: Recipe) -> None:
        self.scene = scene
        self.recipe = recipe
        self.rels = {r.name: r for r in (*scene.rels, *recipe.rules.rels)}
        self.rules: dict[int, ir.Rule | ir.Subsumes] = {}
        self.reads = {rule.key: uses(rule) for rule in recipe.rules.rules}
        self.derived: dict[int, Derived] = {}  # the paper's stable facts
        self.together: dict[str, Derived] = {}  # relations whose rules do more together: eqrel, subsumption
        # The head of a rule that is alone: not its own name, lest it feed itself.
        words = set(re.findall(r"\w+", scene.seed)) | set(self.rels)
        self.lone = next(n for n in ("ref", *(f"ref{i}" for i in range(len(words) + 1))) if n not in words)
        self.asked = 0

    def inputs(self, rel: str) -> Derived:
        return distinct([f.values for f in self.scene.facts if f.rel == rel])

    def content(self, rel: str) -> list[tuple[Any, ...]]:
        """What a relation holds by now."""
        if rel in self.together:
            return list(self.together[rel].values())
        found = self.inputs(rel)
        for key, rule in self.rules.items():
            if isinstance(rule, ir.Rule) and rule.head.rel == rel:
                found |= self.derived.get(key, {})
        return list(found.values())

    def declared(self, rel: ir.Rel) -> ir.Rel:
        """A relation of a reference program: `inline` is refused for inputs and outputs; by option no keyword is
        left."""
        if self.recipe.drop == "inline":
            return replace(rel, marks=tuple(m for m in rel.marks if m != "inline"))
        return replace(rel, marks=tuple(m for m in rel.marks if m == "eqrel"), choice=())

    def reference(
        self,
        rules: Sequence[ir.Rule | ir.Subsumes],
        output: str,
        extra: Sequence[ir.Rel] = (),
        also: Sequence[str] = (),
    ) -> ir.Program:
        """A program of these rules, with facts for all that they read and do not define."""
        defined = {r.name for r in extra}
        read = list(dict.fromkeys([*also, *(rel for rule in rules for rel, _ in uses(rule) if rel not in defined)]))
        rels = tuple(self.declared(self.rels[rel]) for rel in read if rel in self.rels)
        facts = tuple(ir.Fact(rel, row) for rel in read if rel in self.rels for row in self.content(rel))
        pragmas = self.recipe.rules.pragmas if self.recipe.drop != "all" else ()
        bare = tuple(
            replace(r, plan=()) if isinstance(r, ir.Rule) and self.recipe.drop != "inline" else r for r in rules
        )
        scene = self.scene
        return ir.Program(scene.types, (*rels, *extra), facts, bare, output, pragmas, scene.seed, scene.seeded)

    def ask(self, label: str, program: ir.Program) -> Generator[Step, Answer, Derived]:
        self.asked += 1
        answer = yield Step(f"{label} ({self.asked})", program)
        if not isinstance(answer, Rows):
            raise Unknown
        return distinct(answer.rows)

    def alone(self, rule: ir.Rule) -> Generator[Step, Answer, Derived]:
        head = replace(self.declared(self.rels[rule.head.rel]), name=self.lone)
        lone = replace(rule, head=replace(rule.head, rel=self.lone), plan=())
        return (yield from self.ask(f"rule {rule.key} alone", self.reference([lone], self.lone, [head])))


def distinct(rows: Sequence[Any]) -> Derived:
    """Rows once each, by how they are written: 1 and 1.0, 0.0 and -0.0 are told apart where an engine tells them
    apart."""
    return {repr(row): tuple(row) for row in rows}


def precedence(
    rules: Mapping[int, ir.Rule | ir.Subsumes], reads: Mapping[int, Sequence[tuple[str, str]]]
) -> dict[int, list[int]]:
    """Which rules depend on a rule: those that read its head. A subsumption depends on the rules of its relation."""
    readers: dict[str, list[int]] = {}
    for key in rules:
        for rel in {rel for rel, _ in reads[key]}:
            readers.setdefault(rel, []).append(key)
    return {
        key: sorted(k for k in readers.get(head_of(rule), ()) if k != key or isinstance(rule, ir.Rule))
        for key, rule in rules.items()
    }


class RuleByRule(SelfComparing):
    """Compares the whole program with its rules, evaluated one at a time by the same engine."""

    name: ClassVar[str] = "rules"
    family = "datalog"
    recipe_type = Recipe
    settings: ClassVar[Mapping[str, str]] = lexicon.RULES_SETTINGS
    about: ClassVar[str] = "DEOPT: the whole program against its rules evaluated one at a time"

    def draw(self, draw: Draw, scene: ir.Scene, seats: Seats) -> Recipe:
        words: lexicon.Lexicon = seats.lexicon
        sizes = words.rules if words.is_sized or draw.coin(0.05) else words.short
        grower = queries.Grower(draw, words, scene, sizes, words.unstratified)
        made = grower.grown(sizes.rules)
        return Recipe(
            made or ir.Rules((), (), scene.rels[0].name if scene.rels else ""),
            words.rules.max_iter,
            words.drop,
            words.unstratified,
        )

    def converse(self, scene: ir.Scene, recipe: Recipe, seats: Seats) -> Conversation:
        state = State(scene, recipe)
        given = recipe.rules
        for number, rule in enumerate(given.rules):
            state.rules[rule.key] = rule
            if number + 1 < len(given.rules) and isinstance(given.rules[number + 1], ir.Subsumes):
                continue  # a relation and its subsumption come together
            if head_of(rule) not in state.rels:
                return
            try:
                yield from self.evaluate(state, rule)
            except Unknown:
                return
            expected = tuple(state.content(head_of(rule)))
            label = f"program of {number + 1} rule{'s' if number else ''}"
            yield Step(label, optimized(scene, given, number + 1, head_of(rule), state.reads))
            yield Claim("rule by rule", Side((label,)), Relation.SAME_BAG, Side(value=expected), WHY)

    def evaluate(self, state: State, new: ir.Rule | ir.Subsumes) -> Generator[Step, Answer, None]:
        """Algorithm 1: bring what depends on the new rule up to date."""
        after = precedence(state.rules, state.reads)
        first = (
            [k for k, r in state.rules.items() if head_of(r) == head_of(new)]
            if isinstance(new, ir.Subsumes)
            else [new.key]
        )
        affected = graph.reach(after, first)
        part = {key: [k for k in after[key] if k in affected] for key in state.rules if key in affected}
        for key in part:  # outdated: facts that only followed from what no longer holds must not be read again
            state.derived.pop(key, None)
            state.together.pop(head_of(state.rules[key]), None)
        for component in reversed(graph.components(part)):
            rules = [state.rules[k] for k in sorted(component)]
            if len(rules) == 1 and rules[0].key not in part[rules[0].key]:
                yield from self.single(state, rules[0])
            elif is_negative(rules):
                yield from self.together(state, rules)
            else:
                yield from self.recursion(state, rules)
            for rel in dict.fromkeys(head_of(r) for r in rules):
                yield from self.closed(state, rel)

    def single(self, state: State, rule: ir.Rule | ir.Subsumes) -> Generator[Step, Answer, None]:
        if isinstance(rule, ir.Rule):
            state.derived[rule.key] = yield from state.alone(rule)

    def recursion(self, state: State, rules: Sequence[ir.Rule | ir.Subsumes]) -> Generator[Step, Answer, None]:
        """Each rule in turn, until none derives anything new."""
        for _ in range(state.recipe.max_iter):
            is_fixpoint = True
            for rule in rules:
                if not isinstance(rule, ir.Rule):
                    raise Unknown  # subsumption in a recursion depends on the order
                got = yield from state.alone(rule)
                if "eqrel" in state.rels[rule.head.rel].marks:
                    state.together.pop(rule.head.rel, None)
                if got.keys() != state.derived.get(rule.key, {}).keys():
                    is_fixpoint = False
                    state.derived[rule.key] = got
                yield from self.closed(state, rule.head.rel)
            if is_fixpoint:
                return
        raise Unknown

    def together(self, state: State, rules: Sequence[ir.Rule | ir.Subsumes]) -> Generator[Step, Answer, None]:
        """Recursion through negation has no order: its rules are left to the engine, in one reference program."""
        heads = list(dict.fromkeys(head_of(r) for r in rules))
        declared = [state.declared(state.rels[rel]) for rel in heads]
        # What other rules of these heads derive is given, too.
        others = tuple(ir.Fact(rel, row) for rel in heads for row in state.content(rel))
        found: dict[str, Derived] = {}
        for rel in heads:
            program = state.reference(rules, rel, declared)
            found[rel] = yield from state.ask(
                f"{rel} of unstratified rules", replace(program, facts=(*program.facts, *others))
            )
        for rel, rows in found.items():
            first = next(r.key for r in rules if head_of(r) == rel)
            for rule in rules:
                if head_of(rule) == rel:
                    state.derived[rule.key] = rows if rule.key == first else {}

    def closed(self, state: State, rel: str) -> Generator[Step, Answer, None]:
        """What the rules of a relation do only together: close an equivalence, drop what is dominated."""
        subsuming = [r for r in state.rules.values() if isinstance(r, ir.Subsumes) and r.rel == rel]
        if "eqrel" not in state.rels[rel].marks and not subsuming:
            return
        state.together.pop(rel, None)
        program = state.reference(subsuming, rel, also=(rel,))
        state.together[rel] = yield from state.ask(f"all of {rel}", program)

    def evidence(self, labels: Sequence[str], claim: Claim) -> list[str]:
        """The reference programs and the program that went wrong: those that went well on the way say nothing."""
        return [label for label in labels if not label.startswith("program of") or label in claim.left.steps]

    def recall(self, question: Any) -> Recipe | None:
        return Recipe(question, drop="all") if isinstance(question, ir.Rules) else None


def optimized(
    scene: ir.Scene, rules: ir.Rules, number: int, output: str, reads: Mapping[int, Sequence[tuple[str, str]]]
) -> ir.Program:
    """The program so far."""
    some = rules.rules[:number]
    heads = {head_of(r) for r in some}
    # What has facts is declared from the start; what a rule reads has a rule by now, or never will have.
    read = {rel for rule in some for rel, _ in reads[rule.key]}
    filled = {f.rel for f in scene.facts}
    rels = tuple(r for r in rules.rels if r.name in heads or r.name in read or r.name in filled)
    return ir.program(scene, replace(rules, rels=rels, rules=some), output)


def is_negative(rules: Sequence[ir.Rule | ir.Subsumes]) -> bool:
    heads = {head_of(r) for r in rules}
    return any(sign != "+" and rel in heads for rule in rules if isinstance(rule, ir.Rule) for rel, sign in uses(rule))
