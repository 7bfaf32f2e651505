"""The reducer: greedy, over generic and family passes; each candidate is a conversation held again, so no relation is
ever assumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gainsay.core import registry
from gainsay.core.model import Case, Seats
from gainsay.triage import passes

BUDGET = 6000  # candidates: a count, not a time, so that every run ends at the same case


class Reducer:
    """Shrinks a case while `still(case)` holds."""

    def __init__(self, case: Case, still: Callable[[Case], bool], budget: int = BUDGET) -> None:
        self.case = case
        self._still = still
        self._family = registry.family(case.family)
        self._size = self._family.size(case.scene, case.recipe)
        self._seen: set[Any] = set()
        self._seats = Seats(case.seats)
        self.left = budget

    def _try(self, scene: Any, recipe: Any) -> bool:
        """Take a candidate if it is smaller and still shows the contradiction."""
        if self.left <= 0:
            return False
        size = self._family.size(scene, recipe)
        if size >= self._size:
            return False
        key = hash((scene, recipe))
        if key in self._seen:
            return False
        self._seen.add(key)
        if not self._family.is_legal(scene, recipe, self._seats):
            return False
        self.left -= 1
        candidate = self.case.with_parts(scene, recipe)
        if not self._still(candidate):
            return False
        self.case, self._size = candidate, size
        return True

    def _proposals(self) -> list[Callable[[], Iterator[Any]]]:
        case = self.case
        whole = (case.scene, case.recipe)
        return [
            lambda: self._family.cuts(case),
            lambda: ((scene, case.recipe) for (scene,) in passes.chunks((case.scene,))),
            lambda: self._family.shrinks(case),
            lambda: passes.defaults(whole),
            lambda: passes.children(whole),
            lambda: passes.chunks(whole),
            lambda: passes.simpler(whole, self._family.simplest),
        ]

    def run(self) -> Case:
        """Pass after pass, each until it yields nothing more, until a whole round changes nothing."""
        progress = True
        while progress and self.left > 0:
            progress = False
            for number in range(len(self._proposals())):
                while self._one(number):
                    progress = True
        scene, recipe = self._family.tidy(self.case.scene, self.case.recipe)
        tidy = self.case.with_parts(scene, recipe)
        if tidy != self.case and self._still(tidy):
            self.case = tidy
        return self.case

    def _one(self, number: int) -> bool:
        """Run through one pass, going on from each accepted candidate; whether anything was accepted."""
        changed = False
        start, restart = 0, True
        while restart and self.left > 0:
            restart = False
            for place, (scene, recipe) in enumerate(self._proposals()[number]()):
                # What stands before the accepted one was just tried in vain; `run` comes back to it.
                if place >= start and self._try(scene, recipe):
                    changed = restart = True
                    start = place
                    break
        return changed
