"""A hunt as one HTML page that needs nothing else: no network, no other file. Everything that an engine said is
escaped, and a policy in the page lets nothing run but its own script."""

from __future__ import annotations

import base64
import functools
import hashlib
import itertools
import time
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

import gainsay
from gainsay.campaign.config import Campaign
from gainsay.campaign.events import SURE, Finding
from gainsay.campaign.interval import Interval, twins
from gainsay.campaign.ledger import Ledger
from gainsay.core import registry
from gainsay.report import issue, markdown, script
from gainsay.report.page import heat
from gainsay.report.page.charts import charts, duration, moments
from gainsay.report.repro import met_by, title

FILES = "gainsay.report.page"
SCRIPT = "%SCRIPT%"  # stands for the script in the text of an issue: it is in the page once
LONGEST = 1500  # characters of what an engine said


class Fact(NamedTuple):
    """A line about the hunt as a whole."""

    name: str
    value: str
    built: str = ""  # with what the targets were built


class Shown(NamedTuple):
    """A finding as the page shows it."""

    id: str
    finding: Finding
    title: str
    oracle: str
    said: str
    code: Markup
    issue: str
    names: tuple[str, str]
    pairs: Sequence[tuple[str, str]]
    more: int
    detail: str
    interval: Interval | None
    alike: Sequence[str]  # others that came and went in the same releases
    is_loud: bool


def page(campaign: Campaign, ledger: Ledger, out: Path, live: Mapping[str, Any] | None = None) -> str:
    """The whole page. `live`: what a served page needs besides."""
    style, code = files("page.css") + syntax_style(), files("page.js")
    policy = (
        f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(code)}'; "
        "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    return (
        environment()
        .get_template("page.html")
        .render(style=Markup(style), code=Markup(code), policy=policy, live=live, **parts(campaign, ledger, out))
    )


def parts(campaign: Campaign, ledger: Ledger, out: Path) -> dict[str, Any]:
    """What the sections are made of."""
    listed = ledger.shown()
    pairs = [(f.id, f.interval) for f in listed if f.interval is not None]
    groups = twins(pairs)
    return {
        "name": out.name,
        "facts": facts(campaign, ledger),
        "charts": charts(ledger.pulses),
        "findings": [shown(f, groups) for f in listed],
        "heats": heat.heats(campaign, ledger),
        "log": list(ledger.log),
        "refusals": ledger.refusals.most_common(12),
        "version": gainsay.__version__,
    }


def sections(campaign: Campaign, ledger: Ledger, out: Path) -> str:
    """What changes while a hunt runs, as HTML."""
    return environment().get_template("sections.html").render(**parts(campaign, ledger, out))


def files(name: str) -> str:
    return (resources.files(FILES) / "files" / name).read_text("utf-8")


def digest(text: str) -> str:
    """How a policy names a script or style that may run."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@functools.cache
def environment() -> jinja2.Environment:
    loader = jinja2.PackageLoader(FILES, "files")
    made = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters["thousands"] = lambda number: f"{number:,}"
    return made


@functools.cache
def syntax_style() -> str:
    """Colours of a script, on a light and on a dark ground."""
    light = HtmlFormatter(style="friendly").get_style_defs(".code")
    dark = HtmlFormatter(style="native").get_style_defs(".code")
    plain = ".code .err{border:0}"  # what a lexer does not know is no mistake
    return f"\n{light}\n@media (prefers-color-scheme: dark){{\n{dark}\n}}\n{plain}\n"


def facts(campaign: Campaign, ledger: Ledger) -> list[Fact]:
    """What was hunted, for how long, and what the figures are worth."""
    counts = ledger.counts
    seats = {str(seat.target): seat for g in campaign.groups for seat in g.seats}
    named = [f"{s.target}" if s.version == s.target.version else f"{s.target} ({s.version})" for s in seats.values()]
    built = [f"{seat.target}: {', '.join(seat.build)}" for seat in seats.values() if seat.build]
    told = [
        Fact("targets", "; ".join(named), "; ".join(built)),
        Fact("oracles", ", ".join(dict.fromkeys(o for g in campaign.groups for o in g.oracles))),
        Fact("seed", str(campaign.seed)),
        Fact("checks", f"{counts.checks:,} on {counts.scenes:,} scenes, by {counts.asks:,} questions and statements"),
        Fact("accepted", percent(counts.asks - counts.refused, counts.asks)),
        Fact("not empty", percent(counts.nonempty, counts.answered)),
        Fact("decide nothing", percent(counts.undecidable, counts.checks)),
    ]
    found = moments(ledger.pulses)
    if found:
        began = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(ledger.pulses[0].at - ledger.pulses[0].run_s))
        last = found[-1]
        told.insert(3, Fact("hunted", f"{duration(last.at_s)}, {last.cpu_s:,.0f} CPU-seconds, since {began}"))
    if ledger.waiting():
        told.append(Fact("wait to be looked at", f"{ledger.waiting():,} contradictions"))
    return told


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} % of {whole:,}" if whole else "nothing asked"


def shown(finding: Finding, groups: Sequence[Sequence[str]] = ()) -> Shown:
    """A finding with everything that its part of the page needs."""
    pairs: Sequence[tuple[str, str]] = ()
    names, more = ("", ""), 0
    if finding.sides:
        names, left, right = markdown.sides(finding)
        pairs, more = markdown.compared(left, right, markdown.is_ordered(finding))
    family, said = registry.family(finding.family), script.outcome(finding)
    text = script.text(finding)
    together = next((group for group in groups if finding.id in group), ())
    return Shown(
        id=finding.id,
        finding=finding,
        title=title(finding),
        oracle=met_by(finding),
        said=f"It {said}." if said else f"{finding.words[:1].upper()}{finding.words[1:]}.",
        code=coloured(text, family.lexer, family.dialect(registry.engine(finding.engine).dialect).comment),
        issue=issue.text(finding, SCRIPT),
        names=names,
        pairs=pairs,
        more=more,
        detail=finding.detail[-LONGEST:],
        interval=finding.interval,
        alike=[name for name in together if name != finding.id],
        is_loud=finding.status in SURE,
    )


def coloured(text: str, lexer: str, note: str) -> Markup:
    """A script with its words marked, and lines of comment as such: dialects of one family begin them in their own
    ways. What pygments gives is escaped."""
    found = get_lexer_by_name(lexer, stripnl=False, ensurenl=False)
    formatter = HtmlFormatter(nowrap=True)
    lines = []
    for is_note, group in itertools.groupby(text.splitlines(), lambda line: line.startswith(note)):
        some = "\n".join(group)
        lines.append(
            Markup('<span class="c1">{}</span>').format(some) if is_note else highlight(some, found, formatter)
        )
    return Markup("\n".join(lines))
