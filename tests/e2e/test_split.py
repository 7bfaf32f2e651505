"""`gainsay split` as its users run it: real mypy, real bandit, a real Dask cluster, workers that are killed, and every
wrong move."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import distributed
import pytest

from gainsay.cli.main import main
from gainsay.split import code as codes
from gainsay.split import node

GAINSAY = [
    sys.executable,
    "-P",
    "-m",
    "gainsay.cli.main",
]  # -P: as the installed command, not from where the user stands
FILES = {
    "app/__init__.py": "",
    "app/core.py": "def size(text: str) -> int:\n    return len(text)\n",
    "app/shell.py": "import os\nfrom app import core\n\ndef run(line: str) -> int:\n"
    "    return os.system(line) + core.size(line)\n",
    "app/web.py": "from app.shell import run\n\nanswer: str = run('ls')\n",
    "app/jobs.py": "from app import shell\n\ndef job() -> str:\n    return shell.run(3)\n",
    "app/db.py": "from app.core import size\n\nx: int = size(b'')\neval('x')\n",
    "app/far.py": "import app.web\n\ny: int = app.web.answer\n",
    "-main.py": "import app.far\n\nz: str = app.far.y\n",
}
CUT = ("code", "--analyzer", "mypy", "--size", "4", "--k", "1")
TOOL = """
import pathlib, sys, time
names = sorted(p.as_posix() for p in pathlib.Path(".").rglob("*.py"))
time.sleep(float(sys.argv[1]))
for name in names:
    text = pathlib.Path(name).read_text()
    if "CRASH" in text:
        sys.exit(70)
    while "HANG" in text and len(names) > 1:
        pass
    print(f"{name}:1: seen [seen]")
sys.exit(1)
"""


def split(folder: Path, *words: str, code: int | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*GAINSAY, "split", *words], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert code is None or done.returncode == code, done.stdout + done.stderr
    return done


def lay(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def room(tmp_path: Path) -> Path:
    lay(tmp_path / "code", FILES)
    (tmp_path / "tool.py").write_text(TOOL, "utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A room in which mypy has looked at the code in all ways, and what was said: whoever cuts in the same way there
    does not run it again."""
    room = tmp_path_factory.mktemp("compared")
    lay(room / "code", FILES)
    return room, split(room, "compare", *CUT, "--json", code=0).stdout


def report(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))["runs"][0]


def places(path: Path) -> set[tuple[str, int, str]]:
    found = set()
    for result in report(path)["results"]:
        physical = result["locations"][0]["physicalLocation"]
        found.add(
            (physical["artifactLocation"]["uri"], physical.get("region", {}).get("startLine", 0), result["ruleId"])
        )
    return found


MYPY = {
    ("app/web.py", 3, "assignment"),
    ("app/jobs.py", 4, "arg-type"),
    ("app/jobs.py", 4, "return-value"),
    ("app/db.py", 3, "arg-type"),
    ("app/far.py", 3, "assignment"),
    ("-main.py", 3, "assignment"),
}


def test_mypy_on_parts_finds_what_it_finds_on_the_whole(compared: tuple[Path, str]) -> None:
    room, _ = compared
    split(room, "run", *CUT, "--strategy", "none", "--output", "whole.sarif", code=1)
    done = split(room, "run", *CUT, "--strategy", "overlap", "--output", "parts.sarif", code=1)
    assert places(room / "whole.sarif") == places(room / "parts.sarif") == MYPY
    assert "8 of 8 files were seen with their whole neighbourhood" in done.stdout
    grades = {a["location"]["uri"]: a["properties"] for a in report(room / "parts.sarif")["artifacts"]}
    assert set(grades) == set(FILES)
    assert {g["neighbourhood"] for g in grades.values()} == {"complete"}
    assert len({g["part"] for g in grades.values()}) > 1


