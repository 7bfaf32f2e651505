"""JUnit's XML: a target and an oracle is a test, a finding is a failure of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from gainsay.campaign.config import Campaign
from gainsay.campaign.events import Finding
from gainsay.campaign.ledger import Ledger
from gainsay.report import issue
from gainsay.report.repro import met_by, title

UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML can't hold
ALWAYS = "always on"


class Failure(NamedTuple):
    """Why a test failed: in a line, of a kind, and in full."""

    message: str
    kind: str
    text: str


class Test(NamedTuple):
    """A test: which class of tests it belongs to, its name, its failures, or why it was not made."""

    group: str
    name: str
    failures: Sequence[Failure] = ()
    skipped: str = ""


def write(campaign: Campaign, ledger: Ledger, out: Path) -> str:
    """A hunt's targets and oracles as tests."""
    return report(f"gainsay hunt {' '.join(campaign.targets)}", tests(campaign, ledger))


def tests(campaign: Campaign, ledger: Ledger) -> Iterable[Test]:
    """One for each oracle on each target, and one for what is always on. What came to no claim was skipped."""
    loud = ledger.sure()
    for group in campaign.groups:
        mine = [f for f in loud if f.name.group == group.key]
        names = [*group.oracles, ALWAYS]
        for oracle in names:
            found = [failure(f) for f in mine if test_of(f, names) == oracle]
            is_idle = oracle != ALWAYS and not found and not ledger.held[group.key, oracle]
            yield Test(group.key, oracle, found, "it came to no claim" if is_idle else "")


def test_of(finding: Finding, names: Sequence[str]) -> str:
    """Which test a finding makes fail."""
    met = met_by(finding)
    return met if finding.kind in ("logic", "incomplete") and met in names else ALWAYS


def failure(finding: Finding) -> Failure:
    return Failure(f"{finding.id}: {title(finding)}", finding.kind, issue.text(finding))


def report(name: str, found: Iterable[Test]) -> str:
    """The XML of some tests."""
    top = ElementTree.Element("testsuites", name=clean(name))
    suites: dict[str, ElementTree.Element] = {}
    for test in found:
        if test.group not in suites:
            suites[test.group] = ElementTree.SubElement(top, "testsuite", name=clean(test.group))
        case = ElementTree.SubElement(
            suites[test.group], "testcase", classname=clean(test.group), name=clean(test.name)
        )
        for failed in test.failures:
            made = ElementTree.SubElement(case, "failure", message=clean(failed.message), type=failed.kind)
            made.text = clean(failed.text)
        if test.skipped:
            ElementTree.SubElement(case, "skipped", message=clean(test.skipped))
    for element in (*suites.values(), top):
        cases = list(element.iter("testcase"))
        element.set("tests", str(len(cases)))
        element.set("failures", str(sum(case.find("failure") is not None for case in cases)))
        element.set("errors", "0")
        element.set("skipped", str(sum(case.find("skipped") is not None for case in cases)))
    ElementTree.indent(top)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(top, encoding="unicode")}\n'


def clean(text: str) -> str:
    """Text as XML may hold it."""
    return UNPRINTABLE.sub("\ufffd", text)
