"""SpotBugs: bug patterns in Java classes, with types, nullness and fields followed across them.
It reads class files, not sources.

SpotBugs orders its detectors by their identity hash codes, and some of them read what others noted before: on guava, 15
of 847 findings came and went with Java's garbage collector. So these codes are made constant."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from gainsay.core.split_analyzer import NOT_ANALYZED, Finding, NoReport, SplitAnalyzer, not_analyzed
from gainsay.errors import EnvironmentProblem, UsageError, near
from gainsay.limits import Ended
from gainsay.split.environments import clean, last, made_once
from gainsay.split.graphs import java

VERSION = "4.10.4"
REPORT, EXCLUDE = ".gainsay-spotbugs.xml", ".gainsay-exclude.xml"
EFFORTS = ("min", "less", "default", "more", "max")
LEVELS = {"1": "error", "2": "warning"}  # of priorities; the others are notes
TOO_BIG = "SKIPPED_CLASS_TOO_BIG"  # what SpotBugs says of a class that it leaves out by itself
JAVA_NEEDED = "Install Java 11 or later"
# Serial and C1 take half of the CPU time and of the memory that Java would take by itself. Out of memory must not look
# like an end.
JVM = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-XX:+ExitOnOutOfMemoryError")
CONSTANT_HASH = ("-XX:+UnlockExperimentalVMOptions", "-XX:+IgnoreUnrecognizedVMOptions", "-XX:hashCode=2")
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>gainsay</groupId><artifactId>spotbugs-for-split</artifactId>
  <version>1</version>
  <dependencies><dependency>
    <groupId>com.github.spotbugs</groupId><artifactId>spotbugs</artifactId><version>{}</version>
  </dependency></dependencies>
</project>
"""


class SpotBugs(SplitAnalyzer):
    """SpotBugs on compiled classes, brought by Maven."""

    name = "spotbugs"
    about = "bug patterns in Java classes, across them"
    language = "java"
    suffixes = (".class",)
    options_known: ClassVar[Mapping[str, str]] = {
        **SplitAnalyzer.options_known,
        "effort": f"how hard it tries: {', '.join(EFFORTS)}",
        "heap": "the most that Java may take for objects, such as 2g",
        "exclude": "a filter file of what not to report",
    }

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(options)
        self.effort, self.heap = options.get("effort", "default"), options.get("heap", "2g")
        if self.effort not in EFFORTS:
            raise UsageError(f"spotbugs?effort={self.effort} is no effort.{near(self.effort, EFFORTS)}")
        if not re.fullmatch(r"[1-9]\d*[mgMG]", self.heap):
            raise UsageError(f"spotbugs?heap={self.heap} is no size. Write it as 512m or 2g.")

    def version(self) -> str:
        return VERSION

    def install(self) -> Path:
        """The folder of its jars; Maven brings them on first use, for one process at a time."""
        if shutil.which("java") is None:
            raise EnvironmentProblem(f"spotbugs needs Java. {JAVA_NEEDED}.")
        return made_once(f"spotbugs-{VERSION}", bring)

    def extras(self) -> dict[str, bytes]:
        if "exclude" not in self.options:
            return {}
        try:
            return {EXCLUDE: Path(self.options["exclude"]).read_bytes()}
        except OSError as error:
            raise UsageError(f"spotbugs?exclude={self.options['exclude']} can't be read: {error.strerror}.") from None

    def command(self, folder: Path, names: Sequence[str], homes: Sequence[str]) -> list[str]:
        """All classes are looked at, not only the homes: a field that one class reads may be written by another.

        On guava in 11 parts, -onlyAnalyze with the homes took 41 % less CPU time, but said 46 things that a whole run
        does not, instead of 4. The exit code is not asked for: with -exitcode, 1 would mean bugs as well as an end by
        an exception."""
        home = self.install()
        return [
            *("java", f"-Xmx{self.heap}", *JVM, *CONSTANT_HASH),
            f"-Duser.home={home}",  # plugins in the user's own home would find more than those of another node
            *("-cp", f"{home}/*", "edu.umd.cs.findbugs.FindBugs2", *self.arguments),
            *(("-exclude", EXCLUDE) if "exclude" in self.options else ()),
            *(f"-effort:{self.effort}", "-xml:withMessages", "-nested:false", "-noClassOk", "-output", REPORT, "."),
        ]

    def environment(self, folder: Path) -> dict[str, str]:
        """Java reads file names by the locale, and options for all of the user's programs from two variables."""
        return {"LC_ALL": "C.UTF-8", "JAVA_TOOL_OPTIONS": "", "JDK_JAVA_OPTIONS": ""}

    def unblock(self, ended: Ended, found: Sequence[Finding], folder: Path) -> list[str]:
        """SpotBugs says errors of a file that is no class file, and nobody knows of what else."""
        blocked = sorted({f.file for f in found if f.rule == NOT_ANALYZED})
        for name in blocked:
            (folder / name).unlink(missing_ok=True)
        return blocked

    def read(self, ended: Ended, folder: Path) -> list[Finding]:
        """Classes that are missing are no failure.
        An error inside of SpotBugs is one, and a class of the part that its statistics do not have."""
        names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.class") if path.is_file())
        files = java.classes(folder, names)
        broken = set(names).difference(*files.values())
        if broken:
            return [not_analyzed(name, "It is no class file") for name in sorted(broken)]
        if ended.why or ended.code:
            raise NoReport(
                f"spotbugs ended with code {ended.code}{ended.why and ' by ' + ended.why}: {reason(ended.printed)}"
            )
        try:
            report = ET.parse(folder / REPORT).getroot()
        except (OSError, ET.ParseError) as error:
            raise NoReport(f"spotbugs left no whole report ({error}): {reason(ended.printed)}") from None
        errors = report.find("Errors")
        if errors is None or errors.get("errors") != "0":
            raise NoReport(
                "spotbugs had errors: "
                f"{reason(ended.printed) if errors is None else errors.findtext('Error/ErrorMessage')}"
            )
        skipped = {class_of(bug) for bug in report.iterfind(f"BugInstance[@type='{TOO_BIG}']")}
        unseen = set(files) - {one.get("class", "") for one in report.iter("ClassStats")} - skipped - {java.MODULE}
        if unseen:
            raise NoReport(f"spotbugs did not look at {len(unseen)} of {len(names)} classes, such as {min(unseen)}")
        return sorted(finding(bug, files) for bug in report.iterfind("BugInstance"))


