"""Real runs of semgrep on small parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from gainsay.core.split_analyzer import Finding, NoReport
from gainsay.errors import EnvironmentProblem
from gainsay.limits import Ended, run
from gainsay.split.analyzers.semgrep import Semgrep

RULES = """rules:
  - id: no-eval
    pattern: eval(...)
    message: eval runs text
    languages: [python]
    severity: ERROR
  - id: any-eval
    pattern-regex: eval
    message: the word
    languages: [generic]
    severity: INFO
"""
UNREADABLE = (
    RULES + '  - id: odd\n    pattern: "eval((("\n    message: m\n    languages: [python]\n    severity: ERROR\n'
)


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    try:
        Semgrep({"config": "rules.yml"}).install()
    except EnvironmentProblem as problem:
        pytest.skip(str(problem))


def analyzed(folder: Path, code: dict[str, str], rules: str = RULES, args: str = "") -> list[Finding]:
    """What semgrep finds in a part with this code, laid out as for a node."""
    source = folder / "rules.yml"
    source.write_text(rules, "utf-8")
    analyzer = Semgrep({"config": str(source), "args": args})
    part = folder / "part"
    for name, content in {**{n: t.encode() for n, t in code.items()}, **analyzer.extras()}.items():
        (part / name).parent.mkdir(parents=True, exist_ok=True)
        (part / name).write_bytes(content)
    ended = run(
        analyzer.command(part, list(code), list(code)), part, 60, 4 << 30, environment=analyzer.environment(part)
    )
    return analyzer.read(ended, part)


def test_a_finding_has_file_line_rule_and_level_and_rules_are_not_analyzed(tmp_path: Path) -> None:
    found = analyzed(tmp_path, {"pkg/page.py": "x = 1\ny = eval(x)\n"})
    assert Finding("pkg/page.py", 2, 5, "no-eval", "eval runs text", "error") in found
    assert {(f.file, f.rule, f.level) for f in found} == {
        ("pkg/page.py", "no-eval", "error"),
        ("pkg/page.py", "any-eval", "note"),
    }


def test_a_clean_part_has_no_findings(tmp_path: Path) -> None:
    assert analyzed(tmp_path, {"page.py": "x = 1\n"}) == []


def test_a_name_that_begins_with_a_dash_is_a_file(tmp_path: Path) -> None:
    assert {f.file for f in analyzed(tmp_path, {"--config.py": "eval(x)\n"})} == {"--config.py"}


def test_a_syntax_error_hides_no_other_file(tmp_path: Path) -> None:
    """It parses only files that have a word of a rule in them, so without eval it would not even notice."""
    found = analyzed(tmp_path, {"bad.py": "eval(1))))\nclass :\n  (((\n", "good.py": "eval(x)\n"})
    assert ("good.py", 1, "no-eval") in {f.place for f in found}
    assert [(f.file, f.level) for f in found if f.rule == "not-analyzed"] == [("bad.py", "warning")]


def test_a_file_that_is_too_large_is_named(tmp_path: Path) -> None:
    found = analyzed(tmp_path, {"large.py": "x = 1\n" * 100}, args="--max-target-bytes 100")
    assert [(f.file, f.rule, f.level) for f in found] == [("large.py", "not-analyzed", "warning")]


def test_a_rule_that_semgrep_skips_makes_no_report(tmp_path: Path) -> None:
    """It ends with code 0 then, and with findings of the other rules."""
    with pytest.raises(NoReport, match="Rule parse error in rule odd"):
        analyzed(tmp_path, {"page.py": "eval(x)\n"}, UNREADABLE)


def test_an_option_that_semgrep_does_not_know_makes_no_report(tmp_path: Path) -> None:
    with pytest.raises(NoReport, match="code 2 and no report: Usage"):
        analyzed(tmp_path, {"page.py": "eval(x)\n"}, args="--nosuch")


def test_a_part_below_a_git_repository_that_ignores_it_is_analyzed(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    (tmp_path / ".git" / "objects").mkdir()
    (tmp_path / ".git" / "refs").mkdir()
    (tmp_path / ".gitignore").write_text("part/\n", "utf-8")
    assert ("page.py", 1, "no-eval") in {f.place for f in analyzed(tmp_path, {"page.py": "eval(x)\n"})}


def test_nothing_is_written_into_the_users_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Semgrep({"config": "rules.yml"}).install()
    monkeypatch.setattr(Semgrep, "install", lambda self: home)  # HOME names gainsay's cache, too
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert analyzed(tmp_path, {"page.py": "eval(x)\n"})
    assert list((tmp_path / "home").iterdir()) == []


def test_a_crash_makes_no_report(tmp_path: Path) -> None:
    with pytest.raises(NoReport, match="Segmentation"):
        Semgrep({"config": "rules.yml"}).read(Ended("", -11, 1.0, 1.0, 1, "Segmentation fault"), tmp_path)
