"""Whether a conversation would hold with an engine that means what its profile says: asked of our own evaluator before anybody else is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gainsay.core.answer import Answer, Rows
from gainsay.core.claim import Verdict, judge
from gainsay.core.model import Step
from gainsay.core.ports import Conversation
from gainsay.core.values import GRAPH_BAGS, same_bag
from gainsay.families.cypher import ir
from gainsay.families.cypher.desk import Desk, Profile


def holds(talk: Conversation, desk: Desk, means: Profile) -> bool:
    """Whether every question has one answer and every claim holds. Claims that a documented difference breaks are none to be made."""
    given: dict[str, Answer] = {}
    is_any = False
    item: Any = next(talk, None)
    while item is not None:
        if isinstance(item, Step):
            rows = desk.rows(item.node, means) if isinstance(item.node, ir.Query) else []
            if rows is None or depends_on_plan(desk, item.node, means, rows):
                return False
            given[item.label] = Rows(rows)
            try:
                item = talk.send(given[item.label])
            except StopIteration:
                break
        else:
            is_any = True
            if judge(item, given) is not Verdict.HOLDS:
                return False
            item = next(talk, None)
    return is_any


def depends_on_plan(desk: Desk, query: Any, means: Profile, rows: list[Any]) -> bool:
    """Whether it matters that an engine may only test unreferenced edges for existence: it does so where its plan lets it."""
    if ("unreferenced-edge", "exists") not in means or not isinstance(query, ir.Query):
        return False
    counted = tuple((name, "counts" if name == "unreferenced-edge" else value) for name, value in means)
    others = desk.rows(query, counted)
    return others is None or not same_bag(rows, others, GRAPH_BAGS)


def agreed(desk: Desk, query: Any, profiles: Iterable[Profile], rule: str) -> bool:
    """Whether a query has one answer, the same under all profiles."""
    if not isinstance(query, ir.Query):
        return True
    first, *others = [desk.rows(query, means) for means in profiles]
    return first is not None and all(rows is not None and same_bag(first, rows, rule) for rows in others)


def asked(talk: Conversation) -> dict[str, ir.Query]:
    """The queries of a conversation that does not care about the answers, by their labels."""
    found: dict[str, ir.Query] = {}
    item: Any = next(talk, None)
    while item is not None:
        if isinstance(item, Step) and isinstance(item.node, ir.Query):
            found[item.label] = item.node
        item = next(talk, None)
    return found
