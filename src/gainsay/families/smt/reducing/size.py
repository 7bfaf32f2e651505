"""How simple an instance is: reduction ends because each accepted step makes the size smaller."""

from __future__ import annotations

from typing import Any

from gainsay.core.tree import Node, walk
from gainsay.families.smt.language.ir import RawScript, Scene, Term
from gainsay.families.smt.language.ops import plainer
from gainsay.families.smt.meaning.legal import instance_of


def size(scene: Scene, recipe: Any) -> tuple[int, ...]:
    """Less to read is smaller: formulas of the pool, terms, ways of asking, widths, odd operators, literals, the
    model."""
    found = instance_of(recipe)
    picks = len(found[1].picks) if found else 0
    if isinstance(recipe.subject, RawScript):  # a script that is not read yet is larger than any that is
        picks += 1 + recipe.subject.text.count("\n")
    terms = [t for _, t in walk(recipe) if isinstance(t, Term)]
    others = sum(1 for _, v in walk(recipe) if isinstance(v, Node) and not isinstance(v, Term))
    asking_ = (
        len(found[1].moves) + (found[1].mode != "one-shot") + bool(found[1].tactic)
        if found
        else len(recipe.detours) + others
    )
    widths = sum(int(t.sort[10:-1]) for t in terms if t.sort.startswith("(_ BitVec"))
    texts = sum(len(t.op) for t in terms) + sum(len(s) for t in terms for s in (t.sort,) if not t.args)
    oddity = sum(len(plainer(t.op)) for t in terms if len(t.args) > 1)
    weight = sum(c not in "0b#" for t in terms for c in t.op)
    model = sum(len(b.value) + sum(len(str(e)) for e in b.entries) for b in scene.model)
    nonzero = sum(c not in '0#b.()" ' for b in scene.model for c in b.value)
    asserts = len(found[1].asserts) if found else 0
    pools = len(scene.pool) + len(scene.built) + len(scene.defs)
    declared = len(scene.decls) + len(scene.prelude) + bool(scene.logic)
    bound = sum(len(t.bound) for t in terms)
    return (
        picks,
        pools,
        len(terms) + bound,
        asking_ + scene.is_loaded,
        widths,
        declared,
        oddity,
        texts,
        weight,
        -asserts,
        model,
        nonzero,
    )
