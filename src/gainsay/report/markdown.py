"""report.md for one finding, and the report of a whole campaign."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gainsay.campaign.events import Finding, read_case
from gainsay.campaign.interval import Interval
from gainsay.core import registry
from gainsay.core.claim import Relation
from gainsay.report import decisions, proving
from gainsay.report.pieces import spoken
from gainsay.report.repro import met, met_by, title
from gainsay.report.script import EMPTY, expected_rows, extension, is_verdict, marked, outcome, shown, tallied

SHARED = 10  # rows that both sides have
MOST = 20  # lines of an answer, or of what differs


def table(answer: Any, is_list: bool = False, words: Mapping[str, str] = EMPTY) -> list[str]:
    """An answer as lines; `words`: what the family calls Python's None, True and False."""
    if not isinstance(answer, list):
        return [f"    {' '.join(str(answer).split())[:400]}"]
    if not answer:
        return ["    (no rows)"]
    rows = (
        [row[0] for row in answer]
        if is_verdict(answer)
        else tallied([spoken(" | ".join(row), words) for row in answer], is_list)
    )
    return [f"    {row}" for row in rows[:MOST]] + ([f"    ... {len(answer)} rows in all"] if len(rows) > MOST else [])


class Compared(NamedTuple):
    """Both sides of a claim, row by row; `more`: rows that are the same on both sides and are not listed."""

    pairs: Sequence[tuple[str, str]]
    more: int


def compared(left: Sequence[str], right: Sequence[str], is_list: bool = False) -> Compared:
    """Both sides beside each other. Unless order counts, what they share comes first, and equal rows are one line."""
    pairs = (
        list(itertools.zip_longest(left, right, fillvalue="-")) if is_list else by_row(Counter(left), Counter(right))
    )
    shared = [] if is_list else [one for one, two in pairs if one == two]
    listed = [(one, one) for one in shared[:SHARED]]
    listed += [pair for pair in pairs if is_list or pair[0] != pair[1]][:MOST]
    return Compared(listed, max(0, len(shared) - SHARED))


def side_by_side(left: Sequence[str], right: Sequence[str], names: tuple[str, str], is_list: bool = False) -> list[str]:
    """Both sides of the claim in two columns, what differs marked."""
    lines, more = compared(left, right, is_list)
    width = max([len(one) for one, _ in lines] + [18, len(names[0])])
    told = [f"    {one:<{width}}   {two}{'   <--' if one != two else ''}" for one, two in lines]
    if more:
        told.insert(SHARED, f"    ... {more + SHARED} lines are the same on both sides")
    return [f"    {names[0]:<{width}}   {names[1]}", *told]


def sides(finding: Finding) -> tuple[tuple[str, str], list[str], list[str]]:
    """What the two sides of a finding's claim are called, and the rows of each, in the family's words."""
    words = registry.family(finding.family).literals
    left, right = ([spoken(row, words) for row in rows] for rows in (finding.left, finding.right))
    return (named(finding.sides["left"]), named(finding.sides["right"])), left, right


def by_row(left: Counter[str], right: Counter[str]) -> list[tuple[str, str]]:
    """Each row once, as often as each side has it; rows that only one side has stand beside each other."""
    both = [(tallied([row] * left[row])[0], tallied([row] * right[row])[0]) for row in left if row in right]
    mine, theirs = ([row for row in one.elements() if row not in two] for one, two in ((left, right), (right, left)))
    return both + list(itertools.zip_longest(tallied(mine), tallied(theirs), fillvalue="-"))


def named(side: dict[str, Any]) -> str:
    if side["value"] is not None:
        return f"{side['fold']} {' + '.join(side['steps'])}" if side["steps"] else "expected"
    return " + ".join(side["steps"])


def report(finding: Finding) -> str:
    """What was claimed, both answers, versions, seed, and one plain sentence why it must hold."""
    times = "once" if finding.count == 1 else f"{finding.count} times"
    lines = [f"# {title(finding)}", "", f"`{finding.id}`: {finding.kind}, {finding.status}, met {times}.", ""]
    if finding.aliases:
        told = ", ".join(f"`{alias}`" for alias in finding.aliases)
        lines += [f"Also called {told}: cases of the same cause that ended in another form.", ""]
    for other in finding.otherwise:
        lines += [f"The same cause also shows as {other}.", ""]
    said = outcome(finding)
    claim = f"**Claim.** {finding.words[:1].upper()}{finding.words[1:]}."
    lines += [f"**Wrong.** It {said}." if said else claim, "", f"**Why it must hold.** {finding.why}", ""]
    lines += ["## To reproduce", "", *reproducing(finding)]
    if finding.sides:
        names, left, right = sides(finding)
        lines += ["## Side by side", "", *side_by_side(left, right, names, is_ordered(finding)), ""]
    if finding.opinion:
        lines += [f"{'Who is wrong' if finding.also else 'A third opinion'}: {finding.opinion}.", ""]
    if finding.detail:
        lines += ["## What the engine said", "", "```", finding.detail[-1500:], "```", ""]
    lines += ["## Where", "", *where(finding)]
    if finding.interval is not None:
        lines += ["", "## Releases", "", *releases(finding.interval)]
    if proving.remark(finding):
        lines += ["", f"**{proving.remark(finding)}.**"]
    script = f"`repro.{extension(finding)}` is the same as a script."
    lines += ["", f"`python repro.py` exits 1 {present(finding)}. {script} {met(finding)}.", ""]
    return "\n".join(lines)


