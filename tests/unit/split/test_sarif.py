"""SARIF in and out, lines of any tool, and the ledger."""

import json
from pathlib import Path

import pytest

from gainsay.core.split_analyzer import Finding, NoReport
from gainsay.errors import EnvironmentProblem, UsageError
from gainsay.limits import Ended
from gainsay.split import ledger, sarif
from gainsay.split.analyzers.bandit import Bandit
from gainsay.split.analyzers.command import Command
from gainsay.split.analyzers.mypy import Mypy
from gainsay.split.node import Outcome, pack
from gainsay.split.sarif import Grade

HERE = Path("/nowhere")


def ended(printed: str, code: int = 0) -> Ended:
    return Ended("", code, 1.0, 1.0, 1 << 20, printed)


def test_what_is_written_can_be_read_back() -> None:
    found = [
        Finding("a b.py", 3, 5, "R1", "message", "error"),
        Finding("", 0, 0, "R2", "no file", "note"),
        Finding("c.py", 0, 0, "R1", "no line"),
    ]
    grades = {"a b.py": Grade(1, True), "c.py": Grade(2, False)}
    report = sarif.write(
        ("tool", "1.0"), "file:///code/", found, grades, ["Part 2 failed"], ["x.py: a link"], {"parts": 2}
    )
    notes = report["runs"][0]["invocations"].pop()[
        "toolExecutionNotifications"
    ]  # our own report says that a part failed, and would not be read
    assert [(n["level"], n["message"]["text"]) for n in notes] == [
        ("error", "Part 2 failed"),
        ("warning", "Left out: x.py: a link"),
    ]
    assert sorted(sarif.read(json.loads(json.dumps(report)))) == sorted(found)
    run = report["runs"][0]
    assert [a["properties"]["neighbourhood"] for a in run["artifacts"]] == ["complete", "incomplete"]
    assert run["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"] == {
        "uri": "a%20b.py",
        "uriBaseId": "CODE",
        "index": 0,
    }
    assert run["originalUriBaseIds"] == {"CODE": {"uri": "file:///code/"}}


def one(**more: object) -> dict[str, object]:
    return {"runs": [{"results": [{"ruleId": "x", "message": {"text": "m"}, **more}]}]}


def test_suppressed_and_passed_results_are_no_findings() -> None:
    assert sarif.read(one(suppressions=[{"kind": "inSource"}])) == []
    assert sarif.read(one(suppressions=[{"kind": "external", "status": "rejected"}])) == [Finding("", 0, 0, "x", "m")]
    assert sarif.read(one(kind="pass")) == []


def test_rules_files_and_levels_may_be_given_by_number() -> None:
    rules = [{"id": "A"}, {"id": "B", "defaultConfiguration": {"level": "error"}}]
    result = {
        "ruleIndex": 1,
        "message": {"text": "m"},
        "locations": [{"physicalLocation": {"artifactLocation": {"index": 0}, "region": {"startLine": 4}}}],
    }
    run = {"tool": {"driver": {"rules": rules}}, "artifacts": [{"location": {"uri": "a%20b.c"}}], "results": [result]}
    assert sarif.read({"runs": [run]}) == [Finding("a b.c", 4, 0, "B", "m", "error")]


def test_a_tool_that_says_that_it_did_not_get_through_has_no_report() -> None:
    with pytest.raises(NoReport, match="did not get through"):
        sarif.read({"runs": [{"invocations": [{"executionSuccessful": False}], "results": []}]})


@pytest.mark.parametrize("report", [{"hello": 1}, {"runs": [{"results": [{"ruleId": "x"}]}]}, {"runs": 3}, []])
def test_json_that_is_no_sarif_is_no_report(report: object) -> None:
    with pytest.raises(NoReport):
        sarif.read(report)


