"""One rule as a function from tables to tuples: a chain of closures, one for each literal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gainsay.families.datalog.language import ir
from gainsay.families.datalog.language.binding import Unsafe, binds, order, variables
from gainsay.families.datalog.language.ops import AGGREGATES, COMPARISONS, FIT, FUNCTORS, TESTS, Undefined

Table = set[tuple[Any, ...]]
Env = list[Any]
Next = Callable[[Env], None]

WORK = 60_000  # tuples looked at in one evaluation
ROWS = 400  # tuples of one relation
ROUNDS = 100  # DEOPT's Max_iter


class TooBig(Exception):
    """More work than a test is worth, or no end in sight."""


class Limits:
    """How much one evaluation may cost."""

    __slots__ = ("rounds", "rows", "work")

    def __init__(self, rounds: int = ROUNDS, rows: int = ROWS, work: int = WORK) -> None:
        self.rounds = rounds
        self.rows = rows
        self.work = work


class Compiler:
    """Turns a rule into a function from tables to tuples."""

    def __init__(self, limits: Limits) -> None:
        self.slots: dict[str, int] = {}
        self.env: Env = []
        self.tables: Mapping[str, Table] = {}
        self.limits = limits
        self.spent = 0

    def slot(self, name: str) -> int:
        if name not in self.slots:
            self.slots[name] = len(self.env)
            self.env.append(None)
        return self.slots[name]

    def term(self, term: Any) -> Callable[[Env], Any]:
        """A function from an environment to a term's value."""
        cls = term.__class__
        if cls is ir.Var:
            slot = self.slot(term.name)
            return lambda env: env[slot]
        if cls is ir.Const:
            value = term.value
            return lambda env: value
        if cls is ir.Record:
            parts = [self.term(a) for a in term.args]
            return lambda env: tuple([p(env) for p in parts])
        functor = FUNCTORS[term.fn]
        parts = [self.term(a) for a in term.args]
        meaning, fit = functor.meaning, FIT[functor.result]
        if len(parts) == 2:
            one, two = parts
            return lambda env: fit(meaning(one(env), two(env)))
        return lambda env: fit(meaning(*[p(env) for p in parts]))

    def chain(self, literals: Sequence[Any], bound: set[str], last: Next) -> Next:
        """The literals, in this order, before `last`."""
        steps = []
        for literal in literals:
            steps.append((literal, set(bound)))
            bound = binds(literal, bound) or bound
        for literal, before in reversed(steps):
            last = LITERALS[literal.__class__](self, literal, before, last)
        return last

    def match(self, args: Sequence[Any], bound: set[str]) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
        """How a tuple is compared with an atom's arguments: (position, value), (position, position), (position, slot),
        (position, pattern)."""
        checks, same, takes, records = [], [], [], []
        first: dict[str, int] = {}
        for position, arg in enumerate(args):
            if arg.__class__ is ir.Var and arg.name not in bound:
                if arg.name in first:
                    same.append((first[arg.name], position))
                else:
                    first[arg.name] = position
                    takes.append((position, self.slot(arg.name)))
            elif arg.__class__ is ir.Record:
                records.append((position, arg))
            elif arg.__class__ is not ir.Wild:
                checks.append((position, self.term(arg)))
        return checks, same, takes, [(position, pattern, bound | set(first)) for position, pattern in records]

    def atom(self, atom: ir.Atom, bound: set[str], then: Next) -> Next:
        """A step that goes on for each tuple that fits."""
        rel = atom.rel
        checks, same, takes, records = self.match(atom.args, bound)
        unpack = [(position, self.unpack(pattern, known, then)) for position, pattern, known in records]

        def run(env: Env) -> None:
            rows = self.tables.get(rel, ())
            self.spend(len(rows))
            wanted = [(position, value(env)) for position, value in checks]
            for row in rows:
                for position, value in wanted:
                    if row[position] != value:
                        break
                else:
                    for one, two in same:
                        if row[one] != row[two]:
                            break
                    else:
                        for position, slot in takes:
                            env[slot] = row[position]
                        if not unpack:
                            then(env)
                        else:
                            unpack[0][1](env, row, 0)

        if len(unpack) > 1:
            raise Unsafe("two record patterns in one atom")
        if unpack:
            position, inner = unpack[0]
            unpack = [(position, lambda env, row, _: inner(env, row[position], 0))]
        return run

    def unpack(self, pattern: ir.Record, bound: set[str], then: Next) -> Callable[[Env, Any, int], None]:
        """A step that goes on if a record fits a pattern."""
        checks, same, takes, records = self.match(pattern.args, bound)
        if records:
            raise Unsafe("a record in a record")

        def run(env: Env, row: Any, _: int) -> None:
            if row is None or len(row) != len(pattern.args):
                return
            if all(row[p] == v(env) for p, v in checks) and all(row[a] == row[b] for a, b in same):
                for position, slot in takes:
                    env[slot] = row[position]
                then(env)

        return run

    def spend(self, amount: int) -> None:
        self.spent += amount + 1
        if self.spent > self.limits.work:
            raise TooBig("too much work")

    def compare(self, literal: ir.Compare, bound: set[str], then: Next) -> Next:
        """A step that binds a variable by an equation, or goes on if a comparison holds."""
        left, right = literal.left, literal.right
        if literal.op == "=":
            for here, there in ((left, right), (right, left)):
                if here.__class__ is ir.Var and here.name not in bound:
                    slot, value = self.slot(here.name), self.term(there)

                    return binding(slot, value, then)
        test, one, two = COMPARISONS[literal.op].meaning, self.term(left), self.term(right)

        def run(env: Env) -> None:
            if test(one(env), two(env)):
                then(env)

        return run

    def holds(self, literal: ir.Holds, bound: set[str], then: Next) -> Next:
        wanted = not literal.fn.startswith("!")
        meaning = TESTS[literal.fn.removeprefix("!")].meaning
        parts = [self.term(a) for a in literal.args]

        def run(env: Env) -> None:
            if meaning(*[p(env) for p in parts]) is wanted:
                then(env)

        return run

    def not_(self, literal: ir.Not, bound: set[str], then: Next) -> Next:
        """A step that goes on if no tuple fits."""
        rel, args = literal.atom.rel, literal.atom.args
        parts = [(i, self.term(a)) for i, a in enumerate(args) if a.__class__ is not ir.Wild]
        whole = len(parts) == len(args)

        def run(env: Env) -> None:
            rows = self.tables.get(rel, ())
            if whole:
                if tuple([p(env) for _, p in parts]) not in rows:
                    then(env)
                return
            self.spend(len(rows))
            wanted = [(i, p(env)) for i, p in parts]
            if not any(all(row[i] == v for i, v in wanted) for row in rows):
                then(env)

        return run

    def either(self, literal: ir.Either, bound: set[str], then: Next) -> Next:
        arms = [self.chain(order(arm, bound)[0], bound, then) for arm in literal.arms]

        def run(env: Env) -> None:
            for arm in arms:
                arm(env)

        return run

    def aggregate(self, literal: ir.Aggregate, bound: set[str], then: Next) -> Next:
        """A step that goes on with the fold of all that a nested body finds."""
        ordered, inside = order(literal.body, bound)
        slots = [self.slot(name) for name in sorted(inside - bound)]
        found: set[tuple[Any, ...]] = set()
        target = self.slot(literal.target.name) if literal.target is not None else -1
        at = slots.index(target) if target in slots else -1

        def collect(env: Env) -> None:
            found.add(tuple([env[s] for s in slots]))

        inner = self.chain(ordered, bound, collect)
        fold, result, is_bound = AGGREGATES[literal.fn], self.slot(literal.var), literal.var in bound
        fixed = self.term(literal.target) if literal.target is not None and at < 0 else None

        def run(env: Env) -> None:
            found.clear()
            inner(env)
            if not found and fold.chooses:
                return
            values = [fixed(env)] * len(found) if fixed else [row[at] for row in found] if at >= 0 else list(found)
            value = fold.meaning(values)
            if not isinstance(value, str) and not -(1 << 20) < value < 1 << 20:
                raise Undefined("a large aggregate")
            if is_bound:
                if env[result] == value:
                    then(env)
                return
            env[result] = value
            then(env)

        return run


