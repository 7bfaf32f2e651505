"""Why a query has the rows it has, in words: what each clause leaves, what its expressions are worth, and which
documented differences of the engine play a part."""

from __future__ import annotations

from gainsay.core.model import Seats
from gainsay.core.wording import counted
from gainsay.families.cypher.language import dialects, ir
from gainsay.families.cypher.meaning import worth
from gainsay.families.cypher.meaning.profile import FACTS
from gainsay.families.cypher.meaning.references import without_unreferenced
from gainsay.families.cypher.meaning.scene_cache import OPEN, SceneCache, profile_of


def sentence(scene: ir.Scene, query: ir.Query, seats: Seats) -> str:
    """What each clause of a query gives on a graph, step by step, for people."""
    cache, profile = SceneCache(scene), profile_of(seats)
    dialect = dialects.find(seats.seats[0].dialect)
    evaluator = cache.evaluator(profile)
    told, values = [], []
    for part in query.parts:
        rows: list[dict[str, object]] = [{}]
        steps = []
        try:
            # An engine that only tests whether unreferenced edges exist sees the query as a whole.
            seen = without_unreferenced(part) if ("unreferenced-edge", "exists") in profile else part
            for clause in seen.clauses:
                rows = evaluator.clause(clause, rows)
                steps.append(f"{dialect.text(clause)} gives {counted(len(rows), 'row', 'no')}")
            values += worth.told(seen, evaluator, dialect.text)
        except OPEN:
            return ""
        told.append("; ".join(steps))
    text = "Step by step: " + "; then the other part: ".join(told) + "."
    text += f" The values: {'; '.join(dict.fromkeys(values))}." if values else ""
    used = [
        f"{FACTS[name].about}: {value}"
        for name, value in profile
        if value != FACTS[name].standard and matters(cache, query, profile, name)
    ]
    return text + (f" Documented differences of this engine that count here: {'; '.join(used)}." if used else "")


def matters(cache: SceneCache, query: ir.Query, profile: tuple[tuple[str, str], ...], name: str) -> bool:
    """Whether the rows would be others if the engine were standard in this."""
    other = tuple((n, FACTS[n].standard if n == name else v) for n, v in profile)
    return cache.rows(query, profile) != cache.rows(query, other)
