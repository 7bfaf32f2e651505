"""Draws scenes and programs. A program grows rule by rule on its own results, so that it is valid and its relations hold something.

The body of a rule comes first, then its head (DEOPT, section 4.1): what the head uses is then bound. A rule is tried at once on the tables as
they are; one that is empty, unsafe, too big or of no certain meaning is drawn again, at most Max_att times.
"""

from __future__ import annotations

from typing import Any

from gainsay.core.draw import Draw
from gainsay.families.datalog import ir
from gainsay.families.datalog.lexicon import Lexicon, Sizes
from gainsay.families.datalog.ops import DIVISIONS, Undefined
from gainsay.families.datalog.semantics import Evaluation, Limits, Table, TooBig, Unsafe, Unstratified, equivalence, variables

WORDS = ("", "a", "b", "ab", "ba", "aa", "abc", "A")
REALS = (0.0, 0.5, 1.0, 1.5, -0.5, 2.0, 2.25, -1.0)
BIG = {"number": (2147483647, -2147483648), "unsigned": (4294967295,), "float": (-0.0, 3.4e38)}
UNDERIVED = (Unsafe, TooBig, Undefined, Unstratified)
GROWN_ROWS, GROWN_WORK = 48, 5000  # small tables: an engine's bugs show in them, and more programs fit into a second
OPERATORS = ("=", "!=", "<", "<=", ">", ">=")


def scalar(draw: Draw, lexicon: Lexicon, kind: str, types: Any = ()) -> Any:
    if lexicon.extremes and kind in BIG and draw.coin(0.08):
        return draw.pick(BIG[kind])
    if kind == "number":
        low = lexicon.lowest
        return (
            draw.between(low, -1)
            if low < 0 and draw.coin(0.15)
            else draw.between(0, 4)
            if draw.coin(0.85)
            else draw.between(0, min(40, lexicon.largest))
        )
    if kind == "unsigned":
        return draw.between(0, 4) if draw.coin(0.85) else draw.between(0, 40)
    if kind == "float":
        return draw.pick(REALS)
    if kind == "any":
        return None if draw.coin(0.25) else draw.between(0, 3) if draw.coin() else draw.pick(("a", "b", ""))
    defined = {t.name: t for t in types}
    if kind in defined:
        found = defined[kind]
        return scalar(draw, lexicon, found.base, types) if found.base else tuple(scalar(draw, lexicon, f, types) for f in found.fields)
    return draw.pick(WORDS)


def scene(draw: Draw, lexicon: Lexicon) -> ir.Scene:
    """A few input relations with a few facts each."""
    types: list[ir.TypeDef] = []
    if lexicon.has("subtypes") and draw.coin(0.15):
        types.append(ir.TypeDef("T0", draw.pick([t for t in lexicon.types if t != "float"])))
    if lexicon.has("records") and draw.coin(0.1):
        types.append(ir.TypeDef("R0", "", tuple(draw.pick([t for t in lexicon.types if t != "float"]) for _ in range(draw.between(1, 2)))))
    rels, facts = [], []
    favourite = draw.pick(lexicon.types)  # most columns have one type, so that they can be joined
    for index in range(draw.between(2, 4)):
        kinds = []
        for _ in range(draw.pick((1, 1, 2, 2, 2, 3))):
            kinds.append(draw.pick(types).name if types and draw.coin(0.3) else favourite if draw.coin(0.7) else draw.pick(lexicon.types))
        name = f"r{index}"
        marks = storage(draw, lexicon)
        if "magic" in lexicon.marks and draw.coin(0.15):
            marks = (*marks, "magic")
        rels.append(ir.Rel(name, tuple(kinds), marks))
        count = 0 if draw.coin(0.03) else draw.between(1, 6)
        rows = dict.fromkeys(tuple(scalar(draw, lexicon, k, types) for k in kinds) for _ in range(count))
        facts += [ir.Fact(name, row) for row in rows]
    return ir.Scene(tuple(rels), tuple(facts), tuple(types))


def storage(draw: Draw, lexicon: Lexicon) -> tuple[str, ...]:
    marks = [m for m in ("brie", "btree") if m in lexicon.marks]
    return (draw.pick(marks),) if marks and draw.coin(0.15) else ()


