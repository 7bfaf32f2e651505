"""How each engine spells a program.
One class per dialect; what it can say at all is its `features` and ops.py's spellings.

A feature that a dialect lists is still probed on the target: an old release or a fork drops what it refuses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from gainsay.core.plugins import among
from gainsay.core.tree import transform
from gainsay.families.datalog.drawing import seeds
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.language.binding import variables
from gainsay.families.datalog.language.ops import AGGREGATES
from gainsay.families.datalog.language.writer import CORE, ORDER, Dialect, lifted, split_fold, tests


class Souffle(Dialect):
    """Soufflé's Datalog."""

    name = "souffle"
    seed_files = (".dl",)
    seed = staticmethod(seeds.souffle)
    is_overloaded, functor_above = True, 0.82
    types = ("number", "unsigned", "float", "symbol")
    features = CORE | ORDER | {
        "order:symbol", "disjunction", "negated arm", "records", "subtypes", "eqrel", "subsumption", "plan", "choice",
    }  # fmt: skip
    marks = ("inline", "no_inline", "magic", "no_magic", "brie", "btree")
    pragmas = (
        '"magic-transform" "*"',
        '"disable-transformers" "InlineRelationsTransformer"',
        '"disable-transformers" "ResolveAliasesTransformer"',
        '"disable-transformers" "MinimiseProgramTransformer"',
        '"disable-transformers" "PartitionBodyLiteralsTransformer"',
        '"disable-transformers" "RemoveRedundantRelationsTransformer"',
        '"disable-transformers" "RemoveRelationCopiesTransformer"',
        '"disable-transformers" "ReplaceSingletonVariablesTransformer"',
        '"disable-transformers" "ReorderLiteralsTransformer"',
        '"disable-transformers" "SimplifyAggregateTargetExpressionTransformer"',
    )

    def value(self, value: Any, kind: str) -> str:
        if kind == "float" and not isinstance(value, str):
            return repr(float(value))
        if kind == "unsigned":
            return f"{value}u" if value > 2147483647 else str(value)  # the type of its place says the rest
        return super().value(value, kind)

    def aggregate(self, node: ir.Aggregate) -> str:
        target = "" if node.target is None else f" {node.target.name}"
        return f"{node.var} = {node.fn}{target} : {{ {self.body(node.body)} }}"

    def rule(self, node: ir.Rule) -> str:
        text = super().rule(split_fold(node))
        if node.plan:
            text += " .plan " + ", ".join(f"{i}:({','.join(map(str, order))})" for i, order in enumerate(node.plan))
        return text

    def subsumes(self, node: ir.Subsumes) -> str:
        return (
            f"{node.rel}{self.arguments(node.less)} <= {node.rel}{self.arguments(node.more)} :- "
            f"{self.body(node.body) or 'true'}."
        )

    def declaration(self, rel: ir.Rel, marks: Sequence[str]) -> str:
        columns = ", ".join(f"c{i}:{t}" for i, t in enumerate(rel.types))
        text = f".decl {rel.name}({columns})" + "".join(f" {m}" for m in marks)
        if rel.choice:
            text += " choice-domain " + ", ".join("(" + ", ".join(f"c{i}" for i in key) + ")" for key in rel.choice)
        return text

    def program(self, node: ir.Program) -> str:
        """Declarations, facts and rules; the output is printed."""
        lines = [f".pragma {p}" for p in node.pragmas]
        if node.seed:
            lines.append(node.seed.rstrip("\n"))
        for kind in node.types:
            lines.append(
                f".type {kind.name} <: {kind.base}"
                if kind.base
                else f".type {kind.name} = [" + ", ".join(f"f{i}:{t}" for i, t in enumerate(kind.fields)) + "]"
            )
        subsumed = {r.rel for r in node.rules if isinstance(r, ir.Subsumes)}
        for rel in node.rels:
            marks = [m for m in rel.marks if not (m == "inline" and rel.name == node.output)]
            if rel.name in subsumed:
                marks = [m for m in marks if m not in ("brie", "btree", "inline", "eqrel")] + ["btree_delete"]
            lines.append(self.declaration(rel, marks))
        kinds = {rel.name: rel.types for rel in (*node.rels, *node.seeded)}
        bases = {t.name: t.base for t in node.types if t.base}
        lines += [self.fact(f, [bases.get(t, t) for t in kinds[f.rel]]) for f in node.facts]
        lines += [self.subsumes(r) if isinstance(r, ir.Subsumes) else self.rule(r) for r in node.rules]
        lines.append(f".output {node.output}")
        return "\n".join(lines)


