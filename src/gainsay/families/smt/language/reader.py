"""Reads SMT-LIB: a script, one term, or a model that a solver printed.

Equal subterms become the same object, let and define-fun are expanded without losing what they share, and nothing here
recurses on the depth of a term. What can't be read raises `SmtError`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from gainsay.families.smt.language import sorts
from gainsay.families.smt.language.ir import Decl, Term
from gainsay.families.smt.language.sexpr import MALFORMED, Expr, SmtError, malformed, parse, parse_one, show
from gainsay.families.smt.language.sorts import Bound, Datatypes
from gainsay.families.smt.meaning import types
from gainsay.families.smt.meaning.types import Macro, Undo

# An expression, which part comes next, the values of the parts before it
Frame = tuple[tuple[Any, ...], int, list[Term]]

BINDERS = frozenset({"forall", "exists", "lambda", "witness"})
# Heads that are no operators. Those with a blank are made by us, a symbol can't have one.
SPECIAL = BINDERS | {"let", "let body", "!", "_", "as", "match", "match cases", "match case", "root-obj"}
IGNORED = re.compile(r"set-(option|logic)|get-.*|echo|minimize|maximize|assert-soft|simplify|display|eval|block-model")
CHECKS = frozenset({"check-sat", "check-sat-assuming", "check-sat-using"})
LARGEST = 5_000_000  # terms of one script; define-fun can double a term with each line


class Script(msgspec.Struct, frozen=True):
    """A script up to the first check-sat that has something to check, with the assertions that hold there.

    Assertions that were popped before are gone; what check-sat-assuming assumes counts as asserted. What comes later is
    not read."""

    logic: str
    decls: tuple[Decl, ...]
    sort_decls: tuple[tuple[str, int], ...]
    datatypes: Datatypes
    datatype_commands: tuple[str, ...]  # all sorts spelled out: what define-sort named is gone
    asserts: tuple[Term, ...]
    status: str  # the last that was said before that check-sat: sat, unsat, unknown, or empty
    is_incremental: bool  # there is push, pop, reset, or more than one check-sat
    commands: tuple[str, ...]  # each name once, in the order met


class Interpretation(msgspec.Struct, frozen=True):
    """What a model says of one symbol."""

    params: Bound
    sort: str
    body: Term


def read(text: str) -> Script:
    """Read a script."""
    reader = ScriptReader(parse(text))
    reader.run()
    return reader.script()


def read_term(text: str, decls: Iterable[Decl] = (), datatypes: Datatypes | None = None, logic: str = "") -> Term:
    """Read one term over declared symbols. Sorts may be any."""
    return Names((), {d.name: d for d in decls}, datatypes, logic).term(text)


def read_model(text: str, decls: Iterable[Decl] = (), datatypes: Datatypes | None = None) -> dict[str, Interpretation]:
    """Read what get-model printed.

    Symbols that a definition uses are expanded, unless they are recursive. An array that is printed as a function is a
    lambda. A number that is not rational is a term with the operator root-obj."""
    found = [expr for expr in parse(text) if isinstance(expr, tuple)]
    if len(found) != 1:
        raise SmtError(f"no model: {text[:80]!r}")
    declared = {d.name: d for d in decls}
    return ModelReader(Names((), declared, datatypes).builder, declared).read(found[0])


class Names:
    """What terms may be read over: commands that declare, as text, and declarations.
    Sorts that nobody declared are taken as they are."""

    def __init__(
        self,
        prelude: Iterable[str] = (),
        decls: Mapping[str, Decl] | None = None,
        datatypes: Datatypes | None = None,
        logic: str = "",
    ) -> None:
        self.builder = ScriptReader([("set-logic", logic), *(expr for text in prelude for expr in parse(text))])
        self.builder.sorts.is_lenient = True
        self.builder.run()
        self.builder.declare_datatypes(datatypes or {})
        for d in (decls or {}).values():
            self.builder.declare(d.name, d.args, d.sort)

    def term(self, text: str, sort: str = "") -> Term:
        """Read a term. With a sort, it must have it; an Int term becomes Real."""
        term = self.builder.term(parse_one(text))
        return self.builder.terms.fitted("the term's place", [term], (sort,))[0] if sort else term


class Builder(types.Scope):
    """Makes terms of expressions, in a scope of names."""

    def __init__(self, logic: str) -> None:
        super().__init__()
        self.functions: dict[str, tuple[tuple[str, ...], str]] = {}
        self.macros: dict[str, Macro] = {}
        self.constructors: dict[str, str] = {}
        self.sorts = sorts.SortTable()
        self.is_real = sorts.is_real_only(logic)
        self.is_model = False  # what solvers print has more than SMT-LIB

    def declare(self, name: str, args: tuple[str, ...], sort: str) -> None:
        if name in self.names or name in self.functions or name in self.macros:
            raise SmtError(f"{name} is declared twice")  # some solvers choose by the sorts of arguments
        self.taken.add(name)
        if args:
            self.functions[name] = args, sort
        else:
            self.names[name] = self.terms.leaf(name, sort)

    def declare_datatypes(self, datatypes: Datatypes) -> None:
        self.sorts.datatypes.update(datatypes)
        for sort, constructors in datatypes.items():
            for name, selectors in constructors.items():
                self.constructors[name] = sort
                self.declare(name, tuple(s for _, s in selectors), sort)
                for selector, result in selectors:
                    self.declare(selector, (sort,), result)

    def term(self, expr: Expr) -> Term:
        """The term of an expression. An explicit stack stands for recursion."""
        if isinstance(expr, str):
            return self.names.get(expr) or self.atom(expr)
        names, pool, special = self.names, self.terms.pool, SPECIAL
        stack: list[Frame] = []
        values: list[Term] = []
        current, i = self.enter(expr, [])
        while True:
            if i < len(current):
                item = current[i]
                i += 1
                if type(item) is str:
                    values.append(names.get(item) or self.atom(item))
                else:
                    stack.append((current, i, values))
                    is_plain = item and type(item[0]) is str and item[0] not in special
                    current, i = (item, 1) if is_plain else self.enter(item, values)
                    values = []
            else:
                head = current[0]
                if type(head) is str and head not in special:
                    value = pool.get((head, *map(id, values))) or self.make(head, values)
                else:
                    value = self.leave(current, values)
                if not stack:
                    return value
                current, i, values = stack.pop()
                values.append(value)

    def enter(self, expr: tuple[Any, ...], before: list[Term]) -> tuple[tuple[Any, ...], int]:
        """What to evaluate for an expression: its parts from an index on.
        `before` are the values that its parent has already."""
        if not expr:
            raise SmtError("() is no term")
        head = expr[0]
        if not isinstance(head, str) or head not in SPECIAL:
            return expr, 1
        if head == "let" and len(expr) == 3 and all(isinstance(b, tuple) and len(b) == 2 for b in expr[1]):
            return ("let", *(b[1] for b in expr[1]), ("let body", [b[0] for b in expr[1]], expr[2])), 1
        if head == "let body":
            return (head, self.bind(dict(zip(expr[1], before, strict=True))), expr[2]), 2
        if head in BINDERS and len(expr) == 3 and (self.is_model or head in ("forall", "exists")):
            return (head, self.bind_variables(self.sorts.read_variables(expr[1])), expr[2]), 2
        if head == "!" and len(expr) > 1:
            return (head, [expr[i + 1] for i in range(2, len(expr) - 1) if expr[i] == ":named"], expr[1]), 2
        if head == "match" and len(expr) == 3 and all(isinstance(case, tuple) and len(case) == 2 for case in expr[2]):
            return (head, expr[1], ("match cases", expr[2])), 1
        if head == "match cases":
            return (head, *(("match case", before[0], *case) for case in expr[1])), 1
        if head == "match case":
            return (head, self.bind_case(*expr[1:3]), expr[3]), 2
        if (head in ("_", "as") and len(expr) > 2) or (head == "root-obj" and self.is_model):
            return expr, len(expr)
        raise SmtError(f"not read here: {show(expr)[:80]}")

    def leave(self, expr: tuple[Any, ...], values: list[Term]) -> Term:
        """The term of an expression whose parts are known."""
        head = expr[0]
        if not isinstance(head, str):
            return self.make(self.head(head), values)
        if head in BINDERS:
            bound, undo = expr[1]
            self.unbind(undo, bound)
            return self.terms.app(head, values, types.binder_sort(head, bound, values[0]), bound)
        if head in ("_", "as"):
            return self.indexed(expr)
        if head == "root-obj":
            return self.terms.app(head, [self.terms.leaf(show(part), "Real") for part in expr[1:]], "Real")
        if head == "match cases":
            return self.choose(expr[1:], values)
        if head == "!":
            self.names.update(dict.fromkeys(expr[1], values[0]))
        elif head in ("let body", "match case"):
            self.unbind(expr[1])
        return values[-1]

    def bind_case(self, value: Term, pattern: Expr) -> Undo:
        """One case of match: its variables stand for what the selectors give."""
        name, *variables = (pattern,) if isinstance(pattern, str) else pattern
        selectors = self.sorts.datatypes.get(value.sort, {}).get(str(name))
        if selectors is None and not variables:
            return self.bind({str(name): value})
        if selectors is None or len(selectors) != len(variables):
            raise SmtError(f"no pattern for {value.sort}: {show(pattern)}")
        return self.bind(
            {str(v): self.terms.app(s, [value], sort) for v, (s, sort) in zip(variables, selectors, strict=True)}
        )

    def choose(self, cases: Sequence[Any], values: Sequence[Term]) -> Term:
        """The cases of match as nested ite; the last one needs no test."""
        chosen = values[-1]
        for (_, value, pattern, _), result in reversed(list(zip(cases[:-1], values, strict=False))):
            name = pattern if isinstance(pattern, str) else pattern[0]
            test = self.make(f"(_ is {name})", [value]) if name in self.constructors else self.term("true")
            chosen = self.make("ite", [test, result, chosen])
        return chosen

    def atom(self, token: str) -> Term:
        """A symbol that is no name in scope: a literal, or a constant of the theories."""
        if self.is_model and re.fullmatch(r"-?\d+\.\d{6}", token):
            # Yices prints algebraic numbers cut off after six digits, and rational ones never as decimals with more
            # than one.
            return self.terms.app("root-obj", [self.terms.leaf(token, "Real")], "Real")
        if re.fullmatch(r"-\d+(\.\d+)?", token):
            return self.make("-", [self.term(token[1:])])
        op = types.RENAMED.get(token, token)
        if self.is_real and op.isdecimal():
            op += ".0"
        sort = types.literal_sort(op)
        if self.is_model and not sort and (found := re.fullmatch(r"@uc_(.+)_\d+", token)):
            sort = found[1]  # how CVC4 writes the values of a declared sort
        if not sort:
            raise SmtError(
                f"{token} needs arguments"
                if token in self.functions or token in self.macros
                else f"unknown symbol {token}"
            )
        leaf = self.names[token] = self.terms.leaf(op, sort)
        return leaf

    def indexed(self, expr: tuple[Any, ...]) -> Term:
        """(_ bv5 8), (as nil List) and the like, where they are whole terms."""
        head, name, rest = expr[0], expr[1], expr[2]
        if head == "as" and name in self.names:
            return self.names[name]
        if head == "as" and name.startswith("@"):  # a solver's value of a declared sort
            sort = self.sorts.read(rest)
            return self.terms.leaf(f"(as {name} {sort})", sort)
        if name == "char":
            return self.terms.leaf(f'"\\u{{{rest[2:]}}}"', "String")
        if name == "real_algebraic_number":
            return self.terms.app("root-obj", [self.terms.leaf(show(expr), "Real")], "Real")
        if name == "as-array" and self.is_model:
            return self.as_array(rest)
        op = show(expr)
        return self.terms.leaf(op, types.result_sort(op))

    def as_array(self, name: str) -> Term:
        """The array that holds a function's values: a lambda."""
        macro = self.macros.get(name)
        if macro is None or len(macro.params) != 1:
            raise SmtError(f"unknown symbol {name}")
        pair = self.fresh(macro.params[0].op), macro.params[0].sort
        body = self.expand(macro, [self.terms.leaf(*pair)])
        return self.terms.app("lambda", [body], sorts.array(pair[1], body.sort), (pair,))

    def head(self, expr: tuple[Any, ...]) -> str:
        """The operator that an indexed or qualified head is."""
        if len(expr) == 3 and expr[0] == "as":
            return f"(as const {self.sorts.read(expr[2])})" if expr[1] == "const" else str(expr[1])
        if len(expr) < 3 or expr[0] != "_":
            raise SmtError(f"no operator: {show(expr)[:80]}")
        return show(expr)

    def make(self, op: str, values: Sequence[Term]) -> Term:
        """An application, by what the operator is: a macro, a declared function, a tester, or one of the theories."""
        if op in self.macros:
            macro = self.macros[op]
            made = self.expand(macro, self.terms.fitted(op, values, tuple(p.sort for p in macro.params)))
            if macro.binders:
                return made  # how its variables are called depends on the place
        elif op in self.functions:
            args, sort = self.functions[op]
            made = self.terms.app(op, self.terms.fitted(op, values, args), sort)
        elif op.startswith("(_ is ") or (op.startswith("is-") and op[3:] in self.constructors):
            name = op[3:] if op.startswith("is-") else op[6:-1]
            made = self.terms.app(
                f"(_ is {name})", self.terms.fitted(op, values, (self.constructors.get(name, "?"),)), "Bool"
            )
        else:
            made = self.terms.built_in(op, values)
        self.terms.pool[op, *map(id, values)] = made
        return made

    def define(self, name: str, variables: Expr, sort: Expr, body: Expr) -> Interpretation:
        """Define a function, or a constant, by a term."""
        bound, undo = self.bind_variables(self.sorts.read_variables(variables)) if variables else ((), [])
        (value,) = self.terms.fitted(f"the definition of {name}", [self.term(body)], (self.sorts.read(sort),))
        self.unbind(undo, bound)
        if bound:
            self.macros[name] = self.terms.macro(bound, value)
        else:
            self.names[name] = value
        return Interpretation(bound, value.sort, value)

    def expand(self, macro: Macro, values: Sequence[Term]) -> Term:
        """A macro's body with values for its parameters, and with new names for variables that would capture others."""
        if len(self.terms.pool) > LARGEST:
            raise SmtError(f"more than {LARGEST} terms when definitions are expanded")
        return self.terms.expanded(macro, values, [self.terms.leaf(self.fresh(v.op), v.sort) for v in macro.binders])


