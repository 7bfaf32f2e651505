"""repro.<ext>, a finding as a script in the engine's own language: statements and questions, answers as comments."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any

from gainsay.campaign.events import Finding
from gainsay.core import registry
from gainsay.core.claim import Fold, Relation
from gainsay.core.wording import counted
from gainsay.report import decisions
from gainsay.report.pieces import spoken
from gainsay.report.repro import blamed_seat

BAGS = (Relation.SAME_BAG, Relation.SAME_LIST)
VERDICT = re.compile(r"(?!nan$|inf$)[a-z]+")
EMPTY: Mapping[str, str] = MappingProxyType({})


def extension(finding: Finding) -> str:
    """How the script's name ends: as the family's do, unless the engine speaks another language."""
    return registry.engine(finding.engine).extension or str(registry.family(finding.family).extension)


def is_verdict(answer: list[list[str]]) -> bool:
    """Whether an answer is a solver's words: but for nan and inf, no literal of a row is a word in small letters."""
    return bool(answer) and all(len(row) == 1 for row in answer) and bool(VERDICT.fullmatch(answer[0][0]))


def text(finding: Finding) -> str:
    """The text of repro.sql (or .dl, .smt2, ...): statements and questions, answers as comments."""
    family = registry.family(finding.family)
    end, note = family.ending, family.dialect(registry.engine(finding.engine).dialect).comment
    said = outcome(finding) or finding.words
    lines = [f"{note} {finding.engine} {finding.version}: {said}", f"{note} {finding.why}", ""]
    command = registry.engine(finding.engine).run
    lines += [f"{note} run: {command} repro.{extension(finding)}", ""] if command else []
    lines += prelude(finding)
    before = [f"{s}{end}" for s in finding.setup] + [f"{t}{end}" for _, t in finding.before]
    lines += [*before, ""] if before else []
    if finding.sides and finding.sides["right"]["value"] is not None:
        lines += [f"{note} expected: {expected_rows(finding)}"]
    last = list(finding.texts)[-1] if finding.texts else ""
    for label, said in marked(finding.texts, note, family.compared_by_line).items():
        lines += [f"{note} {label}: {shown(finding.answers.get(label), family.literals)}"]
        if finding.oracle == "load" and said in finding.setup:
            continue
        # Where a question is a whole program, one can be run: the last. The others are there to compare.
        is_run = bool(end) or label == last
        lines += [f"{runnable(finding, said)}{end}"] if is_run else [f"{note}     {line}" for line in said.splitlines()]
    return "\n".join(lines) + "\n"


def marked(texts: dict[str, str], note: str, labels: Set[str]) -> dict[str, str]:
    """Two questions with a comment on each line that only one of them has; other texts as they are."""
    if not labels or not texts.keys() >= labels:
        return texts
    one, two = (set(texts[label].splitlines()) for label in sorted(labels))
    told = {
        k: "\n".join(f"{line}  {note} <-- only here" if line in one ^ two else line for line in texts[k].splitlines())
        for k in labels
    }
    return {**texts, **told}


def runnable(finding: Finding, text: str) -> str:
    """A question as the engine's own program takes it from a file."""
    return registry.engine(finding.engine).script(text, blamed_seat(finding).target.configs)


def prelude(finding: Finding) -> Sequence[str]:
    """What a configuration says to the engine first, where it is text of the script."""
    return registry.engine(finding.engine).script_head(blamed_seat(finding).target.configs)


def tallied(rows: Sequence[str], is_list: bool = False) -> list[str]:
    """Rows as text, equal ones as a count: '27 rows (1,)'.
    Where their order counts, only those that follow each other."""
    runs = [(row, len(list(same))) for row, same in itertools.groupby(rows)] if is_list else list(Counter(rows).items())
    return [row if count == 1 else f"{count} rows {row}" for row, count in runs]


def expected_rows(finding: Finding) -> str:
    """The rows or verdicts that the right side of a claim says."""
    is_decided = finding.sides["relation"] in decisions.RELATIONS
    words = registry.family(finding.family).literals
    listed = finding.right if is_decided else tallied([spoken(row, words) for row in finding.right])
    return ", ".join(listed) or "no rows"


def outcome(finding: Finding) -> str:
    """What is wrong, in one sentence, where the right rows are known: 'gives 2 rows, must give 1'."""
    sides = finding.sides
    is_known = bool(sides) and sides["right"]["value"] is not None and len(sides["left"]["steps"]) == 1
    if not is_known or sides["left"]["fold"] != Fold.ROWS or sides["relation"] not in BAGS:
        return ""
    left, right = (
        [spoken(row, registry.family(finding.family).literals) for row in rows]
        for rows in (finding.left, finding.right)
    )
    if len(left) != len(right):
        return f"gives {counted(len(left), 'row') if left else 'no row'}, must give {len(right) or 'none'}"
    if len(left) == 1:
        return f"gives {left[0]}, must give {right[0]}"
    wrong, missing = Counter(left) - Counter(right), Counter(right) - Counter(left)
    if wrong.total() == 1:
        return f"gives {next(iter(wrong))} in place of {next(iter(missing))}"
    return f"gives {counted(len(left), 'row')}, {wrong.total()} of which are wrong" if wrong else ""


def shown(answer: Any, words: Mapping[str, str] = EMPTY) -> str:
    """An answer on a line; `words`: what the family calls Python's None, True and False."""
    if isinstance(answer, list) and is_verdict(answer):
        return " ".join(row[0] for row in answer)[:300]
    if isinstance(answer, list):
        listed = [spoken(f"({', '.join(row)})", words) for row in answer]
        told = tallied(listed)
        if len(told) < 2:
            return f"{counted(len(answer), 'row')} {listed[0]}" if told else "no rows"
        return f"{counted(len(answer), 'row')}: {', '.join(told[:8])}"
    return " ".join(str(answer).split())[:300]
