"""What to ask a solver once: the logics, operators, sorts and commands that it takes; and a canary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gainsay.core.draw import Draw
from gainsay.core.model import Probe
from gainsay.families.smt.drawing import vocabulary
from gainsay.families.smt.drawing.expressions import Grower
from gainsay.families.smt.drawing.scenes import table_of
from gainsay.families.smt.language import logics, ops, scripts
from gainsay.families.smt.language.ir import Decl, Scene, Term
from gainsay.families.smt.language.logics import LOGICS
from gainsay.families.smt.meaning.scene_cache import SceneCache

SAMPLE: dict[str, str] = {
    "bv": "(_ BitVec 8)", "int": "Int", "real": "Real", "fp": "(_ FloatingPoint 8 "
        "24)", "str": "String", "sort": "U", "dt": "E",
}  # fmt: skip
SAMPLES = {"B": "BV", "F": "FP", "D": "E"}  # what `kind` calls them
CANARY = (
    "(reset)\n(set-logic {logic})\n(declare-fun a () Bool)\n(assert a)\n(check-sat)\n(push 1)\n(assert (not "
    "a))\n(check-sat)\n(pop 1)"
)
PLAIN = "(reset)\n(set-logic {logic})\n(declare-fun a () Bool)\n(assert a)\n(check-sat)"
HOMES = ("QF_UF", "QF_BV")


def canary() -> tuple[Sequence[str], list[tuple[Any, ...]]]:
    """Two verdicts that are known: a solver that has no push is asked for one of them."""
    return tuple(CANARY.format(logic=h) for h in HOMES), [("sat",), ("unsat",)]


def vocabulary_of(logic: str) -> tuple[SceneCache, list[str]]:
    """A small vocabulary that has every sort of a logic."""
    theories = LOGICS[logic].theories
    sorts = ["Bool", *(SAMPLE[t] for t in SAMPLE if t in theories)] + (["RoundingMode"] if "fp" in theories else [])
    table: Any = {}
    prelude = ["(declare-sort U 0)"] if "sort" in theories else []
    if "dt" in theories:
        texts, table = vocabulary.datatypes("Int" if "int" in theories else "E")
        prelude += texts
        sorts += [s for s in table if s not in sorts]
    if "bv" in theories:
        sorts += ["(_ BitVec 1)", "(_ BitVec 4)"]
    if "array" in theories:
        element = next(s for s in sorts if s not in ("Bool", "RoundingMode"))
        sorts.append(f"(Array {element} {element})")
    decls = [Decl(f"{letter}{n}", s) for n, s in enumerate(sorts) for letter in "xy"]
    if "uf" in theories:
        plain = next((s for s in reversed(sorts) if "Array" not in s), "Bool")
        decls.append(Decl("f", plain, (plain, "Bool")))
    return SceneCache(Scene(logic, tuple(decls), tuple(prelude), table_of(table))), sorts


def asked(cache: SceneCache, terms: Sequence[Term]) -> str:
    return scripts.one_shot(cache, [scripts.assertion(t) for t in terms], terms, scripts.CHECK)


def logic_probe(name: str) -> str:
    """A script that uses what a logic has: constants of its sorts, functions, quantifiers."""
    cache, _ = vocabulary_of(name)
    names = [Term(d.name, (), d.sort) for d in cache.scene.decls if not d.args]
    terms = [Term("distinct", (one, two)) for one, two in zip(names[::2], names[1::2], strict=True)]
    own = [n for d in cache.scene.decls if d.args for n in names if n.sort == d.sort][:1]
    terms += [Term("distinct", (Term("f", (n, Term("x0")), n.sort), n)) for n in own]
    if "quant" in LOGICS[name].theories:
        inner = Term("forall", (Term("or", (Term("q"), Term("r"), Term("x0"))),), "Bool", (("r", "Bool"),))
        outer = Term("exists", (inner,), "Bool", (("q", "Bool"),))
        # Both ways round, and not at the top: some solvers take exists/forall problems only.
        terms += [Term("or", (outer, Term("y0"))), Term("or", (Term("not", (outer,)), Term("x0")))]
    return asked(cache, terms)


def homes(form: ops.Form) -> list[str]:
    """Logics in which a form can be asked, those with few theories first."""
    found = [
        n for n, logic in LOGICS.items() if form.theories <= logic.theories and not logic.is_difference and n != "ALL"
    ]
    return [*sorted(found, key=lambda n: (len(LOGICS[n].theories), n))[:4], "ALL"]


def form_texts(form: ops.Form, result: str) -> Iterator[str]:
    """Scripts that use a form, one for each logic that has it."""
    for name in homes(form):
        cache, sorts = vocabulary_of(name)
        sort = next((s for s in sorts if kind(s) == result), result if result in ("RegLan", "String") else None)
        if sort is None:
            continue
        grower = Grower(
            Draw(1),
            logics.find(name, LOGICS[name].theories),
            cache.scene.decls,
            sorts,
            cache.datatypes,
            lambda feature: True,
        )
        term = next(
            (
                t
                for t in (
                    form.make(grower, s, 0)
                    for s in dict.fromkeys((sort, *(s for s in sorts if kind(s) == result)))
                    for _ in range(9)
                )
                if t
            ),
            None,
        )
        if term is not None:
            yield asked(cache, [formula(term)])


def kind(sort: str) -> str:
    return (
        "BV"
        if sort.startswith("(_ BitVec")
        else "FP"
        if sort.startswith("(_ Floa")
        else "Array"
        if sort.startswith("(Array")
        else sort
    )


def formula(term: Term) -> Term:
    if term.sort == "Bool":
        return term
    if term.sort == "RegLan":
        return Term("str.in_re", (Term('"a"', (), "String"), term))
    return Term("=", (term, term))


def probes() -> Iterator[Probe]:
    """What to ask a solver once: logics, operators, formats, ways of asking."""
    for name in LOGICS:
        yield Probe(f"logic:{name}", (logic_probe(name),))
    seen = set()
    for result in ops.RESULTS:
        for form in ops.forms(result):
            if form.theories and form.op not in seen:
                seen.add(form.op)
                yield Probe(f"op:{form.op}", tuple(form_texts(form, SAMPLES.get(result, result))), (), True)
    for op in ("div", "mod", "abs", "divisible"):
        term = "((_ divisible 3) x)" if op == "divisible" else f"(= y ({op} x))" if op == "abs" else f"(= y ({op} x 3))"
        lines = f"(declare-fun x () Int)\n(declare-fun y () Int)\n(assert (< 7 (* x y)))\n(assert {term})"
        yield Probe(f"op:{op} nonlinear", (f"(reset)\n(set-logic QF_NIA)\n{lines}\n(check-sat)",))
    for sort in vocabulary.FORMATS:
        x = f"(declare-fun x () {sort})\n(declare-fun y () {sort})\n(assert (= y (fp.add RNE x y)))"
        yield Probe(f"op:{sort}", (f"(reset)\n(set-logic QF_FP)\n{x}\n(check-sat)",))
    yield Probe("mode:incremental", tuple(CANARY.format(logic=h) for h in HOMES), (), True)
    yield Probe("mode:incremental quant", (CANARY.format(logic="BV").replace("(assert a)", f"(assert {QUANTIFIED})"),))
    yield Probe(
        "mode:assuming",
        tuple(PLAIN.format(logic=h).replace("(check-sat)", "(check-sat-assuming (a))") for h in HOMES),
        (),
        True,
    )
    yield Probe("mode:core", tuple(named(h) for h in HOMES), (), True)
    yield Probe(
        "mode:reset",
        tuple(PLAIN.format(logic=h).replace("(declare", "(reset-assertions)\n(declare") for h in HOMES),
        (),
        True,
    )
    options = "(reset)\n(set-option :produce-models true)\n(set-option :random-seed 17)"
    yield Probe("mode:options", tuple(PLAIN.format(logic=h).replace("(reset)", options) for h in HOMES), (), True)
    yield Probe(
        "mode:tactic",
        tuple(PLAIN.format(logic=h).replace("(check-sat)", "(check-sat-using (then simplify smt))") for h in HOMES),
        (),
        True,
    )
    load = "(set-logic {logic})\n(declare-fun a () Bool)\n(define-fun b () Bool {body})"
    asking_ = "(push 1)\n(assert b)\n(check-sat)\n(pop 1)"
    yield Probe("mode:resident", (asking_, asking_), (load.format(logic="QF_BV", body="(not a)"),))
    yield Probe("mode:resident quant", (asking_, asking_), (load.format(logic="BV", body=QUANTIFIED),))


QUANTIFIED = "(and (exists ((q (_ BitVec 2))) (forall ((r (_ BitVec 2))) (or a (bvule q r)))) (or a (not a)))"


def named(logic: str) -> str:
    return (
        f"(reset)\n(set-option :produce-unsat-cores true)\n(set-logic {logic})\n(declare-fun a () Bool)\n"
        "(assert (! a :named n0_))\n(assert (! (not a) :named n1_))\n(check-sat)\n(get-unsat-core)"
    )
