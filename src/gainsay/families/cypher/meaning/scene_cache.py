"""A scene laid out for work: the graph that its statements make, and an evaluator for each profile.
Made once for each scene."""

from __future__ import annotations

from typing import Any

from gainsay.core.model import Seats
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.meaning import profile as facts
from gainsay.families.cypher.meaning.graph import graph_of
from gainsay.families.cypher.meaning.semantics import Evaluator, Failed, TooBig, Undetermined

Profile = tuple[tuple[str, str], ...]
Rows = list[tuple[Any, ...]]
MOST_ROWS = 200
OPEN = (Undetermined, Failed, TooBig)  # a query that raises one of these has no answer that could be compared


class SceneCache:
    """What is worked out once for a scene: its graph, and an evaluator for each profile."""

    def __init__(self, scene: ir.Scene) -> None:
        self.scene = scene
        self.graph = graph_of(scene)
        self._evaluators: dict[Profile, Evaluator] = {}
        # What was drawn lately with its rows; the query is kept, so that its identity stays its own.
        self._known: dict[tuple[int, Profile], tuple[Any, Rows]] = {}

    def evaluator(self, profile: Profile) -> Evaluator:
        found = self._evaluators.get(profile)
        if found is None:
            found = self._evaluators[profile] = Evaluator(self.graph, dict(profile), MOST_ROWS)
        return found

    def learn(self, query: ir.Query, profile: Profile, rows: Rows) -> None:
        self._known[id(query), profile] = (query, rows)

    def rows(self, query: ir.Query, profile: Profile) -> Rows | None:
        """The right rows of a query; None where it has no one answer."""
        known = self._known.get((id(query), profile))
        if known is not None:
            return known[1]
        try:
            return self.evaluator(profile).rows(query)
        except OPEN:
            return None


def cache_of(seats: Seats, scene: ir.Scene) -> SceneCache:
    """The scene's cache; a worker keeps the last one."""
    found: SceneCache = seats.lexicon.scene_cache(scene) if seats.lexicon is not None else SceneCache(scene)
    return found


def profile_of(seats: Seats, seat: int = 0) -> Profile:
    if seats.lexicon is not None and len(seats.lexicon.profiles) == 1:
        found: Profile = seats.lexicon.profiles[0]
        return found
    return tuple(facts.profile(seats.seats[seat].facts).items())