class Cozo(Dialect):
    """CozoScript."""

    name = "cozo"
    seed_files = (".cozo", ".cozoscript", ".txt")
    seed = staticmethod(seeds.cozo)
    sum_type = "float"
    types = ("number", "float", "symbol", "any")
    features = (CORE | ORDER | {"order:symbol", "disjunction", "null"}) - {"negated all"}
    mixed = (
        "a relation holds both, a join on them finds no partner, and a negation does not see the other, though == "
        "calls them equal"
    )
    comment = "#"
    implies = " := "
    negation = "not "
    brackets = ("[", "]")
    stop = ""

    def value(self, value: Any, kind: str) -> str:
        if value is None:
            return "null"
        return (
            repr(value)
            if value.__class__ is str and "'" not in value and "\\" not in value
            else super().value(value, kind)
        )

    def term(self, node: Any) -> str:
        if node.__class__ is ir.Fold:
            return f"{node.fn}({node.arg.name})"
        return super().term(node)

    def __init__(self) -> None:
        super().__init__()
        self._spell[ir.Fold] = self.term

    def compare(self, node: ir.Compare) -> str:
        # '=' unifies and '==' compares; a test of two bound sides is spelled as a comparison by `tests`.
        return f"{self.term(node.left)} {node.op} {self.term(node.right)}"

    def either(self, node: ir.Either) -> str:
        return (
            "("
            + " or ".join(
                "(" + ", ".join(map(self.term, arm)) + ")" if len(arm) > 1 else self.term(arm[0]) for arm in node.arms
            )
            + ")"
        )

    def rule(self, node: ir.Rule) -> str:
        """A rule whose head has variables only: what is computed there is bound in the body."""
        head, body = node.head, list(node.body)
        # Heads of Cozo hold variables only: the rest is bound in the body.
        args = []
        taken: set[str] = set()
        for position, arg in enumerate(head.args):
            name = arg.arg.name if isinstance(arg, ir.Fold) else arg.name if isinstance(arg, ir.Var) else ""
            if isinstance(arg, ir.Fold) or (name and name not in taken):
                args.append(arg)
                taken.add(name)
            else:
                args.append(ir.Var(f"h{position}"))
                body.append(ir.Compare("=", ir.Var(f"h{position}"), arg))
        flat: list[Any] = []
        for literal in body:
            flat += lifted(literal, len(flat))
        return node.head.rel + self.arguments(args) + self.implies + self.body(tests(flat))

    def program(self, node: ir.Program) -> str:
        """Facts as constant rules, then rules, then the query for the output."""
        lines = [node.seed.rstrip("\n")] if node.seed else []
        ruled = {r.head.rel for r in node.rules if isinstance(r, ir.Rule)}
        rows: dict[str, list[str]] = {}
        kinds = {rel.name: rel.types for rel in node.rels}
        for fact in node.facts:
            rows.setdefault(fact.rel, []).append(
                "[" + ", ".join([self.value(v, t) for v, t in zip(fact.values, kinds[fact.rel], strict=True)]) + "]"
            )
        for rel in node.rels:
            columns = ", ".join(f"c{i}" for i in range(len(rel.types)))
            if rel.name not in ruled:
                lines.append(f"{rel.name}[{columns}] <- [{', '.join(rows.get(rel.name, ()))}]")
            elif rel.name in rows:
                # A relation may not have both constant rows and rules: the rows get a relation of their own.
                lines.append(f"{rel.name}_rows[{columns}] <- [{', '.join(rows[rel.name])}]")
                lines.append(f"{rel.name}[{columns}] := {rel.name}_rows[{columns}]")
        lines += [self.rule(r) for r in node.rules if isinstance(r, ir.Rule)]
        arity = next(len(rel.types) for rel in (*node.rels, *node.seeded) if rel.name == node.output)
        columns = ", ".join(f"c{i}" for i in range(arity))
        return "\n".join([*lines, f"?[{columns}] := {node.output}[{columns}]"])


