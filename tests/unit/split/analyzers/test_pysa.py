"""What Pysa's list of findings says, from a recorded one, which runs are not trusted, and which stubs a part needs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gainsay.core.split_analyzer import Finding, NoReport
from gainsay.errors import UsageError
from gainsay.limits import Ended
from gainsay.split.analyzers.pysa import MODELS, OUT, SETTINGS, Pysa, copy_stubs

# From pyre-check 0.9.23.
ISSUE = {
    "line": 9,
    "column": 18,
    "stop_line": 9,
    "stop_column": 36,
    "path": "pkg/page.py",
    "code": 5001,
    "name": "Possible shell injection",
    "description": "Possible shell injection [5001]: Data from [UserControlled] source(s) may reach "
    "[RemoteCodeExecution] sink(s)",
    "define": "pkg.page.Page.do_GET",
}
LOG = """2026-11-16 09:37:39,445 [PID 21606] WARNING  Parser error in module `badutf`: CPython runtime raised a \
non-syntax exception
2026-11-16 09:37:39,459 [PID 21606] WARNING  Parser error in module `pkg`: invalid syntax
2026-11-16 09:37:39,460 [PID 21606] WARNING  Parser error in module `of.typeshed`: invalid syntax
2026-11-16 09:37:54,330 [PID 21606] PERFORMANCE  Analyze: 15.648s
"""
REFUSED = """2026-11-16 09:37:35,149 [PID 21592] INFO  Initializing shared memory (heap_size: 8589934592, \
dep_table_pow: 1, hash_table_pow: 26)
2026-11-16 09:37:35,157 [PID 21592] ERROR Found 1 taint configuration error!
taint.config:1:16 Error parsing taint config: expected value or array end (value or ']').
"""


def read(folder: Path, text: str, code: int = 0, printed: str = "", why: str = "") -> list[Finding]:
    (folder / OUT).mkdir(parents=True, exist_ok=True)
    (folder / OUT / "errors.json").write_text(text, "latin-1")
    return Pysa({}).read(Ended(why, code, 1.0, 1.0, 1, printed), folder)


def test_a_column_counts_from_one(tmp_path: Path) -> None:
    assert read(tmp_path, json.dumps([ISSUE])) == [
        Finding("pkg/page.py", 9, 19, "5001", str(ISSUE["description"]), "error")
    ]


def test_the_same_issue_of_two_functions_is_one_finding(tmp_path: Path) -> None:
    assert len(read(tmp_path, json.dumps([ISSUE, {**ISSUE, "define": "pkg.page.Page.do_POST"}]))) == 1


def test_modules_that_it_could_not_parse_are_notes_about_their_files(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").touch()
    (tmp_path / "badutf.py").touch()
    found = read(tmp_path, "[]", printed=LOG)
    assert [(f.file, f.rule, f.level) for f in found] == [
        ("badutf.py", "not-analyzed", "warning"),
        ("pkg/__init__.py", "not-analyzed", "warning"),
    ]


def test_a_failure_is_told_in_its_own_words(tmp_path: Path) -> None:
    with pytest.raises(
        NoReport,
        match=r"^pysa ended with status 9: ERROR Found 1 taint configuration error! taint\.config:1:16 Error parsing",
    ):
        read(tmp_path, "[]", 9, REFUSED)


@pytest.mark.parametrize("text", ["", "[", "{}", '[{"path": 1}]', "Traceback", "\xff\xfe"])
def test_garbage_is_no_report(tmp_path: Path, text: str) -> None:
    with pytest.raises(NoReport):
        read(tmp_path, text)


def test_a_run_that_wrote_nothing_is_no_report(tmp_path: Path) -> None:
    with pytest.raises(NoReport):
        Pysa({}).read(Ended("", 0, 1.0, 1.0, 1, "[]"), tmp_path)


def test_a_run_that_was_ended_is_not_trusted(tmp_path: Path) -> None:
    with pytest.raises(NoReport):
        read(tmp_path, "[]", why="memory")


@pytest.mark.parametrize("options", [{"typeshed": "tiny"}, {"workers": "0"}, {"workers": "many"}, {"model": "x"}])
def test_wrong_options_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        Pysa(options)


def test_only_models_go_with_a_part(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("a.pysa", "deep/taint.config", "deep/make.py"):
        (tmp_path / name).write_text(name, "utf-8")
    assert set(Pysa({"models": str(tmp_path)}).extras()) == {
        SETTINGS,
        f"{MODELS}/a.pysa",
        f"{MODELS}/deep/taint.config",
    }
    assert set(Pysa({}).extras()) == {SETTINGS}


def test_a_folder_without_models_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no \.pysa file"):
        Pysa({"models": str(tmp_path)}).extras()


def test_models_with_a_config_replace_pysas_own_and_others_are_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pysa, "install", lambda self: tmp_path)
    part = tmp_path / "part"
    (part / MODELS).mkdir(parents=True)
    analyzer = Pysa({"models": "gone on this node"})
    assert analyzer.command(part, [], []).count("--taint-models-path") == 3
    (part / MODELS / "taint.config").touch()
    assert analyzer.command(part, [], []).count("--taint-models-path") == 1


def test_stubs_are_those_that_imports_lead_to(tmp_path: Path) -> None:
    shed = {
        "stdlib/builtins.pyi": "import types",
        "stdlib/types.pyi": "",
        "stdlib/a/__init__.pyi": "from . import near\nfrom .deep.low import x",
        "stdlib/a/near.pyi": "",
        "stdlib/a/far.pyi": "",
        "stdlib/a/deep/__init__.pyi": "",
        "stdlib/a/deep/low.pyi": "from ..up import y",
        "stdlib/a/up.pyi": "if x:\n    import late",
        "stdlib/late.pyi": "",
        "stdlib/unused.pyi": "",
        "stubs/other/third/party.pyi": "",
    }
    for name, text in shed.items():
        (tmp_path / "shed" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "shed" / name).write_text(text, "utf-8")
    part = tmp_path / "part"
    part.mkdir()
    (part / "code.py").write_text("def f():\n    import a\n    from third import party\n", "utf-8")
    (part / "bad.py").write_text("def (:\n", "utf-8")
    copy_stubs(tmp_path / "shed", part / "copy", part)
    found = {path.relative_to(part / "copy").as_posix() for path in (part / "copy").rglob("*.pyi")}
    assert found == set(shed) - {"stdlib/a/far.pyi", "stdlib/unused.pyi"}
