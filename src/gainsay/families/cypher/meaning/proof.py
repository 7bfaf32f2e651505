"""Whether a conversation would hold with an engine that means what its profile says: asked of our own evaluator before
anybody else is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gainsay.core.answer import Answer, GaveUp, Rows
from gainsay.core.claim import Verdict
from gainsay.core.model import Step
from gainsay.core.oracle import Conversation
from gainsay.core.talk import Heard, Judged, held
from gainsay.core.tree import walk
from gainsay.core.values import GRAPH_BAGS, same_bag
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.meaning.scene_cache import Profile, SceneCache

OPEN = GaveUp("open")  # the question has no single answer


def holds(talk: Conversation, cache: SceneCache, profile: Profile) -> bool:
    """Whether every question has one answer and every claim holds.
    Claims that a documented difference breaks are none to be made."""

    def ask(step: Step) -> Answer:
        rows = cache.rows(step.node, profile) if isinstance(step.node, ir.Query) else []
        return OPEN if rows is None or depends_on_plan(cache, step.node, profile, rows) else Rows(rows)

    is_any = False
    for said in held(talk, ask):
        if (said.verdict is not Verdict.HOLDS) if isinstance(said, Judged) else said.answer is OPEN:
            return False
        is_any = is_any or isinstance(said, Judged)
    return is_any


def depends_on_plan(cache: SceneCache, query: Any, profile: Profile, rows: list[Any]) -> bool:
    """Whether it matters that an engine may only test unreferenced edges for existence: it does so where its plan lets
    it."""
    if ("unreferenced-edge", "exists") not in profile or not isinstance(query, ir.Query):
        return False
    counted = tuple((name, "counts" if name == "unreferenced-edge" else value) for name, value in profile)
    others = cache.rows(query, counted)
    return others is None or not same_bag(rows, others, GRAPH_BAGS)


def counts_rows(query: ir.Query) -> bool:
    """Whether the values of a query may depend on how often a row comes."""
    return any(
        (isinstance(n, ir.Agg) and n.fn not in ("min", "max") and not n.distinct)
        or isinstance(n, ir.PatternList)
        or (isinstance(n, ir.SubQuery) and n.kind == "count")
        or (isinstance(n, (ir.With, ir.Return)) and not (n.skip is None and n.limit is None))
        for _, n in walk(query)
    )


def agreed(cache: SceneCache, query: Any, profiles: Iterable[Profile], rule: str) -> bool:
    """Whether a query has one answer, the same under all profiles."""
    if not isinstance(query, ir.Query):
        return True
    first, *others = [cache.rows(query, profile) for profile in profiles]
    return first is not None and all(rows is not None and same_bag(first, rows, rule) for rows in others)


def asked(talk: Conversation) -> dict[str, ir.Query]:
    """The queries of a conversation that does not care about the answers, by their labels."""
    steps = [said.step for said in held(talk, lambda step: OPEN) if isinstance(said, Heard)]
    return {step.label: step.node for step in steps if isinstance(step.node, ir.Query)}
