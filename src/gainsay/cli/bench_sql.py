"""The measurements of `bench sql`: what is drawn how often, taken how often, and given a meaning how often, by clause,
operator, statement and type; and how often an engine differs from our own semantics."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from gainsay.campaign import describing
from gainsay.campaign.config import Group, seats_of
from gainsay.campaign.seating import HostedPlayer
from gainsay.core import registry
from gainsay.core.answer import Answer, Rows
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Seats, Target
from gainsay.core.tree import walk
from gainsay.core.values import same_bag
from gainsay.families.sql.drawing import scenes
from gainsay.families.sql.language import dialects, features, ir
from gainsay.families.sql.meaning.scene_cache import cache_of
from gainsay.families.sql.reducing import shape

FAMILY = "sql"
QUERIES = 40  # on each scene
SHOWN = 200  # queries of a target that differ, and scenes that are stored otherwise
WORDS = ("stored otherwise", "drawn", "taken", "told", "not empty", "differing")  # what is counted of a target
KINDS = {"op": "operator", "window": "window function"}  # what `uses` calls otherwise


class Part(NamedTuple):
    """Something that is drawn: a clause, an operator, a statement or a type."""

    kind: str
    name: str


class Tally:
    """What was met on one target."""

    def __init__(self) -> None:
        self.drawn: Counter[Part] = Counter()
        self.taken: Counter[Part] = Counter()
        self.told: Counter[Part] = Counter()
        self.queries: Counter[str] = Counter()  # by WORDS: scenes that are stored otherwise, and queries
        self.differing: list[str] = []

    def note(self, parts: set[Part], is_taken: bool, is_told: bool) -> None:
        """Count what a statement or query is made of."""
        self.drawn.update(parts)
        self.taken.update(parts if is_taken else ())
        self.told.update(parts if is_told else ())


def parts_of(node: Any) -> set[Part]:
    """What a statement or a query is made of: as the page of a hunt has it, and what else its shape has."""
    found = set()
    for feature in features.uses(node):
        kind, _, name = feature.partition(":")
        found.add(Part(KINDS.get(kind, kind), name or "(none)"))
    for _, part in walk(node):
        if not isinstance(part, (ir.Op, ir.Join, tuple)):
            found |= {Part("clause", name) for name in shape.of_node(part)}
    if not isinstance(node, (ir.Select, ir.Compound, ir.RowList)):
        found |= {Part("statement", f"... {name}") for name in shape.of_statement(node)}
    return found


def measured(target: Target, seconds: float, seed: int = 1) -> dict[str, Any]:
    """Draw scenes and queries for a target, ask them, and count."""
    seat = describing.seated(target, {})
    seats = seats_of(Group(str(target), FAMILY, (seat,), ("reference",)), {})
    player, tally, number = HostedPlayer(target), Tally(), 0
    begun = time.process_time()
    try:
        while time.process_time() + (player.spent_s() or 0.0) - begun < seconds or number == 0:
            scene_tallied(tally, player, seats, (seed, number))
            number += 1
    finally:
        player.close()
    return {
        "target": seat.name,
        "scenes": number,
        **{word: tally.queries[word] for word in WORDS},
        "parts": list(rows(tally)),
        "queries": tally.differing,
    }


def scene_tallied(tally: Tally, player: HostedPlayer, seats: Seats, named: tuple[int, int]) -> None:
    """The scene of a seed and a number, and the queries on it."""
    seed, number = named
    family, dialect = registry.family(FAMILY), dialects.find(seats.seats[0].dialect)
    scene = scenes.grow(Draw(seed_for(seed, FAMILY, "scene", number)), seats.lexicon)
    player.reset()
    kept: list[int] = []
    for place, statement in enumerate(scene.statements):
        answer = player.ask(dialect.text(statement))
        tally.note(parts_of(statement), isinstance(answer, Rows), False)
        kept += [place] if isinstance(answer, Rows) else []
    scene = family.keep(scene, kept)
    if family.is_barren(scene):
        return
    if is_stored_otherwise(tally, player, scene, seats):
        return
    draw, oracle = Draw(seed_for(seed, FAMILY, "bench", number)), registry.oracle(FAMILY, "reference")
    for turn in range(QUERIES):
        # Half of them as most oracles draw, half as `reference` does, which leaves out what has no meaning
        recipe = oracle.draw(draw, scene, seats) if turn % 2 else None
        query, rule = (recipe.query, recipe.rule) if recipe is not None else family.question(draw, scene, seats)
        compared(tally, query, rule, player.ask(dialect.text(query)), scene, seats)


def is_stored_otherwise(tally: Tally, player: HostedPlayer, scene: ir.Scene, seats: Seats) -> bool:
    """Whether a table holds something else than our own semantics says: then every query on it would differ."""
    cache, dialect = cache_of(seats, scene), dialects.find(seats.seats[0].dialect)
    for query in registry.family(FAMILY).stored(scene):
        answer, rows = player.ask(dialect.text(query)), cache.rows(query) if cache is not None else None
        if isinstance(answer, Rows) and rows is not None and not same_bag(answer.rows, rows):
            tally.queries["stored otherwise"] += 1
            tally.differing.append("; ".join(map(dialect.text, (*scene.statements, query))))
            return True
    return False


def compared(tally: Tally, query: ir.Query, rule: str, answer: Answer, scene: ir.Scene, seats: Seats) -> None:
    """One query: whether it is taken, whether we say what it means, and whether the engine says the same."""
    cache = cache_of(seats, scene)
    rows = cache.rows(query) if cache is not None else None
    tally.note(parts_of(query), isinstance(answer, Rows), rows is not None)
    tally.queries.update({"drawn": 1, "taken": isinstance(answer, Rows), "told": rows is not None})
    if isinstance(answer, Rows) and rows is not None:
        tally.queries["not empty"] += bool(answer.rows)
        if not same_bag(answer.rows, rows, rule):
            tally.queries["differing"] += 1
            texts = [*map(dialects.find(seats.seats[0].dialect).text, (*scene.statements, query))]
            tally.differing += ["; ".join(texts)] if len(tally.differing) < SHOWN else []


def rows(tally: Tally) -> Iterator[dict[str, Any]]:
    """What was drawn, by kind, the most frequent first."""
    for part, count in sorted(tally.drawn.items(), key=lambda item: (item[0].kind, -item[1], item[0].name)):
        told = None if part.kind in ("statement", "type") else tally.told[part]
        yield {"kind": part.kind, "name": part.name, "drawn": count, "taken": tally.taken[part], "told": told}