class ScriptReader(Builder):
    """Runs the commands of a script, up to the first check that has something to check."""

    def __init__(self, commands: Iterable[Expr]) -> None:
        self.todo = [c for c in commands if isinstance(c, tuple) and c and isinstance(c[0], str)]
        self.logic = next((str(c[1]) for c in self.todo if c[0] == "set-logic" and len(c) == 2), "")
        super().__init__(self.logic)
        self.taken.update(name for c in self.todo for name in types.declared(c))
        self.decls: list[Decl] = []
        self.asserts: list[Term] = []
        self.datatype_commands: list[str] = []
        self.status = ""
        self.levels: list[tuple[Any, ...]] = []

    def run(self) -> None:
        for command in self.todo:
            name = str(command[0])
            try:
                if name == "exit" or (name in CHECKS and self.is_checked(command)):
                    return
                if name not in CHECKS:
                    self.obey(name, command)
            except MALFORMED as error:
                raise malformed(error, command) from error

    def script(self) -> Script:
        names = [str(c[0]) for c in self.todo]
        is_incremental = (
            any(n in ("push", "pop", "reset", "reset-assertions") for n in names) or sum(n in CHECKS for n in names) > 1
        )
        return Script(
            self.logic, tuple(self.decls), tuple(self.sorts.declared.items()), self.sorts.datatypes,
            tuple(self.datatype_commands),
            tuple(self.asserts), self.status, is_incremental, tuple(dict.fromkeys(names)),
        )  # fmt: skip

    def is_checked(self, command: tuple[Any, ...]) -> bool:
        if command[0] == "check-sat-assuming":
            self.asserts.extend(self.boolean(assumed) for assumed in command[1])
        return bool(self.asserts)

    def boolean(self, expr: Expr) -> Term:
        term = self.term(expr)
        if term.sort != "Bool":
            raise SmtError(f"asserted, but of sort {term.sort}: {show(expr)[:80]}")
        return term

    def obey(self, name: str, command: tuple[Any, ...]) -> None:
        """Take a command into account."""
        if name == "assert":
            self.asserts.append(self.boolean(command[1]))
        elif name == "declare-fun" or name == "declare-const":
            args = tuple(map(self.sorts.read, command[2])) if name == "declare-fun" else ()
            self.decls.append(Decl(command[1], self.sorts.read(command[-1]), args))
            self.declare(command[1], args, self.decls[-1].sort)
        elif name == "define-fun" or name == "define-const":
            self.define(command[1], command[2] if name == "define-fun" else (), *command[-2:])
        elif name == "declare-sort":
            self.sorts.declared[command[1]] = int((*command, "0")[2])
        elif name == "define-sort":
            self.sorts.defined[command[1]] = command[2], command[3]
        elif name == "declare-datatype" or name == "declare-datatypes":
            new = self.sorts.read_datatypes(command)
            self.declare_datatypes(new)
            self.datatype_commands.append(sorts.datatypes_text(new))
        elif name == "push" or name == "pop":
            for _ in range(int((*command, "1")[1])):
                self.push() if name == "push" else self.pop()
        elif name == "reset-assertions":
            self.asserts, self.levels = [], []
        elif name == "reset":
            ScriptReader.__init__(self, self.todo)  # all is forgotten
        elif name == "set-info":
            self.status = str(command[2]) if command[1] == ":status" else self.status
        elif not IGNORED.fullmatch(name):
            raise SmtError(f"command {name} is not read")

    def push(self) -> None:
        tables = [dict(table) for table in (self.names, self.functions, self.macros, self.constructors)]
        self.levels.append((tables, self.sorts.copy(), len(self.decls), len(self.asserts), len(self.datatype_commands)))

    def pop(self) -> None:
        if not self.levels:
            raise SmtError("pop without push")
        tables, self.sorts, decls, asserts, datatypes = self.levels.pop()
        if [*self.functions, *self.macros] != [*tables[1], *tables[2]]:
            self.terms.pool.clear()  # a name may come again and mean something else
        self.names, self.functions, self.macros, self.constructors = tables
        del self.decls[decls:], self.asserts[asserts:], self.datatype_commands[datatypes:]


