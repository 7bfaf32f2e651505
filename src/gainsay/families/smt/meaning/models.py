"""What a solver's model makes of a formula, by our own evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gainsay.families.smt.language import reader, scripts, sexpr
from gainsay.families.smt.language.ir import Term
from gainsay.families.smt.language.sexpr import SmtError
from gainsay.families.smt.meaning.scene_cache import SceneCache
from gainsay.families.smt.meaning.semantics import MISSING, Datatypes, Evaluation
from gainsay.families.smt.meaning.values import Undetermined


class Defined:
    """A function as a model defines it."""

    def __init__(self, definition: reader.Interpretation, datatypes: Datatypes) -> None:
        self._definition = definition
        self._datatypes = datatypes

    def __call__(self, values: list[Any]) -> Any:
        names = [name for name, _ in self._definition.params]
        return Evaluation(dict(zip(names, values, strict=True)), self._datatypes, False).value(self._definition.body)


def read_in_part(text: str, cache: SceneCache, table: Any) -> dict[str, reader.Interpretation]:
    """What can be read of a model that has something strange in it: each declared symbol by itself."""
    found: dict[str, reader.Interpretation] = {}
    names = {d.name for d in cache.scene.decls}
    try:
        parts = [p for whole in sexpr.parse(text) if isinstance(whole, tuple) for p in whole]
    except SmtError:
        return found
    for part in parts:
        if isinstance(part, tuple) and len(part) == 5 and part[0] == "define-fun" and part[1] in names:
            try:
                found |= reader.read_model(f"({sexpr.show(part)})", cache.scene.decls, table)
            except SmtError:
                continue
    return found


def has_escapes(root: Term) -> bool:
    """Whether a string in a term has a backslash: old releases of Z3 print one character as four, which by the standard
    are four."""
    stack = [root]
    while stack:
        term = stack.pop()
        if term.op[0] == '"' and "\\" in term.op:
            return True
        stack.extend(term.args)
    return False


def grounded(cache: SceneCache, text: str, terms: Sequence[Term], command: str) -> str:
    """The assertions with the printed definitions in the place of the declarations; nothing where the model has more
    than definitions."""
    try:
        parts = [p for whole in sexpr.parse(text) if isinstance(whole, tuple) for p in whole if p != "model"]
    except SmtError:
        return ""
    names = {d.name for d in cache.scene.decls}
    if not all(isinstance(p, tuple) and p[0] == "define-fun" for p in parts):
        return ""
    kept = [p for p in parts if p[1] in names]
    defined = {p[1] for p in kept}
    lines = [
        line
        for line in scripts.declarations(cache, terms)
        if not (line.startswith("(declare-fun") and line.split()[1] in defined)
    ]
    return "\n".join(["(reset)", *lines, *map(sexpr.show, kept), *map(scripts.assertion, terms), command])


def truths(cache: SceneCache, text: str, terms: Sequence[Term]) -> list[bool | None]:
    """The truth of formulas under a printed model; None where it can't be told."""
    table = {s: dict(cs) for s, cs in cache.datatypes.items()}
    try:
        found = reader.read_model(text, cache.scene.decls, table)
    except SmtError:
        found = read_in_part(text, cache, table)
    ground = Evaluation({}, cache.datatypes, False)
    model: dict[str, Any] = {}
    for decl in cache.scene.decls:
        definition = found.get(decl.name)
        try:
            if definition is None:
                model[decl.name] = MISSING  # left out, or under another name: what depends on it can't be told
            elif has_escapes(definition.body):
                model[decl.name] = MISSING  # releases differ on what a backslash in a string means
            elif decl.args:
                model[decl.name] = Defined(definition, cache.datatypes)
            else:
                model[decl.name] = ground.value(definition.body)
        except Undetermined:
            model[decl.name] = MISSING
    evaluation = Evaluation(model, cache.datatypes, False)
    return [evaluation.is_true(t) for t in terms]