class Grower:
    """A program in the making."""

    def __init__(self, draw: Draw, lexicon: Lexicon, base: ir.Scene, sizes: Sizes, unstratified: bool = False) -> None:
        self.draw = draw
        self.lexicon = lexicon
        self.scene = base
        self.sizes = sizes
        self.rels: dict[str, ir.Rel] = {r.name: r for r in (*base.rels, *base.seeded)}
        self.own: list[ir.Rel] = []
        self.rules: list[ir.Rule | ir.Subsumes] = []
        self.state = Evaluation((*base.rels, *base.seeded), (*base.facts, *base.known), Limits(sizes.max_iter, GROWN_ROWS, GROWN_WORK), unstratified)
        self.final = {r.name for r in base.seeded}  # heads of no further rule
        self.count = 0
        self.attempts = 0
        self.unsafe_inline: set[str] = set()
        self._vars: dict[str, str] = {}  # variable -> type, of the rule that is being drawn
        self._values: dict[str, list[Any]] = {}

    # --- terms ---

    def fresh(self, kind: str) -> ir.Var:
        name = f"v{len(self._vars)}"
        self._vars[name] = kind
        return ir.Var(name)

    def known(self, kind: str, bound: Any = None) -> list[str]:
        return [n for n, t in self._vars.items() if t == kind and (bound is None or n in bound)]

    def const(self, kind: str, column: tuple[str, int] | None = None) -> ir.Term:
        """A constant, nearly always one that the column holds."""
        draw = self.draw
        if column is not None and draw.coin(0.7):
            rows = self.state.tables.get(column[0])
            if rows:
                held = sorted({row[column[1]] for row in rows}, key=repr)
                return literal(draw.pick(held), kind)
        return literal(scalar(draw, self.lexicon, kind, self.scene.types), kind)

    def expression(self, kind: str, bound: list[str], depth: int = 0) -> ir.Term:
        """A term over bound variables, of a type."""
        draw = self.draw
        fitting = [n for n, f in self.lexicon.functors.items() if f.result == kind]
        here = self.known(kind, bound)
        if fitting and depth < 2 and draw.coin(0.8 if depth == 0 else 0.25):
            name = draw.pick(fitting)
            args = tuple(self.expression(t, bound, depth + 1) for t in self.lexicon.functors[name].args)
            if name in DIVISIONS:
                args = (args[0], ir.Const(draw.between(1, 3), kind))
            if not self.lexicon.is_loose or any(variables(a) for a in args):
                return ir.Call(name, args)  # of constants alone, an overloaded functor has no type
        if here and draw.coin(0.75):
            return ir.Var(draw.pick(here))
        return self.const(kind)

    def argument(self, rel: ir.Rel, position: int) -> ir.Term:
        draw, kind = self.draw, rel.types[position]
        chance = draw.unit()
        if chance < 0.08 and not self.is_foreign(kind):
            return self.const(kind, (rel.name, position))
        if chance < 0.18 and self.lexicon.has("wildcard"):
            return ir.Wild()
        here = self.known(kind)
        if here and chance < 0.6:
            return ir.Var(draw.pick(here))
        if chance > self.lexicon.functor_above and here and kind in self.lexicon.types and kind != "any":
            return self.expression(kind, here)
        fields = next((t.fields for t in self.scene.types if t.name == kind and t.fields), ())
        if fields and draw.coin(0.6):
            return ir.Record(tuple(self.fresh(f) for f in fields))
        return self.fresh(kind)

    def atom(self, rel: ir.Rel, key: int) -> ir.Atom:
        # A functor's variables must be bound by other atoms: those that this atom makes come after its functors were drawn.
        args = tuple(self.argument(rel, i) for i in range(len(rel.types)))
        return ir.Atom(rel.name, args, key)

    # --- literals ---

    def relation(self) -> ir.Rel:
        """A relation to read: newer and non-empty ones more often."""
        draw, names = self.draw, list(self.rels)
        for _ in range(4):
            name = names[-1 - int(draw.unit() ** 1.6 * len(names))]
            if self.state.tables.get(name) or draw.coin(0.1):
                break
        return self.rels[name]

    def comparison(self, bound: list[str]) -> Any:
        draw = self.draw
        name = draw.pick(bound)
        kind = self._vars[name]
        ops = [o for o in OPERATORS if self.lexicon.has(f"compare:{o}") and (o in ("=", "!=") or self.is_ordered(kind))]
        if not ops:
            return None
        op = draw.pick([o for o in ops if o != "="] or ops) if draw.coin(0.85) else draw.pick(ops)
        others = [n for n in self.known(kind, bound) if n != name]
        if self.is_foreign(kind) and not others:
            return None
        right: ir.Term = ir.Var(draw.pick(others)) if others and (draw.coin(0.5) or self.is_foreign(kind)) else self.const(kind)
        if draw.coin(0.15) and kind in self.lexicon.types and kind != "any":
            right = self.expression(kind, bound)
        return ir.Compare(op, ir.Var(name), right)

    def is_ordered(self, kind: str) -> bool:
        return kind in ("number", "unsigned", "float") or (kind == "symbol" and self.lexicon.has("order:symbol"))

    def negation(self, bound: list[str]) -> Any:
        draw = self.draw
        rel = self.relation()
        if rel.name in self.unsafe_inline:
            return None
        args: list[ir.Term] = []
        for position, kind in enumerate(rel.types):
            here = self.known(kind, bound)
            if here and draw.coin(0.8):
                args.append(ir.Var(draw.pick(here)))
            elif self.lexicon.has("negated wildcard") and draw.coin(0.5):
                args.append(ir.Wild())
            elif self.is_foreign(kind):
                return None
            else:
                args.append(self.const(kind, (rel.name, position)))
        if all(isinstance(a, ir.Wild) for a in args) and not self.lexicon.has("negated all"):
            return None
        return ir.Not(ir.Atom(rel.name, tuple(args)))

    def test(self, bound: list[str]) -> Any:
        draw = self.draw
        fitting = [n for n, t in self.lexicon.tests.items() if all(self.known(k, bound) for k in t.args)]
        if not fitting:
            return None
        name = draw.pick(fitting)
        args: list[ir.Term] = [ir.Var(draw.pick(self.known(k, bound))) for k in self.lexicon.tests[name].args]
        if len(args) == 2 and draw.coin(0.7):
            args[0 if name in ("contains", "match") else 1] = ir.Const(draw.pick(("a", "b", "ab")), "symbol")
        elif name == "match":
            args[0] = ir.Const(draw.pick(("a", "b", "ab")), "symbol")  # a pattern from data may hold anything
        return ir.Holds(draw.pick(("", "", "!")) + name, tuple(args))

    def assignment(self, bound: list[str]) -> Any:
        kinds = [t for t in self.lexicon.types if t != "any" and any(f.result == t for f in self.lexicon.functors.values())]
        if not kinds:
            return None
        kind = self.draw.pick(kinds)
        value = self.expression(kind, bound)
        return ir.Compare("=", self.fresh(kind), value)

    def disjunction(self, bound: list[str]) -> Any:
        arms = []
        for _ in range(self.draw.between(2, 3)):
            made = self.comparison(bound) if self.draw.coin(0.7) or not self.lexicon.has("negated arm") else self.negation(bound)
            if made is not None and not (isinstance(made, ir.Compare) and made.op == "="):
                arms.append((made,))
        return ir.Either(tuple(arms)) if len(arms) > 1 else None

    def aggregate(self, bound: list[str]) -> Any:
        """An aggregate over one or two atoms, some of whose columns are fixed by the rest of the rule."""
        draw, lexicon = self.draw, self.lexicon
        if not lexicon.aggregates:
            return None
        rel = self.relation()
        if rel.name in self.unsafe_inline:
            return None
        fn = draw.pick(lexicon.aggregates)
        before = dict(self._vars)
        args: list[ir.Term] = []
        for kind in rel.types:
            here = self.known(kind, bound)
            args.append(ir.Var(draw.pick(here)) if here and draw.coin(0.45) else self.fresh(kind))
        inner = [a for a in args if isinstance(a, ir.Var) and a.name not in before]
        usable = [a for a in inner if self._vars[a.name] in ("number", "unsigned", "float")]
        if (fn != "count" and not usable) or not inner:
            self._vars = before
            return None
        target = None if fn == "count" else draw.pick(usable)
        body: list[Any] = [ir.Atom(rel.name, tuple(args))]
        if draw.coin(0.3) and usable:
            body.append(ir.Compare(draw.pick(("<", "!=", ">=")), usable[0], self.const(self._vars[usable[0].name])))
        kind = "number" if target is None else self._vars[target.name]
        self._vars = before
        name = f"v{len(before) + 40}"
        self._vars[name] = kind
        return ir.Aggregate(name, fn, target, tuple(body))

    # --- rules ---

    def body(self) -> list[Any]:
        draw, lexicon = self.draw, self.lexicon
        self._vars = {}
        body: list[Any] = []
        if draw.coin(0.07):
            return body  # a rule that always holds: its head is made of constants
        for _ in range(draw.pick((1, 1, 2, 2, 2, 3))):
            body.append(self.atom(self.relation(), len(body) + 1))
        if draw.coin(0.15):
            # Copies of an atom with some fresh variables: what an engine's minimiser must see through.
            for _ in range(draw.between(1, 3)):
                copied = draw.pick([a for a in body if isinstance(a, ir.Atom)])
                kinds = self.rels[copied.rel].types
                args = tuple(self.fresh(k) if draw.coin(0.6) else a for a, k in zip(copied.args, kinds, strict=True))
                body.append(ir.Atom(copied.rel, args, len(body) + 1))
        bound = list(self._vars)
        if not bound:
            return body
        for chance, make in (
            (0.14 if lexicon.functors else 0.0, self.assignment),
            (0.3, self.comparison),
            (0.22 if lexicon.has("negation") else 0.0, self.negation),
            (0.12 if lexicon.tests else 0.0, self.test),
            (0.08 if lexicon.has("disjunction") else 0.0, self.disjunction),
            (0.1 if lexicon.aggregates else 0.0, self.aggregate),
        ):
            if chance and draw.coin(chance):
                made = make(bound)
                if made is not None:
                    body.append(made)
        return body

    def head(self) -> tuple[ir.Rel, ir.Atom, bool] | None:
        """The relation and the atom of a head; whether the relation is new."""
        draw = self.draw
        open_ = [r for r in self.own if r.name not in self.final]
        if open_ and draw.coin(self.sizes.p_head):
            rel = open_[-1] if draw.coin(0.5) else draw.pick(open_)
            args: list[ir.Term] = []
            for kind in rel.types:
                here = self.known(kind)
                if here and draw.coin(0.85):
                    args.append(ir.Var(draw.pick(here)))
                elif kind in self.lexicon.types and kind != "any" and here and draw.coin(0.5):
                    args.append(self.expression(kind, here))
                elif self.is_foreign(kind):
                    return None
                else:
                    args.append(self.const(kind))
            return rel, ir.Atom(rel.name, tuple(args)), False
        names = list(self._vars)
        if not names:
            made = tuple(draw.pick(self.lexicon.types) for _ in range(draw.between(1, 2)))
            return self.declared(made), ir.Atom("", tuple(self.const(k) for k in made)), True
        chosen = draw.sample(names, draw.pick((1, 1, 2, 2, 3)))
        if len(chosen) < 3 and draw.coin(0.06):
            chosen.append(draw.pick(chosen))
        kinds, terms = [], []
        for name in chosen:
            kind = self._vars[name]
            term: ir.Term = ir.Var(name)
            if kind in self.lexicon.types and kind != "any" and draw.coin(0.07):
                term = self.expression(kind, names)
            elif draw.coin(0.03) and kind in self.lexicon.types:
                term = self.const(kind)
            base = next((t.base for t in self.scene.types if t.name == kind and t.base), "")
            kinds.append(base if base and draw.coin(0.4) else kind)
            terms.append(term)
        record = next((t for t in self.scene.types if t.fields), None)
        if record is not None and draw.coin(0.15) and all(self.known(f) for f in record.fields):
            kinds.append(record.name)
            terms.append(ir.Record(tuple(ir.Var(draw.pick(self.known(f))) for f in record.fields)))
        return self.declared(tuple(kinds)), ir.Atom("", tuple(terms)), True

    def folded(self, kinds: tuple[str, ...], terms: tuple[ir.Term, ...], body: list[Any]) -> tuple[tuple[str, ...], tuple[ir.Term, ...]] | None:
        """A head with an aggregate: the last column over the groups of the others."""
        draw, lexicon = self.draw, self.lexicon
        grouped = {t.name for t in terms if isinstance(t, ir.Var)}
        usable = [n for n, t in self._vars.items() if t in ("number", "unsigned", "float") and n not in grouped]
        rest = [n for n in self._vars if n not in grouped]
        if not rest or not all(isinstance(t, ir.Var) for t in terms) or any(isinstance(lit, (ir.Aggregate, ir.Either)) for lit in body):
            return None
        fn = draw.pick(lexicon.folds)
        if fn != "count" and not usable:
            fn = "count"
            if fn not in lexicon.folds:
                return None
        name = draw.pick(usable if fn != "count" else rest)
        kind = "number" if fn == "count" else self._vars[name]
        if fn == "sum" and lexicon.sum_type:
            kind = lexicon.sum_type
            if kind not in lexicon.types:
                return None
        return (*kinds, kind), (*terms, ir.Fold(fn, ir.Var(name)))

    def declared(self, kinds: tuple[str, ...]) -> ir.Rel:
        draw, lexicon = self.draw, self.lexicon
        marks: list[str] = list(storage(draw, lexicon))
        hints = [m for m in (*lexicon.marks, "magic") if m not in ("brie", "btree") and m in lexicon.marks]
        if hints and draw.coin(0.45):
            marks.append(draw.pick(hints))
        if (
            lexicon.has("eqrel")
            and len(kinds) == 2
            and kinds[0] == kinds[1]
            and "inline" not in marks
            and "no_inline" not in marks
            and draw.coin(0.15)
        ):
            marks = [*[m for m in marks if m not in ("brie", "btree")], "eqrel"]
        choice: tuple[tuple[int, ...], ...] = ()
        if lexicon.has("choice") and len(kinds) > 1 and not marks and draw.coin(0.04):
            choice = ((draw.below(len(kinds)),),)
        return ir.Rel(self.unused(), kinds, tuple(marks), choice)

    def unused(self) -> str:
        """A name that no relation has: a seed may have any."""
        number = len(self.rels)
        while f"r{number}" in self.rels:
            number += 1
        return f"r{number}"

    def is_foreign(self, kind: str) -> bool:
        """Whether values of a type can only be passed on: a seed's own records, say."""
        return kind not in self.lexicon.types and all(t.name != kind for t in self.scene.types)

    def propose(self) -> tuple[ir.Rel, ir.Rule, bool] | None:
        draw = self.draw
        body = self.body()
        found = self.head()
        if found is None:
            return None
        rel, head, is_new = found
        if "inline" in rel.marks and not body and draw.coin(0.98):
            rel = ir.Rel(rel.name, rel.types, tuple(m for m in rel.marks if m != "inline"))  # Soufflé dies of it: once in a while is enough
        if is_new and self.lexicon.folds and draw.coin(0.07) and "inline" not in rel.marks and "eqrel" not in rel.marks and not rel.choice:
            reads_inline = any(isinstance(lit, (ir.Atom, ir.Not)) and getattr(lit, "rel", "") in self.unsafe_inline for lit in body)
            made = None if reads_inline else self.folded(rel.types, head.args, body)
            if made is not None:
                rel = ir.Rel(rel.name, made[0], rel.marks)
                # The aggregate ranges over what is bound: wildcards would make it ambiguous.
                body = [named(lit, self) for lit in body if not (isinstance(lit, ir.Not) and any(isinstance(a, ir.Wild) for a in lit.atom.args))]
                head = ir.Atom("", made[1])
        if not is_new and any(isinstance(a, ir.Call) for a in head.args) and draw.coin(0.7):
            guard = self.comparison(list(self._vars)) if self._vars else None
            if guard is not None:
                body.append(guard)
        self.count += 1
        return rel, ir.Rule(self.count, ir.Atom(rel.name, head.args), tuple(body), self.plan(rel, body)), is_new

    def plan(self, rel: ir.Rel, body: list[Any]) -> tuple[tuple[int, ...], ...]:
        """An order of the atoms of a rule that is recursive: only such a rule may have one."""
        atoms = [lit for lit in body if isinstance(lit, ir.Atom)]
        if not self.lexicon.has("plan") or len(atoms) < 2 or not any(a.rel == rel.name for a in atoms) or not self.draw.coin(0.3):
            return ()
        if any(not isinstance(lit, ir.Atom) for lit in body) or any(not isinstance(a, ir.Var) for atom in atoms for a in atom.args):
            return ()  # what can be simplified away would not be counted
        if len({(a.rel, a.args) for a in atoms}) < len(atoms):
            return ()
        return (tuple(self.draw.sample(range(1, len(atoms) + 1), len(atoms))),)

    def derive(self, rel: ir.Rel, rule: ir.Rule, is_new: bool) -> Table | None:
        """What a proposed rule gives; the tables are then up to date. None: it is not to be kept."""
        state = self.state
        special = "eqrel" in rel.marks or rel.choice
        if is_new:
            state.rels[rel.name] = rel
            state.base[rel.name] = set()
        before = state.tables
        try:
            if is_new and not special:
                got = set(state.alone(rule))
                state.tables[rel.name] = got
                return got
            if is_new:
                got = set(state.alone(rule))
                if "eqrel" in rel.marks:
                    got = equivalence(got)
                for key in rel.choice:
                    if len({tuple(row[i] for i in key) for row in got}) < len(got):
                        raise Undefined("a choice")
                if len(got) > state.limits.rows:
                    raise TooBig("an equivalence")
                state.tables[rel.name] = got
                return got
            state.run([*self.rules, rule])
            return set(state.alone(rule))
        except UNDERIVED:
            state.tables = before
            if is_new:
                del state.rels[rel.name], state.base[rel.name]
                state.tables.pop(rel.name, None)
            return None

    def step(self) -> bool:
        """Add one rule; False where Max_att attempts gave none."""
        draw, tries = self.draw, 0
        while tries < self.sizes.max_att:
            tries += 1
            self.attempts += 1
            proposed = self.propose()
            if proposed is None:
                continue
            rel, rule, is_new = proposed
            before = dict(self.state.tables)
            got = self.derive(rel, rule, is_new)
            if got is None:
                continue
            if not got and not draw.coin(self.sizes.p_empty):
                if is_new:
                    del self.state.rels[rel.name], self.state.base[rel.name], self.state.tables[rel.name]
                else:
                    self.state.tables = before
                continue
            self.keep(rel, rule, is_new)
            return True
        return False

    def keep(self, rel: ir.Rel, rule: ir.Rule, is_new: bool) -> None:
        draw = self.draw
        self.rules.append(rule)
        if not is_new:
            return
        self.rels[rel.name] = rel
        self.own.append(rel)
        if "inline" in rel.marks:
            self.unsafe_inline.add(rel.name)
            self.final.add(rel.name)
        if rel.choice or any(isinstance(a, ir.Fold) for a in rule.head.args):
            self.final.add(rel.name)
        if self.lexicon.has("subsumption") and not rel.choice and "inline" not in rel.marks and "eqrel" not in rel.marks and draw.coin(0.06):
            self.subsume(rel)

    def subsume(self, rel: ir.Rel) -> None:
        ordered = [i for i, t in enumerate(rel.types) if t in ("number", "unsigned", "float")]
        if not ordered:
            return
        at = self.draw.pick(ordered)
        less = tuple(ir.Var("x" if i == at else f"k{i}") for i in range(len(rel.types)))
        more = tuple(ir.Var("y" if i == at else f"k{i}") for i in range(len(rel.types)))
        self.count += 1
        rule = ir.Subsumes(self.count, rel.name, less, more, (ir.Compare(self.draw.pick(("<", ">")), ir.Var("x"), ir.Var("y")),))
        self.rules.append(rule)
        self.final.add(rel.name)
        self.state.run(self.rules)

    def grown(self, rules: int) -> ir.Rules | None:
        """A program of so many rules, or as many as could be found. The last head is asked for."""
        while len(self.rules) < rules and self.step():
            pass
        if not self.rules:
            return None
        pragmas = (self.draw.pick(self.lexicon.pragmas),) if self.lexicon.pragmas and self.draw.coin(0.04) else ()
        last = self.rules[-1]
        output = last.rel if isinstance(last, ir.Subsumes) else last.head.rel
        return ir.Rules(tuple(self.own), tuple(self.rules), output, pragmas)