class ModelReader:
    """Reads the definitions of a model. Those that need others wait for them."""

    def __init__(self, builder: Builder, declared: Mapping[str, Decl]) -> None:
        self.builder = builder
        self.builder.is_model = True
        self.declared = declared
        self.found: dict[str, Interpretation] = {}

    def read(self, model: tuple[Expr, ...]) -> dict[str, Interpretation]:
        """The definitions of a model, also where one uses another that comes later."""
        commands = [c for c in model if isinstance(c, tuple) and c]
        for c in commands:
            if c[0] == "declare-fun" and len(c) == 4 and c[1] not in self.builder.names:
                self.builder.declare(str(c[1]), (), self.builder.sorts.read(c[3]))
        waiting = [c for c in commands if c[0] in ("define-fun", "define-fun-rec", "define-const")]
        while waiting:
            left = [(c, error) for c in waiting if (error := self.trouble(c))]
            if len(left) == len(waiting):
                raise left[0][1]
            waiting = [c for c, _ in left]
        return {str(c[1]): self.found[str(c[1])] for c in commands if str(c[1]) in self.found}

    def trouble(self, command: tuple[Any, ...]) -> SmtError | None:
        """Read one definition, or say what it lacks."""
        b = self.builder
        scope = dict(b.names)
        name, variables = str(command[1]), command[2] if len(command) == 5 else ()
        is_recursive = command[0] == "define-fun-rec" and variables
        try:
            if is_recursive:
                b.functions[name] = tuple(b.sorts.read(v[1]) for v in variables), b.sorts.read(command[-2])
            self.found[name] = self.as_declared(name, b.define(name, variables, *command[-2:]))
        except MALFORMED as error:
            b.names = scope
            b.active.clear()
            return malformed(error, command)
        if is_recursive:
            del b.macros[name]
        return None

    def as_declared(self, name: str, made: Interpretation) -> Interpretation:
        """Yices prints an array as a function of its index: (define-fun a ((x Int)) Int 0) for a of sort (Array Int
        Int)."""
        decl = self.declared.get(name)
        if decl is None or decl.args or not made.params:
            return made
        body, sort = made.body, made.sort
        for pair in reversed(made.params):
            sort = sorts.array(pair[1], sort)
            body = self.builder.terms.app("lambda", [body], sort, (pair,))
        return Interpretation((), sort, body)
