"""semgrep: patterns of code, one file at a time, by rules that the user has as files.
Its registry of rules is on the network, and never asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import msgspec

from gainsay.core.split_analyzer import Finding, NoReport, not_analyzed, relative
from gainsay.errors import UsageError
from gainsay.limits import Ended
from gainsay.split.by_pip import ByPip

ROOM = ".gainsay-semgrep"  # in the part: all that is semgrep's, and no code
RULES = f"{ROOM}/rules"
REPORT = f"{ROOM}/report.json"
PREFIX = f"{ROOM.lstrip('.')}.rules."  # semgrep puts a rule's folder before its name
LEVELS = {"CRITICAL": "error", "HIGH": "error", "ERROR": "error", "LOW": "note", "INFO": "note"}
YAML = (".yml", ".yaml")


class Place(msgspec.Struct):
    """A line and a column, as semgrep's JSON has them."""

    line: int
    col: int


class Span(msgspec.Struct):
    """Where an error begins."""

    start: Place


class Extra(msgspec.Struct):
    """What a rule says of a result."""

    message: str
    severity: str
    is_ignored: bool = False


class Result(msgspec.Struct):
    """A match of a rule."""

    check_id: str
    path: str
    start: Place
    extra: Extra


class Trouble(msgspec.Struct):
    """What semgrep could not do.
    A `warn` with a path is about this one file; everything else about the run or a rule."""

    level: str
    message: str | None = None
    path: str | None = None
    spans: list[Span] | None = None


class Skipped(msgspec.Struct):
    """A file that was not looked at, and why."""

    path: str
    reason: str


class Paths(msgspec.Struct):
    """What became of the files."""

    skipped: list[Skipped] = []


class Report(msgspec.Struct):
    """What is read of semgrep's JSON."""

    results: list[Result]
    errors: list[Trouble]
    paths: Paths


class Semgrep(ByPip):
    """semgrep, with the user's own rules."""

    name = "semgrep"
    about = "patterns of code by your own rules, one file at a time"
    is_per_file = True
    configs = (".semgrepignore",)
    requirements = ("semgrep==1.182.0",)
    options_known: ClassVar[Mapping[str, str]] = {**ByPip.options_known, "config": "file or folder of rules (needed)"}

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(options)
        if not options.get("config"):
            raise UsageError(
                "semgrep needs rules: write semgrep?config=FILE or FOLDER. Rules of its registry must be downloaded "
                "first."
            )

    def extras(self) -> dict[str, bytes]:
        source = Path(self.options["config"])
        if source.is_file():
            return {f"{RULES}/rules.yml": source.read_bytes()}
        files = sorted(path for path in source.rglob("*") if path.suffix in YAML and path.is_file())
        if not files:
            raise UsageError(
                f"semgrep?config={source}: there is no rule file. Rules of semgrep's registry must be downloaded first."
            )
        return {f"{RULES}/{path.relative_to(source).as_posix()}": path.read_bytes() for path in files}

    def command(self, folder: Path, names: Sequence[str], homes: Sequence[str]) -> list[str]:
        has_jobs = any(word.startswith(("-j", "--jobs")) for word in self.arguments)  # semgrep takes it only once
        return [
            *(str(self.install() / "bin" / "semgrep"), "scan", "--metrics", "off", "--disable-version-check"),
            *("--verbose",),  # only then its report names the files that were too large for it
            *("--config", RULES, "--exclude", ROOM, "--json", "--output", REPORT),
            # Else it looks for a git repository above, and leaves out what is ignored there, which may be all of the
            # part.
            *("--project-root", "."),
            *(() if has_jobs else ("--jobs", "1")),
            *self.arguments,
            *("--", "."),
        ]

    def environment(self, folder: Path) -> dict[str, str]:
        """Keeps it out of the user's home, where it would also find a login."""
        room = folder.resolve() / ROOM
        files = {"SETTINGS_FILE": "settings.yml", "LOG_FILE": "semgrep.log", "VERSION_CACHE_PATH": "version"}
        return {f"SEMGREP_{key}": str(room / name) for key, name in files.items()} | {"SEMGREP_APP_TOKEN": ""}

    def read(self, ended: Ended, folder: Path) -> list[Finding]:
        """A rule that semgrep can't read is skipped with exit code 0, so the code alone says too little."""
        try:
            report = msgspec.json.decode((folder / REPORT).read_bytes(), type=Report)
        except (OSError, msgspec.MsgspecError):
            raise NoReport(
                f"semgrep ended with code {ended.code} and no report: "
                f"{ended.printed.strip()[-500:] or 'it said nothing'}"
            ) from None
        grave = [one_line(e) for e in report.errors if e.level == "error" or (e.level == "warn" and not e.path)]
        if ended.why or grave or ended.code not in ((0, 1) if report.results else (0,)):
            raise NoReport(
                f"semgrep ended with code {ended.code}: "
                f"{'; '.join(grave)[:500] or ended.printed.strip()[-500:] or 'it said nothing'}"
            )
        found = [
            Finding(
                relative(r.path, folder),
                r.start.line,
                r.start.col,
                r.check_id.removeprefix(PREFIX),
                r.extra.message.strip(),
                LEVELS.get(r.extra.severity, "warning"),
            )
            for r in report.results
            if not r.extra.is_ignored
        ]
        found += [unread(e, folder) for e in report.errors if e.level == "warn"]
        large = [relative(s.path, folder) for s in report.paths.skipped if s.reason == "exceeded_size_limit"]
        return found + [not_analyzed(name, "larger than --max-target-bytes") for name in large]


def unread(trouble: Trouble, folder: Path) -> Finding:
    """A file that semgrep could not read to the end, or not in time.
    It still looks at the rest, so this is no failure, but must be known."""
    place = trouble.spans[0].start if trouble.spans else Place(0, 0)
    return not_analyzed(relative(trouble.path or "", folder), one_line(trouble), place.line, place.col)


def one_line(trouble: Trouble) -> str:
    """Its message on one line, with the rules' own names."""
    return " ".join((trouble.message or "semgrep does not say what went wrong").replace(PREFIX, "").split())
