"""What a person sees: a live screen on a terminal, plain lines elsewhere, and the summary at the end."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from gainsay.campaign.events import SURE, Finding
from gainsay.campaign.recorder import ASKING, LOADING
from gainsay.campaign.view import View, Working
from gainsay.core import registry
from gainsay.core.model import Target
from gainsay.core.wording import counted

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
    """Shows a hunt while it starts and runs.
    On a terminal it is redrawn in place; in a pipe it is a line every few seconds."""

    def __init__(self, console: Console, quiet: bool = False) -> None:
        super().__init__(console, quiet)
        self._last = self._start = self._seen = time.monotonic()
        self._before: int | None = None  # checks of earlier runs in the same folder
        self._made: dict[tuple[str, str], int] = {}  # of these, by group and oracle
        self._worked: defaultdict[str, float] = defaultdict(float)  # seconds in which somebody was with a group
        self._found: float | None = None  # when the last new finding came
        self._probed: dict[str, str] = {}
        self._phase = "hunting"

    def probing(self, target: Target, done: int, total: int) -> None:
        """A target is started (of no features) or probed. This comes from the threads that do so."""
        if self._live is None:
            if total and not done:
                self.say(f"Probing {target}: {total} features.")
            return
        others = {engine: text for engine, text in self._probed.items() if engine != target.engine}
        self._probed = (
            {target.engine: f"{target} {done} of {total}" if total else f"{target} starts", **others}
            if done < max(total, 1)
            else others
        )
        if self._before is None and done % 16 == 0:
            self._live.update(line(self._starting()))

    def _starting(self) -> str:
        return f"probing: {', '.join(self._probed.values())}"

    def on(self, what: str, value: Any) -> None:
        """An event of the supervisor."""
        if what == "finding":
            self._found = time.monotonic()
            self.say(one_line(value))
        elif what == "trouble" and value.oracle:
            # Also where nothing else is said: whoever wrote the oracle must see it.
            told = (
                f"! {value.where}; that check is not made, and more of the same are only "
                f"counted:\n{value.traceback.rstrip()}"
            )
            self.console.print(told, highlight=False, markup=False, soft_wrap=True)
        elif what == "trouble":
            self.say(f"! a mistake in gainsay itself ({value.where}); it is noted in the journal")
        elif what == "tick":
            self._tick(value)

    def _tick(self, view: View) -> None:
        now = time.monotonic()
        if self._before is None:
            self._before, self._made = view.counts.checks, dict(view.held)
            self._start = self._last = self._seen = now
        for key in view.busy:
            self._worked[key] += now - self._seen
        self._seen = now
        is_new = self._turn(view)
        if self._live is not None:
            if is_new or now - self._last > 0.25:
                self._last = now
                self._live.update(Group(*self._parts(view)))
        elif now - self._last > 5:
            self._last = now
            self.say(looking(view) if view.is_settling else progress(view, now - self._start, self._before))

    def _turn(self, view: View) -> bool:
        """Whether another phase has begun, of which a line tells."""
        phase = "settling" if view.is_settling else "interrupted" if view.is_interrupted else "hunting"
        if phase == self._phase:
            return False
        self._phase = phase
        waiting = view.waiting
        if phase == "settling" and waiting:
            head = "Interrupted" if view.is_interrupted else "The hunt is over"
            limit = "however long that takes" if view.is_patient else f"for {view.left_s:.0f} s at most"
            self.say(
                f"{head}: looking at what was found ({waiting} to look at), {limit}. Ctrl-C ends "
                f"this{' too' * view.is_interrupted}."
            )
        return True

    def _parts(self, view: View) -> list[Any]:
        """What the screen is made of: the hunt as a whole, its groups, its workers."""
        room = max(3, self.console.height - 9)
        workers = [] if view.is_settling else [worker(w) for w in view.workers]
        if len(workers) > room // 2:
            workers = [*workers[: room // 2 - 1], Text(f"and {len(workers) - room // 2 + 1} more workers")]
        below = [text for text in (self._starting() if self._probed else "", job(view)) if text]
        return [
            self._whole(view),
            self._groups(view, room - len(workers)),
            *workers,
            *(line(text) for text in below),
        ]

    def _whole(self, view: View) -> Table:
        counts = view.counts
        now = time.monotonic()
        grid = Table.grid(padding=(0, 2))
        grid.add_row(Text("gainsay", style="bold"), short(view.targets, 24), left(view))
        grid.add_row(
            "checks",
            f"{counts.checks:,}",
            f"{rate(counts.checks - (self._before or 0), now - self._start):,.0f} a second",
        )
        grid.add_row("scenes", f"{counts.scenes:,}", f"{counts.asks:,} questions and statements")
        told = f"{telling(view.targets).lower()}: {share(counts.nonempty, counts.answered)}"
        grid.add_row("valid", share(counts.asks - counts.refused, counts.asks), told)
        found = Counter(f.kind for f in view.findings)
        text = ", ".join(f"{n} {k}" for k, n in sorted(found.items())) or "none yet"
        last = (
            f"the last new one {ago(now - self._found)} ago"
            if self._found is not None
            else f"none new for {ago(now - self._start)}"
        )
        grid.add_row(
            "findings",
            Text(text, style="bold red" if found else ""),
            f"{last}; {view.raw_total:,} contradictions, {view.waiting} wait",
        )
        return grid

    def _groups(self, view: View, room: int) -> Table:
        """Checks a second of each oracle, over the time in which its group was asked; those that are asked now come
        first."""
        now = view.busy
        groups = sorted(view.groups, key=lambda g: g.key not in now)
        grid = Table.grid(padding=(0, 2))
        for group in groups[: room if len(groups) <= room else room - 1]:
            made = {o: view.held[group.key, o] - self._made.get((group.key, o), 0) for o in group.oracles}
            rates = (
                "  ".join(f"{o} {rate(n, self._worked[group.key]):,.0f}/s" for o, n in made.items())
                if any(made.values())
                else "not asked yet"
            )
            grid.add_row(
                Text(group.key, style="bold" if group.key in now else "", no_wrap=True),
                Text(rates, no_wrap=True, overflow="ellipsis"),
            )
        if len(groups) > room:
            grid.add_row(f"and {len(groups) - room + 1} more", "")
        return grid


def worker(working: Working) -> Text:
    """What a worker does."""
    moment = working.moment
    doing = "starting" if working.is_starting else f"episode {moment.episode}, {DOING.get(moment.phase, '')}"
    return line(f"worker {working.number + 1}: {working.group}, {doing} {moment.text}")


def line(text: str) -> Text:
    """A text on one line, cut where the screen ends."""
    return Text(" ".join(text.split()), no_wrap=True, overflow="ellipsis")


DOING = {LOADING: "loading", ASKING: "asking"}


def short(names: Sequence[str], width: int) -> str:
    """Names in a line of that width, or how many there are."""
    text = ", ".join(names)
    return text if len(text) <= width else f"{len(names)} targets" if names else ""


def ago(seconds: float) -> str:
    return (
        f"{seconds:.0f} s"
        if seconds < 120
        else f"{seconds / 60:.0f} min"
        if seconds < 7200
        else f"{seconds / 3600:.1f} h"
    )


def left(view: View) -> str:
    """How much longer the phase takes at most."""
    if view.is_settling:
        limit = "until all is looked at" if view.is_patient else f"{view.left_s:.0f} s at most"
        return (
            f"{'interrupted' if view.is_interrupted else 'the hunt is over'}, looking at what was found: {limit} "
            f"(Ctrl-C ends this)"
        )
    if view.is_interrupted:
        return "interrupted"
    return (
        f"{ago(view.left_s)} left" if view.limits.for_s else f"{view.limits.checks - view.counts.checks:,} checks left"
    )


def job(view: View) -> str:
    """Which contradiction is being looked at, and for how long; nothing where none is."""
    name = view.job
    return (
        f"looking at {name.oracle} on {name.group}, episode {name.episode}, for {view.job_s:.0f} s"
        if name is not None
        else ""
    )


def looking(view: View) -> str:
    limit = "" if view.is_patient else f", {view.left_s:.0f} s left at most"
    return f"     {job(view) or 'looking'}; {view.waiting} wait{limit}"


def progress(view: View, seconds: float, before: int) -> str:
    counts = view.counts
    found = len(view.findings)
    told = f"{telling(view.targets).lower()} {share(counts.nonempty, counts.answered)}"
    return (
        f"{seconds:4.0f} s: {counts.checks:,} checks ({rate(counts.checks - before, seconds):,.0f}/s), "
        f"{counts.scenes:,} scenes, "
        f"valid {share(counts.asks - counts.refused, counts.asks)}, {told}, {counted(found, 'finding')}"
    )


def one_line(finding: Finding) -> str:
    """A finding as a line: what, where, how sure."""
    beware = f"\n           ! {finding.proof}" if finding.proof else ""
    return (
        f"{finding.status:>9}  {finding.kind:<14} {finding.engine} {finding.version}  {finding.id}  "
        f"{what(finding.called())}{beware}"
    )


def what(signature: str) -> str:
    """A signature without the engine and the kind, which stand beside it."""
    return signature.partition(": ")[2].partition(": ")[2]


def telling(targets: Sequence[str]) -> str:
    """What an answer must be to tell something: rows for a query engine, a verdict for a solver."""
    families = [registry.family(registry.engine(Target.parse(t).engine).family) for t in targets]
    first, *others = sorted({f.telling for f in families}, reverse=True)
    return " or ".join([first, *map(str.lower, others)])


def times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def conclude(
    summary: dict[str, Any],
    made: int,
    vanished: int,
    waiting: int,
    troubles: int,
    out: Path,
    undrawn: Mapping[str, int] | None = None,
) -> list[str]:
    """The summary: what was done, what was found, where it is, what to do next."""
    lines = worth(summary, made)
    findings = summary["findings"]
    sure = [f for f in findings if f["status"] in SURE]
    if not sure:
        lines.append("No findings.")
    for f in findings:
        lines.append(f"  {f['id']}  {f['kind']}, {f['status']}, {times(f['count'])}: {what(f['title'])}")
        lines += [f"    ! {f['proof']}"] if f["proof"] else []
    if vanished:
        verb = "was" if vanished == 1 else "were"
        told = counted(vanished, "contradiction")
        lines.append(f"{told} {verb} not seen again, and not shown; the journal has all that was met.")
    if waiting:
        left = counted(waiting, "contradiction")
        lines.append(f"Still to be looked at: {left}. Run the same command again to go on.")
    if troubles:
        lines.append(f"{counted(troubles, 'mistake')} of gainsay itself, noted in {out}/journal.jsonl: please report.")
    for oracle, count in (undrawn or {}).items():
        place = f"The traceback is above, and in {out}/journal.jsonl."
        lines.append(f"The draw of {oracle} failed {times(count)}: these checks were not made. {place}")
    named = f" --out {out}" if out.parent != Path("gainsay-out") else ""
    following = f"the same command goes on where this hunt ended; another --seed{' in another --out' * bool(named)}"
    following += " starts afresh."
    if sure:
        following = f"gainsay show {sure[0]['id']}{named}, or {sure[0]['release']}python {sure[0]['path']}/repro.py"
    return [*lines, f"Everything is in {out}. Next: {following}"]


def worth(summary: dict[str, Any], made: int) -> list[str]:
    """What was done, and what the figures are worth."""
    wall, hunted = summary["wall_s"], summary["cpu_s"] - summary["triage_s"]
    told = f"{telling(summary['targets'])}: {100 * summary['nonempty']:.1f} %"
    asked = f"Valid: {100 * summary['valid']:.1f} %. {told}. Undecidable: {summary['undecidable']:,}."
    if not summary["asks"]:
        is_idle = bool(summary["never_applied"])
        asked = (
            f"Nothing was asked{', since no oracle applied.' if is_idle else ' in that time: give it more (--for).'}"
        )
    lines = [
        f"{summary['checks']:,} checks on {', '.join(summary['targets'])} in {wall:.0f} s ({hunted:.0f} CPU-seconds,"
        f" {made / max(hunted, 0.01):,.0f} a CPU-second), {summary['scenes']:,} scenes, seed {summary['seed']}.",
        asked,
    ]
    if summary["triage_s"] >= 1:
        lines.append(f"Looking at what was found took {summary['triage_s']:.0f} CPU-seconds more.")
    if summary["shunned"]:
        alike = "look like a crash or internal error found before"
        lines.append(f"{summary['shunned']:,} checks that {alike} were drawn and not made; one in 8 was.")
    if summary["undecidable"] > OPEN * summary["checks"]:
        reasons = "; ".join(f"{why} ({times(n)})" for why, n in list(summary["undecided"].items())[:2])
        lines.append(f"{share(summary['undecidable'], summary['checks'])} of the checks decide nothing: {reasons}.")
    if summary["valid"] < 0.999 and summary["refusals"]:
        most = "; ".join(f"{said} ({times(n)})" for said, n in list(summary["refusals"].items())[:2])
        lines.append(f"Refused most often: {most}")
    return lines
