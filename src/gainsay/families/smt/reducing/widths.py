"""Narrower bit-vectors: all words of one width cut to another, in declarations, terms and the model together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.core.tree import put, rebuilt, walk
from gainsay.families.smt.language.ir import Decl, Term
from gainsay.families.smt.language.sexpr import SmtError
from gainsay.families.smt.language.sorts import is_bv, width
from gainsay.families.smt.meaning import types
from gainsay.families.smt.meaning.scene_cache import SceneCache, bound
from gainsay.families.smt.meaning.semantics import literal_value

Pair = tuple[Any, Any]


def narrowed(cache: SceneCache, recipe: Any) -> Iterator[Pair]:
    """One width at a time: to 1, to half, by one."""
    scene = cache.scene
    widths = sorted({width(d.sort) for d in scene.decls if is_bv(d.sort) and not d.args}, reverse=True)
    if scene.datatypes or any(d.args or "Array" in d.sort for d in scene.decls):
        return  # their parts would have to change with them
    for bits in widths:
        for new in sorted({1, 2, bits // 2, bits - 1}):
            if 0 < new < bits:
                changed = with_width(cache, recipe, bits, new)
                if changed is not None:
                    yield changed


def with_width(cache: SceneCache, recipe: Any, bits: int, new: int) -> Pair | None:
    """A case with all bit-vectors of one width at another; None where that can't be."""
    mask = (1 << new) - 1
    old_sort, new_sort = f"(_ BitVec {bits})", f"(_ BitVec {new})"
    names = {d.name for d in cache.scene.decls if d.sort == old_sort}

    def change(term: Term) -> Term:
        if term.op in names:
            return Term(term.op, (), new_sort)
        if term.sort == old_sort and term.op.startswith(("#", "(_ bv")) and not term.args:
            return Term(f"#b{literal_value(term.op, old_sort) & mask:0{new}b}", (), new_sort)
        if not term.args or term.bound:
            return term
        return Term(term.op, term.args, types.result_sort(term.op, tuple(a.sort for a in term.args)))

    tops = [(path, t) for path, t in walk(recipe) if isinstance(t, Term) and "args" not in path]
    try:
        for path, term in tops:
            made = rebuilt(term, change)
            if made.sort != term.sort:
                return None
            recipe = put(recipe, path, made)
    except SmtError:
        return None
    decls = tuple(Decl(d.name, new_sort) if d.name in names else d for d in cache.scene.decls)
    model = tuple(
        bound(Decl(b.name, new_sort), cache.model[b.name] & mask,
        cache.datatypes) if b.name in names else b for b in cache.scene.model
    )  # fmt: skip
    return msgspec.structs.replace(cache.scene, decls=decls, model=model), recipe
