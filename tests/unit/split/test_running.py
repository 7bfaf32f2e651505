"""What lies in a part's folder, what counts of its findings, and what becomes of the analyzer when its node dies."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from gainsay.core.split_analyzer import Finding
from gainsay.split import code as codes
from gainsay.split import crew
from gainsay.split.analyzers.bandit import Bandit
from gainsay.split.analyzers.mypy import Mypy
from gainsay.split.laying import Layout
from gainsay.split.node import Outcome
from gainsay.split.plan import Part
from gainsay.split.running import Done, merge
from gainsay.split.strategies import Graph

FILES = {
    "app/__init__.py": "version = 1\n",
    "app/a.py": "import app.b\n",
    "app/b.py": "import app.sub.c\n",
    "app/sub/__init__.py": "",
    "app/sub/c.py": "def f(x: int) -> int:\n    return x\n",
    "mypy.ini": "[mypy]\n",
}
GRAPH = Graph.of(
    {
        "app/__init__.py": set(),
        "app/a.py": {"app/b.py"},
        "app/b.py": {"app/sub/c.py"},
        "app/sub/__init__.py": set(),
        "app/sub/c.py": set(),
    }
)
A, B, INIT, SUB, C = (
    1 << GRAPH.names.index(name)
    for name in ("app/a.py", "app/b.py", "app/__init__.py", "app/sub/__init__.py", "app/sub/c.py")
)


@pytest.fixture
def code(tmp_path: Path) -> codes.Code:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return codes.gather(tmp_path, (".py",))


def test_a_part_has_its_files_stubs_beyond_its_border_packages_above_and_settings(code: codes.Code) -> None:
    laid = Layout(code, GRAPH, Mypy({}), True).files(A | B)
    assert set(laid) == {
        "app/a.py",
        "app/b.py",
        "app/__init__.pyi",
        "app/sub/__init__.pyi",
        "app/sub/c.pyi",
        "mypy.ini",
    }
    assert "def f(x: int) -> int:" in laid["app/sub/c.pyi"].decode()
    assert "return" not in laid["app/sub/c.pyi"].decode()
    assert "version = 1" in laid["app/__init__.pyi"].decode()


def test_a_tool_that_reads_no_stubs_gets_empty_packages(code: codes.Code) -> None:
    laid = Layout(code, GRAPH, Bandit({}), True).files(A | B)
    assert {name: len(content) for name, content in laid.items() if "__init__" in name} == {"app/__init__.py": 0}
    assert "app/sub/c.pyi" not in laid


def test_a_folder_inside_of_a_package_lies_at_its_place(code: codes.Code) -> None:
    inner = codes.gather(code.folder / "app" / "sub", (".py",))
    laid = Layout(inner, Graph.of({"__init__.py": set(), "c.py": set()}), Bandit({}), False).files(0b10)
    assert set(laid) == {"app/__init__.py", "app/sub/__init__.py", "app/sub/c.py"}


def test_a_part_is_known_by_what_lies_in_it(code: codes.Code) -> None:
    before = Layout(code, GRAPH, Mypy({}), True).contents(A | B)
    (code.folder / "app" / "sub" / "c.py").write_text("def f(x: str) -> int: ...\n")  # only its stub is there
    assert before != Layout(code, GRAPH, Mypy({}), True).contents(A | B)


def done(label: str, files: int, homes: int, *found: Finding, status: str = "ok") -> Done:
    return Done(label, Part(files, homes), Outcome(status, "why", 1.0, 1.0, 1, list(found)), False)


def test_findings_count_only_from_home_and_once(code: codes.Code) -> None:
    at_home, away = Finding("app/a.py", 1, 1, "r", "m"), Finding("app/b.py", 1, 1, "noise", "m")
    loose = Finding("", 0, 0, "config", "m")
    merged = merge(
        [done("1", A | B, A, at_home, away, loose), done("2", B | C, B | C | INIT | SUB, loose)],
        Layout(code, GRAPH, Mypy({}), True),
        1,
    )
    assert merged.found == (loose, at_home)
    assert merged.dropped == 2
    assert merge([done("1", A | B, A, at_home, away)], Layout(code, GRAPH, Mypy({}), True), 1, is_union=True).found == (
        at_home,
        away,
    )


def test_grades_say_whether_the_neighbourhood_was_complete_and_a_part_that_failed_names_its_files(
    code: codes.Code,
) -> None:
    layout = Layout(code, GRAPH, Mypy({}), True)
    merged = merge([done("1", A | B, A), done("2", B, B), done("3", C | SUB, C | SUB, status="timeout")], layout, 1)
    assert {name: (g.part, g.is_complete) for name, g in merged.grades.items()} == {
        "app/a.py": (1, True),
        "app/b.py": (2, False),
        "app/sub/c.py": (0, False),
        "app/sub/__init__.py": (0, False),
    }
    assert merged.failures == (("3", "timeout: why", ("app/sub/__init__.py", "app/sub/c.py")),)


WRITES = "import time\nwhile True:\n    open({mark!r}, 'w').write(str(time.time()))\n    time.sleep(0.05)\n"


def is_alive_after_its_node(tmp_path: Path, tool: str, mark: Path) -> bool:
    """Kill a node while its tool runs, and see whether somebody still writes to a file."""
    (tmp_path / "tool.py").write_text(tool)
    line = f"{sys.executable} {tmp_path / 'tool.py'}"
    text = (
        "from gainsay.split.node import Task, analyze, pack\n"
        f"analyze(Task('cmd', {{'command': {line!r}}}, ['a.py'], ['a.py'], pack({{'a.py': b''}}), 60.0, 1 << 30))\n"
    )
    node = subprocess.Popen([sys.executable, "-c", text])
    deadline = time.monotonic() + 30
    while not mark.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    node.kill()
    node.wait()
    time.sleep(0.5)
    before = mark.read_text()
    time.sleep(0.5)
    return mark.read_text() != before


def test_the_analyzer_dies_with_its_node(tmp_path: Path) -> None:
    mark = tmp_path / "alive"
    assert not is_alive_after_its_node(tmp_path, WRITES.format(mark=str(mark)), mark)


def test_what_a_dead_node_has_started_dies_to_the_last_process(tmp_path: Path) -> None:
    mark = tmp_path / "alive"
    child = WRITES.format(mark=str(mark))
    tool = f"import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', {child!r}])\ntime.sleep(60)\n"
    assert not is_alive_after_its_node(tmp_path, tool, mark)


def test_a_file_that_another_part_has_seen_is_not_told_as_unseen(code: codes.Code) -> None:
    layout = Layout(code, GRAPH, Mypy({}), True)
    merged = merge([done("1", A | B, A | B), done("2", B, B, status="crash")], layout, 1, is_union=True)
    assert merged.grades["app/b.py"].part == 1
    assert merged.failures == ()


def test_where_dependencies_are_not_known_no_neighbourhood_is_complete(code: codes.Code) -> None:
    merged = merge([done("1", A | B, A | B)], Layout(code, GRAPH, Mypy({}), True), 1, is_known=False)
    assert not any(grade.is_complete for grade in merged.grades.values())
    assert all(
        grade.is_complete
        for grade in merge(
            [done("1", A | B, A | B)], Layout(code, GRAPH, Bandit({}), True), 1, is_known=False
        ).grades.values()
    )


def test_stubs_of_the_users_own_are_taken_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import lib\n")
    (tmp_path / "lib.pyi").write_text("def f() -> int: ...  # mine\n")
    inner = codes.gather(tmp_path, (".py", ".pyi"))
    laid = Layout(inner, Graph.of({"a.py": {"lib.pyi"}, "lib.pyi": set()}), Mypy({}), True).files(0b1)
    assert b"mine" in laid["lib.pyi"]


def test_no_more_workers_are_started_than_there_are_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []

    class Process:
        returncode = 0

        def __init__(self, command: list[str], **_: object) -> None:
            started.append(command)

        def poll(self) -> None:
            return None

        def kill(self) -> None:
            return None

        def wait(self) -> int:
            return 0

    monkeypatch.setattr(crew.subprocess, "Popen", Process)
    hands = crew.Hands("tcp://127.0.0.1:1", 500)
    assert not started
    hands.grow(3)
    hands.grow(2)
    assert len(started) == 3
    hands.grow(900)
    hands.end()
    assert len(started) == 500
