"""What SpotBugs' report and jdeps' lines say, from recorded ones, and which reports are not trusted."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from gainsay.core.split_analyzer import Finding, NoReport
from gainsay.errors import EnvironmentProblem, UsageError
from gainsay.limits import Ended
from gainsay.split.analyzers import spotbugs
from gainsay.split.analyzers.spotbugs import REPORT, SpotBugs
from gainsay.split.graphs import java

# From SpotBugs 4.10.4, shortened. Bugs name a line of their own, one that SpotBugs has deduced, or none; and others
# that are not theirs.
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<BugCollection version="4.10.4" sequence="0" release="">'
BUGS = """
  <BugInstance type="ES_COMPARING_PARAMETER_STRING_WITH_EQ" priority="2" rank="16" abbrev="ES" category="BAD_PRACTICE">
    <ShortMessage>Comparison of String parameter using == or !=</ShortMessage>
    <LongMessage>Comparison of String parameter using == or != in a.B.same(String)</LongMessage>
    <Class classname="shop.Shelf$Box" primary="true"><SourceLine classname="shop.Shelf$Box" start="4" end="8"/></Class>
    <Method classname="shop.Shelf$Box" name="isSame" primary="true"><SourceLine classname="shop.Shelf$Box" start="8" \
end="8"/></Method>
    <Type descriptor="Ljava/lang/String;" role="TYPE_FOUND"><SourceLine classname="java.lang.String" start="140" \
end="4657"/></Type>
    <SourceLine classname="shop.Shelf$Box" primary="true" start="8" end="8" startBytecode="5" endBytecode="5" \
sourcefile="Shelf.java"/>
    <SourceLine classname="shop.Shelf$Box" start="9" end="9" startBytecode="7" endBytecode="7" sourcefile="Shelf.java"/>
  </BugInstance>
  <BugInstance type="HE_HASHCODE_USE_OBJECT_EQUALS" priority="3" rank="19" abbrev="HE" category="BAD_PRACTICE">
    <ShortMessage>Class defines hashCode() and uses Object.equals()</ShortMessage>
    <Class classname="shop.Lamp" primary="true"><SourceLine classname="shop.Lamp" start="3" end="7" \
sourcefile="Lamp.java"/></Class>
    <SourceLine classname="shop.Lamp" start="7" end="7" startBytecode="0" endBytecode="43" sourcefile="Lamp.java" \
synthetic="true"/>
  </BugInstance>
  <BugInstance type="SE_BAD_FIELD" priority="1" rank="14" abbrev="Se" category="BAD_PRACTICE">
    <ShortMessage>Non-transient non-serializable instance field in serializable class</ShortMessage>
    <Class classname="shop.Lamp" primary="true"><SourceLine classname="shop.Lamp" start="3" end="7" \
