"""A scene from a seed: a model of its assertions (or of their negation) by a helper, a solver that is not under test;
values by our own evaluation.

Any assignment would do (Algorithm 1 takes a random one). The helper's model makes the seed's assertions true together;
where there is no helper, or it gives up, values are drawn. Predicates that we can't evaluate are valued by the helper,
asked both ways under the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from gainsay.core.answer import Decision
from gainsay.core.draw import Draw
from gainsay.core.family import Growth
from gainsay.core.model import HELPER, Step
from gainsay.families.smt.drawing import fragments, scenes, seeds, vocabulary
from gainsay.families.smt.drawing.lexicon import Lexicon
from gainsay.families.smt.drawing.pool import declared, free_prefix
from gainsay.families.smt.language import reader, writer
from gainsay.families.smt.language.ir import Decl, Term
from gainsay.families.smt.language.sexpr import SmtError
from gainsay.families.smt.language.sorts import BUILT_IN
from gainsay.families.smt.meaning.scene_cache import written
from gainsay.families.smt.meaning.semantics import Datatypes, Evaluation, Function, is_free
from gainsay.families.smt.meaning.values import Undetermined

MOST = 400  # predicates of a seed that are kept
HELPED = 24  # predicates that a helper values


def grow(draw: Draw, lexicon: Lexicon, seed: seeds.Seed, helper: str) -> Growth:
    """Make a scene of a seed: its fragments with their values under a model, which a helper may give."""
    script = seeds.script_of(seed.path)
    datatypes: Datatypes = script.datatypes
    model = vocabulary.interpretations(draw, script.decls, datatypes)
    if helper:
        found = yield from modelled(script)
        model.update({n: v for d in script.decls for n, v in given(d, found, datatypes)})
    known, unknown = fragments.valued(script.asserts, Evaluation(model, datatypes), lexicon.d_max)
    if len(known) > MOST:
        known = draw.sample(known, MOST)
    base = seeds.base(script, seed.name)
    if (
        helper
        and unknown
        and not any(is_free(s, datatypes) for d in script.decls for s in (*d.args, d.sort))
        and not script.sort_decls
    ):
        helped = yield from valued(script, model, datatypes, unknown[:HELPED])
        if helped:
            known = [*known, *helped]
            base = msgspec.structs.replace(base, valued_by=helper)
    return scenes.assembled(draw, lexicon, base, model, known)


def modelled(script: reader.Script) -> Any:
    """The helper's model of a seed; of its negation where it has none."""
    defs, texts = writer.define(script.asserts, free_prefix([d.name for d in script.decls], "d"))
    lines = [
        *seeds.head(script),
        *(declared(d) for d in script.decls),
        *(f"(define-fun {n} () {s} {b})" for n, s, b in defs),
    ]
    answer = yield Step(
        "seed", "\n".join(["(reset)", *lines, *(f"(assert {t})" for t in texts), "(check-sat)", "(get-model)"]), HELPER
    )
    if isinstance(answer, Decision) and answer.verdict == "unsat":
        negated = f"(assert (not (and true {' '.join(texts)})))"
        answer = yield Step("negation", "\n".join(["(reset)", *lines, negated, "(check-sat)", "(get-model)"]), HELPER)
    if not isinstance(answer, Decision) or answer.verdict != "sat" or not answer.model:
        return {}
    try:
        return reader.read_model(answer.model, script.decls, script.datatypes)
    except SmtError:
        return {}


def given(decl: Decl, found: Mapping[str, reader.Interpretation], datatypes: Datatypes) -> list[tuple[str, Any]]:
    """A symbol's interpretation in a helper's model; nothing where it is of a kind that we can't hold as a table."""
    definition = found.get(decl.name)
    if definition is None:
        return []
    ground = Evaluation({}, datatypes, False)
    try:
        if not decl.args:
            return [(decl.name, own(ground.value(definition.body), decl.sort, datatypes))]
        return (
            [(decl.name, table(definition, ground))]
            if not any(is_free(s, datatypes) for s in (*decl.args, decl.sort))
            else []
        )
    except Undetermined:
        return []


def own(value: Any, sort: str, datatypes: Datatypes) -> Any:
    """Elements of uninterpreted sorts have names of ours; arrays and datatypes of them are not taken over."""
    if is_free(sort, datatypes):
        digits = "".join(c for c in str(value) if c.isdigit())
        return f"{sort}!{int(digits or 0) % vocabulary.ELEMENTS}"
    parts = sort.replace("(", " ").replace(")", " ").split()
    if any(
        is_free(p, datatypes) and p not in ("Array", "_", "BitVec", "FloatingPoint") and not p.isdigit()
        for p in parts
        if p not in BUILT_IN
    ):
        raise Undetermined
    return value


def table(definition: reader.Interpretation, ground: Evaluation) -> Function:
    """(ite (and (= x 1) (= y 2)) v rest) as a table."""
    names = [n for n, _ in definition.params]
    entries: dict[tuple[Any, ...], Any] = {}
    body = definition.body
    while body.op == "ite":
        condition = body.args[0]
        tests = condition.args if condition.op == "and" else (condition,)
        fixed: dict[str, Any] = {}
        for test in tests:
            if test.op != "=" or len(test.args) != 2 or test.args[0].op not in names:
                raise Undetermined
            fixed[test.args[0].op] = ground.value(test.args[1])
        if set(fixed) != set(names):
            raise Undetermined
        entries.setdefault(tuple(fixed[n] for n in names), ground.value(body.args[1]))
        body = body.args[2]
    return Function(entries, ground.value(body))


def fixed_symbols(script: reader.Script, model: Mapping[str, Any], datatypes: Datatypes) -> list[str]:
    """Every symbol defined as the model has it."""
    lines = []
    for d in script.decls:
        if d.name not in model:
            lines.append(declared(d))
            continue
        value = model[d.name]
        if not d.args:
            lines.append(f"(define-fun {d.name} () {d.sort} {written(value, d.sort, datatypes)})")
            continue
        text = written(value.default, d.sort, datatypes)
        for key, result in sorted(value.table.items(), key=repr):
            tests = " ".join(
                f"(= x{n}! {written(v, s, datatypes)})" for n, (v, s) in enumerate(zip(key, d.args, strict=True))
            )
            text = f"(ite (and {tests} true) {written(result, d.sort, datatypes)} {text})"
        lines.append(
            f"(define-fun {d.name} ({' '.join(f'(x{n}! {s})' for n, s in enumerate(d.args))}) {d.sort} {text})"
        )
    return lines


def valued(
    script: reader.Script, model: Mapping[str, Any], datatypes: Datatypes, unknown: Sequence[tuple[Term, int]]
) -> Any:
    """Predicates that the helper finds to be true, and their negations false, under the model; or the other way
    round."""
    lines = [*seeds.head(script), *fixed_symbols(script, model, datatypes)]
    found = []
    for term, depth in unknown:
        said = []
        for text in (writer.text(term), f"(not {writer.text(term)})"):
            answer = yield Step("predicate", "\n".join(["(reset)", *lines, f"(assert {text})", "(check-sat)"]), HELPER)
            said.append(answer.verdict if isinstance(answer, Decision) else "")
            if not said[-1]:
                break
        if said in (["sat", "unsat"], ["unsat", "sat"]):
            found.append((term, said[0] == "sat", depth))
    return found
