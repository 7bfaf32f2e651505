"""Real runs of Pysa on small parts. Each takes many seconds, so one run serves several tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from gainsay.core.split_analyzer import Finding, NoReport
from gainsay.errors import EnvironmentProblem
from gainsay.limits import Ended, run
from gainsay.split.analyzers.pysa import Pysa

PAGE = """import os
from http.server import BaseHTTPRequestHandler
from pkg.helper import fixed, handed_on


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        os.system(fixed(self.path))
        os.system(handed_on(self.path))
"""
HELPER = """def handed_on(text: str) -> str:
    return text.strip()


def fixed(text: str) -> str:
    return "ls"
"""
NUMBER = """from http.server import BaseHTTPRequestHandler


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        open(str(int(self.path)))
"""
DASHED = """from wsgiref.util import request_uri


def answer(environ):
    eval(request_uri(environ))
"""
MIXED = {
    "pkg/page.py": PAGE,
    "pkg/helper.py": HELPER,
    "pkg/number.py": NUMBER,
    "--help.py": DASHED,
    "pkg/bad.py": "def (:\n",
}

CONFIG = """{"sources": [{"name": "Typed"}], "sinks": [{"name": "Shell"}], "features": [],
 "rules": [{"code": 7001, "name": "Typed", "sources": ["Typed"], "sinks": ["Shell"],
            "message_format": "What was typed may reach a shell"}]}"""
OWN = {
    "taint.config": CONFIG,
    "own.pysa": "def input() -> TaintSource[Typed]: ...\ndef os.system(command: TaintSink[Shell]): ...\n",
}


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    try:
        Pysa({}).install()
    except EnvironmentProblem as problem:
        pytest.skip(str(problem))


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def analyzed(part: Path, code: dict[str, str], **options: str) -> list[Finding]:
    """What Pysa finds in a part with this code, laid out as for a node."""
    analyzer = Pysa(options)
    written(part, {**code, **{name: content.decode() for name, content in analyzer.extras().items()}})
    ended = run(
        analyzer.command(part, list(code), list(code)), part, 300, 8 << 30, environment=analyzer.environment(part)
    )
    return analyzer.read(ended, part)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> list[Finding]:
    return analyzed(tmp_path_factory.mktemp("mixed"), MIXED)


def test_taint_is_followed_through_another_file(mixed: list[Finding]) -> None:
    [found] = [f for f in mixed if f.file == "pkg/page.py"]
    assert (found.line, found.column, found.rule, found.level) == (9, 19, "5001", "error")
    assert "shell injection" in found.message


def test_a_file_without_a_flow_has_no_finding(mixed: list[Finding]) -> None:
    assert "pkg/helper.py" not in {f.file for f in mixed}


def test_a_name_that_begins_with_a_dash_is_a_file(mixed: list[Finding]) -> None:
    assert [f.place for f in mixed if f.file == "--help.py"] == [("--help.py", 5, "5001")]


def test_a_syntax_error_hides_no_other_file_and_is_a_note(mixed: list[Finding]) -> None:
    assert [(f.rule, f.level) for f in mixed if f.file == "pkg/bad.py"] == [("not-analyzed", "warning")]


def test_the_small_typeshed_finds_the_same(mixed: list[Finding], tmp_path: Path) -> None:
    """A number that becomes text again is what a typeshed without `numbers` loses."""
    assert [f for f in mixed if f.file == "pkg/number.py"]
    assert analyzed(tmp_path, MIXED, typeshed="small") == mixed


def test_models_of_ones_own_go_with_the_part(tmp_path: Path) -> None:
    models = str(written(tmp_path / "models", OWN))
    code = {"ask.py": "import os\nos.system(input())\n", "clean.py": "import os\nos.system('ls')\n"}
    assert [f.place for f in analyzed(tmp_path / "part", code, typeshed="small", models=models)] == [
        ("ask.py", 2, "7001")
    ]


def test_settings_in_a_folder_above_do_not_count_and_the_home_stays_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = Pysa({}).install()
    monkeypatch.setattr(Pysa, "install", lambda self: installed)  # HOME names gainsay's cache, too
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / ".pyre_configuration").write_text('{"source_directories": ["nowhere"]}', "utf-8")
    models = str(written(tmp_path / "models", OWN))
    assert analyzed(tmp_path / "part", {"clean.py": "x = 1\n"}, typeshed="small", models=models) == []
    assert list((tmp_path / "home").iterdir()) == []


def test_a_taint_config_that_pysa_refuses_makes_no_report(tmp_path: Path) -> None:
    models = str(written(tmp_path / "models", {**OWN, "taint.config": '{"sources": ['}))
    with pytest.raises(NoReport, match=r"status 9: .*taint\.config"):
        analyzed(tmp_path / "part", {"clean.py": "x = 1\n"}, models=models)


def test_an_option_that_pysa_does_not_know_makes_no_report(tmp_path: Path) -> None:
    with pytest.raises(NoReport, match="No such option"):
        analyzed(tmp_path, {"clean.py": "x = 1\n"}, args="--nosuch")


def test_a_crash_makes_no_report(tmp_path: Path) -> None:
    with pytest.raises(NoReport, match="Killed"):
        Pysa({}).read(Ended("", -9, 1.0, 1.0, 1, "Killed"), tmp_path)
