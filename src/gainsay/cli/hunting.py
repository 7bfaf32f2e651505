"""`gainsay hunt`: from the command line to a campaign, and from its end to a summary and an exit code."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from gainsay import __version__
from gainsay.campaign import config, events, journal, planning, probing
from gainsay.campaign.leasing import Limits
from gainsay.campaign.ledger import Ledger
from gainsay.campaign.request import Request
from gainsay.campaign.seating import HostedPlayer
from gainsay.campaign.supervisor import Supervisor
from gainsay.cli import bisected_hunts, folders, passwords
from gainsay.cli.joining import Joining, may_join
from gainsay.cli.proofs import Proofs
from gainsay.cli.request import limits_of, request_of, with_seeds, without_folder
from gainsay.cli.resuming import Conflict, place_of, resumed
from gainsay.cli.serving import Page
from gainsay.core import registry
from gainsay.core.model import Seat
from gainsay.core.wording import counted
from gainsay.engines import releases
from gainsay.limits import spent_s
from gainsay.report import folder, machine, refusals, terminal
from gainsay.triage import known


def hunt(arguments: argparse.Namespace) -> int:
    """`gainsay hunt`: its exit code."""
    limits = limits_of(arguments)
    arguments.dir = without_folder(arguments.targets)
    request = request_of(arguments)
    request = msgspec.structs.replace(request, targets=tuple(map(passwords.unlocked, request.targets)))
    out, is_ours = place_of(arguments, request)
    try:
        return in_folder(arguments, request, limits, out)
    except Conflict:  # the same targets in other versions
        if not is_ours:
            raise
        return in_folder(arguments, request, limits, folders.following(out.parent, request.name()))


def in_folder(arguments: argparse.Namespace, request: Request, limits: Limits, out: Path) -> int:
    lock = folders.own(out, folders.MARK, "hunt")
    try:
        return Hunt(arguments, request, limits, out).run()
    except BaseException:
        folders.leave(out, ("journal.jsonl", folders.MARK))
        raise
    finally:
        os.close(lock)


class Hunt:
    """One run of the command in a folder that is ours."""

    def __init__(self, arguments: argparse.Namespace, request: Request, limits: Limits, out: Path) -> None:
        self.arguments, self.request, self.limits, self.out = arguments, request, limits, out
        self.before = config.saved(out)
        self.console = Console(stderr=arguments.json)
        self.screen = terminal.Screen(self.console, quiet=arguments.json)
        self.joining: Joining | None = None
        self.supervisor: Supervisor | None = None
        self.proofs = Proofs(out, lambda finding: self.screen.on("finding", finding))
        self.told: set[str] = set()  # groups
        self.met: set[str] = set()  # targets

    def run(self) -> int:
        """Make or find the campaign, hunt, and tell what came of it: the exit code."""
        settings = with_seeds(self.request, self.arguments)
        expected = known.baseline(Path(self.arguments.baseline)) if self.arguments.baseline else []
        ledger = Ledger([*known.read(Path(known.FILE), folders.muted(self.out)), *expected])
        for event in journal.read(self.out / "journal.jsonl"):
            ledger.take(event)
        made = ledger.counts.checks
        begun = time.monotonic()
        with self.screen:
            self.screen.say("Starting the targets ...")
            try:
                campaign = self._campaign(settings)
                supervisor = self._hunted(campaign, ledger)
            finally:
                if self.joining:
                    self.joining.close()
        folder.write_all(ledger.shown(), self.out)
        summary = machine.summary(
            supervisor.campaign, ledger, self.out, time.monotonic() - begun, spent_s(), supervisor.jobs.spent_s
        )
        self._conclude(summary, supervisor, ledger.counts.checks - made)
        return exit_code(summary, supervisor)

    def _campaign(self, settings: dict[str, str]) -> config.Campaign:
        made = self._planned(settings)
        return planning.with_siblings(made, self.request.siblings) if self.request.siblings else made

    def _planned(self, settings: dict[str, str]) -> config.Campaign:
        tell, checks = self.screen.probing, self.limits.checks
        seed = self.request.seed if self.request.seed is not None else secrets.randbits(32)
        if may_join(self.request, self.limits, self.before):
            self.joining = Joining(self.request, self.before.seed if self.before else seed, tell, self.out, self.before)
            return self.joining.first()
        if self.before is not None:
            return resumed(self.request, self.before, self.out, checks, settings, tell)
        return planning.plan(self.request.targets, self.request.oracles, seed, settings, checks, {}, tell=tell)

    def _hunted(self, campaign: config.Campaign, ledger: Ledger) -> Supervisor:
        out = self.out
        journal.mend(out / "journal.jsonl")
        self._save(campaign)
        kept = journal.Journal(out / "journal.jsonl")
        kept.append(events.Started(__version__, campaign.seed), sync=True)
        for finding in ledger.shown():
            if not (out / "findings" / finding.id / "repro.py").exists():
                folder.write(finding, out)
        if self.before is not None:
            found = counted(len(ledger.findings), "finding")
            self.screen.say(f"Going on in {out}: {counted(ledger.counts.checks, 'check')} and {found} so far.")
        self._announce(campaign)
        supervisor = Supervisor(campaign, ledger, kept, self.limits, out / ".run", self._on)
        self.supervisor = supervisor
        for finding in ledger.unproved():  # of a run that was killed
            self.proofs.add(finding)
        page = self._paged()
        try:
            self._run(supervisor)
        finally:
            if page is not None:
                page.close()
            self.proofs.close()
            supervisor.close()
            kept.close()
            self._sweep(supervisor.campaign)
        return supervisor

    def _paged(self) -> Page | None:
        """A page of this hunt, where one is wanted."""
        if not self.arguments.page:
            return None
        page = Page(self.out)
        self.screen.say(page.address())
        return page

    def _sweep(self, campaign: config.Campaign) -> None:
        """Leave nothing of ours on servers of the user's."""
        for target in {str(s.target): s.target for g in campaign.groups for s in g.seats}.values():
            if probing.is_served(target):
                player = HostedPlayer(target)
                why = player.sweep()
                player.close()
                if why:
                    self.screen.say(f"! What we made on {target} may still be there; the next hunt removes it: {why}")

    def _announce(self, campaign: config.Campaign) -> None:
        """Say what is hunted on, once for each group, and what is worth knowing about its seats."""
        for group in campaign.groups:
            if group.key in self.told:
                continue
            self.told.add(group.key)
            names = " against ".join(s.name for s in group.seats)
            self.screen.say(f"Hunting on {names} with {', '.join(group.oracles)}; seed {campaign.seed}.")
            for seat in group.seats:
                if str(seat.target) in self.met:
                    continue
                self.met.add(str(seat.target))
                threading.Thread(target=tell_newer, args=(seat, campaign.explicit, self.screen), daemon=True).start()
                fatal = sorted(f.removeprefix(probing.CRASHES) for f in seat.refused if f.startswith(probing.CRASHES))
                if fatal:
                    self.screen.say(
                        f"! {seat.target} dies when it is asked for "
                        f"{', '.join(fatal[:4])}{' ...' if len(fatal) > 4 else ''}: never drawn, "
                        f"so no finding; 'gainsay engines check {seat.target}' tells more."
                    )

    def _on(self, what: str, value: Any) -> None:
        """An event of the supervisor."""
        if what == "finding":  # it is shown once its reproducer was run
            self.proofs.add(value)
            return
        if what == "tick" and self.supervisor is not None:
            self.proofs.step(self.supervisor.ledger, self.supervisor.note)
            self._take_in(self.supervisor)
        self.screen.on(what, value)

    def _take_in(self, supervisor: Supervisor) -> None:
        """Hunt on what has been started and probed since, too."""
        campaign = self.joining.more() if self.joining else None
        if campaign is not None:
            self._save(campaign)
            self._announce(campaign)
            supervisor.join(campaign)

    def _save(self, campaign: config.Campaign) -> None:
        config.save(self.joining.kept(campaign) if self.joining else campaign, self.out)

    def _run(self, supervisor: Supervisor) -> None:
        """Hunt, then settle. The first Ctrl-C ends the hunt, the second one the settling."""

        def stop(*_: object) -> None:
            if supervisor.is_interrupted:
                raise KeyboardInterrupt
            supervisor.is_interrupted = supervisor.is_stopping = True

        earlier = {s: signal.signal(s, stop) for s in (signal.SIGINT, signal.SIGTERM)}
        try:
            supervisor.hunt()
            if self.joining and self.joining.waiting:
                self.screen.say(
                    f"! Not started and probed in time: {', '.join(self.joining.waiting)}. The same command goes on "
                    "with them."
                )
                self.joining.close()
                self.joining = None
            patience_s = 5.0 if supervisor.is_stopping else max(10.0, 0.5 * self.limits.for_s)
            supervisor.settle(patience_s)
            if self.arguments.bisect and not supervisor.is_interrupted and not supervisor.gone:
                self.screen.say("Looking for the releases between which each finding came and went ...")
                bisected_hunts.bisect(supervisor, patience_s, self.screen.say)
            self.proofs.finish(supervisor.ledger, supervisor.note)
        except KeyboardInterrupt:
            return
        finally:
            for number, handler in earlier.items():
                signal.signal(number, handler)

    def _conclude(self, summary: dict[str, Any], supervisor: Supervisor, made: int) -> None:
        ledger = supervisor.ledger
        lines = terminal.conclude(
            summary, made, ledger.vanished, ledger.waiting(), supervisor.troubles, self.out, supervisor.undrawn
        )
        lines += refusals.write(ledger, self.out) + [never_applied(**told) for told in summary["never_applied"]]
        if supervisor.is_interrupted:
            lines.insert(0, "Interrupted. What was done until then:")
        for line in lines:
            self.console.print(line, highlight=False, markup=False, soft_wrap=True)
        if supervisor.gone:
            told = f"gainsay: {supervisor.gone} Then run the same command again."
            Console(stderr=True).print(told, highlight=False, markup=False, soft_wrap=True)
        if self.arguments.json:
            print(json.dumps(summary))
        sys.stdout.flush()


def exit_code(summary: dict[str, Any], supervisor: Supervisor) -> int:
    if any(f["status"] in events.SURE for f in summary["findings"]):
        return 1
    if supervisor.gone or (summary["never_applied"] and supervisor.campaign.oracles):
        return 2  # who names an oracle that never applies should not take silence for a clean bill
    # A mistake of our own, or of an oracle, is no clean bill
    return 3 if supervisor.troubles or supervisor.undrawn else 0


def never_applied(targets: str, oracle: str, conversations: int) -> str:
    """What is said of an oracle that checked nothing."""
    return (
        f"{oracle} never applied to {targets}: none of its {conversations:,} conversations came to a claim. 'gainsay "
        f"oracles' lists others."
    )


def tell_newer(seat: Seat, is_asking: bool, screen: terminal.Screen) -> None:
    """Say where a newer release can be had than the one that is hunted on.
    An index is asked only for targets that the user named."""
    if seat.target.version or seat.target.options:
        return  # just this one is wanted
    other = releases.newest(registry.engine(seat.target.engine), is_asking=is_asking)
    if releases.is_older(seat.version, other):
        screen.say(
            f"! {seat.target} is {seat.version} here, and {other} can be had: gainsay hunt {seat.target.engine}@{other}"
        )