sourcefile="Lamp.java"/></Class>
    <SourceLine classname="shop.Lamp" sourcefile="Lamp.java" sourcepath="shop/Lamp.java" synthetic="true"/>
  </BugInstance>"""
CLEAN = '<Errors errors="0" missingClasses="1"><MissingClass>shop.Goods</MissingClass></Errors>'
ERROR = (
    '<Errors errors="1" missingClasses="0"><Error><ErrorMessage>Unable to read '
    "shop/Lamp</ErrorMessage></Error></Errors>"
)
TAIL = """<FindBugsSummary total_classes="2"><PackageStats package="shop">
      <ClassStats class="shop.Lamp" sourceFile="Lamp.java" interface="false" size="10" bugs="2"/>
      <ClassStats class="shop.Shelf$Box" sourceFile="Shelf.java" interface="false" size="6" bugs="1"/>
  </PackageStats></FindBugsSummary></BugCollection>"""
TOO_BIG = (
    '<BugInstance type="SKIPPED_CLASS_TOO_BIG" priority="2"><Class classname="shop.Huge" primary="true"/></BugInstance>'
)
ENDED = Ended("", 0, 1.0, 1.0, 1, "")


def class_file(name: str) -> bytes:
    """As much of a class file as names its class: a number that counts twice, the name, and the class."""
    text = name.encode()
    constants = b"\x05" + bytes(8) + b"\x01" + struct.pack(">H", len(text)) + text + b"\x07\x00\x03"
    return b"\xca\xfe\xba\xbe\x00\x00\x00\x3d\x00\x05" + constants + b"\x00\x21\x00\x04"


def part(folder: Path, report: str, names: tuple[str, ...] = ("shop/Lamp", "shop/Shelf$Box")) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.class").write_bytes(class_file(name))
    (folder / REPORT).write_text(report)
    return folder


def test_a_bug_has_the_class_file_and_the_line_that_it_names(tmp_path: Path) -> None:
    lamp, box = "shop/Lamp.class", "shop/Shelf$Box.class"
    assert SpotBugs({}).read(ENDED, part(tmp_path, HEAD + BUGS + CLEAN + TAIL)) == [
        Finding(
            lamp, 0, 0, "SE_BAD_FIELD", "Non-transient non-serializable instance field in serializable class", "error"
        ),
        Finding(
            lamp, 7, 0, "HE_HASHCODE_USE_OBJECT_EQUALS", "Class defines hashCode() and uses Object.equals()", "note"
        ),
        Finding(
            box,
            8,
            0,
            "ES_COMPARING_PARAMETER_STRING_WITH_EQ",
            "Comparison of String parameter using == or != in a.B.same(String)",
            "warning",
        ),
    ]


def test_a_line_of_the_bug_s_own_class_comes_first(tmp_path: Path) -> None:
    other = (
        '<SourceLine classname="shop.Lamp" primary="true" start="99" end="99"/>\n'
        '    <SourceLine classname="shop.Shelf$Box" primary='
    )
    report = HEAD + BUGS.replace('<SourceLine classname="shop.Shelf$Box" primary=', other) + CLEAN + TAIL
    assert ("shop/Shelf$Box.class", 8) in [(f.file, f.line) for f in SpotBugs({}).read(ENDED, part(tmp_path, report))]


@pytest.mark.parametrize(
    ("report", "ended", "why"),
    [
        (HEAD + BUGS + ERROR + TAIL, ENDED, "Unable to read shop/Lamp"),
        (HEAD + BUGS + TAIL, ENDED, "had errors"),
        (HEAD + BUGS + CLEAN, ENDED, "no whole report"),
        ("", ENDED, "no whole report"),
        ("garbage", ENDED, "no whole report"),
        (HEAD + CLEAN + "</BugCollection>", ENDED, "did not look at 2 of 2 classes, such as shop.Lamp"),
        (
            HEAD + BUGS + CLEAN + TAIL,
            ENDED._replace(code=1, printed="SLF4J\nException in thread x\n\tat y"),
            "code 1: Exception in thread x",
        ),
        (HEAD + BUGS + CLEAN + TAIL, ENDED._replace(code=-9, why="timeout"), "timeout"),
    ],
)
def test_what_may_be_half_a_report_is_none(tmp_path: Path, report: str, ended: Ended, why: str) -> None:
    with pytest.raises(NoReport, match=why):
        SpotBugs({}).read(ended, part(tmp_path, report))


def test_a_class_that_spotbugs_itself_leaves_out_is_a_finding(tmp_path: Path) -> None:
    folder = part(tmp_path, HEAD + TOO_BIG + CLEAN + TAIL, ("shop/Lamp", "shop/Huge", "module-info"))
    assert [f.place for f in SpotBugs({}).read(ENDED, folder)] == [("shop/Huge.class", 0, "SKIPPED_CLASS_TOO_BIG")]


@pytest.mark.parametrize(
    "options", [{"effort": "maxi"}, {"heap": "2"}, {"heap": "2g -version"}, {"exclude": "none"}, {"no": "x"}]
)
def test_options_that_can_t_be_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        SpotBugs(options).extras()


@pytest.mark.parametrize("missing", ["java", "mvn"])
def test_what_must_be_installed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.setenv("GAINSAY_CACHE", str(tmp_path))
    monkeypatch.setattr(spotbugs.shutil, "which", lambda tool: None if tool == missing else f"/bin/{tool}")
    with pytest.raises(EnvironmentProblem, match="Install"):
        SpotBugs({}).install()


# --- jdeps ---

# From jdeps of JDK 17, shortened; the last but one is a class as Kotlin makes it of a test.
PRINTED = """gainsay-0.jar -> java.base
gainsay-0.jar -> not found
   shop.Shelf                                         -> java.lang.Object                                   java.base
   shop.Shelf                                         -> shop.Shelf$Box                                     \
gainsay-0.jar
   shop.Shelf                                         -> shop.Goods                                         not found
   shop.Shelf                                         -> \
com.acme.a.very.long.name.that.takes.more.than.fifty.Columns gainsay-0.jar
   shop.Shelf$Box                                     -> sun.misc.Unsafe                                    JDK \
internal API (jdk.unsupported)
   shop.Shelf$Box                                     -> shop.Shelf                                         \
gainsay-1.jar
   shop.Shelf$Box                                     -> shop.Other                                         other.jar
   shop.ShelfTest$a shelf has room$1                  -> shop.ShelfTest$a shelf has room$2                  \
gainsay-0.jar
gainsay-1.jar -> gainsay-0.jar
"""


def test_only_edges_to_our_own_archives_count() -> None:
    assert list(java.edges(PRINTED, ["gainsay-0.jar", "gainsay-1.jar"])) == [
        ("shop.Shelf", "shop.Shelf$Box"),
        ("shop.Shelf", "com.acme.a.very.long.name.that.takes.more.than.fifty.Columns"),
        ("shop.Shelf$Box", "shop.Shelf"),
        ("shop.ShelfTest$a shelf has room$1", "shop.ShelfTest$a shelf has room$2"),
    ]


def test_a_class_goes_with_those_inside_of_it_and_with_its_package_s_annotations() -> None:
    edges = set(java.together({"a.A": ["1"], "a.A$B$C": ["2"], "$a.B": ["3"]}))
    assert {
        ("a.A", "a.A$B$C"),
        ("a.A$B$C", "a.A"),
        ("a.A$B$C", "a.A$B"),
        ("a.A", "a.package-info"),
        ("$a.B", "$a.package-info"),
    } <= edges


def test_a_class_file_says_its_name_wherever_it_lies(tmp_path: Path) -> None:
    for name, content in {
        "x/a.class": class_file("shop/Lamp"),
        "b.class": class_file("shop/Lamp"),
        "c.class": b"\xca\xfe\xba\xbe\x00",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    assert java.classes(tmp_path, ["x/a.class", "b.class", "c.class"]) == {"shop.Lamp": ["b.class", "x/a.class"]}


def test_no_class_needs_no_jdeps_and_a_class_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java.shutil, "which", lambda tool: None)
    part(tmp_path, "", ("a/A", "module-info"))
    assert java.dependencies(tmp_path, ["module-info.class"]) == {"module-info.class": set()}
    with pytest.raises(EnvironmentProblem, match="JDK"):
        java.dependencies(tmp_path, ["a/A.class"])