def test_a_file_without_what_it_needs_says_nonsense_and_it_does_not_count(compared: tuple[Path, str]) -> None:
    """The thesis's rule, by which all findings count, has findings that are none: the home filter drops them."""
    room, _ = compared
    line = ("run", *CUT, "--strategy", "splitmerge", "--no-stubs")
    split(room, *line, "--union", "--output", "union.sarif", code=1)
    split(room, *line, "--output", "home.sarif", code=1)
    assert places(room / "home.sarif") == MYPY
    assert places(room / "union.sarif") - MYPY


def test_bandit_on_parts_finds_what_it_finds_on_the_whole(room: Path) -> None:
    (room / "code" / "bad.py").write_text("def (\n")
    split(room, "run", "code", "--analyzer", "bandit", "--strategy", "none", "--output", "whole.sarif", code=1)
    split(
        room,
        "run",
        "code",
        "--analyzer",
        "bandit",
        "--strategy",
        "sizelimiting",
        "--size",
        "3",
        "--output",
        "parts.sarif",
        code=1,
    )
    assert report(room / "whole.sarif")["results"] == report(room / "parts.sarif")["results"]
    assert {("app/shell.py", 5, "B605"), ("app/db.py", 4, "B307"), ("bad.py", 0, "not-analyzed")} == places(
        room / "parts.sarif"
    )


def test_one_file_that_does_not_parse_does_not_hide_the_others_from_mypy(room: Path) -> None:
    (room / "code" / "app" / "core.py").write_text("def (\n")
    split(room, "run", "code", "--analyzer", "mypy", "--output", "r.sarif", code=1)
    found = places(room / "r.sarif")
    assert {("app/core.py", 1, "syntax"), ("app/far.py", 3, "assignment")} <= found
    assert not any(rule == "import-not-found" for _, _, rule in found)


def test_no_findings_is_exit_code_0_and_auto_says_why(room: Path) -> None:
    lay(room / "clean", {"a.py": "x: int = 1\n"})
    done = split(room, "run", "clean", "--analyzer", "mypy", code=0)
    assert "none: 1 files are too few to cut" in done.stdout
    assert report(room / "report.sarif")["results"] == []


def test_auto_tries_a_few_parts_and_cuts_a_tool_that_looks_at_files_alone(room: Path) -> None:
    lay(room / "many", {f"m{n:03}.py": f"eval('{n}')\n" * 40 for n in range(60)})
    done = split(room, "run", "many", "--analyzer", "bandit", "--workers", "2", "--json", code=1)
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["strategy"] in ("sizelimiting", "none")
    assert "the whole would take about" in told["reason"]
    assert told["findings"] == 60 * 40


def test_compare_tells_what_each_way_keeps_and_costs(compared: tuple[Path, str]) -> None:
    room, said = compared
    rows = {row["way"]: row for row in json.loads(said.splitlines()[-1])["rows"]}
    assert list(rows) == [
        "no split",
        "sizelimiting",
        "splitmerge (thesis: all findings)",
        "splitmerge",
        "overlap, without stubs",
        "overlap",
    ]
    assert (rows["overlap"]["kept"], rows["overlap"]["lost"], rows["overlap"]["spurious"]) == (len(MYPY), 0, 0)
    assert rows["sizelimiting"]["lost"] > 0
    assert rows["overlap"]["latency_s"] <= rows["overlap"]["total_s"]
    again = split(room, "compare", *CUT, code=0)
    assert "(known)" in again.stdout
    assert re.search(r"spurious +latency s +total s +peak MB +parts", again.stdout)


def test_plan_prints_the_running_example(room: Path) -> None:
    lay(room / "example", {f"{name}.x": "" for name in "ABCDEF"})
    (room / "edges.py").write_text(
        "print('A.x\\tB.x\\nB.x\\tC.x\\nD.x\\tB.x\\nD.x\\tC.x\\nE.x\\tA.x\\nE.x\\tC.x\\nE.x\\tD.x\\nE.x\\tF.x')\n"
    )
    line = (
        "plan",
        "example",
        "--suffix",
        ".x",
        "--edges",
        f"{sys.executable} {room / 'edges.py'}",
        "--size",
        "4",
        "--p",
        "0.34",
    )
    done = split(room, *line, "--strategy", "splitmerge", "--json", code=0)
    parts = json.loads(done.stdout)["plans"][0]["files_of_parts"]
    assert [[f[0] for f in part["files"]] for part in parts] == [list("BCD"), list("ABCE"), list("BDEF")]
    table = split(room, *line, "--strategy", "all", "--k", "1", "--k", "2", code=0).stdout
    assert [text.split()[0] for text in table.splitlines()[2:]] == ["sizelimiting", "splitmerge", "overlap"] * 2


