"""What `gainsay tailor` shows while it searches, and how it is stopped."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from gainsay.core.tailor_analyzer import Code, TailorAnalyzer
from gainsay.report.terminal import Panel
from gainsay.tailor.evaluate import Score
from gainsay.tailor.tailoring import Found, Result, Watch, Workshop


class Screen(Panel, Watch):
    """One line for each file that is being tuned on a terminal; in a pipe, a line every five seconds."""

    def __init__(self, console: Console, shop: Workshop, is_quiet: bool) -> None:
        super().__init__(console, is_quiet)
        self.shop = shop
        self._lines: dict[str, str] = {}
        self._last = time.monotonic()

    def prepared(self, code: Code) -> None:
        self.say(f"{code.source}: {len(code.properties)} assertions.")

    def scored(self, code: Code, limit_s: float, score: Score, best: Score | None) -> None:
        """A recipe was tried: show the best so far."""
        tally = self.shop.tally
        top = f"best {best.count}/{best.total} in {best.cpu_s:.2f} s" if best else "nothing finished yet"
        self._lines[code.source] = f"{code.source}, limit {limit_s:g}s: {top}"
        summary = (
            f"{tally.tunings} recipes, {tally.timeouts} time-outs, {tally.failures} failed, {tally.runs} runs, "
            f"{tally.known} known already"
        )
        if self._live is not None:
            self._live.update(Text("\n".join([*self._lines.values(), summary])))
        elif time.monotonic() - self._last > 5:
            self._last = time.monotonic()
            self.say(f"  {self._lines[code.source]}; {summary}")

    def done(self, result: Result) -> None:
        self._lines.pop(result.code.source, None)
        for found in result.found:
            self.say(concluded(result, found))
        if len(result.front) > 1:
            self.say(f"  Any limit: {', '.join(f'{s.count} in {s.cpu_s:.2f} s' for s in result.front)}.")
        for line in contradictions(result, self.shop.analyzer):
            self.say(line)


def concluded(result: Result, found: Found) -> str:
    """One file under one limit, in a few lines."""
    total = len(result.code.properties)
    where = f"{result.code.source}, limit {found.limit_s:g}s"
    if found.note:
        return f"{where}: {found.note}."
    default = (
        f"{found.default.count} in {found.default.cpu_s:.2f} s"
        if found.default.is_finished
        else f"none ({found.default.status})"
    )
    return (
        f"{where}: {found.best.count} of {total} proved in {found.best.cpu_s:.2f} s; by default {default}.\n  "
        f"{found.best.tuning}"
    )


def contradictions(result: Result, analyzer: TailorAnalyzer) -> Iterator[str]:
    for clash in result.clashes:
        at = result.code.properties[clash.index]
        yield (
            f"! {result.code.source}: {at}: proved by [{clash.proved_by}], refuted by [{clash.refuted_by}]. "
            f"{analyzer.doubt}"
        )


@contextmanager
def stopping(shop: Workshop) -> Iterator[None]:
    """The first Ctrl-C ends the search and keeps the best so far, the second one ends all."""

    def stop(*_: object) -> None:
        if shop.stop.is_set():
            raise KeyboardInterrupt
        shop.stop.set()

    earlier = {s: signal.signal(s, stop) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)
