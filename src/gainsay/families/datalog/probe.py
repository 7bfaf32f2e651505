"""What to ask a target once, to learn which types, features, functors and aggregates it takes; and the canary, a
program with a known answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gainsay.core.model import Probe
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.language.ops import AGGREGATES, COMPARISONS, FUNCTORS, TESTS
from gainsay.families.datalog.language.writer import Dialect

VALUES: dict[str, Any] = {"number": 1, "unsigned": 1, "float": 0.5, "symbol": "a", "any": None}


def tiny(
    body: tuple[Any, ...], head: tuple[Any, ...], kinds: tuple[str, ...], made: tuple[str, ...], **more: Any
) -> ir.Program:
    """p(v) for an input a, and an output by one rule."""
    marks = more.pop("marks", ())
    choice = more.pop("choice", ())
    rules = more.pop("rules", ())
    types = more.pop("types", ())
    facts = more.pop("facts", (ir.Fact("a", tuple(VALUES.get(k) for k in kinds)),))
    middle = ir.Rel("p", made, marks, choice)
    out = ir.Rel("out", made)
    passed = tuple(ir.Var(f"x{i}") for i in range(len(made)))
    return ir.Program(
        types,
        (ir.Rel("a", kinds), middle, out),
        facts,
        (ir.Rule(1, ir.Atom("p", head), body), *rules, ir.Rule(9, ir.Atom("out", passed), (ir.Atom("p", passed),))),
        "out",
        **more,
    )


X, Y = ir.Var("x"), ir.Var("y")
A1 = ir.Atom("a", (X,))
A2 = ir.Atom("a", (X, Y))
ONE = ir.Const(1, "number")
N1, N2 = ("number",), ("number", "number")


def probes(dialect: Dialect) -> Iterator[Probe]:
    """A tiny program for each thing that the dialect can say."""
    programs: dict[str, ir.Program] = {f"type:{kind}": tiny((A1,), (X,), (kind,), (kind,)) for kind in dialect.types}
    programs |= {name: program for name, program in forms().items() if name in dialect.features}
    programs |= {f"mark:{mark}": tiny((A1,), (X,), N1, N1, marks=(mark,)) for mark in dialect.marks}
    programs |= {f"pragma:{p}": tiny((A1,), (X,), N1, N1, pragmas=(p,)) for p in dialect.pragmas}
    programs |= calls(dialect)
    programs |= counts(dialect)
    for feature, program in programs.items():
        yield Probe(feature, (dialect.text(program),))


def forms() -> dict[str, ir.Program]:
    """By feature: a program that needs it."""
    found = {
        "negation": tiny((A2, ir.Not(ir.Atom("a", (Y, X)))), (X,), N2, N1),
        "recursion": tiny(
            (A2,),
            (X, Y),
            N2,
            N2,
            rules=(ir.Rule(2, ir.Atom("p", (X, ir.Var("z"))), (ir.Atom("p", (X, Y)), ir.Atom("a", (Y, ir.Var("z"))))),),
        ),
        "wildcard": tiny((ir.Atom("a", (X, ir.Wild())),), (X,), N2, N1),
        "constant": tiny((ir.Atom("a", (X, ONE)),), (X,), N2, N1),
        "negated wildcard": tiny((A2, ir.Not(ir.Atom("a", (X, ir.Wild())))), (X,), N2, N1),
        "negated all": tiny((A2, ir.Not(ir.Atom("a", (ir.Wild(), ir.Wild())))), (X,), N2, N1),
        "disjunction": tiny((A1, ir.Either(((ir.Compare("<", X, ONE),), (ir.Compare(">", X, ONE),)))), (X,), N1, N1),
        "negated arm": tiny((A1, ir.Either(((ir.Compare("<", X, ONE),), (ir.Not(A1),)))), (X,), N1, N1),
        "order:symbol": tiny((A1, ir.Compare("<", X, ir.Const("b", "symbol"))), (X,), ("symbol",), ("symbol",)),
        "eqrel": tiny((A2,), (X, Y), N2, N2, marks=("eqrel",)),
        "choice": tiny((A2,), (X, Y), N2, N2, choice=((0,),)),
        "subtypes": tiny(
            (ir.Atom("a", (X,)),), (X,), ("T0",), N1, types=(ir.TypeDef("T0", "number"),), facts=(ir.Fact("a", (1,)),)
        ),
        "records": tiny((A1,), (ir.Record((X,)),), N1, ("R0",), types=(ir.TypeDef("R0", "", ("number",)),)),
        "subsumption": tiny((A1,), (X,), N1, N1, rules=(ir.Subsumes(2, "p", (X,), (Y,), (ir.Compare("<", X, Y),)),)),
        "plan": tiny((A1,), (X,), N1, N1, rules=(ir.Rule(2, ir.Atom("p", (X,)), (ir.Atom("p", (X,)), A1), ((2, 1),)),)),
    }
    for op in COMPARISONS:
        found[f"compare:{op}"] = tiny((A2, ir.Compare(op, X, Y)), (X,), N2, N1)
    return found


def calls(dialect: Dialect) -> dict[str, ir.Program]:
    """A call of each functor and each test that the dialect has words for."""
    found = {}
    for name, functor in FUNCTORS.items():
        if name in dialect.words and functor.result in dialect.types:
            call = ir.Call(name, tuple(ir.Var(f"x{i}") for i in range(len(functor.args))))
            body = (ir.Atom("a", call.args), ir.Compare("=", Y, call))
            facts = (ir.Fact("a", functor.sample or tuple(VALUES[k] for k in functor.args)),)
            found[f"functor:{name}"] = tiny(body, (Y,), functor.args, (functor.result,), facts=facts)
    for name, test in TESTS.items():
        if name in dialect.words:
            args = tuple(ir.Var(f"x{i}") for i in range(len(test.args)))
            found[f"test:{name}"] = tiny((ir.Atom("a", args), ir.Holds(name, args)), args, test.args, test.args)
    return found


def counts(dialect: Dialect) -> dict[str, ir.Program]:
    """Each aggregate, in a head and in a body."""
    found = {}
    for fn in dialect.folds:
        row = AGGREGATES[fn]
        kind = (not (row.counts or row.chooses) and dialect.sum_type) or "number"
        found[f"fold:{fn}"] = tiny((A2,), (X, ir.Fold(fn, Y)), N2, ("number", kind))
    for fn in dialect.aggregates:
        inner = ir.Aggregate("z", fn, None if AGGREGATES[fn].counts else Y, (ir.Atom("a", (X, Y)),))
        found[f"aggregate:{fn}"] = tiny((ir.Atom("a", (X, ir.Wild())), inner), (X, ir.Var("z")), N2, N2)
    return found


def canary(dialect: Dialect) -> tuple[str, list[tuple[int, ...]]]:
    """A program with recursion and its answer: an engine that gets this wrong, or says nothing, is not to be trusted
    with anything."""
    z = ir.Var("z")
    program = ir.Program(
        (),
        (ir.Rel("edge", ("number", "number")), ir.Rel("path", ("number", "number"))),
        tuple(ir.Fact("edge", row) for row in ((1, 2), (2, 3), (5, 1))),
        (
            ir.Rule(1, ir.Atom("path", (X, Y)), (ir.Atom("edge", (X, Y)),)),
            ir.Rule(2, ir.Atom("path", (X, z)), (ir.Atom("path", (X, Y)), ir.Atom("edge", (Y, z)))),
        ),
        "path",
    )
    return dialect.text(program), [(1, 2), (1, 3), (2, 3), (5, 1), (5, 2), (5, 3)]


PARTIES, MEMBERS = 7, 5


def long_program(dialect: Dialect) -> ir.Program:
    """Eight who know each other, of seven parties in which nobody knows another: there are none, and a join that looks
    for them goes through some 4 * 10^8 groups of seven."""
    people = range(1, PARTIES * MEMBERS + 1)
    facts = tuple(ir.Fact("a", (x, y)) for x in people for y in people if x % PARTIES != y % PARTIES)
    group = [ir.Var(f"x{i}") for i in range(PARTIES + 1)]
    body = [ir.Atom("a", (group[i], group[j]), PARTIES * j + i) for j in range(PARTIES + 1) for i in range(j)]
    kind = next((t for t in dialect.types if t in ("number", "any")), "number")
    return tiny(tuple(body), (group[0],), (kind, kind), (kind,), facts=facts)
