"""What `gainsay split` shows while parts run."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from gainsay.core.wording import counted
from gainsay.report.terminal import Panel
from gainsay.split import running

SHOWN = 10  # of what is told by name


class Screen(Panel):
    """Each part as it ends; on a terminal also how many wait and run.
    Nothing of it is on standard output when that is for JSON."""

    def __init__(self, is_quiet: bool) -> None:
        super().__init__(Console(stderr=is_quiet), is_quiet)
        self._ended = 0
        self.noun = "part"

    def warn(self, text: str) -> None:
        """What the user must know, also where standard output is for JSON."""
        self.console.print(f"! {text}", highlight=False, markup=False, soft_wrap=True)

    def watch(self, done: running.Done | None, waiting: int, handed_out: Sequence[str]) -> None:
        """A part has ended, or something else has changed."""
        if done is not None:
            self._ended += 1
            self.say(f"  {self.noun} {told(done)}")
        if self._live is not None:
            self._live.update(
                Text(
                    f"{counted(self._ended, 'part')} done, {waiting} waiting, handed out: "
                    f"{', '.join(handed_out[:SHOWN])}"
                )
            )


def told(done: running.Done) -> str:
    """A part that has ended, as a line."""
    outcome = done.outcome
    size = f"{done.label}: {counted(done.part.files.bit_count(), 'file')}, {done.part.homes.bit_count()} at home"
    spent = f"{outcome.cpu_s:.1f} s, {outcome.memory >> 20} MB"
    known = " (known)" if done.is_known else ""
    if outcome.is_ok:
        remark = f" (! {outcome.said})" if outcome.said else ""
        return f"{size}: {counted(len(outcome.findings), 'finding')}, {spent}{known}{remark}"
    why = " ".join(outcome.said.split())[:200]
    return (
        f"{size}: {outcome.status} after "
        f"{spent}{f': {why}' if why else ''}{'; halved' if done.is_halved else ''}{known}"
    )