class Clingo(Dialect):
    """clingo's language, without choices and constraints."""

    name = "clingo"
    seed_files = (".lp",)
    seed = staticmethod(seeds.clingo)
    features = CORE | ORDER | frozenset()
    comment = "%"
    negation = "not "

    def var(self, name: str) -> str:
        return name[:1].upper() + name[1:]

    def atom(self, node: ir.Atom) -> str:
        return node.rel + (self.arguments(node.args) if node.args else "")

    def aggregate(self, node: ir.Aggregate) -> str:
        inner = list(dict.fromkeys(variables(node.body)))
        names = [node.target.name, *[n for n in inner if n != node.target.name]] if node.target is not None else inner
        text = f"{self.var(node.var)} = #{node.fn} {{ {', '.join(map(self.var, names))} : {self.body(node.body)} }}"
        if AGGREGATES[node.fn].chooses:
            # Over nothing it is #sup or #inf here, and nothing elsewhere.
            text += f", {self.var(node.var)} != #sup, {self.var(node.var)} != #inf"
        return text

    def rule(self, node: ir.Rule) -> str:
        return super().rule(split_fold(node))

    def program(self, node: ir.Program) -> str:
        lines = [node.seed.rstrip("\n")] if node.seed else []
        kinds = {rel.name: rel.types for rel in node.rels}
        lines += [self.fact(f, kinds[f.rel]) for f in node.facts]
        lines += [self.rule(r) for r in node.rules if isinstance(r, ir.Rule)]
        arity = next(len(rel.types) for rel in (*node.rels, *node.seeded) if rel.name == node.output)
        return "\n".join([*lines, f"#show {node.output}/{arity}."])


class Nemo(Dialect):
    """Nemo's rules."""

    name = "nemo"
    seed_files = (".rls",)
    seed = staticmethod(seeds.nemo)
    features = CORE | ORDER | {"fact rule"}
    comment = "%"
    negation = "~"

    def var(self, name: str) -> str:
        return "?" + name

    def __init__(self) -> None:
        super().__init__()
        self._inner: list[str] = []
        self._spell[ir.Fold] = self.fold

    def fold(self, node: ir.Fold) -> str:
        # Distinct variables make the aggregate range over all bindings, not over the distinct values.
        rest = [n for n in self._inner if n != node.arg.name]
        return f"#{node.fn}({', '.join(map(self.var, [node.arg.name, *rest]))})"

    def rule(self, node: ir.Rule) -> str:
        groups = {n for a in node.head.args if not isinstance(a, ir.Fold) for n in variables(a)}
        self._inner = (
            sorted(set(variables(node.body)) - groups) if any(isinstance(a, ir.Fold) for a in node.head.args) else []
        )
        flat: list[Any] = []
        for literal in node.body:
            flat += lifted(literal, len(flat))
        return super().rule(ir.Rule(node.key, node.head, tuple(flat)))

    def program(self, node: ir.Program) -> str:
        lines = [node.seed.rstrip("\n")] if node.seed else []
        kinds = {rel.name: rel.types for rel in node.rels}
        lines += [self.fact(f, kinds[f.rel]) for f in node.facts]
        lines += [self.rule(r) for r in node.rules if isinstance(r, ir.Rule)]
        return "\n".join([*lines, f"@output {node.output} ."])


