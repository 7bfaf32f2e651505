"""A scene laid out for work: the graph that its statements make, and an evaluator for each profile.
Made once for each scene."""

from __future__ import annotations

from typing import Any

from gainsay.core.model import Seats
from gainsay.families.cypher import ir
from gainsay.families.cypher.graph import graph_of
from gainsay.families.cypher.profile import profile
from gainsay.families.cypher.semantics import Evaluator, Failed, TooBig, Undetermined

Profile = tuple[tuple[str, str], ...]
Rows = list[tuple[Any, ...]]
MOST_ROWS = 200
OPEN = (Undetermined, Failed, TooBig)  # a query that raises one of these has no answer that could be compared


class Desk:
    def __init__(self, scene: ir.Scene) -> None:
        self.scene = scene
        self.graph = graph_of(scene)
        self._evaluators: dict[Profile, Evaluator] = {}
        # What was drawn lately with its rows; the query is kept, so that its identity stays its own.
        self._known: dict[tuple[int, Profile], tuple[Any, Rows]] = {}

    def evaluator(self, means: Profile) -> Evaluator:
        found = self._evaluators.get(means)
        if found is None:
            found = self._evaluators[means] = Evaluator(self.graph, dict(means), MOST_ROWS)
        return found

    def learn(self, query: ir.Query, means: Profile, rows: Rows) -> None:
        self._known[id(query), means] = (query, rows)

    def rows(self, query: ir.Query, means: Profile) -> Rows | None:
        """The right rows of a query; None where it has no one answer."""
        known = self._known.get((id(query), means))
        if known is not None:
            return known[1]
        try:
            return self.evaluator(means).rows(query)
        except OPEN:
            return None


def desk_of(seats: Seats, scene: ir.Scene) -> Desk:
    """The scene's desk; a worker keeps the last one."""
    found: Desk = seats.lexicon.desk(scene) if seats.lexicon is not None else Desk(scene)
    return found


def means_of(seats: Seats, seat: int = 0) -> Profile:
    if seats.lexicon is not None and len(seats.lexicon.profiles) == 1:
        found: Profile = seats.lexicon.profiles[0]
        return found
    return tuple(profile(seats.seats[seat].facts).items())
