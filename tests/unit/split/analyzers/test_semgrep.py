"""What semgrep's report says, from recorded ones, and which reports are not trusted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gainsay.core.split_analyzer import Finding, NoReport
from gainsay.errors import UsageError
from gainsay.limits import Ended
from gainsay.split.analyzers.semgrep import REPORT, RULES, Semgrep

# From semgrep 1.182.0, shortened.
RESULT: dict[str, Any] = {
    "check_id": "gainsay-semgrep.rules.deep.no-eval",
    "path": "pkg/a.py",
    "start": {"line": 4, "col": 1, "offset": 25},
    "end": {"line": 4, "col": 8, "offset": 32},
    "extra": {
        "message": "eval runs text\n",
        "metadata": {},
        "severity": "ERROR",
        "lines": "requires login",
        "engine_kind": "OSS",
    },
}
SYNTAX = {
    "code": 3,
    "level": "warn",
    "type": "Syntax error",
    "message": "Syntax error at line bad.py:1:\n `)` was unexpected",
    "path": "bad.py",
}
PARTIAL = {
    "code": 3,
    "level": "warn",
    "type": [
        "PartialParsing",
        [{"path": "part.py", "start": {"line": 2, "col": 5, "offset": 0}, "end": {"line": 2, "col": 15, "offset": 10}}],
    ],
    "message": "Syntax error at line part.py:2:\n `return 1 +` was unexpected",
    "path": "part.py",
    "spans": [
        {"file": "part.py", "start": {"line": 2, "col": 5, "offset": 0}, "end": {"line": 2, "col": 15, "offset": 10}}
    ],
}
TIMEOUT = {
    "code": 2,
    "level": "warn",
    "type": "Timeout",
    "rule_id": "gainsay-semgrep.rules.slow",
    "message": "Timeout when running gainsay-semgrep.rules.slow on big.py:\n ",
    "path": "big.py",
}
RULE = {
    "code": 2,
    "level": "error",
    "type": "Rule parse error",
    "rule_id": "odd",
    "message": "Rule parse error in rule odd:\n Invalid pattern",
}
NO_CONFIG = {
    "code": 7,
    "level": "error",
    "type": "SemgrepError",
    "message": "invalid configuration file found (1 configs were invalid)",
}
LANGUAGE = {"code": 8, "level": "error", "type": "UnknownLanguageError"}


def read(
    folder: Path, code: int = 0, *, results: Any = (), errors: Any = (), skipped: Any = (), why: str = ""
) -> list[Finding]:
    (folder / REPORT).parent.mkdir(parents=True, exist_ok=True)
    said = {
        "version": "1.182.0",
        "results": results,
        "errors": errors,
        "paths": {"scanned": ["pkg/a.py"], "skipped": skipped},
    }
    (folder / REPORT).write_text(json.dumps(said), "utf-8")
    return Semgrep({"config": "r.yml"}).read(Ended(why, code, 1.0, 1.0, 1, "what it printed"), folder)


def test_a_rule_is_named_without_the_folder_that_we_put_it_in(tmp_path: Path) -> None:
    assert read(tmp_path, results=[RESULT]) == [Finding("pkg/a.py", 4, 1, "deep.no-eval", "eval runs text", "error")]


@pytest.mark.parametrize(
    ("severity", "level"),
    [
        ("ERROR", "error"),
        ("HIGH", "error"),
        ("WARNING", "warning"),
        ("MEDIUM", "warning"),
        ("INFO", "note"),
        ("LOW", "note"),
    ],
)
def test_severities_become_levels(tmp_path: Path, severity: str, level: str) -> None:
    assert read(tmp_path, results=[{**RESULT, "extra": {**RESULT["extra"], "severity": severity}}])[0].level == level


def test_what_the_code_tells_semgrep_to_ignore_is_no_finding(tmp_path: Path) -> None:
    assert read(tmp_path, results=[{**RESULT, "extra": {**RESULT["extra"], "is_ignored": True}}]) == []


def test_files_that_it_could_not_read_are_notes(tmp_path: Path) -> None:
    assert read(tmp_path, errors=[SYNTAX, PARTIAL, TIMEOUT]) == [
        Finding("bad.py", 0, 0, "not-analyzed", "Syntax error at line bad.py:1: `)` was unexpected", "warning"),
        Finding(
            "part.py", 2, 5, "not-analyzed", "Syntax error at line part.py:2: `return 1 +` was unexpected", "warning"
        ),
        Finding("big.py", 0, 0, "not-analyzed", "Timeout when running slow on big.py:", "warning"),
    ]


def test_only_skipped_files_that_nobody_chose_to_skip_are_notes(tmp_path: Path) -> None:
    skipped = [
        {"path": "tests/t.py", "reason": "semgrepignore_patterns_match"},
        {"path": ".gainsay-semgrep", "reason": "cli_exclude_flags_match"},
        {"path": "huge.py", "reason": "exceeded_size_limit"},
    ]
    assert [f.file for f in read(tmp_path, skipped=skipped)] == ["huge.py"]


@pytest.mark.parametrize(("code", "error"), [(0, RULE), (2, RULE), (7, NO_CONFIG), (8, LANGUAGE)])
def test_a_report_with_an_error_that_is_not_about_a_file_is_not_trusted(tmp_path: Path, code: int, error: Any) -> None:
    with pytest.raises(NoReport, match=error.get("message", "does not say").partition(":")[0].partition("(")[0]):
        read(tmp_path, code, results=[RESULT], errors=[error])


def test_code_1_is_trusted_only_with_findings(tmp_path: Path) -> None:
    assert read(tmp_path, 1, results=[RESULT])
    with pytest.raises(NoReport, match="code 1: what it printed"):
        read(tmp_path, 1)


def test_a_run_that_was_ended_is_not_trusted(tmp_path: Path) -> None:
    with pytest.raises(NoReport):
        read(tmp_path, why="timeout", results=[RESULT])


@pytest.mark.parametrize(
    "text",
    ["", "Traceback (most recent call last):", "{}", "[1]", '{"results": [], "errors": 3, "paths": {}}', "\xff\xfe"],
)
def test_garbage_is_no_report(tmp_path: Path, text: str) -> None:
    (tmp_path / REPORT).parent.mkdir()
    (tmp_path / REPORT).write_text(text, "latin-1")
    with pytest.raises(NoReport):
        Semgrep({"config": "r.yml"}).read(Ended("", 0, 1.0, 1.0, 1, text), tmp_path)


def test_rules_are_needed_and_the_remedy_is_named() -> None:
    with pytest.raises(UsageError, match=r"semgrep\?config=FILE"):
        Semgrep({})


def test_a_registry_name_is_not_taken_for_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="registry"):
        Semgrep({"config": "p/python"}).extras()


def test_a_file_or_a_folder_of_rules_goes_with_each_part(tmp_path: Path) -> None:
    (tmp_path / "rules" / "deep").mkdir(parents=True)
    (tmp_path / "rules" / "a.yml").write_text("a", "utf-8")
    (tmp_path / "rules" / "deep" / "b.yaml").write_text("b", "utf-8")
    (tmp_path / "rules" / "a.py").write_text("eval(x)", "utf-8")
    assert Semgrep({"config": str(tmp_path / "rules")}).extras() == {
        f"{RULES}/a.yml": b"a",
        f"{RULES}/deep/b.yaml": b"b",
    }
    assert Semgrep({"config": str(tmp_path / "rules" / "a.yml")}).extras() == {f"{RULES}/rules.yml": b"a"}


def test_the_number_of_jobs_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Semgrep, "install", lambda self: tmp_path)
    assert "--jobs" in Semgrep({"config": "r.yml"}).command(tmp_path, [], [])
    assert "--jobs" not in Semgrep({"config": "r.yml", "args": "-j 4"}).command(tmp_path, [], [])
