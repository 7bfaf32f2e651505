"""report.md for one finding, and the report of a whole campaign."""

from __future__ import annotations

from typing import Any

from gainsay.campaign.events import Finding, read_case
from gainsay.core import registry
from gainsay.report.repro import shown, title


def table(answer: Any) -> list[str]:
    if not isinstance(answer, list):
        return [f"    {' '.join(str(answer).split())[:400]}"]
    if not answer:
        return ["    (no rows)"]
    return ["    " + " | ".join(row) for row in answer[:20]] + ([f"    ... {len(answer)} rows in all"] if len(answer) > 20 else [])


def side_by_side(left: tuple[str, ...], right: tuple[str, ...], names: tuple[str, str]) -> list[str]:
    """Both sides of the claim in two columns: what they share first, then what only one of them has, marked."""
    shared, only_right = [], list(right)
    only_left = []
    for row in left:
        if row in only_right:
            only_right.remove(row)
            shared.append(row)
        else:
            only_left.append(row)
    width = max([len(r) for r in left[:20]] + [18, len(names[0])])
    lines = [f"    {names[0]:<{width}}   {names[1]}"]
    lines += [f"    {row:<{width}}   {row}" for row in shared[:10]] + ([f"    ... {len(shared)} rows on both sides"] if len(shared) > 10 else [])
    for i in range(min(20, max(len(only_left), len(only_right)))):
        one = only_left[i] if i < len(only_left) else "-"
        two = only_right[i] if i < len(only_right) else "-"
        lines.append(f"    {one:<{width}}   {two}   <--")
    return lines


def named(side: dict[str, Any]) -> str:
    if side["value"] is not None:
        return f"{side['fold']} {' + '.join(side['steps'])}" if side["steps"] else "expected"
    return " + ".join(side["steps"])


def report(finding: Finding, extension: str = "sql") -> str:
    """What was claimed, both answers, versions, seed, and one plain sentence why it must hold."""
    seats = read_case(finding.case).seats
    times = "once" if finding.count == 1 else f"{finding.count} times"
    lines = [f"# {title(finding)}", "", f"`{finding.id}`: {finding.kind}, {finding.status}, met {times}.", ""]
    lines += [f"**Claim.** {finding.words[:1].upper()}{finding.words[1:]}.", "", f"**Why it must hold.** {finding.why}", ""]
    end = registry.family(finding.family).ending
    lines += ["## To reproduce", ""]
    if finding.setup:
        lines += [f"```{extension}", *(f"{s}{end}" for s in finding.setup), "```", ""]
    if finding.before:
        lines += ["After these questions in the same session:", "", f"```{extension}", *(f"{t}{end}" for _, t in finding.before), "```", ""]
    for label, text in finding.texts.items():
        if finding.oracle == "load" and text in finding.setup:
            lines += [f"The last statement gives: {shown(finding.answers.get(label))}", ""]
            continue
        lines += [f"{label}:", "", f"```{extension}", f"{text}{end}", "```", "", *table(finding.answers.get(label)), ""]
    if finding.sides:
        lines += [
            "## Side by side",
            "",
            *side_by_side(finding.left, finding.right, (named(finding.sides["left"]), named(finding.sides["right"]))),
            "",
        ]
    if finding.opinion:
        lines += [f"{'Who is wrong' if finding.also else 'A third opinion'}: {finding.opinion}.", ""]
    if finding.detail:
        lines += ["## What the engine said", "", "```", finding.detail[-1500:], "```", ""]
    lines += ["## Where", ""]
    for seat in seats:
        build = f" (built with {', '.join(seat.build)})" if seat.build else ""
        lines.append(f"- {seat.target}: version {seat.version}{build}")
    lines += [f"- oracle: {finding.oracle}; seed {finding.seed}, episode {finding.name.episode}, check {finding.name.check}"]
    if finding.unreduced:
        lines.append("- not fully reduced: the reducer's budget ended first (`gainsay reduce` goes on)")
    present = "where the bug is present"
    if len(seats) > 1 and finding.kind in ("logic", "incomplete"):
        present = f"where {seats[finding.seat].target.engine} does not answer as the other target did; read both answers: the other one may be wrong"
    lines += ["", f"`python repro.py` exits 1 {present}. `repro.{extension}` is the same as a script.", ""]
    return "\n".join(lines)


def campaign(findings: list[Finding], summary: dict[str, Any], extension: str = "sql") -> str:
    """A report of all findings."""
    lines = ["# Gainsay report", ""]
    lines += [f"Targets: {', '.join(summary['targets'])}. Seed {summary['seed']}. {summary['checks']:,} checks, {summary['asks']:,} questions.", ""]
    if not findings:
        return "\n".join([*lines, "No findings.", ""])
    lines += ["| finding | engine | kind | status | count | what |", "|---|---|---|---|---|---|"]
    lines += [f"| {f.id} | {f.engine} {f.version} | {f.kind} | {f.status} | {f.count} | {f.signature.partition(': ')[2]} |" for f in findings]
    for f in findings:
        lines += ["", f"## {f.id}", "", f"{f.words[:1].upper()}{f.words[1:]}.", "", f"```{registry.family(f.family).extension}"]
        end, note = registry.family(f.family).ending, registry.family(f.family).dialect(registry.engine(f.engine).DIALECT).comment
        lines += [f"{s}{end}" for s in f.setup]
        for label, text in f.texts.items():
            told = f"{note} {label}: {shown(f.answers.get(label))}"
            lines += [told, text] if "\n" in text else [f"{text}{end}  {told}"]
        if f.sides and f.sides["right"]["value"] is not None:
            lines += [f"{note} expected: {(', '.join(f.right) or 'no rows')[:300]}"]
        lines += ["```"]
    return "\n".join(lines) + "\n"
