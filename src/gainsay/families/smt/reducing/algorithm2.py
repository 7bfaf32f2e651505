"""STORM's own minimisation (Algorithm 2): the fuzzer run again on the instance that shows the bug, with ever smaller
bounds, by binary search.

Here for comparison with our reducer. First the number of assertions is minimised, then the depth of formulas, as
section 2.3.2 says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from gainsay.core.draw import Draw
from gainsay.families.smt.drawing import fragments
from gainsay.families.smt.language import scripts
from gainsay.families.smt.language.ir import Fragment, Instance, Scene, Term
from gainsay.families.smt.meaning.scene_cache import SceneCache

Ask = Callable[[str], str]  # a script's verdict


class Found(NamedTuple):
    """Assertions that still show the bug, and how deep they are."""

    terms: tuple[Term, ...]
    depth: int


def depth_of(terms: Sequence[Term]) -> int:
    depths = fragments.Depths()
    return max((depths.of(t) for t in terms), default=0)


class Minimiser:
    """Binary search over A_max and D_max; each step fuzzes with the instance as seed."""

    def __init__(self, scene: Scene, check: str, ask: Ask, draw: Draw, nm: int = 300) -> None:
        self._cache = SceneCache(scene)
        self._check = check
        self._ask = ask
        self._draw = draw
        self._nm = nm
        self.asked = 0

    def run(self, terms: Sequence[Term]) -> tuple[Term, ...]:
        best = Found(tuple(terms), depth_of(terms))
        best = self._search(best, 1, len(best.terms), lambda bound, seed: (seed.depth, bound), lambda f: len(f.terms))
        best = self._search(best, 0, best.depth, lambda bound, seed: (bound, len(seed.terms)), lambda f: f.depth)
        return best.terms

    def _search(
        self,
        seed: Found,
        low: int,
        high: int,
        bounds: Callable[[int, Found], tuple[int, int]],
        measure: Callable[[Found], int],
    ) -> Found:
        while low < high:
            middle = (low + high) // 2
            found = self.fuzz(seed.terms, *bounds(middle, seed))
            if found:
                seed = min(found, key=lambda f: (measure(f), self.length(f.terms)))
                high = min(middle, measure(seed))
            else:
                low = middle + 1
        return seed

    def length(self, terms: Sequence[Term]) -> int:
        return len(self.script(terms))

    def script(self, terms: Sequence[Term]) -> str:
        return scripts.script(self._cache, Instance((), tuple(terms)), self._check)

    def fuzz(self, seed: Sequence[Term], d_max: int, a_max: int) -> list[Found]:
        """Algorithm 1 on these assertions; the instances to which the solver says unsat."""
        known, _ = fragments.valued(seed, self._cache.evaluation, d_max)
        if not known:
            return []
        terms, values, depths = [t for t, _, _ in known], [v for _, v, _ in known], [d for _, _, d in known]
        pool = [Fragment("", v, d) for _, v, d in known]
        for built in fragments.constructed(self._draw, pool, fragments.nc_of(len(pool)), d_max):
            one, two = built.one, built.two
            terms.append(Term("and", (terms[one], terms[two])) if two >= 0 else Term("not", (terms[one],)))
            values.append(values[one] and values[two] if two >= 0 else not values[one])
            depths.append(1 + (max(depths[one], depths[two]) if two >= 0 else depths[one]))
        return [
            f for f in (self._tried(terms, values, depths, len(pool), a_max) for _ in range(self._nm)) if f is not None
        ]

    def _tried(
        self, terms: list[Term], values: list[bool], depths: list[int], initial: int, a_max: int
    ) -> Found | None:
        draw = self._draw
        picks = [
            draw.below(initial)
            if len(terms) == initial or draw.coin(fragments.FROM_INITIAL)
            else initial + draw.below(len(terms) - initial)
            for _ in range(draw.between(1, a_max))
        ]
        chosen = tuple(terms[i] if values[i] else Term("not", (terms[i],)) for i in picks)
        self.asked += 1
        return Found(chosen, max(depths[i] for i in picks)) if self._ask(self.script(chosen)) == "unsat" else None
