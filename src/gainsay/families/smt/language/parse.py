"""Instances that others wrote: read into a scene and an instance where we can, kept as text in any case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from gainsay.core.draw import Draw
from gainsay.families.smt.drawing import scenes, vocabulary
from gainsay.families.smt.language import reader
from gainsay.families.smt.language.ir import Instance, RawScript, Scene
from gainsay.families.smt.language.sexpr import SmtError, parse, show
from gainsay.families.smt.meaning.scene_cache import bound
from gainsay.families.smt.meaning.semantics import Evaluation, literal_value
from gainsay.families.smt.meaning.values import Undetermined

TACTIC = re.compile(r"\(check-sat-using\s+((?:\([^()]*(?:\([^()]*\)[^()]*)*\))|[^\s()]+)\s*\)")
TRIES = 3000


def known(setup: Sequence[str], query: str) -> tuple[Scene, list[Any]]:
    """A known bug's script.
    A model is searched for by trying values; without one, oracles that need it have nothing to ask."""
    text = "\n".join([*setup, query])
    raw = RawScript("(reset)\n" + text)
    try:
        script = reader.read(kept(text))
    except SmtError:
        return Scene(""), [raw]
    scene, instance = laid_out(script, text)
    model = searched(script)
    if model is not None:
        bindings = tuple(bound(d, model[d.name], script.datatypes) for d in script.decls)
        scene = msgspec.structs.replace(scene, model=bindings)
        instance = msgspec.structs.replace(instance, is_loose=False)
    return scene, [instance, raw]


def instance(text: str) -> tuple[Scene, Instance] | None:
    """What a script asks first, as a scene without a model and an instance; None where it can't be read."""
    try:
        return laid_out(reader.read(kept(text)), text)
    except SmtError:
        return None


def laid_out(script: reader.Script, text: str) -> tuple[Scene, Instance]:
    """A script as a scene and an instance of which nobody knows whether it can be met."""
    prelude = (*(f"(declare-sort {n} {a})" for n, a in script.sort_decls), *script.datatype_commands)
    scene = Scene(script.logic, script.decls, prelude, scenes.table_of(script.datatypes))
    tactic = TACTIC.search(text)
    return scene, Instance((), script.asserts, (), "one-shot", tactic[1] if tactic else "", True)


def kept(text: str) -> str:
    """What holds when the script asks: reset-assertions takes back what was asserted before it.
    Nothing at all is as good as true."""
    before, found, after = text.rpartition("(reset-assertions)")
    if not found:
        return text
    lines = "".join(
        show(c) + "\n" for c in parse(before) if isinstance(c, tuple) and c[0] in ("set-logic", "declare-sort")
    )
    return lines + (after if "(assert" in after else f"(assert true)\n{after}")


def literals(script: reader.Script) -> dict[str, list[Any]]:
    """Values that the formulas themselves mention, by sort."""
    found: dict[str, list[Any]] = {}
    stack, seen = list(script.asserts), set()
    while stack:
        term = stack.pop()
        if id(term) in seen:
            continue
        seen.add(id(term))
        stack.extend(term.args)
        if not term.args:
            try:
                found.setdefault(term.sort, []).append(literal_value(term.op, term.sort))
            except Undetermined:
                continue
    return found


def searched(script: reader.Script) -> dict[str, Any] | None:
    """A model of a script's assertions, by trying values; None if none was met."""
    draw = Draw(1)
    hints = literals(script)
    for _ in range(TRIES):
        model = {}
        for decl in script.decls:
            pool = hints.get(decl.sort)
            is_hint = pool and not decl.args and draw.coin(0.5)
            model[decl.name] = (
                draw.pick(pool) if pool and is_hint else vocabulary.interpretation(draw, decl, script.datatypes)
            )
        evaluation = Evaluation(model, script.datatypes)
        if all(evaluation.is_true(t) for t in script.asserts):
            return model
    return None
