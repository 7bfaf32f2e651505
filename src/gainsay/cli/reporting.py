"""`gainsay report`: a whole hunt as a page, a text, or in the forms that other tools read."""

from __future__ import annotations

import argparse
import json
import webbrowser
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from gainsay.campaign.config import Campaign
from gainsay.campaign.ledger import Ledger
from gainsay.cli.looking import hunts, opened
from gainsay.core.wording import counted
from gainsay.errors import EnvironmentProblem
from gainsay.report import junit, machine, markdown, sarif
from gainsay.report.page import page
from gainsay.triage import known

Format = Callable[[Campaign, Ledger, Path], str]


def report(arguments: argparse.Namespace) -> int:
    """The newest hunt in the folder, on standard output or in a file."""
    out = hunts(arguments)[0]
    campaign, ledger = opened(out)
    text = FORMATS[arguments.format](campaign, ledger, out)
    told(text, arguments.output)
    return 0


def told(text: str, path: str | None) -> None:
    """Write a report to standard output, or to a file."""
    if not path:
        print(text, end="" if text.endswith("\n") else "\n")
        return
    try:
        Path(path).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise EnvironmentProblem(f"{path} can't be written: {error.strerror}.") from None
    print(f"Written: {path} ({len(text.encode('utf-8', 'replace')) / 1024:,.0f} KB)")


def open_page(out: Path, name: str) -> int:
    """Write the page of a hunt into its folder, and have a browser open it at a finding."""
    campaign, ledger = opened(out)
    path = out / "page.html"
    told(page.page(campaign, ledger, out), str(path))
    if not webbrowser.open(f"{path.resolve().as_uri()}#{name}"):
        print(f"No browser could be started: open {path}")
    return 0


def baseline(arguments: argparse.Namespace) -> int:
    """`gainsay baseline`: the findings of all hunts in the folder that count."""
    found = {f.id: f for out in hunts(arguments) for f in opened(out)[1].sure()}
    known.write(Path(arguments.output), [known.Muted(f.id, f.signature, f.shape, "known") for f in found.values()])
    written = f"{counted(len(found), 'finding')} written to {arguments.output}"
    print(f"{written}: gainsay hunt ... --baseline {arguments.output}")
    return 0


def as_markdown(campaign: Campaign, ledger: Ledger, out: Path) -> str:
    return markdown.campaign(ledger.shown(), machine.summary(campaign, ledger, out, 0.0, 0.0, 0.0))


def as_json(campaign: Campaign, ledger: Ledger, out: Path) -> str:
    summary = machine.summary(campaign, ledger, out, 0.0, 0.0, 0.0)
    found = ledger.shown()
    whole = [json.loads(msgspec.json.encode(f)) for f in found]
    listed = [{**machine.brief(f, out), **w} for f, w in zip(found, whole, strict=True)]
    return json.dumps({**summary, "findings": listed})


FORMATS: Mapping[str, Format] = {
    "md": as_markdown,
    "json": as_json,
    "html": page.page,
    "sarif": sarif.write,
    "junit": junit.write,
}
