"""The findings of a hunt as SARIF 2.1.0: a finding is a result, its fingerprint is its signature, its place is its
reproducer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import gainsay
from gainsay.campaign.config import Campaign
from gainsay.campaign.events import QUIET, Finding
from gainsay.campaign.ledger import Ledger
from gainsay.core import registry
from gainsay.report import issue, machine, script
from gainsay.report.repro import met_by, title

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "HUNT"
ALWAYS = "An engine answers or refuses: it does not die, hang, use up memory or break inside."


def write(campaign: Campaign, ledger: Ledger, out: Path) -> str:
    """The whole report, also of a hunt that found nothing."""
    listed = ledger.shown()
    rules = sorted({rule_id(f) for f in listed})
    summary = machine.summary(campaign, ledger, out, 0.0, 0.0, 0.0)
    run = {
        "tool": {
            "driver": {
                "name": "gainsay",
                "version": gainsay.__version__,
                "rules": [rule(name) for name in rules],
            }
        },
        "automationDetails": {"id": f"gainsay hunt/{'+'.join(campaign.targets)}/"},
        "originalUriBaseIds": {ROOT: {"uri": f"{out.resolve().as_uri()}/"}},
        "invocations": [{"executionSuccessful": True}],
        "results": [result(f, rules) for f in listed],
        "columnKind": "unicodeCodePoints",
        "properties": {key: summary[key] for key in ("seed", "targets", "checks", "asks", "valid", "nonempty")},
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def rule_id(finding: Finding) -> str:
    """What was broken: an oracle's relation, or what every engine owes."""
    return f"{finding.family}/{met_by(finding)}" if finding.kind in ("logic", "incomplete") else finding.kind


def rule(name: str) -> dict[str, Any]:
    """A rule with what its oracle compares."""
    about = registry.oracle(*name.split("/", 1)).about if name in registry.table("gainsay.oracles") else ALWAYS
    return {"id": name, "shortDescription": {"text": f"{about[:1].upper()}{about[1:]}"}}


def result(finding: Finding, rules: list[str]) -> dict[str, Any]:
    """A finding as a result. What is muted or known is there, and suppressed."""
    name = rule_id(finding)
    place = {"uri": quote(f"findings/{finding.id}/repro.{script.extension(finding)}"), "uriBaseId": ROOT}
    told: dict[str, Any] = {
        "ruleId": name,
        "ruleIndex": rules.index(name),
        "level": "warning" if finding.status == "flaky" else "error",
        "message": {"text": printable(f"{title(finding)}. {finding.why}"), "markdown": printable(issue.text(finding))},
        "locations": [{"physicalLocation": {"artifactLocation": place, "region": {"startLine": 1}}}],
        "partialFingerprints": {"gainsaySignature/v1": printable(finding.signature)},
        "occurrenceCount": finding.count,
        "properties": {
            "id": finding.id,
            "engine": finding.engine,
            "version": finding.version,
            "kind": finding.kind,
            "status": finding.status,
            **({"interval": machine.spanned(finding.interval)} if finding.interval is not None else {}),
        },
    }
    if finding.status in QUIET:
        told["suppressions"] = [{"kind": "external", "justification": f"{finding.status} to whoever ran the hunt"}]
    return told


def printable(text: str) -> str:
    """Text without halves of characters, which JSON readers refuse."""
    return text.encode("utf-8", "backslashreplace").decode()
