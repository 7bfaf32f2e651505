"""Claims: what must hold between the answers of a conversation, as data; and the judge."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any

import msgspec

from gainsay.core import values
from gainsay.core.answer import Answer, Decision, GaveUp, Rows


class Relation(enum.Enum):
    SAME_BAG = "the same rows, each as often, as"
    SAME_LIST = "the same rows in the same order as"
    SAME_SET = "the same set of rows as"
    SUBSET = "contained in"
    CONTAINS = "a superset of"
    SAME_DECISION = "no other than"  # sat and unsat contradict each other; unknown contradicts nothing
    SATISFIES = "one that makes every assertion"  # what it makes of them was computed by the oracle: it is the left side's value
    DECIDES = "either of"


class Fold(enum.Enum):
    """How the answers of one side become one list of rows."""

    ROWS = "rows"
    COUNT = "number of rows of"
    TRUE_ROWS = "rows marked true by"
    MIN = "least value of"
    MAX = "greatest value of"
    SUM = "sum of"
    TOTAL = "total of"
    VERDICT = "verdict on"
    MODEL = "model given for"
    LAST = "last verdict on"


class Side(msgspec.Struct, frozen=True):
    """One side of a claim: labelled steps under a fold, or a value that is known in advance."""

    steps: tuple[str, ...] = ()
    fold: Fold = Fold.ROWS
    value: tuple[Any, ...] | None = None

    def words(self) -> str:
        if self.value is not None and not self.steps:
            return shown_value(self.value)
        return f"{self.fold.value} ({' + '.join(self.steps)})" if " " in self.fold.value else f"{self.fold.value}({' + '.join(self.steps)})"


def shown_value(value: tuple[Any, ...]) -> str:
    """A value that is known in advance, in words: rows are too many for a sentence, verdicts are not."""
    is_short = all(isinstance(row, (tuple, list)) and len(row) == 1 and isinstance(row[0], str) for row in value) and 0 < len(value) < 9
    return " ".join(row[0] for row in value) if is_short and {row[0] for row in value} <= WORDS else "the expected rows"


WORDS = frozenset({"sat", "unsat", "unknown", "true", "false", "sat or unsat"})


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
ROWS, TRUE_ROWS, TOTAL, VERDICT, SAME_BAG = Fold.ROWS, Fold.TRUE_ROWS, Fold.TOTAL, Fold.VERDICT, Relation.SAME_BAG
HOLDS, CONTRADICTED, UNDECIDABLE = Verdict.HOLDS, Verdict.CONTRADICTED, Verdict.UNDECIDABLE


def fold(side: Side, answers: Mapping[str, Answer]) -> list[Any]:
    """The rows of a side. The caller has made sure that each answer is Rows."""
    if side.value is not None:
        return list(side.value)
    steps = side.steps
    how = side.fold
    if len(steps) == 1:  # nearly always
        rows = answers[steps[0]].rows  # type: ignore[union-attr] # the judge has checked the class
        if how is ROWS or how is VERDICT:
            return rows
        if how is TRUE_ROWS:
            return [row[1:] for row in rows if row[0]]
        if how is TOTAL and len(rows) == 1:
            return [(rows[0][0] or 0,)]
    rows = [row for step in steps for row in answers[step].rows]  # type: ignore[union-attr] # as above
    if how in (Fold.ROWS, Fold.VERDICT, Fold.MODEL):
        return rows
    if how is Fold.LAST:
        return rows[-1:]
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
    """Decide a claim. A side that is neither rows nor a decision makes it undecidable, never contradicted."""
    one, two = claim.left, claim.right
    for step in one.steps:
        if answers[step].__class__ is not Rows:
            return decided(claim, answers)
    for step in two.steps:
        if answers[step].__class__ is not Rows:
            return decided(claim, answers)
    return HOLDS if holds(claim.relation, fold(one, answers), fold(two, answers), claim.rule) else CONTRADICTED


def decided(claim: Claim, answers: Mapping[str, Answer]) -> Verdict:
    """Decide a claim on what solvers said."""
    relation = claim.relation
    if relation is Relation.DECIDES:
        said = answers[claim.left.steps[0]]
        if isinstance(said, GaveUp) and said.reason == "unknown":
            return CONTRADICTED
        return HOLDS if isinstance(said, Decision) else UNDECIDABLE
    if relation not in (Relation.SAME_DECISION, Relation.SATISFIES):
        return UNDECIDABLE
    if not all(isinstance(answers[step], Decision) for side in (claim.left, claim.right) for step in side.steps):
        return UNDECIDABLE
    left, right = fold(claim.left, answers), fold(claim.right, answers)
    if relation is Relation.SATISFIES:
        return {("true",): HOLDS, ("false",): CONTRADICTED}.get(tuple(left[0]), UNDECIDABLE)
    pairs = [(a[0], b[0]) for a, b in zip(left, right, strict=False) if "unknown" not in (a[0], b[0])]
    if len(left) != len(right) or not pairs:
        return UNDECIDABLE
    return CONTRADICTED if any(a != b for a, b in pairs) else HOLDS


def lines(side: Side, answers: Mapping[str, Answer]) -> tuple[str, ...]:
    """A side for people: its rows, or what was said instead."""
    if any(not isinstance(answers[step], (Rows, Decision)) for step in side.steps):
        return tuple(str(answers[step]) for step in side.steps)
    return tuple(row[0] if len(row) == 1 and isinstance(row[0], str) and row[0] in WORDS else str(row) for row in fold(side, answers))


def holds(relation: Relation, left: list[Any], right: list[Any], rule: str) -> bool:
    if relation is SAME_BAG:
        return values.same_bag(left, right, rule)
    if relation is Relation.SAME_LIST:
        return [values.row_key(r, rule) for r in left] == [values.row_key(r, rule) for r in right]
    one, two = set(values.bag(left, rule)), set(values.bag(right, rule))
    if relation is Relation.SAME_SET:
        return one == two
    return one <= two if relation is Relation.SUBSET else one >= two
