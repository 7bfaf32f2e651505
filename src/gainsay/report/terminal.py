"""What a person sees: a live screen on a terminal, plain lines elsewhere, and the summary at the end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Self

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from gainsay.campaign.events import Finding
from gainsay.core import registry
from gainsay.core.model import Target

OPEN = 0.05  # a share of undecidable checks above which the summary says why


def rate(checks: int, seconds: float) -> float:
    return checks / seconds if seconds > 0 else 0.0


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


class Panel:
    """What every screen of ours has: a part that is redrawn in place on a terminal, and lines that stay."""

    def __init__(self, console: Console, is_quiet: bool) -> None:
        self.console, self.is_quiet = console, is_quiet
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self.console.is_terminal and not self.is_quiet:
            self._live = Live(console=self.console, refresh_per_second=4, transient=True)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def say(self, text: str) -> None:
        if not self.is_quiet:
            self.console.print(text, highlight=False, markup=False, soft_wrap=True)


class Screen(Panel):
    """Shows a hunt while it runs. On a terminal it is redrawn in place; in a pipe it is a line every few seconds."""

    def __init__(self, console: Console, quiet: bool = False) -> None:
        super().__init__(console, quiet)
        self._last = time.monotonic()
        self._start = time.monotonic()
        self._before = -1  # checks of earlier runs in the same folder

    def on(self, what: str, value: Any) -> None:
        """An event of the supervisor."""
        if what == "finding":
            self.say(one_line(value))
        elif what == "trouble" and value.oracle:
            # Also where nothing else is said: whoever wrote the oracle must see it.
            told = f"! {value.where}; that check is not made, and more of the same are only counted:\n{value.traceback.rstrip()}"
            self.console.print(told, highlight=False, markup=False, soft_wrap=True)
        elif what == "trouble":
            self.say(f"! a mistake in gainsay itself ({value.where}); it is noted in the journal")
        elif what == "tick":
            self._tick(value)

    def _tick(self, supervisor: Any) -> None:
        now = time.monotonic()
        if self._before < 0:
            self._before = supervisor.ledger.counts.checks
        if self._live is not None:
            self._live.update(self._table(supervisor))
        elif now - self._last > 5 and not self.is_quiet:
            self._last = now
            self.say(plain(supervisor, now - self._start, self._before))

    def _table(self, supervisor: Any) -> Table:
        ledger = supervisor.ledger
        counts = ledger.counts
        seconds = time.monotonic() - self._start
        grid = Table.grid(padding=(0, 2))
        left = f"{supervisor.left_s:.0f} s left" if supervisor.limits.for_s else f"{supervisor.limits.checks - counts.checks:,} checks left"
        if supervisor.is_settling or supervisor.is_stopping:
            left = "the hunt is over: looking at what was found (Ctrl-C ends this)"
        grid.add_row(Text("gainsay", style="bold"), ", ".join(supervisor.campaign.targets), left)
        grid.add_row("checks", f"{counts.checks:,}", f"{rate(counts.checks - self._before, seconds):,.0f} a second")
        grid.add_row("scenes", f"{counts.scenes:,}", f"{counts.asks:,} questions and statements")
        grid.add_row(
            "valid",
            share(counts.asks - counts.refused, counts.asks),
            f"{telling(supervisor.campaign.targets).lower()}: {share(counts.nonempty, counts.answered)}",
        )
        found = Counter(f.kind for f in ledger.findings.values() if f.status not in ("muted", "flaky"))
        text = ", ".join(f"{n} {k}" for k, n in sorted(found.items())) or "none yet"
        waiting = ledger.waiting()
        grid.add_row("findings", Text(text, style="bold red" if found else ""), f"{ledger.raw_total:,} contradictions, {waiting} to look at")
        return grid


def plain(supervisor: Any, seconds: float, before: int) -> str:
    counts = supervisor.ledger.counts
    found = len([f for f in supervisor.ledger.findings.values() if f.status not in ("muted", "flaky")])
    told = f"{telling(supervisor.campaign.targets).lower()} {share(counts.nonempty, counts.answered)}"
    return (
        f"{seconds:4.0f} s: {counts.checks:,} checks ({rate(counts.checks - before, seconds):,.0f}/s), {counts.scenes:,} scenes, "
        f"valid {share(counts.asks - counts.refused, counts.asks)}, {told}, {found} findings"
    )


def one_line(finding: Finding) -> str:
    """A finding as a line: what, where, how sure."""
    return f"{finding.status:>9}  {finding.kind:<14} {finding.engine} {finding.version}  {finding.id}  {what(finding.signature)}"


def what(signature: str) -> str:
    """A signature without the engine and the kind, which stand beside it."""
    return signature.partition(": ")[2].partition(": ")[2]


def telling(targets: Sequence[str]) -> str:
    """What an answer must be to tell something: rows for a query engine, a verdict for a solver."""
    families = {registry.engine(Target.parse(t).engine).FAMILY for t in targets}
    return "Decided" if families == {"smt"} else "Not empty or decided" if "smt" in families else "Not empty"


def times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def conclude(
    summary: dict[str, Any], made: int, vanished: int, waiting: int, troubles: int, out: str, undrawn: Mapping[str, int] | None = None
) -> list[str]:
    """The summary: what was done, what was found, where it is, what to do next."""
    wall = summary["wall_s"]
    told = f"{telling(summary['targets'])}: {100 * summary['nonempty']:.1f} %"
    lines = [
        f"{summary['checks']:,} checks on {', '.join(summary['targets'])} in {wall:.0f} s ({summary['cpu_s']:.0f} CPU-seconds,"
        f" {made / max(summary['cpu_s'], 0.01):,.0f} a CPU-second), {summary['scenes']:,} scenes, seed {summary['seed']}.",
        f"Valid: {100 * summary['valid']:.1f} %. {told}. Undecidable: {summary['undecidable']:,}."
        if summary["asks"]
        else "Nothing was asked in that time: give it more (--for).",
    ]
    if summary["undecidable"] > OPEN * summary["checks"]:
        reasons = "; ".join(f"{why} ({times(n)})" for why, n in list(summary["undecided"].items())[:2])
        lines.append(f"{share(summary['undecidable'], summary['checks'])} of the checks decide nothing: {reasons}.")
    if summary["valid"] < 0.999 and summary["refusals"]:
        lines.append("Refused most often: " + "; ".join(f"{said} ({times(n)})" for said, n in list(summary["refusals"].items())[:2]))
    findings = summary["findings"]
    sure = [f for f in findings if f["status"] in ("confirmed", "stateful")]
    if not sure:
        lines.append("No findings.")
    for f in findings:
        lines.append(f"  {f['id']}  {f['kind']}, {f['status']}, {times(f['count'])}: {what(f['signature'])}")
    if vanished:
        lines.append(f"{vanished} contradictions were not seen again and are not shown; the journal has them.")
    if waiting:
        lines.append(f"{waiting} contradictions wait to be looked at: run the same command again to go on.")
    if troubles:
        lines.append(f"{troubles} mistakes of gainsay itself are noted in {out}/journal.jsonl: please report them.")
    for oracle, count in (undrawn or {}).items():
        lines.append(f"The draw of {oracle} failed {times(count)}: these checks were not made. The traceback is above, and in {out}/journal.jsonl.")
    where = f" --out {out}" if out != "gainsay-out" else ""
    if sure:
        lines.append(f"Everything is in {out}. Next: gainsay show {sure[0]['id']}{where}, or python {sure[0]['path']}/repro.py")
    else:
        lines.append(f"Everything is in {out}. Next: the same command goes on where this hunt ended; another --seed in another --out starts afresh.")
    return lines