def named(literal_: Any, grower: Grower) -> Any:
    """A literal whose wildcards are variables."""
    if not isinstance(literal_, ir.Atom):
        return literal_
    kinds = grower.rels[literal_.rel].types
    return ir.Atom(
        literal_.rel, tuple(grower.fresh(k) if isinstance(a, ir.Wild) else a for a, k in zip(literal_.args, kinds, strict=True)), literal_.key
    )


def literal(value: Any, kind: str) -> ir.Term:
    if isinstance(value, tuple):
        return ir.Record(tuple(literal(v, "symbol" if isinstance(v, str) else "float" if isinstance(v, float) else "number") for v in value))
    return ir.Const(value, kind)


def rules(draw: Draw, base: ir.Scene, lexicon: Lexicon) -> ir.Rules:
    """A small program on a scene."""
    grower = Grower(draw, lexicon, base, lexicon.small)
    made = grower.grown(draw.between(1, lexicon.small.rules))
    if made is None:
        # Nothing can be derived from this scene: ask for an input.
        rel = (*base.rels, *base.seeded)[0]
        return ir.Rules((), (), rel.name)
    # Mostly the last head; sometimes one that others build on, or one with several rules.
    if draw.coin(0.25):
        return ir.Rules(made.rels, made.rules, draw.pick(made.rels).name, made.pragmas)
    return made
