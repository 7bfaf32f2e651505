"""bandit: insecure calls in Python code, one file at a time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from gainsay.core.split_analyzer import Finding, NoReport, not_analyzed, relative
from gainsay.limits import Ended
from gainsay.split.by_pip import ByPip

REPORT = ".gainsay-bandit.json"
LEVELS = {"HIGH": "error", "MEDIUM": "warning", "LOW": "note"}


class Bandit(ByPip):
    """Bandit, one file at a time."""

    name = "bandit"
    about = "insecure calls, one file at a time"
    is_per_file = True
    configs = (".bandit",)
    requirements = ("bandit==1.9.4",)

    def command(self, folder: Path, names: Sequence[str], homes: Sequence[str]) -> list[str]:
        return [
            str(self.install() / "bin" / "bandit"),
            *self.arguments,
            *("-f", "json", "-o", REPORT, "-q", "--exit-zero", "-r", "."),
        ]

    def read(self, ended: Ended, folder: Path) -> list[Finding]:
        """A file that bandit can't parse is a finding: nobody has looked at it."""
        try:
            said = json.loads((folder / REPORT).read_text("utf-8"))
            found = [
                Finding(
                    relative(r["filename"], folder),
                    r["line_number"],
                    r["col_offset"] + 1,
                    r["test_id"],
                    f"{r['test_name']}: {r['issue_text']}",
                    LEVELS.get(r["issue_severity"], "warning"),
                )
                for r in said["results"]
            ]
            found += [not_analyzed(relative(e["filename"], folder), e["reason"]) for e in said["errors"]]
        except (OSError, ValueError, KeyError, TypeError):
            raise NoReport(
                f"bandit ended with code {ended.code} and no report: "
                f"{ended.printed.strip()[-500:] or 'it said nothing'}"
            ) from None
        if ended.code:
            raise NoReport(f"bandit ended with code {ended.code}: {ended.printed.strip()[-500:]}")
        return found
