"""A finding's folder: finding.json, report.md, repro.py and repro.<ext>."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec

from gainsay.campaign.events import Finding
from gainsay.errors import DiskFull, EnvironmentProblem
from gainsay.report import markdown, repro, script


def write(finding: Finding, out: Path) -> Path:
    """Write or renew a finding's folder; each file appears whole or not at all."""
    folder = out / "findings" / finding.id
    files = {
        "finding.json": msgspec.json.format(msgspec.json.encode(finding), indent=1).decode(),
        "report.md": markdown.report(finding),
        "repro.py": repro.python(finding),
        f"repro.{script.extension(finding)}": script.text(finding),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            part = folder / f".{name}.part"
            part.write_text(text, encoding="utf-8", errors="surrogatepass")
            os.replace(part, folder / name)
    except OSError as error:
        if error.errno == 28:
            raise DiskFull(
                f"No space left in {out}. The journal has the finding: free some space and run the same command again."
            ) from None
        raise EnvironmentProblem(f"{folder} can't be written: {error.strerror}.") from None
    return folder


def write_all(findings: Sequence[Finding], out: Path) -> None:
    """Write or renew the folders of a hunt's findings; what turned out to be one of them has none of its own."""
    for finding in findings:
        write(finding, out)
    ids = {finding.id for finding in findings}
    for alias in {alias for finding in findings for alias in finding.aliases} - ids:
        shutil.rmtree(out / "findings" / alias, ignore_errors=True)
