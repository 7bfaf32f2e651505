"""Claims: what must hold between the answers of a conversation, as data; and the judge."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any

import msgspec

from gainsay.core import values
from gainsay.core.answer import Answer, Rows


class Relation(enum.Enum):
    SAME_BAG = "the same rows, each as often, as"
    SAME_SET = "the same set of rows as"
    SUBSET = "contained in"
    CONTAINS = "a superset of"


class Fold(enum.Enum):
    """How the answers of one side become one list of rows."""

    ROWS = "rows"
    COUNT = "number of rows of"
    TRUE_ROWS = "rows marked true by"
    MIN = "least value of"
    MAX = "greatest value of"
    SUM = "sum of"
    TOTAL = "total of"


class Side(msgspec.Struct, frozen=True):
    """One side of a claim: labelled steps under a fold, or a value that is known in advance."""

    steps: tuple[str, ...] = ()
    fold: Fold = Fold.ROWS
    value: tuple[Any, ...] | None = None

    def words(self) -> str:
        if self.value is not None:
            return "the expected rows"
        return f"{self.fold.value} ({' + '.join(self.steps)})" if " " in self.fold.value else f"{self.fold.value}({' + '.join(self.steps)})"


class Claim(msgspec.Struct, frozen=True):
    """What must hold. `label` identifies it through reduction; `why` is one plain sentence for the report."""

    label: str
    left: Side
    relation: Relation
    right: Side
    why: str
    rule: str = values.EXACT
    believed: str = "right"  # the side to call `expected` in a report: the one that leaves less to the optimizer

    def words(self) -> str:
        return f"{self.left.words()} must be {self.relation.value} {self.right.words()}"


class Verdict(enum.Enum):
    HOLDS = "holds"
    CONTRADICTED = "contradicted"
    UNDECIDABLE = "undecidable"


# Looked up once: an enum's member costs more than the comparison with it.
ROWS, TRUE_ROWS, TOTAL, SAME_BAG = Fold.ROWS, Fold.TRUE_ROWS, Fold.TOTAL, Relation.SAME_BAG
HOLDS, CONTRADICTED, UNDECIDABLE = Verdict.HOLDS, Verdict.CONTRADICTED, Verdict.UNDECIDABLE


def fold(side: Side, answers: Mapping[str, Answer]) -> list[Any]:
    """The rows of a side. The caller has made sure that each answer is Rows."""
    if side.value is not None:
        return list(side.value)
    steps = side.steps
    how = side.fold
    if len(steps) == 1:  # nearly always
        rows = answers[steps[0]].rows  # type: ignore[union-attr] # the judge has checked the class
        if how is ROWS:
            return rows
        if how is TRUE_ROWS:
            return [row[1:] for row in rows if row[0]]
        if how is TOTAL and len(rows) == 1:
            return [(rows[0][0] or 0,)]
    rows = [row for step in steps for row in answers[step].rows]  # type: ignore[union-attr] # as above
    if how is Fold.ROWS:
        return rows
    if how is Fold.TRUE_ROWS:
        return [row[1:] for row in rows if row[0]]
    if how is Fold.COUNT:
        return [(len(rows),)]
    flat = [row[0] for row in rows if row[0] is not None]
    if how is Fold.TOTAL:
        return [(sum(flat),)]
    if how is Fold.SUM:
        return [(sum(flat) if flat else None,)]
    if not flat:
        return [(None,)]
    return [(min(flat, key=values.rank) if how is Fold.MIN else max(flat, key=values.rank),)]


def judge(claim: Claim, answers: Mapping[str, Answer]) -> Verdict:
    """Decide a claim. A side that is not Rows makes it undecidable, never contradicted."""
    one, two = claim.left, claim.right
    for step in one.steps:
        if answers[step].__class__ is not Rows:
            return UNDECIDABLE
    for step in two.steps:
        if answers[step].__class__ is not Rows:
            return UNDECIDABLE
    return HOLDS if holds(claim.relation, fold(one, answers), fold(two, answers), claim.rule) else CONTRADICTED


def holds(relation: Relation, left: list[Any], right: list[Any], rule: str) -> bool:
    if relation is SAME_BAG:
        return values.same_bag(left, right, rule)
    one, two = set(values.bag(left, rule)), set(values.bag(right, rule))
    if relation is Relation.SAME_SET:
        return one == two
    return one <= two if relation is Relation.SUBSET else one >= two
