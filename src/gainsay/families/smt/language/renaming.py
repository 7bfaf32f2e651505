"""Other names for the same symbols."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from gainsay.core import names
from gainsay.families.smt.language.ir import Scene, Term


def rebuilt(root: Term, change: Callable[[Term], Term]) -> Term:
    """A term made anew bottom-up; what was shared stays shared, and depth does not matter."""
    done: dict[int, Term] = {}
    stack = [root]
    while stack:
        term = stack[-1]
        missing = [a for a in term.args if id(a) not in done]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        if id(term) not in done:
            args = tuple(done[id(a)] for a in term.args)
            is_same = all(a is b for a, b in zip(args, term.args, strict=True))
            done[id(term)] = change(term if is_same else Term(term.op, args, term.sort, term.bound))
    return done[id(root)]


def with_names(terms: Sequence[Term], new: Mapping[str, str]) -> tuple[Term, ...]:
    """Terms with other names for their symbols. Not by core/names: terms share parts, and may be of any depth."""

    def change(term: Term) -> Term:
        return Term(new[term.op], term.args, term.sort, term.bound) if term.op in new else term

    return tuple(rebuilt(t, change) for t in terms)


def renamed(scene: Scene, terms: Sequence[Term]) -> tuple[Scene, tuple[Term, ...]]:
    """A scene and terms over it with new names in the reverse order, so that whatever depends on names or their order
    changes."""
    new = {d.name: f"v{len(scene.decls) - n}_" for n, d in enumerate(scene.decls)}
    decls = names.renamed(tuple(reversed(scene.decls)), names.by("symbol", new))
    return msgspec.structs.replace(scene, decls=decls, model=(), defs=(), pool=(), built=()), with_names(terms, new)
