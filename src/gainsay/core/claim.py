"""Claims: what must hold between the answers of a conversation, as data. `judge` decides them."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any

import msgspec

from gainsay.core import judge as judges
from gainsay.core import values
from gainsay.core.answer import Answer, Decision, GaveUp, Rows


class Relation(enum.StrEnum):
    """What must hold between two sides, in the judge's words; and three relations that only a solver's answers have."""

    SAME_BAG = judges.SAME_BAG
    SAME_LIST = judges.SAME_LIST
    SAME_SET = judges.SAME_SET
    SUBSET = judges.SUBSET
    CONTAINS = judges.CONTAINS
    SAME_DECISION = judges.SAME_DECISION  # two verdicts contradict each other; `unknown` contradicts nothing
    SATISFIES = judges.SATISFIES  # what a model makes of them was computed by the oracle: it is the left side's value
    DECIDES = judges.DECIDES


class Fold(enum.StrEnum):
    """How the answers of one side become one list of rows, in the judge's words."""

    ROWS = judges.ROWS
    COUNT = judges.COUNT
    TRUE_ROWS = judges.TRUE_ROWS
    MIN = judges.MIN
    MAX = judges.MAX
    SUM = judges.SUM
    TOTAL = judges.TOTAL
    VERDICT = judges.VERDICT
    MODEL = judges.MODEL
    LAST = judges.LAST


class Side(msgspec.Struct, frozen=True):
    """One side of a claim: labelled steps under a fold, or a value that is known in advance."""

    steps: tuple[str, ...] = ()
    fold: Fold = Fold.ROWS
    value: tuple[Any, ...] | None = None

    def words(self, is_verdict: bool = False) -> str:
        """The side in a sentence."""
        if self.value is not None and not self.steps:
            return shown_value(self.value) if is_verdict else ROWS_OF_OURS
        return (
            f"{self.fold.value} ({' + '.join(self.steps)})"
            if " " in self.fold.value
            else f"{self.fold.value}({' + '.join(self.steps)})"
        )


ROWS_OF_OURS = "the expected rows"


def shown_value(value: tuple[Any, ...]) -> str:
    """Verdicts that are known in advance, unless they are too many for a sentence."""
    return " ".join(row[0] for row in value) if 0 < len(value) < 9 else ROWS_OF_OURS


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
        is_verdict = self.relation in judges.DECISIONS
        return f"{self.left.words(is_verdict)} must be {self.relation.value} {self.right.words(is_verdict)}"


class Verdict(enum.Enum):
    """What a claim comes to, once its answers are there."""

    HOLDS = "holds"
    CONTRADICTED = "contradicted"
    UNDECIDABLE = "undecidable"


# Looked up once: an enum's member costs more than the comparison with it.
HOLDS, CONTRADICTED, UNDECIDABLE = Verdict.HOLDS, Verdict.CONTRADICTED, Verdict.UNDECIDABLE


def fold(side: Side, answers: Mapping[str, Answer]) -> list[Any]:
    """The rows of a side. The caller has made sure that each answer is Rows."""
    if side.value is not None:
        return list(side.value)
    steps = side.steps
    if len(steps) == 1:  # nearly always, and without a list of lists
        return judges.FOLDS[side.fold](answers[steps[0]].rows)  # type: ignore[union-attr] # see above
    return judges.folded(side.fold, [answers[step].rows for step in steps])  # type: ignore[union-attr] # see above


def judge(claim: Claim, answers: Mapping[str, Answer]) -> Verdict:
    """Decide a claim. A side that is neither rows nor a decision makes it undecidable, never contradicted."""
    one, two = claim.left, claim.right
    for step in one.steps:
        if answers[step].__class__ is not Rows:
            return decided(claim, answers)
    for step in two.steps:
        if answers[step].__class__ is not Rows:
            return decided(claim, answers)
    holds = judges.RELATIONS[claim.relation]
    return HOLDS if holds(fold(one, answers), fold(two, answers), claim.rule) else CONTRADICTED


OUTCOMES = {True: HOLDS, False: CONTRADICTED, None: UNDECIDABLE}


def decided(claim: Claim, answers: Mapping[str, Answer]) -> Verdict:
    """Decide a claim on what solvers said."""
    said = {step: verdicts(answers[step]) for side in (claim.left, claim.right) for step in side.steps}
    if claim.relation not in judges.DECISIONS or None in said.values():
        return UNDECIDABLE
    left, right = (
        list(side.value)
        if side.value is not None
        else judges.folded(side.fold, [said[step] or [] for step in side.steps])
        for side in (claim.left, claim.right)
    )
    return OUTCOMES[judges.decided(claim.relation, left, right)]


def verdicts(answer: Answer) -> list[Any] | None:
    """What a solver said, as rows; None where it said nothing that can be compared."""
    if isinstance(answer, GaveUp):
        return [("unknown",)] if answer.reason == "unknown" else None  # it gave up by itself
    return answer.rows if isinstance(answer, Decision) else None


def lines(claim: Claim, side: Side, answers: Mapping[str, Answer]) -> tuple[str, ...]:
    """A side of a claim for people: its rows or verdicts, or what was said instead."""
    if any(not isinstance(answers[step], (Rows, Decision)) for step in side.steps):
        return tuple(str(answers[step]) for step in side.steps)
    is_verdict = claim.relation in judges.DECISIONS
    return tuple(row[0] if is_verdict else str(row) for row in fold(side, answers))