# --- mypy's own ways ---


def mypy(folder: Path, files: dict[str, str], status: str = "ok") -> set[tuple[str, int, str]]:
    """What mypy says of one part that holds all of these files, by the road that a node takes."""
    lay(folder, files)
    code = codes.gather(folder, (".py", ".pyi"))
    settings = {name: text.encode() for name, text in files.items() if name not in code.names}
    names = list(code.names)
    outcome = node.analyze(
        node.Task(
            "mypy", {}, names, names, node.pack({name: code.read(name) for name in names} | settings), 60.0, 2 << 30
        )
    )
    assert outcome.status == status, outcome.said
    return {finding.place for finding in outcome.findings}


def test_mypy_whose_settings_are_broken_has_no_report(tmp_path: Path) -> None:
    assert mypy(tmp_path, {"mypy.ini": "[mypy]\nplugins = no_such_plugin\n", "a.py": "x: int = ''\n"}, "crash") == set()


def test_a_file_that_keeps_mypy_from_going_on_is_the_only_one_that_is_taken_away(tmp_path: Path) -> None:
    found = mypy(tmp_path, {"a.py": "import nowhere\nx: int = ''\n", "z.py": "yield 1\n"})
    assert {("a.py", 1, "import-not-found"), ("a.py", 2, "assignment")} < found
    assert {file for file, _, _ in found} == {"a.py", "z.py"}


def test_of_a_module_and_its_stub_mypy_takes_the_stub(tmp_path: Path) -> None:
    assert mypy(
        tmp_path, {"a.py": "x = 1\n", "a.pyi": "x: str\ny: int = ''\n", "b.py": "import a\nz: int = a.x\n"}
    ) == {
        ("a.pyi", 2, "assignment"),
        ("b.py", 2, "assignment"),
    }


def test_two_modules_of_one_name_are_told(tmp_path: Path) -> None:
    found = mypy(tmp_path, {"a-b/main.py": "x: int = ''\n", "c-d/main.py": "x: int = ''\n"})
    assert {rule for _, _, rule in found} == {"assignment", "not-analyzed"}


def test_packages_below_a_folder_that_is_none_are_imported_from_there(tmp_path: Path) -> None:
    files = {
        "src/app/__init__.py": "",
        "src/app/a.py": "x: int = 1\n",
        "src/app/b.py": "from app.a import x\ny: str = x\n",
    }
    assert mypy(tmp_path, {**files, "tests/test_a.py": "import app.a\nz: str = app.a.x\n"}) == {
        ("src/app/b.py", 2, "assignment"),
        ("tests/test_a.py", 2, "assignment"),
    }


def test_mypy_reads_no_settings_of_folders_above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mypy.ini").write_text("[mypy]\nignore_errors = True\n")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert mypy(tmp_path / "code", {"a.py": "x: int = ''\n"}) == {("a.py", 1, "assignment")}


def test_what_a_package_hands_on_is_known_beyond_the_border(room: Path) -> None:
    """`from .core import Foo` in a stub is for the stub alone, unless it says `as Foo`."""
    files = {
        "lib/__init__.py": "from .core import Foo\n",
        "lib/core.py": "class Foo:\n    x: int = 1\n",
        "a.py": "import lib\ny: str = lib.Foo.x\n",
    }
    lay(room / "re", files)
    split(room, "run", "re", "--analyzer", "mypy", "--strategy", "sizelimiting", "--size", "1", code=1)
    assert places(room / "report.sarif") == {("a.py", 2, "assignment")}


# --- what goes wrong ---


