"""What an engine refused in a hunt: a file for each kind of refusal, with one statement that met it and all that the
engine said."""

from __future__ import annotations

import re
from pathlib import Path

from gainsay.campaign.ledger import Ledger
from gainsay.core.wording import counted
from gainsay.errors import EnvironmentProblem
from gainsay.triage.signature import short


def name(kind: str) -> str:
    """A file's name for a kind of refusal: legible, and another for each."""
    return f"{re.sub('[^a-z0-9]+', '-', kind.lower()).strip('-')[:50]}-{short(kind)}.txt"


def write(ledger: Ledger, out: Path) -> list[str]:
    """Write or renew OUT/refused, and say so in a line; a hunt without refusals has no such folder."""
    folder = out / "refused"
    try:
        for kind, sample in sorted(ledger.samples.items()):
            folder.mkdir(exist_ok=True)
            count = ledger.refusals[kind]
            met = f"{sample.group}: refused {'once' if count == 1 else f'{count:,} times'} with such words"
            text = f"{met}\n\nStatement:\n{sample.text}\n\nAnswer:\n{sample.message}\n"
            (folder / name(kind)).write_text(text, encoding="utf-8", errors="surrogatepass")
    except OSError as error:
        raise EnvironmentProblem(f"{folder} can't be written: {error.strerror}.") from None
    return (
        [f"A statement for each of {counted(len(ledger.samples), 'kind')} of refusals is in {folder}."]
        if ledger.samples
        else []
    )
