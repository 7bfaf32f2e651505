"""Draws rewrites and sequences of them, for a program at hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gainsay.core.draw import Draw
from gainsay.families.datalog.drawing import rewrites, rewritten
from gainsay.families.datalog.drawing.expressions import literal, scalar
from gainsay.families.datalog.drawing.lexicon import Lexicon
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.meaning import legal
from gainsay.families.datalog.meaning.apg import CON, EQU, EXP
from gainsay.families.datalog.meaning.semantics import Tables, head_of, unfolded


class Proposer:
    """Knows a program and what it derives; proposes rewrites by name.
    What it proposes may still be illegal: `rewrite.apply` decides."""

    def __init__(self, draw: Draw, lexicon: Lexicon, program: ir.Program, tables: Tables) -> None:
        self.draw = draw
        self.lexicon = lexicon
        self.program = program
        self.tables = tables
        self.rels = {r.name: r for r in (*program.rels, *program.seeded)}
        self.rules = [r for r in program.rules if isinstance(r, ir.Rule) and r.body]

    def rule(self) -> ir.Rule | None:
        return self.draw.pick(self.rules) if self.rules else None

    def kinds(self, rule: ir.Rule) -> dict[str, str]:
        """Types of the variables that a rule's atoms bind."""
        found: dict[str, str] = {}
        for atom in rewritten.atoms(rule):
            for arg, kind in zip(atom.args, self.rels[atom.rel].types, strict=True):
                if isinstance(arg, ir.Var):
                    found.setdefault(arg.name, kind)
        return found

    def value(self, kind: str) -> Any:
        return scalar(self.draw, self.lexicon, kind, self.program.types)

    def filled(self, rel: ir.Rel, known: Mapping[str, str], wild: bool = False) -> tuple[ir.Term, ...]:
        """Arguments over known variables; a constant where none fits."""
        args: list[ir.Term] = []
        for kind in rel.types:
            here = [n for n, k in known.items() if k == kind]
            if here and self.draw.coin(0.9):
                args.append(ir.Var(self.draw.pick(here)))
            elif wild and self.lexicon.has("wildcard") and self.draw.coin(0.6):
                args.append(ir.Wild())
            elif kind in self.lexicon.types or any(t.name == kind for t in self.program.types):
                args.append(literal(self.value(kind), kind, self.program.types))
            else:
                # A type of the seed's own: where a wildcard may not stand, the rewrite is refused
                args.append(ir.Wild())
        return tuple(args)

    # --- queryFuzz ---

    def add_equ(self) -> Any:
        rule = self.rule()
        if rule is None or not rewritten.atoms(rule):
            return None
        atom = self.draw.pick(rewritten.atoms(rule))
        count = self.draw.between(1, len(atom.args)) if atom.args else 0
        return rewrites.AddEqu(rule.key, atom.key, tuple(sorted(self.draw.below(len(atom.args)) for _ in range(count))))

    def add_con(self) -> Any:
        rule = self.rule()
        if rule is None:
            return None
        rel = self.draw.pick(list(self.rels.values()))
        return rewrites.AddCon(rule.key, ir.Atom(rel.name, self.filled(rel, self.kinds(rule))))

    def mod_exp(self) -> Any:
        rule = self.rule()
        if rule is None:
            return None
        places = [a.name for atom in rewritten.atoms(rule) for a in atom.args if isinstance(a, ir.Var)]
        again = [n for n in dict.fromkeys(places) if places.count(n) > 1]
        if not again:
            return None
        name = self.draw.pick(again)
        return rewrites.ModExp(rule.key, ir.Var(name), self.draw.below(places.count(name)))

    def mod_equ(self) -> Any:
        rule = self.rule()
        names = list(self.kinds(rule)) if rule else []
        return rewrites.ModEqu(rule.key, ir.Var(self.draw.pick(names))) if rule and names else None

    def mod_con(self) -> Any:
        rule = self.rule()
        if rule is None:
            return None
        kinds = self.kinds(rule)
        pairs = [(a, b) for a in kinds for b in kinds if a != b and kinds[a] == kinds[b]]
        if not pairs:
            return None
        one, two = self.draw.pick(pairs)
        return rewrites.ModCon(rule.key, ir.Var(one), ir.Var(two))

    def rem(self) -> Any:
        rule = self.rule()
        if rule is None or not rewritten.atoms(rule):
            return None
        return rewrites.Rem(rule.key, self.draw.pick(rewritten.atoms(rule)).key)

    def neg_equ(self) -> Any:
        rule = self.rule()
        if rule is None or not rewritten.atoms(rule) or not self.lexicon.has("negation"):
            return None
        return rewrites.NegEqu(rule.key, self.draw.pick(rewritten.atoms(rule)).key)

    # --- DLSmith ---

    def add_rel_node(self) -> Any:
        kinds = tuple(self.draw.pick(self.lexicon.types) for _ in range(self.draw.between(1, 3)))
        return rewrites.AddRelNode(ir.Rel(rewritten.free_name(self.program, "node"), kinds))

    def target(self) -> ir.Rel | None:
        own = [
            r for r in self.program.rels if r.name in {head_of(x) for x in self.program.rules} or self.draw.coin(0.3)
        ]
        return self.draw.pick(own) if own else None

    def reading(self, head: ir.Rel) -> ir.Rule:
        """A rule for a relation that reads some other."""
        source = self.draw.pick(list(self.rels.values()))
        names: dict[str, str] = {}
        args: list[ir.Term] = []
        for kind in source.types:
            here = [n for n, k in names.items() if k == kind]
            if here and self.draw.coin(0.25):
                args.append(ir.Var(self.draw.pick(here)))
            else:
                name = f"e{len(names)}"
                names[name] = kind
                args.append(ir.Var(name))
        return ir.Rule(0, ir.Atom(head.name, self.filled(head, names)), (ir.Atom(source.name, tuple(args)),))

    def add_rel_edges(self) -> Any:
        head = self.target()
        if head is None or not self.lexicon.has("negation"):
            return None
        rule = self.reading(head)
        denied = ir.Not(rule.body[0])  # type: ignore[arg-type] # its first literal is an atom
        return rewrites.AddRelEdges(ir.Rule(0, rule.head, (*rule.body, denied)))

    def add_self_edge(self) -> Any:
        head = self.target()
        if head is None:
            return None
        args: list[ir.Term] = []
        for index, kind in enumerate(head.types):
            same = [a for a, k in zip(args, head.types, strict=False) if k == kind and isinstance(a, ir.Var)]
            args.append(self.draw.pick(same) if same and self.draw.coin(0.2) else ir.Var(f"e{index}"))
        atom = ir.Atom(head.name, tuple(args))
        return rewrites.AddSelfEdge(ir.Rule(0, atom, (atom,)))

    def fact_inline(self) -> Any:
        heads = sorted({head_of(r) for r in self.program.rules})
        return rewrites.FactInline(self.draw.pick(heads)) if heads else None

    def add_rel_edge(self) -> Any:
        rule = self.rule()
        if rule is None:
            return None
        rel = self.draw.pick(list(self.rels.values()))
        atom = ir.Atom(rel.name, self.filled(rel, self.kinds(rule)))
        return rewrites.AddRelEdge(
            rule.key, ir.Not(atom) if self.draw.coin(0.3) and self.lexicon.has("negation") else atom
        )

    def add_rule(self) -> Any:
        head = self.target()
        return rewrites.AddRule(self.reading(head)) if head is not None else None

    def add_fact(self) -> Any:
        if not self.program.rels:
            return None
        rel = self.draw.pick(self.program.rels)
        return rewrites.AddFact(ir.Fact(rel.name, tuple(self.value(k) for k in rel.types)))

    def del_fact(self) -> Any:
        return rewrites.DelFact(self.draw.pick(self.program.facts)) if self.program.facts else None

    def del_rel_node(self) -> Any:
        return rewrites.DelRelNode(self.draw.pick(self.program.rels).name) if self.program.rels else None

    def del_rel_edge(self) -> Any:
        rule = self.rule()
        return (
            rewrites.DelRelEdge(rule.key, self.draw.below(len(rule.body))) if rule is not None and rule.body else None
        )

    def del_rel_edges(self) -> Any:
        head = self.target()
        return rewrites.DelRelEdges(head.name) if head is not None else None


