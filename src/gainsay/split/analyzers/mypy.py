"""mypy: types, across files. A file's module is its path from the top of the part, so that two files of one name do not clash."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from gainsay.limits import Ended
from gainsay.split.analyzer import Analyzer, Finding, NoReport, relative
from gainsay.split.stubs import UNKNOWN


class Mypy(Analyzer):
    name = "mypy"
    about = "types across files"
    suffixes = (".py", ".pyi")
    takes_stubs = True
    configs = ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg")
    requirements = ("mypy==2.4.1",)

    def command(self, folder: Path, names: Sequence[str], homes: Sequence[str]) -> list[str]:
        """The others are only followed, silently: mypy then leaves out the bodies of their functions."""
        return [
            str(self.install() / "bin" / "mypy"),
            *("--output", "json", "--no-error-summary", "--no-incremental", "--cache-dir", "/dev/null"),
            *("--explicit-package-bases", "--namespace-packages", "--scripts-are-modules"),
            *(() if len(homes) == len(names) else ("--follow-imports", "silent")),
            *self.arguments,
            *("--", *(f"./{name}" for name in homes)),
        ]

    def environment(self, folder: Path) -> dict[str, str]:
        return {"MYPYPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}

    def unblock(self, ended: Ended, found: Sequence[Finding], folder: Path) -> list[str]:
        """One file that does not parse, and mypy looks at no other. A module of which nothing is known takes its place."""
        blocked = sorted({f.file for f in found}) if ended.code == 2 else []
        for name in blocked:
            (folder / name).unlink(missing_ok=True)
            (folder / name).with_suffix(".pyi").write_text(UNKNOWN, "utf-8")
        return blocked

    def read(self, ended: Ended, folder: Path) -> list[Finding]:
        """Exit code 0 and 1 are reports. 2 is one too where mypy stopped at syntax errors: these are then its findings."""
        found, other = [], []
        for line in ended.printed.splitlines():
            try:
                said = json.loads(line)
                if said["severity"] == "error":
                    rule = said["code"] or "error"
                    found.append(Finding(relative(said["file"], folder), said["line"], said["column"] + 1, rule, said["message"], "error"))
            except (ValueError, KeyError, TypeError):
                other.append(line)
        if ended.code not in (0, 1) and not found:
            raise NoReport(f"mypy ended with code {ended.code}: {' '.join(other)[-500:] or 'it said nothing'}")
        return found
