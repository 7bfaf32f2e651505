"""Draws programs.
A program grows rule by rule on its own results, so that it is valid and its relations hold something.

The body of a rule comes first, then its head (DEOPT, section 4.1): what the head uses is then bound. A rule is tried at
once on the tables as they are; one that is empty, unsafe, too big or of no certain meaning is drawn again, at most
Max_att times."""

from __future__ import annotations

from typing import Any

from gainsay.core.draw import Draw
from gainsay.core.tree import walk
from gainsay.families.datalog.drawing.expressions import Expressions
from gainsay.families.datalog.drawing.lexicon import Lexicon, Sizes
from gainsay.families.datalog.drawing.scenes import storage
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.language.binding import Unsafe
from gainsay.families.datalog.language.ops import AGGREGATES, Undefined
from gainsay.families.datalog.meaning.rulecode import Limits, Table, TooBig
from gainsay.families.datalog.meaning.semantics import Evaluation, Unstratified, equivalence, unfolded

UNDERIVED = (Unsafe, TooBig, Undefined, Unstratified, TypeError)  # a seed's columns may hold anything
HUGE = float("inf")
GROWN_ROWS, GROWN_WORK = 48, 5000  # small tables: an engine's bugs show in them, and more programs fit into a second


class Grower(Expressions):
    """A program in the making."""

    def __init__(self, draw: Draw, lexicon: Lexicon, base: ir.Scene, sizes: Sizes, unstratified: bool = False) -> None:
        limits = Limits(sizes.max_iter, GROWN_ROWS, GROWN_WORK)
        super().__init__(
            draw,
            lexicon,
            base,
            Evaluation((*base.rels, *base.seeded), (*base.facts, *base.known), limits, unstratified),
        )
        self.sizes = sizes
        self.own: list[ir.Rel] = []
        self.rules: list[ir.Rule | ir.Subsumes] = []
        self.final = {r.name for r in base.seeded}  # heads of no further rule
        self.count = 0
        self.attempts = 0

    def body(self) -> list[Any]:
        """A body: atoms, some with copies, then what tests or computes on their variables."""
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

    def folded(
        self, kinds: tuple[str, ...], terms: tuple[ir.Term, ...], body: list[Any]
    ) -> tuple[tuple[str, ...], tuple[ir.Term, ...]] | None:
        """A head with an aggregate: the last column over the groups of the others."""
        draw, lexicon = self.draw, self.lexicon
        grouped = {t.name for t in terms if isinstance(t, ir.Var)}
        usable = [n for n, t in self._vars.items() if t in ("number", "unsigned", "float") and n not in grouped]
        rest = [n for n in self._vars if n not in grouped]
        if (
            not rest
            or not all(isinstance(t, ir.Var) for t in terms)
            or any(isinstance(lit, (ir.Aggregate, ir.Either)) for lit in body)
        ):
            return None
        fn = draw.pick(lexicon.folds)
        if not AGGREGATES[fn].counts and not usable:
            fn = "count"
            if fn not in lexicon.folds:
                return None
        row = AGGREGATES[fn]
        name = draw.pick(rest if row.counts else usable)
        kind = "number" if row.counts else self._vars[name]
        if not (row.counts or row.chooses) and lexicon.sum_type:
            kind = lexicon.sum_type
            if kind not in lexicon.types:
                return None
        return (*kinds, kind), (*terms, ir.Fold(fn, ir.Var(name)))

    def declared(self, kinds: tuple[str, ...]) -> ir.Rel:
        """A new relation with these types, perhaps with marks."""
        draw, lexicon = self.draw, self.lexicon
        marks: list[str] = list(storage(draw, lexicon))
        hints = [m for m in (*lexicon.marks, "magic", "inline") if m not in ("brie", "btree") and m in lexicon.marks]
        if hints and draw.coin(0.45):
            # Where something is inlined, what reads it is often told not to be.
            against = [m for m in hints if m.startswith("no_")] if self.inlined and draw.coin(0.5) else []
            marks.append(draw.pick(against or hints))
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

    def propose(self) -> tuple[ir.Rel, ir.Rule, bool] | None:
        """A relation, a rule for it, and whether the relation is new; None where no head can be made."""
        draw = self.draw
        body = self.body()
        found = self.head()
        if found is None:
            return None
        rel, head, is_new = found
        if "inline" in rel.marks and body and draw.coin(0.4):
            body = [*body, *self.computed_join(body)]  # what is inlined should have something in it that can go wrong
        computed = (
            not body
            or any(isinstance(lit, (ir.Compare, ir.Aggregate)) for lit in body)
            or not all(isinstance(a, ir.Var) for a in head.args)
        )
        if "inline" in rel.marks and computed and draw.coin(0.9):
            # Soufflé dies of it: once in a while is enough
            rel = ir.Rel(rel.name, rel.types, tuple(m for m in rel.marks if m != "inline"))
        if (
            is_new
            and self.lexicon.folds
            and draw.coin(0.07)
            and "inline" not in rel.marks
            and "eqrel" not in rel.marks
            and not rel.choice
        ):
            reads_inline = any(
                isinstance(lit, (ir.Atom, ir.Not)) and getattr(lit, "rel", "") in self.inlined for lit in body
            )
            made = None if reads_inline else self.folded(rel.types, head.args, body)
            if made is not None:
                rel = ir.Rel(rel.name, made[0], rel.marks)
                # The aggregate ranges over what is bound: wildcards would make it ambiguous.
                body = [
                    named(lit, self)
                    for lit in body
                    if not (isinstance(lit, ir.Not) and any(isinstance(a, ir.Wild) for a in lit.atom.args))
                ]
                head = ir.Atom("", made[1])
        if not is_new and any(isinstance(a, ir.Call) for a in head.args) and draw.coin(0.7):
            guard = self.comparison(list(self._vars)) if self._vars else None
            if guard is not None:
                body.append(guard)
        self.count += 1
        return rel, ir.Rule(self.count, ir.Atom(rel.name, head.args), tuple(body), self.plan(rel, body)), is_new

    def computed_join(self, body: list[Any]) -> list[ir.Atom]:
        """An atom of a body once more, with one argument computed: a(x)  ->  a(-x)."""
        draw = self.draw
        atoms = [lit for lit in body if isinstance(lit, ir.Atom) and lit.args]
        atom = draw.pick(atoms) if atoms else None
        if atom is None:
            return []
        at = draw.below(len(atom.args))
        kind = self.rels[atom.rel].types[at]
        if kind == "any" or kind not in self.lexicon.types or not self.known(kind):
            return []
        made = self.expression(kind, self.known(kind))
        return [ir.Atom(atom.rel, (*atom.args[:at], made, *atom.args[at + 1 :]), len(body) + 1)]

    def plan(self, rel: ir.Rel, body: list[Any]) -> tuple[tuple[int, ...], ...]:
        """An order of the atoms of a rule that is recursive: only such a rule may have one."""
        atoms = [lit for lit in body if isinstance(lit, ir.Atom)]
        if (
            not self.lexicon.has("plan")
            or len(atoms) < 2
            or not any(a.rel == rel.name for a in atoms)
            or not self.draw.coin(0.3)
        ):
            return ()
        if any(not isinstance(lit, ir.Atom) for lit in body) or any(
            not isinstance(a, ir.Var) for atom in atoms for a in atom.args
        ):
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
            if (
                self.lexicon.most_unfolded < HUGE
                and unfolded([*self.rules, rule], self.scene.facts) > self.lexicon.most_unfolded
            ):
                continue
            before = dict(self.state.tables)
            got = self.derive(rel, rule, is_new)
            if got is None:
                continue
            if not got and not draw.coin(max(self.sizes.p_empty, 0.4 if "inline" in rel.marks else 0.0)):
                if is_new:
                    del self.state.rels[rel.name], self.state.base[rel.name], self.state.tables[rel.name]
                else:
                    self.state.tables = before
                continue
            self.keep(rel, rule, is_new)
            return True
        return False

    def keep(self, rel: ir.Rel, rule: ir.Rule, is_new: bool) -> None:
        """Take a proposed rule, and note what may still be done with its relation."""
        draw = self.draw
        self.rules.append(rule)
        if not is_new:
            return
        self.rels[rel.name] = rel
        self.own.append(rel)
        if "inline" in rel.marks:
            self.inlined.add(rel.name)
            self.final.add(rel.name)
        if rel.choice or any(isinstance(a, ir.Fold) for a in rule.head.args):
            self.final.add(rel.name)
        if (
            self.lexicon.has("subsumption")
            and not rel.choice
            and "inline" not in rel.marks
            and "eqrel" not in rel.marks
            and draw.coin(0.06)
        ):
            self.subsume(rel)

    def subsume(self, rel: ir.Rel) -> None:
        """Add a rule by which some tuples of a relation give way to others."""
        ordered = [i for i, t in enumerate(rel.types) if t in ("number", "unsigned", "float")]
        if not ordered:
            return
        at = self.draw.pick(ordered)
        less = tuple(ir.Var("x" if i == at else f"k{i}") for i in range(len(rel.types)))
        more = tuple(ir.Var("y" if i == at else f"k{i}") for i in range(len(rel.types)))
        self.count += 1
        rule = ir.Subsumes(
            self.count, rel.name, less, more, (ir.Compare(self.draw.pick(("<", ">")), ir.Var("x"), ir.Var("y")),)
        )
        self.rules.append(rule)
        self.final.add(rel.name)
        before = dict(self.state.tables)
        try:
            self.refresh()
        except UNDERIVED:
            self.rules.pop()  # it is as well without
            self.state.tables = before

    def refresh(self) -> None:
        """Bring the tables up to date with the rules."""
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
        literal_.rel,
        tuple(grower.fresh(k) if isinstance(a, ir.Wild) else a for a, k in zip(literal_.args, kinds, strict=True)),
        literal_.key,
    )


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


def has_extremes(base: ir.Scene, made: ir.Rules) -> bool:
    """Whether a program holds a value on which engines may legally differ."""
    held = [v for f in base.facts for v in f.values] + [n.value for _, n in walk(made) if isinstance(n, ir.Const)]
    return any(
        v.__class__ in (int, float) and (abs(v) > 1 << 20 or v != v or (v == 0 and str(v)[0] == "-")) for v in held
    )
