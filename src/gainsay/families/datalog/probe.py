"""What to ask a target once, to learn which types, features, functors and aggregates it takes; and the canary, a
program with a known answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gainsay.core.model import Probe
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.language.ops import FUNCTORS, TESTS
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


def probes(dialect: Dialect) -> Iterator[Probe]:
    def probe(feature: str, program: ir.Program) -> Probe:
        return Probe(feature, (dialect.text(program),))

    n1, n2 = ("number",), ("number", "number")
    for kind in dialect.types:
        yield probe(f"type:{kind}", tiny((A1,), (X,), (kind,), (kind,)))
    programs = {
        "negation": tiny((A2, ir.Not(ir.Atom("a", (Y, X)))), (X,), n2, n1),
        "recursion": tiny(
            (A2,),
            (X, Y),
            n2,
            n2,
            rules=(ir.Rule(2, ir.Atom("p", (X, ir.Var("z"))), (ir.Atom("p", (X, Y)), ir.Atom("a", (Y, ir.Var("z"))))),),
        ),
        "wildcard": tiny((ir.Atom("a", (X, ir.Wild())),), (X,), n2, n1),
        "constant": tiny((ir.Atom("a", (X, ONE)),), (X,), n2, n1),
        "negated wildcard": tiny((A2, ir.Not(ir.Atom("a", (X, ir.Wild())))), (X,), n2, n1),
        "negated all": tiny((A2, ir.Not(ir.Atom("a", (ir.Wild(), ir.Wild())))), (X,), n2, n1),
        "disjunction": tiny((A1, ir.Either(((ir.Compare("<", X, ONE),), (ir.Compare(">", X, ONE),)))), (X,), n1, n1),
        "negated arm": tiny((A1, ir.Either(((ir.Compare("<", X, ONE),), (ir.Not(A1),)))), (X,), n1, n1),
        "order:symbol": tiny((A1, ir.Compare("<", X, ir.Const("b", "symbol"))), (X,), ("symbol",), ("symbol",)),
        "eqrel": tiny((A2,), (X, Y), n2, n2, marks=("eqrel",)),
        "choice": tiny((A2,), (X, Y), n2, n2, choice=((0,),)),
        "subtypes": tiny(
            (ir.Atom("a", (X,)),), (X,), ("T0",), n1, types=(ir.TypeDef("T0", "number"),), facts=(ir.Fact("a", (1,)),)
        ),
        "records": tiny((A1,), (ir.Record((X,)),), n1, ("R0",), types=(ir.TypeDef("R0", "", ("number",)),)),
        "subsumption": tiny((A1,), (X,), n1, n1, rules=(ir.Subsumes(2, "p", (X,), (Y,), (ir.Compare("<", X, Y),)),)),
        "plan": tiny((A1,), (X,), n1, n1, rules=(ir.Rule(2, ir.Atom("p", (X,)), (ir.Atom("p", (X,)), A1), ((2, 1),)),)),
    }
    for op in ("=", "!=", "<", "<=", ">", ">="):
        programs[f"compare:{op}"] = tiny((A2, ir.Compare(op, X, Y)), (X,), n2, n1)
    for feature, program in programs.items():
        if feature in dialect.features:
            yield probe(feature, program)
    for mark in dialect.marks:
        yield probe(f"mark:{mark}", tiny((A1,), (X,), n1, n1, marks=(mark,)))
    for pragma in dialect.pragmas:
        yield probe(f"pragma:{pragma}", tiny((A1,), (X,), n1, n1, pragmas=(pragma,)))
    for name, functor in FUNCTORS.items():
        if name in dialect.words and functor.result in dialect.types:
            call = ir.Call(name, tuple(ir.Var(f"x{i}") for i in range(len(functor.args))))
            given = tuple(
                0 if name == "substr" and k == "number" else "1" if name == "to_number" else VALUES[k]
                for k in functor.args
            )
            atom = ir.Atom("a", call.args)
            facts = (ir.Fact("a", given),)
            yield probe(
                f"functor:{name}",
                tiny((atom, ir.Compare("=", Y, call)), (Y,), functor.args, (functor.result,), facts=facts),
            )
    for name, test in TESTS.items():
        if name in dialect.words:
            args = tuple(ir.Var(f"x{i}") for i in range(len(test.args)))
            yield probe(f"test:{name}", tiny((ir.Atom("a", args), ir.Holds(name, args)), args, test.args, test.args))
    for fn in dialect.folds:
        kind = "float" if fn == "sum" and dialect.name == "cozo" else "number"
        yield probe(f"fold:{fn}", tiny((A2,), (X, ir.Fold(fn, Y)), n2, ("number", kind)))
    for fn in dialect.aggregates:
        inner = ir.Aggregate("z", fn, None if fn == "count" else Y, (ir.Atom("a", (X, Y)),))
        yield probe(f"aggregate:{fn}", tiny((ir.Atom("a", (X, ir.Wild())), inner), (X, ir.Var("z")), n2, n2))


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