LOCAL: tuple[Callable[[Proposer], Any], ...] = (
    Proposer.add_equ, Proposer.add_equ, Proposer.add_con, Proposer.mod_exp, Proposer.mod_equ, Proposer.mod_con,
    Proposer.rem, Proposer.neg_equ,
)  # fmt: skip
GLOBAL: tuple[Callable[[Proposer], Any], ...] = (
    Proposer.add_rel_node, Proposer.add_rel_edges, Proposer.add_rel_edges, Proposer.add_self_edge,
    Proposer.fact_inline, Proposer.add_rel_edge,
    Proposer.add_rule, Proposer.add_fact, Proposer.del_fact, Proposer.del_rel_node, Proposer.del_rel_edge,
    Proposer.del_rel_edges,
)  # fmt: skip


def sequence(
    draw: Draw, lexicon: Lexicon, base: ir.Program, given: Sequence[ir.Fact], most: int, is_local: bool
) -> tuple[str, list[Any]]:
    """A sequence of rewrites that keeps one oracle; what it is, and the rewrites.
    Lengths are geometric: short ones more often."""
    macro = draw.pick((EQU, EQU, EXP, CON))
    program = base
    steps: list[Any] = []
    tables = legal.evaluated(program, given)
    makers = LOCAL if is_local else GLOBAL + LOCAL
    misses = 0
    while tables is not None and len(steps) < most and misses < 8:
        proposer = Proposer(draw, lexicon, program, tables)
        step = draw.pick(makers)(proposer)
        rows = sorted(tables.get(step.rel, ()), key=repr) if isinstance(step, rewrites.FactInline) else ()
        made = rewritten.apply(program, step, rows, is_local) if step is not None else None
        if made is None or not rewritten.compatible(macro, made[1]):
            misses += 1
            continue
        after = legal.meaning(made[0], given)
        if after is None or unfolded(made[0].rules, made[0].facts) > lexicon.most_unfolded:
            misses += 1
            continue
        program, tables = made[0], after
        steps.append(step)
        if draw.coin(0.25):
            break
    return macro, steps