def is_ordered(finding: Finding) -> bool:
    """Whether the order of rows or verdicts counts."""
    return bool(finding.sides) and finding.sides["relation"] in (Relation.SAME_LIST, *decisions.RELATIONS)


def reproducing(finding: Finding) -> list[str]:
    """Statements and questions, each with its answer."""
    family, kind = registry.family(finding.family), extension(finding)
    end, note = family.ending, family.dialect(registry.engine(finding.engine).dialect).comment
    lines: list[str] = []
    if finding.setup:
        lines += [f"```{kind}", *(f"{s}{end}" for s in finding.setup), "```", ""]
    if finding.before:
        asked = [f"{text}{end}" for _, text in finding.before]
        lines += ["After these questions in the same session:", "", f"```{kind}", *asked, "```", ""]
    for label, text in marked(finding.texts, note, family.compared_by_line).items():
        answer = finding.answers.get(label)
        if finding.oracle == "load" and text in finding.setup:
            lines += [f"The last statement gives: {shown(answer, family.literals)}", ""]
            continue
        lines += [f"{label}:", ""] if finding.sides else []  # one question alone needs no name
        lines += [f"```{kind}", f"{text}{end}", "```", "", *table(answer, is_ordered(finding), family.literals), ""]
    return lines


def where(finding: Finding) -> list[str]:
    """Targets, oracle, seed and place."""
    seats = read_case(finding.case).seats
    lines = []
    for seat in [seats[finding.seat]] if finding.oracle == registry.ALONE else seats:
        build = f" (built with {', '.join(seat.build)})" if seat.build else ""
        lines.append(f"- {seat.target}: version {seat.version}{build}")
    place = f"seed {finding.seed}, episode {finding.name.episode}, check {finding.name.check}"
    lines.append(f"- oracle: {met_by(finding)}; {place}")
    if finding.unreduced:
        lines.append("- not fully reduced: the reducer's budget ended first (`gainsay reduce` goes on)")
    return lines


def releases(interval: Interval) -> list[str]:
    """Between which releases it came and went, and what each that was tried said."""
    said = interval.told()
    rows = [f"| {t.version} | {t.told()}{f': {t.why}' if t.why else ''} |" for t in interval.tried]
    told = f"{len(interval.tried)} of {interval.releases} releases of {interval.engine} were tried."
    return [f"{said[:1].upper()}{said[1:]}. {told}", "", "| release | |", "|---|---|", *rows]


def present(finding: Finding) -> str:
    """Where repro.py exits 1."""
    case = read_case(finding.case)
    seats = case.seats
    is_compared = len(seats) > 1 and case.recipe.shared_question is not None
    if not is_compared or finding.kind not in ("logic", "incomplete"):
        return "where the bug is present"
    engine = seats[finding.seat].target.engine
    doubt = "read both answers: the other one may be wrong"
    return f"where {engine} does not answer as the other target did; {doubt}"


def campaign(findings: list[Finding], summary: dict[str, Any]) -> str:
    """A report of all findings."""
    lines = ["# Gainsay report", ""]
    lines += [
        f"Targets: {', '.join(summary['targets'])}. Seed {summary['seed']}. {summary['checks']:,} checks, "
        f"{summary['asks']:,} questions.",
        "",
    ]
    if not findings:
        return "\n".join([*lines, "No findings.", ""])
    lines += ["| finding | engine | kind | status | count | what |", "|---|---|---|---|---|---|"]
    lines += [
        f"| {f.id} | {f.engine} {f.version} | {f.kind} | {f.status} | {f.count} | {f.called().partition(': ')[2]} |"
        for f in findings
    ]
    for f in findings:
        said = f"It {outcome(f)}." if outcome(f) else f"{f.words[:1].upper()}{f.words[1:]}."
        lines += ["", f"## {f.id}", "", said, "", f"```{extension(f)}"]
        end, note = (
            registry.family(f.family).ending,
            registry.family(f.family).dialect(registry.engine(f.engine).dialect).comment,
        )
        lines += [f"{s}{end}" for s in f.setup]
        for label, text in f.texts.items():
            told = f"{note} {label}: {shown(f.answers.get(label), registry.family(f.family).literals)}"
            lines += [told, text] if "\n" in text else [f"{text}{end}  {told}"]
        if f.sides and f.sides["right"]["value"] is not None:
            lines += [f"{note} expected: {expected_rows(f)[:300]}"]
        lines += ["```"]
    return "\n".join(lines) + "\n"
