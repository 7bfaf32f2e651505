"""The judge: how several answers become one list of rows, and when two such lists are as they must be.

Plain Python over plain rows, with nothing but `values` beneath: every reproducer carries this source as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gainsay.core.values import bag, rank, row_key, same_bag

Rows = list[Any]

ROWS, COUNT, TRUE_ROWS = "rows", "number of rows of", "rows marked true by"
MIN, MAX, SUM, TOTAL = "least value of", "greatest value of", "sum of", "total of"
VERDICT, MODEL, LAST = "verdict on", "model given for", "last verdict on"
SAME_BAG, SAME_LIST, SAME_SET = (
    "the same rows, each as often, as",
    "the same rows in the same order as",
    "the same set of rows as",
)
SUBSET, CONTAINS = "contained in", "a superset of"
SAME_DECISION, SATISFIES, DECIDES = "no other than", "one that makes every assertion", "either of"


def known(rows: Rows) -> list[Any]:
    """The first values of rows that are not NULL."""
    return [row[0] for row in rows if row[0] is not None]


def true_rows(rows: Rows) -> Rows:
    return [row[1:] for row in rows if row[0]]


def total(rows: Rows) -> Rows:
    """The sum of counts; a lone one as it is, whatever an engine gave for it."""
    found = known(rows)
    return [(found[0] if len(found) == 1 else sum(found),)]


def summed(rows: Rows) -> Rows:
    return total(rows) if known(rows) else [(None,)]


def least(rows: Rows) -> Rows:
    return [(min(known(rows), key=rank, default=None),)]


def greatest(rows: Rows) -> Rows:
    return [(max(known(rows), key=rank, default=None),)]


FOLDS: Mapping[str, Callable[[Rows], Rows]] = {
    ROWS: lambda rows: rows,
    VERDICT: lambda rows: rows,
    MODEL: lambda rows: rows,
    LAST: lambda rows: rows[-1:],
    TRUE_ROWS: true_rows,
    COUNT: lambda rows: [(len(rows),)],
    TOTAL: total,
    SUM: summed,
    MIN: least,
    MAX: greatest,
}


def folded(how: str, answers: Sequence[Rows]) -> Rows:
    """The rows of several answers, as one side of a claim."""
    return FOLDS[how](answers[0] if len(answers) == 1 else [row for rows in answers for row in rows])


def same_list(left: Rows, right: Rows, rule: str) -> bool:
    return [row_key(row, rule) for row in left] == [row_key(row, rule) for row in right]


def same_set(left: Rows, right: Rows, rule: str) -> bool:
    return bag(left, rule).keys() == bag(right, rule).keys()


def subset(left: Rows, right: Rows, rule: str) -> bool:
    return bag(left, rule).keys() <= bag(right, rule).keys()


def contains(left: Rows, right: Rows, rule: str) -> bool:
    return subset(right, left, rule)


RELATIONS: Mapping[str, Callable[[Rows, Rows, str], bool]] = {
    SAME_BAG: same_bag,
    SAME_LIST: same_list,
    SAME_SET: same_set,
    SUBSET: subset,
    CONTAINS: contains,
}


def holds(relation: str, left: Rows, right: Rows, rule: str) -> bool:
    """Whether two sides are as a claim says. `rule`: when two values are the same."""
    return RELATIONS[relation](left, right, rule)


# Verdicts are rows of one word. `unknown` contradicts no other word.


def agreed(left: Rows, right: Rows) -> bool | None:
    """Whether the verdicts of two sides agree, one by one. None where that can't be told: `unknown` says nothing."""
    pairs = [(a[0], b[0]) for a, b in zip(left, right, strict=False) if "unknown" not in (a[0], b[0])]
    return all(a == b for a, b in pairs) if pairs and len(left) == len(right) else None


def satisfied(left: Rows, right: Rows) -> bool | None:
    """Whether what must be true is: the left side says so."""
    return {("true",): True, ("false",): False}.get(tuple(left[0])) if left else None


def settled(left: Rows, right: Rows) -> bool | None:
    """Whether a verdict was given that is not `unknown`, whichever it is."""
    return any(row[0] != "unknown" for row in left) if left else None


DECISIONS: Mapping[str, Callable[[Rows, Rows], bool | None]] = {
    SAME_DECISION: agreed,
    SATISFIES: satisfied,
    DECIDES: settled,
}


def decided(relation: str, left: Rows, right: Rows) -> bool | None:
    """Whether two sides that are verdicts are as a claim says; None where that can't be told."""
    return DECISIONS[relation](left, right)