def bring(home: Path) -> None:
    """Let Maven fetch SpotBugs and all that it needs, and see that it starts."""
    if shutil.which("mvn") is None:
        raise EnvironmentProblem(
            f"spotbugs {VERSION} is brought by Maven, which is not installed. Install it (Debian: apt-get install "
            "maven)."
        )
    shutil.rmtree(home, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=home.parent) as room:
        Path(room, "pom.xml").write_text(POM.format(VERSION), "utf-8")
        said = call(
            "mvn",
            "-B",
            "-q",
            "dependency:copy-dependencies",
            "-DincludeScope=runtime",
            "-DoutputDirectory=jars",
            cwd=room,
        )
        if said.returncode:
            raise EnvironmentProblem(
                f"Maven can't bring spotbugs {VERSION}: {reason(said.stdout)}. Is its registry reachable?"
            )
        said = call("java", "-cp", "jars/*", "edu.umd.cs.findbugs.FindBugs2", "-version", cwd=room)
        if said.returncode:
            raise EnvironmentProblem(f"spotbugs {VERSION} does not start: {reason(said.stdout)}. {JAVA_NEEDED}.")
        Path(room, "jars").rename(home)


def call(*command: str, cwd: str) -> subprocess.CompletedProcess[str]:
    """Run a program, with all that it prints as one text."""
    return subprocess.run(
        command,
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        env=clean(),
        check=False,
    )


def reason(printed: str) -> str:
    """The line that says why: an exception's first, or else the last."""
    found = re.search(r"^.*(?:\[ERROR\]|Exception in thread|Error:|OutOfMemory).*$", printed, re.MULTILINE)
    return (found[0].strip() if found else last(printed))[:500]


def class_of(bug: ET.Element) -> str:
    """The class that a bug is one of."""
    own = bug.find("Class[@primary='true']")
    return "" if own is None else own.get("classname", "")


def finding(bug: ET.Element, files: Mapping[str, Sequence[str]]) -> Finding:
    """Of the lines that it names as the main ones, the first in the bug's own class; one that it has deduced is marked
    as synthetic."""
    name = class_of(bug)
    lines = [one for one in bug.iterfind("SourceLine") if one.get("primary") or one.get("synthetic")]
    own = [one for one in lines if one.get("classname") == name] or lines
    line = int(own[0].get("start", "0")) if own else 0
    message = bug.findtext("LongMessage", "") or bug.findtext("ShortMessage", "")
    return Finding(
        files.get(name, [""])[0],
        max(0, line),
        0,
        bug.get("type", ""),
        message,
        LEVELS.get(bug.get("priority", ""), "note"),
    )
