"""report.md for one finding, and the report of a whole campaign."""

from __future__ import annotations

from typing import Any

from gainsay.campaign.events import Finding, read_case
from gainsay.report.repro import shown


def table(answer: Any) -> list[str]:
    if not isinstance(answer, list):
        return [f"    {' '.join(str(answer).split())[:400]}"]
    if not answer:
        return ["    (no rows)"]
    return ["    " + " | ".join(row) for row in answer[:20]] + ([f"    ... {len(answer)} rows in all"] if len(answer) > 20 else [])


def side_by_side(left: tuple[str, ...], right: tuple[str, ...]) -> list[str]:
    """Both sides of the claim in two columns; what only one of them has is marked."""
    rest_right, rest_left = list(right), list(left)
    for row in left:
        if row in rest_right:
            rest_right.remove(row)
            rest_left.remove(row)
    width = max([len(r) for r in left[:20]] + [18])
    lines = [f"    {'left side':<{width}}   right side"]
    for i in range(min(20, max(len(left), len(right)))):
        one = left[i] if i < len(left) else ""
        two = right[i] if i < len(right) else ""
        mark = "   <--" if one in rest_left or two in rest_right else ""
        lines.append(f"    {one:<{width}}   {two}{mark}")
    if not left and not right:
        lines.append("    (no rows)            (no rows)")
    return lines


def report(finding: Finding, extension: str = "sql") -> str:
    """What was claimed, both answers, versions, seed, and one plain sentence why it must hold."""
    seats = read_case(finding.case).seats
    times = "once" if finding.count == 1 else f"{finding.count} times"
    lines = [f"# {finding.signature}", "", f"`{finding.id}`: {finding.kind}, {finding.status}, met {times}.", ""]
    lines += [f"**Claim.** {finding.words[:1].upper()}{finding.words[1:]}.", "", f"**Why it must hold.** {finding.why}", ""]
    lines += ["## To reproduce", "", f"```{extension}", *(f"{s};" for s in finding.setup), "```", ""]
    if finding.before:
        lines += ["After these questions in the same session:", "", f"```{extension}", *(f"{t};" for _, t in finding.before), "```", ""]
    for label, text in finding.texts.items():
        lines += [f"{label}:", "", f"```{extension}", f"{text};", "```", "", *table(finding.answers.get(label)), ""]
    if finding.sides:
        lines += ["## Side by side", "", *side_by_side(finding.left, finding.right), ""]
    if finding.opinion:
        lines += [f"A third opinion: {finding.opinion}.", ""]
    if finding.detail:
        lines += ["## What the engine said", "", "```", finding.detail[-1500:], "```", ""]
    lines += ["## Where", ""]
    for seat in seats:
        build = f" (built with {', '.join(seat.build)})" if seat.build else ""
        lines.append(f"- {seat.target}: version {seat.version}{build}")
    lines += [f"- oracle: {finding.oracle}; seed {finding.seed}, episode {finding.name.episode}, check {finding.name.check}"]
    if finding.unreduced:
        lines.append("- not fully reduced: the reducer's budget ended first (`gainsay reduce` goes on)")
    lines += ["", f"`python repro.py` exits 1 where the bug is present; `repro.{extension}` is the same as a script.", ""]
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
        lines += ["", f"## {f.id}", "", f"{f.words[:1].upper()}{f.words[1:]}.", "", f"```{extension}", *(f"{s};" for s in f.setup)]
        lines += [f"{t};  -- {label}: {shown(f.answers.get(label))}" for label, t in f.texts.items()] + ["```"]
    return "\n".join(lines) + "\n"