def tool(room: Path, seconds: float = 0.0) -> str:
    return f"cmd:{sys.executable} {room / 'tool.py'} {seconds}"


def many(room: Path, files: int, *arguments: str) -> list[str]:
    """The words of a run over so many files, a second for each part."""
    lay(room / "many", {f"m{n:02}.py": "x = 1\n" for n in range(files)})
    return ["run", "many", "--analyzer", tool(room, 1.0), "--strategy", "sizelimiting", *arguments]


def started(room: Path, line: list[str]) -> subprocess.Popen[str]:
    """A run that goes on while the test does something to it."""
    return subprocess.Popen(
        [*GAINSAY, "split", *line],
        cwd=room, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip


def test_workers_that_are_killed_lose_nothing(room: Path) -> None:
    process = started(room, many(room, 24, "--size", "1", "--workers", "4", "--output", "r.sarif"))
    killed = 0
    while process.poll() is None and killed < 6:
        time.sleep(1.0)
        listed = subprocess.run(
            ["ps", "-o", "pid=,args=", "--ppid", str(process.pid)], capture_output=True, text=True, check=False
        ).stdout
        workers = [int(text.split()[0]) for text in listed.splitlines() if "dask_worker" in text]
        if workers:
            os.kill(workers[killed % len(workers)], signal.SIGKILL)
            killed += 1
    said = process.communicate(timeout=240)[0]
    assert process.returncode == 1, said
    assert killed >= 3
    assert places(room / "r.sarif") == {(f"m{n:02}.py", 1, "seen") for n in range(24)}


def test_a_run_that_is_killed_goes_on_where_it_was(room: Path) -> None:
    line = many(room, 12, "--size", "2", "--workers", "2", "--out", "out")
    process = started(room, line)
    book = room / "out" / "parts.jsonl"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (book.exists() and book.read_bytes().count(b"\n") >= 2):
        time.sleep(0.1)
    process.kill()
    process.wait()
    done = split(room, *line, "--json", code=1)
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["known"] >= 2
    assert told["findings"] == 12


def test_a_part_that_crashes_is_halved_until_the_file_is_named(room: Path) -> None:
    files = {f"m{n}.py": "x = 1\n" for n in range(8)}
    lay(room / "many", {**files, "m3.py": "CRASH\n"})
    done = split(room, "run", "many", "--analyzer", tool(room), "--strategy", "none", code=2)
    assert "Nobody looked at m3.py" in done.stdout
    assert places(room / "report.sarif") == {(name, 1, "seen") for name in files if name != "m3.py"}
    told = report(room / "report.sarif")
    assert "m3.py" in told["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    assert [a["properties"]["part"] for a in told["artifacts"] if a["location"]["uri"] == "m3.py"] == [0]


def test_a_part_that_exceeds_its_limit_is_halved_and_then_fits(room: Path) -> None:
    lay(room / "many", {"m0.py": "HANG\n", "m1.py": "x\n", "m2.py": "x\n", "m3.py": "x\n"})
    done = split(room, "run", "many", "--analyzer", tool(room), "--strategy", "none", "--limit", "1s", code=1)
    assert "timeout after 1." in done.stdout
    assert "halved" in done.stdout
    assert len(places(room / "report.sarif")) == 4


def test_workers_times_memory_above_what_is_free_is_said_before_it_starts(room: Path) -> None:
    done = split(room, "run", "code", "--analyzer", tool(room), "--workers", "2", "--memory", "4000G", code=1)
    assert "2 workers with up to 4000.0 GiB each may need 8000.0 GiB" in done.stdout.splitlines()[2]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """A scheduler and two workers of somebody else's."""
    where = tmp_path / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    line = [
        sys.executable,
        "-m",
        "distributed.cli.dask_scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
    ]
    processes = [subprocess.Popen([*line, "--scheduler-file", str(where)], **quiet)]  # type: ignore[call-overload]
    try:
        deadline = time.monotonic() + 60
        while not where.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(0.2)
        address = json.loads(where.read_text())["address"]
        worker = [
            sys.executable,
            "-m",
            "distributed.cli.dask_worker",
            address,
            "--no-nanny",
            "--nthreads",
            "1",
            "--no-dashboard",
        ]
        processes += [subprocess.Popen(worker, **quiet) for _ in range(2)]  # type: ignore[call-overload]
        with distributed.Client(address) as client:
            client.wait_for_workers(2, timeout=60)
        yield address
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_parts_run_on_a_cluster_that_is_there(room: Path, cluster: str) -> None:
    split(
        room,
        "run",
        "code",
        "--analyzer",
        "mypy",
        "--strategy",
        "overlap",
        "--size",
        "4",
        "--k",
        "1",
        "--cluster",
        cluster,
        code=1,
    )
    assert places(room / "report.sarif") == MYPY


def test_two_runs_on_one_cluster_do_not_get_each_others_findings(room: Path, cluster: str) -> None:
    processes = []
    for name in ("one", "two"):
        lay(room / name, {f"{name}.py": "x = 1\n"})
        line = [
            *GAINSAY,
            "split",
            "run",
            name,
            "--analyzer",
            tool(room, 2.0),
            "--cluster",
            cluster,
            "--out",
            f"out-{name}",
            "--output",
            f"{name}.sarif",
        ]
        processes.append(subprocess.Popen(line, cwd=room, stdout=subprocess.DEVNULL))
    assert [process.wait(120) for process in processes] == [1, 1]
    assert places(room / "one.sarif") == {("one.py", 1, "seen")}
    assert places(room / "two.sarif") == {("two.py", 1, "seen")}


def test_a_scheduler_that_dies_is_said(room: Path, cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(room / "many", {f"m{n}.py": "x = 1\n" for n in range(6)})
    text = (
        "import sys\nfrom gainsay.split import crew\ncrew.ALONE_S = 1.0\nfrom gainsay.cli.main import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    line = [
        sys.executable,
        "-c",
        text,
        "split",
        "run",
        "many",
        "--analyzer",
        tool(room, 2.0),
        "--strategy",
        "sizelimiting",
        "--size",
        "1",
    ]
    process = subprocess.Popen(
        [*line, "--cluster", cluster], cwd=room, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    book = room / "gainsay-split-out" / "parts.jsonl"
    while time.monotonic() < deadline and not (book.exists() and book.read_bytes()):
        time.sleep(0.1)
    subprocess.run(["pkill", "-9", "-f", f"dask_scheduler.*{cluster_mark(room)}"], check=False)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 2, said
    assert "The cluster can't go on" in said
    assert "Traceback" not in said


def cluster_mark(room: Path) -> str:
    return str(room / "scheduler.json")


def test_a_tool_that_was_mended_is_run_again(room: Path) -> None:
    lay(room / "few", {"a.py": "x = 1\n"})
    mended = (room / "tool.py").read_text()
    (room / "tool.py").write_text("import sys\nsys.exit(70)\n")
    split(room, "run", "few", "--analyzer", tool(room), code=2)
    (room / "tool.py").write_text(mended)
    split(room, "run", "few", "--analyzer", tool(room), code=1)


def test_a_package_named_like_one_of_ours_is_not_run(room: Path) -> None:
    lay(
        room / "code",
        {"click/__init__.py": "raise SystemExit(9)\n", "distributed/__init__.py": "raise SystemExit(9)\n"},
    )
    done = split(
        room / "code", "run", ".", "--analyzer", tool(room), "--strategy", "none", "--out", str(room / "out"), code=1
    )
    assert "10 files" in done.stdout


def test_names_in_brackets_are_names(room: Path) -> None:
    lay(room / "web", {"[id]/[/slug].py": "x = 1\n"})
    assert "[id]/[/slug].py" in split(room, "plan", "web", code=0).stdout


def test_what_is_left_out_is_said_also_where_standard_output_is_json(room: Path) -> None:
    (room / "code" / "out.py").symlink_to("/etc/hostname")
    done = split(room, "run", "code", "--analyzer", tool(room), "--json", code=1)
    assert "Left out: out.py" in done.stderr
    assert json.loads(done.stdout)["left_out"] == ["out.py: a link that leads out of the folder"]


def test_files_whose_dependencies_nobody_knows_are_graded_so(room: Path) -> None:
    lay(room / "c", {"a.c": "", "b.c": ""})
    done = split(room, "run", "c", "--suffix", ".c", "--analyzer", "cmd:true", code=0)
    assert "Name a command that prints them with --edges" in done.stdout
    assert "0 of 2 files were seen with their whole neighbourhood" in done.stdout


def test_a_broken_tool_is_not_tried_on_every_file(room: Path) -> None:
    lay(room / "many", {f"m{n:02}.py": "x = 1\n" for n in range(64)})
    done = split(room, "run", "many", "--analyzer", "cmd:false", "--strategy", "none", code=2)
    assert done.stdout.count("crash after") <= 16


def test_compare_without_a_whole_run_says_so(room: Path) -> None:
    done = split(room, "compare", "code", "--analyzer", "cmd:false", "--size", "4", code=2)
    assert "N/A" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("plan", "nowhere"), "There is no folder nowhere"),
        (("plan", "empty"), "empty holds no .py file"),
        (("plan", "code", "--size", "much"), "such as --size 500"),
        (("plan", "code", "--size", "1lines"), "alone has"),
        (("plan", "code", "--size", "5s"), "name an analyzer"),
        (("plan", "code", "--p", "2"), "from 0 to less than 1"),
        (("plan", "code", "--k", "0"), "--k 0"),
        (("plan", "code", "--strategy", "splitmerg"), "Did you mean splitmerge"),
        (("plan", "code", "--edges", "no-such-tool"), "Is it installed"),
        (("plan", "code", "--edges", "echo nonsense"), "not two files"),
        (("plan", "code", "--edges", "echo a b"), "no two files of code"),
        (("plan", "code", "--suffix", "py"), "--suffix .py"),
        (("run", "code", "--analyzer", "mipy"), "Did you mean mypy"),
        (("run", "code", "--analyzer", "mypy?arg=1"), "Did you mean args"),
        (("run", "code", "--analyzer", "mypy:strict"), "write a name, perhaps a version"),
        (("run", "code", "--analyzer", "mypy?with=--pre"), "is not a package"),
        (("run", "code", "--analyzer", "mypy@99.99"), "mypy can't be installed (mypy==99.99)"),
        (("run", "code", "--analyzer", "cmd:"), "names no tool"),
        (("run", "code", "--analyzer", "cmd:no-such-tool"), "There is no program no-such-tool"),
        (("run", "code", "--analyzer", "cmd:true", "--limit", "0"), "not a duration"),
        (("run", "code", "--analyzer", "cmd:true", "--memory", "1"), "at least 64M"),
        (("run", "code", "--analyzer", "cmd:true", "--workers", "0"), "--workers 0"),
        (("run", "code", "--analyzer", "cmd:true", "--out", "tool.py"), "is a file"),
        (("run", "code", "--analyzer", "cmd:true", "--out", "code"), "not empty"),
        (("run", "code", "--analyzer", "cmd:true", "--output", "no/r.sarif"), "can't be written"),
        (("run", "code", "--analyzer", "cmd:true", "--cluster", "tcp://127.0.0.1:1"), "No cluster answers"),
        (("run", "code", "--analyzer", "cmd:true", "--cluster", "nonsense://x"), "No cluster answers"),
        (("run", "code"), "--analyzer"),
    ],
)
def test_wrong_moves_get_one_helpful_line(
    room: Path, words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (room / "empty").mkdir()
    monkeypatch.chdir(room)
    assert main(["split", *words]) == 2
    told = capsys.readouterr().err.strip()
    assert said in told
    assert len(told.splitlines()) == 1


def test_a_tool_that_prints_no_report_is_named_with_the_files(room: Path) -> None:
    done = split(room, "run", "code", "--analyzer", "cmd:echo '{\"runs\": 7}'", "--strategy", "none", code=2)
    assert "no SARIF report" in done.stdout
    assert "Nobody looked at" in done.stdout
