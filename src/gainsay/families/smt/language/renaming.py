"""Other names for the same symbols."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

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


def with_names(terms: Sequence[Term], names: dict[str, str]) -> tuple[Term, ...]:
    def change(term: Term) -> Term:
        return Term(names[term.op], term.args, term.sort, term.bound) if term.op in names else term

    return tuple(rebuilt(t, change) for t in terms)


def renamed(scene: Scene, terms: Sequence[Term]) -> tuple[Scene, tuple[Term, ...]]:
    """A scene and terms over it with new names in the reverse order, so that whatever depends on names or their order
    changes."""
    names = {d.name: f"v{len(scene.decls) - n}_" for n, d in enumerate(scene.decls)}
    decls = tuple(msgspec.structs.replace(d, name=names[d.name]) for d in reversed(scene.decls))
    return msgspec.structs.replace(scene, decls=decls, model=(), defs=(), pool=(), built=()), with_names(terms, names)
