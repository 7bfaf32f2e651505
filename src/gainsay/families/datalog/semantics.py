"""What a program means: a naive, stratified evaluator. Small and obvious rather than fast; engines are judged by it.

A rule becomes a chain of closures, one for each literal, in an order in which every variable is bound before it is tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from gainsay.core import graph
from gainsay.core.tree import transform
from gainsay.families.datalog import ir
from gainsay.families.datalog.ops import AGGREGATES, COMPARE, FIT, FUNCTORS, TESTS, Undefined

Table = set[tuple[Any, ...]]
Tables = dict[str, Table]
Env = list[Any]
Next = Callable[[Env], None]

WORK = 60_000  # tuples looked at in one evaluation
ROWS = 400  # tuples of one relation
ROUNDS = 100  # DEOPT's Max_iter


class Unsafe(Exception):
    """A variable is used and never bound."""


class Unstratified(Exception):
    """Negation or an aggregate within a recursion."""


class TooBig(Exception):
    """More work than a test is worth, or no end in sight."""


class Limits:
    """How much one evaluation may cost."""

    __slots__ = ("rounds", "rows", "work")

    def __init__(self, rounds: int = ROUNDS, rows: int = ROWS, work: int = WORK) -> None:
        self.rounds = rounds
        self.rows = rows
        self.work = work


# --- variables -----------------------------------------------------------------------------------------------------------------------


def variables(node: Any) -> list[str]:
    """Names of the variables in a term, a literal or a sequence of them, in order, repeated as they are."""
    cls = node.__class__
    if cls is ir.Var:
        return [node.name]
    if cls is tuple or cls is list:
        return [name for part in node for name in variables(part)]
    if cls is ir.Atom or cls is ir.Call or cls is ir.Record or cls is ir.Holds:
        return variables(node.args)
    if cls is ir.Not:
        return variables(node.atom.args)
    if cls is ir.Compare:
        return variables(node.left) + variables(node.right)
    if cls is ir.Either:
        return [name for arm in node.arms for name in variables(arm)]
    if cls is ir.Aggregate:
        return [node.var, *variables(node.body)]
    if cls is ir.Fold:
        return [node.arg.name]
    return []


def patterns(terms: Iterable[Any]) -> set[str]:
    """Variables that an atom binds: those that stand alone or in a record, not those inside a functor."""
    found: set[str] = set()
    for term in terms:
        if term.__class__ is ir.Var:
            found.add(term.name)
        elif term.__class__ is ir.Record:
            found |= patterns(term.args)
    return found


def needed(terms: Iterable[Any]) -> set[str]:
    """Variables inside functors: they must be bound before."""
    found: set[str] = set()
    for term in terms:
        if term.__class__ is ir.Call:
            found |= set(variables(term))
        elif term.__class__ is ir.Record:
            found |= needed(term.args)
    return found


def binds(literal: Any, bound: set[str]) -> set[str] | None:
    """What is bound after a literal that is reached with `bound`; None where it can't be evaluated yet."""
    cls = literal.__class__
    if cls is ir.Atom:
        return None if needed(literal.args) - bound else bound | patterns(literal.args)
    if cls is ir.Compare:
        left, right = literal.left, literal.right
        open_right = set(variables(right)) - bound
        if not open_right:
            if not set(variables(left)) - bound:
                return bound
            if literal.op == "=" and left.__class__ is ir.Var:
                return bound | {left.name}
        elif literal.op == "=" and right.__class__ is ir.Var and not set(variables(left)) - bound:
            return bound | {right.name}
        return None
    if cls is ir.Not or cls is ir.Holds:
        return None if set(variables(literal)) - bound else bound
    if cls is ir.Either:
        after = []
        for arm in literal.arms:
            try:
                after.append(order(arm, bound)[1])
            except Unsafe:
                return None
        return set.intersection(*after) if after else bound
    if cls is ir.Aggregate:
        try:
            inside = order(literal.body, bound)[1]
        except Unsafe:
            return None
        return None if literal.target is not None and literal.target.name not in inside else bound | {literal.var}
    raise TypeError(cls)