@pytest.mark.parametrize(
    ("line", "finding"),
    [
        ("a.py:3:4: E501 line too long", Finding("a.py", 3, 4, "E501", "E501 line too long")),
        (
            "a.py:3: error: bad thing  [some-rule]",
            Finding("a.py", 3, 0, "some-rule", "bad thing  [some-rule]", "error"),
        ),
        ("./x/-y.c:12:1: warning: odd [-Wodd]", Finding("x/-y.c", 12, 1, "-Wodd", "odd [-Wodd]", "warning")),
        ("a b.py:1: something", Finding("a b.py", 1, 0, "finding", "something")),
    ],
)
def test_lines_of_tools_are_read(line: str, finding: Finding, tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    for name in ("a.py", "x/-y.c", "a b.py"):
        (tmp_path / name).touch()
    chatter = "2026-01-02 12:30:45 INFO start\n{ an excerpt of code\n"
    assert Command({"command": "true"}).read(ended(f"{chatter}{line}\nFound 1 error\n", 1), tmp_path) == [finding]


def test_a_tool_that_ends_by_an_exception_has_no_report_whatever_it_found_before(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    with pytest.raises(NoReport, match="exception"):
        Command({"command": "true"}).read(
            ended("a.py:1: found\nTraceback (most recent call last):\nKeyError: 'x'\n", 1), tmp_path
        )


def test_a_tool_may_print_sarif_after_other_words() -> None:
    report = {"runs": [{"results": [{"ruleId": "x", "message": {"text": "m"}}]}]}
    assert Command({"command": "true"}).read(ended("warming up\n" + json.dumps(report) + "\nbye"), HERE) == [
        Finding("", 0, 0, "x", "m")
    ]


@pytest.mark.parametrize(
    ("printed", "code"), [("Segmentation fault", 139), ("what?", 1), ('{"a": 1}', 0), ('{"runs": [', 0), ("", 2)]
)
def test_what_is_not_a_report_is_said_to_be_none(printed: str, code: int) -> None:
    with pytest.raises(NoReport):
        Command({"command": "true"}).read(ended(printed, code), HERE)


def test_silence_is_a_report_without_findings() -> None:
    assert Command({"command": "true"}).read(ended("All good.\n"), HERE) == []


def test_a_command_is_split_without_a_shell_and_files_can_not_be_options() -> None:
    made = Command({"command": "echo 'a b' $HOME; {files}"}).command(HERE, ["-x.py", "y.py"], [])
    assert made[1:] == ["a b", "$HOME;", "./-x.py", "./y.py"]


def test_files_that_a_command_names_go_along_and_its_program_is_that_of_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rules.yml").write_text("r")
    (tmp_path / "true").write_text("not the tool")
    monkeypatch.chdir(tmp_path)
    made = Command.of("true --config=rules.yml rules.yml other")
    assert made.command(HERE, [], [])[1:] == ["--config=../tool/1-rules.yml", "../tool/2-rules.yml", "other"]
    assert made.extras() == {"../tool/1-rules.yml": b"r", "../tool/2-rules.yml": b"r"}
    assert made.install() != tmp_path / "true"


def test_a_command_that_is_none_is_told() -> None:
    with pytest.raises(UsageError, match="names no tool"):
        Command({"command": " "})
    with pytest.raises(UsageError, match="pairs"):
        Command({"command": "a 'b"})
    with pytest.raises(EnvironmentProblem, match="There is no program"):
        Command({"command": "no-such-tool-here"}).install()


def test_mypy_and_bandit_that_say_nonsense_have_no_report(tmp_path: Path) -> None:
    with pytest.raises(NoReport, match="code 2"):
        Mypy({}).read(ended("usage: mypy", 2), tmp_path)
    with pytest.raises(NoReport, match="no report"):
        Bandit({}).read(ended("Traceback", 1), tmp_path)
    (tmp_path / ".gainsay-bandit.json").write_text("{}")
    with pytest.raises(NoReport):
        Bandit({}).read(ended(""), tmp_path)


def test_an_option_that_an_analyzer_has_not_is_told() -> None:
    with pytest.raises(UsageError, match="Did you mean args"):
        Mypy({"arg": "x"})


OK = Outcome("ok", "", 5.0, 5.0, 100, [Finding("a.py", 1, 0, "r", "m")])


def test_a_finished_part_is_known_again_and_a_torn_line_is_forgotten(tmp_path: Path) -> None:
    book = ledger.Ledger(tmp_path)
    book.put("k", 10, 1000, OK)
    book.close()
    with (tmp_path / ledger.FILE).open("ab") as file:
        file.write(b'{"key": "half')
    book = ledger.Ledger(tmp_path)
    assert book.get("k", 1, 1) == OK
    assert book.get("other", 1, 1) is None
    book.put("late", 10, 1000, Outcome("timeout", "", 10.0, 10.0, 1, []))
    assert book.get("late", 10, 1000) is not None
    assert book.get("late", 11, 1000) is None
    book.put("crashed", 10, 1000, Outcome("crash", "", 10.0, 10.0, 1, []))
    assert book.get("crashed", 10, 1000) is not None
    book.close()
    assert ledger.Ledger(tmp_path).get("crashed", 10, 1000) is None  # the next run tries again: it may be mended
    assert len((tmp_path / ledger.FILE).read_bytes().splitlines()) == 3


def test_a_part_is_known_by_contents_options_and_homes() -> None:
    base = ledger.key_of(Mypy({}), [("a.py", "1")], ["a.py"])
    others = [
        ledger.key_of(Mypy({"args": "--strict"}), [("a.py", "1")], ["a.py"]),
        ledger.key_of(Mypy({}), [("a.py", "2")], ["a.py"]),
        ledger.key_of(Mypy({}), [("a.py", "1")], []),
        ledger.key_of(Bandit({}), [("a.py", "1")], ["a.py"]),
    ]
    assert base not in others
    assert base == ledger.key_of(Mypy({}), [("a.py", "1")], ["a.py"])


def test_an_archive_has_the_same_bytes_for_the_same_files() -> None:
    assert pack({"a": b"1", "b": b"2"}) == pack({"b": b"2", "a": b"1"})


def test_a_rule_that_speaks_of_tracebacks_is_no_exception(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    line = "a.py:1: do not say Traceback (most recent call last): here [x]"
    assert len(Command({"command": "true"}).read(ended(line, 1), tmp_path)) == 1
    report = json.dumps(one(message={"text": "Traceback (most recent call last)"}), indent=1)
    assert len(Command({"command": "true"}).read(ended(report, 1), tmp_path)) == 1


def test_what_a_tool_says_that_is_not_understood_is_remarked(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    tool = Command({"command": "true"})
    printed = "a.py:1: found [x]\nboom on b.py\nnosuch.py:3: eh [x]\n"
    remark = tool.remark(ended(printed), tool.read(ended(printed), tmp_path), tmp_path)
    assert "1 lines are not file:line: message, such as 'boom on b.py'" in remark and "'nosuch.py'" in remark
    assert tool.remark(ended("a.py:1: found [x]\n"), [], tmp_path) == ""
    assert tool.remark(ended('{"runs": []}'), [], tmp_path) == ""


@pytest.mark.parametrize(
    ("line", "told"),
    [("true {file}", r"Did you mean \{files\}"), ("python3 nosuch.py {files}", "there is no file nosuch.py")],
)
def test_a_slip_in_a_command_is_told_before_anything_is_run(line: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        Command.of(line)


def test_a_format_of_the_tools_own_is_no_slip() -> None:
    assert Command.of("pylint --msg-template={path}:{line} {files}").title.startswith("pylint")


def test_lines_that_begin_with_a_brace_are_no_broken_json(tmp_path: Path) -> None:
    with pytest.raises(NoReport, match="no line of what it printed"):
        Command({"command": "true"}).read(ended("{file}:1: seen [s]\n", 1), tmp_path)


@pytest.mark.parametrize(
    ("grade", "is_per_file", "told"),
    [
        (Grade(1, True), False, "complete"),
        (Grade(1, True), True, "not needed"),
        (Grade(1, False), True, "incomplete"),
        (Grade(0, False), False, "not analyzed"),
    ],
)
def test_a_report_says_of_each_file_how_it_was_seen(grade: Grade, is_per_file: bool, told: str) -> None:
    report = sarif.write(("t", ""), "file:///x/", [], {"a.py": grade}, [], [], {"is_per_file": is_per_file})
    assert report["runs"][0]["artifacts"][0]["properties"]["neighbourhood"] == told