class Muz(Dialect):
    """Z3's fixed points, as SMT-LIB text over bit-vectors."""

    name = "muz"
    seed_files = (".smt2",)
    seed = staticmethod(seeds.muz)
    types = ("number",)
    features = CORE | ORDER
    lowest = 0
    largest = 63
    most_rules = 25
    most_unfolded = 1e5  # Z3 unfolds first and joins then, in an order of its own, and can't be interrupted there
    comment = ";"
    SORT: ClassVar[str] = "(_ BitVec 6)"
    OPS: ClassVar[Mapping[str, str]] = {"=": "=", "<": "bvult", "<=": "bvule", ">": "bvugt", ">=": "bvuge"}

    def value(self, value: Any, kind: str) -> str:
        return f"#b{value:06b}"

    def atom(self, node: ir.Atom) -> str:
        return f"({node.rel} {' '.join(map(self.term, node.args))})" if node.args else node.rel

    def compare(self, node: ir.Compare) -> str:
        if node.op == "!=":
            return f"(not (= {self.term(node.left)} {self.term(node.right)}))"
        return f"({self.OPS[node.op]} {self.term(node.left)} {self.term(node.right)})"

    def program(self, node: ir.Program) -> str:
        """Declarations, facts and rules for Z3's fixed points; constants are bit-vectors."""
        node = projected(node)
        lines = [node.seed.rstrip("\n")] if node.seed else []
        kinds = {rel.name: rel.types for rel in node.rels}
        lines += [f"(declare-rel {rel.name} ({' '.join([self.SORT] * len(rel.types))}))" for rel in node.rels]
        rules = [r for r in node.rules if isinstance(r, ir.Rule)]
        named: set[str] = set()
        texts = []
        for rule in rules:
            text, names = self.quantified(rule)
            named |= names
            texts.append(text)
        lines += [f"(declare-var {name} {self.SORT})" for name in sorted(named)]
        lines += [self.fact(f, kinds[f.rel]) for f in node.facts]
        return "\n".join([*lines, *texts, f"(query {node.output})"])

    def fact(self, node: ir.Fact, types: Sequence[str]) -> str:
        return f"(rule ({node.rel} {' '.join([self.value(v, t) for v, t in zip(node.values, types, strict=True)])}))"

    def rule(self, node: ir.Rule) -> str:
        return self.quantified(node)[0]

    def quantified(self, rule: ir.Rule) -> tuple[str, set[str]]:
        """A rule and the variables that it needs; wildcards become variables of their own."""
        count = 0

        def named(node: Any) -> Any:
            nonlocal count
            if isinstance(node, ir.Wild):
                count += 1
                return ir.Var(f"w{count}")
            return node

        body = transform(rule.body, named)
        names = set(variables(body)) | set(variables(rule.head))
        parts = [f"(not {self.atom(lit.atom)})" if isinstance(lit, ir.Not) else self.term(lit) for lit in body]
        if not parts:
            return f"(rule {self.atom(rule.head)})", names
        joined = f"(and {' '.join(parts)})" if len(parts) > 1 else parts[0]
        return f"(rule (=> {joined} {self.atom(rule.head)}))", names


def projected(program: ir.Program) -> ir.Program:
    """!a(x, _) as !a_10(x), where a_10(x) :- a(x, _): a variable of a rule can't be local to a negation."""
    kinds = {r.name: r.types for r in (*program.rels, *program.seeded)}
    added: dict[str, tuple[ir.Rel, ir.Rule]] = {}

    def change(node: Any) -> Any:
        if not isinstance(node, ir.Not) or not any(isinstance(a, ir.Wild) for a in node.atom.args):
            return node
        rel, args = node.atom.rel, node.atom.args
        kept = [i for i, a in enumerate(args) if not isinstance(a, ir.Wild)]
        name = f"{rel}_" + "".join("1" if i in kept else "0" for i in range(len(args)))
        head = ir.Atom(name, tuple(ir.Var(f"p{i}") for i in kept))
        body = ir.Atom(rel, tuple(ir.Var(f"p{i}") if i in kept else ir.Wild() for i in range(len(args))))
        added[name] = ir.Rel(name, tuple(kinds[rel][i] for i in kept)), ir.Rule(0, head, (body,))
        return ir.Not(ir.Atom(name, tuple(args[i] for i in kept)))

    rules = transform(program.rules, change)
    if not added:
        return program
    rels, more = zip(*added.values(), strict=True)
    return msgspec.structs.replace(program, rels=(*program.rels, *rels), rules=(*more, *rules))


DIALECTS: Mapping[str, Dialect] = {d.name: d for d in (Souffle(), Cozo(), Clingo(), Nemo(), Muz())}


def find(name: str) -> Dialect:
    """A dialect of ours by name, or anybody's as module:attribute."""
    found: Dialect = among(DIALECTS, name)
    return found