def order(body: Sequence[Any], bound: Iterable[str] = ()) -> tuple[list[Any], set[str]]:
    """The literals in an order that binds before it tests: tests as early as they can be, else as written; and what is bound at the end."""
    have = set(bound)
    waiting = list(body)
    ordered: list[Any] = []
    # An aggregate fixes what the rest of the rule binds, so it comes last; nothing else may need what it binds sooner.
    waiting.sort(key=lambda lit: lit.__class__ is ir.Aggregate)
    while waiting:
        chosen = -1
        for index, literal in enumerate(waiting):
            after = binds(literal, have)
            if after is None:
                continue
            if chosen < 0 or after == have:
                chosen = index
            if after == have:
                break
        if chosen < 0:
            raise Unsafe(", ".join(sorted(set(variables(waiting)) - have)))
        literal = waiting.pop(chosen)
        have = binds(literal, have) or have
        ordered.append(literal)
    return ordered, have


# --- one rule ------------------------------------------------------------------------------------------------------------------------


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
            last = getattr(self, literal.__class__.__name__.lower())(literal, before, last)
        return last

    def match(self, args: Sequence[Any], bound: set[str]) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
        """How a tuple is compared with an atom's arguments: (position, value), (position, position), (position, slot), (position, pattern)."""
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
        left, right = literal.left, literal.right
        if literal.op == "=":
            for here, there in ((left, right), (right, left)):
                if here.__class__ is ir.Var and here.name not in bound:
                    slot, value = self.slot(here.name), self.term(there)

                    return binding(slot, value, then)
        test, one, two = COMPARE[literal.op], self.term(left), self.term(right)

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
            if not found and literal.fn in ("min", "max"):
                return
            values = [fixed(env)] * len(found) if fixed else [row[at] for row in found] if at >= 0 else list(found)
            value = fold(values)
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


setattr(Compiler, "not", Compiler.not_)


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
        parts = [compiler.term(a) for a in args]
        slots = [compiler.slots[a.name] for a in args if a.__class__ is ir.Var]

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

    def _grouped(self, rule: ir.Rule, types: Sequence[str], ordered: list[Any], bound: set[str]) -> Callable[[Mapping[str, Table]], Table]:
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
                    value = AGGREGATES[arg.fn]([row[at] for row in rows])
                    made.append(float(value) if kind == "float" else value)
                out.add(tuple(made))
            return out

        return run


# --- whole programs ------------------------------------------------------------------------------------------------------------------


def literals(body: Sequence[Any]) -> Iterable[Any]:
    """All literals of a body, those inside disjunctions too; not those inside aggregates."""
    for literal in body:
        if literal.__class__ is ir.Either:
            for arm in literal.arms:
                yield from literals(arm)
        else:
            yield literal


def uses(rule: ir.Rule | ir.Subsumes) -> list[tuple[str, str]]:
    """Which relations a rule depends on, and how: + through a positive atom, - through a negated one, ? through anything not monotone."""
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


def strata(rules: Sequence[ir.Rule | ir.Subsumes], unstratified: bool = False) -> list[list[str]]:
    """Relations in an order of evaluation: recursive ones together. Raises where negation or an aggregate is part of a recursion."""
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
        if unstratified and ("-", head, rel) in signs:
            continue
        if part_of.get(rel) == part_of[head]:
            raise Unstratified(f"{head} and {rel}")
    return parts


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
        sides = [(COMPARE[c.op], compiler.term(c.left), compiler.term(c.right)) for c in rule.body]
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

    def __init__(self, rels: Iterable[ir.Rel], facts: Iterable[ir.Fact], limits: Limits | None = None, unstratified: bool = False) -> None:
        self.rels = {rel.name: rel for rel in rels}
        self.limits = limits or Limits()
        self.unstratified = unstratified
        self.base: Tables = {name: set() for name in self.rels}
        for fact in facts:
            self.base[fact.rel].add(fact.values)
        self.tables: Tables = {name: (equivalence(rows) if "eqrel" in self.rels[name].marks else set(rows)) for name, rows in self.base.items()}
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


def evaluate(program: ir.Program, given: Iterable[ir.Fact] = (), limits: Limits | None = None) -> Tables:
    """All tables of a program; `given` is what its seed's relations hold."""
    return Evaluation((*program.rels, *program.seeded), (*program.facts, *given), limits).run(program.rules)