def binding(slot: int, value: Callable[[Env], Any], then: Next) -> Next:
    def run(env: Env) -> None:
        env[slot] = value(env)
        then(env)

    return run


# How each kind of literal is compiled
LITERALS: Mapping[type, Callable[[Compiler, Any, set[str], Next], Next]] = {
    ir.Atom: Compiler.atom, ir.Compare: Compiler.compare, ir.Holds: Compiler.holds, ir.Not: Compiler.not_,
    ir.Either: Compiler.either, ir.Aggregate: Compiler.aggregate,
}  # fmt: skip


def real_term(term: Callable[[Env], Any]) -> Callable[[Env], float]:
    return lambda env: float(term(env))


class RuleCode:
    """A rule, ready to run on tables."""

    def __init__(self, rule: ir.Rule, types: Sequence[str], limits: Limits) -> None:
        self.compiler = compiler = Compiler(limits)
        ordered, bound = order(rule.body)
        args = rule.head.args
        loose = set(variables(args)) - bound
        if loose or any(a.__class__ is ir.Wild for a in args):
            raise Unsafe(", ".join(sorted(loose)) or "_")
        self.out: Table = set()
        out = self.out
        limit = limits.rows
        if any(a.__class__ is ir.Fold for a in args):
            self.run: Callable[[Mapping[str, Table]], Table] = self._grouped(rule, types, ordered, bound)
            return
        # The sum of no floats is 0.0: an aggregate has the type of its column.
        sums = {lit.var for lit in rule.body if isinstance(lit, ir.Aggregate)}
        reals = [t == "float" and isinstance(a, ir.Var) and a.name in sums for a, t in zip(args, types, strict=True)]
        parts = [
            real_term(compiler.term(a)) if is_real else compiler.term(a) for a, is_real in zip(args, reals, strict=True)
        ]
        slots = [compiler.slots[a.name] for a in args if a.__class__ is ir.Var and not any(reals)]

        def emit(env: Env) -> None:
            out.add(tuple([env[s] for s in slots]) if len(slots) == len(parts) else tuple([p(env) for p in parts]))
            if len(out) > limit:
                raise TooBig("too many tuples")

        chain = compiler.chain(ordered, set(), emit)

        def run(tables: Mapping[str, Table]) -> Table:
            compiler.tables = tables
            out.clear()
            chain(compiler.env)
            return out

        self.run = run

    def _grouped(
        self, rule: ir.Rule, types: Sequence[str], ordered: list[Any], bound: set[str]
    ) -> Callable[[Mapping[str, Table]], Table]:
        compiler, out = self.compiler, self.out
        names = sorted(bound)
        found: set[tuple[Any, ...]] = set()
        slots = [compiler.slot(n) for n in names]
        chain = compiler.chain(ordered, set(), lambda env: found.add(tuple([env[s] for s in slots])))
        args = rule.head.args
        keys = [compiler.term(a) for a in args if a.__class__ is not ir.Fold]

        def run(tables: Mapping[str, Table]) -> Table:
            compiler.tables = tables
            found.clear()
            out.clear()
            chain(compiler.env)
            groups: dict[tuple[Any, ...], list[Any]] = {}
            for row in found:
                for slot, value in zip(slots, row, strict=True):
                    compiler.env[slot] = value
                groups.setdefault(tuple([k(compiler.env) for k in keys]), []).append(row)
            for group, rows in groups.items():
                rest = iter(group)
                made = []
                for arg, kind in zip(args, types, strict=True):
                    if not isinstance(arg, ir.Fold):
                        made.append(next(rest))
                        continue
                    at = names.index(arg.arg.name)
                    value = AGGREGATES[arg.fn].meaning([row[at] for row in rows])
                    made.append(float(value) if kind == "float" else value)
                out.add(tuple(made))
            return out

        return run
