"""Phase 1 of STORM (Algorithm 1): a seed's formulas cut into all their predicates, each with its truth under a
model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gainsay.core.draw import Draw
from gainsay.families.smt.drawing.pool import free_prefix
from gainsay.families.smt.language import writer
from gainsay.families.smt.language.ir import Built, Definition, Fragment, Term
from gainsay.families.smt.meaning.semantics import Evaluation

CONNECTIVES = frozenset({"and", "or", "not", "xor", "=>", "ite", "="})
FROM_INITIAL = 0.3  # RANDFORMULA: 30 % from the initial pool, else from the construction pool
IS_AND = 0.5  # RANDOP


def predicates(formulas: Iterable[Term]) -> list[Term]:
    """Every Boolean subterm outside quantifiers, once, in a fixed order."""
    seen: set[int] = set()
    found: dict[Term, None] = {}
    stack = list(reversed(list(formulas)))
    while stack:
        term = stack.pop()
        if id(term) in seen:
            continue
        seen.add(id(term))
        if term.sort == "Bool" and term.op not in ("true", "false"):
            found[term] = None
        if not term.bound:
            stack.extend(reversed(term.args))
    return list(found)


class Depths:
    """Depths of formulas as trees of predicates: an atom has depth 0."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}

    def of(self, root: Term) -> int:
        """How deep the connectives of a formula are nested."""
        known = self._known
        stack = [root]
        while stack:
            term = stack[-1]
            parts = [a for a in term.args if a.sort == "Bool"] if term.op in CONNECTIVES else []
            missing = [a for a in parts if id(a) not in known]
            if missing:
                stack.extend(missing)
                continue
            known[id(term)] = 1 + max(known[id(a)] for a in parts) if parts else 0
            stack.pop()
        return known[id(root)]


def valued(
    formulas: Sequence[Term], evaluation: Evaluation, d_max: int
) -> tuple[list[tuple[Term, bool, int]], list[tuple[Term, int]]]:
    """The predicates of formulas up to a depth: those that we can value, with truth and depth, and those that we
    can't."""
    depths = Depths()
    known, unknown = [], []
    for term in predicates(formulas):
        depth = depths.of(term)
        if depth > d_max:
            continue
        truth = evaluation.is_true(term)
        if truth is None:
            unknown.append((term, depth))
        else:
            known.append((term, truth, depth))
    return known, unknown


def pooled(
    items: Sequence[tuple[Term, bool, int]], names: Iterable[str]
) -> tuple[tuple[Definition, ...], tuple[Fragment, ...]]:
    """Text for the initial pool: what predicates share is defined once, under names that nothing else has."""
    definitions, texts = writer.define([term for term, _, _ in items], free_prefix(names, "d"))
    defs = tuple(Definition(name, sort, body) for name, sort, body in definitions)
    return defs, tuple(Fragment(text, truth, depth) for text, (_, truth, depth) in zip(texts, items, strict=True))


def nc_of(pool: int) -> int:
    """NC by the size of the initial pool: from 200 to 1500."""
    return max(200, min(1500, 5 * pool))


def nm_of(pool: int) -> int:
    """NM by the size of the initial pool: from 300 to 1000."""
    return max(300, min(1000, 3 * pool))


def constructed(draw: Draw, pool: Sequence[Fragment], nc: int, d_max: int) -> tuple[Built, ...]:
    """Phase 2: NC new formulas by AND and NOT, none deeper than D_max."""
    initial = len(pool)
    depths = [f.depth for f in pool]
    built: list[Built] = []

    def pick() -> int:
        made = len(built)
        return draw.below(initial) if not made or draw.coin(FROM_INITIAL) else initial + draw.below(made)

    attempts = 0
    while len(built) < nc and attempts < 4 * nc:
        attempts += 1
        one = pick()
        two = pick() if draw.coin(IS_AND) else -1
        depth = 1 + (max(depths[one], depths[two]) if two >= 0 else depths[one])
        if depth <= d_max:
            built.append(Built(one, two))
            depths.append(depth)
    return tuple(built)
