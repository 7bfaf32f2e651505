"""A scene laid out for work: the tables that its statements make, by our own semantics. Made once for each scene."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gainsay.core.model import Seats
from gainsay.core.values import NUMBER, same_bag
from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.language.dialect import SqlDialect
from gainsay.families.sql.meaning import ordering
from gainsay.families.sql.meaning.rows import MOST, Rows
from gainsay.families.sql.meaning.semantics import Plan
from gainsay.families.sql.meaning.storage import TooBig, Undetermined
from gainsay.families.sql.meaning.system import Attribute, TypeSystem
from gainsay.families.sql.meaning.tables import Database

OPEN = (Undetermined, TooBig)  # a query that raises one of these has no answer that could be compared


KEPT = 200  # queries whose rows are kept


class SceneCache:
    """What is worked out once for a scene: its tables."""

    def __init__(self, scene: ir.Scene, dialect: SqlDialect, facts: Mapping[str, str]) -> None:
        self.scene = scene
        # What was asked lately with its rows; the query is kept, so that its identity stays its own.
        self._known: dict[int, tuple[Any, Rows | None]] = {}
        # Queries with an order, as they were compiled
        self._plans: dict[int, tuple[Any, Plan, Rows]] = {}
        self._is_changed = False  # whether values are shown in another way than they are computed with
        try:
            system = dialect.values(facts) if dialect.system is not None else None
            self.database: Database | None = Database(scene, dialect, system) if system is not None else None
            self._is_changed = system is not None and type(system).shown is not TypeSystem.shown
        except OPEN:
            self.database = None

    def holds_rows(self, name: str) -> bool:
        """Whether a relation is known to hold rows."""
        return bool(self._held(name))

    def is_filled(self) -> bool:
        """Whether a relation is known to hold rows."""
        return self.database is not None and any(map(self.holds_rows, self.database.relations))

    def may_hold(self) -> bool:
        """Whether a relation holds rows, or a table may hold some of which that can't be told."""
        tables = self.database.tables.values() if self.database is not None else ()
        return self.is_filled() or any(not t.is_known and self.guessed(t.name) for t in tables)

    def guessed(self, name: str) -> Rows:
        """What a table may hold of which that can't be told: nothing to compare an answer with."""
        return self.database.guessed(name) if self.database is not None else []

    def columns(self, name: str) -> tuple[Attribute, ...]:
        """The columns of a relation of which it is known what it holds; none of others."""
        if self.database is None or self._held(name) is None:
            return ()
        return self.database.relations[name].columns

    def _held(self, name: str) -> Rows | None:
        relation = self.database.relations.get(name) if self.database is not None else None
        try:
            return relation.fetch(()) if relation is not None else None
        except OPEN:
            return None

    def rows(self, query: Any) -> Rows | None:
        """The right rows of a query; None where it has no one answer."""
        known = self._known.get(id(query))
        if known is not None:
            return known[1]
        rows = self._evaluated(query)
        if len(self._known) > KEPT:
            self._known.clear()
            self._plans.clear()
        self._known[id(query)] = query, rows
        return rows

    def _evaluated(self, query: Any) -> Rows | None:
        if self.database is None or not isinstance(query, (ir.Select, ir.Compound)):
            return None
        try:
            plan = self.database.compiler.plan(query)
            rows = plan.run(())
            if query.order:
                self._plans[id(query)] = query, plan, rows
            return self._as_shown(rows)
        except OPEN:
            return None

    def _as_shown(self, rows: Rows) -> Rows:
        if not self._is_changed or self.database is None:
            return rows
        shown = self.database.system.shown
        return [tuple([shown(value) for value in row]) for row in rows]

    def in_order(self, query: Any) -> Rows | None:
        """The right rows in the one right order: of a query that is ordered by all that it shows; None of others."""
        if self.database is None or not isinstance(query, (ir.Select, ir.Compound)) or not query.order:
            return None
        items = query.items if isinstance(query, ir.Select) else query.arms[0].items
        system = self.database.system
        try:
            places = [ordering.place_of(node, items) for node in query.order]
            if {*places} != {*range(len(items))}:
                return None
            plan, rows = self._compiled(query, self.database)
            keys = [
                ordering.sort_key(system, node, plan.columns[place].at(place))
                for node, place in zip(query.order, places, strict=True)
                if place is not None
            ]
            groups = ordering.groups(system, rows, keys)
            is_told = all(ordering.are_alike(system, group, len(items)) for group in groups)
            return self._as_shown([row for group in groups for row in group]) if is_told else None
        except OPEN:
            return None

    def _compiled(self, query: Any, database: Database) -> tuple[Plan, Rows]:
        """A query as it was compiled, and its rows."""
        known = self._plans.get(id(query))
        if known is not None:
            return known[1:]
        plan = database.compiler.plan(query)
        return plan, plan.run(())


def cache_of(seats: Seats, scene: ir.Scene, number: int = 0) -> SceneCache | None:
    """The scene's cache, for one of the seats; a worker keeps the last one. None where we have no semantics for what
    that seat speaks."""
    seat = seats.seats[number]
    dialect = dialects.find(seat.dialect)
    if dialect.system is None:
        return None
    if seats.lexicon is not None and seats.lexicon.has_meaning and number == 0:
        found: SceneCache = seats.lexicon.scene_cache(scene)
        return found
    return SceneCache(scene, dialect, dict(seat.facts))


def means_one(scene: ir.Scene, query: Any, seats: Seats) -> bool:
    """Whether all seats of which our semantics knows the rows are to give the same ones, by their own manuals."""
    if not isinstance(query, (ir.Select, ir.Compound)):
        return True
    caches = (cache_of(seats, scene, number) for number in range(len(seats.seats)))
    right = [rows for cache in caches if cache is not None and (rows := cache.rows(query)) is not None]
    return all(same_bag(rows, right[0], NUMBER) for rows in right[1:])


def told(scene: ir.Scene, query: Any, dialect: SqlDialect, facts: Mapping[str, str]) -> Rows | str:
    """The right rows of a query, or why it has none that we could tell."""
    if dialect.system is None:
        return f"there is no semantics of {dialect.name}'s SQL yet"
    if not isinstance(query, (ir.Select, ir.Compound, ir.RowList)):
        return "it could not be read to the last word"
    texts = [s.text for s in scene.statements if isinstance(s, ir.RawStatement)]
    if texts:
        return f"a statement could not be read: {texts[0]}"
    system = dialect.values(facts)
    try:
        rows = Database(scene, dialect, system).compiler.plan(query).run(())
        ordered = SceneCache(scene, dialect, facts).in_order(query)
        return [tuple(map(system.shown, row)) for row in rows] if ordered is None else ordered
    except Undetermined as why:
        return f"not determined: {why}"
    except TooBig:
        return f"too large: a join makes more than {MOST} rows before its condition is asked"
