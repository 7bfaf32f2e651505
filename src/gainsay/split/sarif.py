"""SARIF 2.1.0: read what a tool prints, write one merged report with each file's grade."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, unquote

import msgspec

from gainsay import __version__
from gainsay.core.split_analyzer import LEVELS, Finding, NoReport

ROOT = "CODE"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class Grade(msgspec.Struct, frozen=True):
    """How far a file was seen: the number of its home, and whether its neighbourhood was complete there.
    Part 0: not analyzed at all."""

    part: int
    is_complete: bool


def read(report: Any) -> list[Finding]:
    """The findings of all runs in a report.
    Results that the tool itself has suppressed, and what it found in order, are left out."""
    try:
        for run in report["runs"]:
            for invocation in run.get("invocations") or ():
                if invocation.get("executionSuccessful") is False:
                    raise NoReport("it says itself that it did not get through (executionSuccessful is false)")
        return [
            finding(result, run) for run in report["runs"] for result in run.get("results") or () if is_open(result)
        ]
    except (KeyError, TypeError, AttributeError, IndexError, ValueError):
        raise NoReport("what it printed is JSON, but no SARIF report") from None


def is_open(result: Any) -> bool:
    accepted = [s for s in result.get("suppressions") or () if s.get("status", "accepted") == "accepted"]
    return not accepted and result.get("kind", "fail") in ("fail", "open", "review")


def finding(result: Any, run: Any) -> Finding:
    rules = run.get("tool", {}).get("driver", {}).get("rules") or []
    at = result.get("ruleIndex", result.get("rule", {}).get("index", -1))
    rule = rules[at] if 0 <= at < len(rules) else {}
    name = result.get("ruleId") or result.get("rule", {}).get("id") or rule.get("id") or "finding"
    level = result.get("level") or rule.get("defaultConfiguration", {}).get("level") or "warning"
    message = result["message"].get("text") or result["message"].get("id") or ""
    file, line, column = place((result.get("locations") or [{}])[0], run)
    return Finding(file, line, column, str(name), str(message), level if level in LEVELS else "note")


def place(location: Any, run: Any) -> tuple[str, int, int]:
    physical = location.get("physicalLocation") or {}
    region = physical.get("region") or {}
    artifact = physical.get("artifactLocation") or {}
    if "uri" not in artifact and 0 <= artifact.get("index", -1) < len(run.get("artifacts") or ()):
        artifact = run["artifacts"][artifact["index"]].get("location") or {}
    uri = unquote(artifact.get("uri") or "").removeprefix("file://")
    return uri, int(region.get("startLine") or 0), int(region.get("startColumn") or 0)


def write(
    tool: tuple[str, str],
    root: str,
    found: Sequence[Finding],
    grades: Mapping[str, Grade],
    failures: Sequence[str],
    left_out: Sequence[str],
    summary: Mapping[str, Any],
) -> dict[str, Any]:
    """One report.
    Every file is an artifact with its grade; what could not be analyzed, or was left out, is a notification."""
    index = {name: n for n, name in enumerate(sorted(grades))}
    rules = sorted({f.rule for f in found})
    notes = [{"level": "error", "message": {"text": text}} for text in failures]
    notes += [{"level": "warning", "message": {"text": f"Left out: {text}"}} for text in left_out]
    name, version = tool
    driver = {"name": name, **({"version": version} if version else {}), "rules": [{"id": rule} for rule in rules]}
    run = {
        "tool": {"driver": driver},
        "originalUriBaseIds": {ROOT: {"uri": root}},
        "automationDetails": {"id": "gainsay split/"},
        "invocations": [{"executionSuccessful": not failures, "toolExecutionNotifications": notes}],
        "artifacts": [
            {
                "location": {"uri": quote(name), "uriBaseId": ROOT},
                "properties": {
                    "part": grades[name].part,
                    "neighbourhood": told(grades[name], bool(summary.get("is_per_file"))),
                },
            }
            for name in sorted(grades)
        ],
        "results": [result(f, index, rules) for f in sorted(found)],
        "columnKind": "unicodeCodePoints",
        "properties": {"gainsay": __version__, **summary},
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def told(grade: Grade, is_per_file: bool) -> str:
    """Whether a file's neighbourhood was complete. A file that an analyzer looks at by itself needs none."""
    if not grade.part:
        return "not analyzed"
    return ("not needed" if is_per_file else "complete") if grade.is_complete else "incomplete"


def result(found: Finding, index: Mapping[str, int], rules: Sequence[str]) -> dict[str, Any]:
    """A finding as SARIF has it, with a fingerprint that does not depend on its line."""
    mark = hashlib.blake2b(repr((found.file, found.rule, found.message)).encode(), digest_size=8).hexdigest()
    told: dict[str, Any] = {
        "ruleId": found.rule,
        "ruleIndex": rules.index(found.rule),
        "level": found.level,
        "message": {"text": found.message or found.rule},
        "partialFingerprints": {"gainsay/v1": mark},
    }
    if found.file:
        artifact: dict[str, Any] = {"uri": quote(found.file), "uriBaseId": ROOT}
        if found.file in index:
            artifact["index"] = index[found.file]
        physical: dict[str, Any] = {"artifactLocation": artifact}
        if found.line > 0:
            physical["region"] = {
                "startLine": found.line,
                **({"startColumn": found.column} if found.column > 0 else {}),
            }
        told["locations"] = [{"physicalLocation": physical}]
    return told
