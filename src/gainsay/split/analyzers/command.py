"""Any tool that prints SARIF, or lines such as `file:line: message`: `cmd:'TOOL ARGUMENTS'`, started in each part
without a shell."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from gainsay.core.split_analyzer import Finding, NoReport, SplitAnalyzer, relative, words
from gainsay.errors import EnvironmentProblem, UsageError, near
from gainsay.limits import Ended
from gainsay.split import sarif

FILES, REPORT = "{files}", "{report}"
REPORT_FILE = ".gainsay-report.sarif"
ROOM = "../tool"  # beside the part
# Tools say by 1, or by a few bits, that they found something; by higher codes and signals that they failed half way
MOST_CODE = 31
# As an interpreter prints it, not as a rule speaks of it
TRACEBACK = re.compile(r"^Traceback \(most recent call last\)", re.MULTILINE)
OBJECT = re.compile(r"^\s*\{\s*(?=\"|$)", re.MULTILINE)
HOLE = re.compile(r"\{\w*\}")
INTERPRETERS = re.compile(r"(python|pypy|node|perl|ruby|bash|sh|java)[\d.]*")
LINE = re.compile(r"(?P<file>[^\s:][^:]*):(?P<line>\d+)(?::(?P<column>\d+))?:?\s+(?P<message>\S.*)")
LEVEL = re.compile(r"(?P<level>error|warning|note|info)\b:?\s*", re.IGNORECASE)
RULE = re.compile(r"\[(?P<last>[\w./-]+)\]\s*$|^(?P<first>[A-Z]+[0-9]+)\b")


class Command(SplitAnalyzer):
    """A tool of the user's, by its command line."""

    name = "cmd"
    about = "any tool that prints SARIF, or lines such as file:line: message"
    options_known: ClassVar[Mapping[str, str]] = {"command": "the tool and its arguments"}

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(options)
        self._words = words(options.get("command", ""), "cmd:")
        if not self._words:
            raise UsageError(
                "cmd: names no tool. Write --analyzer cmd:'TOOL ARGUMENTS'; {files} stands for the files, {report} for "
                "a SARIF file."
            )
        self._line = options["command"]  # as the user wrote it
        self.shipped: dict[str, bytes] = {}  # the user's files that its arguments name: they go along with each part

    @classmethod
    def of(cls, line: str) -> Command:
        """From what the user wrote.
        Its program is looked for on PATH; files that its arguments name are taken along."""
        found, shipped = [], {}
        for n, word in enumerate(words(line, "cmd:")):
            before, equals, path = word.rpartition("=") if "=" in word else ("", "", word)
            if n and Path(path).is_file():
                place = f"{ROOM}/{n}-{Path(path).name}"
                shipped[place] = Path(path).read_bytes()
                found.append(f"{before}{equals}{place}")
            else:
                found.append(str(Path(word).absolute()) if n == 0 and "/" in word else word)
        for word in found:
            if HOLE.fullmatch(word) and word not in (FILES, REPORT):
                raise UsageError(
                    f"cmd: knows no {word}.{near(word, (FILES, REPORT))} {FILES} stands for the part's files, {REPORT} "
                    "for a SARIF file."
                )
        if (
            len(found) > 1
            and INTERPRETERS.fullmatch(Path(found[0]).name)
            and Path(found[1]).suffix
            and found[1] not in shipped
        ):
            raise UsageError(f"cmd: there is no file {found[1]}. Write the path of the script as it is from here.")
        made = cls({"command": shlex.join(found)})
        made.shipped, made._line = shipped, line
        return made

    def install(self) -> Path:
        """Nothing is installed: the tool is the user's."""
        found = shutil.which(self._words[0])
        if found is None:
            raise EnvironmentProblem(
                f"There is no program {self._words[0]}. Install it, or write its whole path after cmd:."
            )
        return Path(found)

    @property
    def title(self) -> str:
        return self._line

    def version(self) -> str:
        """A tool that was changed since is another one. On a cluster it need not be here."""
        found = shutil.which(self._words[0])
        about = Path(found).stat() if found else None
        return f"{about.st_size}-{about.st_mtime_ns}" if about else "unknown"

    @property
    def label(self) -> tuple[str, str]:
        return Path(self._words[0]).name, ""

    def extras(self) -> dict[str, bytes]:
        return self.shipped

    def command(self, folder: Path, names: Sequence[str], homes: Sequence[str]) -> list[str]:
        found: list[str] = [str(self.install())]
        for word in self._words[1:]:
            found += [f"./{name}" for name in names] if word == FILES else [word.replace(REPORT, REPORT_FILE)]
        return found

    def read(self, ended: Ended, folder: Path) -> list[Finding]:
        said: Any = None
        text = ended.printed
        if any(REPORT in word for word in self._words):
            try:
                text = (folder / REPORT_FILE).read_text("utf-8")
            except (OSError, UnicodeDecodeError):
                raise NoReport(f"it ended with code {ended.code} and wrote no report: {tail(ended.printed)}") from None
        found = [f for f in lines(text) if (folder / f.file).is_file()]  # a line of a log may look like one
        begin = None if found else OBJECT.search(text)
        if begin is not None:
            try:
                said, _ = json.JSONDecoder().raw_decode(text, text.index("{", begin.start()))
            except ValueError:
                raise NoReport(
                    f"it ended with code {ended.code}, and what it printed is not JSON to the end: {tail(text)}"
                ) from None
            found = sarif.read(said)
        if ended.code and TRACEBACK.search(ended.printed):
            raise NoReport(f"it ended with an exception: {tail(ended.printed)}")
        if not 0 <= ended.code <= MOST_CODE or (ended.code > 1 and not found):
            raise NoReport(f"it ended with code {ended.code}: {tail(ended.printed)}")
        if ended.code == 1 and not found and said is None:
            raise NoReport(
                f"it ended with code 1, but no line of what it printed reads as file:line: message: {tail(text)}"
            )
        return [
            Finding(relative(f.file, folder) if f.file else "", f.line, f.column, f.rule, f.message, f.level)
            for f in found
        ]

    def remark(self, ended: Ended, found: Sequence[Finding], folder: Path) -> str:
        """What of its words says nothing that we understand: it may be why there is so little, or that it stopped half
        way."""
        if OBJECT.search(ended.printed) or any(REPORT in word for word in self._words):
            return ""
        known = {line.strip() for line in ended.printed.splitlines() if LINE.fullmatch(line.strip())}
        other = [line.strip() for line in ended.printed.splitlines() if line.strip() and line.strip() not in known]
        strange = [f for f in lines(ended.printed) if not (folder / f.file).is_file()]
        told = [f"{len(other)} lines are not file:line: message, such as {other[0][:120]!r}"] if other else []
        told += (
            [f"{len(strange)} lines are about files that are not there, such as {strange[0].file[:120]!r}"]
            if strange
            else []
        )
        return "; ".join(told)


def tail(text: str) -> str:
    return text.strip()[-300:] or "it said nothing"


def lines(text: str) -> list[Finding]:
    """Findings in lines such as file:line:column: message [rule]."""
    found = []
    for line in text.splitlines():
        match = LINE.fullmatch(line.strip())
        if match:
            message = match["message"]
            level = LEVEL.match(message)
            message = message[level.end() :] if level else message
            rule = RULE.search(message)
            word = level["level"].lower() if level else "warning"
            named = (rule["last"] or rule["first"]) if rule else "finding"
            found.append(
                Finding(
                    match["file"],
                    int(match["line"]),
                    int(match["column"] or 0),
                    named,
                    message,
                    "note" if word == "info" else word,
                )
            )
    return found
