"""A finding on a terminal, in colour: what is wrong, the script, both answers beside each other, the releases."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from gainsay.campaign.events import Finding
from gainsay.campaign.interval import Interval
from gainsay.core import registry
from gainsay.report import markdown, proving, script
from gainsay.report.repro import met, met_by, title

KINDS = {"logic": "bold red", "crash": "bold magenta", "hang": "bold magenta", "memory": "bold magenta"}
STATES = {"wrong": "red", "right": "green"}


def style_of(kind: str) -> str:
    """The colour of a kind of finding."""
    return KINDS.get(kind, "bold yellow")


def shown(finding: Finding, folder: str) -> RenderableType:
    """All that a reader wants to see first."""
    return Group(*parts(finding, folder))


def parts(finding: Finding, folder: str) -> Iterator[RenderableType]:
    """From what is wrong to where it is kept."""
    said = script.outcome(finding)
    yield Text.assemble((title(finding), style_of(finding.kind)))
    times = "once" if finding.count == 1 else f"{finding.count} times"
    yield Text(f"{finding.id}: {finding.status}, {met_by(finding)}, met {times}", style="dim")
    yield Text(f"\nIt {said}." if said else f"\n{finding.words[:1].upper()}{finding.words[1:]}.", style="bold")
    yield Text(f"{finding.why}\n")
    lexer = registry.family(finding.family).lexer
    yield Syntax(script.text(finding).strip(), lexer, background_color="default", word_wrap=True)
    if finding.sides:
        yield Text()
        yield sides(finding)
    if finding.opinion:
        yield Text(f"\n{finding.opinion}.")
    if finding.detail:
        yield Text(f"\n{finding.detail[-1500:].strip()}", style="dim")
    if finding.interval is not None and finding.interval.introduced:
        yield releases(finding.interval)
    if proving.remark(finding):
        yield Text(f"\n{proving.remark(finding)}.", style="yellow")
    yield Text(f"\npython {folder}/repro.py exits 1 {markdown.present(finding)}. {met(finding)}.", style="dim")


def sides(finding: Finding) -> Table:
    """Both sides of the claim, rows that differ in red."""
    names, left, right = markdown.sides(finding)
    pairs, more = markdown.compared(left, right, markdown.is_ordered(finding))
    table = Table(*map(escape, names), box=None, padding=(0, 3, 0, 0), header_style="bold dim")
    for one, two in pairs:
        table.add_row(*(Text(row, style="red" if one != two else "") for row in (one, two)))
    if more:
        table.add_row(Text(f"... {more} more lines are the same on both sides", style="dim"), "")
    return table


def releases(interval: Interval) -> Text:
    """The releases that were tried, each in the colour of what it said."""
    told = interval.told()
    text = Text(f"\n{told[:1].upper()}{told[1:]}.\n")
    for tried in interval.tried:
        text.append(f"{tried.version} ", style=STATES.get(tried.told(), "dim"))
    return text
